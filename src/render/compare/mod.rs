//! The results of `compare` in every format.

pub(in crate::render) mod answer;
mod binary;
mod changes;
mod details;
pub(in crate::render) mod gates;
pub(in crate::render) mod json;
mod latex;
pub(in crate::render) mod remarks;
pub mod report;
mod rows;
mod slices;
mod tables;
pub(in crate::render) mod words;

use super::Look;
use super::page::{self, Block};
use report::Report;

/// The formats of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Format {
    /// Tables for people
    #[default]
    Text,
    /// Everything, in full precision, with every convention in force
    Json,
    /// One JSON object a row
    Jsonl,
    /// Comma-separated, one line a comparison
    Csv,
    /// The same rows, tab-separated
    Tsv,
    /// Tables in Markdown
    Md,
    /// A table for a paper
    Latex,
}

/// The results in a format.
pub fn render(report: &Report, format: Format, look: &Look) -> String {
    match format {
        Format::Text => page::to_text(&page(report, look)),
        Format::Md => page::to_markdown(&page(report, look)),
        Format::Json => json::render(report, true),
        Format::Jsonl => rows::jsonl(report),
        Format::Csv => rows::separated(report, b','),
        Format::Tsv => rows::separated(report, b'\t'),
        Format::Latex => latex::render(report, look),
    }
}

fn page(report: &Report, look: &Look) -> Vec<Block> {
    let mut blocks = vec![remarks::title(report), remarks::conventions(report)];
    blocks.extend(tables::tables(report, look));
    blocks.extend(remarks::footnotes(report, look));
    blocks.extend(details::tables(report, look));
    blocks.extend(binary::tables(report, look));
    blocks.extend(slices::tables(report, look));
    blocks.extend(changes::tables(report, look));
    blocks.extend(remarks::limits(report, look));
    blocks.extend(gates::table(report, look));
    blocks.extend(answer::answer(report, look));
    blocks
}
