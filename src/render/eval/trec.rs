//! The layout of trec_eval: name, query, value, separated by tabs.

use raglens::measure::Measure;
use raglens::scores::QueryScores;

use super::report::{Report, RunPart, is_count};
use crate::render::number::{exact, fixed};

/// All runs one after the other; a `runid` line tells several apart.
pub fn render(report: &Report) -> String {
    let several = report.runs.len() > 1;
    report.runs.iter().map(|run| one_run(report, run, several)).collect()
}

fn one_run(report: &Report, run: &RunPart, with_name: bool) -> String {
    let mut text = String::new();
    if with_name {
        text.push_str(&line("runid", "all", &run.name));
    }
    if report.shown.per_query {
        let mut rows: Vec<&QueryScores> = run.table.rows.iter().collect();
        rows.sort_by(|a, b| a.query.cmp(&b.query));
        text.extend(rows.iter().map(|row| query(report.measures, row)));
    }
    for (measure, column) in report.measures.iter().zip(&run.columns) {
        if let Some(value) = column.summary.sum.or(column.summary.mean) {
            text.push_str(&line(&measure.trec_label(), "all", &number(measure, value)));
        }
    }
    text
}

fn query(measures: &[Measure], row: &QueryScores) -> String {
    let query = row.query.to_string();
    let cells = measures.iter().zip(&row.cells);
    let lines =
        cells.filter_map(|(measure, cell)| Some(line(&measure.trec_label(), &query, &number(measure, cell.value()?))));
    lines.collect()
}

fn number(measure: &Measure, value: f64) -> String {
    if is_count(measure) { exact(value) } else { format!("{:>6}", fixed(value, 4)) }
}

fn line(name: &str, query: &str, value: &str) -> String {
    format!("{name:<22}\t{query}\t{value}\n")
}
