//! The JSON of `funnel`: the schema `raglens/1`, a contract that scripts read. Keys are never
//! renamed within a schema; new ones may come.

use std::borrow::Cow;

use raglens::rag::funnel::Step;
use serde::Serialize;

use super::KEPT;
use super::report::{NumberPart, Report};
use crate::render::frame::JsonFrame;
use crate::render::indent::to_json;
use crate::render::json::{JsonNote, Map, SCHEMA, ids, note};

/// The report as JSON.
pub fn render(report: &Report) -> String {
    let deaths = Step::ALL.map(|step| (step.name(), ids(report.dead(step))));
    to_json(&Document {
        schema: SCHEMA,
        command: "funnel",
        version: env!("CARGO_PKG_VERSION"),
        frame: report.frame.json(),
        answers: JsonFile {
            path: &report.answers.path,
            bytes: report.answers.bytes,
            read_as: report.answers.read_as_name(),
            skipped_lines: report.answers.skipped_lines,
            unlabelled: ids(&report.unknown),
        },
        k: report.k,
        steps: (0..KEPT.len()).map(|step| self::step(report, step)).collect(),
        p_correct: report.funnel.share(4),
        gap: report.funnel.gap(),
        deaths: Map(deaths.to_vec()),
        correct: report.funnel.correct,
        correct_by_luck: ids(report.lucky()),
        numbers: Map(report.numbers.iter().map(|part| (part.label.as_str(), number(part))).collect()),
        abstention: abstention(report),
        latency_p95_ms: report.latency.map(|latency| latency.p95_ms),
        cost_mean_usd: report.cost.map(|cost| cost.mean_usd),
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
    answers: JsonFile<'a>,
    k: u64,
    steps: Vec<JsonStep>,
    p_correct: Option<f64>,
    gap: Option<f64>,
    deaths: Map<&'static str, Vec<Cow<'a, str>>>,
    correct: u64,
    correct_by_luck: Vec<Cow<'a, str>>,
    numbers: Map<&'a str, JsonNumber>,
    abstention: JsonAbstention<'a>,
    latency_p95_ms: Option<f64>,
    cost_mean_usd: Option<f64>,
    notes: Vec<JsonNote<'a>>,
}

#[derive(Serialize)]
struct JsonFile<'a> {
    path: &'a str,
    bytes: Option<u64>,
    read_as: &'a str,
    skipped_lines: u64,
    unlabelled: Vec<Cow<'a, str>>,
}

#[derive(Serialize)]
struct JsonStep {
    step: &'static str,
    kept: u64,
    of_all: Option<f64>,
    conditional: Option<f64>,
}

#[derive(Serialize)]
struct JsonNumber {
    n: u64,
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    target: Option<String>,
    asked: bool,
    met: Option<bool>,
}

#[derive(Serialize)]
struct JsonAbstention<'a> {
    answerable: u64,
    wrong: u64,
    wrong_rate: Option<f64>,
    over_refusals: Vec<Cow<'a, str>>,
    justified: Vec<Cow<'a, str>>,
    unanswerable: u64,
    false_answers: Vec<Cow<'a, str>>,
    false_answer_rate: Option<f64>,
    precision: Option<f64>,
    recall: Option<f64>,
    f1: Option<f64>,
    unanswerable_queries: u64,
    unanswerable_with_results: u64,
    unanswerable_without_answer: u64,
    top_score_auroc: Option<f64>,
}

fn step(report: &Report, step: usize) -> JsonStep {
    let funnel = &report.funnel;
    let conditional = if step == 0 { None } else { funnel.conditional(step) };
    JsonStep { step: KEPT[step], kept: funnel.kept[step], of_all: funnel.share(step), conditional }
}

fn number(part: &NumberPart) -> JsonNumber {
    JsonNumber {
        n: part.n,
        value: part.value,
        low: part.interval.map(|interval| interval.low),
        high: part.interval.map(|interval| interval.high),
        target: part.target.as_ref().map(|target| target.requirement.to_string()),
        asked: part.target.as_ref().is_some_and(|target| target.is_asked),
        met: part.is_met(),
    }
}

fn abstention(report: &Report) -> JsonAbstention<'_> {
    let (found, others) = (&report.abstention, &report.unanswerable);
    JsonAbstention {
        answerable: found.answerable,
        wrong: found.wrong(),
        wrong_rate: found.wrong_rate(),
        over_refusals: ids(report.abstained(true)),
        justified: ids(report.abstained(false)),
        unanswerable: found.unanswerable,
        false_answers: ids(&others.answered),
        false_answer_rate: found.false_answer_rate(),
        precision: found.precision(),
        recall: found.recall(),
        f1: found.f1(),
        unanswerable_queries: others.queries,
        unanswerable_with_results: others.with_results,
        unanswerable_without_answer: others.without_answer,
        top_score_auroc: others.auroc,
    }
}
