//! The paired bootstrap interval of a mean difference.
//!
//! Queries are drawn with replacement (Efron 1979); the interval lies between two order
//! statistics of the resampled means. By default the tails are those of Hesterberg, "What teachers
//! should know about the bootstrap", The American Statistician 69 (2015), which makes up for the
//! narrowness of plain percentiles in small samples. BCa: Efron, "Better bootstrap confidence
//! intervals", JASA 82 (1987).

use rayon::prelude::*;

use super::columns::{UnequalColumns, equally_long, queries};
use super::distributions::{normal_upper, normal_upper_quantile, t_upper_quantile};
use super::lattice::Quantized;
use super::random::{Purpose, Stream, index_below};
use super::summary::{Interval, IntervalMethod, ZERO_SPREAD, mean, sample_sd, sum};

/// Which order statistics of the resampled means bound the interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BootstrapKind {
    /// Percentiles with the tail of a t distribution of n - 1 degrees of freedom.
    #[default]
    Adjusted,
    /// Plain percentiles.
    Percentile,
    /// Bias-corrected and accelerated.
    Bca,
}

impl BootstrapKind {
    /// The method to name beside the interval.
    pub fn method(self) -> IntervalMethod {
        match self {
            Self::Adjusted => IntervalMethod::Bootstrap,
            Self::Percentile => IntervalMethod::Percentile,
            Self::Bca => IntervalMethod::Bca,
        }
    }
}

/// The means of resampled differences, sorted, from which every kind of interval is read.
#[derive(Debug, Clone, PartialEq)]
pub struct ResampledMeans {
    /// Sums of the resampled integers, ascending.
    sums: Vec<i64>,
    /// The sum of the data in the same units.
    observed: i64,
    /// Units of a sum that make a mean of 1.
    units: f64,
    n: usize,
    spread: Option<f64>,
    acceleration: Option<f64>,
}

/// Draws `resamples` (at least 1) means of `differences`, which must not be empty.
pub fn resample_mean(differences: &[f64], resamples: u64, seed: u64) -> ResampledMeans {
    resample_equally_long(&[differences], resamples, seed).remove(0)
}

/// Draws means of each column of differences, with one set of queries for all of them.
pub fn resample_means(columns: &[&[f64]], resamples: u64, seed: u64) -> Result<Vec<ResampledMeans>, UnequalColumns> {
    queries(columns)?;
    Ok(resample_equally_long(columns, resamples, seed))
}

/// The intervals of columns of differences at a two-sided `level`, each as [`resample_mean`] alone
/// gives it. Columns over equally many queries are resampled together, some at a time, so that
/// what is drawn does not pile up in memory.
pub fn resampled_intervals(
    columns: &[&[f64]],
    kind: BootstrapKind,
    level: f64,
    resamples: u64,
    seed: u64,
) -> Vec<Option<Interval>> {
    let lengths: Vec<usize> = columns.iter().map(|column| column.len()).collect();
    let of_group = |group: Vec<usize>| {
        let together: Vec<&[f64]> = group.iter().map(|&index| columns[index]).collect();
        let means = resample_equally_long(&together, resamples, seed);
        let intervals = means.iter().map(|means| means.interval(kind, level)).collect::<Vec<Option<Interval>>>();
        group.into_iter().zip(intervals).collect::<Vec<_>>()
    };
    let found: Vec<_> = equally_long(&lengths, LANES).into_par_iter().map(of_group).collect();
    let mut intervals = vec![None; columns.len()];
    found.into_iter().flatten().for_each(|(index, interval)| intervals[index] = interval);
    intervals
}

fn resample_equally_long(columns: &[&[f64]], resamples: u64, seed: u64) -> Vec<ResampledMeans> {
    let n = columns.first().map_or(0, |column| column.len());
    let quantized: Vec<Quantized> = columns.iter().map(|column| Quantized::new(column)).collect();
    let sums = draw(&quantized, n, resamples, seed);
    let column = |j: usize| every(&sums, j, columns.len());
    let means = |j: usize| ResampledMeans::new(columns[j], &quantized[j], column(j));
    (0..columns.len()).into_par_iter().map(means).collect()
}

/// The sum of every column in the first resample, then in the second, and so on.
fn draw(columns: &[Quantized], n: usize, resamples: u64, seed: u64) -> Vec<i64> {
    let groups: Vec<Summation> = columns.chunks(LANES).map(summation).collect();
    let stream = Stream::new(seed, Purpose::Bootstrap);
    let blocks = stream.map_blocks(resamples.max(1), |mut block| {
        let mut words = vec![[0; 4]; n];
        let mut sums = Vec::with_capacity(block.resamples * columns.len());
        for _ in 0..block.resamples {
            block.fill(words.as_flattened_mut());
            groups.iter().for_each(|summation| summation(&words, &mut sums));
        }
        sums
    });
    blocks.concat()
}

fn every(sums: &[i64], first: usize, step: usize) -> Vec<i64> {
    sums.iter().skip(first).step_by(step).copied().collect()
}

/// Columns whose values stand side by side: as many integers as a line of a cache holds.
const LANES: usize = 8;

/// Appends the sum of each of some columns over the queries that random words choose.
type Summation<'a> = Box<dyn Fn(&[[u8; 4]], &mut Vec<i64>) + Sync + 'a>;

/// The sums of at most [`LANES`] columns. Several take hardly longer than two.
fn summation(columns: &[Quantized]) -> Summation<'_> {
    match columns {
        [_] => side_by_side::<1>(columns),
        _ => side_by_side::<LANES>(columns),
    }
}

fn side_by_side<const N: usize>(columns: &[Quantized]) -> Summation<'_> {
    let value = |query: usize, lane: usize| columns.get(lane).map_or(0, |column| column.values[query]);
    let queries = 0..columns[0].values.len();
    let lines: Vec<[i64; N]> = queries.map(|query| std::array::from_fn(|lane| value(query, lane))).collect();
    Box::new(move |words, sums| {
        let mut totals = [0; N];
        for word in words {
            let line = &lines[index_below(lines.len(), *word)];
            totals.iter_mut().zip(line).for_each(|(total, value)| *total += value);
        }
        sums.extend(&totals[..columns.len()]);
    })
}

impl ResampledMeans {
    fn new(differences: &[f64], quantized: &Quantized, mut sums: Vec<i64>) -> Self {
        sums.sort_unstable();
        Self {
            sums,
            observed: quantized.sum(),
            units: quantized.scale * differences.len().max(1) as f64,
            n: differences.len(),
            spread: sample_sd(differences),
            acceleration: acceleration(differences),
        }
    }

    /// The interval at a two-sided `level`; `None` for a single query and when all differences
    /// are equal, where every resample is the same and the interval would claim certainty.
    pub fn interval(&self, kind: BootstrapKind, level: f64) -> Option<Interval> {
        if self.spread? <= ZERO_SPREAD {
            return None;
        }
        let tail = 0.5 * (1.0 - level);
        match kind {
            BootstrapKind::Percentile => Some(self.between(tail, tail)),
            BootstrapKind::Adjusted => {
                let tail = adjusted_tail(self.n, tail)?;
                Some(self.between(tail, tail))
            }
            BootstrapKind::Bca => self.bca(tail),
        }
    }

    /// The order statistics that leave `below` and `above` of the resampled means outside.
    pub fn between(&self, below: f64, above: f64) -> Interval {
        let last = self.sums.len() - 1;
        Interval { low: self.mean(self.cut(below)), high: self.mean(last - self.cut(above)) }
    }

    /// How many of the resampled means `tail` leaves out.
    fn cut(&self, tail: f64) -> usize {
        let count = (self.sums.len() as f64 * tail + 1e-9).floor();
        (count as usize).min(self.sums.len() - 1)
    }

    fn mean(&self, index: usize) -> f64 {
        self.sums[index] as f64 / self.units
    }

    /// The share of resampled means below the observed one (those equal to it count half) and
    /// the share above, as one deviate; `None` when all lie on one side.
    fn bias(&self) -> Option<f64> {
        let below = self.sums.partition_point(|sum| *sum < self.observed);
        let above = self.sums.len() - self.sums.partition_point(|sum| *sum <= self.observed);
        let half = 0.5 * (self.sums.len() - below - above) as f64;
        let resamples = self.sums.len() as f64;
        let shift = if below <= above {
            -normal_upper_quantile((below as f64 + half) / resamples)
        } else {
            normal_upper_quantile((above as f64 + half) / resamples)
        };
        shift.is_finite().then_some(shift)
    }

    fn bca(&self, tail: f64) -> Option<Interval> {
        let (bias, acceleration) = (self.bias()?, self.acceleration?);
        let z = normal_upper_quantile(tail);
        let corrected = |z: f64| bias + (bias + z) / (1.0 - acceleration * (bias + z));
        Some(self.between(normal_upper(-corrected(-z)), normal_upper(corrected(z))))
    }

    /// The acceleration of BCa; `None` without spread.
    pub fn acceleration(&self) -> Option<f64> {
        self.acceleration
    }
}

/// The tail of Hesterberg for a nominal `tail`: 0.0086 instead of 0.025 at n = 10. `None` when n < 2.
pub fn adjusted_tail(n: usize, tail: f64) -> Option<f64> {
    if n < 2 {
        return None;
    }
    let n = n as f64;
    Some(normal_upper((n / (n - 1.0)).sqrt() * t_upper_quantile(tail, n - 1.0)))
}

/// Skewness of the mean: the sum of cubed deviations over 6 (sum of squared deviations)^1.5.
fn acceleration(differences: &[f64]) -> Option<f64> {
    let mean = mean(differences)?;
    let squares = sum(differences.iter().map(|d| (d - mean).powi(2)));
    let cubes = sum(differences.iter().map(|d| (d - mean).powi(3)));
    (squares > 0.0).then(|| cubes / (6.0 * squares.powf(1.5)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    fn interval(differences: &[f64], kind: BootstrapKind) -> Option<Interval> {
        resample_mean(differences, 10_000, 0).interval(kind, 0.95)
    }

    /// `differences` among `n` queries, the others without any.
    fn among(n: usize, differences: &[f64]) -> Vec<f64> {
        let mut all = vec![0.0; n];
        all[..differences.len()].copy_from_slice(differences);
        all
    }

    #[test]
    fn eight_of_ten_queries_up_by_a_quarter() {
        let differences = among(10, &[0.25; 8]);
        let expected = Some(Interval { low: 0.125, high: 0.25 });
        assert_eq!(interval(&differences, BootstrapKind::Percentile), expected);
        assert_eq!(interval(&differences, BootstrapKind::Adjusted), expected);
    }

    #[test]
    fn three_of_42_queries_up_by_a_half() {
        let found = interval(&among(42, &[0.5; 3]), BootstrapKind::Adjusted).unwrap();
        assert_eq!(found.low, 0.0);
        assert_relative_eq!(found.high, 3.5 / 42.0);
    }

    #[test]
    fn tails_of_small_samples_are_wider() {
        for (n, tail) in [(10, 0.0086), (20, 0.0159), (42, 0.0205), (1000, 0.0248)] {
            assert_relative_eq!(adjusted_tail(n, 0.025).unwrap(), tail, epsilon = 5e-5);
        }
        assert_eq!(adjusted_tail(1, 0.025), None);
    }

    #[test]
    fn limits_are_the_order_statistics_of_the_tails() {
        let means = resample_mean(&[0.0, 1.0], 1000, 0);
        assert_eq!(means.cut(0.025), 25);
        assert_eq!(means.cut(2.0), 999);
        assert_eq!(means.between(0.0, 0.0), Interval { low: 0.0, high: 1.0 });
    }

    #[test]
    fn without_spread_there_is_no_interval() {
        for differences in [&[0.1; 6][..], &[0.0; 6], &[0.5]] {
            for kind in [BootstrapKind::Adjusted, BootstrapKind::Percentile, BootstrapKind::Bca] {
                assert_eq!(interval(differences, kind), None);
            }
        }
    }

    #[test]
    fn together_every_column_has_the_interval_that_it_has_alone() {
        let column = |index: usize| (0..20 + index % 2).map(|i| ((i * (index + 3)) as f64).sin()).collect();
        let columns: Vec<Vec<f64>> = (0..23).map(column).collect();
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let together = resampled_intervals(&columns, BootstrapKind::Bca, 0.9, 1500, 3);
        for (column, interval) in columns.iter().zip(together) {
            assert_eq!(interval, resample_mean(column, 1500, 3).interval(BootstrapKind::Bca, 0.9));
        }
    }

    #[test]
    fn acceleration_by_hand() {
        // deviations -1, -1, 2: squares 6, cubes 6, so 6 / (6 * 6^1.5)
        let skewed = resample_mean(&[0.0, 0.0, 3.0], 10, 0);
        assert_relative_eq!(skewed.acceleration().unwrap(), 6f64.powf(-1.5), epsilon = 1e-15);
        assert_eq!(resample_mean(&[0.5, 0.5], 10, 0).acceleration(), None);
    }

    #[test]
    fn accelerated_limits_follow_the_skew() {
        let differences = among(42, &[1.0, 1.0, 1.0, 1.0]);
        let plain = interval(&differences, BootstrapKind::Percentile).unwrap();
        let accelerated = interval(&differences, BootstrapKind::Bca).unwrap();
        assert!(accelerated.low >= plain.low && accelerated.high > plain.high);
    }
}
