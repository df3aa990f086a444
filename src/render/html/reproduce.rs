//! How to get the same again, and where the data are.

use super::Section;
use super::report::{MANY, Report};
use super::write::Html;
use crate::render::number::grouped;

/// The section.
pub static SECTION: Section = Section { id: "reproduce", class: "wide", heading, body };

fn heading(_: &Report) -> Option<String> {
    Some("Reproduce".to_owned())
}

fn body(report: &Report, html: &mut Html) {
    html.leaf("pre", &[], &report.stamp.command);
    html.line();
    let short = match report.is_json_short {
        true => format!(", without its lists of queries, as there are more than {}", grouped(MANY as u64)),
        false => String::new(),
    };
    let text = format!(
        "This file holds the result for programs too, as --format json writes it{short}: the element with the id \
         raglens-data."
    );
    html.leaf("p", &[("class", &"quiet")], text);
}
