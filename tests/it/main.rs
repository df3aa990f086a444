//! The built binary as a person meets it: exit status, standard output and standard error.
//!
//! After a wanted change of output, `SNAPSHOTS=overwrite cargo test --test it` brings the
//! snapshots up to date; read the difference before it is committed.

mod check;
mod convert;
mod errors;
mod explain;
mod files;
mod fixture;
mod formats;
mod funnel;
mod help;
mod ids;
mod like;
mod measures;
mod pareto;
mod power;
mod queries;
mod rag;
mod report;
mod shape;
mod slices;
mod stages;
mod streams;
mod tables;
mod trec_eval;
mod world;
