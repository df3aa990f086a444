//! The results of one query whose ids are not copied: they stand in the text that is being read.

use std::ops::Range;

use super::ranking::{Course, Keyed, Ranking};
use super::{Results, Row, Sightings};
use crate::error::Fault;

/// The results of one query as places in a text, with what orders them there. Its memory is used
/// again for the next query.
#[derive(Debug, Default)]
pub struct Listing {
    query: Range<usize>,
    keyed: Keyed,
    entries: Vec<Entry>,
    course: Course,
    /// Which results may be judged, or there twice.
    pub sightings: Sightings,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    key: f64,
    start: u32,
    end: u32,
}

/// One result as places in a text.
#[derive(Debug, Clone, Copy)]
pub struct Listed {
    /// Where its document begins.
    pub start: usize,
    /// Where its document ends.
    pub end: usize,
    /// The fingerprint of the document.
    pub fingerprint: u64,
    /// The finite number that orders it: the highest comes first.
    pub key: f64,
    /// The rank that stands beside a score; NaN where none does.
    pub rank: f64,
}

impl Listing {
    /// How long a text can be.
    pub const LONGEST: usize = u32::MAX as usize;

    /// Starts with a query that stands at a place of the text, with no results, and says what will
    /// order them.
    pub fn begin(&mut self, query: Range<usize>, keyed: Keyed) {
        self.query = query;
        self.keyed = keyed;
        self.entries.clear();
        self.course = Course::default();
    }

    /// Where the query stands.
    pub fn query(&self) -> Range<usize> {
        self.query.clone()
    }

    /// What orders the results.
    pub fn keyed(&self) -> Keyed {
        self.keyed
    }

    /// Number of results.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Takes a result. The text must not be longer than [`LONGEST`](Self::LONGEST).
    #[inline(always)]
    pub fn push(&mut self, row: &Listed) {
        self.sightings.see_fingerprint(row.fingerprint, self.entries.len() as u32);
        // Adding 0.0 turns -0.0 into 0.0, which is the same score.
        let key = row.key + 0.0;
        self.course.go_on(key, row.rank);
        self.entries.push(Entry { key, start: row.start as u32, end: row.end as u32 });
    }

    /// The ranking that it makes of its text, which has some lines before it.
    pub fn of<'t>(&'t self, text: &'t [u8], lines_before: u64) -> TextRanking<'t> {
        TextRanking { text, lines_before, listing: self }
    }
}

/// A [`Listing`] with its text.
#[derive(Debug, Clone, Copy)]
pub struct TextRanking<'t> {
    text: &'t [u8],
    lines_before: u64,
    listing: &'t Listing,
}

impl TextRanking<'_> {
    /// Puts the results into a ranking of the same query, which is empty.
    ///
    /// # Errors
    /// As [`Ranking::push`].
    pub(crate) fn copy_to(&self, ranking: &mut Ranking) -> Result<(), Fault> {
        let (mut line, mut at) = (self.lines_before + 1, 0);
        for (index, entry) in self.listing.entries.iter().enumerate() {
            let start = entry.start as usize;
            line += memchr::memchr_iter(b'\n', &self.text[at..start]).count() as u64;
            at = start;
            let (document, key) = (self.document(index), self.listing.keyed.of(entry.key));
            ranking.push(&Row { query: self.query(), document, key, rank: None, line, chunk: None })?;
        }
        ranking.follow(self.listing.course);
        Ok(())
    }
}

impl Results for TextRanking<'_> {
    fn query(&self) -> &[u8] {
        &self.text[self.listing.query.clone()]
    }

    fn len(&self) -> usize {
        self.listing.entries.len()
    }

    fn document(&self, index: usize) -> &[u8] {
        let entry = self.listing.entries[index];
        &self.text[entry.start as usize..entry.end as usize]
    }

    fn keyed(&self) -> Keyed {
        self.listing.keyed
    }

    fn key(&self, index: usize) -> f64 {
        self.listing.entries[index].key
    }

    fn line(&self, index: usize) -> u64 {
        let before = &self.text[..self.listing.entries[index].start as usize];
        self.lines_before + 1 + memchr::memchr_iter(b'\n', before).count() as u64
    }

    fn course(&self) -> Course {
        self.listing.course
    }

    fn sightings(&self) -> Option<&Sightings> {
        Some(&self.listing.sightings)
    }
}
