//! Scoring runs: while they are read where nothing else is needed of them, else from memory.

use raglens::error::Fault;
use raglens::evaluate::{Rules, evaluate, ranked};
use raglens::input::{Mismatch, Source};
use raglens::labels::Labels;
use raglens::measure::Measure;
use raglens::notes::Notes;
use raglens::run::{Order, Run};
use raglens::scores::ScoreTable;
use raglens::stream::{FileError, FileScores, evaluate_file};

use rayon::prelude::*;

use super::conventions::ConventionArgs;
use super::failure::{Failure, in_run};
use super::ids::IdArgs;
use super::inputs::{self, ReadLabels, ReadRun, ReadingArgs};
use super::join;
use super::units::{Setting, Units};
use crate::render::errors::Message;
use crate::render::eval::extras::Extras;
use crate::render::eval::report::{FilePart, SavedRanking};

/// How many documents of a ranking are saved, so that it can be scored again.
const SAVED_DEPTH: usize = 100;

/// The scores of a run with its file.
#[derive(Debug)]
pub struct Scored<'m> {
    /// The scores.
    pub table: ScoreTable<'m>,
    /// The file.
    pub file: FilePart,
    /// The name that the file gives the run.
    pub tag: Option<String>,
    /// What a reader must know of it.
    pub notes: Notes,
    /// Why no document of the run stands in the labels, when none does.
    pub documents: Option<Mismatch>,
    /// The first documents of its rankings, where they are to be saved.
    pub rankings: Vec<SavedRanking>,
    /// What it shows beside its measures.
    pub extras: Extras,
    /// The run, where it is to be kept.
    pub run: Option<Run>,
}

/// In what unit a run is scored, and what else is shown of it.
#[derive(Debug, Clone, Copy)]
pub struct InUnit<'a> {
    /// The unit.
    pub units: &'a Units,
    /// The cutoffs that are given.
    pub cutoffs: &'a [u64],
    /// Whether nobody asked for certain measures.
    pub is_default_set: bool,
}

/// Everything that scores depend on beside the run.
#[derive(Debug, Clone, Copy)]
pub struct Scoring<'a, 'm> {
    /// The labels.
    pub labels: &'m Labels,
    /// Their file.
    pub labels_file: &'m FilePart,
    /// The measures, bound to the labels.
    pub measures: &'m [Measure],
    /// The conventions, as they were asked for.
    pub rules: Rules,
    /// What happens to ids.
    pub ids: &'a IdArgs,
    /// How files are read.
    pub reading: &'a ReadingArgs,
    /// Whether rankings are kept to be saved.
    pub keeps_rankings: bool,
    /// Whether runs are kept to be looked at.
    pub keeps_runs: bool,
}

impl<'a, 'm> Scoring<'a, 'm> {
    /// Scoring against some labels as the options say; no ranking and no run is kept.
    pub fn new(
        read: &'m ReadLabels,
        measures: &'m [Measure],
        conventions: &ConventionArgs,
        ids: &'a IdArgs,
        reading: &'a ReadingArgs,
    ) -> Self {
        let (labels, labels_file, rules) = (&read.labels, &read.file, conventions.rules());
        Self { labels, labels_file, measures, rules, ids, reading, keeps_rankings: false, keeps_runs: false }
    }

    /// Scores runs while they are read, side by side. For one alone no threads are started here:
    /// it starts them itself, if it is long enough.
    pub fn stream_all(&self, paths: &[String]) -> Vec<Result<Scored<'m>, Failure>> {
        match paths {
            [path] => vec![self.stream(path)],
            _ => paths.par_iter().map(|path| self.stream(path)).collect(),
        }
    }

    /// Scores a run while it is read.
    ///
    /// # Errors
    /// When the file cannot be read or the run cannot be scored.
    pub fn stream(&self, path: &str) -> Result<Scored<'m>, Failure> {
        let (mut notes, options) = (Notes::default(), self.reading.run_options());
        let read = |source| evaluate_file(source, &options, self.labels, self.measures, &self.rules, &mut notes);
        let FileScores { table, facts, tag, documents } =
            match Source::open(path).map_err(FileError::from).and_then(read) {
                Ok(scores) => scores,
                Err(FileError::Input(error)) => return Err(error.into()),
                Err(FileError::Evaluate(error)) => return Err(join::failure(error, self.labels, path, None)),
                Err(other) => return Err(Message::new(other.to_string()).into()),
            };
        self.check(Scored {
            table,
            file: inputs::file(facts),
            tag,
            notes,
            documents,
            rankings: Vec::new(),
            extras: Extras::default(),
            run: None,
        })
    }

    /// Scores a run that is in memory and was brought into its unit.
    ///
    /// # Errors
    /// When the run cannot be scored.
    pub fn score_in(
        &self,
        read: ReadRun,
        InUnit { units, cutoffs, is_default_set }: InUnit<'_>,
    ) -> Result<Scored<'m>, Failure> {
        let ReadRun { mut run, file, notes } = read;
        let (tag, rules) = (run.tag.take(), self.collapsed_rules());
        let failure = |error| join::failure(error, self.labels, &file.path, Some(file.read_as));
        let table = units.evaluate(self.labels, &run, self.measures, &rules).map_err(failure)?;
        let setting = Setting { labels: self.labels, measures: self.measures, is_default_set, cutoffs, rules: &rules };
        let spent =
            units.lens().budget.filter(|_| table.join.is_empty() && run.rows() > 0 && !self.reading.allow_empty);
        if let Some(budget) = spent {
            let title = format!("no result of {} fits into a budget of {budget} tokens", file.path);
            return Err(Failure::new(
                title,
                "`--budget` takes the tokens that the model reads of all results together",
            ));
        }
        let extras = units.extras(&run, setting).map_err(failure)?;
        let rankings = if self.keeps_rankings { self.rankings(&run, &file.path)? } else { Vec::new() };
        let shares_none = table.join.shares_no_document();
        let documents = if shares_none { units.mismatch(self.labels, &run) } else { None };
        if !table.join.unplaced.is_empty() && table.join.unplaced.len() as u64 == table.join.results {
            return Err(without_places(&file.path));
        }
        let run = self.keeps_runs.then_some(run);
        self.check(Scored { table, file, tag, notes, documents, rankings, extras, run })
    }

    /// Scores a run that is in memory, and looks at it with its ids changed and its scores known.
    ///
    /// # Errors
    /// When the run cannot be scored, or looking fails.
    pub fn score_with<T>(
        &self,
        read: ReadRun,
        look: impl FnOnce(&Run, &ScoreTable<'m>) -> Result<T, Fault>,
    ) -> Result<(Scored<'m>, T), Failure> {
        let ReadRun { mut run, file, notes } = read;
        let tag = run.tag.take();
        let run = self.ids.apply(run, self.rules.ties, self.rules.duplicates);
        let run = run.map_err(|fault| in_run(fault, &file.path, Some(file.read_as)))?;
        let table = evaluate(self.labels, &run, self.measures, &self.collapsed_rules());
        let table = table.map_err(|error| join::failure(error, self.labels, &file.path, Some(file.read_as)))?;
        let rankings = if self.keeps_rankings { self.rankings(&run, &file.path)? } else { Vec::new() };
        let seen = look(&run, &table).map_err(|fault| in_run(fault, &file.path, Some(file.read_as)))?;
        let documents = if table.join.shares_no_document() { join::documents(self.labels, &run) } else { None };
        let (extras, run) = (Extras::default(), self.keeps_runs.then_some(run));
        Ok((self.check(Scored { table, file, tag, notes, documents, rankings, extras, run })?, seen))
    }

    fn check(&self, scored: Scored<'m>) -> Result<Scored<'m>, Failure> {
        join::check(self.labels, self.labels_file, &scored, self.reading.allow_empty)?;
        Ok(scored)
    }

    /// The rules once chunks are collapsed: copies that come from collapsing go.
    pub fn collapsed_rules(&self) -> Rules {
        self.ids.collapsed(self.rules)
    }

    /// The first documents of every ranking that has labels, in the order of the labels.
    fn rankings(&self, run: &Run, path: &str) -> Result<Vec<SavedRanking>, Failure> {
        let (rules, mut order) = (self.collapsed_rules(), Order::default());
        let mut saved = Vec::new();
        for ranking in self.labels.queries().iter().filter_map(|query| run.ranking(query.id())) {
            ranked(ranking, &rules, &mut order).map_err(|fault| in_run(fault, path, None))?;
            let documents = order.indices().iter().map(|&index| ranking.document(index as usize));
            let ids = documents.take(SAVED_DEPTH).map(Into::into).collect();
            let retrieved = order.indices().len() as u64;
            saved.push(SavedRanking { query: ranking.query().clone(), ids, retrieved });
        }
        Ok(saved)
    }
}

/// The failure of a run none of whose results has a place, where places are measured.
fn without_places(path: &str) -> Failure {
    let title = format!("no result of {path} has a place in a document");
    let help = "results take `doc_id`, `start` and `end`, or `--chunks FILE` a file that has them";
    Failure::new(title, help)
}
