//! Rows of a query and its results, and those that say nothing else of their search: these are taken
//! in one pass where everything about them is plain.

use std::ops::Range;

use super::keys::query_place;
use super::lister::Lister;
use super::plain::Scanner;
use super::plain_results::PlainResults;
use super::results::CALL;
use super::search_lines::SearchLines;
use super::{
    Document, FirstLines, Kind, Node, Record, SCORES, Shape, TakeRow, call, each_row_of, is_row_a_line, meta, query_id,
    quoted, rank, rank_beside,
};
use crate::error::Fault;
use crate::input::blocks::{self, Text};
use crate::input::{FaultLog, Reader, columns, taking};
use crate::run::{Call, RunMeta, RunSink};

/// A layout of rows of a query and its results.
#[derive(Debug, Clone, Copy)]
pub(in crate::input) struct SearchLayout {
    /// Names of the results, of which messages know the first.
    pub results: &'static [&'static str],
    /// Whether the rows are those of raglens, which can be steps of a trajectory or say something of
    /// the run as a whole. Those of other tools can have scores beside the results.
    pub is_own: bool,
}

/// Reads rows of a query and its results, with as many threads as there are where each is a line.
///
/// # Errors
/// The first fault, unless faults are skipped.
pub(in crate::input) fn read_searches(
    reader: &mut Reader,
    run: &mut dyn RunSink,
    layout: SearchLayout,
) -> Result<(), Fault> {
    match is_row_a_line(&reader.sample) {
        true => blocks::read(reader, run, &SearchLines::new(layout, &reader.sample)),
        false => each_row_of(reader, &mut Searches::new(run, layout)),
    }
}

/// Takes such rows.
pub(in crate::input) struct Searches<'a> {
    run: &'a mut dyn RunSink,
    layout: SearchLayout,
    pub(super) first_lines: FirstLines,
    /// What rows look like that have nothing but a query and its results.
    pub(super) plain: Option<PlainSearch>,
}

impl<'a> Searches<'a> {
    pub(in crate::input) fn new(run: &'a mut dyn RunSink, layout: SearchLayout) -> Self {
        Self { run, layout, first_lines: FirstLines::default(), plain: None }
    }

    /// Takes a row that is a line of a text, if it is plain and its results can be listed.
    pub(super) fn list(
        &mut self,
        text: Text<'_>,
        characters: &str,
        (line, number): (Range<usize>, u64),
        lister: &mut Lister,
    ) -> Option<Result<(), Fault>> {
        let (plain, lists) = (self.plain.as_ref()?, self.run.lists()?);
        let query = plain.list(characters, line, lister)?;
        // A query that was there before is a fault of the general way.
        self.first_lines.add(&characters[query.clone()], number, None).ok()?;
        Some(taking::hand_over(text, query, lister.keyed, &lister.results, lists))
    }

    /// What a row says of its search, and its results; each layout is checked in an order of its own.
    fn search<'r>(&mut self, row: &Record<'r>, query: &str) -> Result<(Call, Node<'r>), Fault> {
        let names = self.layout.results;
        let results = || row.need(names, &quoted(names));
        if !self.layout.is_own {
            self.first_lines.once(query, row.node)?;
            let results = results()?;
            return Ok((call(row)?, results));
        }
        let (call, results) = (call(row)?, results()?);
        // Searches of one query in the name of several roles are for the sink to tell apart.
        if call.role.is_none() {
            self.first_lines.step(query, row.node, call.step)?;
        }
        Ok((call, results))
    }
}

impl TakeRow for Searches<'_> {
    fn plain(&mut self, line: &[u8], number: u64) -> Option<Result<(), Fault>> {
        self.plain.as_ref()?.take(line, number, &mut self.first_lines, self.run)
    }

    fn row(&mut self, row: &Record<'_>, log: &mut FaultLog) -> Result<(), Fault> {
        if let Some(meta) = meta(row).filter(|_| self.layout.is_own) {
            return read_meta(&meta.record()?, self.run);
        }
        let query = query_id(row)?;
        let (call, results) = self.search(row, &query)?;
        self.run.call(query.as_bytes(), &call, row.node.line()).map_err(|fault| row.node.locate(fault))?;
        self.plain = PlainSearch::of(row, self.layout.results);
        match row.optional(SCORES).filter(|_| !self.layout.is_own && results.kind() == Kind::Array) {
            Some(scores) => rank_beside(results, scores, &query, self.run, log),
            None => rank(results, &query, self.run, log),
        }
    }
}

/// Each key of `config` is kept as it is written: runs are only compared by it.
fn read_meta(row: &Record<'_>, run: &mut dyn RunSink) -> Result<(), Fault> {
    let text = |name: &str| row.optional(&[name]).map(|node| Ok(node.label(name)?.into_owned())).transpose();
    if let Some(name) = text("run")? {
        run.tag(name.as_bytes());
    }
    let mut meta = RunMeta { stage: text("stage")?, offset_unit: text("offset_unit")?, config: Vec::new() };
    if let Some(config) = row.optional(&["config"]) {
        let config = config.record()?;
        let entries = config.fields().iter().map(|(key, value)| (key.clone().into_owned(), value.raw().to_owned()));
        meta.config = entries.collect();
    }
    run.meta(&meta);
    Ok(())
}

/// What rows look like that say nothing of their search but its results.
#[derive(Debug, Clone)]
pub(super) struct PlainSearch {
    shape: Shape,
    /// The places of the query and of the results.
    query: usize,
    results: usize,
}

impl PlainSearch {
    /// What rows look like that are like one whose results stand under one of some names.
    fn of(row: &Record<'_>, results: &[&str]) -> Option<Self> {
        if [CALL, SCORES, &["meta"]].iter().any(|names| row.position(names).is_some()) {
            return None;
        }
        Some(Self { shape: Shape::of(row)?, query: query_place(row)?, results: row.position(results)? })
    }

    /// Takes a row that starts in a line, if it looks like this; `None` for any other. A fault gets
    /// its place later.
    fn take(
        &self,
        row: &[u8],
        line: u64,
        first_lines: &mut FirstLines,
        run: &mut dyn RunSink,
    ) -> Option<Result<(), Fault>> {
        let document = Document::new(std::str::from_utf8(row).ok()?, line);
        let mut scanner = Scanner { text: row, at: 0 };
        let (query, results) = self.read(&mut scanner, |at| {
            let results = PlainResults::read(&document, at)?;
            Some((results.end, results))
        })?;
        let query = std::str::from_utf8(query).ok()?;
        // A query that was there before is a fault of the general way.
        first_lines.add(query, line, None).ok()?;
        Some(run.call(query.as_bytes(), &Call::default(), line).and_then(|()| results.rank(query, run, Err)))
    }

    /// Lists the results of a row that is a line of a text, if it looks like this, and says where its
    /// query stands.
    fn list(&self, text: &str, line: Range<usize>, lister: &mut Lister) -> Option<Range<usize>> {
        let mut scanner = Scanner { text: &text.as_bytes()[..line.end], at: line.start };
        let list = |at| Some((lister.list(text, at, line.end)?, ()));
        let (query, ()) = self.read(&mut scanner, list)?;
        Some(columns::span(text.as_bytes(), query))
    }

    /// The query of a row that goes on to the end of a text, and what is found where its results
    /// start, with their end.
    fn read<'t, R>(
        &self,
        scanner: &mut Scanner<'t>,
        mut find: impl FnMut(usize) -> Option<(usize, R)>,
    ) -> Option<(&'t [u8], R)> {
        let (mut query, mut results) = (None, None);
        self.shape.walk(scanner, |place, scanner| {
            if place == self.results {
                scanner.pass_blanks();
                let (end, found) = find(scanner.at)?;
                (scanner.at, results) = (end, Some(found));
                return Some(());
            }
            let value = scanner.value()?;
            if place == self.query {
                query = Some(value.id()?);
            }
            Some(())
        })?;
        scanner.is_at_end().then_some((query?, results?))
    }
}
