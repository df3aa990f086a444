//! The rows of a run in a table, from any range of its lines.

use super::super::alike::{self, Alike, Part, Piece, Taken};
use super::super::blocks::{LineFormat, Reach, Scored, Text};
use super::super::cells::{Cells, Extent, Layout};
use super::super::rows::{Record, Table};
use super::super::taking::{self, ReadRows, Take};
use super::super::{FaultLog, columns};
use super::{CallColumns, Columns, order::ScoreKind, retrieve, tag};
use crate::error::{Fault, InputErrorKind};
use crate::run::RunSink;

/// How the lines of a run are read.
pub(in crate::input) struct RunLines {
    pub layout: Layout,
    pub columns: Columns,
    /// How many columns a row must have, where no header says so, and what they are.
    pub exact: Option<(usize, &'static str)>,
}

impl LineFormat for RunLines {
    fn query<'l>(&self, line: &'l [u8]) -> Option<&'l [u8]> {
        let mut cells = Cells::new(self.layout);
        let is_row = line.first() != Some(&b'#') && cells.split(line) == Extent::Whole;
        cells.raw(line, self.columns.query).filter(|query| is_row && !query.is_empty())
    }

    fn rows_are_scored(&self) -> Scored {
        if self.columns.score.is_some() && self.is_plain() { Scored::Always } else { Scored::NotAlways }
    }

    fn long_records(&self, lines: &[u8]) -> Option<Reach> {
        self.layout.quoted?;
        memchr::memchr(b'"', lines)?;
        if quotes_are_closed(lines) {
            return None;
        }
        let mut table = Table::new(self.layout, false);
        let (mut at, mut reach, mut query) = (0, Reach::default(), None);
        while at < lines.len() {
            let (end, extent) = table.advance(lines, at);
            let row = &lines[at..end];
            if table.goes_on(&extent, row) {
                break;
            }
            let found = table.raw(row, self.columns.query).filter(|found| extent == Extent::Whole && !found.is_empty());
            if found.is_some() && found != query {
                reach.last_query = if query.is_some() { at } else { 0 };
                query = found;
            }
            (at, reach.whole) = (end, end);
        }
        Some(reach)
    }

    fn read(
        &self,
        text: Text<'_>,
        at_start: &mut bool,
        run: &mut dyn RunSink,
        log: &mut FaultLog,
    ) -> Result<u64, Fault> {
        taking::read(text, run, log, &mut Reading { format: self, text, at_start, is_tagged: false })
    }
}

/// Whether no line ends within quotes.
fn quotes_are_closed(lines: &[u8]) -> bool {
    let mut is_open = false;
    !memchr::memchr2_iter(b'"', b'\n', lines).any(|place| {
        let is_quote = lines[place] == b'"';
        is_open ^= is_quote;
        is_open && !is_quote
    })
}

impl RunLines {
    /// Takes a row.
    fn take(&self, row: &Record<'_>, run: &mut dyn RunSink) -> Result<(), Fault> {
        match self.exact {
            Some((width, expected)) if row.len() != width => {
                Err(Fault::at_line(row.line, InputErrorKind::Columns { expected, found: row.len() }))
            }
            _ => retrieve(row, &self.columns, run),
        }
    }

    /// What a column is for.
    fn part(&self, column: usize) -> Part {
        let Columns { query, document, score, rank, .. } = self.columns;
        match score {
            _ if column == query => Part::Query,
            _ if column == document => Part::Document,
            Some(score) if column == score.index && score.kind == ScoreKind::Distance => Part::Distance,
            Some(score) if column == score.index => Part::Score,
            Some(_) if rank == Some(column) => Part::Rank,
            None if rank == Some(column) => Part::Order,
            _ => Part::Other,
        }
    }

    /// Whether a row holds nothing but ids and numbers.
    fn is_plain(&self) -> bool {
        let Columns { whole, start, end, tokens, calls, .. } = &self.columns;
        *calls == CallColumns::default() && [whole, start, end, tokens].into_iter().all(Option::is_none)
    }
}

/// Lines that are being read.
struct Reading<'t, 'a> {
    format: &'a RunLines,
    text: Text<'t>,
    at_start: &'a mut bool,
    is_tagged: bool,
}

impl ReadRows for Reading<'_, '_> {
    fn read(&mut self, rows: &mut impl Take, log: &mut FaultLog) -> Result<u64, Fault> {
        let (format, text) = (self.format, self.text.bytes);
        let mut table = Table::new(format.layout, *self.at_start);
        // Nothing but UTF-8 is CSV.
        let is_text = format.layout.quoted.is_none() || std::str::from_utf8(text).is_ok();
        let may_learn = is_text && format.is_plain();
        let (alike, mut pieces) = (Alike::new(format.layout.end_of_cells()), Vec::new());
        let read = alike::read(self.text, alike, rows, log, |at, number, alike, rows, log| {
            let (end, extent) = table.advance(text, at);
            let bytes = alike::line(text, at..end, number).bytes;
            let taken = Taken { end, lines: 1 + memchr::memchr_iter(b'\n', bytes).count() as u64 };
            if !table.holds_row(extent, number, bytes, log)? {
                return Ok(taken);
            }
            let row = table.record(number, bytes);
            alike.forget();
            if let Err(fault) = format.take(&row, rows) {
                log.skip(row.around(fault))?;
                return Ok(taken);
            }
            if let Some(tag) = tag(&row, &format.columns).filter(|_| !self.is_tagged) {
                rows.tag(tag);
                self.is_tagged = true;
            }
            // A name that is still to come must not be passed over.
            let is_named = self.is_tagged || format.columns.tag.is_none_or(|index| index >= row.len());
            if may_learn
                && is_named
                && let Some(()) = find_pieces(format, &row, bytes, &mut pieces)
            {
                alike.learn(&text[at..end], &mut pieces);
            }
            Ok(taken)
        });
        *self.at_start &= !table.is_below_header();
        read
    }
}

/// The cells of a row by their places in its line; `None` where they do not stand there.
fn find_pieces(format: &RunLines, row: &Record<'_>, line: &[u8], pieces: &mut Vec<Piece>) -> Option<()> {
    pieces.clear();
    for column in 0..row.len() {
        let place = columns::place(line, row.field(column))?;
        pieces.push(Piece { part: format.part(column), place, is_bare: false });
    }
    Some(())
}
