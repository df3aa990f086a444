//! The entries of one long object, or the values of one long list, a window of the text at a time.
//!
//! What a fault says is the same as if the whole text were in memory: around each entry the window
//! holds as much as an excerpt can show, and text that is no JSON is given to the parser from the
//! entry on. Only a text that is faulty is read to its end at once.

use std::io::Read;
use std::ops::Range;

use serde_json::value::RawValue;

use super::Document;
use super::entry::{Entry, TakePiece};
use super::place::{Mark, SHOWN};
use super::split::{behind, pass_blanks};
use crate::error::{Fault, InputErrorKind};
use crate::input::open::unreadable;

/// How much of a text is looked at at a time; shorter ones are read as a whole.
pub(in crate::input) const WINDOW: usize = 1 << 20;

/// A part of a text, and the rest of it.
pub(super) struct Window<'s> {
    stream: &'s mut dyn Read,
    bytes: Vec<u8>,
    /// Where the part starts in the text.
    mark: Mark,
    /// Where the entries that were not taken yet start, with the comma before them.
    at: usize,
    size: usize,
    is_object: bool,
    /// Whether no entry was taken yet.
    is_first: bool,
    ended: bool,
}

/// What stands behind the last entry that was taken.
pub(super) enum Found {
    /// An entry whose value starts at a place.
    Entry { key: Option<Range<usize>>, value: usize },
    /// The closing bracket, and where the text behind it starts.
    Closed(usize),
    /// Less than an entry and what can be shown behind it.
    Incomplete,
    /// Something that is no JSON.
    Odd,
}

impl<'s> Window<'s> {
    /// A window on a text that begins with a number of lines already passed over; `None` when it
    /// does not begin with a bracket.
    pub(super) fn new(bytes: Vec<u8>, first_line: u64, stream: &'s mut dyn Read, size: usize) -> Option<Self> {
        let start = pass_blanks(&bytes, 0);
        let is_object = match bytes.get(start)? {
            b'{' => true,
            b'[' => false,
            _ => return None,
        };
        let (mark, at) = (Mark::start_of(first_line), start + 1);
        Some(Self { stream, bytes, mark, at, size, is_object, is_first: true, ended: false })
    }

    /// Hands out all entries.
    ///
    /// # Errors
    /// When the text is no JSON; what `take` gives back.
    pub(super) fn each(mut self, take: &mut dyn TakePiece) -> Result<(), Fault> {
        loop {
            let length = self.valid()?;
            let text = std::str::from_utf8(&self.bytes[..length]).unwrap_or_default();
            let document = Document::at(text, self.mark);
            let taken = self.at;
            let (mut at, mut is_first) = (self.at, self.is_first);
            let (mut line, mut counted) = (self.mark.line, 0);
            let end = loop {
                match self.find(text.as_bytes(), at, is_first) {
                    Found::Entry { key, value } => {
                        line += memchr::memchr_iter(b'\n', &text.as_bytes()[counted..value]).count() as u64;
                        counted = value;
                        let entry = Entry { document: &document, key, value, line, limit: self.limit(text) };
                        match entry.hand_out(take)? {
                            Ok(end) => (at, is_first) = (end, false),
                            Err(other) => break other,
                        }
                    }
                    other => break other,
                }
            };
            (self.at, self.is_first) = (at, is_first);
            match end {
                Found::Closed(end) => return self.close(end),
                Found::Odd => return Err(self.syntax_fault()),
                Found::Incomplete if self.ended => return Err(self.syntax_fault()),
                _ => self.advance(self.at == taken)?,
            }
        }
    }

    /// How much of the window is whole characters.
    fn valid(&self) -> Result<usize, Fault> {
        match std::str::from_utf8(&self.bytes) {
            Ok(text) => Ok(text.len()),
            Err(error) if error.error_len().is_none() && !self.ended => Ok(error.valid_up_to()),
            Err(error) => Err(self.not_utf8(error.valid_up_to())),
        }
    }

    fn not_utf8(&self, offset: usize) -> Fault {
        let place = self.mark.after(&self.bytes[..offset]);
        if self.is_object {
            return Fault::at_line(place.line, InputErrorKind::NotUtf8);
        }
        let mut fault = Fault::not_utf8(&self.bytes, offset, self.mark.line);
        if let Some(excerpt) = fault.excerpt.as_mut().filter(|_| place.line == self.mark.line) {
            excerpt.skipped += self.mark.column;
        }
        fault
    }

    fn find(&self, text: &[u8], at: usize, is_first: bool) -> Found {
        let close = if self.is_object { b'}' } else { b']' };
        let mut at = pass_blanks(text, at);
        match text.get(at) {
            None => return Found::Incomplete,
            Some(&byte) if byte == close => return Found::Closed(at + 1),
            Some(b',') if !is_first => at = pass_blanks(text, at + 1),
            Some(_) if !is_first => return Found::Odd,
            Some(_) => {}
        }
        let mut key = None;
        if self.is_object {
            let start = at;
            match text.get(start) {
                None => return Found::Incomplete,
                Some(b'"') => at = behind(text, start),
                Some(_) => return Found::Odd,
            }
            key = Some(start..at);
            at = pass_blanks(text, at);
            match text.get(at) {
                None => return Found::Incomplete,
                Some(b':') => at = pass_blanks(text, at + 1),
                Some(_) => return Found::Odd,
            }
        }
        Found::Entry { key, value: at }
    }

    /// Where an entry must end to be whole: behind it stands as much as an excerpt can show.
    fn limit(&self, text: &str) -> usize {
        let behind = if self.ended { 1 } else { SHOWN + 1 };
        text.len().saturating_sub(behind)
    }

    /// Drops what was taken and reads on; by more than before where nothing could be taken.
    fn advance(&mut self, is_stuck: bool) -> Result<(), Fault> {
        if is_stuck {
            self.size *= 2;
        }
        let mut dropped = self.at.saturating_sub(SHOWN);
        // Between two characters, so that columns stay right.
        while self.bytes.get(dropped).is_some_and(|&byte| byte as i8 <= -0x41) {
            dropped -= 1;
        }
        self.mark = self.mark.after(&self.bytes[..dropped]);
        self.bytes.drain(..dropped);
        self.at -= dropped;
        let missing = self.size.saturating_sub(self.bytes.len()).max(SHOWN) as u64;
        let read = Read::take(&mut *self.stream, missing).read_to_end(&mut self.bytes);
        self.ended = (read.map_err(|error| unreadable(&error))? as u64) < missing;
        Ok(())
    }

    /// Behind the closing bracket there must be nothing.
    fn close(mut self, end: usize) -> Result<(), Fault> {
        self.stream.read_to_end(&mut self.bytes).map_err(|error| unreadable(&error))?;
        match pass_blanks(&self.bytes, end) < self.bytes.len() {
            true => Err(self.syntax_fault()),
            false => Ok(()),
        }
    }

    /// What is wrong with the rest of the text, as the parser says it.
    fn syntax_fault(mut self) -> Fault {
        if let Err(error) = self.stream.read_to_end(&mut self.bytes) {
            return unreadable(&error);
        }
        self.ended = true;
        let text = match std::str::from_utf8(&self.bytes) {
            Ok(text) => text,
            Err(error) => return self.not_utf8(error.valid_up_to()),
        };
        // The parser is brought to where it would be.
        let before = match (self.is_object, self.is_first) {
            (true, true) => "{",
            (true, false) => "{\"\":[]",
            (false, true) => "[",
            (false, false) => "[[]",
        };
        let rest = format!("{before}{}", &text[self.at..]);
        let parsed = serde_json::from_str::<&RawValue>(&rest).err();
        let document = Document::at(text, self.mark);
        match parsed {
            Some(error) => {
                let offset = Document::at(&rest, self.mark).offset_of(error.line(), error.column());
                document.syntax_fault_at((self.at + offset).saturating_sub(before.len()), &error)
            }
            None => document.fault(self.at..self.at, InputErrorKind::Json { reason: "unexpected text".to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Node;
    use super::*;
    use crate::input::{FaultLog, OnError};
    use proptest::prelude::*;
    use proptest::sample::{Index, select};

    /// Keeps the entries as they are written, with their places; some of them are faulty.
    struct Keep(Vec<String>, FaultLog);

    impl Keep {
        fn entry(&mut self, key: Option<Node<'_>>, value: Node<'_>) -> Result<(), Fault> {
            if value.raw().contains("bad") {
                return Err(value.fault(InputErrorKind::MixedGrades));
            }
            self.0.push(format!("{:?} {} {}", key.map(|key| (key.raw(), key.line())), value.raw(), value.line()));
            Ok(())
        }
    }

    impl TakePiece for Keep {
        fn piece(&mut self, key: Option<Node<'_>>, value: Node<'_>) -> Result<(), Fault> {
            self.entry(key, value)
        }

        fn skip(&mut self, fault: Fault) -> Result<(), Fault> {
            self.1.skip(fault)
        }
    }

    /// What comes of a text that is read through a window.
    fn in_windows(text: &[u8], size: usize) -> String {
        let (start, mut rest) = text.split_at(size.min(text.len()));
        let mut keep = Keep(Vec::new(), FaultLog::new("f", OnError::Skip));
        let window = Window::new(start.to_vec(), 3, &mut rest, size).unwrap();
        let read = window.each(&mut keep);
        shown(read, keep)
    }

    /// What comes of the same text as a whole.
    fn at_once(text: &[u8]) -> String {
        let mut keep = Keep(Vec::new(), FaultLog::new("f", OnError::Skip));
        let Ok(text) = std::str::from_utf8(text) else {
            let offset = std::str::from_utf8(text).unwrap_err().valid_up_to();
            let line = 3 + memchr::memchr_iter(b'\n', &text[..offset]).count() as u64;
            let fault = if text.trim_ascii_start().starts_with(b"{") {
                Fault::at_line(line, InputErrorKind::NotUtf8)
            } else {
                Fault::not_utf8(text, offset, 3)
            };
            return shown(Err(fault), keep);
        };
        let document = Document::new(text, 3);
        let read = document.root().and_then(|root| {
            let entries = match text.trim_ascii_start().starts_with('{') {
                true => root.entries("x", "y")?.into_iter().map(|(key, value)| (Some(key), value)).collect(),
                false => root.items()?.into_iter().map(|value| (None, value)).collect::<Vec<_>>(),
            };
            entries.into_iter().try_for_each(|(key, value)| {
                let taken = keep.entry(key, value);
                taken.or_else(|fault| keep.skip(fault))
            })
        });
        shown(read, keep)
    }

    /// Before a text that is no JSON, entries may have been handed out.
    fn shown(read: Result<(), Fault>, keep: Keep) -> String {
        match read {
            Ok(()) => format!("{:?} {:?}", keep.0, keep.1),
            Err(fault) => match &fault.excerpt {
                // The excerpt of a line without end shows what is in the window.
                Some(excerpt) if *fault.kind == InputErrorKind::NotUtf8 => {
                    format!("{:?} {}", fault.line, excerpt.skipped + excerpt.text[..excerpt.span.start].chars().count())
                }
                _ => format!("{fault:?}"),
            },
        }
    }

    fn text() -> impl Strategy<Value = Vec<u8>> {
        let values = vec![
            "1",
            "-2.5e3",
            "true",
            "null",
            "\"a\\\"]}\"",
            "\"é\"",
            "{}",
            "[[], {\"k\": [1, 2]}]",
            "\"bad\"",
            "{\"x\":\n1}",
            "01",
            "\"\\u00e9\"",
            "\"x\u{1}\"",
        ];
        let long = (1..3000_usize).prop_map(|length| format!("\"{}\"", "xé".repeat(length)));
        let value = prop_oneof![8 => select(values).prop_map(str::to_owned), 1 => long];
        let blank = select(vec!["", "", " ", "\n", "\r\n  "]);
        let entries = proptest::collection::vec((value, blank), 0..60);
        let byte = select(b"{}[]\":,\\ 01.-etn\xC3\xA9\xff\n".to_vec());
        let damages = proptest::collection::vec((any::<Index>(), byte, 0..4_u8), 0..2);
        (any::<bool>(), entries, damages).prop_map(|(is_object, entries, damages)| {
            let mut text = if is_object { "{".to_owned() } else { " [".to_owned() };
            for (index, (value, blank)) in entries.iter().enumerate() {
                text += if index > 0 { "," } else { "" };
                text += blank;
                text += &if is_object { format!("\"k{index}\"{blank}:{blank}") } else { String::new() };
                text += value;
                text += blank;
            }
            text += if is_object { "}\n" } else { "]" };
            let mut text = text.into_bytes();
            for (place, byte, what) in damages {
                let place = 2 + place.index(text.len() - 2);
                match what {
                    0 => text.insert(place, byte),
                    1 | 2 => text[place] = byte,
                    _ => text.truncate(place),
                }
            }
            text
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn a_text_in_windows_says_what_it_says_as_a_whole(text in text(), size in 2..4000_usize) {
            prop_assert_eq!(in_windows(&text, size), at_once(&text));
        }
    }
}
