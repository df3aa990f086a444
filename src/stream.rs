//! Scoring a run while its file is read: one query is held at a time in each thread, and dropped
//! once it is scored. A file whose queries come back later is read again and collected, as is what can
//! be read only once.

mod gather;
mod part;
mod pieces;
mod records;
mod shared;

use crate::error::{Fault, InputError};
use crate::evaluate::judge::Judge;
use crate::evaluate::{EvaluateError, Rules, check_measures, evaluate, table};
use crate::input::{FileFacts, Mismatch, ReadOptions, Source, join, read_run, read_run_into};
use crate::labels::Labels;
use crate::measure::Measure;
use crate::notes::Notes;
use crate::run::Run;
use crate::scores::ScoreTable;
use gather::GatherSink;
use part::PartSink;
use shared::{Finished, Streaming};

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
    labels: &'m Labels,
    measures: &'m [Measure],
    rules: &Rules,
    notes: &mut Notes,
) -> Result<FileScores<'m>, FileError> {
    check_measures(labels, measures, rules)?;
    let judge = Judge::new(labels, measures, rules);
    if judge.needs_rankings() {
        return collect(source, options, labels, measures, rules, notes);
    }
    if !source.can_be_reopened() {
        return gather(source, options, labels, measures, rules, notes);
    }
    let (path, block_size) = (source.path().to_owned(), source.block_size());
    let streaming = Streaming::new(&judge, labels, false);
    let mut sink = PartSink::new(&streaming);
    let mut found = Notes::default();
    let read = read_run_into(source, options, &mut found, &mut sink);
    sink.finish();
    if streaming.comes_back() {
        let source = Source::open(&path)?.in_blocks_of(block_size);
        return gather(source, options, labels, measures, rules, notes);
    }
    let facts = read?;
    notes.extend(found);
    let Finished { whole, ignored, tag } =
        streaming.finish(&Run::default()).map_err(|fault| fault.in_file(&path, Some(facts.format.about)))?;
    let table = table(labels, measures, rules, whole, ignored)?;
    let documents = match table.join.shares_no_document() {
        true => documents(labels, &read_run(Source::open(&path)?, options, &mut Notes::default())?.0),
        false => None,
    };
    Ok(FileScores { table, facts, tag, documents })
}

/// Reads and scores a run whose text can be read once, or whose queries come back: in blocks where
/// that can be, else row by row.
fn gather<'m>(
    source: Source,
    options: &ReadOptions,
    labels: &'m Labels,
    measures: &'m [Measure],
    rules: &Rules,
    notes: &mut Notes,
) -> Result<FileScores<'m>, FileError> {
    let judge = Judge::new(labels, measures, rules);
    let (path, block_size, is_file) = (source.path().to_owned(), source.block_size(), source.can_be_reopened());
    let streaming = (!is_file).then(|| Streaming::new(&judge, labels, true));
    let mut sink = GatherSink::new(labels, streaming);
    let mut found = Notes::default();
    let mut read = read_run_into(source, options, &mut found, &mut sink);
    if is_file && sink.is_odd() {
        let source = Source::open(&path)?.in_blocks_of(block_size);
        (sink, found) = (GatherSink::row_by_row(labels), Notes::default());
        read = read_run_into(source, options, &mut found, &mut sink);
    }
    notes.extend(found);
    let facts = read?;
    let here = |fault: Fault| fault.in_file(&facts.path, Some(facts.format.about));
    let (run, streaming) = sink.finish();
    let finished = match streaming {
        Some(streaming) => streaming.finish(run.start()),
        None => run.score(&judge),
    };
    let Finished { whole, ignored, tag } = finished.map_err(here)?;
    let table = table(labels, measures, rules, whole, ignored)?;
    let documents = match table.join.shares_no_document() {
        true => documents(labels, &run.into_run().map_err(here)?),
        false => None,
    };
    Ok(FileScores { table, facts, tag, documents })
}

/// The same for a run whose rankings are needed as a whole.
fn collect<'m>(
    source: Source,
    options: &ReadOptions,
    labels: &'m Labels,
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
