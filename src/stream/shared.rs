//! What the threads that score one run have in common: which queries were there, and the scores.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::part::PartSink;
use crate::error::{Fault, InputErrorKind};
use crate::evaluate::judge::{Judge, Scored, Scratch};
use crate::id::Id;
use crate::labels::Labels;
use crate::run::{Part, Parts, Ranking, Run, Wants};

/// The scores of a run that is being read, from however many threads.
pub(super) struct Streaming<'a> {
    pub judge: &'a Judge<'a>,
    labels: &'a Labels,
    /// Whether the text is needed again where a query comes back.
    keeps: bool,
    /// Whether each query of the labels was there.
    seen: Vec<AtomicBool>,
    /// The other queries that were there.
    unlabelled: Mutex<HashSet<Id>>,
    begun: AtomicBool,
    comes_back: AtomicBool,
    blocks: Mutex<Vec<Block>>,
    /// How many lines stand before a block, by its number.
    lines: Mutex<HashMap<u64, u64>>,
}

/// What became of a block of the text.
#[derive(Default)]
pub(super) struct Block {
    pub number: u64,
    /// Queries of the labels by position.
    pub scored: Vec<(usize, Result<Scored, Fault>)>,
    /// Queries without labels.
    pub ignored: Vec<Id>,
    /// The name that it gives the run.
    pub tag: Option<String>,
}

/// All blocks put together.
pub(super) struct Whole {
    /// The scores of all queries of the labels, in their order.
    pub scored: Vec<Scored>,
    /// The queries that have no labels, in the order of the file.
    pub ignored: Vec<Id>,
    pub tag: Option<String>,
}

impl<'a> Streaming<'a> {
    pub fn new(judge: &'a Judge<'a>, labels: &'a Labels, keeps: bool) -> Self {
        Self {
            judge,
            labels,
            keeps,
            seen: labels.queries().iter().map(|_| AtomicBool::new(false)).collect(),
            unlabelled: Mutex::default(),
            begun: AtomicBool::new(false),
            comes_back: AtomicBool::new(false),
            blocks: Mutex::default(),
            lines: Mutex::default(),
        }
    }

    /// Takes note of a query that begins; gives its position in the labels.
    ///
    /// # Errors
    /// When it was there before.
    pub fn begin(&self, query: &[u8]) -> Result<Option<usize>, Fault> {
        self.begun.store(true, Relaxed);
        let position = self.labels.position_of(query);
        let is_known = match position {
            Some(position) => self.seen[position].swap(true, Relaxed),
            None => !locked(&self.unlabelled).insert(query.into()),
        };
        if is_known {
            self.comes_back.store(true, Relaxed);
            return Err(Fault::of_file(InputErrorKind::QueryComesBack { query: query.into() }));
        }
        Ok(position)
    }

    /// Whether any query has begun.
    pub fn has_begun(&self) -> bool {
        self.begun.load(Relaxed)
    }

    /// Whether the results of some query came back after those of another one.
    pub fn comes_back(&self) -> bool {
        self.comes_back.load(Relaxed)
    }

    /// Whether any block has been scored.
    pub fn has_blocks(&self) -> bool {
        !locked(&self.blocks).is_empty()
    }

    /// Whether some result that has been scored stands in the labels, or none has been scored yet.
    pub fn shares_documents(&self) -> bool {
        let blocks = locked(&self.blocks);
        let mut scored = blocks.iter().flat_map(|block| &block.scored).flat_map(|(_, scored)| scored);
        blocks.is_empty() || scored.any(|scored| scored.labelled > 0)
    }

    pub fn take(&self, block: Block) {
        locked(&self.blocks).push(block);
    }

    /// Puts the blocks together in their order, behind a start that is not scored yet and shares no
    /// query with them.
    ///
    /// # Errors
    /// That of the first query of the labels that could not be scored.
    pub fn finish(self, start: &Run) -> Result<Whole, Fault> {
        let lines = locked(&self.lines);
        let mut blocks = std::mem::take(&mut *locked(&self.blocks));
        blocks.sort_unstable_by_key(|block| block.number);
        let mut scored: Vec<Option<Result<Scored, Fault>>> = self.seen.iter().map(|_| None).collect();
        let queries = start.rankings().iter().map(Ranking::query);
        let mut ignored: Vec<Id> = queries.filter(|query| self.labels.position(query).is_none()).cloned().collect();
        let mut tag = start.tag.clone();
        for block in blocks {
            let before = lines.get(&block.number).copied().unwrap_or(0);
            for (position, score) in block.scored {
                scored[position] = Some(score.map_err(|fault| fault.moved_down(before)));
            }
            ignored.extend(block.ignored);
            tag = tag.or(block.tag);
        }
        let mut scratch = Scratch::default();
        let missing = |(position, score): (usize, Option<Result<Scored, Fault>>)| {
            let ranking = || start.ranking(self.labels.queries()[position].id());
            score.unwrap_or_else(|| self.judge.score(position, ranking(), &mut scratch))
        };
        Ok(Whole { scored: scored.into_iter().enumerate().map(missing).collect::<Result<_, _>>()?, ignored, tag })
    }
}

impl Parts for Streaming<'_> {
    fn wants(&self) -> Wants {
        Wants { whole_queries: true, keep: self.keeps, scores: false, size: 1 }
    }

    fn part(&self) -> Box<dyn Part + '_> {
        Box::new(PartSink::new(self))
    }

    fn begin_at(&self, lines: HashMap<u64, u64>) {
        *locked(&self.lines) = lines;
    }
}

/// What is behind a lock is whole whenever the lock is free, so a panic elsewhere does no harm.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
