//! Quality against latency: which runs are worth their time.

use raglens::rag::pareto::Standing;

use super::Section;
use super::report::Report;
use super::scores::milliseconds;
use super::svg::{Anchor, FAINT, GREY, Ink, Scale, Svg, chart, color, fitting, spread, ticks, width};
use super::write::Html;
use crate::render::number::{exact, fixed};

/// The section.
pub static SECTION: Section = Section { id: "latency", class: "", heading, body };

const SIZE: (f64, f64) = (540.0, 280.0);
/// What labels need below each other.
const GAP: f64 = 14.0;
/// The widest label.
const LABEL: f64 = 190.0;

/// A run with both.
struct Placed {
    run: usize,
    ms: f64,
    value: f64,
    is_beaten: bool,
}

fn heading(report: &Report) -> Option<String> {
    (placed(report).len() > 1).then(|| "Quality and latency".to_owned())
}

fn placed(report: &Report) -> Vec<Placed> {
    let of = |run: usize| {
        let (beside, score) = (report.beside.get(run)?, &report.scores[run][report.leading]);
        let is_beaten = matches!(beside.standing, Some(Standing::Dominated(_)));
        Some(Placed { run, ms: beside.latency?.p95_ms, value: score.value?, is_beaten })
    };
    (0..report.runs.len()).filter_map(of).collect()
}

fn body(report: &Report, html: &mut Html) {
    let placed = placed(report);
    let most = placed.iter().map(|placed| placed.ms).fold(0.0, f64::max).max(1e-9);
    let x = Scale { values: (0.0, most * 1.05), places: (40.0, SIZE.0 - 20.0) };
    let y = Scale { values: (0.0, report.leading().top), places: (SIZE.1 - 42.0, 12.0) };
    let words: Vec<String> = placed.iter().map(|placed| describe(report, placed)).collect();
    chart(html, &format!("Quality against latency: {}", words.join("; ")), SIZE, |svg| {
        axes(report, svg, x, y);
        let places: Vec<f64> = placed.iter().map(|placed| y.at(placed.value) - 9.0).collect();
        let labels = spread(&places, GAP, (12.0, SIZE.1 - 48.0));
        for ((placed, words), label) in placed.iter().zip(&words).zip(labels) {
            dot(report, placed, words, label, svg, (x, y));
        }
    });
    if placed.iter().any(|placed| placed.is_beaten) {
        let text = "Grey, beaten: another run is at least as good and as fast, and better in one of the two.";
        html.leaf("p", &[("class", &"quiet")], text);
    }
}

fn describe(report: &Report, placed: &Placed) -> String {
    let (name, value) = (report.runs[placed.run], fixed(placed.value, report.digits));
    let beaten = if placed.is_beaten { ", beaten" } else { "" };
    format!("{name}: {} {value} at {}{beaten}", report.leading().name, milliseconds(placed.ms))
}

fn axes(report: &Report, svg: &mut Svg<'_>, x: Scale, y: Scale) {
    for tick in ticks(y.values, 5) {
        svg.line((x.places.0, y.at(tick)), (x.places.1, y.at(tick)), FAINT, 1.0);
        svg.text((x.places.0 - 5.0, y.at(tick) + 4.0), Ink::quiet(Anchor::End), &exact(tick));
    }
    for tick in ticks(x.values, 5) {
        svg.text((x.at(tick), y.places.0 + 16.0), Ink::quiet(Anchor::Middle), &exact(tick));
    }
    let middle = (x.places.0 + x.places.1) / 2.0;
    let text = format!("latency, 95th percentile in ms; up: {}", fitting(&report.leading().name, 160.0));
    svg.text((middle, y.places.0 + 33.0), Ink::quiet(Anchor::Middle), &text);
    svg.line((x.places.0, y.places.0), (x.places.1, y.places.0), GREY, 1.0);
}

fn dot(report: &Report, placed: &Placed, words: &str, label: f64, svg: &mut Svg<'_>, (x, y): (Scale, Scale)) {
    let shade = if placed.is_beaten { "#9aa2ad" } else { color(placed.run) };
    let at = (x.at(placed.ms), y.at(placed.value));
    if let Some(interval) = report.scores[placed.run][report.leading].interval {
        svg.line((at.0, y.at(interval.low)), (at.0, y.at(interval.high)), shade, 1.5);
    }
    svg.dot(at, 5.5, shade, words);
    let name = fitting(report.runs[placed.run], LABEL) + if placed.is_beaten { " (beaten)" } else { "" };
    let ink =
        Ink { color: if placed.is_beaten { GREY } else { shade }, bold: !placed.is_beaten, anchor: Anchor::Start };
    let is_right = at.0 + 10.0 + width(&name) > SIZE.0;
    let (anchor, place) = if is_right { (Anchor::End, at.0 - 9.0) } else { (Anchor::Start, at.0 + 9.0) };
    svg.titled((place, label), Ink { anchor, ..ink }, &name, report.runs[placed.run]);
}
