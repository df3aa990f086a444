//! The formats of results that are a page for people, a document for programs, and tidy rows.

use raglens::id::escaped;

use super::number::exact;
use super::page::{Block, to_markdown, to_text};

/// The formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum PageFormat {
    /// Tables for people
    #[default]
    Text,
    /// Everything, in full precision, with every convention in force
    Json,
    /// Comma-separated rows: run, metric, slice, n, value, low, high
    Csv,
    /// The same rows, tab-separated
    Tsv,
    /// Tables in Markdown
    #[value(alias = "markdown")]
    Md,
}

/// A number in a row of its own.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TidyRow {
    /// Whose number it is.
    pub run: String,
    /// What it is.
    pub metric: String,
    /// The part of the queries that it is about, `tag=value`; empty for all.
    pub slice: String,
    /// How many cases it is about.
    pub n: u64,
    /// The number; `None` where there is none.
    pub value: Option<f64>,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

/// Results in one of the formats; only what it needs is made.
pub fn render(
    format: PageFormat,
    page: impl FnOnce() -> Vec<Block>,
    json: impl FnOnce() -> String,
    rows: impl FnOnce() -> Vec<TidyRow>,
) -> String {
    match format {
        PageFormat::Text => to_text(&page()),
        PageFormat::Md => to_markdown(&page()),
        PageFormat::Json => json(),
        PageFormat::Csv => separated(&rows(), b','),
        PageFormat::Tsv => separated(&rows(), b'\t'),
    }
}

/// Rows separated by a byte, under a header.
fn separated(rows: &[TidyRow], delimiter: u8) -> String {
    let records = rows.iter().map(|row| {
        let [value, low, high] = [row.value, row.low, row.high].map(|value| value.map_or_else(String::new, exact));
        [row.run.clone(), row.metric.clone(), escaped(row.slice.as_bytes()), row.n.to_string(), value, low, high]
    });
    records_separated(["run", "metric", "slice", "n", "value", "low", "high"], records, delimiter)
}

/// Records separated by a byte, under the names of their fields.
pub fn records_separated<const N: usize>(
    names: [&str; N],
    records: impl Iterator<Item = [String; N]>,
    delimiter: u8,
) -> String {
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
    writer.write_record(names).expect("memory takes every record");
    for record in records {
        writer.write_record(&record).expect("memory takes every record");
    }
    let bytes = writer.into_inner().expect("memory takes every record");
    String::from_utf8(bytes).expect("records are made of text")
}
