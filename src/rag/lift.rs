//! What one run gains over another on the same queries, with its interval.

use crate::compare::{CompareError, Metric, Plan, RunScores, compare, join};
use crate::evaluate::Over;
use crate::id::Id;
use crate::stats::summary::Interval;
use crate::stats::verdict::Verdict;

/// The gain of one run over another.
#[derive(Debug, Clone, PartialEq)]
pub struct Lift {
    /// Number of queries with a value on both sides.
    pub n: usize,
    /// Mean of the run that is compared with.
    pub from: f64,
    /// Mean of the other run.
    pub to: f64,
    /// Mean of the differences.
    pub difference: f64,
    /// Its 95 % interval, by the paired bootstrap of [`compare`](mod@crate::compare); `None` where there are
    /// too few queries or all differ by the same.
    pub interval: Option<Interval>,
    /// What interval and test come to.
    pub verdict: Option<Verdict>,
}

impl Lift {
    /// Whether there is no telling that the true gain is not 0: the interval goes through it, or
    /// there is none.
    pub fn may_be_zero(&self) -> bool {
        self.interval.is_none_or(|interval| interval.contains(0.0))
    }
}

/// Compares two columns of values over the same queries; `None` when no query has a value in both.
///
/// # Errors
/// When a value cannot be calculated with.
pub fn lift(
    metric: &Metric,
    queries: &[Id],
    from: &[Option<f64>],
    to: &[Option<f64>],
    seed: u64,
) -> Result<Option<Lift>, CompareError> {
    let has_both = from.iter().zip(to).any(|(from, to)| from.is_some() && to.is_some());
    if !has_both {
        return Ok(None);
    }
    let run = |name: &str, column: &[Option<f64>]| RunScores {
        name: name.to_owned(),
        queries: queries.to_vec(),
        columns: vec![column.to_vec()],
        rankings: Vec::new(),
    };
    let joined = join(&[run("from", from), run("to", to)], Over::All)?;
    let plan = Plan { metrics: vec![metric.clone()], seed, ..Plan::default() };
    let found = compare(&joined, &plan)?.rows.pop().and_then(|row| row.found);
    Ok(found.map(|found| Lift {
        n: found.paired.n,
        from: found.paired.mean_a,
        to: found.paired.mean_b,
        difference: found.paired.mean_difference,
        interval: found.interval,
        verdict: found.verdict,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gain(from: &[f64], to: &[f64]) -> Lift {
        let queries: Vec<Id> = (0..from.len()).map(|at| Id::from(format!("q{at}").as_str())).collect();
        let column = |values: &[f64]| values.iter().copied().map(Some).collect::<Vec<_>>();
        lift(&Metric::named("recall@5"), &queries, &column(from), &column(to), 0).unwrap().unwrap()
    }

    #[test]
    fn a_gain_on_every_query_is_no_chance_and_on_one_it_may_be() {
        let all = gain(&[0.0; 8], &[1.0, 0.5, 1.0, 1.0, 0.5, 1.0, 1.0, 1.0]);
        assert_eq!((all.from, all.difference, all.may_be_zero()), (0.0, 0.875, false));
        let one = gain(&[0.0; 8], &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert!(one.may_be_zero());
        assert_eq!(one.verdict.map(|verdict| verdict.word()), Some("no evidence"));
    }

    #[test]
    fn columns_without_a_common_value_have_no_gain() {
        let found = lift(&Metric::named("mrr"), &[Id::from("q")], &[None], &[Some(1.0)], 0);
        assert_eq!(found, Ok(None));
    }
}
