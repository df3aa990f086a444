//! What the searches of a run take: time and money per query.

use crate::labels::Labels;
use crate::run::{Call, Ranking, Run};
use crate::stats::summary::mean;

/// Below this number of values the 95th percentile by nearest rank is the largest value.
pub const FEW: usize = 20;

/// A percentile by nearest rank: the value at position ceil(percent/100 · n) of the sorted values.
/// It is always one of them. `None` of nothing.
///
/// ```
/// use raglens::rag::spending::percentile;
/// let seconds = [0.8, 1.1, 0.9, 3.2, 1.0];
/// assert_eq!(percentile(&seconds, 50), Some(1.0));
/// assert_eq!(percentile(&seconds, 95), Some(3.2)); // numpy's default interpolates: 2.78
/// ```
pub fn percentile(values: &[f64], percent: u32) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (sorted.len() * percent as usize).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}

/// What the searches of a run take, over the queries that have labels.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Spending {
    /// Number of queries that the run answers.
    pub queries: u64,
    /// Time; `None` where no query carries it.
    pub latency: Option<Latency>,
    /// Money; `None` where no query carries it.
    pub cost: Option<Cost>,
}

/// Time per query: that of all its search calls together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Latency {
    /// Number of queries with a time.
    pub n: usize,
    /// Median by nearest rank, in milliseconds.
    pub p50_ms: f64,
    /// 95th percentile by nearest rank, in milliseconds.
    pub p95_ms: f64,
}

/// Money per query: that of all its search calls together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Number of queries with a cost.
    pub n: usize,
    /// Mean, in US dollars.
    pub mean_usd: f64,
}

impl Latency {
    /// The percentiles of times in milliseconds; `None` of nothing.
    pub fn of(times: &[f64]) -> Option<Self> {
        Some(Self { n: times.len(), p50_ms: percentile(times, 50)?, p95_ms: percentile(times, 95)? })
    }

    /// Whether there are so few values that the 95th percentile is the largest one.
    pub fn is_maximum(&self) -> bool {
        self.n < FEW
    }
}

impl Cost {
    /// The mean of costs in US dollars; `None` of nothing.
    pub fn of(costs: &[f64]) -> Option<Self> {
        let mut sorted = costs.to_vec();
        sorted.sort_by(f64::total_cmp);
        Some(Self { n: costs.len(), mean_usd: mean(&sorted)? })
    }
}

/// What the searches of a run take. A query counts where every one of its calls carries a value.
pub fn spending(run: &Run, labels: &Labels) -> Spending {
    let known = run.rankings().iter().filter(|ranking| labels.position(ranking.query()).is_some());
    let rankings: Vec<&Ranking> = known.collect();
    let values = |amount: fn(&Call) -> Option<f64>| -> Vec<f64> {
        rankings.iter().filter_map(|ranking| together(ranking.calls(), amount)).collect()
    };
    Spending {
        queries: rankings.len() as u64,
        latency: Latency::of(&values(|call| call.latency_ms)),
        cost: Cost::of(&values(|call| call.cost_usd)),
    }
}

/// The sum over all calls; `None` where one does not say it, or there is none.
fn together(calls: &[Call], amount: fn(&Call) -> Option<f64>) -> Option<f64> {
    let values: Option<Vec<f64>> = calls.iter().map(amount).collect();
    values.filter(|values| !values.is_empty()).map(|values| values.iter().fold(0.0, |sum, value| sum + value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{ReadOptions, Source, read_labels, read_run};
    use crate::notes::Notes;

    #[test]
    fn the_nearest_rank_is_a_value_that_was_seen() {
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!([50, 95, 100].map(|percent| percentile(&hundred, percent)), [Some(50.0), Some(95.0), Some(100.0)]);
        assert_eq!(percentile(&hundred[..20], 95), Some(19.0));
        assert_eq!(percentile(&hundred[..19], 95), Some(19.0));
        assert_eq!(percentile(&[], 95), None);
    }

    #[test]
    fn the_calls_of_a_query_are_added_and_one_without_a_value_leaves_it_out() {
        let labels = "{\"query_id\":\"q1\",\"relevant\":[\"a\"]}\n{\"query_id\":\"q2\",\"relevant\":[\"a\"]}\n";
        let run = concat!(
            "{\"query_id\":\"q1\",\"results\":[\"a\"],\"step\":1,\"latency_ms\":10,\"cost_usd\":0.5}\n",
            "{\"query_id\":\"q1\",\"results\":[\"b\"],\"step\":2,\"latency_ms\":30}\n",
            "{\"query_id\":\"q2\",\"results\":[\"b\"],\"latency_ms\":5}\n",
            "{\"query_id\":\"q9\",\"results\":[\"b\"],\"latency_ms\":999,\"cost_usd\":9}\n",
        );
        let (mut notes, options) = (Notes::default(), ReadOptions::default());
        let source = |text: &str| Source::from_bytes("text", text.into());
        let (labels, _) = read_labels(source(labels), &options, &mut notes).unwrap();
        let (run, _) = read_run(source(run), &options, &mut notes).unwrap();
        let found = spending(&run, &labels);
        assert_eq!(found.latency, Some(Latency { n: 2, p50_ms: 5.0, p95_ms: 40.0 }));
        assert_eq!((found.queries, found.cost), (2, None));
    }
}
