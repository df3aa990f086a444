//! Edits of ids as in sed: `s/pattern/replacement/`, with any delimiter, `g` and `i` behind it.

use std::str::FromStr;

use raglens::id::Id;
use regex_lite::{Regex, RegexBuilder};

/// An edit of ids.
#[derive(Debug, Clone)]
pub struct Edit {
    text: String,
    pattern: Regex,
    replacement: String,
    everywhere: bool,
}

impl Edit {
    /// The edit as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The edited id. Ids that are not UTF-8 stay as they are.
    pub fn apply(&self, id: &[u8]) -> Id {
        let Ok(text) = std::str::from_utf8(id) else { return Id::from(id) };
        let replacement = self.replacement.as_str();
        match self.everywhere {
            true => Id::from(self.pattern.replace_all(text, replacement).as_ref()),
            false => Id::from(self.pattern.replace(text, replacement).as_ref()),
        }
    }
}

impl FromStr for Edit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || format!("expected an edit such as s/pattern/replacement/, not `{text}`");
        let rest = text.strip_prefix('s').ok_or_else(expected)?;
        let delimiter = rest.chars().next().filter(|c| !c.is_alphanumeric() && *c != '\\').ok_or_else(expected)?;
        let parts = split(&rest[delimiter.len_utf8()..], delimiter);
        let [pattern, replacement, flags] = &parts[..] else { return Err(expected()) };
        if let Some(flag) = flags.chars().find(|flag| !matches!(flag, 'g' | 'i')) {
            return Err(format!("unknown flag `{flag}` in `{text}`: expected g (everywhere) or i (any case)"));
        }
        let pattern = RegexBuilder::new(pattern).case_insensitive(flags.contains('i')).build();
        let pattern = pattern.map_err(|error| format!("the pattern of `{text}` is not valid: {error}"))?;
        let replacement = from_sed(replacement);
        Ok(Self { text: text.to_owned(), pattern, replacement, everywhere: flags.contains('g') })
    }
}

/// Splits at a delimiter, unless a backslash stands before it.
fn split(text: &str, delimiter: char) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let part = parts.last_mut().expect("there is a part");
        match character {
            '\\' => match characters.next() {
                Some(next) if next == delimiter => part.push(next),
                Some(next) => part.extend(['\\', next]),
                None => part.push('\\'),
            },
            _ if character == delimiter => parts.push(String::new()),
            _ => part.push(character),
        }
    }
    parts
}

/// A replacement of sed (`\1`, `&`) as one of regex-lite (`${1}`, `${0}`).
fn from_sed(replacement: &str) -> String {
    let mut text = String::new();
    let mut characters = replacement.chars();
    while let Some(character) = characters.next() {
        match character {
            '$' => text.push_str("$$"),
            '&' => text.push_str("${0}"),
            '\\' => match characters.next() {
                Some(digit) if digit.is_ascii_digit() => text.push_str(&format!("${{{digit}}}")),
                Some('$') => text.push_str("$$"),
                Some('t') => text.push('\t'),
                Some(other) => text.push(other),
                None => text.push('\\'),
            },
            _ => text.push(character),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(edit: &str, id: &str) -> String {
        edit.parse::<Edit>().unwrap().apply(id.as_bytes()).to_string()
    }

    #[test]
    fn the_first_match_is_replaced_unless_g_is_given() {
        assert_eq!(edited(r"s/\.0$//", "12.0"), "12");
        assert_eq!(edited("s/-/_/", "a-b-c"), "a_b-c");
        assert_eq!(edited("s/-/_/g", "a-b-c"), "a_b_c");
        assert_eq!(edited("s/DOC//i", "doc7"), "7");
    }

    #[test]
    fn groups_delimiters_and_signs_mean_what_they_mean_in_sed() {
        assert_eq!(edited(r"s/(\w+)-(\w+)/\2-\1/", "a-b"), "b-a");
        assert_eq!(edited("s|/|:|", "a/b"), "a:b");
        assert_eq!(edited(r"s/\//:/", "a/b"), "a:b");
        assert_eq!(edited("s/^/q&/", "7"), "q7");
        assert_eq!(edited("s/7/$1/", "7"), "$1");
    }

    #[test]
    fn what_is_no_edit_is_refused() {
        for text in ["", "a/b/c", "s/a/b", "s/a/b/x", "s/(/b/", "sabaca"] {
            assert!(text.parse::<Edit>().is_err(), "{text}");
        }
    }
}
