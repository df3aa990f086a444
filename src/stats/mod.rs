//! Paired statistics on plain slices: summaries, tests, intervals and planning.
//!
//! Nothing here knows of files, ids or measures, and nothing prints. Two scores per query come
//! in as two equally long slices in the order of the query ids ([`Paired`](paired::Paired)).

pub mod binomial;
pub mod bootstrap;
pub mod bounds;
pub mod correction;
pub mod distributions;
pub mod effect;
pub mod equivalence;
pub mod exact;
pub mod lattice;
pub mod max_t;
pub mod mcnemar;
pub mod paired;
pub mod power;
pub mod random;
pub mod randomization;
mod sign_flips;
pub mod summary;
pub mod t_test;
pub mod tango;
pub mod tukey;
pub mod verdict;
pub mod wilcoxon;
