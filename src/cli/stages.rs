//! `raglens stages`: one pipeline's stages on the same queries, and where relevant documents are
//! lost.

use clap::Args;
use raglens::compare::Metric;
use raglens::id::Id;
use raglens::labels::Labels;
use raglens::measure::{Measure, expand, parse_specs};
use raglens::notes::NoteKind;
use raglens::rag::lift::lift;
use raglens::rag::spending::spending;
use raglens::rag::stages::{Pipeline, Question, StagesError, trace};
use raglens::run::Run;
use raglens::scores::slices::{Slice, tag_names};

use super::CommandDef;
use super::console::Console;
use super::exit::Exit;
use super::failure::{Failure, in_run};
use super::measures::{bind, cutoff};
use super::names::RunArgument;
use super::output::Output;
use super::page::PageArgs;
use super::runs::{Gathered, NamedRun, RunsArgs};
use super::slices::SliceArgs;
use crate::render::errors::Message;
use crate::render::listing::first;
use crate::render::stages::report::{LiftPart, LostPart, Report, SlicePart, StagePart};
use crate::render::{counted, stages as view};

/// The row of the table of commands.
pub static COMMAND: CommandDef = CommandDef {
    name: "stages",
    group: "RAG",
    arguments: StagesArgs::augment_args,
    run: |matches, console| run(&super::parsed::<StagesArgs>(matches), console),
};

const EXAMPLES: &str = "\
Examples:
  raglens stages labels.jsonl fused=c.trec rerank=d.trec -k 5
  raglens stages labels.jsonl bm25=a.trec dense=b.trec fused=c.trec rerank=d.trec
  raglens stages labels.jsonl bm25=a.jsonl filter=b.jsonl rerank=c.jsonl --by lang
";

/// Cutoffs when none are given.
const CUTOFFS: [u64; 1] = [5];
/// Measures when none are given, each at every cutoff.
const MEASURES: &str = "recall,ndcg,mrr";

/// Follow relevant documents through the stages of a pipeline
#[derive(Debug, Clone, Args)]
#[command(before_long_help = EXAMPLES)]
struct StagesArgs {
    /// Labels (qrels)
    labels: String,

    /// The results of each stage, first to last, as name=path
    #[arg(value_name = "NAME=RUN", required = true)]
    stages: Vec<String>,

    /// Measures at every stage [default: recall,ndcg,mrr]
    #[arg(short, long = "metric", value_name = "M", aliases = ["measure", "metrics", "measures"], help_heading = "Measures")]
    metric: Vec<String>,

    /// Cutoffs; the first is what the model reads [default: 5]
    #[arg(short = 'k', long, value_name = "K", value_delimiter = ',', value_parser = cutoff, help_heading = "Measures")]
    cutoffs: Vec<u64>,

    /// Stages that search on their own, such as bm25,dense
    ///
    /// All others take their results from those before them. Without it the first stage searches, the last one does
    /// not, and one between does unless all of its results are in those before it.
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Stages")]
    search: Vec<String>,

    /// Results of a stage that the next one is given [default: all]
    #[arg(long, value_name = "N", value_parser = cutoff, help_heading = "Stages")]
    pool: Option<u64>,

    /// List every missed document
    #[arg(long, help_heading = "Stages")]
    list: bool,

    /// Seed of the random numbers of intervals
    #[arg(long, value_name = "N", default_value_t = 0, hide_short_help = true, help_heading = "Stages")]
    seed: u64,

    #[command(flatten, next_help_heading = "Stages")]
    slices: SliceArgs,

    #[command(flatten)]
    runs: RunsArgs,

    #[command(flatten)]
    page: PageArgs,
}

/// What is measured at every stage.
struct Chosen {
    /// The measures; the last one is recall at k if it was not asked for.
    measures: Vec<Measure>,
    /// How many of them are shown.
    shown: usize,
    /// The place of recall at k.
    recall: usize,
    k: u64,
}

fn run(args: &StagesArgs, console: &Console) -> Result<Output, Failure> {
    let arguments: Vec<RunArgument> = args.stages.iter().map(|text| RunArgument::parse(text)).collect();
    check_number(&arguments)?;
    let paths: Vec<&str> =
        std::iter::once(&args.labels).chain(arguments.iter().map(|run| &run.path)).map(String::as_str).collect();
    args.page.check(&paths)?;
    let chosen = args.choose()?;
    let read = args.runs.labels(&args.labels, &arguments)?;
    let chosen = Chosen { measures: bind(chosen.measures, &read.labels.facts())?, ..chosen };
    let gathered = args.runs.gather(&read, &arguments, &chosen.measures, chosen.recall, args.seed)?;
    let report = args.report(&read.labels, gathered, &chosen)?;
    let result = view::render(&report, args.page.format, &args.page.look(console));
    let messages = console.messages(&report.frame.files(), &report.frame.notes);
    Ok(args.page.deliver(result, messages, Exit::Success))
}

fn check_number(stages: &[RunArgument]) -> Result<(), Failure> {
    match stages {
        [one] => {
            let title = format!("expected at least 2 stages, got {}", one.path);
            Err(Failure::new(title, "name them in their order:\nraglens stages LABELS pool=a.trec rerank=b.trec"))
        }
        _ => Ok(()),
    }
}

impl StagesArgs {
    /// The measures with recall at k among them.
    fn choose(&self) -> Result<Chosen, Failure> {
        let cutoffs = if self.cutoffs.is_empty() { &CUTOFFS[..] } else { &self.cutoffs };
        let (k, rel) = (cutoffs[0], self.runs.conventions.rel);
        let asked = if self.metric.is_empty() { MEASURES.to_owned() } else { self.metric.join(",") };
        let mut measures = expand(&parse_specs(&asked)?, cutoffs, rel)?;
        let recall = expand(&parse_specs(&format!("recall@{k}"))?, &[], rel)?.remove(0);
        let shown = measures.len();
        let place = measures.iter().position(|measure| measure.label() == recall.label());
        if place.is_none() {
            measures.push(recall);
        }
        Ok(Chosen { measures, shown, recall: place.unwrap_or(shown), k })
    }

    /// Puts everything together that is shown.
    fn report<'m>(&self, labels: &Labels, gathered: Gathered<'_>, chosen: &'m Chosen) -> Result<Report<'m>, Failure> {
        let counting = counting(&gathered, chosen.recall);
        let queries: Vec<usize> = counting.iter().map(|&row| gathered.queries()[row]).collect();
        let pipeline = self.trace(labels, &gathered, &queries, chosen.k)?;
        let all: Vec<usize> = (0..queries.len()).collect();
        let stages = gathered.runs.iter().enumerate().map(|(index, run)| StagePart {
            name: run.name.clone(),
            means: means(run, chosen, pipeline.stages[index].depth),
            spending: spending(&run.run, labels),
            gap: pipeline.gap(index, &all),
            stage: pipeline.stages[index].clone(),
        });
        let stages: Vec<StagePart> = stages.collect();
        let lifts = self.lifts(&gathered, &stages, chosen)?;
        let ids: Vec<Id> = queries.iter().map(|&query| labels.queries()[query].id().clone()).collect();
        let slices = self.slices(labels, &ids, &pipeline)?;
        let missed = pipeline.missed.iter().map(|missed| LostPart {
            query: labels.queries()[missed.query].id().clone(),
            document: missed.document.clone(),
            fate: missed.fate,
        });
        let missed = missed.collect();
        let mut frame = gathered.frame;
        for stage in stages.iter().filter(|stage| stage.stage.outside > 0) {
            frame.notes.add_count(NoteKind::OutsidePool, &stage.name, stage.stage.outside);
        }
        Ok(Report {
            frame,
            k: chosen.k,
            pool: self.pool,
            measures: &chosen.measures[..chosen.shown],
            queries: queries.len() as u64,
            relevant: pipeline.relevant,
            stages,
            lifts,
            missed,
            slices,
            tags: if self.slices.by.is_empty() { tag_names(labels) } else { Vec::new() },
            list: self.list,
        })
    }

    fn trace(&self, labels: &Labels, gathered: &Gathered<'_>, queries: &[usize], k: u64) -> Result<Pipeline, Failure> {
        let search = self.searching(&gathered.runs)?;
        let rules = self.runs.ids.collapsed(self.runs.conventions.rules());
        let question = Question { labels, queries, rules: &rules, k, pool: self.pool, search: search.as_deref() };
        let runs: Vec<&Run> = gathered.runs.iter().map(|run| &run.run).collect();
        trace(&runs, &question).map_err(|error| failure(error, gathered))
    }

    /// The stages that search on their own, by place; `None` where nobody says.
    fn searching(&self, runs: &[NamedRun<'_>]) -> Result<Option<Vec<usize>>, Failure> {
        if self.search.is_empty() {
            return Ok(None);
        }
        let place = |name: &String| {
            runs.iter().position(|run| run.name == *name).ok_or_else(|| {
                let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
                Failure::new(
                    format!("`--search {name}`: there is no such stage"),
                    format!("there are {}", names.join(", ")),
                )
            })
        };
        self.search.iter().map(place).collect::<Result<Vec<usize>, Failure>>().map(Some)
    }

    /// The gain of each stage over the one before it, and over the best of several that it takes
    /// its results from.
    fn lifts(&self, gathered: &Gathered<'_>, stages: &[StagePart], chosen: &Chosen) -> Result<Vec<LiftPart>, Failure> {
        let metric = Metric::named(chosen.measures[chosen.recall].label());
        let column = |stage: usize| -> Vec<Option<f64>> { gathered.runs[stage].table.values(chosen.recall).collect() };
        let queries: Vec<Id> = gathered.runs[0].table.queries().cloned().collect();
        let mut lifts = Vec::new();
        for stage in 1..stages.len() {
            let best = stages[stage].gap.map(|gap| gap.best).filter(|_| stages[stage].stage.sources.len() > 1);
            let mut over = vec![(stage - 1, best == Some(stage - 1))];
            over.extend(best.filter(|&best| best != stage - 1).map(|best| (best, true)));
            for (other, is_best) in over {
                let is_deep = [stage, other].iter().all(|&at| stages[at].stage.depth >= chosen.k);
                let found = match is_deep {
                    true => lift(&metric, &queries, &column(other), &column(stage), self.seed)
                        .map_err(|error| Message::new(error.to_string()))?,
                    false => None,
                };
                lifts.push(LiftPart { stage, over: other, is_best, found });
            }
        }
        Ok(lifts)
    }

    fn slices(&self, labels: &Labels, queries: &[Id], pipeline: &Pipeline) -> Result<Vec<SlicePart>, Failure> {
        let last = pipeline.stages.len() - 1;
        let slices = self.slices.of(labels, queries)?;
        let part = |slice: Slice| SlicePart {
            recalls: pipeline.stages.iter().map(|stage| stage.recall(&slice.members)).collect(),
            gap: pipeline.gap(last, &slice.members),
            slice,
        };
        Ok(slices.into_iter().map(part).collect())
    }
}

/// The rows in which recall counts.
fn counting(gathered: &Gathered<'_>, recall: usize) -> Vec<usize> {
    let rows = &gathered.runs[0].table.rows;
    (0..rows.len()).filter(|&row| rows.cell(row, recall).value().is_some()).collect()
}

/// A mean per measure that is shown; none at a cutoff that the stage is not as deep as.
fn means(run: &NamedRun<'_>, chosen: &Chosen, depth: u64) -> Vec<Option<f64>> {
    let mean = |index: usize| {
        let is_too_deep = chosen.measures[index].params().cutoff().is_some_and(|cutoff| cutoff > depth);
        run.table.summary(index).mean.filter(|_| !is_too_deep)
    };
    (0..chosen.shown).map(mean).collect()
}

/// The failure of stages that do not make a pipeline.
fn failure(error: StagesError, gathered: &Gathered<'_>) -> Failure {
    let name = |stage: usize| gathered.runs[stage].name.as_str();
    match error {
        StagesError::Ranking { stage, fault } => {
            let file = &gathered.frame.runs[stage].file;
            in_run(fault, &file.path, Some(file.read_as))
        }
        StagesError::OutsidePool { stage, sources, found } => {
            let sources: Vec<&str> = sources.into_iter().map(name).collect();
            let count = counted(found.len() as u64, "relevant document", "relevant documents");
            let title = format!(
                "`{}` returns {count} not in {}, where it takes its results from",
                name(stage),
                sources.join(" or ")
            );
            let found = found.iter().map(|(query, id)| format!("{query} {id}"));
            let message = Message::new(title).with_detail(first(found, 3));
            message
                .with_help(
                    "a stage is measured by what it was given: name the run that it really saw (uncut), or the \
                     stages that search on their own, such as --search bm25,dense",
                )
                .into()
        }
        other => {
            let message = Message::new(other.to_string());
            message.with_help("to compare searches side by side: raglens eval LABELS RUN RUN").into()
        }
    }
}
