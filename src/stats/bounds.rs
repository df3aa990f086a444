//! One-sided bounds of a mean difference that never degenerate, not even when nothing differs.
//!
//! Tango's score limit for measures that are 0 or 1; for others the plus-two bound, Wald's after
//! adding one difference of the whole range each way (Bonett and Price, "Adjusted Wald confidence
//! interval for a difference of binomial proportions based on paired data", J. Educ. Behav. Stat.
//! 37, 2012).

use super::distributions::normal_upper_quantile;
use super::mcnemar::TwoByTwo;
use super::paired::Paired;
use super::summary::{Interval, IntervalMethod, sum};
use super::tango::{tango_lower, tango_upper};

/// Why no bound can be given.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BoundError {
    /// The measure has no finite range.
    #[error("expected a measure with a finite range, got a range of width {width}")]
    Range {
        /// The width of the range.
        width: f64,
    },
    /// The margin is negative or not a number.
    #[error("expected a margin of at least 0, got {margin}")]
    Margin {
        /// The margin asked for.
        margin: f64,
    },
}

/// What the bounds of a mean difference are made from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Evidence {
    /// A measure that is 0 or 1.
    Binary(TwoByTwo),
    /// Any other measure of a known range.
    Ranged(Differences),
}

/// What the plus-two bound needs to know of the differences.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Differences {
    /// Number of queries.
    pub n: u64,
    /// Sum of the differences.
    pub sum: f64,
    /// Sum of their squares.
    pub sum_of_squares: f64,
    /// Width of the measure's range: 1 for most.
    pub width: f64,
}

impl Differences {
    /// The sums of `paired` for a measure whose values span `width`.
    pub fn new(paired: &Paired, width: f64) -> Result<Self, BoundError> {
        if !(width.is_finite() && width > 0.0) {
            return Err(BoundError::Range { width });
        }
        Ok(Self {
            n: paired.n as u64,
            sum: sum(paired.differences.iter().copied()),
            sum_of_squares: paired.sum_of_squares(),
            width,
        })
    }

    /// The plus-two interval, `z` standard errors each way.
    fn plus_two(&self, z: f64) -> Interval {
        let n = self.n as f64 + 2.0;
        let (sum, squares) = (self.sum / self.width, self.sum_of_squares / self.width.powi(2));
        let mean = sum / n;
        let variance = ((squares + 2.0) / n - mean * mean).max(0.0);
        let half = z * (variance / n).sqrt();
        Interval { low: self.width * (mean - half), high: self.width * (mean + half) }
    }

    /// The sample standard deviation; 0 for fewer than two queries.
    fn sd(&self) -> f64 {
        let n = self.n as f64;
        let squares = self.sum_of_squares - self.sum * self.sum / n;
        if self.n < 2 { 0.0 } else { (squares.max(0.0) / (n - 1.0)).sqrt() }
    }
}

/// The plus-two interval of a mean difference at a two-sided `level`.
pub fn plus_two(differences: Differences, level: f64) -> Interval {
    differences.plus_two(normal_upper_quantile(0.5 * (1.0 - level)))
}

impl Evidence {
    /// Binary when a `table` is given, else by the sums of `paired` and the `width` of the range.
    pub fn new(paired: &Paired, table: Option<TwoByTwo>, width: f64) -> Result<Self, BoundError> {
        match table {
            Some(table) => Ok(Self::Binary(table)),
            None => Differences::new(paired, width).map(Self::Ranged),
        }
    }

    /// How the bounds are made.
    pub fn method(&self) -> IntervalMethod {
        match self {
            Self::Binary(_) => IntervalMethod::Tango,
            Self::Ranged(_) => IntervalMethod::PlusTwo,
        }
    }

    /// The lower bound at a one-sided `level` (0.95).
    pub fn lower(&self, level: f64) -> f64 {
        let z = normal_upper_quantile(1.0 - level);
        match self {
            Self::Binary(table) => tango_lower(*table, z).unwrap_or(-1.0),
            Self::Ranged(differences) => differences.plus_two(z).low,
        }
    }

    /// The upper bound at a one-sided `level`.
    pub fn upper(&self, level: f64) -> f64 {
        let z = normal_upper_quantile(1.0 - level);
        match self {
            Self::Binary(table) => tango_upper(*table, z).unwrap_or(1.0),
            Self::Ranged(differences) => differences.plus_two(z).high,
        }
    }
}

impl Evidence {
    /// The sample standard deviation of the differences.
    pub fn sd(&self) -> f64 {
        match self {
            Self::Binary(table) => Differences::binary(*table).sd(),
            Self::Ranged(differences) => differences.sd(),
        }
    }

    /// The fewest queries that exclude a loss of `margin` when not one of them differs.
    pub(super) fn identical_queries(&self, margin: f64, level: f64) -> u64 {
        let z = normal_upper_quantile(1.0 - level);
        let queries = match self {
            Self::Binary(_) => z * z * (1.0 - margin) / margin,
            Self::Ranged(differences) => z * 2f64.sqrt() * differences.width / margin - 2.0,
        };
        queries.max(0.0).ceil() as u64
    }
}

impl Differences {
    /// The sums of a 2x2 table.
    pub fn binary(table: TwoByTwo) -> Self {
        Self {
            n: table.n(),
            sum: table.b_only as f64 - table.a_only as f64,
            sum_of_squares: table.discordant() as f64,
            width: 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    fn ranged(n: u64, sum: f64, sum_of_squares: f64, width: f64) -> Evidence {
        Evidence::Ranged(Differences { n, sum, sum_of_squares, width })
    }

    #[test]
    fn plus_two_never_degenerates() {
        // five identical queries: M = 0, V = 2/7, bound 1.645 sqrt(2) / 7
        let five = ranged(5, 0.0, 0.0, 1.0);
        let z = 1.644_853_626_951_472_2;
        assert_relative_eq!(five.upper(0.95), z * 2f64.sqrt() / 7.0, max_relative = 1e-14);
        assert_eq!(five.lower(0.95), -five.upper(0.95));
    }

    #[test]
    fn one_lost_and_one_won_of_42() {
        let table = TwoByTwo::from_cells([35, 1, 1, 5]);
        assert_relative_eq!(Evidence::Binary(table).lower(0.95), -0.080, epsilon = 5e-4);
        let differences = Differences::binary(table);
        assert_relative_eq!(plus_two(differences, 0.9).low, -0.074_766_073_952_339_65);
        assert_relative_eq!(Evidence::Binary(table).sd(), (2.0f64 / 41.0).sqrt());
    }

    #[test]
    fn other_ranges_scale() {
        let unit = ranged(20, 1.0, 0.5, 1.0);
        let tenfold = ranged(20, 10.0, 50.0, 10.0);
        assert_relative_eq!(tenfold.lower(0.95), 10.0 * unit.lower(0.95), max_relative = 1e-14);
    }

    #[test]
    fn a_measure_without_a_range_has_no_bound() {
        let paired = Paired::new(&[0.0], &[1.0]).unwrap();
        let width = f64::INFINITY;
        assert_eq!(Evidence::new(&paired, None, width), Err(BoundError::Range { width }));
        let table = TwoByTwo::count(&[0.0], &[1.0]);
        assert_eq!(Evidence::new(&paired, table, width).unwrap().method(), IntervalMethod::Tango);
    }
}
