//! Every pair of runs on every measure: the difference and its interval around the line of none.

use raglens::stats::verdict::Verdict;

use super::Section;
use super::report::{Difference, Report};
use super::svg::{Anchor, BETTER, FAINT, GREY, INK, Ink, Scale, Svg, WORSE, chart, decimals, fitting, ticks, width};
use super::write::Html;
use crate::render::number::{exact, fixed, signed};

/// The section.
pub static SECTION: Section = Section { id: "differences", class, heading, body };

/// How wide the chart is: half of the page, or all of it.
const WIDTHS: (f64, f64) = (540.0, 1100.0);
/// What the numbers at the right need, with p at the very end.
const NUMBERS: f64 = 204.0;
/// What names have beside a narrow chart, at most beside a wide one.
const NAMES: (f64, f64) = (150.0, 480.0);
/// More rows than these take the width of the page.
const MANY_ROWS: usize = 16;
const ROW: f64 = 22.0;
/// As many rows are drawn.
const MOST: usize = 120;
/// Behind what does not matter.
const SHADE: &str = "#fbeecb";

fn class(report: &Report) -> &'static str {
    if is_wide(report) { "wide" } else { "" }
}

fn is_wide(report: &Report) -> bool {
    report.differences.rows.len() > MANY_ROWS || longest_name(report) > NAMES.0
}

fn longest_name(report: &Report) -> f64 {
    report.differences.rows.iter().map(|found| width(&name(report, found)) + 16.0).fold(0.0, f64::max)
}

fn name(report: &Report, found: &Difference) -> String {
    format!("{} − {}", report.runs[found.pair.1], report.runs[found.pair.0])
}

/// Where the names end and the numbers begin.
fn plot(report: &Report) -> (f64, f64) {
    match is_wide(report) {
        true => (longest_name(report).clamp(NAMES.0, NAMES.1), WIDTHS.1 - NUMBERS),
        false => (NAMES.0, WIDTHS.0 - NUMBERS),
    }
}

fn heading(report: &Report) -> Option<String> {
    (!report.differences.rows.is_empty()).then(|| "Differences and their intervals".to_owned())
}

fn body(report: &Report, html: &mut Html) {
    let shown = &report.differences.rows[..report.differences.rows.len().min(MOST)];
    let groups: Vec<&[Difference]> = shown.chunk_by(|a, b| a.measure == b.measure).collect();
    let height = (shown.len() + groups.len()) as f64 * ROW + 44.0;
    let width = if is_wide(report) { WIDTHS.1 } else { WIDTHS.0 };
    let x = Scale { values: limits(report, shown), places: plot(report) };
    chart(html, &describe(report, shown), (width, height), |svg| {
        axis(report, svg, x, height);
        svg.text((width, ROW - 5.0), Ink::quiet(Anchor::End), shown[0].p_name);
        let mut y = ROW;
        for group in groups {
            let measure = &report.measures[group[0].measure];
            svg.titled((0.0, y - 5.0), Ink::strong(INK, Anchor::Start), &fitting(&measure.name, 320.0), &measure.name);
            y += ROW;
            for difference in group {
                row(report, difference, svg, x, y - 9.0);
                y += ROW;
            }
        }
    });
    let more = report.differences.rows.len() - shown.len();
    if more > 0 {
        html.leaf("p", &[("class", &"quiet")], format_args!("{more} more differences stand in the data below."));
    }
    for note in &report.differences.notes {
        html.leaf("p", &[("class", &"quiet")], note);
        html.line();
    }
}

/// From the least to the largest limit, with 0 and the margin.
fn limits(report: &Report, shown: &[Difference]) -> (f64, f64) {
    let ends = shown.iter().flat_map(|found| {
        let interval = found.interval.map_or([found.mean; 2], |interval| [interval.low, interval.high]);
        [found.mean, interval[0], interval[1]]
    });
    let margin = report.differences.margin.unwrap_or(0.0);
    let all = ends.chain([0.0, margin, -margin]).filter(|value| value.is_finite());
    let (low, high) = all.fold((0.0f64, 0.0f64), |(low, high), value| (low.min(value), high.max(value)));
    let room = ((high - low) * 0.06).max(1e-3);
    (low - room, high + room)
}

fn describe(report: &Report, shown: &[Difference]) -> String {
    let of = |found: &Difference| {
        let (name, pair) = (&report.measures[found.measure].name, report.versus(found.pair));
        format!("{pair} on {name} {} ({})", signed(found.mean, report.digits), found.words)
    };
    let first: Vec<String> = shown.iter().take(6).map(of).collect();
    let more = if shown.len() > 6 { "; and more" } else { "" };
    format!("Mean differences with intervals: {}{more}", first.join("; "))
}

fn axis(report: &Report, svg: &mut Svg<'_>, x: Scale, height: f64) {
    let bottom = height - 26.0;
    if let Some(margin) = report.differences.margin.filter(|&margin| margin > 0.0) {
        let (from, to) = (x.at(-margin), x.at(margin));
        let title = format!("margin: differences within {} do not matter", exact(margin));
        svg.bar((from, ROW - 8.0), (to - from, bottom - ROW + 8.0), SHADE, &title);
    }
    let marks = ticks(x.values, 4);
    let digits = decimals(marks.get(1).map_or(1.0, |second| second - marks[0]));
    for tick in marks {
        svg.line((x.at(tick), ROW - 8.0), (x.at(tick), bottom), FAINT, 1.0);
        let text = if tick == 0.0 { fixed(tick, 0) } else { signed(tick, digits) };
        svg.text((x.at(tick), bottom + 16.0), Ink::quiet(Anchor::Middle), &text);
    }
    svg.line((x.at(0.0), ROW - 8.0), (x.at(0.0), bottom), INK, 1.2);
}

fn row(report: &Report, found: &Difference, svg: &mut Svg<'_>, x: Scale, y: f64) {
    let color = match found.verdict {
        Some(Verdict::Better) => BETTER,
        Some(Verdict::Worse) => WORSE,
        _ => GREY,
    };
    let name = name(report, found);
    svg.titled((8.0, y + 4.0), Ink::quiet(Anchor::Start), &fitting(&name, x.places.0 - 12.0), &name);
    let number = signed(found.mean, report.digits);
    let within = found.interval.map_or_else(String::new, |interval| {
        let [low, high] = [interval.low, interval.high].map(|limit| signed(limit, report.digits));
        format!(" [{low}, {high}]")
    });
    if let Some(interval) = found.interval {
        let (low, high) = (x.at(interval.low), x.at(interval.high));
        svg.line((low, y), (high, y), color, 2.0);
    }
    let title = format!("{name}: {number}{within}, {} {}, {}", found.p_name, found.p, found.words);
    svg.dot((x.at(found.mean), y), 4.5, color, &title);
    svg.text((x.places.1 + 12.0, y + 4.0), Ink::strong(color, Anchor::Start), &format!("{number} {}", found.words));
    svg.text((x.places.1 + NUMBERS, y + 4.0), Ink::quiet(Anchor::End), &found.p);
}
