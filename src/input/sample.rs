//! The start of a file, as detection sees it: JSON or a table, and what the table looks like.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::columns::{self, Separator};
use super::header::Header;
use super::json::Sketch;
use super::number;

/// The place of a file among the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// The first: labels.
    Labels,
    /// A later one: a run.
    Run,
}

/// Bytes that a source and its sample share.
#[derive(Debug, Clone, Default)]
pub(super) struct Head(Arc<Vec<u8>>);

impl Head {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self(Arc::new(bytes))
    }

    /// The bytes, without a copy when nobody else has them.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        Arc::unwrap_or_clone(self.0)
    }
}

impl AsRef<[u8]> for Head {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// The first lines of a text, looked at once.
#[derive(Debug)]
pub struct Sample {
    head: Head,
    whole: bool,
    position: Position,
    lines: Vec<Range<usize>>,
    json: bool,
    sketch: Option<Sketch>,
    enough: bool,
    separator: Separator,
    header: Option<Header>,
}

impl Sample {
    /// The start of a text; `whole` when there is no more of it.
    pub(super) fn new(head: Head, whole: bool, position: Position) -> Self {
        let lines = data_lines(head.as_ref(), whole);
        let json = lines.first().is_some_and(|line| starts_json(&head.as_ref()[line.clone()]));
        let enough = lines.len() > 1;
        let (sketch, separator, header) = (None, Separator::Blank, None);
        let mut sample = Self { head, whole, position, lines, json, sketch, enough, separator, header };
        match json {
            true => sample.draw(),
            false => sample.find_columns(),
        }
        sample
    }

    fn draw(&mut self) {
        let (sketch, enough) = Sketch::of(self);
        (self.sketch, self.enough) = (Some(sketch), enough);
    }

    fn find_columns(&mut self) {
        let separators = [Separator::Tab, Separator::Comma, Separator::Semicolon, Separator::Blank];
        let first = self.data_lines().next().unwrap_or_default();
        let named = separators.iter().find_map(|&by| Some((by, Header::parse(first, by)?)));
        (self.separator, self.header) = match named {
            Some((separator, header)) => (separator, Some(header)),
            None => (self.best_separator(), None),
        };
    }

    /// The separator under which most lines look like rows; tabs before blanks before commas. Tabs
    /// need no more than half of the lines, because blanks within ids make rows by blanks as well.
    fn best_separator(&self) -> Separator {
        let mut fields = Vec::new();
        let mut rows = |separator: Separator| {
            let separated = self.data_lines().filter(|line| separator.byte().is_none_or(|byte| line.contains(&byte)));
            separated.filter(|line| with_fields(line, separator, &mut fields, |row| is_row(row, separator))).count()
        };
        let (tab, blank, comma) = (rows(Separator::Tab), rows(Separator::Blank), rows(Separator::Comma));
        match (tab, blank, comma) {
            _ if tab > 0 && (tab >= blank || tab * 2 > self.lines.len()) => Separator::Tab,
            (0, 0, 1..) => Separator::Comma,
            _ => Separator::Blank,
        }
    }

    /// The place of the file among the arguments.
    pub fn position(&self) -> Position {
        self.position
    }

    /// The bytes that were looked at.
    pub fn head(&self) -> &[u8] {
        self.head.as_ref()
    }

    /// Whether these are all the bytes there are.
    pub fn whole(&self) -> bool {
        self.whole
    }

    /// Whether the text begins as JSON does.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// The outline of a JSON text; lines of objects are a list of them. `None` when the text does
    /// not start as JSON does.
    pub(super) fn json(&self) -> Option<&Sketch> {
        self.sketch.as_ref()
    }

    /// Whether the first rows stand in the sample to their ends: two lines, two values of a list,
    /// or an object as a whole.
    pub(super) fn holds_first_rows(&self) -> bool {
        self.enough
    }

    /// What stands between the columns of a table.
    pub fn separator(&self) -> Separator {
        self.separator
    }

    /// The names of the columns of a table, where the first line holds them.
    pub fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// Lines that are neither blank nor comments. A last line that is cut off is left out.
    pub fn data_lines(&self) -> impl Iterator<Item = &[u8]> {
        self.lines.iter().map(|line| &self.head()[line.clone()])
    }

    /// The first such line, escaped and cut, for messages.
    pub fn first_line(&self) -> String {
        columns::shown(self.data_lines().next().unwrap_or_default())
    }

    /// The rows of a table in columns, without its header.
    pub(super) fn rows(&self) -> impl Iterator<Item = Vec<Cow<'_, [u8]>>> {
        self.row_lines().map(|line| fields(line, self.separator))
    }

    fn row_lines(&self) -> impl Iterator<Item = &[u8]> {
        self.data_lines().skip(usize::from(self.header.is_some()))
    }

    /// Whether there are rows, and at least half of them pass a test.
    pub(super) fn most_rows(&self, test: impl Fn(&[&[u8]]) -> bool) -> bool {
        let (mut all, mut passed, mut fields) = (0, 0, Vec::new());
        for line in self.row_lines() {
            all += 1;
            passed += usize::from(with_fields(line, self.separator, &mut fields, &test));
        }
        passed > 0 && passed * 2 >= all
    }
}

fn fields(line: &[u8], separator: Separator) -> Vec<Cow<'_, [u8]>> {
    match quoted(line, separator) {
        Some(record) => record.iter().map(|field| Cow::Owned(columns::trim(field).to_vec())).collect(),
        None => columns::split(line, separator).into_iter().map(Cow::Borrowed).collect(),
    }
}

/// Reads the columns of a line out of memory that is used again for the next line.
fn with_fields<'l, T>(
    line: &'l [u8],
    separator: Separator,
    fields: &mut Vec<&'l [u8]>,
    read: impl FnOnce(&[&[u8]]) -> T,
) -> T {
    if let Some(record) = quoted(line, separator) {
        return read(&record.iter().map(columns::trim).collect::<Vec<_>>());
    }
    columns::split_into(line, separator, fields);
    read(fields)
}

/// The columns of a line in which quotes have a meaning; `None` where there are none.
fn quoted(line: &[u8], separator: Separator) -> Option<csv::ByteRecord> {
    let delimiter = separator.byte().filter(|_| separator.is_quoted() && line.contains(&b'"'))?;
    let mut reader = csv::ReaderBuilder::new().has_headers(false).delimiter(delimiter).from_reader(line);
    Some(reader.byte_records().next().and_then(Result::ok).unwrap_or_default())
}

fn data_lines(head: &[u8], whole: bool) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', head).chain([head.len()]) {
        let line = &head[start..end];
        let cut_off = end == head.len() && !whole && !lines.is_empty();
        if !cut_off && !line.starts_with(b"#") && !columns::is_empty(line) {
            lines.push(start..end - usize::from(line.ends_with(b"\r")));
        }
        start = end + 1;
    }
    lines
}

fn starts_json(line: &[u8]) -> bool {
    let line = columns::trim(line);
    let next = columns::trim(line.get(1..).unwrap_or_default()).first();
    match line.first() {
        Some(b'{') => matches!(next, None | Some(b'"' | b'}')),
        Some(b'[') => matches!(next, None | Some(b'"' | b'{' | b'[' | b']')),
        _ => false,
    }
}

/// Whether columns are as many as some format without a header has, and hold a number where that
/// format has one.
fn is_row(fields: &[&[u8]], separator: Separator) -> bool {
    let number = |index: usize| number::parse(fields[index]).is_some();
    let spaced = |field: &[u8]| field.iter().any(|&byte| columns::is_blank(byte));
    match fields.len() {
        2 => separator != Separator::Comma && !fields.iter().any(|field| field.is_empty() || spaced(field)),
        3 => number(2),
        4 => number(3) || is_iteration(fields[1]),
        5 | 6 => number(3) || number(4) || is_iteration(fields[1]),
        count => count > 6 && separator != Separator::Comma && number(4),
    }
}

/// What the second column of TREC files nearly always holds.
pub(super) fn is_iteration(field: &[u8]) -> bool {
    field == b"0" || field.eq_ignore_ascii_case(b"q0")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(text: &str) -> Sample {
        Sample::new(Head::new(text.as_bytes().to_vec()), true, Position::Run)
    }

    #[test]
    fn the_separator_is_the_one_under_which_most_lines_are_rows() {
        assert_eq!(sample("q1\t0\ta b\t1\n").separator(), Separator::Tab);
        assert_eq!(sample("q1 0\ta\t1\nq1 0 b 1\n").separator(), Separator::Blank);
        assert_eq!(sample("q1\tQ0\ta\t\t885\t116\trun\nq1 Q0 a 1 2.5 run").separator(), Separator::Blank);
        assert_eq!(sample("q1 0 Report,_1992 1\n").separator(), Separator::Blank);
        assert_eq!(sample("q1,a,0.5\n").separator(), Separator::Comma);
        assert_eq!(sample("q1 Q0 a 1 1,9 t\n").separator(), Separator::Blank);
    }

    #[test]
    fn a_line_that_is_cut_off_is_not_looked_at() {
        let text = Head::new(b"q1 0 a 1\nq1 0 b".to_vec());
        assert_eq!(Sample::new(text.clone(), false, Position::Run).data_lines().count(), 1);
        assert_eq!(Sample::new(text, true, Position::Run).data_lines().count(), 2);
    }

    #[test]
    fn ids_in_brackets_are_no_json() {
        assert!(!sample("[q1] Q0 d 1 2 t").is_json());
        assert!(!sample("[1] Q0 d 1 2 t").is_json());
        assert!(!sample("{q1} Q0 d 1 2 t").is_json());
        assert!(sample("# note\n[\n").is_json());
        assert!(sample("{\"q\":1}").is_json());
    }
}
