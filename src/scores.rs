//! Scores: queries × measures, with what the means are over.

mod rows;
pub mod slices;

pub use rows::{QueryScores, Rows};
pub(crate) use rows::{Scores, Shape};

use crate::id::Id;
use crate::measure::{Aggregate, Measure, Ratio};
use crate::stats::summary::{mean, mean_over, median_of_sorted, zero_share};

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
pub struct ScoreTable<'a> {
    /// The columns.
    pub measures: &'a [Measure],
    /// The rows, in the order of the labels.
    pub rows: Rows<'a>,
    /// For micro averages: the pooled fraction per measure; empty for macro averages.
    pub pooled: Vec<Option<Ratio>>,
    /// Best attainable mean per measure, where it is below 1 and worth saying.
    pub attainable: Vec<Option<f64>>,
    /// What happened to the queries.
    pub join: Join<'a>,
}

/// What happened to the queries of labels and run when they were brought together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Join<'a> {
    /// Number of queries in the run.
    pub queries: u64,
    /// Number of results of the queries that have labels.
    pub results: u64,
    /// Queries that would be scored and that the run does not answer.
    pub missing: Vec<&'a Id>,
    /// Queries that are left out of every mean.
    pub left_out: Vec<&'a Id>,
    /// Queries of the run that have no labels.
    pub ignored: Vec<Id>,
    /// Copies of documents that were dropped.
    pub dropped_copies: u64,
    /// Queries in which the rank column contradicts the scores.
    pub contradictions: Vec<&'a Id>,
    /// Queries in which equal scores stand on both sides of a reported cutoff.
    pub tied_at_cutoff: Vec<&'a Id>,
    /// Number of results whose score equals that of the result before them.
    pub tied_pairs: u64,
    /// Queries that have their own id among their results.
    pub self_retrieved: Vec<&'a Id>,
    /// Results whose place in a document is needed and not known.
    pub unplaced: Vec<Id>,
    /// Number of results that stand in the labels.
    pub labelled_results: u64,
}

impl Join<'_> {
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

impl Summary {
    /// The number that stands for the column: the sum of counts, else the mean.
    pub fn value(&self) -> Option<f64> {
        self.sum.or(self.mean)
    }
}

impl<'a> ScoreTable<'a> {
    /// The scores of some of the queries, by the positions of their rows: a slice. What belongs to
    /// the run as a whole (how queries were joined, what is attainable) stays behind.
    pub fn of_rows(&self, members: &[usize]) -> Self {
        let rows = self.rows.of_rows(members);
        let pooled = (0..self.pooled.len()).map(|column| rows.pool(column)).collect();
        let attainable = vec![None; self.measures.len()];
        ScoreTable { measures: self.measures, rows, pooled, attainable, join: Join::default() }
    }

    /// The queries of the rows.
    pub fn queries(&self) -> impl ExactSizeIterator<Item = &'a Id> + Clone {
        (0..self.rows.len()).map(|row| self.rows.query(row))
    }

    /// A value per row of a column; `None` for a query that has none.
    pub fn values(&self, measure: usize) -> impl ExactSizeIterator<Item = Option<f64>> + Clone {
        (0..self.rows.len()).map(move |row| self.rows.cell(row, measure).value())
    }

    /// The values of a column, in the order of the rows, without queries that have none.
    pub fn column(&self, measure: usize) -> impl Iterator<Item = f64> {
        self.values(measure).flatten()
    }

    /// The rows in the order of the ids of their queries; `None` where they stand in it already.
    pub fn order_of_ids(&self) -> Option<Vec<u32>> {
        if self.queries().is_sorted() {
            return None;
        }
        let mut order: Vec<u32> = (0..self.rows.len() as u32).collect();
        order.sort_unstable_by_key(|&row| self.rows.query(row as usize));
        Some(order)
    }

    /// A column in one line.
    pub fn summary(&self, measure: usize) -> Summary {
        self.summary_of(measure, self.column(measure).collect())
    }

    /// The same where the values of the column are at hand, in any order.
    pub fn summary_of(&self, measure: usize, values: Vec<f64>) -> Summary {
        let values = sorted(values);
        let aggregate = self.measures[measure].definition().aggregate;
        let is_of_logarithms = aggregate == Aggregate::GeometricMean;
        let pooled = self.pooled.get(measure).copied().flatten();
        let mean = mean(&values).map(|mean| match (pooled, aggregate) {
            (Some(pooled), _) => pooled.value(),
            (None, Aggregate::GeometricMean) => libm::exp(mean),
            (None, Aggregate::Mean | Aggregate::Sum) => mean,
        });
        let is_plain = !values.is_empty() && !is_of_logarithms;
        Summary {
            n: values.len() as u64,
            mean,
            sum: (aggregate == Aggregate::Sum).then(|| values.iter().fold(0.0, |sum, value| sum + value)),
            zero_share: is_plain.then(|| zero_share(&values)),
            median: median_of_sorted(&values).filter(|_| is_plain),
            attainable: self.attainable[measure].filter(|&best| best < 1.0),
        }
    }
}

/// The mean of values; `None` of nothing.
pub(crate) fn mean_of(values: Vec<f64>) -> Option<f64> {
    mean(&sorted(values))
}

/// The same of values of which each comes with how often it is there.
pub(crate) fn mean_of_counted(mut counted: Vec<(f64, usize)>) -> Option<f64> {
    counted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let count = counted.iter().map(|&(_, count)| count).sum();
    mean_over(counted.iter().flat_map(|&(value, count)| std::iter::repeat_n(value, count)), count)
}

/// Values are summed from the smallest on, so that no order of lines moves the last digit.
fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    if !values.is_sorted_by(|a, b| a.total_cmp(b).is_le()) {
        values.sort_unstable_by(f64::total_cmp);
    }
    values
}
