//! Effect sizes beside the mean difference: standardized means and the share of wins.
//!
//! Cohen, "Statistical power analysis for the behavioral sciences" (1988); Hedges,
//! "Distribution theory for Glass's estimator of effect size", J. Educ. Stat. 6 (1981).

use super::distributions::gamma_ratio;
use super::paired::Paired;
use super::summary::{ZERO_SPREAD, sample_sd};

/// Effect sizes of one comparison. They are not comparable across designs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EffectSize {
    /// Mean difference over its standard deviation; `None` for one query or without spread.
    pub cohen_dz: Option<f64>,
    /// The same without its small-sample bias; `None` for fewer than three queries as well.
    pub hedges_gz: Option<f64>,
    /// P(B beats A on a query), ties counted half.
    pub superiority: f64,
}

/// The effect sizes of `paired`.
pub fn effect_size(paired: &Paired) -> EffectSize {
    let sd = sample_sd(&paired.differences).filter(|sd| *sd > ZERO_SPREAD);
    let cohen_dz = sd.map(|sd| paired.mean_difference / sd);
    let hedges_gz = cohen_dz.zip(hedges_correction(paired.n)).map(|(dz, j)| dz * j);
    let superiority = (paired.wins as f64 + 0.5 * paired.ties as f64) / paired.n as f64;
    EffectSize { cohen_dz, hedges_gz, superiority }
}

/// Hedges' correction J for `n` differences: Gamma(v/2) / (sqrt(v/2) Gamma((v-1)/2)) with
/// v = n - 1; `None` for fewer than three.
pub fn hedges_correction(n: usize) -> Option<f64> {
    if n < 3 {
        return None;
    }
    let v = (n - 1) as f64;
    Some(gamma_ratio(0.5 * (v - 1.0)) / (0.5 * v).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    #[test]
    fn three_queries_by_hand() {
        // differences 0, 1/2, 1: mean 1/2, sd 1/2, d_z 1; J = Gamma(1) / Gamma(1/2) = 1 / sqrt pi
        let effect = effect_size(&Paired::new(&[0.0; 3], &[0.0, 0.5, 1.0]).unwrap());
        assert_eq!(effect.cohen_dz, Some(1.0));
        let j = 1.0 / std::f64::consts::PI.sqrt();
        assert_relative_eq!(effect.hedges_gz.unwrap(), j, max_relative = 1e-14);
        assert_relative_eq!(effect.superiority, 2.5 / 3.0);
    }

    #[test]
    fn ten_queries() {
        assert_relative_eq!(hedges_correction(10).unwrap(), 0.913_874_891_792_552_4);
    }

    #[test]
    fn undefined_without_spread() {
        let effect = effect_size(&Paired::new(&[0.3, 0.6], &[0.4, 0.7]).unwrap());
        assert_eq!((effect.cohen_dz, effect.hedges_gz, effect.superiority), (None, None, 1.0));
        let two = effect_size(&Paired::new(&[0.0, 0.0], &[0.5, 0.25]).unwrap());
        assert!(two.cohen_dz.is_some());
        assert_eq!(two.hedges_gz, None);
    }
}
