//! How output looks: colours, and what falls back to ASCII.
//!
//! Text is always made with its colours; the stream that it is written to takes them out where
//! they are not wanted. A word always stands beside a colour.

use std::borrow::Cow;

use anstream::adapter::strip_str;
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

/// Text without its styles, and without anything else that a terminal would act on.
pub fn plain(text: &str) -> Cow<'_, str> {
    match &plain_parts(text)[..] {
        [Cow::Borrowed(whole)] => Cow::Borrowed(*whole),
        parts => Cow::Owned(parts.concat()),
    }
}

/// The same in parts, which are those of the text wherever they can be.
pub fn plain_parts(text: &str) -> Vec<Cow<'_, str>> {
    match has_controls(text) {
        false => vec![Cow::Borrowed(text)],
        true => without_paint(text).unwrap_or_else(|| vec![Cow::Owned(strip_str(text).to_string())]),
    }
}

/// Whether a byte stands in it that is neither shown nor white space.
fn has_controls(text: &str) -> bool {
    let is_control = |byte: u8| (byte < b' ' && byte != b'\n' && byte != b'\t') || byte == 0x7f;
    text.as_bytes().chunks(1024).any(|part| part.iter().fold(false, |found, &byte| found | is_control(byte)))
}

/// What is left without that which [`paint`] puts in; `None` where there is something else to be
/// taken out.
fn without_paint(text: &str) -> Option<Vec<Cow<'_, str>>> {
    let mut parts = text.split('\x1b');
    let mut plain = vec![Cow::Borrowed(parts.next()?)];
    for part in parts {
        let (codes, rest) = part.strip_prefix('[')?.split_once('m')?;
        if !codes.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b';')) {
            return None;
        }
        plain.push(Cow::Borrowed(rest));
    }
    plain.iter().all(|part| !has_controls(part)).then_some(plain)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_without_styles_is_what_a_stream_without_colours_shows() {
        let painted = format!("{} and {}\n\tplain", paint(STRONG, "strong"), paint(WARNING, "a warning"));
        assert_eq!(plain(&painted), "strong and a warning\n\tplain");
        for text in [
            "",
            "plain é\n",
            &painted,
            "\x1b[1mé\x1b[0m\x07",
            "\x1b]0;title\x07rest",
            "\x1b",
            "\x1b[1",
            "a\x7fb\r\n",
            "\x1b[2Jm",
        ] {
            assert_eq!(plain(text), strip_str(text).to_string(), "{text:?}");
        }
    }
}
