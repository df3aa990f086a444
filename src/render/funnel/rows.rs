//! The funnel as tidy rows: how many questions are left, the six numbers, abstentions.

use raglens::rag::funnel::Step;

use super::KEPT;
use super::report::Report;
use crate::render::format::TidyRow;

/// Every number of the report in a row of its own.
pub fn rows(report: &Report) -> Vec<TidyRow> {
    let run = &report.frame.runs[0].name;
    let row = |metric: &str, n: u64, value: Option<f64>| TidyRow {
        run: run.clone(),
        metric: metric.to_owned(),
        n,
        value,
        ..TidyRow::default()
    };
    let (funnel, asked) = (&report.funnel, report.funnel.kept[0]);
    let kept = KEPT.iter().zip(funnel.kept).map(|(name, kept)| row(&format!("kept_{name}"), asked, Some(kept as f64)));
    let mut rows: Vec<TidyRow> = kept.collect();
    for (step, name) in KEPT.iter().enumerate().skip(1) {
        rows.push(row(&format!("conditional_{name}"), funnel.kept[step - 1], funnel.conditional(step)));
    }
    rows.extend(Step::ALL.map(|step| row(&format!("lost_{}", step.name()), asked, Some(funnel.lost(step) as f64))));
    rows.push(row("correct_by_luck", asked, Some(funnel.lucky as f64)));
    rows.extend(report.numbers.iter().map(|number| TidyRow {
        low: number.interval.map(|interval| interval.low),
        high: number.interval.map(|interval| interval.high),
        ..row(&number.label, number.n, number.value)
    }));
    let found = &report.abstention;
    let abstained = found.right() + found.wrong();
    rows.extend([
        row("over_refusals", found.answerable, Some(found.over_refusals as f64)),
        row("justified_abstentions", found.answerable, Some(found.justified as f64)),
        row("false_answer_rate", found.unanswerable, found.false_answer_rate()),
        row("abstention_precision", abstained, found.precision()),
        row("abstention_recall", found.unanswerable, found.recall()),
        row("abstention_f1", found.answerable + found.unanswerable, found.f1()),
    ]);
    rows
}
