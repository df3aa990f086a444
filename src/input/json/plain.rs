//! Rows as most tools write them: the same keys in each row, and texts without an escape, numbers
//! and words for values.
//!
//! Nothing is decided here. Once a row has been taken the general way, others that look like it are
//! taken apart without looking at their keys; whatever is the least bit different goes the general
//! way again, and so does everything that is wrong.

use super::split::pass_blanks;
use super::{Record, scalar};
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
        scanner.expect(b'{')?;
        for (place, key) in self.keys.iter().enumerate() {
            if place > 0 {
                scanner.expect(b',')?;
            }
            scanner.key(key)?;
            take(place, scanner.value()?);
        }
        scanner.expect(b'}')?;
        scanner.pass_blanks();
        (scanner.at == text.len()).then_some(())
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

/// Passes over JSON of the plainest kind, and gives up on any other.
struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn pass_blanks(&mut self) {
        self.at = pass_blanks(self.text, self.at);
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
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

    fn value(&mut self) -> Option<Value<'a>> {
        self.pass_blanks();
        match self.peek()? {
            b'"' => self.characters().map(Value::Text),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            _ => self.digits().map(Value::Number),
        }
    }

    fn word(&mut self, word: &'static [u8]) -> Option<Value<'a>> {
        self.text[self.at..].starts_with(word).then(|| self.at += word.len())?;
        Some(Value::Word(word))
    }

    /// A text without escapes; it is UTF-8, as all JSON must be.
    fn characters(&mut self) -> Option<&'a [u8]> {
        let rest = &self.text[self.at + 1..];
        let mut is_ascii = true;
        let length = rest.iter().position(|&byte| {
            is_ascii &= byte.is_ascii();
            byte < b' ' || byte == b'"' || byte == b'\\'
        })?;
        let characters = &rest[..length];
        let is_text = rest[length] == b'"' && (is_ascii || std::str::from_utf8(characters).is_ok());
        self.at += length + 2;
        is_text.then_some(characters)
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
