//! What retrieval for generation asks beside ids and grades: passages, documents of which chunks
//! are retrieved, chains of evidence over several search calls, token budgets.
//!
//! A [`Lens`] says in which unit results and labels meet. Everything here is computed from what
//! was read; nothing reads a file.

pub mod abstention;
pub mod access;
mod budget;
mod documents;
pub mod funnel;
mod gold;
mod intervals;
mod lens;
pub mod lift;
mod optimism;
pub mod pareto;
mod searches;
mod sightings;
mod spans;
pub mod spending;
pub mod stages;
mod steps;

pub use budget::fit;
pub use documents::{Documents, MovedChunk, described_by, document_labels};
pub use gold::{GoldFacts, passage_labels};
pub use intervals::Intervals;
pub(crate) use lens::Wanted;
pub use lens::{Cut, Lens, Unit};
pub use optimism::{Both, Inflation, Verdict, inflation, verdict};
pub use searches::Searches;
pub use spans::{Credits, Place, cover, credit};
pub use steps::{Step, steps};
