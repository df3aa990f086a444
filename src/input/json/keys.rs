//! The names under which rows hold their parts, and queries that must stand in one row only.

use std::borrow::Cow;
use std::collections::{HashMap, hash_map};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::{Node, Record};
use crate::error::{Fault, InputErrorKind};
use crate::id::{self, Id};

/// Names of a query's id.
pub(in crate::input) const QUERY: &[&str] =
    &["query_id", "query-id", "qid", "q_id", "queryid", "topic_id", "topic", "question_id"];
/// Names of a query's text, which is its id where there is no other.
pub(in crate::input) const QUERY_TEXT: &[&str] = &["query", "question", "user_input", "input"];
/// Names of a document's id that can mean nothing else.
pub(in crate::input) const NAMED_DOCUMENT: &[&str] = DOCUMENT.split_at(DOCUMENT.len() - 1).0;
/// Names of a document's id.
pub(in crate::input) const DOCUMENT: &[&str] = &[
    "doc_id",
    "doc-id",
    "corpus-id",
    "corpus_id",
    "docid",
    "docno",
    "document_id",
    "passage_id",
    "chunk_id",
    "pid",
    "doc_uri",
    "document",
    "doc",
    "id",
];
/// Names of a grade.
pub(in crate::input) const GRADE: &[&str] = &[
    "relevance",
    "rel",
    "label",
    "rating",
    "grade",
    "judgment",
    "judgement",
    "gain",
    "relevant",
    "is_relevant",
    "gold",
    "annotation",
    "qrel",
];
/// Names of a list of scores beside a list of ids.
pub(in crate::input) const SCORES: &[&str] = &["scores"];

/// The first of some names, as messages call the field that has one of them.
pub(super) fn quoted(names: &[&str]) -> String {
    format!("`{}`", names.first().copied().unwrap_or_default())
}

/// The id of the query of a row: by its name, else the row's own id, else the query's text.
///
/// # Errors
/// When the row has none of these, or one that is no id.
pub(in crate::input) fn query_id<'a>(row: &Record<'a>) -> Result<Cow<'a, str>, Fault> {
    let missing = || row.node.fault(InputErrorKind::MissingKey { expected: "`query_id`".to_owned() });
    query_place(row).map(|place| row.fields()[place].1).ok_or_else(missing)?.id("query id")
}

/// Which field of a row is the id of its query.
pub(super) fn query_place(row: &Record<'_>) -> Option<usize> {
    row.position(QUERY).or_else(|| row.position(&["id", "_id"])).or_else(|| row.position(QUERY_TEXT))
}

/// What a row says of the whole file: `{"meta": {…}}` without a query.
pub(in crate::input) fn meta<'a>(row: &Record<'a>) -> Option<Node<'a>> {
    row.get(&["meta"]).filter(|_| row.get(QUERY).or_else(|| row.get(QUERY_TEXT)).is_none())
}

/// The lines in which queries first stood, for layouts that hold a query once.
#[derive(Debug, Default)]
pub(in crate::input) struct FirstLines {
    queries: Vec<First>,
    index: HashTable<usize>,
    /// The lines of steps, by the position of their query and their number.
    steps: HashMap<(usize, u32), u64>,
}

#[derive(Debug)]
struct First {
    query: Id,
    line: u64,
    is_step: bool,
}

impl FirstLines {
    /// Takes note of a query at a node.
    ///
    /// # Errors
    /// [`InputErrorKind::RepeatedQuery`] when it was there before.
    pub(in crate::input) fn once(&mut self, query: &str, node: Node<'_>) -> Result<(), Fault> {
        self.step(query, node, None)
    }

    /// Takes note of a query whose rows may be the steps of one trajectory.
    ///
    /// # Errors
    /// [`InputErrorKind::RepeatedQuery`] when it was there before and one of the rows is no step,
    /// [`InputErrorKind::RepeatedStep`] when the same step of it was.
    pub(in crate::input) fn step(&mut self, query: &str, node: Node<'_>, step: Option<u32>) -> Result<(), Fault> {
        self.add(query, node.line(), step).map_err(|kind| node.fault(kind))
    }

    /// The same for a row of which only the line is known.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub(super) fn add(&mut self, query: &str, line: u64, step: Option<u32>) -> Result<(), InputErrorKind> {
        let position = self.query(query, line, step.is_some())?;
        let Some(step) = step else { return Ok(()) };
        match self.steps.entry((position, step)) {
            hash_map::Entry::Occupied(first) => {
                Err(InputErrorKind::RepeatedStep { query: query.into(), step, first_line: *first.get() })
            }
            hash_map::Entry::Vacant(entry) => {
                entry.insert(line);
                Ok(())
            }
        }
    }

    /// The position of a query, which may be there already where both rows are steps.
    fn query(&mut self, query: &str, line: u64, is_step: bool) -> Result<usize, InputErrorKind> {
        let Self { queries, index, .. } = self;
        let bytes = |&position: &usize| queries[position].query.as_bytes();
        let is_it = |position: &usize| bytes(position) == query.as_bytes();
        match index.entry(id::hash(query.as_bytes()), is_it, |position| id::hash(bytes(position))) {
            Entry::Occupied(entry) => {
                let first = &queries[*entry.get()];
                if first.is_step && is_step {
                    return Ok(*entry.get());
                }
                Err(InputErrorKind::RepeatedQuery { query: first.query.clone(), first_line: first.line })
            }
            Entry::Vacant(entry) => {
                let position = queries.len();
                entry.insert(position);
                queries.push(First { query: query.into(), line, is_step });
                Ok(position)
            }
        }
    }
}
