//! Plain decimals as long as one that was read before: every digit stands at a place that is known
//! beforehand, and none must be looked for.

use std::ops::Range;

use super::number;
use super::words::{self, HIGH, ONES, Window};

/// So many digits at most: they fit in two words.
const MOST: usize = 16;

/// The digits of a plain decimal, by their places in a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Digits {
    /// The last eight of them.
    last: Eight,
    /// Those before, if there are more.
    first: Option<Eight>,
    /// What the whole number that the digits make is divided by.
    divisor: f64,
}

/// At most eight digits with or without a point.
#[derive(Debug, Clone, Copy)]
struct Eight {
    /// Where nine bytes begin that end with the last digit; can be below 0, modulo 2^64.
    start: usize,
    /// The digits before the point, in the first eight of these bytes.
    before: u64,
    /// The digits behind the point or without one, in the last eight.
    behind: u64,
    /// What it looks like when all of them are 0.
    zeros: u64,
}

impl Digits {
    /// The digits of the number that stands in a range of a text, if it is a plain decimal.
    pub(super) fn of(text: &[u8], number: Range<usize>) -> Option<Self> {
        if number.len() > "-.".len() + MOST {
            return None;
        }
        let is_negative = *text.get(number.start)? == b'-';
        let digits = number.start + usize::from(is_negative)..number.end;
        let point = digits.clone().find(|&at| text[at] == b'.');
        let places = digits.clone().rev().filter(|&at| Some(at) != point);
        if !(1..=MOST).contains(&places.clone().count()) || !places.clone().all(|at| text[at].is_ascii_digit()) {
            return None;
        }
        let eight =
            |behind: usize| Eight { start: digits.end.wrapping_sub(9 + behind), before: 0, behind: 0, zeros: 0 };
        let mut eights = [eight(0), eight(8)];
        for (count, at) in places.clone().enumerate() {
            let (eight, shift) = (&mut eights[count / 8], 8 * (7 - count % 8));
            let is_before = point.is_some_and(|point| at < point);
            *(if is_before { &mut eight.before } else { &mut eight.behind }) |= 0xFF << shift;
            eight.zeros |= u64::from(b'0') << shift;
        }
        let [last, first] = eights;
        let power = number::power(point.map_or(0, |point| digits.end - point - 1));
        let divisor = if is_negative { -power } else { power };
        Some(Self { last, first: (places.count() > 8).then_some(first), divisor })
    }

    /// The number in a text that begins at a place of a window, as [`number::parse`] reads it;
    /// `None` where there are no digits or more than are plain. The other bytes of it are not
    /// looked at.
    #[inline(always)]
    pub(super) fn number(&self, text: &Window, at: usize) -> Option<f64> {
        let last = self.last.number(text, at)?;
        let digits = match &self.first {
            None => last,
            Some(first) => 100_000_000 * first.number(text, at)? + last,
        };
        Some(number::exact(digits)? / self.divisor)
    }
}

impl Eight {
    #[inline(always)]
    fn number(&self, text: &Window, at: usize) -> Option<u64> {
        let (first, last) = words::two_words(text, at.wrapping_add(self.start))?;
        let values = ((first & self.before) | (last & self.behind)) ^ self.zeros;
        // What is above 9 gets its high bit set, or has it.
        let is_number = (values.wrapping_add(0x76 * ONES) | values) & HIGH == 0;
        is_number.then(|| words::number_of(values))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::words::WINDOW;
    use super::*;

    fn window(text: &str) -> Window {
        let mut window = [b' '; WINDOW];
        window[20..20 + text.len()].copy_from_slice(text.as_bytes());
        window
    }

    proptest! {
        #[test]
        fn a_number_is_what_the_general_reader_makes_of_it(text in "-?[0-9]{0,12}\\.?[0-9]{0,12}", others in any::<[u8; 30]>()) {
            if let Some(digits) = Digits::of(text.as_bytes(), 0..text.len()) {
                let same = |text: &str| digits.number(&window(text), 20).map(f64::to_bits);
                let read = |text: &str| number::parse(text.as_bytes()).map(f64::to_bits);
                let is_plain = text.bytes().filter(u8::is_ascii_digit).count() < 16;
                prop_assert!(same(&text) == read(&text) || (!is_plain && same(&text).is_none()), "{}", text);
                let mut other = text.clone().into_bytes();
                for (byte, new) in other.iter_mut().zip(others).filter(|(byte, _)| byte.is_ascii_digit()) {
                    *byte = b'0' + new % 10;
                }
                let other = String::from_utf8(other).unwrap();
                prop_assert!(same(&other) == read(&other) || (!is_plain && same(&other).is_none()), "{}", other);
            }
        }

        #[test]
        fn what_is_no_digit_is_seen(text in "[0-9]{1,8}\\.[0-9]{1,8}", at in 0_usize..20, byte in any::<u8>()) {
            let digits = Digits::of(text.as_bytes(), 0..text.len()).unwrap();
            let at = at % text.len();
            let mut window = window(&text);
            if window[20 + at] != b'.' && !byte.is_ascii_digit() {
                window[20 + at] = byte;
                prop_assert_eq!(digits.number(&window, 20), None);
            }
        }
    }

    #[test]
    fn what_is_no_plain_decimal_has_no_digits() {
        for text in ["", "-", ".", "-.", "1.2.3", "1e5", "+1", "12345678901234567", "1 2"] {
            assert!(Digits::of(text.as_bytes(), 0..text.len()).is_none(), "{text}");
        }
    }
}
