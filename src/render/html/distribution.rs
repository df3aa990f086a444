//! How the values of single queries are distributed: the mass at 0 and 1 that a mean hides.

use raglens::stats::summary::Histogram;

use super::Section;
use super::report::Report;
use super::svg::{Anchor, GREY, Ink, Scale, Svg, chart, color, decimals, fitting};
use super::write::Html;
use crate::render::number::{fixed, grouped, percent};

/// The section.
pub static SECTION: Section = Section { id: "distribution", class: |_| "", heading, body };

const WIDTH: f64 = 540.0;
/// Where the bars are.
const PLOT: (f64, f64) = (8.0, 532.0);
/// The height of a run, and of its highest bar.
const ROW: f64 = 86.0;
const BAR: f64 = 46.0;

fn heading(report: &Report) -> Option<String> {
    let any = report.histograms.iter().any(Option::is_some);
    any.then(|| format!("Distribution of {} over the queries", report.leading().name))
}

fn body(report: &Report, html: &mut Html) {
    let known: Vec<(usize, &Histogram)> =
        report.histograms.iter().enumerate().filter_map(|(run, found)| Some((run, found.as_ref()?))).collect();
    let largest = known.iter().flat_map(|(_, found)| found.counts).max().unwrap_or(0).max(1);
    let height = known.len() as f64 * ROW + 26.0;
    let describe: Vec<String> = known.iter().map(|&(run, found)| describe(report, run, found)).collect();
    chart(html, &describe.join("; "), (WIDTH, height), |svg| {
        for (index, &(run, found)) in known.iter().enumerate() {
            row(report, run, found, svg, (index as f64 * ROW, largest));
        }
        if let Some((_, first)) = known.first() {
            limits(first, svg, height - 8.0);
        }
    });
}

/// The ends of a distribution in words.
fn describe(report: &Report, run: usize, found: &Histogram) -> String {
    let total = found.counts.iter().sum::<u64>().max(1) as f64;
    let share = |count: Option<&u64>| percent(*count.unwrap_or(&0) as f64 / total);
    let (lowest, highest) = (share(found.counts.first()), share(found.counts.last()));
    format!("{}: {lowest} of the queries in the lowest tenth, {highest} in the highest", report.runs[run])
}

fn row(report: &Report, run: usize, found: &Histogram, svg: &mut Svg<'_>, (top, largest): (f64, u64)) {
    let name = report.runs[run];
    svg.titled((PLOT.0, top + 14.0), Ink::strong(color(run), Anchor::Start), &fitting(name, WIDTH - 20.0), name);
    let base = top + ROW - 6.0;
    let y = Scale { values: (0.0, largest as f64), places: (0.0, BAR) };
    let bins = found.counts.len() as f64;
    let width = (PLOT.1 - PLOT.0) / bins;
    for (bin, &count) in found.counts.iter().enumerate() {
        let (x, height) = (PLOT.0 + bin as f64 * width, y.at(count as f64).max(if count > 0 { 1.0 } else { 0.0 }));
        let title = format!("{name}: {} from {}", grouped(count), bounds(found, bin));
        svg.bar((x + 2.0, base - height), (width - 4.0, height), color(run), &title);
        if count > 0 {
            svg.text((x + width / 2.0, base - height - 3.0), Ink::quiet(Anchor::Middle), &grouped(count));
        }
    }
    svg.line((PLOT.0, base), (PLOT.1, base), GREY, 1.0);
}

/// The ends of a bin.
fn bounds(found: &Histogram, bin: usize) -> String {
    let [low, high] = [bin, bin + 1].map(|edge| shown(found, edge));
    format!("{low} to {}{high}", if bin + 1 < found.counts.len() { "under " } else { "" })
}

/// The edge between two bins, with as many decimals as it takes to tell it from the next.
fn shown(found: &Histogram, edge: usize) -> String {
    let step = found.range.width() / found.counts.len() as f64;
    fixed(found.range.low + step * edge as f64, decimals(step))
}

/// The edges of the bins, below the last row.
fn limits(found: &Histogram, svg: &mut Svg<'_>, y: f64) {
    let bins = found.counts.len();
    let width = (PLOT.1 - PLOT.0) / bins as f64;
    for edge in 0..=bins {
        let anchor = match edge {
            0 => Anchor::Start,
            _ if edge == bins => Anchor::End,
            _ => Anchor::Middle,
        };
        let place = PLOT.0 + edge as f64 * width;
        svg.text((place, y), Ink::quiet(anchor), &shown(found, edge));
    }
}
