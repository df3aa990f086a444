//! What the threads that score one run have in common: which queries were there, and the scores.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::part::PartSink;
use crate::error::{Fault, InputErrorKind};
use crate::evaluate::judge::{Judge, Scratch};
use crate::evaluate::sheet::{self, Sheet, Whole};
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
    whole: Mutex<Whole>,
    blocks: Mutex<Vec<Block>>,
    /// How many lines stand before a block, by its number.
    lines: Mutex<HashMap<u64, u64>>,
}

/// What became of a block of the text beside its scores.
#[derive(Default)]
pub(super) struct Block {
    pub number: u64,
    /// The queries that could not be scored, by their positions in the labels.
    pub faults: Vec<(usize, Fault)>,
    /// Queries without labels.
    pub ignored: Vec<Id>,
    /// The name that it gives the run.
    pub tag: Option<String>,
}

/// All blocks put together.
pub(super) struct Finished {
    /// The scores of all queries of the labels.
    pub whole: Whole,
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
            whole: Mutex::new(Whole::blank(labels.queries().len(), judge)),
            blocks: Mutex::default(),
            lines: Mutex::default(),
        }
    }

    /// Takes note of a query that begins, behind the one at a position; gives its position in the labels.
    ///
    /// # Errors
    /// When it was there before.
    pub fn begin(&self, last: Option<usize>, query: &[u8]) -> Result<Option<usize>, Fault> {
        self.begun.store(true, Relaxed);
        let position = self.labels.position_after(last, query);
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

    /// Whether the results of some query came back after those of another one, or may have done so.
    pub fn comes_back(&self) -> bool {
        self.comes_back.load(Relaxed)
    }

    /// Whether any block has been scored.
    pub fn has_blocks(&self) -> bool {
        !locked(&self.blocks).is_empty()
    }

    /// Whether some result that has been scored stands in the labels, or none has been scored yet.
    fn shares_documents(&self) -> bool {
        !self.has_blocks() || locked(&self.whole).tally.labelled > 0
    }

    /// Takes the scores of some queries; the sheet is empty then.
    pub fn take_scores(&self, sheet: &mut Sheet) {
        locked(&self.whole).take(sheet);
    }

    /// Takes what else became of a block.
    pub fn take(&self, block: Block) {
        locked(&self.blocks).push(block);
    }

    /// Puts the blocks together in their order, and scores the queries that were in none of them. A
    /// start of the run that stands before the blocks has no query in common with them.
    ///
    /// # Errors
    /// That of the first query of the labels that could not be scored.
    pub fn finish(self, start: &Run) -> Result<Finished, Fault> {
        let lines = unlocked(self.lines);
        let mut whole = unlocked(self.whole);
        let mut blocks = unlocked(self.blocks);
        blocks.sort_unstable_by_key(|block| block.number);
        let (mut ignored, mut tag, mut faults) = (unlabelled(start, self.labels), start.tag.clone(), Vec::new());
        for block in blocks {
            let before = lines.get(&block.number).copied().unwrap_or(0);
            faults.extend(block.faults.into_iter().map(|(position, fault)| (position, fault.moved_down(before))));
            ignored.extend(block.ignored);
            tag = tag.or(block.tag);
        }
        let (mut scratch, mut sheet) = (Scratch::default(), Sheet::new(self.judge));
        for (position, query) in self.labels.queries().iter().enumerate() {
            if !whole.marks[position].answered {
                match self.judge.score(position, start.ranking(query.id()), &mut scratch) {
                    Ok(scored) => sheet.push(position, scored),
                    Err(fault) => faults.push((position, fault)),
                }
                whole.take(&mut sheet);
            }
        }
        sheet::first(faults)?;
        Ok(Finished { whole, ignored, tag })
    }
}

/// The queries of a run that have no labels, in the order of the file.
pub(super) fn unlabelled(run: &Run, labels: &Labels) -> Vec<Id> {
    let queries = run.rankings().iter().map(Ranking::query);
    queries.filter(|query| labels.position(query).is_none()).cloned().collect()
}

impl Parts for Streaming<'_> {
    fn wants(&self) -> Wants {
        Wants { whole_queries: true, keep: self.keeps, scores: false, size: 1 }
    }

    fn part(&self) -> Box<dyn Part + '_> {
        Box::new(PartSink::new(self))
    }

    fn give_up(&self) {
        self.comes_back.store(true, Relaxed);
    }

    /// When no result stands in the labels, ids are compared, for which the run is needed.
    fn are_in_vain(&self) -> bool {
        self.comes_back() || !self.shares_documents()
    }

    fn begin_at(&self, lines: HashMap<u64, u64>) {
        *locked(&self.lines) = lines;
    }
}

/// What is behind a lock is whole whenever the lock is free, so a panic elsewhere does no harm.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unlocked<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
