//! The rows of a table: physical line, fields without the blanks around them, and the place of a
//! fault.

use std::io::{self, Read};
use std::ops::Range;

use super::columns::{self, Separator};
use super::{FaultLog, Line, Lines, Sample, Source};
use crate::error::{Fault, InputErrorKind};

/// The rows of a table below its header, one at a time.
pub(super) struct Rows<'a> {
    records: Records<'a>,
    line: u64,
    text: Vec<u8>,
    fields: Vec<Range<usize>>,
    /// The number of columns, where a header tells it.
    width: Option<usize>,
    below_header: bool,
}

enum Records<'a> {
    /// Without quoting: raw bytes.
    Plain { lines: Lines<'a>, separator: Separator },
    /// With the quoting of CSV: UTF-8.
    Quoted { reader: Box<csv::Reader<Ended<'a>>>, record: csv::ByteRecord, delimiter: u8 },
}

/// A source behind which stands one more line end.
type Ended<'a> = io::Chain<&'a mut Source, &'static [u8]>;

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
        let separator = sample.separator();
        let quoted = separator.is_quoted() || sample.header().is_some_and(|header| header.quoted());
        let records = match separator.byte().filter(|_| quoted) {
            Some(delimiter) => Records::quoted(source, delimiter),
            None => Records::Plain { lines: source.lines(), separator },
        };
        let width = sample.header().map(|header| header.names().len());
        let (text, fields) = Default::default();
        Self { records, line: 0, text, fields, width, below_header: width.is_none() }
    }

    /// The next row. Comments are counted; rows that are not as wide as the header are faulty.
    ///
    /// # Errors
    /// A faulty row, unless faults are skipped; a source that cannot be read.
    pub(super) fn next_row(&mut self, log: &mut FaultLog) -> Result<Option<Record<'_>>, Fault> {
        Ok(self.find_row(log)?.then(|| self.record()))
    }

    fn find_row(&mut self, log: &mut FaultLog) -> Result<bool, Fault> {
        while self.advance()? {
            if self.is_comment() {
                log.comment(Line { number: self.line, bytes: &self.text });
                continue;
            }
            if columns::is_empty(&self.text) || !std::mem::replace(&mut self.below_header, true) {
                continue;
            }
            if let Some(fault) = self.fault() {
                log.skip(fault)?;
            } else {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn record(&self) -> Record<'_> {
        Record { line: self.line, text: &self.text, fields: &self.fields }
    }

    /// Takes the next line or record as it stands.
    fn advance(&mut self) -> Result<bool, Fault> {
        self.text.clear();
        self.fields.clear();
        match &mut self.records {
            Records::Plain { lines, separator } => {
                let Some(line) = lines.next_line()? else { return Ok(false) };
                self.line = line.number;
                self.text.extend_from_slice(line.bytes);
                let fields = columns::split(line.bytes, *separator).into_iter();
                self.fields.extend(fields.map(|field| columns::span(line.bytes, field)));
            }
            Records::Quoted { reader, record, delimiter } => {
                let next = reader.position().line();
                if !reader.read_byte_record(record).map_err(unreadable)? {
                    return Ok(false);
                }
                let within = memchr::memchr_iter(b'\n', record.as_slice()).count() as u64;
                // Blank lines before the record are behind it by now; a quote that is never
                // closed takes the last line end with it.
                self.line = (reader.position().line() - within).saturating_sub(1).max(next);
                let delimiter = *delimiter;
                self.join(delimiter);
            }
        }
        Ok(true)
    }

    /// Puts the fields of a record side by side again, as they would stand without quotes.
    fn join(&mut self, delimiter: u8) {
        let Records::Quoted { record, .. } = &self.records else { return };
        for (index, field) in record.iter().enumerate() {
            if index > 0 {
                self.text.push(delimiter);
            }
            let (start, trimmed) = (self.text.len(), columns::trim(field));
            self.text.extend_from_slice(trimmed);
            self.fields.push(start..self.text.len());
        }
    }

    /// A `#` begins a comment, but not in a row that is as wide as the header: there it belongs to
    /// an id or to the text of a query.
    fn is_comment(&self) -> bool {
        self.text.starts_with(b"#") && !(self.below_header && self.width == Some(self.fields.len()))
    }

    fn fault(&self) -> Option<Fault> {
        let fault = |kind| Some(Fault::in_line(self.line, &self.text, 0..self.text.len(), kind));
        let (quoted, found) = (matches!(self.records, Records::Quoted { .. }), self.fields.len());
        match self.width {
            _ if quoted && std::str::from_utf8(&self.text).is_err() => fault(InputErrorKind::NotUtf8),
            Some(expected) if expected != found && self.text.contains(&b'\n') => {
                let reason = "a quoted field goes over the end of the line; is its closing quote missing?".to_owned();
                Some(Fault::at_line(self.line, InputErrorKind::Csv { reason }))
            }
            Some(expected) if expected != found => fault(InputErrorKind::RowLength { expected, found }),
            _ => None,
        }
    }
}

impl<'a> Records<'a> {
    fn quoted(source: &'a mut Source, delimiter: u8) -> Self {
        // With LF alone as the line end the reader counts lines right; a CR before it is a blank
        // at the end of the last field.
        let mut builder = csv::ReaderBuilder::new();
        builder.delimiter(delimiter).terminator(csv::Terminator::Any(b'\n')).has_headers(false).flexible(true);
        let reader = Box::new(builder.from_reader(source.chain(&b"\n"[..])));
        Self::Quoted { reader, record: csv::ByteRecord::new(), delimiter }
    }
}

fn unreadable(error: csv::Error) -> Fault {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => super::open::unreadable(&error),
        kind => Fault::of_file(InputErrorKind::Csv { reason: format!("{kind:?}") }),
    }
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
    fn quotes_in_a_tsv_mean_something_only_if_its_header_is_quoted() {
        assert_eq!(rows("qid\tdocid\trank\nq1\t\"A\"_T\t1").unwrap(), [row(2, ["q1", "\"A\"_T", "1"])]);
        assert_eq!(rows("\"qid\"\t\"docid\"\t\"rank\"\nq1\t\"A\tT\"\t1").unwrap(), [row(2, ["q1", "A\tT", "1"])]);
    }

    #[test]
    fn a_hash_begins_a_comment_unless_the_row_is_whole() {
        assert_eq!(rows("# a, b, c\nquery,docid,rank\n#tag,b,1\n# note").unwrap(), [row(3, ["#tag", "b", "1"])]);
    }
}
