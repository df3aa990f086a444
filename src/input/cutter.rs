//! Cuts a text into blocks of whole lines, where the query changes or anywhere.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read};

use super::blocks::LineFormat;
use super::open::unreadable;
use super::{Source, lines};
use crate::error::{Fault, InputErrorKind};
use crate::run::Wants;

/// How many times as large as usual a block may become that is kept.
const LARGEST: usize = 16;

/// The blocks of a text, one at a time.
pub(super) struct Blocks<'a> {
    source: &'a mut Source,
    format: &'a dyn LineFormat,
    /// Blocks that were given back, to be given out again.
    again: VecDeque<Vec<u8>>,
    /// What was read behind the last border.
    rest: Vec<u8>,
    number: u64,
    /// Whether nothing more can be read.
    ended: bool,
    /// Why, if that is not the end of the text.
    fault: Option<Fault>,
    /// The longest line that is read, in bytes.
    longest: usize,
    /// Whether a block may end between two rows of one query.
    cuts_queries: bool,
    /// From how many bytes on a block may do so in any case.
    largest: usize,
    /// How much is read at a time.
    size: usize,
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

    /// Takes the block out of the buffer, in no more memory than it needs.
    pub fn take(&mut self) -> Vec<u8> {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.truncate(std::mem::take(&mut self.filled));
        bytes.shrink_to_fit();
        bytes
    }
}

impl<'a> Blocks<'a> {
    /// The blocks of a source.
    pub fn new(source: &'a mut Source, format: &'a dyn LineFormat) -> Self {
        let (size, longest) = (source.block_size(), lines::LONGEST << 20);
        let (again, rest, fault) = Default::default();
        Self {
            source,
            format,
            again,
            rest,
            number: 0,
            ended: false,
            fault,
            longest,
            cuts_queries: false,
            largest: usize::MAX,
            size,
        }
    }

    /// Makes the next blocks as they are wanted.
    pub fn suit(&mut self, wants: Wants) {
        self.cuts_queries = !wants.whole_queries;
        self.largest = if wants.keep { self.source.block_size().saturating_mul(LARGEST) } else { usize::MAX };
        self.size = self.source.block_size().saturating_mul(wants.size);
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

    /// Takes back the last blocks, all that were given out from one on, and the fault behind them.
    pub fn give_back(&mut self, blocks: Vec<Vec<u8>>, fault: Option<Fault>) {
        self.number -= blocks.len() as u64 + u64::from(fault.is_some());
        self.again = blocks.into();
        self.fault = self.fault.take().or(fault);
    }

    /// Whether the text can be had a second time.
    pub fn can_be_reopened(&self) -> bool {
        self.source.can_be_reopened()
    }

    /// Whether all of the text has been given out.
    pub fn is_at_end(&self) -> bool {
        self.ended && self.again.is_empty() && self.rest.is_empty() && self.fault.is_none()
    }

    fn fill(&mut self, buffer: &mut Buffer) {
        if let Some(block) = self.again.pop_front() {
            *buffer = Buffer { filled: block.len(), bytes: block };
            return;
        }
        let size = self.size.max(self.rest.len() * 2);
        if buffer.bytes.len() < size {
            // New memory is zero without being touched, which a small text never does.
            buffer.bytes = vec![0; size];
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

    /// Where the block must end: behind its last line at the end of the text or where queries may be
    /// cut, else before the last query, of which more may come; 0 where that is all of it.
    fn border(&mut self, text: &[u8]) -> usize {
        if self.ended && self.fault.is_none() {
            return text.len();
        }
        let lines = memchr::memrchr(b'\n', text).map_or(0, |end| end + 1);
        let reach = self.format.long_records(&text[..lines]);
        let whole = reach.map_or(lines, |reach| reach.whole);
        if text.len() - whole > self.longest {
            self.stop(Fault::at_line(1, InputErrorKind::LongLine { limit: lines::LONGEST }));
        }
        // What stands before a fault is read to its last whole record.
        if self.ended || self.cuts_queries || text.len() >= self.largest {
            whole
        } else {
            reach.map_or_else(|| self.last_change(&text[..lines]), |reach| reach.last_query)
        }
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

#[cfg(test)]
mod tests {
    use std::io;

    use super::super::blocks::{Scored, Text};
    use super::super::{FaultLog, columns};
    use super::*;
    use crate::run::RunSink;

    /// Lines whose query is their first word, but for comments.
    struct FirstWord;

    impl LineFormat for FirstWord {
        fn query<'l>(&self, line: &'l [u8]) -> Option<&'l [u8]> {
            let word = columns::split_blanks::<1>(line).0[0];
            (!word.is_empty() && word != b"#").then_some(word)
        }

        fn rows_are_scored(&self) -> Scored {
            Scored::NotAlways
        }

        fn read(&self, _: Text<'_>, _: &mut bool, _: &mut dyn RunSink, _: &mut FaultLog) -> Result<u64, Fault> {
            unreachable!("the blocks are looked at here and not read")
        }
    }

    /// The blocks of a text, with the message of the fault that ends it.
    fn blocks_of(source: Source, size: usize, longest: usize) -> (Vec<String>, Option<String>) {
        let mut source = source.in_blocks_of(size);
        let mut blocks = Blocks { longest, ..Blocks::new(&mut source, &FirstWord) };
        let (mut all, mut buffer) = (Vec::new(), Buffer::default());
        loop {
            match blocks.next(&mut buffer) {
                Ok(Some(_)) => all.push(String::from_utf8(buffer.text().to_vec()).unwrap()),
                Ok(None) => return (all, None),
                Err(fault) => return (all, Some(format!("{:?}: {}", fault.line, fault.kind))),
            }
        }
    }

    fn blocks(text: &str, size: usize) -> Vec<String> {
        blocks_of(Source::from_bytes("run", text.into()), size, usize::MAX).0
    }

    #[test]
    fn no_query_is_cut_in_two_whatever_the_size() {
        let queries: Vec<String> = (0..40).map(|query| format!("q{query} d\n").repeat(1 + query * 7 % 13)).collect();
        let text = queries.join("# a comment\n\n");
        for size in 1..text.len() {
            let blocks = blocks(&text, size);
            assert_eq!(blocks.concat(), text);
            let queries = |block: &String| -> Vec<String> {
                let words = block.lines().filter_map(|line| line.split(' ').next());
                words.filter(|word| word.starts_with('q')).map(str::to_owned).collect()
            };
            for pair in blocks.windows(2) {
                assert_ne!(queries(&pair[0]).last(), queries(&pair[1]).first(), "{size}");
            }
        }
        assert!(blocks(&text, 100).len() > 10);
    }

    #[test]
    fn lines_in_any_order_and_lines_without_a_query_are_all_given_out() {
        for text in ["a\nb\na\nb\na\nb\n", "# a\n\n# b\n", "\n", "", "a\na", "a\n \na\n#\na\n"] {
            for size in 1..12 {
                assert_eq!(blocks(text, size).concat(), text, "{text:?} {size}");
            }
        }
    }

    #[test]
    fn what_stands_before_a_fault_is_given_out_first() {
        let lines = "a 1\n".repeat(500) + "b 1\n";
        let stream = io::Cursor::new(lines.clone() + "b").chain(Failing);
        let source = Source::from_reader("run", stream).unwrap();
        let (blocks, fault) = blocks_of(source, 4, usize::MAX);
        assert_eq!(blocks.concat(), lines);
        assert_eq!(fault.as_deref(), Some("None: cannot be read: out of order"));
    }

    #[test]
    fn a_line_that_does_not_end_is_a_fault_of_the_line_behind_the_block() {
        let text = format!("a 1\na 2\nb {}", "x".repeat(500));
        let (blocks, fault) = blocks_of(Source::from_bytes("run", text.into()), 4, 100);
        assert_eq!(blocks.concat(), "a 1\na 2\n");
        assert_eq!(fault.as_deref(), Some("Some(1): the line is longer than 256 MiB"));
    }

    struct Failing;

    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("out of order"))
        }
    }
}
