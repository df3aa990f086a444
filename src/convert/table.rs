//! Tables with a header: CSV, TSV, and the qrels of BEIR.

use std::borrow::Cow;
use std::io::{self, Write};

use super::ids::IdRule;
use super::{Format, Head, Layout, Part, Ranked, Role, Step};
use crate::labels::QueryLabels;
use crate::measure::shortest;
use crate::run::{Call, Chunk, Row};

pub(super) static CSV: Format = Format {
    name: "csv",
    aliases: &[],
    about: "a table with commas: query_id,doc_id and grade or score; columns for chunks and calls",
    labels: &["label-table"],
    run: &["table", "run-table"],
    holds: &[Part::Chunks, Part::Calls],
    columns: &[Part::Chunks, Part::Calls],
    ids: IdRule::Quoted,
    layout: || Box::new(Table::new(b',', NAMES)),
};

pub(super) static TSV: Format = Format {
    name: "tsv",
    aliases: &[],
    about: "a table with tabs and without quotes: query_id, doc_id and grade or score",
    labels: &["label-table"],
    run: &["table"],
    holds: &[],
    columns: &[],
    ids: IdRule::Field,
    layout: || Box::new(Table::new(b'\t', NAMES)),
};

pub(super) static BEIR: Format = Format {
    name: "beir",
    aliases: &[],
    about: "qrels of BEIR: query-id, corpus-id and score between tabs (labels only)",
    labels: &["beir"],
    run: &[],
    holds: &[],
    columns: &[],
    ids: IdRule::Unquoted,
    layout: || Box::new(Table::new(b'\t', ["query-id", "corpus-id", "score", "score"])),
};

/// Query, document, grade, score.
const NAMES: [&str; 4] = ["query_id", "doc_id", "grade", "score"];

struct Table {
    delimiter: u8,
    names: [&'static str; 4],
    has_chunks: bool,
    has_calls: bool,
}

/// The columns of chunks behind the score, and those of calls.
const CHUNK: [&str; 3] = ["start", "end", "tokens"];
const CALL: [&str; 4] = ["latency_ms", "cost_usd", "role", "step"];

impl Table {
    fn new(delimiter: u8, names: [&'static str; 4]) -> Self {
        Self { delimiter, names, has_chunks: false, has_calls: false }
    }

    /// Writes rows that begin with `first`, in quotes where a field needs them and the delimiter is
    /// a comma.
    fn write<'a>(
        &self,
        first: &[u8],
        rows: impl Iterator<Item = Vec<Cow<'a, [u8]>>>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let style = match self.delimiter {
            // Without quotes their lines would be comments.
            b',' if first.starts_with(b"#") => csv::QuoteStyle::NonNumeric,
            b',' => csv::QuoteStyle::Necessary,
            _ => csv::QuoteStyle::Never,
        };
        let mut writer = csv::WriterBuilder::new().delimiter(self.delimiter).quote_style(style).from_writer(out);
        for row in rows {
            writer.write_record(row)?;
        }
        writer.flush()
    }

    fn result<'a>(&self, query: &'a [u8], call: &'a Call, row: &Row<'a>, score: f64) -> Vec<Cow<'a, [u8]>> {
        let mut fields = vec![Cow::Borrowed(query), Cow::Borrowed(row.document)];
        let chunk = row.chunk;
        if self.has_chunks {
            let document = chunk.and_then(|chunk| chunk.document.as_ref());
            fields.push(document.map_or(Cow::Borrowed(&[]), |id| Cow::Borrowed(id.as_bytes())));
        }
        fields.push(text(Some(shortest(score))));
        if self.has_chunks {
            let Chunk { start, end, tokens, .. } = chunk.cloned().unwrap_or_default();
            fields.extend([start, end, tokens].map(text));
        }
        if self.has_calls {
            let Call { latency_ms, cost_usd, role, step, .. } = call;
            fields.extend([latency_ms, cost_usd].map(|amount| text(amount.map(shortest))));
            fields.push(Cow::Borrowed(role.as_deref().unwrap_or_default().as_bytes()));
            fields.push(text(*step));
        }
        fields
    }
}

/// A value as a field; empty where there is none.
fn text<'a>(value: Option<impl ToString>) -> Cow<'a, [u8]> {
    Cow::Owned(value.map_or_else(Vec::new, |value| value.to_string().into_bytes()))
}

impl Layout for Table {
    fn begin(&mut self, head: &Head, out: &mut dyn Write) -> io::Result<()> {
        self.has_chunks = head.columns.contains(&Part::Chunks);
        self.has_calls = head.columns.contains(&Part::Calls);
        let [query, document, grade, score] = self.names;
        let mut names = vec![query, document];
        if self.has_chunks {
            names.splice(1.., ["chunk_id", "doc_id"]);
        }
        names.push(if head.role == Role::Labels { grade } else { score });
        names.extend(self.has_chunks.then_some(CHUNK).into_iter().flatten());
        names.extend(self.has_calls.then_some(CALL).into_iter().flatten());
        let header = names.iter().map(|name| Cow::Borrowed(name.as_bytes())).collect();
        self.write(query.as_bytes(), std::iter::once(header), out)
    }

    fn labels(&mut self, query: &QueryLabels, out: &mut dyn Write) -> io::Result<()> {
        let row = |(document, grade)| {
            vec![Cow::Borrowed(query.id().as_bytes()), Cow::Borrowed(document), text(Some(shortest(grade)))]
        };
        self.write(query.id().as_bytes(), query.judgments().map(row), out)
    }

    fn ranking(&mut self, ranked: &Ranked<'_>, out: &mut dyn Write) -> io::Result<()> {
        for Step { call, results } in &ranked.calls {
            let rows = results.iter().map(|(row, score)| self.result(ranked.query, call, row, *score));
            self.write(ranked.query, rows, out)?;
        }
        Ok(())
    }
}
