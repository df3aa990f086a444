//! Running text in lines of at most 80 columns.

use raglens::id::escaped;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The width of everything that is printed as text.
pub const WIDTH: usize = 80;

/// The widest word that is shown in full: a path is never broken, so that it can be copied.
const WIDEST_WORD: usize = 240;

/// Breaks text into lines between its words: the first line starts with `first`, the others with
/// `rest`. A word that is wider than a line stands alone, unless its script does without blanks.
/// Whatever the text holds, no control character is in the lines.
pub fn wrap(text: &str, first: &str, rest: &str) -> String {
    let (mut lines, mut line, mut is_bare) = (String::new(), first.to_owned(), true);
    let words = text.split_whitespace().map(|word| shortened(&printable(word), WIDEST_WORD, "..."));
    for word in words.flat_map(|word| pieces(word, WIDTH.saturating_sub(rest.width()))) {
        if !is_bare && line.width() + 1 + word.width() > WIDTH {
            lines.push_str(&line);
            lines.push('\n');
            line = rest.to_owned();
            is_bare = true;
        }
        if !is_bare {
            line.push(' ');
        }
        line.push_str(&word);
        is_bare = false;
    }
    lines + &line
}

/// A word, in as many pieces as it takes lines where it is of wide characters, between which a
/// line may break anywhere.
fn pieces(word: String, room: usize) -> Vec<String> {
    let is_wide = word.chars().any(|character| character.width() == Some(2));
    if word.width() <= room || !is_wide {
        return vec![word];
    }
    let (mut pieces, mut rest) = (Vec::new(), word.as_str());
    while !rest.is_empty() {
        let piece = fitting(rest.chars(), room.max(2));
        rest = &rest[piece.len()..];
        pieces.push(piece);
    }
    pieces
}

/// Text without control characters: they are escaped. What is escaped already stays as it is.
pub fn printable(text: &str) -> String {
    escaped(text.as_bytes())
}

/// Shortens a name to at most `width` columns by taking out its middle.
pub fn shortened(name: &str, width: usize, ellipsis: &str) -> String {
    if name.width() <= width {
        return name.to_owned();
    }
    let room = width.saturating_sub(ellipsis.width());
    let tail = fitting(name.chars().rev(), room / 2);
    let head = fitting(name.chars(), room - room / 2);
    let tail: String = tail.chars().rev().collect();
    head + ellipsis + &tail
}

/// The beginning of a text, at most `width` columns.
pub fn beginning(text: &str, width: usize, ellipsis: &str) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let head = fitting(text.chars(), width.saturating_sub(ellipsis.width()));
    head.trim_end().to_owned() + ellipsis
}

/// The beginning of a text of several lines, in one line without control characters.
pub fn first_words(text: &str, width: usize, ellipsis: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    beginning(&printable(&line), width, ellipsis)
}

/// As many of the characters as fit into `room` columns.
pub fn fitting(characters: impl Iterator<Item = char>, room: usize) -> String {
    let mut text = String::new();
    for character in characters {
        text.push(character);
        if text.width() > room {
            text.pop();
            break;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        let text = wrap(&"word ".repeat(20), "note: ", "      ");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].width() <= WIDTH && lines[0].starts_with("note: word word"));
        assert!(lines[1].starts_with("      word"));
    }

    #[test]
    fn text_without_blanks_breaks_where_its_characters_are_wide() {
        let text = wrap(&format!("a {} b", "日本語😀".repeat(20)), "note: ", "      ");
        assert!(text.lines().count() > 2 && text.lines().all(|line| line.width() <= WIDTH), "{text}");
        assert!(text.ends_with("😀 b"));
        let path = "long/".repeat(30);
        assert_eq!(wrap(&path, "note: ", "  "), format!("note: {path}"));
    }

    #[test]
    fn the_middle_of_a_long_name_is_taken_out() {
        assert_eq!(shortened("bm25", 10, "…"), "bm25");
        assert_eq!(shortened("bm25-k1=0.9-b=0.4", 10, "…"), "bm25-…=0.4");
    }

    #[test]
    fn the_end_of_a_long_text_is_left_out() {
        assert_eq!(beginning("reset it", 8, "…"), "reset it");
        assert_eq!(beginning("reset the password", 7, "…"), "reset…");
    }
}
