//! What stands beside a mean: its spread, its closed-form interval and the shape of the values.
//!
//! Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927),
//! for values that are 0 or 1; Student, "The probable error of a mean", Biometrika 6 (1908), else.

use super::distributions::{normal_upper_quantile, t_upper_quantile};

/// Standard deviations up to this are rounding noise: the values count as all equal.
pub const ZERO_SPREAD: f64 = 1e-12;

/// Number of bins of a [`Histogram`].
pub const BINS: usize = 10;

/// Both ends of a confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

impl Interval {
    /// Whether `value` lies inside or on a limit.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Half of the distance between the limits.
    pub fn half_width(&self) -> f64 {
        0.5 * (self.high - self.low)
    }

    /// The interval of the negated quantity: what swapping the two sides of a comparison makes of it.
    pub fn mirrored(&self) -> Self {
        Self { low: 0.0 - self.high, high: 0.0 - self.low }
    }
}

/// How an interval was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IntervalMethod {
    /// Wilson's score interval for a share.
    Wilson,
    /// Student's t interval for a mean.
    StudentT,
    /// Paired bootstrap percentiles, tails corrected for small samples (Hesterberg 2015).
    Bootstrap,
    /// Paired bootstrap percentiles as they are.
    Percentile,
    /// Bias-corrected and accelerated bootstrap (Efron 1987).
    Bca,
    /// Tango's score interval for a difference of paired shares.
    Tango,
    /// Wald's interval after adding one difference +1 and one -1.
    PlusTwo,
}

impl IntervalMethod {
    /// The name in JSON and in notes under a table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wilson => "wilson",
            Self::StudentT => "t",
            Self::Bootstrap => "bootstrap",
            Self::Percentile => "percentile",
            Self::Bca => "bca",
            Self::Tango => "tango",
            Self::PlusTwo => "plus-two",
        }
    }
}

/// The values a measure can take. Either end may be infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The least possible value.
    pub low: f64,
    /// The largest possible value.
    pub high: f64,
}

impl Range {
    /// From 0 to 1, as most measures.
    pub const UNIT: Self = Self { low: 0.0, high: 1.0 };
    /// No limit on either side.
    pub const UNBOUNDED: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// The width, infinite when an end is.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}

/// The mean of one measure over queries, and what its values look like.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Number of values.
    pub n: u64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Sample standard deviation (divisor n - 1); `None` for a single value.
    pub sd: Option<f64>,
    /// The middle value, or the mean of the two middle ones.
    pub median: f64,
    /// The share of values that are exactly 0.
    pub zero_share: f64,
    /// Whether all values are equal (spread of at most [`ZERO_SPREAD`]).
    pub all_equal: bool,
}

/// Summarizes finite `values`; `None` when there are none.
pub fn summarize(values: &[f64]) -> Option<Summary> {
    let (mean, sd) = (mean(values)?, sample_sd(values));
    Some(Summary {
        n: values.len() as u64,
        mean,
        sd,
        median: median(values)?,
        zero_share: zero_share(values),
        all_equal: sd.is_none_or(|sd| sd <= ZERO_SPREAD),
    })
}

/// The share of values that are exactly 0; NaN of nothing.
pub(crate) fn zero_share(values: &[f64]) -> f64 {
    let zeros = values.iter().filter(|v| **v == 0.0).count();
    zeros as f64 / values.len() as f64
}

/// The arithmetic mean; `None` of nothing. Never -0.0, and finite where the values are.
pub fn mean(values: &[f64]) -> Option<f64> {
    mean_over(values.iter().copied(), values.len())
}

/// The same of so many values.
pub(crate) fn mean_over(values: impl Iterator<Item = f64> + Clone, count: usize) -> Option<f64> {
    let n = count as f64;
    match sum(values.clone()) {
        _ if count == 0 => None,
        total if total.is_finite() => Some(total / n),
        _ => Some(sum(values.map(|value| value / n))),
    }
}

/// A sum that starts at 0.0, so that it is never -0.0.
pub(super) fn sum(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |total, value| total + value)
}

/// The sample standard deviation (divisor n - 1); `None` for fewer than two values.
pub fn sample_sd(values: &[f64]) -> Option<f64> {
    spread(values).map(|spread| spread.sd())
}

/// The mean of two values or more with the sample standard deviation around it, and what else an
/// interval of the mean is made from; [`spread`] finds it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    n: u64,
    mean: f64,
    sd: f64,
    /// How many values are 1; `None` unless all are 0 or 1.
    successes: Option<u64>,
}

/// The spread of values; `None` for fewer than two.
pub fn spread(values: &[f64]) -> Option<Spread> {
    if values.len() < 2 {
        return None;
    }
    let mean = mean(values)?;
    let squares = sum(values.iter().map(|v| (v - mean) * (v - mean)));
    let sd = (squares / (values.len() - 1) as f64).sqrt();
    let successes = is_binary(values).then(|| values.iter().filter(|v| **v == 1.0).count() as u64);
    Some(Spread { n: values.len() as u64, mean, sd, successes })
}

/// The middle value, or the mean of the two middle ones; `None` of nothing.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    median_of_sorted(&sorted)
}

/// The same of values that stand in order.
pub(crate) fn median_of_sorted(sorted: &[f64]) -> Option<f64> {
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    if sorted.len() % 2 == 1 {
        return Some(upper + 0.0);
    }
    Some(0.5 * (sorted[middle - 1] + upper) + 0.0)
}

/// Counts of values in [`BINS`] equally wide bins over a range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Histogram {
    /// The limits of the first and the last bin.
    pub range: Range,
    /// Values per bin; a bin holds its lower limit, the last bin both limits.
    pub counts: [u64; BINS],
}

impl Histogram {
    /// Counts `values`; those outside `range` fall into the nearest bin. `None` unless the range
    /// is finite and not empty.
    pub fn count(values: &[f64], range: Range) -> Option<Self> {
        let width = range.width();
        if !(width.is_finite() && width > 0.0) {
            return None;
        }
        let mut counts = [0; BINS];
        for value in values {
            counts[bin(*value, range)] += 1;
        }
        Some(Self { range, counts })
    }
}

/// The bin of `value`. Multiplying before dividing keeps 0.3 of [0, 1] in bin 3.
fn bin(value: f64, range: Range) -> usize {
    let position = (value - range.low) * BINS as f64 / range.width();
    (position.max(0.0) as usize).min(BINS - 1)
}

/// Whether a confidence level lies between 0 and 1; certainty has no interval.
fn is_level(level: f64) -> bool {
    level > 0.0 && level < 1.0
}

/// Wilson's interval for a share of `successes` among `n` at a two-sided `level` (0.95); `None`
/// when n is 0. Limits lie in [0, 1] and reach 0 and 1 exactly when all values are equal.
pub fn wilson(successes: u64, n: u64, level: f64) -> Option<Interval> {
    if n == 0 || successes > n || !is_level(level) {
        return None;
    }
    let (hits, n) = (successes as f64, n as f64);
    let z = normal_upper_quantile(0.5 * (1.0 - level));
    let center = hits + 0.5 * z * z;
    let spread = z * (hits * (n - hits) / n + 0.25 * z * z).sqrt();
    let low = if hits == 0.0 { 0.0 } else { (center - spread) / (n + z * z) };
    let high = if hits == n { 1.0 } else { (center + spread) / (n + z * z) };
    Some(Interval { low, high })
}

/// Student's t interval for the mean of `values` at a two-sided `level`, clipped to `range`;
/// `None` for fewer than two values, when all are equal, where it would claim certainty, and when
/// they are too large to have a spread.
pub fn student_t(values: &[f64], level: f64, range: Range) -> Option<Interval> {
    spread(values)?.student_t(level, range)
}

/// The interval of a mean and how it was made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanInterval {
    /// The limits.
    pub interval: Interval,
    /// [`IntervalMethod::Wilson`] or [`IntervalMethod::StudentT`].
    pub method: IntervalMethod,
}

/// The closed-form interval beside a mean: Wilson's when every value is 0 or 1, else Student's t
/// clipped to `range`. `None` for fewer than two values and when all values are equal.
pub fn mean_interval(values: &[f64], level: f64, range: Range) -> Option<MeanInterval> {
    spread(values)?.mean_interval(level, range)
}

impl Spread {
    /// The sample standard deviation (divisor n - 1).
    pub fn sd(&self) -> f64 {
        self.sd
    }

    /// As [`student_t`], for the values that have this spread.
    pub fn student_t(&self, level: f64, range: Range) -> Option<Interval> {
        let (Self { mean, sd, .. }, n) = (*self, self.n as f64);
        if sd <= ZERO_SPREAD || !sd.is_finite() || !is_level(level) {
            return None;
        }
        let half = t_upper_quantile(0.5 * (1.0 - level), n - 1.0) * sd / n.sqrt();
        Some(Interval { low: (mean - half).max(range.low), high: (mean + half).min(range.high) })
    }

    /// As [`mean_interval`], for the values that have this spread.
    pub fn mean_interval(&self, level: f64, range: Range) -> Option<MeanInterval> {
        Some(self).filter(|spread| spread.sd > ZERO_SPREAD)?;
        let (interval, method) = match self.successes {
            Some(successes) => (wilson(successes, self.n, level), IntervalMethod::Wilson),
            None => (self.student_t(level, range), IntervalMethod::StudentT),
        };
        Some(MeanInterval { interval: interval?, method })
    }
}

/// Whether every value is 0 or 1.
pub fn is_binary(values: &[f64]) -> bool {
    values.iter().all(|v| *v == 0.0 || *v == 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    #[test]
    fn summary_of_four_values() {
        let summary = summarize(&[0.0, 1.0, 0.5, 0.0]).unwrap();
        assert_eq!(summary.n, 4);
        assert_eq!(summary.mean, 0.375);
        assert_eq!(summary.median, 0.25);
        assert_eq!(summary.zero_share, 0.5);
        // squares 9/64 + 25/64 + 1/64 + 9/64 = 44/64, divided by 3
        assert_relative_eq!(summary.sd.unwrap(), (44.0f64 / 192.0).sqrt());
        assert!(!summary.all_equal);
    }

    #[test]
    fn nothing_has_no_summary_and_one_value_no_spread() {
        assert_eq!(summarize(&[]), None);
        let one = summarize(&[0.5]).unwrap();
        assert_eq!((one.sd, one.median, one.all_equal), (None, 0.5, true));
    }

    #[test]
    fn sums_are_never_negative_zero() {
        assert!(mean(&[-0.0, -0.0]).unwrap().is_sign_positive());
        assert!(median(&[-0.0]).unwrap().is_sign_positive());
        assert!(sum(std::iter::empty()).is_sign_positive());
    }

    #[test]
    fn wilson_of_a_judge() {
        // 54 of 60: rates of a worked example, 0.900 in [0.799, 0.953]
        let interval = wilson(54, 60, 0.95).unwrap();
        assert_relative_eq!(interval.low, 0.798_514, epsilon = 5e-4);
        assert_relative_eq!(interval.high, 0.953_35, epsilon = 5e-4);
    }

    #[test]
    fn wilson_reaches_the_ends_only_there() {
        assert_eq!(wilson(0, 5, 0.95).unwrap().low, 0.0);
        assert_eq!(wilson(5, 5, 0.95).unwrap().high, 1.0);
        // 5 of 5: the lower limit is n / (n + z^2)
        assert_relative_eq!(wilson(5, 5, 0.95).unwrap().low, 5.0 / (5.0 + 3.841_458_820_694_124));
        assert_eq!(wilson(0, 0, 0.95), None);
        assert_eq!(wilson(2, 5, 1.0), None);
    }

    #[test]
    fn t_interval_of_two_values_is_clipped() {
        // sd is 1/2 over sqrt 2, its standard error 1/4, and t(0.975; 1) is 12.7062
        assert_eq!(student_t(&[0.25, 0.75], 0.95, Range::UNIT), Some(Interval { low: 0.0, high: 1.0 }));
        let wide = student_t(&[0.25, 0.75], 0.95, Range::UNBOUNDED).unwrap();
        assert_relative_eq!(wide.high, 0.5 + 0.25 * 12.706_204_736_174_7, max_relative = 1e-12);
    }

    #[test]
    fn equal_values_have_no_interval() {
        assert_eq!(student_t(&[0.1; 6], 0.95, Range::UNIT), None);
        assert_eq!(mean_interval(&[1.0; 6], 0.95, Range::UNIT), None);
        assert_eq!(mean_interval(&[1.0], 0.95, Range::UNIT), None);
    }

    #[test]
    fn zeros_and_ones_take_wilson() {
        let binary = mean_interval(&[0.0, 1.0, 1.0], 0.95, Range::UNIT).unwrap();
        assert_eq!(binary.method, IntervalMethod::Wilson);
        let graded = mean_interval(&[0.0, 0.5, 1.0], 0.95, Range::UNIT).unwrap();
        assert_eq!(graded.method, IntervalMethod::StudentT);
    }

    #[test]
    fn histogram_keeps_limits_in_their_bins() {
        let histogram = Histogram::count(&[0.0, 0.3, 0.999, 1.0, 1.0], Range::UNIT).unwrap();
        assert_eq!(histogram.counts, [1, 0, 0, 1, 0, 0, 0, 0, 0, 3]);
        assert_eq!(Histogram::count(&[1.0], Range::UNBOUNDED), None);
    }
}
