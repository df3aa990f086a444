//! Ranked runs: for each query, the retrieved documents. The order of a ranking is decided here
//! and only here.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::error::{Fault, InputErrorKind};
use crate::id::Id;

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

    /// The name that the file gives the run (the tag of a TREC file).
    fn tag(&mut self, tag: &[u8]);
}

/// How equal scores are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ties {
    /// Document ids by bytes, descending: trec_eval's rule.
    #[default]
    Trec,
    /// The order of the file.
    Input,
    /// Document ids by bytes, ascending.
    IdAscending,
}

/// What to do with a document that is twice in one ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Duplicates {
    /// Stop with both lines.
    #[default]
    Error,
    /// Keep the best-ranked one, close the gap, count the rest.
    First,
}

/// The rankings of a run, in the order in which the queries first appear.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// The name that the file gives the run.
    pub tag: Option<String>,
    rankings: Vec<Ranking>,
    index: HashMap<Id, usize>,
}

impl Run {
    /// The rankings in the order in which the queries first appear.
    pub fn rankings(&self) -> &[Ranking] {
        &self.rankings
    }

    /// The ranking of a query.
    pub fn ranking(&self, query: &Id) -> Option<&Ranking> {
        Some(&self.rankings[*self.index.get(query)?])
    }

    /// Number of results over all queries.
    pub fn rows(&self) -> u64 {
        self.rankings.iter().map(|ranking| ranking.len() as u64).sum()
    }

    /// The same run under other ids.
    pub fn with_ids(self, query: impl Fn(&Id) -> Id, document: impl Fn(&[u8]) -> Id) -> Result<Self, Fault> {
        let mut builder = RunBuilder::new();
        for ranking in &self.rankings {
            let query = query(&ranking.query);
            for call in &ranking.calls {
                builder.call(query.as_bytes(), call, 0)?;
            }
            for index in 0..ranking.len() {
                let id = document(ranking.document(index));
                let row = Row { query: query.as_bytes(), document: id.as_bytes(), ..ranking.row(index) };
                builder.row(&row)?;
            }
        }
        let mut run = builder.finish();
        run.tag = self.tag;
        Ok(run)
    }
}

/// The results of one query as they stand in the file; [`Ranking::order`] ranks them.
#[derive(Debug, Clone)]
pub struct Ranking {
    query: Id,
    keyed: Keyed,
    ids: Vec<u8>,
    entries: Vec<Entry>,
    chunks: Vec<Chunk>,
    calls: Vec<Call>,
    last_rank: Option<f64>,
    contradicts: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keyed {
    Score,
    Rank,
    Position,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    key: f64,
    end: u32,
    line: u32,
}

/// A ranking in order: positions in the file, best first, no document twice.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Order {
    /// Indices of the results, best first.
    pub indices: Vec<u32>,
    /// How many copies of a document were dropped.
    pub dropped: u64,
}

impl Ranking {
    fn new(query: Id) -> Self {
        Self {
            query,
            keyed: Keyed::Position,
            ids: Vec::new(),
            entries: Vec::new(),
            chunks: Vec::new(),
            calls: Vec::new(),
            last_rank: None,
            contradicts: false,
        }
    }

    /// The query.
    pub fn query(&self) -> &Id {
        &self.query
    }

    /// Number of results as they stand in the file, copies included.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the query has no result at all.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The search calls of the query; one unless the run is a trajectory.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// The document at a position of the file, from 0.
    pub fn document(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |before| self.entries[before].end);
        &self.ids[start as usize..self.entries[index].end as usize]
    }

    /// What the file says of the chunk at a position of the file, from 0.
    pub fn chunk(&self, index: usize) -> Option<&Chunk> {
        self.chunks.get(index)
    }

    /// Whether the rank column and the scores order the results differently.
    pub fn ranks_contradict_scores(&self) -> bool {
        self.contradicts
    }

    /// Whether the results at two positions of the file have the same score or rank.
    pub fn tied(&self, a: u32, b: u32) -> bool {
        self.keyed != Keyed::Position && self.entries[a as usize].key == self.entries[b as usize].key
    }

    fn row(&self, index: usize) -> Row<'_> {
        let entry = self.entries[index];
        let key = match self.keyed {
            Keyed::Score => Key::Score(entry.key),
            Keyed::Rank => Key::Rank(-entry.key),
            Keyed::Position => Key::Position,
        };
        let (query, document) = (self.query.as_bytes(), self.document(index));
        Row { query, document, key, rank: None, line: u64::from(entry.line), chunk: self.chunk(index) }
    }

    /// Ranks the results: by score descending or rank ascending, ties by `ties`; a list without
    /// either keeps its order.
    ///
    /// # Errors
    /// [`InputErrorKind::DuplicateDocument`] when a document is there twice and `duplicates` does
    /// not say what to do.
    pub fn order(&self, ties: Ties, duplicates: Duplicates) -> Result<Order, Fault> {
        let mut indices: Vec<u32> = (0..self.entries.len() as u32).collect();
        if !indices.is_sorted_by(|&a, &b| self.compare(a, b, ties).is_le()) {
            indices.sort_unstable_by(|&a, &b| self.compare(a, b, ties));
        }
        let copies = self.copies(&indices);
        match (copies.first(), duplicates) {
            (Some(&(first, copy)), Duplicates::Error) => Err(self.duplicate(first, copy)),
            _ => {
                let dropped: HashSet<u32> = copies.iter().map(|&(_, copy)| copy).collect();
                indices.retain(|index| !dropped.contains(index));
                Ok(Order { indices, dropped: dropped.len() as u64 })
            }
        }
    }

    /// THE order: key descending, then the tie rule, then the position in the file.
    fn compare(&self, a: u32, b: u32, ties: Ties) -> Ordering {
        let by_key = self.entries[b as usize].key.total_cmp(&self.entries[a as usize].key);
        let by_tie = || match (self.keyed, ties) {
            (Keyed::Position, _) | (_, Ties::Input) => Ordering::Equal,
            (_, Ties::Trec) => self.document(b as usize).cmp(self.document(a as usize)),
            (_, Ties::IdAscending) => self.document(a as usize).cmp(self.document(b as usize)),
        };
        by_key.then_with(by_tie).then_with(|| a.cmp(&b))
    }

    /// The pairs (best-ranked, copy) of results that are the same document, in rank order.
    fn copies(&self, indices: &[u32]) -> Vec<(u32, u32)> {
        let hasher = DefaultHashBuilder::default();
        let hash = |index: u32| hasher.hash_one(self.document(index as usize));
        let mut seen: HashTable<u32> = HashTable::with_capacity(indices.len());
        let mut copies = Vec::new();
        for &index in indices {
            let document = self.document(index as usize);
            match seen.find(hash(index), |&other| self.document(other as usize) == document) {
                Some(&first) => copies.push((first, index)),
                None => {
                    seen.insert_unique(hash(index), index, |&other| hash(other));
                }
            }
        }
        copies
    }

    fn duplicate(&self, first: u32, copy: u32) -> Fault {
        let lines = [first, copy].map(|index| u64::from(self.entries[index as usize].line));
        let (earlier, later) = (lines[0].min(lines[1]), lines[0].max(lines[1]));
        let place = match earlier == later {
            true => format!("position {} of the list", first.min(copy) + 1),
            false => format!("line {earlier}"),
        };
        let kind = InputErrorKind::DuplicateDocument {
            query: self.query.clone(),
            document: self.document(copy as usize).into(),
            first: place,
        };
        Fault::at_line(later, kind)
    }

    fn push(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        let (keyed, key) = match row.key {
            // Ranks are kept negated, so that the highest key comes first everywhere; adding 0.0
            // turns -0.0 into 0.0, which is the same score.
            Key::Score(score) => (Keyed::Score, score + 0.0),
            Key::Rank(rank) => (Keyed::Rank, 0.0 - rank),
            Key::Position => (Keyed::Position, 0.0),
        };
        if self.entries.is_empty() {
            self.keyed = keyed;
        } else if self.keyed != keyed {
            return Err(Fault::at_line(row.line, InputErrorKind::MixedOrder { query: self.query.clone() }));
        }
        if let (Some(rank), Some(last_rank), Some(last)) = (row.rank, self.last_rank, self.entries.last()) {
            self.contradicts |= (rank > last_rank && key > last.key) || (rank < last_rank && key < last.key);
        }
        self.last_rank = row.rank;
        self.ids.extend_from_slice(row.document);
        let end = u32::try_from(self.ids.len()).expect("the ids of one ranking stay below 4 GiB");
        let line = u32::try_from(row.line).unwrap_or(u32::MAX);
        self.entries.push(Entry { key, end, line });
        if let Some(chunk) = row.chunk {
            self.chunks.resize(self.entries.len() - 1, Chunk::default());
            self.chunks.push(chunk.clone());
        }
        Ok(())
    }
}

/// Collects a whole run in memory.
#[derive(Debug, Default)]
pub struct RunBuilder {
    run: Run,
    last: Option<usize>,
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
            && self.run.rankings[last].query.as_bytes() == query
        {
            return last;
        }
        let id = Id::from(query);
        let position = *self.run.index.entry(id.clone()).or_insert_with(|| {
            self.run.rankings.push(Ranking::new(id));
            self.run.rankings.len() - 1
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
        let ranking = &mut self.run.rankings[position];
        let repeats = ranking.calls.last().is_some_and(|last| last.step.is_none() || call.step.is_none());
        if repeats {
            let first_line = ranking.entries.first().map_or(0, |entry| u64::from(entry.line));
            let kind = InputErrorKind::RepeatedQuery { query: ranking.query.clone(), first_line };
            return Err(Fault::at_line(line, kind));
        }
        ranking.calls.push(call.clone());
        Ok(())
    }

    fn tag(&mut self, tag: &[u8]) {
        if self.run.tag.is_none() {
            self.run.tag = Some(crate::id::escaped(tag));
        }
    }
}
