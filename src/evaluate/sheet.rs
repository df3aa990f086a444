//! The scores of queries on their way from the threads that make them to their places.

use super::judge::{Judge, Scored, Scratch};
use crate::error::Fault;
use crate::id::Id;
use crate::run::Results;
use crate::scores::Scores;

/// What is to be told of a query beside its scores.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Marks {
    /// Whether the run answers the query.
    pub answered: bool,
    /// Whether every measure leaves the query out.
    pub left_out: bool,
    /// Whether the rank column contradicts the scores.
    pub contradicts: bool,
    /// Whether the query stands among its own results.
    pub self_retrieved: bool,
    /// Whether equal scores stand on both sides of a cutoff.
    pub tied_at_cutoff: bool,
}

/// What is counted over all queries.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    /// Documents in the rankings.
    pub retrieved: u64,
    /// Those that stand in the labels.
    pub labelled: u64,
    /// Copies that were dropped.
    pub dropped: u64,
    /// Documents whose score equals that of the document before them.
    pub tied_pairs: u64,
}

impl Tally {
    fn add(&mut self, more: Self) {
        self.retrieved += more.retrieved;
        self.labelled += more.labelled;
        self.dropped += more.dropped;
        self.tied_pairs += more.tied_pairs;
    }
}

/// The scores of some queries in any order.
#[derive(Debug)]
pub(crate) struct Sheet {
    /// The positions of the queries in the labels.
    positions: Vec<u32>,
    scores: Scores,
    marks: Vec<Marks>,
    tally: Tally,
    unplaced: Vec<(u32, Id)>,
}

impl Sheet {
    /// A sheet for what a judge finds.
    pub fn new(judge: &Judge<'_>) -> Self {
        Self {
            positions: Vec::new(),
            scores: Scores::blank(0, judge.shape()),
            marks: Vec::new(),
            tally: Tally::default(),
            unplaced: Vec::new(),
        }
    }

    /// Number of queries.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Adds the scores of the query at a position of the labels.
    pub fn push(&mut self, position: usize, scored: &Scored) {
        // The tables of labels count to 32 bits.
        let position = position as u32;
        self.positions.push(position);
        self.scores.values.push(&scored.values);
        self.scores.ratios.push(&scored.ratios);
        self.scores.texts.push(&scored.texts);
        self.scores.retrieved.push(&[scored.tally.retrieved as u32]);
        self.marks.push(scored.marks);
        self.tally.add(scored.tally);
        self.unplaced.extend(scored.unplaced.iter().map(|id| (position, id.clone())));
    }
}

/// The scores of all queries of the labels, in their order.
#[derive(Debug)]
pub(crate) struct Whole {
    pub scores: Scores,
    pub marks: Vec<Marks>,
    pub tally: Tally,
    /// Results whose place in a document is needed and not known, with the position of the query.
    pub unplaced: Vec<(u32, Id)>,
}

impl Whole {
    /// The scores of so many queries, each to be filled in.
    pub fn blank(queries: usize, judge: &Judge<'_>) -> Self {
        Self {
            scores: Scores::blank(queries, judge.shape()),
            marks: vec![Marks::default(); queries],
            tally: Tally::default(),
            unplaced: Vec::new(),
        }
    }

    /// Brings what stands on a sheet to its places; the sheet is empty then.
    pub fn take(&mut self, sheet: &mut Sheet) {
        // Queries that stand behind each other in the labels mostly do so in the run.
        let mut row = 0;
        for positions in sheet.positions.chunk_by(|before, position| before + 1 == *position) {
            let (place, rows) = (positions[0] as usize, row..row + positions.len());
            self.scores.put(place, &sheet.scores, rows.clone());
            self.marks[place..place + positions.len()].copy_from_slice(&sheet.marks[rows]);
            row += positions.len();
        }
        self.tally.add(std::mem::take(&mut sheet.tally));
        self.unplaced.append(&mut sheet.unplaced);
        sheet.positions.clear();
        sheet.scores.clear();
        sheet.marks.clear();
    }
}

/// Scores queries one after the other in one thread.
pub(crate) struct Desk {
    scratch: Scratch,
    sheet: Sheet,
    /// The queries that could not be scored.
    faults: Vec<(usize, Fault)>,
}

impl Desk {
    pub fn new(judge: &Judge<'_>) -> Self {
        Self { scratch: Scratch::default(), sheet: Sheet::new(judge), faults: Vec::new() }
    }

    /// Scores the query at a position of the labels by its results, if there are any.
    pub fn score<R: Results>(&mut self, judge: &Judge<'_>, position: usize, results: Result<Option<&R>, Fault>) {
        match results.and_then(|results| judge.score(position, results, &mut self.scratch)) {
            Ok(scored) => self.sheet.push(position, scored),
            Err(fault) => self.faults.push((position, fault)),
        }
    }

    /// The scores of so many queries, each of which was scored at one of the desks.
    ///
    /// # Errors
    /// That of the first query that could not be scored.
    pub fn whole(judge: &Judge<'_>, queries: usize, desks: Vec<Self>) -> Result<Whole, Fault> {
        let (mut whole, mut faults) = (Whole::blank(queries, judge), Vec::new());
        for mut desk in desks {
            whole.take(&mut desk.sheet);
            faults.append(&mut desk.faults);
        }
        first(faults).map(|()| whole)
    }
}

/// The fault of the first of the queries that could not be scored, each with its position.
pub(crate) fn first(faults: Vec<(usize, Fault)>) -> Result<(), Fault> {
    faults.into_iter().min_by_key(|(position, _)| *position).map_or(Ok(()), |(_, fault)| Err(fault))
}
