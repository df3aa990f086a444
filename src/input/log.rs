//! What happens after a fault: stop, or count it and go on. Also where readers leave their notes.

use super::lines::Line;
use crate::error::Fault;
use crate::id::escaped;
use crate::notes::{NoteKind, Notes};

/// What happens after a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnError {
    /// The first fault ends the reading.
    #[default]
    Stop,
    /// Faulty rows are left out and counted.
    Skip,
}

/// Takes the faults and notes of one file.
#[derive(Debug)]
pub struct FaultLog {
    subject: String,
    on_error: OnError,
    skipped: u64,
    notes: Notes,
}

impl FaultLog {
    /// A log for a file.
    pub fn new(path: &str, on_error: OnError) -> Self {
        Self { subject: path.to_owned(), on_error, skipped: 0, notes: Notes::default() }
    }

    /// Takes the fault of one row: gives it back when the reading must stop, else counts it.
    ///
    /// # Errors
    /// The fault itself, unless faults are skipped.
    pub fn skip(&mut self, fault: Fault) -> Result<(), Fault> {
        if self.on_error == OnError::Stop {
            return Err(fault);
        }
        self.skipped += 1;
        self.notes.add(NoteKind::SkippedFaults, &self.subject, || match fault.line {
            Some(line) => format!("line {line}: {}", fault.kind),
            None => fault.kind.to_string(),
        });
        Ok(())
    }

    /// Counts a case of a note about the file.
    pub fn note(&mut self, kind: NoteKind, example: impl FnOnce() -> String) {
        self.notes.add(kind, &self.subject, example);
    }

    /// Counts a line that was taken for a comment.
    pub fn comment(&mut self, line: Line<'_>) {
        self.note(NoteKind::Comments, || format!("line {}: {}", line.number, escaped(line.bytes)));
    }

    /// How many rows were left out.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// The notes of the file.
    pub fn into_notes(self) -> Notes {
        self.notes
    }
}
