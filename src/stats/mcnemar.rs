//! Two sides of a measure that is 0 or 1: the 2x2 table and McNemar's test.
//!
//! McNemar, "Note on the sampling error of the difference between correlated proportions",
//! Psychometrika 12 (1947); mid-p: Fagerland, Lydersen and Laake, "The McNemar test for binary
//! matched-pairs data", BMC Medical Research Methodology 13 (2013).

use std::cmp::Ordering;

use super::binomial::{fair, fair_lower};
use super::distributions::beta_lower;
use super::randomization::{Alternative, smallest_possible_p};
use super::summary::is_binary;

/// How often each side scored 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TwoByTwo {
    /// Queries where both scored 1.
    pub both: u64,
    /// Queries where only A scored 1.
    pub a_only: u64,
    /// Queries where only B scored 1.
    pub b_only: u64,
    /// Queries where neither did.
    pub neither: u64,
}

impl TwoByTwo {
    /// A table from its cells: both, A only, B only, neither.
    pub const fn from_cells([both, a_only, b_only, neither]: [u64; 4]) -> Self {
        Self { both, a_only, b_only, neither }
    }

    /// Counts paired scores; `None` unless all are 0 or 1, equally many on both sides.
    pub fn count(a: &[f64], b: &[f64]) -> Option<Self> {
        if a.len() != b.len() || !is_binary(a) || !is_binary(b) {
            return None;
        }
        let mut table = Self::from_cells([0; 4]);
        for (a, b) in a.iter().zip(b) {
            *table.cell(*a == 1.0, *b == 1.0) += 1;
        }
        Some(table)
    }

    fn cell(&mut self, a: bool, b: bool) -> &mut u64 {
        match (a, b) {
            (true, true) => &mut self.both,
            (true, false) => &mut self.a_only,
            (false, true) => &mut self.b_only,
            (false, false) => &mut self.neither,
        }
    }

    /// Number of queries.
    pub fn n(&self) -> u64 {
        self.both + self.discordant() + self.neither
    }

    /// Number of queries on which the sides disagree (m).
    pub fn discordant(&self) -> u64 {
        self.a_only + self.b_only
    }

    /// The share of B minus the share of A; 0 without queries.
    pub fn difference(&self) -> f64 {
        (self.b_only as f64 - self.a_only as f64) / self.n().max(1) as f64
    }

    /// The table with the sides swapped.
    pub fn mirrored(&self) -> Self {
        Self { a_only: self.b_only, b_only: self.a_only, ..*self }
    }
}

/// The queries on which two sides disagree, by position from 0.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Discordant {
    /// Where A scores higher.
    pub a_only: Vec<usize>,
    /// Where B scores higher.
    pub b_only: Vec<usize>,
}

impl Discordant {
    /// The signs of `differences` (B minus A).
    pub fn of(differences: &[f64]) -> Self {
        let positions =
            |holds: &dyn Fn(f64) -> bool| (0..differences.len()).filter(|i| holds(differences[*i])).collect();
        Self { a_only: positions(&|d| d < 0.0), b_only: positions(&|d| d > 0.0) }
    }
}

/// McNemar's test of a 2x2 table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct McNemar {
    /// The exact p: the same number as the randomization p.
    pub exact_p: f64,
    /// The mid-p, which counts half of the observed outcome.
    pub mid_p: f64,
    /// P(B is better) with Jeffreys' prior on the disagreements.
    pub probability_b_better: f64,
}

/// Tests whether the sides disagree more often one way. Without a disagreement p is 1, and the
/// mid-p is 1 two-sided, 1/2 one-sided.
pub fn mcnemar(table: TwoByTwo, alternative: Alternative) -> McNemar {
    McNemar {
        exact_p: exact_p(table, alternative),
        mid_p: mid_p(table, alternative),
        probability_b_better: probability_b_better(table),
    }
}

/// Computed from the side that is behind, so that swapping the sides gives one minus the same tail.
fn probability_b_better(table: TwoByTwo) -> f64 {
    let (more, fewer) = (table.a_only.max(table.b_only), table.a_only.min(table.b_only));
    let against = beta_lower(0.5, more as f64 + 0.5, fewer as f64 + 0.5);
    match table.b_only.cmp(&table.a_only) {
        Ordering::Greater => 1.0 - against,
        Ordering::Equal => 0.5,
        Ordering::Less => against,
    }
}

fn exact_p(table: TwoByTwo, alternative: Alternative) -> f64 {
    let m = table.discordant();
    match alternative {
        Alternative::TwoSided => (2.0 * fair_lower(table.a_only.min(table.b_only), m)).min(1.0),
        Alternative::Greater => fair_lower(table.a_only, m),
        Alternative::Less => fair_lower(table.b_only, m),
    }
}

fn mid_p(table: TwoByTwo, alternative: Alternative) -> f64 {
    let m = table.discordant();
    let observed = fair(table.a_only, m);
    match alternative {
        Alternative::TwoSided if m == 0 => 1.0,
        Alternative::TwoSided if table.a_only == table.b_only => 1.0 - 0.5 * observed,
        Alternative::TwoSided => exact_p(table, alternative) - observed,
        Alternative::Greater | Alternative::Less => exact_p(table, alternative) - 0.5 * observed,
    }
}

/// The smallest mid-p that `discordant` disagreements can give: half of the smallest exact p.
pub fn smallest_mid_p(discordant: usize, alternative: Alternative) -> f64 {
    match (discordant, alternative) {
        (0, Alternative::TwoSided) => 1.0,
        _ => 0.5 * smallest_possible_p(discordant, alternative),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    const AHR: TwoByTwo = TwoByTwo::from_cells([1, 1, 7, 12]);

    #[test]
    fn counts_the_four_cells() {
        let (a, b) = ([1.0, 1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 1.0, 1.0, 0.0]);
        let table = TwoByTwo::count(&a, &b).unwrap();
        assert_eq!(table, TwoByTwo::from_cells([1, 1, 2, 1]));
        assert_eq!((table.n(), table.discordant(), table.difference()), (5, 3, 0.2));
        assert_eq!(TwoByTwo::count(&[0.5], &[1.0]), None);
        assert_eq!(TwoByTwo::count(&[1.0], &[]), None);
    }

    #[test]
    fn names_the_discordant_queries() {
        let discordant = Discordant::of(&[0.0, 1.0, -1.0, 0.0, 1.0]);
        assert_eq!((discordant.a_only, discordant.b_only), (vec![2], vec![1, 4]));
    }

    #[test]
    fn one_of_eight_by_hand() {
        // P(X <= 1) = 9/256; two-sided 18/256, mid-p 18/256 - 8/256
        let test = mcnemar(AHR, Alternative::TwoSided);
        assert_eq!((test.exact_p, test.mid_p), (18.0 / 256.0, 10.0 / 256.0));
        let greater = mcnemar(AHR, Alternative::Greater);
        assert_eq!((greater.exact_p, greater.mid_p), (9.0 / 256.0, 5.0 / 256.0));
        // P(X <= 7) = 255/256 the other way round
        assert_eq!(mcnemar(AHR, Alternative::Less).exact_p, 255.0 / 256.0);
    }

    #[test]
    fn probability_that_b_is_better() {
        // one win, no loss: P(X < 1/2) for X ~ Beta(1/2, 3/2) is 1/2 + 1/pi
        let won = TwoByTwo::from_cells([0, 0, 1, 0]);
        let p = |table| mcnemar(table, Alternative::TwoSided).probability_b_better;
        assert_relative_eq!(p(won), 0.5 + std::f64::consts::FRAC_1_PI, max_relative = 1e-12);
        assert_relative_eq!(p(won.mirrored()), 1.0 - p(won));
    }

    #[test]
    fn equal_and_absent_disagreements() {
        let even = TwoByTwo::from_cells([35, 1, 1, 5]);
        let test = mcnemar(even, Alternative::TwoSided);
        assert_eq!((test.exact_p, test.mid_p), (1.0, 0.75));
        let none = TwoByTwo::from_cells([3, 0, 0, 2]);
        let test = mcnemar(none, Alternative::TwoSided);
        assert_eq!((test.exact_p, test.mid_p, test.probability_b_better), (1.0, 1.0, 0.5));
    }

    #[test]
    fn the_smallest_mid_p_is_that_of_all_won() {
        for m in [0, 1, 5, 8] {
            let all_won = TwoByTwo::from_cells([3, 0, m, 2]);
            for alternative in [Alternative::TwoSided, Alternative::Greater] {
                let mid_p = mcnemar(all_won, alternative).mid_p;
                assert_eq!(mid_p, smallest_mid_p(m as usize, alternative));
            }
        }
    }
}
