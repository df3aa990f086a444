//! `raglens check`: every fault and oddity of labels and runs, and who was shown what they may not
//! see.

mod access;
mod files;

use clap::Args;

use super::CommandDef;
use super::console::Console;
use super::exit::Exit;
use super::failure::Failure;
use super::inputs::check_standard_input;
use super::names::RunArgument;
use super::output::Output;
use super::page::PageArgs;
use super::runs::RunsArgs;
use crate::render::check as view;

/// The row of the table of commands.
pub static COMMAND: CommandDef = CommandDef {
    name: "check",
    group: "Labels",
    arguments: CheckArgs::augment_args,
    run: |matches, console| run(&super::parsed::<CheckArgs>(matches), console),
};

const EXAMPLES: &str = "\
Examples:
  raglens check qrels.txt
  raglens check labels.jsonl bm25.trec dense.trec.gz
  raglens check --runs scores.json
  raglens check --acl chunks.jsonl labels.jsonl run.jsonl
  raglens check --acl chunks.jsonl labels.jsonl run.jsonl --unfiltered raw.jsonl
";

/// List every fault and oddity of labels and runs
///
/// No file is ever changed. Exit 2 where an evaluation would refuse a file, with --acl exit 1 where somebody was shown
/// what they may not see.
#[derive(Debug, Clone, Args)]
#[command(before_long_help = EXAMPLES)]
struct CheckArgs {
    /// Labels, runs, saved scores, chunk maps
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,

    /// Take every file that could hold labels or results as a run, also the first
    #[arg(long = "runs", conflicts_with = "acl")]
    runs_only: bool,

    /// Check labels and runs against the allowed_roles of a chunk map
    #[arg(long, value_name = "CHUNKS", help_heading = "Access")]
    acl: Option<String>,

    /// Do not fail on items of which the chunk map does not say who may see them
    #[arg(long, requires = "acl", help_heading = "Access")]
    allow_unknown: bool,

    /// The results of the same searches before the filter, to tell what it removed
    #[arg(long, value_name = "RUN", requires = "acl", help_heading = "Access")]
    unfiltered: Option<String>,

    #[command(flatten)]
    runs: RunsArgs,

    #[command(flatten)]
    page: PageArgs,
}

fn run(args: &CheckArgs, console: &Console) -> Result<Output, Failure> {
    let others = args.acl.iter().chain(&args.unfiltered);
    let paths: Vec<&str> = args.files.iter().chain(others).map(String::as_str).collect();
    let behind: Vec<RunArgument> = paths[1..].iter().map(|path| RunArgument::of_path(path)).collect();
    check_standard_input(paths[0], &behind)?;
    args.page.check(&paths)?;
    match &args.acl {
        Some(chunks) => access::run(args, chunks, console),
        None => {
            let report = files::report(args)?;
            let result = view::render(&report, args.page.format);
            let exit = if report.errors() > 0 { Exit::Error } else { Exit::Success };
            Ok(args.page.deliver(result, String::new(), exit))
        }
    }
}
