//! What `explain` shows.

use raglens::id::Id;
use raglens::measure::{Measure, Spec, Terms};

use super::topics::Topic;
use crate::render::codes::Explanation;
use crate::render::eval::report::FilePart;

/// What is explained.
#[derive(Debug)]
pub enum Subject {
    /// Every measure, in a line each.
    List,
    /// Every measure with its page.
    All,
    /// One measure.
    Measure(Box<Spec>),
    /// Every code, in a line each.
    Codes,
    /// One code.
    Code(&'static Explanation),
    /// A topic.
    Topic(&'static Topic),
    /// The value of a measure for one query.
    Value(Box<Worked>),
}

/// The value of a measure for one query, with the way to it.
#[derive(Debug)]
pub struct Worked {
    /// The measure.
    pub measure: Measure,
    /// The query.
    pub query: Id,
    /// Its text, where the labels hold it.
    pub text: Option<String>,
    /// The name of the run.
    pub run: String,
    /// Labels and run.
    pub files: Vec<FilePart>,
    /// The conventions in force, in words.
    pub conventions: String,
    /// The way to the value.
    pub terms: Terms,
    /// The value that `eval` prints.
    pub value: Option<f64>,
    /// Why there is none, or why it is not what the way leads to.
    pub reason: Option<String>,
    /// The documents of the list that the measure sees, best first, with their ranks in the run.
    pub documents: Vec<(Id, u64)>,
    /// The judged documents in the order of the best possible list.
    pub best: Vec<Judgment>,
    /// First and last rank in the run of results with one score.
    pub ties: Vec<(u64, u64)>,
    /// Those of the judged documents that are worth finding and stand in none of the places that
    /// the measure looks at.
    pub missed: Vec<Judgment>,
}

/// A judged document.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgment {
    /// The document.
    pub document: Id,
    /// Its grade.
    pub grade: f64,
    /// Its rank in the run; `None` where it was not returned.
    pub rank: Option<u64>,
}
