//! What a command leaves behind, written once everything is known: never half a result.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anstream::adapter::strip_str;
use clap::Args;

use super::console::Console;
use super::exit::Exit;
use super::failure::Failure;
use crate::render::errors::Message;
use crate::render::eval::Format;
use crate::render::notes;

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
    #[arg(long, value_name = "N", default_value_t = 3, hide_short_help = true, value_parser = clap::value_parser!(u8).range(0..=15))]
    pub digits: u8,
}

/// What a command leaves behind.
#[derive(Debug, Default)]
pub struct Output {
    /// Files with what goes into them.
    pub files: Vec<(PathBuf, String)>,
    /// Text for standard output.
    pub result: String,
    /// Notes and warnings for standard error.
    pub messages: String,
    /// How the command ends once everything is written.
    pub exit: Exit,
}

impl Output {
    /// Puts the result into a file when there is a path (`-` is standard output).
    pub fn redirected(mut self, path: Option<&Path>) -> Self {
        if let Some(path) = path.filter(|path| path.as_os_str() != "-") {
            let text = strip_str(&std::mem::take(&mut self.result)).to_string();
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

    /// Writes files, then messages, then the result, and says how the command ends.
    ///
    /// # Errors
    /// When a file cannot be written. A reader that went away is no error.
    pub fn deliver(self, console: &Console) -> Result<Exit, Failure> {
        for (path, text) in &self.files {
            write_file(path, text.as_bytes()).map_err(|error| unwritable(&path.display().to_string(), &error))?;
        }
        let printed = console.print_error(&self.messages).and_then(|()| console.print(&self.result));
        match printed {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(unwritable("standard output", &error)),
            _ => Ok(self.exit),
        }
    }
}

fn unwritable(what: &str, error: &io::Error) -> Failure {
    Message::new(format!("{what} cannot be written: {}", crate::render::errors::reason(error))).into()
}

/// Writes a file in one step: a temporary file beside it takes its place once it is complete.
/// What is no regular file (a device, a pipe) is written directly.
fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file()) {
        return File::options().write(true).open(&target)?.write_all(bytes);
    }
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = temporary(&target)?.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// A temporary file with the permissions of the file that it replaces, else those of a new file.
#[cfg(unix)]
fn temporary(target: &Path) -> io::Result<tempfile::Builder<'static, 'static>> {
    use std::os::unix::fs::PermissionsExt;
    let new = fs::Permissions::from_mode(0o666);
    let permissions = fs::metadata(target).map_or(new, |metadata| metadata.permissions());
    let mut builder = tempfile::Builder::new();
    builder.permissions(permissions);
    Ok(builder)
}

#[cfg(not(unix))]
fn temporary(_target: &Path) -> io::Result<tempfile::Builder<'static, 'static>> {
    Ok(tempfile::Builder::new())
}
