//! The JSON of `eval`: the schema `raglens/1`, a contract that scripts read. Keys are never
//! renamed within a schema; new ones may come.

use std::borrow::Cow;
use std::collections::BTreeMap;

use raglens::measure::Measure;
use raglens::scores::{QueryScores, ScoreTable};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::gates::{self, JsonGate};
use super::json_extras::{self, JsonExtras};
use super::report::{Column, Conventions, LEVEL, Report, RunPart, SavedRanking, SlicePart};
use crate::render::indent::to_json;
use crate::render::json::{self, JsonLabels, JsonNote, JsonRunFile, Map, SCHEMA, id_text, ids, note, run_file};

/// The report as JSON; with the values of every query when asked for.
pub fn render(report: &Report, per_query: bool) -> String {
    to_json(&Document {
        schema: SCHEMA,
        command: "eval",
        version: env!("CARGO_PKG_VERSION"),
        conventions: conventions(&report.conventions),
        labels: labels(report),
        runs: report.runs.iter().enumerate().map(|(index, run)| part(report, index, run, per_query)).collect(),
        gates: report.gates.iter().map(|gate| gates::json(report, gate)).collect(),
        notes: report.notes.iter().map(note).collect(),
    })
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    command: &'static str,
    version: &'static str,
    conventions: JsonConventions<'a>,
    labels: JsonLabels<'a>,
    runs: Vec<JsonRun<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gates: Vec<JsonGate<'a>>,
    notes: Vec<JsonNote<'a>>,
}

#[derive(Serialize)]
struct JsonConventions<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    like: Option<&'a str>,
    rel: f64,
    gain: &'static str,
    err_max: f64,
    ties: &'a str,
    over: &'a str,
    no_relevant: &'a str,
    average: &'a str,
    level: &'static str,
    unit: &'static str,
    min_overlap: Option<f64>,
    cut: Option<&'static str>,
    budget: Option<u64>,
    collapse: Option<&'a str>,
    duplicates: &'a str,
    drop_self: bool,
    edit_query_ids: &'a [String],
    edit_doc_ids: &'a [String],
    ci: &'a str,
    bootstrap: u64,
    seed: u64,
}

#[derive(Serialize)]
struct JsonRun<'a> {
    #[serde(flatten)]
    file: JsonRunFile<'a>,
    queries: u64,
    missing: Vec<Cow<'a, str>>,
    ignored: u64,
    skipped_lines: u64,
    dropped_copies: u64,
    measures: Map<&'a str, JsonColumn<'a>>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    better_than: Map<&'a str, Vec<&'a str>>,
    slices: Vec<JsonSlice<'a>>,
    #[serde(flatten)]
    extras: JsonExtras<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_query: Option<PerQuery<'a>>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    rankings: Map<Cow<'a, str>, JsonRanking<'a>>,
}

#[derive(Serialize)]
struct JsonSlice<'a> {
    tag: &'a str,
    value: &'a str,
    n: usize,
    measures: Map<&'a str, JsonColumn<'a>>,
}

#[derive(Serialize)]
struct JsonColumn<'a> {
    n: u64,
    mean: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sum: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    level: f64,
    interval: Option<&'a str>,
    zero_share: Option<f64>,
    median: Option<f64>,
    attainable: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    caveat: Option<&'static str>,
}

#[derive(Serialize)]
struct JsonRanking<'a> {
    ids: Vec<Cow<'a, str>>,
    retrieved: u64,
}

/// The values of every query: query, measure, value.
struct PerQuery<'a>(&'a ScoreTable<'a>);

impl Serialize for PerQuery<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values = |row| Values { measures: self.0.measures, row };
        serializer.collect_map(self.0.rows.iter().map(|row| (id_text(row.query), values(row))))
    }
}

/// The values of one query: measure, value.
struct Values<'a> {
    measures: &'a [Measure],
    row: QueryScores<'a>,
}

impl Serialize for Values<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cells = self.measures.iter().zip(self.row.cells());
        serializer.collect_map(cells.map(|(measure, cell)| (measure.label(), cell.value())))
    }
}

/// The conventions by name in a fixed order, values as JSON.
pub fn by_name(found: &Conventions) -> BTreeMap<String, String> {
    let text = serde_json::to_string(&conventions(found)).expect("conventions hold nothing that JSON lacks");
    let values: BTreeMap<String, Box<RawValue>> = serde_json::from_str(&text).expect("an object was written");
    values.into_iter().map(|(name, value)| (name, value.get().to_owned())).collect()
}

fn conventions(conventions: &Conventions) -> JsonConventions<'_> {
    JsonConventions {
        like: conventions.like.as_deref(),
        rel: conventions.rel,
        gain: "linear",
        err_max: conventions.max_grade,
        ties: conventions.ties,
        over: conventions.over,
        no_relevant: conventions.no_relevant,
        average: conventions.average,
        level: conventions.level,
        unit: conventions.unit,
        min_overlap: conventions.min_overlap,
        cut: conventions.cut,
        budget: conventions.budget,
        collapse: conventions.collapse.as_deref(),
        duplicates: conventions.duplicates,
        drop_self: conventions.drop_self,
        edit_query_ids: &conventions.query_id_edits,
        edit_doc_ids: &conventions.document_id_edits,
        ci: conventions.ci,
        bootstrap: conventions.bootstrap,
        seed: conventions.seed,
    }
}

fn labels<'a>(report: &'a Report) -> JsonLabels<'a> {
    let part = &report.labels;
    let left_out = report.runs.first().map(|run| run.table.join.left_out.iter().copied());
    JsonLabels {
        positive_only: Some(part.positive_only),
        skipped_lines: Some(part.file.skipped_lines),
        ..json::labels(part, left_out.into_iter().flatten())
    }
}

fn part<'a>(report: &'a Report, position: usize, run: &'a RunPart, per_query: bool) -> JsonRun<'a> {
    let measures = report.measures;
    let name = |&other: &usize| report.runs[other].name.as_str();
    let beaten = measures.iter().zip(&report.letters);
    let beaten = beaten.map(|(measure, runs)| (measure.label(), runs[position].iter().map(name).collect()));
    let join = &run.table.join;
    let columns = measures.iter().zip(&run.columns).enumerate();
    let columns =
        columns.map(|(index, (measure, found))| (measure.label(), column(found, run.table.attainable[index])));
    JsonRun {
        file: run_file(&run.name, &run.file, run.modified.as_deref()),
        queries: join.queries,
        missing: ids(join.missing.iter().copied()),
        ignored: join.ignored.len() as u64,
        skipped_lines: run.file.skipped_lines,
        dropped_copies: join.dropped_copies,
        measures: Map(columns.collect()),
        better_than: Map(beaten.collect()),
        slices: run.slices.iter().map(|part| slice(measures, part)).collect(),
        extras: json_extras::extras(measures, &run.extras),
        per_query: per_query.then_some(PerQuery(&run.table)),
        rankings: Map(run.rankings.iter().map(|saved| (id_text(&saved.query), ranking(saved))).collect()),
    }
}

fn slice<'a>(measures: &'a [Measure], part: &'a SlicePart) -> JsonSlice<'a> {
    let columns = measures.iter().zip(&part.columns).map(|(measure, found)| (measure.label(), column(found, None)));
    let (tag, value) = (&part.slice.tag, &part.slice.value);
    JsonSlice { tag, value, n: part.queries(), measures: Map(columns.collect()) }
}

fn column(column: &Column, attainable: Option<f64>) -> JsonColumn<'_> {
    let summary = &column.summary;
    let interval = column.interval;
    JsonColumn {
        n: summary.n,
        mean: summary.mean,
        sum: summary.sum,
        low: interval.map(|found| found.interval.low),
        high: interval.map(|found| found.interval.high),
        level: LEVEL,
        interval: interval.map(|found| found.method.name()),
        zero_share: summary.zero_share,
        median: summary.median,
        attainable,
        reason: reason(column),
        caveat: column.caveat.map(|caveat| caveat.reason),
    }
}

/// Why a mean or its interval is null.
fn reason(column: &Column) -> Option<&'static str> {
    match (column.summary.n, column.interval) {
        (0, _) => Some("no query has a value"),
        (1, None) => Some("one query has no interval"),
        (_, None) if column.all_equal => Some("all values are equal: no interval"),
        (_, None) if column.overflows => Some("the values are too large for an interval"),
        _ => None,
    }
}

fn ranking(saved: &SavedRanking) -> JsonRanking<'_> {
    JsonRanking { ids: ids(&saved.ids), retrieved: saved.retrieved }
}
