//! Labels and named runs, for commands that look at several runs over the same queries.

use std::collections::HashSet;

use clap::Args;
use raglens::evaluate::{Average, Over};
use raglens::id::Id;
use raglens::labels::Labels;
use raglens::measure::Measure;
use raglens::notes::NoteKind;
use raglens::run::Run;
use raglens::scores::ScoreTable;
use rayon::prelude::*;

use super::columns::{IntervalArgs, IntervalChoice};
use super::conventions::ConventionArgs;
use super::failure::Failure;
use super::ids::IdArgs;
use super::inputs::{self, ReadLabels, ReadRun, ReadingArgs};
use super::names::{self, RunArgument};
use super::scoring::{Scored, Scoring};
use super::{hash, join};
use crate::render::errors::Message;
use crate::render::eval::report::{FilePart, LabelsPart, RunPart};
use crate::render::frame::{Frame, RunFact};

/// Options about which queries count, and how files are read.
#[derive(Debug, Clone, Args)]
pub struct RunsArgs {
    #[command(flatten)]
    pub conventions: ConventionArgs,

    #[command(flatten)]
    pub ids: IdArgs,

    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// A run under its name, in memory, with its scores.
pub struct NamedRun<'m> {
    /// Its name.
    pub name: String,
    /// The rankings, under the ids that are measured.
    pub run: Run,
    /// A row per query that counts, the same for all runs.
    pub table: ScoreTable<'m>,
}

/// Runs over the same queries.
pub struct Gathered<'m> {
    /// The runs in the order given.
    pub runs: Vec<NamedRun<'m>>,
    /// The files and the conventions.
    pub frame: Frame,
}

impl Gathered<'_> {
    /// The queries that count, by their position in the labels.
    pub fn queries(&self) -> Vec<usize> {
        self.runs.first().map(|run| run.table.rows.positions().collect()).unwrap_or_default()
    }
}

impl RunsArgs {
    /// Reads the labels; the paths of the runs are looked at only to see whether the arguments are
    /// swapped.
    ///
    /// # Errors
    /// When they cannot be read, or options do not go together.
    pub fn labels(&self, path: &str, runs: &[RunArgument]) -> Result<ReadLabels, Failure> {
        if self.conventions.average == Average::Micro {
            let title = "`--average micro` is for `eval`: here every query weighs the same";
            return Err(Message::new(title).into());
        }
        inputs::check_standard_input(path, runs)?;
        inputs::labels(path, runs, &self.reading)
    }

    /// Reads runs and scores them over the same queries, those that `measures[counting]` counts
    /// among them.
    ///
    /// # Errors
    /// When that counts none, a run cannot be read or scored, or two have the same name.
    pub fn gather<'m>(
        &self,
        read: &'m ReadLabels,
        arguments: &[RunArgument],
        measures: &'m [Measure],
        counting: usize,
        seed: u64,
    ) -> Result<Gathered<'m>, Failure> {
        join::check_labels(&read.labels, &measures[counting..=counting], &self.conventions.rules())?;
        let runs: Vec<Result<ReadRun, Failure>> =
            arguments.par_iter().map(|run| Ok(inputs::run(&run.path, &self.reading)?)).collect();
        let runs: Vec<ReadRun> = runs.into_iter().collect::<Result<_, _>>()?;
        let tags = runs.iter().map(|read| read.run.tag.clone());
        let names = names::assign(&arguments.iter().cloned().zip(tags).collect::<Vec<_>>())?;
        let scored: Vec<Result<(Scored<'m>, Run), Failure>> =
            runs.into_par_iter().map(|run| self.score(run, read, measures)).collect();
        let scored: Vec<(Scored<'m>, Run)> = scored.into_iter().collect::<Result<_, _>>()?;
        let mut gathered = self.together(read, names, scored, seed);
        gathered.frame.notes.extend(join::unlike(self.conventions.like, measures, &read.labels));
        Ok(gathered)
    }

    fn score<'m>(
        &self,
        run: ReadRun,
        read: &'m ReadLabels,
        measures: &'m [Measure],
    ) -> Result<(Scored<'m>, Run), Failure> {
        let scoring = Scoring::new(read, measures, &self.conventions, &self.ids, &self.reading);
        scoring.score_with(run, |run, _| Ok(run.clone()))
    }

    fn together<'m>(
        &self,
        read: &ReadLabels,
        names: Vec<String>,
        scored: Vec<(Scored<'m>, Run)>,
        seed: u64,
    ) -> Gathered<'m> {
        let mut notes = read.notes.clone();
        let (mut parts, mut runs) = (Vec::new(), Vec::new());
        for ((scored, run), name) in scored.into_iter().zip(names) {
            notes.extend(scored.notes);
            parts.push(RunPart::new(name, scored.file, scored.table, scored.documents));
            runs.push(run);
        }
        notes.extend(join::notes(&read.file.path, &parts, self.conventions.over, self.ids.collapse.is_some()));
        let left_out = parts.first().map(|part| owned(&part.table.join.left_out)).unwrap_or_default();
        let facts = parts.iter().map(|part| RunFact {
            name: part.name.clone(),
            file: part.file.clone(),
            modified: inputs::modified(&part.file.path),
            missing: owned(&part.table.join.missing),
        });
        let facts = facts.collect();
        let not_in_all = restrict(&mut parts, self.conventions.over);
        notes.add_all(NoteKind::NotInAll, "runs", &not_in_all);
        let intervals = IntervalArgs { ci: IntervalChoice::Auto, bootstrap: 0, seed };
        let conventions = self.conventions.in_force(&self.ids, &read.labels, &intervals);
        let hash = Some(hash::of_labels(&read.labels));
        let labels = labels_part(&read.labels, read.file.clone(), self.conventions.rel, hash);
        let named = parts.into_iter().zip(runs).map(|(part, run)| NamedRun { name: part.name, run, table: part.table });
        Gathered {
            runs: named.collect(),
            frame: Frame { conventions, labels, left_out, not_in_all, runs: facts, notes },
        }
    }
}

/// Ids that outlive the labels they are from.
pub fn owned(ids: &[&Id]) -> Vec<Id> {
    ids.iter().map(|&id| id.clone()).collect()
}

/// What is shown of labels, with their hash where it is shown.
pub fn labels_part(labels: &Labels, file: FilePart, rel: f64, hash: Option<String>) -> LabelsPart {
    LabelsPart {
        file,
        hash,
        queries: labels.queries().len() as u64,
        relevant: labels.relevant(rel),
        positive_only: labels.positive_only(),
    }
}

/// Keeps the queries that all tables have; gives back those that are left out for it.
fn restrict(parts: &mut [RunPart<'_>], over: Over) -> Vec<Id> {
    if over != Over::Common {
        return Vec::new();
    }
    let sets: Vec<HashSet<usize>> = parts.iter().map(|part| part.table.rows.positions().collect()).collect();
    let is_common = |position: usize| sets.iter().all(|set| set.contains(&position));
    let mut dropped: Vec<(usize, Id)> = Vec::new();
    for part in parts {
        let rows = &part.table.rows;
        let lost = rows.iter().filter(|row| !is_common(row.position)).map(|row| (row.position, row.query.clone()));
        dropped.extend(lost);
        let kept = rows.positions().enumerate().filter(|(_, position)| is_common(*position));
        let kept: Vec<usize> = kept.map(|(row, _)| row).collect();
        part.table = part.table.of_rows(&kept);
    }
    dropped.sort_by_key(|(position, _)| *position);
    dropped.dedup();
    dropped.into_iter().map(|(_, query)| query).collect()
}
