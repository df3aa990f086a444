//! The frontier of quality against time and money (Pareto): runs that no other run beats in every
//! way.

/// One run: how good it is, and what it takes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point {
    /// Quality: more is better.
    pub quality: f64,
    /// 95th percentile of the latency in milliseconds: less is better.
    pub p95_ms: Option<f64>,
    /// Cost per query in US dollars: less is better.
    pub cost_usd: Option<f64>,
}

/// Where a run stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// No run beats it.
    Frontier,
    /// Runs of the frontier are at least as good in everything and better in something: the
    /// fastest first, then the cheapest.
    Dominated(Vec<usize>),
    /// It lacks a time or a cost that others have, so that nothing can be said.
    Unknown,
}

/// Whether latency and cost count: each does where any run has it.
fn used(points: &[Point]) -> (bool, bool) {
    (points.iter().any(|point| point.p95_ms.is_some()), points.iter().any(|point| point.cost_usd.is_some()))
}

impl Point {
    /// Whether the point is at least as good as another in everything and better in something.
    /// What neither has is nothing to compare.
    pub fn dominates(&self, other: &Self) -> bool {
        let no_dearer = self.is_no_dearer(other);
        let no_worse = self.quality >= other.quality && no_dearer;
        let is_below = |a: Option<f64>, b: Option<f64>| a.zip(b).is_some_and(|(a, b)| a < b);
        let is_better = self.quality > other.quality
            || is_below(self.p95_ms, other.p95_ms)
            || is_below(self.cost_usd, other.cost_usd);
        no_worse && is_better
    }

    /// Whether the point takes no more time and no more money than another.
    fn is_no_dearer(&self, other: &Self) -> bool {
        let at_most = |a: Option<f64>, b: Option<f64>| a.zip(b).is_none_or(|(a, b)| a <= b);
        at_most(self.p95_ms, other.p95_ms) && at_most(self.cost_usd, other.cost_usd)
    }

    fn has(&self, (latency, cost): (bool, bool)) -> bool {
        (!latency || self.p95_ms.is_some()) && (!cost || self.cost_usd.is_some())
    }

    /// Time, then money: the order from cheap to dear.
    fn price(&self) -> (f64, f64) {
        (self.p95_ms.unwrap_or(0.0), self.cost_usd.unwrap_or(0.0))
    }
}

/// Where each of the runs stands. Runs that are equal in everything stay on the frontier together.
///
/// ```
/// use raglens::rag::pareto::{Point, Standing, frontier};
/// let point = |quality, ms| Point { quality, p95_ms: Some(ms), cost_usd: None };
/// let found = frontier(&[point(0.61, 40.0), point(0.70, 90.0), point(0.69, 900.0)]);
/// assert_eq!(found, [Standing::Frontier, Standing::Frontier, Standing::Dominated(vec![1])]);
/// ```
pub fn frontier(points: &[Point]) -> Vec<Standing> {
    let used = used(points);
    let dominators = |index: usize| -> Vec<usize> {
        let others = (0..points.len()).filter(|&other| points[other].has(used));
        others.filter(|&other| points[other].dominates(&points[index])).collect()
    };
    let standing = |index: usize| {
        if !points[index].has(used) {
            return Standing::Unknown;
        }
        let mut by: Vec<usize> = dominators(index).into_iter().filter(|&other| dominators(other).is_empty()).collect();
        by.sort_by(|&a, &b| {
            let ((time_a, cost_a), (time_b, cost_b)) = (points[a].price(), points[b].price());
            time_a.total_cmp(&time_b).then(cost_a.total_cmp(&cost_b)).then(a.cmp(&b))
        });
        if by.is_empty() { Standing::Frontier } else { Standing::Dominated(by) }
    };
    (0..points.len()).map(standing).collect()
}

/// For each run of the frontier the next cheaper one: of those on it that take no more time and no
/// more money, and less of one of them, the best. What it costs more must be worth its gain over
/// that one.
pub fn next_cheaper(points: &[Point], standings: &[Standing]) -> Vec<Option<usize>> {
    let on_frontier = |index: &usize| standings[*index] == Standing::Frontier;
    let next = |index: usize| {
        let cheaper = (0..points.len()).filter(on_frontier).filter(|&other| {
            points[other].is_no_dearer(&points[index]) && points[other].price() != points[index].price()
        });
        cheaper.max_by(|&a, &b| points[a].quality.total_cmp(&points[b].quality).then(b.cmp(&a)))
    };
    (0..points.len()).map(|index| if on_frontier(&index) { next(index) } else { None }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(quality: f64, ms: f64, usd: f64) -> Point {
        Point { quality, p95_ms: Some(ms), cost_usd: Some(usd) }
    }

    #[test]
    fn equal_runs_stay_together_and_one_strict_advantage_is_enough() {
        let points = [point(0.7, 90.0, 1.0), point(0.7, 90.0, 1.0), point(0.7, 90.0, 1.5)];
        assert_eq!(frontier(&points), [Standing::Frontier, Standing::Frontier, Standing::Dominated(vec![0, 1])]);
    }

    #[test]
    fn cheaper_in_one_way_and_dearer_in_another_is_no_dominance() {
        let points = [point(0.7, 90.0, 1.0), point(0.7, 40.0, 2.0), point(0.9, 200.0, 3.0)];
        let found = frontier(&points);
        assert_eq!(found, [Standing::Frontier, Standing::Frontier, Standing::Frontier]);
        assert_eq!(next_cheaper(&points, &found), [None, None, Some(0)]);
    }

    #[test]
    fn a_run_without_a_time_that_others_have_is_not_placed() {
        let points = [point(0.7, 90.0, 1.0), Point { p95_ms: None, ..point(0.9, 0.0, 0.5) }];
        assert_eq!(frontier(&points), [Standing::Frontier, Standing::Unknown]);
        let free = [Point { quality: 0.5, ..Point::default() }, Point { quality: 0.6, ..Point::default() }];
        assert_eq!(frontier(&free), [Standing::Dominated(vec![1]), Standing::Frontier]);
    }
}
