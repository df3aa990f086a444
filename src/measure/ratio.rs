//! Values that are a share of something, so that queries can be pooled.

/// A value as numerator over denominator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratio {
    /// What was found.
    pub numerator: f64,
    /// Out of how much.
    pub denominator: f64,
}

impl Ratio {
    /// The fraction of two counts.
    pub fn of(numerator: u64, denominator: u64) -> Self {
        Self { numerator: numerator as f64, denominator: denominator as f64 }
    }

    /// The fraction of two queries taken together.
    #[must_use]
    pub fn pooled(self, other: Self) -> Self {
        let (numerator, denominator) = (self.numerator + other.numerator, self.denominator + other.denominator);
        Self { numerator, denominator }
    }

    /// The quotient; 0 where nothing was there to be found.
    pub fn value(self) -> f64 {
        if self.denominator == 0.0 { 0.0 } else { self.numerator / self.denominator }
    }
}
