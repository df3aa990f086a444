//! Ranked runs: for each query, the retrieved documents. The order of a ranking is decided here
//! and only here.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

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

    /// Takes what the run says of itself; only who keeps the run needs it.
    fn meta(&mut self, _meta: &RunMeta) {}

    /// Whether no query has come yet.
    fn is_empty(&self) -> bool;
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
    /// What the file says of the run as a whole.
    pub meta: RunMeta,
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
        run.meta = self.meta;
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
    /// Where the first call stands.
    line: u64,
    last_rank: Option<f64>,
    contradicts: bool,
    /// Whether each result so far comes strictly after the one before it, so that nothing needs sorting.
    strict: bool,
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

/// A ranking in order: positions in the file, best first, no document twice. Its memory can be
/// used again for the next ranking.
#[derive(Debug, Clone, Default)]
pub struct Order {
    indices: Vec<u32>,
    hashes: Vec<u64>,
    slots: Vec<u32>,
    dropped: u64,
}

impl Order {
    /// Positions of the results in the file, from 0, best first.
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// The [`hash`](id::hash) of each document, in the same order.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// How many copies of a document were dropped.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Ranks the results: by score descending or rank ascending, ties by `ties`; a list without
    /// either keeps its order.
    ///
    /// # Errors
    /// [`InputErrorKind::DuplicateDocument`] when a document is there twice and `duplicates` does
    /// not say what to do.
    pub fn rank(&mut self, ranking: &Ranking, ties: Ties, duplicates: Duplicates) -> Result<(), Fault> {
        self.indices.clear();
        self.indices.extend(0..ranking.entries.len() as u32);
        if !ranking.strict && !self.indices.is_sorted_by(|&a, &b| ranking.compare(a, b, ties).is_le()) {
            self.indices.sort_unstable_by(|&a, &b| ranking.compare(a, b, ties));
        }
        self.hashes.clear();
        self.hashes.extend(self.indices.iter().map(|&index| id::hash(ranking.document(index as usize))));
        let copies = self.copies(ranking);
        self.dropped = copies.len() as u64;
        match (copies.first(), duplicates) {
            (None, _) => {}
            (Some(&(first, copy)), Duplicates::Error) => {
                return Err(ranking.duplicate(self.indices[first], self.indices[copy]));
            }
            (Some(_), Duplicates::First) => {
                let copies: HashSet<usize> = copies.into_iter().map(|(_, copy)| copy).collect();
                self.retain(|place, _| !copies.contains(&place));
            }
        }
        Ok(())
    }

    /// Keeps the results for which `keep` holds; it is given the place in the order, from 0, and
    /// the position in the file.
    pub fn retain(&mut self, keep: impl Fn(usize, u32) -> bool) {
        let kept: Vec<bool> = self.indices.iter().enumerate().map(|(place, &index)| keep(place, index)).collect();
        let mut flags = kept.iter();
        self.indices.retain(|_| flags.next() == Some(&true));
        let mut flags = kept.iter();
        self.hashes.retain(|_| flags.next() == Some(&true));
    }

    /// The places (best-ranked, copy) of results that are the same document, in rank order.
    ///
    /// An open hash table of places: equal hashes are compared byte by byte.
    fn copies(&mut self, ranking: &Ranking) -> Vec<(usize, usize)> {
        let capacity = (self.indices.len() * 2).next_power_of_two();
        self.slots.clear();
        self.slots.resize(capacity, 0);
        let document = |place: usize| ranking.document(self.indices[place] as usize);
        let mut copies = Vec::new();
        for (place, &hash) in self.hashes.iter().enumerate() {
            let mut slot = hash as usize & (capacity - 1);
            loop {
                let Some(other) = self.slots[slot].checked_sub(1).map(|other| other as usize) else {
                    self.slots[slot] = place as u32 + 1;
                    break;
                };
                if self.hashes[other] == hash && document(other) == document(place) {
                    copies.push((other, place));
                    break;
                }
                slot = (slot + 1) & (capacity - 1);
            }
        }
        copies
    }
}

impl Ranking {
    pub(crate) fn new(query: Id) -> Self {
        Self {
            query,
            keyed: Keyed::Position,
            ids: Vec::new(),
            entries: Vec::new(),
            chunks: Vec::new(),
            calls: Vec::new(),
            line: 0,
            last_rank: None,
            contradicts: false,
            strict: true,
        }
    }

    /// Empties the ranking for another query; its memory is kept.
    pub(crate) fn restart(&mut self, query: Id) {
        self.query = query;
        self.keyed = Keyed::Position;
        self.ids.clear();
        self.entries.clear();
        self.chunks.clear();
        self.calls.clear();
        self.last_rank = None;
        self.contradicts = false;
        self.strict = true;
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

    /// The [`Order`] of the results in fresh memory.
    ///
    /// # Errors
    /// As [`Order::rank`].
    pub fn order(&self, ties: Ties, duplicates: Duplicates) -> Result<Order, Fault> {
        let mut order = Order::default();
        order.rank(self, ties, duplicates)?;
        Ok(order)
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

    /// Takes a search call: the first, or a further step of a trajectory.
    pub(crate) fn begin_call(&mut self, call: &Call, line: u64) -> Result<(), Fault> {
        let repeats = self.calls.last().is_some_and(|last| last.step.is_none() || call.step.is_none());
        if repeats {
            let kind = InputErrorKind::RepeatedQuery { query: self.query.clone(), first_line: self.line };
            return Err(Fault::at_line(line, kind));
        }
        if self.calls.is_empty() {
            self.line = line;
        }
        self.calls.push(call.clone());
        Ok(())
    }

    pub(crate) fn push(&mut self, row: &Row<'_>) -> Result<(), Fault> {
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
        self.strict &= keyed == Keyed::Position || self.entries.last().is_none_or(|last| last.key > key);
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
        self.run.rankings[position].begin_call(call, line)
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
