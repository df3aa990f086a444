//! Text in Markdown.

/// Text that Markdown takes as it stands, in a table too.
pub fn escaped(text: &str) -> String {
    let mut marked = String::with_capacity(text.len());
    for (index, character) in text.char_indices() {
        match character {
            '|' | '\\' | '*' | '`' | '<' | '#' | '~' => marked.extend(['\\', character]),
            // An underscore inside a word and a bracket before anything but a link mean themselves.
            '_' if !is_inside_word(text, index) => marked.push_str("\\_"),
            ']' if text[index + 1..].starts_with(['(', '[', ':']) => marked.push_str("\\]"),
            '\n' | '\r' => marked.push(' '),
            _ => marked.push(character),
        }
    }
    marked
}

fn is_inside_word(text: &str, index: usize) -> bool {
    let before = text[..index].chars().next_back().is_some_and(char::is_alphanumeric);
    before && text[index + 1..].starts_with(char::is_alphanumeric)
}
