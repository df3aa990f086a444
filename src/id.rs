//! Ids of queries and documents: bytes, compared as they are.
//!
//! There is no case folding and no Unicode normalising. What a person sees goes through
//! [`escaped`], so that no raw control character of a file reaches a terminal.

use std::fmt;
use std::hash::BuildHasher;
use std::sync::LazyLock;

use hashbrown::DefaultHashBuilder;

static HASHER: LazyLock<DefaultHashBuilder> = LazyLock::new(DefaultHashBuilder::default);

/// The hash of the bytes of an id. It differs from process to process; no result depends on it.
pub fn hash(bytes: &[u8]) -> u64 {
    HASHER.hash_one(bytes)
}

/// The id of a query or a document, as the bytes that stand in the file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(Box<[u8]>);

impl Id {
    /// The bytes of the id.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl From<&[u8]> for Id {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }
}

impl From<&str> for Id {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().into())
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escaped(&self.0))
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

/// Bytes as text that is safe to print: control characters are escaped and bytes that are not
/// UTF-8 appear as `\xNN`.
pub fn escaped(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if is_unsafe_to_print(c) {
                text.extend(c.escape_default());
            } else {
                text.push(c);
            }
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02X}"));
        }
    }
    text
}

/// Control characters, and the marks that turn the direction of the text around them.
fn is_unsafe_to_print(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_and_stray_bytes_are_escaped() {
        assert_eq!(escaped(b"a\x1b[31m"), "a\\u{1b}[31m");
        assert_eq!(escaped(b"caf\xe9"), "caf\\xE9");
        assert_eq!(escaped("d\u{202e}x".as_bytes()), "d\\u{202e}x");
        assert_eq!(escaped("é#1".as_bytes()), "é#1");
    }
}
