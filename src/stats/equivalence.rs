//! Gates and equivalence: has a loss, or any difference, above a margin been excluded?
//!
//! A gate on the point estimate passes a true loss of exactly the margin half of the time, so
//! gates rest on one-sided bounds and may stay undecided. Two one-sided tests: Schuirmann,
//! J. Pharmacokinet. Biopharm. 15 (1987).

use super::bounds::{BoundError, Evidence};
use super::distributions::normal_upper_quantile;
use super::summary::{Interval, IntervalMethod};

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
        Self { pass: level, fail: level }
    }

    /// For one of several slices: each must pass by itself, while a loss is proven with the
    /// chance of a false alarm shared among all `slices`.
    pub fn of_slices(level: f64, slices: usize) -> Self {
        Self { pass: level, fail: 1.0 - (1.0 - level) / slices.max(1) as f64 }
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
pub fn noninferiority(evidence: &Evidence, margin: f64, levels: GateLevels) -> Result<Gate, BoundError> {
    let gate = bounds(evidence, margin, levels)?;
    let outcome = if gate.lower >= -margin { Outcome::Pass } else { gate.outcome };
    Ok(Gate { outcome, ..gate })
}

/// Fails only when a loss of more than `margin` is proven, and passes otherwise.
pub fn no_regression(evidence: &Evidence, margin: f64, levels: GateLevels) -> Result<Gate, BoundError> {
    let gate = bounds(evidence, margin, levels)?;
    let outcome = if gate.outcome == Outcome::Fail { Outcome::Fail } else { Outcome::Pass };
    Ok(Gate { outcome, ..gate })
}

/// The bounds, failed or else undecided.
fn bounds(evidence: &Evidence, margin: f64, levels: GateLevels) -> Result<Gate, BoundError> {
    if margin.is_nan() || margin < 0.0 {
        return Err(BoundError::Margin { margin });
    }
    let (lower, upper) = (evidence.lower(levels.pass), evidence.upper(levels.fail));
    Ok(Gate {
        outcome: if upper < -margin { Outcome::Fail } else { Outcome::Undecided },
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
pub fn equivalence(evidence: &Evidence, margin: f64, level: f64) -> Result<Equivalence, BoundError> {
    let gate = bounds(evidence, margin, GateLevels::both(level))?;
    Ok(Equivalence {
        is_shown: gate.lower >= -margin && gate.upper <= margin,
        margin,
        interval: Interval { low: gate.lower, high: gate.upper },
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

#[cfg(test)]
mod tests {
    use super::super::bounds::Differences;
    use super::super::mcnemar::TwoByTwo;
    use super::*;
    use approx::assert_relative_eq;

    fn ranged(n: u64, sum: f64, sum_of_squares: f64) -> Evidence {
        Evidence::Ranged(Differences { n, sum, sum_of_squares, width: 1.0 })
    }

    fn identical(n: u64) -> Evidence {
        Evidence::Binary(TwoByTwo::from_cells([n, 0, 0, 0]))
    }

    fn gate(evidence: &Evidence, margin: f64) -> Gate {
        noninferiority(evidence, margin, GateLevels::both(0.95)).unwrap()
    }

    #[test]
    fn three_outcomes() {
        assert_eq!(gate(&ranged(1000, -10.0, 30.0), 0.02).outcome, Outcome::Pass);
        assert_eq!(gate(&ranged(1000, -50.0, 70.0), 0.02).outcome, Outcome::Fail);
        let undecided = gate(&ranged(42, 0.0, 2.0), 0.05);
        assert_eq!(undecided.outcome, Outcome::Undecided);
        assert_relative_eq!(undecided.smallest_margin, 0.074_766_073_952_339_65, max_relative = 1e-12);
    }

    #[test]
    fn no_regression_is_never_undecided() {
        let outcome = |evidence| no_regression(&evidence, 0.02, GateLevels::both(0.95)).unwrap().outcome;
        assert_eq!(outcome(ranged(42, 0.0, 2.0)), Outcome::Pass);
        assert_eq!(outcome(ranged(1000, -50.0, 70.0)), Outcome::Fail);
    }

    #[test]
    fn identical_runs_need_this_many_queries() {
        for (margin, tango, plus_two) in [(0.01, 268, 231), (0.02, 133, 115), (0.05, 52, 45)] {
            for (n, evidence) in [(tango, identical as fn(u64) -> Evidence), (plus_two, |n| ranged(n, 0.0, 0.0))] {
                assert_eq!(queries_needed(&evidence(10), margin, 0.95, 0.8), Some(n));
                assert_eq!(gate(&evidence(n), margin).outcome, Outcome::Pass);
                assert_eq!(gate(&evidence(n - 1), margin).outcome, Outcome::Undecided);
            }
        }
        assert_eq!(queries_needed(&identical(10), 0.0, 0.95, 0.8), None);
    }

    #[test]
    fn one_lost_and_one_won_of_42() {
        let evidence = Evidence::Binary(TwoByTwo::from_cells([35, 1, 1, 5]));
        for margin in [0.01, 0.02, 0.05] {
            assert_eq!(gate(&evidence, margin).outcome, Outcome::Undecided);
        }
        assert_eq!(gate(&evidence, 0.081).outcome, Outcome::Pass);
        assert_eq!(noninferiority_queries(0.2182, 0.01, 0.95, 0.8), 2944);
    }

    #[test]
    fn equivalence_needs_both_bounds() {
        let narrow = equivalence(&ranged(1000, 0.0, 0.0), 0.01, 0.95).unwrap();
        assert!(narrow.is_shown);
        assert!(!equivalence(&ranged(20, 0.0, 0.0), 0.01, 0.95).unwrap().is_shown);
        assert!(equivalence(&identical(9), -0.1, 0.95).is_err());
    }

    #[test]
    fn slices_share_the_false_alarms() {
        let levels = GateLevels::of_slices(0.95, 5);
        assert_eq!(levels.pass, 0.95);
        assert_relative_eq!(levels.fail, 0.99);
        assert_eq!(Outcome::of_all([Outcome::Pass, Outcome::Undecided]), Outcome::Undecided);
        assert_eq!(Outcome::of_all([Outcome::Fail, Outcome::Undecided]), Outcome::Fail);
    }
}
