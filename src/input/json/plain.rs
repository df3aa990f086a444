//! Rows as most tools write them: the same keys in each row, and texts without an escape, numbers
//! and words for values.
//!
//! Nothing is decided here. Once a row has been taken the general way, others that look like it are
//! taken apart without looking at their keys; whatever is the least bit different goes the general
//! way again, and so does everything that is wrong.

use super::split::pass_blanks;
use super::{Record, scalar};
use crate::input::words::{self, WINDOW};
use crate::input::{columns, number};

/// The keys of a row, in their order.
#[derive(Debug, Clone)]
pub(in crate::input) struct Shape {
    keys: Vec<Box<[u8]>>,
}

/// A value that is no list and no object.
#[derive(Debug, Clone, Copy)]
pub(in crate::input) enum Value<'a> {
    /// The characters between the quotes.
    Text(&'a [u8]),
    /// A number as it is written.
    Number(&'a [u8]),
    /// `true`, `false` or `null`.
    Word(&'a [u8]),
}

impl Shape {
    /// The shape of rows like one; `None` where a key cannot be known by its bytes.
    pub(in crate::input) fn of(row: &Record<'_>) -> Option<Self> {
        let is_plain = |key: &str| !key.bytes().any(|byte| byte < b' ' || matches!(byte, b'"' | b'\\'));
        let keys = row.fields().iter().map(|(key, _)| is_plain(key).then(|| key.as_bytes().into()));
        Some(Self { keys: keys.collect::<Option<_>>()? })
    }

    /// The values at some places of a row of this shape; `None` for any other text.
    pub(in crate::input) fn read<'a, const N: usize>(
        &self,
        text: &'a [u8],
        places: [Option<usize>; N],
    ) -> Option<[Option<Value<'a>>; N]> {
        let mut values = [None; N];
        self.each(text, |place, value| {
            for (slot, wanted) in values.iter_mut().zip(places) {
                if wanted == Some(place) {
                    *slot = Some(value);
                }
            }
        })?;
        Some(values)
    }

    /// Hands out the values of a row of this shape, each with its place; `None` for any other text.
    pub(in crate::input) fn each<'a>(&self, text: &'a [u8], mut take: impl FnMut(usize, Value<'a>)) -> Option<()> {
        let mut scanner = Scanner { text, at: 0 };
        self.walk(&mut scanner, |place, scanner| {
            take(place, scanner.value()?);
            Some(())
        })?;
        scanner.is_at_end().then_some(())
    }

    /// Passes over a row of this shape whose values are read by `read`, which is told their places.
    #[inline]
    pub(super) fn walk<'a>(
        &self,
        scanner: &mut Scanner<'a>,
        mut read: impl FnMut(usize, &mut Scanner<'a>) -> Option<()>,
    ) -> Option<()> {
        scanner.expect(b'{')?;
        for (place, key) in self.keys.iter().enumerate() {
            if place > 0 {
                scanner.expect(b',')?;
            }
            scanner.key(key)?;
            read(place, scanner)?;
        }
        scanner.expect(b'}')
    }
}

impl<'a> Value<'a> {
    /// The value as an id, where it is one.
    pub(in crate::input) fn id(self) -> Option<&'a [u8]> {
        match self {
            Self::Text(text) => {
                let is_id = !text.is_empty() && columns::invisible_start("id", text).is_none();
                is_id.then_some(text)
            }
            Self::Number(digits) => scalar::is_whole(digits).then_some(digits),
            Self::Word(_) => None,
        }
    }

    /// The value as a finite number, where it is one.
    pub(in crate::input) fn number(self) -> Option<f64> {
        match self {
            Self::Text(text) | Self::Number(text) => number::parse(text),
            Self::Word(_) => None,
        }
    }

    /// The value as a grade, where it is one.
    pub(in crate::input) fn grade(self) -> Option<f64> {
        match self {
            Self::Text(text) | Self::Number(text) | Self::Word(text) => number::grade(text),
        }
    }

    /// Whether there is no value.
    pub(in crate::input) fn is_null(self) -> bool {
        matches!(self, Self::Word(b"null"))
    }
}

/// The characters of an id in quotes.
pub(super) fn plain_id(text: &str) -> Option<&str> {
    let mut scanner = Scanner { text: text.as_bytes(), at: 0 };
    let length = scanner.text_value()?.id()?.len();
    (scanner.at == text.len()).then(|| &text[1..=length])
}

/// Passes over JSON of the plainest kind, and gives up on any other.
pub(super) struct Scanner<'a> {
    pub(super) text: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Whether only blanks are left.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.pass_blanks();
        self.at == self.text.len()
    }

    pub(super) fn pass_blanks(&mut self) {
        // Nearly always there is none.
        if self.peek().is_some_and(|byte| byte <= b' ') {
            self.at = pass_blanks(self.text, self.at);
        }
    }

    /// Passes over a byte and the blanks before it.
    pub(super) fn expect(&mut self, byte: u8) -> Option<()> {
        self.pass_blanks();
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// A key and the colon behind it.
    fn key(&mut self, key: &[u8]) -> Option<()> {
        self.expect(b'"')?;
        let rest = self.text[self.at..].strip_prefix(key)?;
        (*rest.first()? == b'"').then(|| self.at += key.len() + 1)?;
        self.expect(b':')
    }

    /// Passes over a list or an object, each part of which is read by `read`.
    #[inline]
    pub(super) fn each(&mut self, close: u8, mut read: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.at += 1;
        self.pass_blanks();
        if self.peek()? == close {
            self.at += 1;
            return Some(());
        }
        loop {
            self.pass_blanks();
            read(self)?;
            self.pass_blanks();
            let byte = self.peek()?;
            self.at += 1;
            match byte {
                b',' => {}
                _ => return (byte == close).then_some(()),
            }
        }
    }

    /// A text.
    pub(super) fn text_value(&mut self) -> Option<Value<'a>> {
        (self.peek()? == b'"').then(|| self.characters().map(Value::Text))?
    }

    /// The value that stands next.
    pub(super) fn value(&mut self) -> Option<Value<'a>> {
        self.pass_blanks();
        match self.peek()? {
            b'"' => self.characters().map(Value::Text),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            _ => self.digits().map(Value::Number),
        }
    }

    /// The finite number that stands next.
    #[inline]
    pub(super) fn number(&mut self) -> Option<f64> {
        self.pass_blanks();
        self.decimal().or_else(|| self.value()?.number())
    }

    /// A plain decimal that is not at the end of the text.
    #[inline]
    fn decimal(&mut self) -> Option<f64> {
        let window: &[u8; WINDOW] = self.text[self.at..].first_chunk()?;
        let (number, end) = words::decimal(window, 0)?;
        let digits = &window[usize::from(window[0] == b'-')..end];
        let is_json = match digits {
            [b'0', b'0'..=b'9', ..] => false,
            [b'0'..=b'9', .., last] => last.is_ascii_digit(),
            [only] => only.is_ascii_digit(),
            _ => false,
        };
        let is_whole = matches!(window.get(end)?, b',' | b'}' | b']' | b' ' | b'\t' | b'\r' | b'\n');
        (is_json && is_whole).then(|| self.at += end)?;
        Some(number)
    }

    fn word(&mut self, word: &'static [u8]) -> Option<Value<'a>> {
        self.text[self.at..].starts_with(word).then(|| self.at += word.len())?;
        Some(Value::Word(word))
    }

    /// A text without escapes; it is UTF-8, as all JSON must be.
    fn characters(&mut self) -> Option<&'a [u8]> {
        let start = self.at + 1;
        let length = plain_ascii(self.text, start);
        let end = match self.text.get(start + length)? {
            b'"' => start + length,
            byte if byte.is_ascii() => return None,
            _ => self.end_of_characters(start)?,
        };
        self.at = end + 1;
        Some(&self.text[start..end])
    }

    /// Where a text ends that is not ASCII alone.
    fn end_of_characters(&self, start: usize) -> Option<usize> {
        let rest = &self.text[start..];
        let length = rest.iter().position(|&byte| byte < b' ' || byte == b'"' || byte == b'\\')?;
        (rest[length] == b'"' && std::str::from_utf8(&rest[..length]).is_ok()).then_some(start + length)
    }

    /// A number by the grammar of JSON.
    fn digits(&mut self) -> Option<&'a [u8]> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        match self.peek()? {
            b'0' => self.at += 1,
            _ => self.pass_digits()?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.pass_digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.pass_digits()?;
        }
        Some(&self.text[start..self.at])
    }

    /// One digit or more.
    fn pass_digits(&mut self) -> Option<()> {
        let count = self.text[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        (count > 0).then_some(())
    }
}

/// How many bytes from a place on stand for themselves in a text of JSON: ASCII without quotes,
/// backslashes and control characters.
fn plain_ascii(text: &[u8], start: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * ONES;
    let mut at = start;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let mut word = [0; 8];
        match rest.first_chunk() {
            Some(bytes) => word = *bytes,
            None => word[..rest.len()].copy_from_slice(rest),
        }
        let word = u64::from_le_bytes(word);
        // A byte that is 0 borrows, and marks itself: only bytes above the first such one can be wrong.
        let zero = |word: u64| word.wrapping_sub(ONES) & !word;
        let control = word.wrapping_sub(0x20 * ONES) & !word;
        let others = control | zero(word ^ (0x22 * ONES)) | zero(word ^ (0x5C * ONES)) | word;
        match (others & HIGH).trailing_zeros() as usize / 8 {
            8 => at += 8,
            more => return at + more - start,
        }
    }
}
