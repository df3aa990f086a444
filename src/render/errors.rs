//! Errors as people see them: what is wrong, where, and how to go on.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};
use raglens::error::{Excerpt, InputError, InputErrorKind};
use raglens::id::escaped;

use super::paragraph::{WIDTH, wrap};
use super::style::{ERROR, NOTE, STRONG, paint};

/// How many characters of a long line are shown on each side of a fault.
const AROUND: usize = 30;

/// A failure in words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Message {
    title: String,
    details: Vec<String>,
    help: Option<String>,
}

impl Message {
    /// A failure in one sentence: lower case, without a full stop.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// The failure with a line that shows it.
    #[must_use]
    pub fn with_detail(mut self, line: impl Into<String>) -> Self {
        self.details.push(line.into());
        self
    }

    /// The failure with what to do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// A failure as text.
pub fn message(message: &Message) -> String {
    let mut text = format!("{}{}\n", paint(ERROR, "error"), paint(STRONG, &format!(": {}", message.title)));
    for line in &message.details {
        text.push_str(&format!("  {line}\n"));
    }
    if let Some(help) = &message.help {
        text.push_str(&help_line(help));
    }
    text
}

/// The line that says how to go on. A command in it stays in one piece.
fn help_line(help: &str) -> String {
    let plain = wrap(help, "  help: ", "        ");
    plain.replacen("  help", &format!("  {}", paint(NOTE, "help")), 1) + "\n"
}

/// What is wrong with a file, with the line at fault where it is known.
pub fn input(error: &InputError) -> String {
    let kind = error.kind();
    if error.line().is_none() {
        let title = format!("error[{}]", kind.code());
        let path = escaped(error.file().as_bytes());
        let text = format!("{}{}\n", paint(ERROR, &title), paint(STRONG, &format!(": {path}: {kind}")));
        return text + &note_line(error) + &help(error).map_or_else(String::new, |help| help_line(&help));
    }
    let title = kind.to_string();
    let group = Group::with_title(Level::ERROR.primary_title(title.as_str()).id(kind.code()));
    let group = group.element(origin(error)).elements(excerpt(error)).elements(advice(error));
    Renderer::styled().term_width(WIDTH).render(&[group]) + "\n"
}

fn note_line(error: &InputError) -> String {
    let read_as = error.read_as().map(|format| format!("  {}: read as {format}\n", paint(NOTE, "note")));
    read_as.unwrap_or_default()
}

fn origin(error: &InputError) -> Origin<'static> {
    let origin = Origin::path(escaped(error.file().as_bytes()));
    let origin = error.line().into_iter().fold(origin, |origin, line| origin.line(line as usize));
    error.column().into_iter().fold(origin, Origin::char_column)
}

fn excerpt(error: &InputError) -> Option<Element<'static>> {
    let Excerpt { text, span, .. } = error.excerpt()?;
    let [before, at, after] = [&text[..span.start], &text[span.clone()], &text[span.end..]].map(str::to_owned);
    let before = shown(&last_characters(&before));
    let at = shown(&first_characters(&at));
    let after = shown(&first_characters(&after));
    let place = before.len()..before.len() + at.len();
    let annotation = AnnotationKind::Primary.span(place).label(expected(error.kind()));
    let line = error.line().unwrap_or(1) as usize;
    Some(Snippet::source(before + &at + &after).line_start(line).annotation(annotation).into())
}

/// The text as it can be printed; tabs stay what they are to the eye.
fn shown(text: &str) -> String {
    text.split('\t').map(|part| escaped(part.as_bytes())).collect::<Vec<String>>().join(" ")
}

fn first_characters(text: &str) -> String {
    match text.char_indices().nth(AROUND) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

fn last_characters(text: &str) -> String {
    match text.char_indices().rev().nth(AROUND - 1) {
        Some((start, _)) if start > 0 => format!("...{}", &text[start..]),
        _ => text.to_owned(),
    }
}

/// What should have stood at the fault.
fn expected(kind: &InputErrorKind) -> Option<String> {
    match kind {
        InputErrorKind::NotANumber { .. } => Some("expected a number".to_owned()),
        InputErrorKind::OutOfRange { expected, .. } | InputErrorKind::WrongType { expected, .. } => {
            Some(format!("expected {expected}"))
        }
        InputErrorKind::BadId { .. } => Some("expected text or a whole number".to_owned()),
        _ => None,
    }
}

fn advice(error: &InputError) -> Vec<Element<'static>> {
    let read_as = error.read_as().map(|format| Level::NOTE.message(format!("read as {format}")).into());
    let help = help(error).map(|help| Level::HELP.message(wrap(&help, "", "")).into());
    [read_as, help].into_iter().flatten().collect()
}

/// How to go on.
fn help(error: &InputError) -> Option<String> {
    let help = match error.kind() {
        InputErrorKind::Unreadable { .. } | InputErrorKind::Directory => return None,
        InputErrorKind::Empty { expected } if expected.contains("run") => {
            "`--allow-empty` scores it: every measure is 0"
        }
        InputErrorKind::Container { command, .. } => command,
        InputErrorKind::Refused { help, .. } => help,
        InputErrorKind::UnknownFormat { .. } => "`--labels-format` and `--run-format` name a format",
        InputErrorKind::NotANumber { text, .. } if is_decimal_comma(text) => "numbers take a decimal point",
        InputErrorKind::DuplicateDocument { .. } => "`--duplicates first` keeps the best-ranked one",
        InputErrorKind::ConflictingLabels { .. } => "`--duplicate-labels max` or `last` decides",
        InputErrorKind::WrongRole { .. } => "labels come first, then runs: raglens eval LABELS RUN",
        _ if error.line().is_some() => "`--on-error skip` leaves such lines out and counts them",
        _ => return None,
    };
    Some(help.to_owned())
}

fn is_decimal_comma(text: &str) -> bool {
    text.contains(',') && text.replacen(',', ".", 1).parse::<f64>().is_ok()
}

/// What the operating system says, without its number.
pub fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}
