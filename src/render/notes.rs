//! Notes and warnings on standard error: one line a kind.

use std::time::Duration;

use raglens::input::FileProgress;
use raglens::notes::{Note, Notes, Severity};

use super::eval::report::FilePart;
use super::flags;
use super::number::{fixed, grouped, percent};
use super::paragraph::{printable, shortened, wrap};
use super::style::{NOTE, WARNING, paint};

/// The widest path in the line about long work.
const PATH_WIDTH: usize = 40;

/// The notes as text, warnings first.
pub fn to_text(notes: &Notes) -> String {
    let mut sorted: Vec<&Note> = notes.iter().collect();
    sorted.sort_by_key(|note| std::cmp::Reverse(note.kind.severity()));
    sorted.into_iter().map(line).collect()
}

/// What long work is at: what is being read, and how far.
pub fn progress(reading: &[FileProgress]) -> String {
    let [first, rest @ ..] = reading else { return "calculating".to_owned() };
    let path = shortened(&printable(&first.path), PATH_WIDTH, "...");
    let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
    let (read, size) = reading.iter().fold((0, Some(0)), |(read, size), file| {
        (read + file.read, size.zip(file.size).map(|(size, file)| size + file))
    });
    match size {
        Some(size) => format!("reading {path}{more}: {}", percent(read as f64 / size as f64)),
        None => format!("reading {path}{more}: {} MB", grouped(read / 1_000_000)),
    }
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
    let plain = wrap(&flags::note(note), &format!("{head}: "), "  ");
    paint(style, &head) + &plain[head.len()..] + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_work_says_what_is_read_and_how_far() {
        let file = |path: &str, read, size| FileProgress { path: path.to_owned(), read, size };
        assert_eq!(progress(&[]), "calculating");
        assert_eq!(progress(&[file("run.trec", 43, Some(100))]), "reading run.trec: 43%");
        assert_eq!(progress(&[file("a", 10, Some(50)), file("b", 40, Some(50))]), "reading a and 1 more: 50%");
        assert_eq!(progress(&[file("-", 1_234_000_000, None)]), "reading -: 1,234 MB");
        assert!(progress(&[file(&"/long".repeat(40), 1, None)]).len() < 80);
    }
}
