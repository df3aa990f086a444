//! The command line. A command is a file in this folder and two lines here: its `mod` and its
//! row in [`COMMANDS`].

mod check;
mod columns;
mod compare;
mod config;
mod console;
mod conventions;
mod convert;
mod edit;
mod eval;
mod exit;
mod explain;
mod failure;
mod files;
mod funnel;
mod hash;
mod ids;
mod inputs;
mod join;
mod letters;
mod like;
mod measures;
mod minimum;
mod names;
mod output;
mod page;
mod pareto;
mod power;
mod progress;
mod queries;
mod report;
mod runs;
mod scoring;
mod shell;
mod slices;
mod spool;
mod stages;
mod trec_eval;
mod units;
mod usage;
mod words;

pub use exit::Exit;

use std::ffi::OsString;
use std::io;
use std::time::Instant;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use console::Console;
use failure::Failure;
use output::Output;

/// Every command, in the order in which help shows them.
#[rustfmt::skip]
static COMMANDS: &[&CommandDef] = &[
    &eval::COMMAND,
    &compare::COMMAND,
    &queries::COMMAND,
    &explain::COMMAND,
    &stages::COMMAND,
    &funnel::COMMAND,
    &pareto::COMMAND,
    &check::COMMAND,
    &power::COMMAND,
    &convert::COMMAND,
    &trec_eval::COMMAND,
];

/// One row of the table of commands.
struct CommandDef {
    /// What is typed.
    name: &'static str,
    /// The heading in help.
    group: &'static str,
    /// Adds the arguments, and what the command is about.
    arguments: fn(Command) -> Command,
    /// Computes everything and gives back what is to be written.
    run: fn(&mut ArgMatches, &Console) -> Result<Output, Failure>,
}

const START: &str = "\
raglens measures retrieval: labels and runs in, every measure out.

  raglens eval qrels.txt run.txt                  every measure of a run
  raglens eval labels.jsonl bm25.trec new.trec    several runs side by side
  raglens queries labels.jsonl run.csv --worst 5  which queries fail?
  raglens compare a.trec b.trec --qrels q.txt     is the difference real?
  raglens explain ndcg@5                          what does a number mean?

`raglens eval -h` shows the most used options, `raglens eval --help` all.
";

/// Runs the command that the arguments ask for.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let arguments = separated(arguments.into_iter().collect());
    let first = COMMANDS.iter().find(|command| arguments.get(1).is_some_and(|first| first == command.name));
    let command = first.map_or_else(whole, |command| with(&[command]));
    match command.try_get_matches_from(arguments) {
        Ok(matches) => dispatch(matches),
        Err(error) => answer(&error),
    }
}

/// The arguments with a `--` behind a command that takes its own apart.
fn separated(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_command =
        |argument: &OsString| argument == "help" || COMMANDS.iter().any(|command| argument == command.name);
    let place = arguments.iter().skip(1).position(is_command).map(|place| place + 1);
    if let Some(place) = place.filter(|&place| arguments[place] == trec_eval::NAME) {
        arguments.insert(place + 1, "--".into());
    }
    arguments
}

fn dispatch(mut matches: ArgMatches) -> Exit {
    let console: Console = parsed(&mut matches);
    let Some((name, mut arguments)) = matches.remove_subcommand() else {
        return finish(Ok(Output { result: START.to_owned(), ..Output::default() }), &console);
    };
    let command = COMMANDS.iter().find(|command| command.name == name).expect("clap knows these commands alone");
    let mut run = || (command.run)(&mut arguments, &console);
    let (start, line) = (Instant::now(), progress::Line::start(console.quiet));
    let result = console.pool().and_then(|pool| match pool {
        Some(pool) => pool.install(run),
        None => run(),
    });
    drop(line);
    finish(result.map(|output| output.timed(&console, start.elapsed())), &console)
}

/// Writes what a command leaves behind, or why it failed.
fn finish(result: Result<Output, Failure>, console: &Console) -> Exit {
    match result.and_then(|output| output.deliver(console)) {
        Ok(exit) => exit,
        Err(failure) => {
            // Nobody is left to be told when standard error cannot be written.
            let _ = console.print_error(&failure.to_text());
            Exit::Error
        }
    }
}

/// Prints what clap has to say: help and version on standard output, wrong usage on standard
/// error.
fn answer(error: &clap::Error) -> Exit {
    let is_answer = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if !is_answer {
        // Nobody is left to be told when standard error cannot be written.
        let _ = console::complain(&usage::text(error));
        return Exit::Error;
    }
    match error.print() {
        Err(broken) if broken.kind() != io::ErrorKind::BrokenPipe => Exit::Error,
        _ => Exit::Success,
    }
}

/// The arguments, taken out, as a struct.
fn parsed<T: FromArgMatches>(matches: &mut ArgMatches) -> T {
    T::from_arg_matches_mut(matches).expect("clap has checked the arguments")
}

/// The command line with all commands, and help that lists them.
fn whole() -> Command {
    let command = with(COMMANDS);
    let groups = groups(&command);
    command.help_template(format!("{START}\n{groups}\nOptions:\n{{options}}\n"))
}

/// The command line with some of the commands: where the first argument says which one is meant,
/// the others are not needed.
fn with(commands: &[&CommandDef]) -> Command {
    let about = "Measures retrieval: relevance labels and ranked runs in, every measure out.";
    let commands = commands.iter().map(|command| with_help((command.arguments)(Command::new(command.name))));
    let root = Command::new("raglens").version(env!("CARGO_PKG_VERSION")).about(about);
    Console::augment_args(with_help(root))
        .subcommands(commands)
        .override_usage("raglens <COMMAND> [OPTIONS]")
        .max_term_width(80)
}

/// A command whose help flag stands beside the other options of every command.
fn with_help(command: Command) -> Command {
    let help = Arg::new("help").short('h').long("help").action(ArgAction::Help);
    let help = help.help("Show the most used options; --help shows all").help_heading(console::HEADING);
    command.disable_help_flag(true).arg(help)
}

/// The commands under their headings.
fn groups(root: &Command) -> String {
    let mut text = String::new();
    for group in COMMANDS.chunk_by(|a, b| a.group == b.group) {
        text.push_str(&format!("{}:\n", group[0].group));
        for command in group {
            let about = root.find_subcommand(command.name).and_then(Command::get_about).map(ToString::to_string);
            text.push_str(&format!("  {:<12}{}\n", command.name, about.unwrap_or_default()));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_of_every_command_fit_together() {
        whole().debug_assert();
    }

    #[test]
    fn a_command_alone_is_the_same_as_among_all() {
        for definition in COMMANDS {
            let help = |mut root: Command| {
                let command = root.find_subcommand_mut(definition.name).unwrap();
                command.render_long_help().to_string()
            };
            assert_eq!(help(with(&[definition])), help(whole()));
        }
    }

    #[test]
    fn short_help_shows_at_most_twelve_options() {
        for definition in COMMANDS {
            let mut root = whole();
            let command = root.find_subcommand_mut(definition.name).unwrap();
            let help = command.render_help().to_string();
            let options = help.lines().filter(|line| line.trim_start().starts_with('-')).count();
            assert!(options <= 12, "{options} options:\n{help}");
        }
    }
}
