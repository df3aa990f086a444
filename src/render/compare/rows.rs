//! Tidy rows: one a comparison, or with `--list` one a query that changed, as CSV, TSV and JSONL.

use raglens::compare::{Change, Row, changes};
use raglens::id::escaped;
use serde::Serialize;

use super::json::{self, JsonRow, rows};
use super::report::Report;
use super::words;
use crate::render::json::SCHEMA;
use crate::render::number::exact;

/// The columns of a comparison.
const COLUMNS: [&str; 17] = [
    "a",
    "b",
    "metric",
    "slice",
    "n",
    "mean_a",
    "mean_b",
    "diff",
    "low",
    "high",
    "p",
    "p_adjusted",
    "wins",
    "ties",
    "losses",
    "verdict",
    "reason",
];
/// The columns of a query that changed.
const CHANGE_COLUMNS: [&str; 9] =
    ["a", "b", "metric", "query_id", "value_a", "value_b", "diff", "first_relevant_a", "first_relevant_b"];

#[derive(Serialize)]
struct Line<'a> {
    schema: &'static str,
    #[serde(flatten)]
    row: JsonRow<'a>,
}

/// One JSON object a comparison.
pub fn jsonl(report: &Report) -> String {
    let line = |row| {
        let line = Line { schema: SCHEMA, row: json::row(report, row, true) };
        serde_json::to_string(&line).expect("rows hold nothing that JSON lacks") + "\n"
    };
    rows(report).map(line).collect()
}

/// Rows separated by a byte, under a header.
pub fn separated(report: &Report, delimiter: u8) -> String {
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
    let mut write = |record: &[String]| writer.write_record(record).expect("memory takes every record");
    let header = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
    if report.shown.list {
        write(&header(&CHANGE_COLUMNS));
        for row in &report.comparison.rows {
            changes(&report.joined, row).iter().for_each(|change| write(&changed(report, row, change)));
        }
    } else {
        write(&header(&COLUMNS));
        rows(report).for_each(|row| write(&compared(report, row)));
    }
    let bytes = writer.into_inner().expect("memory takes every record");
    String::from_utf8(bytes).expect("records are made of text")
}

fn compared(report: &Report, row: &Row) -> [String; 17] {
    let found = row.found.as_ref();
    let paired = found.map(|found| &found.paired);
    let number = |value: Option<f64>| value.map_or_else(String::new, exact);
    let count = |value: Option<usize>| value.map_or_else(String::new, |count| count.to_string());
    let slice = row.slice.map(|slice| escaped(report.plan.slices[slice].name().as_bytes())).unwrap_or_default();
    let interval = found.and_then(|found| found.interval);
    [
        report.name(row.a).to_owned(),
        report.name(row.b).to_owned(),
        report.label(row.metric).to_owned(),
        slice,
        paired.map_or(0, |paired| paired.n).to_string(),
        number(paired.map(|paired| paired.mean_a)),
        number(paired.map(|paired| paired.mean_b)),
        number(paired.map(|paired| paired.mean_difference)),
        number(interval.map(|found| found.low)),
        number(interval.map(|found| found.high)),
        number(found.map(|found| found.p)),
        number(found.and_then(|found| found.adjusted_p)),
        count(found.map(|found| found.better)),
        count(paired.map(|paired| paired.ties)),
        count(found.map(|found| found.worse)),
        found.and_then(|found| found.verdict).map_or("", |verdict| verdict.word()).to_owned(),
        words::row_reason(found, &report.plan).unwrap_or_default(),
    ]
}

fn changed(report: &Report, row: &Row, change: &Change) -> [String; 9] {
    let rank = |rank: Option<Option<u64>>| rank.flatten().map_or_else(String::new, |rank| rank.to_string());
    [
        report.name(row.a).to_owned(),
        report.name(row.b).to_owned(),
        report.label(row.metric).to_owned(),
        report.joined.queries[change.query].to_string(),
        exact(change.a),
        exact(change.b),
        exact(change.difference),
        rank(change.rank_a),
        rank(change.rank_b),
    ]
}
