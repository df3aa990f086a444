//! The layout of trec_eval for the runs of an evaluation.

use raglens::measure::Measure;
use raglens::scores::QueryScores;

use super::report::{Report, RunPart, is_count};
use crate::render::trec::{Value, line};

/// All runs one after the other; a `runid` line tells several apart.
pub fn render(report: &Report) -> String {
    let several = report.runs.len() > 1;
    let names: Vec<String> = report.measures.iter().map(Measure::trec_label).collect();
    let mut text = String::new();
    for run in &report.runs {
        if several {
            line(&mut text, "runid", "all", Value::Text(&run.name));
        }
        one_run(&mut text, report, run, &names);
    }
    text
}

fn one_run(text: &mut String, report: &Report, run: &RunPart, names: &[String]) {
    let named = || names.iter().zip(report.measures);
    if report.shown.per_query {
        let mut rows: Vec<QueryScores> = run.table.rows.iter().collect();
        rows.sort_by_key(|row| row.query);
        for row in rows {
            let query = row.query.to_string();
            for ((name, measure), cell) in named().zip(row.cells()) {
                if let Some(number) = cell.value() {
                    line(text, name, &query, value(measure, number));
                }
            }
        }
    }
    for ((name, measure), column) in named().zip(&run.columns) {
        if let Some(number) = column.summary.value() {
            line(text, name, "all", value(measure, number));
        }
    }
}

fn value(measure: &Measure, number: f64) -> Value<'static> {
    if is_count(measure) { Value::Count(number) } else { Value::Number(number) }
}
