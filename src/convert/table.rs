//! Tables with a header: CSV, TSV, and the qrels of BEIR.

use std::io::{self, Write};

use super::ids::IdRule;
use super::{Format, Head, Layout, Ranked, Role};
use crate::labels::QueryLabels;
use crate::measure::shortest;

pub(super) static CSV: Format = Format {
    name: "csv",
    aliases: &[],
    about: "a table with commas: query_id,doc_id,grade or query_id,doc_id,score",
    labels: Some("label-table"),
    run: Some("table"),
    holds: &[],
    ids: IdRule::Quoted,
    layout: || Box::new(Table { delimiter: b',', quoted: true, names: NAMES }),
};

pub(super) static TSV: Format = Format {
    name: "tsv",
    aliases: &[],
    about: "the same between tabs, without quoting",
    labels: Some("label-table"),
    run: Some("table"),
    holds: &[],
    ids: IdRule::Field,
    layout: || Box::new(Table { delimiter: b'\t', quoted: false, names: NAMES }),
};

pub(super) static BEIR: Format = Format {
    name: "beir",
    aliases: &[],
    about: "qrels of BEIR: query-id, corpus-id and score between tabs (labels only)",
    labels: Some("beir"),
    run: None,
    holds: &[],
    ids: IdRule::Unquoted,
    layout: || Box::new(Table { delimiter: b'\t', quoted: false, names: ["query-id", "corpus-id", "score", "score"] }),
};

/// Query, document, grade, score.
const NAMES: [&str; 4] = ["query_id", "doc_id", "grade", "score"];

struct Table {
    delimiter: u8,
    /// Whether fields stand in quotes where they must.
    quoted: bool,
    names: [&'static str; 4],
}

impl Table {
    fn write<'a>(
        &self,
        rows: impl Iterator<Item = (&'a [u8], &'a [u8], String)>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let style = if self.quoted { csv::QuoteStyle::Necessary } else { csv::QuoteStyle::Never };
        let mut writer = csv::WriterBuilder::new().delimiter(self.delimiter).quote_style(style).from_writer(out);
        for (query, document, number) in rows {
            writer.write_record([query, document, number.as_bytes()])?;
        }
        writer.flush()
    }
}

impl Layout for Table {
    fn begin(&mut self, head: &Head, out: &mut dyn Write) -> io::Result<()> {
        let [query, document, grade, score] = self.names;
        let number = if head.role == Role::Labels { grade } else { score };
        self.write(std::iter::once((query.as_bytes(), document.as_bytes(), number.to_owned())), out)
    }

    fn labels(&mut self, query: &QueryLabels, out: &mut dyn Write) -> io::Result<()> {
        self.write(query.judgments().map(|(document, grade)| (query.id().as_bytes(), document, shortest(grade))), out)
    }

    fn ranking(&mut self, ranked: &Ranked<'_>, out: &mut dyn Write) -> io::Result<()> {
        self.write(ranked.results().map(|(row, score)| (ranked.query, row.document, shortest(*score))), out)
    }
}
