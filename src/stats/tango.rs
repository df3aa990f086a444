//! Tango's score interval for the difference of two paired shares.
//!
//! Tango, "Equivalence test and confidence interval for the difference in proportions for the
//! paired-sample design", Statistics in Medicine 17 (1998). It holds its level for few
//! disagreements, down to none, where Wald's interval collapses.

use super::distributions::normal_upper_quantile;
use super::mcnemar::TwoByTwo;
use super::summary::Interval;

/// Tango's interval for the share of B minus the share of A at a two-sided `level`.
/// `None` without queries.
pub fn tango(table: TwoByTwo, level: f64) -> Option<Interval> {
    let z = normal_upper_quantile(0.5 * (1.0 - level));
    Some(Interval { low: tango_lower(table, z)?, high: tango_upper(table, z)? })
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
        if tango_deviate(table, middle) > -z { inside = middle } else { outside = middle }
    }
    Some(inside)
}

/// How many standard errors the observed difference lies above `delta`, were that the true one.
pub fn tango_deviate(table: TwoByTwo, delta: f64) -> f64 {
    let (a, b, n) = (table.a_only as f64, table.b_only as f64, table.n() as f64);
    let excess = b - a - n * delta;
    let variance = n * (2.0 * a_only_share(table, delta) + delta * (1.0 - delta));
    if excess == 0.0 { 0.0 } else { excess / variance.max(0.0).sqrt() }
}

/// The most likely share of "A only" when the shares differ by `delta`: the root of a quadratic,
/// in the form without cancellation.
fn a_only_share(table: TwoByTwo, delta: f64) -> f64 {
    let (a, b, n) = (table.a_only as f64, table.b_only as f64, table.n() as f64);
    let linear = (2.0 * n - b + a) * delta - b - a;
    let constant = -a * delta * (1.0 - delta);
    let root = (linear * linear - 8.0 * n * constant).max(0.0).sqrt();
    if linear > 0.0 { -2.0 * constant / (linear + root) } else { (root - linear) / (4.0 * n) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    const Z: f64 = 1.959_963_984_540_054;

    #[test]
    fn without_disagreement_there_is_a_closed_form() {
        // limits where n delta / (1 - delta) = z^2
        let interval = tango(TwoByTwo::from_cells([42, 0, 0, 0]), 0.95).unwrap();
        assert_relative_eq!(interval.high, Z * Z / (42.0 + Z * Z), max_relative = 1e-12);
        assert_eq!(interval, interval.mirrored());
    }

    #[test]
    fn limits_lie_z_standard_errors_away_and_mirror() {
        let table = TwoByTwo::from_cells([1, 1, 7, 12]);
        let interval = tango(table, 0.95).unwrap();
        assert_relative_eq!(tango_deviate(table, interval.low), Z, epsilon = 1e-9);
        assert_relative_eq!(tango_deviate(table, interval.high), -Z, epsilon = 1e-9);
        assert_eq!(tango(table.mirrored(), 0.95).unwrap(), interval.mirrored());
    }

    #[test]
    fn limits_of_a_published_table() {
        // 59/6/16/80, the interval of the reference
        let interval = tango(TwoByTwo::from_cells([59, 6, 16, 80]), 0.95).unwrap();
        assert_relative_eq!(interval.low, 0.005433395731677086, epsilon = 1e-8);
        assert_relative_eq!(interval.high, 0.12402343246406816, epsilon = 1e-8);
    }

    #[test]
    fn reaches_the_end_only_when_every_query_is_won() {
        assert_eq!(tango(TwoByTwo::from_cells([0, 0, 5, 0]), 0.95).unwrap().high, 1.0);
        assert!(tango(TwoByTwo::from_cells([0, 0, 4, 1]), 0.95).unwrap().high < 1.0);
        assert_eq!(tango(TwoByTwo::from_cells([0; 4]), 0.95), None);
    }
}
