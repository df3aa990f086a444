//! raglens measures retrieval: relevance labels and ranked runs in, every measure per query and
//! averaged out, and paired tests between runs.

pub mod error;
pub mod evaluate;
pub mod id;
pub mod input;
pub mod judged;
pub mod labels;
pub mod measure;
pub mod notes;
pub mod run;
pub mod scores;
pub mod stats;
