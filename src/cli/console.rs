//! Options of every command: what is shown, on which streams, and how many threads work.

use std::io::{self, BufWriter, Write};

use anstream::stream::{AsLockedWrite, RawStream};
use anstream::{AutoStream, ColorChoice};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use raglens::notes::Notes;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::failure::Failure;
use crate::render::eval::report::FilePart;
use crate::render::notes;
use crate::render::style::{self, Signs};

/// The heading of these options in help.
pub const HEADING: &str = "General";

/// Options of every command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = HEADING)]
pub struct Console {
    /// Colour the output: auto, always or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_short_help = true,
          hide_default_value = true, hide_possible_values = true, value_parser = color_parser())]
    pub color: ColorChoice,

    /// Use ASCII signs only (the default unless the locale is UTF-8)
    #[arg(long, global = true, hide_short_help = true)]
    pub plain: bool,

    /// Say what each file was read as, and how long it took
    #[arg(short, long, global = true)]
    pub verbose: bool,

    /// Print no notes and no warnings
    #[arg(long, global = true, hide_short_help = true, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Number of threads, at most 256; results are the same for any number
    #[arg(long, global = true, value_name = "N", hide_short_help = true, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
}

fn color_parser() -> impl TypedValueParser<Value = ColorChoice> {
    PossibleValuesParser::new(["auto", "always", "never"]).map(|word| match word.as_str() {
        "always" => ColorChoice::Always,
        "never" => ColorChoice::Never,
        _ => ColorChoice::Auto,
    })
}

impl Console {
    /// The signs that can be shown.
    pub fn signs(&self) -> Signs {
        if self.plain || !is_utf8_locale() { Signs::Ascii } else { Signs::Unicode }
    }

    /// The threads that were asked for; `None` for as many as there are processors.
    ///
    /// # Errors
    /// When the operating system does not give them.
    pub fn pool(&self) -> Result<Option<ThreadPool>, Failure> {
        let build = |threads: u16| ThreadPoolBuilder::new().num_threads(threads.into()).build();
        self.threads.map(build).transpose().map_err(|error| {
            Failure::new(format!("no threads can be started: {error}"), "`--threads` takes a smaller number")
        })
    }

    /// Notes and warnings as text, with `--verbose` after what each file was read as; nothing with
    /// `--quiet`.
    pub fn messages(&self, files: &[&FilePart], messages: &Notes) -> String {
        match (self.quiet, self.verbose) {
            (true, _) => String::new(),
            (false, true) => {
                let is_new = |(index, file): &(usize, &&FilePart)| !files[..*index].contains(file);
                let files = files.iter().enumerate().filter(is_new);
                files.map(|(_, file)| notes::read_as(file)).collect::<String>() + &notes::to_text(messages)
            }
            (false, false) => notes::to_text(messages),
        }
    }

    /// Writes to standard output, in colour where it is wanted.
    ///
    /// # Errors
    /// When the stream does not take it.
    pub fn print(&self, text: &str) -> io::Result<()> {
        write(io::stdout().lock(), self.choice(&io::stdout()), text)
    }

    /// Writes to standard error, in colour where it is wanted.
    ///
    /// # Errors
    /// When the stream does not take it.
    pub fn print_error(&self, text: &str) -> io::Result<()> {
        write(io::stderr().lock(), self.choice(&io::stderr()), text)
    }

    fn choice(&self, stream: &impl RawStream) -> ColorChoice {
        match self.color {
            ColorChoice::Auto => AutoStream::choice(stream),
            asked => asked,
        }
    }
}

/// Writes to standard error what is wrong with the command line, before any option is known.
///
/// # Errors
/// When the stream does not take it.
pub fn complain(text: &str) -> io::Result<()> {
    write(io::stderr().lock(), AutoStream::choice(&io::stderr()), text)
}

/// How much text is written in one piece.
const PIECE: usize = 64 * 1024;

/// Writes in one piece what is not too long for it, so that nobody sees half of it.
fn write<S: RawStream + AsLockedWrite>(stream: S, choice: ColorChoice, text: &str) -> io::Result<()> {
    if choice == ColorChoice::Never {
        let mut stream = BufWriter::with_capacity(PIECE, stream);
        style::plain_parts(text).iter().try_for_each(|part| stream.write_all(part.as_bytes()))?;
        return stream.flush();
    }
    let mut stream = AutoStream::new(stream, choice);
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

/// Whether the environment says that text is UTF-8. Windows writes UTF-16 to its terminals, so
/// anything can be shown there.
fn is_utf8_locale() -> bool {
    let variables = ["LC_ALL", "LC_CTYPE", "LANG"];
    let locale = variables.iter().filter_map(|name| std::env::var(name).ok()).find(|value| !value.is_empty());
    let locale = locale.unwrap_or_default().to_ascii_lowercase();
    cfg!(windows) || locale.contains("utf-8") || locale.contains("utf8")
}
