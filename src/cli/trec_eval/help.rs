//! What `-h` and `-v` print.

use raglens::measure::{Asked, Measure, TREC_EVAL, TrecMeasure};

use super::request::{NICKNAMES, Request};
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
  -Z, --Zscore FILE               Z scores; rows of qid measure mean deviation
  -o                              accepted and without effect
  -v, --version                   the version, on standard error
  -h, --help                      this; with -m, what is said about the measures

Not in trec_eval:
      --strict                    a judged query without results is an error (4)
      --lenient                   numbers as C reads them: `abc` 0, `1.9` 1
      --like 9                    what 9.0 prints: recall points as there,
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
        let names: Vec<&str> = TREC_EVAL.iter().map(|row| row.name).collect();
        text.push_str(&wrapped(&names.join(" "), "  ", "  "));
        text.push_str("\n\nNicknames:\n");
        text.extend(NICKNAMES.iter().map(|(nickname, names)| entry(nickname, &names.join(" "))));
    }
    let is_meant = |row: &&TrecMeasure| requests.iter().any(|request| request.means(row));
    text.extend(TREC_EVAL.iter().filter(is_meant).map(about));
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

/// What the table of measures says about a measure of trec_eval, under the names that it prints.
fn about(row: &TrecMeasure) -> String {
    // A measure has values without parameters.
    let measures = row.measures(None, Asked { rel: 1.0, documents: 0 }).unwrap_or_default();
    let names: Vec<&str> = measures.iter().map(|(name, _)| name.as_str()).collect();
    let mut lines = vec![String::new(), wrapped(&names.join(" "), "", "  ")];
    if let Some(definition) = measures.first().map(|(_, measure)| Measure::definition(measure)) {
        lines.extend([definition.about, definition.formula].map(|sentence| wrapped(sentence, "  ", "  ")));
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_of_help_is_wider_than_a_terminal() {
        let wide: Vec<String> = text(&[]).lines().filter(|line| line.chars().count() > 80).map(String::from).collect();
        assert_eq!(wide, Vec::<String>::new());
    }
}
