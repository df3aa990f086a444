//! Slices as a heat map: what a mean over all queries can hide.

use raglens::stats::verdict::Verdict;

use super::Section;
use super::report::{Report, SliceCell, SliceRow};
use super::write::Html;
use crate::render::eval::slices::range;
use crate::render::number::{fixed, signed};

/// The section.
pub static SECTION: Section = Section { id: "slices", class, heading, body };

/// As many slices are shown.
const MOST: usize = 200;
/// Backgrounds from the largest loss to the largest gain, light enough for dark text; the one in
/// the middle is for what hardly differs.
const SHADES: [&str; 7] = ["#f2a886", "#f8ccb6", "#fce8dd", "#f3f5f7", "#dff2ea", "#b4e0cd", "#7fc9ac"];
/// The difference from which on the colour gets no stronger.
const STRONGEST: f64 = 0.3;

/// So many runs stand beside each other in half of the page.
const NARROW: usize = 2;

fn class(report: &Report) -> &'static str {
    if report.runs.len() > NARROW { "wide" } else { "" }
}

fn heading(report: &Report) -> Option<String> {
    (!report.slices.is_empty()).then(|| format!("Slices: {}", report.leading().name))
}

fn body(report: &Report, html: &mut Html) {
    html.element("div", &[("class", &"scroll")], |html| {
        html.element("table", &[], |html| {
            head(report, html);
            for slice in report.slices.iter().take(MOST) {
                html.element("tr", &[], |html| row(report, slice, html));
                html.line();
            }
        });
    });
    html.line();
    html.leaf("p", &[("class", &"quiet")], reading(report));
}

fn head(report: &Report, html: &mut Html) {
    html.element("tr", &[], |html| {
        html.leaf("th", &[("scope", &"col"), ("class", &"slice")], "slice");
        html.leaf("th", &[("scope", &"col"), ("class", &"n")], "n");
        for run in &report.runs {
            html.leaf("th", &[("scope", &"col"), ("class", &"id")], run);
        }
    });
    html.line();
}

/// What the cells are.
fn reading(report: &Report) -> String {
    let versus = match report.runs.len() {
        1 => "to all queries".to_owned(),
        _ => format!("to {}", report.runs[0]),
    };
    let mut text = format!("Value, and the difference {versus}, which is the colour: green is better, red is worse.");
    if report.slices.iter().flat_map(|slice| &slice.cells).any(|cell| !cell.words.is_empty()) {
        text.push_str(" Bold with a word: more than chance, corrected for the number of slices.");
    }
    if report.slices.iter().any(SliceRow::is_thin) {
        text.push_str(" * thin: only large differences can be found in so few queries.");
    }
    if report.slices.len() > MOST {
        text.push_str(&format!(" {} smaller slices are not shown.", report.slices.len() - MOST));
    }
    text
}

fn row(report: &Report, slice: &SliceRow, html: &mut Html) {
    html.leaf("th", &[("scope", &"row"), ("class", &"id slice")], &slice.name);
    let thin = if slice.is_thin() { " *" } else { "" };
    html.leaf("td", &[("class", &"n")], format_args!("{}{thin}", range(&slice.queries)));
    for cell in &slice.cells {
        html.element("td", &[("class", &"heat"), ("bgcolor", &shade(report, cell))], |html| value(report, cell, html));
    }
}

fn value(report: &Report, cell: &SliceCell, html: &mut Html) {
    let Some(value) = cell.value else { return html.text("n/a") };
    html.text(fixed(value, report.digits));
    if let Some(difference) = cell.difference {
        html.text(" ");
        let text = signed(difference, report.digits);
        match cell.verdict {
            Some(Verdict::Better | Verdict::Worse) => html.leaf("strong", &[], format_args!("{text} {}", cell.words)),
            _ => html.text(text),
        }
    }
}

/// The background of a cell.
fn shade(report: &Report, cell: &SliceCell) -> &'static str {
    let middle = SHADES.len() / 2;
    let (Some(difference), Some(is_better)) =
        (cell.difference, cell.difference.and_then(|difference| report.leading().improves(difference)))
    else {
        return SHADES[middle];
    };
    let strength = (difference.abs() / (STRONGEST * report.leading().top)).min(1.0);
    let steps = (strength * middle as f64).round() as usize;
    SHADES[if is_better { middle + steps } else { middle - steps }]
}
