//! One row: two runs, one metric, all queries or a slice of them.

use super::drawn::Drawn;
use super::error::CompareError;
use super::gates::Place;
use super::join::Joined;
use super::metric::Metric;
use super::plan::{BinaryP, Plan};
use super::sides::{Pairing, Sides, check_range, evidence};
use crate::stats::bounds::Evidence;
use crate::stats::effect::{EffectSize, effect_size};
use crate::stats::equivalence::Equivalence;
use crate::stats::mcnemar::{Discordant, McNemar, TwoByTwo, mcnemar, smallest_mid_p};
use crate::stats::paired::Paired;
use crate::stats::power::{BinaryPlan, detectable_mean};
use crate::stats::randomization::{Alternative, RandomizationTest};
use crate::stats::summary::{Interval, IntervalMethod, ZERO_SPREAD, sample_sd};
use crate::stats::t_test::{TTest, t_test};
use crate::stats::tango::tango;
use crate::stats::verdict::{Absence, Findings, Verdict};
use crate::stats::wilcoxon::{sign_test, wilcoxon_test};

/// The power with which a difference must be found to count as detectable.
pub const POWER: f64 = 0.8;

/// Two runs compared on one metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Position of the metric in the plan.
    pub metric: usize,
    /// Position of run A.
    pub a: usize,
    /// Position of run B.
    pub b: usize,
    /// Position of the slice in the plan; `None` for all queries.
    pub slice: Option<usize>,
    /// Queries that have no value on one of the sides.
    pub without_value: usize,
    /// What was found; `None` when no query has a value on both sides.
    pub found: Option<Found>,
}

/// What two equally long lists of scores show.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Positions of the queries among those joined.
    pub queries: Vec<usize>,
    /// Scores of A and B per query.
    pub scores: Vec<(f64, f64)>,
    /// Differences (B minus A), means, wins, ties and losses. A win is a larger value, whether
    /// that is good or not: see [`Found::better`] and [`Found::worse`].
    pub paired: Paired,
    /// Queries where B is better.
    pub better: usize,
    /// Queries where B is worse.
    pub worse: usize,
    /// The interval of the mean difference; `None` when it would claim certainty.
    pub interval: Option<Interval>,
    /// How it was made.
    pub interval_method: IntervalMethod,
    /// The paired randomization test.
    pub test: RandomizationTest,
    /// The p that decides: that of the test, or the mid-p.
    pub p: f64,
    /// The smallest p that the queries that differ can give.
    pub smallest_p: f64,
    /// Whether the mid-p decides.
    pub is_mid_p: bool,
    /// The p adjusted for all rows; `None` when this is the only one, or without adjustment.
    pub adjusted_p: Option<f64>,
    /// Student's test; `None` without spread.
    pub t: Option<TTest>,
    /// Effect sizes.
    pub effect: EffectSize,
    /// The test of the 2x2 table; `None` unless all scores are 0 or 1.
    pub binary: Option<Binary>,
    /// Wilcoxon's test, on request.
    pub wilcoxon: Option<RandomizationTest>,
    /// The sign test, on request.
    pub sign: Option<RandomizationTest>,
    /// Whether the sides are equivalent, where a margin was given.
    pub equivalence: Option<Equivalence>,
    /// The smallest true difference that these queries find four times in five; `None` when even
    /// winning every query that differs would not be enough, when it would be wider than the range
    /// of the metric, or when nothing varies.
    pub detectable: Option<f64>,
    /// What it comes to; `None` for metrics of which neither direction is better.
    pub verdict: Option<Verdict>,
}

/// Two sides that are 0 or 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Binary {
    /// How often each scored 1.
    pub table: TwoByTwo,
    /// McNemar's test.
    pub mcnemar: McNemar,
    /// Tango's interval.
    pub interval: Option<Interval>,
    /// Queries where only one of them did, by position in [`Found::queries`].
    pub discordant: Discordant,
}

impl Row {
    /// The row of two sides and what was drawn for them.
    pub(super) fn new(plan: &Plan, sides: Sides, drawn: Option<Drawn>) -> Self {
        let Sides { place: Place { metric, a, b, slice }, without_value, pairing } = sides;
        let found = pairing.zip(drawn).map(|(pairing, drawn)| Found::new(plan, &plan.metrics[metric], pairing, drawn));
        Self { metric, a, b, slice, without_value, found }
    }
}

impl Found {
    fn new(plan: &Plan, metric: &Metric, pairing: Pairing, drawn: Drawn) -> Self {
        let Pairing { queries, scores, paired, binary, equivalence } = pairing;
        let Drawn { test, interval } = drawn;
        let (wilcoxon, sign) = also(&paired, plan);
        let Deciding { p, smallest_p, is_mid_p } = Deciding::of(&test, binary.as_ref(), plan);
        let (better, worse) = match metric.sign() > 0.0 {
            true => (paired.wins, paired.losses),
            false => (paired.losses, paired.wins),
        };
        Self {
            better,
            worse,
            interval: interval.filter(|_| !paired.is_identical()),
            interval_method: plan.interval.method(),
            test,
            p,
            smallest_p,
            is_mid_p,
            adjusted_p: None,
            t: t_test(&paired, plan.alternative, 1.0 - plan.alpha),
            effect: effect_size(&paired),
            wilcoxon,
            sign,
            equivalence,
            detectable: detectable(&paired, binary.as_ref().map(|binary| binary.table), metric, plan),
            verdict: None,
            binary,
            queries,
            scores,
            paired,
        }
    }

    /// The 2x2 table, where all scores are 0 or 1.
    pub fn table(&self) -> Option<TwoByTwo> {
        self.binary.as_ref().map(|binary| binary.table)
    }

    /// Whether all differences are equal and there is one.
    pub fn all_equal(&self) -> bool {
        !self.paired.is_identical() && sample_sd(&self.paired.differences).is_none_or(|sd| sd <= ZERO_SPREAD)
    }

    /// Whether p lies within four standard errors of alpha.
    pub fn is_uncertain(&self, alpha: f64) -> bool {
        !self.is_mid_p && self.test.is_uncertain_at(alpha)
    }

    /// What the bounds of an improvement are made from: positive is better.
    pub(super) fn evidence(&self, joined: &Joined, metric: &Metric) -> Result<Evidence, CompareError> {
        check_range(joined, metric, &self.queries, &self.scores)?;
        let (paired, table) = match metric.sign() > 0.0 {
            true => (self.paired.clone(), self.table()),
            false => (self.paired.mirrored(), self.table().map(|table| table.mirrored())),
        };
        evidence(&paired, table, metric)
    }

    /// Decides, once the adjusted p is known.
    pub(super) fn decide(&mut self, metric: &Metric, plan: &Plan) {
        if metric.better == crate::measure::Better::Neither {
            return;
        }
        let mean_difference = metric.sign() * self.paired.mean_difference;
        let findings = Findings {
            mean_difference,
            adjusted_p: self.adjusted_p,
            ..Findings::new(&self.paired, self.p, self.smallest_p, self.interval)
        };
        self.verdict = Some(match findings.verdict(plan.alpha) {
            Verdict::Borderline(_) if self.points_away(plan.alternative) => Verdict::NoEvidence(Absence::NotFound),
            verdict => verdict,
        });
    }

    /// Whether the difference goes against a one-sided alternative, which then has no evidence
    /// whatever the interval.
    pub fn points_away(&self, alternative: Alternative) -> bool {
        match alternative {
            Alternative::TwoSided => false,
            Alternative::Greater => self.paired.mean_difference < 0.0,
            Alternative::Less => self.paired.mean_difference > 0.0,
        }
    }
}

impl Binary {
    /// `None` unless all scores are 0 or 1.
    pub(super) fn new(a: &[f64], b: &[f64], paired: &Paired, plan: &Plan) -> Option<Self> {
        let table = TwoByTwo::count(a, b)?;
        Some(Self {
            table,
            mcnemar: mcnemar(table, plan.alternative),
            interval: tango(table, 1.0 - plan.alpha),
            discordant: Discordant::of(&paired.differences),
        })
    }
}

/// The p that decides.
struct Deciding {
    p: f64,
    smallest_p: f64,
    is_mid_p: bool,
}

impl Deciding {
    /// That of the test, or the mid-p where the plan wants it and there is one.
    fn of(test: &RandomizationTest, binary: Option<&Binary>, plan: &Plan) -> Self {
        match binary.filter(|_| plan.binary_p == BinaryP::Mid) {
            Some(binary) => {
                let smallest_p = smallest_mid_p(test.differing, plan.alternative);
                Self { p: binary.mcnemar.mid_p, smallest_p, is_mid_p: true }
            }
            None => Self { p: test.p, smallest_p: test.smallest_possible, is_mid_p: false },
        }
    }
}

/// Wilcoxon's test and the sign test, on request.
fn also(paired: &Paired, plan: &Plan) -> (Option<RandomizationTest>, Option<RandomizationTest>) {
    let wilcoxon = plan.also.wilcoxon.then(|| wilcoxon_test(paired, plan.randomization())).flatten();
    (wilcoxon, plan.also.sign.then(|| sign_test(paired, plan.randomization())))
}

/// The smallest difference that `n` queries that vary as these do find four times in five.
fn detectable(paired: &Paired, table: Option<TwoByTwo>, metric: &Metric, plan: &Plan) -> Option<f64> {
    if paired.is_identical() {
        return None;
    }
    let n = paired.n as u64;
    match table {
        Some(table) => {
            let disagreement = table.discordant() as f64 / n as f64;
            let mid_p = plan.binary_p == BinaryP::Mid;
            BinaryPlan { disagreement, alpha: plan.alpha, mid_p }.detectable(n, POWER, 0.001)
        }
        None => {
            let sd = sample_sd(&paired.differences).filter(|sd| *sd > ZERO_SPREAD)?;
            let can_be = |difference: &f64| metric.range.is_none_or(|range| *difference <= range.width());
            detectable_mean(n, sd, plan.alpha, POWER).filter(can_be)
        }
    }
}

/// At most this share of all queries differs when none of `n` does, at a one-sided `level`.
pub fn most_that_differ(n: usize, level: f64) -> f64 {
    1.0 - (1.0 - level).powf(1.0 / n as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_of_42_says_at_most_seven_in_a_hundred() {
        assert!((most_that_differ(42, 0.95) - 0.0688).abs() < 1e-4);
    }
}
