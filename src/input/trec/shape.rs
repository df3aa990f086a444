//! The shape of a line of a run. Most lines have that of the line before them: the same query and
//! second column, the same tag, single blanks in between. Such a line is taken apart eight bytes
//! at a time, without looking for its end first.

use std::ops::Range;

use crate::id::Fingerprints;
use crate::input::{number, words};
use crate::run::Listed;
use words::Expected;

/// What the next line is expected to hold beside its document, rank and score.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// Query, second column and the blanks behind them.
    start: Expected,
    query: usize,
    /// What stands between the query and the document.
    middle: Expected,
    /// Everything behind the score, down to the line end.
    end: Expected,
    /// The byte between two columns.
    separator: u8,
}

/// A line that has the shape.
pub(super) struct Found {
    /// The query, where it is another than that of the line before.
    pub query: Option<Range<usize>>,
    pub row: Listed,
    /// Where the next line begins.
    pub end: usize,
}

impl Shape {
    /// The shape of the line `bytes`, which begins and ends with its query and its line end; `None`
    /// when another line could have the same shape and would have to be read in another way.
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
        Some(Self { start: Expected::new(start)?, query: query.len(), middle, end, separator })
    }

    /// Takes a line apart that begins at a place of a text; `None` when it has another shape, or
    /// the text ends soon behind it.
    #[inline(always)]
    pub(super) fn take_apart(&mut self, text: &[u8], at: usize, prints: Fingerprints) -> Option<Found> {
        let mut line = &text[at..];
        let mut query = None;
        if !self.start.starts(line) {
            let len = self.other_query(line, prints)?;
            query = Some(at..at + len);
        }
        line = &line[self.start.len()..];
        let document = words::field(line, prints)?;
        let start = text.len() - line.len();
        if !is_id(line, document.len) || line[document.len] != self.separator {
            return None;
        }
        line = &line[document.len + 1..];
        let (rank, len) = self.rank(line, prints)?;
        line = &line[len + 1..];
        let (score, len) = score(line, prints)?;
        line = &line[len..];
        if !self.end.starts(line) {
            return None;
        }
        let end = text.len() - line.len() + self.end.len();
        let row = Listed { start, end: start + document.len, fingerprint: document.fingerprint, score, rank };
        Some(Found { query, row, end })
    }

    /// Expects another query from now on, with which the line begins; gives its length.
    fn other_query(&mut self, line: &[u8], prints: Fingerprints) -> Option<usize> {
        let len = words::field(line, prints)?.len;
        if !is_id(line, len) || line[0] == b'#' || !self.middle.starts(&line[len..]) {
            return None;
        }
        self.start = Expected::new(&line[..len + self.middle.len()])?;
        self.query = len;
        Some(len)
    }

    /// The rank at the start of a text and its length; NaN when it is no number.
    #[inline]
    fn rank(&self, text: &[u8], prints: Fingerprints) -> Option<(f64, usize)> {
        if let Some((rank, len @ 1..)) = words::whole(text)
            && text[len] == self.separator
        {
            return Some((rank as f64, len));
        }
        let len = words::field(text, prints)?.len;
        let is_column = len > 0 && text[len] == self.separator;
        is_column.then(|| (number::parse(&text[..len]).unwrap_or(f64::NAN), len))
    }
}

/// The score at the start of a text and its length.
#[inline]
fn score(text: &[u8], prints: Fingerprints) -> Option<(f64, usize)> {
    if let Some((score, len)) = words::decimal(text)
        && text[len] <= b' '
    {
        return Some((score, len));
    }
    let len = words::field(text, prints)?.len;
    Some((number::parse(&text[..len])?, len))
}

/// Whether a field can be an id as it stands: what begins with an invisible character must be
/// looked at.
#[inline]
fn is_id(text: &[u8], len: usize) -> bool {
    len > 0 && text[0].is_ascii()
}
