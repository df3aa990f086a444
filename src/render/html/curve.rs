//! Recall at every k: how much deeper a later step must look.

use super::Section;
use super::report::Report;
use super::svg::{Anchor, FAINT, GREY, Ink, Scale, Svg, chart, color, fitting, spread, ticks, width};
use super::write::Html;
use crate::render::number::fixed;

/// The section.
pub static SECTION: Section = Section { id: "recall", class: "", heading, body };

const WIDTH: f64 = 540.0;
/// The widest label at the end of a line.
const LABEL: f64 = 160.0;
/// What labels need below each other.
const GAP: f64 = 14.0;
/// Lines of one colour have other dashes.
const DASHES: [&str; 4] = ["none", "7 3", "2 3", "9 3 2 3"];

fn heading(report: &Report) -> Option<String> {
    (report.cutoffs.len() > 1).then(|| "Recall at k".to_owned())
}

fn body(report: &Report, html: &mut Html) {
    let known: Vec<usize> = (0..report.runs.len()).filter(|&run| !report.beside[run].recall.is_empty()).collect();
    let height = (GAP * known.len() as f64 + 50.0).max(280.0);
    let label = known.iter().map(|&run| fitting(report.runs[run], LABEL)).map(|name| width(&name)).fold(0.0, f64::max);
    let y = Scale { values: (0.0, 1.0), places: (height - 42.0, 12.0) };
    let last = *report.cutoffs.last().unwrap_or(&1);
    let x = Scale { values: (0.0, (last as f64).ln()), places: (34.0, WIDTH - label - 14.0) };
    let describe = describe(report, &known);
    chart(html, &describe, (WIDTH, height), |svg| {
        axes(report, svg, x, y);
        let ends: Vec<f64> = known.iter().map(|&run| y.at(*report.beside[run].recall.last().unwrap_or(&0.0))).collect();
        let places = spread(&ends, GAP, (12.0, height - 42.0));
        for ((&run, place), end) in known.iter().zip(places).zip(ends) {
            line(report, run, svg, x, y);
            let from = x.places.1;
            svg.line((from + 3.0, end), (from + 10.0, place), FAINT, 1.0);
            let ink = Ink::strong(color(run), Anchor::Start);
            let name = report.runs[run];
            svg.titled((from + 12.0, place + 4.0), ink, &fitting(name, LABEL), name);
        }
    });
}

/// The curves in words.
fn describe(report: &Report, known: &[usize]) -> String {
    let last = report.cutoffs.last().copied().unwrap_or(1);
    let of = |&run: &usize| {
        let recall = &report.beside[run].recall;
        let [first, last] = [recall.first(), recall.last()].map(|value| fixed(*value.unwrap_or(&0.0), report.digits));
        format!("{} from {first} to {last}", report.runs[run])
    };
    let runs: Vec<String> = known.iter().map(of).collect();
    format!("Recall from k = 1 to k = {last}: {}", runs.join("; "))
}

fn axes(report: &Report, svg: &mut Svg<'_>, x: Scale, y: Scale) {
    for tick in ticks((0.0, 1.0), 5) {
        svg.line((x.places.0, y.at(tick)), (x.places.1, y.at(tick)), FAINT, 1.0);
        svg.text((x.places.0 - 5.0, y.at(tick) + 4.0), Ink::quiet(Anchor::End), &fixed(tick, 1));
    }
    let mut free = 0.0;
    for &k in &report.cutoffs {
        let (place, text) = (x.at((k as f64).ln()), k.to_string());
        if place - width(&text) / 2.0 >= free {
            svg.text((place, y.places.0 + 16.0), Ink::quiet(Anchor::Middle), &text);
            free = place + width(&text) / 2.0 + 4.0;
        }
    }
    let middle = (x.places.0 + x.places.1) / 2.0;
    svg.text((middle, y.places.0 + 33.0), Ink::quiet(Anchor::Middle), "k (log scale)");
    svg.line((x.places.0, y.places.0), (x.places.1, y.places.0), GREY, 1.0);
}

fn line(report: &Report, run: usize, svg: &mut Svg<'_>, x: Scale, y: Scale) {
    let points: Vec<(f64, f64)> = report
        .cutoffs
        .iter()
        .zip(&report.beside[run].recall)
        .map(|(&k, &recall)| (x.at((k as f64).ln()), y.at(recall)))
        .collect();
    svg.path(&points, color(run), DASHES[run / 8 % DASHES.len()]);
    for ((&k, &recall), &point) in report.cutoffs.iter().zip(&report.beside[run].recall).zip(&points) {
        let title = format!("{}: recall@{k} {}", report.runs[run], fixed(recall, report.digits));
        svg.dot(point, 3.0, color(run), &title);
    }
}
