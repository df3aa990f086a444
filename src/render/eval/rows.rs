//! Tidy rows: one a measure, or one a query and measure, as CSV, TSV and JSONL.

use std::borrow::Cow;

use raglens::id::{Id, shown};
use serde::Serialize;

use super::json::{SCHEMA, id_text};
use super::report::Report;
use crate::render::indent::to_line;
use crate::render::number::exact;

/// A mean.
#[derive(Serialize)]
struct MeanRow<'a> {
    schema: &'static str,
    run: &'a str,
    metric: &'a str,
    slice: Option<String>,
    n: u64,
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

/// The value of one query.
#[derive(Serialize)]
struct QueryRow<'a> {
    schema: &'static str,
    run: &'a str,
    query_id: Cow<'a, str>,
    metric: &'a str,
    value: Option<f64>,
}

/// One JSON object a line: the means, and with `--per-query` the values of every query instead.
pub fn jsonl(report: &Report) -> String {
    match report.shown.per_query {
        true => lines(query_rows(report, id_text)),
        false => lines(mean_rows(report)),
    }
}

/// Rows separated by a byte, under a header.
pub fn separated(report: &Report, delimiter: u8) -> String {
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
    let mut write = |record: &[&str]| writer.write_record(record).expect("memory takes every record");
    let text = |value: Option<f64>| value.map_or_else(String::new, exact);
    if report.shown.per_query {
        write(&["run", "query_id", "metric", "value"]);
        for row in query_rows(report, |id| shown(id.as_bytes()).into()) {
            write(&[row.run, &row.query_id, row.metric, &text(row.value)]);
        }
    } else {
        write(&["run", "metric", "slice", "n", "value", "low", "high"]);
        for row in mean_rows(report) {
            let numbers = [row.value, row.low, row.high].map(text);
            let slice = row.slice.unwrap_or_default();
            write(&[row.run, row.metric, &slice, &row.n.to_string(), &numbers[0], &numbers[1], &numbers[2]]);
        }
    }
    let bytes = writer.into_inner().expect("memory takes every record");
    String::from_utf8(bytes).expect("records are made of text")
}

fn mean_rows<'a>(report: &'a Report) -> impl Iterator<Item = MeanRow<'a>> {
    report.runs.iter().flat_map(move |run| {
        let slices = run.slices.iter().map(|part| (Some(part.slice.name()), &part.columns));
        let columns = std::iter::once((None, &run.columns)).chain(slices);
        let columns = columns.flat_map(|(slice, columns)| {
            report.measures.iter().zip(columns).map(move |(measure, column)| (slice.clone(), measure, column))
        });
        columns.map(move |(slice, measure, column)| MeanRow {
            schema: SCHEMA,
            run: &run.name,
            metric: measure.label(),
            slice,
            n: column.summary.n,
            value: column.summary.sum.or(column.summary.mean),
            low: column.interval.map(|found| found.interval.low),
            high: column.interval.map(|found| found.interval.high),
        })
    })
}

/// A row for each value of each query, whose id is written by `name`.
fn query_rows<'a>(report: &'a Report, name: fn(&'a Id) -> Cow<'a, str>) -> impl Iterator<Item = QueryRow<'a>> {
    report.runs.iter().flat_map(move |run| {
        run.table.rows.iter().flat_map(move |row| {
            report.measures.iter().zip(&row.cells).map(move |(measure, cell)| QueryRow {
                schema: SCHEMA,
                run: &run.name,
                query_id: name(&row.query),
                metric: measure.label(),
                value: cell.value(),
            })
        })
    })
}

fn lines(rows: impl Iterator<Item = impl Serialize>) -> String {
    rows.map(|row| to_line(&row)).collect()
}
