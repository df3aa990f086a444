//! The two sides of a row: the queries with a value on both, and what they show before anything is
//! drawn at random.

use super::error::CompareError;
use super::gates::Place;
use super::join::Joined;
use super::metric::Metric;
use super::plan::Plan;
use super::row::Binary;
use crate::stats::bounds::Evidence;
use crate::stats::equivalence::{Equivalence, equivalence};
use crate::stats::mcnemar::TwoByTwo;
use crate::stats::paired::{Paired, PairedError};
use crate::stats::summary::Range;

/// Two runs on one metric, over all queries or a slice of them.
#[derive(Debug)]
pub(super) struct Sides {
    /// The metric, the runs and the slice.
    pub place: Place,
    /// Queries that have no value on one of the sides.
    pub without_value: usize,
    /// The others; `None` when there are none.
    pub pairing: Option<Pairing>,
}

/// The scores of both sides, query by query, and what they show.
#[derive(Debug)]
pub(super) struct Pairing {
    /// Positions of the queries among those joined.
    pub queries: Vec<usize>,
    /// Scores of A and B per query.
    pub scores: Vec<(f64, f64)>,
    /// The same as differences.
    pub paired: Paired,
    /// The test of the 2x2 table; `None` unless all scores are 0 or 1.
    pub binary: Option<Binary>,
    /// Whether the sides are equivalent, where a margin was given.
    pub equivalence: Option<Equivalence>,
}

impl Sides {
    /// The sides of a place.
    ///
    /// # Errors
    /// When a score cannot be calculated with, or lies outside the range that a margin needs.
    pub fn new(joined: &Joined, plan: &Plan, place: Place) -> Result<Self, CompareError> {
        let all: Vec<usize>;
        let members = match place.slice {
            Some(slice) => &plan.slices[slice].members,
            None => {
                all = (0..joined.queries.len()).collect();
                &all
            }
        };
        let column = |run: usize| &joined.runs[run].columns[place.metric];
        let both = |&query: &usize| Some((query, (column(place.a)[query]?, column(place.b)[query]?)));
        let (queries, scores): (Vec<usize>, Vec<(f64, f64)>) = members.iter().filter_map(both).unzip();
        let without_value = members.len() - queries.len();
        let has_any = !queries.is_empty();
        let pairing = has_any.then(|| Pairing::new(joined, plan, &plan.metrics[place.metric], queries, scores));
        Ok(Self { place, without_value, pairing: pairing.transpose()? })
    }
}

impl Pairing {
    fn new(
        joined: &Joined,
        plan: &Plan,
        metric: &Metric,
        queries: Vec<usize>,
        scores: Vec<(f64, f64)>,
    ) -> Result<Self, CompareError> {
        let (a, b): (Vec<f64>, Vec<f64>) = scores.iter().copied().unzip();
        let paired = Paired::new(&a, &b).map_err(|error| unusable(error, joined, metric, &queries))?;
        let binary = Binary::new(&a, &b, &paired, plan);
        let table = binary.as_ref().map(|binary| binary.table);
        if plan.margin.is_some() {
            check_range(joined, metric, &queries, &scores)?;
        }
        let equivalence = plan.margin.map(|margin| equivalent(&paired, table, metric, margin, plan)).transpose()?;
        Ok(Self { queries, scores, paired, binary, equivalence })
    }
}

fn unusable(error: PairedError, joined: &Joined, metric: &Metric, queries: &[usize]) -> CompareError {
    match error {
        PairedError::Score { index, a, b } => {
            CompareError::Score { metric: metric.label.clone(), query: joined.queries[queries[index]].clone(), a, b }
        }
        PairedError::Lengths { .. } | PairedError::Empty => CompareError::NoValues,
    }
}

fn equivalent(
    paired: &Paired,
    table: Option<TwoByTwo>,
    metric: &Metric,
    margin: f64,
    plan: &Plan,
) -> Result<Equivalence, CompareError> {
    let evidence = evidence(paired, table, metric)?;
    equivalence(&evidence, margin, 1.0 - plan.alpha).map_err(|error| CompareError::of_bound(error, &metric.label))
}

/// What bounds of a mean difference are made from.
pub(super) fn evidence(paired: &Paired, table: Option<TwoByTwo>, metric: &Metric) -> Result<Evidence, CompareError> {
    let width = metric.range.map_or(f64::INFINITY, |range| range.width());
    Evidence::new(paired, table, width).map_err(|error| CompareError::of_bound(error, &metric.label))
}

/// Bounds hold for scores within the range alone.
pub(super) fn check_range(
    joined: &Joined,
    metric: &Metric,
    queries: &[usize],
    scores: &[(f64, f64)],
) -> Result<(), CompareError> {
    let Some(Range { low, high }) = metric.range else { return Ok(()) };
    let slack = 1e-9 * (high - low);
    let is_outside = |value: f64| value < low - slack || value > high + slack;
    let outside = queries.iter().zip(scores).find(|(_, (a, b))| is_outside(*a) || is_outside(*b));
    match outside {
        None => Ok(()),
        Some((&query, &(a, b))) => Err(CompareError::OutOfRange {
            metric: metric.label.clone(),
            query: joined.queries[query].clone(),
            value: if is_outside(a) { a } else { b },
            low,
            high,
        }),
    }
}
