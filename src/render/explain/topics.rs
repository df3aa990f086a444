//! Topics: conventions that no single measure decides, and how they differ elsewhere.

use strsim::osa_distance;

use crate::render::trec_eval::departures::DEPARTURES;

/// A topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Topic {
    /// What is typed.
    pub name: &'static str,
    /// Other words for it.
    pub aliases: &'static [&'static str],
    /// What it is about.
    pub about: &'static str,
    /// What there is to say: a few words, and a text.
    pub parts: &'static [(&'static str, &'static str)],
    /// The sentence that ends it.
    pub end: &'static str,
}

/// Every topic, in the order in which lists show them.
pub static TOPICS: &[&Topic] = &[&NAMES, &TIES, &MISSING, &TREC_EVAL];

/// The topic of a name, whatever its case.
pub fn find(name: &str) -> Option<&'static Topic> {
    let name = spelled(name);
    TOPICS.iter().copied().find(|topic| topic.name == name || topic.aliases.contains(&name.as_str()))
}

/// The topic whose name is one letter away.
pub fn nearest(name: &str) -> Option<&'static Topic> {
    let name = spelled(name);
    TOPICS.iter().copied().find(|topic| name.len() > 3 && osa_distance(topic.name, &name) == 1)
}

fn spelled(name: &str) -> String {
    name.to_ascii_lowercase().replace(['-', ' '], "_")
}

static NAMES: Topic = Topic {
    name: "names",
    aliases: &["grammar", "parameters"],
    about: "how measures are written",
    parts: &[
        (
            "form",
            "name, then parameters behind colons, then @k: ndcg@10, rbp:p=0.95, map:norm=min:rel=2@10. Case does \
                  not matter, and nothing in it needs quotes in a shell. A comma separates measures and nothing else.",
        ),
        (
            "@k",
            "Only the first k places of the list count. Without @k a measure takes the cutoffs of `-k`, and the \
                whole list where none are given; @all always means the whole list. k may be larger than the list.",
        ),
        (
            "rel",
            "The grade from which a document counts as relevant: recall:rel=2@5. `--rel` sets it for every measure \
                 that takes one and was written without it.",
        ),
        (
            "condensed",
            "Documents that nobody judged are taken out of the list before anything else: ndcg:condensed@10, \
                       which tables shorten to ndcg'@10. Plain and condensed are two readings, not two bounds.",
        ),
        (
            "label",
            "What is printed is the shortest form with the defaults left out. It can be typed in again, and is \
                   the key in every file.",
        ),
        (
            "other tools",
            "Names of trec_eval (ndcg_cut_10, P_5, recip_rank), ir_measures (nDCG@10, P(rel=2)@5), ranx \
                         (hit_rate@5, rbp.95) and the usual short ones (p@5, r@5, rr, ap) are understood.",
        ),
    ],
    end: "`raglens explain` lists the measures, `raglens explain MEASURE` says which parameters one takes.",
};

static TIES: Topic = Topic {
    name: "ties",
    aliases: &["tie", "order"],
    about: "what decides between equal scores",
    parts: &[
        (
            "rule",
            "Results are ordered by score, the highest first. Equal scores are ordered by document id, descending \
                  by bytes (`--ties trec`): d9 comes before d10, and a before A. The labels are never looked at.",
        ),
        (
            "other rules",
            "`--ties id-asc` turns the ids round, `--ties input` keeps the order of the file. If a number \
                         moves much between the three, the scores do not say which result is better.",
        ),
        (
            "why it matters",
            "With ties across a cutoff the rule decides what counts as found. Rounded scores, scores in \
                            half precision, and searches that score in steps make many of them; the note N002 counts \
                            the queries.",
        ),
        (
            "the rank column",
            "It is not read where a score stands beside it; a contradiction is named (W009). Lists \
                             without scores keep their order, and so do JSON lists whose entries have none.",
        ),
        ("-0 and 0", "They are the same score. Scores are compared with all of their digits (64 bit)."),
        (
            "trec_eval",
            "The same rule. Version 9 kept scores in 32 bit, so scores that differ in late digits are ties \
                       there.",
        ),
        (
            "ranx, elinor",
            "ranx keeps the order of the file, elinor takes ids ascending: `--ties input` and \
                          `--ties id-asc` give their values.",
        ),
    ],
    end: "Ties in the order of the labels would be worse: every tie would be broken in favour of the run, or against \
          it.",
};

static MISSING: Topic = Topic {
    name: "missing",
    aliases: &["gaps", "missing_queries"],
    about: "queries and documents that one of the files lacks",
    parts: &[
        (
            "a query without results",
            "It counts as an empty list: 0 in nearly every measure, 1 in rbp_residual, no \
                                     value in judged (W003). `--over common` leaves it out (N012), `--over strict` \
                                     makes it an error.",
        ),
        (
            "a query without a relevant document",
            "It is left out of every mean and counted (N001): nothing right can be \
                                                 found for it. `--no-relevant zero` counts it as 0. Each measure asks \
                                                 at its own threshold, so n can differ from measure to measure.",
        ),
        ("a query marked answerable: false", "It is always left out, whatever its labels say."),
        ("a query without labels", "It is ignored and counted (N003)."),
        (
            "a document that nobody judged",
            "It counts as not relevant, except in bpref, infap, judged, unjudged, \
                                           rbp_residual and condensed lists, which exist for it. With more labels hit, \
                                           precision, mrr and rbp can only rise; recall, map and ndcg can also fall, \
                                           because there is more to be found.",
        ),
        (
            "a negative grade",
            "Pooled once, never judged (N005): not relevant, not judged, and gain 0. Only infap tells \
                              it from a document that is in no label.",
        ),
        (
            "labels of relevant documents alone",
            "They cannot tell not relevant from never looked at: judged equals \
                                                precision, bpref equals recall over the whole list, and condensed \
                                                measures approach 1. Text shows n/a for them unless they are asked for \
                                                (W010).",
        ),
        (
            "trec_eval",
            "Leaves out queries without results unless -c is given, and then counts them as 0; counts \
                       queries without a relevant document as 0. `--no-relevant zero` gives what -c prints.",
        ),
        (
            "ranx, elinor",
            "ranx refuses a run that lacks queries unless make_comparable is set, and then counts them as \
                          0; elinor takes the mean over the queries of the run.",
        ),
    ],
    end: "All of it is counted in the output; `eval --format json` names every query that is left out or missing.",
};

static TREC_EVAL: Topic = Topic {
    name: "trec_eval",
    aliases: &["treceval", "trec"],
    about: "where `raglens trec_eval` departs from trec_eval 10 on purpose",
    parts: DEPARTURES,
    end: "Everything else is meant to be the same bytes. `raglens eval` has conventions of its own: \
          `raglens explain missing`, `raglens explain rbp`.",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_topics_are_no_names_of_measures_or_codes() {
        for name in TOPICS.iter().flat_map(|topic| topic.aliases.iter().chain([&topic.name])) {
            let is_measure = raglens::measure::Spec::parse(name).is_ok();
            assert!(!is_measure && !crate::render::codes::is_code(name), "{name}");
            assert!(find(name).is_some() && find(&name.to_uppercase()).is_some());
        }
    }
}
