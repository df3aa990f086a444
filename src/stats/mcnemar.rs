//! Two sides of a measure that is 0 or 1: the 2x2 table, McNemar's test and Tango's interval.
//!
//! McNemar, "Note on the sampling error of the difference between correlated proportions",
//! Psychometrika 12 (1947); mid-p: Fagerland, Lydersen and Laake, "The McNemar test for binary
//! matched-pairs data", BMC Medical Research Methodology 13 (2013); interval: Tango, "Equivalence
//! test and confidence interval for the difference in proportions for the paired-sample design",
//! Statistics in Medicine 17 (1998).

use std::cmp::Ordering;

use super::binomial::{fair, fair_lower};
use super::distributions::{beta_lower, normal_upper_quantile};
use super::randomization::Alternative;
use super::summary::{Interval, is_binary};

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
    /// Counts paired scores; `None` unless all are 0 or 1, equally many on both sides.
    pub fn count(a: &[f64], b: &[f64]) -> Option<Self> {
        if a.len() != b.len() || !is_binary(a) || !is_binary(b) {
            return None;
        }
        let mut table = Self {
            both: 0,
            a_only: 0,
            b_only: 0,
            neither: 0,
        };
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
        Self {
            a_only: self.b_only,
            b_only: self.a_only,
            ..*self
        }
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
        let positions = |holds: &dyn Fn(f64) -> bool| {
            (0..differences.len())
                .filter(|i| holds(differences[*i]))
                .collect()
        };
        Self {
            a_only: positions(&|d| d < 0.0),
            b_only: positions(&|d| d > 0.0),
        }
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
    let (more, fewer) = (
        table.a_only.max(table.b_only),
        table.a_only.min(table.b_only),
    );
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

/// Tango's interval for the share of B minus the share of A at a two-sided `level`.
/// `None` without queries.
pub fn tango(table: TwoByTwo, level: f64) -> Option<Interval> {
    let z = normal_upper_quantile(0.5 * (1.0 - level));
    Some(Interval {
        low: tango_lower(table, z)?,
        high: tango_upper(table, z)?,
    })
}

/// The lower limit of Tango's interval `z` standard errors away; the mirrored upper limit of the
/// swapped sides, so that swapping mirrors to the last bit.
pub fn tango_lower(table: TwoByTwo, z: f64) -> Option<f64> {
    tango_upper(table.mirrored(), z).map(|limit| 0.0 - limit)
}

/// The upper limit of Tango's interval `z` >= 0 standard errors away; `None` without queries.
pub fn tango_upper(table: TwoByTwo, z: f64) -> Option<f64> {
    if table.n() == 0 {
        return None;
    }
    let (mut inside, mut outside) = (table.difference(), 1.0);
    for _ in 0..100 {
        let middle = 0.5 * (inside + outside);
        if tango_deviate(table, middle) > -z {
            inside = middle
        } else {
            outside = middle
        }
    }
    Some(inside)
}

/// How many standard errors the observed difference lies above `delta`, were that the true one.
pub fn tango_deviate(table: TwoByTwo, delta: f64) -> f64 {
    let (a, b, n) = (table.a_only as f64, table.b_only as f64, table.n() as f64);
    let excess = b - a - n * delta;
    let variance = n * (2.0 * a_only_share(table, delta) + delta * (1.0 - delta));
    if excess == 0.0 {
        0.0
    } else {
        excess / variance.max(0.0).sqrt()
    }
}

/// The most likely share of "A only" when the shares differ by `delta`: the root of a quadratic,
/// in the form without cancellation.
fn a_only_share(table: TwoByTwo, delta: f64) -> f64 {
    let (a, b, n) = (table.a_only as f64, table.b_only as f64, table.n() as f64);
    let linear = (2.0 * n - b + a) * delta - b - a;
    let constant = -a * delta * (1.0 - delta);
    let root = (linear * linear - 8.0 * n * constant).max(0.0).sqrt();
    if linear > 0.0 {
        -2.0 * constant / (linear + root)
    } else {
        (root - linear) / (4.0 * n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    const AHR: TwoByTwo = TwoByTwo {
        both: 1,
        a_only: 1,
        b_only: 7,
        neither: 12,
    };

    #[test]
    fn counts_the_four_cells() {
        let (a, b) = ([1.0, 1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 1.0, 1.0, 0.0]);
        let table = TwoByTwo::count(&a, &b).unwrap();
        assert_eq!(
            table,
            TwoByTwo {
                both: 1,
                a_only: 1,
                b_only: 2,
                neither: 1
            }
        );
        assert_eq!(
            (table.n(), table.discordant(), table.difference()),
            (5, 3, 0.2)
        );
        assert_eq!(TwoByTwo::count(&[0.5], &[1.0]), None);
        assert_eq!(TwoByTwo::count(&[1.0], &[]), None);
    }

    #[test]
    fn names_the_discordant_queries() {
        let discordant = Discordant::of(&[0.0, 1.0, -1.0, 0.0, 1.0]);
        assert_eq!(
            (discordant.a_only, discordant.b_only),
            (vec![2], vec![1, 4])
        );
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
        let won = TwoByTwo {
            both: 0,
            a_only: 0,
            b_only: 1,
            neither: 0,
        };
        let p = |table| mcnemar(table, Alternative::TwoSided).probability_b_better;
        assert_relative_eq!(
            p(won),
            0.5 + std::f64::consts::FRAC_1_PI,
            max_relative = 1e-12
        );
        assert_relative_eq!(p(won.mirrored()), 1.0 - p(won));
    }

    #[test]
    fn equal_and_absent_disagreements() {
        let even = TwoByTwo {
            both: 35,
            a_only: 1,
            b_only: 1,
            neither: 5,
        };
        let test = mcnemar(even, Alternative::TwoSided);
        assert_eq!((test.exact_p, test.mid_p), (1.0, 0.75));
        let none = TwoByTwo {
            both: 3,
            a_only: 0,
            b_only: 0,
            neither: 2,
        };
        let test = mcnemar(none, Alternative::TwoSided);
        assert_eq!(
            (test.exact_p, test.mid_p, test.probability_b_better),
            (1.0, 1.0, 0.5)
        );
    }

    #[test]
    fn tango_without_disagreement_has_a_closed_form() {
        // limits where n delta / (1 - delta) = z^2
        let none = TwoByTwo {
            both: 42,
            a_only: 0,
            b_only: 0,
            neither: 0,
        };
        let interval = tango(none, 0.95).unwrap();
        let square = 3.841_458_820_694_124;
        assert_relative_eq!(
            interval.high,
            square / (42.0 + square),
            max_relative = 1e-12
        );
        assert_eq!(interval, interval.mirrored());
    }

    #[test]
    fn tango_mirrors_and_reaches_the_end() {
        let interval = tango(AHR, 0.95).unwrap();
        assert_eq!(tango(AHR.mirrored(), 0.95).unwrap(), interval.mirrored());
        assert_relative_eq!(
            tango_deviate(AHR, interval.low),
            1.959_963_984_540_054,
            epsilon = 1e-9
        );
        let all = TwoByTwo {
            both: 0,
            a_only: 0,
            b_only: 5,
            neither: 0,
        };
        assert_eq!(tango(all, 0.95).unwrap().high, 1.0);
        assert_eq!(
            tango(
                TwoByTwo {
                    both: 0,
                    a_only: 0,
                    b_only: 0,
                    neither: 0
                },
                0.95
            ),
            None
        );
    }
}
