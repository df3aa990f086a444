//! The JSON of `queries`, in the schema `raglens/1`.

use std::borrow::Cow;

use raglens::id::Id;
use serde::Serialize;

use super::report::{List, Report, Row, Shown};
use crate::render::indent::{to_json, to_line};
use crate::render::json::{JsonNote, Map, SCHEMA, id_text, note};

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    command: &'static str,
    version: &'static str,
    runs: &'a [String],
    metrics: &'a [String],
    conditions: &'a [String],
    queries: usize,
    matching: usize,
    rows: Vec<JsonRow<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<JsonShown<'a>>,
    notes: Vec<JsonNote<'a>>,
}

#[derive(Serialize)]
struct JsonRow<'a> {
    query_id: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<&'a str>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    tags: Map<&'a str, &'a [String]>,
    values: Map<&'a str, Map<&'a str, Option<f64>>>,
    delta: Option<f64>,
    first_relevant: Map<&'a str, Option<u64>>,
}

#[derive(Serialize)]
struct JsonShown<'a> {
    relevant: Vec<JsonRelevant<'a>>,
    lists: Map<&'a str, JsonList<'a>>,
    passages: Vec<JsonPassage<'a>>,
    texts: Map<Cow<'a, str>, &'a str>,
}

#[derive(Serialize)]
struct JsonRelevant<'a> {
    id: Cow<'a, str>,
    grade: f64,
    ranks: Map<&'a str, Option<u64>>,
}

#[derive(Serialize)]
struct JsonList<'a> {
    retrieved: Option<u64>,
    results: Vec<JsonResult<'a>>,
}

#[derive(Serialize)]
struct JsonResult<'a> {
    id: Cow<'a, str>,
    grade: Option<f64>,
}

#[derive(Serialize)]
struct JsonPassage<'a> {
    doc_id: Cow<'a, str>,
    start: u64,
    end: u64,
    grade: f64,
    ranks: Map<&'a str, Option<u64>>,
}

/// The report as JSON.
pub fn render(report: &Report) -> String {
    to_json(&Document {
        schema: SCHEMA,
        command: "queries",
        version: env!("CARGO_PKG_VERSION"),
        runs: &report.runs,
        metrics: &report.metrics,
        conditions: &report.conditions,
        queries: report.all,
        matching: report.matching,
        rows: report.rows.iter().map(|found| row(report, found)).collect(),
        shown: report.shown.as_ref().map(|found| shown(report, found)),
        notes: report.notes.iter().map(note).collect(),
    })
}

/// One JSON object a query.
pub fn lines(report: &Report) -> String {
    report.rows.iter().map(|found| to_line(&row(report, found))).collect()
}

fn row<'a>(report: &'a Report, row: &'a Row) -> JsonRow<'a> {
    let of_run = |(run, values): (&'a String, &'a Vec<Option<f64>>)| {
        let values = report.metrics.iter().zip(values).map(|(metric, value)| (metric.as_str(), *value));
        (run.as_str(), Map(values.collect()))
    };
    JsonRow {
        query_id: id_text(&row.query),
        query: row.text.as_deref(),
        tags: Map(row.tags.iter().map(|(tag, values)| (tag.as_str(), &values[..])).collect()),
        values: Map(report.runs.iter().zip(&row.values).map(of_run).collect()),
        delta: row.delta(),
        first_relevant: by_run(report, &row.first),
    }
}

fn by_run<'a>(report: &'a Report, values: &[Option<u64>]) -> Map<&'a str, Option<u64>> {
    Map(report.runs.iter().zip(values).map(|(run, value)| (run.as_str(), *value)).collect())
}

fn shown<'a>(report: &'a Report, shown: &'a Shown) -> JsonShown<'a> {
    let relevant = shown.relevant.iter().map(|found| JsonRelevant {
        id: id_text(&found.document),
        grade: found.grade,
        ranks: by_run(report, &found.ranks),
    });
    let passages = shown.passages.iter().map(|found| JsonPassage {
        doc_id: id_text(&found.document),
        start: found.range.0,
        end: found.range.1,
        grade: found.grade,
        ranks: by_run(report, &found.ranks),
    });
    let texts = shown.texts.iter().map(|(id, text): &(Id, String)| (id_text(id), text.as_str()));
    JsonShown {
        relevant: relevant.collect(),
        lists: Map(report.runs.iter().map(String::as_str).zip(shown.lists.iter().map(list)).collect()),
        passages: passages.collect(),
        texts: Map(texts.collect()),
    }
}

fn list(list: &List) -> JsonList<'_> {
    let results = list.results.iter().map(|found| JsonResult { id: id_text(&found.document), grade: found.grade });
    JsonList { retrieved: list.retrieved, results: results.collect() }
}
