//! Rows of a query with the ids that are relevant to it, the ids that were retrieved, or both:
//! what most tools for RAG write, each under its own names.

use super::{
    FirstLines, Kind, PlainSearch, QUERY, QUERY_TEXT, Record, SCORES, Sketch, TakeRow, call, describe, each_row,
    each_row_of, judge, query_id, rank, rank_beside,
};
use crate::error::Fault;
use crate::input::{FaultLog, Reader, Sample};
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
    names: &[&str],
) -> Result<(), Fault> {
    each_row_of(reader, &mut Retrieved::new(run, names))
}

/// Takes rows of a query and the ids that were retrieved for it.
pub(in crate::input) struct Retrieved<'a> {
    run: &'a mut dyn RunSink,
    names: &'a [&'a str],
    first_lines: FirstLines,
    /// What rows look like that have nothing but these.
    plain: Option<PlainSearch>,
}

impl<'a> Retrieved<'a> {
    /// Rows whose ids stand under one of some names.
    pub(in crate::input) fn new(run: &'a mut dyn RunSink, names: &'a [&'a str]) -> Self {
        Self { run, names, first_lines: FirstLines::default(), plain: None }
    }
}

impl TakeRow for Retrieved<'_> {
    fn plain(&mut self, line: &[u8], number: u64) -> Option<Result<(), Fault>> {
        self.plain.as_ref()?.take(line, number, &mut self.first_lines, self.run)
    }

    fn row(&mut self, row: &Record<'_>, log: &mut FaultLog) -> Result<(), Fault> {
        let query = query_id(row)?;
        self.first_lines.once(&query, row.node)?;
        let results = row.need(self.names, &quoted(self.names))?;
        let called = self.run.call(query.as_bytes(), &call(row)?, row.node.line());
        called.map_err(|fault| row.node.locate(fault))?;
        self.plain = PlainSearch::of(row, self.names);
        match row.optional(SCORES).filter(|_| results.kind() == Kind::Array) {
            Some(scores) => rank_beside(results, scores, &query, self.run, log),
            None => rank(results, &query, self.run, log),
        }
    }
}

fn quoted(names: &[&str]) -> String {
    format!("`{}`", names.first().copied().unwrap_or_default())
}
