//! Student's paired t-test: shown in details, never the verdict.
//!
//! Student, "The probable error of a mean", Biometrika 6 (1908).

use super::distributions::{t_upper, t_upper_quantile};
use super::paired::Paired;
use super::randomization::Alternative;
use super::summary::{Interval, ZERO_SPREAD, sample_sd};

/// The result of a paired t-test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TTest {
    /// Sample standard deviation of the differences.
    pub sd: f64,
    /// Standard error of their mean.
    pub standard_error: f64,
    /// The statistic: mean over standard error.
    pub t: f64,
    /// Degrees of freedom: n - 1.
    pub df: u64,
    /// The p-value for the alternative asked for.
    pub p: f64,
    /// The two-sided interval of the mean difference.
    pub interval: Interval,
}

/// Tests the mean difference, with an interval at a two-sided `level`. `None` for a single query
/// and when all differences are equal.
pub fn t_test(paired: &Paired, alternative: Alternative, level: f64) -> Option<TTest> {
    let sd = sample_sd(&paired.differences)?;
    if sd <= ZERO_SPREAD {
        return None;
    }
    let standard_error = sd / (paired.n as f64).sqrt();
    let df = (paired.n - 1) as f64;
    let t = paired.mean_difference / standard_error;
    let half = t_upper_quantile(0.5 * (1.0 - level), df) * standard_error;
    Some(TTest {
        sd,
        standard_error,
        t,
        df: paired.n as u64 - 1,
        p: p_value(t, df, alternative),
        interval: Interval { low: paired.mean_difference - half, high: paired.mean_difference + half },
    })
}

fn p_value(t: f64, df: f64, alternative: Alternative) -> f64 {
    match alternative {
        Alternative::TwoSided => (2.0 * t_upper(t.abs(), df)).min(1.0),
        Alternative::Greater => t_upper(t, df),
        Alternative::Less => t_upper(-t, df),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    #[test]
    fn two_queries_by_hand() {
        // differences 1/2 and 1/4: mean 3/8, s.e. 1/8, t = 3; with 1 df, p = 1 - 2 atan(3) / pi
        let paired = Paired::new(&[0.25, 0.5], &[0.75, 0.75]).unwrap();
        let test = t_test(&paired, Alternative::TwoSided, 0.95).unwrap();
        assert_relative_eq!(test.t, 3.0);
        assert_eq!(test.df, 1);
        let p = 1.0 - 2.0 * 3f64.atan() / std::f64::consts::PI;
        assert_relative_eq!(test.p, p, max_relative = 1e-12);
    }

    #[test]
    fn seed_example() {
        let a = [0.5, 0.75, 0.25, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5];
        let b = a.map(|score| score + 0.25);
        let mut paired = Paired::new(&a, &b).unwrap();
        paired.differences[0] = 0.0;
        paired.differences[1] = 0.0;
        paired.mean_difference = 0.2;
        let test = t_test(&paired, Alternative::TwoSided, 0.95).unwrap();
        assert_relative_eq!(test.t, 6.0, max_relative = 1e-12);
        assert_relative_eq!(test.p, 2.024_993_220_676_407_9e-4, max_relative = 1e-11);
        assert_relative_eq!(test.interval.low, 0.124_594_761_240_059_85, max_relative = 1e-11);
    }

    #[test]
    fn undefined_without_spread() {
        let equal = Paired::new(&[0.3, 0.6, 0.8], &[0.4, 0.7, 0.9]).unwrap();
        assert_eq!(t_test(&equal, Alternative::TwoSided, 0.95), None);
        let single = Paired::new(&[0.3], &[0.4]).unwrap();
        assert_eq!(t_test(&single, Alternative::TwoSided, 0.95), None);
    }

    #[test]
    fn one_sided_ps_add_up() {
        let paired = Paired::new(&[0.1, 0.2, 0.5], &[0.4, 0.1, 0.9]).unwrap();
        let p = |alternative| t_test(&paired, alternative, 0.95).unwrap().p;
        assert_relative_eq!(p(Alternative::Greater) + p(Alternative::Less), 1.0);
        assert_relative_eq!(p(Alternative::TwoSided), 2.0 * p(Alternative::Greater));
    }
}
