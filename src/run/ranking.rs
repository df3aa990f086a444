//! The results of one query as they stand in the file.

use super::{Call, Chunk, Duplicates, Key, Order, Results, Row, RunSink, Ties};
use crate::error::{Fault, InputErrorKind};
use crate::id::Id;

/// The results of one query as they stand in the file; [`Ranking::order`] ranks them.
#[derive(Debug, Clone)]
pub struct Ranking {
    query: Id,
    keyed: Keyed,
    ids: Vec<u8>,
    entries: Vec<Entry>,
    chunks: Vec<Chunk>,
    calls: Vec<Call>,
    /// The call that each result comes from; empty while there is one call.
    call_of: Vec<u32>,
    /// The call whose results are being taken.
    current: u32,
    /// Where the first call stands.
    line: u64,
    course: Course,
}

/// How the keys and the rank column of a ranking go on from one result to the next.
#[derive(Debug, Clone, Copy)]
pub struct Course {
    last_key: f64,
    last_rank: f64,
    /// Whether the rank column and the scores order two results that follow each other differently.
    pub contradicts: bool,
    /// Whether some key is as high as the one before it.
    pub ties: bool,
    /// Whether some key is higher than the one before it.
    pub rises: bool,
}

impl Default for Course {
    fn default() -> Self {
        Self { last_key: f64::INFINITY, last_rank: f64::NAN, contradicts: false, ties: false, rises: false }
    }
}

impl Course {
    /// Goes on to the next result with its finite key; a rank that there is not is NaN.
    #[inline]
    pub(super) fn go_on(&mut self, key: f64, rank: f64) {
        // Nothing is above or below NaN.
        if key < self.last_key {
            self.contradicts |= rank < self.last_rank;
        } else if key > self.last_key {
            self.contradicts |= rank > self.last_rank;
            self.rises = true;
        } else {
            self.ties = true;
        }
        (self.last_key, self.last_rank) = (key, rank);
    }

    /// Goes on with the results of another call, which are not compared with the last one.
    fn turn(&mut self) {
        (self.last_key, self.last_rank) = (f64::INFINITY, f64::NAN);
    }
}

/// What orders a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keyed {
    /// By scores.
    #[default]
    Score,
    /// By ranks.
    Rank,
    /// By nothing: the order of the file is the ranking.
    Position,
}

impl Keyed {
    /// What stands in a file for a number by which the highest comes first.
    pub(crate) fn of(self, key: f64) -> Key {
        match self {
            Self::Score => Key::Score(key),
            Self::Rank => Key::Rank(0.0 - key),
            Self::Position => Key::Position,
        }
    }
}

impl Key {
    /// What orders a ranking, and the number by which the highest comes first everywhere: ranks are
    /// negated, and adding 0.0 turns -0.0 into 0.0, which is the same score.
    pub(crate) fn highest_first(self) -> (Keyed, f64) {
        match self {
            Self::Score(score) => (Keyed::Score, score + 0.0),
            Self::Rank(rank) => (Keyed::Rank, 0.0 - rank),
            Self::Position => (Keyed::Position, 0.0),
        }
    }

    /// Checks that a rank that orders results counts them; `line` is where it stands.
    ///
    /// # Errors
    /// [`InputErrorKind::OutOfRange`] when it does not.
    pub(crate) fn check(self, line: u64) -> Result<(), Fault> {
        match self {
            Self::Rank(rank) if rank < 0.0 || rank.fract() != 0.0 => {
                let (expected, text) = ("a whole number from 0", rank.to_string());
                Err(Fault::at_line(line, InputErrorKind::OutOfRange { field: "rank", expected, text }))
            }
            _ => Ok(()),
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    key: f64,
    end: u32,
    line: u32,
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
            call_of: Vec::new(),
            current: 0,
            line: 0,
            course: Course::default(),
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
        self.call_of.clear();
        self.current = 0;
        self.course = Course::default();
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

    /// Whether the query has several search calls: the steps of a trajectory.
    pub fn is_trajectory(&self) -> bool {
        self.calls.len() > 1
    }

    /// The position in [`calls`](Self::calls) of the call that the result at a position of the
    /// file comes from.
    pub fn call_of(&self, index: usize) -> usize {
        self.call_of.get(index).map_or(0, |&call| call as usize)
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

    /// The score of the result at a position of the file; `None` where ranks or the order of the
    /// file decide.
    pub fn score(&self, index: usize) -> Option<f64> {
        Some(self.entries[index].key).filter(|_| self.keyed == Keyed::Score)
    }

    /// Where the result at a position of the file stands in it: the physical line, from 1.
    pub fn line_of(&self, index: usize) -> u64 {
        u64::from(self.entries[index].line)
    }

    /// Whether the rank column and the scores order the results differently.
    pub fn ranks_contradict_scores(&self) -> bool {
        self.course.contradicts
    }

    /// Whether the results at two positions of the file have the same score or rank in one call.
    pub fn tied(&self, a: u32, b: u32) -> bool {
        Results::tied(self, a, b)
    }

    /// The result at a position of the file, from 0, as it was read.
    pub(crate) fn row(&self, index: usize) -> Row<'_> {
        let entry = self.entries[index];
        let key = self.keyed.of(entry.key);
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

    /// Takes a search call: the first, or a further step of a trajectory.
    pub(crate) fn begin_call(&mut self, call: &Call, line: u64) -> Result<(), Fault> {
        check_amount("latency_ms", call.latency_ms, line)?;
        check_amount("cost_usd", call.cost_usd, line)?;
        let repeats = self.calls.last().is_some_and(|last| last.step.is_none() || call.step.is_none());
        if repeats {
            let kind = InputErrorKind::RepeatedQuery { query: self.query.clone(), first_line: self.line };
            return Err(Fault::at_line(line, kind));
        }
        if self.calls.is_empty() {
            self.line = line;
        }
        self.current = self.calls.len() as u32;
        self.calls.push(call.clone());
        if self.current > 0 {
            self.call_of.resize(self.entries.len(), 0);
        }
        Ok(())
    }

    /// Where the ids end once one of so many bytes is added.
    fn end_of_ids(&self, length: usize, line: u64) -> Result<u32, Fault> {
        let end = self.ids.len().checked_add(length).and_then(|end| u32::try_from(end).ok());
        let too_long = || InputErrorKind::LongRanking { query: self.query.clone() };
        end.ok_or_else(|| Fault::at_line(line, too_long()))
    }

    /// Names each result that has a place, and no other id than that of its document, by its place.
    ///
    /// # Errors
    /// When the names are too long.
    pub(super) fn name_by_place(&mut self) -> Result<(), Fault> {
        if self.chunks.is_empty() {
            return Ok(());
        }
        let names: Vec<Id> = (0..self.len()).map(|index| Id::from(self.document(index))).collect();
        self.ids.clear();
        for (index, name) in names.into_iter().enumerate() {
            self.ids.extend_from_slice(name.as_bytes());
            if let Some(Chunk { document, start: Some(start), end: Some(end), .. }) = self.chunks.get_mut(index)
                && document.as_ref().is_none_or(|document| *document == name)
            {
                self.ids.extend_from_slice(format!("[{start}..{end})").as_bytes());
                *document = Some(name);
            }
            self.entries[index].end = self.end_of_ids(0, self.line_of(index))?;
        }
        Ok(())
    }

    /// Hands the ranking out again, call by call, under other ids; `document` names the result at
    /// a position of the file.
    ///
    /// # Errors
    /// When the sink refuses a call or a row.
    pub(super) fn replay(
        &self,
        sink: &mut dyn RunSink,
        query: &[u8],
        document: impl Fn(usize) -> Id,
    ) -> Result<(), Fault> {
        let push = |sink: &mut dyn RunSink, index: usize| {
            sink.row(&Row { query, document: document(index).as_bytes(), ..self.row(index) })
        };
        let mut indices: Vec<usize> = (0..self.len()).collect();
        indices.sort_by_key(|&index| self.call_of(index));
        let mut indices = indices.into_iter().peekable();
        for (number, call) in self.calls.iter().enumerate() {
            sink.call(query, call, self.line)?;
            while let Some(index) = indices.next_if(|&index| self.call_of(index) == number) {
                push(sink, index)?;
            }
        }
        indices.try_for_each(|index| push(sink, index))
    }

    /// Goes on with the results of a call that has begun before.
    pub(crate) fn resume_call(&mut self, step: u32) {
        if let Some(call) = self.calls.iter().rposition(|call| call.step == Some(step)) {
            self.current = call as u32;
        }
    }

    /// Says how the results that are there have gone on, ranks beside their scores included.
    pub(super) fn follow(&mut self, course: Course) {
        self.course = course;
    }

    pub(crate) fn push(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        row.key.check(row.line)?;
        row.chunk.map_or(Ok(()), |chunk| chunk.check(row.line))?;
        let (keyed, key) = row.key.highest_first();
        if self.entries.is_empty() {
            self.keyed = keyed;
        } else if self.keyed != keyed {
            return Err(Fault::at_line(row.line, InputErrorKind::MixedOrder { query: self.query.clone() }));
        }
        if self.call_of.last().is_some_and(|&call| call != self.current) {
            self.course.turn();
        }
        self.course.go_on(key, row.rank.unwrap_or(f64::NAN));
        let end = self.end_of_ids(row.document.len(), row.line)?;
        self.ids.extend_from_slice(row.document);
        let line = u32::try_from(row.line).unwrap_or(u32::MAX);
        self.entries.push(Entry { key, end, line });
        if self.is_trajectory() {
            self.call_of.push(self.current);
        }
        if let Some(chunk) = row.chunk {
            self.chunks.resize(self.entries.len() - 1, Chunk::default());
            self.chunks.push(chunk.clone());
        }
        Ok(())
    }
}

impl Results for Ranking {
    fn ranking(&self) -> Option<&Ranking> {
        Some(self)
    }

    fn query(&self) -> &[u8] {
        self.query.as_bytes()
    }

    fn len(&self) -> usize {
        self.entries.len()
    }

    fn document(&self, index: usize) -> &[u8] {
        Ranking::document(self, index)
    }

    fn keyed(&self) -> Keyed {
        self.keyed
    }

    fn key(&self, index: usize) -> f64 {
        self.entries[index].key
    }

    fn line(&self, index: usize) -> u64 {
        u64::from(self.entries[index].line)
    }

    fn course(&self) -> Course {
        self.course
    }

    fn is_trajectory(&self) -> bool {
        Ranking::is_trajectory(self)
    }

    fn call_of(&self, index: usize) -> usize {
        Ranking::call_of(self, index)
    }
}

/// Time and money are spent, never gained.
fn check_amount(field: &'static str, amount: Option<f64>, line: u64) -> Result<(), Fault> {
    match amount {
        Some(amount) if amount < 0.0 => {
            let (expected, text) = ("a number from 0", amount.to_string());
            Err(Fault::at_line(line, InputErrorKind::OutOfRange { field, expected, text }))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_are_too_long_for_a_ranking_are_an_error() {
        let ranking = Ranking::new("q1".into());
        assert_eq!(ranking.end_of_ids(u32::MAX as usize, 7), Ok(u32::MAX));
        let fault = ranking.end_of_ids(u32::MAX as usize + 1, 7).unwrap_err();
        assert_eq!(fault, Fault::at_line(7, InputErrorKind::LongRanking { query: "q1".into() }));
        assert!(ranking.end_of_ids(usize::MAX, 7).is_err());
    }
}
