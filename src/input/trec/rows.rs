//! The rows of a TREC run, from any range of its lines.

use std::ops::Range;

use super::shape::{Found, Shape};
use super::{check_ids, check_separator, is_aside, is_header, split, wrong_columns};
use crate::error::Fault;
use crate::id::Fingerprints;
use crate::input::alike::line;
use crate::input::blocks::{LineFormat, Scores, Text};
use crate::input::taking::{self, ReadRows, Take};
use crate::input::{FaultLog, Line, columns, number};
use crate::run::{Listed, RunSink};

/// How the lines of a run are read.
pub(super) struct RunLines {
    /// Whether columns stand between tabs.
    pub tabs: bool,
}

impl LineFormat for RunLines {
    fn query<'l>(&self, line: &'l [u8]) -> Option<&'l [u8]> {
        if line.first() == Some(&b'#') {
            return None;
        }
        let query = match self.tabs {
            true => columns::trim(&line[..memchr::memchr(b'\t', line).unwrap_or(line.len())]),
            false => columns::split_blanks::<1>(line).0[0],
        };
        (!query.is_empty()).then_some(query)
    }

    fn scores(&self) -> Scores {
        Scores::All
    }

    fn read(
        &self,
        text: Text<'_>,
        at_start: &mut bool,
        run: &mut dyn RunSink,
        log: &mut FaultLog,
    ) -> Result<u64, Fault> {
        let mut reading = Reading { text, tabs: self.tabs, at_start, tag: None };
        let read = taking::read(text, run, log, &mut reading);
        if let Some(tag) = reading.tag {
            run.tag(tag);
        }
        read
    }
}

/// Lines that are being read.
struct Reading<'t, 'a> {
    text: Text<'t>,
    tabs: bool,
    at_start: &'a mut bool,
    /// What stands in the sixth column of the first row that has one.
    tag: Option<&'t [u8]>,
}

impl ReadRows for Reading<'_, '_> {
    /// Reads line by line, those that have the shape of the one before them without a look at more
    /// than that.
    fn read(&mut self, taker: &mut impl Take, log: &mut FaultLog) -> Result<u64, Fault> {
        let text = self.text.bytes;
        let (mut at, mut number, mut query) = (0, self.text.lines_before, 0..0);
        let (mut shape, prints): (Option<Shape>, _) = (None, Fingerprints::default());
        while at < text.len() {
            number += 1;
            let found = match shape.as_mut().and_then(|shape| shape.take_apart(text, at, prints)) {
                Some(found) => found,
                None => {
                    let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end + 1);
                    let line = line(text, at..end, number);
                    let columns = self.columns(line, log)?;
                    shape = columns.as_ref().and_then(|columns| self.shape(&text[at..end], columns));
                    match columns {
                        Some(columns) => self.found(&columns, &text[query.clone()], end),
                        None => {
                            at = end;
                            continue;
                        }
                    }
                }
            };
            if let Some(other) = found.query {
                query = other.clone();
                taker.begin(other)?;
            }
            if let Err(fault) = taker.take(&found.row, number) {
                let line = line(text, at..found.end, number);
                log.skip(fault.with_excerpt(line.bytes, 0..line.bytes.len()))?;
            }
            at = found.end;
        }
        Ok(number - self.text.lines_before)
    }
}

impl<'t> Reading<'t, '_> {
    /// The columns of a line; `None` where it holds no row, or one that is left out for its fault.
    fn columns(&mut self, line: Line<'t>, log: &mut FaultLog) -> Result<Option<Columns<'t>>, Fault> {
        if is_aside(line, log) {
            return Ok(None);
        }
        let (fields, count) = split::<6>(line.bytes, self.tabs, 5);
        if std::mem::take(self.at_start) && is_header(line, &fields, fields[4], log) {
            return Ok(None);
        }
        match check_separator(line, self.tabs, 5).and_then(|()| Columns::new(line, fields, count)) {
            Err(fault) => log.skip(fault).map(|()| None),
            Ok(columns) => {
                if !fields[5].is_empty() {
                    // A tag is one word, whatever stands behind it.
                    self.tag.get_or_insert_with(|| columns::split_blanks::<1>(fields[5]).0[0]);
                }
                Ok(Some(columns))
            }
        }
    }

    /// A row by its places in the text; `query` is that of the row before.
    fn found(&self, columns: &Columns<'_>, query: &[u8], end: usize) -> Found {
        let place = |field: &[u8]| columns::span(self.text.bytes, field);
        let Range { start, end: document_end } = place(columns.document);
        let fingerprint = Fingerprints::default().of(columns.document);
        let row = Listed { start, end: document_end, fingerprint, key: columns.score, rank: columns.rank };
        Found { query: (columns.query != query).then(|| place(columns.query)), row, end }
    }

    /// What the lines behind this one will look like, line end included.
    fn shape(&self, line: &[u8], columns: &Columns<'_>) -> Option<Shape> {
        let place = |field: &[u8]| columns::span(line, field);
        Shape::of(line, columns.query, place(columns.document), place(columns.score_text).end, self.tabs)
    }
}

/// The columns of a line that are used.
struct Columns<'t> {
    query: &'t [u8],
    document: &'t [u8],
    /// NaN when it is no number.
    rank: f64,
    score: f64,
    score_text: &'t [u8],
}

impl<'t> Columns<'t> {
    fn new(line: Line<'t>, fields: [&'t [u8]; 6], count: usize) -> Result<Self, Fault> {
        let [query, _, document, rank, score_text, _] = fields;
        if count < 5 {
            return Err(wrong_columns(line, "5 or 6 columns (qid iter docid rank score tag)"));
        }
        check_ids(line, query, document)?;
        let score =
            number::parse(score_text).ok_or_else(|| line.fault(score_text, number::fault("score", score_text)))?;
        Ok(Self { query, document, rank: number::parse(rank).unwrap_or(f64::NAN), score, score_text })
    }
}
