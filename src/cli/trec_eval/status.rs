//! How the command ends where it cannot print what was asked for: with the statuses of trec_eval.

use raglens::error::{InputError, InputErrorKind};
use raglens::id::{Id, escaped};
use raglens::input::Remedy;
use raglens::labels::Labels;

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::join;
use crate::cli::output::Output;
use crate::render::errors::Message;
use crate::render::listing::first;
use crate::render::{flags, queries};

/// Wrong usage, or a measure that there is not.
pub const USAGE: u8 = 1;
/// A file or a parameter that cannot be read.
pub const INPUT: u8 = 2;
/// A query that cannot be scored: missing with `--strict`, or a document twice.
pub const QUERY: u8 = 4;
/// No query at all.
pub const NO_QUERY: u8 = 7;
/// A file for `-Z` that cannot be read.
pub const ZSCORES: u8 = 255;

/// Why the command stops, and with which status.
#[derive(Debug)]
pub struct Stop {
    /// The exit status.
    pub status: u8,
    failure: Failure,
}

impl Stop {
    /// A failure in one sentence.
    pub fn new(status: u8, sentence: impl Into<String>) -> Self {
        Self { status, failure: Message::new(sentence).into() }
    }

    /// The failure with what to do about it.
    #[must_use]
    pub fn with_help(self, help: impl Into<String>) -> Self {
        let failure = match self.failure {
            Failure::Message(message) => message.with_help(help).into(),
            input => input,
        };
        Self { failure, ..self }
    }

    /// A fault of labels or of a run.
    pub fn input(error: InputError) -> Self {
        let status = match error.kind() {
            InputErrorKind::DuplicateDocument { .. }
            | InputErrorKind::ConflictingLabels { .. }
            | InputErrorKind::Contradiction { .. } => QUERY,
            _ => INPUT,
        };
        Self { status, failure: error.into() }
    }

    /// Queries of the labels without results, where they must have some.
    pub fn missing<'i>(run: &str, missing: impl Iterator<Item = &'i Id>) -> Self {
        let names: Vec<String> = missing.map(|query| format!("`{query}`")).collect();
        let (run, queries) = (escaped(run.as_bytes()), queries(names.len() as u64));
        Self::new(QUERY, format!("{run}: {queries} of the labels without results: {}", first(names, 3)))
            .with_help("-c counts them as 0; without --strict they are left out")
    }

    /// Judgments that stand twice in the labels.
    pub fn copies(labels: &str, copies: u64) -> Self {
        let sentence = match copies {
            1 => "1 judgment repeats an earlier one".to_owned(),
            copies => format!("{copies} judgments repeat earlier ones"),
        };
        Self::new(QUERY, format!("{}: {sentence}", escaped(labels.as_bytes())))
            .with_help("trec_eval stops here too; `raglens eval` counts them once")
    }

    /// Labels and a run without a query in both.
    pub fn nothing_in_common(labels: &Labels, of_run: &[Id], paths: [&str; 2]) -> Self {
        let (message, found) = join::both_sides(labels, of_run, paths);
        let flag = |remedy: Remedy| Some((remedy.cause, flags::mend(&remedy.mend?)));
        let message = match found.and_then(|found| found.remedy).and_then(flag) {
            Some((cause, flag)) => message.with_help(format!("{cause}; `raglens eval` can mend that:\n{flag}")),
            None => message,
        };
        Self { status: NO_QUERY, failure: message.into() }
    }

    /// What the command leaves behind.
    pub fn into_output(self) -> Output {
        Output { messages: self.failure.to_text_with(help), exit: Exit::Own(self.status), ..Output::default() }
    }
}

/// What to do about a fault, in the options of this command; `None` where what other commands say
/// is right.
fn help(kind: &InputErrorKind) -> Option<String> {
    match kind {
        InputErrorKind::NotANumber { .. } | InputErrorKind::NotWhole { .. } | InputErrorKind::OutOfRange { .. } => {
            Some("`--lenient` reads it as trec_eval does: up to where it stops being a number".to_owned())
        }
        InputErrorKind::Columns { found: 1, .. } => {
            Some("`raglens convert FILE --to trec` makes it of another layout; `raglens eval` reads most".to_owned())
        }
        kind if kind.is_of_one_row() => Some(String::new()),
        InputErrorKind::DuplicateDocument { .. } | InputErrorKind::ConflictingLabels { .. } => {
            Some("trec_eval stops here too; `raglens eval` can keep one of them".to_owned())
        }
        InputErrorKind::Empty { .. } => Some(String::new()),
        _ => None,
    }
}

impl Stop {
    /// The same with another status.
    #[must_use]
    pub fn with_status(self, status: u8) -> Self {
        Self { status, ..self }
    }
}
