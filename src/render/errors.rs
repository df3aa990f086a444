//! Errors as people see them: what is wrong, where, and how to go on.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};
use anstream::adapter::strip_str;
use raglens::error::{Excerpt, InputError, InputErrorKind};
use raglens::id::escaped;
use unicode_width::UnicodeWidthStr;

use super::flags;
use super::paragraph::{WIDTH, beginning, fitting, printable, shortened, wrap};
use super::style::{ERROR, NOTE, STRONG, paint};

/// How many columns of a long line are shown of a fault, and at most on each side of it.
const AROUND: usize = 33;
/// What stands for the rest of a line.
const CUT: &str = "...";

/// The longest sentence that is shown in full.
const LONGEST_SENTENCE: usize = 600;

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
    let mut text = headline("error", &message.title);
    for line in &message.details {
        text.push_str(&(detail(line) + "\n"));
    }
    if let Some(help) = &message.help {
        text.push_str(&help_line(help));
    }
    text
}

/// A line that shows the failure; as it stands where it fits, and of an endless list the beginning.
fn detail(line: &str) -> String {
    let line = beginning(&printable(line), LONGEST_SENTENCE, "...");
    if line.width() + 2 <= WIDTH { format!("  {line}") } else { wrap(&line, "  ", "    ") }
}

/// `error: what is wrong`, cut where what a person typed makes it endless.
fn headline(word: &str, sentence: &str) -> String {
    let plain = wrap(&shortened(sentence, LONGEST_SENTENCE, "..."), &format!("{word}: "), "  ");
    let mut lines = plain[word.len()..].lines().map(|line| paint(STRONG, line) + "\n");
    paint(ERROR, word) + &lines.next().unwrap_or_default() + &lines.collect::<String>()
}

/// What the parser of the command line has to say about wrong usage: its own lines, each of which
/// is made to fit.
pub fn usage(text: &str) -> String {
    let fitted = |line: &str| match line.strip_prefix("error: ") {
        Some(sentence) => headline("error", sentence),
        None if line.width() <= WIDTH => printable(line) + "\n",
        None => wrap(line.trim_start(), &line[..line.len() - line.trim_start().len()], "    ") + "\n",
    };
    text.lines().map(fitted).collect()
}

/// The line that says how to go on. A command stands in a line of its own and in one piece.
fn help_line(help: &str) -> String {
    let (sentence, commands) = help.split_once('\n').unwrap_or((help, ""));
    let plain = wrap(&beginning(sentence, LONGEST_SENTENCE, "..."), "  help: ", "        ");
    let commands: String = commands.lines().map(|command| format!("          {}\n", printable(command))).collect();
    plain.replacen("  help", &format!("  {}", paint(NOTE, "help")), 1) + "\n" + &commands
}

/// What is wrong with a file, with the line at fault where it is known.
pub fn input(error: &InputError) -> String {
    input_with(error, help(error))
}

/// The same with another way to go on.
pub fn input_with(error: &InputError, help: Option<String>) -> String {
    let kind = error.kind();
    if error.line().is_none() {
        let sentence = format!("{}: {}", escaped(error.file().as_bytes()), without_number(&kind.to_string()));
        let help = help.map_or_else(String::new, |help| help_line(&help));
        return headline(&format!("error[{}]", kind.code()), &sentence) + &note_line(error) + &help;
    }
    let indent = format!("error[{}]: ", kind.code()).len();
    let title = beside(&shortened(&kind.to_string(), LONGEST_SENTENCE, "..."), indent);
    let group = Group::with_title(Level::ERROR.primary_title(title.as_str()).id(kind.code()));
    let group = group.element(origin(error)).elements(excerpt(error)).elements(advice(error, help));
    let text = without_continuation(&Renderer::styled().term_width(WIDTH).render(&[group]));
    if error.excerpt().is_some() { text } else { beside_a_number(&text) }
}

/// The lines under the title where they stand when a line is shown, with its number before it.
fn beside_a_number(text: &str) -> String {
    let mut lines = text.lines();
    let title = lines.by_ref().take_while(|line| !strip_str(line).to_string().starts_with("-->"));
    let title: Vec<&str> = title.collect();
    let rest = text.lines().skip(title.len()).map(|line| format!(" {line}\n"));
    title.into_iter().map(|line| format!("{line}\n")).chain(rest).collect()
}

/// The snippet without the line that says that it goes on in the same file: the place in the line
/// above it is that of the whole text, not of the part that is shown.
fn without_continuation(text: &str) -> String {
    let is_kept = |line: &&str| strip_str(line).to_string().trim() != ":::";
    text.lines().filter(is_kept).map(|line| format!("{line}\n")).collect()
}

fn note_line(error: &InputError) -> String {
    let says_so = matches!(error.kind(), InputErrorKind::WrongRole { .. });
    let read_as = error.read_as().filter(|_| !says_so).map(|format| {
        let plain = wrap(&format!("read as {format}"), "  note: ", "        ");
        plain.replacen("  note", &format!("  {}", paint(NOTE, "note")), 1) + "\n"
    });
    read_as.unwrap_or_default()
}

fn origin(error: &InputError) -> Origin<'static> {
    let origin = Origin::path(escaped(error.file().as_bytes()));
    let origin = error.line().into_iter().fold(origin, |origin, line| origin.line(line as usize));
    error.column().into_iter().fold(origin, Origin::char_column)
}

fn excerpt(error: &InputError) -> Option<Element<'static>> {
    let Excerpt { text, span, .. } = error.excerpt()?;
    let [before, at, after] = [&text[..span.start], &text[span.clone()], &text[span.end..]].map(shown);
    let (line, label) = (error.line().unwrap_or(1) as usize, expected(error.kind()));
    // The number of the line and the bar behind it; the label stands behind the fault, a line below.
    let room = WIDTH.saturating_sub(line.to_string().len() + 3);
    let at = start(&at, AROUND);
    let beside = room.saturating_sub(at.width());
    let behind = label.as_ref().map_or(0, |label| label.width() + 1);
    let before = end(&before, AROUND.min(beside.saturating_sub(behind.max(after.width().min(beside / 2)))));
    let after = start(&after, AROUND.min(beside.saturating_sub(before.width())));
    let place = before.len()..before.len() + at.len();
    let annotation = AnnotationKind::Primary.span(place).label(label);
    Some(Snippet::source(before + &at + &after).line_start(line).annotation(annotation).into())
}

/// The text as it can be printed; tabs stay what they are to the eye.
fn shown(text: &str) -> String {
    text.split('\t').map(|part| escaped(part.as_bytes())).collect::<Vec<String>>().join(" ")
}

/// The start of a text in so many columns.
fn start(text: &str, room: usize) -> String {
    if text.width() <= room { text.to_owned() } else { fitting(text.chars(), room.saturating_sub(CUT.len())) + CUT }
}

/// The end of a text in so many columns.
fn end(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let backwards = fitting(text.chars().rev(), room.saturating_sub(CUT.len()));
    CUT.to_owned() + &backwards.chars().rev().collect::<String>()
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

fn advice(error: &InputError, help: Option<String>) -> Vec<Element<'static>> {
    let says_so = matches!(error.kind(), InputErrorKind::WrongRole { .. });
    let read_as = error
        .read_as()
        .filter(|_| !says_so)
        .map(|format| Level::NOTE.message(beside(&format!("read as {format}"), 12)).into());
    let help = help.map(|help| Level::HELP.message(beside(&help, 12)).into());
    [read_as, help].into_iter().flatten().collect()
}

/// A sentence in lines that fit behind so many columns.
fn beside(sentence: &str, columns: usize) -> String {
    let indent = " ".repeat(columns);
    let text = wrap(sentence, &indent, &indent);
    text.lines().map(str::trim).collect::<Vec<&str>>().join("\n")
}

/// How to go on.
pub fn help(error: &InputError) -> Option<String> {
    let by_role = match error.kind() {
        InputErrorKind::WrongRole { expected: "labels" | "a run", .. } => {
            Some("labels come first, then runs:\nraglens eval LABELS RUN".to_owned())
        }
        _ => None,
    };
    by_role.or_else(|| flags::help(error.kind()))
}

/// What the operating system says, without its number.
pub fn reason(error: &std::io::Error) -> String {
    without_number(&error.to_string())
}

/// A sentence about a file without the number that the operating system gives it.
pub fn reason_of(sentence: &str) -> String {
    without_number(sentence)
}

fn without_number(text: &str) -> String {
    text.split(" (os error").next().unwrap_or(text).to_owned()
}
