//! What the numbers cannot tell, which is always something.

use super::Section;
use super::report::Report;
use super::write::Html;

/// The section.
pub static SECTION: Section = Section { id: "limits", class: "", heading, body };

fn heading(_: &Report) -> Option<String> {
    Some("What this evaluation cannot tell you".to_owned())
}

fn body(report: &Report, html: &mut Html) {
    html.element("ul", &[], |html| {
        for sentence in &report.limits {
            html.leaf("li", &[], sentence);
            html.line();
        }
        let text = "Questions of a kind that is not among these queries can come out otherwise: the intervals are about \
                    queries like these.";
        html.leaf("li", &[], text);
    });
}
