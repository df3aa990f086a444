//! The results of a query, where they are plain from the first to the last: `{id: score}`, a list of
//! objects of the same keys, or a list of ids, without an escape.
//!
//! They are read in one pass over a text of which nothing is known yet. As with single rows, nothing
//! is decided here: where one result is the least bit different, or the text is no JSON, there are
//! no plain results, and the general way says what is wrong or what is meant.

use super::plain::Scanner;
use super::results::{CUT_FROM, PLACE};
use super::split::behind;
use super::{DOCUMENT, Document, Node, Record, Shape, UNIT, lister, score_place};
use crate::error::Fault;
use crate::id::Id;
use crate::input::alike::{Part, Piece};
use crate::input::order::{Score, ScoreKind};
use crate::run::{Chunk, Key, Row, RunSink};

/// Plain results, and where they stand.
pub(super) struct PlainResults<'a> {
    document: &'a Document<'a>,
    start: usize,
    /// Where the text goes on behind them.
    pub(super) end: usize,
    /// Each with its place: that of its key, of its object, or of itself.
    pub(super) results: Vec<(usize, PlainResult<'a>)>,
}

/// One of them.
pub(super) struct PlainResult<'a> {
    pub(super) id: &'a [u8],
    pub(super) key: Key,
    /// The document that it is cut from.
    document: Option<&'a [u8]>,
}

impl<'a> Node<'a> {
    /// The plain results that the value is.
    pub(super) fn plain(&self) -> Option<PlainResults<'a>> {
        PlainResults::read(self.document, self.offset())
    }
}

impl<'a> PlainResults<'a> {
    /// The results that start at a place of a text.
    pub(super) fn read(document: &'a Document<'a>, start: usize) -> Option<Self> {
        let mut scanner = Scanner { text: document.text().as_bytes(), at: start };
        let mut results = Vec::new();
        match scanner.peek()? {
            b'{' => scanner.each(b'}', |scanner| {
                let place = scanner.at;
                let id = scanner.text_value()?.id()?;
                scanner.expect(b':')?;
                let key = Key::Score(scanner.number()?);
                results.push((place, PlainResult { id, key, document: None }));
                Some(())
            }),
            b'[' => {
                let item = PlainItem::first_of(&document.text()[start + 1..]);
                scanner.each(b']', |scanner| {
                    let place = scanner.at;
                    let result = match &item {
                        Some(item) => item.read_next(scanner)?,
                        None => PlainResult { id: scanner.value()?.id()?, key: Key::Position, document: None },
                    };
                    results.push((place, result));
                    Some(())
                })
            }
            _ => None,
        }?;
        Some(Self { document, start, end: scanner.at, results })
    }

    /// Hands the results over in their order. `skip` says whether one that is refused costs only
    /// itself.
    ///
    /// # Errors
    /// What `skip` gives back.
    pub(super) fn rank(
        &self,
        query: &str,
        run: &mut dyn RunSink,
        mut skip: impl FnMut(Fault) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let text = self.document.text();
        let (mut line, mut counted) = (self.document.line_of(self.start), self.start);
        for &(place, ref result) in &self.results {
            if !self.document.is_line() {
                line += memchr::memchr_iter(b'\n', &text.as_bytes()[counted..place]).count() as u64;
                counted = place;
            }
            let (key, chunk) = (result.key, result.chunk());
            let row =
                Row { query: query.as_bytes(), document: result.id, key, rank: None, line, chunk: chunk.as_ref() };
            run.row(&row).map_err(|fault| self.node(place).locate(fault)).or_else(&mut skip)?;
        }
        Ok(())
    }

    fn node(&self, place: usize) -> Node<'a> {
        let text = self.document.text();
        Node { document: self.document, raw: &text[place..behind(text.as_bytes(), place)] }
    }
}

impl PlainResult<'_> {
    /// What the file says of the chunk.
    pub(super) fn chunk(&self) -> Option<Chunk> {
        self.document.map(|document| Chunk { document: Some(Id::from(document)), ..Chunk::default() })
    }
}

/// What objects with an id and a score look like.
pub(super) struct PlainItem {
    shape: Shape,
    score: Score,
    /// The places of the id and of the document.
    id: usize,
    document: Option<usize>,
}

impl PlainItem {
    /// What objects look like that are like one.
    pub(super) fn of(item: &Record<'_>) -> Option<Self> {
        if item.position(PLACE).is_some() {
            return None;
        }
        let score = score_place(item)?;
        let id = item.position(UNIT).or_else(|| item.position(DOCUMENT))?;
        Some(Self { shape: Shape::of(item)?, score, id, document: item.position(CUT_FROM) })
    }

    /// What the first value of a list looks like, if it is an object. The text may be no JSON: then
    /// there is nothing in it that looks so.
    pub(super) fn first_of(list: &str) -> Option<Self> {
        let list = list.trim_ascii_start();
        if !list.starts_with('{') {
            return None;
        }
        let document = Document::new(&list[..behind(list.as_bytes(), 0)], 1);
        Self::of(&Node { document: &document, raw: document.text() }.record().ok()?)
    }

    /// An object alone, if it looks like this.
    pub(super) fn read<'a>(&self, item: &'a str) -> Option<PlainResult<'a>> {
        let mut scanner = Scanner { text: item.as_bytes(), at: 0 };
        self.read_next(&mut scanner).filter(|_| scanner.is_at_end())
    }

    /// The id and the score of the object that stands next in a text, with all its values by their
    /// places in it; `None` also where it is cut from a document of another name.
    pub(super) fn take_apart<'a>(&self, scanner: &mut Scanner<'a>, pieces: &mut Vec<Piece>) -> Option<(&'a [u8], f64)> {
        if self.document.is_some_and(|document| document != self.id) {
            return None;
        }
        let (from, mut id, mut score) = (scanner.at, None, None);
        pieces.clear();
        self.shape.walk(scanner, |place, scanner| {
            let value = scanner.value()?;
            let part = if place == self.score.index {
                score = Some(self.score.key(value.number()?));
                if self.score.kind == ScoreKind::Distance { Part::Distance } else { Part::Score }
            } else if place == self.id {
                id = Some(value.id()?);
                Part::Document
            } else {
                Part::Other
            };
            pieces.extend(lister::piece(part, from, scanner.text, value));
            Some(())
        })?;
        Some((id?, score?))
    }

    /// The object that stands next in a text.
    fn read_next<'a>(&self, scanner: &mut Scanner<'a>) -> Option<PlainResult<'a>> {
        let (mut id, mut key, mut document) = (None, None, None);
        self.shape.walk(scanner, |place, scanner| {
            if place == self.score.index {
                key = Some(Key::Score(self.score.key(scanner.number()?)));
                return Some(());
            }
            let value = scanner.value()?;
            if place == self.id {
                id = Some(value.id()?);
            }
            if Some(place) == self.document && !value.is_null() {
                document = Some(value.id()?);
            }
            Some(())
        })?;
        Some(PlainResult { id: id?, key: key?, document })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(usize, String)> {
        let document = Document::new(text, 1);
        let plain = PlainResults::read(&document, 0)?;
        let shown = plain.results.iter().map(|(place, result)| {
            let of =
                result.document.map_or(String::new(), |document| format!(" of {}", String::from_utf8_lossy(document)));
            format!("{place}: {} {:?}{of}", String::from_utf8_lossy(result.id), result.key)
        });
        Some((plain.end, shown.collect::<Vec<_>>().join(", ")))
    }

    #[test]
    fn plain_results_of_every_layout_are_read_up_to_their_end() {
        let read = |text: &str| read(text).unwrap();
        assert_eq!(read(r#"{"a": 1.5, "é":"-2"}, "x"#), (21, "1: a Score(1.5), 11: é Score(-2.0)".to_owned()));
        assert_eq!(read(r#"[ {"id":7,"x":null, "distance":2} ]]"#), (35, "2: 7 Score(-2.0)".to_owned()));
        assert_eq!(read(r#"["a", 7]}"#), (8, "1: a Position, 6: 7 Position".to_owned()));
        assert_eq!(read(r#"[{"doc_id":"a","score":1}]"#), (26, "1: a Score(1.0) of a".to_owned()));
        assert_eq!((read("{ }"), read("[]")), ((3, String::new()), (2, String::new())));
    }

    #[test]
    fn what_is_not_plain_is_left_alone() {
        for text in [
            r#"["a", {"id":"b","score":1}]"#,
            r#"[{"id":"a","score":1},{"score":1,"id":"b"}]"#,
            r#"[{"id":"a","score":1,"start":0}]"#,
            r#"[["a",1]]"#,
            r#"{"\u0061":1}"#,
            r#"{"a":01}"#,
            r#"{"a":1,}"#,
            r#"{"a":null}"#,
            r#"{"a":1"#,
            "[{",
            "7",
        ] {
            assert_eq!(read(text), None, "{text}");
            assert_eq!(read(&format!("{text}{}", " ".repeat(300))), None, "{text}");
        }
    }
}
