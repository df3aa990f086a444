//! `raglens pareto`: quality against latency and cost, and the runs that are worth their price.

use clap::Args;
use raglens::compare::Metric;
use raglens::id::Id;
use raglens::labels::Labels;
use raglens::measure::{Better, Measure, expand, parse_specs};
use raglens::notes::NoteKind;
use raglens::rag::lift::lift;
use raglens::rag::pareto::{Point, frontier, next_cheaper};
use raglens::rag::spending::spending;

use super::CommandDef;
use super::console::Console;
use super::exit::Exit;
use super::failure::Failure;
use super::measures::bind;
use super::names::RunArgument;
use super::output::Output;
use super::page::PageArgs;
use super::runs::{Gathered, RunsArgs};
use crate::render::errors::Message;
use crate::render::pareto as view;
use crate::render::pareto::report::{GainPart, Placed, Report};

/// The row of the table of commands.
pub static COMMAND: CommandDef = CommandDef {
    name: "pareto",
    group: "RAG",
    arguments: ParetoArgs::augment_args,
    run: |matches, console| run(&super::parsed::<ParetoArgs>(matches), console),
};

const EXAMPLES: &str = "\
Examples:
  raglens pareto labels.jsonl bm25.jsonl hybrid.jsonl rerank.jsonl
  raglens pareto labels.jsonl k5=a.jsonl k10=b.jsonl --quality ndcg@10
Runs carry latency_ms or cost_usd, a number a query:
  {\"query_id\": \"q1\", \"results\": [\"d7\"], \"latency_ms\": 143, \"cost_usd\": 0.0004}
";

/// Weigh quality against latency and cost
#[derive(Debug, Clone, Args)]
#[command(before_long_help = EXAMPLES)]
struct ParetoArgs {
    /// Labels (qrels)
    labels: String,

    /// Runs with latency_ms or cost_usd; name=path gives one a name
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<String>,

    /// The measure that counts
    #[arg(short = 'm', long, value_name = "M", default_value = "recall@5", help_heading = "Measures")]
    quality: String,

    /// Seed of the random numbers of intervals
    #[arg(long, value_name = "N", default_value_t = 0, hide_short_help = true, help_heading = "Measures")]
    seed: u64,

    #[command(flatten)]
    shared: RunsArgs,

    #[command(flatten)]
    page: PageArgs,
}

fn run(args: &ParetoArgs, console: &Console) -> Result<Output, Failure> {
    let arguments: Vec<RunArgument> = args.runs.iter().map(|text| RunArgument::parse(text)).collect();
    let paths = std::iter::once(&args.labels).chain(arguments.iter().map(|run| &run.path));
    args.page.check(&paths.map(String::as_str).collect::<Vec<&str>>())?;
    let measures = args.measure()?;
    let read = args.shared.labels(&args.labels, &arguments)?;
    let measures = bind(measures, &read.labels.facts())?;
    let gathered = args.shared.gather(&read, &arguments, &measures, 0, args.seed)?;
    let report = args.report(&read.labels, gathered, &measures[0])?;
    let result = view::render(&report, args.page.format, &args.page.look(console));
    let messages = console.messages(&report.frame.files(), &report.frame.notes);
    Ok(args.page.deliver(result, messages, Exit::Success))
}

impl ParetoArgs {
    /// The one measure.
    fn measure(&self) -> Result<Vec<Measure>, Failure> {
        let measures = expand(&parse_specs(&self.quality)?, &[], self.shared.conventions.rel)?;
        match &measures[..] {
            [one] if one.definition().better == Better::Higher => Ok(measures),
            [one] => {
                let title = format!("`{}` is no quality: more of it is not better", one.label());
                Err(Failure::new(title, "such as --quality recall@5"))
            }
            several => {
                let title = format!("`--quality` takes one measure, got {}", several.len());
                Err(Failure::new(title, "such as --quality recall@5"))
            }
        }
    }

    fn report<'m>(&self, labels: &Labels, gathered: Gathered<'_>, measure: &'m Measure) -> Result<Report<'m>, Failure> {
        let mut frame_notes = raglens::notes::Notes::default();
        let mut placed = Vec::with_capacity(gathered.runs.len());
        for run in &gathered.runs {
            let spending = spending(&run.run, labels);
            let lacking = |n: Option<usize>| n.map_or(0, |n| spending.queries.saturating_sub(n as u64));
            let without =
                lacking(spending.latency.map(|latency| latency.n)).max(lacking(spending.cost.map(|cost| cost.n)));
            frame_notes.add_count(NoteKind::NoPrice, &run.name, without);
            let quality = run.table.summary(0).mean;
            placed.push(Placed { name: run.name.clone(), quality, spending });
        }
        let points: Vec<Point> = placed.iter().map(Placed::point).collect();
        if points.iter().all(|point| point.p95_ms.is_none() && point.cost_usd.is_none()) {
            return Err(without_price(&gathered));
        }
        let standings = frontier(&points);
        let next = next_cheaper(&points, &standings);
        let gains = self.gains(&gathered, &next, measure)?;
        let queries = gathered.runs[0].table.rows.len() as u64;
        let mut frame = gathered.frame;
        frame.notes.extend(frame_notes);
        Ok(Report { frame, measure, queries, placed, standings, gains })
    }

    /// What each run of the frontier gains over the next cheaper one.
    fn gains(
        &self,
        gathered: &Gathered<'_>,
        next: &[Option<usize>],
        measure: &Measure,
    ) -> Result<Vec<Option<GainPart>>, Failure> {
        let metric = Metric::named(measure.label());
        let column = |run: usize| -> Vec<Option<f64>> { gathered.runs[run].table.values(0).collect() };
        let queries: Vec<Id> = gathered.runs[0].table.queries().cloned().collect();
        let gain = |(run, next): (usize, &Option<usize>)| {
            let Some(over) = *next else { return Ok(None) };
            let found = lift(&metric, &queries, &column(over), &column(run), self.seed);
            let found = found.map_err(|error| Message::new(error.to_string()))?;
            Ok(found.map(|lift| GainPart { over, lift }))
        };
        next.iter().enumerate().map(gain).collect()
    }
}

fn without_price(gathered: &Gathered<'_>) -> Failure {
    let names: Vec<&str> = gathered.runs.iter().map(|run| run.name.as_str()).collect();
    let carry = if names.len() == 1 { "carries" } else { "carry" };
    let title = format!("no run says what it takes: {} {carry} neither latency_ms nor cost_usd", names.join(", "));
    let help = "runs in JSONL or CSV can: {\"query_id\": \"q1\", \"results\": [...], \"latency_ms\": 143}";
    Failure::new(title, help)
}
