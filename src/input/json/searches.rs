//! Rows of a query and its results that say nothing else of their search, taken in one pass where
//! everything about them is plain.

use super::keys::query_place;
use super::plain::Scanner;
use super::plain_results::PlainResults;
use super::results::CALL;
use super::{Document, FirstLines, Record, SCORES, Shape};
use crate::error::Fault;
use crate::run::{Call, RunSink};

/// What such rows look like.
pub(in crate::input) struct PlainSearch {
    shape: Shape,
    /// The places of the query and of the results.
    query: usize,
    results: usize,
}

impl PlainSearch {
    /// What rows look like that are like one whose results stand under one of some names.
    pub(in crate::input) fn of(row: &Record<'_>, results: &[&str]) -> Option<Self> {
        if [CALL, SCORES, &["meta"]].iter().any(|names| row.position(names).is_some()) {
            return None;
        }
        Some(Self { shape: Shape::of(row)?, query: query_place(row)?, results: row.position(results)? })
    }

    /// Takes a row that starts in a line, if it looks like this; `None` for any other. A fault gets
    /// its place later.
    pub(in crate::input) fn take(
        &self,
        row: &[u8],
        line: u64,
        first_lines: &mut FirstLines,
        run: &mut dyn RunSink,
    ) -> Option<Result<(), Fault>> {
        let document = Document::new(std::str::from_utf8(row).ok()?, line);
        let (query, results) = self.read(&document)?;
        // A query that was there before is a fault of the general way.
        first_lines.add(query, line, None).ok()?;
        Some(run.call(query.as_bytes(), &Call::default(), line).and_then(|()| results.rank(query, run, Err)))
    }

    fn read<'a>(&self, document: &'a Document<'a>) -> Option<(&'a str, PlainResults<'a>)> {
        let mut scanner = Scanner { text: document.text().as_bytes(), at: 0 };
        let (mut query, mut results) = (None, None);
        self.shape.walk(&mut scanner, |place, scanner| {
            if place == self.results {
                scanner.pass_blanks();
                let found = PlainResults::read(document, scanner.at)?;
                scanner.at = found.end;
                results = Some(found);
                return Some(());
            }
            let value = scanner.value()?;
            if place == self.query {
                query = Some(value.id()?);
            }
            Some(())
        })?;
        let query = std::str::from_utf8(query?).ok()?;
        scanner.is_at_end().then_some((query, results?))
    }
}
