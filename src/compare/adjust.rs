//! Adjusting the p-values of all rows for their number.

use super::error::CompareError;
use super::join::Joined;
use super::plan::{Adjust, Plan};
use super::row::Row;
use crate::stats::correction::Correction;
use crate::stats::max_t::max_t;
use crate::stats::randomization::Alternative;
use crate::stats::tukey::{TukeyError, tukey};

/// Rows that are adjusted together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Family {
    /// How they are adjusted.
    pub method: Adjust,
    /// How many they are.
    pub size: usize,
    /// Whether adjusted p-values come from random patterns.
    pub is_random: bool,
}

/// Adjusts the p-values of `rows`. A single row keeps its own, and rows without a value do not
/// count.
pub(super) fn adjust(rows: &mut [Row], joined: &Joined, plan: &Plan, method: Adjust) -> Result<Family, CompareError> {
    let p: Vec<f64> = rows.iter().filter_map(|row| Some(row.found.as_ref()?.p)).collect();
    let (adjusted, is_random) = match method {
        _ if p.len() < 2 => (p.clone(), false),
        Adjust::By(correction) => (correction.adjust(&p), false),
        Adjust::MaxT => together(rows, joined, plan)?,
        Adjust::Tukey => by_tukey(rows, joined, plan)?,
    };
    let size = p.len();
    let is_adjusted = size > 1 && method != Adjust::By(Correction::None);
    let found = rows.iter_mut().filter_map(|row| row.found.as_mut());
    for (found, adjusted) in found.zip(adjusted).filter(|_| is_adjusted) {
        found.adjusted_p = Some(adjusted.max(found.p));
    }
    Ok(Family { method, size, is_random })
}

/// Max-T: a query that a row has no value for is one without a difference, which changes nothing.
fn together(rows: &[Row], joined: &Joined, plan: &Plan) -> Result<(Vec<f64>, bool), CompareError> {
    let columns: Vec<Vec<f64>> = rows.iter().filter_map(|row| differences(row, joined)).collect();
    let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    let result = max_t(&columns, plan.alternative, plan.resamples, plan.seed)?;
    Ok((result.adjusted, !result.is_exact))
}

fn differences(row: &Row, joined: &Joined) -> Option<Vec<f64>> {
    let found = row.found.as_ref()?;
    let mut column = vec![0.0; joined.queries.len()];
    for (query, difference) in found.queries.iter().zip(&found.paired.differences) {
        column[*query] = *difference;
    }
    Some(column)
}

fn by_tukey(rows: &[Row], joined: &Joined, plan: &Plan) -> Result<(Vec<f64>, bool), CompareError> {
    if plan.alternative != Alternative::TwoSided {
        return Err(CompareError::OneSidedTukey);
    }
    let metrics: Vec<Option<TukeyOfMetric>> =
        (0..plan.metrics.len()).map(|metric| TukeyOfMetric::new(joined, plan, metric)).collect::<Result<_, _>>()?;
    let tested = rows.iter().filter(|row| row.found.is_some());
    let p = tested.map(|row| metrics[row.metric].as_ref().map_or(1.0, |found| found.p(row.a, row.b)));
    Ok((p.collect(), metrics.iter().flatten().any(|found| !found.is_exact)))
}

struct TukeyOfMetric {
    pairs: Vec<(usize, usize, f64)>,
    is_exact: bool,
}

impl TukeyOfMetric {
    /// All runs on one metric, over the queries for which every run has a value; `None` without
    /// such a query.
    fn new(joined: &Joined, plan: &Plan, metric: usize) -> Result<Option<Self>, CompareError> {
        let columns: Vec<&Vec<Option<f64>>> = joined.runs.iter().map(|run| &run.columns[metric]).collect();
        let has_all = |&query: &usize| columns.iter().all(|column| column[query].is_some());
        let queries: Vec<usize> = (0..joined.queries.len()).filter(has_all).collect();
        if queries.is_empty() {
            return Ok(None);
        }
        let values = |column: &&Vec<Option<f64>>| queries.iter().filter_map(|&query| column[query]).collect();
        let runs: Vec<Vec<f64>> = columns.iter().map(values).collect();
        let runs: Vec<&[f64]> = runs.iter().map(Vec::as_slice).collect();
        let found = tukey(&runs, plan.resamples, plan.seed).map_err(|error| match error {
            TukeyError::TooFewRuns { got } => CompareError::TooFewRuns { got },
            TukeyError::Runs(unequal) => CompareError::Columns(unequal),
        })?;
        let pairs = found.pairs.iter().map(|pair| (pair.first, pair.second, pair.p)).collect();
        Ok(Some(Self { pairs, is_exact: found.is_exact }))
    }

    fn p(&self, a: usize, b: usize) -> f64 {
        let found = self.pairs.iter().find(|(first, second, _)| (*first, *second) == (a.min(b), a.max(b)));
        found.map_or(1.0, |(.., p)| *p)
    }
}
