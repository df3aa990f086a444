//! Notes and warnings: one a kind, with a count and the first few examples, never one a row.

use std::fmt;

/// How much a note matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Changes what the numbers mean.
    Warning,
}

/// What a note is about. The sentence is made from the count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoteKind {
    /// Lines or entries that were left out because they are faulty (`--on-error skip`).
    SkippedFaults,
    /// Queries of the labels that the run does not answer.
    MissingQueries,
    /// Queries of the run that have no labels.
    UnlabelledQueries,
    /// Queries without a relevant document.
    NoRelevant,
    /// Copies of a document that were dropped from a ranking.
    DroppedCopies,
    /// Judgments that repeat an earlier one.
    RepeatedJudgments,
    /// Queries in which equal scores stand on both sides of a reported cutoff.
    TiedAtCutoff,
    /// Queries in which the rank column contradicts the scores.
    RanksContradictScores,
    /// No document of the labels reaches the threshold of relevance.
    NothingReachesThreshold,
    /// Judgments with a negative grade.
    PooledNotJudged,
    /// A header line that was skipped.
    SkippedHeader,
    /// Text that was converted from UTF-16.
    ConvertedFromUtf16,
    /// Lines that were taken as comments.
    Comments,
    /// Results whose id is the id of their query.
    SelfRetrieved,
    /// Rows of labels without a grade, which count as relevant.
    NoGrades,
    /// A run without a single result.
    EmptyRun,
    /// No document of the run stands in the labels.
    NoDocumentInCommon,
}

/// One grouped message.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// What it is about.
    pub kind: NoteKind,
    /// The file or run that it is about.
    pub subject: String,
    /// How many times it happened.
    pub count: u64,
    /// The first three cases.
    pub examples: Vec<String>,
}

/// The notes of one command.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Notes(Vec<Note>);

impl Notes {
    /// Counts one case of a kind; the example is only made for the first three.
    pub fn add(&mut self, kind: NoteKind, subject: &str, example: impl FnOnce() -> String) {
        let position = self.0.iter().position(|note| note.kind == kind && note.subject == subject);
        let position = position.unwrap_or_else(|| {
            self.0.push(Note { kind, subject: subject.to_owned(), count: 0, examples: Vec::new() });
            self.0.len() - 1
        });
        let note = &mut self.0[position];
        note.count += 1;
        if note.examples.len() < 3 {
            note.examples.push(example());
        }
    }

    /// Takes over the notes of another part of the work, but none a second time: a file that is
    /// read as labels and as a run has its oddities once.
    pub fn extend(&mut self, other: Notes) {
        for note in other.0 {
            if !self.0.contains(&note) {
                self.0.push(note);
            }
        }
    }

    /// The notes in the order in which they first came up.
    pub fn iter(&self) -> impl Iterator<Item = &Note> {
        self.0.iter()
    }
}

impl NoteKind {
    /// The code by which `explain` and JSON know it.
    pub fn code(self) -> &'static str {
        match self {
            Self::SkippedFaults => "W001",
            Self::MissingQueries => "W003",
            Self::NothingReachesThreshold => "W004",
            Self::EmptyRun => "W005",
            Self::NoDocumentInCommon => "W006",
            Self::DroppedCopies => "W007",
            Self::RepeatedJudgments => "W008",
            Self::NoRelevant => "N001",
            Self::TiedAtCutoff => "N002",
            Self::UnlabelledQueries => "N003",
            Self::RanksContradictScores => "W009",
            Self::PooledNotJudged => "N005",
            Self::SkippedHeader => "N006",
            Self::ConvertedFromUtf16 => "N007",
            Self::Comments => "N008",
            Self::SelfRetrieved => "N010",
            Self::NoGrades => "N011",
        }
    }

    /// How much it matters.
    pub fn severity(self) -> Severity {
        if self.code().starts_with('W') { Severity::Warning } else { Severity::Note }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ×{}", self.subject, self.kind.code(), self.count)
    }
}
