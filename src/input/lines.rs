//! Lines of a text as byte slices of one reused buffer.

use std::io::Read;

use super::columns;
use super::open::unreadable;
use super::words::Window;
use crate::error::{Fault, InputErrorKind};

/// How much is read at a time: it stays in the cache of a processor.
pub(super) const BLOCK: usize = 256 * 1024;

/// The longest line that is read, in MiB.
pub(super) const LONGEST: usize = 256;

/// One line of a text.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// Physical number, from 1.
    pub number: u64,
    /// The bytes without the line end (LF or CRLF).
    pub bytes: &'a [u8],
}

impl Line<'_> {
    /// A fault in one of its fields.
    pub(super) fn fault(&self, field: &[u8], kind: InputErrorKind) -> Fault {
        Fault::in_line(self.number, self.bytes, columns::span(self.bytes, field), kind)
    }
}

/// The lines of a text, one at a time; each is dropped when the next is taken.
pub struct Lines<'a> {
    stream: &'a mut (dyn Read + Send),
    buffer: Vec<u8>,
    /// Where the line begins that was taken last.
    last: usize,
    start: usize,
    filled: usize,
    number: u64,
    ended: bool,
    /// The longest line that is read, in bytes.
    longest: usize,
}

impl<'a> Lines<'a> {
    /// The lines of a stream.
    pub fn new(stream: &'a mut (dyn Read + Send)) -> Self {
        let (buffer, longest) = (vec![0; BLOCK], LONGEST << 20);
        Self { stream, buffer, last: 0, start: 0, filled: 0, number: 0, ended: false, longest }
    }

    /// The same lines, however long: for a document that is a text without line ends.
    pub(super) fn of_any_length(self) -> Self {
        Self { longest: usize::MAX, ..self }
    }

    /// The next line, with its number; `None` at the end.
    ///
    /// # Errors
    /// When the stream cannot be read, or a line is longer than any line should be.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, Fault> {
        let line = self.next_raw()?;
        Ok(line.map(|line| Line { bytes: without_return(line.bytes), ..line }))
    }

    /// The same with the CR before the line end, where there is one.
    pub(super) fn next_raw(&mut self) -> Result<Option<Line<'_>>, Fault> {
        let mut searched = self.start;
        let end = loop {
            if let Some(offset) = memchr::memchr(b'\n', &self.buffer[searched..self.filled]) {
                break searched + offset;
            }
            searched = self.filled;
            if self.ended {
                if self.start == self.filled {
                    return Ok(None);
                }
                break self.filled;
            }
            let moved = self.start;
            self.refill()?;
            searched -= moved;
        };
        self.number += 1;
        self.last = self.start;
        let line = &self.buffer[self.start..end];
        self.start = (end + 1).min(self.filled);
        Ok(Some(Line { number: self.number, bytes: line }))
    }

    /// The line that was taken last, with its line end.
    pub(super) fn last_with_end(&self) -> &[u8] {
        &self.buffer[self.last..self.start]
    }

    /// The number of the next line and the text from its start on, where enough of it is at hand.
    #[inline]
    pub(super) fn ahead(&self) -> Option<(u64, &Window)> {
        Some((self.number + 1, self.buffer[self.start..self.filled].first_chunk()?))
    }

    /// Passes over the next line, whose length with its line end was found out [`ahead`](Self::ahead).
    #[inline]
    pub(super) fn pass(&mut self, length: usize) {
        self.number += 1;
        self.last = self.start;
        self.start += length;
    }

    /// Moves the unfinished line to the front and reads on behind it.
    fn refill(&mut self) -> Result<(), Fault> {
        self.buffer.copy_within(self.start..self.filled, 0);
        self.filled -= self.start;
        self.start = 0;
        if self.filled > self.longest {
            return Err(Fault::at_line(self.number + 1, InputErrorKind::LongLine { limit: LONGEST }));
        }
        if self.buffer.len() - self.filled < BLOCK / 2 {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        loop {
            match self.stream.read(&mut self.buffer[self.filled..]) {
                Ok(count) => {
                    self.ended = count == 0;
                    self.filled += count;
                    return Ok(());
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(unreadable(&error)),
            }
        }
    }
}

/// A line without the CR before its end.
pub(super) fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8]) -> Vec<(u64, Vec<u8>)> {
        let mut stream = text;
        let mut lines = Lines::new(&mut stream);
        let mut all = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            all.push((line.number, line.bytes.to_vec()));
        }
        all
    }

    #[test]
    fn line_ends_of_every_kind_are_dropped() {
        let expected = vec![(1, b"a".to_vec()), (2, b"".to_vec()), (3, b"b".to_vec())];
        assert_eq!(lines(b"a\r\n\r\nb"), expected);
        assert_eq!(lines(b"a\n\nb\n"), expected);
        assert!(lines(b"").is_empty());
    }

    #[test]
    fn a_line_can_be_looked_at_and_passed_over_before_it_is_taken() {
        let text = ["ab\r\n", "c\n", &"x".repeat(300)].concat();
        let mut stream = text.as_bytes();
        let mut lines = Lines::new(&mut stream);
        assert!(lines.ahead().is_none());
        assert_eq!(lines.next_line().unwrap().unwrap().bytes, b"ab");
        assert_eq!(lines.last_with_end(), b"ab\r\n");
        let (number, window) = lines.ahead().unwrap();
        assert_eq!((number, &window[..4]), (2, &b"c\nxx"[..]));
        lines.pass(2);
        let line = lines.next_line().unwrap().unwrap();
        assert_eq!((line.number, line.bytes.len()), (3, 300));
    }

    #[test]
    fn a_line_that_does_not_end_is_an_error_with_its_number() {
        let mut stream = b"a\n".chain(std::io::repeat(b'x'));
        let mut lines = Lines { longest: 4 * BLOCK, ..Lines::new(&mut stream) };
        assert!(lines.next_line().unwrap().is_some());
        let fault = lines.next_line().unwrap_err();
        assert_eq!((fault.line, fault.kind.to_string()), (Some(2), "the line is longer than 256 MiB".to_owned()));
    }

    #[test]
    fn a_line_longer_than_the_buffer_is_whole() {
        let mut text = vec![b'x'; 3 * BLOCK + 17];
        text.extend_from_slice(b"\nend");
        let all = lines(&text);
        assert_eq!(all[0].1.len(), 3 * BLOCK + 17);
        assert_eq!(all[1], (2, b"end".to_vec()));
    }
}
