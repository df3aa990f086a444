//! `raglens power`: what a number of queries can find, and how many it takes.

use std::path::PathBuf;

use clap::Args;
use raglens::notes::Notes;
use raglens::stats::power::{
    BinaryPlan, MOST_QUERIES, detectable_mean, half_width, power_mean, queries_needed_for_margin_mean,
    queries_needed_mean,
};

use super::CommandDef;
use super::console::Console;
use super::failure::Failure;
use super::files;
use super::output::Output;
use super::words::Words;
use crate::render::power::report::{Needed, Point, Question, Report, Scenario, Spread};
use crate::render::power::{Format, render};
use crate::render::share;

mod pilot;

use pilot::{Measurement, ReadPilot};

/// The row of the table of commands.
pub static COMMAND: CommandDef = CommandDef {
    name: "power",
    group: "Labels",
    arguments: PowerArgs::augment_args,
    run: |matches, console| run(&super::parsed::<PowerArgs>(matches), console),
};

const EXAMPLES: &str = "\
Examples:
  raglens power                                              the planning table
  raglens power -n 150 --disagreement 0.2 --delta 0.1        for hit@k, correct
  raglens power -n 150 --sd 0.3 --delta 0.05                 for ndcg, recall
  raglens power old.json new.json -m ndcg@10 --delta 0.05    from two measured runs
  raglens power --disagreement 0.1 --margin 0.02             for a gate
";

/// Numbers of queries when none are given.
const QUERIES: [u64; 5] = [20, 42, 100, 300, 1000];
/// Shares of queries that differ when none are given.
const DISAGREEMENTS: [f64; 3] = [0.1, 0.2, 0.3];
/// The one-sided level of gates.
const GATE_LEVEL: f64 = 0.95;
/// Scores that are shares have this range.
const UNIT: Option<f64> = Some(1.0);

/// Which p decides for measures that are 0 or 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BinaryP {
    /// The exact one.
    Exact,
    /// The mid-p.
    Mid,
}

/// The words of `--p`.
static P: Words<BinaryP> = Words(&[
    ("exact", BinaryP::Exact, "the exact p, which holds its level whatever the data"),
    ("mid", BinaryP::Mid, "the mid-p, less cautious"),
]);

/// Say what a number of queries can find, and how many it takes
#[derive(Debug, Clone, Args)]
#[command(before_long_help = EXAMPLES)]
struct PowerArgs {
    /// Saved scores of two runs: two files, or one with both
    ///
    /// `eval --save` writes them. Their differences say how much queries differ. file.json:name
    /// picks one run of a file.
    #[arg(value_name = "SCORES", num_args = 0..=2, conflicts_with_all = ["disagreement", "sd"])]
    scores: Vec<String>,

    /// Measures of the saved scores, such as ndcg@10
    ///
    /// Without it those that both runs have, if they are at most 5.
    #[arg(short, long, value_name = "M", value_delimiter = ',', requires = "scores", help_heading = "Spread")]
    metric: Vec<String>,

    /// Share of queries on which runs differ, for 0 or 1
    ///
    /// For measures that are 0 or 1, such as hit@5 or correct: 0.2 or 20%. Several give a column
    /// each; without it 0.1,0.2,0.3.
    #[arg(long, value_name = "SHARE", value_delimiter = ',', allow_negative_numbers = true, conflicts_with = "sd",
          help_heading = "Spread", value_parser = disagreement)]
    disagreement: Vec<f64>,

    /// Standard deviation of differences, for others
    ///
    /// For measures with values in between, such as ndcg@10: of the differences between two runs,
    /// query by query. Several give a column each.
    #[arg(long, value_name = "SD", value_delimiter = ',', allow_negative_numbers = true, help_heading = "Spread",
          value_parser = above_zero)]
    sd: Vec<f64>,

    /// Numbers of queries
    ///
    /// Without it 20,42,100,300,1000, and with saved scores their number, twice and four times it.
    #[arg(short = 'n', long, value_name = "N", value_delimiter = ',', help_heading = "Question",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    queries: Vec<u64>,

    /// True difference: chance to find it, queries needed
    #[arg(long, value_name = "D", allow_negative_numbers = true, help_heading = "Question", value_parser = above_zero)]
    delta: Option<f64>,

    /// Loss a gate allows: queries needed to pass it
    ///
    /// Queries that let `compare --noninferior` pass with that margin, at a one-sided level of
    /// 0.95, when both runs are equally good in truth.
    #[arg(long, value_name = "D", allow_negative_numbers = true, help_heading = "Question", value_parser = above_zero)]
    margin: Option<f64>,

    /// Significance level of the two-sided test
    #[arg(long, value_name = "ALPHA", default_value = "0.05", allow_negative_numbers = true, help_heading = "Question",
          value_parser = probability)]
    alpha: f64,

    /// Chance to find a difference that is there
    #[arg(long, value_name = "POWER", default_value = "0.8", allow_negative_numbers = true, help_heading = "Question",
          value_parser = probability)]
    power: f64,

    /// The p that decides for measures that are 0 or 1: exact or mid
    #[arg(long, value_name = "WHICH", default_value = "exact", help_heading = "Question", hide_short_help = true,
          hide_possible_values = true, conflicts_with = "sd", value_parser = P.parser())]
    p: BinaryP,

    /// text, json, csv, tsv or md
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        default_value = "text",
        help_heading = "Output",
        hide_possible_values = true
    )]
    format: Format,

    /// Write the results to a file
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Decimals of a difference; differences are rounded up [default: 2 for 0 or 1, else 3]
    #[arg(long, value_name = "N", help_heading = "Output", hide_short_help = true,
          value_parser = clap::value_parser!(u8).range(0..=15))]
    digits: Option<u8>,
}

fn run(args: &PowerArgs, console: &Console) -> Result<Output, Failure> {
    let report = args.report()?;
    let read: Vec<&str> = report.files().iter().map(|file| file.path.as_str()).collect();
    files::check(&[("-o", args.output.as_deref())], &read)?;
    let result = render(&report, args.format, args.digits.map(usize::from));
    let messages = console.messages(&report.files(), &Notes::default());
    Ok(Output { result, messages, ..Output::default() }.redirected(args.output.as_deref()))
}

impl PowerArgs {
    fn report(&self) -> Result<Report, Failure> {
        if self.power <= self.alpha {
            let title = format!("a power of {} is no more than alpha ({})", self.power, self.alpha);
            return Err(Failure::new(title, "the usual power is 0.8: --power 0.8"));
        }
        let question = Question {
            alpha: self.alpha,
            power: self.power,
            mid_p: self.p == BinaryP::Mid,
            delta: self.delta,
            margin: self.margin,
            gate_level: GATE_LEVEL,
        };
        if !self.scores.is_empty() {
            return self.by_pilot(question);
        }
        let queries = if self.queries.is_empty() { &QUERIES[..] } else { &self.queries };
        let scenarios =
            if self.sd.is_empty() { self.binary(&question, queries)? } else { self.mean(&question, queries) };
        Ok(Report { question, pilot: None, scenarios })
    }

    /// A scenario for each share of queries that differ.
    fn binary(&self, question: &Question, queries: &[u64]) -> Result<Vec<Scenario>, Failure> {
        let shares = match (&self.disagreement[..], self.delta) {
            // Of the shares that nobody asked for only those that the difference fits into.
            ([], Some(delta)) if delta <= 0.3 => {
                DISAGREEMENTS.iter().copied().filter(|&share| share >= delta).collect()
            }
            ([], Some(delta)) => return Err(impossible(delta, 0.3)),
            ([], None) => DISAGREEMENTS.to_vec(),
            (given, _) => given.to_vec(),
        };
        shares.into_iter().map(|share| binary(question, queries, share)).collect()
    }

    /// A scenario for each standard deviation.
    fn mean(&self, question: &Question, queries: &[u64]) -> Vec<Scenario> {
        // Differences of shares spread by 1 at most: what spreads more is no share.
        self.sd.iter().map(|&sd| mean(question, queries, sd, UNIT.filter(|&width| sd <= width))).collect()
    }

    /// A scenario for each measure of a pilot.
    fn by_pilot(&self, question: Question) -> Result<Report, Failure> {
        let ReadPilot { pilot, measurements } = pilot::read(&self.scores, &self.metric)?;
        let own = measurements.iter().map(|measurement| measurement.measured.n).max().unwrap_or(0);
        let queries = if self.queries.is_empty() { vec![own, 2 * own, 4 * own] } else { self.queries.clone() };
        let scenarios = measurements.into_iter().map(|measurement| measured(&question, &queries, measurement));
        Ok(Report { question, pilot: Some(pilot), scenarios: scenarios.collect::<Result<_, Failure>>()? })
    }
}

/// What holds when this share of queries differs.
fn binary(question: &Question, queries: &[u64], disagreement: f64) -> Result<Scenario, Failure> {
    let Question { alpha, power, mid_p, delta, margin, gate_level } = *question;
    if let Some(delta) = delta.filter(|&delta| delta > disagreement) {
        return Err(impossible(delta, disagreement));
    }
    let plan = BinaryPlan { disagreement, alpha, mid_p };
    let points = queries.iter().map(|&n| Point {
        n,
        detectable: plan.detectable(n, power, 0.001),
        power: delta.map(|delta| plan.power(n, delta)),
        half_width: None,
    });
    Ok(Scenario {
        spread: Spread::Disagreement(disagreement),
        source: None,
        points: points.collect(),
        for_delta: delta.map(|delta| searched(plan.queries_needed(delta, power))),
        for_margin: margin.map(|margin| searched(plan.queries_needed_for_margin(margin, gate_level, power))),
    })
}

/// What holds for differences with this standard deviation between scores that span `width`.
fn mean(question: &Question, queries: &[u64], sd: f64, width: Option<f64>) -> Scenario {
    let Question { alpha, power, delta, margin, gate_level, .. } = *question;
    let points = queries.iter().map(|&n| Point {
        n,
        detectable: detectable_mean(n, sd, alpha, power).filter(|&found| width.is_none_or(|width| found <= width)),
        power: delta.and_then(|delta| power_mean(n, sd, delta, alpha)),
        half_width: half_width(n, sd, 1.0 - alpha),
    });
    let for_margin = |margin| queries_needed_for_margin_mean(sd, width, margin, gate_level, power);
    Scenario {
        spread: Spread::Sd(sd),
        source: None,
        points: points.collect(),
        for_delta: delta.map(|delta| searched(queries_needed_mean(sd, delta, alpha, power))),
        for_margin: margin.map(|margin| searched(for_margin(margin))),
    }
}

/// What holds for the spread of a pilot.
fn measured(question: &Question, queries: &[u64], measurement: Measurement) -> Result<Scenario, Failure> {
    let Measurement { measured, is_binary, width } = measurement;
    let mut scenario = match is_binary {
        true => binary(question, queries, measured.differing as f64 / measured.n as f64)?,
        false => mean(question, queries, measured.sd, width),
    };
    for point in &mut scenario.points {
        point.half_width = half_width(point.n, measured.sd, 1.0 - question.alpha);
    }
    Ok(Scenario { source: Some(measured), ..scenario })
}

/// The end of a search among a limited number of queries.
fn searched(found: Option<u64>) -> Needed {
    found.map_or(Needed::MoreThan(MOST_QUERIES), Needed::Queries)
}

fn impossible(delta: f64, disagreement: f64) -> Failure {
    let title = format!("a difference of {delta} is not possible where {} of the queries differ", share(disagreement));
    Failure::new(title, format!("at most the share that differs can be won: --disagreement {delta} or more"))
}

/// A share above 0: `0.2` or `20%`.
fn disagreement(text: &str) -> Result<f64, String> {
    let number = match text.trim().strip_suffix('%') {
        Some(percent) => percent.parse::<f64>().map(|percent| percent / 100.0),
        None => text.trim().parse(),
    };
    let number = number.ok().filter(|&share| share > 0.0 && share <= 1.0);
    number.ok_or_else(|| "expected a share above 0 and at most 1, such as 0.2 or 20%".to_owned())
}

fn above_zero(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|&number| number > 0.0 && number.is_finite());
    number.ok_or_else(|| "expected a number above 0".to_owned())
}

fn probability(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok().filter(|&number| number > 0.0 && number < 1.0);
    number.ok_or_else(|| "expected a number between 0 and 1, such as 0.05 or 0.8".to_owned())
}
