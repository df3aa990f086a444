//! One JSON object of objects, as pytrec_eval and ranx read it: `{query: {document: number}}`.

use std::io::{self, Write};

use super::ids::IdRule;
use super::jsonl::{string, text};
use super::{Format, Layout, Part, Ranked};
use crate::labels::QueryLabels;
use crate::measure::shortest;

pub(super) static DICT: Format = Format {
    name: "dict",
    aliases: &["json", "pytrec_eval", "ranx"],
    about: "one JSON object, for pytrec_eval and ranx: {query: {document: number}}",
    labels: &["dict"],
    run: &["dict"],
    holds: &[Part::EmptyQueries],
    columns: &[],
    ids: IdRule::Text,
    layout: || Box::new(Dict { queries: 0 }),
};

/// The dictionary so far.
struct Dict {
    queries: u64,
}

impl Dict {
    fn query<'a>(
        &mut self,
        query: &[u8],
        entries: impl Iterator<Item = (&'a [u8], String)>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        out.write_all(if self.queries == 0 { b"{\n" } else { b",\n" })?;
        self.queries += 1;
        string(out, &text(query))?;
        out.write_all(b": {")?;
        for (index, (document, number)) in entries.enumerate() {
            out.write_all(if index == 0 { b"" } else { b", " })?;
            string(out, &text(document))?;
            write!(out, ": {number}")?;
        }
        out.write_all(b"}")
    }
}

impl Layout for Dict {
    fn labels(&mut self, query: &QueryLabels, out: &mut dyn Write) -> io::Result<()> {
        let entries = query.judgments().map(|(document, grade)| (document, shortest(grade)));
        self.query(query.id().as_bytes(), entries, out)
    }

    fn ranking(&mut self, ranked: &Ranked<'_>, out: &mut dyn Write) -> io::Result<()> {
        let entries = ranked.results().map(|(row, score)| (row.document, float(*score)));
        self.query(ranked.query, entries, out)
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"\n}\n")
    }
}

/// A score that Python reads as a `float`, which pytrec_eval asks for.
fn float(score: f64) -> String {
    let text = shortest(score);
    if text.contains(['.', 'e']) { text } else { text + ".0" }
}
