//! Formats whose rows stand one to a line, read in blocks of whole lines, so that several threads can
//! each read blocks of their own. For a sink that scores them, a block ends where the query changes.
//!
//! A format joins by saying, as a [`LineFormat`], what the query of a line is and how a range of
//! lines is read, and by calling [`read`]. Everything that it finds counts lines from the start of
//! its range; here the ranges are put together as if one had been read after the other.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::cutter::{Blocks, Buffer};
use super::{FaultLog, Reader};
use crate::error::Fault;
use crate::run::{Parts, RunSink, Wants};

/// A format whose rows stand one to a line.
pub(super) trait LineFormat: Sync {
    /// The query of a line without its line end; `None` where it holds no row, or where that is
    /// not seen at a glance. Blocks are cut by it: a wrong answer costs time and changes nothing.
    fn query<'l>(&self, line: &'l [u8]) -> Option<&'l [u8]>;

    /// How far records of several lines reach in some lines; `None` where each line stands for
    /// itself.
    fn long_records(&self, _lines: &[u8]) -> Option<Reach> {
        None
    }

    /// Whether rows have a score and no place in a document.
    fn rows_are_scored(&self) -> Scored;

    /// Reads the lines of a text and says how many there are. `at_start` says whether a line with
    /// a row is still to come that is the first of the file, and is kept up to date.
    ///
    /// # Errors
    /// The first fault, unless faults are skipped.
    fn read(
        &self,
        text: Text<'_>,
        at_start: &mut bool,
        run: &mut dyn RunSink,
        log: &mut FaultLog,
    ) -> Result<u64, Fault>;

    /// Reads the lines of a block of which it is not known what stands before it; `None` where that
    /// must be known.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn read_part(&self, text: Text<'_>, run: &mut dyn RunSink, log: &mut FaultLog) -> Result<Option<u64>, Fault> {
        self.read(text, &mut false, run, log).map(Some)
    }
}

/// Which rows have a score and no place in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scored {
    /// Every row.
    Always,
    /// Every row, as far as is known.
    Probably,
    /// Not every row.
    NotAlways,
}

/// How far the records of some lines reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Reach {
    /// Where the last record ends that stands there to its end.
    pub whole: usize,
    /// Where the records of the last query begin; 0 when no other stands before it.
    pub last_query: usize,
}

/// Whole lines of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text<'t> {
    pub bytes: &'t [u8],
    /// How many lines stand before them, where that is known.
    pub lines_before: u64,
}

/// Reads a run, with as many threads as there are where the file is not small and the sink can
/// take rows in parts.
///
/// # Errors
/// The first fault of the file, unless faults are skipped.
pub(super) fn read(reader: &mut Reader, run: &mut dyn RunSink, format: &dyn LineFormat) -> Result<(), Fault> {
    let log = &mut reader.log;
    let mut blocks = Blocks::new(&mut reader.source, format);
    if let Some(parts) = parts_of(run, format) {
        blocks.suit(parts.wants());
    }
    let mut buffer = Buffer::default();
    let (mut lines, mut at_start) = (0, true);
    while blocks.next(&mut buffer).map_err(|fault| fault.moved_down(lines))?.is_some() {
        let text = Text { bytes: buffer.text(), lines_before: lines };
        lines += format.read(text, &mut at_start, run, log)?;
        if !at_start
            && !blocks.is_at_end()
            && parts_of(run, format).is_some()
            && read_in_parts(&mut blocks, std::mem::take(&mut buffer), lines, run, format, log)?
        {
            return Ok(());
        }
    }
    Ok(())
}

/// What takes the rows of a format in parts.
fn parts_of<'r>(run: &'r dyn RunSink, format: &dyn LineFormat) -> Option<&'r dyn Parts> {
    run.parts().filter(|parts| format.rows_are_scored() != Scored::NotAlways || !parts.wants().scores)
}

/// Reads the rest of a file, of which `lines` are read, as long as it can be taken in parts; says
/// whether all of it is read.
fn read_in_parts(
    blocks: &mut Blocks<'_>,
    mut buffer: Buffer,
    lines: u64,
    run: &dyn RunSink,
    format: &dyn LineFormat,
    log: &mut FaultLog,
) -> Result<bool, Fault> {
    while let Some(parts) = parts_of(run, format) {
        let mut wants = parts.wants();
        wants.keep |= wants.scores && format.rows_are_scored() == Scored::Probably && !blocks.can_be_reopened();
        blocks.suit(wants);
        let outcomes = Parallel { format, parts, wants, log: log.for_part() }.read(blocks, buffer);
        if wants.keep && parts.are_in_vain() {
            give_back(outcomes, blocks);
            buffer = Buffer::default();
            continue;
        }
        let starts = put_together(outcomes, lines, log)?;
        parts.begin_at(starts);
        return Ok(true);
    }
    Ok(false)
}

/// Gives the blocks of a text back, to be read in another way.
fn give_back(outcomes: Vec<Outcome>, blocks: &mut Blocks<'_>) {
    let (mut texts, mut unreadable) = (Vec::with_capacity(outcomes.len()), None);
    for Outcome { text, lines, .. } in outcomes {
        match lines {
            Err(fault) if text.is_empty() => unreadable = Some(fault),
            _ => texts.push(text),
        }
    }
    blocks.give_back(texts, unreadable);
}

/// Puts the logs of blocks together; says which line each of them begins on, by its number.
fn put_together(outcomes: Vec<Outcome>, mut lines: u64, log: &mut FaultLog) -> Result<HashMap<u64, u64>, Fault> {
    let mut starts = HashMap::with_capacity(outcomes.len());
    for outcome in outcomes {
        starts.insert(outcome.number, lines);
        log.absorb(outcome.log, lines);
        lines += outcome.lines.map_err(|fault| fault.moved_down(lines))?;
    }
    Ok(starts)
}

/// What the threads that read one file have in common.
struct Parallel<'a> {
    format: &'a dyn LineFormat,
    parts: &'a dyn Parts,
    wants: Wants,
    /// The empty log of a block.
    log: FaultLog,
}

/// What became of a block.
struct Outcome {
    number: u64,
    log: FaultLog,
    lines: Result<u64, Fault>,
    /// The block, where it is kept; empty where it could not be read.
    text: Vec<u8>,
}

impl Parallel<'_> {
    /// Reads the rest of a file; what became of its blocks, in their order.
    fn read(self, blocks: &mut Blocks<'_>, buffer: Buffer) -> Vec<Outcome> {
        let (blocks, outcomes, stop) = (Mutex::new(blocks), Mutex::default(), AtomicBool::new(false));
        let (this, blocks, outcomes, stop) = (&self, &blocks, &outcomes, &stop);
        rayon::scope(|scope| {
            for _ in 1..rayon::current_num_threads() {
                scope.spawn(move |_| this.work(blocks, Buffer::default(), outcomes, stop));
            }
            this.work(blocks, buffer, outcomes, stop);
        });
        let mut outcomes = std::mem::take(&mut *outcomes.lock().unwrap_or_else(PoisonError::into_inner));
        outcomes.sort_unstable_by_key(|outcome: &Outcome| outcome.number);
        outcomes
    }

    /// Takes and reads blocks until there are no more or one has a fault. Blocks are taken in their
    /// order, and one that is taken is read: so the first fault of the file is always found.
    fn work(
        &self,
        blocks: &Mutex<&mut Blocks<'_>>,
        mut buffer: Buffer,
        outcomes: &Mutex<Vec<Outcome>>,
        stop: &AtomicBool,
    ) {
        let mut part = self.parts.part();
        while !stop.load(Relaxed) {
            let mut log = self.log.for_part();
            let taken = blocks.lock().unwrap_or_else(PoisonError::into_inner).take(&mut buffer);
            let Some((number, read)) = taken else { return };
            let lines = read.and_then(|()| {
                part.begin_block(number);
                let text = Text { bytes: buffer.text(), lines_before: 0 };
                let lines = self.format.read_part(text, part.sink(), &mut log);
                part.end_block();
                lines
            });
            if let Ok(None) = lines {
                self.parts.give_up();
            }
            stop.fetch_or(!matches!(lines, Ok(Some(_))), Relaxed);
            let lines = lines.map(Option::unwrap_or_default);
            let text = if self.wants.keep { buffer.take() } else { Vec::new() };
            outcomes.lock().unwrap_or_else(PoisonError::into_inner).push(Outcome { number, log, lines, text });
        }
    }
}
