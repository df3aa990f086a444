//! One gate as JSON.

use raglens::compare::{GateResult, Ground};
use raglens::stats::equivalence::Gate;
use serde::Serialize;

use super::super::gates::word;
use super::super::report::Report;
use super::row::{JsonSlice, slice};

/// A gate. `bound` is what decides: the lower bound of the improvement, for no-regression the
/// upper one.
#[derive(Serialize)]
pub struct JsonGate<'a> {
    expression: &'a str,
    metric: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    slice: Option<JsonSlice<'a>>,
    a: &'a str,
    b: &'a str,
    outcome: &'static str,
    bound: Option<f64>,
    margin: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<Bounds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    point: Option<Point>,
    reason: Option<&'static str>,
}

#[derive(Serialize)]
struct Bounds {
    method: &'static str,
    level: f64,
    lower: f64,
    upper: f64,
    smallest_margin: f64,
    queries_needed: Option<u64>,
}

#[derive(Serialize)]
struct Point {
    value: f64,
    limit: f64,
}

/// A gate as JSON.
pub fn gate<'a>(report: &'a Report, found: &'a GateResult) -> JsonGate<'a> {
    let place = found.place;
    let mut json = JsonGate {
        expression: &found.expression,
        metric: report.label(place.metric),
        slice: slice(report, place.slice),
        a: report.name(place.a),
        b: report.name(place.b),
        outcome: word(found.outcome),
        bound: None,
        margin: None,
        bounds: None,
        point: None,
        reason: None,
    };
    match &found.ground {
        Ground::Bounds { gate, needed } => {
            let is_regression = found.expression.starts_with("no-regression");
            json.bound = Some(if is_regression { gate.upper } else { gate.lower });
            json.margin = Some(gate.margin);
            json.bounds = Some(bounds(report, gate, *needed));
        }
        Ground::SameRankings { margin } => {
            json.margin = Some(*margin);
            json.reason = Some("both runs returned the same lists");
        }
        Ground::Point { value, requirement } => {
            json.point = Some(Point { value: *value, limit: requirement.limit });
            json.reason = Some("a number alone: no confidence");
        }
        Ground::NoValues => json.reason = Some("no query has a value on both sides"),
    }
    json
}

fn bounds(report: &Report, gate: &Gate, queries_needed: Option<u64>) -> Bounds {
    Bounds {
        method: gate.method.name(),
        level: report.plan.gate_level,
        lower: gate.lower,
        upper: gate.upper,
        smallest_margin: gate.smallest_margin,
        queries_needed,
    }
}
