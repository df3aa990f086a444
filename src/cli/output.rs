//! What a command leaves behind, written once everything is known: never half a result.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::console::Console;
use super::exit::Exit;
use super::failure::Failure;
use super::files::{self, Prepared, Target, unwritable};
use super::like;
use super::spool::Spool;
use crate::render::eval::Format;
use crate::render::{notes, style};

/// Options about where results go and what they look like.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// text, json, jsonl, csv, tsv, md or trec
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "text", hide_possible_values = true)]
    pub format: Format,

    /// Write the results to a file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Save every query's values, to compare or rescore
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,

    /// Decimals of a value
    #[arg(long, value_name = "N", default_value_t = 3, hide_short_help = true, value_parser = clap::value_parser!(u8).range(0..=15),
          default_value_ifs = like::defaults(|like| Some(like.digits)))]
    pub digits: u8,
}

impl OutputArgs {
    /// Checks, before any work is done, that no output is one of the inputs or another output;
    /// `more` are outputs of other options.
    ///
    /// # Errors
    /// When one is.
    pub fn check<'a>(
        &'a self,
        more: impl Iterator<Item = (&'a str, Option<&'a Path>)>,
        inputs: &[&str],
    ) -> Result<(), Failure> {
        let save = self.save.as_deref().map(|path| ("--save", Some(path)));
        let outputs: Vec<_> = std::iter::once(("-o", self.output.as_deref())).chain(save).chain(more).collect();
        files::check(&outputs, inputs)
    }
}

/// What a command leaves behind.
#[derive(Debug, Default)]
pub struct Output {
    /// Files with what goes into them.
    pub files: Vec<(PathBuf, String)>,
    /// Text for standard output.
    pub result: String,
    /// A result that is too large to be held, complete and not yet in its place.
    pub spool: Option<Spool>,
    /// Notes and warnings for standard error.
    pub messages: String,
    /// How the command ends once everything is written.
    pub exit: Exit,
}

impl Output {
    /// Puts the result into a file when there is a path (`-` is standard output).
    pub fn redirected(mut self, path: Option<&Path>) -> Self {
        if let Some(path) = path.filter(|path| path.as_os_str() != "-") {
            let text = style::plain(&std::mem::take(&mut self.result)).into_owned();
            self.files.push((path.to_owned(), text));
        }
        self
    }

    /// Adds the time that it took, with `--verbose`.
    pub fn timed(mut self, console: &Console, time: Duration) -> Self {
        if console.verbose {
            self.messages.push_str(&notes::time(time));
        }
        self
    }

    /// Writes files, then messages, then the result, and says how the command ends. Every file is
    /// complete before the first one takes its place.
    ///
    /// # Errors
    /// When something cannot be written. A reader that went away is no error.
    pub fn deliver(mut self, console: &Console) -> Result<Exit, Failure> {
        for (path, file) in self.prepared()? {
            file.finish().map_err(|error| unwritable(&path.display().to_string(), &error))?;
        }
        // A standard error that nobody reads takes nothing from the result.
        let _ = console.print_error(&self.messages);
        if let Some(spool) = self.spool {
            spool.deliver()?;
        }
        match console.print(&self.result) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(unwritable("standard output", &error)),
            _ => Ok(self.exit),
        }
    }

    /// The files ready to take their places; what goes to a standard stream joins the rest of it.
    fn prepared(&mut self) -> Result<Vec<(PathBuf, Prepared)>, Failure> {
        let mut prepared = Vec::new();
        for (path, text) in std::mem::take(&mut self.files) {
            match Target::of(&path) {
                Target::Stdout => self.result.push_str(&text),
                Target::Stderr => self.messages.push_str(&text),
                target => {
                    let file = Prepared::new(&target, &text);
                    let file = file.map_err(|error| unwritable(&path.display().to_string(), &error))?;
                    prepared.push((path, file));
                }
            }
        }
        Ok(prepared)
    }
}
