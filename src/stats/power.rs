//! Planning: what a comparison of n queries can find, and how many it takes.
//!
//! For measures that are 0 or 1 the power of the exact McNemar test is summed, not simulated
//! (Connor, "Sample size for testing differences in proportions for the paired-sample design",
//! Biometrics 43, 1987, gives the model). For others t quantiles stand in for the noncentral t,
//! which they match to 0.06% from n = 20 on.

use super::binomial::{Binomial, fair, fair_lower};
use super::bounds::{Differences, Evidence};
use super::distributions::{normal_upper_quantile, t_upper, t_upper_quantile};
use super::equivalence::{noninferiority_queries, queries_needed};
use super::mcnemar::TwoByTwo;
use super::summary::sum;

/// The largest number of queries that is searched.
pub const MOST_QUERIES: u64 = 100_000;

/// How many further n must keep the power for an n to be enough.
const STAYS_ABOVE: u64 = 20;

/// Steps around a guess within which the answer mostly lies.
const NEAR: u64 = 4;

/// Standard deviations around the expected number of disagreements that are summed.
const TAILS: f64 = 7.5;

/// A planned test of a measure that is 0 or 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BinaryPlan {
    /// Share of queries on which the sides disagree.
    pub disagreement: f64,
    /// Significance level: p must be below it.
    pub alpha: f64,
    /// Whether the mid-p decides instead of the exact p.
    pub mid_p: bool,
}

impl BinaryPlan {
    /// P(p < alpha) with `n` queries when B is better by `delta`; a `delta` above the
    /// disagreement is taken as the disagreement.
    pub fn power(&self, n: u64, delta: f64) -> f64 {
        Rejections::new(self, n).power(delta)
    }

    /// The smallest difference on a grid of `step` (0.001) that is found with probability
    /// `power`; `None` when even winning every disagreement is not enough.
    pub fn detectable(&self, n: u64, power: f64, step: f64) -> Option<f64> {
        let rejections = Rejections::new(self, n);
        let is_found = |k: u64| rejections.power(k as f64 * step) >= power;
        let last = (self.disagreement / step + 1e-9).floor() as u64;
        let about = self.about_detectable(n, power) / step;
        is_found(last).then(|| first_true_near(about as u64, last, is_found) as f64 * step)
    }

    /// The same by a normal approximation: where to look first.
    fn about_detectable(&self, n: u64, power: f64) -> f64 {
        let z = normal_upper_quantile(0.5 * self.alpha) + normal_upper_quantile(1.0 - power);
        z * (self.disagreement / n as f64).sqrt()
    }

    /// The fewest queries that find a difference of `delta` with probability `power`, and so do
    /// the next 20; `None` when more than 100,000 would be needed.
    pub fn queries_needed(&self, delta: f64, power: f64) -> Option<u64> {
        let is_found = |n: u64| self.power(n, delta) >= power;
        let mut reach = 16;
        while !is_found(reach) {
            if reach == MOST_QUERIES {
                return None;
            }
            reach = (2 * reach).min(MOST_QUERIES);
        }
        let crossing = first_true(1, reach, is_found);
        let start = crossing.saturating_sub(STAYS_ABOVE).max(1);
        first_that_stays(start, is_found)
    }

    /// Queries that let a gate pass which excludes a loss above `margin` at a one-sided `level`,
    /// with probability `power` when B equals A in truth; no fewer than it takes when not one
    /// query differs. A normal approximation: with few differing queries among them the gate
    /// passes less often (0.77 for 0.8 where 25 differ, 0.70 where 6 do). `None` for a margin of 0, which no number of queries can prove.
    pub fn queries_needed_for_margin(&self, margin: f64, level: f64, power: f64) -> Option<u64> {
        let none_differs = Evidence::Binary(TwoByTwo::from_cells([1, 0, 0, 0]));
        let least = queries_needed(&none_differs, margin, level, power)?;
        Some(least.max(noninferiority_queries(self.disagreement.sqrt(), margin, level, power)))
    }
}

/// The first n from `start` on that holds and keeps holding for the next few.
fn first_that_stays(start: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
    let mut first = start;
    let mut n = start;
    while n <= first + STAYS_ABOVE {
        if !holds(n) {
            first = n + 1;
        }
        n += 1;
        if n > 2 * MOST_QUERIES {
            return None;
        }
    }
    Some(first)
}

/// The smallest k in `low..=high` for which a growing condition holds, given that it does at `high`.
fn first_true(mut low: u64, mut high: u64, holds: impl Fn(u64) -> bool) -> u64 {
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

/// The same in `0..=high`, looked for within a few steps of `guess` first.
fn first_true_near(guess: u64, high: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (below, above) = (guess.saturating_sub(NEAR).min(high), guess.saturating_add(NEAR).min(high));
    if above < high && !holds(above) {
        return first_true(above + 1, high, holds);
    }
    match below {
        0 => first_true(0, above, holds),
        _ if holds(below) => first_true(0, below, holds),
        _ => first_true(below + 1, above, holds),
    }
}

/// The outcomes of n queries in which the test rejects.
struct Rejections {
    disagreement: f64,
    regions: Vec<Region>,
}

/// The outcomes with `m` disagreements of which one side wins at most `count`.
struct Region {
    m: u64,
    count: u64,
    /// P(m disagreements).
    probability: f64,
}

impl Rejections {
    fn new(plan: &BinaryPlan, n: u64) -> Self {
        let disagreement = plan.disagreement.clamp(0.0, 1.0);
        let disagreements = Binomial::new(n, disagreement);
        let mut critical = Critical::new(plan);
        let regions = likely(n, disagreement).filter_map(|m| {
            let count = critical.count(m)?;
            Some(Region { m, count, probability: disagreements.probability(m) })
        });
        Self { disagreement, regions: regions.collect() }
    }

    fn power(&self, delta: f64) -> f64 {
        if self.regions.is_empty() {
            return 0.0;
        }
        let q = self.disagreement;
        let wins = 0.5 * (q + delta.clamp(-q, q)) / q;
        sum(self.regions.iter().map(|region| region.power(wins))).min(1.0)
    }
}

impl Region {
    /// The chance of this region when B wins each disagreement with probability `wins`.
    fn power(&self, wins: f64) -> f64 {
        let won = Binomial::new(self.m, wins);
        self.probability * (won.lower(self.count) + won.upper(self.m - self.count))
    }
}

/// The numbers of disagreements that matter among `n` queries.
fn likely(n: u64, q: f64) -> std::ops::RangeInclusive<u64> {
    let (mean, sd) = (n as f64 * q, (n as f64 * q * (1.0 - q)).sqrt());
    let reach = TAILS * sd + TAILS;
    (mean - reach).max(0.0) as u64..=((mean + reach) as u64).min(n)
}

/// The largest number of losses among m disagreements that is significant, for m in ascending order.
struct Critical<'a> {
    plan: &'a BinaryPlan,
    count: Option<u64>,
}

impl<'a> Critical<'a> {
    fn new(plan: &'a BinaryPlan) -> Self {
        Self { plan, count: None }
    }

    /// Grows by at most one when m does; starts from a guess that is then corrected.
    fn count(&mut self, m: u64) -> Option<u64> {
        let mut next = self.count.map_or(self.guess(m), |count| count + 1);
        while next > 0 && !self.is_significant(next - 1, m) {
            next -= 1;
        }
        while self.is_significant(next, m) {
            next += 1;
        }
        self.count = next.checked_sub(1);
        self.count
    }

    fn guess(&self, m: u64) -> u64 {
        let z = normal_upper_quantile(0.5 * self.plan.alpha);
        (0.5 * m as f64 - 0.5 * z * (m as f64).sqrt()).max(0.0) as u64
    }

    fn is_significant(&self, count: u64, m: u64) -> bool {
        if 2 * count >= m {
            return false;
        }
        let exact = 2.0 * fair_lower(count, m);
        let p = if self.plan.mid_p { exact - fair(count, m) } else { exact };
        p < self.plan.alpha
    }
}

/// The smallest mean difference that `n` queries with a standard deviation of `sd` find with
/// probability `power` at a two-sided `alpha`; `None` for fewer than two queries.
pub fn detectable_mean(n: u64, sd: f64, alpha: f64, power: f64) -> Option<f64> {
    if n < 2 {
        return None;
    }
    let df = (n - 1) as f64;
    let quantiles = t_upper_quantile(0.5 * alpha, df) + t_upper_quantile(1.0 - power, df);
    Some(quantiles * sd / (n as f64).sqrt())
}

/// The chance that `n` queries with a standard deviation of `sd` > 0 find a mean difference of
/// `delta` at a two-sided `alpha`, by the t quantiles of [`detectable_mean`]: both give each
/// other back. Within 0.016 of the noncentral t from n = 20 on, and 0.007 from n = 42. `None` for
/// fewer than two queries.
pub fn power_mean(n: u64, sd: f64, delta: f64, alpha: f64) -> Option<f64> {
    if n < 2 {
        return None;
    }
    let df = (n - 1) as f64;
    let (critical, shift) = (t_upper_quantile(0.5 * alpha, df), delta * (n as f64).sqrt() / sd);
    Some((t_upper(critical - shift, df) + t_upper(critical + shift, df)).min(1.0))
}

/// The fewest queries that find a mean difference of `delta` > 0 with probability `power` at a
/// two-sided `alpha`: the normal figure plus half of z squared, which makes up for the t.
/// `None` for a `delta` of 0.
pub fn queries_needed_mean(sd: f64, delta: f64, alpha: f64, power: f64) -> Option<u64> {
    if delta.is_nan() || delta <= 0.0 {
        return None;
    }
    let (z, z_power) = (normal_upper_quantile(0.5 * alpha), normal_upper_quantile(1.0 - power));
    let queries = ((z + z_power) * sd / delta).powi(2) + 0.5 * z * z;
    Some(queries.ceil() as u64)
}

/// Queries that let a gate pass which excludes a mean loss above `margin` at a one-sided `level`,
/// with probability `power` when B equals A in truth. For scores that span `width` no fewer than
/// it takes when not one query differs. `None` for a margin of 0, which nothing can prove.
pub fn queries_needed_for_margin_mean(sd: f64, width: Option<f64>, margin: f64, level: f64, power: f64) -> Option<u64> {
    if margin.is_nan() || margin <= 0.0 {
        return None;
    }
    let none_differs = |width| Evidence::Ranged(Differences { n: 1, sum: 0.0, sum_of_squares: 0.0, width });
    let least = width.and_then(|width| queries_needed(&none_differs(width), margin, level, power));
    Some(noninferiority_queries(sd, margin, level, power).max(least.unwrap_or(0)))
}

/// Half of the width of the t interval of `n` queries at a two-sided `level`; `None` for fewer
/// than two. Four times the queries halve it.
pub fn half_width(n: u64, sd: f64, level: f64) -> Option<f64> {
    if n < 2 {
        return None;
    }
    let t = t_upper_quantile(0.5 * (1.0 - level), (n - 1) as f64);
    Some(t * sd / (n as f64).sqrt())
}

/// The largest share of differing queries that goes with having seen none among `n`, at a
/// one-sided `level`: 1 - (1 - level)^(1/n). `None` without queries.
pub fn largest_unseen_share(n: u64, level: f64) -> Option<f64> {
    (n > 0).then(|| -libm::expm1(libm::log1p(-level) / n as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    fn plan(disagreement: f64) -> BinaryPlan {
        BinaryPlan { disagreement, alpha: 0.05, mid_p: false }
    }

    #[test]
    fn a_guess_changes_nothing_but_where_to_look_first() {
        for answer in [0, 1, 5, 40, 100] {
            for guess in [0, 1, 3, 5, 9, 36, 40, 44, 45, 100, 101, u64::MAX] {
                assert_eq!(first_true_near(guess, 100, |k| k >= answer), answer, "from {guess}");
            }
        }
    }

    #[test]
    fn six_disagreements_by_hand() {
        // all 6 queries disagree and B wins each: p = 1/32; with 5 it cannot be significant
        assert_relative_eq!(plan(1.0).power(6, 1.0), 1.0);
        assert_eq!(plan(1.0).power(5, 1.0), 0.0);
        // without a true difference: 2 of 64 patterns
        assert_relative_eq!(plan(1.0).power(6, 0.0), 2.0 / 64.0, max_relative = 1e-12);
    }

    #[test]
    fn powers_at_which_a_simulated_table_went_wrong() {
        assert_relative_eq!(plan(0.3).power(300, 0.09), 0.791_653_253_684_931_7, epsilon = 1e-10);
        assert_relative_eq!(plan(0.2).power(1000, 0.04), 0.791_643_351_416_220_1, epsilon = 1e-10);
        let mid = BinaryPlan { mid_p: true, ..plan(0.2) };
        assert_relative_eq!(mid.power(42, 0.2), 0.941_989_167_193_949_1, epsilon = 1e-10);
    }

    #[test]
    fn detectable_differences_of_the_planning_table() {
        assert_eq!(plan(0.1).detectable(42, 0.8, 0.001), None);
        let found = |n, q| plan(q).detectable(n, 0.8, 0.001).unwrap();
        assert_relative_eq!(found(42, 0.2), 0.191, epsilon = 1e-12);
        assert_relative_eq!(found(100, 0.3), 0.159, epsilon = 1e-12);
        assert_relative_eq!(found(1000, 0.2), 0.041, epsilon = 1e-12);
    }

    #[test]
    fn many_queries_find_small_differences() {
        for n in [10_000, 100_000] {
            // by the normal approximation: (1.96 + 0.84) sqrt(q / n)
            let expected = 2.802 * (0.02 / n as f64).sqrt();
            let found = plan(0.02).detectable(n, 0.8, 0.0001).unwrap();
            assert!((expected..expected + 2e-4).contains(&found), "{n}: {found}, {expected}");
            assert_relative_eq!(plan(0.02).power(n, 0.02), 1.0, epsilon = 1e-9);
        }
    }

    #[test]
    fn enough_queries_stay_enough() {
        let fifth = plan(0.2);
        let n = fifth.queries_needed(0.1, 0.8).unwrap();
        assert!((n..=n + STAYS_ABOVE).all(|n| fifth.power(n, 0.1) >= 0.8));
        assert!(fifth.power(n - 1, 0.1) < 0.8);
        assert_eq!(fifth.queries_needed(0.0, 0.8), None);
        assert_eq!(plan(0.0).queries_needed(0.1, 0.8), None);
    }

    #[test]
    fn means_by_t_quantiles() {
        assert_relative_eq!(detectable_mean(42, 1.0, 0.05, 0.8).unwrap(), 0.442_853_257_605_866_4, epsilon = 1e-12);
        assert_eq!(queries_needed_mean(0.2, 0.05, 0.05, 0.8), Some(128));
        assert_eq!(queries_needed_mean(0.2, 0.0, 0.05, 0.8), None);
        assert_eq!(detectable_mean(1, 1.0, 0.05, 0.8), None);
    }

    #[test]
    fn power_and_detectable_mean_give_each_other_back() {
        for n in [5, 42, 1000] {
            let delta = detectable_mean(n, 0.3, 0.05, 0.8).unwrap();
            assert_relative_eq!(power_mean(n, 0.3, delta, 0.05).unwrap(), 0.8, epsilon = 5e-3);
            assert_relative_eq!(power_mean(n, 0.3, 0.0, 0.05).unwrap(), 0.05, epsilon = 1e-12);
        }
        assert_eq!(power_mean(1, 0.3, 0.1, 0.05), None);
    }

    #[test]
    fn a_search_ends_at_the_largest_number_and_not_before() {
        let (z, q) = (2.802f64, 0.002);
        let delta = |n: f64| z * (q / n).sqrt();
        let n = plan(q).queries_needed(delta(80_000.0), 0.8).unwrap();
        assert!((80_000..MOST_QUERIES).contains(&n), "{n}");
        assert_eq!(plan(q).queries_needed(delta(120_000.0), 0.8), None);
    }

    #[test]
    fn queries_that_prove_a_margin() {
        // two of 42 differ: ((1.645 + 0.842) / 0.01)^2 * 2/42; without a difference Tango's 268
        let needed = |q, margin| plan(q).queries_needed_for_margin(margin, 0.95, 0.8);
        assert_eq!(needed(2.0 / 42.0, 0.01), Some(2945));
        assert_eq!(needed(0.0, 0.01), Some(268));
        assert_eq!(needed(0.1, 0.0), None);
        let mean = |sd, width, margin| queries_needed_for_margin_mean(sd, width, margin, 0.95, 0.8);
        assert_eq!(mean(0.2, Some(1.0), 0.02), Some(619));
        assert_eq!(mean(1e-6, Some(1.0), 0.02), Some(115));
        assert_eq!(mean(0.2, None, 0.0), None);
    }

    #[test]
    fn four_times_the_queries_halve_the_width() {
        let ratio = half_width(400, 0.2, 0.95).unwrap() / half_width(1600, 0.2, 0.95).unwrap();
        assert_relative_eq!(ratio, 2.0, epsilon = 0.01);
        assert_eq!(half_width(1, 0.2, 0.95), None);
    }

    #[test]
    fn nothing_seen_in_42_queries() {
        assert_relative_eq!(largest_unseen_share(42, 0.95).unwrap(), 0.069, epsilon = 5e-4);
        assert_eq!(largest_unseen_share(0, 0.95), None);
    }
}
