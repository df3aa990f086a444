//! The shape of a line of a run or of labels. Most lines have that of the line before them: the
//! same query and second column, the same tag, single blanks in between. Such a line is taken apart
//! eight bytes at a time, without looking for its end first.

use std::ops::Range;

use super::tail::Tail;
use crate::id::Fingerprints;
use crate::input::alike::{Found, Glance};
use crate::input::{number, words};
use crate::run::Listed;
use words::{Expected, Field, Window};

/// What the next line is expected to hold beside its document, rank and score.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// Query, second column and the blanks behind them.
    start: Expected,
    /// What stands between the query and the document.
    middle: Expected,
    /// Everything behind the score, down to the line end.
    end: Expected,
    /// The same with rank and score, where these were plain decimals in several lines.
    tail: Option<Tail>,
    /// The latest tails with ranks of one digit, two digits, and so on.
    known: [Option<Tail>; 4],
    /// How many lines in a row had an unknown tail, and how long rank and score of all of them are.
    others: (usize, [usize; 2]),
    /// The byte between two columns.
    separator: u8,
    prints: Fingerprints,
}

/// So many lines in a row have numbers of the same length before more of them are expected.
const ENOUGH: usize = 8;

/// A line of labels that has the shape.
pub(super) struct Judged {
    pub query: Range<usize>,
    pub document: Range<usize>,
    pub grade: f64,
    /// Where the next line begins.
    pub end: usize,
}

impl Glance for Option<Shape> {
    #[inline(always)]
    fn take_apart(&mut self, text: &[u8], at: usize) -> Option<Found> {
        let (shape, line): (_, &Window) = (self.as_mut()?, text[at..].first_chunk()?);
        let query = shape.query(line)?.map(|end| at..at + end);
        let (start, Field { end, fingerprint }) = shape.document(line)?;
        let (rank, key, length) = shape.tail(line, end)?;
        let row = Listed { start: at + start, end: at + end, fingerprint, key, rank };
        Some(Found { query, row, end: at + length })
    }
}

impl Shape {
    /// The shape of the line `bytes`, which begins and ends with its query and its line end, and
    /// whose last column that counts (score or grade) ends at `score_end`; `None` when another line
    /// could have the same shape and would have to be read in another way.
    pub(super) fn of(bytes: &[u8], query: &[u8], document: Range<usize>, score_end: usize, tabs: bool) -> Option<Self> {
        let separator = if tabs { b'\t' } else { b' ' };
        let (start, end) = (&bytes[..document.start], &bytes[score_end..]);
        let blanks = start.iter().filter(|&&byte| byte <= b' ').count();
        let separated = start.get(query.len()) == Some(&separator) && start.last() == Some(&separator);
        let is_plain = blanks == 2 && separated && start.starts_with(query) && end.ends_with(b"\n");
        if !is_plain || (!tabs && end.contains(&b'\t')) {
            return None;
        }
        let (middle, end) = (Expected::new(&start[query.len()..])?, Expected::new(end)?);
        let (start, prints) = (Expected::new(start)?, Fingerprints::default());
        Some(Self { start, middle, end, tail: None, known: [None; 4], others: Default::default(), separator, prints })
    }

    /// Rank, score and the end of a line behind a document.
    #[inline(always)]
    fn tail(&mut self, line: &Window, at: usize) -> Option<(f64, f64, usize)> {
        if let Some(tail) = &self.tail
            && let Some(numbers) = tail.numbers(line, at)
        {
            self.others.0 = 0;
            return Some(numbers);
        }
        self.other_tail(line, at)
    }

    /// The same where it is not what was expected.
    #[inline(never)]
    fn other_tail(&mut self, line: &Window, at: usize) -> Option<(f64, f64, usize)> {
        let (rank, rank_end) = self.rank(line, at + 1)?;
        let (score, score_end) = self.score(line, rank_end + 1)?;
        if !self.separates(line, at) || !self.end.stands(line, score_end) {
            return None;
        }
        let (lengths, end) = ([rank_end - at, score_end - at], score_end + self.end.len());
        let known = &mut self.known[(lengths[0] - 1).min(4) - 1];
        if known.is_some_and(|tail| tail.numbers(line, at).is_some()) {
            self.tail = *known;
            return Some((rank, score, end));
        }
        self.others = (if self.others.1 == lengths { self.others.0 + 1 } else { 1 }, lengths);
        if self.others.0.is_multiple_of(ENOUGH) {
            *known = Tail::like(&line[at..end], 1..lengths[0], lengths[0] + 1..lengths[1]);
            self.tail = *known;
        }
        Some((rank, score, end))
    }

    /// Takes a line of labels apart, from its start on.
    #[inline(always)]
    pub(super) fn judgment(&mut self, line: &Window) -> Option<Judged> {
        self.query(line)?;
        let (start, document) = self.document(line)?;
        let (grade, end) = words::decimal(line, document.end + 1)?;
        let query = 0..start - self.middle.len();
        let is_it = self.separates(line, document.end) && self.end.stands(line, end);
        is_it.then(|| Judged { query, document: start..document.end, grade, end: end + self.end.len() })
    }

    /// Where the query of a line ends, if it is another than before.
    #[inline(always)]
    fn query(&mut self, line: &Window) -> Option<Option<usize>> {
        match self.start.stands(line, 0) {
            true => Some(None),
            false => self.other_query(line).map(Some),
        }
    }

    /// Where the document of a line begins, and what it is.
    #[inline(always)]
    fn document(&self, line: &Window) -> Option<(usize, Field)> {
        let start = self.start.len();
        let document = words::field(line, start, self.prints)?;
        is_id(line, start, document.end).then_some((start, document))
    }

    /// Expects another query from now on, with which the line begins; gives its length.
    #[inline(never)]
    fn other_query(&mut self, line: &Window) -> Option<usize> {
        let end = words::field(line, 0, self.prints)?.end;
        if !is_id(line, 0, end) || line[0] == b'#' || !self.middle.stands(line, end) {
            return None;
        }
        self.start.expect(line, end + self.middle.len())?;
        Some(end)
    }

    #[inline(always)]
    fn separates(&self, line: &Window, at: usize) -> bool {
        line.get(at) == Some(&self.separator)
    }

    /// The rank at a place and its end; NaN when it is no number.
    #[inline(always)]
    fn rank(&self, line: &Window, at: usize) -> Option<(f64, usize)> {
        match words::whole(line, at) {
            Some((rank, end)) if end > at && self.separates(line, end) => Some((rank as f64, end)),
            _ => self.odd_rank(line, at),
        }
    }

    #[inline(never)]
    fn odd_rank(&self, line: &Window, at: usize) -> Option<(f64, usize)> {
        let end = words::field(line, at, self.prints)?.end;
        let is_column = end > at && self.separates(line, end);
        is_column.then(|| (number::parse(&line[at..end]).unwrap_or(f64::NAN), end))
    }

    /// The score at a place and its end.
    #[inline(always)]
    fn score(&self, line: &Window, at: usize) -> Option<(f64, usize)> {
        match words::decimal(line, at) {
            Some((score, end)) if line.get(end).is_some_and(|&byte| byte <= b' ') => Some((score, end)),
            _ => self.odd_score(line, at),
        }
    }

    #[inline(never)]
    fn odd_score(&self, line: &Window, at: usize) -> Option<(f64, usize)> {
        let end = words::field(line, at, self.prints)?.end;
        Some((number::parse(&line[at..end])?, end))
    }
}

/// Whether a field can be an id as it stands: what begins with an invisible character must be
/// looked at.
#[inline(always)]
fn is_id(line: &Window, start: usize, end: usize) -> bool {
    end > start && line.get(start).is_some_and(u8::is_ascii)
}
