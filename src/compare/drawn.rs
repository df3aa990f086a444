//! What rests on random numbers: the tests and the intervals of all rows, made together, so that
//! rows of equally many queries share what is drawn.

use rayon::prelude::*;

use super::plan::{IntervalKind, Plan};
use crate::stats::bootstrap::resampled_intervals;
use crate::stats::paired::Paired;
use crate::stats::randomization::{RandomizationTest, randomization_tests};
use crate::stats::summary::Interval;
use crate::stats::t_test::t_test;

/// What was drawn for one row.
#[derive(Debug)]
pub(super) struct Drawn {
    /// The paired randomization test.
    pub test: RandomizationTest,
    /// The interval of the mean difference; `None` when it would claim certainty.
    pub interval: Option<Interval>,
}

/// The test and the interval of each row, the same as by itself.
pub(super) fn draw(rows: &[&Paired], plan: &Plan) -> Vec<Drawn> {
    let tests = randomization_tests(rows, plan.randomization());
    let drawn = tests.into_iter().zip(intervals(rows, plan));
    drawn.map(|(test, interval)| Drawn { test, interval }).collect()
}

fn intervals(rows: &[&Paired], plan: &Plan) -> Vec<Option<Interval>> {
    let level = 1.0 - plan.alpha;
    match plan.interval {
        IntervalKind::T => {
            let interval = |paired: &&Paired| Some(t_test(paired, plan.alternative, level)?.interval);
            rows.par_iter().map(interval).collect()
        }
        IntervalKind::Bootstrap(kind) => {
            let differing: Vec<&[f64]> = rows.iter().map(|paired| paired.differences.as_slice()).collect();
            resampled_intervals(&differing, kind, level, plan.bootstrap, plan.seed)
        }
    }
}
