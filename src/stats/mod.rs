//! Paired statistics on plain slices: summaries, tests, intervals and planning.
//!
//! Nothing here knows of files, ids or measures, and nothing prints. Two scores per query come
//! in as two equally long slices in the order of the query ids ([`Paired`](paired::Paired)).

pub mod bootstrap;
pub mod distributions;
pub mod exact;
pub mod lattice;
pub mod paired;
pub mod random;
pub mod randomization;
mod sign_flips;
pub mod summary;
