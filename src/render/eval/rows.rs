//! Tidy rows: one a measure, or one a query and measure, as CSV, TSV and JSONL.

use std::borrow::Cow;

use raglens::id::{escaped, shown};
use serde::Serialize;

use super::report::{Conventions, Report, RunPart};
use crate::render::indent::to_lines;
use crate::render::json::{SCHEMA, id_text};
use crate::render::number::{exact, push_exact};

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
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    unit: Option<UnitColumns<'a>>,
}

/// In what unit a row was measured, where it is not by ids in full.
#[derive(Clone, Copy, Serialize)]
struct UnitColumns<'a> {
    unit: &'a str,
    min_overlap: Option<f64>,
    cut: Option<&'a str>,
    budget: Option<u64>,
}

impl<'a> UnitColumns<'a> {
    const NAMES: [&'static str; 4] = ["unit", "min_overlap", "cut", "budget"];

    /// The unit of the tables; `None` where results are measured by ids in full.
    fn of(used: &'a Conventions) -> Option<Self> {
        let Conventions { unit, level, min_overlap, cut, budget, .. } = *used;
        // With both units asked for, the measures are those of chunks or passages.
        let unit = if unit == "both" { level } else { unit };
        (unit != "id" || budget.is_some()).then_some(Self { unit, min_overlap, cut, budget })
    }

    fn texts(&self) -> [String; 4] {
        let number = |value: Option<f64>| value.map_or_else(String::new, exact);
        let budget = self.budget.map_or_else(String::new, |tokens| tokens.to_string());
        [self.unit.to_owned(), number(self.min_overlap), self.cut.unwrap_or_default().to_owned(), budget]
    }
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
        true => to_lines(query_rows(report)),
        false => to_lines(mean_rows(report)),
    }
}

/// Rows separated by a byte, under a header: the means, or with `--per-query` the values.
pub fn separated(report: &Report, delimiter: u8) -> String {
    match report.shown.per_query {
        true => separated_values(report, delimiter),
        false => separated_means(report, delimiter),
    }
}

fn separated_means(report: &Report, delimiter: u8) -> String {
    let text = |value: Option<f64>| value.map_or_else(String::new, exact);
    let mut names = vec!["run", "metric", "slice", "n", "value", "low", "high"];
    names.extend(UnitColumns::of(&report.conventions).iter().flat_map(|_| UnitColumns::NAMES));
    let mut lines = record(&names, delimiter);
    for row in mean_rows(report) {
        let numbers = [row.value, row.low, row.high].map(text);
        let unit = row.unit.map(|unit| unit.texts());
        let (slice, n) = (escaped(row.slice.unwrap_or_default().as_bytes()), row.n.to_string());
        let mut fields = vec![row.run, row.metric, &slice, &n, &numbers[0], &numbers[1], &numbers[2]];
        fields.extend(unit.iter().flatten().map(String::as_str));
        lines.push_str(&record(&fields, delimiter));
    }
    lines
}

/// A row for each value of each query. All that can need quotes is the same in many rows and is
/// written once; numbers never do.
fn separated_values(report: &Report, delimiter: u8) -> String {
    let leading = |fields: &[&str]| {
        // What stands before the last field of a record.
        let mut text = record(&[fields, &["0"]].concat(), delimiter);
        text.truncate(text.len() - "0\n".len());
        text
    };
    let metrics: Vec<String> = report.measures.iter().map(|measure| leading(&[measure.label()])).collect();
    let mut lines = record(&["run", "query_id", "metric", "value"], delimiter);
    for run in &report.runs {
        for row in run.table.rows.iter() {
            let query = leading(&[&run.name, &shown(row.query.as_bytes())]);
            for (metric, cell) in metrics.iter().zip(row.cells()) {
                lines.push_str(&query);
                lines.push_str(metric);
                if let Some(value) = cell.value() {
                    push_exact(&mut lines, value);
                }
                lines.push('\n');
            }
        }
    }
    lines
}

/// A line of fields, in quotes where they need them.
fn record(fields: &[&str], delimiter: u8) -> String {
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
    writer.write_record(fields).expect("memory takes every record");
    let bytes = writer.into_inner().expect("memory takes every record");
    String::from_utf8(bytes).expect("records are made of text")
}

fn mean_rows<'a>(report: &'a Report) -> impl Iterator<Item = MeanRow<'a>> {
    let unit = UnitColumns::of(&report.conventions);
    report.runs.iter().flat_map(move |run| {
        let slices = run.slices.iter().map(|part| (Some(part.slice.name()), &part.columns));
        let columns = std::iter::once((None, &run.columns)).chain(slices);
        let columns = columns.flat_map(|(slice, columns)| {
            report.measures.iter().zip(columns).map(move |(measure, column)| (slice.clone(), measure, column))
        });
        let rows = columns.map(move |(slice, measure, column)| MeanRow {
            schema: SCHEMA,
            run: &run.name,
            metric: measure.label(),
            slice,
            n: column.summary.n,
            value: column.summary.value(),
            low: column.interval.map(|found| found.interval.low),
            high: column.interval.map(|found| found.interval.high),
            unit,
        });
        rows.chain(unit.into_iter().flat_map(move |unit| other_units(report, run, unit)))
    })
}

/// The means by labels of documents, and with the other values of `--min-overlap`.
fn other_units<'a>(
    report: &'a Report,
    run: &'a RunPart,
    unit: UnitColumns<'a>,
) -> impl Iterator<Item = MeanRow<'a>> + use<'a> {
    let row = move |metric, n, value, unit| {
        let (schema, run, unit) = (SCHEMA, run.name.as_str(), Some(unit));
        MeanRow { schema, run, metric, slice: None, n, value, low: None, high: None, unit }
    };
    let documents = run.extras.optimism.iter().flat_map(|optimism| &optimism.rows).map(move |(label, found)| {
        row(label.as_str(), found.n, Some(found.mean.document), UnitColumns { unit: "doc", min_overlap: None, ..unit })
    });
    let sweep = run.extras.sweep.iter().skip(1).flat_map(move |found| {
        let means = report.measures.iter().zip(&run.columns).zip(&found.means);
        let unit = UnitColumns { min_overlap: Some(found.min_overlap), ..unit };
        means.map(move |((measure, column), &mean)| row(measure.label(), column.summary.n, mean, unit))
    });
    documents.chain(sweep)
}

/// A row for each value of each query.
fn query_rows<'a>(report: &'a Report) -> impl Iterator<Item = QueryRow<'a>> {
    report.runs.iter().flat_map(move |run| {
        run.table.rows.iter().flat_map(move |row| {
            report.measures.iter().zip(row.cells()).map(move |(measure, cell)| QueryRow {
                schema: SCHEMA,
                run: &run.name,
                query_id: id_text(row.query),
                metric: measure.label(),
                value: cell.value(),
            })
        })
    })
}
