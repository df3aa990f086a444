//! Stages as tidy rows: measures, gains, what could be gained, what was lost.

use raglens::rag::stages::{Fate, Gap};

use super::report::{Report, StagePart};
use crate::render::format::TidyRow;

/// Every number of the report in a row of its own.
pub fn rows(report: &Report) -> Vec<TidyRow> {
    let mut rows: Vec<TidyRow> = report.stages.iter().flat_map(|stage| of_stage(report, stage)).collect();
    let k = report.k;
    for part in &report.lifts {
        let interval = part.found.as_ref().and_then(|found| found.interval);
        rows.push(TidyRow {
            run: report.stages[part.stage].name.clone(),
            metric: format!("lift(recall@{k},{})", report.stages[part.over].name),
            n: part.found.as_ref().map_or(0, |found| found.n as u64),
            value: part.found.as_ref().map(|found| found.difference),
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
            ..TidyRow::default()
        });
    }
    for fate in report.fates() {
        let (stage, metric) = match fate {
            Fate::NeverRetrieved => (report.last(), "never_retrieved".to_owned()),
            Fate::LostAt(stage) => (&report.stages[stage], "lost".to_owned()),
            Fate::BelowCutoff(_) => (report.last(), format!("below_{k}")),
        };
        let (n, value) = (report.relevant, Some(report.lost(fate).len() as f64));
        rows.push(TidyRow { run: stage.name.clone(), metric, n, value, ..TidyRow::default() });
    }
    rows.extend(of_slices(report));
    rows
}

fn of_stage(report: &Report, stage: &StagePart) -> Vec<TidyRow> {
    let row = |metric: &str, n: u64, value: Option<f64>| TidyRow {
        run: stage.name.clone(),
        metric: metric.to_owned(),
        n,
        value,
        ..TidyRow::default()
    };
    let n = report.queries;
    let means = report.measures.iter().zip(&stage.means);
    let mut rows: Vec<TidyRow> = means.map(|(measure, &mean)| row(measure.label(), n, mean)).collect();
    rows.push(row("depth", n, Some(stage.stage.depth as f64)));
    if let Some(latency) = stage.spending.latency {
        rows.push(row("latency_p95_ms", latency.n as u64, Some(latency.p95_ms)));
    }
    if let Some(cost) = stage.spending.cost {
        rows.push(row("cost_mean_usd", cost.n as u64, Some(cost.mean_usd)));
    }
    if let Some(gap) = stage.gap {
        let numbers = gap_numbers(report.k, &gap);
        rows.extend(numbers.into_iter().map(|(metric, value)| row(&metric, n, value)));
    }
    rows
}

fn gap_numbers(k: u64, gap: &Gap) -> Vec<(String, Option<f64>)> {
    vec![
        ("pool_recall".to_owned(), Some(gap.pool)),
        (format!("attainable_recall@{k}"), Some(gap.attainable)),
        (format!("gap_closed@{k}"), gap.closed),
        (format!("gap_closed_attainable@{k}"), gap.closed_attainable),
    ]
}

fn of_slices(report: &Report) -> Vec<TidyRow> {
    let k = report.k;
    let mut rows = Vec::new();
    for part in &report.slices {
        let row = |run: &str, metric: String, value: Option<f64>| TidyRow {
            run: run.to_owned(),
            metric,
            slice: part.slice.name(),
            n: part.slice.members.len() as u64,
            value,
            ..TidyRow::default()
        };
        let recalls = report.stages.iter().zip(&part.recalls);
        rows.extend(recalls.map(|(stage, &recall)| row(&stage.name, format!("recall@{k}"), recall)));
        if let Some(gap) = part.gap {
            let name = &report.last().name;
            rows.extend(gap_numbers(k, &gap).into_iter().map(|(metric, value)| row(name, metric, value)));
        }
    }
    rows
}
