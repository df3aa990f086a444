//! Everything that can be wrong in a file, as one type with file, line and column.
//!
//! Readers report a [`Fault`]: what is wrong and where in the text. The code that opened the file
//! turns it into an [`InputError`] by adding the file and what it was read as.

mod kinds;

pub use kinds::InputErrorKind;

use std::fmt;
use std::ops::Range;

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
            | InputErrorKind::RepeatedQuery { first_line: line, .. }
            | InputErrorKind::RepeatedStep { first_line: line, .. } => *line += lines,
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
