//! Notes and warnings: one a kind, with a count and the first few examples, never one a row.

mod kinds;

pub use kinds::{NoteKind, Severity};

use std::fmt;

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

    /// Counts many cases of a kind at once, of which the first three are shown; none is no note.
    pub fn add_all<T: ToString>(&mut self, kind: NoteKind, subject: &str, cases: impl IntoIterator<Item = T>) {
        for case in cases {
            self.add(kind, subject, || case.to_string());
        }
    }

    /// Adds a note that has a count and no examples; 0 is no note.
    pub fn add_count(&mut self, kind: NoteKind, subject: &str, count: u64) {
        self.add_note(Note { kind, subject: subject.to_owned(), count, examples: Vec::new() });
    }

    /// Adds a note as it is; one that counts nothing is no note.
    pub fn add_note(&mut self, note: Note) {
        if note.count > 0 {
            self.0.push(note);
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

    /// The notes of some kinds.
    #[must_use]
    pub fn only(self, keep: impl Fn(NoteKind) -> bool) -> Self {
        Self(self.0.into_iter().filter(|note| keep(note.kind)).collect())
    }

    /// The notes in the order in which they first came up.
    pub fn iter(&self) -> impl Iterator<Item = &Note> {
        self.0.iter()
    }
}

impl fmt::Display for Note {
    /// One sentence without a full stop, with the first examples behind it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}{}", self.subject, self.sentence(), self.cases())
    }
}

impl Note {
    /// What happened, with its count.
    pub fn sentence(&self) -> String {
        self.kind.sentence(self.count)
    }

    /// The first examples behind a colon, with dots for others, or how many more there are than
    /// one; empty where there are none.
    pub fn cases(&self) -> String {
        let others = match (self.examples.len() as u64, self.count) {
            (0, _) => return String::new(),
            (1, count) if count > 1 => format!(" (and {} more)", count - 1),
            (shown, count) if count > shown => ", ...".to_owned(),
            _ => String::new(),
        };
        format!(": {}{others}", self.examples.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_one_sentence_with_three_examples() {
        let mut notes = Notes::default();
        for query in ["q1", "q2", "q3", "q4"] {
            notes.add(NoteKind::UnlabelledQueries, "bm25", || query.to_owned());
        }
        notes.add(NoteKind::UnlabelledQueries, "dense", || "q1".to_owned());
        let texts: Vec<String> = notes.iter().map(Note::to_string).collect();
        assert_eq!(texts[0], "bm25: 4 queries have no labels and are ignored: q1, q2, q3, ...");
        assert_eq!(texts[1], "dense: 1 query has no labels and is ignored: q1");
        let one =
            Note { count: 3, examples: vec!["line 2: is faulty".to_owned()], ..notes.iter().next().unwrap().clone() };
        assert_eq!(one.cases(), ": line 2: is faulty (and 2 more)");
    }
}
