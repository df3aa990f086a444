//! Rows of a query and its results, one a line, from any range of lines.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::lister::Lister;
use super::searches::PlainSearch;
use super::{FirstLines, QUERY, QUERY_TEXT, SearchLayout, Searches, Sketch, glance, take_line};
use crate::error::Fault;
use crate::input::blocks::{LineFormat, Scored, Text};
use crate::input::{FaultLog, Sample, alike};
use crate::run::RunSink;

/// How the lines are read.
pub(super) struct SearchLines {
    layout: SearchLayout,
    /// Whether several lines may be of one query, as far as is known.
    has_steps: bool,
    /// The queries of the blocks that were read one behind the other.
    first_lines: Mutex<FirstLines>,
    /// What rows looked like in the first block of them.
    plain: OnceLock<PlainSearch>,
}

impl SearchLines {
    pub(super) fn new(layout: SearchLayout, sample: &Sample) -> Self {
        let has_steps = |sketch: &Sketch| sketch.rows().any(|row| row.has(&["step"]));
        let has_steps = layout.is_own && sample.json().is_some_and(has_steps);
        Self { layout, has_steps, first_lines: Mutex::default(), plain: OnceLock::new() }
    }

    /// Reads lines behind those of some queries.
    fn read_behind(
        &self,
        first_lines: &mut FirstLines,
        text: Text<'_>,
        at_start: &mut bool,
        run: &mut dyn RunSink,
        log: &mut FaultLog,
    ) -> Result<u64, Fault> {
        let mut searches = Searches::new(run, self.layout);
        searches.plain = self.plain.get().cloned();
        std::mem::swap(&mut searches.first_lines, first_lines);
        let read = read_lines(text, at_start, &mut searches, log);
        std::mem::swap(&mut searches.first_lines, first_lines);
        if let Some(plain) = searches.plain {
            self.plain.get_or_init(|| plain);
        }
        read
    }
}

impl LineFormat for SearchLines {
    fn query<'l>(&self, line: &'l [u8]) -> Option<&'l [u8]> {
        // A line that is a query of its own can be the last of a block.
        self.has_steps.then(|| glance(line, QUERY, QUERY_TEXT))?
    }

    fn rows_are_scored(&self) -> Scored {
        Scored::NotAlways
    }

    fn read(
        &self,
        text: Text<'_>,
        at_start: &mut bool,
        run: &mut dyn RunSink,
        log: &mut FaultLog,
    ) -> Result<u64, Fault> {
        let mut first_lines = self.first_lines.lock().unwrap_or_else(PoisonError::into_inner);
        self.read_behind(&mut first_lines, text, at_start, run, log)
    }

    /// A query of another block is found by who takes the rows. A row that is faulty may be one of a
    /// query that is known, and what is said of it depends on where it was before.
    fn read_part(&self, text: Text<'_>, run: &mut dyn RunSink, log: &mut FaultLog) -> Result<Option<u64>, Fault> {
        let read = self.read_behind(&mut FirstLines::default(), text, &mut false, run, log);
        Ok(read.ok().filter(|_| log.skipped() == 0))
    }
}

fn read_lines(
    text: Text<'_>,
    at_start: &mut bool,
    searches: &mut Searches<'_>,
    log: &mut FaultLog,
) -> Result<u64, Fault> {
    // Nothing but UTF-8 is JSON.
    let characters = std::str::from_utf8(text.bytes).ok();
    let (mut at, mut number, mut lister) = (0, text.lines_before, Lister::new());
    while at < text.bytes.len() {
        number += 1;
        let end = memchr::memchr(b'\n', &text.bytes[at..]).map_or(text.bytes.len(), |end| at + end + 1);
        let line = alike::line(text.bytes, at..end, number);
        let place = at..at + line.bytes.len();
        at = end;
        if log.sets_aside(line) {
            continue;
        }
        *at_start = false;
        let taken = characters.and_then(|all| searches.list(text, all, (place, number), &mut lister));
        let taken = taken.unwrap_or_else(|| take_line(line.bytes, number, log, searches));
        taken.or_else(|fault| log.skip(fault))?;
    }
    Ok(number - text.lines_before)
}
