//! The end of a line of a run, from behind its document on. That of the next line mostly has
//! numbers of the same length, and the same bytes around them.

use std::ops::Range;

use crate::input::digits::Digits;
use crate::input::words::{Expected, Window};

/// What is expected behind the next document.
#[derive(Clone, Copy)]
pub(super) struct Tail {
    /// Everything but the digits of rank and score, down to the line end.
    around: Expected,
    rank: Digits,
    score: Digits,
}

impl Tail {
    /// Expects a text like the one that stands behind a document, with a rank and a score in it.
    pub(super) fn like(text: &[u8], rank: Range<usize>, score: Range<usize>) -> Option<Self> {
        let is_digit = |at: usize| text[at].is_ascii_digit() && (rank.contains(&at) || score.contains(&at));
        let around = Expected::around(text, is_digit)?;
        Some(Self { around, rank: Digits::of(text, rank.clone())?, score: Digits::of(text, score.clone())? })
    }

    /// The rank, the score and where the line ends, when what is expected stands at a place of it.
    #[inline(always)]
    pub(super) fn numbers(&self, line: &Window, at: usize) -> Option<(f64, f64, usize)> {
        if !self.around.stands(line, at) {
            return None;
        }
        Some((self.rank.number(line, at)?, self.score.number(line, at)?, at + self.around.len()))
    }
}
