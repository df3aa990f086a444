//! Running text in lines of at most 80 columns.

use raglens::id::escaped;
use unicode_width::UnicodeWidthStr;

/// The width of everything that is printed as text.
pub const WIDTH: usize = 80;

/// The widest word that is shown in full: a path is never broken, so that it can be copied.
const WIDEST_WORD: usize = 240;

/// Breaks text into lines between its words: the first line starts with `first`, the others with
/// `rest`. A word that is wider than a line stands alone. Whatever the text holds, no control
/// character is in the lines.
pub fn wrap(text: &str, first: &str, rest: &str) -> String {
    let (mut lines, mut line, mut is_bare) = (String::new(), first.to_owned(), true);
    for word in text.split_whitespace().map(printable) {
        let word = shortened(&word, WIDEST_WORD, "...");
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
fn beginning(text: &str, width: usize, ellipsis: &str) -> String {
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
fn fitting(characters: impl Iterator<Item = char>, room: usize) -> String {
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
