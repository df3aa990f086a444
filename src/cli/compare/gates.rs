//! Gates as they are written on the command line, and what they make of the exit code.

use raglens::compare::{BoundKind, Demand, GateRule, Metric, Requirement};
use raglens::stats::equivalence::Outcome;
use raglens::stats::summary::Range;

use super::args::{GateArgs, OnUndecided};
use super::metrics::position;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::render::errors::Message;

/// The gates that were asked for, in the order of the options.
///
/// # Errors
/// When one is no gate, names a measure that is not compared, or holds always or never.
pub fn rules(args: &GateArgs, labels: &[String], metrics: &[Metric]) -> Result<Vec<GateRule>, Failure> {
    let bounds = [
        ("noninferior", BoundKind::NonInferior, &args.noninferior),
        ("no-regression", BoundKind::NoRegression, &args.no_regression),
    ];
    let mut rules = Vec::new();
    for (word, kind, texts) in bounds {
        for text in texts {
            rules.push(bound(word, kind, text, labels)?);
        }
    }
    for text in &args.min {
        rules.push(point(text, labels, metrics)?);
    }
    Ok(rules)
}

/// `0.02` for every measure, `recall@5=0.02` for one.
fn bound(word: &str, kind: BoundKind, text: &str, labels: &[String]) -> Result<GateRule, Failure> {
    let (name, number) = text.rsplit_once('=').map_or((None, text), |(name, number)| (Some(name), number));
    let margin = number.trim().parse::<f64>().ok().filter(|margin| margin.is_finite() && *margin >= 0.0);
    let margin = margin.ok_or_else(|| {
        Message::new(format!("expected a loss such as 0.02 or recall@5=0.02 after --{word}, not `{text}`"))
    })?;
    let metric = name.map(|name| position(labels, name)).transpose()?;
    Ok(GateRule { expression: format!("{word} {margin}"), demand: Demand::Bound { kind, metric, margin } })
}

fn point(text: &str, labels: &[String], metrics: &[Metric]) -> Result<GateRule, Failure> {
    let requirement: Requirement = text.parse().map_err(|error| Message::new(format!("{error}")))?;
    let metric = position(labels, &requirement.metric)?;
    if let Some(Range { low, high }) = metrics[metric].range {
        requirement.check_range(low, high).map_err(|error| Message::new(format!("--min: {error}")))?;
    }
    Ok(GateRule { expression: requirement.to_string(), demand: Demand::Point { metric, requirement } })
}

/// How the command ends.
pub fn exit(args: &GateArgs, outcome: Outcome) -> Exit {
    match (outcome, args.on_undecided) {
        _ if args.exit_zero => Exit::Success,
        (Outcome::Pass, _) | (Outcome::Undecided, Some(OnUndecided::Pass | OnUndecided::Warn)) => Exit::Success,
        (Outcome::Fail, _) | (Outcome::Undecided, Some(OnUndecided::Fail)) => Exit::Failed,
        (Outcome::Undecided, None) => Exit::Undecided,
    }
}
