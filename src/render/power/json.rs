//! The JSON of `power`: the schema `raglens/1`. Keys are never renamed within a schema.

use serde::Serialize;

use super::report::{Needed, Pilot, Point, Report, Scenario};
use crate::render::indent::to_json;
use crate::render::json::SCHEMA;

/// The report as JSON.
pub fn render(report: &Report) -> String {
    let question = &report.question;
    to_json(&Document {
        schema: SCHEMA,
        command: "power",
        version: env!("CARGO_PKG_VERSION"),
        conventions: JsonConventions {
            alpha: question.alpha,
            power: question.power,
            alternative: "two-sided",
            p: if question.mid_p { "mid" } else { "exact" },
            gate_level: question.gate_level,
        },
        delta: question.delta,
        margin: question.margin,
        pilot: report.pilot.as_ref().map(pilot),
        scenarios: report.scenarios.iter().map(|scenario| part(report, scenario)).collect(),
    })
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    command: &'static str,
    version: &'static str,
    conventions: JsonConventions,
    delta: Option<f64>,
    margin: Option<f64>,
    pilot: Option<JsonPilot<'a>>,
    scenarios: Vec<JsonScenario<'a>>,
}

#[derive(Serialize)]
struct JsonConventions {
    alpha: f64,
    power: f64,
    alternative: &'static str,
    p: &'static str,
    gate_level: f64,
}

#[derive(Serialize)]
struct JsonPilot<'a> {
    a: &'a str,
    b: &'a str,
    files: Vec<JsonFile<'a>>,
}

#[derive(Serialize)]
struct JsonFile<'a> {
    path: &'a str,
    bytes: Option<u64>,
}

#[derive(Serialize)]
struct JsonScenario<'a> {
    test: &'static str,
    metric: Option<&'a str>,
    disagreement: Option<f64>,
    sd: Option<f64>,
    n: Option<u64>,
    n_differ: Option<u64>,
    dropped: Option<u64>,
    points: Vec<JsonPoint>,
    queries_needed: Option<u64>,
    queries_needed_for_margin: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Serialize)]
struct JsonPoint {
    n: u64,
    detectable: Option<f64>,
    power: Option<f64>,
    half_width: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

fn pilot(pilot: &Pilot) -> JsonPilot<'_> {
    let files = pilot.files.iter().map(|file| JsonFile { path: &file.path, bytes: file.bytes });
    JsonPilot { a: &pilot.names[0], b: &pilot.names[1], files: files.collect() }
}

fn part<'a>(report: &Report, scenario: &'a Scenario) -> JsonScenario<'a> {
    let is_binary = scenario.disagreement().is_some();
    let source = scenario.source.as_ref();
    JsonScenario {
        test: match (is_binary, report.question.mid_p) {
            (true, false) => "mcnemar-exact",
            (true, true) => "mcnemar-mid",
            (false, _) => "t",
        },
        metric: scenario.metric(),
        disagreement: scenario.disagreement(),
        sd: scenario.sd(),
        n: source.map(|measured| measured.n),
        n_differ: source.map(|measured| measured.differing),
        dropped: source.map(|measured| measured.dropped),
        points: scenario.points.iter().map(|point| point_part(point, is_binary)).collect(),
        queries_needed: scenario.for_delta.and_then(Needed::queries),
        queries_needed_for_margin: scenario.for_margin.and_then(Needed::queries),
        reason: [scenario.for_delta, scenario.for_margin].into_iter().flatten().find_map(too_many),
    }
}

/// Why a number of queries is null though it was asked for.
fn too_many(needed: Needed) -> Option<String> {
    match needed {
        Needed::MoreThan(most) => Some(format!("more than {most} queries")),
        Needed::Queries(_) => None,
    }
}

fn point_part(point: &Point, is_binary: bool) -> JsonPoint {
    let reason = if is_binary {
        "not even winning every query that differs is enough"
    } else {
        "no possible difference is large enough"
    };
    JsonPoint {
        n: point.n,
        detectable: point.detectable,
        power: point.power,
        half_width: point.half_width,
        reason: point.detectable.is_none().then_some(reason),
    }
}
