//! Scores: queries × measures, with what the means are over.

pub mod slices;

use crate::id::Id;
use crate::measure::{Aggregate, Measure, Ratio};
use crate::stats::summary::{mean, summarize};

/// One value of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell {
    /// The value, finite.
    Value(f64),
    /// The query does not count in this measure (nothing relevant, or unanswerable).
    LeftOut,
    /// The measure has no value for this query (judged@k of an empty list).
    Undefined,
}

impl Cell {
    /// The value, where there is one.
    pub fn value(self) -> Option<f64> {
        match self {
            Self::Value(value) => Some(value),
            Self::LeftOut | Self::Undefined => None,
        }
    }
}

/// The scores of one run: a row per query of the labels that counts, a column per measure.
#[derive(Debug)]
pub struct ScoreTable<'m> {
    /// The columns.
    pub measures: &'m [Measure],
    /// The rows, in the order of the labels.
    pub rows: Vec<QueryScores>,
    /// For micro averages: the pooled fraction per measure; empty for macro averages.
    pub pooled: Vec<Option<Ratio>>,
    /// Best attainable mean per measure, where it is below 1 and worth saying.
    pub attainable: Vec<Option<f64>>,
    /// What happened to the queries.
    pub join: Join,
}

/// The scores of one query.
#[derive(Debug, Clone)]
pub struct QueryScores {
    /// The query.
    pub query: Id,
    /// Its position in the labels.
    pub position: usize,
    /// Number of documents that the run returned for it.
    pub retrieved: u64,
    /// A value per measure.
    pub cells: Vec<Cell>,
    /// The texts of the measures that are texts, in their order.
    pub texts: Vec<String>,
    /// For micro averages: the value as a fraction per measure; empty for macro averages.
    pub ratios: Vec<Option<Ratio>>,
}

/// What happened to the queries of labels and run when they were brought together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Join {
    /// Number of queries in the run.
    pub queries: u64,
    /// Number of results of the queries that have labels.
    pub results: u64,
    /// Queries that would be scored and that the run does not answer.
    pub missing: Vec<Id>,
    /// Queries that are left out of every mean.
    pub left_out: Vec<Id>,
    /// Queries of the run that have no labels.
    pub ignored: Vec<Id>,
    /// Copies of documents that were dropped.
    pub dropped_copies: u64,
    /// Queries in which the rank column contradicts the scores.
    pub contradictions: Vec<Id>,
    /// Queries in which equal scores stand on both sides of a reported cutoff.
    pub tied_at_cutoff: Vec<Id>,
    /// Number of results whose score equals that of the result before them.
    pub tied_pairs: u64,
    /// Queries that have their own id among their results.
    pub self_retrieved: Vec<Id>,
    /// Results whose place in a document is needed and not known.
    pub unplaced: Vec<Id>,
    /// Number of results that stand in the labels.
    pub labelled_results: u64,
}

impl Join {
    /// Whether the run holds no result at all.
    pub fn is_empty(&self) -> bool {
        self.results == 0 && self.ignored.is_empty()
    }

    /// Whether the run has results and none of them stands in the labels.
    pub fn shares_no_document(&self) -> bool {
        self.results > 0 && self.labelled_results == 0
    }
}

/// A column in one line.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Number of queries that have a value.
    pub n: u64,
    /// The mean (or geometric mean, or pooled fraction); `None` when n is 0.
    pub mean: Option<f64>,
    /// The sum, for counts.
    pub sum: Option<f64>,
    /// Share of the queries that score 0.
    pub zero_share: Option<f64>,
    /// The median.
    pub median: Option<f64>,
    /// Best attainable mean.
    pub attainable: Option<f64>,
}

/// Numerators and denominators of a column over all queries that have a value in it.
pub(crate) fn pool(rows: &[QueryScores], column: usize) -> Option<Ratio> {
    rows.iter().filter_map(|row| row.ratios.get(column).copied().flatten()).reduce(Ratio::pooled)
}

impl ScoreTable<'_> {
    /// The scores of some of the queries, by the positions of their rows: a slice. What belongs to
    /// the run as a whole (how queries were joined, what is attainable) stays behind.
    pub fn of_rows(&self, members: &[usize]) -> Self {
        let rows: Vec<QueryScores> = members.iter().map(|&row| self.rows[row].clone()).collect();
        let pooled = (0..self.pooled.len()).map(|column| pool(&rows, column)).collect();
        let attainable = vec![None; self.measures.len()];
        ScoreTable { measures: self.measures, rows, pooled, attainable, join: Join::default() }
    }

    /// The values of a column, in the order of the rows, without queries that have none.
    pub fn column(&self, measure: usize) -> impl Iterator<Item = f64> {
        self.rows.iter().filter_map(move |row| row.cells[measure].value())
    }

    /// A column in one line.
    pub fn summary(&self, measure: usize) -> Summary {
        let values = sorted(self.column(measure).collect());
        let found = summarize(&values);
        let aggregate = self.measures[measure].definition().aggregate;
        let is_of_logarithms = aggregate == Aggregate::GeometricMean;
        let pooled = self.pooled.get(measure).copied().flatten();
        let mean = found.as_ref().map(|found| match (pooled, aggregate) {
            (Some(pooled), _) => pooled.value(),
            (None, Aggregate::GeometricMean) => libm::exp(found.mean),
            (None, Aggregate::Mean | Aggregate::Sum) => found.mean,
        });
        Summary {
            n: values.len() as u64,
            mean,
            sum: (aggregate == Aggregate::Sum).then(|| values.iter().fold(0.0, |sum, value| sum + value)),
            zero_share: found.as_ref().filter(|_| !is_of_logarithms).map(|found| found.zero_share),
            median: found.as_ref().filter(|_| !is_of_logarithms).map(|found| found.median),
            attainable: self.attainable[measure].filter(|&best| best < 1.0),
        }
    }
}

/// The mean of values; `None` of nothing.
pub(crate) fn mean_of(values: Vec<f64>) -> Option<f64> {
    mean(&sorted(values))
}

/// Values are summed from the smallest on, so that no order of lines moves the last digit.
fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}
