//! Trajectories of several search calls, step by step: what each call finds by itself, what it
//! adds, and what is known after it.

use super::lens::Lens;
use super::sightings;
use crate::error::Fault;
use crate::evaluate::{Rules, ranked};
use crate::judged::{Evidence, Extent};
use crate::labels::Labels;
use crate::run::{Order, Run};

/// One step over all queries with evidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// The number of the call, from 1.
    pub number: usize,
    /// How many queries have that many calls.
    pub queries: u64,
    /// Mean share of the hops that the call finds by itself, over the queries that have it.
    pub alone: f64,
    /// Share of the calls that find the hop that they are meant for, and the number of calls that
    /// say which one that is.
    pub meant: Option<(f64, u64)>,
    /// How many of the calls add no hop that was not found before.
    pub redundant: u64,
    /// Mean share of the hops found by this and all earlier calls, over all queries.
    pub hops_found: f64,
    /// Share of all queries that have every hop by then.
    pub chain: f64,
}

/// Every step up to the longest trajectory, with the first `cutoff` results of every call.
///
/// # Errors
/// When a ranking cannot be ordered or fitted into a budget.
pub fn steps(
    labels: &Labels,
    run: &Run,
    rules: &Rules,
    lens: &Lens<'_>,
    cutoff: Option<u64>,
) -> Result<Vec<Step>, Fault> {
    let mut order = Order::default();
    let mut found: Vec<(Evidence, Vec<Option<u32>>)> = Vec::new();
    for query in labels.queries().iter().filter(|query| !query.is_unanswerable()) {
        let ranking = run.ranking(query.id());
        if !rules.over.counts(ranking.is_some()) {
            continue;
        }
        let ranking = match ranking {
            Some(ranking) => {
                ranked(ranking, rules, &mut order)?;
                Some((ranking, &order))
            }
            None => None,
        };
        let meant = ranking.map_or(Vec::new(), |(ranking, _)| ranking.calls().iter().map(|call| call.hop).collect());
        found.extend(sightings::evidence(lens, query, ranking)?.map(|evidence| (evidence, meant)));
    }
    let longest = found.iter().map(|(evidence, _)| evidence.calls()).max().unwrap_or(0);
    Ok((1..=longest).map(|number| step(&found, number, Extent::top(cutoff))).collect())
}

fn step(found: &[(Evidence, Vec<Option<u32>>)], number: usize, top: Extent) -> Step {
    let share = |(found, all): (usize, usize)| found as f64 / all as f64;
    let (mut queries, mut alone, mut redundant) = (0_u64, 0.0, 0);
    let (mut meant, mut met) = (0_u64, 0_u64);
    let (mut hops_found, mut complete) = (0.0, 0_u64);
    for (evidence, hops) in found {
        let so_far = top.of_first(number);
        hops_found += share(evidence.found(so_far));
        complete += u64::from(evidence.is_complete(so_far));
        if evidence.calls() < number {
            continue;
        }
        let own = top.of_call(number - 1);
        queries += 1;
        alone += share(evidence.found(own));
        redundant += u64::from(evidence.found(so_far) == evidence.found(top.of_first(number - 1)));
        if let Some(is_met) = hops.get(number - 1).copied().flatten().and_then(|hop| evidence.has_hop(hop, own)) {
            meant += 1;
            met += u64::from(is_met);
        }
    }
    let all = found.len() as f64;
    Step {
        number,
        queries,
        alone: alone / queries as f64,
        meant: (meant > 0).then(|| (met as f64 / meant as f64, meant)),
        redundant,
        hops_found: hops_found / all,
        chain: complete as f64 / all,
    }
}
