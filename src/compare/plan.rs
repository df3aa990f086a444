//! What to compare, and how.

use super::gates::GateRule;
use super::metric::Metric;
use crate::scores::slices::Slice;
use crate::stats::bootstrap::BootstrapKind;
use crate::stats::correction::Correction;
use crate::stats::randomization::{Alternative, RandomizationOptions};
use crate::stats::summary::IntervalMethod;

/// Everything that can be chosen about a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The metrics: the columns of the runs, in their order.
    pub metrics: Vec<Metric>,
    /// Which runs are compared with which.
    pub pairs: Pairs,
    /// Parts of the queries that are compared by themselves too.
    pub slices: Vec<Slice>,
    /// How p-values are adjusted for the number of rows.
    pub adjust: Adjust,
    /// How those of slices are, among themselves.
    pub adjust_slices: Correction,
    /// Which direction counts as extreme.
    pub alternative: Alternative,
    /// The significance level; intervals are at 1 - alpha.
    pub alpha: f64,
    /// Random sign patterns where not all can be counted.
    pub resamples: u64,
    /// Resamples of a bootstrap interval.
    pub bootstrap: u64,
    /// How intervals are made.
    pub interval: IntervalKind,
    /// Which p decides for metrics that are 0 or 1.
    pub binary_p: BinaryP,
    /// Tests of other hypotheses that are shown beside, and decide nothing.
    pub also: Also,
    /// The largest difference that does not matter; asks for equivalence.
    pub margin: Option<f64>,
    /// What must hold.
    pub gates: Vec<GateRule>,
    /// The one-sided confidence level of gates.
    pub gate_level: f64,
    /// Seed of the random numbers.
    pub seed: u64,
}

/// Which runs are compared with which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pairs {
    /// Every run with the first one.
    #[default]
    Baseline,
    /// Every run with every run before it.
    All,
}

impl Pairs {
    /// The pairs (A, B) of `runs` runs, by position.
    pub fn of(self, runs: usize) -> Vec<(usize, usize)> {
        match self {
            Self::Baseline => (1..runs).map(|b| (0, b)).collect(),
            Self::All => (0..runs).flat_map(|a| (a + 1..runs).map(move |b| (a, b))).collect(),
        }
    }
}

/// How p-values are adjusted for the number of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adjust {
    /// From the p-values alone.
    By(Correction),
    /// Step-down max-T: the signs of all rows are flipped together.
    MaxT,
    /// Randomized Tukey HSD over the pairs of each metric.
    Tukey,
}

impl Adjust {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::By(correction) => correction_name(correction),
            Self::MaxT => "maxt",
            Self::Tukey => "tukey",
        }
    }
}

/// The name of a correction in JSON.
pub fn correction_name(correction: Correction) -> &'static str {
    match correction {
        Correction::None => "none",
        Correction::Holm => "holm",
        Correction::BenjaminiHochberg => "bh",
        Correction::Bonferroni => "bonferroni",
    }
}

/// How the interval of a mean difference is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntervalKind {
    /// A paired bootstrap.
    Bootstrap(BootstrapKind),
    /// Student's t.
    T,
}

impl IntervalKind {
    /// The method to name beside the interval.
    pub fn method(self) -> IntervalMethod {
        match self {
            Self::Bootstrap(kind) => kind.method(),
            Self::T => IntervalMethod::StudentT,
        }
    }
}

/// Which p decides for metrics that are 0 or 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BinaryP {
    /// The exact one, which holds its level whatever the data.
    #[default]
    Exact,
    /// The mid-p, less cautious.
    Mid,
}

/// Tests of other hypotheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Also {
    /// Wilcoxon's signed-rank test.
    pub wilcoxon: bool,
    /// The sign test.
    pub sign: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            metrics: Vec::new(),
            pairs: Pairs::Baseline,
            slices: Vec::new(),
            adjust: Adjust::By(Correction::Holm),
            adjust_slices: Correction::BenjaminiHochberg,
            alternative: Alternative::TwoSided,
            alpha: 0.05,
            resamples: 100_000,
            bootstrap: 10_000,
            interval: IntervalKind::Bootstrap(BootstrapKind::Adjusted),
            binary_p: BinaryP::Exact,
            also: Also::default(),
            margin: None,
            gates: Vec::new(),
            gate_level: 0.95,
            seed: 0,
        }
    }
}

impl Plan {
    pub(super) fn randomization(&self) -> RandomizationOptions {
        RandomizationOptions { alternative: self.alternative, resamples: self.resamples, seed: self.seed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_begin_with_the_earlier_run() {
        assert_eq!(Pairs::Baseline.of(4), [(0, 1), (0, 2), (0, 3)]);
        assert_eq!(Pairs::All.of(3), [(0, 1), (0, 2), (1, 2)]);
    }
}
