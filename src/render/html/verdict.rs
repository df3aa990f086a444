//! The head of the page: what is compared, and the answer.

use raglens::stats::equivalence::Outcome;

use super::report::{Gates, Report};
use super::write::Html;

/// The title, the answer, and what the gates decide.
pub fn show(report: &Report, html: &mut Html) {
    let time = if report.stamp.time.is_empty() { String::new() } else { format!(" · {}", report.stamp.time) };
    let version = env!("CARGO_PKG_VERSION");
    let line = format!("raglens {version} · {} · {}{time}", report.size, report.conventions);
    html.leaf("p", &[("class", &"stamp")], line);
    html.line();
    html.leaf("h1", &[], &report.title);
    html.line();
    let (word, class) = match report.gates.as_ref().map(|gates| gates.outcome) {
        None => ("", "verdict"),
        Some(Outcome::Pass) => ("Gate: PASS. ", "verdict pass"),
        Some(Outcome::Fail) => ("Gate: FAIL. ", "verdict fail"),
        Some(Outcome::Undecided) => ("Gate: UNDECIDED. ", "verdict undecided"),
    };
    html.element("div", &[("class", &class)], |html| {
        html.element("p", &[], |html| {
            html.leaf("strong", &[], word);
            html.text(report.sentences.join(" "));
        });
    });
    html.line();
    report.gates.iter().for_each(|found| gates(found, html));
}

fn gates(found: &Gates, html: &mut Html) {
    html.element("div", &[("class", &"scroll")], |html| {
        html.element("table", &[], |html| {
            html.element("tr", &[], |html| {
                for heading in ["gate", "of", "result", "because"] {
                    html.leaf("th", &[("scope", &"col")], heading);
                }
            });
            for (outcome, [asked, place, word, ground]) in &found.rows {
                let class = match outcome {
                    Outcome::Pass => "better",
                    Outcome::Fail => "worse",
                    Outcome::Undecided => "",
                };
                html.element("tr", &[], |html| {
                    html.leaf("td", &[], asked);
                    html.leaf("td", &[("class", &"id")], place);
                    html.leaf("td", &[("class", &class)], word);
                    html.leaf("td", &[], ground);
                });
                html.line();
            }
        });
    });
    html.line();
    for note in &found.notes {
        html.leaf("p", &[("class", &"quiet")], note);
        html.line();
    }
}
