//! Gates: what must hold of a comparison, decided with a bound or, where asked for, on the number
//! alone.

use super::error::CompareError;
use super::expression::{Requirement, Subject};
use super::join::Joined;
use super::plan::Plan;
use super::row::{Found, POWER, Row};
use crate::measure::Better;
use crate::stats::equivalence::{Gate, GateLevels, Outcome, no_regression, noninferiority, queries_needed};

/// One gate, as it was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct GateRule {
    /// What was asked for, in words: `noninferior 0.02`.
    pub expression: String,
    /// What must hold.
    pub demand: Demand,
}

/// What must hold.
#[derive(Debug, Clone, PartialEq)]
pub enum Demand {
    /// Loses nothing above a margin, as far as the data can tell.
    Bound {
        /// What counts as a pass.
        kind: BoundKind,
        /// The metric; `None` for each of them.
        metric: Option<usize>,
        /// The loss that is allowed.
        margin: f64,
    },
    /// A number that must reach a limit, whatever its uncertainty.
    Point {
        /// The metric.
        metric: usize,
        /// The requirement.
        requirement: Requirement,
    },
}

/// What counts as a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoundKind {
    /// A loss above the margin must be excluded.
    NonInferior,
    /// A loss above the margin must not be proven.
    NoRegression,
}

/// A gate decided for one row.
#[derive(Debug, Clone, PartialEq)]
pub struct GateResult {
    /// What was asked for.
    pub expression: String,
    /// The metric, runs and slice of the row.
    pub place: Place,
    /// Pass, fail or undecided.
    pub outcome: Outcome,
    /// What it rests on.
    pub ground: Ground,
}

/// Which row a gate is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Position of the metric.
    pub metric: usize,
    /// Position of run A.
    pub a: usize,
    /// Position of run B.
    pub b: usize,
    /// Position of the slice; `None` for all queries.
    pub slice: Option<usize>,
}

/// What the outcome of a gate rests on.
#[derive(Debug, Clone, PartialEq)]
pub enum Ground {
    /// Bounds of the improvement (positive is better).
    Bounds {
        /// The bounds and the margin.
        gate: Gate,
        /// Queries that would decide it if both runs were equal in truth; `None` when decided.
        needed: Option<u64>,
    },
    /// Both runs returned the very same lists.
    SameRankings {
        /// The loss that is allowed.
        margin: f64,
    },
    /// A number alone.
    Point {
        /// The number.
        value: f64,
        /// What it must reach.
        requirement: Requirement,
    },
    /// No query has a value on both sides.
    NoValues,
}

/// Decides every gate on every row that it is about.
pub(super) fn decide(
    joined: &Joined,
    plan: &Plan,
    rows: &[Row],
    slices: &[Row],
) -> Result<Vec<GateResult>, CompareError> {
    let mut results = Vec::new();
    for rule in &plan.gates {
        for row in rows.iter().chain(slices) {
            results.extend(one(joined, plan, rule, row)?);
        }
    }
    Ok(results)
}

fn one(joined: &Joined, plan: &Plan, rule: &GateRule, row: &Row) -> Result<Option<GateResult>, CompareError> {
    let (outcome, ground) = match &rule.demand {
        Demand::Bound { metric, .. } if metric.is_some_and(|metric| metric != row.metric) => return Ok(None),
        Demand::Point { metric, .. } if *metric != row.metric || row.slice.is_some() => return Ok(None),
        Demand::Bound { kind, margin, .. } => bound(joined, plan, row, *kind, *margin)?,
        Demand::Point { requirement, .. } => point(row, requirement),
    };
    let place = Place { metric: row.metric, a: row.a, b: row.b, slice: row.slice };
    Ok(Some(GateResult { expression: rule.expression.clone(), place, outcome, ground }))
}

fn bound(
    joined: &Joined,
    plan: &Plan,
    row: &Row,
    kind: BoundKind,
    margin: f64,
) -> Result<(Outcome, Ground), CompareError> {
    let metric = &plan.metrics[row.metric];
    if metric.better == Better::Neither {
        return Err(CompareError::NoDirection { metric: metric.label.clone() });
    }
    let Some(found) = &row.found else { return Ok((Outcome::Undecided, Ground::NoValues)) };
    if margin.is_nan() || margin < 0.0 {
        return Err(CompareError::Margin { margin });
    }
    if same_rankings(joined, row, found) {
        return Ok((Outcome::Pass, Ground::SameRankings { margin }));
    }
    let evidence = found.evidence(joined, metric)?;
    let levels = match row.slice {
        None => GateLevels::both(plan.gate_level),
        Some(_) => GateLevels::of_slices(plan.gate_level, plan.slices.len()),
    };
    let gate = match kind {
        BoundKind::NonInferior => noninferiority(&evidence, margin, levels),
        BoundKind::NoRegression => no_regression(&evidence, margin, levels),
    };
    let gate = gate.map_err(|error| CompareError::of_bound(error, &metric.label))?;
    let is_open = gate.outcome == Outcome::Undecided;
    let needed = is_open.then(|| queries_needed(&evidence, margin, plan.gate_level, POWER)).flatten();
    Ok((gate.outcome, Ground::Bounds { gate, needed }))
}

/// Whether both runs are known to have returned the same lists for every query of a row.
fn same_rankings(joined: &Joined, row: &Row, found: &Found) -> bool {
    let (a, b) = (&joined.runs[row.a].rankings, &joined.runs[row.b].rankings);
    let is_known = !a.is_empty() && !b.is_empty();
    is_known && found.queries.iter().all(|&query| a[query].fingerprint == b[query].fingerprint)
}

fn point(row: &Row, requirement: &Requirement) -> (Outcome, Ground) {
    let Some(found) = &row.found else { return (Outcome::Undecided, Ground::NoValues) };
    let value = match requirement.subject {
        Subject::Difference => found.paired.mean_difference,
        Subject::Mean => found.paired.mean_b,
    };
    let outcome = if requirement.is_met(value) { Outcome::Pass } else { Outcome::Fail };
    (outcome, Ground::Point { value, requirement: requirement.clone() })
}
