//! The results of `stages` in every format.

mod json;
mod page;
pub mod report;
mod rows;

use super::Look;
use super::format::{self, PageFormat};
use report::Report;

/// The results in a format.
pub fn render(report: &Report, format: PageFormat, look: &Look) -> String {
    format::render(format, || page::page(report, look), || json::render(report), || rows::rows(report))
}
