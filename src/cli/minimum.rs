//! `--min` of `eval`: limits that the values of every run must reach.

use clap::Args;
use raglens::compare::{Metric, NoRequirement, Requirement, Subject};
use raglens::stats::equivalence::Outcome;
use raglens::stats::summary::Range;

use super::compare::metrics::position;
use super::exit::Exit;
use super::failure::Failure;
use crate::render::errors::Message;
use crate::render::eval::report::{GatePart, RunPart};

/// Limits that the values of every run must reach.
#[derive(Debug, Clone, Args)]
pub struct MinimumArgs {
    /// Exit 1 where a run's mean misses a limit: 'recall@5>=0.6'
    #[arg(long, value_name = "EXPR", help_heading = "Gates")]
    min: Vec<String>,
}

/// A limit for the measure at a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    measure: usize,
    requirement: Requirement,
}

impl MinimumArgs {
    /// The limits for measures of these labels.
    ///
    /// # Errors
    /// When one is no limit, names a measure that is not measured, or holds always or never.
    pub fn limits(&self, labels: &[String]) -> Result<Vec<Limit>, Failure> {
        self.min.iter().map(|text| limit(text, labels)).collect()
    }
}

fn limit(text: &str, labels: &[String]) -> Result<Limit, Failure> {
    let expected = || Message::new(format!("--min: expected one requirement such as recall@5>=0.60, not `{text}`"));
    let requirement: Requirement = text.parse().map_err(|_: NoRequirement| expected())?;
    if requirement.subject == Subject::Difference {
        let title = format!("`--min {text}`: a difference is one of two runs");
        return Err(Failure::new(title, "`raglens compare A B --min` takes it"));
    }
    let measure = position(labels, &requirement.metric)?;
    if let Some(Range { low, high }) = Metric::named(&labels[measure]).range {
        requirement.check_range(low, high).map_err(|error| Message::new(format!("--min: {error}")))?;
    }
    Ok(Limit { measure, requirement })
}

/// Holds every run against every limit, in the number that is shown of it; one that is not there
/// decides nothing.
pub fn gates(limits: &[Limit], runs: &[RunPart<'_>]) -> Vec<GatePart> {
    let gate = |(limit, run): (&Limit, usize)| {
        let value = runs[run].columns[limit.measure].summary.value();
        let outcome = match value.map(|value| limit.requirement.is_met(value)) {
            Some(true) => Outcome::Pass,
            Some(false) => Outcome::Fail,
            None => Outcome::Undecided,
        };
        GatePart { requirement: limit.requirement.clone(), measure: limit.measure, run, value, outcome }
    };
    limits.iter().flat_map(|limit| (0..runs.len()).map(move |run| (limit, run))).map(gate).collect()
}

/// How the command ends.
pub fn exit(gates: &[GatePart]) -> Exit {
    let has = |outcome: Outcome| gates.iter().any(|gate| gate.outcome == outcome);
    match () {
        () if has(Outcome::Fail) => Exit::Failed,
        () if has(Outcome::Undecided) => Exit::Undecided,
        () => Exit::Success,
    }
}
