//! Everything that can be wrong in a file, as one type with file, line and column.
//!
//! Readers report a [`Fault`]: what is wrong and where in the text. The code that opened the file
//! turns it into an [`InputError`] by adding the file and what it was read as.

mod advice;
mod explanations;

pub use explanations::EXPLANATIONS;

use std::fmt;
use std::ops::Range;

use crate::id::Id;

/// What is wrong, and where in the text it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// What is wrong.
    pub kind: Box<InputErrorKind>,
    /// Physical line, from 1, of the unpacked text; blank and comment lines count.
    pub line: Option<u64>,
    /// The text of that line and the bytes of it that are at fault, for a snippet.
    pub excerpt: Option<Box<Excerpt>>,
}

/// The line around a fault.
#[derive(Debug, Clone, PartialEq)]
pub struct Excerpt {
    /// The text of the line, without its line end; long lines are cut by the renderer.
    pub text: String,
    /// The bytes of `text` that are at fault.
    pub span: Range<usize>,
    /// Characters of the line before `text`, which begins later when the line is long.
    pub skipped: usize,
}

impl Fault {
    /// A fault of the file as a whole.
    pub fn of_file(kind: InputErrorKind) -> Self {
        Self { kind: Box::new(kind), line: None, excerpt: None }
    }

    /// A fault in a line whose text is not at hand.
    pub fn at_line(line: u64, kind: InputErrorKind) -> Self {
        Self { kind: Box::new(kind), line: Some(line), excerpt: None }
    }

    /// A fault in the bytes `span` of a line.
    pub fn in_line(line: u64, text: &[u8], span: Range<usize>, kind: InputErrorKind) -> Self {
        Self::at_line(line, kind).with_excerpt(text, span)
    }

    /// Adds the text of the line, of which the bytes `span` are at fault, unless it is there.
    pub fn with_excerpt(mut self, text: &[u8], span: Range<usize>) -> Self {
        self.excerpt.get_or_insert_with(|| Box::new(Excerpt::new(text, span)));
        self
    }

    /// Text that is not UTF-8 from the byte `offset` on, as a fault of the line of that byte.
    pub fn not_utf8(text: &[u8], offset: usize, first_line: u64) -> Self {
        let start = text[..offset].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let end = text[offset..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |end| offset + end);
        let line = first_line + text[..start].iter().filter(|&&byte| byte == b'\n').count() as u64;
        Self::in_line(line, &text[start..end], offset - start..offset - start + 1, InputErrorKind::NotUtf8)
    }

    /// The fault of a part of a text as one of the whole text, in which `lines` stand before it.
    #[must_use]
    pub fn moved_down(mut self, lines: u64) -> Self {
        self.line = self.line.map(|line| line + lines);
        match &mut *self.kind {
            InputErrorKind::DuplicateDocument { first: FirstPlace::Line(line), .. }
            | InputErrorKind::RepeatedQuery { first_line: line, .. } => *line += lines,
            _ => {}
        }
        self
    }

    /// Adds the file, and what it was read as.
    pub fn in_file(self, file: &str, read_as: Option<&'static str>) -> InputError {
        InputError(Box::new(Located { fault: self, file: file.to_owned(), read_as }))
    }
}

/// Where something stands that comes a second time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstPlace {
    /// On another line.
    Line(u64),
    /// At a position, from 1, of the list on the same line.
    Position(u64),
}

impl fmt::Display for FirstPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Position(position) => write!(f, "position {position} of the list"),
        }
    }
}

impl Excerpt {
    fn new(text: &[u8], span: Range<usize>) -> Self {
        // Bytes that are not UTF-8 become one replacement character each side of the span, so
        // that the span keeps pointing at the fault.
        let lossy = |part: &[u8]| String::from_utf8_lossy(part).into_owned();
        let (before, at, after) = (lossy(&text[..span.start]), lossy(&text[span.clone()]), lossy(&text[span.end..]));
        let start = before.len();
        let end = start + at.len();
        Self { text: before + &at + &after, span: start..end, skipped: 0 }
    }
}

/// Something is wrong with a file: which file, where, what it was read as, what was expected.
///
/// One word wide; the parts are behind methods.
#[derive(Debug, Clone)]
pub struct InputError(Box<Located>);

#[derive(Debug, Clone)]
struct Located {
    fault: Fault,
    file: String,
    read_as: Option<&'static str>,
}

impl InputError {
    /// The path as the user wrote it; `-` is standard input.
    pub fn file(&self) -> &str {
        &self.0.file
    }

    /// What is wrong.
    pub fn kind(&self) -> &InputErrorKind {
        &self.0.fault.kind
    }

    /// Physical line, from 1, where one is to blame.
    pub fn line(&self) -> Option<u64> {
        self.0.fault.line
    }

    /// Column in characters, from 1, where it is known.
    pub fn column(&self) -> Option<usize> {
        let excerpt = self.excerpt()?;
        Some(excerpt.text[..excerpt.span.start].chars().count() + excerpt.skipped + 1)
    }

    /// The line around the fault.
    pub fn excerpt(&self) -> Option<&Excerpt> {
        self.0.fault.excerpt.as_deref()
    }

    /// Adds the text of the line, of which the bytes `span` are at fault, unless it is there.
    #[must_use]
    pub fn with_excerpt(mut self, text: &[u8], span: Range<usize>) -> Self {
        self.0.fault = self.0.fault.with_excerpt(text, span);
        self
    }

    /// The name of the format that the file was taken for.
    pub fn read_as(&self) -> Option<&'static str> {
        self.0.read_as
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::id::escaped(self.file().as_bytes()))?;
        if let Some(line) = self.line() {
            write!(f, ":{line}")?;
            if let Some(column) = self.column() {
                write!(f, ":{column}")?;
            }
        }
        write!(f, ": {}", self.kind())
    }
}

impl std::error::Error for InputError {}

/// The kinds of fault. Messages are one line, lower case, and quote what the file says.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InputErrorKind {
    /// The path does not exist, or cannot be read.
    #[error("cannot be read: {reason}")]
    Unreadable {
        /// What the operating system says.
        reason: String,
    },
    /// The path is a directory.
    #[error("is a directory, not a file")]
    Directory,
    /// There is nothing in the file, or nothing but blank lines and comments.
    #[error("is empty: expected {expected}")]
    Empty {
        /// Labels or a run.
        expected: &'static str,
    },
    /// A container that is recognised but not read.
    #[error("is {container}, which is not read directly")]
    Container {
        /// The name of the container.
        container: &'static str,
        /// The command that makes a readable file of it.
        command: String,
    },
    /// A damaged compressed file.
    #[error("the {container} data is damaged: {reason}")]
    Damaged {
        /// The name of the container.
        container: &'static str,
        /// What the decoder says.
        reason: String,
    },
    /// No format fits.
    #[error("is in no format that can be recognised: {hint}")]
    UnknownFormat {
        /// What stands at the start of the file.
        hint: String,
    },
    /// A layout that is recognised and holds no ids to measure with.
    #[error("{sentence}")]
    Refused {
        /// What the file is, in a sentence.
        sentence: String,
        /// What to do.
        help: String,
    },
    /// Text that must be UTF-8 is not.
    #[error("is not UTF-8 text")]
    NotUtf8,
    /// A row with the wrong number of columns.
    #[error("expected {expected}, found {found}")]
    Columns {
        /// The columns that the format has, in words.
        expected: &'static str,
        /// The number found.
        found: usize,
    },
    /// A row with another number of columns than the header.
    #[error("expected {expected} columns as in the header, found {found}")]
    RowLength {
        /// The number of columns of the header.
        expected: usize,
        /// The number found.
        found: usize,
    },
    /// A field that must not be empty.
    #[error("{field} is empty")]
    EmptyField {
        /// The field.
        field: &'static str,
    },
    /// No row is left once the faulty ones are left out.
    #[error("has no row that can be read: {skipped} are faulty")]
    NothingLeft {
        /// The number of faulty rows.
        skipped: u64,
    },
    /// A name that no format has.
    #[error("`{name}` is no format of {place}")]
    UnknownFormatName {
        /// The name as it was given.
        name: String,
        /// Labels or a run.
        place: &'static str,
        /// The formats that there are for it.
        known: String,
    },
    /// Text that is not a number where one must stand.
    #[error("{field} is not a number: `{text}`")]
    NotANumber {
        /// The field: score, grade, rank …
        field: &'static str,
        /// The text as it stands, escaped.
        text: String,
    },
    /// A number that is not finite, or out of its range.
    #[error("{field} must be {expected}: `{text}`")]
    OutOfRange {
        /// The field.
        field: &'static str,
        /// The allowed values, in words.
        expected: &'static str,
        /// The text as it stands, escaped.
        text: String,
    },
    /// A fraction where a whole number must stand.
    #[error("{field} must be a whole number: `{text}`")]
    NotWhole {
        /// The field.
        field: &'static str,
        /// The text as it stands, escaped.
        text: String,
    },
    /// An id of a type that has no one text.
    #[error("{field} must be text or a whole number: `{text}`")]
    BadId {
        /// The field.
        field: &'static str,
        /// The text as it stands, escaped.
        text: String,
    },
    /// One key twice in one JSON object.
    #[error("has the key `{key}` twice")]
    RepeatedKey {
        /// The key, escaped.
        key: String,
    },
    /// Two columns of a table for one thing.
    #[error("{}", rivals(.first, .second, *.places))]
    RivalColumns {
        /// The name of the first, escaped.
        first: String,
        /// The name of the second, escaped.
        second: String,
        /// Their places in the header, from 1.
        places: (usize, usize),
    },
    /// An id that begins with a character that nobody sees.
    #[error("{field} begins with an invisible character, {character}: `{text}`")]
    InvisibleStart {
        /// The field.
        field: &'static str,
        /// The character: `U+FEFF`.
        character: &'static str,
        /// The id behind it, escaped and cut.
        text: String,
    },
    /// A line between whose columns stand tabs, among lines with blanks, or the other way round.
    #[error("its columns stand between {found}, those of most lines between {expected}")]
    MixedSeparators {
        /// What stands between the columns of the line.
        found: &'static str,
        /// What stands between the columns of most lines.
        expected: &'static str,
    },
    /// A line that is too long to be one.
    #[error("the line is longer than {limit} MiB")]
    LongLine {
        /// The length that is read at most.
        limit: usize,
    },
    /// More judgments than there are numbers for.
    #[error("more than 4,294,967,295 judgments are too many")]
    TooManyJudgments,
    /// More results of one query than there is room for.
    #[error("the ids of the results of query `{query}` are longer than 4 GiB")]
    LongRanking {
        /// The query.
        query: Id,
    },
    /// Rows of labels of which some have a grade and some have none.
    #[error("some rows have a grade and some have none")]
    MixedGrades,
    /// Several runs in one file, of which none or no single one was chosen.
    #[error("{}: {choices}", not_chosen(.wanted.as_deref()))]
    Subset {
        /// The name that was asked for, escaped.
        wanted: Option<String>,
        /// The names there are, escaped.
        choices: String,
    },
    /// A key that every row must have is missing.
    #[error("has no {expected}")]
    MissingKey {
        /// The key or keys that are expected, in words.
        expected: String,
    },
    /// No column or key has the name of a grade or a score, and one of an unknown name may be it.
    #[error("has no {wanted}, but {names}, which may be meant as one")]
    UnknownNames {
        /// What is missing: a grade, or a score or a rank.
        wanted: &'static str,
        /// The names that are not known, quoted.
        names: String,
    },
    /// A value of the wrong type.
    #[error("{field} must be {expected}: `{text}`")]
    WrongType {
        /// The field.
        field: String,
        /// The allowed types, in words.
        expected: &'static str,
        /// The text as it stands, escaped and cut.
        text: String,
    },
    /// Text that is not JSON.
    #[error("is not valid JSON: {reason}")]
    Json {
        /// What the parser says, without its position.
        reason: String,
    },
    /// Text that is not CSV.
    #[error("is not valid CSV: {reason}")]
    Csv {
        /// What the parser says, without its position.
        reason: String,
    },
    /// A quote in a cell of a CSV file where none can be.
    #[error("is not valid CSV: {reason}: `{text}`")]
    StrayQuote {
        /// Where the quote stands.
        reason: &'static str,
        /// The cell, escaped.
        text: String,
    },
    /// One document twice in the ranking of one query.
    #[error("document `{document}` is twice in the ranking of query `{query}` (first at {first})")]
    DuplicateDocument {
        /// The query.
        query: Id,
        /// The document.
        document: Id,
        /// Where the first one stands.
        first: FirstPlace,
    },
    /// One pair of query and document judged twice, with different grades.
    #[error("query `{query}`, document `{document}` is judged {grade} here and {first_grade} at line {first_line}")]
    ConflictingLabels {
        /// The query.
        query: Id,
        /// The document.
        document: Id,
        /// The grade at this line.
        grade: f64,
        /// The grade found before.
        first_grade: f64,
        /// Where it stands.
        first_line: u64,
        /// Whether the second column of the two lines differs (subtopics).
        subtopics: bool,
    },
    /// Preferences of one judgment group that contradict each other.
    #[error("query `{query}`: judgment group `{group}` contradicts itself about document `{document}`")]
    Contradiction {
        /// The query.
        query: Id,
        /// The judgment group.
        group: Id,
        /// The document.
        document: Id,
    },
    /// One query in two lines of a layout that holds a query a line.
    #[error("query `{query}` stands twice (first at line {first_line})")]
    RepeatedQuery {
        /// The query.
        query: Id,
        /// Where it stands first.
        first_line: u64,
    },
    /// One chunk in two rows of a chunk map.
    #[error("chunk `{id}` stands twice (first at line {first_line})")]
    RepeatedChunk {
        /// The chunk.
        id: Id,
        /// Where it stands first.
        first_line: u64,
    },
    /// A query whose results come back after those of another, where that cannot be read on.
    #[error("the results of query `{query}` come back after those of another query")]
    QueryComesBack {
        /// The query.
        query: Id,
    },
    /// A ranking in which some results have a score and some have none.
    #[error("some results of query `{query}` have a score and some have none")]
    MixedOrder {
        /// The query.
        query: Id,
    },
    /// One file where labels and a run are needed.
    #[error("is the only file and holds {found}; expected {missing} beside it")]
    OneOfTwo {
        /// What the file holds.
        found: &'static str,
        /// What is missing.
        missing: &'static str,
    },
    /// A file of the other role: a run where labels are expected, or labels where a run is.
    #[error("looks like {found}, expected {expected}")]
    WrongRole {
        /// What the file looks like, with its format.
        found: String,
        /// What must stand here.
        expected: &'static str,
    },
}

fn rivals(first: &str, second: &str, places: (usize, usize)) -> String {
    let (one, two) = places;
    match first == second {
        true => format!("has the column `{first}` twice: columns {one} and {two}"),
        false => format!("has the columns `{first}` ({one}) and `{second}` ({two}), which mean the same"),
    }
}

fn not_chosen(wanted: Option<&str>) -> String {
    match wanted {
        Some(name) => format!("`{name}` does not name one of its subsets"),
        None => "holds several subsets, of which `--subset` chooses one".to_owned(),
    }
}
