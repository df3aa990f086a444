//! A report in one HTML file: no network, no script, no image. A section is a file in this folder
//! and two lines here: its `mod` and its row in [`SECTIONS`].

mod changes;
mod checks;
mod curve;
mod definitions;
mod differences;
mod distribution;
mod latency;
mod limits;
pub mod of_compare;
pub mod of_eval;
mod queries;
pub mod report;
mod reproduce;
mod scores;
mod slices;
mod svg;
mod verdict;
mod write;

use report::Report;
use write::Html;

/// A section of the page.
struct Section {
    /// Its anchor.
    id: &'static str,
    /// Whether it takes the width of the page: `wide`, `wide long` where it may break in print.
    class: &'static str,
    /// Its heading; `None` where there is nothing to show.
    heading: fn(&Report) -> Option<String>,
    /// What stands below.
    body: fn(&Report, &mut Html),
}

/// The sections, in their order.
static SECTIONS: &[&Section] = &[
    &scores::SECTION,
    &curve::SECTION,
    &differences::SECTION,
    &changes::SECTION,
    &slices::SECTION,
    &distribution::SECTION,
    &latency::SECTION,
    &limits::SECTION,
    &queries::SECTION,
    &checks::SECTION,
    &definitions::SECTION,
    &reproduce::SECTION,
];

/// The page.
pub fn render(report: &Report) -> String {
    let mut html = Html::default();
    html.markup("<!DOCTYPE html>\n");
    html.element("html", &[("lang", &"en")], |html| {
        html.element("head", &[], |html| head(report, html));
        html.line();
        html.element("body", &[], |html| body(report, html));
    });
    html.line();
    html.into_text()
}

fn head(report: &Report, html: &mut Html) {
    html.void("meta", &[("charset", &"utf-8")]);
    html.void("meta", &[("name", &"viewport"), ("content", &"width=device-width, initial-scale=1")]);
    html.leaf("title", &[], format_args!("raglens: {}", report.title));
    html.line();
    html.element("style", &[], |html| html.markup(include_str!("style.css")));
}

fn body(report: &Report, html: &mut Html) {
    html.line();
    verdict::show(report, html);
    html.element("main", &[("class", &"grid")], |html| {
        for section in SECTIONS {
            if let Some(heading) = (section.heading)(report) {
                html.line();
                html.element("section", &[("class", &section.class), ("id", &section.id)], |html| {
                    html.leaf("h2", &[], heading);
                    html.line();
                    (section.body)(report, html);
                });
            }
        }
    });
    html.line();
    html.json("raglens-data", &report.json);
}
