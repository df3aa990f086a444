//! `raglens compare`: paired tests between runs, and the queries that make the difference.

mod args;
mod failure;
mod gates;
pub(super) mod inputs;
mod labels;
pub(super) mod metrics;
mod scores;

use clap::Args;
use raglens::compare::{Adjust, Also, Joined, Plan, compare, join, letters, tag_names};
use raglens::evaluate::evaluate;
use raglens::labels::Labels;
use raglens::notes::{NoteKind, Notes};
use raglens::run::Run;
use raglens::stats::correction::Correction;
use raglens::stats::equivalence::Outcome;

use super::config::Config;
use super::console::Console;
use super::failure::Failure;
use super::files;
use super::inputs::ReadLabels;
use super::output::Output;
use super::report::{Found, Material, Score};
use super::runs::labels_part;
use super::{CommandDef, hash};
use crate::render::compare::report::{LabelsFact, Report, Shown};
use crate::render::errors::Message;
use crate::render::{Look, compare as view};
use args::{CompareArgs, OnUndecided, Other};
use inputs::Argument;
use labels::Named;
use scores::Gathered;

/// The row of the table of commands.
pub static COMMAND: CommandDef = CommandDef {
    name: "compare",
    group: "Measure",
    arguments: CompareArgs::augment_args,
    run: |matches, console| run(&super::parsed::<CompareArgs>(matches), console),
};

fn run(args: &CompareArgs, console: &Console) -> Result<Output, Failure> {
    args.check()?;
    let folder = std::env::current_dir().unwrap_or_default();
    let config = Config::find(&folder)?;
    let arguments = args.runs.iter().map(|text| Argument::parse(text)).collect();
    let opened = inputs::open(arguments, &args.reading, labels::in_place_of_run)?;
    let (read, named) = args.labels(&opened, config.as_ref())?.unzip();
    let inputs = inputs::read(opened, &args.reading)?;
    let chosen = metrics::choose(args, &inputs, config.as_ref())?;
    let mut gathered = scores::gather(args, inputs, chosen, read.as_ref())?;
    let kept = std::mem::take(&mut gathered.kept);
    let report = args.report(gathered, read.as_ref(), named)?;
    args.check_files(&report)?;
    let look = Look { signs: console.signs(), digits: args.shown.digits.into() };
    let result = view::render(&report, args.shown.format, &look);
    let messages = console.messages(&report.files(), &report.notes);
    let exit = gates::exit(&args.gates, report.comparison.outcome());
    let mut output = Output { result, messages, exit, ..Output::default() };
    args.add_reports(&mut output, &report, read.as_ref(), kept)?;
    Ok(output.redirected(args.shown.output.as_deref()))
}

impl CompareArgs {
    /// Checks what options mean together.
    fn check(&self) -> Result<(), Failure> {
        match self.conventions.average {
            raglens::evaluate::Average::Macro => Ok(()),
            raglens::evaluate::Average::Micro => {
                Err(Message::new("a paired test weighs every query the same: `--average micro` cannot be tested")
                    .into())
            }
        }
    }

    /// Checks that no output is one of the files that were read, or another output.
    fn check_files(&self, report: &Report) -> Result<(), Failure> {
        let read = report.files().into_iter().map(|file| file.path.as_str()).chain(self.reports.inputs());
        let output = std::iter::once(("-o", self.shown.output.as_deref()));
        let outputs: Vec<_> = output.chain(self.reports.outputs()).collect();
        files::check(&outputs, &read.collect::<Vec<&str>>())
    }

    /// Adds the reports that are asked for.
    fn add_reports(
        &self,
        output: &mut Output,
        report: &Report,
        read: Option<&ReadLabels>,
        runs: Vec<Option<Run>>,
    ) -> Result<(), Failure> {
        let rules = self.ids.collapsed(self.conventions.rules());
        let score: &Score = &|labels, run, measures| evaluate(labels, run, measures, &rules);
        self.reports.add(output, || Material {
            found: Found::Compare(report),
            args: &self.reports,
            reading: &self.reading,
            labels: read.map(|read| &read.labels),
            runs,
            rules,
            score,
            queries: Some(&report.joined.queries),
            is_by_id: true,
            digits: self.shown.digits.into(),
        })
    }

    /// Reads the labels, where runs are to be scored or tags are asked for, or where they were
    /// given anyway.
    fn labels(
        &self,
        opened: &[inputs::Opened],
        config: Option<&Config>,
    ) -> Result<Option<(ReadLabels, Named)>, Failure> {
        let run = opened.iter().find(|opened| !opened.is_saved);
        let is_needed = run.is_some() || !self.slices.by.is_empty();
        if !is_needed && self.labels.is_none() {
            return Ok(None);
        }
        let Some(named) = labels::named(self.labels.as_ref(), config) else {
            return Err(run.map_or_else(labels::missing_tags, |run| labels::missing(run.path())));
        };
        let read = super::inputs::labels(&named.path, &[], &self.reading)?;
        Ok(Some((read, named)))
    }

    /// Compares, and puts everything together that is shown.
    fn report(&self, gathered: Gathered, read: Option<&ReadLabels>, named: Option<Named>) -> Result<Report, Failure> {
        let Gathered { runs, files, labels, mut notes, conventions, left_out, .. } = gathered;
        let joined = join(&runs, self.conventions.over).map_err(failure::failure)?;
        notes.add_all(NoteKind::NotInAll, "compare", &joined.dropped);
        let of_labels = read.map(|read| &read.labels);
        let slices = match of_labels {
            Some(labels) => self.slices.of(labels, &joined.queries)?,
            None => Vec::new(),
        };
        let plan = Plan { slices, ..self.plan(&labels)? };
        let comparison = compare(&joined, &plan).map_err(failure::failure)?;
        self.warn(comparison.outcome(), &mut notes);
        let texts = of_labels.map(|labels| texts(labels, &joined.queries)).unwrap_or_default();
        let tags = of_labels.filter(|_| self.slices.by.is_empty()).map(tag_names).unwrap_or_default();
        let labels = read.zip(named).map(|(read, named)| self.labels_fact(read, &named));
        let letters = self.letters(&joined, &plan)?;
        let shown = Shown { list: self.shown.list, details: self.shown.details };
        Ok(Report {
            joined,
            plan,
            comparison,
            files,
            labels,
            left_out,
            conventions,
            texts,
            tags,
            letters,
            shown,
            notes,
        })
    }

    /// Which runs are better than which, for the table that shows it.
    fn letters(&self, joined: &Joined, plan: &Plan) -> Result<Vec<Vec<Vec<usize>>>, Failure> {
        match self.shown.format == view::Format::Latex && joined.runs.len() > 2 {
            true => letters(joined, plan).map_err(|error| Message::new(error.to_string()).into()),
            false => Ok(Vec::new()),
        }
    }

    fn warn(&self, outcome: Outcome, notes: &mut Notes) {
        if outcome == Outcome::Undecided && self.gates.on_undecided == Some(OnUndecided::Warn) {
            notes.add_count(NoteKind::GateUndecided, "gates", 1);
        }
    }

    fn labels_fact(&self, read: &ReadLabels, named: &Named) -> LabelsFact {
        let hash = Some(hash::of_labels(&read.labels));
        let part = labels_part(&read.labels, read.file.clone(), self.conventions.rel, hash);
        LabelsFact { part, named_by: named.by.to_string() }
    }

    /// The plan, but for the slices.
    fn plan(&self, labels: &[String]) -> Result<Plan, Failure> {
        let tests = &self.tests;
        let adjust_slices = match tests.adjust {
            Some(Adjust::By(correction)) => correction,
            _ => Correction::BenjaminiHochberg,
        };
        let metrics = metrics::metrics(labels, self)?;
        let gates = gates::rules(&self.gates, labels, &metrics)?;
        Ok(Plan {
            metrics,
            pairs: tests.pairs,
            slices: Vec::new(),
            adjust: tests.adjust.unwrap_or(Adjust::By(Correction::Holm)),
            adjust_slices,
            alternative: tests.alternative,
            alpha: tests.alpha,
            resamples: tests.resamples,
            bootstrap: tests.bootstrap,
            interval: tests.ci,
            binary_p: tests.p,
            also: Also { wilcoxon: tests.also.contains(&Other::Wilcoxon), sign: tests.also.contains(&Other::Sign) },
            margin: self.gates.margin,
            gates,
            gate_level: self.gates.gate_level,
            seed: tests.seed,
        })
    }
}

/// The text of each query, where the labels have it.
fn texts(labels: &Labels, queries: &[raglens::id::Id]) -> Vec<Option<String>> {
    queries.iter().map(|query| labels.query(query).and_then(|found| found.about.text.clone())).collect()
}
