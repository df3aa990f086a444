//! JSON as nodes over borrowed text, opened one level at a time.
//!
//! A [`Node`] keeps what a tree of values would lose and hostile files depend on: keys that stand
//! twice, the order of entries, numbers as they are written (`7.0` is no id), and the place of
//! every value, so that each fault has a line, a column and an excerpt. Nesting costs no stack.

mod about;
mod dict;
mod entry;
mod keys;
mod lister;
mod lists;
mod object;
mod pieces;
mod place;
mod plain;
mod plain_results;
mod relevant;
mod results;
mod rows;
mod scalar;
mod search_lines;
mod searches;
mod sketch;
mod split;
mod value;

pub(super) use about::{describe, is_tagged, tag};
pub(super) use dict::{each_query, each_query_of, rank_each, rank_each_of, whole};
use keys::quoted;
pub(super) use keys::{DOCUMENT, FirstLines, GRADE, NAMED_DOCUMENT, QUERY, QUERY_TEXT, SCORES, meta, query_id};
pub(super) use lists::{read_relevant, read_retrieved, rows_have};
pub(super) use object::Record;
pub(super) use place::Document;
pub(super) use plain::{Shape, Value};
pub(super) use relevant::judge;
#[cfg(test)]
pub(super) use results::rank_one_by_one;
pub(super) use results::{UNIT, call, chunk, is_place, rank, rank_beside};
pub(super) use rows::{TakeRow, each_row, each_row_of, glance, is_row_a_line, take_line};
pub(super) use searches::{SearchLayout, Searches, read_searches};
pub(super) use sketch::Sketch;
pub(super) use value::{grade, grade_place, key, name_other_grades, row_key, score_place};

use serde_json::value::RawValue;

use crate::error::{Fault, InputErrorKind};
use crate::id::escaped;

/// A value of a document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'a> {
    document: &'a Document<'a>,
    raw: &'a str,
}

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Object,
    Array,
    Text,
    Number,
    Bool,
    Null,
}

impl<'a> Document<'a> {
    /// The value that the text holds.
    ///
    /// # Errors
    /// When the text is not one JSON value and nothing else.
    pub(super) fn root(&'a self) -> Result<Node<'a>, Fault> {
        let raw: &RawValue = serde_json::from_str(self.text()).map_err(|error| self.syntax_fault(&error))?;
        Ok(Node { document: self, raw: raw.get() })
    }

    fn syntax_fault(&self, error: &serde_json::Error) -> Fault {
        self.syntax_fault_at(self.offset_of(error.line(), error.column()), error)
    }

    /// What the parser says of a place.
    fn syntax_fault_at(&self, start: usize, error: &serde_json::Error) -> Fault {
        let rest = &self.text()[start..];
        // What Python writes for numbers that JSON does not have.
        match ["NaN", "Infinity"].into_iter().find(|word| rest.starts_with(word)) {
            Some(word) => {
                let reason = format!("expected a number, found `{word}`");
                self.fault(start..start + word.len(), InputErrorKind::Json { reason })
            }
            None => self.fault(start..start + 1, json_kind(error)),
        }
    }
}

impl<'a> Node<'a> {
    /// The type of the value.
    pub(super) fn kind(&self) -> Kind {
        match self.raw.as_bytes().first() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::Text,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'n') => Kind::Null,
            _ => Kind::Number,
        }
    }

    /// The value as it is written.
    pub(super) fn raw(&self) -> &'a str {
        self.raw
    }

    /// The line that the value starts in.
    pub(super) fn line(&self) -> u64 {
        self.document.line_of(self.offset())
    }

    /// A fault of this value.
    pub(super) fn fault(&self, kind: InputErrorKind) -> Fault {
        self.document.fault(self.offset()..self.offset() + self.raw.len(), kind)
    }

    /// Adds the excerpt to a fault that was found further down the line.
    pub(super) fn locate(&self, fault: Fault) -> Fault {
        match fault.excerpt {
            Some(_) => fault,
            None => self.fault(*fault.kind),
        }
    }

    /// The fault of a value of the wrong type.
    pub(super) fn wrong_type(&self, field: &str, expected: &'static str) -> Fault {
        self.fault(InputErrorKind::WrongType { field: field.to_owned(), expected, text: self.shown() })
    }

    /// The text of the value, escaped and cut, for messages.
    pub(super) fn shown(&self) -> String {
        const SHOWN: usize = 40;
        match self.raw.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{}…", escaped(&self.raw.as_bytes()[..end])),
            None => escaped(self.raw.as_bytes()),
        }
    }

    fn child(&self, raw: &'a str) -> Node<'a> {
        Node { document: self.document, raw }
    }

    fn parse<T: serde::Deserialize<'a>>(&self) -> Result<T, Fault> {
        serde_json::from_str(self.raw).map_err(|error| self.fault(json_kind(&error)))
    }

    fn offset(&self) -> usize {
        self.raw.as_ptr() as usize - self.document.text().as_ptr() as usize
    }
}

/// What the parser says, without its position.
fn json_kind(error: &serde_json::Error) -> InputErrorKind {
    let text = error.to_string();
    let reason = text.split(" at line ").next().unwrap_or_default();
    InputErrorKind::Json { reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> Fault {
        Document::new(text, 1).root().unwrap_err()
    }

    #[test]
    fn a_syntax_error_has_its_line_and_column() {
        let fault = fault("{\"q1\":\n  {\"d1\": NaN}}");
        assert_eq!(fault.kind.to_string(), "is not valid JSON: expected a number, found `NaN`");
        assert_eq!(fault.line, Some(2));
        let excerpt = fault.excerpt.unwrap();
        assert_eq!((excerpt.text.as_str(), excerpt.span), ("  {\"d1\": NaN}}", 9..12));
    }

    #[test]
    fn text_that_stops_in_the_middle_or_goes_on_is_an_error() {
        assert!(fault("{\"a\": [1, 2").kind.to_string().contains("EOF"));
        assert!(fault("{} {}").kind.to_string().contains("trailing"));
        assert!(fault("").kind.to_string().contains("EOF"));
    }

    #[test]
    fn deep_nesting_costs_no_stack() {
        let deep = "[".repeat(300_000) + &"]".repeat(300_000);
        let document = Document::new(&deep, 1);
        let root = document.root().unwrap();
        assert_eq!(root.items().unwrap()[0].kind(), Kind::Array);
        assert!(root.id("query id").is_err());
    }
}
