//! Why runs cannot be compared.

use crate::id::Id;
use crate::stats::bounds::BoundError;
use crate::stats::columns::UnequalColumns;

/// Why runs cannot be compared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// There are fewer than two runs.
    #[error("expected at least 2 runs to compare, got {got}")]
    TooFewRuns {
        /// Runs given.
        got: usize,
    },
    /// The runs do not have scores for the same queries.
    #[error("the runs do not have scores for the same queries")]
    QuerySets {
        /// The runs that lack queries, with the queries that they lack, in the order of the ids.
        lacking: Vec<Lack>,
    },
    /// Not one query is in all runs.
    #[error("no query id is in all runs")]
    NothingInCommon {
        /// The first ids of each run.
        examples: Vec<(String, Vec<Id>)>,
    },
    /// No query has a value of any metric on both sides.
    #[error("no query has a value on both sides")]
    NoValues,
    /// A score that nobody can calculate with.
    #[error("expected finite scores of at most 1e150 in size, got {a} and {b} for query `{query}` in `{metric}`")]
    Score {
        /// The metric.
        metric: String,
        /// The query.
        query: Id,
        /// Its score on side A.
        a: f64,
        /// Its score on side B.
        b: f64,
    },
    /// A bound needs the values that a metric can take, and nobody knows them.
    #[error("a bound for `{metric}` needs the values that it can take")]
    UnknownRange {
        /// The metric.
        metric: String,
    },
    /// A score lies outside of the values that its metric can take.
    #[error("`{metric}` is {value} for query `{query}`, outside of {low} to {high}")]
    OutOfRange {
        /// The metric.
        metric: String,
        /// The query.
        query: Id,
        /// Its score.
        value: f64,
        /// The least possible value.
        low: f64,
        /// The largest possible value.
        high: f64,
    },
    /// A gate on a metric that is neither good nor bad.
    #[error("`{metric}` describes a ranking, neither direction is better: it cannot be a gate")]
    NoDirection {
        /// The metric.
        metric: String,
    },
    /// A margin below 0, or none at all.
    #[error("expected a margin of at least 0, got {margin}")]
    Margin {
        /// The margin.
        margin: f64,
    },
    /// Randomized Tukey HSD has no one-sided form.
    #[error("randomized Tukey HSD is two-sided")]
    OneSidedTukey,
    /// Columns that must be resampled together are not equally long.
    #[error(transparent)]
    Columns(#[from] UnequalColumns),
}

/// A run and the queries that others have and it lacks.
#[derive(Debug, Clone, PartialEq)]
pub struct Lack {
    /// The run.
    pub run: String,
    /// The queries that it lacks.
    pub queries: Vec<Id>,
}

impl CompareError {
    pub(super) fn of_bound(error: BoundError, metric: &str) -> Self {
        match error {
            BoundError::Range { .. } => Self::UnknownRange { metric: metric.to_owned() },
            BoundError::Margin { margin } => Self::Margin { margin },
        }
    }
}
