//! The results of `power` in every format.

mod json;
mod page;
pub mod report;
mod rows;

use super::page::{to_markdown, to_text};
use report::Report;

/// The formats of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Format {
    /// Tables for people
    #[default]
    Text,
    /// Everything, in full precision
    Json,
    /// Comma-separated rows: one a spread and number of queries
    Csv,
    /// The same rows, tab-separated
    Tsv,
    /// Tables in Markdown
    #[value(alias = "markdown")]
    Md,
}

/// The plan in a format; differences in text with `digits` decimals.
pub fn render(report: &Report, format: Format, digits: Option<usize>) -> String {
    let page = || page::page(report, digits);
    match format {
        Format::Text => to_text(&page()),
        Format::Md => to_markdown(&page()),
        Format::Json => json::render(report),
        Format::Csv => rows::separated(report, b','),
        Format::Tsv => rows::separated(report, b'\t'),
    }
}
