//! Rows whose ids stand in the text that is read. They are listed by their places where the sink
//! can take lists, and handed over one by one where it cannot.

use std::ops::Range;

use super::FaultLog;
use super::blocks::Text;
use super::columns;
use crate::error::Fault;
use crate::id::{Fingerprints, Id};
use crate::run::{Call, Keyed, Listed, Listing, Lists, Row, RunSink};

/// Takes rows of a text. What is more than ids, a number and a rank goes to it as to any sink.
pub(super) trait Take: RunSink {
    /// Takes the place where the query of the next rows stands.
    ///
    /// # Errors
    /// When the query cannot come back.
    fn begin(&mut self, query: Range<usize>) -> Result<(), Fault>;

    /// Takes a row of the last query, which stands on a line and is ordered by the same as the row
    /// before it.
    ///
    /// # Errors
    /// As [`RunSink::row`].
    fn take(&mut self, row: &Listed, line: u64) -> Result<(), Fault>;
}

/// Reads a text whatever takes its rows.
pub(super) trait ReadRows {
    /// Reads the lines of the text and says how many there are.
    ///
    /// # Errors
    /// The first fault, unless faults are skipped.
    fn read(&mut self, rows: &mut impl Take, log: &mut FaultLog) -> Result<u64, Fault>;
}

/// Reads a text in lists, if the sink takes them, else row by row.
///
/// # Errors
/// As [`ReadRows::read`].
pub(super) fn read(
    text: Text<'_>,
    run: &mut dyn RunSink,
    log: &mut FaultLog,
    reading: &mut impl ReadRows,
) -> Result<u64, Fault> {
    let Some(lists) = run.lists().filter(|_| text.bytes.len() <= Listing::LONGEST) else {
        return reading.read(&mut OneByOne { text: text.bytes, run, query: 0..0, keyed: Keyed::Score }, log);
    };
    let listing = std::mem::take(lists.listing());
    let mut rows = InLists { text, listing, lists, open: Open::Nothing, keyed: Keyed::Score };
    let read = reading.read(&mut rows, log);
    rows.end();
    *rows.lists.listing() = rows.listing;
    read
}

/// Hands over all results of a query, which stands at a place of a text, in one go.
///
/// # Errors
/// When the query was there before.
pub(super) fn hand_over(
    text: Text<'_>,
    query: Range<usize>,
    keyed: Keyed,
    results: &[Listed],
    lists: &mut dyn Lists,
) -> Result<(), Fault> {
    let mut listing = std::mem::take(lists.listing());
    let begun = lists.begin(&text.bytes[query.clone()], &mut listing.sightings);
    if begun.is_ok() {
        listing.begin(query, keyed);
        results.iter().for_each(|result| listing.push(result));
        lists.end(&listing.of(text.bytes, text.lines_before));
    }
    *lists.listing() = listing;
    begun
}

/// Takes rows as lists, one a query.
struct InLists<'a, 't> {
    text: Text<'t>,
    listing: Listing,
    lists: &'a mut dyn Lists,
    open: Open,
    /// What orders the last row.
    keyed: Keyed,
}

/// The query of the last row.
enum Open {
    /// There was no row.
    Nothing,
    /// It is being listed.
    Listed,
    /// Its rows are handed over one by one, since one of them is more than can be listed.
    OneByOne(Id),
}

impl InLists<'_, '_> {
    /// Hands over the query, where it is listed.
    fn end(&mut self) {
        if let Open::Listed = std::mem::replace(&mut self.open, Open::Nothing) {
            self.lists.end(&self.listing.of(self.text.bytes, self.text.lines_before));
        }
    }

    fn is_open(&self, query: &[u8]) -> bool {
        match &self.open {
            Open::Nothing => false,
            Open::Listed => &self.text.bytes[self.listing.query()] == query,
            Open::OneByOne(open) => open.as_bytes() == query,
        }
    }

    /// The places of a row, where it has nothing but these, and of its query.
    fn places(&self, row: &Row<'_>) -> Option<(Range<usize>, Listed)> {
        let query = columns::place(self.text.bytes, row.query)?;
        let Range { start, end } = columns::place(self.text.bytes, row.document)?;
        let (_, key) = row.key.highest_first();
        let (fingerprint, rank) = (Fingerprints::default().of(row.document), row.rank.unwrap_or(f64::NAN));
        let is_listable = row.chunk.is_none() && row.key.check(row.line).is_ok();
        is_listable.then_some((query, Listed { start, end, fingerprint, key, rank }))
    }

    /// Takes a row of a query whose rows are handed over one by one.
    #[cold]
    fn take_alone(&mut self, row: &Listed, line: u64) -> Result<(), Fault> {
        let Open::OneByOne(query) = &self.open else { return Ok(()) };
        self.lists.row(&row_of(row, query.as_bytes(), self.text.bytes, self.keyed, line))
    }

    /// Has the rows of a query handed over one by one from now on.
    fn unlist(&mut self, query: &[u8]) -> Result<(), Fault> {
        match self.open {
            Open::Listed if self.is_open(query) => {
                self.lists.go_on(&self.listing.of(self.text.bytes, self.text.lines_before))?;
            }
            _ => self.end(),
        }
        self.open = Open::OneByOne(query.into());
        Ok(())
    }
}

impl Take for InLists<'_, '_> {
    fn begin(&mut self, query: Range<usize>) -> Result<(), Fault> {
        self.end();
        self.lists.begin(&self.text.bytes[query.clone()], &mut self.listing.sightings)?;
        self.listing.begin(query, self.keyed);
        self.open = Open::Listed;
        Ok(())
    }

    #[inline(always)]
    fn take(&mut self, row: &Listed, line: u64) -> Result<(), Fault> {
        if let Open::OneByOne(_) = self.open {
            return self.take_alone(row, line);
        }
        self.listing.push(row);
        Ok(())
    }
}

impl RunSink for InLists<'_, '_> {
    fn row(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        let (keyed, _) = row.key.highest_first();
        let is_open = self.is_open(row.query);
        let is_alike = !is_open || self.keyed == keyed;
        match self.places(row).filter(|_| is_alike) {
            Some((query, listed)) => {
                if !is_open {
                    self.keyed = keyed;
                    self.begin(query)?;
                }
                self.take(&listed, row.line)
            }
            None => {
                self.unlist(row.query)?;
                self.lists.row(row)?;
                self.keyed = keyed;
                Ok(())
            }
        }
    }

    fn call(&mut self, query: &[u8], call: &Call, line: u64) -> Result<(), Fault> {
        self.unlist(query)?;
        self.lists.call(query, call, line)
    }

    fn resume(&mut self, query: &[u8], step: u32, line: u64) -> Result<(), Fault> {
        self.unlist(query)?;
        self.lists.resume(query, step, line)
    }

    fn tag(&mut self, tag: &[u8]) {
        self.lists.tag(tag);
    }

    fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }
}

/// What stands at the places of a row.
fn row_of<'t>(row: &Listed, query: &'t [u8], text: &'t [u8], keyed: Keyed, line: u64) -> Row<'t> {
    let rank = (!row.rank.is_nan()).then_some(row.rank);
    Row { query, document: &text[row.start..row.end], key: keyed.of(row.key), rank, line, chunk: None }
}

/// Takes rows one by one.
struct OneByOne<'a, 't> {
    text: &'t [u8],
    run: &'a mut dyn RunSink,
    query: Range<usize>,
    /// What orders the last row.
    keyed: Keyed,
}

impl Take for OneByOne<'_, '_> {
    fn begin(&mut self, query: Range<usize>) -> Result<(), Fault> {
        self.query = query;
        Ok(())
    }

    fn take(&mut self, row: &Listed, line: u64) -> Result<(), Fault> {
        self.run.row(&row_of(row, &self.text[self.query.clone()], self.text, self.keyed, line))
    }
}

impl RunSink for OneByOne<'_, '_> {
    fn row(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        self.query = columns::place(self.text, row.query).unwrap_or_default();
        (self.keyed, _) = row.key.highest_first();
        self.run.row(row)
    }

    fn call(&mut self, query: &[u8], call: &Call, line: u64) -> Result<(), Fault> {
        self.run.call(query, call, line)
    }

    fn resume(&mut self, query: &[u8], step: u32, line: u64) -> Result<(), Fault> {
        self.run.resume(query, step, line)
    }

    fn tag(&mut self, tag: &[u8]) {
        self.run.tag(tag);
    }

    fn is_empty(&self) -> bool {
        self.run.is_empty()
    }
}
