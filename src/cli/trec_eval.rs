//! `raglens trec_eval`: the flags and the output of trec_eval, so that an alias changes nothing but
//! speed and messages.

mod columns;
mod evaluation;
mod getopt;
mod help;
mod options;
mod request;
mod status;
mod zscores;

use std::ffi::OsString;

use clap::Args;

use super::CommandDef;
use super::console::Console;
use super::failure::Failure;
use super::output::Output;
use options::Wish;
use status::Stop;

/// The row of the table of commands.
pub static COMMAND: CommandDef = CommandDef {
    name: NAME,
    group: "Elsewhere",
    arguments: TrecEvalArgs::augment_args,
    run: |matches, console| run(&super::parsed::<TrecEvalArgs>(matches), console),
};

/// The name of the command. What stands behind it is not for clap, which takes arguments apart in
/// another way.
pub const NAME: &str = "trec_eval";

/// Print what trec_eval 10 prints, for the same flags
#[derive(Debug, Clone, Args)]
struct TrecEvalArgs {
    /// Flags and files as trec_eval takes them; -h shows them all
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

fn run(args: &TrecEvalArgs, console: &Console) -> Result<Output, Failure> {
    Ok(answer(&args.words, console).unwrap_or_else(Stop::into_output))
}

fn answer(words: &[OsString], console: &Console) -> Result<Output, Stop> {
    let word = |word: &OsString| word.clone().into_string().map_err(|word| not_utf8(&word));
    let words: Vec<String> = words.iter().map(word).collect::<Result<_, _>>()?;
    let (arguments, end) = getopt::parse(&words);
    match options::read(arguments, end)? {
        Wish::Version => Ok(Output { messages: help::version(), ..Output::default() }),
        Wish::Help(requests) => Ok(Output { result: help::text(&requests), ..Output::default() }),
        Wish::Evaluate(options) => evaluation::run(&options, console),
    }
}

fn not_utf8(word: &OsString) -> Stop {
    Stop::new(status::USAGE, format!("`{}` is not UTF-8", word.to_string_lossy()))
}
