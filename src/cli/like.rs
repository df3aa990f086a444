//! `--like TOOL`: the conventions under which another tool counts, as a whole.
//!
//! A row of the table gives the words of the options that it stands for. An option that is given
//! beside it wins, and the header of the result names it.

use clap::builder::{ArgPredicate, PossibleValue, PossibleValuesParser, TypedValueParser};
use raglens::labels::Labels;
use raglens::measure::Measure;

/// The conventions of a tool.
#[derive(Debug)]
pub struct Like {
    /// What is typed.
    pub name: &'static str,
    /// Which tool it is, and how it counts, in a line.
    pub about: &'static str,
    /// The words of the options.
    pub words: Conventions,
    /// Decimals of a value.
    pub digits: &'static str,
    /// The measures that the tool prints when it is asked for none.
    pub measures: Option<&'static str>,
    /// Their cutoffs.
    pub cutoffs: &'static [u64],
    /// Measures that have another definition there.
    pub unlike: &'static [Unlike],
}

/// Conventions in the words of the options.
#[derive(Debug, Clone, Copy)]
pub struct Conventions {
    /// `--over`
    pub over: &'static str,
    /// `--no-relevant`
    pub no_relevant: &'static str,
    /// `--ties`
    pub ties: &'static str,
    /// Whether there is `--drop-self`.
    pub drop_self: bool,
}

/// A measure that has another definition in a tool.
#[derive(Debug)]
pub struct Unlike {
    /// The name of the measure here.
    pub measure: &'static str,
    /// What the tool does.
    pub why: &'static str,
    /// For which labels it shows.
    pub shows: fn(&Labels) -> bool,
    /// The parameter with which the measure is defined as there.
    pub mended_by: Option<&'static str>,
}

impl Unlike {
    const fn new(measure: &'static str, why: &'static str, shows: fn(&Labels) -> bool) -> Self {
        Self { measure, why, shows, mended_by: None }
    }

    /// Whether a measure is one that has another definition there.
    pub fn is_about(&self, measure: &Measure) -> bool {
        let is_mended = self.mended_by.is_some_and(|parameter| measure.label().contains(parameter));
        measure.definition().name == self.measure && !is_mended
    }
}

const ALWAYS: fn(&Labels) -> bool = |_| true;

/// The queries of both files; one without a relevant document is 0 (trec_eval without `-c`).
const SHARED: Conventions = Conventions { over: "common", no_relevant: "zero", ties: "trec", drop_self: false };

/// The same with scores as 32-bit numbers, as they were before trec_eval 10.
const SINGLE: Conventions = Conventions { ties: "trec-32", ..SHARED };

/// What trec_eval prints by default, as far as it is a mean over queries.
const OFFICIAL: &str = "num_ret,num_rel,num_rel_ret,map,rprec,bpref,mrr,precision@5,precision@10,precision@15,\
                        precision@20,precision@30,precision@100,precision@200,precision@500,precision@1000";

const RBP_OF_10: Unlike = Unlike::new("rbp", "rbp has p=0.9 there, and the scale of each query's grades", ALWAYS);
const RESIDUAL_OF_10: Unlike = Unlike::new("rbp_residual", "rbp_residual has p=0.9 there, and loses its tail", ALWAYS);
const ROUNDING_OF_9: Option<&str> = Some("rounding=v9");
const IPREC_OF_9: Unlike = Unlike {
    mended_by: ROUNDING_OF_9,
    ..Unlike::new("iprec", "iprec rounds up there, as iprec:rounding=v9 does", ALWAYS)
};
const ELEVEN_POINTS_OF_9: Unlike = Unlike {
    mended_by: ROUNDING_OF_9,
    ..Unlike::new("11pt_avg", "11pt_avg rounds up there, as 11pt_avg:rounding=v9 does", ALWAYS)
};

/// Every tool.
pub static LIKES: &[Like] = &[
    Like {
        name: "trec_eval",
        about: "trec_eval 10 without -c: queries of both files, none relevant is 0, ties by id",
        words: SHARED,
        digits: "4",
        measures: Some(OFFICIAL),
        cutoffs: &[],
        unlike: &[RBP_OF_10, RESIDUAL_OF_10],
    },
    Like {
        name: "9",
        about: "trec_eval 9: the same with 32-bit scores",
        words: SINGLE,
        digits: "4",
        measures: Some(OFFICIAL),
        cutoffs: &[],
        unlike: &[IPREC_OF_9, ELEVEN_POINTS_OF_9],
    },
    Like {
        name: "pytrec_eval",
        about: "pytrec_eval: the queries of trec_eval 9, and its 32-bit scores",
        words: SINGLE,
        digits: "3",
        measures: None,
        cutoffs: &[],
        unlike: &[IPREC_OF_9, ELEVEN_POINTS_OF_9],
    },
    Like {
        name: "beir",
        about: "evaluate of BEIR: pytrec_eval without a query's own id, 5 decimals",
        words: Conventions { drop_self: true, ..SINGLE },
        digits: "5",
        measures: Some("ndcg,map,recall,precision"),
        cutoffs: &[1, 3, 5, 10, 100, 1000],
        unlike: &[
            Unlike::new("mrr", "mrr keeps the order of equal scores there", ALWAYS),
            Unlike::new("capped_recall", "capped_recall keeps the order of equal scores there", ALWAYS),
            Unlike::new("hit", "accuracy sorts by a letter of the ids there", ALWAYS),
            IPREC_OF_9,
            ELEVEN_POINTS_OF_9,
        ],
    },
    Like {
        name: "ranx",
        about: "ranx with make_comparable: all queries, none relevant is 0, ties in the order of the file",
        words: Conventions { over: "all", no_relevant: "zero", ties: "input", drop_self: false },
        digits: "3",
        measures: None,
        cutoffs: &[],
        unlike: &[
            Unlike::new("rbp", "rbp adds up the grades themselves there", |labels| labels.facts().max_grade > 1.0),
            Unlike::new("bpref", "bpref is no number there without a document judged not relevant", lacks_a_side),
        ],
    },
];

/// Whether some query has no relevant document, or none that is judged not relevant.
fn lacks_a_side(labels: &Labels) -> bool {
    labels.queries().iter().any(|query| {
        let relevant = query.ideal().partition_point(|&grade| grade >= 1.0);
        relevant == 0 || relevant == query.judgments().count()
    })
}

/// Reads the name of a tool.
pub fn parser() -> impl TypedValueParser<Value = &'static Like> {
    let values = LIKES.iter().map(|like| PossibleValue::new(like.name).help(like.about));
    PossibleValuesParser::new(values).map(|name| {
        LIKES.iter().find(|like| like.name == name).expect("the parser lets only the names of the table through")
    })
}

/// What an option stands at when a tool is named and the option is not given.
type Default = (&'static str, ArgPredicate, &'static str);

/// The word of each tool for one option, as clap takes it.
pub fn defaults(word: impl Fn(&Like) -> Option<&'static str>) -> Vec<Default> {
    let named = LIKES.iter().filter_map(|like| Some((like.name, word(like)?)));
    named.map(|(name, word)| ("like", ArgPredicate::Equals(name.into()), word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::conventions::{NO_RELEVANT, OVER, TIES};

    #[test]
    fn every_word_is_one_of_its_option() {
        for Like { words, digits, .. } in LIKES {
            assert!(OVER.knows(words.over) && NO_RELEVANT.knows(words.no_relevant) && TIES.knows(words.ties));
            assert!(digits.parse::<u8>().is_ok());
        }
    }
}
