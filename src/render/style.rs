//! How output looks: colours, and what falls back to ASCII.
//!
//! Text is always made with its colours; the stream that it is written to takes them out where
//! they are not wanted. A word always stands beside a colour.

use anstyle::{AnsiColor, Effects, Style};

/// What a table is about: run names, headings.
pub const STRONG: Style = Style::new().effects(Effects::BOLD);
/// What stands beside the numbers: intervals, conventions.
pub const QUIET: Style = Style::new().effects(Effects::DIMMED);
/// The word `error`.
pub const ERROR: Style = AnsiColor::Red.on_default().effects(Effects::BOLD);
/// The word `warning`.
pub const WARNING: Style = AnsiColor::Yellow.on_default().effects(Effects::BOLD);
/// The words `note` and `help`.
pub const NOTE: Style = AnsiColor::Cyan.on_default().effects(Effects::BOLD);

/// Text in a style; text without style when it is empty.
pub fn paint(style: Style, text: &str) -> String {
    match text.is_empty() || style == Style::new() {
        true => text.to_owned(),
        false => format!("{style}{text}{style:#}"),
    }
}

/// The signs that a terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signs {
    /// Anything in Unicode.
    Unicode,
    /// ASCII alone.
    Ascii,
}

impl Signs {
    /// The sign before half of the width of an interval.
    pub fn plus_minus(self) -> &'static str {
        self.either("±", "+-")
    }

    /// The sign for what was left out of a name.
    pub fn ellipsis(self) -> &'static str {
        self.either("…", "..")
    }

    /// The sign between before and after.
    pub fn arrow(self) -> &'static str {
        self.either("→", "->")
    }

    /// Bars of eight heights, lowest first.
    pub fn bars(self) -> [&'static str; 8] {
        match self {
            Self::Unicode => ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
            Self::Ascii => [".", ":", "-", "=", "+", "*", "#", "@"],
        }
    }

    /// A bar as long as a share of `width` cells: eighths of a cell in Unicode, whole ones in ASCII.
    pub fn bar(self, share: f64, width: usize) -> String {
        let eighths = (share.clamp(0.0, 1.0) * 8.0 * width as f64).round() as usize;
        match self {
            Self::Unicode => "█".repeat(eighths / 8) + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8],
            Self::Ascii => "#".repeat((eighths + 4) / 8),
        }
    }

    fn either(self, unicode: &'static str, ascii: &'static str) -> &'static str {
        match self {
            Self::Unicode => unicode,
            Self::Ascii => ascii,
        }
    }
}
