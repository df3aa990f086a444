//! The rows of a run, one object a line, from any range of its lines.

use super::super::alike::{self, Alike, Part, Piece, Taken};
use super::super::blocks::{LineFormat, Scored, Text};
use super::super::order::ScoreKind;
use super::super::taking::{self, ReadRows, Take};
use super::super::{FaultLog, columns};
use super::json::{self, QUERY, QUERY_TEXT, Value};
use super::{PlainResult, Results};
use crate::error::Fault;
use crate::run::RunSink;

/// How the lines of a run are read.
pub(super) struct RunLines {
    /// Whether rows have a score, as far as is known.
    pub scored: Scored,
}

impl LineFormat for RunLines {
    fn query<'l>(&self, line: &'l [u8]) -> Option<&'l [u8]> {
        json::glance(line, QUERY, QUERY_TEXT)
    }

    fn rows_are_scored(&self) -> Scored {
        self.scored
    }

    fn read(
        &self,
        text: Text<'_>,
        at_start: &mut bool,
        run: &mut dyn RunSink,
        log: &mut FaultLog,
    ) -> Result<u64, Fault> {
        taking::read(text, run, log, &mut Reading { text, at_start })
    }
}

/// Lines that are being read.
struct Reading<'t, 'a> {
    text: Text<'t>,
    at_start: &'a mut bool,
}

impl ReadRows for Reading<'_, '_> {
    fn read(&mut self, rows: &mut impl Take, log: &mut FaultLog) -> Result<u64, Fault> {
        let text = self.text.bytes;
        // Nothing but UTF-8 is JSON.
        let is_text = std::str::from_utf8(text).is_ok();
        let (mut plain, mut pieces) = (None, Vec::new());
        alike::read(self.text, Alike::new(b'\\'), rows, log, |at, number, alike, rows, log| {
            let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end + 1);
            let (line, taken) = (alike::line(text, at..end, number), Taken { end, lines: 1 });
            if log.sets_aside(line) {
                return Ok(taken);
            }
            *self.at_start = false;
            alike.forget();
            let mut results = Results { run: rows, plain: plain.take() };
            let read = json::take_line(line.bytes, number, log, &mut results);
            plain = results.plain;
            if let Err(fault) = read {
                log.skip(fault)?;
            } else if is_text && let Some(()) = find_pieces(plain.as_ref(), line.bytes, &mut pieces) {
                alike.learn(&text[at..end], &mut pieces);
            }
            Ok(taken)
        })
    }
}

/// The values of a plain row by their places in its line; `None` where it is not plain.
fn find_pieces(plain: Option<&PlainResult>, line: &[u8], pieces: &mut Vec<Piece>) -> Option<()> {
    let (plain, score) = plain?;
    let part = |place: usize| match plain.places.iter().position(|&wanted| wanted == Some(place)) {
        Some(0) => Part::Query,
        Some(1) => Part::Document,
        Some(2) if score.is_some_and(|score| score.kind == ScoreKind::Distance) => Part::Distance,
        Some(2) => Part::Score,
        Some(_) if score.is_none() => Part::Order,
        Some(_) => Part::Rank,
        None => Part::Other,
    };
    pieces.clear();
    plain.shape.each(line, |place, value| {
        let (text, is_bare) = match value {
            Value::Text(text) => (text, false),
            Value::Number(digits) => (digits, true),
            // A word is as it is.
            Value::Word(_) => return,
        };
        pieces.push(Piece { part: part(place), place: columns::span(line, text), is_bare });
    })
}
