//! The words of a row: what the p-value and the interval say together.

use super::paired::Paired;
use super::summary::Interval;

/// What a comparison shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// No query differs.
    Identical,
    /// B is better: p is below alpha and the interval excludes 0.
    Better,
    /// B is worse, as certain.
    Worse,
    /// The p-value and the interval do not agree.
    Borderline(Disagreement),
    /// Neither says there is a difference.
    NoEvidence(Absence),
}

/// On which side the p-value and the interval disagree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Disagreement {
    /// The p-value is below alpha, the interval includes 0.
    IntervalIncludesZero,
    /// The interval excludes 0, the p-value is not below alpha.
    NotSignificant,
    /// The interval excludes 0 and the raw p is below alpha, the adjusted p is not.
    NotAfterCorrection,
}

/// Why there is no evidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Absence {
    /// So few queries differ that p could not have been below alpha.
    TooFewDiffer {
        /// Queries that differ.
        differing: usize,
        /// The smallest p they can give.
        smallest_p: f64,
    },
    /// A difference could have been found, and was not.
    NotFound,
}

impl Verdict {
    /// The word for it, the same in every format.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Borderline(_) => "borderline",
            Self::NoEvidence(_) => "no evidence",
        }
    }

    /// The verdict once the sides are swapped.
    pub fn mirrored(self) -> Self {
        match self {
            Self::Better => Self::Worse,
            Self::Worse => Self::Better,
            other => other,
        }
    }
}

/// What a verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Findings {
    /// Queries that differ.
    pub differing: usize,
    /// Mean of B minus A, turned so that positive is better.
    pub mean_difference: f64,
    /// The p-value of this test alone.
    pub p: f64,
    /// The p-value adjusted for all tests shown; `None` when this is the only one.
    pub adjusted_p: Option<f64>,
    /// The smallest p that the differing queries can give.
    pub smallest_p: f64,
    /// The interval of the mean difference; `None` where there is none, and p alone decides.
    pub interval: Option<Interval>,
}

impl Findings {
    /// Findings of `paired` with the p of a test and what goes with it.
    pub fn new(paired: &Paired, p: f64, smallest_p: f64, interval: Option<Interval>) -> Self {
        Self {
            differing: paired.differing(),
            mean_difference: paired.mean_difference,
            p,
            adjusted_p: None,
            smallest_p,
            interval,
        }
    }

    /// The verdict at a significance level `alpha` (0.05).
    pub fn verdict(&self, alpha: f64) -> Verdict {
        if self.differing == 0 {
            return Verdict::Identical;
        }
        if self.smallest_p > alpha {
            let (differing, smallest_p) = (self.differing, self.smallest_p);
            return Verdict::NoEvidence(Absence::TooFewDiffer { differing, smallest_p });
        }
        let is_significant = self.adjusted_p.unwrap_or(self.p) < alpha;
        let excludes_zero = self.interval.map_or(is_significant, |interval| !interval.contains(0.0));
        match (is_significant, excludes_zero) {
            (true, true) => self.direction(),
            (true, false) => Verdict::Borderline(Disagreement::IntervalIncludesZero),
            (false, true) => Verdict::Borderline(self.insignificance(alpha)),
            (false, false) => Verdict::NoEvidence(Absence::NotFound),
        }
    }

    fn direction(&self) -> Verdict {
        if self.mean_difference > 0.0 { Verdict::Better } else { Verdict::Worse }
    }

    fn insignificance(&self, alpha: f64) -> Disagreement {
        if self.p < alpha { Disagreement::NotAfterCorrection } else { Disagreement::NotSignificant }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLEAR: Findings = Findings {
        differing: 30,
        mean_difference: 0.1,
        p: 0.01,
        adjusted_p: None,
        smallest_p: 1e-9,
        interval: Some(Interval { low: 0.02, high: 0.2 }),
    };
    const WIDE: Option<Interval> = Some(Interval { low: -0.02, high: 0.2 });

    #[test]
    fn both_agree() {
        assert_eq!(CLEAR.verdict(0.05), Verdict::Better);
        let down = Interval { low: -0.2, high: -0.02 };
        let worse = Findings { mean_difference: -0.1, interval: Some(down), ..CLEAR };
        assert_eq!(worse.verdict(0.05), CLEAR.verdict(0.05).mirrored());
        let nothing = Findings { p: 0.3, interval: WIDE, ..CLEAR };
        assert_eq!(nothing.verdict(0.05), Verdict::NoEvidence(Absence::NotFound));
    }

    #[test]
    fn borderline_says_why() {
        let reason = |findings: Findings| match findings.verdict(0.05) {
            Verdict::Borderline(reason) => Some(reason),
            _ => None,
        };
        let corrected = Findings { adjusted_p: Some(0.11), ..CLEAR };
        assert_eq!(reason(corrected), Some(Disagreement::NotAfterCorrection));
        let large = Findings { p: 0.06, ..CLEAR };
        assert_eq!(reason(large), Some(Disagreement::NotSignificant));
        let wide = Findings { interval: WIDE, ..CLEAR };
        assert_eq!(reason(wide), Some(Disagreement::IntervalIncludesZero));
    }

    #[test]
    fn too_few_queries_are_no_evidence_whatever_the_interval() {
        let few = Findings { differing: 4, p: 0.125, smallest_p: 0.125, ..CLEAR };
        let expected = Absence::TooFewDiffer { differing: 4, smallest_p: 0.125 };
        assert_eq!(few.verdict(0.05), Verdict::NoEvidence(expected));
        assert_eq!(few.verdict(0.2), Verdict::Better);
    }

    #[test]
    fn identical_and_without_interval() {
        let identical = Findings { differing: 0, p: 1.0, smallest_p: 1.0, interval: None, ..CLEAR };
        assert_eq!(identical.verdict(0.05), Verdict::Identical);
        let equal = Findings { interval: None, ..CLEAR };
        assert_eq!(equal.verdict(0.05), Verdict::Better);
        assert_eq!(equal.verdict(0.05).word(), "better");
    }

    #[test]
    fn a_p_of_exactly_alpha_is_not_below_it() {
        let edge = Findings { p: 0.05, interval: WIDE, ..CLEAR };
        assert_eq!(edge.verdict(0.05), Verdict::NoEvidence(Absence::NotFound));
    }
}
