//! Gates and equivalence: has a loss, or any difference, above a margin been excluded?
//!
//! Everything rests on one-sided bounds of the mean difference: Tango's score limit for measures
//! that are 0 or 1, and for others the plus-two bound, Wald's after adding one difference of the
//! whole range each way (Bonett and Price, "Adjusted Wald confidence interval for a difference of
//! binomial proportions based on paired data", J. Educ. Behav. Stat. 37, 2012). Neither degenerates
//! when nothing or everything differs alike. Two one-sided tests: Schuirmann, J. Pharmacokinet.
//! Biopharm. 15 (1987).

use super::distributions::normal_upper_quantile;
use super::mcnemar::{TwoByTwo, tango_lower, tango_upper};
use super::paired::Paired;
use super::summary::{Interval, IntervalMethod, sum};

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
        let (sum, squares) = (
            self.sum / self.width,
            self.sum_of_squares / self.width.powi(2),
        );
        let mean = sum / n;
        let variance = ((squares + 2.0) / n - mean * mean).max(0.0);
        let half = z * (variance / n).sqrt();
        Interval {
            low: self.width * (mean - half),
            high: self.width * (mean + half),
        }
    }

    /// The sample standard deviation; 0 for fewer than two queries.
    fn sd(&self) -> f64 {
        let n = self.n as f64;
        let squares = self.sum_of_squares - self.sum * self.sum / n;
        if self.n < 2 {
            0.0
        } else {
            (squares.max(0.0) / (n - 1.0)).sqrt()
        }
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

/// One-sided confidence levels of a gate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GateLevels {
    /// The level of the lower bound, which must exclude a loss to pass.
    pub pass: f64,
    /// The level of the upper bound, which must prove a loss to fail.
    pub fail: f64,
}

impl GateLevels {
    /// The same level for both.
    pub fn both(level: f64) -> Self {
        Self {
            pass: level,
            fail: level,
        }
    }

    /// For one of several slices: each must pass by itself, while a loss is proven with the
    /// chance of a false alarm shared among all `slices`.
    pub fn of_slices(level: f64, slices: usize) -> Self {
        Self {
            pass: level,
            fail: 1.0 - (1.0 - level) / slices.max(1) as f64,
        }
    }
}

/// What a gate decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// A loss above the margin is excluded (or, without regression, not proven).
    Pass,
    /// The data exclude neither.
    Undecided,
    /// A loss above the margin is proven.
    Fail,
}

impl Outcome {
    /// The outcome of several gates: one failure fails, else one undecided leaves it undecided.
    pub fn of_all(outcomes: impl IntoIterator<Item = Self>) -> Self {
        outcomes.into_iter().max().unwrap_or(Self::Pass)
    }
}

/// A gate and what it rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gate {
    /// Pass, fail or undecided.
    pub outcome: Outcome,
    /// The loss allowed.
    pub margin: f64,
    /// The lower bound of B minus A.
    pub lower: f64,
    /// The upper bound of B minus A.
    pub upper: f64,
    /// How the bounds were made.
    pub method: IntervalMethod,
    /// The smallest margin that would have passed; 0 when no loss is left.
    pub smallest_margin: f64,
}

/// Passes only when a loss of more than `margin` is excluded, fails only when one is proven.
pub fn noninferiority(
    evidence: &Evidence,
    margin: f64,
    levels: GateLevels,
) -> Result<Gate, BoundError> {
    let gate = bounds(evidence, margin, levels)?;
    let outcome = if gate.lower >= -margin {
        Outcome::Pass
    } else {
        gate.outcome
    };
    Ok(Gate { outcome, ..gate })
}

/// Fails only when a loss of more than `margin` is proven, and passes otherwise.
pub fn no_regression(
    evidence: &Evidence,
    margin: f64,
    levels: GateLevels,
) -> Result<Gate, BoundError> {
    let gate = bounds(evidence, margin, levels)?;
    let outcome = if gate.outcome == Outcome::Fail {
        Outcome::Fail
    } else {
        Outcome::Pass
    };
    Ok(Gate { outcome, ..gate })
}

/// The bounds, failed or else undecided.
fn bounds(evidence: &Evidence, margin: f64, levels: GateLevels) -> Result<Gate, BoundError> {
    if margin.is_nan() || margin < 0.0 {
        return Err(BoundError::Margin { margin });
    }
    let (lower, upper) = (evidence.lower(levels.pass), evidence.upper(levels.fail));
    Ok(Gate {
        outcome: if upper < -margin {
            Outcome::Fail
        } else {
            Outcome::Undecided
        },
        margin,
        lower,
        upper,
        method: evidence.method(),
        smallest_margin: (0.0 - lower).max(0.0),
    })
}

/// Whether two sides are shown to be the same for practical purposes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Equivalence {
    /// Whether both bounds lie within plus and minus the margin.
    pub is_shown: bool,
    /// The largest difference that does not matter.
    pub margin: f64,
    /// Both one-sided bounds: for a level of 0.95 each, the 90% interval.
    pub interval: Interval,
    /// How the bounds were made.
    pub method: IntervalMethod,
}

/// Two one-sided tests at `level` each. A difference that is merely not significant shows nothing.
pub fn equivalence(
    evidence: &Evidence,
    margin: f64,
    level: f64,
) -> Result<Equivalence, BoundError> {
    let gate = bounds(evidence, margin, GateLevels::both(level))?;
    Ok(Equivalence {
        is_shown: gate.lower >= -margin && gate.upper <= margin,
        margin,
        interval: Interval {
            low: gate.lower,
            high: gate.upper,
        },
        method: gate.method,
    })
}

/// Queries with the spread of `evidence` that let [`noninferiority`] pass with probability
/// `power` when B equals A in truth, and no fewer than it takes with identical results.
/// `None` for a margin of 0, which no number of queries can prove.
pub fn queries_needed(evidence: &Evidence, margin: f64, level: f64, power: f64) -> Option<u64> {
    if margin.is_nan() || margin <= 0.0 {
        return None;
    }
    let by_spread = noninferiority_queries(evidence.sd(), margin, level, power);
    Some(by_spread.max(evidence.identical_queries(margin, level)))
}

/// ((z_level + z_power) sd / margin)^2, rounded up.
pub fn noninferiority_queries(sd: f64, margin: f64, level: f64, power: f64) -> u64 {
    let z = normal_upper_quantile(1.0 - level) + normal_upper_quantile(1.0 - power);
    (z * sd / margin).powi(2).ceil() as u64
}

impl Evidence {
    fn sd(&self) -> f64 {
        match self {
            Self::Binary(table) => Differences::binary(*table).sd(),
            Self::Ranged(differences) => differences.sd(),
        }
    }

    /// The fewest queries that exclude a loss of `margin` when not one of them differs.
    fn identical_queries(&self, margin: f64, level: f64) -> u64 {
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

    const MARGINS: [f64; 3] = [0.01, 0.02, 0.05];

    fn ranged(n: u64, sum: f64, sum_of_squares: f64) -> Evidence {
        Evidence::Ranged(Differences {
            n,
            sum,
            sum_of_squares,
            width: 1.0,
        })
    }

    fn identical(n: u64) -> Evidence {
        Evidence::Binary(TwoByTwo {
            both: n,
            a_only: 0,
            b_only: 0,
            neither: 0,
        })
    }

    fn gate(evidence: &Evidence, margin: f64) -> Gate {
        noninferiority(evidence, margin, GateLevels::both(0.95)).unwrap()
    }

    #[test]
    fn plus_two_never_degenerates() {
        // five identical queries: M = 0, V = 2/7, bound 1.645 sqrt(2) / 7
        let five = ranged(5, 0.0, 0.0);
        assert_relative_eq!(
            five.upper(0.95),
            1.644_853_626_951_472_2 * 2f64.sqrt() / 7.0
        );
        assert_eq!(five.lower(0.95), -five.upper(0.95));
    }

    #[test]
    fn three_outcomes() {
        assert_eq!(
            gate(&ranged(1000, -10.0, 30.0), 0.02).outcome,
            Outcome::Pass
        );
        assert_eq!(
            gate(&ranged(1000, -50.0, 70.0), 0.02).outcome,
            Outcome::Fail
        );
        let undecided = gate(&ranged(42, 0.0, 2.0), 0.05);
        assert_eq!(undecided.outcome, Outcome::Undecided);
        assert_relative_eq!(
            undecided.smallest_margin,
            0.074_766_073_952_339_65,
            max_relative = 1e-12
        );
    }

    #[test]
    fn no_regression_is_never_undecided() {
        let outcome = |evidence| {
            no_regression(&evidence, 0.02, GateLevels::both(0.95))
                .unwrap()
                .outcome
        };
        assert_eq!(outcome(ranged(42, 0.0, 2.0)), Outcome::Pass);
        assert_eq!(outcome(ranged(1000, -50.0, 70.0)), Outcome::Fail);
    }

    #[test]
    fn identical_runs_need_this_many_queries() {
        for (margin, tango, plus_two) in [(0.01, 268, 231), (0.02, 133, 115), (0.05, 52, 45)] {
            for (n, evidence) in [
                (tango, identical as fn(u64) -> Evidence),
                (plus_two, |n| ranged(n, 0.0, 0.0)),
            ] {
                assert_eq!(queries_needed(&evidence(10), margin, 0.95, 0.8), Some(n));
                assert_eq!(gate(&evidence(n), margin).outcome, Outcome::Pass);
                assert_eq!(gate(&evidence(n - 1), margin).outcome, Outcome::Undecided);
            }
        }
        assert_eq!(queries_needed(&identical(10), 0.0, 0.95, 0.8), None);
    }

    #[test]
    fn one_lost_and_one_won_of_42() {
        let table = TwoByTwo {
            both: 35,
            a_only: 1,
            b_only: 1,
            neither: 5,
        };
        let evidence = Evidence::Binary(table);
        assert_relative_eq!(gate(&evidence, 0.01).lower, -0.080, epsilon = 5e-4);
        assert_eq!(noninferiority_queries(0.2182, 0.01, 0.95, 0.8), 2944);
        for margin in MARGINS {
            assert_eq!(gate(&evidence, margin).outcome, Outcome::Undecided);
        }
    }

    #[test]
    fn other_ranges_scale() {
        let unit = ranged(20, 1.0, 0.5);
        let tenfold = Evidence::Ranged(Differences {
            n: 20,
            sum: 10.0,
            sum_of_squares: 50.0,
            width: 10.0,
        });
        assert_relative_eq!(tenfold.lower(0.95), 10.0 * unit.lower(0.95));
        let paired = Paired::new(&[0.0], &[1.0]).unwrap();
        assert_eq!(
            Evidence::new(&paired, None, f64::INFINITY),
            Err(BoundError::Range {
                width: f64::INFINITY
            })
        );
    }

    #[test]
    fn equivalence_needs_both_bounds() {
        let narrow = equivalence(&ranged(1000, 0.0, 0.0), 0.01, 0.95).unwrap();
        assert!(narrow.is_shown);
        assert!(
            !equivalence(&ranged(20, 0.0, 0.0), 0.01, 0.95)
                .unwrap()
                .is_shown
        );
        assert!(equivalence(&identical(9), -0.1, 0.95).is_err());
    }

    #[test]
    fn slices_share_the_false_alarms() {
        let levels = GateLevels::of_slices(0.95, 5);
        assert_eq!(levels.pass, 0.95);
        assert_relative_eq!(levels.fail, 0.99);
        assert_eq!(
            Outcome::of_all([Outcome::Pass, Outcome::Undecided]),
            Outcome::Undecided
        );
        assert_eq!(
            Outcome::of_all([Outcome::Fail, Outcome::Undecided]),
            Outcome::Fail
        );
    }
}
