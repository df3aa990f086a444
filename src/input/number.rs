//! Numbers as text files write them: the whole field must be one, and it must be finite.

use super::columns;
use crate::error::InputErrorKind;

/// Powers of ten that a double holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Whole numbers below this are exact doubles.
const EXACT: u64 = 1 << 53;

/// The finite number that a field holds: `1`, `-1.5`, `.5`, `+1`, `1e1`, `-1.2E-3`.
///
/// `NaN`, `inf`, `1e999`, `0x10`, `1,9`, `1_000` and anything else are `None`.
pub(super) fn parse(field: &[u8]) -> Option<f64> {
    plain(field).or_else(|| general(field).filter(|number| number.is_finite()))
}

/// A grade: a finite number, or `true` and `false`, which are 1 and 0.
pub(super) fn grade(field: &[u8]) -> Option<f64> {
    match field {
        b"true" | b"True" | b"TRUE" => Some(1.0),
        b"false" | b"False" | b"FALSE" => Some(0.0),
        _ => parse(field),
    }
}

/// What is wrong with a field that [`parse`] refuses.
pub(super) fn fault(field: &'static str, bytes: &[u8]) -> InputErrorKind {
    let text = columns::shown(bytes);
    let infinite = general(bytes).is_some() || spells_no_number(bytes);
    match infinite {
        true => InputErrorKind::OutOfRange { field, expected: "a finite number", text },
        false => InputErrorKind::NotANumber { field, text },
    }
}

/// A whole number from 0 that fits: positions, token counts, steps.
pub(super) fn whole(field: &[u8]) -> Option<u64> {
    let digits = !field.is_empty() && field.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(field).ok().filter(|_| digits)?.parse().ok()
}

/// Plain decimals, which nearly all scores are: digits below 2^53 over a power of ten up to
/// 10^22 are two exact doubles, so their quotient is the nearest double.
fn plain(field: &[u8]) -> Option<f64> {
    let (negative, digits) = match field.first()? {
        b'-' => (true, &field[1..]),
        _ => (false, field),
    };
    if digits.len() > 19 {
        return None;
    }
    let (mut mantissa, mut point) = (0_u64, None);
    for (index, &byte) in digits.iter().enumerate() {
        match byte {
            b'0'..=b'9' => mantissa = mantissa * 10 + u64::from(byte - b'0'),
            b'.' if point.is_none() => point = Some(index),
            _ => return None,
        }
    }
    let decimals = point.map_or(0, |point| digits.len() - point - 1);
    let count = digits.len() - usize::from(point.is_some());
    let number = quotient(mantissa, decimals).filter(|_| count > 0)?;
    Some(if negative { -number } else { number })
}

/// Digits over a power of ten, where both are exact doubles; at most 22 decimals.
pub(super) fn quotient(mantissa: u64, decimals: usize) -> Option<f64> {
    let number = exact(mantissa)?;
    Some(if decimals == 0 { number } else { number / power(decimals) })
}

/// A whole number, where it is an exact double.
#[inline]
pub(super) fn exact(whole: u64) -> Option<f64> {
    // From signed numbers there is a single instruction.
    (whole < EXACT).then_some(whole as i64 as f64)
}

/// A power of ten that is an exact double, up to 10^22.
pub(super) fn power(decimals: usize) -> f64 {
    POWERS[decimals]
}

/// A power of ten up to 10^8.
pub(super) fn whole_power(digits: usize) -> u64 {
    [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000][digits]
}

/// Any decimal number, infinite when it is too large. The alphabet keeps out what Rust also takes
/// for a number: `inf`, `infinity`, `nan`.
fn general(field: &[u8]) -> Option<f64> {
    let decimal = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    std::str::from_utf8(field).ok().filter(|_| field.iter().all(decimal))?.parse().ok()
}

fn spells_no_number(field: &[u8]) -> bool {
    let word = field.strip_prefix(b"-").or(field.strip_prefix(b"+")).unwrap_or(field);
    [&b"nan"[..], b"inf", b"infinity"].iter().any(|name| word.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_whole_field_must_be_a_finite_number() {
        for (text, number) in [("1", 1.0), (".5", 0.5), ("5.", 5.0), ("+1", 1.0), ("1e1", 10.0), ("-1.2E-3", -0.0012)] {
            assert_eq!(parse(text.as_bytes()), Some(number), "{text}");
        }
        for text in
            ["", "-", ".", "+", "e", "1,9", "abc", "0x10", "1_0", "NaN", "inf", "-infinity", "1e999", "1 2", "--1"]
        {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn infinite_is_told_from_no_number() {
        assert_eq!(fault("score", b"-Inf").to_string(), "score must be a finite number: `-Inf`");
        assert_eq!(fault("score", b"1e999").to_string(), "score must be a finite number: `1e999`");
        assert_eq!(fault("score", b"1,9").to_string(), "score is not a number: `1,9`");
    }

    #[test]
    fn whole_numbers_have_no_sign_and_no_point() {
        assert_eq!(whole(b"007"), Some(7));
        for text in ["", "-1", "+1", "1.0", "99999999999999999999999"] {
            assert_eq!(whole(text.as_bytes()), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn plain_decimals_are_the_nearest_double(text in "-?[0-9]{1,12}(\\.[0-9]{0,12})?") {
            prop_assert_eq!(parse(text.as_bytes()).map(f64::to_bits), text.parse::<f64>().ok().map(f64::to_bits));
        }
    }
}
