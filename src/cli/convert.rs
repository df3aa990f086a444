//! `raglens convert`: labels and runs from any layout that is read into those that other tools
//! read.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args};
use raglens::convert::{ConvertError, Converted, FORMATS, Format, Losses, RunOptions, convert_labels, convert_run};
use raglens::input::{Position, Role, Source, looks_like};
use raglens::notes::{NoteKind, Notes};
use raglens::run::Duplicates;

use super::console::Console;
use super::conventions::DUPLICATES;
use super::failure::Failure;
use super::inputs::{self, ReadLabels, ReadingArgs};
use super::output::Output;
use super::spool::Spool;
use super::{CommandDef, files};
use crate::render::convert as view;
use crate::render::eval::report::FilePart;

/// The row of the table of commands.
pub static COMMAND: CommandDef = CommandDef {
    name: "convert",
    group: "Files",
    arguments: ConvertArgs::augment_args,
    run: |matches, console| run(&super::parsed::<ConvertArgs>(matches), console),
};

const EXAMPLES: &str = "\
Examples:
  raglens convert labels.jsonl --to trec -o qrels.txt
  raglens convert run.csv --run --to trec -o run.trec.gz
  raglens convert run.trec --to dict -o run.json      for pytrec_eval and ranx
";

/// Write labels or a run in another layout
#[derive(Debug, Clone, Args)]
#[command(before_long_help = EXAMPLES, group = ArgGroup::new("role").multiple(false))]
struct ConvertArgs {
    /// Labels or a run; - is standard input
    input: String,

    /// The layout to write: trec, jsonl, rows, csv, tsv, beir or dict
    #[arg(long, alias = "format", value_name = "FORMAT", hide_possible_values = true, value_parser = formats())]
    to: &'static Format,

    /// The file to write; packed when its name ends in .gz [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The input holds labels, where its content could be either
    #[arg(long, group = "role")]
    labels: bool,

    /// The input holds a run, where its content could be either
    #[arg(long, group = "role")]
    run: bool,

    /// What to do with a document that is twice in one ranking
    #[arg(long, value_name = "WHAT", default_value = "error", hide_short_help = true, value_parser = DUPLICATES.parser())]
    duplicates: Duplicates,

    #[command(flatten)]
    reading: ReadingArgs,
}

fn formats() -> impl TypedValueParser<Value = &'static Format> {
    let values = FORMATS
        .iter()
        .map(|format| PossibleValue::new(format.name).aliases(format.aliases.iter().copied()).help(format.about));
    PossibleValuesParser::new(values).map(|name| raglens::convert::format(&name).expect("only names of the table pass"))
}

fn run(args: &ConvertArgs, console: &Console) -> Result<Output, Failure> {
    files::check(&[("-o", args.output.as_deref())], &[&args.input])?;
    let mut source = Source::open(&args.input)?;
    let position = args.position(&mut source)?;
    args.check_format(position)?;
    let spool = Spool::new(args.output.as_deref())?;
    let (file, losses, mut notes) = match position {
        Position::Labels => args.write_labels(source, &spool)?,
        Position::Run => args.write_run(source, &spool)?,
    };
    if let Some(reader) = args.misread(position, &spool) {
        notes.add(NoteKind::NotRecognised, args.target(), || reader);
    }
    let notes = console.messages(&[&file], &notes);
    let losses = if console.quiet { String::new() } else { view::losses(&losses, args.to) };
    Ok(Output { spool: Some(spool), messages: notes + &losses, ..Output::default() })
}

impl ConvertArgs {
    /// The name of what is written, for messages.
    fn target(&self) -> &str {
        self.output.as_deref().and_then(Path::to_str).unwrap_or("the result")
    }

    /// Whether labels or a run are read: as asked for, else by the content alone.
    fn position(&self, source: &mut Source) -> Result<Position, Failure> {
        match (self.labels || self.reading.labels_format.is_some(), self.run || self.reading.run_format.is_some()) {
            (true, false) => return Ok(Position::Labels),
            (false, true) => return Ok(Position::Run),
            (true, true) => {
                return Err(Failure::new("the input holds labels or a run, not both", "name one of the two"));
            }
            (false, false) => {}
        }
        let seen = |source: &mut Source, position| {
            looks_like(source, position).map_err(|fault| fault.in_file(&self.input, None))
        };
        // What is labels in the place of labels and a run in the place of a run is neither by itself.
        let (labels, run) = (seen(source, Position::Labels)?, seen(source, Position::Run)?);
        match (labels.role, run.role) {
            (Role::Labels, Role::Labels) | (Role::Neither(_) | Role::Saved, _) => Ok(Position::Labels),
            (Role::Run, Role::Run) => Ok(Position::Run),
            (Role::Both, _) => {
                let title = format!("{} holds labels and results: {}", self.input, labels.about);
                Err(Failure::new(title, "`--labels` or `--run` says which of the two to convert"))
            }
            _ => {
                let title = format!("{} could hold labels or a run: {}", self.input, labels.about);
                Err(Failure::new(title, "`--labels` or `--run` says which it is"))
            }
        }
    }

    fn check_format(&self, position: Position) -> Result<(), Failure> {
        let (what, holds) = match position {
            Position::Labels => ("labels", self.to.labels),
            Position::Run => ("a run", self.to.run),
        };
        if !holds.is_empty() {
            return Ok(());
        }
        let fits =
            |format: &&&Format| !if position == Position::Labels { format.labels } else { format.run }.is_empty();
        let others: Vec<String> = FORMATS.iter().filter(fits).map(|format| format!("`{}`", format.name)).collect();
        let title = format!("`{}` cannot hold {what}, and {} is one", self.to.name, self.input);
        Err(Failure::new(title, format!("{what} can be written as {}", others.join(", "))))
    }

    fn write_labels(&self, source: Source, spool: &Spool) -> Result<(FilePart, Losses, Notes), Failure> {
        let ReadLabels { labels, file, notes } = inputs::labels_from(source, &self.reading)?;
        let begun = spool.begin().map_err(|error| spool.unwritable(&error))?;
        let written = convert_labels(&labels, &self.input, self.to, begun);
        let (packer, losses) = written.map_err(|error| self.failure(error, spool))?;
        packer.finish().map_err(|error| spool.unwritable(&error))?;
        Ok((file, losses, notes))
    }

    fn write_run(&self, source: Source, spool: &Spool) -> Result<(FilePart, Losses, Notes), Failure> {
        let stem = Path::new(&self.input).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = stem.filter(|_| self.input != "-").unwrap_or_default();
        let options = RunOptions { duplicates: self.duplicates, name };
        let mut notes = Notes::default();
        let written = convert_run(source, &self.reading.run_options(), self.to, &options, || spool.begin(), &mut notes);
        let (packer, Converted { facts, losses, dropped }) = written.map_err(|error| self.failure(error, spool))?;
        packer.finish().map_err(|error| spool.unwritable(&error))?;
        notes.add_count(NoteKind::DroppedCopies, &self.input, dropped);
        Ok((inputs::file(facts), losses, notes))
    }

    fn failure(&self, error: ConvertError, spool: &Spool) -> Failure {
        match error {
            ConvertError::Input(error) => error.into(),
            ConvertError::Output(error) => spool.unwritable(&error),
            other => Failure::new(other.to_string(), "`--to jsonl` holds everything that is read"),
        }
    }

    /// The name of the reader that the result needs to be told, because it is taken for another
    /// layout.
    fn misread(&self, position: Position, spool: &Spool) -> Option<String> {
        let (expected, option) = match position {
            Position::Labels => (self.to.labels, "--labels-format"),
            Position::Run => (self.to.run, "--run-format"),
        };
        let mut source = Source::from_reader(self.target(), spool.written().ok()?).ok()?;
        let is_known = looks_like(&mut source, position).is_ok_and(|format| expected.contains(&format.name));
        (!is_known).then(|| format!("`{option} {}` reads it", expected[0]))
    }
}
