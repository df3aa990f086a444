//! Rows of a query with the ids that are relevant to it, the ids that were retrieved, or both:
//! what most tools for RAG write, each under its own names.

use super::{
    FirstLines, QUERY, QUERY_TEXT, SearchLayout, Sketch, describe, each_row, judge, query_id, quoted, read_searches,
};
use crate::error::Fault;
use crate::input::{Reader, Sample};
use crate::labels::LabelsBuilder;
use crate::run::RunSink;

/// Whether rows have a query, and a list or an object under one of each of some names.
pub(in crate::input) fn rows_have(sample: &Sample, parts: &[&[&str]]) -> bool {
    let is_row = |row: &Sketch| {
        let asks = row.has(QUERY) || row.has(QUERY_TEXT) || row.has(&["id", "_id"]);
        asks && parts.iter().all(|names| row.get(names).is_some_and(Sketch::is_nested))
    };
    sample.json().is_some_and(|sketch| sketch.rows().any(is_row))
}

/// Reads the relevant ids of each row, which stand under one of some names.
///
/// # Errors
/// The first fault, unless faults are skipped.
pub(in crate::input) fn read_relevant(
    reader: &mut Reader,
    labels: &mut LabelsBuilder,
    names: &[&str],
) -> Result<(), Fault> {
    let mut first_lines = FirstLines::default();
    each_row(reader, |row, log| {
        let query = query_id(row)?;
        first_lines.once(&query, row.node)?;
        judge(row.need(names, &quoted(names))?, &query, labels, log)?;
        describe(row, &query, labels, log)
    })
}

/// Reads the retrieved ids of each row, which stand under one of some names, with their `scores`
/// beside them where there are any.
///
/// # Errors
/// The first fault, unless faults are skipped.
pub(in crate::input) fn read_retrieved(
    reader: &mut Reader,
    run: &mut dyn RunSink,
    names: &'static [&'static str],
) -> Result<(), Fault> {
    read_searches(reader, run, SearchLayout { results: names, is_own: false })
}
