//! Comparing runs query by query: which differences are real, and which queries made them.
//!
//! [`join`] brings the scores of two or more runs together on the ids of their queries;
//! [`compare`] tests every pair on every metric under a [`Plan`] and gives back plain values: a
//! [`Row`] per test, with its interval, its p, the p adjusted for the number of rows and a
//! verdict; the same for slices; and the outcome of gates. Nothing depends on the order of
//! queries or on the number of threads.
//!
//! ```
//! use raglens::compare::{Metric, Plan, RunScores, compare, join};
//! use raglens::evaluate::Over;
//! use raglens::stats::verdict::Verdict;
//!
//! let run = |name: &str, scores: [f64; 7]| RunScores {
//!     name: name.to_owned(),
//!     queries: (1..=7).map(|number| format!("q{number}").as_str().into()).collect(),
//!     columns: vec![scores.map(Some).to_vec()],
//!     rankings: Vec::new(),
//! };
//! let base = run("base", [0.5, 0.25, 0.0, 0.5, 0.75, 0.0, 0.5]);
//! let new = run("new", [0.75, 0.5, 0.5, 1.0, 1.0, 0.5, 1.0]);
//! let joined = join(&[base, new], Over::All)?;
//! let plan = Plan { metrics: vec![Metric::named("recall@5")], ..Plan::default() };
//! let comparison = compare(&joined, &plan)?;
//! let found = comparison.rows[0].found.as_ref().unwrap();
//! assert_eq!(found.p, 2.0 / 128.0); // all seven differ, all the same way
//! assert_eq!(found.verdict, Some(Verdict::Better));
//! # Ok::<(), raglens::compare::CompareError>(())
//! ```

mod adjust;
mod changes;
mod drawn;
mod error;
mod expression;
mod gates;
mod join;
mod letters;
mod metric;
mod plan;
mod rankings;
mod reversal;
mod row;
mod sides;

pub use crate::scores::slices::{Slice, THIN, UnknownTag, slices, tag_names};
pub use adjust::Family;
pub use changes::{Change, changes};
pub use error::{CompareError, Lack};
pub use expression::{Comparison as Relation, Idle, NoRequirement, Requirement, Subject};
pub use gates::{BoundKind, Demand, GateResult, GateRule, Ground, Place};
pub use join::{Joined, RunScores, join};
pub use letters::{better_than, letters};
pub use metric::Metric;
pub use plan::{Adjust, Also, BinaryP, IntervalKind, Pairs, Plan, correction_name};
pub use rankings::{RankingFacts, ranking_facts};
pub use reversal::{Reversal, reversals, simpson};
pub use row::{Binary, Found, POWER, Row, most_that_differ};

use rayon::prelude::*;

use crate::stats::equivalence::Outcome;
use crate::stats::paired::Paired;
use drawn::{Drawn, draw};
use sides::Sides;

/// What a comparison shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// A row per metric and pair of runs: all pairs of the first metric, then of the second …
    pub rows: Vec<Row>,
    /// The same for each slice: all slices of the first row, then of the second …
    pub slices: Vec<Row>,
    /// How the p-values of the rows are adjusted.
    pub family: Family,
    /// How those of the slices are.
    pub slice_family: Family,
    /// What the gates decide, each on every row that it is about.
    pub gates: Vec<GateResult>,
}

impl Comparison {
    /// What all gates decide together.
    pub fn outcome(&self) -> Outcome {
        Outcome::of_all(self.gates.iter().map(|gate| gate.outcome))
    }
}

/// Compares runs under a plan.
///
/// # Errors
/// When no query has a value on both sides, a score cannot be calculated with, or a bound is
/// asked for that cannot be given.
pub fn compare(joined: &Joined, plan: &Plan) -> Result<Comparison, CompareError> {
    let mut rows = test_all(joined, plan, &places(joined, plan, &[None]))?;
    if rows.iter().all(|row| row.found.is_none()) {
        return Err(CompareError::NoValues);
    }
    let in_slices: Vec<Option<usize>> = (0..plan.slices.len()).map(Some).collect();
    let mut slices = test_all(joined, plan, &places(joined, plan, &in_slices))?;
    let family = adjust::adjust(&mut rows, joined, plan, plan.adjust)?;
    let slice_family = adjust::adjust(&mut slices, joined, plan, Adjust::By(plan.adjust_slices))?;
    for row in rows.iter_mut().chain(&mut slices) {
        let metric = &plan.metrics[row.metric];
        row.found.iter_mut().for_each(|found| found.decide(metric, plan));
    }
    let gates = gates::decide(joined, plan, &rows, &slices)?;
    Ok(Comparison { rows, slices, family, slice_family, gates })
}

/// Metric, run A, run B and slice of every row.
fn places(joined: &Joined, plan: &Plan, slices: &[Option<usize>]) -> Vec<Place> {
    let pairs = plan.pairs.of(joined.runs.len());
    let place = |metric: usize, (a, b): (usize, usize), slice: Option<usize>| Place { metric, a, b, slice };
    let metrics = 0..plan.metrics.len();
    let of_metric = |metric: usize| {
        let of_pair = |pair| slices.iter().map(move |&slice| place(metric, pair, slice)).collect::<Vec<Place>>();
        pairs.iter().copied().flat_map(of_pair).collect::<Vec<Place>>()
    };
    metrics.flat_map(of_metric).collect()
}

fn test_all(joined: &Joined, plan: &Plan, places: &[Place]) -> Result<Vec<Row>, CompareError> {
    // The first error in the order of the rows, whichever thread comes to it first.
    let sides: Vec<Result<Sides, CompareError>> =
        places.par_iter().map(|place| Sides::new(joined, plan, *place)).collect();
    let sides = sides.into_iter().collect::<Result<Vec<Sides>, CompareError>>()?;
    let paired: Vec<&Paired> = sides.iter().filter_map(|sides| Some(&sides.pairing.as_ref()?.paired)).collect();
    let mut drawn = draw(&paired, plan).into_iter();
    let drawn: Vec<Option<Drawn>> =
        sides.iter().map(|sides| sides.pairing.as_ref().and_then(|_| drawn.next())).collect();
    Ok(sides.into_par_iter().zip(drawn).map(|(sides, drawn)| Row::new(plan, sides, drawn)).collect())
}
