//! What the gates decide, and what on.

use raglens::compare::{GateResult, Ground, Requirement};
use raglens::stats::equivalence::Outcome;

use super::report::Report;
use super::words::short;
use crate::render::Look;
use crate::render::grid::{Cell, Column, Grid};
use crate::render::listing::first;
use crate::render::number::{counted, exact, grouped, level, queries, rounded_up, signed};
use crate::render::page::Block;
use crate::render::style::STRONG;

/// As many undecided slices are named.
const SLICES_NAMED: usize = 3;

/// What a gate on the number alone is worth.
pub const NO_CONFIDENCE: &str =
    "no confidence: a gate on the number alone passes about half the time where the truth is exactly its limit";

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
    for gate in shown(report) {
        let [asked, place, outcome, ground] = self::words(report, gate, look).map(Cell::new);
        grid.push(vec![asked, place, outcome.styled(STRONG), ground]);
    }
    vec![Block::Table(grid), Block::Footnotes(notes(report, look))]
}

/// The gates that are shown: of slices only those that fail.
pub fn shown(report: &Report) -> impl Iterator<Item = &GateResult> {
    report.comparison.gates.iter().filter(|gate| gate.place.slice.is_none() || gate.outcome == Outcome::Fail)
}

/// A gate in words: what was asked, where, what it comes to, and on what grounds.
pub fn words(report: &Report, gate: &GateResult, look: &Look) -> [String; 4] {
    let outcome = word(gate.outcome).to_owned();
    [gate.expression.clone(), place(report, gate), outcome, ground(gate, look)]
}

/// The metric, and where there are several the pair and the slice.
fn place(report: &Report, gate: &GateResult) -> String {
    let mut parts = Vec::new();
    if !matches!(gate.ground, Ground::Point { .. }) {
        parts.push(short(report.label(gate.place.metric)));
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

/// What the grounds mean, how slices came out, and what it would take to decide.
pub fn notes(report: &Report, look: &Look) -> Vec<String> {
    let gates = &report.comparison.gates;
    let level = level(report.plan.gate_level);
    let mut notes = Vec::new();
    let mut explain = |start: &str, meaning: &str| {
        if shown(report).any(|gate| ground(gate, look).contains(start)) {
            notes.push(format!("{start}: {meaning}, one-sided {level} (improvements positive)"));
        }
    };
    explain("bound", "what the difference is at least");
    explain("at most", "what the difference is no more than");
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
    let named = match count(Outcome::Undecided) {
        0 => String::new(),
        _ => format!(": {}", first(open, SLICES_NAMED)),
    };
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
