//! Splitting a line into columns: by any white space, by tabs, or by commas.

use std::ops::Range;

use crate::error::InputErrorKind;

/// What stands between the columns of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separator {
    /// Any white space, as much as there is.
    Blank,
    /// One tab; columns may hold blanks.
    Tab,
    /// One comma, with the quoting of CSV.
    Comma,
    /// One semicolon, with the quoting of CSV: what spreadsheets write where a comma is the decimal
    /// point. Only below a header of known names.
    Semicolon,
}

impl Separator {
    /// The byte between two columns; `None` for any white space.
    pub(super) fn byte(self) -> Option<u8> {
        match self {
            Self::Blank => None,
            Self::Tab => Some(b'\t'),
            Self::Comma => Some(b','),
            Self::Semicolon => Some(b';'),
        }
    }

    /// Whether quotes always have a meaning.
    pub(super) fn is_quoted(self) -> bool {
        matches!(self, Self::Comma | Self::Semicolon)
    }
}

/// The white space of C, which other readers of these files split at.
pub(crate) fn is_blank(byte: u8) -> bool {
    // One comparison settles it for nearly every byte.
    byte <= b' ' && matches!(byte, b' ' | b'\t'..=b'\r')
}

/// A field without the blanks around it.
pub(super) fn trim(field: &[u8]) -> &[u8] {
    let start = field.iter().position(|&byte| !is_blank(byte)).unwrap_or(field.len());
    let end = field.iter().rposition(|&byte| !is_blank(byte)).map_or(start, |last| last + 1);
    &field[start..end]
}

/// Whether a line holds nothing.
pub(super) fn is_empty(line: &[u8]) -> bool {
    line.iter().all(|&byte| is_blank(byte))
}

/// The columns of a line that has no quoting, each without the blanks around it.
pub(super) fn split(line: &[u8], separator: Separator) -> Vec<&[u8]> {
    let mut fields = Vec::new();
    split_into(line, separator, &mut fields);
    fields
}

/// The same in memory that is there.
pub(super) fn split_into<'l>(line: &'l [u8], separator: Separator, fields: &mut Vec<&'l [u8]>) {
    fields.clear();
    match separator.byte() {
        None => {
            let mut rest = line;
            while let Some(start) = rest.iter().position(|&byte| !is_blank(byte)) {
                rest = &rest[start..];
                let end = rest.iter().position(|&byte| is_blank(byte)).unwrap_or(rest.len());
                fields.push(&rest[..end]);
                rest = &rest[end..];
            }
        }
        Some(separator) => fields.extend(line.split(|&byte| byte == separator).map(trim)),
    }
}

/// The first `N` columns between white space, and how many of them there are. The rest of the
/// line is not looked at.
pub(super) fn split_blanks<const N: usize>(line: &[u8]) -> ([&[u8]; N], usize) {
    let mut fields = [&line[..0]; N];
    let (mut count, mut rest) = (0, line);
    while count < N {
        let Some(start) = rest.iter().position(|&byte| !is_blank(byte)) else { break };
        rest = &rest[start..];
        let end = rest.iter().position(|&byte| is_blank(byte)).unwrap_or(rest.len());
        (fields[count], rest) = rest.split_at(end);
        count += 1;
    }
    (fields, count)
}

/// The first `N` columns between tabs, without the blanks around them, and how many of them there
/// are. The last of them holds the rest of the line.
pub(super) fn split_tabs<const N: usize>(line: &[u8]) -> ([&[u8]; N], usize) {
    let mut fields = [&line[..0]; N];
    let (mut count, mut start) = (0, 0);
    for end in memchr::memchr_iter(b'\t', line).take(N - 1).chain([line.len()]) {
        fields[count] = trim(&line[start..end]);
        (count, start) = (count + 1, end + 1);
    }
    (fields, count)
}

/// The fault of an id that begins with a mark that nobody sees: a byte-order mark from the middle of
/// files put together, or a blank without width. It would be another id than the one that is read.
pub(super) fn invisible_start(field: &'static str, id: &[u8]) -> Option<InputErrorKind> {
    let marks = [("U+FEFF", "\u{feff}"), ("U+200B", "\u{200b}"), ("U+2060", "\u{2060}")];
    if id.first().is_none_or(u8::is_ascii) {
        return None;
    }
    marks.into_iter().find_map(|(name, mark)| {
        let text = shown(id.strip_prefix(mark.as_bytes())?);
        Some(InputErrorKind::InvisibleStart { field, character: name, text })
    })
}

/// Where a field stands in its line; the whole line when it does not.
pub(super) fn span(line: &[u8], field: &[u8]) -> Range<usize> {
    place(line, field).unwrap_or(0..line.len())
}

/// Where a part of a text stands in it; `None` when the part is no slice of the text.
pub(super) fn place(text: &[u8], part: &[u8]) -> Option<Range<usize>> {
    let start = (part.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
    let is_within = start <= text.len() && part.len() <= text.len() - start;
    is_within.then(|| start..start + part.len())
}

/// The longest text of a file that fits into a line of a message.
const LONGEST: usize = 60;

/// A field or a line as messages show it: escaped, and cut where it gets long.
pub(super) fn shown(bytes: &[u8]) -> String {
    let text = crate::id::escaped(bytes);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_of_any_kind_and_number_separate() {
        let (fields, count) = split_blanks::<4>(b" q1\t0  doc \x0b 1 \r");
        assert_eq!((fields, count), ([&b"q1"[..], b"0", b"doc", b"1"], 4));
        assert_eq!(split_blanks::<2>(b"a b c"), ([&b"a"[..], b"b"], 2));
        assert_eq!(split_blanks::<2>(b" "), ([&b""[..], b""], 0));
    }

    #[test]
    fn tabs_keep_the_blanks_within_and_drop_those_around() {
        let (fields, count) = split_tabs::<3>(b"q 1\t d 1\t 2.5 ");
        assert_eq!((fields, count), ([&b"q 1"[..], b"d 1", b"2.5"], 3));
        assert_eq!(split_tabs::<3>(b"\t").1, 2);
        assert_eq!(split_tabs::<2>(b"a\tb\tc"), ([&b"a"[..], b"b\tc"], 2));
    }

    #[test]
    fn a_field_is_found_in_its_line() {
        let line = b"q1 Q0 d 1 x t";
        let (fields, _) = split_blanks::<6>(line);
        assert_eq!(span(line, fields[4]), 10..11);
        assert_eq!(span(line, b"elsewhere"), 0..line.len());
    }
}
