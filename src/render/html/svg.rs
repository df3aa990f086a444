//! Charts as SVG with presentation attributes alone: they look the same where style sheets are
//! forbidden.

use std::fmt::{self, Display};

use unicode_width::UnicodeWidthStr;

use super::write::Html;
use crate::render::number::exact;
use crate::render::paragraph::{printable, shortened};

/// The colour of text and axes that stand back.
pub const GREY: &str = "#5b6472";
/// The colour of lines behind the data.
pub const FAINT: &str = "#dfe3e8";
/// The colour of text.
pub const INK: &str = "#111827";
/// The colour of what is better; green, and dark enough for text.
pub const BETTER: &str = "#00704f";
/// The colour of what is worse; vermilion, which the colour-blind tell from the green.
pub const WORSE: &str = "#b3400a";
/// The size of text in charts.
const SIZE: f64 = 12.0;
/// About how wide a letter is, on the safe side of what fonts have.
const LETTER: f64 = 0.64 * SIZE;

/// The colours of runs, told apart by the colour-blind; after these they begin again, and labels
/// tell them apart.
const RUNS: [&str; 8] = ["#55657d", "#c26a00", "#2462d8", "#00805a", "#94428c", "#7a4a1e", "#1c8aa8", "#b3355b"];

/// The colour of a run.
pub fn color(run: usize) -> &'static str {
    RUNS[run % RUNS.len()]
}

/// A place in a chart, to a tenth of a pixel.
#[derive(Debug, Clone, Copy)]
pub struct Px(pub f64);

impl Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&exact((self.0 * 10.0).round() / 10.0))
    }
}

/// Where a text stands relative to its place.
#[derive(Debug, Clone, Copy)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// How a text in a chart looks.
#[derive(Debug, Clone, Copy)]
pub struct Ink {
    /// The colour.
    pub color: &'static str,
    /// Whether it is bold.
    pub bold: bool,
    /// Where it stands.
    pub anchor: Anchor,
}

impl Ink {
    /// Text beside an axis.
    pub fn quiet(anchor: Anchor) -> Self {
        Self { color: GREY, bold: false, anchor }
    }

    /// Text that is read first.
    pub fn strong(color: &'static str, anchor: Anchor) -> Self {
        Self { color, bold: true, anchor }
    }
}

/// A linear scale.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    /// The values at both ends.
    pub values: (f64, f64),
    /// Their places.
    pub places: (f64, f64),
}

impl Scale {
    /// The place of a value; those outside are put to the nearer end.
    pub fn at(&self, value: f64) -> f64 {
        let (low, high) = self.values;
        let share = if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.5 };
        self.places.0 + share * (self.places.1 - self.places.0)
    }
}

/// Round values between two others, about as many as asked for.
pub fn ticks((low, high): (f64, f64), about: usize) -> Vec<f64> {
    let raw = (high - low) / about.max(1) as f64;
    if !(raw.is_finite() && raw > 0.0) {
        return vec![low];
    }
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| *step >= raw * 0.999);
    let step = step.unwrap_or(raw);
    let (first, last) = ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
    (first..=last).map(|index| (index as f64 * step * 1e9).round() / 1e9).collect()
}

/// The decimals that tell values with such a step apart.
pub fn decimals(step: f64) -> usize {
    if step > 0.0 { (-(step * 1.001).log10().floor()).clamp(0.0, 9.0) as usize } else { 0 }
}

/// Places moved apart until each has room, in their order, between two limits as far as there is
/// room at all.
pub fn spread(places: &[f64], gap: f64, (low, high): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|&a, &b| places[a].total_cmp(&places[b]));
    let mut moved = places.to_vec();
    let mut least = low;
    for &index in &order {
        moved[index] = moved[index].max(least);
        least = moved[index] + gap;
    }
    let mut most = high;
    for &index in order.iter().rev() {
        moved[index] = moved[index].min(most);
        most = moved[index] - gap;
    }
    moved
}

/// A name that fits into so many pixels, without its middle where it is longer.
pub fn fitting(name: &str, pixels: f64) -> String {
    let columns = (pixels / LETTER) as usize;
    shortened(&printable(name), columns.max(4), "…")
}

/// About how wide a text is.
pub fn width(text: &str) -> f64 {
    text.width() as f64 * LETTER
}

/// A chart that is drawn.
pub struct Svg<'h> {
    html: &'h mut Html,
}

/// Draws a chart of a size, with words for those who cannot see it.
pub fn chart(html: &mut Html, label: &str, (width, height): (f64, f64), draw: impl FnOnce(&mut Svg<'_>)) {
    let view = format!("0 0 {} {}", Px(width), Px(height));
    let wide = if width > 700.0 { "chart wide" } else { "chart" };
    html.element("div", &[("class", &wide)], |html| {
        html.element(
            "svg",
            &[
                ("xmlns", &"http://www.w3.org/2000/svg"),
                ("role", &"img"),
                ("aria-label", &label),
                ("viewBox", &view),
                ("width", &Px(width)),
                ("height", &Px(height)),
                ("font-family", &"system-ui,sans-serif"),
                ("font-size", &SIZE),
            ],
            |html| draw(&mut Svg { html }),
        );
    });
    html.line();
}

impl Svg<'_> {
    /// A straight line.
    pub fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), color: &'static str, width: f64) {
        self.html.void(
            "line",
            &[
                ("x1", &Px(x1)),
                ("y1", &Px(y1)),
                ("x2", &Px(x2)),
                ("y2", &Px(y2)),
                ("stroke", &color),
                ("stroke-width", &width),
            ],
        );
    }

    /// A box, with what is said of it; nothing is said where `title` is empty.
    pub fn bar(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), color: &'static str, title: &str) {
        let (x, y, width, height) = (Px(x), Px(y), Px(width), Px(height));
        let attributes: &[(&'static str, &dyn Display)] =
            &[("x", &x), ("y", &y), ("width", &width), ("height", &height), ("fill", &color)];
        match title {
            "" => self.html.void("rect", attributes),
            title => self.html.element("rect", attributes, |html| html.leaf("title", &[], title)),
        }
    }

    /// A dot, with what is said of it.
    pub fn dot(&mut self, (x, y): (f64, f64), radius: f64, color: &'static str, title: &str) {
        let attributes: &[(&'static str, &dyn Display)] =
            &[("cx", &Px(x)), ("cy", &Px(y)), ("r", &radius), ("fill", &color)];
        self.html.element("circle", attributes, |html| html.leaf("title", &[], title));
    }

    /// A line through points.
    pub fn path(&mut self, points: &[(f64, f64)], color: &'static str, dashes: &'static str) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", Px(*x), Px(*y))).collect();
        self.html.void(
            "polyline",
            &[
                ("points", &points.join(" ")),
                ("fill", &"none"),
                ("stroke", &color),
                ("stroke-width", &2),
                ("stroke-dasharray", &dashes),
            ],
        );
    }

    /// A text.
    pub fn text(&mut self, place: (f64, f64), ink: Ink, text: &str) {
        self.titled(place, ink, text, "");
    }

    /// A text with more to say.
    pub fn titled(&mut self, (x, y): (f64, f64), ink: Ink, text: &str, title: &str) {
        let anchor = match ink.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let weight = if ink.bold { "bold" } else { "normal" };
        self.html.element(
            "text",
            &[("x", &Px(x)), ("y", &Px(y)), ("fill", &ink.color), ("text-anchor", &anchor), ("font-weight", &weight)],
            |html| {
                if !title.is_empty() && title != text {
                    html.leaf("title", &[], title);
                }
                html.text(text);
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks((0.0, 1.0), 5), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        assert_eq!(ticks((-0.07, 0.13), 4), [-0.05, 0.0, 0.05, 0.1]);
        assert_eq!(ticks((3.0, 3.0), 4), [3.0]);
    }

    #[test]
    fn marks_have_the_decimals_that_tell_them_apart() {
        assert_eq!([0.2, 0.1, 0.05, 1.0, 20.0, 0.0].map(decimals), [1, 1, 2, 0, 0, 0]);
    }

    #[test]
    fn labels_that_would_overlap_are_moved_apart() {
        assert_eq!(spread(&[10.0, 10.0, 50.0], 12.0, (0.0, 100.0)), [10.0, 22.0, 50.0]);
        assert_eq!(spread(&[98.0, 99.0], 12.0, (0.0, 100.0)), [88.0, 100.0]);
        assert_eq!(spread(&[99.0, 98.0], 12.0, (0.0, 100.0)), [100.0, 88.0]);
    }

    #[test]
    fn a_scale_holds_what_lies_outside_at_its_ends() {
        let scale = Scale { values: (0.0, 1.0), places: (10.0, 110.0) };
        assert_eq!([-1.0, 0.5, 2.0].map(|value| scale.at(value)), [10.0, 60.0, 110.0]);
    }
}
