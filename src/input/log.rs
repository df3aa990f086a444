//! What happens after a fault: stop, or count it and go on. Also where readers leave their notes.

use super::columns;
use super::lines::Line;
use crate::error::Fault;
use crate::id::escaped;
use crate::notes::{Note, NoteKind, Notes};

/// How many cases of a note are shown.
const EXAMPLES: usize = 3;

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

    /// Takes over more faults of the same kind, from behind these.
    fn extend(&mut self, count: u64, lines: impl Iterator<Item = u64>) {
        self.count += count;
        let missing = EXAMPLES - self.lines.len();
        self.lines.extend(lines.take(missing));
    }
}

/// Takes the faults and notes of one file, or of a part of it.
#[derive(Debug)]
pub struct FaultLog {
    subject: String,
    on_error: OnError,
    skipped: u64,
    faults: Vec<FaultCount>,
    entries: Vec<Entry>,
    /// What is noted only once.
    told: Vec<(NoteKind, String)>,
}

/// What is to be noted of one kind.
#[derive(Debug)]
struct Entry {
    kind: NoteKind,
    count: u64,
    /// The first three cases.
    cases: Vec<Case>,
}

#[derive(Debug)]
struct Case {
    line: Option<u64>,
    text: String,
}

impl FaultLog {
    /// A log for a file.
    pub fn new(path: &str, on_error: OnError) -> Self {
        let (faults, entries, told) = (Vec::new(), Vec::new(), Vec::new());
        Self { subject: path.to_owned(), on_error, skipped: 0, faults, entries, told }
    }

    /// An empty log for a part of the file.
    pub(super) fn for_part(&self) -> Self {
        Self::new(&self.subject, self.on_error)
    }

    /// Takes over the log of a part of the file that has `lines` before it. Parts come in order.
    pub(super) fn absorb(&mut self, part: Self, lines: u64) {
        self.skipped += part.skipped;
        for found in part.faults {
            let moved = found.lines.iter().map(|line| line + lines);
            self.faults_of(found.code, found.sentence).extend(found.count, moved);
        }
        for entry in part.entries {
            let known = self.entry(entry.kind);
            known.count += entry.count;
            let missing = EXAMPLES - known.cases.len();
            let moved = |case: Case| Case { line: case.line.map(|line| line + lines), ..case };
            known.cases.extend(entry.cases.into_iter().take(missing).map(moved));
        }
    }

    /// Takes the fault of one row: gives it back when the reading must stop, else counts it.
    ///
    /// # Errors
    /// The fault itself, unless faults are skipped.
    pub fn skip(&mut self, fault: Fault) -> Result<(), Fault> {
        self.skip_rows(fault, 1)
    }

    /// Takes a fault for which so many rows cannot be told apart.
    ///
    /// # Errors
    /// The fault itself, unless faults are skipped.
    pub(super) fn skip_rows(&mut self, fault: Fault, rows: u64) -> Result<(), Fault> {
        if self.on_error == OnError::Stop {
            return Err(fault);
        }
        self.skipped += rows;
        self.faults_of(fault.kind.code(), fault.kind.to_string()).extend(rows, fault.line.into_iter());
        self.add(NoteKind::SkippedFaults, rows, fault.line, || fault.kind.to_string());
        Ok(())
    }

    /// The faults of a kind that were left out so far.
    fn faults_of(&mut self, code: &'static str, sentence: String) -> &mut FaultCount {
        let kind = FaultCount::kind(&sentence);
        let place = self.faults.iter().position(|found| found.code == code && found.kind == kind);
        let place = place.unwrap_or_else(|| {
            self.faults.push(FaultCount { code, sentence, count: 0, lines: Vec::new(), kind });
            self.faults.len() - 1
        });
        &mut self.faults[place]
    }

    /// Counts a case of a note about the file.
    pub fn note(&mut self, kind: NoteKind, example: impl FnOnce() -> String) {
        self.add(kind, 1, None, example);
    }

    /// Counts a case of a note about the file that is the same wherever it stands, the first time.
    /// A part of a file does not know what other parts have told.
    pub(super) fn note_once(&mut self, kind: NoteKind, text: String) {
        let case = (kind, text);
        if !self.told.contains(&case) {
            self.note(kind, || case.1.clone());
            self.told.push(case);
        }
    }

    /// Counts a case of a note about a line.
    pub fn note_line(&mut self, kind: NoteKind, line: Line<'_>) {
        self.add(kind, 1, Some(line.number), || escaped(line.bytes));
    }

    /// Whether a line holds no row: it is blank, or a comment, which is counted.
    pub(super) fn sets_aside(&mut self, line: Line<'_>) -> bool {
        if line.bytes.first() == Some(&b'#') {
            self.comment(line);
            return true;
        }
        columns::is_empty(line.bytes)
    }

    /// Counts a line that was taken for a comment.
    pub fn comment(&mut self, line: Line<'_>) {
        self.note_line(NoteKind::Comments, line);
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
        let mut notes = Notes::default();
        for Entry { kind, count, cases } in self.entries {
            let examples = cases.into_iter().map(|Case { line, text }| match line {
                Some(line) => format!("line {line}: {text}"),
                None => text,
            });
            notes.add_note(Note { kind, subject: self.subject.clone(), count, examples: examples.collect() });
        }
        notes
    }

    fn add(&mut self, kind: NoteKind, count: u64, line: Option<u64>, text: impl FnOnce() -> String) {
        let entry = self.entry(kind);
        entry.count += count;
        if entry.cases.len() < EXAMPLES {
            entry.cases.push(Case { line, text: text() });
        }
    }

    fn entry(&mut self, kind: NoteKind) -> &mut Entry {
        let position = self.entries.iter().position(|entry| entry.kind == kind).unwrap_or(self.entries.len());
        if position == self.entries.len() {
            self.entries.push(Entry { kind, count: 0, cases: Vec::new() });
        }
        &mut self.entries[position]
    }
}
