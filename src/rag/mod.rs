//! Measuring the pipeline around a search: its stages, what becomes of an answer, what it costs,
//! and who may see what.

pub mod abstention;
pub mod access;
pub mod funnel;
pub mod lift;
pub mod pareto;
pub mod spending;
pub mod stages;
