//! A measure as a comparison sees it: a name, which direction is good, and the values it can take.

use crate::measure::{Better, Measure};
use crate::stats::summary::Range;

/// Starts and ends of names that stand for times and costs, where less is better.
const LOWER_STARTS: [&str; 2] = ["latency", "cost"];
const LOWER_ENDS: [&str; 2] = ["_ms", "_usd"];

/// A measure, or a column of saved scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    /// Its name.
    pub label: String,
    /// Which direction is good.
    pub better: Better,
    /// The values it can take; `None` where nobody knows.
    pub range: Option<Range>,
}

impl Metric {
    /// A metric by its name: a measure of ours has its direction and range from its definition.
    /// Of any other column higher is better, unless it is named as a time or a cost.
    ///
    /// ```
    /// use raglens::compare::Metric;
    /// use raglens::measure::Better;
    /// assert_eq!(Metric::named("ndcg@10").range.map(|range| range.high), Some(1.0));
    /// assert_eq!(Metric::named("faithfulness").better, Better::Higher);
    /// assert_eq!(Metric::named("latency_p95").better, Better::Lower);
    /// ```
    pub fn named(label: &str) -> Self {
        // `recall@k` is a recall, whatever its k was.
        let without_cutoff = || Measure::parse(label.split_once('@')?.0).ok();
        match Measure::parse(label).ok().or_else(without_cutoff) {
            Some(measure) => Self::of(label, &measure),
            None => Self { label: label.to_owned(), better: direction(label), range: None },
        }
    }

    /// A measure under a label.
    fn of(label: &str, measure: &Measure) -> Self {
        let definition = measure.definition();
        let (low, high) = definition.range;
        let range = Range { low, high };
        let range = Some(range).filter(|range| range.width().is_finite());
        Self { label: label.to_owned(), better: definition.better, range }
    }

    /// The sign that makes a difference positive when it is an improvement.
    pub fn sign(&self) -> f64 {
        if self.better == Better::Lower { -1.0 } else { 1.0 }
    }
}

fn direction(label: &str) -> Better {
    let label = label.to_ascii_lowercase();
    let starts = LOWER_STARTS.iter().any(|start| label.starts_with(start));
    let ends = LOWER_ENDS.iter().any(|end| label.ends_with(end));
    if starts || ends { Better::Lower } else { Better::Higher }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_decide_where_there_are_any() {
        assert_eq!(Metric::named("recall_5").range, Some(Range::UNIT));
        assert_eq!(Metric::named("recall@k").range, Some(Range::UNIT));
        assert_eq!(Metric::named("judged@10").better, Better::Neither);
        assert_eq!(Metric::named("dcg@10").range, None);
    }

    #[test]
    fn times_and_costs_are_better_low() {
        for label in ["latency", "Latency_p95", "cost_per_query", "rerank_ms", "total_usd"] {
            assert_eq!((Metric::named(label).better, Metric::named(label).sign()), (Better::Lower, -1.0), "{label}");
        }
        assert_eq!(Metric::named("correct").sign(), 1.0);
    }
}
