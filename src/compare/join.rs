//! Bringing the scores of several runs together: by query id, never by position.

use std::collections::{BTreeMap, BTreeSet};

use super::error::{CompareError, Lack};
use super::rankings::RankingFacts;
use crate::evaluate::Over;
use crate::id::Id;

/// The scores of one run, as they came.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunScores {
    /// The name of the run.
    pub name: String,
    /// Its queries, each once, in any order.
    pub queries: Vec<Id>,
    /// A column per metric, in the order of the queries; `None` where there is no value.
    pub columns: Vec<Vec<Option<f64>>>,
    /// What is known of the ranking of each query; empty where only scores are known.
    pub rankings: Vec<RankingFacts>,
}

/// The scores of several runs over the same queries, in the order of the query ids.
#[derive(Debug, Clone, PartialEq)]
pub struct Joined {
    /// The queries, ascending by their bytes.
    pub queries: Vec<Id>,
    /// The runs, in the order given; their columns are in the order of the queries.
    pub runs: Vec<RunScores>,
    /// Queries that not all runs have and that are left out for it.
    pub dropped: Vec<Id>,
}

/// Joins runs on the ids of their queries.
///
/// # Errors
/// When there are fewer than two runs, when they do not have the same queries (unless `over` is
/// [`Over::Common`]), or have none in common.
pub fn join(runs: &[RunScores], over: Over) -> Result<Joined, CompareError> {
    if runs.len() < 2 {
        return Err(CompareError::TooFewRuns { got: runs.len() });
    }
    let positions: Vec<BTreeMap<&Id, usize>> = runs.iter().map(positions).collect();
    let all: BTreeSet<&Id> = positions.iter().flat_map(BTreeMap::keys).copied().collect();
    let is_common = |id: &Id| positions.iter().all(|run| run.contains_key(id));
    let (common, rest): (Vec<&Id>, Vec<&Id>) = all.into_iter().partition(|id| is_common(id));
    if common.is_empty() {
        let first = |run: &RunScores| (run.name.clone(), run.queries.iter().take(3).cloned().collect());
        return Err(CompareError::NothingInCommon { examples: runs.iter().map(first).collect() });
    }
    if over != Over::Common && !rest.is_empty() {
        return Err(CompareError::QuerySets { lacking: lacking(runs, &positions, &rest) });
    }
    let runs = runs.iter().zip(&positions).map(|(run, positions)| ordered(run, positions, &common)).collect();
    let owned = |ids: Vec<&Id>| ids.into_iter().cloned().collect();
    Ok(Joined { queries: owned(common), runs, dropped: owned(rest) })
}

fn positions(run: &RunScores) -> BTreeMap<&Id, usize> {
    run.queries.iter().enumerate().map(|(position, id)| (id, position)).collect()
}

fn lacking(runs: &[RunScores], positions: &[BTreeMap<&Id, usize>], rest: &[&Id]) -> Vec<Lack> {
    let lack = |(run, positions): (&RunScores, &BTreeMap<&Id, usize>)| {
        let queries = rest.iter().filter(|id| !positions.contains_key(**id)).map(|id| (*id).clone()).collect();
        Lack { run: run.name.clone(), queries }
    };
    runs.iter().zip(positions).map(lack).filter(|lack| !lack.queries.is_empty()).collect()
}

/// The run with its queries in another order, and only those.
fn ordered(run: &RunScores, positions: &BTreeMap<&Id, usize>, queries: &[&Id]) -> RunScores {
    let order: Vec<usize> = queries.iter().map(|id| positions[id]).collect();
    let column = |column: &Vec<Option<f64>>| order.iter().map(|&at| finite(column[at])).collect();
    RunScores {
        name: run.name.clone(),
        queries: queries.iter().map(|id| (*id).clone()).collect(),
        columns: run.columns.iter().map(column).collect(),
        rankings: order.iter().filter_map(|&at| run.rankings.get(at).copied()).collect(),
    }
}

/// NaN is no value.
fn finite(value: Option<f64>) -> Option<f64> {
    value.filter(|value| !value.is_nan())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(name: &str, scores: &[(&str, f64)]) -> RunScores {
        RunScores {
            name: name.to_owned(),
            queries: scores.iter().map(|(query, _)| Id::from(*query)).collect(),
            columns: vec![scores.iter().map(|(_, score)| Some(*score)).collect()],
            rankings: Vec::new(),
        }
    }

    #[test]
    fn queries_meet_by_id_and_stand_in_the_order_of_their_bytes() {
        let runs = [run("a", &[("q10", 0.1), ("q2", 0.2)]), run("b", &[("q2", 0.4), ("q10", f64::NAN)])];
        let joined = join(&runs, Over::All).unwrap();
        assert_eq!(joined.queries, [Id::from("q10"), Id::from("q2")]);
        assert_eq!(joined.runs[0].columns[0], [Some(0.1), Some(0.2)]);
        assert_eq!(joined.runs[1].columns[0], [None, Some(0.4)]);
    }

    #[test]
    fn other_query_sets_are_an_error_unless_the_common_ones_are_asked_for() {
        let runs = [run("a", &[("q1", 0.1), ("q2", 0.2)]), run("b", &[("q2", 0.4), ("q3", 0.5)])];
        let CompareError::QuerySets { lacking } = join(&runs, Over::All).unwrap_err() else { panic!() };
        assert_eq!(lacking[0], Lack { run: "a".into(), queries: vec![Id::from("q3")] });
        assert_eq!(lacking[1], Lack { run: "b".into(), queries: vec![Id::from("q1")] });
        let joined = join(&runs, Over::Common).unwrap();
        assert_eq!((joined.queries.len(), joined.dropped.len()), (1, 2));
    }

    #[test]
    fn nothing_in_common_and_too_few_runs() {
        let runs = [run("a", &[("1", 0.1)]), run("b", &[("1.0", 0.4)])];
        assert!(matches!(join(&runs, Over::Common), Err(CompareError::NothingInCommon { .. })));
        assert_eq!(join(&runs[..1], Over::All), Err(CompareError::TooFewRuns { got: 1 }));
    }
}
