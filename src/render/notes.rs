//! Notes and warnings on standard error: one line a kind.

use std::time::Duration;

use raglens::notes::{Note, Notes, Severity};

use super::eval::report::FilePart;
use super::number::fixed;
use super::paragraph::wrap;
use super::style::{NOTE, WARNING, paint};

/// The notes as text, warnings first.
pub fn to_text(notes: &Notes) -> String {
    let mut sorted: Vec<&Note> = notes.iter().collect();
    sorted.sort_by_key(|note| std::cmp::Reverse(note.kind.severity()));
    sorted.into_iter().map(line).collect()
}

/// What a file was read as.
pub fn read_as(file: &FilePart) -> String {
    let path = if file.path == "-" { "standard input" } else { &file.path };
    let packed = file.packed.map_or_else(String::new, |packed| format!(" ({packed})"));
    let text = format!("{path}{packed} is read as {}", file.read_as);
    let plain = wrap(&text, "file: ", "  ");
    plain.replacen("file", &paint(NOTE, "file"), 1) + "\n"
}

/// How long a command took.
pub fn time(time: Duration) -> String {
    format!("{}: {} s\n", paint(NOTE, "time"), fixed(time.as_secs_f64(), 3))
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
