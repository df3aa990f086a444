//! Single queries in every format.

mod detail;
mod json;
mod page;
pub mod report;
mod rows;

use super::Look;
use super::page::{to_markdown, to_text};
use report::Report;

/// The formats of a list of queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Format {
    /// Tables for people
    #[default]
    Text,
    /// Everything, in full precision
    Json,
    /// One JSON object a query
    #[value(alias = "ndjson")]
    Jsonl,
    /// Comma-separated rows: run, query_id, metric, value
    Csv,
    /// The same rows, tab-separated
    Tsv,
    /// Tables in Markdown
    #[value(alias = "markdown")]
    Md,
}

/// The queries in a format.
pub fn render(report: &Report, format: Format, look: &Look) -> String {
    match format {
        Format::Text => to_text(&page::page(report, look)),
        Format::Md => to_markdown(&page::page(report, look)),
        Format::Json => json::render(report),
        Format::Jsonl => json::lines(report),
        Format::Csv => rows::separated(report, b','),
        Format::Tsv => rows::separated(report, b'\t'),
    }
}
