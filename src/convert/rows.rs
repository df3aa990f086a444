//! Flat rows: one JSON object a line and document.

use std::io::{self, Write};

use super::ids::IdRule;
use super::jsonl::{string, text};
use super::{Format, Layout, Ranked};
use crate::labels::QueryLabels;
use crate::measure::shortest;

pub(super) static ROWS: Format = Format {
    name: "rows",
    aliases: &[],
    about: "JSON lines of one document each: query_id, doc_id, grade or score",
    labels: &["rows-labels"],
    run: &["rows"],
    holds: &[],
    columns: &[],
    ids: IdRule::Text,
    layout: || Box::new(Rows),
};

struct Rows;

impl Layout for Rows {
    fn labels(&mut self, query: &QueryLabels, out: &mut dyn Write) -> io::Result<()> {
        query.judgments().try_for_each(|(document, grade)| row(out, query.id().as_bytes(), document, "grade", grade))
    }

    fn ranking(&mut self, ranked: &Ranked<'_>, out: &mut dyn Write) -> io::Result<()> {
        ranked.results().try_for_each(|(row_read, score)| row(out, ranked.query, row_read.document, "score", *score))
    }
}

fn row(out: &mut dyn Write, query: &[u8], document: &[u8], name: &str, number: f64) -> io::Result<()> {
    out.write_all(b"{\"query_id\": ")?;
    string(out, &text(query))?;
    out.write_all(b", \"doc_id\": ")?;
    string(out, &text(document))?;
    writeln!(out, ", \"{name}\": {}}}", shortest(number))
}
