//! `--letters`: which of several runs are better than which, beyond chance.

use std::collections::BTreeMap;

use raglens::compare::better_than;
use raglens::id::Id;
use raglens::measure::{Aggregate, Measure};
use raglens::stats::randomization::RandomizationOptions;
use rayon::prelude::*;

use super::failure::Failure;
use crate::render::errors::Message;
use crate::render::eval::report::{ALPHA, RunPart};

/// For each measure and run, the positions of the runs that it is better than. Counts, and
/// measures that are no mean, have none.
///
/// # Errors
/// When a score is too large to calculate with.
pub fn letters(measures: &[Measure], runs: &[RunPart], seed: u64) -> Result<Vec<Vec<Vec<usize>>>, Failure> {
    let of_measure = |(index, measure): (usize, &Measure)| {
        let definition = measure.definition();
        let columns = complete(index, runs);
        if definition.aggregate != Aggregate::Mean || columns.first().is_none_or(Vec::is_empty) {
            return Ok(vec![Vec::new(); runs.len()]);
        }
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let options = RandomizationOptions { seed, ..RandomizationOptions::default() };
        better_than(&columns, definition.better, ALPHA, options).map_err(|error| Message::new(error.to_string()).into())
    };
    measures.par_iter().enumerate().map(|(index, measure)| of_measure((index, measure))).collect()
}

/// The scores of each run over the queries for which all have one, in the order of the query ids.
fn complete(index: usize, runs: &[RunPart]) -> Vec<Vec<f64>> {
    let mut scores: BTreeMap<&Id, Vec<f64>> = BTreeMap::new();
    for run in runs {
        for (query, value) in run.table.queries().zip(run.table.values(index)) {
            if let Some(value) = value {
                scores.entry(query).or_default().push(value);
            }
        }
    }
    scores.retain(|_, values| values.len() == runs.len());
    (0..runs.len()).map(|run| scores.values().map(|values| values[run]).collect()).collect()
}
