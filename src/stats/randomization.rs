//! The paired randomization test on the mean difference: the p-value shown.
//!
//! Under the null hypothesis the two scores of a query are exchangeable, so every pattern of
//! signs on the differences is equally likely (Fisher 1935; Smucker, Allan and Carterette, "A
//! comparison of statistical significance tests for information retrieval evaluation", CIKM 2007).
//! All patterns are counted when that is affordable. Else p is (c + 1) / (B + 1) for c of B random
//! patterns at least as extreme (Phipson and Smyth, "Permutation p-values should never be zero", 2010).

use rayon::prelude::*;

use super::columns::equally_long;
use super::exact::SignedSum;
use super::lattice::Quantized;
use super::paired::Paired;
use super::random::{Purpose, Stream};
use super::sign_flips::{Signs, SumTables};

/// Which direction counts as extreme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Alternative {
    /// B differs from A.
    #[default]
    TwoSided,
    /// B is greater than A.
    Greater,
    /// B is less than A.
    Less,
}

/// How a randomization test is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomizationOptions {
    /// Which direction counts as extreme.
    pub alternative: Alternative,
    /// Random sign patterns where not all can be counted; at least 1.
    pub resamples: u64,
    /// Seed of the random patterns.
    pub seed: u64,
}

impl Default for RandomizationOptions {
    fn default() -> Self {
        Self { alternative: Alternative::TwoSided, resamples: 100_000, seed: 0 }
    }
}

/// How a p-value was reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RandomizationMethod {
    /// All patterns, differences being multiples of 1 / `denominator`.
    ExactLattice {
        /// The common denominator of the differences.
        denominator: u32,
    },
    /// All patterns of differences without a common denominator.
    ExactEnumeration,
    /// Random patterns.
    MonteCarlo(MonteCarlo),
}

impl RandomizationMethod {
    /// The name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::ExactLattice { .. } => "exact-lattice",
            Self::ExactEnumeration => "exact-enumeration",
            Self::MonteCarlo(_) => "monte-carlo",
        }
    }
}

/// What random sign patterns gave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MonteCarlo {
    /// Patterns at least as extreme as the data.
    pub count: u64,
    /// Patterns drawn.
    pub resamples: u64,
    /// Their seed.
    pub seed: u64,
    /// Standard error of the p-value.
    pub standard_error: f64,
}

/// The result of a paired randomization test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RandomizationTest {
    /// The p-value, above 0 unless it is below the smallest positive f64.
    pub p: f64,
    /// Which direction counted as extreme.
    pub alternative: Alternative,
    /// How p was reached.
    pub method: RandomizationMethod,
    /// Queries that differ (m).
    pub differing: usize,
    /// The smallest p that m queries can give.
    pub smallest_possible: f64,
}

impl RandomizationTest {
    fn new(differences: &Quantized, alternative: Alternative, p: f64, method: RandomizationMethod) -> Self {
        let differing = differences.values.iter().filter(|v| **v != 0).count();
        let smallest_possible = smallest_possible_p(differing, alternative);
        Self { p, alternative, method, differing, smallest_possible }
    }

    /// Whether p lies within four standard errors of `alpha`, so that other seeds may disagree.
    pub fn is_uncertain_at(&self, alpha: f64) -> bool {
        match self.method {
            RandomizationMethod::MonteCarlo(draws) => (self.p - alpha).abs() < 4.0 * draws.standard_error,
            _ => false,
        }
    }
}

/// Tests whether B differs from A in the mean. Zero differences change nothing; without any
/// difference p is 1.
pub fn randomization_test(paired: &Paired, options: RandomizationOptions) -> RandomizationTest {
    test_sums(Quantized::new(&paired.differences), options)
}

/// The same test of every pair. Those over equally many queries share their random patterns, which
/// changes nothing but the time it takes.
pub fn randomization_tests(pairs: &[&Paired], options: RandomizationOptions) -> Vec<RandomizationTest> {
    let lengths: Vec<usize> = pairs.iter().map(|paired| paired.differences.len()).collect();
    let test = |group: Vec<usize>| {
        let columns = group.par_iter().map(|&index| Quantized::new(&pairs[index].differences));
        let tests = test_together(&columns.collect::<Vec<Quantized>>(), options);
        group.into_iter().zip(tests)
    };
    let mut tests: Vec<(usize, RandomizationTest)> =
        equally_long(&lengths, TOGETHER).into_iter().flat_map(test).collect();
    tests.sort_unstable_by_key(|(index, _)| *index);
    tests.into_iter().map(|(_, test)| test).collect()
}

/// The same test on differences that are integers already.
pub(super) fn test_sums(differences: Quantized, options: RandomizationOptions) -> RandomizationTest {
    test_together(&[differences], options).remove(0)
}

/// The same test on several equally long columns.
fn test_together(columns: &[Quantized], options: RandomizationOptions) -> Vec<RandomizationTest> {
    let exact: Vec<Option<f64>> = columns.par_iter().map(|column| exact_p(column, options.alternative)).collect();
    let sampled = columns.iter().zip(&exact).filter(|(_, exact)| exact.is_none());
    let sampled: Vec<&Quantized> = sampled.map(|(column, _)| column).collect();
    let mut draws = monte_carlo(&sampled, options).into_iter();
    let found = |(differences, exact): (&Quantized, Option<f64>)| match exact {
        Some(p) => RandomizationTest::new(differences, options.alternative, p, exact_method(differences)),
        None => {
            let draws = draws.next().expect("every column without an exact p was drawn for");
            RandomizationTest::new(differences, options.alternative, draws.p(), RandomizationMethod::MonteCarlo(draws))
        }
    };
    columns.iter().zip(exact).map(found).collect()
}

/// The smallest p that `differing` queries can give: 2^(1-m) two-sided, 2^-m one-sided, at most 1.
pub fn smallest_possible_p(differing: usize, alternative: Alternative) -> f64 {
    let halvings = i32::try_from(differing).unwrap_or(i32::MAX);
    match alternative {
        Alternative::TwoSided => libm::ldexp(1.0, 1 - halvings).min(1.0),
        Alternative::Greater | Alternative::Less => libm::ldexp(1.0, -halvings),
    }
}

fn exact_method(differences: &Quantized) -> RandomizationMethod {
    match differences.lattice {
        Some(denominator) => RandomizationMethod::ExactLattice { denominator },
        None => RandomizationMethod::ExactEnumeration,
    }
}

/// The p-value over all sign patterns; `None` when they are too many.
fn exact_p(differences: &Quantized, alternative: Alternative) -> Option<f64> {
    let observed = differences.sum();
    let tolerance = differences.tolerance;
    if alternative == Alternative::TwoSided && observed.abs() <= tolerance {
        return Some(1.0);
    }
    let sum = SignedSum::of(&differences.values)?;
    Some(match alternative {
        Alternative::TwoSided => (2.0 * sum.upper_tail(observed.abs() - tolerance)).min(1.0),
        Alternative::Greater => sum.upper_tail(observed - tolerance),
        Alternative::Less => sum.upper_tail(-observed - tolerance),
    })
}

impl MonteCarlo {
    fn new(count: u64, options: RandomizationOptions) -> Self {
        let resamples = options.resamples.max(1);
        let mut draws = Self { count, resamples, seed: options.seed, standard_error: 0.0 };
        let p = draws.p();
        draws.standard_error = (p * (1.0 - p) / resamples as f64).sqrt();
        draws
    }

    /// (c + 1) / (B + 1): the data count as one more pattern.
    pub fn p(&self) -> f64 {
        (self.count + 1) as f64 / (self.resamples + 1) as f64
    }
}

/// How many random patterns are at least as extreme as the data, in each direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FlipCounts {
    /// |S| at least |D|.
    pub two_sided: u64,
    /// S at least D.
    pub greater: u64,
    /// S at most D.
    pub less: u64,
}

impl FlipCounts {
    /// The count that belongs to `alternative`.
    pub fn of(&self, alternative: Alternative) -> u64 {
        match alternative {
            Alternative::TwoSided => self.two_sided,
            Alternative::Greater => self.greater,
            Alternative::Less => self.less,
        }
    }
}

/// Columns whose patterns are drawn once for all of them, and which are in memory together.
const TOGETHER: usize = 8;

fn monte_carlo(columns: &[&Quantized], options: RandomizationOptions) -> Vec<MonteCarlo> {
    let counts = count_together(columns, options.resamples.max(1), options.seed);
    counts.into_iter().map(|counts| MonteCarlo::new(counts.of(options.alternative), options)).collect()
}

/// Counts the extreme ones among `resamples` random sign patterns of `seed`. Every column of
/// equal length sees the same patterns; the counts do not depend on the number of threads.
pub fn count_flips(differences: &Quantized, resamples: u64, seed: u64) -> FlipCounts {
    count_together(&[differences], resamples, seed).remove(0)
}

/// The same for several equally long columns.
fn count_together(columns: &[&Quantized], resamples: u64, seed: u64) -> Vec<FlipCounts> {
    let Some(queries) = columns.first().map(|column| column.values.len()) else { return Vec::new() };
    let tables = SumTables::new(columns.iter().map(|column| column.values.as_slice()));
    let blocks = Stream::new(seed, Purpose::SignFlips).map_blocks(resamples, |mut block| {
        let signs = Signs::collect(block.resamples, queries, |row| block.fill(row));
        let sums = tables.sums(&signs);
        let count =
            |(index, column): (usize, &&Quantized)| count_extreme(sums.column(index), column.sum(), column.tolerance);
        columns.iter().enumerate().map(count).collect::<Vec<FlipCounts>>()
    });
    let plus = |total: Vec<FlipCounts>, block| total.into_iter().zip(block).map(|(a, b)| a.plus(b)).collect();
    blocks.into_iter().fold(vec![FlipCounts::default(); columns.len()], plus)
}

fn count_extreme(sums: impl Iterator<Item = i64>, observed: i64, tolerance: i64) -> FlipCounts {
    sums.fold(FlipCounts::default(), |counts, sum| FlipCounts {
        two_sided: counts.two_sided + u64::from(sum.abs() >= observed.abs() - tolerance),
        greater: counts.greater + u64::from(sum >= observed - tolerance),
        less: counts.less + u64::from(sum <= observed + tolerance),
    })
}

impl FlipCounts {
    fn plus(self, other: Self) -> Self {
        Self {
            two_sided: self.two_sided + other.two_sided,
            greater: self.greater + other.greater,
            less: self.less + other.less,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    fn p(differences: &[f64], alternative: Alternative) -> f64 {
        test(differences, alternative).p
    }

    fn test(differences: &[f64], alternative: Alternative) -> RandomizationTest {
        let paired = Paired::new(&vec![0.0; differences.len()], differences).unwrap();
        let options = RandomizationOptions { alternative, ..Default::default() };
        randomization_test(&paired, options)
    }

    #[test]
    fn three_queries_that_differ() {
        let differences = [0.5, 0.5, 0.5, 0.0];
        assert_eq!(p(&differences, Alternative::TwoSided), 0.25);
        assert_eq!(p(&differences, Alternative::Greater), 0.125);
        assert_eq!(p(&differences, Alternative::Less), 1.0);
        let test = test(&differences, Alternative::TwoSided);
        assert_eq!((test.differing, test.smallest_possible), (3, 0.25));
        assert_eq!(test.method, RandomizationMethod::ExactLattice { denominator: 2 });
    }

    #[test]
    fn one_large_win_outweighs_many_small_losses() {
        // only the sign of 0.9 matters for the sum's: every pattern is as extreme one way
        let differences = [0.9, -0.02, -0.03, -0.02];
        assert_eq!(p(&differences, Alternative::TwoSided), 1.0);
        assert_eq!(p(&differences, Alternative::Greater), 0.5);
    }

    #[test]
    fn decimals_that_are_not_binary_fractions_tie() {
        let differences: Vec<f64> = [0.4 - 0.3, 0.7 - 0.6, 0.2 - 0.1, 0.9 - 0.8].to_vec();
        assert_eq!(p(&differences, Alternative::TwoSided), 0.125);
    }

    #[test]
    fn enumerates_where_there_is_no_lattice() {
        let root = std::f64::consts::SQRT_2;
        let test = test(&[root / 2.0, root / 3.0, root / 7.0], Alternative::TwoSided);
        assert_eq!((test.p, test.method), (0.25, RandomizationMethod::ExactEnumeration));
    }

    #[test]
    fn no_difference_and_a_single_query() {
        let none = test(&[0.0, 0.0], Alternative::TwoSided);
        assert_eq!((none.p, none.smallest_possible, none.differing), (1.0, 1.0, 0));
        assert_eq!(p(&[0.0], Alternative::Greater), 1.0);
        assert_eq!(p(&[0.5], Alternative::TwoSided), 1.0);
        assert_eq!(p(&[0.5], Alternative::Greater), 0.5);
    }

    #[test]
    fn random_patterns_count_the_data_as_one_more() {
        let quantized = Quantized::new(&[0.25; 40]);
        let options = RandomizationOptions::default();
        let draws = monte_carlo(&[&quantized], options)[0];
        assert_eq!((draws.count, draws.p()), (0, 1.0 / 100_001.0));
        // sqrt(p (1 - p) / B) is close to 1 / B here
        assert_relative_eq!(draws.standard_error, 1e-5, max_relative = 1e-4);
    }

    #[test]
    fn together_every_pair_has_the_p_that_it_has_alone() {
        let column = |index: usize| (0..90 + index % 2).map(|i| ((i * (index + 3)) as f64).sin() + 0.1).collect();
        let mut columns: Vec<Vec<f64>> = (0..19).map(column).collect();
        columns.insert(4, vec![0.5; 12]);
        let pairs: Vec<Paired> = columns.iter().map(|b| Paired::new(&vec![0.0; b.len()], b).unwrap()).collect();
        for alternative in [Alternative::TwoSided, Alternative::Greater, Alternative::Less] {
            let options = RandomizationOptions { alternative, resamples: 2500, seed: 5 };
            let together = randomization_tests(&pairs.iter().collect::<Vec<&Paired>>(), options);
            let alone: Vec<RandomizationTest> =
                pairs.iter().map(|paired| randomization_test(paired, options)).collect();
            assert_eq!(together, alone);
        }
    }

    #[test]
    fn many_real_valued_differences_are_sampled() {
        let differences: Vec<f64> = (1..=60).map(|i| f64::from(i).ln() * if i % 3 == 0 { -1.0 } else { 1.0 }).collect();
        let test = test(&differences, Alternative::TwoSided);
        let RandomizationMethod::MonteCarlo(draws) = test.method else {
            panic!("expected random patterns, got {:?}", test.method);
        };
        assert_eq!((draws.resamples, draws.seed), (100_000, 0));
        assert!(test.is_uncertain_at(test.p + draws.standard_error));
        assert!(!test.is_uncertain_at(test.p + 5.0 * draws.standard_error));
    }
}
