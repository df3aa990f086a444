//! Two scores per query as differences: the one input of every paired test.

use super::summary::{mean, sum};

/// Differences up to this size are rounding noise and count as no difference.
pub const NO_DIFFERENCE: f64 = 1e-12;

/// The largest size of a score, so that no sum of squares overflows.
pub const LARGEST: f64 = 1e150;

/// Why two slices of scores cannot be paired.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PairedError {
    /// The slices differ in length.
    #[error("expected as many scores on both sides, got {a} and {b}")]
    Lengths {
        /// Scores on side A.
        a: usize,
        /// Scores on side B.
        b: usize,
    },
    /// There is no query at all.
    #[error("expected at least one query, got none")]
    Empty,
    /// A score is NaN, infinite or larger than [`LARGEST`] in size.
    #[error(
        "expected finite scores of at most {LARGEST:e} in size, got {a} and {b} for query {index} (counted from 0)"
    )]
    Score {
        /// Position of the query, from 0.
        index: usize,
        /// Its score on side A.
        a: f64,
        /// Its score on side B.
        b: f64,
    },
}

/// Scores of two sides over the same queries, in the order of the query ids.
///
/// Every difference is B minus A, so that a positive one is a win for B.
#[derive(Debug, Clone, PartialEq)]
pub struct Paired {
    /// Number of queries; at least 1.
    pub n: usize,
    /// B minus A per query; exactly 0.0 where it is at most [`NO_DIFFERENCE`] in size.
    pub differences: Vec<f64>,
    /// Queries where B scores higher.
    pub wins: usize,
    /// Queries without a difference.
    pub ties: usize,
    /// Queries where B scores lower.
    pub losses: usize,
    /// Mean score of A.
    pub mean_a: f64,
    /// Mean score of B.
    pub mean_b: f64,
    /// Mean of the differences.
    pub mean_difference: f64,
}

impl Paired {
    /// Pairs `a[i]` with `b[i]`.
    pub fn new(a: &[f64], b: &[f64]) -> Result<Self, PairedError> {
        check(a, b)?;
        let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| difference(*a, *b)).collect();
        let wins = differences.iter().filter(|d| **d > 0.0).count();
        let losses = differences.iter().filter(|d| **d < 0.0).count();
        Ok(Self {
            n: a.len(),
            wins,
            ties: a.len() - wins - losses,
            losses,
            mean_a: mean(a).ok_or(PairedError::Empty)?,
            mean_b: mean(b).ok_or(PairedError::Empty)?,
            mean_difference: mean(&differences).ok_or(PairedError::Empty)?,
            differences,
        })
    }

    /// Number of queries whose scores differ (m).
    pub fn differing(&self) -> usize {
        self.wins + self.losses
    }

    /// Whether no query differs.
    pub fn is_identical(&self) -> bool {
        self.differing() == 0
    }

    /// The same pairs with the sides swapped.
    pub fn mirrored(&self) -> Self {
        Self {
            differences: self.differences.iter().map(|d| 0.0 - d).collect(),
            wins: self.losses,
            losses: self.wins,
            mean_a: self.mean_b,
            mean_b: self.mean_a,
            mean_difference: 0.0 - self.mean_difference,
            ..*self
        }
    }

    /// Sum of the squared differences.
    pub fn sum_of_squares(&self) -> f64 {
        sum(self.differences.iter().map(|d| d * d))
    }
}

fn check(a: &[f64], b: &[f64]) -> Result<(), PairedError> {
    if a.len() != b.len() {
        return Err(PairedError::Lengths { a: a.len(), b: b.len() });
    }
    if a.is_empty() {
        return Err(PairedError::Empty);
    }
    match a.iter().zip(b).position(|(a, b)| !(is_usable(*a) && is_usable(*b))) {
        Some(index) => Err(PairedError::Score { index, a: a[index], b: b[index] }),
        None => Ok(()),
    }
}

/// False for NaN too.
fn is_usable(score: f64) -> bool {
    score.abs() <= LARGEST
}

fn difference(a: f64, b: f64) -> f64 {
    let difference = b - a;
    if difference.abs() <= NO_DIFFERENCE { 0.0 } else { difference }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_wins_ties_and_losses_of_b() {
        let paired = Paired::new(&[0.5, 0.5, 1.0, 0.0], &[0.75, 0.5, 0.25, 0.5]).unwrap();
        assert_eq!((paired.wins, paired.ties, paired.losses), (2, 1, 1));
        assert_eq!(paired.differences, [0.25, 0.0, -0.75, 0.5]);
        assert_eq!((paired.mean_a, paired.mean_b, paired.mean_difference), (0.5, 0.5, 0.0));
        assert_eq!(paired.differing(), 3);
    }

    #[test]
    fn rounding_noise_is_a_tie() {
        let paired = Paired::new(&[0.3, 0.5], &[0.1 + 0.2, 0.5]).unwrap();
        assert!(paired.is_identical());
        assert_eq!(paired.differences, [0.0, 0.0]);
    }

    #[test]
    fn mirroring_is_pairing_the_other_way_round() {
        let (a, b) = ([0.1, 0.2, 0.9], [0.7, 0.2, 0.3]);
        let mirrored = Paired::new(&a, &b).unwrap().mirrored();
        assert_eq!(mirrored, Paired::new(&b, &a).unwrap());
        assert!(mirrored.differences[1].is_sign_positive());
    }

    #[test]
    fn refuses_what_cannot_be_paired() {
        assert_eq!(Paired::new(&[], &[]), Err(PairedError::Empty));
        assert_eq!(Paired::new(&[1.0], &[]), Err(PairedError::Lengths { a: 1, b: 0 }));
        let error = Paired::new(&[1.0, f64::NAN], &[1.0, 0.0]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected finite scores of at most 1e150 in size, got NaN and 0 for query 1 (counted from 0)"
        );
        assert!(Paired::new(&[1e151], &[0.0]).is_err());
    }
}
