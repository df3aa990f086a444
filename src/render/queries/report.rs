//! What `queries` found out: a row per query, or one query in detail.

use raglens::id::Id;
use raglens::notes::Notes;

use crate::render::eval::report::FilePart;

/// Queries with what several runs score on them.
#[derive(Debug)]
pub struct Report {
    /// The labels.
    pub labels: FilePart,
    /// The files of the runs.
    pub files: Vec<FilePart>,
    /// The names of the runs.
    pub runs: Vec<String>,
    /// The labels of the measures that are shown; rows can hold more behind them.
    pub metrics: Vec<String>,
    /// The rows, filtered and sorted.
    pub rows: Vec<Row>,
    /// Number of queries before anything was filtered.
    pub all: usize,
    /// Number of queries for which the conditions hold.
    pub matching: usize,
    /// The conditions, as they were written.
    pub conditions: Vec<String>,
    /// The tags by which the rows stand together.
    pub by: Vec<String>,
    /// Whether rankings are known, not scores alone.
    pub has_rankings: bool,
    /// One query in detail, when asked for.
    pub shown: Option<Shown>,
    /// What a reader must know.
    pub notes: Notes,
}

/// One query.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The query.
    pub query: Id,
    /// Its text.
    pub text: Option<String>,
    /// Its tags.
    pub tags: Vec<(String, Vec<String>)>,
    /// A value per run and measure.
    pub values: Vec<Vec<Option<f64>>>,
    /// Rank of the first relevant document per run, where rankings are known.
    pub first: Vec<Option<u64>>,
}

impl Row {
    /// The change of the first measure from the first run to the last, of several.
    pub fn delta(&self) -> Option<f64> {
        let [first, .., last] = &self.values[..] else { return None };
        Some((*last.first()?)? - (*first.first()?)?)
    }

    /// The values of a tag; `(none)` without it.
    pub fn tag(&self, name: &str) -> Vec<String> {
        let found = self.tags.iter().find(|(tag, values)| tag == name && !values.is_empty());
        found.map_or_else(|| vec!["(none)".to_owned()], |(_, values)| values.clone())
    }
}

/// One query in detail.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// Its relevant documents with their grades, best first.
    pub relevant: Vec<Relevant>,
    /// The head of each run's ranking.
    pub lists: Vec<List>,
    /// How many results of each run were asked for.
    pub depth: usize,
    /// Gold passages, with where each run first reaches them.
    pub passages: Vec<Passage>,
    /// The texts of the documents above, in the order in which they first stand there.
    pub texts: Vec<(Id, String)>,
}

/// A relevant document.
#[derive(Debug, Clone, PartialEq)]
pub struct Relevant {
    /// The document.
    pub document: Id,
    /// Its grade.
    pub grade: f64,
    /// Its rank in each run.
    pub ranks: Vec<Option<u64>>,
}

/// The head of a ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct List {
    /// The results, best first.
    pub results: Vec<Listed>,
    /// Length of the whole ranking; `None` where the run does not answer the query.
    pub retrieved: Option<u64>,
}

/// A result.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// The document or chunk.
    pub document: Id,
    /// Its grade; `None` where nobody judged it.
    pub grade: Option<f64>,
}

/// A gold passage.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// The document.
    pub document: Id,
    /// First position and one past the last.
    pub range: (u64, u64),
    /// Its grade.
    pub grade: f64,
    /// In each run, the rank of the first chunk that overlaps it.
    pub ranks: Vec<Option<u64>>,
}
