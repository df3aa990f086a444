//! Every run on every measure: the number, its interval, and a bar that shows both.

use super::Section;
use super::report::{MeasurePart, Report, Score};
use super::svg::{FAINT, INK, Px, Scale, color};
use super::write::Html;
use crate::render::eval::report::letter;
use crate::render::number::{fixed, grouped};

/// The section.
pub static SECTION: Section = Section { id: "scores", class: "wide", heading, body };

/// As many measures stand side by side; more of them, or of one run, stand below each other.
const ACROSS: usize = 6;
/// The size of a bar.
const BAR: (f64, f64) = (104.0, 10.0);

fn heading(_: &Report) -> Option<String> {
    Some("Scores".to_owned())
}

fn body(report: &Report, html: &mut Html) {
    let has_latency = report.beside.iter().any(|run| run.latency.is_some());
    html.element("div", &[("class", &"scroll")], |html| {
        html.element("table", &[], |html| match (report.runs.len(), report.measures.len()) {
            (1, _) => cutoffs_across(report, html),
            (_, 0..=ACROSS) => runs_down(report, has_latency, html),
            _ => measures_down(report, has_latency, html),
        });
    });
    html.line();
    for note in &report.score_notes {
        html.leaf("p", &[("class", &"quiet")], note);
        html.line();
    }
}

fn runs_down(report: &Report, has_latency: bool, html: &mut Html) {
    html.element("tr", &[], |html| {
        html.leaf("th", &[("scope", &"col")], "run");
        for measure in &report.measures {
            html.leaf("th", &[("scope", &"col")], &measure.name);
        }
        for heading in if has_latency { &["p50", "p95"][..] } else { &[] } {
            html.leaf("th", &[("scope", &"col"), ("class", &"n")], heading);
        }
    });
    html.line();
    for run in 0..report.runs.len() {
        html.element("tr", &[], |html| {
            html.element("th", &[("scope", &"row"), ("class", &"id")], |html| name(report, run, html));
            for (measure, score) in report.measures.iter().zip(&report.scores[run]) {
                cell(run, measure, score, html);
            }
            for text in if has_latency { latency(report, run) } else { Vec::new() } {
                html.leaf("td", &[("class", &"n")], text);
            }
        });
        html.line();
    }
}

fn measures_down(report: &Report, has_latency: bool, html: &mut Html) {
    html.element("tr", &[], |html| {
        html.leaf("th", &[("scope", &"col")], "measure");
        for run in 0..report.runs.len() {
            html.element("th", &[("scope", &"col"), ("class", &"id")], |html| name(report, run, html));
        }
    });
    html.line();
    for (index, measure) in report.measures.iter().enumerate() {
        html.element("tr", &[], |html| {
            html.leaf("th", &[("scope", &"row")], &measure.name);
            for (run, scores) in report.scores.iter().enumerate() {
                cell(run, measure, &scores[index], html);
            }
        });
        html.line();
    }
    for (index, heading) in if has_latency { &["latency p50", "latency p95"][..] } else { &[] }.iter().enumerate() {
        html.element("tr", &[], |html| {
            html.leaf("th", &[("scope", &"row")], heading);
            for run in 0..report.runs.len() {
                html.leaf("td", &[], &latency(report, run)[index]);
            }
        });
        html.line();
    }
}

/// One run: a row per measure, a column per cutoff.
fn cutoffs_across(report: &Report, html: &mut Html) {
    let (mut names, mut cutoffs): (Vec<&str>, Vec<Option<u64>>) = Default::default();
    for (name, cutoff) in report.measures.iter().map(|measure| &measure.parts) {
        names.extend((!names.contains(&name.as_str())).then_some(name.as_str()));
        cutoffs.extend((!cutoffs.contains(cutoff)).then_some(*cutoff));
    }
    cutoffs.sort_by_key(|cutoff| cutoff.unwrap_or(u64::MAX));
    html.element("tr", &[], |html| {
        html.element("th", &[("scope", &"col"), ("class", &"id")], |html| name(report, 0, html));
        for cutoff in &cutoffs {
            let text = cutoff.map_or_else(|| "whole list".to_owned(), |k| format!("@{k}"));
            html.leaf("th", &[("scope", &"col")], text);
        }
    });
    html.line();
    for name in names {
        html.element("tr", &[], |html| {
            html.leaf("th", &[("scope", &"row")], name);
            for cutoff in &cutoffs {
                let index = report
                    .measures
                    .iter()
                    .position(|measure| (measure.parts.0.as_str(), &measure.parts.1) == (name, cutoff));
                match index {
                    Some(index) => cell(0, &report.measures[index], &report.scores[0][index], html),
                    None => html.markup("<td></td>"),
                }
            }
        });
        html.line();
    }
    if report.beside[0].latency.is_some() {
        html.element("tr", &[], |html| {
            html.leaf("th", &[("scope", &"row")], "latency");
            let latency = latency(report, 0);
            html.leaf("td", &[("colspan", &cutoffs.len())], format_args!("p50 {}, p95 {}", latency[0], latency[1]));
        });
    }
}

/// The name of a run behind its colour, and its letter where letters are used.
fn name(report: &Report, run: usize, html: &mut Html) {
    html.element("svg", &[("width", &11), ("height", &11), ("class", &"swatch"), ("aria-hidden", &"true")], |html| {
        html.void("rect", &[("width", &11), ("height", &11), ("fill", &color(run))]);
    });
    let has_letters = report.scores.iter().flatten().any(|score| !score.mark.is_empty());
    let letter = if has_letters { format!(" {} ", letter(run)) } else { " ".to_owned() };
    html.text(letter);
    html.text(report.runs[run]);
}

fn cell(run: usize, measure: &MeasurePart, score: &Score, html: &mut Html) {
    html.element("td", &[("class", &"score")], |html| {
        let Some(value) = score.value else { return html.text("n/a") };
        let shown = fixed(value, measure.digits);
        match score.is_best {
            true => html.leaf("strong", &[], shown),
            false => html.text(shown),
        }
        if !score.mark.is_empty() {
            html.leaf("sup", &[], &score.mark);
        }
        if let Some(found) = score.interval {
            let [low, high] = [found.low, found.high].map(|limit| fixed(limit, measure.digits));
            html.leaf("span", &[("class", &"quiet")], format_args!(" [{low}, {high}]"));
        }
        html.void("br", &[]);
        bar(run, measure, score, value, html);
    });
}

/// The value as a part of what it could be, with its interval as a whisker.
fn bar(run: usize, measure: &MeasurePart, score: &Score, value: f64, html: &mut Html) {
    let scale = Scale { values: (0.0, measure.top), places: (0.0, BAR.0) };
    html.element("svg", &[("width", &BAR.0), ("height", &BAR.1), ("aria-hidden", &"true")], |html| {
        let mut part = |x: f64, y: f64, width: f64, height: f64, color: &'static str| {
            let [x, y, width, height] = [x, y, width, height].map(Px);
            html.void("rect", &[("x", &x), ("y", &y), ("width", &width), ("height", &height), ("fill", &color)]);
        };
        part(0.0, 2.0, BAR.0, 6.0, FAINT);
        part(0.0, 2.0, scale.at(value), 6.0, color(run));
        if let Some(found) = score.interval {
            let (low, high) = (scale.at(found.low), scale.at(found.high));
            part(low, 4.3, high - low, 1.4, INK);
            part((low - 0.7).max(0.0), 1.0, 1.4, 8.0, INK);
            part((high - 0.7).min(BAR.0 - 1.4), 1.0, 1.4, 8.0, INK);
        }
    });
}

/// Median and 95th percentile of the latency.
fn latency(report: &Report, run: usize) -> Vec<String> {
    let of = report.beside.get(run).and_then(|run| run.latency);
    let shown = |ms: Option<f64>| ms.map_or_else(|| "n/a".to_owned(), milliseconds);
    vec![shown(of.map(|latency| latency.p50_ms)), shown(of.map(|latency| latency.p95_ms))]
}

/// A time, with decimals where it is short.
pub fn milliseconds(ms: f64) -> String {
    match ms {
        long if long >= 100.0 => format!("{} ms", grouped(long.round() as u64)),
        short => format!("{} ms", fixed(short, 1)),
    }
}
