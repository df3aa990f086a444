//! Eight bytes of a text at a time, as one number with the first byte in the lowest place: where a
//! field ends, and what number it holds.

use super::number;
use crate::id::Fingerprints;

pub(super) const ONES: u64 = 0x0101_0101_0101_0101;
pub(super) const HIGH: u64 = 0x80 * ONES;

/// How much of a text is looked at from the start of a line on.
pub(super) const WINDOW: usize = 256;

/// The text from the start of a line on. That there is so much of it is checked once a line.
pub(super) type Window = [u8; WINDOW];

/// A field that ends at a blank, with the fingerprint of what it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field {
    pub end: usize,
    pub fingerprint: u64,
}

/// Eight bytes; `None` when the window ends before them.
#[inline(always)]
fn word(text: &Window, at: usize) -> Option<u64> {
    if at > WINDOW - 8 {
        return None;
    }
    text[at..].first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// Nine bytes as two numbers, the first eight and the last eight.
#[inline(always)]
pub(super) fn two_words(text: &Window, at: usize) -> Option<(u64, u64)> {
    Some((word(text, at)?, word(text, at + 1)?))
}

/// The place of the lowest byte with its high bit set, 8 when there is none.
#[inline(always)]
fn first_marked(marks: u64) -> usize {
    marks.trailing_zeros() as usize / 8
}

/// The first `len` bytes of a word, below 8.
#[inline(always)]
fn lowest(word: u64, len: usize) -> u64 {
    word & ((1 << (8 * len)) - 1)
}

/// How many bytes stand before the first that is a blank or a control character.
#[inline(always)]
fn visible(word: u64) -> usize {
    // Below 0x21: the subtraction borrows. Only bytes above the first such one can be wrong.
    first_marked(word.wrapping_sub(0x21 * ONES) & !word & HIGH)
}

/// The field at a place, up to a blank or a control character; `None` when the window may end
/// before it does.
#[inline(always)]
pub(super) fn field(text: &Window, at: usize, prints: Fingerprints) -> Option<Field> {
    field_of(text, at, prints, visible)
}

/// The field at a place, in a word of which so many bytes belong to it as a function says.
#[inline(always)]
fn field_of(text: &Window, at: usize, prints: Fingerprints, within: impl Fn(u64) -> usize) -> Option<Field> {
    let first = word(text, at)?;
    match within(first) {
        8 => long_field(text, at, first, prints, within),
        len => Some(Field { end: at + len, fingerprint: lowest(first, len) }),
    }
}

fn long_field(
    text: &Window,
    at: usize,
    first: u64,
    prints: Fingerprints,
    within: impl Fn(u64) -> usize,
) -> Option<Field> {
    let (mut end, mut fingerprint) = (at + 8, first);
    loop {
        let next = word(text, end)?;
        let more = within(next);
        let part = if more == 8 { next } else { lowest(next, more) };
        fingerprint = prints.extended(fingerprint, part);
        end += more;
        if more < 8 {
            return Some(Field { end, fingerprint });
        }
    }
}

/// The bytes at which a text ends: control characters, double quotes and one more.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ends {
    other: u64,
}

impl Ends {
    /// Control characters, double quotes and a byte.
    pub(super) fn at(byte: u8) -> Self {
        Self { other: u64::from(byte) * ONES }
    }

    /// The text at a place, up to its end; `None` when the window may end before it does.
    #[inline(always)]
    pub(super) fn field(self, text: &Window, at: usize, prints: Fingerprints) -> Option<Field> {
        field_of(text, at, prints, |word| self.before(word))
    }

    /// How many bytes stand before the first end.
    #[inline(always)]
    fn before(self, word: u64) -> usize {
        // Each test marks the first byte that it looks for; only bytes above that can be wrong.
        let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
        let controls = word.wrapping_sub(0x20 * ONES) & !word;
        first_marked((controls | zeros(word ^ (0x22 * ONES)) | zeros(word ^ self.other)) & HIGH)
    }
}

/// The digits at a place, one to seven, as a field; `None` when they are more.
#[inline(always)]
pub(super) fn digit_field(text: &Window, at: usize) -> Option<Field> {
    let word = word(text, at)?;
    match digits(word).0 {
        len @ 1..=7 => Some(Field { end: at + len, fingerprint: lowest(word, len) }),
        _ => None,
    }
}

/// How many digits stand first, and the word with what the digits stand for.
#[inline(always)]
fn digits(word: u64) -> (usize, u64) {
    let values = word ^ (0x30 * ONES);
    // What is above 9 gets its high bit set, and carries nothing over to the next byte.
    let others = (((values & !HIGH) + 0x76 * ONES) | values) & HIGH;
    (first_marked(others), values)
}

/// The number of the first `len` digits, 1 to 8.
#[inline(always)]
fn number_of_first(values: u64, len: usize) -> u64 {
    // The last digit goes to the highest place; zeros come in before the first.
    number_of(values << ((64 - 8 * len) & 63))
}

/// The number of eight digits, of which the last stands in the highest place.
#[inline(always)]
pub(super) fn number_of(digits: u64) -> u64 {
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00FF_00FF_00FF_00FF;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_FFFF_0000_FFFF;
    fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xFFFF_FFFF
}

/// The whole number at a place, of at most seven digits, and its end; `None` when it is longer.
/// No digits are 0.
#[inline(always)]
pub(super) fn whole(text: &Window, at: usize) -> Option<(u64, usize)> {
    match digits(word(text, at)?) {
        (0, _) => Some((0, at)),
        (8, _) => None,
        (len, values) => Some((number_of_first(values, len), at + len)),
    }
}

/// The plain decimal at a place, as [`number::parse`] reads it, and its end; `None` when it is
/// long or no plain one.
#[inline(always)]
pub(super) fn decimal(text: &Window, at: usize) -> Option<(f64, usize)> {
    let negative = *text.get(at)? == b'-';
    let start = at + usize::from(negative);
    let (mut mantissa, mut end) = whole(text, start)?;
    let (mut count, mut decimals) = (end - start, 0);
    if *text.get(end)? == b'.' {
        end += 1;
        // Sixteen digits behind the point and seven before it can be more than 64 bits hold.
        while decimals < 16 {
            let (more, values) = digits(word(text, end)?);
            if more > 0 {
                mantissa =
                    mantissa.checked_mul(number::whole_power(more))?.checked_add(number_of_first(values, more))?;
                (end, decimals) = (end + more, decimals + more);
            }
            if more < 8 {
                break;
            }
        }
        count += decimals;
    }
    if count == 0 {
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
    /// Each word with the bits of it that count.
    words: [(u64, u64); EXPECTED / 8],
    count: usize,
    len: usize,
}

impl Expected {
    /// Expects nothing, which stands anywhere.
    pub(super) const NOTHING: Self = Self { words: [(0, 0); EXPECTED / 8], count: 0, len: 0 };

    /// Expects some bytes, if they are not too many.
    pub(super) fn new(bytes: &[u8]) -> Option<Self> {
        Self::around(bytes, |_| false)
    }

    /// The same with any bytes in some places.
    pub(super) fn around(bytes: &[u8], is_free: impl Fn(usize) -> bool) -> Option<Self> {
        if bytes.len() > EXPECTED {
            return None;
        }
        let mut words = [(0, 0); EXPECTED / 8];
        for (at, &byte) in bytes.iter().enumerate().filter(|&(at, _)| !is_free(at)) {
            let (value, mask) = &mut words[at / 8];
            *value |= u64::from(byte) << (8 * (at % 8));
            *mask |= 0xFF << (8 * (at % 8));
        }
        Some(Self { words, count: bytes.len().div_ceil(8), len: bytes.len() })
    }

    /// Expects from now on what stands first in a window, if that is not too much.
    #[inline(always)]
    pub(super) fn expect(&mut self, text: &Window, len: usize) -> Option<()> {
        if len > EXPECTED {
            return None;
        }
        let count = len.div_ceil(8);
        for (index, place) in self.words.iter_mut().enumerate().take(count) {
            let mask = if len - 8 * index >= 8 { u64::MAX } else { (1 << (8 * (len % 8))) - 1 };
            *place = (word(text, 8 * index)? & mask, mask);
        }
        (self.count, self.len) = (count, len);
        Some(())
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Whether the bytes stand at a place; `false` near the end of the window.
    #[inline(always)]
    pub(super) fn stands(&self, text: &Window, mut at: usize) -> bool {
        for &(expected, mask) in self.words.iter().take(self.count) {
            if word(text, at).is_none_or(|found| (found ^ expected) & mask != 0) {
                return false;
            }
            at += 8;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn window(bytes: &[u8]) -> Window {
        let mut window = [b' '; WINDOW];
        window[1..=bytes.len()].copy_from_slice(bytes);
        window
    }

    proptest! {
        #[test]
        fn a_field_is_what_stands_before_the_first_blank(text in "[!-~é]{0,40}", blank in "[\0-\x20]") {
            let prints = Fingerprints::default();
            let found = field(&window(format!("{text}{blank}x").as_bytes()), 1, prints).unwrap();
            prop_assert_eq!(found.end, 1 + text.len());
            prop_assert_eq!(found.fingerprint.max(1), prints.of(text.as_bytes()));
        }

        #[test]
        fn a_text_is_what_stands_before_a_quote_a_control_character_or_the_separator(
            text in "[ !#-+\\--\\[\\]-~é]{0,40}",
            end in "[\0-\x1f\",]",
        ) {
            let prints = Fingerprints::default();
            let found = Ends::at(b',').field(&window(format!("{text}{end}x").as_bytes()), 1, prints).unwrap();
            prop_assert_eq!(found.end, 1 + text.len());
            prop_assert_eq!(found.fingerprint.max(1), prints.of(text.as_bytes()));
        }

        #[test]
        fn a_decimal_is_what_the_general_reader_makes_of_it(text in "-?[0-9]{0,9}(\\.[0-9]{0,20})?[e+x]?") {
            if let Some((number, end)) = decimal(&window(text.as_bytes()), 1) {
                let read = number::parse(&text.as_bytes()[..end - 1]);
                prop_assert_eq!(Some(number.to_bits()), read.map(f64::to_bits), "{}", text);
            }
        }

        #[test]
        fn usual_decimals_are_read(text in "-?[0-9]{1,3}\\.[0-9]{1,12}") {
            prop_assert_eq!(decimal(&window(text.as_bytes()), 1).map(|(_, end)| end), Some(1 + text.len()));
        }

        #[test]
        fn what_is_expected_stands_there_or_does_not(bytes in prop::collection::vec(any::<u8>(), 0..=EXPECTED), at in 0..EXPECTED) {
            let expected = Expected::new(&bytes).unwrap();
            let mut text = window(&bytes);
            prop_assert!(expected.stands(&text, 1));
            let mut other = Expected::new(b"something else").unwrap();
            prop_assert_eq!(other.expect(&text, 1 + bytes.len()).is_some(), bytes.len() < EXPECTED);
            prop_assert_eq!(other.stands(&text, 0), bytes.len() < EXPECTED);
            if at < bytes.len() {
                text[1 + at] ^= 0x10;
                prop_assert!(!expected.stands(&text, 1) && !other.stands(&text, 0));
            }
        }
    }

    #[test]
    fn digits_that_64_bits_do_not_hold_are_left_to_the_general_reader() {
        for text in ["1844.6744073709551615", "1844.6744073709551616", "1844.6744073799999999", "18446.744073709999999"]
        {
            assert_eq!(decimal(&window(text.as_bytes()), 1), None, "{text}");
        }
    }

    #[test]
    fn near_the_end_of_the_window_nothing_is_said() {
        let text = [b'1'; WINDOW];
        assert_eq!(field(&text, 200, Fingerprints::default()), None);
        assert_eq!(decimal(&text, WINDOW), None);
        assert!(!Expected::new(b"1").unwrap().stands(&text, WINDOW - 7));
    }
}
