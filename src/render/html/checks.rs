//! What was read, and what was odd about it.

use raglens::notes::{Note, Severity};

use super::Section;
use super::report::{FileFact, Report};
use super::write::Html;
use crate::render::number::grouped;

/// The section.
pub static SECTION: Section = Section { id: "checks", class: "wide", heading, body };

/// As many digits of a hash are shown.
const HASH: usize = 12;

fn heading(_: &Report) -> Option<String> {
    Some("Input checks".to_owned())
}

fn body(report: &Report, html: &mut Html) {
    html.element("div", &[("class", &"scroll")], |html| {
        html.element("table", &[], |html| {
            html.element("tr", &[], |html| {
                for heading in ["", "file", "read as"] {
                    html.leaf("th", &[("scope", &"col")], heading);
                }
                html.leaf("th", &[("scope", &"col"), ("class", &"n")], "bytes");
                html.leaf("th", &[("scope", &"col")], "sha256");
            });
            for file in &report.files {
                html.element("tr", &[], |html| row(file, html));
                html.line();
            }
        });
    });
    html.line();
    if report.notes.iter().next().is_none() {
        html.leaf("p", &[], "Nothing odd was found in the files.");
        return;
    }
    html.element("ul", &[], |html| {
        let mut sorted: Vec<&Note> = report.notes.iter().collect();
        sorted.sort_by_key(|note| std::cmp::Reverse(note.kind.severity()));
        for note in sorted {
            html.element("li", &[], |html| {
                let word = match note.kind.severity() {
                    Severity::Warning => "warning",
                    Severity::Note => "note",
                };
                html.leaf("strong", &[], format_args!("{word} {}", note.kind.code()));
                html.text(format_args!(" {note}"));
            });
            html.line();
        }
    });
    html.leaf("p", &[("class", &"quiet")], "`raglens explain CODE` says what each means, and what to do about it.");
}

fn row(file: &FileFact, html: &mut Html) {
    html.leaf("th", &[("scope", &"row"), ("class", &"id")], &file.role);
    html.element("td", &[("class", &"id")], |html| html.leaf("code", &[], &file.path));
    html.leaf("td", &[], file.read_as);
    html.leaf("td", &[("class", &"n")], file.bytes.map(grouped).unwrap_or_default());
    match &file.hash {
        None => html.markup("<td></td>"),
        Some(hash) => {
            let digits = hash.strip_prefix("sha256:").unwrap_or(hash);
            let short = digits.get(..HASH).unwrap_or(digits);
            html.element("td", &[("title", &digits)], |html| html.leaf("code", &[], short));
        }
    }
}
