//! `raglens eval`: every measure of one or several runs.

use clap::Args;
use raglens::evaluate::{Average, Rules, evaluate};
use raglens::labels::Labels;
use raglens::measure::Measure;
use raglens::run::Run;
use rayon::prelude::*;

use super::columns::{CI, IntervalArgs, columns};
use super::console::Console;
use super::conventions::{AVERAGE, ConventionArgs, DUPLICATES, NO_RELEVANT, OVER, TIES};
use super::failure::{Failure, in_run};
use super::ids::IdArgs;
use super::inputs::{self, Inputs, NamedRun, ReadingArgs};
use super::measures::{self, MeasureArgs};
use super::output::{Output, OutputArgs};
use super::{CommandDef, hash, join};
use crate::render::eval::report::{Conventions, LabelsPart, Report, RunPart, SavedRanking, Shown};
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
  raglens eval labels.jsonl run.jsonl --collapse '#' --format json -o scores.json
";

/// How many documents of a ranking are saved, so that it can be scored again.
const SAVED_DEPTH: usize = 100;

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

    /// Show how the values spread over the queries
    #[arg(long, help_heading = "Measures")]
    dist: bool,

    #[command(flatten)]
    intervals: IntervalArgs,

    #[command(flatten)]
    conventions: ConventionArgs,

    #[command(flatten)]
    ids: IdArgs,

    #[command(flatten)]
    reading: ReadingArgs,

    #[command(flatten)]
    output: OutputArgs,
}

fn run(args: &EvalArgs, console: &Console) -> Result<Output, Failure> {
    let measures = args.measures.measures(args.conventions.rel)?;
    let mut inputs = inputs::read(&args.labels, &args.runs, &args.reading)?;
    for run in &mut inputs.runs {
        args.edit(run)?;
    }
    let measures = measures::bind(measures, &inputs.labels.facts())?;
    let report = args.report(inputs, &measures)?;
    let look = Look { signs: console.signs(), digits: args.output.digits.into() };
    let result = view::render(&report, args.output.format, &look);
    let saved = args.output.save.iter().map(|path| (path.clone(), view::saved(&report)));
    let messages = console.messages(&report.notes);
    Ok(Output { files: saved.collect(), result, messages }.redirected(args.output.output.as_deref()))
}

impl EvalArgs {
    /// The rules of the evaluation, once chunks are collapsed.
    fn rules(&self) -> Rules {
        let rules = self.conventions.rules();
        Rules { duplicates: self.ids.duplicates(rules.duplicates), ..rules }
    }

    fn edit(&self, named: &mut NamedRun) -> Result<(), Failure> {
        let ConventionArgs { ties, duplicates, .. } = self.conventions;
        let run = self.ids.apply(std::mem::take(&mut named.run), ties, duplicates);
        named.run = run.map_err(|fault| in_run(fault, &named.file.path, named.file.read_as))?;
        Ok(())
    }

    /// Scores every run, in parallel, and puts everything together that is shown.
    fn report<'m>(&self, inputs: Inputs, measures: &'m [Measure]) -> Result<Report<'m>, Failure> {
        let Inputs { labels, labels_file, runs, mut notes } = inputs;
        join::check(&labels, &labels_file, &runs, self.reading.allow_empty)?;
        let parts = runs.into_par_iter().map(|run| self.part(&labels, run, measures));
        let parts: Vec<Result<RunPart, Failure>> = parts.collect();
        let parts = parts.into_iter().collect::<Result<Vec<RunPart>, Failure>>()?;
        join::check_values(&parts, &labels)?;
        notes.extend(join::notes(&labels_file.path, &parts, self.conventions.over, self.ids.collapse.is_some()));
        let shown =
            Shown { is_default_set: self.measures.is_default(), per_query: self.per_query, distribution: self.dist };
        let conventions = self.conventions(&labels);
        let labels = LabelsPart {
            hash: hash::of_labels(&labels),
            queries: labels.queries().len() as u64,
            relevant: labels.relevant(self.conventions.rel),
            positive_only: labels.positive_only(),
            file: labels_file,
        };
        Ok(Report { conventions, labels, measures, shown, runs: parts, notes })
    }

    fn part<'m>(&self, labels: &Labels, named: NamedRun, measures: &'m [Measure]) -> Result<RunPart<'m>, Failure> {
        let NamedRun { name, run, file, modified } = named;
        let table = evaluate(labels, &run, measures, &self.rules());
        let table = table.map_err(|error| join::failure(error, &name, &file))?;
        let columns = columns(&table, labels, &self.intervals, self.measures.is_default());
        let rankings = if self.output.save.is_some() { self.rankings(&run, labels)? } else { Vec::new() };
        let queries = run.rankings().len() as u64;
        Ok(RunPart { name, file, modified, queries, table, columns, rankings })
    }

    /// The first documents of every ranking that has labels, in the order of the labels.
    fn rankings(&self, run: &Run, labels: &Labels) -> Result<Vec<SavedRanking>, Failure> {
        let rules = self.rules();
        let rankings = labels.queries().iter().filter_map(|query| run.ranking(query.id()));
        let saved = rankings.map(|ranking| {
            let order = ranking.order(rules.ties, rules.duplicates).expect("it was ordered to be scored");
            let own = ranking.query().as_bytes();
            let kept = order.indices().iter().map(|&index| ranking.document(index as usize));
            let kept: Vec<&[u8]> = kept.filter(|document| !rules.drop_self || *document != own).collect();
            let ids = kept.iter().take(SAVED_DEPTH).map(|&document| document.into()).collect();
            SavedRanking { query: ranking.query().clone(), ids, retrieved: kept.len() as u64 }
        });
        Ok(saved.collect())
    }

    fn conventions(&self, labels: &Labels) -> Conventions {
        let (conventions, ids) = (&self.conventions, &self.ids);
        let texts = |edits: &[super::edit::Edit]| edits.iter().map(|edit| edit.text().to_owned()).collect();
        Conventions {
            rel: conventions.rel,
            max_grade: labels.facts().max_grade,
            ties: TIES.word(&conventions.ties),
            over: OVER.word(&conventions.over),
            no_relevant: NO_RELEVANT.word(&conventions.no_relevant),
            average: AVERAGE.word(&conventions.average),
            is_macro: conventions.average == Average::Macro,
            duplicates: DUPLICATES.word(&conventions.duplicates),
            drop_self: conventions.drop_self,
            level: if ids.collapse.is_some() { "document" } else { "id" },
            collapse: ids.collapse.clone(),
            query_id_edits: texts(&ids.edit_query_ids),
            document_id_edits: texts(&ids.edit_doc_ids),
            ci: CI.word(&self.intervals.ci),
            bootstrap: self.intervals.bootstrap,
            seed: self.intervals.seed,
        }
    }
}
