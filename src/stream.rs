//! Scoring a run while its file is read: one query is held at a time, and dropped once it is
//! scored. A file whose queries come back later is read again and collected.

use std::collections::HashSet;

use crate::error::{Fault, InputError, InputErrorKind};
use crate::evaluate::judge::{Judge, Scored, Scratch};
use crate::evaluate::{EvaluateError, Rules, check_measures, evaluate, table};
use crate::id::{Id, escaped};
use crate::input::{FileFacts, Mismatch, ReadOptions, Source, join, read_run, read_run_into};
use crate::labels::Labels;
use crate::measure::Measure;
use crate::notes::Notes;
use crate::run::{Call, Ranking, Row, Run, RunSink};
use crate::scores::ScoreTable;

/// Why the run of a file cannot be scored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The run cannot be scored.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
}

/// The scores of a run, and what became known of its file.
#[derive(Debug)]
pub struct FileScores<'m> {
    /// The scores.
    pub table: ScoreTable<'m>,
    /// What became known of the file.
    pub facts: FileFacts,
    /// The name that the file gives the run.
    pub tag: Option<String>,
    /// How the ids of documents differ, when none of the run stands in the labels.
    pub documents: Option<Mismatch>,
}

/// Reads a run and scores it against labels in one go, without keeping the run.
///
/// The same as [`read_run`] followed by [`evaluate`], to the last bit.
///
/// # Errors
/// Those of both.
pub fn evaluate_file<'m>(
    source: Source,
    options: &ReadOptions,
    labels: &Labels,
    measures: &'m [Measure],
    rules: &Rules,
    notes: &mut Notes,
) -> Result<FileScores<'m>, FileError> {
    check_measures(labels, measures, rules)?;
    if !source.can_be_reopened() {
        return collect(source, options, labels, measures, rules, notes);
    }
    let path = source.path().to_owned();
    let judge = Judge::new(labels, measures, rules);
    let mut sink = Streaming::new(&judge, labels);
    let mut found = Notes::default();
    let read = read_run_into(source, options, &mut found, &mut sink);
    if sink.comes_back {
        return collect(Source::open(&path)?, options, labels, measures, rules, notes);
    }
    let facts = read?;
    notes.extend(found);
    let tag = sink.tag.take();
    let (scored, ignored) = sink.finish().map_err(|fault| fault.in_file(&path, Some(facts.format.about)))?;
    let table = table(labels, measures, rules, scored, ignored)?;
    let documents = match table.join.shares_no_document() {
        true => documents(labels, &read_run(Source::open(&path)?, options, &mut Notes::default())?.0),
        false => None,
    };
    Ok(FileScores { table, facts, tag, documents })
}

fn collect<'m>(
    source: Source,
    options: &ReadOptions,
    labels: &Labels,
    measures: &'m [Measure],
    rules: &Rules,
    notes: &mut Notes,
) -> Result<FileScores<'m>, FileError> {
    let (run, facts) = read_run(source, options, notes)?;
    let table = evaluate(labels, &run, measures, rules).map_err(|error| match error {
        EvaluateError::Ranking(fault) => fault.in_file(&facts.path, Some(facts.format.about)).into(),
        other => FileError::from(other),
    })?;
    let documents = if table.join.shares_no_document() { documents(labels, &run) } else { None };
    Ok(FileScores { table, facts, tag: run.tag, documents })
}

fn documents(labels: &Labels, run: &Run) -> Option<Mismatch> {
    join(labels, run).ok().flatten()
}

/// Scores each query as soon as the next one begins.
struct Streaming<'a> {
    judge: &'a Judge<'a>,
    labels: &'a Labels,
    scratch: Scratch,
    current: Option<Ranking>,
    scored: Vec<Option<Result<Scored, Fault>>>,
    ignored: Vec<Id>,
    seen_ignored: HashSet<Id>,
    tag: Option<String>,
    comes_back: bool,
}

impl<'a> Streaming<'a> {
    fn new(judge: &'a Judge<'a>, labels: &'a Labels) -> Self {
        Self {
            judge,
            labels,
            scratch: Scratch::default(),
            current: None,
            scored: labels.queries().iter().map(|_| None).collect(),
            ignored: Vec::new(),
            seen_ignored: HashSet::new(),
            tag: None,
            comes_back: false,
        }
    }

    /// The ranking of a query, which is the current one or a new one.
    fn ranking(&mut self, query: &[u8], line: u64) -> Result<&mut Ranking, Fault> {
        let is_current = self.current.as_ref().is_some_and(|current| current.query().as_bytes() == query);
        if !is_current {
            self.begin(Id::from(query), line)?;
        }
        Ok(self.current.as_mut().expect("a query has begun"))
    }

    fn begin(&mut self, query: Id, line: u64) -> Result<(), Fault> {
        self.close();
        let is_known = match self.labels.position(&query) {
            Some(position) => self.scored[position].is_some(),
            None => self.seen_ignored.contains(&query),
        };
        if is_known {
            self.comes_back = true;
            return Err(Fault::at_line(line, InputErrorKind::QueryComesBack { query }));
        }
        match &mut self.current {
            Some(ranking) => ranking.restart(query),
            None => self.current = Some(Ranking::new(query)),
        }
        Ok(())
    }

    /// Scores the current query.
    fn close(&mut self) {
        let Some(ranking) = &self.current else { return };
        match self.labels.position(ranking.query()) {
            Some(position) => {
                let scored = self.judge.score(position, Some(ranking), &mut self.scratch);
                self.scored[position] = Some(scored);
            }
            None => {
                self.seen_ignored.insert(ranking.query().clone());
                self.ignored.push(ranking.query().clone());
            }
        }
    }

    /// The scores of all queries of the labels, and the queries that have no labels.
    fn finish(mut self) -> Result<(Vec<Scored>, Vec<Id>), Fault> {
        self.close();
        let Self { judge, scored, mut scratch, ignored, .. } = self;
        let missing = |(position, scored): (usize, Option<Result<Scored, Fault>>)| {
            scored.unwrap_or_else(|| judge.score(position, None, &mut scratch))
        };
        Ok((scored.into_iter().enumerate().map(missing).collect::<Result<_, _>>()?, ignored))
    }
}

impl RunSink for Streaming<'_> {
    fn row(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        self.ranking(row.query, row.line)?.push(row)
    }

    fn call(&mut self, query: &[u8], call: &Call, line: u64) -> Result<(), Fault> {
        self.ranking(query, line)?.begin_call(call, line)
    }

    fn resume(&mut self, query: &[u8], step: u32, line: u64) -> Result<(), Fault> {
        self.ranking(query, line)?.resume_call(step);
        Ok(())
    }

    fn tag(&mut self, tag: &[u8]) {
        self.tag.get_or_insert_with(|| escaped(tag));
    }

    fn is_empty(&self) -> bool {
        self.current.is_none()
    }
}
