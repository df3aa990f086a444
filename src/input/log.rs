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

/// Faults of one kind that were left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultCount {
    /// The code by which `explain` knows the kind.
    pub code: &'static str,
    /// The first of them in a sentence.
    pub sentence: String,
    /// How many there are.
    pub count: u64,
    /// Where the first three stand.
    pub lines: Vec<u64>,
    kind: String,
}

impl FaultCount {
    /// What faults of one kind have in common: the sentence without what was read, which stands in
    /// backquotes, and without numbers.
    fn kind(sentence: &str) -> String {
        let outside = sentence.split('`').step_by(2);
        outside.flat_map(str::chars).filter(|character| !character.is_ascii_digit()).collect()
    }
}

/// Takes the faults and notes of one file.
#[derive(Debug)]
pub struct FaultLog {
    subject: String,
    on_error: OnError,
    skipped: u64,
    faults: Vec<FaultCount>,
    notes: Notes,
}

impl FaultLog {
    /// A log for a file.
    pub fn new(path: &str, on_error: OnError) -> Self {
        Self { subject: path.to_owned(), on_error, skipped: 0, faults: Vec::new(), notes: Notes::default() }
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
        self.count(&fault);
        self.notes.add(NoteKind::SkippedFaults, &self.subject, || match fault.line {
            Some(line) => format!("line {line}: {}", fault.kind),
            None => fault.kind.to_string(),
        });
        Ok(())
    }

    fn count(&mut self, fault: &Fault) {
        let (code, sentence) = (fault.kind.code(), fault.kind.to_string());
        let kind = FaultCount::kind(&sentence);
        let place = self.faults.iter().position(|found| found.code == code && found.kind == kind);
        let place = place.unwrap_or_else(|| {
            self.faults.push(FaultCount { code, sentence, count: 0, lines: Vec::new(), kind });
            self.faults.len() - 1
        });
        let found = &mut self.faults[place];
        found.count += 1;
        if found.lines.len() < 3 {
            found.lines.extend(fault.line);
        }
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

    /// The rows that were left out, by what is wrong with them.
    pub fn faults(&self) -> &[FaultCount] {
        &self.faults
    }

    /// The notes of the file.
    pub fn into_notes(self) -> Notes {
        self.notes
    }
}
