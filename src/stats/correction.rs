//! Adjusting p-values for the number of tests shown.
//!
//! Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Statist. 6 (1979),
//! bounds the chance of any false finding; Benjamini and Hochberg, "Controlling the false
//! discovery rate", JRSS B 57 (1995), the share of false ones. What needs the data is in
//! [`max_t`](super::max_t) and [`tukey`](super::tukey).

/// A correction that needs nothing but the p-values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Correction {
    /// Raw p-values.
    None,
    /// Holm's step-down method: the default for tables.
    #[default]
    Holm,
    /// Benjamini and Hochberg's step-up method: the default for slices.
    BenjaminiHochberg,
    /// Every p times the number of tests.
    Bonferroni,
}

impl Correction {
    /// Adjusts a family of p-values; the result is in the order of the input.
    pub fn adjust(self, p: &[f64]) -> Vec<f64> {
        match self {
            Self::None => p.to_vec(),
            Self::Holm => holm(p),
            Self::BenjaminiHochberg => benjamini_hochberg(p),
            Self::Bonferroni => bonferroni(p),
        }
    }
}

/// min(1, K p).
pub fn bonferroni(p: &[f64]) -> Vec<f64> {
    let tests = p.len() as f64;
    p.iter().map(|p| (tests * p).min(1.0)).collect()
}

/// The largest of min(1, (K - j + 1) p_(j)) over all p_(j) up to this one, in ascending order.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut adjusted = vec![0.0; p.len()];
    let mut largest = 0.0_f64;
    for (before, index) in ascending(p).into_iter().enumerate() {
        let left = (p.len() - before) as f64;
        largest = largest.max((left * p[index]).min(1.0));
        adjusted[index] = largest;
    }
    adjusted
}

/// The smallest of min(1, K p_(j) / j) over all p_(j) from this one on, in ascending order.
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    let mut adjusted = vec![0.0; p.len()];
    let mut smallest = 1.0_f64;
    for (before, index) in ascending(p).into_iter().enumerate().rev() {
        let factor = p.len() as f64 / (before + 1) as f64;
        smallest = smallest.min(factor * p[index]);
        adjusted[index] = smallest;
    }
    adjusted
}

/// Indices of `p` from the smallest value to the largest.
fn ascending(p: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|i, j| p[*i].total_cmp(&p[*j]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    fn assert_all(actual: Vec<f64>, expected: &[f64]) {
        assert_relative_eq!(actual.as_slice(), expected, epsilon = 1e-15);
    }

    #[test]
    fn five_unsorted_by_hand() {
        let p = [0.01, 0.04, 0.03, 0.005, 0.2];
        assert_all(bonferroni(&p), &[0.05, 0.2, 0.15, 0.025, 1.0]);
        assert_all(holm(&p), &[0.04, 0.09, 0.09, 0.025, 0.2]);
        assert_all(benjamini_hochberg(&p), &[0.025, 0.05, 0.05, 0.025, 0.2]);
    }

    #[test]
    fn ties_share_their_adjusted_value() {
        let p = [0.5, 0.02, 0.02, 1.0];
        assert_all(holm(&p), &[1.0, 0.08, 0.08, 1.0]);
        assert_all(benjamini_hochberg(&p), &[2.0 / 3.0, 0.04, 0.04, 1.0]);
    }

    #[test]
    fn one_test_needs_no_correction() {
        for correction in [Correction::None, Correction::Holm, Correction::BenjaminiHochberg] {
            assert_eq!(correction.adjust(&[0.03]), [0.03]);
            assert!(correction.adjust(&[]).is_empty());
        }
    }
}
