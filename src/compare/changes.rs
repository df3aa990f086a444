//! The queries that changed: the first thing to read after the numbers.

use super::join::Joined;
use super::row::Row;

/// A query on which two runs differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// Position of the query among those joined.
    pub query: usize,
    /// The score of A.
    pub a: f64,
    /// The score of B.
    pub b: f64,
    /// B minus A.
    pub difference: f64,
    /// Rank of the first relevant document on side A; the outer `None` where rankings are not
    /// known, the inner one where the list holds no relevant document.
    pub rank_a: Option<Option<u64>>,
    /// The same on side B.
    pub rank_b: Option<Option<u64>>,
}

/// The queries of a row that differ: the rises and then the falls, each from the largest to the
/// smallest; equal ones in the order of their ids.
pub fn changes(joined: &Joined, row: &Row) -> Vec<Change> {
    let Some(found) = &row.found else { return Vec::new() };
    let rank = |run: usize, query: usize| joined.runs[run].rankings.get(query).map(|facts| facts.first_relevant);
    let all = found.queries.iter().zip(&found.scores).zip(&found.paired.differences);
    let differing = all.filter(|(_, difference)| **difference != 0.0);
    let change = |((&query, &(a, b)), &difference): ((&usize, &(f64, f64)), &f64)| Change {
        query,
        a,
        b,
        difference,
        rank_a: rank(row.a, query),
        rank_b: rank(row.b, query),
    };
    let mut changes: Vec<Change> = differing.map(change).collect();
    // Differences that are equal but for rounding must not hide the order of the ids.
    let size = |change: &Change| (change.difference.abs() * 1e9).round();
    let is_fall = |change: &Change| change.difference < 0.0;
    changes.sort_by(|x, y| is_fall(x).cmp(&is_fall(y)).then(size(y).total_cmp(&size(x))).then(x.query.cmp(&y.query)));
    changes
}

#[cfg(test)]
mod tests {
    use super::super::{Metric, Plan, RankingFacts, RunScores, compare, join};
    use super::*;
    use crate::evaluate::Over;
    use crate::id::Id;

    fn run(name: &str, scores: [f64; 4], ranks: [Option<u64>; 4]) -> RunScores {
        RunScores {
            name: name.to_owned(),
            queries: ["q1", "q2", "q3", "q4"].map(Id::from).to_vec(),
            columns: vec![scores.map(Some).to_vec()],
            rankings: ranks.map(|first_relevant| RankingFacts { first_relevant, fingerprint: 0 }).to_vec(),
        }
    }

    #[test]
    fn rises_come_first_and_equal_ones_by_id() {
        let a = run("a", [0.0, 0.2, 0.1, 0.5], [None, Some(4), Some(9), Some(1)]);
        let b = run("b", [0.1, 0.3, 0.0, 0.5], [Some(2), Some(3), None, Some(1)]);
        let joined = join(&[a, b], Over::All).unwrap();
        let plan = Plan { metrics: vec![Metric::named("recall@5")], ..Plan::default() };
        let comparison = compare(&joined, &plan).unwrap();
        let changes = changes(&joined, &comparison.rows[0]);
        let queries: Vec<usize> = changes.iter().map(|change| change.query).collect();
        assert_eq!(queries, [0, 1, 2]);
        assert_eq!((changes[0].rank_a, changes[0].rank_b), (Some(None), Some(Some(2))));
    }
}
