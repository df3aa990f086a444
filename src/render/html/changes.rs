//! The differences of single queries, sorted: what a mean difference is made of.

use raglens::stats::summary::mean;

use super::Section;
use super::report::{Changes, MANY, Report};
use super::svg::{Anchor, BETTER, FAINT, GREY, Ink, Scale, Svg, WORSE, chart, decimals, ticks};
use super::write::Html;
use crate::render::number::{fixed, grouped, queries, signed};

/// The section.
pub static SECTION: Section = Section { id: "queries", class: |_| "wide", heading, body };

const SIZE: (f64, f64) = (1100.0, 176.0);
/// Where the bars are.
const PLOT: (f64, f64) = (46.0, 1094.0);
/// As many pairs of runs are drawn.
const MOST_PAIRS: usize = 6;
/// Bars where there are too many queries for one each.
const BINS: usize = 240;

fn heading(report: &Report) -> Option<String> {
    let first = report.changes.first()?;
    Some(format!("Per-query difference: {}", report.measures[first.measure].name))
}

fn body(report: &Report, html: &mut Html) {
    let shown = &report.changes[..report.changes.len().min(MOST_PAIRS)];
    // All charts together hold as many bars.
    let bars: usize = shown.iter().map(|changes| changes.differing.len()).sum();
    for changes in shown {
        html.leaf("h3", &[], report.versus(changes.pair));
        pair(report, changes, bars > MANY, html);
    }
    if bars > MANY {
        let text = format!(
            "More than {} queries differ: a bar stands for several and shows their mean.",
            grouped(MANY as u64)
        );
        html.leaf("p", &[("class", &"quiet")], text);
    }
    let rest = report.changes.len() - shown.len();
    if rest > 0 {
        html.leaf("p", &[("class", &"quiet")], format_args!("{rest} more pairs of runs stand in the data below."));
    }
}

fn pair(report: &Report, changes: &Changes, is_binned: bool, html: &mut Html) {
    let [better, same, worse] = changes.counts;
    let total = (better + same + worse).max(1);
    let largest = changes.differing.iter().map(|(_, difference)| difference.abs()).fold(0.0, f64::max);
    let largest = if largest > 0.0 { largest } else { 1.0 };
    let y = Scale { values: (-largest, largest), places: (SIZE.1 - 14.0, 14.0) };
    let x = Scale { values: (0.0, total as f64), places: PLOT };
    let counts = |separator: &str| {
        let count = |count: usize| grouped(count as u64);
        format!("{} better{separator}{} tied{separator}{} worse", count(better), count(same), count(worse))
    };
    let name = &report.measures[changes.measure].name;
    let label = format!("{} on {name}: {} of {}", report.versus(changes.pair), counts(", "), queries(total as u64));
    chart(html, &label, SIZE, |svg| {
        axis(svg, y);
        match is_binned {
            true => bins(report, changes, svg, x, y),
            false => bars(report, changes, svg, x, y),
        }
        let count = |count: usize, word: &str| format!("{} {word}", queries_of(count));
        // Where all are worse, or all are better, bars stand where the other count would.
        if better + same > 0 {
            svg.text((PLOT.0 + 6.0, SIZE.1 - 18.0), Ink::strong(BETTER, Anchor::Start), &count(better, "better"));
        }
        let middle = x.at(better as f64 + same as f64 / 2.0).clamp(PLOT.0 + 260.0, PLOT.1 - 260.0);
        svg.text((middle, y.at(0.0) - 6.0), Ink::quiet(Anchor::Middle), &count(same, "tied"));
        if worse + same > 0 {
            svg.text((PLOT.1 - 6.0, 24.0), Ink::strong(WORSE, Anchor::End), &count(worse, "worse"));
        }
    });
}

fn queries_of(count: usize) -> String {
    if count == 1 { "1 query".to_owned() } else { format!("{} queries", grouped(count as u64)) }
}

fn axis(svg: &mut Svg<'_>, y: Scale) {
    let marks = ticks(y.values, 4);
    let digits = decimals(marks.get(1).map_or(1.0, |second| second - marks[0]));
    for tick in marks {
        svg.line((PLOT.0, y.at(tick)), (PLOT.1, y.at(tick)), if tick == 0.0 { GREY } else { FAINT }, 1.0);
        let text = if tick == 0.0 { fixed(tick, 0) } else { signed(tick, digits) };
        svg.text((PLOT.0 - 5.0, y.at(tick) + 4.0), Ink::quiet(Anchor::End), &text);
    }
}

/// The color of a difference.
fn shade(report: &Report, changes: &Changes, difference: f64) -> &'static str {
    match report.measures[changes.measure].improves(difference) {
        Some(true) => BETTER,
        Some(false) => WORSE,
        None => GREY,
    }
}

/// Where the bar of a place stands: those that are better from the left on, the others to the
/// right end.
fn place(changes: &Changes, index: usize) -> usize {
    if index < changes.counts[0] { index } else { index + changes.counts[1] }
}

/// A bar a query.
fn bars(report: &Report, changes: &Changes, svg: &mut Svg<'_>, x: Scale, y: Scale) {
    for (index, (query, difference)) in changes.differing.iter().enumerate() {
        let place = place(changes, index) as f64;
        let title = format!("{query}: {}", signed(*difference, report.digits));
        draw(svg, (x.at(place), x.at(place + 1.0)), *difference, y, shade(report, changes, *difference), &title);
    }
}

/// A bar for several queries that follow each other: their mean.
fn bins(report: &Report, changes: &Changes, svg: &mut Svg<'_>, x: Scale, y: Scale) {
    let total: usize = changes.counts.iter().sum();
    let size = total.div_ceil(BINS).max(1);
    let (better, worse) = changes.differing.split_at(changes.counts[0].min(changes.differing.len()));
    let mut start = 0;
    for part in [better, worse] {
        for bin in part.chunks(size) {
            let values: Vec<f64> = bin.iter().map(|(_, difference)| *difference).collect();
            let Some(mean) = mean(&values) else { continue };
            let (from, to) = (place(changes, start) as f64, place(changes, start) as f64 + bin.len() as f64);
            let title = format!("{}: {} on average", queries_of(bin.len()), signed(mean, report.digits));
            draw(svg, (x.at(from), x.at(to)), mean, y, shade(report, changes, mean), &title);
            start += bin.len();
        }
    }
}

fn draw(svg: &mut Svg<'_>, (from, to): (f64, f64), difference: f64, y: Scale, color: &'static str, title: &str) {
    let (top, bottom) = (y.at(difference.max(0.0)), y.at(difference.min(0.0)));
    // Neighbours of fewer pixels than one must not fade where they meet.
    let gap = if to - from > 4.0 { 1.0 } else { -0.2 };
    svg.bar((from, top), ((to - from - gap).max(0.3), (bottom - top).max(0.5)), color, title);
}
