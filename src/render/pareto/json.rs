//! The JSON of `pareto`: the schema `raglens/1`, a contract that scripts read. Keys are never
//! renamed within a schema; new ones may come.

use raglens::rag::pareto::Standing;
use serde::Serialize;

use super::report::{GainPart, Report};
use crate::render::frame::JsonFrame;
use crate::render::indent::to_json;
use crate::render::json::{JsonNote, SCHEMA, note};

/// The report as JSON.
pub fn render(report: &Report) -> String {
    let name = |run: usize| report.placed[run].name.as_str();
    to_json(&Document {
        schema: SCHEMA,
        command: "pareto",
        version: env!("CARGO_PKG_VERSION"),
        frame: report.frame.json(),
        quality: report.measure.label(),
        queries: report.queries,
        runs: (0..report.placed.len()).map(|run| point(report, run)).collect(),
        frontier: report.frontier().map(name).collect(),
        doubtful: report.doubtful().into_iter().map(name).collect(),
        notes: report.frame.notes.iter().map(note).collect(),
    })
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    command: &'static str,
    version: &'static str,
    #[serde(flatten)]
    frame: JsonFrame<'a>,
    quality: &'a str,
    queries: u64,
    runs: Vec<JsonPoint<'a>>,
    frontier: Vec<&'a str>,
    doubtful: Vec<&'a str>,
    notes: Vec<JsonNote<'a>>,
}

#[derive(Serialize)]
struct JsonPoint<'a> {
    name: &'a str,
    quality: Option<f64>,
    latency_p95_ms: Option<f64>,
    latency_n: usize,
    latency_is_maximum: bool,
    cost_mean_usd: Option<f64>,
    cost_n: usize,
    standing: &'static str,
    dominated_by: Vec<&'a str>,
    gain: Option<JsonGain<'a>>,
}

#[derive(Serialize)]
struct JsonGain<'a> {
    over: &'a str,
    n: usize,
    diff: f64,
    low: Option<f64>,
    high: Option<f64>,
    verdict: Option<&'static str>,
    may_be_zero: bool,
}

fn point<'a>(report: &'a Report<'_>, run: usize) -> JsonPoint<'a> {
    let placed = &report.placed[run];
    let (latency, cost) = (placed.spending.latency, placed.spending.cost);
    let (standing, by) = match &report.standings[run] {
        Standing::Frontier => ("frontier", &[] as &[usize]),
        Standing::Dominated(by) => ("dominated", by.as_slice()),
        Standing::Unknown => ("unknown", &[] as &[usize]),
    };
    JsonPoint {
        name: &placed.name,
        quality: placed.quality,
        latency_p95_ms: latency.map(|latency| latency.p95_ms),
        latency_n: latency.map_or(0, |latency| latency.n),
        latency_is_maximum: latency.is_some_and(|latency| latency.is_maximum()),
        cost_mean_usd: cost.map(|cost| cost.mean_usd),
        cost_n: cost.map_or(0, |cost| cost.n),
        standing,
        dominated_by: by.iter().map(|&run| report.placed[run].name.as_str()).collect(),
        gain: report.gains[run].as_ref().map(|part| gain(report, part)),
    }
}

fn gain<'a>(report: &'a Report<'_>, part: &GainPart) -> JsonGain<'a> {
    JsonGain {
        over: &report.placed[part.over].name,
        n: part.lift.n,
        diff: part.lift.difference,
        low: part.lift.interval.map(|interval| interval.low),
        high: part.lift.interval.map(|interval| interval.high),
        verdict: part.lift.verdict.map(|verdict| verdict.word()),
        may_be_zero: part.lift.may_be_zero(),
    }
}
