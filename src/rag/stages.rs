//! The stages of one pipeline on the same queries: what each could gain at most, how much of that
//! it gains, and where every relevant document that is missing at the end was lost.
//!
//! A stage *searches* on its own (BM25, dense) or *takes* its results from those before it (fusion,
//! filter, reranker). A stage that takes uses up all results that nobody has used yet: after BM25
//! and dense, fusion takes from both, and the reranker from fusion.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use crate::error::Fault;
use crate::evaluate::{Rules, ranked};
use crate::id::Id;
use crate::labels::{Labels, QueryLabels};
use crate::run::{Order, Run};
use crate::scores::mean_of;
use crate::stats::paired::NO_DIFFERENCE;

/// What is asked of a pipeline.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The labels.
    pub labels: &'a Labels,
    /// Positions of the queries that count, in the labels.
    pub queries: &'a [usize],
    /// The conventions: threshold of relevance, ties, duplicates.
    pub rules: &'a Rules,
    /// How many results the next one reads (the prompt).
    pub k: u64,
    /// How many results of the stages before it a stage is given; all without.
    pub pool: Option<u64>,
    /// Which stages search on their own; `None` finds out: the first does, the last does not, and
    /// one between does unless all of its results are in those before it.
    pub search: Option<&'a [usize]>,
}

/// Stages and what became of every relevant document.
#[derive(Debug, Clone, PartialEq)]
pub struct Pipeline {
    /// The stages in their order.
    pub stages: Vec<Stage>,
    /// The relevant documents that are not among the first k of the last stage.
    pub missed: Vec<Missed>,
    /// Number of relevant documents.
    pub relevant: u64,
}

/// One stage.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// Length of its longest list: a measure at a deeper cutoff says nothing about it.
    pub depth: u64,
    /// The stages that it takes its results from; empty when it searches on its own.
    pub sources: Vec<usize>,
    /// Number of its results that are in none of these.
    pub outside: u64,
    k: u64,
    /// Per query that counts.
    counts: Vec<Counts>,
}

/// Relevant documents of one query at one stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Counts {
    /// All there are.
    relevant: u64,
    /// Those among its first k.
    top: u64,
    /// Those that the stages before it hold, up to the size of the pool.
    pool: u64,
}

/// A relevant document that is not among the first k at the end.
#[derive(Debug, Clone, PartialEq)]
pub struct Missed {
    /// Position of its query in the labels.
    pub query: usize,
    /// The document.
    pub document: Id,
    /// Where it was lost.
    pub fate: Fate,
}

/// Where a relevant document was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// No stage found it.
    NeverRetrieved,
    /// A stage before it held it, and this one let it go.
    LostAt(usize),
    /// The last stage holds it, at this rank below k.
    BelowCutoff(u64),
}

/// What a stage made of what it was given, in recall at k.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    /// The source that does best alone.
    pub best: usize,
    /// Its recall at k.
    pub before: f64,
    /// Recall at k of the stage.
    pub after: f64,
    /// Recall of all that the stage was given.
    pub pool: f64,
    /// Recall at k of the best order of it: the mean of min(k, relevant in the pool) / relevant.
    pub attainable: f64,
    /// (after - before) / (pool - before); `None` where there is nothing to gain.
    pub closed: Option<f64>,
    /// (after - before) / (attainable - before); `None` where there is nothing to gain.
    pub closed_attainable: Option<f64>,
}

/// Why stages do not make a pipeline.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StagesError {
    /// There are fewer than two stages.
    #[error("expected at least 2 stages, got {got}")]
    TooFew {
        /// Stages given.
        got: usize,
    },
    /// The last stage cannot be one that searches: nothing would come together.
    #[error("the last stage takes its results from those before it: it cannot be one that searches")]
    LastSearches,
    /// A ranking that cannot be ordered.
    #[error("{}", .fault.kind)]
    Ranking {
        /// Position of the stage.
        stage: usize,
        /// What is wrong.
        fault: Fault,
    },
    /// A stage holds relevant documents that it was not given.
    #[error("a stage holds {} relevant documents that the stages before it do not hold", found.len())]
    OutsidePool {
        /// Position of the stage.
        stage: usize,
        /// The stages that it takes its results from.
        sources: Vec<usize>,
        /// Query and document of each.
        found: Vec<(Id, Id)>,
    },
}

/// A gap that is closed by more than all of it: results outside the pool.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("the value after ({after}) is above the ceiling ({ceiling}): results are not from the pool")]
pub struct AboveCeiling {
    /// Mean after the stage.
    pub after: f64,
    /// What it can be at most.
    pub ceiling: f64,
}

/// How much of what could be gained was: (after - before) / (ceiling - before). `None` where there
/// is nothing to gain, negative where the stage hurts.
///
/// # Errors
/// When more was gained than could be.
///
/// ```
/// use raglens::rag::stages::gap_closed;
/// let closed = gap_closed(0.61, 0.79, 0.92).unwrap().unwrap();
/// assert_eq!((closed * 100.0).round(), 58.0);
/// assert_eq!(gap_closed(0.7, 0.7, 0.7), Ok(None)); // 0/0 is neither 0 nor 1
/// assert!(gap_closed(0.61, 0.95, 0.92).is_err());
/// ```
pub fn gap_closed(before: f64, after: f64, ceiling: f64) -> Result<Option<f64>, AboveCeiling> {
    if after > ceiling + NO_DIFFERENCE {
        return Err(AboveCeiling { after, ceiling });
    }
    let room = ceiling - before;
    Ok((room > NO_DIFFERENCE).then(|| ((after - before) / room).min(1.0)))
}

/// Follows every relevant document through the stages of a pipeline.
///
/// # Errors
/// When there are fewer than two stages, a ranking holds a document twice, or a stage holds
/// relevant documents that it was not given.
pub fn trace(runs: &[&Run], question: &Question<'_>) -> Result<Pipeline, StagesError> {
    if runs.len() < 2 {
        return Err(StagesError::TooFew { got: runs.len() });
    }
    let lists: Vec<Lists> =
        runs.iter().enumerate().map(|(stage, run)| lists(stage, run, question)).collect::<Result<_, _>>()?;
    let sources = sources(&lists, question.search)?;
    let mut stages = Vec::with_capacity(runs.len());
    for (stage, sources) in sources.iter().enumerate() {
        stages.push(measured(stage, sources, &lists, question)?);
    }
    let relevant = question.queries.iter().map(|&query| question.relevant(query).count() as u64).sum();
    let missed = missed(&lists, &sources, question);
    Ok(Pipeline { stages, missed, relevant })
}

/// The documents of a stage in order, for each query that counts.
type Lists<'a> = Vec<Vec<&'a [u8]>>;

fn lists<'a>(stage: usize, run: &'a Run, question: &Question<'_>) -> Result<Lists<'a>, StagesError> {
    let mut order = Order::default();
    let list = |&query: &usize| {
        let Some(ranking) = run.ranking(question.query(query).id()) else { return Ok(Vec::new()) };
        ranked(ranking, question.rules, &mut order).map_err(|fault| StagesError::Ranking { stage, fault })?;
        Ok(order.indices().iter().map(|&index| ranking.document(index as usize)).collect())
    };
    question.queries.iter().map(list).collect()
}

impl<'a> Question<'a> {
    fn query(&self, position: usize) -> &'a QueryLabels {
        &self.labels.queries()[position]
    }

    /// The relevant documents of a query.
    fn relevant(&self, position: usize) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let rel = self.rules.rel;
        self.query(position).judgments().filter(move |&(_, grade)| grade >= rel).map(|(document, _)| document)
    }
}

/// For each stage those that it takes its results from.
fn sources(lists: &[Lists<'_>], search: Option<&[usize]>) -> Result<Vec<Vec<usize>>, StagesError> {
    let last = lists.len() - 1;
    if search.is_some_and(|stages| stages.contains(&last)) {
        return Err(StagesError::LastSearches);
    }
    let (mut sources, mut unused) = (vec![Vec::new(); lists.len()], vec![0]);
    for (stage, taken) in sources.iter_mut().enumerate().skip(1) {
        let searches = match search {
            Some(stages) => stages.contains(&stage),
            None => stage != last && !is_within(stage, &unused, lists),
        };
        if searches {
            unused.push(stage);
        } else {
            *taken = std::mem::replace(&mut unused, vec![stage]);
        }
    }
    Ok(sources)
}

/// Whether all results of a stage are in others.
fn is_within(stage: usize, others: &[usize], lists: &[Lists<'_>]) -> bool {
    lists[stage].iter().enumerate().all(|(row, list)| {
        let held = held(row, others, lists, None);
        list.iter().all(|document| held.contains(document))
    })
}

/// What stages hold together for a query, each up to the size of the pool.
fn held<'a>(row: usize, stages: &[usize], lists: &[Lists<'a>], pool: Option<u64>) -> HashSet<&'a [u8]> {
    let size = pool.map_or(usize::MAX, |pool| usize::try_from(pool).unwrap_or(usize::MAX));
    stages.iter().flat_map(|&stage| lists[stage][row].iter().take(size).copied()).collect()
}

fn measured(
    stage: usize,
    sources: &[usize],
    lists: &[Lists<'_>],
    question: &Question<'_>,
) -> Result<Stage, StagesError> {
    let (mut outside, mut strays, mut counts) = (0, Vec::new(), Vec::with_capacity(question.queries.len()));
    for (row, (&query, list)) in question.queries.iter().zip(&lists[stage]).enumerate() {
        let held = held(row, sources, lists, question.pool);
        let is_relevant =
            |document: &[u8]| question.query(query).grade(document).is_some_and(|grade| grade >= question.rules.rel);
        if !sources.is_empty() {
            let new = list.iter().filter(|document| !held.contains(**document));
            let (relevant, other): (Vec<&[u8]>, Vec<&[u8]>) = new.copied().partition(|document| is_relevant(document));
            outside += (relevant.len() + other.len()) as u64;
            strays.extend(relevant.into_iter().map(|id| (question.query(query).id().clone(), Id::from(id))));
        }
        let top = list.iter().zip(0..question.k).filter(|(document, _)| is_relevant(document)).count() as u64;
        let all: Vec<&[u8]> = question.relevant(query).collect();
        let pool = all.iter().filter(|document| held.contains(**document)).count() as u64;
        counts.push(Counts { relevant: all.len() as u64, top, pool });
    }
    if !strays.is_empty() {
        return Err(StagesError::OutsidePool { stage, sources: sources.to_vec(), found: strays });
    }
    let depth = lists[stage].iter().map(|list| list.len() as u64).max().unwrap_or(0);
    Ok(Stage { depth, sources: sources.to_vec(), outside, k: question.k, counts })
}

/// The relevant documents that are not among the first k at the end, in the order of the labels.
fn missed(lists: &[Lists<'_>], sources: &[Vec<usize>], question: &Question<'_>) -> Vec<Missed> {
    let last = lists.len() - 1;
    let taker = |stage: usize| sources.iter().position(|sources| sources.contains(&stage)).unwrap_or(last);
    let mut missed = Vec::new();
    for (row, &query) in question.queries.iter().enumerate() {
        let ranks: Vec<HashMap<&[u8], u64>> =
            lists.iter().map(|lists| lists[row].iter().copied().zip(1..).collect()).collect();
        for document in question.relevant(query) {
            let fate = match ranks[last].get(document) {
                Some(&rank) if rank <= question.k => continue,
                Some(&rank) => Fate::BelowCutoff(rank),
                None => match ranks.iter().rposition(|ranks| ranks.contains_key(document)) {
                    Some(stage) => Fate::LostAt(taker(stage)),
                    None => Fate::NeverRetrieved,
                },
            };
            missed.push(Missed { query, document: document.into(), fate });
        }
    }
    missed
}

impl Stage {
    /// Whether the stage searches on its own.
    pub fn searches(&self) -> bool {
        self.sources.is_empty()
    }

    /// Mean recall at k over some of the queries, by their position among those that count; `None`
    /// without queries, or where the stage is not as deep as k.
    pub fn recall(&self, members: &[usize]) -> Option<f64> {
        self.mean(members, |counts| counts.top).filter(|_| self.k <= self.depth)
    }

    fn mean(&self, members: &[usize], found: impl Fn(&Counts) -> u64) -> Option<f64> {
        let share = |&row: &usize| found(&self.counts[row]) as f64 / self.counts[row].relevant.max(1) as f64;
        mean_of(members.iter().map(share).collect())
    }
}

impl Pipeline {
    /// What a stage made of what it was given, over some of the queries, by their position among
    /// those that count. `None` where the stage searches on its own, where it or one of its sources
    /// is not as deep as k, or without queries.
    pub fn gap(&self, stage: usize, members: &[usize]) -> Option<Gap> {
        let this = &self.stages[stage];
        let recalls = this.sources.iter().map(|&source| Some((source, self.stages[source].recall(members)?)));
        let recalls: Vec<(usize, f64)> = recalls.collect::<Option<_>>()?;
        let best = recalls.into_iter().rev().max_by(|a, b| a.1.total_cmp(&b.1));
        let ((best, before), after) = (best?, this.recall(members)?);
        let pool = this.mean(members, |counts| counts.pool)?;
        let attainable = this.mean(members, |counts| counts.pool.min(this.k))?;
        let closed = |ceiling| gap_closed(before, after, ceiling).ok().flatten();
        let (closed, closed_attainable) = (closed(pool), closed(attainable));
        Some(Gap { best, before, after, pool, attainable, closed, closed_attainable })
    }

    /// The missed documents with one fate, whatever the rank below k.
    pub fn with_fate(&self, fate: Fate) -> impl Iterator<Item = &Missed> {
        let is_same = move |other: Fate| match (fate, other) {
            (Fate::BelowCutoff(_), Fate::BelowCutoff(_)) => true,
            _ => fate == other,
        };
        self.missed.iter().filter(move |missed| is_same(missed.fate))
    }
}
