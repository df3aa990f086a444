//! Why a command cannot do what it was asked for.

use std::io::{BufRead, BufReader};
use std::ops::Range;

use raglens::error::{Fault, InputError, InputErrorKind};
use raglens::input::Source;
use raglens::measure::SpecError;

use crate::render::errors::{self, Message};

/// Why a command stops. Every one ends with status 2.
#[derive(Debug)]
pub enum Failure {
    /// Something is wrong with a file.
    Input(InputError),
    /// Anything else, in words.
    Message(Message),
}

impl Failure {
    /// A failure in one sentence with what to do about it.
    pub fn new(title: impl Into<String>, help: impl Into<String>) -> Self {
        Message::new(title).with_help(help).into()
    }

    /// The failure as text for standard error.
    pub fn to_text(&self) -> String {
        match self {
            Self::Input(error) => errors::input(error),
            Self::Message(message) => errors::message(message),
        }
    }

    /// The same with another way to go on for some kinds of fault; an empty one says nothing.
    pub fn to_text_with(&self, help: impl Fn(&InputErrorKind) -> Option<String>) -> String {
        match self {
            Self::Input(error) => {
                let help = help(error.kind()).or_else(|| errors::help(error));
                errors::input_with(error, help.filter(|help| !help.is_empty()))
            }
            Self::Message(message) => errors::message(message),
        }
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Self::Input(with_line(error))
    }
}

/// The error with the text of its line, where the file can be read a second time.
fn with_line(error: InputError) -> InputError {
    let found = error.line().filter(|_| error.excerpt().is_none()).and_then(|number| line(error.file(), number));
    match found.and_then(|text| Some((span(&text, error.kind())?, text))) {
        Some((span, text)) => error.with_excerpt(&text, span),
        None => error,
    }
}

/// A line of a regular file, by its number from 1.
fn line(path: &str, number: u64) -> Option<Vec<u8>> {
    std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let source = Source::open(path).ok()?;
    let line = BufReader::new(source).split(b'\n').nth(usize::try_from(number).ok()?.checked_sub(1)?)?;
    let mut line = line.ok()?;
    line.truncate(line.trim_ascii_end().len());
    Some(line)
}

/// Where the id that the fault is about stands last in a line.
fn span(line: &[u8], kind: &InputErrorKind) -> Option<Range<usize>> {
    let id = match kind {
        InputErrorKind::DuplicateDocument { document, .. } | InputErrorKind::ConflictingLabels { document, .. } => {
            document
        }
        InputErrorKind::RepeatedQuery { query, .. } => query,
        _ => return None,
    };
    let is_part = |place: Option<usize>| place.and_then(|place| line.get(place)).is_some_and(u8::is_ascii_alphanumeric);
    let places = memchr::memmem::find_iter(line, id.as_bytes()).map(|start| start..start + id.as_bytes().len());
    places.filter(|found| !is_part(found.start.checked_sub(1)) && !is_part(Some(found.end))).last()
}

impl From<Message> for Failure {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

impl From<SpecError> for Failure {
    fn from(error: SpecError) -> Self {
        let message = Message::new(error.to_string());
        match error.help() {
            Some(help) => message.with_help(help).into(),
            None => message.into(),
        }
    }
}

/// The fault of a run in the file that it was read from.
pub fn in_run(fault: Fault, path: &str, read_as: Option<&'static str>) -> Failure {
    fault.in_file(path, read_as).into()
}
