//! Cuts a text into blocks of whole lines, where the query changes.

use std::io::{ErrorKind, Read};

use super::blocks::LineFormat;
use super::open::unreadable;
use super::{Source, lines};
use crate::error::{Fault, InputErrorKind};

/// The blocks of a text, one at a time.
pub(super) struct Blocks<'a> {
    source: &'a mut Source,
    format: &'a dyn LineFormat,
    /// What was read behind the last border.
    rest: Vec<u8>,
    number: u64,
    /// Whether nothing more can be read.
    ended: bool,
    /// Why, if that is not the end of the text.
    fault: Option<Fault>,
}

/// Memory for a block; it is used again for the next.
#[derive(Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    filled: usize,
}

impl Buffer {
    /// The block: whole lines.
    pub fn text(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }
}

impl<'a> Blocks<'a> {
    /// The blocks of a source.
    pub fn new(source: &'a mut Source, format: &'a dyn LineFormat) -> Self {
        Self { source, format, rest: Vec::new(), number: 0, ended: false, fault: None }
    }

    /// Reads the next block and gives its number; `None` at the end.
    ///
    /// # Errors
    /// When the text cannot be read on, or a line is longer than any line should be. Everything
    /// before it has been given out.
    pub fn next(&mut self, buffer: &mut Buffer) -> Result<Option<u64>, Fault> {
        match self.take(buffer) {
            None => Ok(None),
            Some((number, read)) => read.map(|()| Some(number)),
        }
    }

    /// The same with the number that the block would have had, when there is a fault in its place.
    pub fn take(&mut self, buffer: &mut Buffer) -> Option<(u64, Result<(), Fault>)> {
        self.fill(buffer);
        let read = match buffer.filled {
            0 => {
                self.rest.clear();
                Err(self.fault.take()?)
            }
            _ => Ok(()),
        };
        self.number += 1;
        Some((self.number - 1, read))
    }

    /// Whether all of the text has been given out.
    pub fn is_at_end(&self) -> bool {
        self.ended && self.rest.is_empty() && self.fault.is_none()
    }

    fn fill(&mut self, buffer: &mut Buffer) {
        let size = self.source.block_size().max(self.rest.len() * 2);
        if buffer.bytes.len() < size {
            buffer.bytes.resize(size, 0);
        }
        buffer.bytes[..self.rest.len()].copy_from_slice(&self.rest);
        buffer.filled = self.rest.len();
        self.rest.clear();
        loop {
            self.read_on(buffer);
            let cut = self.border(buffer.text());
            if cut > 0 || self.ended {
                self.rest.extend_from_slice(&buffer.bytes[cut..buffer.filled]);
                buffer.filled = cut;
                return;
            }
            buffer.bytes.resize(buffer.bytes.len() * 2, 0);
        }
    }

    /// Reads until the buffer is full or there is no more to be read.
    fn read_on(&mut self, buffer: &mut Buffer) {
        while !self.ended && buffer.filled < buffer.bytes.len() {
            match self.source.read(&mut buffer.bytes[buffer.filled..]) {
                Ok(0) => self.ended = true,
                Ok(count) => buffer.filled += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => self.stop(unreadable(&error)),
            }
        }
    }

    fn stop(&mut self, fault: Fault) {
        self.ended = true;
        self.fault.get_or_insert(fault);
    }

    /// Where the block must end: behind its last line at the end of the text, else before the last
    /// query, of which more may come; 0 where that is all of it.
    fn border(&mut self, text: &[u8]) -> usize {
        if self.ended && self.fault.is_none() {
            return text.len();
        }
        let lines = memchr::memrchr(b'\n', text).map_or(0, |end| end + 1);
        if text.len() - lines > lines::LONGEST << 20 {
            self.stop(Fault::at_line(1, InputErrorKind::LongLine { limit: lines::LONGEST }));
        }
        // What stands before a fault is read to its last whole line.
        if self.ended { lines } else { self.last_change(&text[..lines]) }
    }

    /// Where the last query of some lines begins; 0 when no other stands before it.
    ///
    /// Looks back in longer and longer steps and then ever closer. Between two rows of different
    /// queries there is a border, whatever stands in between.
    fn last_change(&self, lines: &[u8]) -> usize {
        let Some((mut high, query)) = self.row_before(lines, lines.len()) else { return lines.len() };
        let (mut step, mut other) = (2 * (lines.len() - high), None);
        while let Some(place) = high.checked_sub(step).filter(|_| other.is_none()) {
            match self.row_before(lines, place) {
                Some((row, found)) if found == query => high = row,
                Some((row, _)) => other = Some(row),
                None => break,
            }
            step *= 2;
        }
        let Some(mut low) = other.or_else(|| self.first_row(lines, |found| found != query).filter(|&row| row < high))
        else {
            return 0;
        };
        while let Some((row, found)) = self.row_before(lines, low + (high - low) / 2).filter(|&(row, _)| row > low) {
            *(if found == query { &mut high } else { &mut low }) = row;
        }
        self.first_row(&lines[low..], |found| found == query).map_or(high, |row| low + row)
    }

    /// The last line with a row that begins before a place, and its query.
    fn row_before<'t>(&self, lines: &'t [u8], mut place: usize) -> Option<(usize, &'t [u8])> {
        while place > 0 {
            let start = memchr::memrchr(b'\n', &lines[..place - 1]).map_or(0, |end| end + 1);
            if let Some(query) = self.format.query(line_at(lines, start)) {
                return Some((start, query));
            }
            place = start;
        }
        None
    }

    /// The first line with a row whose query passes a test.
    fn first_row(&self, lines: &[u8], test: impl Fn(&[u8]) -> bool) -> Option<usize> {
        let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', lines).map(|end| end + 1));
        starts
            .take_while(|&start| start < lines.len())
            .find(|&start| self.format.query(line_at(lines, start)).is_some_and(&test))
    }
}

/// The line that begins at a place, without its line end.
fn line_at(lines: &[u8], start: usize) -> &[u8] {
    let rest = &lines[start..];
    lines::without_return(&rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())])
}
