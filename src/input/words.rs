//! Eight bytes of a text at a time, as one number with the first byte in the lowest place: where a
//! field ends, and what number it holds.

use super::number;
use crate::id::Fingerprints;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * ONES;

/// A field that ends at a blank, with the fingerprint of what it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field {
    pub len: usize,
    pub fingerprint: u64,
}

/// The first eight bytes of a text; `None` when it is shorter.
#[inline]
fn word(text: &[u8]) -> Option<u64> {
    text.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// The place of the lowest byte with its high bit set, 8 when there is none.
#[inline]
fn first_marked(marks: u64) -> usize {
    marks.trailing_zeros() as usize / 8
}

/// The first `len` bytes of a word, below 8.
#[inline]
fn lowest(word: u64, len: usize) -> u64 {
    word & ((1 << (8 * len)) - 1)
}

/// How many bytes stand before the first that is a blank or a control character.
#[inline]
fn visible(word: u64) -> usize {
    // Below 0x21: the subtraction borrows. Only bytes above the first such one can be wrong.
    first_marked(word.wrapping_sub(0x21 * ONES) & !word & HIGH)
}

/// The field at the start of a text, up to a blank or a control character; `None` when the text
/// may end before it does.
#[inline]
pub(super) fn field(text: &[u8], prints: Fingerprints) -> Option<Field> {
    let first = word(text)?;
    match visible(first) {
        8 => long_field(text, first, prints),
        len => Some(Field { len, fingerprint: lowest(first, len) }),
    }
}

fn long_field(text: &[u8], first: u64, prints: Fingerprints) -> Option<Field> {
    let (mut len, mut fingerprint) = (8, first);
    loop {
        let next = word(&text[len..])?;
        let more = visible(next);
        let part = if more == 8 { next } else { lowest(next, more) };
        fingerprint = prints.extended(fingerprint, part);
        len += more;
        if more < 8 {
            return Some(Field { len, fingerprint });
        }
    }
}

/// How many digits stand first, and the word with what the digits stand for.
#[inline]
fn digits(word: u64) -> (usize, u64) {
    let values = word ^ (0x30 * ONES);
    // What is above 9 gets its high bit set, and carries nothing over to the next byte.
    let others = (((values & !HIGH) + 0x76 * ONES) | values) & HIGH;
    (first_marked(others), values)
}

/// The number of the first `len` digits, 1 to 8.
#[inline]
fn number_of(values: u64, len: usize) -> u64 {
    // The last digit goes to the highest place; zeros come in before the first.
    let digits = values << (64 - 8 * len);
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00FF_00FF_00FF_00FF;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_FFFF_0000_FFFF;
    fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xFFFF_FFFF
}

/// The whole number at the start of a text, of at most seven digits, and its length; 0 when there
/// is none.
#[inline]
pub(super) fn whole(text: &[u8]) -> Option<(u64, usize)> {
    match digits(word(text)?) {
        (0, _) => Some((0, 0)),
        (8, _) => None,
        (len, values) => Some((number_of(values, len), len)),
    }
}

/// The plain decimal at the start of a text, as [`number::parse`] reads it, and its length; `None`
/// when it is long or no plain one.
#[inline]
pub(super) fn decimal(text: &[u8]) -> Option<(f64, usize)> {
    let negative = *text.first()? == b'-';
    let start = usize::from(negative);
    let (mut mantissa, len) = whole(&text[start..])?;
    let (mut end, mut decimals) = (start + len, 0);
    if text.get(end) == Some(&b'.') {
        end += 1;
        // Sixteen digits behind the point and seven before it are below 2^64, or seen to be too many.
        while decimals < 16 {
            let (more, values) = digits(word(&text[end..])?);
            if more == 0 {
                break;
            }
            mantissa = mantissa.checked_mul(number::whole_power(more))? + number_of(values, more);
            (end, decimals) = (end + more, decimals + more);
            if more < 8 {
                break;
            }
        }
    }
    if len + decimals == 0 {
        return None;
    }
    let number = number::quotient(mantissa, decimals)?;
    Some((if negative { -number } else { number }, end))
}

/// At most this many bytes can be expected.
const EXPECTED: usize = 64;

/// Bytes that are expected at a place of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expected {
    words: [u64; EXPECTED / 8],
    len: usize,
}

impl Expected {
    /// Expects some bytes, if they are not too many.
    pub(super) fn new(bytes: &[u8]) -> Option<Self> {
        if bytes.len() > EXPECTED {
            return None;
        }
        let mut words = [0; EXPECTED / 8];
        for (word, part) in words.iter_mut().zip(bytes.chunks(8)) {
            let mut padded = [0; 8];
            padded[..part.len()].copy_from_slice(part);
            *word = u64::from_le_bytes(padded);
        }
        Some(Self { words, len: bytes.len() })
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Whether a text starts with the bytes, and goes on for a few more.
    #[inline(always)]
    pub(super) fn starts(&self, text: &[u8]) -> bool {
        let (mut left, mut rest) = (self.len, text);
        for &expected in &self.words {
            let Some(found) = word(rest) else { return false };
            if left < 8 {
                return lowest(found ^ expected, left) == 0;
            }
            if found != expected {
                return false;
            }
            (left, rest) = (left - 8, &rest[8..]);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn padded(text: &str) -> Vec<u8> {
        [text.as_bytes(), &[b' '; 32]].concat()
    }

    proptest! {
        #[test]
        fn a_field_is_what_stands_before_the_first_blank(text in "[!-~é]{0,40}", blank in "[\0-\x20]") {
            let prints = Fingerprints::default();
            let found = field(&padded(&format!("{text}{blank}x")), prints).unwrap();
            prop_assert_eq!(found.len, text.len());
            prop_assert_eq!(found.fingerprint.max(1), prints.of(text.as_bytes()));
        }

        #[test]
        fn a_decimal_is_what_the_general_reader_makes_of_it(text in "-?[0-9]{0,9}(\\.[0-9]{0,20})?[e+x]?") {
            if let Some((number, len)) = decimal(&padded(&text)) {
                prop_assert_eq!(Some(number.to_bits()), number::parse(&text.as_bytes()[..len]).map(f64::to_bits), "{}", text);
            }
        }

        #[test]
        fn usual_decimals_are_read(text in "-?[0-9]{1,3}\\.[0-9]{1,12}") {
            prop_assert_eq!(decimal(&padded(&text)).map(|(_, len)| len), Some(text.len()));
        }

        #[test]
        fn a_text_starts_with_what_is_expected_or_does_not(bytes in prop::collection::vec(any::<u8>(), 0..EXPECTED), at in 0..EXPECTED) {
            let expected = Expected::new(&bytes).unwrap();
            let mut text = [&bytes[..], &[7; 8]].concat();
            prop_assert!(expected.starts(&text));
            if at < bytes.len() {
                text[at] ^= 0x10;
                prop_assert!(!expected.starts(&text));
            }
        }
    }

    #[test]
    fn near_the_end_of_a_text_nothing_is_said() {
        assert_eq!(field(b"abc 1", Fingerprints::default()), None);
        assert_eq!(decimal(b"1.5 t"), None);
        assert!(!Expected::new(b"abc").unwrap().starts(b"abc"));
    }
}
