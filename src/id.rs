//! Ids of queries and documents: bytes, compared as they are.
//!
//! There is no case folding and no Unicode normalising. What a person sees goes through
//! [`escaped`], so that no raw control character of a file reaches a terminal.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::LazyLock;

use hashbrown::DefaultHashBuilder;

static HASHER: LazyLock<DefaultHashBuilder> = LazyLock::new(DefaultHashBuilder::default);

/// The hash of the bytes of an id. It differs from process to process; no result depends on it.
pub fn hash(bytes: &[u8]) -> u64 {
    HASHER.hash_one(bytes)
}

/// Makes ids into 64 bits that are cheap to have: an id of less than eight bytes is its own.
///
/// Equal ids have equal fingerprints, different ids nearly always different ones, and none is 0.
/// They differ from process to process, so that no file can be made to collide.
#[derive(Debug, Clone, Copy)]
pub struct Fingerprints {
    factor: u64,
}

static FACTOR: LazyLock<u64> = LazyLock::new(|| hash(b"fingerprints") | 1);

impl Default for Fingerprints {
    fn default() -> Self {
        Self { factor: *FACTOR }
    }
}

impl Fingerprints {
    /// The fingerprint of an id.
    pub fn of(self, id: &[u8]) -> u64 {
        let (first, mut rest) = id.split_at(id.len().min(8));
        let mut fingerprint = word(first);
        if first.len() == 8 {
            loop {
                let (next, behind) = rest.split_at(rest.len().min(8));
                fingerprint = self.extended(fingerprint, word(next));
                rest = behind;
                if next.len() < 8 {
                    break;
                }
            }
        }
        fingerprint.max(1)
    }

    /// The fingerprint of an id that goes on: behind each eight bytes stand the next, the first of
    /// them in the lowest place, down to a number of less than eight bytes or none.
    pub fn extended(self, fingerprint: u64, next: u64) -> u64 {
        (fingerprint.rotate_left(23) ^ next).wrapping_mul(self.factor).rotate_left(32).max(1)
    }

    /// A hash of an id, all of whose bits depend on all of the id.
    pub fn hash(self, id: &[u8]) -> u64 {
        let product = u128::from(self.of(id)) * u128::from(self.factor);
        (product >> 64) as u64 ^ product as u64
    }

    /// The place of a fingerprint in a table of `2^(64 - shift)` places.
    pub fn spread(self, fingerprint: u64, shift: u32) -> usize {
        (fingerprint.wrapping_mul(self.factor) >> shift) as usize
    }
}

/// At most eight bytes as a number, the first in the lowest place.
fn word(bytes: &[u8]) -> u64 {
    // Where the first and the last of them overlap, they say the same.
    let joined = |first: u64, last: u64, count: usize| first | last << (8 * (bytes.len() - count));
    if let Some(bytes) = bytes.first_chunk() {
        u64::from_le_bytes(*bytes)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        joined(u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into(), 4)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        joined(u16::from_le_bytes(*first).into(), u16::from_le_bytes(*last).into(), 2)
    } else {
        bytes.first().map_or(0, |&byte| byte.into())
    }
}

/// The id of a query or a document, as the bytes that stand in the file.
#[derive(Clone)]
pub struct Id(Bytes);

/// Ids up to this length need no memory of their own.
const SHORT: usize = 22;

#[derive(Clone)]
enum Bytes {
    Short { length: u8, bytes: [u8; SHORT] },
    Long(Box<[u8]>),
}

impl Id {
    /// The bytes of the id.
    pub fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            Bytes::Short { length, bytes } => &bytes[..usize::from(*length)],
            Bytes::Long(bytes) => bytes,
        }
    }
}

impl std::borrow::Borrow<[u8]> for Id {
    fn borrow(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl From<&[u8]> for Id {
    fn from(id: &[u8]) -> Self {
        match u8::try_from(id.len()) {
            Ok(length) if id.len() <= SHORT => {
                let mut bytes = [0; SHORT];
                bytes[..id.len()].copy_from_slice(id);
                Self(Bytes::Short { length, bytes })
            }
            _ => Self(Bytes::Long(id.into())),
        }
    }
}

impl From<&str> for Id {
    fn from(text: &str) -> Self {
        text.as_bytes().into()
    }
}

impl PartialEq for Id {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Id {}

impl PartialOrd for Id {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Id {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl Hash for Id {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(self.as_bytes()))
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

/// An id as text that is safe to print and different for different ids: as it is where nothing in
/// it is escaped or looks like an escape, else [`escaped`] with its own backslashes doubled.
///
/// ```
/// use raglens::id::shown;
/// assert_eq!(shown(br"C:\docs\a"), r"C:\docs\a");
/// assert_eq!(shown(b"q\xFF"), r"q\xFF"); // the byte 255
/// assert_eq!(shown(br"q\xFF"), r"q\\xFF"); // the four characters
/// ```
pub fn shown(id: &[u8]) -> String {
    let text = escaped(id);
    let is_plain = text.as_bytes() == id;
    if is_plain && !looks_escaped(&text) {
        return text;
    }
    let parts: Vec<String> = id.split(|&byte| byte == b'\\').map(escaped).collect();
    parts.join("\\\\")
}

/// Whether a backslash stands where one of an escape could.
fn looks_escaped(text: &str) -> bool {
    text.match_indices('\\').any(|(place, _)| text[place + 1..].starts_with(['x', 'u', 't', 'n', 'r', '\\']))
}

/// Control characters, and the marks that turn the direction of the text around them.
pub fn is_unsafe_to_print(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_its_bytes_however_many_there_are() {
        let text = "x".repeat(300);
        let ids: Vec<Id> = (0..300).map(|length| Id::from(&text[..length])).collect();
        assert!(ids.iter().enumerate().all(|(length, id)| id.as_bytes() == &text.as_bytes()[..length]));
        assert!(ids.is_sorted_by(|a, b| a < b && a != b));
        assert!(size_of::<Id>() <= 24);
    }

    #[test]
    fn different_ids_look_different() {
        let ids: [&[u8]; 8] = [b"q\xff", br"q\xFF", br"q\\xFF", b"q\x1b", br"q\u{1b}", b"a\tb", br"a\tb", br"a\b"];
        let texts: std::collections::HashSet<String> = ids.iter().map(|id| shown(id)).collect();
        assert_eq!(texts.len(), ids.len(), "{texts:?}");
        assert_eq!(shown(br"a\b"), r"a\b");
    }

    #[test]
    fn fingerprints_tell_ids_apart_that_differ_in_any_byte() {
        let prints = Fingerprints::default();
        let ids: Vec<Vec<u8>> =
            (0..40).flat_map(|len| [vec![b'a'; len], [vec![b'a'; len], vec![0]].concat()]).collect();
        let found: std::collections::HashSet<u64> =
            ids.iter().filter(|id| !id.ends_with(b"\0")).map(|id| prints.of(id)).collect();
        assert_eq!(found.len(), 40);
        assert_eq!(prints.of(b"abcdefgh"), prints.extended(word(b"abcdefgh"), 0));
        assert_eq!(prints.of(b"abc"), word(b"abc"));
        assert_ne!(prints.of(b""), 0);
    }

    #[test]
    fn control_characters_and_stray_bytes_are_escaped() {
        assert_eq!(escaped(b"a\x1b[31m"), "a\\u{1b}[31m");
        assert_eq!(escaped(b"caf\xe9"), "caf\\xE9");
        assert_eq!(escaped("d\u{202e}x".as_bytes()), "d\\u{202e}x");
        assert_eq!(escaped("é#1".as_bytes()), "é#1");
    }
}
