//! The sentence that answers the question: how good is the run, or which is highest.

use raglens::stats::equivalence::Outcome;

use super::extras;
use super::report::{Column, LEVEL, Report, RunPart, is_count, is_neutral, short_name};
use super::several_runs::main_measures;
use crate::render::Look;
use crate::render::compare::answer::{gates, shares_nothing, stranger};
use crate::render::number::{fixed, percent, queries};
use crate::render::page::Block;

/// The sentence that answers the question, and behind it what the gates do.
pub fn answer(report: &Report, look: &Look) -> Option<Block> {
    let strangers = || report.runs.iter().filter(|run| shares_nothing(&report.notes, &run.name));
    let values = match &report.runs[..] {
        [_] if strangers().count() > 0 => None,
        [run] => extras::answer(run, look).or_else(|| one_run(report, run, look)),
        _ => several_runs(report),
    };
    let strangers = strangers().map(|run| stranger(&run.name));
    let outcomes: Vec<Outcome> = report.gates.iter().map(|gate| gate.outcome).collect();
    let sentences: Vec<String> = values.into_iter().chain(strangers).chain(gates(&outcomes)).collect();
    (!sentences.is_empty()).then(|| Block::Answer(sentences.join(" ")))
}

/// The measure that the answer is about: recall at the first cutoff, else the first one.
pub fn leading(report: &Report) -> Option<usize> {
    let usable = |&index: &usize| {
        let measure = &report.measures[index];
        let shown = |run: &RunPart| run.mean(index).is_some() && run.columns[index].caveat.is_none();
        !is_neutral(measure) && !is_count(measure) && report.runs.iter().all(shown)
    };
    let mut indices = (0..report.measures.len()).filter(usable);
    let is_recall = |&index: &usize| {
        let measure = &report.measures[index];
        measure.definition().name == "recall" && measure.params().cutoff().is_some() && !measure.is_condensed()
    };
    let recall = indices.clone().find(is_recall);
    recall.or_else(|| indices.next())
}

fn one_run(report: &Report, run: &RunPart, look: &Look) -> Option<String> {
    let index = leading(report)?;
    let (measure, column) = (&report.measures[index], &run.columns[index]);
    let mean = column.summary.mean?;
    let is_recall = measure.definition().name == "recall" && report.conventions.is_macro;
    Some(match measure.params().cutoff().filter(|_| is_recall) {
        Some(k) => recall(k, mean, column, report.conventions.items()),
        None => {
            let number = |value: f64| fixed(value, look.digits);
            let none = zeros(column).map_or_else(String::new, |share| format!("; {share} of them score 0"));
            let (label, within, n) = (short_name(measure), within(column, number), queries(column.summary.n));
            format!("{label} is {}{within} over {n}{none}.", number(mean))
        }
    })
}

/// Recall in words.
fn recall(k: u64, mean: f64, column: &Column, items: &str) -> String {
    let first = if k == 1 { "The first result holds".to_owned() } else { format!("The first {k} results hold") };
    let none = zeros(column).map_or_else(String::new, |share| format!("; {share} of the queries get none"));
    let (mean, within) = (percent(mean), within(column, percent));
    format!("{first} {mean} of a query's {items} on average{within}{none}.")
}

/// The interval of a mean in words.
fn within(column: &Column, number: impl Fn(f64) -> String) -> String {
    column.interval.map_or_else(String::new, |found| {
        let (level, low, high) = (percent(LEVEL), number(found.interval.low), number(found.interval.high));
        format!(" ({level} interval {low} to {high})")
    })
}

/// The share of queries at 0, where there is one.
fn zeros(column: &Column) -> Option<String> {
    column.summary.zero_share.filter(|&share| share > 0.0 && column.summary.n > 1).map(percent)
}

/// Which runs are highest on what, and what tells whether that means anything.
fn several_runs(report: &Report) -> Option<String> {
    let caution = "`raglens compare` tests whether that is more than chance.";
    let parts = leaders(report);
    let count = report.runs.len();
    let sentence = match &parts[..] {
        [] => return None,
        [(runs, labels)] if runs.len() == count => {
            let what = if labels.len() == 1 { &labels[0] } else { "any measure shown" };
            return Some(format!("The runs do not differ on {what}."));
        }
        [(runs, labels)] if labels.len() > 1 => {
            let verb = if runs.len() == 1 { "is" } else { "are" };
            format!("{} {verb} highest on every measure shown", listed(report, runs))
        }
        _ => {
            let texts = parts.iter().map(|(runs, labels)| match runs.len() == count {
                true => format!("no difference on {}", labels.join(", ")),
                false => format!("{} on {}", listed(report, runs), labels.join(", ")),
            });
            format!("Highest: {}", texts.collect::<Vec<String>>().join("; "))
        }
    };
    Some(format!("{sentence}; {caution}"))
}

/// The runs that are highest, with the measures on which they are.
fn leaders(report: &Report) -> Vec<(Vec<usize>, Vec<String>)> {
    let mut leaders: Vec<(Vec<usize>, Vec<String>)> = Vec::new();
    for index in main_measures(report) {
        let means: Option<Vec<f64>> = report.runs.iter().map(|run| run.mean(index)).collect();
        let Some(means) = means.filter(|_| !is_neutral(&report.measures[index])) else { continue };
        let highest = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let runs: Vec<usize> = (0..means.len()).filter(|&run| means[run] == highest).collect();
        let label = short_name(&report.measures[index]);
        match leaders.iter_mut().find(|(others, _)| *others == runs) {
            Some((_, labels)) => labels.push(label),
            None => leaders.push((runs, vec![label])),
        }
    }
    leaders
}

/// `a`, `a and b`, `a, b and c`, `4 runs`.
fn listed(report: &Report, runs: &[usize]) -> String {
    let names: Vec<&str> = runs.iter().map(|&run| report.runs[run].name.as_str()).collect();
    match &names[..] {
        [first @ .., last] if (1..3).contains(&first.len()) => format!("{} and {last}", first.join(", ")),
        [name] => (*name).to_owned(),
        names => format!("{} runs", names.len()),
    }
}
