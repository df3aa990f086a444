//! From values to text. Nothing here reads a file or computes a score.

pub mod compare;
pub mod convert;
pub mod errors;
pub mod eval;
pub mod explain;
pub mod grid;
mod indent;
pub mod notes;
mod number;
mod page;
mod paragraph;
pub mod power;
pub mod queries;
mod slicings;
pub mod style;

pub use number::{exact, queries, share};

use style::Signs;

/// How results look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// The signs that can be shown.
    pub signs: Signs,
    /// Decimals of a value.
    pub digits: usize,
}
