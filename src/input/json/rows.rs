//! Rows: one object a line (JSONL), a list of objects, or one object alone.

use std::io::Read;

use super::dict::first_row;
use super::entry::TakePiece;
use super::pieces::{WINDOW, Window};
use super::split::Parts;
use super::{Document, Kind, Node, Record};
use crate::error::Fault;
use crate::input::{FaultLog, Lines, Reader, Sample};

/// What takes the rows of a file.
pub(in crate::input) trait TakeRow {
    /// Takes a line if it is so plain that nothing about it needs a second look; `None` for any
    /// other. A fault gets its place later.
    fn plain(&mut self, line: &[u8], number: u64) -> Option<Result<(), Fault>>;

    /// Takes a row.
    ///
    /// # Errors
    /// When it is faulty.
    fn row(&mut self, row: &Record<'_>, log: &mut FaultLog) -> Result<(), Fault>;
}

/// Takes every row in the same way.
struct Alike<F>(F);

impl<F: FnMut(&Record<'_>, &mut FaultLog) -> Result<(), Fault>> TakeRow for Alike<F> {
    fn plain(&mut self, _: &[u8], _: u64) -> Option<Result<(), Fault>> {
        None
    }

    fn row(&mut self, row: &Record<'_>, log: &mut FaultLog) -> Result<(), Fault> {
        self.0(row, log)
    }
}

/// Hands out the rows of a file one by one; lines of a JSONL file are never held together.
///
/// A fault that `take` gives back costs the whole row when faults are skipped.
///
/// # Errors
/// The first fault, unless faults are skipped; a text that is no JSON at all.
pub(in crate::input) fn each_row(
    reader: &mut Reader,
    take: impl FnMut(&Record<'_>, &mut FaultLog) -> Result<(), Fault>,
) -> Result<(), Fault> {
    each_row_of(reader, &mut Alike(take))
}

/// The same for lines of which most are plain.
///
/// # Errors
/// As [`each_row`].
pub(in crate::input) fn each_row_of(reader: &mut Reader, take: &mut dyn TakeRow) -> Result<(), Fault> {
    let Reader { source, sample, log, .. } = reader;
    if !sample.data_lines().next().is_some_and(|line| line.trim_ascii_start().starts_with(b"[")) {
        return each_line(source.lines(), log, take);
    }
    let first = source.take_first(WINDOW)?;
    let (start, first_line) = first_row(&first);
    if first.len() == WINDOW && first[start..].trim_ascii_start().starts_with(b"[") {
        let mut opening = &first[..start];
        each_line(Lines::new(&mut opening), log, take)?;
        if let Some(window) = Window::new(first[start..].to_vec(), first_line, source, WINDOW) {
            return window.each(&mut Values { take, log });
        }
    }
    let mut text = first.chain(source);
    each_line(Lines::new(&mut text).of_any_length(), log, take)
}

fn each_line(mut lines: Lines<'_>, log: &mut FaultLog, take: &mut dyn TakeRow) -> Result<(), Fault> {
    let mut is_first = true;
    while let Some(line) = lines.next_line()? {
        if log.sets_aside(line) {
            continue;
        }
        if is_first && goes_on(line.bytes) {
            let (start, number) = (line.bytes.to_vec(), line.number);
            return each_of(&rest(start, &mut lines)?, number, log, take);
        }
        is_first = false;
        take_line(line.bytes, line.number, log, take).or_else(|fault| log.skip(fault))?;
    }
    Ok(())
}

/// Takes the values of a long list of rows.
struct Values<'a> {
    take: &'a mut dyn TakeRow,
    log: &'a mut FaultLog,
}

impl TakePiece for Values<'_> {
    fn plain(&mut self, value: &str, line: u64) -> Option<Result<(), Fault>> {
        self.take.plain(value.as_bytes(), line)
    }

    fn piece(&mut self, _: Option<Node<'_>>, value: Node<'_>) -> Result<(), Fault> {
        self.take.row(&value.record()?, self.log)
    }

    fn skip(&mut self, fault: Fault) -> Result<(), Fault> {
        self.log.skip(fault)
    }
}

/// Whether each line of a text that begins as its sample does is a row of its own.
pub(in crate::input) fn is_row_a_line(sample: &Sample) -> bool {
    sample.data_lines().next().is_some_and(|line| line.trim_ascii_start().starts_with(b"{") && !goes_on(line))
}

/// The value of the first of some names in a line, or else of others, as it is written between
/// quotes; it is not looked at more closely.
pub(in crate::input) fn glance<'l>(line: &'l [u8], names: &[&str], others: &[&str]) -> Option<&'l [u8]> {
    let text = std::str::from_utf8(line).ok()?.trim_ascii();
    let mut parts = Parts::of(text.starts_with('{').then_some(text)?).map(|part| part.trim_matches('"'));
    let mut other = None;
    while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
        if names.contains(&key) {
            return Some(value.as_bytes());
        }
        other = other.or_else(|| others.contains(&key).then_some(value));
    }
    other.map(str::as_bytes)
}

/// Whether a first line is only the beginning of a document.
fn goes_on(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    line.starts_with(b"[") || serde_json::from_slice::<serde::de::IgnoredAny>(line).is_err_and(|error| error.is_eof())
}

fn rest(mut text: Vec<u8>, lines: &mut Lines<'_>) -> Result<Vec<u8>, Fault> {
    while let Some(line) = lines.next_line()? {
        text.push(b'\n');
        text.extend_from_slice(line.bytes);
    }
    Ok(text)
}

/// Takes a line that is a row.
///
/// # Errors
/// When it is none, or faulty.
pub(in crate::input) fn take_line(
    line: &[u8],
    number: u64,
    log: &mut FaultLog,
    take: &mut dyn TakeRow,
) -> Result<(), Fault> {
    let taken = take.plain(line, number);
    if let Some(Ok(())) = taken {
        return Ok(());
    }
    let document = Document::new(utf8(line, number)?, number);
    let row = document.record()?;
    match taken {
        Some(taken) => taken.map_err(|fault| row.node.locate(fault)),
        None => take.row(&row, log),
    }
}

fn each_of(text: &[u8], first_line: u64, log: &mut FaultLog, take: &mut dyn TakeRow) -> Result<(), Fault> {
    let document = Document::new(utf8(text, first_line)?, first_line);
    let root = document.root()?;
    let rows = if root.kind() == Kind::Object { vec![root] } else { root.list("the text", "rows")? };
    for row in rows {
        row.record().and_then(|row| take.row(&row, log)).or_else(|fault| log.skip(fault))?;
    }
    Ok(())
}

/// Text that must be UTF-8, as all JSON must.
fn utf8(bytes: &[u8], first_line: u64) -> Result<&str, Fault> {
    std::str::from_utf8(bytes).map_err(|error| Fault::not_utf8(bytes, error.valid_up_to(), first_line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::InputErrorKind;
    use crate::input::{OnError, Position, ReadOptions, Source};

    fn read(text: &[u8], on_error: OnError) -> Result<(Vec<(u64, String)>, u64), Fault> {
        let mut source = Source::from_bytes("f", text.to_vec());
        let sample = source.sample(Position::Labels)?;
        let log = FaultLog::new("f", on_error);
        let mut reader = Reader { source, sample, log, options: ReadOptions::default() };
        let mut ids = Vec::new();
        each_row(&mut reader, |row, _| {
            ids.push((row.node.line(), row.need(&["id"], "`id`")?.id("id")?.into_owned()));
            Ok(())
        })?;
        Ok((ids, reader.log.skipped()))
    }

    fn ids(text: &[u8]) -> Vec<(u64, String)> {
        read(text, OnError::Stop).unwrap().0
    }

    #[test]
    fn rows_come_as_lines_as_a_list_or_alone() {
        let expected = [(2, "a".to_owned()), (4, "b".to_owned())];
        assert_eq!(ids(b"\n{\"id\":\"a\"}\r\n\n {\"id\":\"b\"}"), expected);
        assert_eq!(ids(b"[\n{\"id\":\"a\"},\n\n{\"id\":\"b\"}]\n"), expected);
        assert_eq!(ids(b"\n\n{\n\"id\":\n\"a\"}"), [(3, "a".to_owned())]);
        assert_eq!(ids(b"# made by hand\n{\"id\":1}"), [(2, "1".to_owned())]);
        assert_eq!(ids(b"[]"), []);
        assert_eq!(ids(b""), []);
    }

    #[test]
    fn a_faulty_line_is_reported_or_skipped() {
        let text = b"{\"id\":1}\n{\"id\":2\n{\"id\":\"caf\xe9\"}\n7\n{\"id\":5}";
        let fault = read(text, OnError::Stop).unwrap_err();
        assert_eq!(fault.line, Some(2));
        let (ids, skipped) = read(text, OnError::Skip).unwrap();
        assert_eq!((ids.len(), skipped), (2, 3));
    }

    #[test]
    fn bytes_that_are_not_utf8_have_their_line() {
        let fault = read(b"[{\"id\":1},\n {\"id\":\"caf\xe9\"}]", OnError::Stop).unwrap_err();
        assert_eq!((*fault.kind, fault.line), (InputErrorKind::NotUtf8, Some(2)));
        assert_eq!(fault.excerpt.unwrap().span.start, 11);
    }
}
