//! Why a command cannot do what it was asked for.

use raglens::error::{Fault, InputError};
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
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Self::Input(error)
    }
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
