//! The results of a query as places in a text, where they are plain from the first to the last and
//! no more than an id with a score, or an id.
//!
//! As with single rows, nothing is decided here: what is the least bit different is not listed, and
//! goes another way. Results that are like the one before are taken apart eight bytes at a time.

use std::ops::Range;

use super::Value;
use super::plain::Scanner;
use super::plain_results::PlainItem;
use crate::id::Fingerprints;
use crate::input::alike::{Alike, Part, Piece};
use crate::input::columns;
use crate::run::{Keyed, Listed, Listing};

/// Lists the results of one query after the other; its memory is used again.
pub(super) struct Lister {
    alike: Alike,
    /// What closes the results.
    close: u8,
    /// What objects look like.
    item: Option<PlainItem>,
    /// The values of the last result that was looked at.
    pieces: Vec<Piece>,
    /// The results, in the order of the text.
    pub results: Vec<Listed>,
    /// What orders them.
    pub keyed: Keyed,
}

impl Lister {
    pub fn new() -> Self {
        let (close, item, pieces, results, keyed) = Default::default();
        Self { alike: Alike::new(b'\\'), close, item, pieces, results, keyed }
    }

    /// Lists the results that start at a place of a text and says where it goes on behind them;
    /// `None` where they are not plain.
    pub fn list(&mut self, text: &str, start: usize) -> Option<usize> {
        self.results.clear();
        (text.len() <= Listing::LONGEST).then_some(())?;
        let mut scanner = Scanner { text: text.as_bytes(), at: start + 1 };
        let close = match text.as_bytes().get(start)? {
            b'{' => b'}',
            b'[' => b']',
            _ => return None,
        };
        if close != self.close {
            self.alike.forget();
            self.close = close;
        }
        scanner.pass_blanks();
        if scanner.peek()? == close {
            return Some(scanner.at + 1);
        }
        loop {
            while let Some(found) = self.alike.take_apart(scanner.text, scanner.at) {
                self.results.push(found.row);
                scanner.at = found.end;
            }
            scanner.pass_blanks();
            let from = scanner.at;
            let (result, keyed) = self.next(text, &mut scanner)?;
            if self.keyed != keyed {
                // Nothing that is ordered in another way stands before it.
                self.results.is_empty().then(|| self.keyed = keyed)?;
                self.alike.forget();
            }
            self.results.push(result);
            scanner.pass_blanks();
            match scanner.peek()? {
                b',' => scanner.at += 1,
                byte => return (byte == close).then_some(scanner.at + 1),
            }
            scanner.pass_blanks();
            self.alike.learn(&scanner.text[from..scanner.at], &mut self.pieces);
        }
    }

    /// The result that stands next, and what orders it.
    fn next(&mut self, text: &str, scanner: &mut Scanner<'_>) -> Option<(Listed, Keyed)> {
        let from = scanner.at;
        self.pieces.clear();
        let (document, key, keyed) = match scanner.peek()? {
            first if self.close == b'}' => {
                (first == b'"').then_some(())?;
                let document = self.value(Part::Document, from, scanner)?.id()?;
                scanner.expect(b':')?;
                (document, self.value(Part::Score, from, scanner)?.number()?, Keyed::Score)
            }
            b'{' => {
                let (document, score) = self.object(text, scanner)?;
                (document, score, Keyed::Score)
            }
            _ => (self.value(Part::Document, from, scanner)?.id()?, 0.0, Keyed::Position),
        };
        let Range { start, end } = columns::span(scanner.text, document);
        let fingerprint = Fingerprints::default().of(document);
        Some((Listed { start, end, fingerprint, key, rank: f64::NAN }, keyed))
    }

    /// The id and the score of an object that looks like those before it or is the first of a list.
    fn object<'t>(&mut self, text: &str, scanner: &mut Scanner<'t>) -> Option<(&'t [u8], f64)> {
        let from = scanner.at;
        if let Some(item) = &self.item
            && let Some(found) = item.take_apart(scanner, &mut self.pieces)
        {
            return Some(found);
        }
        self.results.is_empty().then_some(())?;
        scanner.at = from;
        self.item = PlainItem::first_of(&text[from..]);
        self.item.as_ref()?.take_apart(scanner, &mut self.pieces)
    }

    /// The value that stands next, as a piece of the result that begins at a place.
    fn value<'t>(&mut self, part: Part, from: usize, scanner: &mut Scanner<'t>) -> Option<Value<'t>> {
        let value = scanner.value()?;
        self.pieces.extend(piece(part, from, scanner.text, value));
        Some(value)
    }
}

/// A value as a piece of a result that begins at a place; a word is as it is.
pub(super) fn piece(part: Part, from: usize, text: &[u8], value: Value<'_>) -> Option<Piece> {
    let (value, is_bare) = match value {
        Value::Text(text) => (text, false),
        Value::Number(digits) => (digits, true),
        Value::Word(_) => return None,
    };
    let Range { start, end } = columns::span(text, value);
    Some(Piece { part, place: start - from..end - from, is_bare })
}
