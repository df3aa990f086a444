//! Remarks under the tables: what is open, missing, skipped, or cannot be shown.

use raglens::measure::{Measure, Needs};

use super::report::{ALPHA, Report, RunPart, row_name, short_name};
use super::several_runs::has_widths;
use crate::render::Look;
use crate::render::number::{counted, exact, fixed, queries};
use crate::render::page::Block;

/// An attainable mean below this explains why a number is low.
const EXPLAINS: f64 = 0.8;

/// Remarks under the tables of one run: what is open, where n differs, what is attainable, what
/// cannot be shown.
pub fn of_one(report: &Report, run: &RunPart, look: &Look) -> Option<Block> {
    let notes = [
        without_value(report, run),
        open_rbp(report, run, look),
        attainable(report, run, look),
        differing_n(report, run),
        hidden(report, run),
    ];
    let notes: Vec<String> = notes.into_iter().flatten().chain(skipped(report)).collect();
    (!notes.is_empty()).then_some(Block::Footnotes(notes))
}

/// Remarks under the table of several runs: what its last line means, and those about the runs.
pub fn of_several(report: &Report, look: &Look) -> Option<Block> {
    let widest = format!("{}: half of the widest 95% interval of the column", look.signs.plus_minus());
    let widest = has_widths(report).then_some(widest);
    let notes: Vec<String> = widest.into_iter().chain(about_several(report)).collect();
    (!notes.is_empty()).then_some(Block::Footnotes(notes))
}

/// Remarks about the scores of several runs, however they are laid out: what letters mean, what is
/// missing in one of the runs.
pub fn about_several(report: &Report) -> Vec<String> {
    let missing = report.runs.iter().filter(|run| !run.table.join.missing.is_empty()).map(|run| {
        let count = queries(run.table.join.missing.len() as u64);
        format!("{} does not answer {count}", run.name)
    });
    let letters = format!(
        "letters: better than that run, paired randomization test, two-sided, Holm over all pairs of a column, p < {}",
        exact(ALPHA)
    );
    let letters = (!report.letters.is_empty()).then_some(letters);
    letters.into_iter().chain(numbers_of_queries(report)).chain(missing).chain(skipped(report)).collect()
}

/// How many faulty rows of each file are not in the numbers.
fn skipped(report: &Report) -> impl Iterator<Item = String> {
    let files = report.files().into_iter().filter(|file| file.skipped_lines > 0);
    files.map(|file| format!("{} of {}: left out as faulty", counted(file.skipped_lines, "row", "rows"), file.path))
}

/// Between what and what rbp lies, whatever the unjudged results are.
fn open_rbp(report: &Report, run: &RunPart, look: &Look) -> Option<String> {
    let range = |index: usize| {
        let rbp = run.mean(index)?;
        let mean_of = |tail: bool| report.residual_of(index, tail).and_then(|index| run.mean(index));
        let residual = mean_of(false)?;
        let number = |value: f64| fixed(value, look.digits);
        let tail = mean_of(true).map_or_else(String::new, |tail| format!(" (tail {})", number(tail)));
        let [residual, low, high] = [residual, rbp, (rbp + residual).min(1.0)].map(number);
        let label = report.measures[index].label();
        Some(format!("{label} has a residual of {residual}{tail}: with every label it would be {low} to {high}"))
    };
    let texts: Vec<String> = (0..report.measures.len()).filter_map(range).collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// The measures whose number of queries is not that of the header.
fn differing_n(report: &Report, run: &RunPart) -> Option<String> {
    let mut groups: Vec<(u64, Vec<&Measure>)> = Vec::new();
    for (measure, column) in report.measures.iter().zip(&run.columns) {
        let n = column.summary.n;
        if column.caveat.is_some_and(|caveat| caveat.hides) {
            continue;
        }
        match groups.iter_mut().find(|(other, _)| *other == n) {
            _ if n == run.scored() || n == 0 => {}
            Some((_, measures)) => measures.push(measure),
            None => groups.push((n, vec![measure])),
        }
    }
    let text = |(n, measures): &(u64, Vec<&Measure>)| {
        let names: Vec<String> = measures.iter().map(|measure| short_name(measure)).collect();
        format!("n = {n} for {}{}", names.join(", "), why(run, *n, measures))
    };
    let texts: Vec<String> = groups.iter().map(text).collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// Why measures have no value for some queries, where it is that they have no results: only one
/// that describes the list has none for such a query, the others lack something in the labels.
fn why(run: &RunPart, n: u64, measures: &[&Measure]) -> String {
    let of_list = measures.iter().all(|measure| measure.needs() == Needs::Query);
    let missing = run.table.join.missing.len() as u64;
    let has = if missing == 1 { "has" } else { "have" };
    match of_list && missing > 0 && n + missing == run.scored() {
        true => format!(" ({} {has} no results)", queries(missing)),
        false => String::new(),
    }
}

/// How many queries each run is averaged over, where that differs.
fn numbers_of_queries(report: &Report) -> Option<String> {
    let first = report.runs.first()?.scored();
    let differ = report.runs.iter().any(|run| run.scored() != first);
    let parts: Vec<String> = report.runs.iter().map(|run| format!("{} {}", run.name, run.scored())).collect();
    differ.then(|| format!("number of queries: {}", parts.join(", ")))
}

/// Why some measures have no value at all.
fn without_value(report: &Report, run: &RunPart) -> Option<String> {
    let without = run.columns.iter().filter(|column| column.summary.n == 0).count();
    let rel = exact(report.conventions.rel);
    (without > 0).then(|| format!("n/a: no query counts; `--rel` ({rel} here) and rel= set the grade that is relevant"))
}

/// The measures that stand as n/a, with the reason.
fn hidden(report: &Report, run: &RunPart) -> Option<String> {
    let columns = report.measures.iter().zip(&run.columns);
    let hidden = columns.filter(|(_, column)| column.caveat.is_some_and(|caveat| caveat.hides));
    let mut names: Vec<String> = hidden.map(|(measure, _)| row_name(measure)).collect();
    names.dedup();
    let reason = "need documents judged not relevant (grade 0), and the labels hold none";
    (!names.is_empty()).then(|| format!("n/a: {} {reason}", names.join(", ")))
}

/// How high a mean could be, where that explains a low number.
fn attainable(report: &Report, run: &RunPart, look: &Look) -> Option<String> {
    let columns = report.measures.iter().zip(&run.columns);
    let best = columns.filter_map(|(measure, column)| {
        let best = column.summary.attainable.filter(|&best| best < EXPLAINS)?;
        Some(format!("{} {}", short_name(measure), fixed(best, look.digits)))
    });
    let texts: Vec<String> = best.collect();
    (!texts.is_empty()).then(|| format!("attainable with these labels: {}", texts.join(", ")))
}
