//! Which format a file is in: the first row of the table that knows its start, or the one that the
//! user names.

use super::{FORMATS, Format, Position, ReadOptions, Refusal, Role, Sample, Source, trec, unknown_json};
use crate::error::{Fault, InputErrorKind};
use crate::id::escaped;

/// The format of a file by its content, without taking anything of it away. For a message about
/// arguments in the wrong order.
///
/// # Errors
/// When the file cannot be read, is empty, or is in no format that is known.
pub fn looks_like(source: &mut Source, position: Position) -> Result<&'static Format, Fault> {
    format(&source.sample(position)?, &ReadOptions::default())
}

/// The format that the user names, else the first that knows the start of the file.
pub(super) fn format(sample: &Sample, options: &ReadOptions) -> Result<&'static Format, Fault> {
    let position = sample.position();
    if let Some(name) = &options.format {
        return named(name, position);
    }
    let expected = expected(position);
    if sample.data_lines().next().is_none() {
        return match options.allow_empty && position == Position::Run {
            true => Ok(&trec::RUN),
            false => Err(Fault::of_file(InputErrorKind::Empty { expected })),
        };
    }
    let unknown = |seen| Fault::of_file(InputErrorKind::UnknownFormat { hint: hint(seen, position) });
    if let Some(seen) = no_text(sample) {
        return Err(unknown(seen));
    }
    let format = FORMATS.iter().copied().find(|format| (format.detect)(sample));
    let format = format.ok_or_else(|| unknown(seen(sample)))?;
    match sample.header().and_then(|header| header.ambiguity()) {
        Some(kind) if !matches!(format.role, Role::Neither(_)) => Err(Fault::of_file(kind)),
        _ => Ok(format),
    }
}

fn named(name: &str, position: Position) -> Result<&'static Format, Fault> {
    let fits = |format: &Format| match position {
        Position::Labels => format.labels.is_some(),
        Position::Run => format.run.is_some(),
    };
    let is_known = |format: &Format| !std::ptr::eq(format, &unknown_json::UNKNOWN);
    let mut here = FORMATS.iter().copied().filter(|format| fits(format) && is_known(format));
    here.clone().find(|format| format.name == name).ok_or_else(|| {
        let first = here.next().map_or(String::new(), |format| format.name.to_owned());
        let known = here.fold(first, |list, format| list + ", " + format.name);
        let (name, place) = (escaped(name.as_bytes()), expected(position));
        Fault::of_file(InputErrorKind::UnknownFormatName { name, place, known })
    })
}

/// What must stand in a place.
pub(super) fn expected(position: Position) -> &'static str {
    match position {
        Position::Labels => "labels",
        Position::Run => "a run",
    }
}

/// Why a format is not read in a place.
pub(super) fn refusal(format: &Format, expected: &'static str) -> Fault {
    Fault::of_file(match format.role {
        Role::Neither(Refusal { sentence, help }) => {
            InputErrorKind::Refused { format: Some(format.name), sentence: sentence.to_owned(), help: help.to_owned() }
        }
        _ => InputErrorKind::WrongRole { found: format.about.to_owned(), expected },
    })
}

/// Why a file is not text in lines, although some reader would make something of it.
fn no_text(sample: &Sample) -> Option<String> {
    let head = sample.head();
    if head.contains(&0) {
        return Some("it holds zero bytes: a binary file, or UTF-16 without a byte-order mark".to_owned());
    }
    let bare_returns = !sample.is_json() && !head.contains(&b'\n') && head.trim_ascii().contains(&b'\r');
    bare_returns.then(|| "its lines end in CR alone (`tr '\\r' '\\n'` mends that)".to_owned())
}

/// What was seen in a file of no known format.
fn seen(sample: &Sample) -> String {
    let first = sample.first_line();
    let in_each_line = |byte: &u8| sample.data_lines().all(|line| line.contains(byte));
    if sample.is_json() {
        return format!("it is JSON of an unknown shape, `{first}`");
    }
    if let Some(header) = sample.header() {
        return format!("it is a table with the columns {}", header.names().join(", "));
    }
    match [b';', b',', b'|'].into_iter().find(in_each_line) {
        Some(separator) => format!("it seems to be separated by `{}`, `{first}`", char::from(separator)),
        None => format!("it begins with `{first}`"),
    }
}

/// What was seen and what is expected instead, with an example.
fn hint(seen: String, position: Position) -> String {
    let (what, example, value) = match position {
        Position::Labels => ("labels", "TREC qrels (`q1 0 d12 1`)", "relevance"),
        Position::Run => ("runs", "TREC runs (`q1 Q0 d12 1 14.8 bm25`)", "score"),
    };
    format!("{seen}; {what} are {example}, tables with a header (`query_id,doc_id,{value}`) or JSON")
}
