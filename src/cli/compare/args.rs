//! The arguments of `raglens compare`.

use std::path::PathBuf;

use clap::Args;
use raglens::compare::{Adjust, BinaryP, IntervalKind, Pairs};
use raglens::stats::bootstrap::BootstrapKind;
use raglens::stats::correction::Correction;
use raglens::stats::randomization::Alternative;

use crate::cli::conventions::ConventionArgs;
use crate::cli::ids::IdArgs;
use crate::cli::inputs::ReadingArgs;
use crate::cli::measures::cutoff;
use crate::cli::report::ReportArgs;
use crate::cli::slices::SliceArgs;
use crate::cli::words::Words;
use crate::render::compare::Format;

const EXAMPLES: &str = "\
Examples:
  raglens compare bm25.trec hybrid.trec --qrels qrels.txt -m recall@5
  raglens compare base.json new.json -m recall@5,ndcg@10 --noninferior 0.02
  raglens compare bm25.trec dense.trec hybrid.trec --pairs all --format latex
  raglens compare before.csv after.csv -m correct,latency_ms --list
  raglens compare a.jsonl b.jsonl --qrels labels.jsonl --by intent,lang
";

/// Compare runs query by query: is the difference real?
#[derive(Debug, Clone, Args)]
#[command(before_long_help = EXAMPLES)]
pub struct CompareArgs {
    /// Runs, or saved scores (eval --save, or a table with a query id); name=path names one,
    /// file:run picks one of several
    #[arg(value_name = "RUN", required = true)]
    pub runs: Vec<String>,

    /// Labels to score runs with, tags for --by [env: RAGLENS_QRELS]
    #[arg(long = "qrels", visible_alias = "labels", value_name = "FILE", help_heading = "Input")]
    pub labels: Option<String>,

    /// Measures such as recall@5,ndcg@10, or saved columns
    #[arg(short, long = "metric", value_name = "M", aliases = ["measure", "metrics", "measures"], help_heading = "Measures")]
    pub metric: Vec<String>,

    /// Cutoffs for measures without an @ [default: 5]
    #[arg(short = 'k', long, value_name = "K", value_delimiter = ',', value_parser = cutoff, help_heading = "Measures")]
    pub cutoffs: Vec<u64>,

    /// Measures of saved scores of which less is better (latency*, cost*, *_ms, *_usd are known)
    #[arg(long, value_name = "M", value_delimiter = ',', hide_short_help = true, help_heading = "Measures")]
    pub lower_better: Vec<String>,

    /// The values that a measure of saved scores can take, such as faithfulness=0..1
    #[arg(long, value_name = "M=LO..HI", hide_short_help = true, help_heading = "Measures")]
    pub range: Vec<String>,

    #[command(flatten, next_help_heading = "Comparison")]
    pub slices: SliceArgs,

    #[command(flatten)]
    pub tests: TestArgs,

    #[command(flatten)]
    pub gates: GateArgs,

    #[command(flatten)]
    pub conventions: ConventionArgs,

    #[command(flatten)]
    pub ids: IdArgs,

    #[command(flatten)]
    pub reading: ReadingArgs,

    #[command(flatten)]
    pub shown: ShownArgs,

    #[command(flatten)]
    pub reports: ReportArgs,
}

/// The words of `--pairs`.
static PAIRS: Words<Pairs> = Words(&[
    ("baseline", Pairs::Baseline, "every run with the first"),
    ("all", Pairs::All, "every run with every run"),
]);

/// The words of `--ci`.
pub static INTERVALS: Words<IntervalKind> = Words(&[
    ("auto", IntervalKind::Bootstrap(BootstrapKind::Adjusted), "the same as bootstrap"),
    ("t", IntervalKind::T, "Student's t"),
    ("percentile", IntervalKind::Bootstrap(BootstrapKind::Percentile), "plain percentiles of bootstrap means"),
    ("bca", IntervalKind::Bootstrap(BootstrapKind::Bca), "bias-corrected and accelerated bootstrap"),
    ("bootstrap", IntervalKind::Bootstrap(BootstrapKind::Adjusted), "percentiles with tails for small samples"),
]);

/// The words of `--adjust`.
static ADJUST: Words<Adjust> = Words(&[
    ("holm", Adjust::By(Correction::Holm), "Holm: no false finding in the table, by hand"),
    ("maxt", Adjust::MaxT, "step-down max-T: the same, using that measures go together"),
    ("bh", Adjust::By(Correction::BenjaminiHochberg), "Benjamini and Hochberg: few false ones among the findings"),
    ("bonferroni", Adjust::By(Correction::Bonferroni), "p times the number of rows"),
    ("tukey", Adjust::Tukey, "randomized Tukey HSD: one bad run hides the differences of others"),
    ("none", Adjust::By(Correction::None), "raw p-values"),
]);

/// The words of `--alternative`.
pub static ALTERNATIVES: Words<Alternative> = Words(&[
    ("two-sided", Alternative::TwoSided, "B differs from A"),
    ("greater", Alternative::Greater, "the values of B are higher"),
    ("less", Alternative::Less, "the values of B are lower"),
]);

/// The words of `--p`.
pub static BINARY_P: Words<BinaryP> = Words(&[
    ("exact", BinaryP::Exact, "McNemar's exact p, which is that of the randomization test"),
    ("mid", BinaryP::Mid, "the mid-p, less cautious; to be chosen before looking"),
]);

/// Another test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Other {
    /// Wilcoxon's signed-rank test.
    Wilcoxon,
    /// The sign test.
    Sign,
}

/// The words of `--also`.
static ALSO: Words<Other> =
    Words(&[("wilcoxon", Other::Wilcoxon, "Wilcoxon's signed-rank test"), ("sign", Other::Sign, "the sign test")]);

/// Options about tests and intervals.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Comparison")]
pub struct TestArgs {
    /// Which runs are compared with which
    #[arg(long, value_name = "WHICH", default_value = "baseline", hide_short_help = true, value_parser = PAIRS.parser())]
    pub pairs: Pairs,

    /// How p-values are adjusted for the number of rows [default: holm; bh for slices]
    #[arg(long, value_name = "HOW", hide_short_help = true, value_parser = ADJUST.parser())]
    pub adjust: Option<Adjust>,

    /// Which direction counts
    #[arg(long, value_name = "WHICH", default_value = "two-sided", hide_short_help = true, value_parser = ALTERNATIVES.parser())]
    pub alternative: Alternative,

    /// Significance level; intervals are at 1 - alpha
    #[arg(long, value_name = "P", default_value = "0.05", hide_short_help = true, value_parser = level)]
    pub alpha: f64,

    /// Which p decides for measures that are 0 or 1
    #[arg(long, value_name = "WHICH", default_value = "exact", hide_short_help = true, value_parser = BINARY_P.parser())]
    pub p: BinaryP,

    /// Random sign patterns, where not all can be counted
    #[arg(long, value_name = "N", default_value_t = 100_000, hide_short_help = true, value_parser = clap::value_parser!(u64).range(100..=100_000_000))]
    pub resamples: u64,

    /// How intervals are made
    #[arg(long, value_name = "HOW", default_value = "auto", hide_short_help = true, value_parser = INTERVALS.parser())]
    pub ci: IntervalKind,

    /// Resamples of a bootstrap interval
    #[arg(long, value_name = "N", default_value_t = 10_000, hide_short_help = true, value_parser = clap::value_parser!(u64).range(100..=10_000_000))]
    pub bootstrap: u64,

    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 0, hide_short_help = true)]
    pub seed: u64,

    /// Show tests of other hypotheses too; they decide nothing
    #[arg(long, value_name = "TEST", value_delimiter = ',', hide_short_help = true, value_parser = ALSO.parser())]
    pub also: Vec<Other>,
}

/// What a gate without enough evidence comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnUndecided {
    /// A pass.
    Pass,
    /// A pass with a warning.
    Warn,
    /// A failure.
    Fail,
}

/// The words of `--on-undecided`.
static ON_UNDECIDED: Words<OnUndecided> = Words(&[
    ("pass", OnUndecided::Pass, "exit 0"),
    ("warn", OnUndecided::Warn, "exit 0, with a warning"),
    ("fail", OnUndecided::Fail, "exit 1"),
]);

/// Options that make the exit code depend on the result.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Gates (exit 1 when one fails, 3 when one cannot be decided)")]
pub struct GateArgs {
    /// Pass only if a loss above D is excluded
    #[arg(long, value_name = "[M=]D", value_delimiter = ',')]
    pub noninferior: Vec<String>,

    /// Fail only if a loss above D is proven
    #[arg(long, value_name = "[M=]D", value_delimiter = ',', hide_short_help = true)]
    pub no_regression: Vec<String>,

    /// Pass if the number alone holds: 'delta(recall@5)>=-0.01' or 'recall@5>=0.6'
    #[arg(long, value_name = "EXPR", hide_short_help = true)]
    pub min: Vec<String>,

    /// One-sided confidence level of the bounds
    #[arg(long, value_name = "LEVEL", default_value = "0.95", hide_short_help = true, value_parser = level)]
    pub gate_level: f64,

    /// Say whether both are the same within plus and minus D
    #[arg(long, value_name = "D", hide_short_help = true, help_heading = "Comparison", value_parser = margin)]
    pub margin: Option<f64>,

    /// What a gate without enough evidence comes to [default: exit 3]
    #[arg(long, value_name = "WHAT", hide_short_help = true, value_parser = ON_UNDECIDED.parser())]
    pub on_undecided: Option<OnUndecided>,

    /// Exit 0 whatever the gates say
    #[arg(long, hide_short_help = true)]
    pub exit_zero: bool,
}

/// Options about what is shown, how and where.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub struct ShownArgs {
    /// Show every query that changed, on every measure
    #[arg(long, hide_short_help = true)]
    pub list: bool,

    /// Show t-tests, effect sizes and what bounds could prove
    #[arg(long, hide_short_help = true)]
    pub details: bool,

    /// text, json, jsonl, csv, tsv, md, latex
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "text", hide_possible_values = true)]
    pub format: Format,

    /// Write the results to a file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Decimals of a value
    #[arg(long, value_name = "N", default_value_t = 3, hide_short_help = true, value_parser = clap::value_parser!(u8).range(0..=15))]
    pub digits: u8,
}

fn level(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0 && *number < 1.0);
    number.ok_or_else(|| "expected a number between 0 and 1".to_owned())
}

fn margin(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "expected a number of at least 0".to_owned())
}
