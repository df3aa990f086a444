//! The JSON of `compare`: the schema `raglens/1`, a contract that scripts read. Keys are never
//! renamed within a schema; new ones may come.

mod gate;
mod row;

pub use row::{JsonRow, row};

use std::borrow::Cow;

use raglens::compare::{Adjust, Family, Row};
use serde::Serialize;
use serde_json::value::RawValue;

use self::gate::JsonGate;
use super::report::Report;
use super::{gates, words};
use crate::render::indent::to_json;
use crate::render::json::{self, JsonLabels, JsonNote, JsonRunFile, Map, SCHEMA, ids, note, run_file};

/// The report as JSON; without `lists` the single queries of a row are left out of it.
pub fn render(report: &Report, lists: bool) -> String {
    to_json(&Document {
        schema: SCHEMA,
        command: "compare",
        version: env!("CARGO_PKG_VERSION"),
        conventions: conventions(report),
        labels: labels(report),
        runs: runs(report),
        queries: report.joined.queries.len(),
        not_in_all: ids(&report.joined.dropped),
        family: family(&report.comparison.family),
        slice_family: (!report.plan.slices.is_empty()).then(|| family(&report.comparison.slice_family)),
        rows: rows(report).map(|found| row(report, found, lists)).collect(),
        gates: report.comparison.gates.iter().map(|found| gate::gate(report, found)).collect(),
        outcome: (!report.comparison.gates.is_empty()).then(|| gates::word(report.comparison.outcome())),
        notes: report.notes.iter().map(note).collect(),
    })
}

/// The rows of all queries, then those of slices.
pub fn rows(report: &Report) -> impl Iterator<Item = &Row> {
    report.comparison.rows.iter().chain(&report.comparison.slices)
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    command: &'static str,
    version: &'static str,
    conventions: Map<&'a str, Box<RawValue>>,
    labels: Option<JsonLabels<'a>>,
    runs: Vec<JsonRunFile<'a>>,
    queries: usize,
    not_in_all: Vec<Cow<'a, str>>,
    family: JsonFamily,
    #[serde(skip_serializing_if = "Option::is_none")]
    slice_family: Option<JsonFamily>,
    rows: Vec<JsonRow<'a>>,
    gates: Vec<JsonGate<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    notes: Vec<JsonNote<'a>>,
}

#[derive(Serialize)]
struct JsonFamily {
    method: &'static str,
    size: usize,
    /// Whether adjusted values come from all patterns of signs, for methods that flip signs.
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<bool>,
}

fn family(family: &Family) -> JsonFamily {
    let exact = matches!(family.method, Adjust::MaxT | Adjust::Tukey).then_some(!family.is_random);
    JsonFamily { method: family.method.name(), size: family.size, exact }
}

fn labels(report: &Report) -> Option<JsonLabels<'_>> {
    let labels = report.labels.as_ref()?;
    Some(JsonLabels { named_by: Some(&labels.named_by), ..json::labels(&labels.part, &report.left_out) })
}

fn runs(report: &Report) -> Vec<JsonRunFile<'_>> {
    let files = report.files.iter().enumerate();
    files.map(|(index, run)| run_file(report.name(index), &run.file, run.modified.as_deref())).collect()
}

/// The conventions of the scores, then those of the comparison.
fn conventions(report: &Report) -> Map<&str, Box<RawValue>> {
    let plan = &report.plan;
    let of_scores = report.conventions.iter().map(|(name, text)| (name.as_str(), text.clone()));
    let word = |word: &str| format!("\"{word}\"");
    let of_plan = [
        ("alternative", word(words::alternative(plan))),
        ("alpha", plan.alpha.to_string()),
        ("resamples", plan.resamples.to_string()),
        ("ci", word(words::interval_name(plan))),
        ("bootstrap", plan.bootstrap.to_string()),
        ("binary_p", word(words::binary_p(plan))),
        ("pairs", word(words::pairs(plan))),
        ("seed", plan.seed.to_string()),
    ];
    let is_of_plan = |name: &str| of_plan.iter().any(|(other, _)| *other == name);
    let all = of_scores.filter(|(name, _)| !is_of_plan(name)).chain(of_plan.clone());
    Map(all.filter_map(|(name, text)| Some((name, RawValue::from_string(text).ok()?))).collect())
}
