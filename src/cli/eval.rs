//! `raglens eval`: every measure of one or several runs.

use clap::Args;
use raglens::compare::tag_names;
use raglens::evaluate::evaluate;
use raglens::labels::Labels;
use raglens::measure::Measure;
use raglens::notes::Notes;
use raglens::run::Run;
use raglens::scores::ScoreTable;
use rayon::prelude::*;

use super::columns::{IntervalArgs, columns};
use super::console::Console;
use super::conventions::ConventionArgs;
use super::failure::Failure;
use super::ids::IdArgs;
use super::inputs::{self, ReadLabels, ReadRun, ReadingArgs};
use super::measures::{CUTOFFS, Chosen, DefaultSet, MeasureArgs};
use super::minimum::{self, MinimumArgs};
use super::names::{self, RunArgument};
use super::output::{Output, OutputArgs};
use super::report::{Found, Material, ReportArgs, Score};
use super::runs::labels_part;
use super::scoring::{InUnit, Scored, Scoring};
use super::slices::SliceArgs;
use super::units::{self, UnitArgs, UnitChoice, Units};
use super::{CommandDef, hash, join, letters};
use crate::render::eval::report::{Report, RunPart, Shown, SlicePart};
use crate::render::{Look, eval as view};

/// The row of the table of commands.
pub static COMMAND: CommandDef = CommandDef {
    name: "eval",
    group: "Measure",
    arguments: EvalArgs::augment_args,
    run: |matches, console| run(&super::parsed::<EvalArgs>(matches), console),
};

const EXAMPLES: &str = "\
Examples:
  raglens eval qrels.txt run.txt
  raglens eval labels.jsonl bm25.trec dense.trec.gz -k 5,10,50
  raglens eval labels.jsonl new=out/run.jsonl -m recall@5,ndcg@10 --per-query
  raglens eval labels.jsonl run.jsonl --collapse '#' --format json -o out.json
";

/// Measure one or several runs against labels
#[derive(Debug, Clone, Args)]
#[command(before_long_help = EXAMPLES)]
struct EvalArgs {
    /// Labels (qrels), or one file with labels and results side by side
    labels: String,

    /// Runs; name=path gives one a name, - is standard input
    #[arg(value_name = "RUN")]
    runs: Vec<String>,

    #[command(flatten)]
    measures: MeasureArgs,

    /// Show a row per query
    #[arg(short = 'q', long, help_heading = "Measures")]
    per_query: bool,

    /// Mark by letters which of several runs are better than which, beyond chance
    #[arg(long, hide_short_help = true, help_heading = "Measures")]
    letters: bool,

    /// Show how the values spread over the queries
    #[arg(long, hide_short_help = true, help_heading = "Measures")]
    dist: bool,

    #[command(flatten, next_help_heading = "Measures")]
    slices: SliceArgs,

    #[command(flatten)]
    intervals: IntervalArgs,

    #[command(flatten)]
    minimum: MinimumArgs,

    #[command(flatten)]
    conventions: ConventionArgs,

    #[command(flatten)]
    units: UnitArgs,

    #[command(flatten)]
    ids: IdArgs,

    #[command(flatten)]
    reading: ReadingArgs,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    reports: ReportArgs,
}

fn run(args: &EvalArgs, console: &Console) -> Result<Output, Failure> {
    args.units.check(&args.ids)?;
    let measures = args.measures.like(args.conventions.like);
    let chosen = measures.choose(args.set(), args.conventions.rel, args.conventions.average)?;
    // A fault is told before anything is read; what the labels leave out moves the measures.
    args.minimum.limits(&chosen.labels())?;
    let arguments: Vec<RunArgument> = args.runs.iter().map(|text| RunArgument::parse(text)).collect();
    inputs::check_standard_input(&args.labels, &arguments)?;
    args.output.check(args.reports.outputs(), &args.paths(&arguments))?;
    let (mut read, mut runs) = args.read(&arguments, &chosen.measures)?;
    let units = args.prepare(&chosen.measures, &mut read, &mut runs)?;
    let arguments = if arguments.is_empty() { vec![RunArgument::of_path(&args.labels)] } else { arguments };
    let chosen = chosen.bind(&read.labels.facts())?;
    units::check_reads(&read.labels, &chosen.measures, &args.conventions.rules())?;
    let mut scored = args.score(&read, runs, &chosen.measures, units.as_ref())?;
    let kept = scored.iter_mut().map(|scored| scored.run.take()).collect();
    let report = args.report(&read, scored, &arguments, &chosen, units.as_ref())?;
    let look = Look { signs: console.signs(), digits: args.output.digits.into() };
    let result = view::render(&report, args.output.format, &look);
    let saved = args.output.save.iter().map(|path| (path.clone(), view::saved(&report)));
    let messages = console.messages(&report.files(), &report.notes);
    let exit = minimum::exit(&report.gates);
    let mut output = Output { files: saved.collect(), result, messages, exit, ..Output::default() };
    args.add_reports(&mut output, &report, &read.labels, kept, units.as_ref())?;
    Ok(output.redirected(args.output.output.as_deref()))
}

/// Runs on their way to being scored.
enum Runs {
    /// They are scored while they are read.
    Streamed(Vec<String>),
    /// They are in memory.
    Collected(Vec<ReadRun>),
}

impl EvalArgs {
    /// Every path that is read.
    fn paths<'a>(&'a self, runs: &'a [RunArgument]) -> Vec<&'a str> {
        let files = std::iter::once(self.labels.as_str()).chain(runs.iter().map(|run| run.path.as_str()));
        files.chain(self.units.paths()).chain(self.reports.inputs()).collect()
    }

    /// What is measured when nobody asks.
    fn set(&self) -> DefaultSet<'_> {
        DefaultSet { cutoffs: self.units.cutoffs(&CUTOFFS), is_of_passages: self.units.unit == UnitChoice::Span }
    }

    /// Whether runs can be scored while they are read, because nothing else is needed of them.
    fn streams(&self, labels: &Labels, measures: &[Measure]) -> bool {
        self.keeps_nothing() && !self.units.need_memory(labels, measures)
    }

    fn keeps_nothing(&self) -> bool {
        self.output.save.is_none() && !self.ids.change_anything() && !self.reports.show_rankings()
    }

    /// Whether the hash of the labels is shown, for which all judgments must be gone through.
    fn shows_hash(&self) -> bool {
        self.output.format == view::Format::Json || self.output.save.is_some() || self.reports.are_wanted()
    }

    /// Whether it is shown how the values are distributed.
    fn shows_distribution(&self) -> bool {
        self.dist || self.reports.are_wanted()
    }

    /// Reads the labels, and the runs at the same time where they are needed in memory.
    fn read(&self, runs: &[RunArgument], measures: &[Measure]) -> Result<(ReadLabels, Runs), Failure> {
        if self.runs.is_empty() {
            let (labels, run) = inputs::both(&self.labels, &self.reading)?;
            return Ok((labels, Runs::Collected(vec![run])));
        }
        let labels = || inputs::labels(&self.labels, runs, &self.reading);
        let read = |run: &RunArgument| inputs::run(&run.path, &self.reading);
        let collect = || runs.par_iter().map(read).collect::<Vec<_>>();
        let (labels, runs) = match self.keeps_nothing() {
            true => {
                let labels = labels()?;
                if self.streams(&labels.labels, measures) {
                    return Ok((labels, Runs::Streamed(runs.iter().map(|run| run.path.clone()).collect())));
                }
                (Ok(labels), collect())
            }
            false => rayon::join(labels, collect),
        };
        Ok((labels?, Runs::Collected(runs.into_iter().collect::<Result<_, _>>()?)))
    }

    /// Brings labels and runs into the unit in which they are measured; `None` where runs are
    /// scored by their ids while they are read.
    fn prepare(&self, measures: &[Measure], read: &mut ReadLabels, runs: &mut Runs) -> Result<Option<Units>, Failure> {
        let Runs::Collected(runs) = runs else { return Ok(None) };
        let files = self.units.read(&self.reading)?;
        Units::prepare(&self.units, files, (&self.ids, &self.conventions), measures, read, runs).map(Some)
    }

    /// Scores every run, in parallel.
    fn score<'m>(
        &self,
        read: &'m ReadLabels,
        runs: Runs,
        measures: &'m [Measure],
        units: Option<&Units>,
    ) -> Result<Vec<Scored<'m>>, Failure> {
        let scoring = Scoring {
            keeps_rankings: self.output.save.is_some() && self.units.can_be_repeated(),
            keeps_runs: self.reports.show_rankings(),
            ..Scoring::new(read, measures, &self.conventions, &self.ids, &self.reading)
        };
        let cutoffs = self.measures.cutoffs(self.set());
        let is_default_set = self.measures.is_default();
        let scored: Vec<Result<Scored, Failure>> = match runs {
            Runs::Streamed(paths) => scoring.stream_all(&paths),
            Runs::Collected(runs) => {
                let units = units.expect("runs in memory are brought into a unit");
                let in_unit = InUnit { units, cutoffs, is_default_set };
                runs.into_par_iter().map(|run| scoring.score_in(run, in_unit)).collect()
            }
        };
        scored.into_iter().collect()
    }

    /// The runs under their names, and what is to be said of all that was read.
    fn runs_and_notes<'m>(
        &self,
        read: &'m ReadLabels,
        scored: Vec<Scored<'m>>,
        arguments: &[RunArgument],
        chosen: &'m Chosen,
    ) -> Result<(Vec<RunPart<'m>>, Notes), Failure> {
        let ReadLabels { labels, file, .. } = read;
        let mut notes = read.notes.clone();
        let tags = scored.iter().map(|scored| scored.tag.clone());
        let names = names::assign(&arguments.iter().cloned().zip(tags).collect::<Vec<_>>())?;
        let part = |(scored, name): (Scored<'m>, String)| {
            notes.extend(scored.notes.clone());
            self.part(scored, name, labels, &chosen.named)
        };
        let runs: Vec<RunPart> = scored.into_iter().zip(names).map(part).collect::<Result<_, _>>()?;
        join::check_values(&runs, labels)?;
        notes.extend(join::notes(&file.path, &runs, self.conventions.over, self.ids.collapse.is_some()));
        notes.extend(join::unlike(self.conventions.like, &chosen.measures, labels));
        for (why, label) in &chosen.left_out {
            notes.add(*why, "-m", || label.clone());
        }
        Ok((runs, notes))
    }

    /// Puts everything together that is shown.
    fn report<'m>(
        &self,
        read: &'m ReadLabels,
        scored: Vec<Scored<'m>>,
        arguments: &[RunArgument],
        chosen: &'m Chosen,
        units: Option<&Units>,
    ) -> Result<Report<'m>, Failure> {
        let ReadLabels { labels, file, .. } = read;
        let (runs, mut notes) = self.runs_and_notes(read, scored, arguments, chosen)?;
        let conventions = self.conventions.in_force(&self.ids, labels, &self.intervals);
        let conventions = self.units.in_force(conventions, units);
        let more_files = units.map_or_else(Vec::new, |units| {
            notes.extend(units.notes.clone());
            units.files.clone()
        });
        let letters = match self.letters && runs.len() > 1 {
            true => letters::letters(&chosen.measures, &runs, self.intervals.seed)?,
            false => Vec::new(),
        };
        let gates = minimum::gates(&self.minimum.limits(&chosen.labels())?, &runs);
        let tags = if self.slices.by.is_empty() { tag_names(labels) } else { Vec::new() };
        let hash = self.shows_hash().then(|| hash::of_labels(labels));
        let labels = labels_part(labels, file.clone(), self.conventions.rel, hash);
        let (per_query, distribution) = (self.per_query, self.dist);
        let shown = Shown { is_default_set: self.measures.is_default(), per_query, distribution };
        Ok(Report {
            conventions,
            labels,
            measures: &chosen.measures,
            shown,
            runs,
            letters,
            gates,
            tags,
            more_files,
            notes,
        })
    }

    /// Adds the reports that are asked for.
    fn add_reports(
        &self,
        output: &mut Output,
        report: &Report,
        labels: &Labels,
        runs: Vec<Option<Run>>,
        units: Option<&Units>,
    ) -> Result<(), Failure> {
        let rules = self.ids.collapsed(self.conventions.rules());
        let score: &Score = &|labels, run, measures| match units {
            Some(units) => units.evaluate(labels, run, measures, &rules),
            None => evaluate(labels, run, measures, &rules),
        };
        self.reports.add(output, || Material {
            found: Found::Eval(report),
            args: &self.reports,
            reading: &self.reading,
            labels: Some(labels),
            runs,
            rules,
            score,
            queries: None,
            is_by_id: self.units.unit == UnitChoice::Id,
            digits: self.output.digits.into(),
        })
    }

    fn part<'m>(
        &self,
        scored: Scored<'m>,
        name: String,
        labels: &Labels,
        named: &[String],
    ) -> Result<RunPart<'m>, Failure> {
        let Scored { table, file, documents, rankings, extras, .. } = scored;
        let columns = |table: &ScoreTable| columns(table, labels, &self.intervals, named, self.shows_distribution());
        let slices = self.slices.of_table(labels, &table)?.into_iter().map(|slice| {
            let columns = columns(&table.of_rows(&slice.members));
            SlicePart { slice, columns }
        });
        let (slices, columns) = (slices.collect(), columns(&table));
        let modified = inputs::modified(&file.path);
        Ok(RunPart { name, modified, file, table, columns, slices, documents, rankings, extras })
    }
}
