//! The signed-rank and the sign test, on request only: they test another null hypothesis than
//! the one about means, and can point the other way.
//!
//! Both are the randomization test on other scores: ranks of the differences (zeros dropped, ties
//! sharing the middle rank) or their signs. Wilcoxon, "Individual comparisons by ranking methods",
//! Biometrics Bulletin 1 (1945). On their use in retrieval: Smucker, Allan and Carterette (2007);
//! Urbano, Lima and Hanjalic (2019); for the other side Parapar, Losada and Barreiro (2021).

use super::lattice::Quantized;
use super::paired::Paired;
use super::randomization::{RandomizationOptions, RandomizationTest, test_sums};

/// Wilcoxon's signed-rank test; `None` when no query differs.
pub fn wilcoxon_test(paired: &Paired, options: RandomizationOptions) -> Option<RandomizationTest> {
    let ranks = signed_ranks(&Quantized::new(&paired.differences));
    (!paired.is_identical()).then(|| test_sums(on_integers(ranks), options))
}

/// The sign test; p is 1 when no query differs.
pub fn sign_test(paired: &Paired, options: RandomizationOptions) -> RandomizationTest {
    let signs = paired.differences.iter().map(|d| if *d == 0.0 { 0 } else { d.signum() as i64 });
    test_sums(on_integers(signs.collect()), options)
}

fn on_integers(values: Vec<i64>) -> Quantized {
    Quantized { values, scale: 1.0, lattice: Some(1), tolerance: 0 }
}

/// Twice the middle rank of each size, with the sign of the difference; 0 for no difference.
fn signed_ranks(differences: &Quantized) -> Vec<i64> {
    let values = &differences.values;
    let noise = i64::from(differences.lattice.is_none());
    let mut order: Vec<usize> = (0..values.len()).filter(|i| values[*i] != 0).collect();
    order.sort_by_key(|i| values[*i].abs());
    let mut ranks = vec![0; values.len()];
    let mut below = 0;
    for tied in order.chunk_by(|i, j| values[*j].abs() - values[*i].abs() <= noise) {
        let twice_middle = 2 * below + tied.len() as i64 + 1;
        tied.iter().for_each(|i| ranks[*i] = values[*i].signum() * twice_middle);
        below += tied.len() as i64;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(differences: &[f64]) -> Paired {
        Paired::new(&vec![0.0; differences.len()], differences).unwrap()
    }

    #[test]
    fn ranks_are_doubled_and_ties_share_the_middle() {
        let ranks = signed_ranks(&Quantized::new(&[0.1, 0.0, -0.3, 0.2, 0.2]));
        assert_eq!(ranks, [2, 0, -8, 5, 5]);
    }

    #[test]
    fn three_wins_by_hand() {
        // ranks 1, 2, 3 all positive: 2 of 8 patterns are as extreme
        let paired = pair(&[0.1, 0.2, 0.4, 0.0]);
        let options = RandomizationOptions::default();
        assert_eq!(wilcoxon_test(&paired, options).unwrap().p, 0.25);
        assert_eq!(sign_test(&paired, options).p, 0.25);
    }

    #[test]
    fn small_losses_and_one_large_win() {
        // signs: 1 win, 3 losses, p = 2 (1 + 4) / 16; ranks: 4 - 6, p = P(|S| >= 2) = 14/16
        let paired = pair(&[0.9, -0.1, -0.2, -0.3]);
        let options = RandomizationOptions::default();
        assert_eq!(sign_test(&paired, options).p, 0.625);
        assert_eq!(wilcoxon_test(&paired, options).unwrap().p, 0.875);
    }

    #[test]
    fn nothing_to_rank() {
        let options = RandomizationOptions::default();
        assert_eq!(wilcoxon_test(&pair(&[0.0, 0.0]), options), None);
        assert_eq!(sign_test(&pair(&[0.0, 0.0]), options).p, 1.0);
    }
}
