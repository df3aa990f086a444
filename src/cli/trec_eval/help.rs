//! What `-h` and `-v` print.

use raglens::measure::Spec;

use super::table::{self, NICKNAMES, Request, Row, Shows, Takes};
use crate::render::trec_eval::departures::DEPARTURES;
use crate::render::wrapped;

const OPTIONS: &str = "\
Usage: raglens trec_eval [OPTIONS] LABELS RUN

Prints what trec_eval 10 prints for the same arguments: name, query, value. RUN
can be `-`, standard input. Files may be packed with gzip or zstd.

  -q, --query_eval_wanted         lines for every query in front of those of all
  -m, --measure NAME[.PARAMS]     a measure or a nickname, as often as wanted;
                                  without one, official
  -c, --complete_rel_info_wanted  means over all queries of the labels; those
                                  without results count as 0. Otherwise they are
                                  left out and named on standard error
  -l, --level_for_rel GRADE       grade from which a document is relevant [1]
  -n, --nosummary                 no lines for all queries together
  -J, --Judged_docs_only          results that nobody judged are removed
  -M, --Max_retrieved_per_topic N only the first N results of a query count
  -N, --Number_docs_in_coll N     documents in the collection, for utility [0]
  -D, --Debug_level N[.QUERY]     only this query; no debugging text
  -R, --Rel_info_format FORMAT    of LABELS: qrels, qrels_jg, prefs, qrels_prefs
  -T, --Results_format FORMAT     of RUN: trec_results
  -Z, --Zscore FILE               Z scores; lines of qid, measure, mean, deviation
  -o                              accepted and without effect
  -v, --version                   the version, on standard error
  -h, --help                      this; with -m, what is said about the measures

Not in trec_eval:
      --strict                    a judged query without results is an error (4)
      --lenient                   numbers as C reads them: `abc` is 0, `1.9` is 1
      --like 9                    what 9.0 prints: recall points rounded as there,
                                  32-bit scores, no rbp, rbp_resid and unj

Exit status: 0 done, 1 usage or unknown measure, 2 file or parameter, 4 query
that cannot be scored, 7 no query at all, 255 file of -Z.
";

/// The version of trec_eval whose output is printed, and that of raglens.
pub fn version() -> String {
    format!("trec_eval version 10.0-rc3 (raglens {})\n", env!("CARGO_PKG_VERSION"))
}

/// The help text, with what is said about the measures that were asked for.
pub fn text(requests: &[Request]) -> String {
    let mut text = OPTIONS.to_owned();
    if requests.is_empty() {
        text.push_str("\nMeasures (`-h -m NAME` says more):\n");
        let names: Vec<&str> = table::ROWS.iter().map(|row| row.name).collect();
        text.push_str(&wrapped(&names.join(" "), "  ", "  "));
        text.push_str("\n\nNicknames:\n");
        text.extend(NICKNAMES.iter().map(|(nickname, names)| entry(nickname, &names.join(" "))));
    }
    let is_meant = |row: &&Row| requests.iter().any(|request| table::members(&request.name).contains(row));
    for row in table::ROWS.iter().filter(is_meant) {
        text.push_str(&about(row));
    }
    if requests.is_empty() {
        text.push_str("\nWhere it differs from trec_eval 10, on purpose:\n");
        let lines = DEPARTURES.iter().map(|(name, sentence)| entry(name, sentence));
        text.extend(lines);
    }
    text
}

/// A few words with what there is to say of them.
fn entry(name: &str, sentence: &str) -> String {
    wrapped(sentence, &format!("  {name:<10}"), &" ".repeat(12)) + "\n"
}

fn about(row: &Row) -> String {
    let parameters = match row.takes {
        Takes::Nothing => String::new(),
        Takes::Cutoffs(ranks) => format!(".{}", listed(ranks)),
        Takes::Levels(numbers) | Takes::Numbers(numbers) => format!(".{}", listed(numbers)),
        Takes::Pairs if row.name == "rbp" => ".p=0.9".to_owned(),
        Takes::Pairs => ".GRADE=GAIN".to_owned(),
    };
    let mut lines = vec![format!("\n{}{parameters}", row.name)];
    if row.shows == Shows::RunName {
        lines.push("  the name of the run: the last column of its last line".to_owned());
    }
    if let Ok(spec) = Spec::parse(row.name) {
        let definition = spec.definition();
        lines.extend([definition.about, definition.formula].map(|sentence| wrapped(sentence, "  ", "  ")));
    }
    lines.join("\n") + "\n"
}

fn listed<T: ToString>(values: &[T]) -> String {
    values.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}
