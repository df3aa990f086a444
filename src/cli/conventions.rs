//! Options that decide which queries count and how rankings are read.

use clap::Args;
use raglens::evaluate::{Average, NoRelevant, Over, Rules};
use raglens::labels::Labels;
use raglens::run::{Duplicates, Ties};

use super::columns::{CI, IntervalArgs};
use super::edit::Edit;
use super::ids::IdArgs;
use super::like::{self, Like};
use super::words::Words;
use crate::render::eval::report::Conventions;
use crate::render::exact;

/// The words of `--over`.
pub static OVER: Words<Over> = Words(&[
    ("all", Over::All, "all queries of the labels; one without results counts as an empty list"),
    ("common", Over::Common, "queries that labels and run have in common"),
    ("strict", Over::Strict, "all queries of the labels; one without results is an error"),
]);

/// The words of `--no-relevant`.
pub static NO_RELEVANT: Words<NoRelevant> = Words(&[
    ("skip", NoRelevant::Skip, "leave it out of every mean"),
    ("zero", NoRelevant::Zero, "count it as 0, as trec_eval does"),
]);

/// The words of `--average`.
pub static AVERAGE: Words<Average> = Words(&[
    ("macro", Average::Macro, "every query weighs the same"),
    ("micro", Average::Micro, "pool counts over queries (hit, precision, recall, f1, judged)"),
]);

/// The words of `--ties`.
pub static TIES: Words<Ties> = Words(&[
    ("trec", Ties::Trec, "document ids by bytes, descending, as trec_eval does"),
    ("trec-32", Ties::TrecSingle, "the same with 32-bit scores, as trec_eval did before 10"),
    ("input", Ties::Input, "the order of the file"),
    ("id-asc", Ties::IdAscending, "document ids by bytes, ascending"),
]);

/// The words of `--duplicates`.
pub static DUPLICATES: Words<Duplicates> = Words(&[
    ("error", Duplicates::Error, "stop and show both places"),
    ("first", Duplicates::First, "keep the best-ranked one and count the rest"),
]);

/// Options that decide which queries count and how rankings are read.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Conventions")]
pub struct ConventionArgs {
    /// Count as another tool does: trec_eval, 9, pytrec_eval, beir or ranx
    ///
    /// Sets the queries of a mean, ties and decimals as that tool has them, and its measures where none are named; an
    /// option that is given beside it wins, and is named in the header.
    #[arg(long, value_name = "TOOL", hide_short_help = true, hide_possible_values = true, value_parser = like::parser())]
    pub like: Option<&'static Like>,

    /// Grade from which a document is relevant
    #[arg(long, value_name = "GRADE", default_value = "1", value_parser = grade)]
    pub rel: f64,

    /// Queries of a mean: all, common or strict
    ///
    /// all: all queries of the labels, and one without results counts as an empty list. common: queries that
    /// labels and run have in common. strict: all queries, and one without results is an error.
    #[arg(long, value_name = "WHICH", default_value = "all", hide_short_help = true, hide_possible_values = true, value_parser = OVER.parser(),
          default_value_ifs = like::defaults(|like| Some(like.words.over)))]
    pub over: Over,

    /// What to do with a query without a relevant document
    #[arg(long, value_name = "WHAT", default_value = "skip", hide_short_help = true, value_parser = NO_RELEVANT.parser(),
          default_value_ifs = like::defaults(|like| Some(like.words.no_relevant)))]
    pub no_relevant: NoRelevant,

    /// How the values of the queries become one number
    #[arg(long, value_name = "HOW", default_value = "macro", hide_short_help = true, value_parser = AVERAGE.parser())]
    pub average: Average,

    /// How equal scores are ordered
    #[arg(long, value_name = "HOW", default_value = "trec", hide_short_help = true, value_parser = TIES.parser(),
          default_value_ifs = like::defaults(|like| Some(like.words.ties)))]
    pub ties: Ties,

    /// What to do with a document that is twice in one ranking
    #[arg(long, value_name = "WHAT", default_value = "error", hide_short_help = true, value_parser = DUPLICATES.parser())]
    pub duplicates: Duplicates,

    /// Remove results whose id is the id of their query
    #[arg(long, hide_short_help = true, default_value_ifs = like::defaults(|like| like.words.drop_self.then_some("true")))]
    pub drop_self: bool,
}

impl ConventionArgs {
    /// The rules of the evaluation.
    pub fn rules(&self) -> Rules {
        Rules {
            rel: self.rel,
            over: self.over,
            no_relevant: self.no_relevant,
            average: self.average,
            ties: self.ties,
            duplicates: self.duplicates,
            drop_self: self.drop_self,
            ..Rules::default()
        }
    }

    /// The tool that is asked for, and the options beside it that say something else.
    fn likeness(&self) -> Option<String> {
        let Like { name, words, .. } = self.like?;
        let options = [
            ("over", OVER.word(&self.over), words.over),
            ("no-relevant", NO_RELEVANT.word(&self.no_relevant), words.no_relevant),
            ("ties", TIES.word(&self.ties), words.ties),
            ("average", AVERAGE.word(&self.average), "macro"),
        ];
        let others = options.into_iter().filter(|(_, word, theirs)| word != theirs);
        let mut others: Vec<String> = others.map(|(option, word, _)| format!("{option} {word}")).collect();
        others.extend((self.rel != 1.0).then(|| format!("rel {}", exact(self.rel))));
        others.extend((self.drop_self && !words.drop_self).then(|| "drop-self".to_owned()));
        Some(if others.is_empty() { (*name).to_owned() } else { format!("{name} but {}", others.join(", ")) })
    }

    /// The conventions in force, in the words of the options.
    pub fn in_force(&self, ids: &IdArgs, labels: &Labels, intervals: &IntervalArgs) -> Conventions {
        let texts = |edits: &[Edit]| edits.iter().map(|edit| edit.text().to_owned()).collect();
        Conventions {
            like: self.likeness(),
            rel: self.rel,
            max_grade: labels.facts().max_grade,
            ties: TIES.word(&self.ties),
            over: OVER.word(&self.over),
            no_relevant: NO_RELEVANT.word(&self.no_relevant),
            average: AVERAGE.word(&self.average),
            is_macro: self.average == Average::Macro,
            duplicates: DUPLICATES.word(&self.duplicates),
            drop_self: self.drop_self,
            level: if ids.collapse.is_some() { "document" } else { "id" },
            unit: "id",
            min_overlap: None,
            cut: None,
            budget: None,
            collapse: ids.collapse.clone(),
            query_id_edits: texts(&ids.edit_query_ids),
            document_id_edits: texts(&ids.edit_doc_ids),
            ci: CI.word(&intervals.ci),
            bootstrap: intervals.bootstrap,
            seed: intervals.seed,
        }
    }
}

fn grade(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "expected a grade above 0, such as 1, 2 or 0.5".to_owned())
}
