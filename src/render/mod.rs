//! From values to text. Nothing here reads a file or computes a score.

pub mod check;
pub mod codes;
pub mod compare;
pub mod convert;
pub mod errors;
pub mod eval;
pub mod explain;
pub mod flags;
pub mod format;
pub mod frame;
pub mod funnel;
pub mod grid;
pub mod html;
mod indent;
mod json;
pub mod listing;
mod markdown;
pub mod notes;
mod number;
mod page;
mod paragraph;
pub mod pareto;
pub mod power;
pub mod queries;
mod slicings;
pub mod stages;
pub mod style;
mod trec;
pub mod trec_eval;

pub use number::{counted, exact, queries, share, share_in_tenths};
pub use paragraph::wrap as wrapped;

use style::Signs;

/// How results look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// The signs that can be shown.
    pub signs: Signs,
    /// Decimals of a value.
    pub digits: usize,
}
