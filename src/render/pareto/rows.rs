//! Runs by quality and price as tidy rows.

use raglens::rag::pareto::Standing;

use super::report::Report;
use crate::render::format::TidyRow;

/// Every number of the report in a row of its own; `frontier` is 1 for the runs on it.
pub fn rows(report: &Report) -> Vec<TidyRow> {
    let mut rows = Vec::new();
    for (index, placed) in report.placed.iter().enumerate() {
        let row = |metric: &str, n: u64, value: Option<f64>| TidyRow {
            run: placed.name.clone(),
            metric: metric.to_owned(),
            n,
            value,
            ..TidyRow::default()
        };
        rows.push(row(report.measure.label(), report.queries, placed.quality));
        if let Some(latency) = placed.spending.latency {
            rows.push(row("latency_p95_ms", latency.n as u64, Some(latency.p95_ms)));
        }
        if let Some(cost) = placed.spending.cost {
            rows.push(row("cost_mean_usd", cost.n as u64, Some(cost.mean_usd)));
        }
        let is_on = match report.standings[index] {
            Standing::Frontier => Some(1.0),
            Standing::Dominated(_) => Some(0.0),
            Standing::Unknown => None,
        };
        rows.push(row("frontier", report.queries, is_on));
        if let Some(gain) = &report.gains[index] {
            let (interval, label) = (gain.lift.interval, report.measure.label());
            let metric = format!("lift({label},{})", report.placed[gain.over].name);
            rows.push(TidyRow {
                low: interval.map(|interval| interval.low),
                high: interval.map(|interval| interval.high),
                ..row(&metric, gain.lift.n as u64, Some(gain.lift.difference))
            });
        }
    }
    rows
}
