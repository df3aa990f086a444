//! What stands before the first row of a text: blank lines and comments, as many as there are.
//!
//! They are passed over in blocks and only counted, so that a text may begin with any number of
//! them; a reader gets as many lines as there were, and so the lines below keep their numbers.

use std::io::{self, Read};

use super::columns;

/// The line that passing over has come to.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Within {
    /// A line of which nothing but blanks was seen.
    #[default]
    Blank,
    /// A line whose first byte was seen, and is `#`.
    Comment,
}

/// Lines that were passed over. As a reader it gives a line for each of them: `#` for a comment.
#[derive(Debug, Default)]
pub(super) struct Opening {
    within: Within,
    /// Whether blanks of the line were passed over, so that no `#` of it begins a comment.
    begun: bool,
    comments: u64,
    blanks: u64,
    /// Whether the `#` of a comment is given out and its line end is not.
    halved: bool,
}

impl Opening {
    /// Passes over the start of a text that goes on behind it, and says how much of it that is:
    /// all of it, or everything before the line of the first row.
    pub(super) fn pass_over(&mut self, text: &[u8]) -> usize {
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            if self.within == Within::Blank && !self.begun && rest[0] == b'#' {
                self.within = Within::Comment;
            }
            let end = memchr::memchr(b'\n', rest);
            let line = &rest[..end.unwrap_or(rest.len())];
            if self.within == Within::Blank && !columns::is_empty(line) {
                return at;
            }
            match end {
                Some(_) => self.end_line(),
                None => self.begun = true,
            }
            at += end.map_or(rest.len(), |end| end + 1);
        }
        at
    }

    fn end_line(&mut self) {
        match self.within {
            Within::Blank => self.blanks += 1,
            Within::Comment => self.comments += 1,
        }
        (self.within, self.begun) = (Within::Blank, false);
    }
}

impl Read for Opening {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.comments == 0 {
            let count = buffer.len().min(usize::try_from(self.blanks).unwrap_or(usize::MAX));
            buffer[..count].fill(b'\n');
            self.blanks -= count as u64;
            return Ok(count);
        }
        let mut count = 0;
        while count < buffer.len() && self.comments > 0 {
            buffer[count] = if self.halved { b'\n' } else { b'#' };
            self.comments -= u64::from(self.halved);
            self.halved = !self.halved;
            count += 1;
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(blocks: &[&[u8]]) -> (Vec<usize>, String) {
        let mut opening = Opening::default();
        let ends = blocks.iter().map(|block| opening.pass_over(block)).collect();
        let mut text = String::new();
        opening.read_to_string(&mut text).unwrap();
        (ends, text)
    }

    #[test]
    fn lines_without_a_row_are_counted_up_to_the_first_row() {
        assert_eq!(passed(&[b"\n# a\n \t\r\n#b\n q1 0 d 1\n"]), (vec![12], "#\n#\n\n\n".into()));
        assert_eq!(passed(&[b"q1"]), (vec![0], String::new()));
    }

    #[test]
    fn a_line_may_end_in_a_later_block() {
        assert_eq!(passed(&[b"# a", b" # b", b"\n\n", b"q1"]), (vec![3, 4, 2, 0], "#\n\n".into()));
        assert_eq!(passed(&[b"  ", b"# no comment"]), (vec![2, 0], String::new()));
    }
}
