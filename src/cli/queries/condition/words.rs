//! Quotes and words of conditions: in quotes, `and` and the signs have no meaning.

use std::ops::Range;

use crate::cli::failure::Failure;

/// The text with everything in quotes blotted out, byte by byte. A quote opens at the start of a
/// word alone, so that an apostrophe is none.
///
/// # Errors
/// When a quote is not closed.
pub fn bare(text: &str) -> Result<String, Failure> {
    let (mut bare, mut open, mut is_start) = (String::with_capacity(text.len()), None, true);
    for character in text.chars() {
        match open {
            Some(quote) => {
                bare.extend(std::iter::repeat_n('_', character.len_utf8()));
                open = open.filter(|_| character != quote);
            }
            None => {
                open = Some(character).filter(|quote| is_start && matches!(quote, '"' | '\''));
                bare.push(if open.is_some() { '_' } else { character });
            }
        }
        is_start = character.is_whitespace() || matches!(character, '=' | '<' | '>');
    }
    match open {
        Some(quote) => {
            let help = format!("write {quote} behind the value too, or the value without quotes");
            Err(Failure::new(format!("`{}` opens a quote and does not close it", text.trim()), help))
        }
        None => Ok(bare),
    }
}

/// Where the conditions stand, between which there is the word `and`.
pub fn parts(bare: &str) -> Vec<Range<usize>> {
    let (mut parts, mut start) = (Vec::new(), 0);
    for and in words(bare).filter(|word| bare[word.clone()].eq_ignore_ascii_case("and")) {
        parts.push(start..and.start);
        start = and.end;
    }
    parts.push(start..bare.len());
    parts
}

/// Whether one of the words is a given one.
pub fn has_word(bare: &str, wanted: &str) -> bool {
    words(bare).any(|word| bare[word].eq_ignore_ascii_case(wanted))
}

/// A name or a value without the blanks and the quotes around it.
pub fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let within = |quote| text.strip_prefix(quote).and_then(|text: &str| text.strip_suffix(quote));
    within('"').or_else(|| within('\'')).unwrap_or(text)
}

/// Where the words stand.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut end = 0;
    let words = text.split_inclusive(char::is_whitespace).map(move |word| {
        let start = end;
        end += word.len();
        start..start + word.trim_end().len()
    });
    words.filter(|word| !word.is_empty())
}
