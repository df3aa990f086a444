//! The JSON of `stages`: the schema `raglens/1`, a contract that scripts read. Keys are never
//! renamed within a schema; new ones may come.

use std::borrow::Cow;

use raglens::rag::stages::{Fate, Gap};
use serde::Serialize;

use super::report::{LiftPart, LostPart, Report, SlicePart, StagePart};
use crate::render::frame::JsonFrame;
use crate::render::indent::to_json;
use crate::render::json::{JsonNote, Map, SCHEMA, id_text, note};

/// The report as JSON.
pub fn render(report: &Report) -> String {
    to_json(&Document {
        schema: SCHEMA,
        command: "stages",
        version: env!("CARGO_PKG_VERSION"),
        frame: report.frame.json(),
        k: report.k,
        pool: report.pool,
        queries: report.queries,
        relevant: report.relevant,
        stages: report.stages.iter().map(|part| stage(report, part)).collect(),
        lifts: report.lifts.iter().map(|part| lift(report, part)).collect(),
        missed: report.missed.iter().map(|part| lost(report, part)).collect(),
        slices: report.slices.iter().map(|part| slice(report, part)).collect(),
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
    k: u64,
    pool: Option<u64>,
    queries: u64,
    relevant: u64,
    stages: Vec<JsonStage<'a>>,
    lifts: Vec<JsonLift<'a>>,
    missed: Vec<JsonLost<'a>>,
    slices: Vec<JsonSlice<'a>>,
    notes: Vec<JsonNote<'a>>,
}

#[derive(Serialize)]
struct JsonStage<'a> {
    name: &'a str,
    depth: u64,
    takes_from: Vec<&'a str>,
    results_outside: u64,
    measures: Map<&'a str, Option<f64>>,
    latency_p95_ms: Option<f64>,
    latency_n: usize,
    cost_mean_usd: Option<f64>,
    gap: Option<JsonGap<'a>>,
}

#[derive(Serialize)]
struct JsonGap<'a> {
    best_source: &'a str,
    before: f64,
    after: f64,
    pool: f64,
    attainable: f64,
    closed: Option<f64>,
    closed_attainable: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

#[derive(Serialize)]
struct JsonLift<'a> {
    stage: &'a str,
    over: &'a str,
    best_source: bool,
    n: usize,
    before: Option<f64>,
    after: Option<f64>,
    diff: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    verdict: Option<&'static str>,
}

#[derive(Serialize)]
struct JsonLost<'a> {
    query_id: Cow<'a, str>,
    id: Cow<'a, str>,
    fate: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    stage: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<u64>,
}

#[derive(Serialize)]
struct JsonSlice<'a> {
    tag: &'a str,
    value: &'a str,
    n: usize,
    recall: Map<&'a str, Option<f64>>,
    gap: Option<JsonGap<'a>>,
}

fn stage<'a>(report: &'a Report<'_>, part: &'a StagePart) -> JsonStage<'a> {
    let measures = report.measures.iter().zip(&part.means).map(|(measure, &mean)| (measure.label(), mean));
    let latency = part.spending.latency;
    JsonStage {
        name: &part.name,
        depth: part.stage.depth,
        takes_from: part.stage.sources.iter().map(|&source| report.stages[source].name.as_str()).collect(),
        results_outside: part.stage.outside,
        measures: Map(measures.collect()),
        latency_p95_ms: latency.map(|latency| latency.p95_ms),
        latency_n: latency.map_or(0, |latency| latency.n),
        cost_mean_usd: part.spending.cost.map(|cost| cost.mean_usd),
        gap: part.gap.map(|found| gap(report, &found)),
    }
}

fn gap<'a>(report: &'a Report<'_>, gap: &Gap) -> JsonGap<'a> {
    JsonGap {
        best_source: &report.stages[gap.best].name,
        before: gap.before,
        after: gap.after,
        pool: gap.pool,
        attainable: gap.attainable,
        closed: gap.closed,
        closed_attainable: gap.closed_attainable,
        reason: gap.closed.is_none().then_some("there is nothing to gain"),
    }
}

fn lift<'a>(report: &'a Report<'_>, part: &LiftPart) -> JsonLift<'a> {
    let found = part.found.as_ref();
    let interval = found.and_then(|found| found.interval);
    JsonLift {
        stage: &report.stages[part.stage].name,
        over: &report.stages[part.over].name,
        best_source: part.is_best,
        n: found.map_or(0, |found| found.n),
        before: found.map(|found| found.from),
        after: found.map(|found| found.to),
        diff: found.map(|found| found.difference),
        low: interval.map(|interval| interval.low),
        high: interval.map(|interval| interval.high),
        verdict: found.and_then(|found| found.verdict).map(|verdict| verdict.word()),
    }
}

fn lost<'a>(report: &'a Report<'_>, part: &'a LostPart) -> JsonLost<'a> {
    let (fate, stage, rank) = match part.fate {
        Fate::NeverRetrieved => ("never retrieved", None, None),
        Fate::LostAt(stage) => ("lost", Some(report.stages[stage].name.as_str()), None),
        Fate::BelowCutoff(rank) => ("below cutoff", Some(report.last().name.as_str()), Some(rank)),
    };
    JsonLost { query_id: id_text(&part.query), id: id_text(&part.document), fate, stage, rank }
}

fn slice<'a>(report: &'a Report<'_>, part: &'a SlicePart) -> JsonSlice<'a> {
    let recalls = report.stages.iter().zip(&part.recalls).map(|(stage, &recall)| (stage.name.as_str(), recall));
    JsonSlice {
        tag: &part.slice.tag,
        value: &part.slice.value,
        n: part.slice.members.len(),
        recall: Map(recalls.collect()),
        gap: part.gap.map(|found| gap(report, &found)),
    }
}
