//! Scores as integers, so that sums are exact and ties are ties.
//!
//! Hits, precision, recall, reciprocal ranks and decimals from a file are multiples of 1/L for a
//! small L; on such a lattice nothing is rounded. Everything else goes to a fine binary grid,
//! where two sums count as equal when they differ by no more than the rounding of their terms.

/// The largest denominator tried: it holds every reciprocal rank up to 10 and four decimals.
const MAX_DENOMINATOR: u32 = 10_080;

/// How far a multiple of 1/L may lie from an integer.
const ON_LATTICE: f64 = 1e-9;

/// Sums of all magnitudes stay below this, so that no i64 sum can overflow.
const MAX_SUM: f64 = (1u64 << 61) as f64;

/// Binary digits behind the point of the grid for values that lie on no lattice.
const GRID_BITS: i32 = 40;

/// Values as integers in units of `1 / scale`.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantized {
    /// One integer per value, in the same order.
    pub values: Vec<i64>,
    /// How many units make 1.
    pub scale: f64,
    /// The denominator L when every value is a multiple of 1/L; `None` on the grid.
    pub lattice: Option<u32>,
    /// Sums that differ by at most this many units are equal: 0 on a lattice, else one per value.
    pub tolerance: i64,
}

impl Quantized {
    /// Puts finite `values` on the coarsest lattice that holds them, else on the binary grid.
    pub fn new(values: &[f64]) -> Self {
        match smallest_denominator(values) {
            Some(denominator) => Self {
                values: round_all(values, f64::from(denominator)),
                scale: f64::from(denominator),
                lattice: Some(denominator),
                tolerance: 0,
            },
            None => Self::on_grid(values),
        }
    }

    /// The grid of 2^-40, coarser by powers of two when sums could overflow.
    fn on_grid(values: &[f64]) -> Self {
        let total = total_size(values);
        let mut scale = libm::ldexp(1.0, GRID_BITS);
        while total * scale >= MAX_SUM {
            scale *= 0.5;
        }
        Self { values: round_all(values, scale), scale, lattice: None, tolerance: values.len() as i64 }
    }

    /// The sum of all values, in units.
    pub fn sum(&self) -> i64 {
        self.values.iter().sum()
    }
}

fn round_all(values: &[f64], scale: f64) -> Vec<i64> {
    values.iter().map(|v| (v * scale).round() as i64).collect()
}

fn total_size(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |total, v| total + v.abs())
}

fn smallest_denominator(values: &[f64]) -> Option<u32> {
    let total = total_size(values);
    (1..=MAX_DENOMINATOR)
        .take_while(|denominator| total * f64::from(*denominator) < MAX_SUM)
        .find(|denominator| values.iter().all(|v| is_multiple(*v, *denominator)))
}

/// Whether `value` is a multiple of 1 / `denominator`. A tiny value is no multiple: it is not 0.
fn is_multiple(value: f64, denominator: u32) -> bool {
    let scaled = value.abs() * f64::from(denominator);
    let nearest = scaled.round();
    (scaled - nearest).abs() <= ON_LATTICE && (nearest > 0.0 || value == 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_coarsest_lattice() {
        let lattice = |values: &[f64]| Quantized::new(values).lattice;
        assert_eq!(lattice(&[0.0, 1.0, -1.0]), Some(1));
        assert_eq!(lattice(&[0.25, -0.5]), Some(4));
        assert_eq!(lattice(&[1.0 / 3.0, 0.5]), Some(6));
        assert_eq!(lattice(&[0.1234]), Some(5000));
        assert_eq!(lattice(&[1.0 / 7.0, 1.0 / 9.0, 1.0 / 8.0, 1.0 / 10.0]), Some(2520));
        assert_eq!(lattice(&[std::f64::consts::LN_2]), None);
    }

    #[test]
    fn decimals_become_exact() {
        let quantized = Quantized::new(&[0.4 - 0.3, 0.7 - 0.6, 0.9 - 0.8]);
        assert_eq!(quantized.values, [1, 1, 1]);
        assert_eq!((quantized.sum(), quantized.tolerance), (3, 0));
    }

    #[test]
    fn the_grid_is_symmetric() {
        let up = Quantized::new(&[0.123_456_789, -0.9]);
        let down = Quantized::new(&[-0.123_456_789, 0.9]);
        assert_eq!(up.sum(), -down.sum());
        assert_eq!(up.scale, 1_099_511_627_776.0);
        assert_eq!(up.tolerance, 2);
    }

    #[test]
    fn small_values_do_not_vanish_and_large_ones_do_not_overflow() {
        assert_ne!(Quantized::new(&[2e-10, -1e-10]).values, [0, 0]);
        let large = Quantized::new(&vec![1.234_567e15; 10_000]);
        assert!(large.sum() > 0);
        assert!(large.scale < 1.0);
    }
}
