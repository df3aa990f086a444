//! What the measures are.

use super::Section;
use super::report::Report;
use super::write::Html;

/// The section.
pub static SECTION: Section = Section { id: "definitions", class: "wide long", heading, body };

fn heading(report: &Report) -> Option<String> {
    report.measures.iter().any(|measure| measure.definition.is_some()).then(|| "Definitions".to_owned())
}

fn body(report: &Report, html: &mut Html) {
    let mut seen: Vec<&str> = Vec::new();
    html.element("dl", &[], |html| {
        for definition in report.measures.iter().filter_map(|measure| measure.definition) {
            if seen.contains(&definition.name) {
                continue;
            }
            seen.push(definition.name);
            html.leaf("dt", &[], format_args!("{}: {}", definition.name, definition.about));
            html.element("dd", &[], |html| html.leaf("code", &[], definition.formula));
            html.leaf("dd", &[], definition.reading);
            html.leaf("dd", &[("class", &"quiet")], format_args!("Blind to: {}", definition.blind_to));
            html.line();
        }
    });
    let text = "@k: the first k results count. ': a condensed list, without unjudged results. `raglens explain MEASURE` \
                says more.";
    html.leaf("p", &[("class", &"quiet")], text);
}
