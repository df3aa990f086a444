//! Documents that are one object of queries.

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
    let text = reader.source.text()?;
    // Comments and blank lines may stand above it.
    let start = Opening::default().pass_over(text.as_bytes());
    let first_line = 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..start]).count() as u64;
    let document = Document::new(&text[start..], first_line);
    take(document.root()?, &mut reader.log)
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
    let mut first_lines = FirstLines::default();
    for (key, value) in queries.entries("the text", "an object of queries")? {
        let query = key.id("query id").and_then(|query| first_lines.once(&query, key).map(|()| query));
        query.and_then(|query| take(&query, value, log)).or_else(|fault| log.skip(fault))?;
    }
    Ok(())
}
