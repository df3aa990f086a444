//! Notes and warnings on standard error: one line a kind.

use raglens::notes::{Note, Notes, Severity};

use super::paragraph::wrap;
use super::style::{NOTE, WARNING, paint};

/// The notes as text, warnings first.
pub fn to_text(notes: &Notes) -> String {
    let mut sorted: Vec<&Note> = notes.iter().collect();
    sorted.sort_by_key(|note| std::cmp::Reverse(note.kind.severity()));
    sorted.into_iter().map(line).collect()
}

fn line(note: &Note) -> String {
    let (word, style) = match note.kind.severity() {
        Severity::Warning => ("warning", WARNING),
        Severity::Note => ("note", NOTE),
    };
    let head = format!("{word}[{}]", note.kind.code());
    let plain = wrap(&note.to_string(), &format!("{head}: "), "  ");
    paint(style, &head) + &plain[head.len()..] + "\n"
}
