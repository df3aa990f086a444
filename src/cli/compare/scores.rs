//! The scores of everything that is compared, under one set of names.

use std::collections::BTreeMap;

use raglens::compare::{RunScores, ranking_facts};
use raglens::id::Id;
use raglens::measure::Measure;
use raglens::notes::Notes;
use raglens::run::Run;
use raglens::scores::ScoreTable;
use rayon::prelude::*;

use super::args::CompareArgs;
use super::failure::check_origins;
use super::inputs::{Content, Input, Origin};
use super::labels;
use super::metrics::{Chosen, column};
use crate::cli::columns::{IntervalArgs, IntervalChoice};
use crate::cli::failure::Failure;
use crate::cli::inputs::{ReadLabels, ReadRun, modified};
use crate::cli::runs::owned;
use crate::cli::scoring::{Scored, Scoring};
use crate::cli::{hash, join, measures, names};
use crate::render::compare::report::RunFile;
use crate::render::eval::conventions_json;
use crate::render::eval::report::RunPart;

/// Everything that is compared.
pub struct Gathered {
    /// The scores of each run.
    pub runs: Vec<RunScores>,
    /// Where they come from.
    pub files: Vec<RunFile>,
    /// The names of the measures.
    pub labels: Vec<String>,
    /// What a reader must know.
    pub notes: Notes,
    /// The conventions in force, as far as they are known: names, and values as JSON.
    pub conventions: Vec<(String, String)>,
    /// Queries of the labels that no measure counts.
    pub left_out: Vec<Id>,
    /// The rankings of each run, where they are kept.
    pub kept: Vec<Option<Run>>,
}

/// Scores runs, takes saved scores as they are, names both, and checks that they belong together.
///
/// # Errors
/// When a run cannot be scored, saved scores lack a measure, or labels or conventions differ.
pub fn gather(
    args: &CompareArgs,
    inputs: Vec<Input>,
    chosen: Chosen,
    read: Option<&ReadLabels>,
) -> Result<Gathered, Failure> {
    let Chosen { labels, measures } = chosen;
    let measures = match read {
        Some(read) => measures::bind(measures, &read.labels.facts())?,
        None => measures,
    };
    let now = read.map(|read| args.origin(read)).unwrap_or_default();
    let given: Vec<_> = inputs.iter().map(|input| (input.argument.clone(), input.tag.clone())).collect();
    let names = names::assign(&given)?;
    let take = |(input, name): (Input, &String)| args.take(input, name, &labels, &measures, read, &now);
    let taken: Vec<Result<Taken, Failure>> = inputs.into_par_iter().zip(&names).map(take).collect();
    let taken = taken.into_iter().collect::<Result<Vec<Taken>, Failure>>()?;
    check_origins(&origins(&taken, &now, read))?;
    Ok(together(args, taken, labels, read))
}

/// Puts the runs together, with what became known of them.
fn together(args: &CompareArgs, taken: Vec<Taken>, labels: Vec<String>, read: Option<&ReadLabels>) -> Gathered {
    let known = taken.iter().map(|taken| &taken.origin.conventions).find(|known| !known.is_empty());
    let conventions = known.cloned().unwrap_or_default();
    let mut notes = read.map(|read| read.notes.clone()).unwrap_or_default();
    let (mut runs, mut kept, mut files, mut parts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for taken in taken {
        runs.push(taken.scores);
        kept.push(taken.run);
        files.push(taken.file);
        notes.extend(taken.notes);
        parts.extend(taken.part);
    }
    if let Some(read) = read {
        let collapsed = args.ids.collapse.is_some();
        notes.extend(join::notes(&read.file.path, &parts, args.conventions.over, collapsed));
        let measures = parts.first().map_or(&[][..], |part| part.table.measures);
        notes.extend(join::unlike(args.conventions.like, measures, &read.labels));
    }
    let left_out = parts.first().map(|first| owned(&first.table.join.left_out)).unwrap_or_default();
    Gathered { runs, files, labels, notes, conventions, left_out, kept }
}

/// One run on its way.
struct Taken<'m> {
    shown: String,
    scores: RunScores,
    file: RunFile,
    origin: Origin,
    notes: Notes,
    /// What became known of a run while it was scored.
    part: Option<RunPart<'m>>,
    /// Its rankings, where they are kept.
    run: Option<Run>,
}

/// Where all scores come from, the labels that give the tags among them.
fn origins(taken: &[Taken], now: &Origin, read: Option<&ReadLabels>) -> Vec<(String, Origin)> {
    let mut origins: Vec<(String, Origin)> =
        taken.iter().map(|taken| (taken.shown.clone(), taken.origin.clone())).collect();
    if let Some(read) = read {
        origins.push((read.file.path.clone(), Origin { labels_hash: now.labels_hash.clone(), ..Origin::default() }));
    }
    origins
}

impl CompareArgs {
    /// What runs are scored with now.
    fn origin(&self, read: &ReadLabels) -> Origin {
        let intervals = IntervalArgs { ci: IntervalChoice::Auto, bootstrap: 0, seed: 0 };
        let conventions = self.conventions.in_force(&self.ids, &read.labels, &intervals);
        let all: BTreeMap<String, String> = conventions_json(&conventions);
        let of_intervals = ["ci", "bootstrap", "seed"];
        let conventions = all.into_iter().filter(|(name, _)| !of_intervals.contains(&name.as_str())).collect();
        Origin { labels_hash: Some(hash::of_labels(&read.labels)), conventions }
    }

    fn take<'m>(
        &self,
        input: Input,
        name: &str,
        labels: &[String],
        measures: &'m [Measure],
        read: Option<&'m ReadLabels>,
        now: &Origin,
    ) -> Result<Taken<'m>, Failure> {
        let shown = input.shown();
        let Input { file, notes, content, .. } = input;
        let name = name.to_owned();
        let run_file = RunFile { modified: modified(&file.path), file: file.clone() };
        match content {
            Content::Saved(run, origin) => {
                let columns = labels.iter().map(|label| column(&run, label, &shown)).collect::<Result<_, _>>()?;
                let scores = RunScores { name, queries: run.queries, columns, rankings: Vec::new() };
                Ok(Taken { shown, scores, file: run_file, origin, notes, part: None, run: None })
            }
            Content::Run(run) => {
                let read = read.ok_or_else(|| labels::missing(&file.path))?;
                let (scored, mut scores) = self.score(*run, read, measures)?;
                scores.name.clone_from(&name);
                let Scored { table, file, documents, run, .. } = scored;
                let part = RunPart::new(name, file, table, documents);
                Ok(Taken { shown, scores, file: run_file, origin: now.clone(), notes, part: Some(part), run })
            }
        }
    }

    fn score<'m>(
        &self,
        run: ReadRun,
        read: &'m ReadLabels,
        measures: &'m [Measure],
    ) -> Result<(Scored<'m>, RunScores), Failure> {
        let scoring = Scoring {
            keeps_runs: self.reports.show_rankings(),
            ..Scoring::new(read, measures, &self.conventions, &self.ids, &self.reading)
        };
        let rules = scoring.collapsed_rules();
        scoring.score_with(run, |run, table| {
            let queries: Vec<Id> = table.queries().cloned().collect();
            let rankings = ranking_facts(&read.labels, run, &queries, &rules)?;
            Ok(RunScores { name: String::new(), columns: columns(table), queries, rankings })
        })
    }
}

fn columns(table: &ScoreTable) -> Vec<Vec<Option<f64>>> {
    (0..table.measures.len()).map(|index| table.values(index).collect()).collect()
}
