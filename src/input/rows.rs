//! The rows of a table: physical line, fields without the blanks around them, and the place of a
//! fault.

use std::ops::Range;

use super::cells::{Cells, Extent, LONGEST, Layout};
use super::lines::{self, without_return};
use super::{FaultLog, Line, Lines, Sample, Source, columns};
use crate::error::{Fault, InputErrorKind};

/// The rows of a table below its header, one at a time.
pub(super) struct Rows<'a> {
    lines: Lines<'a>,
    table: Table,
    line: u64,
    text: Vec<u8>,
}

/// What the rows of a table are taken apart by, with the cells of the last one.
pub(super) struct Table {
    layout: Layout,
    cells: Cells,
    below_header: bool,
}

/// One row.
#[derive(Clone, Copy)]
pub(super) struct Record<'a> {
    /// Physical line, from 1.
    pub line: u64,
    text: &'a [u8],
    fields: &'a [Range<usize>],
}

impl<'a> Rows<'a> {
    /// The rows of a source that begins as its sample does.
    pub(super) fn new(source: &'a mut Source, sample: &Sample) -> Self {
        Self { lines: source.lines(), table: Table::new(Layout::of(sample), true), line: 0, text: Vec::new() }
    }

    /// The next row. Comments are counted; rows that are not as wide as the header are faulty.
    ///
    /// # Errors
    /// A faulty row, unless faults are skipped; a source that cannot be read.
    pub(super) fn next_row(&mut self, log: &mut FaultLog) -> Result<Option<Record<'_>>, Fault> {
        Ok(self.find_row(log)?.then(|| self.table.record(self.line, without_return(&self.text))))
    }

    fn find_row(&mut self, log: &mut FaultLog) -> Result<bool, Fault> {
        while let Some(extent) = self.advance()? {
            if self.table.holds_row(extent, self.line, without_return(&self.text), log)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes the next line, or as many as the row on it goes over.
    fn advance(&mut self) -> Result<Option<Extent>, Fault> {
        let Some(line) = self.lines.next_raw()? else { return Ok(None) };
        self.line = line.number;
        self.text.clear();
        self.text.extend_from_slice(line.bytes);
        let mut extent = self.table.cells.split(without_return(&self.text));
        while self.table.goes_on(&extent, &self.text) {
            let Some(line) = self.lines.next_raw()? else { break };
            self.text.push(b'\n');
            self.text.extend_from_slice(line.bytes);
            if self.text.len() > LONGEST {
                return Err(Fault::at_line(self.line, InputErrorKind::LongLine { limit: lines::LONGEST }));
            }
            extent = self.table.cells.go_on(&self.text);
        }
        Ok(Some(extent))
    }
}

impl Table {
    /// A table of which the next row is the header, if it has one and it is still to come.
    pub(super) fn new(layout: Layout, at_start: bool) -> Self {
        Self { layout, cells: Cells::new(layout), below_header: !at_start || layout.width.is_none() }
    }

    /// Whether the header is passed, or there is none.
    pub(super) fn is_below_header(&self) -> bool {
        self.below_header
    }

    /// A cell of the row that was taken apart last, as it stands there.
    pub(super) fn raw<'r>(&self, row: &'r [u8], index: usize) -> Option<&'r [u8]> {
        self.cells.raw(row, index)
    }

    /// Takes the row apart that begins at a place of a text; says where it ends, its line end
    /// included, and how far it goes.
    pub(super) fn advance(&mut self, text: &[u8], start: usize) -> (usize, Extent) {
        let next = |at: usize| memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end + 1);
        let row = |end: usize| {
            let row = &text[start..end];
            without_return(row.strip_suffix(b"\n").unwrap_or(row))
        };
        let mut end = next(start);
        let mut extent = self.cells.split(row(end));
        while end < text.len() && self.goes_on(&extent, &text[start..]) {
            end = next(end);
            extent = self.cells.go_on(row(end));
        }
        (end, extent)
    }

    /// Whether a line may be a comment.
    fn begins_with_hash(&self, line: &[u8]) -> bool {
        let line = if self.layout.quoted.is_some() { columns::trim(line) } else { line };
        line.first() == Some(&b'#')
    }

    /// Whether the row that begins with a line goes on over its end. A comment does not.
    pub(super) fn goes_on(&self, extent: &Extent, line: &[u8]) -> bool {
        *extent == Extent::Open && !self.begins_with_hash(line)
    }

    /// Whether a row or line that was taken apart is a row; comments are counted.
    ///
    /// # Errors
    /// When it is faulty, unless faults are skipped.
    pub(super) fn holds_row(
        &mut self,
        extent: Extent,
        number: u64,
        text: &[u8],
        log: &mut FaultLog,
    ) -> Result<bool, Fault> {
        if extent == Extent::Whole {
            self.cells.put_together(text);
        }
        let width = self.record(number, text).len();
        // A `#` begins a comment, but not in a row that is as wide as the header: there it belongs
        // to an id or to the text of a query.
        let is_row = extent == Extent::Whole && self.below_header && self.layout.width == Some(width);
        if self.begins_with_hash(text) && !is_row {
            log.comment(Line { number, bytes: text });
            return Ok(false);
        }
        if columns::is_empty(text) || !std::mem::replace(&mut self.below_header, true) {
            return Ok(false);
        }
        let Some(fault) = self.fault(extent, number, text) else { return Ok(true) };
        // Where a quote is not closed, each line that it takes in is lost.
        let rows = if matches!(*fault.kind, InputErrorKind::Csv { .. }) { rows_of(text) } else { 1 };
        log.skip_rows(fault, rows).map(|()| false)
    }

    /// The row that was taken apart last, with its text.
    pub(super) fn record<'a>(&'a self, line: u64, text: &'a [u8]) -> Record<'a> {
        let (text, fields) = self.cells.of(text);
        Record { line, text, fields }
    }

    fn fault(&self, extent: Extent, line: u64, text: &[u8]) -> Option<Fault> {
        let unclosed = || {
            let reason = "a quoted field goes over the end of the line; is its closing quote missing?".to_owned();
            Some(Fault::at_line(line, InputErrorKind::Csv { reason }))
        };
        let is_long = memchr::memchr(b'\n', text).is_some();
        match extent {
            Extent::Open => return unclosed(),
            Extent::Faulty(_) if is_long => return unclosed(),
            Extent::Faulty(stray) => return Some(Fault::in_line(line, text, stray.span.clone(), stray.kind())),
            Extent::Whole => {}
        }
        let record = self.record(line, text);
        let fault = |kind| Some(Fault::in_line(line, record.text, 0..record.text.len(), kind));
        let found = record.len();
        match self.layout.width {
            _ if self.layout.quoted.is_some() && std::str::from_utf8(text).is_err() => fault(InputErrorKind::NotUtf8),
            Some(expected) if expected != found && is_long => unclosed(),
            Some(expected) if expected != found => fault(InputErrorKind::RowLength { expected, found }),
            _ => None,
        }
    }
}

/// How many lines of a text hold something.
fn rows_of(text: &[u8]) -> u64 {
    text.split(|&byte| byte == b'\n').filter(|line| !columns::is_empty(line)).count() as u64
}

impl<'a> Record<'a> {
    /// Number of fields.
    pub(super) fn len(&self) -> usize {
        self.fields.len()
    }

    /// A field without the blanks around it; empty when the row is too short.
    pub(super) fn field(&self, index: usize) -> &'a [u8] {
        self.fields.get(index).map_or(&[], |range| &self.text[range.clone()])
    }

    /// A field as messages show it: escaped and cut.
    pub(super) fn shown(&self, index: usize) -> String {
        columns::shown(self.field(index))
    }

    /// A fault in a field.
    pub(super) fn fault(&self, index: usize, kind: InputErrorKind) -> Fault {
        let span = self.fields.get(index).cloned().unwrap_or(0..self.text.len());
        Fault::in_line(self.line, self.text, span, kind)
    }

    /// A fault with the row around it, unless it has its place already.
    pub(super) fn around(&self, fault: Fault) -> Fault {
        fault.with_excerpt(self.text, 0..self.text.len())
    }

    /// An id, which must not be empty.
    ///
    /// # Errors
    /// When it is.
    pub(super) fn id(&self, index: usize, field: &'static str) -> Result<&'a [u8], Fault> {
        match self.field(index) {
            [] => Err(self.fault(index, InputErrorKind::EmptyField { field })),
            id => match columns::invisible_start(field, id) {
                Some(kind) => Err(self.fault(index, kind)),
                None => Ok(id),
            },
        }
    }

    /// A number, which must be finite.
    ///
    /// # Errors
    /// When it is not, or not a number at all.
    pub(super) fn number(&self, index: usize, field: &'static str) -> Result<f64, Fault> {
        let text = self.field(index);
        super::number::parse(text).ok_or_else(|| self.fault(index, super::number::fault(field, text)))
    }

    /// A grade: a number, true or false.
    ///
    /// # Errors
    /// When it is none of these.
    pub(super) fn grade(&self, index: usize) -> Result<f64, Fault> {
        super::number::grade(self.field(index)).map_or_else(|| self.number(index, "grade"), Ok)
    }

    /// A whole number from 0; `None` when the field is empty.
    ///
    /// # Errors
    /// When it is no whole number.
    pub(super) fn whole(&self, index: usize, field: &'static str) -> Result<Option<u64>, Fault> {
        let text = self.field(index);
        if text.is_empty() {
            return Ok(None);
        }
        super::number::whole(text).map(Some).ok_or_else(|| {
            let text = self.shown(index);
            self.fault(index, InputErrorKind::OutOfRange { field, expected: "a whole number from 0", text })
        })
    }

    /// The number of a hop, which count from 1; `None` for an empty field.
    pub(super) fn hop(&self, index: usize) -> Result<Option<u32>, Fault> {
        let (field, expected) = ("hop", "a whole number from 1");
        let hop = self.whole(index, field)?.map(|hop| u32::try_from(hop).ok().filter(|&hop| hop > 0));
        match hop {
            Some(None) => {
                let text = self.shown(index);
                Err(self.fault(index, InputErrorKind::OutOfRange { field, expected, text }))
            }
            hop => Ok(hop.flatten()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{OnError, Position};
    use super::*;

    fn rows(text: &str) -> Result<Vec<(u64, Vec<String>)>, Fault> {
        let mut source = Source::from_bytes("table", text.as_bytes().to_vec());
        let sample = source.sample(Position::Run)?;
        let mut log = FaultLog::new("table", OnError::Stop);
        let mut rows = Rows::new(&mut source, &sample);
        let mut all = Vec::new();
        while let Some(row) = rows.next_row(&mut log)? {
            let fields = (0..row.len()).map(|index| String::from_utf8_lossy(row.field(index)).into_owned());
            all.push((row.line, fields.collect()));
        }
        Ok(all)
    }

    fn row(line: u64, fields: [&str; 3]) -> (u64, Vec<String>) {
        (line, fields.map(str::to_owned).to_vec())
    }

    #[test]
    fn lines_are_physical_whatever_is_quoted_or_blank() {
        let text = "query_id,doc_id,rank\r\n\r\nq1,\"a,\"\"b\r\n\",1\r\n\n# note\nq2,c,2";
        assert_eq!(rows(text).unwrap(), [row(3, ["q1", "a,\"b", "1"]), row(7, ["q2", "c", "2"])]);
    }

    #[test]
    fn a_quote_that_is_never_closed_is_an_error_where_it_begins() {
        let fault = rows("query_id,doc_id,rank\nq1,a,1\nq1,\"b,2\nq1,c,3\n").unwrap_err();
        assert_eq!(fault.line, Some(3));
        assert!(matches!(*fault.kind, InputErrorKind::Csv { .. }));
    }

    #[test]
    fn a_quote_that_makes_a_cell_unclear_is_an_error_with_its_place() {
        let place = |text: &str| {
            let fault = rows(text).unwrap_err();
            let span = fault.excerpt.as_ref().map(|excerpt| excerpt.span.clone());
            (fault.line, span, fault.kind.to_string())
        };
        let within = "is not valid CSV: a quote within a cell that does not stand in quotes: `5\" disk`";
        let header = "query_id,doc_id,rank\n";
        assert_eq!(place(&format!("{header}q1,a,1\nq1,5\" disk,2\n")), (Some(3), Some(3..10), within.to_owned()));
        let behind = "is not valid CSV: text behind the closing quote of a cell: `\"a\"x`";
        assert_eq!(place(&format!("{header}\"q1\",\"a\"x,2\n")), (Some(2), Some(5..9), behind.to_owned()));
        let unclosed = place(&format!("{header}q1,\"a,1\n\"q1\",b,2\n"));
        assert_eq!((unclosed.0, unclosed.1), (Some(2), None));
        assert!(unclosed.2.ends_with("is its closing quote missing?"), "{}", unclosed.2);
    }

    #[test]
    fn rows_behind_one_with_a_stray_quote_are_read() {
        let text = "query_id,doc_id,rank\nq1,a\"b,1\nq1,\"c\"x,2\n# it's \"so\nq1,d,3\n";
        let mut source = Source::from_bytes("table", text.into());
        let sample = source.sample(Position::Run).unwrap();
        let mut log = FaultLog::new("table", OnError::Skip);
        let mut rows = Rows::new(&mut source, &sample);
        let row = rows.next_row(&mut log).unwrap().map(|row| (row.line, row.shown(1)));
        assert_eq!(row, Some((5, "d".to_owned())));
        assert!(rows.next_row(&mut log).unwrap().is_none());
        assert_eq!(log.skipped(), 2);
    }

    #[test]
    fn every_line_that_an_unclosed_quote_takes_in_is_counted() {
        let skipped = |text: &str| {
            let mut source = Source::from_bytes("table", text.into());
            let sample = source.sample(Position::Run).unwrap();
            let mut log = FaultLog::new("table", OnError::Skip);
            let mut rows = Rows::new(&mut source, &sample);
            while rows.next_row(&mut log).unwrap().is_some() {}
            log.skipped()
        };
        let header = "query_id,doc_id,rank\n";
        assert_eq!(skipped(&format!("{header}q1,a,1\nq1,\"b,2\n\nq1,c,3\nq1,d,4\n")), 3);
        assert_eq!(skipped(&format!("{header}q1,\"a,1\n\"q1\",b,2\nq1,c,3\n")), 2);
        assert_eq!(skipped(&format!("{header}q1,\"a\nb\",1,\nq1,c,3\n")), 2);
    }

    #[test]
    fn quotes_in_a_tsv_mean_something_only_if_its_header_is_quoted() {
        assert_eq!(rows("qid\tdocid\trank\nq1\t\"A\"_T\t1").unwrap(), [row(2, ["q1", "\"A\"_T", "1"])]);
        assert_eq!(rows("\"qid\"\t\"docid\"\t\"rank\"\nq1\t\"A\tT\"\t1").unwrap(), [row(2, ["q1", "A\tT", "1"])]);
    }

    #[test]
    fn a_hash_begins_a_comment_unless_the_row_is_whole() {
        assert_eq!(rows("# a, b, c\nquery,docid,rank\n#tag,b,1\n# note").unwrap(), [row(3, ["#tag", "b", "1"])]);
    }
}
