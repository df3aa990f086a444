//! Ranked runs: for each query, the retrieved documents. How they are ordered is decided in
//! [`order`](Order) and only there.

mod listing;
mod order;
mod ranking;
mod sightings;

pub use listing::{Listed, Listing, TextRanking};
pub use order::{Duplicates, Order, Ties};
pub use ranking::{Course, Keyed, Ranking};
pub use sightings::Sightings;

use std::collections::HashMap;

use hashbrown::HashTable;

use crate::error::{Fault, InputErrorKind};
use crate::id::{self, Id};

/// What a ranking is ordered by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Key {
    /// A similarity: the highest comes first. Finite.
    Score(f64),
    /// A rank: the lowest comes first; ranks may start at 0 or 1 and have gaps.
    Rank(f64),
    /// Nothing: the order of the rows is the ranking.
    Position,
}

/// One result of one query, as a reader hands it out.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// The query.
    pub query: &'a [u8],
    /// The retrieved document or chunk.
    pub document: &'a [u8],
    /// What orders it.
    pub key: Key,
    /// The rank that stands beside a score. It is never used for the order, but a contradiction
    /// is reported.
    pub rank: Option<f64>,
    /// Physical line, from 1.
    pub line: u64,
    /// What the file says of the chunk.
    pub chunk: Option<&'a Chunk>,
}

/// What a run says of a retrieved chunk.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chunk {
    /// The document that the chunk is cut from.
    pub document: Option<Id>,
    /// First position in that document, from 0.
    pub start: Option<u64>,
    /// One past the last position.
    pub end: Option<u64>,
    /// Length in tokens.
    pub tokens: Option<u64>,
}

impl Chunk {
    /// Checks that the chunk does not end before it starts; `line` is where it stands.
    ///
    /// # Errors
    /// [`InputErrorKind::OutOfRange`] when it does.
    pub(crate) fn check(&self, line: u64) -> Result<(), Fault> {
        match (self.start, self.end) {
            (Some(start), Some(end)) if end < start => {
                let (expected, text) = ("at least the start", end.to_string());
                Err(Fault::at_line(line, InputErrorKind::OutOfRange { field: "end", expected, text }))
            }
            _ => Ok(()),
        }
    }
}

/// One search call: what a run says of it beside its results.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Call {
    /// Time of the call in milliseconds.
    pub latency_ms: Option<f64>,
    /// Cost of the call in US dollars.
    pub cost_usd: Option<f64>,
    /// The role in whose name the search was made.
    pub role: Option<String>,
    /// Number of the call in a trajectory, from 1.
    pub step: Option<u32>,
    /// The hop of the chain of evidence that the call is meant for.
    pub hop: Option<u32>,
    /// The text that was searched for.
    pub search_query: Option<String>,
}

/// What a run says of itself before its results.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunMeta {
    /// The stage of a pipeline that the results come from.
    pub stage: Option<String>,
    /// What the offsets of its chunks count: `char`, `byte` …
    pub offset_unit: Option<String>,
    /// The settings that it was made with, as they are written.
    pub config: Vec<(String, String)>,
}

/// The results of one query in the order of the file; positions count from 0.
pub trait Results {
    /// The query.
    fn query(&self) -> &[u8];

    /// Number of results, copies included.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The document at a position.
    fn document(&self, index: usize) -> &[u8];

    /// What orders the results.
    fn keyed(&self) -> Keyed;

    /// The number that orders the result at a position: the highest comes first.
    fn key(&self, index: usize) -> f64;

    /// Where the result at a position stands: a line from 1.
    fn line(&self, index: usize) -> u64;

    /// How keys and ranks go on from result to result.
    fn course(&self) -> Course;

    /// Whether they come from several search calls.
    fn is_trajectory(&self) -> bool {
        false
    }

    /// The number, from 0, of the call that the result at a position comes from.
    fn call_of(&self, _index: usize) -> usize {
        0
    }

    /// Whether the results at two positions have the same score or rank in one call.
    fn tied(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        self.keyed() != Keyed::Position && self.key(a) == self.key(b) && self.call_of(a) == self.call_of(b)
    }

    /// The ranking with everything that is known of its chunks and calls, where it is in memory.
    fn ranking(&self) -> Option<&Ranking> {
        None
    }

    /// Which of the results may be judged or copies, where that is known already.
    fn sightings(&self) -> Option<&Sightings> {
        None
    }
}

/// Takes the results of a run as a reader finds them.
pub trait RunSink {
    /// Takes one result.
    ///
    /// # Errors
    /// A fault when the row does not fit the rows before it.
    fn row(&mut self, row: &Row<'_>) -> Result<(), Fault>;

    /// Takes a search call, before its results: makes the query known even when it has none.
    ///
    /// # Errors
    /// A fault when the query was there before and the call is not a step of a trajectory.
    fn call(&mut self, query: &[u8], call: &Call, line: u64) -> Result<(), Fault>;

    /// Says that the results of an earlier search call of a query go on.
    ///
    /// # Errors
    /// A fault when the query cannot come back.
    fn resume(&mut self, query: &[u8], step: u32, line: u64) -> Result<(), Fault>;

    /// The name that the file gives the run (the tag of a TREC file).
    fn tag(&mut self, tag: &[u8]);

    /// Takes what the run says of itself; only who keeps the run needs it.
    fn meta(&mut self, _meta: &RunMeta) {}

    /// Whether no query has come yet.
    fn is_empty(&self) -> bool;

    /// Itself as one that takes the results of a query in one go; `None` where they must come one
    /// by one.
    fn lists(&mut self) -> Option<&mut dyn Lists> {
        None
    }

    /// Itself as one that can be filled from several threads; `None` where results must come in
    /// the order of the file. What it is may change with the rows that have come: after parts that
    /// want the text to be kept it is asked again, and other parts get the same text.
    fn parts(&self) -> Option<&dyn Parts> {
        None
    }
}

/// Takes the results of a query in one go.
pub trait Lists: RunSink {
    /// The memory in which results are listed, to be taken for a while and given back.
    fn listing(&mut self) -> &mut Listing;

    /// Takes a query before its results: says which documents are to be looked for.
    ///
    /// # Errors
    /// When the query was there before.
    fn begin(&mut self, query: &[u8], sightings: &mut Sightings) -> Result<(), Fault>;

    /// Takes the results of the query that has begun, all of them.
    fn end(&mut self, results: &TextRanking<'_>);

    /// Takes the results of the query that has begun so far; more of them come one by one.
    ///
    /// # Errors
    /// When they cannot be kept.
    fn go_on(&mut self, results: &TextRanking<'_>) -> Result<(), Fault>;
}

/// What must hold for rows that are taken in parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wants {
    /// Whether all results of a query that stand together must come in one block.
    pub whole_queries: bool,
    /// Whether the text must be kept, so that it can be taken in another way.
    pub keep: bool,
    /// Whether every row must have a score, and no place in a document.
    pub scores: bool,
    /// How many times as large as usual blocks should be.
    pub size: usize,
}

/// Can be filled from several threads.
pub trait Parts: Sync {
    /// What rows and blocks must be like.
    fn wants(&self) -> Wants;

    /// A sink for rows from blocks of the text.
    fn part(&self) -> Box<dyn Part + '_>;

    /// Says that what stands in some block depends on the blocks before it: all of the text must be
    /// taken in another way.
    fn give_up(&self);

    /// Whether it must, as far as is known.
    fn are_in_vain(&self) -> bool;

    /// Says on which line each block begins, by its number, once all of them are read.
    fn begin_at(&self, lines: HashMap<u64, u64>);
}

/// Takes rows from blocks of a text. Lines count from 1 in each block.
pub trait Part {
    /// Takes a block with its number. Blocks come in any order and numbers are not repeated.
    fn begin_block(&mut self, number: u64);

    /// Where the rows of the block go.
    fn sink(&mut self) -> &mut dyn RunSink;

    /// Ends the block.
    fn end_block(&mut self);
}

/// The rankings of a run, in the order in which the queries first appear.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// The name that the file gives the run.
    pub tag: Option<String>,
    /// What the file says of the run as a whole.
    pub meta: RunMeta,
    rankings: Vec<Ranking>,
    /// The positions of the rankings, by their queries.
    index: HashTable<usize>,
}

impl Run {
    /// The rankings in the order in which the queries first appear.
    pub fn rankings(&self) -> &[Ranking] {
        &self.rankings
    }

    /// The ranking of a query.
    pub fn ranking(&self, query: &Id) -> Option<&Ranking> {
        Some(&self.rankings[self.position(id::hash(query.as_bytes()), query.as_bytes())?])
    }

    fn position(&self, hash: u64, query: &[u8]) -> Option<usize> {
        self.index.find(hash, |&position| self.rankings[position].query().as_bytes() == query).copied()
    }

    /// Number of results over all queries.
    pub fn rows(&self) -> u64 {
        self.rankings.iter().map(|ranking| ranking.len() as u64).sum()
    }

    /// The same run with results that are named by their place where they have no name of their
    /// own: several passages of the document `guide` become `guide[0..900)`, `guide[900..1800)`.
    ///
    /// # Errors
    /// When the names of one ranking are longer than 4 GiB.
    pub fn named_by_place(mut self) -> Result<Self, Fault> {
        self.rankings.iter_mut().try_for_each(Ranking::name_by_place)?;
        Ok(self)
    }

    /// The same run under other ids.
    ///
    /// # Errors
    /// When two queries of one run get the same id, or the ids of one ranking are longer than 4 GiB.
    pub fn with_ids(self, query: impl Fn(&Id) -> Id, document: impl Fn(&[u8]) -> Id) -> Result<Self, Fault> {
        let mut builder = RunBuilder::new();
        for ranking in &self.rankings {
            let query = query(ranking.query());
            ranking.replay(&mut builder, query.as_bytes(), |index| document(ranking.document(index)))?;
        }
        let mut run = builder.finish();
        run.tag = self.tag;
        run.meta = self.meta;
        Ok(run)
    }
}

/// Collects a whole run in memory.
#[derive(Debug, Default)]
pub struct RunBuilder {
    run: Run,
    last: Option<usize>,
}

impl From<Run> for RunBuilder {
    /// Goes on with a run.
    fn from(run: Run) -> Self {
        Self { run, last: None }
    }
}

impl RunBuilder {
    /// An empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// The finished run.
    pub fn finish(self) -> Run {
        self.run
    }

    fn entry(&mut self, query: &[u8]) -> usize {
        if let Some(last) = self.last
            && self.run.rankings[last].query().as_bytes() == query
        {
            return last;
        }
        let hash = id::hash(query);
        let position = self.run.position(hash, query).unwrap_or_else(|| {
            let Run { rankings, index, .. } = &mut self.run;
            rankings.push(Ranking::new(Id::from(query)));
            let hash_of = |&position: &usize| id::hash(rankings[position].query().as_bytes());
            *index.insert_unique(hash, rankings.len() - 1, hash_of).get()
        });
        self.last = Some(position);
        position
    }
}

impl RunSink for RunBuilder {
    fn row(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        let position = self.entry(row.query);
        self.run.rankings[position].push(row)
    }

    fn call(&mut self, query: &[u8], call: &Call, line: u64) -> Result<(), Fault> {
        let position = self.entry(query);
        self.run.rankings[position].begin_call(call, line)
    }

    fn resume(&mut self, query: &[u8], step: u32, _line: u64) -> Result<(), Fault> {
        let position = self.entry(query);
        self.run.rankings[position].resume_call(step);
        Ok(())
    }

    fn is_empty(&self) -> bool {
        self.run.rankings.is_empty()
    }

    fn tag(&mut self, tag: &[u8]) {
        if self.run.tag.is_none() {
            self.run.tag = Some(crate::id::escaped(tag));
        }
    }

    fn meta(&mut self, meta: &RunMeta) {
        self.run.meta = meta.clone();
    }
}
