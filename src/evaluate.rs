//! Scoring a run in memory against labels. One query is scored in `judge`; [`stream`](crate::stream)
//! scores a run while its file is read.

mod groups;
pub(crate) mod judge;
mod perfect;
pub(crate) mod sheet;
#[cfg(test)]
mod tests;

pub use judge::{cell, judged, ranked};

use rayon::prelude::*;

use crate::error::Fault;
use crate::id::Id;
use crate::judged::Grade;
use crate::labels::{Grouping, Labels};
use crate::measure::{Measure, Reads, shortest};
use crate::rag::{Lens, Unit};
use crate::run::{Duplicates, Ranking, Run, Ties};
use crate::scores::{Join, Rows, ScoreTable};
use judge::{Judge, Scratch};
use sheet::{Desk, Marks, Whole};

/// Which queries a mean is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Over {
    /// All queries of the labels; one that the run does not answer counts as an empty list.
    #[default]
    All,
    /// The queries that labels and run have in common.
    Common,
    /// All queries of the labels, and a missing one is an error.
    Strict,
}

impl Over {
    /// Whether a query counts that the run answers, or does not.
    pub fn counts(self, is_answered: bool) -> bool {
        is_answered || self != Self::Common
    }
}

/// What happens to a query without a relevant document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NoRelevant {
    /// It is left out of every mean and counted.
    #[default]
    Skip,
    /// It counts as 0.
    Zero,
    /// It counts with whatever value the measure has for it, as in trec_eval; that is 0 for most.
    Score,
}

/// How the values of the queries become one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Average {
    /// Each query weighs the same.
    #[default]
    Macro,
    /// Each relevant document (or result) weighs the same: numerators and denominators are pooled.
    Micro,
}

/// The conventions of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// Grade from which a document counts as relevant.
    pub rel: Grade,
    /// Which queries a mean is over.
    pub over: Over,
    /// What happens to a query without a relevant document.
    pub no_relevant: NoRelevant,
    /// How the values of the queries become one number.
    pub average: Average,
    /// How equal scores are ordered.
    pub ties: Ties,
    /// What happens to a document that is twice in one ranking.
    pub duplicates: Duplicates,
    /// Whether a result whose id is the id of its query is removed.
    pub drop_self: bool,
    /// How many results of a ranking are looked at; the rest is as if it were not there.
    pub depth: Option<usize>,
    /// Whether results that nobody judged are removed from every ranking.
    pub judged_only: bool,
    /// Whether measures may be texts, which stand beside the values.
    pub texts: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            rel: 1.0,
            over: Over::default(),
            no_relevant: NoRelevant::default(),
            average: Average::default(),
            ties: Ties::default(),
            duplicates: Duplicates::default(),
            drop_self: false,
            depth: None,
            judged_only: false,
            texts: false,
        }
    }
}

/// Why a run cannot be scored.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluateError {
    /// A ranking that cannot be ordered.
    #[error("{}", .0.kind)]
    Ranking(Fault),
    /// Queries are missing from the run and every query must be there.
    #[error("the run does not answer {} of the queries, the first is `{}`", missing.len(), missing[0])]
    MissingQueries {
        /// The queries, in the order of the labels.
        missing: Vec<Id>,
    },
    /// A measure that cannot be pooled.
    #[error("`{label}` has no micro average: only hit, precision, recall, f1 and judged can be pooled")]
    NoMicroAverage {
        /// The measure.
        label: String,
    },
    /// A measure that needs the facts of the label file and was not given them.
    #[error("`{label}` needs the largest grade of the labels: bind it first")]
    Unbound {
        /// The measure.
        label: String,
    },
    /// A measure that is a text where numbers are wanted.
    #[error("`{name}` is a text, expected a number")]
    Text {
        /// The name of the measure.
        name: &'static str,
    },
    /// A measure that reads what labels of grades do not hold.
    #[error("`{label}` {why}")]
    NoNumber {
        /// The measure.
        label: String,
        /// What it needs.
        why: &'static str,
    },
    /// Every measure leaves every query out.
    #[error("no query has a relevant document: no grade reaches {}, the largest is {}", shortest(*.rel), shortest(*.max_grade))]
    NothingToScore {
        /// Grade from which a document counts as relevant.
        rel: Grade,
        /// The largest grade of the labels.
        max_grade: Grade,
    },
}

/// Checks that some measure counts some query, which the labels alone decide.
///
/// # Errors
/// When none does.
pub fn check_labels(labels: &Labels, measures: &[Measure], rules: &Rules) -> Result<(), EvaluateError> {
    let (judge, mut scratch) = (Judge::new(labels, measures, rules), Scratch::default());
    let mut counts =
        |position| judge.score(position, None::<&Ranking>, &mut scratch).is_ok_and(|scored| !scored.marks.left_out);
    match (0..labels.queries().len()).any(&mut counts) {
        true => Ok(()),
        false => Err(EvaluateError::NothingToScore { rel: rules.rel, max_grade: labels.facts().max_grade }),
    }
}

/// Scores a run against labels: a row per query that counts, a cell per measure.
///
/// The measures must have been [bound](Measure::bind) to the facts of these labels.
///
/// # Errors
/// When a ranking holds a document twice, a rule forbids what the files hold, or no query can be
/// scored at all.
pub fn evaluate<'m>(
    labels: &'m Labels,
    run: &Run,
    measures: &'m [Measure],
    rules: &Rules,
) -> Result<ScoreTable<'m>, EvaluateError> {
    check_measures(labels, measures, rules)?;
    evaluate_with(&Judge::new(labels, measures, rules), labels, run, measures, rules)
}

fn evaluate_with<'m>(
    judge: &Judge<'_>,
    labels: &'m Labels,
    run: &Run,
    measures: &'m [Measure],
    rules: &Rules,
) -> Result<ScoreTable<'m>, EvaluateError> {
    let score = |mut desk: Desk, position: usize| {
        desk.score(judge, position, Ok(run.ranking(labels.queries()[position].id())));
        desk
    };
    let queries = labels.queries().len();
    let desks = (0..queries).into_par_iter().fold(|| Desk::new(judge), score).collect();
    let whole = Desk::whole(judge, queries, desks).map_err(EvaluateError::Ranking)?;
    let unlabelled = run.rankings().iter().map(|ranking| ranking.query()).filter(|id| labels.position(id).is_none());
    table(labels, measures, rules, whole, unlabelled.cloned().collect())
}

/// Scores a run against labels in another unit than ids: documents, passages, within a budget.
///
/// # Errors
/// As [`evaluate`]; also when there is a budget and a result has no number of tokens.
pub fn evaluate_through<'m>(
    lens: &Lens<'_>,
    labels: &'m Labels,
    run: &Run,
    measures: &'m [Measure],
    rules: &Rules,
) -> Result<ScoreTable<'m>, EvaluateError> {
    check_measures(labels, measures, rules)?;
    let judge = Judge::new(labels, measures, rules).through(*lens);
    let mut table = evaluate_with(&judge, labels, run, measures, rules)?;
    if let Unit::Passage { .. } = lens.unit {
        // One chunk can bring several passages, so that no ranking of passages is the best one.
        table.attainable.fill(None);
    }
    Ok(table)
}

/// Checks that every measure can score, and can be pooled where it must.
///
/// # Errors
/// When one cannot.
pub fn check_measures(labels: &Labels, measures: &[Measure], rules: &Rules) -> Result<(), EvaluateError> {
    let label = |measure: &Measure| measure.label().to_owned();
    if let Some(measure) = measures.iter().find(|measure| !measure.is_bound()) {
        return Err(EvaluateError::Unbound { label: label(measure) });
    }
    let unreadable = |measure: &Measure| {
        let why = match (measure.reads(), labels.grouping()) {
            _ if measure.is_text() && !rules.texts => {
                return Some(EvaluateError::Text { name: measure.definition().name });
            }
            (Reads::Grades | Reads::Passages | Reads::Evidence, _)
            | (Reads::Groups, Some(Grouping::Groups))
            | (Reads::Preferences, Some(Grouping::Preferences)) => return None,
            (Reads::Groups, _) => "needs labels of several judgment groups, expected a measure of grades",
            (Reads::Preferences, _) => "needs preferences between documents, expected a measure of grades",
        };
        Some(EvaluateError::NoNumber { label: label(measure), why })
    };
    if let Some(error) = measures.iter().find_map(unreadable) {
        return Err(error);
    }
    let is_pooled = rules.average == Average::Micro;
    match measures.iter().find(|measure| is_pooled && !measure.can_be_pooled()) {
        Some(measure) => Err(EvaluateError::NoMicroAverage { label: label(measure) }),
        None => Ok(()),
    }
}

/// Puts the table together from the scores of every query of the labels.
pub(crate) fn table<'m>(
    labels: &'m Labels,
    measures: &'m [Measure],
    rules: &Rules,
    whole: Whole,
    ignored: Vec<Id>,
) -> Result<ScoreTable<'m>, EvaluateError> {
    let join = report(labels, &whole, ignored);
    if join.left_out.len() == whole.marks.len() {
        return Err(EvaluateError::NothingToScore { rel: rules.rel, max_grade: labels.facts().max_grade });
    }
    if rules.over == Over::Strict && !join.missing.is_empty() {
        return Err(EvaluateError::MissingQueries { missing: join.missing.into_iter().cloned().collect() });
    }
    let rows = Rows::new(labels, whole.scores, counting(whole.marks, rules.over));
    let attainable = perfect::attainable(labels, measures, rules, &rows);
    let pooled = match rules.average {
        Average::Macro => Vec::new(),
        Average::Micro => (0..measures.len()).map(|column| rows.pool(column)).collect(),
    };
    Ok(ScoreTable { measures, rows, pooled, attainable, join })
}

/// The positions of the queries that a mean is over.
fn counting(marks: Vec<Marks>, over: Over) -> Vec<u32> {
    let counts = |marks: &Marks| !marks.left_out && over.counts(marks.answered);
    let mut positions = Vec::with_capacity(marks.len());
    positions.extend((0..).zip(&marks).filter(|(_, marks)| counts(marks)).map(|(position, _)| position));
    positions
}

/// What happened to the queries of labels and run.
fn report<'a>(labels: &'a Labels, whole: &Whole, ignored: Vec<Id>) -> Join<'a> {
    let Whole { marks, tally, unplaced, .. } = whole;
    let mut unplaced = unplaced.clone();
    unplaced.sort_by_key(|(position, _)| *position);
    let mut join = Join {
        queries: ignored.len() as u64,
        results: tally.retrieved,
        ignored,
        dropped_copies: tally.dropped,
        tied_pairs: tally.tied_pairs,
        unplaced: unplaced.into_iter().map(|(_, id)| id).collect(),
        labelled_results: tally.labelled,
        ..Join::default()
    };
    for (query, marks) in labels.queries().iter().zip(marks) {
        join.queries += u64::from(marks.answered);
        join.note(query.id(), *marks);
    }
    join
}

impl<'a> Join<'a> {
    /// Takes note of what is odd about a query.
    fn note(&mut self, query: &'a Id, marks: Marks) {
        if marks.left_out {
            self.left_out.push(query);
            return;
        }
        if !marks.answered {
            self.missing.push(query);
        }
        if marks.contradicts {
            self.contradictions.push(query);
        }
        if marks.tied_at_cutoff {
            self.tied_at_cutoff.push(query);
        }
        if marks.self_retrieved {
            self.self_retrieved.push(query);
        }
    }
}
