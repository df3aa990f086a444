//! The results of a block of a text, put together by queries, and the way through all blocks query
//! by query.

use hashbrown::HashTable;

use super::records::Record;
use crate::error::Fault;
use crate::id::{self, Id};
use crate::labels::Labels;
use crate::run::Row;

/// The results of a block, put together by queries.
#[derive(Default)]
pub(super) struct Block {
    pub number: u64,
    pub lines_before: u64,
    /// The name that it gives the run.
    pub tag: Option<String>,
    /// The queries without labels in the order in which they first appear.
    pub others: Vec<Id>,
    pieces: Vec<Piece>,
    records: Vec<u8>,
}

/// The results of a query in a block.
struct Piece {
    /// The position in the labels; from their number on it counts the queries without labels.
    query: u32,
    /// Where the records end; they begin where those of the piece before it end.
    end: u32,
}

impl Block {
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The records of the piece at a position.
    fn records(&self, piece: usize) -> impl Iterator<Item = Record<'_>> {
        let start = piece.checked_sub(1).map_or(0, |before| self.pieces[before].end);
        let mut rest = &self.records[start as usize..self.pieces[piece].end as usize];
        std::iter::from_fn(move || Record::take(&mut rest))
    }

    /// Gives out all rows in the order of the file.
    pub fn in_order(&self, labels: &Labels, mut take: impl FnMut(&Row<'_>) -> Result<(), Fault>) -> Result<(), Fault> {
        let pieces = (0..self.pieces.len()).flat_map(|piece| self.records(piece).map(move |record| (piece, record)));
        let mut rows: Vec<(usize, Record<'_>)> = pieces.collect();
        rows.sort_by_key(|(_, record)| record.line);
        rows.iter().try_for_each(|(piece, record)| {
            let query = self.pieces[*piece].query as usize;
            let labelled = labels.queries().get(query);
            let query = labelled.map_or_else(|| &self.others[query - labels.queries().len()], |query| query.id());
            take(&record.row(query.as_bytes(), self.lines_before))
        })
    }
}

/// Puts the results of a block together by queries. Its memory is used again for the next block.
pub(super) struct Collector<'l> {
    labels: &'l Labels,
    /// The results in the order of the file.
    records: Vec<u8>,
    /// The query of each and where it ends.
    rows: Vec<Piece>,
    others: Vec<Id>,
    /// The positions of the queries without labels, by their ids.
    index: HashTable<u32>,
    /// The query of the row before, and its number.
    last: (Vec<u8>, u32),
    /// For each query, how much space its records take up, and then where the next of them goes.
    places: Vec<u32>,
}

impl<'l> Collector<'l> {
    pub fn new(labels: &'l Labels) -> Self {
        let (records, rows, others, index, last, places) = Default::default();
        Self { labels, records, rows, others, index, last, places }
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether one more row can be taken, be it as long as a line can.
    pub fn has_room(&self) -> bool {
        self.records.len() < u32::MAX as usize / 2
    }

    /// Takes a result with its score.
    pub fn take(&mut self, row: &Row<'_>, score: f64) {
        let query = self.number(row.query);
        Record { document: row.document, score, rank: row.rank, line: row.line }.put(&mut self.records);
        self.rows.push(Piece { query, end: self.records.len() as u32 });
    }

    /// The number of a query.
    fn number(&mut self, query: &[u8]) -> u32 {
        let (last, number) = &mut self.last;
        if self.rows.is_empty() || last != query {
            last.clear();
            last.extend_from_slice(query);
            *number = match self.labels.position_of(query) {
                Some(position) => position as u32,
                None => self.labels.queries().len() as u32 + other(&mut self.others, &mut self.index, query),
            };
        }
        self.last.1
    }

    /// The block whose rows have been taken.
    pub fn finish(&mut self) -> Block {
        let pieces = self.pieces();
        let mut records = vec![0; self.records.len()];
        let mut start = 0;
        for row in self.rows.drain(..) {
            let place = &mut self.places[row.query as usize];
            let record = &self.records[start..row.end as usize];
            records[*place as usize..][..record.len()].copy_from_slice(record);
            (start, *place) = (row.end as usize, *place + record.len() as u32);
        }
        self.records.clear();
        self.index.clear();
        Block { others: std::mem::take(&mut self.others), pieces, records, ..Block::default() }
    }

    /// The pieces that the rows make, and for each query the place of its first record.
    fn pieces(&mut self) -> Vec<Piece> {
        self.places.clear();
        self.places.resize(self.labels.queries().len() + self.others.len(), 0);
        let mut start = 0;
        for row in &self.rows {
            self.places[row.query as usize] += row.end - start;
            start = row.end;
        }
        let (mut pieces, mut end) = (Vec::with_capacity(self.rows.len()), 0);
        for (query, place) in (0..).zip(&mut self.places) {
            let length = std::mem::replace(place, end);
            if length > 0 {
                end += length;
                pieces.push(Piece { query, end });
            }
        }
        pieces.shrink_to_fit();
        pieces
    }
}

/// The position of a query among those without labels, where it is put if it is not there.
fn other(others: &mut Vec<Id>, index: &mut HashTable<u32>, query: &[u8]) -> u32 {
    let hash = id::hash(query);
    if let Some(&position) = index.find(hash, |&position| others[position as usize].as_bytes() == query) {
        return position;
    }
    others.push(query.into());
    let hash_of = |&position: &u32| id::hash(others[position as usize].as_bytes());
    *index.insert_unique(hash, others.len() as u32 - 1, hash_of).get()
}

/// The way through all blocks, query by query.
pub(super) struct Walk<'b> {
    blocks: &'b [Block],
    /// The position of a piece in each block: the first that is not of a query before `query`.
    pieces: Vec<usize>,
    query: usize,
}

impl<'b> Walk<'b> {
    pub fn new(blocks: &'b [Block]) -> Self {
        Self { blocks, pieces: vec![0; blocks.len()], query: 0 }
    }

    /// Goes to the query at a position of the labels and says whether it has results.
    pub fn go_to(&mut self, query: usize) -> bool {
        let is_near = query == self.query || query == self.query + 1;
        self.query = query;
        let mut found = false;
        for (block, place) in self.blocks.iter().zip(&mut self.pieces) {
            let is_before = |piece: &Piece| (piece.query as usize) < query;
            if !is_near {
                *place = block.pieces.partition_point(is_before);
            } else if block.pieces.get(*place).is_some_and(is_before) {
                *place += 1;
            }
            found |= block.pieces.get(*place).is_some_and(|piece| piece.query as usize == query);
        }
        found
    }

    /// Gives out the results of the query in the order of the file, each with the number of lines
    /// before its block.
    pub fn each_record(&self, mut take: impl FnMut(&Record<'b>, u64) -> Result<(), Fault>) -> Result<(), Fault> {
        for (block, &place) in self.blocks.iter().zip(&self.pieces) {
            if block.pieces.get(place).is_some_and(|piece| piece.query as usize == self.query) {
                block.records(place).try_for_each(|record| take(&record, block.lines_before))?;
            }
        }
        Ok(())
    }
}
