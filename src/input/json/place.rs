//! Where a byte of a text stands: line, column and the excerpt around it.
//!
//! A document can be one line of a hundred megabytes, and a reader can ask for the line of every
//! row; so the text is measured once, with a mark every kilobyte, when the first place is asked for.

use std::cell::OnceCell;
use std::ops::Range;

use crate::error::{Excerpt, Fault, InputErrorKind};

/// Bytes between two marks.
const STRIDE: usize = 1024;
/// Lines up to this length are shown whole.
const WHOLE: usize = 1024;
/// Bytes shown before and after the start of a fault in a longer line.
const AROUND: Range<usize> = 256..512;

/// How much of the text before and after a fault can have a part in what is shown of it.
pub(super) const SHOWN: usize = WHOLE + 8;

/// A text that values are read from, and where it starts in its file.
#[derive(Debug)]
pub(in crate::input) struct Document<'a> {
    text: &'a str,
    start: Mark,
    /// The places of every [`STRIDE`]th byte, without the first; found when one is asked for.
    marks: OnceCell<Vec<Mark>>,
    /// Whether the text is a single line.
    is_line: bool,
}

/// A place in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) line: u64,
    /// Characters of the line before the place.
    pub(super) column: usize,
}

impl Mark {
    /// The start of a line.
    pub(super) fn start_of(line: u64) -> Self {
        Self { line, column: 0 }
    }

    /// The place behind some more text.
    pub(super) fn after(self, text: &[u8]) -> Self {
        match memchr::memrchr(b'\n', text) {
            Some(last) => {
                let lines = memchr::memchr_iter(b'\n', text).count() as u64;
                Self { line: self.line + lines, column: characters(&text[last + 1..]) }
            }
            None => Self { column: self.column + characters(text), ..self },
        }
    }
}

/// Number of characters: every byte that does not continue one.
fn characters(text: &[u8]) -> usize {
    // Most texts are ASCII, which is seen at a glance.
    if text.is_ascii() {
        return text.len();
    }
    text.iter().filter(|&&byte| byte as i8 >= -0x40).count()
}

impl<'a> Document<'a> {
    /// A text whose first line has a number.
    pub(in crate::input) fn new(text: &'a str, first_line: u64) -> Self {
        Self::at(text, Mark::start_of(first_line))
    }

    /// A text that starts somewhere in its file.
    pub(super) fn at(text: &'a str, start: Mark) -> Self {
        let is_line = memchr::memchr(b'\n', text.as_bytes()).is_none();
        Self { text, start, marks: OnceCell::new(), is_line }
    }

    fn marks(&self) -> &[Mark] {
        self.marks.get_or_init(|| {
            let blocks = self.text.as_bytes().chunks_exact(STRIDE);
            let marks = blocks.scan(self.start, |mark, block| {
                *mark = mark.after(block);
                Some(*mark)
            });
            marks.collect()
        })
    }

    /// Whether the text is a single line.
    pub(super) fn is_line(&self) -> bool {
        self.is_line
    }

    pub(in crate::input) fn text(&self) -> &'a str {
        self.text
    }

    pub(super) fn line_of(&self, offset: usize) -> u64 {
        if self.is_line {
            return self.start.line;
        }
        let (mark, rest) = self.before(offset);
        mark.line + memchr::memchr_iter(b'\n', rest).count() as u64
    }

    /// The offset of a line and a column in bytes, both from 1, as the parser counts them.
    pub(super) fn offset_of(&self, line: usize, column: usize) -> usize {
        let mut starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', self.text.as_bytes()).map(|end| end + 1));
        let start = starts.nth(line.saturating_sub(1)).unwrap_or(self.text.len());
        self.boundary(start + column.saturating_sub(1))
    }

    /// A fault of a part of the text, shown up to the end of its first line.
    pub(in crate::input) fn fault(&self, part: Range<usize>, kind: InputErrorKind) -> Fault {
        let mark = self.mark(part.start);
        let line = self.line_around(part.start);
        let shown = match line.len() > WHOLE {
            true => self.clip(&line, part.start),
            false => line,
        };
        let end = self.boundary(part.end.clamp(part.start, shown.end));
        let before = characters(&self.text.as_bytes()[shown.start..part.start]);
        let excerpt = Excerpt {
            text: self.text[shown.clone()].to_owned(),
            span: part.start - shown.start..end - shown.start,
            skipped: mark.column - before,
        };
        Fault { kind: Box::new(kind), line: Some(mark.line), excerpt: Some(Box::new(excerpt)) }
    }

    fn mark(&self, offset: usize) -> Mark {
        let (mark, rest) = self.before(offset);
        mark.after(rest)
    }

    /// The last mark before an offset, and the bytes between them.
    fn before(&self, offset: usize) -> (Mark, &[u8]) {
        let index = offset / STRIDE;
        let mark = index.checked_sub(1).map_or(self.start, |index| self.marks()[index]);
        (mark, &self.text.as_bytes()[index * STRIDE..offset])
    }

    /// The line around an offset, without its end.
    fn line_around(&self, offset: usize) -> Range<usize> {
        let bytes = self.text.as_bytes();
        // A longer line is clipped anyway, and looking for its ends once a fault would take long.
        let (first, last) = (offset.saturating_sub(WHOLE + 1), bytes.len().min(offset + WHOLE + 1));
        let start = memchr::memrchr(b'\n', &bytes[first..offset]).map_or(first, |end| first + end + 1);
        let end = memchr::memchr(b'\n', &bytes[offset..last]).map_or(last, |end| offset + end);
        let line = &bytes[start..end];
        start..start + line.strip_suffix(b"\r").unwrap_or(line).len().max(offset - start)
    }

    fn clip(&self, line: &Range<usize>, offset: usize) -> Range<usize> {
        let start = self.boundary(offset.saturating_sub(AROUND.start).max(line.start));
        start..self.boundary((offset + AROUND.end).min(line.end))
    }

    /// The start of the character that an offset falls into.
    fn boundary(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str, offset: usize) -> (u64, usize, String) {
        let document = Document::new(text, 1);
        let fault = document.fault(offset..offset + 1, InputErrorKind::NotUtf8);
        let excerpt = fault.excerpt.clone().unwrap();
        let at = excerpt.text[excerpt.span].to_owned();
        (fault.line.unwrap(), fault.in_file("f", None).column().unwrap(), at)
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(place("é\néü!x", 7), (2, 3, "!".into()));
        assert_eq!(place("ab\r\ncd", 0), (1, 1, "a".into()));
    }

    #[test]
    fn places_far_into_a_long_line_are_right_and_their_excerpts_short() {
        let text = "é".repeat(5000) + "\n" + &"ü".repeat(9000) + "!" + &"z".repeat(9000);
        let offset = text.find('!').unwrap();
        assert_eq!(place(&text, offset), (2, 9001, "!".into()));
        let fault = Document::new(&text, 1).fault(offset..text.len(), InputErrorKind::NotUtf8);
        assert!(fault.excerpt.unwrap().text.len() < 1000);
    }

    #[test]
    fn the_end_of_the_text_is_a_place() {
        let text = "x".repeat(STRIDE);
        assert_eq!(place(&text, STRIDE), (1, STRIDE + 1, String::new()));
        assert_eq!(place("", 0), (1, 1, String::new()));
    }
}
