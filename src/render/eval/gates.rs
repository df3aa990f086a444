//! Whether the means reach their limits.

use serde::Serialize;

use super::report::{GatePart, Report};
use crate::render::Look;
use crate::render::compare::gates::{NO_CONFIDENCE, word};
use crate::render::grid::{Cell, Column, Grid};
use crate::render::number::fixed;
use crate::render::page::Block;
use crate::render::style::STRONG;

/// A row per limit and run.
pub fn blocks(report: &Report, look: &Look) -> Vec<Block> {
    if report.gates.is_empty() {
        return Vec::new();
    }
    let mut grid = Grid::new(["gate", "", "", ""].map(Column::words).to_vec()).tight();
    for gate in &report.gates {
        let [asked, run, outcome, value] = words(report, gate, look).map(Cell::new);
        grid.push(vec![asked, run, outcome.styled(STRONG), value]);
    }
    vec![Block::Table(grid), Block::Footnotes(vec![NO_CONFIDENCE.to_owned()])]
}

/// A gate in words: what was asked, of which run, what it comes to, and on what grounds.
pub fn words(report: &Report, gate: &GatePart, look: &Look) -> [String; 4] {
    let value =
        gate.value.map_or_else(|| "has no value".to_owned(), |value| format!("is {}", fixed(value, look.digits)));
    let (asked, run) = (gate.requirement.to_string(), report.runs[gate.run].name.clone());
    [asked, run, word(gate.outcome).to_owned(), value]
}

/// A gate as JSON.
#[derive(Serialize)]
pub struct JsonGate<'a> {
    expression: String,
    metric: &'a str,
    run: &'a str,
    outcome: &'static str,
    point: Point,
    reason: &'static str,
}

#[derive(Serialize)]
struct Point {
    value: Option<f64>,
    limit: f64,
}

/// A gate as JSON.
pub fn json<'a>(report: &'a Report, gate: &GatePart) -> JsonGate<'a> {
    JsonGate {
        expression: gate.requirement.to_string(),
        metric: report.measures[gate.measure].label(),
        run: &report.runs[gate.run].name,
        outcome: word(gate.outcome),
        point: Point { value: gate.value, limit: gate.requirement.limit },
        reason: "a number alone: no confidence",
    }
}
