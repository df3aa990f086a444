//! The results of `eval` in every format.

pub(in crate::render) mod answer;
mod distribution;
pub mod extras;
pub(in crate::render) mod footnotes;
pub(in crate::render) mod gates;
pub(in crate::render) mod header;
pub(in crate::render) mod json;
mod json_extras;
pub(in crate::render) mod limits;
mod one_run;
mod per_query;
pub mod report;
mod rows;
pub(in crate::render) mod several_runs;
pub(in crate::render) mod slices;
mod trec;

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
    #[value(alias = "ndjson")]
    Jsonl,
    /// Comma-separated rows: run, metric, slice, n, value, low, high
    Csv,
    /// The same rows, tab-separated
    Tsv,
    /// Tables in Markdown
    #[value(alias = "markdown")]
    Md,
    /// The layout and the names of trec_eval
    Trec,
}

/// The results in a format.
pub fn render(report: &Report, format: Format, look: &Look) -> String {
    match format {
        Format::Text => page::to_text(&page(report, look)),
        Format::Md => page::to_markdown(&page(report, look)),
        Format::Json => json::render(report, report.shown.per_query),
        Format::Jsonl => rows::jsonl(report),
        Format::Csv => rows::separated(report, b','),
        Format::Tsv => rows::separated(report, b'\t'),
        Format::Trec => trec::render(report),
    }
}

/// The conventions by name, values as JSON.
pub fn conventions_json(conventions: &report::Conventions) -> std::collections::BTreeMap<String, String> {
    json::by_name(conventions)
}

/// What `--save` writes: the JSON with the values of every query and the first documents of every
/// ranking.
pub fn saved(report: &Report) -> String {
    json::render(report, true)
}

fn page(report: &Report, look: &Look) -> Vec<Block> {
    let mut blocks = vec![header::title(report), header::conventions(report)];
    match &report.runs[..] {
        [run] => {
            blocks.extend(one_run::tables(report, run, look.digits));
            blocks.extend(footnotes::of_one(report, run, look));
        }
        _ => {
            blocks.push(several_runs::table(report, look));
            blocks.extend(footnotes::of_several(report, look));
        }
    }
    blocks.extend(slices::blocks(report, look));
    for run in &report.runs {
        blocks.extend(extras::tables(report, run, look));
        if report.shown.distribution {
            blocks.extend(distribution::table(report, run, look));
        }
        if report.shown.per_query {
            blocks.extend(per_query::table(report, run, look));
        }
    }
    blocks.extend(extras::searches(report));
    blocks.extend(gates::blocks(report, look));
    blocks.extend(limits::limits(report, look));
    blocks.extend(answer::answer(report, look));
    blocks
}
