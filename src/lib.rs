//! raglens measures retrieval.
pub mod stats;
