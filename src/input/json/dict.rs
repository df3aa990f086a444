//! Documents that are one object of queries.

use super::pieces::{TakePiece, WINDOW, Window};
use super::{Document, FirstLines, Node};
use crate::error::Fault;
use crate::input::opening::Opening;
use crate::input::{FaultLog, Reader};

/// Reads the whole text as one value.
///
/// # Errors
/// When the text is not JSON, and what `take` gives back.
pub(in crate::input) fn whole(
    reader: &mut Reader,
    take: impl FnOnce(Node<'_>, &mut FaultLog) -> Result<(), Fault>,
) -> Result<(), Fault> {
    whole_behind(Vec::new(), reader, take)
}

fn whole_behind(
    first: Vec<u8>,
    reader: &mut Reader,
    take: impl FnOnce(Node<'_>, &mut FaultLog) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let text = reader.source.text_behind(first)?;
    let (start, first_line) = first_row(text.as_bytes());
    let document = Document::new(&text[start..], first_line);
    take(document.root()?, &mut reader.log)
}

/// Where the first line with a row starts, and its number: comments and blank lines may stand above
/// it.
pub(super) fn first_row(text: &[u8]) -> (usize, u64) {
    let start = Opening::default().pass_over(text);
    (start, 1 + memchr::memchr_iter(b'\n', &text[..start]).count() as u64)
}

/// Hands out the entries of a text that is an object of queries, each query once, without holding
/// more than a few of them.
///
/// A fault that `take` gives back costs the whole query when faults are skipped.
///
/// # Errors
/// When the text is no such object; the first fault, unless faults are skipped.
pub(in crate::input) fn each_query_of(
    reader: &mut Reader,
    mut take: impl FnMut(&str, Node<'_>, &mut FaultLog) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let first = reader.source.take_first(WINDOW)?;
    let (start, first_line) = first_row(&first);
    let is_object = first[start..].trim_ascii_start().starts_with(b"{");
    if first.len() < WINDOW || !is_object {
        return whole_behind(first, reader, |root, log| each_query(root, log, take));
    }
    let Reader { source, log, .. } = reader;
    match Window::new(first[start..].to_vec(), first_line, source, WINDOW) {
        Some(window) => window.each(&mut Queries { first_lines: FirstLines::default(), log, take: &mut take }),
        None => Ok(()),
    }
}

/// Hands out the entries of an object of queries, each query once.
///
/// A fault that `take` gives back costs the whole query when faults are skipped.
///
/// # Errors
/// When the value is no object; the first fault, unless faults are skipped.
pub(in crate::input) fn each_query(
    queries: Node<'_>,
    log: &mut FaultLog,
    mut take: impl FnMut(&str, Node<'_>, &mut FaultLog) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let entries = queries.entries("the text", "an object of queries")?;
    let mut queries = Queries { first_lines: FirstLines::default(), log, take: &mut take };
    entries
        .into_iter()
        .try_for_each(|(key, value)| queries.piece(Some(key), value).or_else(|fault| queries.skip(fault)))
}

/// Takes the entries of an object of queries.
struct Queries<'a> {
    first_lines: FirstLines,
    log: &'a mut FaultLog,
    take: &'a mut dyn FnMut(&str, Node<'_>, &mut FaultLog) -> Result<(), Fault>,
}

impl TakePiece for Queries<'_> {
    fn piece(&mut self, key: Option<Node<'_>>, value: Node<'_>) -> Result<(), Fault> {
        let key = key.unwrap_or(value);
        let query = key.id("query id")?;
        self.first_lines.once(&query, key)?;
        (self.take)(&query, value, self.log)
    }

    fn skip(&mut self, fault: Fault) -> Result<(), Fault> {
        self.log.skip(fault)
    }
}
