//! What the gates decide, and what on.

use raglens::compare::{GateResult, Ground, Requirement};
use raglens::stats::equivalence::Outcome;

use super::report::Report;
use super::words;
use crate::render::Look;
use crate::render::grid::{Cell, Column, Grid};
use crate::render::number::{counted, exact, grouped, queries, rounded_up, signed};
use crate::render::page::Block;
use crate::render::style::STRONG;

/// As many undecided slices are named.
const SLICES_NAMED: usize = 3;

/// What a gate on the number alone is worth.
pub const NO_CONFIDENCE: &str =
    "no confidence: a gate on the number alone passes a true regression of exactly its limit about half the time";

/// The word for an outcome.
pub fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "pass",
        Outcome::Fail => "fail",
        Outcome::Undecided => "undecided",
    }
}

/// A row per gate and comparison; of slices only those that fail.
pub fn table(report: &Report, look: &Look) -> Vec<Block> {
    if report.comparison.gates.is_empty() {
        return Vec::new();
    }
    let mut grid =
        Grid::new(vec![Column::words("gate"), Column::words(""), Column::words(""), Column::words("")]).tight();
    let is_shown = |gate: &&GateResult| gate.place.slice.is_none() || gate.outcome == Outcome::Fail;
    for gate in report.comparison.gates.iter().filter(is_shown) {
        grid.push(vec![
            Cell::new(&gate.expression),
            Cell::new(place(report, gate)),
            Cell::new(word(gate.outcome)).styled(STRONG),
            Cell::new(ground(gate, look)),
        ]);
    }
    vec![Block::Table(grid), Block::Footnotes(notes(report, look))]
}

/// The metric, and where there are several the pair and the slice.
fn place(report: &Report, gate: &GateResult) -> String {
    let mut parts = Vec::new();
    if !matches!(gate.ground, Ground::Point { .. }) {
        parts.push(words::short(report.label(gate.place.metric)));
    }
    if report.pairs().len() > 1 {
        parts.push(format!("{} - {}", report.name(gate.place.b), report.name(gate.place.a)));
    }
    parts.extend(gate.place.slice.map(|slice| report.plan.slices[slice].name()));
    parts.join(" ")
}

/// What an outcome rests on, in a few words.
fn ground(gate: &GateResult, look: &Look) -> String {
    let number = |value: f64| signed(value, look.digits);
    match &gate.ground {
        Ground::Bounds { gate: bounds, .. } => match gate.outcome {
            Outcome::Pass if bounds.lower >= -bounds.margin => format!("bound {}", number(bounds.lower)),
            Outcome::Pass => format!("no loss proven: at most {}", number(bounds.upper)),
            Outcome::Fail => format!("at most {}", number(bounds.upper)),
            Outcome::Undecided => format!("bound {}", number(bounds.lower)),
        },
        Ground::SameRankings { .. } => "both returned the same lists".to_owned(),
        Ground::Point { value, .. } => format!("is {}, without confidence", number(*value)),
        Ground::NoValues => "no query has a value on both sides".to_owned(),
    }
}

fn notes(report: &Report, look: &Look) -> Vec<String> {
    let gates = &report.comparison.gates;
    let level = exact((report.plan.gate_level * 1e8).round() / 1e6);
    let mut notes = Vec::new();
    if gates.iter().any(|gate| matches!(gate.ground, Ground::Bounds { .. })) {
        notes.push(format!("bound: what the difference is at least, one-sided {level}% (improvements positive)"));
    }
    notes.extend(undecided(gates, look));
    notes.extend(slices(report));
    let points: Vec<&Requirement> = gates
        .iter()
        .filter_map(|gate| match &gate.ground {
            Ground::Point { requirement, .. } => Some(requirement),
            _ => None,
        })
        .collect();
    if !points.is_empty() {
        notes.push(NO_CONFIDENCE.to_owned());
    }
    notes
}

/// How the gates of slices came out.
fn slices(report: &Report) -> Option<String> {
    let of_slices = || report.comparison.gates.iter().filter(|gate| gate.place.slice.is_some());
    let count = |outcome: Outcome| of_slices().filter(|gate| gate.outcome == outcome).count();
    let total = of_slices().count();
    let outcomes = [Outcome::Pass, Outcome::Fail, Outcome::Undecided].map(|outcome| (count(outcome), word(outcome)));
    let parts = outcomes.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
    let parts: Vec<String> = parts.collect();
    let open = of_slices().filter(|gate| gate.outcome == Outcome::Undecided).map(|gate| place(report, gate));
    let first: Vec<String> = open.take(SLICES_NAMED).collect();
    let more = if count(Outcome::Undecided) > first.len() { ", ..." } else { "" };
    let named = if first.is_empty() { String::new() } else { format!(": {}{more}", first.join(", ")) };
    (total > 0)
        .then(|| format!("of {}: {}{named}", counted(total as u64, "slice gate", "slice gates"), parts.join(", ")))
}

/// What it would take to decide.
fn undecided(gates: &[GateResult], look: &Look) -> Option<String> {
    let open = gates.iter().filter(|gate| gate.place.slice.is_none()).filter_map(|gate| match &gate.ground {
        Ground::Bounds { gate: bounds, needed } if gate.outcome == Outcome::Undecided => {
            Some((bounds.smallest_margin, bounds.margin, *needed))
        }
        _ => None,
    });
    let (smallest, margin, needed) = open.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let smallest = rounded_up(smallest, look.digits);
    let more = needed.map(|needed| {
        let count = if needed >= 10_000 { format!("{} queries", grouped(needed)) } else { queries(needed) };
        format!("; {count} would exclude a loss of {} if both are equal in truth", exact(margin))
    });
    Some(format!("these queries can exclude no loss smaller than {smallest}{}", more.unwrap_or_default()))
}
