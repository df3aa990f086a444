//! Takes the rows of a table apart: at white space, at a separator, or with the quoting of CSV as
//! RFC 4180 has it, in which a cell either stands in quotes or holds none.

use std::ops::Range;

use super::columns::{self, Separator};
use super::{Sample, lines};
use crate::error::InputErrorKind;

/// How the rows of a table are taken apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub separator: Separator,
    /// The byte between two cells, where quotes have a meaning.
    pub quoted: Option<u8>,
    /// The number of columns, where a header tells it.
    pub width: Option<usize>,
}

impl Layout {
    /// The layout of a table that begins as its sample does.
    pub(super) fn of(sample: &Sample) -> Self {
        let separator = sample.separator();
        let is_quoted = separator.is_quoted() || sample.header().is_some_and(|header| header.quoted());
        let width = sample.header().map(|header| header.names().len());
        Self { separator, quoted: separator.byte().filter(|_| is_quoted), width }
    }

    /// A byte that ends every cell that is not in quotes.
    pub(super) fn end_of_cells(&self) -> u8 {
        self.separator.byte().unwrap_or(b' ')
    }
}

/// The cells of a row. The memory is used again for the next row.
#[derive(Debug)]
pub(super) struct Cells {
    layout: Layout,
    spans: Vec<Range<usize>>,
    /// How far the row was looked at.
    at: usize,
    /// Where the cell begins whose closing quote is still to come.
    open: Option<usize>,
    /// Whether a cell has line ends or quotes in it.
    is_rebuilt: bool,
    /// The cells without quotes side by side, where they are no slices of the row.
    rebuilt: Vec<u8>,
}

/// How far a row goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Extent {
    /// To the end of the line.
    Whole,
    /// Over the end of the line, which stands within quotes.
    Open,
    /// To a quote in a place where none can be.
    Faulty(StrayQuote),
}

/// A quote in a place where none can be, and so no telling what the cell holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StrayQuote {
    /// What is at fault, in bytes of the row.
    pub span: Range<usize>,
    reason: &'static str,
    cell: String,
}

impl StrayQuote {
    /// What is to be said of it.
    pub(super) fn kind(self) -> InputErrorKind {
        InputErrorKind::StrayQuote { reason: self.reason, text: self.cell }
    }
}

impl Cells {
    /// No cells yet.
    pub(super) fn new(layout: Layout) -> Self {
        let (spans, rebuilt) = Default::default();
        Self { layout, spans, at: 0, open: None, is_rebuilt: false, rebuilt }
    }

    /// Takes a row apart that begins with a line.
    pub(super) fn split(&mut self, line: &[u8]) -> Extent {
        self.spans.clear();
        (self.at, self.open, self.is_rebuilt) = (0, None, false);
        let Some(delimiter) = self.layout.quoted else {
            let fields = columns::split(line, self.layout.separator).into_iter();
            self.spans.extend(fields.map(|field| columns::span(line, field)));
            return Extent::Whole;
        };
        self.pass(line, delimiter)
    }

    /// Goes on with the same row and one line more.
    pub(super) fn go_on(&mut self, lines: &[u8]) -> Extent {
        self.is_rebuilt = true;
        self.pass(lines, self.layout.end_of_cells())
    }

    /// A cell of a row that was taken apart and not put together, as it stands there.
    pub(super) fn raw<'r>(&self, row: &'r [u8], index: usize) -> Option<&'r [u8]> {
        row.get(self.spans.get(index)?.clone())
    }

    /// The spans of the cells, without the blanks around them, and the text that they are of.
    pub(super) fn of<'a>(&'a self, row: &'a [u8]) -> (&'a [u8], &'a [Range<usize>]) {
        (if self.is_rebuilt { &self.rebuilt } else { row }, &self.spans)
    }

    fn pass(&mut self, row: &[u8], delimiter: u8) -> Extent {
        loop {
            let is_last = match self.open {
                Some(start) => self.pass_quoted(row, start, delimiter),
                None => self.pass_plain(row, delimiter),
            };
            match is_last {
                Ok(true) => return Extent::Whole,
                Ok(false) if self.at >= row.len() && self.open.is_some() => return Extent::Open,
                Ok(false) => {}
                Err(stray) => return Extent::Faulty(stray),
            }
        }
    }

    /// Passes over a cell up to its delimiter, or up to its opening quote; says whether it is the
    /// last.
    fn pass_plain(&mut self, row: &[u8], delimiter: u8) -> Result<bool, StrayQuote> {
        let rest = &row[self.at..];
        let blanks = rest.iter().take_while(|&&byte| columns::is_blank(byte) && byte != delimiter).count();
        if rest.get(blanks) == Some(&b'"') {
            self.at += blanks + 1;
            self.open = Some(self.at);
            return Ok(false);
        }
        let end = memchr::memchr2(delimiter, b'"', rest);
        if end.is_some_and(|end| rest[end] == b'"') {
            return Err(stray(row, self.at, delimiter, "a quote within a cell that does not stand in quotes"));
        }
        let cell = columns::trim(&rest[..end.unwrap_or(rest.len())]);
        self.spans.push(columns::span(row, cell));
        self.at += end.map_or(rest.len(), |end| end + 1);
        Ok(end.is_none())
    }

    /// Passes over a cell up to its closing quote and the delimiter behind it, or up to the end of
    /// the line; says whether it is the last.
    fn pass_quoted(&mut self, row: &[u8], start: usize, delimiter: u8) -> Result<bool, StrayQuote> {
        let end = loop {
            let Some(offset) = memchr::memchr(b'"', &row[self.at..]) else {
                self.at = row.len();
                return Ok(false);
            };
            let quote = self.at + offset;
            self.at = quote + 1;
            if row.get(self.at) != Some(&b'"') {
                break quote;
            }
            (self.at, self.is_rebuilt) = (self.at + 1, true);
        };
        self.spans.push(columns::span(row, columns::trim(&row[start..end])));
        self.open = None;
        let rest = &row[self.at..];
        let blanks = rest.iter().take_while(|&&byte| columns::is_blank(byte) && byte != delimiter).count();
        self.at += blanks + 1;
        match rest.get(blanks) {
            None => Ok(true),
            Some(&byte) if byte == delimiter => Ok(false),
            Some(_) => Err(stray(row, start - 1, delimiter, "text behind the closing quote of a cell")),
        }
    }

    /// Puts the cells of a whole row side by side as they would stand without quotes, where they
    /// have line ends or quotes in them.
    pub(super) fn put_together(&mut self, row: &[u8]) {
        let Some(delimiter) = self.layout.quoted.filter(|_| self.is_rebuilt) else { return };
        self.rebuilt.clear();
        for (index, span) in self.spans.iter_mut().enumerate() {
            if index > 0 {
                self.rebuilt.push(delimiter);
            }
            let start = self.rebuilt.len();
            let mut rest = &row[span.clone()];
            // Each quote within a cell stands there twice.
            while let Some(quote) = memchr::memchr(b'"', rest) {
                self.rebuilt.extend_from_slice(&rest[..=quote]);
                rest = &rest[(quote + 2).min(rest.len())..];
            }
            self.rebuilt.extend_from_slice(rest);
            *span = start..self.rebuilt.len();
        }
    }
}

/// The fault of a cell that begins at a place.
fn stray(row: &[u8], start: usize, delimiter: u8, reason: &'static str) -> StrayQuote {
    let rest = &row[start..];
    let end = memchr::memchr2(delimiter, b'\n', rest).unwrap_or(rest.len());
    let cell = columns::trim(&rest[..end]);
    StrayQuote { span: columns::span(row, cell), reason, cell: columns::shown(cell) }
}

/// The longest row in bytes.
pub(super) const LONGEST: usize = lines::LONGEST << 20;

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(row: &str) -> Result<Vec<String>, String> {
        let layout = Layout { separator: Separator::Comma, quoted: Some(b','), width: None };
        let mut cells = Cells::new(layout);
        let mut lines = row.match_indices('\n').map(|(end, _)| end).chain([row.len()]);
        let mut extent = cells.split(&row.as_bytes()[..lines.next().unwrap()]);
        for end in lines {
            assert_eq!(extent, Extent::Open, "{row}");
            extent = cells.go_on(&row.as_bytes()[..end]);
        }
        match extent {
            Extent::Faulty(stray) => return Err(stray.kind().to_string()),
            Extent::Open => return Err("open".into()),
            Extent::Whole => {}
        }
        cells.put_together(row.as_bytes());
        let (text, spans) = cells.of(row.as_bytes());
        Ok(spans.iter().map(|span| String::from_utf8_lossy(&text[span.clone()]).into_owned()).collect())
    }

    #[test]
    fn cells_in_quotes_hold_anything() {
        for (row, expected) in [
            ("a,b", vec!["a", "b"]),
            ("", vec![""]),
            (",", vec!["", ""]),
            (" a , b c ,", vec!["a", "b c", ""]),
            ("\"a,b\",\"\"", vec!["a,b", ""]),
            ("\"a \"\"b\"\"\" , \"c\" \r", vec!["a \"b\"", "c"]),
            ("\"\"\"\",\"x\ny\n\"\"z\",2", vec!["\"", "x\ny\n\"z", "2"]),
        ] {
            assert_eq!(cells(row).unwrap(), expected, "{row}");
        }
        assert_eq!(cells("a,\"b").unwrap_err(), "open");
    }

    #[test]
    fn a_cell_stands_in_quotes_or_holds_none() {
        let within = "is not valid CSV: a quote within a cell that does not stand in quotes: ";
        let behind = "is not valid CSV: text behind the closing quote of a cell: ";
        assert_eq!(cells("q,a\"b,1").unwrap_err(), format!("{within}`a\"b`"));
        assert_eq!(cells("q,a\"\",1").unwrap_err(), format!("{within}`a\"\"`"));
        assert_eq!(cells("q,\"a\"x,1").unwrap_err(), format!("{behind}`\"a\"x`"));
        assert_eq!(cells("\"a\" \"b\"").unwrap_err(), format!("{behind}`\"a\" \"b\"`"));
    }
}
