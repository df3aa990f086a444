//! Step-down max-T: adjusting for several tests on the same queries by flipping them together.
//!
//! Westfall and Young, "Resampling-based multiple testing" (1993), algorithm 4.1. One sign per
//! query for all columns keeps their correlation, which is where it gains over Holm. With two
//! runs and several measures this is exact; with several runs it holds for many queries.

use rayon::prelude::*;

use super::columns::{UnequalColumns, queries};
use super::lattice::Quantized;
use super::random::{BLOCK, Purpose, Stream};
use super::randomization::Alternative;
use super::sign_flips::{Signs, SumTables};

/// How far two statistics may lie apart, relative to their size, and still be equal.
const EQUAL: f64 = 1e-12;

/// Adjusted p-values of several columns.
#[derive(Debug, Clone, PartialEq)]
pub struct MaxT {
    /// The adjusted p of each column, in the order given.
    pub adjusted: Vec<f64>,
    /// |sum| / sqrt(sum of squares) of each column, signed when the test is one-sided.
    pub statistics: Vec<f64>,
    /// Sign patterns looked at.
    pub patterns: u64,
    /// Whether those are all there are, the data among them.
    pub is_exact: bool,
}

/// Adjusts the tests of several columns of differences over the same queries. Looks at every sign
/// pattern when there are no more than `resamples`, else draws as many from `seed`.
pub fn max_t(columns: &[&[f64]], alternative: Alternative, resamples: u64, seed: u64) -> Result<MaxT, UnequalColumns> {
    let n = queries(columns)?;
    let differing = differing_queries(columns, n);
    let all = 1u64.checked_shl(differing.len() as u32).filter(|all| *all <= resamples);
    let patterns = all.unwrap_or(resamples.max(1));
    let family = match all {
        Some(_) => Family::new(&only(columns, &differing), alternative),
        None => Family::new(columns, alternative),
    };
    let counts = match all {
        Some(_) => family.count_all(patterns),
        None => family.count_random(patterns, seed),
    };
    let data = u64::from(all.is_none());
    let p = counts.into_iter().map(|count| (count + data) as f64 / (patterns + data) as f64);
    Ok(MaxT { adjusted: family.running_maximum(p), statistics: family.observed, patterns, is_exact: all.is_some() })
}

/// The queries on which any column differs.
fn differing_queries(columns: &[&[f64]], n: usize) -> Vec<usize> {
    (0..n).filter(|i| columns.iter().any(|column| column[*i] != 0.0)).collect()
}

fn only(columns: &[&[f64]], queries: &[usize]) -> Vec<Vec<f64>> {
    columns.iter().map(|column| queries.iter().map(|i| column[*i]).collect()).collect()
}

/// Columns tested together.
struct Family {
    /// The columns, ready for sign flips.
    tables: SumTables,
    /// sqrt of the sum of squares of each column; 0 when nothing differs.
    norms: Vec<f64>,
    n: usize,
    alternative: Alternative,
    observed: Vec<f64>,
    /// Positions of the columns from the largest statistic to the smallest.
    order: Vec<usize>,
    /// Statistics that differ by at most this are equal.
    tolerance: f64,
}

/// Positions of `values` from the largest to the smallest.
fn descending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|i, j| values[*j].total_cmp(&values[*i]));
    order
}

impl Family {
    fn new<C: AsRef<[f64]>>(columns: &[C], alternative: Alternative) -> Self {
        let integers: Vec<Quantized> = columns.iter().map(|c| Quantized::new(c.as_ref())).collect();
        let norms: Vec<f64> = integers.iter().map(norm).collect();
        let pairs = || integers.iter().zip(&norms);
        let observed: Vec<f64> = pairs().map(|(column, norm)| statistic(column.sum(), *norm, alternative)).collect();
        let rounding = pairs().map(|(column, norm)| ratio(column.tolerance, *norm));
        Self {
            tables: SumTables::new(integers.iter().map(|column| column.values.as_slice())),
            n: integers.first().map_or(0, |column| column.values.len()),
            alternative,
            order: descending(&observed),
            tolerance: rounding.fold(0.0, f64::max),
            observed,
            norms,
        }
    }

    /// How often, in the order of the family, the largest statistic of this column and all after
    /// it reaches what was observed, over all `patterns` of signs.
    fn count_all(&self, patterns: u64) -> Vec<u64> {
        let starts = (0..patterns.div_ceil(BLOCK)).into_par_iter().map(|block| block * BLOCK);
        let blocks = starts.map(|start| self.count(&Signs::of_patterns(start..patterns.min(start + BLOCK))));
        self.total(blocks.collect())
    }

    /// The same over random patterns.
    fn count_random(&self, patterns: u64, seed: u64) -> Vec<u64> {
        let stream = Stream::new(seed, Purpose::SignFlips);
        self.total(stream.map_blocks(patterns, |mut block| {
            self.count(&Signs::collect(block.resamples, self.n, |row| block.fill(row)))
        }))
    }

    fn total(&self, blocks: Vec<Vec<u64>>) -> Vec<u64> {
        blocks.iter().fold(vec![0; self.order.len()], |total, block| {
            total.iter().zip(block).map(|(total, count)| total + count).collect()
        })
    }

    fn count(&self, signs: &Signs) -> Vec<u64> {
        let sums = self.tables.sums(signs);
        let mut largest = vec![f64::NEG_INFINITY; signs.rows()];
        let mut counts = vec![0; self.order.len()];
        for (place, &index) in self.order.iter().enumerate().rev() {
            for (largest, sum) in largest.iter_mut().zip(sums.column(index)) {
                *largest = largest.max(statistic(sum, self.norms[index], self.alternative));
            }
            let enough = self.enough(self.observed[index]);
            counts[place] = largest.iter().filter(|statistic| **statistic >= enough).count() as u64;
        }
        counts
    }

    /// The least statistic that counts as reaching `observed`.
    fn enough(&self, observed: f64) -> f64 {
        observed - self.tolerance - EQUAL * observed.abs()
    }

    /// Lets no p be smaller than that of a larger statistic, and restores the columns' order.
    fn running_maximum(&self, p: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut adjusted = vec![1.0; self.order.len()];
        let mut largest = 0.0_f64;
        for (index, p) in self.order.iter().zip(p) {
            largest = largest.max(p);
            adjusted[*index] = largest;
        }
        adjusted
    }
}

fn norm(column: &Quantized) -> f64 {
    column.values.iter().fold(0.0, |total, v| total + (*v as f64) * (*v as f64)).sqrt()
}

/// `sum` over `norm`, 0 when nothing differs.
fn ratio(sum: i64, norm: f64) -> f64 {
    if norm > 0.0 { sum as f64 / norm } else { 0.0 }
}

fn statistic(sum: i64, norm: f64, alternative: Alternative) -> f64 {
    match alternative {
        Alternative::TwoSided => ratio(sum.abs(), norm),
        Alternative::Greater => ratio(sum, norm),
        Alternative::Less => ratio(-sum, norm),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_column_keeps_its_p() {
        let three = [0.5, 0.5, 0.5, 0.0];
        let result = max_t(&[&three], Alternative::TwoSided, 100, 0).unwrap();
        assert_eq!((result.adjusted, result.patterns, result.is_exact), (vec![0.25], 8, true));
        let result = max_t(&[&three], Alternative::Greater, 100, 0).unwrap();
        assert_eq!(result.adjusted, [0.125]);
    }

    #[test]
    fn equal_columns_need_no_correction() {
        let column = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
        let tenth = column.map(|d| d / 10.0);
        let result = max_t(&[&column, &tenth], Alternative::TwoSided, 100, 0).unwrap();
        assert_eq!(result.adjusted, [1.0 / 32.0, 1.0 / 32.0]);
    }

    #[test]
    fn two_columns_by_hand() {
        // first: statistics 3/sqrt 3 and 1/sqrt 3; second, on the first query only: always 1.
        // Largest of both is at least sqrt 3 in 2 of 8 patterns; the second is always reached.
        let (first, second) = ([1.0, 1.0, 1.0], [1.0, 0.0, 0.0]);
        let result = max_t(&[&second, &first], Alternative::TwoSided, 8, 0).unwrap();
        assert_eq!(result.adjusted, [1.0, 0.25]);
    }

    #[test]
    fn a_column_without_differences_has_p_one() {
        let (none, some) = ([0.0; 3], [1.0, 1.0, 1.0]);
        let result = max_t(&[&none, &some], Alternative::TwoSided, 8, 0).unwrap();
        assert_eq!(result.adjusted, [1.0, 0.25]);
        assert_eq!(result.statistics[0], 0.0);
        let result = max_t(&[&none], Alternative::TwoSided, 8, 0).unwrap();
        assert_eq!((result.adjusted, result.patterns), (vec![1.0], 1));
    }

    #[test]
    fn random_patterns_count_the_data_too() {
        let column = [0.5; 40];
        let result = max_t(&[&column], Alternative::TwoSided, 1000, 0).unwrap();
        assert_eq!((result.adjusted, result.is_exact), (vec![1.0 / 1001.0], false));
    }

    #[test]
    fn columns_must_be_equally_long() {
        assert!(max_t(&[&[1.0], &[]], Alternative::TwoSided, 8, 0).is_err());
        let none = max_t(&[], Alternative::TwoSided, 8, 0).unwrap();
        assert!(none.adjusted.is_empty());
    }
}
