//! Randomized Tukey HSD: every pair of runs against the largest difference chance would give.
//!
//! Carterette, "Multiple testing in statistical analysis of systems-based information retrieval
//! experiments", TOIS 30 (2012); Sakai, "Laboratory experiments in information retrieval" (2018).
//! Offered for comparability only. It supposes that all runs are equal, so one bad run hides the
//! differences between the others (power .80 falls to .03), and under unequal noise it does not
//! hold its level.

use super::columns::{UnequalColumns, queries};
use super::lattice::Quantized;
use super::random::{Purpose, Stream, index_below};

/// Why runs cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TukeyError {
    /// Fewer than two runs.
    #[error("expected at least 2 runs, got {got}")]
    TooFewRuns {
        /// Runs given.
        got: usize,
    },
    /// The runs do not cover the same queries.
    #[error(transparent)]
    Runs(#[from] UnequalColumns),
}

/// The adjusted p of one pair of runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairP {
    /// Position of the one run, from 0.
    pub first: usize,
    /// Position of the other, larger than `first`.
    pub second: usize,
    /// The p-value, adjusted for all pairs.
    pub p: f64,
}

/// The p-values of all pairs of runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Tukey {
    /// (0, 1), (0, 2), … (1, 2), …
    pub pairs: Vec<PairP>,
    /// Permutations looked at.
    pub permutations: u64,
    /// Whether those are all there are, the data among them.
    pub is_exact: bool,
}

/// Shuffles the scores of each query among the `runs` (one slice per run, same queries). Looks at
/// every permutation when there are no more than `resamples`, else draws as many from `seed`.
pub fn tukey(runs: &[&[f64]], resamples: u64, seed: u64) -> Result<Tukey, TukeyError> {
    if runs.len() < 2 {
        return Err(TukeyError::TooFewRuns { got: runs.len() });
    }
    queries(runs)?;
    let scores = Scores::new(runs);
    let all = scores.all_permutations().filter(|all| *all <= resamples);
    let permutations = all.unwrap_or(resamples.max(1));
    let mut ranges = match all {
        Some(all) => scores.all_ranges(all),
        None => scores.random_ranges(permutations, seed),
    };
    ranges.sort_unstable();
    let data = u64::from(all.is_none());
    let pairs = scores.pairs().into_iter().map(|pair| {
        let enough = pair.difference - scores.tolerance;
        let count = (ranges.len() - ranges.partition_point(|range| *range < enough)) as u64;
        let p = (count + data) as f64 / (permutations + data) as f64;
        PairP { first: pair.first, second: pair.second, p }
    });
    Ok(Tukey { pairs: pairs.collect(), permutations, is_exact: all.is_some() })
}

/// Integer scores, query by query.
struct Scores {
    /// `runs` scores of the first query, then of the second, and so on.
    values: Vec<i64>,
    runs: usize,
    tolerance: i64,
}

struct PairDifference {
    first: usize,
    second: usize,
    difference: i64,
}

impl Scores {
    fn new(runs: &[&[f64]]) -> Self {
        let queries = 0..runs[0].len();
        let by_query: Vec<f64> = queries.flat_map(|i| runs.iter().map(move |run| run[i])).collect();
        let quantized = Quantized::new(&by_query);
        Self { values: quantized.values, runs: runs.len(), tolerance: quantized.tolerance }
    }

    fn pairs(&self) -> Vec<PairDifference> {
        let mut sums = vec![0; self.runs];
        self.values.chunks_exact(self.runs).for_each(|query| add(&mut sums, query));
        let pair = |first: usize, second: usize| PairDifference {
            first,
            second,
            difference: (sums[first] - sums[second]).abs(),
        };
        let seconds = |first| (first + 1..sums.len()).map(move |second| (first, second));
        (0..sums.len()).flat_map(seconds).map(|(first, second)| pair(first, second)).collect()
    }

    /// (runs!)^queries, `None` beyond u64.
    fn all_permutations(&self) -> Option<u64> {
        let queries = u32::try_from(self.values.len() / self.runs).ok()?;
        (1..=self.runs as u64).try_fold(1u64, u64::checked_mul)?.checked_pow(queries)
    }

    /// The range of the sums for every combination of permutations, counted like an odometer.
    fn all_ranges(&self, permutations: u64) -> Vec<i64> {
        (0..permutations)
            .map(|code| {
                let mut digits = code;
                self.range(|bound| {
                    let digit = digits % bound as u64;
                    digits /= bound as u64;
                    digit as usize
                })
            })
            .collect()
    }

    fn random_ranges(&self, permutations: u64, seed: u64) -> Vec<i64> {
        let stream = Stream::new(seed, Purpose::LabelPermutations);
        let draws = self.values.len() / self.runs * (self.runs - 1);
        let blocks = stream.map_blocks(permutations, |mut block| {
            let mut words = vec![0; 4 * draws];
            let mut ranges = Vec::with_capacity(block.resamples);
            for _ in 0..block.resamples {
                block.fill(&mut words);
                let mut next = words.as_chunks::<4>().0.iter();
                ranges.push(self.range(|bound| index_below(bound, *next.next().unwrap_or(&[0; 4]))));
            }
            ranges
        });
        blocks.concat()
    }

    /// Largest minus smallest sum of a run once each query is shuffled (Fisher and Yates), where
    /// `choose` picks an index below its argument.
    fn range(&self, mut choose: impl FnMut(usize) -> usize) -> i64 {
        let mut sums = vec![0; self.runs];
        let mut shuffled = vec![0; self.runs];
        for query in self.values.chunks_exact(self.runs) {
            shuffled.copy_from_slice(query);
            for last in (1..self.runs).rev() {
                shuffled.swap(last, choose(last + 1));
            }
            add(&mut sums, &shuffled);
        }
        let largest = sums.iter().max().unwrap_or(&0);
        largest - sums.iter().min().unwrap_or(&0)
    }
}

fn add(sums: &mut [i64], query: &[i64]) {
    sums.iter_mut().zip(query).for_each(|(sum, score)| *sum += score);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_runs_give_the_randomization_p() {
        let (a, b) = ([0.0, 0.0, 0.0, 0.5], [0.5, 0.5, 0.5, 0.5]);
        let result = tukey(&[&a, &b], 100, 0).unwrap();
        assert_eq!(result.pairs, [PairP { first: 0, second: 1, p: 0.25 }]);
        assert_eq!((result.permutations, result.is_exact), (16, true));
    }

    #[test]
    fn one_query_and_three_runs() {
        // whatever the order, the range is 2
        let result = tukey(&[&[0.0], &[1.0], &[2.0]], 6, 0).unwrap();
        assert!(result.pairs.iter().all(|pair| pair.p == 1.0));
        let names: Vec<(usize, usize)> = result.pairs.iter().map(|p| (p.first, p.second)).collect();
        assert_eq!(names, [(0, 1), (0, 2), (1, 2)]);
    }

    #[test]
    fn the_worked_example_of_five_queries() {
        let (a, b, c) = ([0.7, 0.3, 0.2, 0.6, 0.4], [0.5, 0.1, 0.0, 0.2, 0.4], [0.0, 0.0, 0.2, 0.1, 0.3]);
        let result = tukey(&[&a, &b, &c], 10_000, 0).unwrap();
        let p: Vec<f64> = result.pairs.iter().map(|pair| pair.p).collect();
        assert_eq!(p, [3384.0 / 7776.0, 264.0 / 7776.0, 5640.0 / 7776.0]);
    }

    #[test]
    fn random_permutations_come_close() {
        let (a, b, c) = ([0.7, 0.3, 0.2, 0.6, 0.4], [0.5, 0.1, 0.0, 0.2, 0.4], [0.0, 0.0, 0.2, 0.1, 0.3]);
        let result = tukey(&[&a, &b, &c], 5000, 0).unwrap();
        assert!(!result.is_exact);
        assert!((result.pairs[0].p - 3384.0 / 7776.0).abs() < 0.03);
    }

    #[test]
    fn refuses_one_run_and_unequal_lengths() {
        assert_eq!(tukey(&[&[1.0]], 9, 0), Err(TukeyError::TooFewRuns { got: 1 }));
        let unequal = tukey(&[&[1.0], &[1.0, 2.0]], 9, 0);
        assert!(matches!(unequal, Err(TukeyError::Runs(_))));
    }
}
