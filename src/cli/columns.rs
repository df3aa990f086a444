//! One measure of one run in a few numbers: mean, interval, median, spread.

use clap::Args;
use raglens::labels::Labels;
use raglens::measure::{Aggregate, Measure};
use raglens::scores::ScoreTable;
use raglens::stats::bootstrap::{BootstrapKind, resample_means};
use raglens::stats::summary::{Histogram, Interval, IntervalMethod, MeanInterval, Range, Spread, ZERO_SPREAD, spread};

use super::words::Words;
use crate::render::eval::report::{Caveat, Column, LEVEL};

/// How intervals are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntervalChoice {
    /// A closed form that fits the values.
    Auto,
    /// Student's t.
    T,
    /// A bootstrap.
    Bootstrap(BootstrapKind),
}

/// The words of `--ci`.
pub static CI: Words<IntervalChoice> = Words(&[
    ("auto", IntervalChoice::Auto, "Wilson's for measures that are 0 or 1, Student's t for others"),
    ("t", IntervalChoice::T, "Student's t, clipped to the range of the measure"),
    ("percentile", IntervalChoice::Bootstrap(BootstrapKind::Percentile), "plain percentiles of bootstrap means"),
    ("bca", IntervalChoice::Bootstrap(BootstrapKind::Bca), "bias-corrected and accelerated bootstrap"),
    ("bootstrap", IntervalChoice::Bootstrap(BootstrapKind::Adjusted), "percentiles with tails for small samples"),
]);

/// Options about the interval of a mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
#[command(next_help_heading = "Intervals")]
pub struct IntervalArgs {
    /// How the 95% interval of a mean is made
    #[arg(long, value_name = "HOW", default_value = "auto", hide_short_help = true, value_parser = CI.parser())]
    pub ci: IntervalChoice,

    /// Number of resamples of a bootstrap interval
    #[arg(long, value_name = "N", default_value_t = 10_000, hide_short_help = true, value_parser = clap::value_parser!(u64).range(100..=10_000_000))]
    pub bootstrap: u64,

    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 0, hide_short_help = true)]
    pub seed: u64,
}

impl IntervalArgs {
    /// The interval of the mean of values with a spread; `None` where all are equal.
    fn interval(&self, values: &[f64], spread: &Spread, range: Range) -> Option<MeanInterval> {
        let kind = match self.ci {
            IntervalChoice::Auto => return spread.mean_interval(LEVEL, range),
            IntervalChoice::T => {
                let interval = spread.student_t(LEVEL, range)?;
                return Some(MeanInterval { interval, method: IntervalMethod::StudentT });
            }
            IntervalChoice::Bootstrap(kind) => kind,
        };
        let means = resample_means(&[values], self.bootstrap, self.seed).ok()?.pop()?;
        Some(MeanInterval { interval: means.interval(kind, LEVEL)?, method: kind.method() })
    }
}

/// A column per measure; `named` are the labels of those that were asked for by name. How values are
/// distributed is found out where it is shown.
pub fn columns(
    table: &ScoreTable,
    labels: &Labels,
    rules: &IntervalArgs,
    named: &[String],
    shows_distribution: bool,
) -> Vec<Column> {
    let positive_only = labels.positive_only();
    let order = table.order_of_ids();
    let column = |index: usize| {
        let measure = &table.measures[index];
        let caveat = caveat(measure).filter(|_| positive_only);
        let is_named = named.iter().any(|label| label == measure.label());
        let caveat = caveat.map(|reason| Caveat { reason, hides: !is_named });
        let values = in_order(table, index, order.as_deref());
        let (histogram, full_share) =
            if shows_distribution { distribution(&values, range(measure)) } else { (None, None) };
        Column { is_named, histogram, full_share, ..summarized(table, index, values, rules, caveat) }
    };
    (0..table.measures.len()).map(column).collect()
}

fn summarized(
    table: &ScoreTable,
    index: usize,
    values: Vec<f64>,
    rules: &IntervalArgs,
    caveat: Option<Caveat>,
) -> Column {
    let measure = &table.measures[index];
    let spread = spread(&values);
    let sd = spread.as_ref().map(Spread::sd);
    let is_mean = measure.definition().aggregate == Aggregate::Mean && table.pooled.is_empty();
    let interval = spread.as_ref().and_then(|spread| rules.interval(&values, spread, range(measure)));
    Column {
        interval: interval.filter(|found| is_mean && is_finite(found.interval)),
        overflows: is_mean && sd.is_some_and(|sd| !sd.is_finite()),
        all_equal: !values.is_empty() && sd.is_none_or(|sd| sd <= ZERO_SPREAD),
        summary: table.summary_of(index, values),
        histogram: None,
        full_share: None,
        caveat,
        is_named: false,
    }
}

/// The values that a measure can take.
fn range(measure: &Measure) -> Range {
    let (low, high) = measure.definition().range;
    Range { low, high }
}

/// How values are distributed and the share of those that are as high as can be, for measures
/// between 0 and 1.
fn distribution(values: &[f64], range: Range) -> (Option<Histogram>, Option<f64>) {
    if range != Range::UNIT {
        return (None, None);
    }
    let full = values.iter().filter(|&&value| value == range.high).count() as f64;
    (Histogram::count(values, range), (!values.is_empty()).then(|| full / values.len() as f64))
}

fn is_finite(interval: Interval) -> bool {
    interval.low.is_finite() && interval.high.is_finite()
}

/// The values of a measure in the order of the query ids, so that no order of lines moves a
/// number.
fn in_order(table: &ScoreTable, index: usize, order: Option<&[u32]>) -> Vec<f64> {
    let mut values = Vec::with_capacity(table.rows.len());
    match order {
        None => values.extend(table.column(index)),
        Some(order) => values.extend(order.iter().filter_map(|&row| table.rows.cell(row as usize, index).value())),
    }
    values
}

/// What a measure says when no document is judged not relevant.
fn caveat(measure: &Measure) -> Option<&'static str> {
    if !measure.needs_judged_non_relevant() {
        return None;
    }
    Some(match measure.definition().name {
        "judged" => "no document is judged not relevant, so this equals precision",
        "bpref" => "no document is judged not relevant, so this equals recall",
        "unjudged" => "no document is judged not relevant, so all that are not relevant are unjudged",
        _ => "no document is judged not relevant, so this approaches 1",
    })
}
