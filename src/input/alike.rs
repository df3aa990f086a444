//! Lines that are alike: the same bytes around the ids and numbers of each. Once a line was taken
//! apart in the way of its format, others that are like it are taken apart eight bytes at a time;
//! whatever is the least bit different goes the way of the format again.

use std::ops::Range;

use super::blocks::Text;
use super::lines::without_return;
use super::taking::Take;
use super::words::{self, Ends, Expected, Field, Window};
use super::{FaultLog, Line};
use crate::error::Fault;
use crate::id::Fingerprints;
use crate::run::Listed;

/// What a value of a line is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The id of the query.
    Query,
    /// The id of the document.
    Document,
    /// A score by which the highest comes first.
    Score,
    /// A distance by which the lowest comes first.
    Distance,
    /// A rank that orders the results.
    Order,
    /// A rank beside a score.
    Rank,
    /// Nothing.
    Other,
}

/// A value of a line.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    /// What it is for.
    pub part: Part,
    /// Where it stands in the line.
    pub place: Range<usize>,
    /// Whether it is a number of JSON, without quotes.
    pub is_bare: bool,
}

/// Values of a line in any order, with the same bytes between them.
pub(super) struct Alike {
    ends: Ends,
    /// Whether a text may be empty: not between blanks, of which any number separates.
    may_be_empty: bool,
    is_known: bool,
    steps: Vec<Step>,
    /// The query of the last row, and what stands before it.
    query: Expected,
    /// Everything behind the last value, down to the line end.
    end: Expected,
    prints: Fingerprints,
}

/// A value, and what stands before it.
struct Step {
    lead: Expected,
    part: Part,
    is_bare: bool,
}

/// A line that is like the one before.
pub(super) struct Found {
    /// The query, where it is another than that of the line before.
    pub query: Option<Range<usize>>,
    pub row: Listed,
    /// Where the next line begins.
    pub end: usize,
}

/// What the next line is expected to be like.
pub(super) trait Glance {
    /// Takes a line apart that begins at a place of a text; `None` when it is not like the one
    /// before, or the text ends soon behind it.
    fn take_apart(&mut self, text: &[u8], at: usize) -> Option<Found>;
}

/// A record that was read in the way of its format.
pub(super) struct Taken {
    /// Where the next one begins.
    pub end: usize,
    /// How many lines it goes over.
    pub lines: u64,
}

/// Reads a text record by record, those that are like the one before without a look at more than
/// that. For others `record` is called, with the place where one begins and its line; it says what
/// the next line will be like.
///
/// # Errors
/// The first fault, unless faults are skipped.
pub(super) fn read<G: Glance, T: Take>(
    text: Text<'_>,
    mut alike: G,
    rows: &mut T,
    log: &mut FaultLog,
    mut record: impl FnMut(usize, u64, &mut G, &mut T, &mut FaultLog) -> Result<Taken, Fault>,
) -> Result<u64, Fault> {
    let (mut at, mut number) = (0, text.lines_before);
    while at < text.bytes.len() {
        number += 1;
        let Some(found) = alike.take_apart(text.bytes, at) else {
            let taken = record(at, number, &mut alike, rows, log)?;
            number += taken.lines - 1;
            at = taken.end;
            continue;
        };
        if let Some(query) = found.query {
            rows.begin(query)?;
        }
        if let Err(fault) = rows.take(&found.row, number) {
            let line = line(text.bytes, at..found.end, number);
            log.skip(fault.with_excerpt(line.bytes, 0..line.bytes.len()))?;
        }
        at = found.end;
    }
    Ok(number - text.lines_before)
}

/// A line of a text in a range that may end with its line end.
pub(super) fn line(text: &[u8], range: Range<usize>, number: u64) -> Line<'_> {
    let bytes = &text[range];
    Line { number, bytes: without_return(bytes.strip_suffix(b"\n").unwrap_or(bytes)) }
}

impl Alike {
    /// Nothing is expected yet. A text may hold any byte but a control character, a quote, and
    /// one more.
    pub(super) fn new(end: u8) -> Self {
        Self {
            ends: Ends::at(end),
            may_be_empty: end != b' ',
            is_known: false,
            steps: Vec::new(),
            query: Expected::NOTHING,
            end: Expected::NOTHING,
            prints: Fingerprints::default(),
        }
    }

    /// Expects nothing from now on.
    pub(super) fn forget(&mut self) {
        self.is_known = false;
    }

    /// Expects lines like one, which holds some values and its line end. The row of that line has
    /// been taken.
    pub(super) fn learn(&mut self, line: &[u8], pieces: &mut [Piece]) {
        pieces.sort_unstable_by_key(|piece| piece.place.start);
        self.steps.clear();
        self.is_known = self.try_learn(line, pieces).is_some();
    }

    fn try_learn(&mut self, line: &[u8], pieces: &[Piece]) -> Option<()> {
        let mut at = 0;
        for Piece { part, place, is_bare } in pieces {
            let lead = Expected::new(line.get(at..place.start)?)?;
            if *part == Part::Query {
                self.query = Expected::new(&line[at..place.end])?;
            }
            self.steps.push(Step { lead, part: *part, is_bare: *is_bare });
            at = place.end;
        }
        self.end = Expected::new(&line[at..])?;
        Some(())
    }

    /// Takes the value that begins at a place of a line into a row, by places of that line; gives
    /// its end.
    #[inline(always)]
    fn value(&self, step: &Step, line: &Window, start: usize, row: &mut Listed) -> Option<usize> {
        Some(match step.part {
            Part::Query => self.id(step, line, start)?.end,
            Part::Document => {
                let Field { end, fingerprint } = self.id(step, line, start)?;
                (row.start, row.end, row.fingerprint) = (start, end, fingerprint);
                end
            }
            Part::Score | Part::Distance => {
                let (number, end) = decimal(step, line, start)?;
                row.key = if step.part == Part::Score { number } else { 0.0 - number };
                end
            }
            Part::Order | Part::Rank => {
                let (rank, end) = whole(step, line, start)?;
                match step.part {
                    Part::Rank => row.rank = rank,
                    _ => row.key = 0.0 - rank,
                }
                end
            }
            Part::Other if step.is_bare => decimal(step, line, start)?.1,
            Part::Other => self.other(line, start)?,
        })
    }

    /// Where a text ends that is for nothing.
    #[inline(always)]
    fn other(&self, line: &Window, start: usize) -> Option<usize> {
        let end = self.ends.field(line, start, self.prints)?.end;
        (end > start || self.may_be_empty).then_some(end)
    }

    /// The id at a place. What begins with an invisible character must be looked at, and so must
    /// what could be a comment or has blanks around it.
    #[inline(always)]
    fn id(&self, step: &Step, line: &Window, start: usize) -> Option<Field> {
        let field = match step.is_bare {
            true => words::digit_field(line, start).filter(|field| is_json(line, start, field.end)),
            false => self.ends.field(line, start, self.prints),
        }?;
        let (first, last) = (*line.get(start)?, *line.get(field.end.checked_sub(1)?)?);
        let is_id = field.end > start && first > b' ' && first != b'#' && first.is_ascii() && last != b' ';
        is_id.then_some(field)
    }
}

impl Glance for Alike {
    #[inline(always)]
    fn take_apart(&mut self, text: &[u8], at: usize) -> Option<Found> {
        if !self.is_known {
            return None;
        }
        let line: &Window = text[at..].first_chunk()?;
        let mut row = Listed { start: 0, end: 0, fingerprint: 0, key: 0.0, rank: f64::NAN };
        let (mut place, mut query) = (0, None);
        for step in &self.steps {
            if step.part == Part::Query && self.query.stands(line, place) {
                place += self.query.len();
                continue;
            }
            let start = step.lead.stands(line, place).then_some(place + step.lead.len())?;
            let end = self.value(step, line, start, &mut row)?;
            if step.part == Part::Query {
                query = Some((place..end, start));
            }
            place = end;
        }
        let end = self.end.stands(line, place).then_some(at + place + self.end.len())?;
        if let Some((place, _)) = &query {
            self.query = Expected::new(&line[place.clone()])?;
        }
        (row.start, row.end) = (at + row.start, at + row.end);
        Some(Found { query: query.map(|(place, start)| at + start..at + place.end), row, end })
    }
}

/// The number at a place and its end.
#[inline(always)]
fn decimal(step: &Step, line: &Window, start: usize) -> Option<(f64, usize)> {
    words::decimal(line, start).filter(|&(_, end)| !step.is_bare || is_json(line, start, end))
}

/// The whole number at a place and its end.
#[inline(always)]
fn whole(step: &Step, line: &Window, start: usize) -> Option<(f64, usize)> {
    let (number, end) = words::whole(line, start)?;
    (end > start && (!step.is_bare || is_json(line, start, end))).then_some((number as f64, end))
}

/// Whether a plain decimal, which is not empty, is a number of JSON: digits on both sides of a
/// point, and no 0 before others.
#[inline(always)]
fn is_json(line: &Window, start: usize, end: usize) -> bool {
    let digit = |at: usize| line.get(at).is_some_and(u8::is_ascii_digit);
    let first = start + usize::from(line[start] == b'-');
    digit(first) && digit(end - 1) && !(line[first] == b'0' && digit(first + 1))
}
