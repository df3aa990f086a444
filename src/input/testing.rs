//! Small texts read as labels and runs, and shown in a line: what the tests of the readers use.

use super::{OnError, ReadOptions, Source, read_labels, read_run};
use crate::error::InputError;
use crate::id::escaped;
use crate::labels::Labels;
use crate::notes::Notes;
use crate::run::{Duplicates, Run, Ties};

/// What skips faults.
pub(super) fn skipping() -> ReadOptions {
    ReadOptions { on_error: OnError::Skip, ..ReadOptions::default() }
}

pub(super) fn labels(text: &str) -> Labels {
    try_labels(text, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}")).0
}

pub(super) fn run(text: &str) -> Run {
    try_run(text, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}")).0
}

pub(super) fn try_labels(text: &str, options: &ReadOptions) -> Result<(Labels, Notes), InputError> {
    let mut notes = Notes::default();
    let read = read_labels(Source::from_bytes("labels", text.into()), options, &mut notes);
    read.map(|(labels, _)| (labels, notes))
}

pub(super) fn try_run(text: &str, options: &ReadOptions) -> Result<(Run, Notes), InputError> {
    let mut notes = Notes::default();
    let read = read_run(Source::from_bytes("run", text.into()), options, &mut notes);
    read.map(|(run, _)| (run, notes))
}

/// What is wrong with a text as labels.
pub(super) fn labels_error(text: &str) -> String {
    try_labels(text, &ReadOptions::default()).unwrap_err().to_string()
}

/// What is wrong with a text as a run.
pub(super) fn run_error(text: &str) -> String {
    try_run(text, &ReadOptions::default()).unwrap_err().to_string()
}

/// `q1: a=1 b=0; q2:`
pub(super) fn show_labels(labels: &Labels) -> String {
    let queries = labels.queries().iter().map(|query| {
        let judged = query.judgments().map(|(document, grade)| format!(" {}={grade}", escaped(document)));
        format!("{}:{}", query.id(), judged.collect::<String>())
    });
    queries.collect::<Vec<_>>().join("; ")
}

/// `q1: a b; q2:`, best first.
pub(super) fn show_run(run: &Run) -> String {
    let queries = run.rankings().iter().map(|ranking| {
        let order = ranking.order(Ties::Trec, Duplicates::First).unwrap();
        let ids = order.indices().iter().map(|&index| format!(" {}", escaped(ranking.document(index as usize))));
        format!("{}:{}", ranking.query(), ids.collect::<String>())
    });
    queries.collect::<Vec<_>>().join("; ")
}
