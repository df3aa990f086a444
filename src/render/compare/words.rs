//! The words of a comparison: names, p-values, verdicts and their reasons.

use raglens::compare::{Adjust, BinaryP, Found, IntervalKind, Pairs, Plan, Row, most_that_differ};
use raglens::measure::Measure;
use raglens::stats::bootstrap::BootstrapKind;
use raglens::stats::correction::Correction;
use raglens::stats::randomization::{Alternative, RandomizationMethod};
use raglens::stats::summary::Interval;
use raglens::stats::verdict::{Absence, Disagreement, Verdict};

use super::report::Report;
use crate::render::eval::report::short_name;
use crate::render::number::{self, exact, grouped, p_floor, p_value, queries, signed, small_percent};

/// The name of a metric as text shows it: `ndcg'@10`.
pub fn short(label: &str) -> String {
    match Measure::parse(label) {
        Ok(measure) if measure.label() == label => short_name(&measure),
        _ => raglens::id::escaped(label.as_bytes()),
    }
}

/// `hybrid against bm25`
pub fn versus(report: &Report, row: &Row) -> String {
    format!("{} against {}", report.name(row.b), report.name(row.a))
}

/// The p that decides.
pub fn p(found: &Found, alpha: f64) -> String {
    match found.test.method {
        RandomizationMethod::MonteCarlo(draws) if draws.count == 0 && !found.is_mid_p => p_floor(draws.resamples),
        _ => p_value(found.p, alpha),
    }
}

/// Whether p comes from random patterns.
pub fn is_random(found: &Found) -> bool {
    !found.is_mid_p && matches!(found.test.method, RandomizationMethod::MonteCarlo(_))
}

/// `[+0.033, +0.158]`
pub fn interval(interval: Interval, digits: usize) -> String {
    format!("[{}, {}]", signed(interval.low, digits), signed(interval.high, digits))
}

/// `95%`: the level of intervals.
pub fn level(plan: &Plan) -> String {
    number::level(number::level_of(plan.alpha))
}

/// What stands beside the difference: the interval, or why there is none.
pub fn beside(found: &Found, digits: usize) -> String {
    match found.interval {
        Some(found) => interval(found, digits),
        None if found.paired.n == 1 => "(one query)".to_owned(),
        None if found.all_equal() || found.paired.is_identical() => format!("(all {} equal)", found.paired.n),
        None => "(none)".to_owned(),
    }
}

/// The word of a verdict.
pub fn verdict(found: &Found) -> &'static str {
    found.verdict.map_or("n/a", |verdict| verdict.word())
}

/// The reason of a verdict, short enough to stand beside it; empty where there is none.
pub fn short_reason(found: &Found, plan: &Plan) -> String {
    let alpha = exact(plan.alpha);
    match found.verdict {
        None => String::new(),
        Some(Verdict::Identical) => "no query differs".to_owned(),
        Some(Verdict::Better | Verdict::Worse) if found.all_equal() => "every query moved by the same".to_owned(),
        Some(Verdict::Better | Verdict::Worse) => String::new(),
        Some(Verdict::Borderline(Disagreement::IntervalIncludesZero)) => {
            format!("p is below {alpha}, the interval includes 0")
        }
        Some(Verdict::Borderline(Disagreement::NotSignificant)) => {
            format!("interval excludes 0, p is not below {alpha}")
        }
        Some(Verdict::Borderline(Disagreement::NotAfterCorrection)) => "not after correction".to_owned(),
        Some(Verdict::NoEvidence(Absence::TooFewDiffer { differing: 1, .. })) => "only 1 query differs".to_owned(),
        Some(Verdict::NoEvidence(Absence::TooFewDiffer { differing, smallest_p })) => {
            format!(
                "only {} differ{}: p >= {}",
                queries(differing as u64),
                verb(differing),
                p_value(smallest_p, plan.alpha)
            )
        }
        Some(Verdict::NoEvidence(Absence::NotFound)) if found.points_away(plan.alternative) => {
            "the difference goes the other way".to_owned()
        }
        Some(Verdict::NoEvidence(Absence::NotFound)) => String::new(),
    }
}

/// The reason in a sentence, for machines; `None` where there is none.
pub fn reason(found: &Found, plan: &Plan) -> Option<String> {
    let n = found.paired.n;
    let text = match found.verdict {
        None => "it describes a ranking: neither direction is better".to_owned(),
        Some(Verdict::Identical) => {
            let share = small_percent(most_that_differ(n, 0.95));
            format!("no query differs; with n = {n} the share of queries that differ is at most {share} (95%)")
        }
        Some(Verdict::NoEvidence(Absence::TooFewDiffer { differing, smallest_p })) => {
            let count = queries(differing as u64);
            format!("only {count} differ{}: p cannot be below {}", verb(differing), exact(smallest_p))
        }
        _ => short_reason(found, plan),
    };
    let uncertain = found.is_uncertain(plan.alpha).then(|| uncertain(plan));
    let parts: Vec<String> = [Some(text).filter(|text| !text.is_empty()), uncertain].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The reason of a row in a sentence; `None` where there is none.
pub fn row_reason(found: Option<&Found>, plan: &Plan) -> Option<String> {
    match found {
        Some(found) => reason(found, plan),
        None => Some("no query has a value on both sides".to_owned()),
    }
}

/// Why another seed could decide otherwise.
pub fn uncertain(plan: &Plan) -> String {
    let more = plan.resamples.saturating_mul(10);
    format!("p is within Monte Carlo error of {}; use --resamples {more}", exact(plan.alpha))
}

/// One query differs, two differ.
fn verb(count: usize) -> &'static str {
    if count == 1 { "s" } else { "" }
}

/// What the p of the table is.
pub fn test(plan: &Plan) -> &'static str {
    match plan.alternative {
        Alternative::TwoSided => "paired randomization test, two-sided",
        Alternative::Greater => "paired randomization test, one-sided (B higher)",
        Alternative::Less => "paired randomization test, one-sided (B lower)",
    }
}

/// What the adjusted p of a family is.
pub fn adjustment(method: Adjust) -> &'static str {
    match method {
        Adjust::By(Correction::None) => "not adjusted",
        Adjust::By(Correction::Holm) => "Holm",
        Adjust::By(Correction::BenjaminiHochberg) => "Benjamini-Hochberg",
        Adjust::By(Correction::Bonferroni) => "Bonferroni",
        Adjust::MaxT => "step-down max-T",
        Adjust::Tukey => "randomized Tukey HSD",
    }
}

/// How intervals are made.
pub fn intervals(plan: &Plan) -> String {
    let how = match plan.interval {
        IntervalKind::T => return "Student's t".to_owned(),
        IntervalKind::Bootstrap(BootstrapKind::Adjusted) => "",
        IntervalKind::Bootstrap(BootstrapKind::Percentile) => ", plain percentiles",
        IntervalKind::Bootstrap(BootstrapKind::Bca) => ", BCa",
    };
    format!("paired bootstrap, {} resamples{how}", grouped(plan.bootstrap))
}

/// The name of an alternative in JSON.
pub fn alternative(plan: &Plan) -> &'static str {
    match plan.alternative {
        Alternative::TwoSided => "two-sided",
        Alternative::Greater => "greater",
        Alternative::Less => "less",
    }
}

/// The name of the way intervals are made in JSON.
pub fn interval_name(plan: &Plan) -> &'static str {
    match plan.interval {
        IntervalKind::T => "t",
        IntervalKind::Bootstrap(kind) => kind.method().name(),
    }
}

/// The name of the p that decides for values of 0 and 1 in JSON.
pub fn binary_p(plan: &Plan) -> &'static str {
    match plan.binary_p {
        BinaryP::Exact => "exact",
        BinaryP::Mid => "mid",
    }
}

/// The name of the choice of pairs in JSON.
pub fn pairs(plan: &Plan) -> &'static str {
    match plan.pairs {
        Pairs::Baseline => "baseline",
        Pairs::All => "all",
    }
}

/// `a, b and c`
pub fn list<T: AsRef<str>>(items: &[T]) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [front @ .., last] => {
            let front: Vec<&str> = front.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", front.join(", "), last.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_end_in_and() {
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    }

    #[test]
    fn names_are_those_of_the_other_tables() {
        assert_eq!(short("ndcg:condensed@10"), "ndcg'@10");
        assert_eq!(short("faithfulness"), "faithfulness");
        assert_eq!(short("recall_5"), "recall_5");
    }
}
