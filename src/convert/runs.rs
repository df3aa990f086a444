//! Writing a run while it is read: each query as soon as the next one begins.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use super::{ConvertError, Format, Head, Layout, Losses, Part, Ranked, Role, Step};
use crate::error::{Fault, InputError, InputErrorKind};
use crate::id::{Id, escaped};
use crate::input::{FileFacts, ReadOptions, Source, read_run_into};
use crate::notes::Notes;
use crate::run::{Call, Duplicates, Key, Order, Ranking, Row, RunMeta, RunSink, Ties};

/// How a run is written.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// What happens to a document that is twice in one ranking.
    pub duplicates: Duplicates,
    /// The name of the run where its file gives none and the layout needs one.
    pub name: String,
}

/// What became of a run.
#[derive(Debug)]
pub struct Converted {
    /// The file that was read.
    pub facts: FileFacts,
    /// What the layout has no place for.
    pub losses: Losses,
    /// Number of copies of documents that were dropped.
    pub dropped: u64,
}

/// Writes a run, one query at a time; a query that comes back after others makes it begin anew,
/// with the whole run in memory, and so does what a file says of itself in its middle; what needs
/// a column makes it begin anew as well. `begin` makes what is written to, and makes it empty again.
///
/// Results are written best first, equal ones in the order of the file. Where a layout needs a
/// score and the file has ranks or an order alone, scores count down to 1.
///
/// # Errors
/// When the file cannot be read, an id cannot be given back as it was, a document is twice in a
/// ranking and `duplicates` does not say what to do, or there is nothing to write.
pub fn convert_run<W: Write>(
    source: Source,
    read: &ReadOptions,
    format: &'static Format,
    options: &RunOptions,
    mut begin: impl FnMut() -> io::Result<W>,
    notes: &mut Notes,
) -> Result<(W, Converted), ConvertError> {
    let (path, mut source) = (source.path().to_owned(), Some(source));
    let mut holds_all = source.as_ref().is_some_and(|source| !source.can_be_reopened());
    let mut columns = Vec::new();
    loop {
        let source = source.take().map_or_else(|| Source::open(&path), Ok)?;
        let mut queries = Queries::new(format, options, begin()?, holds_all);
        queries.head.columns.clone_from(&columns);
        let mut found = Notes::default();
        let facts = read_run_into(source, read, &mut found, &mut queries);
        queries.write_held();
        if !queries.comes_late && !queries.lacks_columns {
            notes.extend(found);
            return queries.finish(&path, facts);
        }
        // What this attempt still holds back is gone with it, before the next one begins.
        holds_all |= queries.comes_late;
        columns = queries.losses.of(format.columns);
    }
}

/// Collects the results of one query and writes them when the next one begins.
struct Queries<'o, W> {
    format: &'static Format,
    options: &'o RunOptions,
    layout: Box<dyn Layout>,
    out: W,
    head: Head,
    begun: bool,
    /// The queries that are not written yet: the last one, or all of them.
    held: Vec<Ranking>,
    index: HashMap<Id, usize>,
    holds_all: bool,
    written: HashSet<Id>,
    /// Whether something came after a query was written that belongs before it or to it.
    comes_late: bool,
    /// Whether a query has something that needs a column and came after the header.
    lacks_columns: bool,
    failure: Option<Failure>,
    losses: Losses,
    dropped: u64,
    queries: u64,
}

enum Failure {
    Fault(Fault),
    Output(io::Error),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl<'o, W: Write> Queries<'o, W> {
    fn new(format: &'static Format, options: &'o RunOptions, out: W, holds_all: bool) -> Self {
        let (held, index, written, losses) = Default::default();
        Self {
            format,
            options,
            layout: (format.layout)(),
            out,
            head: Head { role: Role::Run, ..Head::default() },
            begun: false,
            held,
            index,
            holds_all,
            written,
            comes_late: false,
            lacks_columns: false,
            failure: None,
            losses,
            dropped: 0,
            queries: 0,
        }
    }

    /// The place of a query, which is the last one or a new one.
    fn entry(&mut self, query: &[u8], line: u64) -> Result<&mut Ranking, Fault> {
        self.check()?;
        let is_last = self.held.last().is_some_and(|last| last.query().as_bytes() == query);
        let position = match is_last {
            true => self.held.len() - 1,
            false => self.begin(Id::from(query), line)?,
        };
        Ok(&mut self.held[position])
    }

    fn begin(&mut self, query: Id, line: u64) -> Result<usize, Fault> {
        if self.holds_all {
            if let Some(&position) = self.index.get(&query) {
                return Ok(position);
            }
            self.index.insert(query.clone(), self.held.len());
        } else {
            self.write_held();
            self.check()?;
            if !self.written.insert(query.clone()) {
                self.comes_late = true;
                return Err(Fault::at_line(line, InputErrorKind::QueryComesBack { query }));
            }
        }
        self.held.push(Ranking::new(query));
        Ok(self.held.len() - 1)
    }

    /// Gives back why nothing more is written. It is kept, whatever happens to faulty rows.
    fn check(&self) -> Result<(), Fault> {
        match &self.failure {
            None => Ok(()),
            Some(Failure::Fault(fault)) => Err(fault.clone()),
            Some(Failure::Output(error)) => {
                Err(Fault::of_file(InputErrorKind::Unreadable { reason: error.to_string() }))
            }
        }
    }

    fn write_held(&mut self) {
        let held = std::mem::take(&mut self.held);
        held.iter().for_each(|ranking| self.note(ranking));
        let columns = self.losses.of(self.format.columns);
        self.lacks_columns |= self.begun && columns.iter().any(|part| !self.head.columns.contains(part));
        if !self.begun && self.head.columns.is_empty() {
            self.head.columns = columns;
        }
        for ranking in &held {
            if self.failure.is_none() && !self.lacks_columns {
                self.failure = self.write(ranking).err();
            }
        }
    }

    fn write(&mut self, ranking: &Ranking) -> Result<(), Failure> {
        if ranking.is_empty() && !self.format.holds.contains(&Part::EmptyQueries) {
            return Ok(());
        }
        self.check_ids(ranking)?;
        if !std::mem::replace(&mut self.begun, true) {
            self.layout.begin(&self.head, &mut self.out)?;
        }
        let tag = word(self.head.tag.as_deref().unwrap_or(&self.options.name));
        let order = ranking.order(Ties::Input, self.options.duplicates)?;
        let calls = match self.format.holds.contains(&Part::Calls) {
            true => steps(ranking, &order),
            false => vec![united(ranking, &order)],
        };
        self.dropped += order.dropped();
        self.queries += 1;
        self.layout.ranking(&Ranked { query: ranking.query().as_bytes(), tag: &tag, calls }, &mut self.out)?;
        Ok(())
    }

    /// Counts what the query has beside ids and scores.
    fn note(&mut self, ranking: &Ranking) {
        let chunk = |index: usize| ranking.chunk(index).is_some_and(|chunk| *chunk != Default::default());
        self.losses.add(Part::EmptyQueries, ranking.is_empty());
        self.losses.add_calls(ranking.calls());
        self.losses.add(Part::Chunks, (0..ranking.len()).any(chunk));
        let is_united = ranking.is_trajectory() && !self.format.holds.contains(&Part::Calls);
        self.losses.add(Part::Unscored, !ranking.is_empty() && (is_united || score(ranking, 0).is_none()));
    }

    fn check_ids(&self, ranking: &Ranking) -> Result<(), Fault> {
        let (rule, name) = (self.format.ids, self.format.name);
        let first = (!ranking.is_empty()).then(|| ranking.row(0).line);
        rule.check("query id", ranking.query().as_bytes(), first, name)?;
        for index in 0..ranking.len() {
            let row = ranking.row(index);
            rule.check("document id", row.document, Some(row.line), name)?;
            let whole = row.chunk.and_then(|chunk| chunk.document.as_ref());
            if let Some(document) = whole.filter(|_| self.format.holds.contains(&Part::Chunks)) {
                rule.check("document id", document.as_bytes(), Some(row.line), name)?;
            }
        }
        Ok(())
    }

    fn finish(mut self, path: &str, facts: Result<FileFacts, InputError>) -> Result<(W, Converted), ConvertError> {
        let read_as = facts.as_ref().map_or_else(InputError::read_as, |facts| Some(facts.format.about));
        match self.failure {
            Some(Failure::Fault(fault)) => return Err(fault.in_file(path, read_as).into()),
            Some(Failure::Output(error)) => return Err(error.into()),
            None => {}
        }
        let facts = facts?;
        if self.queries == 0 {
            return Err(ConvertError::Nothing { path: path.to_owned(), format: self.format.name });
        }
        self.layout.end(&mut self.out)?;
        self.losses.add_head(self.head.tag.as_deref(), &self.head.meta);
        self.losses.keep(self.format);
        Ok((self.out, Converted { facts, losses: self.losses, dropped: self.dropped }))
    }
}

/// The results of all calls as one ranking. The scores of several calls do not order them all.
fn united<'a>(ranking: &'a Ranking, order: &Order) -> Step<'a> {
    Step { call: Call::default(), results: numbered(ranking, order.indices(), !ranking.is_trajectory()) }
}

/// The calls one by one, each with its results, best first.
fn steps<'a>(ranking: &'a Ranking, order: &Order) -> Vec<Step<'a>> {
    let mut calls = ranking.calls().to_vec();
    calls.resize(calls.len().max(1), Call::default());
    let results = |number: usize| {
        let is_of_call = |index: &u32| ranking.call_of(*index as usize) == number;
        let indices: Vec<u32> = order.appearances().iter().copied().filter(is_of_call).collect();
        numbered(ranking, &indices, true)
    };
    calls.into_iter().enumerate().map(|(number, call)| Step { call, results: results(number) }).collect()
}

/// The results of an order, each with its score or, where it has none or scores do not count, with
/// a number that counts down to 1 from place to place; equal ranks have equal numbers.
fn numbered<'a>(ranking: &'a Ranking, order: &[u32], scores_count: bool) -> Vec<(Row<'a>, f64)> {
    let mut number = 0.0;
    let mut results = Vec::with_capacity(order.len());
    for (place, &index) in order.iter().enumerate().rev() {
        let is_tied = order.get(place + 1).is_some_and(|&below| ranking.tied(index, below));
        number += if is_tied { 0.0 } else { 1.0 };
        let score = score(ranking, index as usize).filter(|_| scores_count);
        results.push((ranking.row(index as usize), score.unwrap_or(number)));
    }
    results.reverse();
    results
}

fn score(ranking: &Ranking, index: usize) -> Option<f64> {
    match ranking.row(index).key {
        Key::Score(score) => Some(score),
        Key::Rank(_) | Key::Position => None,
    }
}

/// The name of a run as one word.
fn word(name: &str) -> String {
    let words: Vec<&str> =
        name.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
    if words.is_empty() { "run".to_owned() } else { words.join("_") }
}

impl<W: Write> RunSink for Queries<'_, W> {
    fn row(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        self.entry(row.query, row.line)?.push(row)
    }

    fn call(&mut self, query: &[u8], call: &Call, line: u64) -> Result<(), Fault> {
        self.entry(query, line)?.begin_call(call, line)
    }

    fn resume(&mut self, query: &[u8], step: u32, line: u64) -> Result<(), Fault> {
        self.entry(query, line)?.resume_call(step);
        Ok(())
    }

    fn tag(&mut self, tag: &[u8]) {
        self.comes_late |= self.begun && self.head.tag.is_none();
        self.head.tag.get_or_insert_with(|| escaped(tag));
    }

    fn meta(&mut self, meta: &RunMeta) {
        self.comes_late |= self.begun;
        self.head.meta = meta.clone();
    }

    fn is_empty(&self) -> bool {
        self.held.is_empty() && self.written.is_empty()
    }
}
