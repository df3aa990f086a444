//! Numbers as C reads them with `atol` and `atof`: as much of the text as is a number, else 0.

use super::columns::is_blank;

/// The whole number that a text begins with, as `atol` reads it; 0 where it begins with none.
///
/// ```
/// use raglens::input::c_integer;
/// assert_eq!([&b"2"[..], b" -1", b"1.9", b"abc", b"20x"].map(c_integer), [2, -1, 1, 0, 20]);
/// ```
pub fn c_integer(text: &[u8]) -> i64 {
    let (negative, rest) = signed(text);
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit());
    let sign = if negative { -1 } else { 1 };
    digits.fold(0_i64, |number, digit| number.saturating_mul(10).saturating_add(sign * i64::from(digit - b'0')))
}

/// The number that a text begins with, as `atof` reads it: decimal, hexadecimal, `inf` or `nan`;
/// 0 where it begins with none.
///
/// ```
/// use raglens::input::c_float;
/// assert_eq!([&b"1.5"[..], b"1,9", b"abc", b"0x10", b"-1e2z", b".5.1"].map(c_float), [1.5, 1.0, 0.0, 16.0, -100.0, 0.5]);
/// assert_eq!(c_float(b"-Infinity"), f64::NEG_INFINITY);
/// ```
pub fn c_float(text: &[u8]) -> f64 {
    let (negative, rest) = signed(text);
    let starts_with = |word: &[u8]| rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    let size = match rest {
        _ if starts_with(b"inf") => f64::INFINITY,
        _ if starts_with(b"nan") => f64::NAN,
        _ if starts_with(b"0x") => hexadecimal(&rest[2..]),
        _ => decimal(rest),
    };
    if negative { -size } else { size }
}

/// Whether there is a minus, and what stands behind blanks and a sign.
fn signed(text: &[u8]) -> (bool, &[u8]) {
    let text = &text[text.iter().take_while(|&&byte| is_blank(byte)).count()..];
    match text.first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    }
}

fn decimal(text: &[u8]) -> f64 {
    let (whole, fraction) = mantissa(text, u8::is_ascii_digit);
    let end = whole + fraction.map_or(0, |digits| digits + 1);
    if whole + fraction.unwrap_or(0) == 0 {
        return 0.0;
    }
    let end = end + exponent(&text[end..], b"eE").map_or(0, |(_, length)| length);
    // A text of digits alone is ASCII, and a number.
    std::str::from_utf8(&text[..end]).ok().and_then(|number| number.parse().ok()).unwrap_or(0.0)
}

fn hexadecimal(text: &[u8]) -> f64 {
    let (whole, fraction) = mantissa(text, u8::is_ascii_hexdigit);
    let digits = text.iter().filter(|&&byte| byte != b'.').take(whole + fraction.unwrap_or(0));
    let value = digits.fold(0.0, |value, &digit| value * 16.0 + f64::from(char::from(digit).to_digit(16).unwrap_or(0)));
    let end = whole + fraction.map_or(0, |digits| digits + 1);
    let power = exponent(&text[end..], b"pP").map_or(0, |(power, _)| power);
    value * f64::powi(2.0, power - 4 * fraction.unwrap_or(0) as i32)
}

/// The number of digits in front of a point, and of those behind it where there is one.
fn mantissa(text: &[u8], is_digit: impl Fn(&u8) -> bool) -> (usize, Option<usize>) {
    let whole = text.iter().take_while(|byte| is_digit(byte)).count();
    let has_point = text.get(whole) == Some(&b'.');
    (whole, has_point.then(|| text[whole + 1..].iter().take_while(|byte| is_digit(byte)).count()))
}

/// The exponent that a text begins with, and its length.
fn exponent(text: &[u8], letters: &[u8; 2]) -> Option<(i32, usize)> {
    let rest = text.strip_prefix(&letters[..1]).or(text.strip_prefix(&letters[1..]))?;
    let sign = usize::from(matches!(rest.first(), Some(b'-' | b'+')));
    let digits = rest[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let power = c_integer(&rest[..sign + digits]).clamp(-100_000, 100_000) as i32;
    (digits > 0).then_some((power, 1 + sign + digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_ends_where_it_stops_being_one() {
        let floats = [("1e", 1.0), ("1e+", 1.0), ("1e5", 1e5), ("5.", 5.0), (".", 0.0), ("-", 0.0), ("", 0.0)];
        for (text, number) in floats {
            assert_eq!(c_float(text.as_bytes()), number, "{text}");
        }
        assert_eq!(c_float(b"0x1.8p1"), 3.0);
        assert_eq!(c_float(b"0xg"), 0.0);
        assert!(c_float(b"nan").is_nan());
        assert_eq!(c_float(b"1e999"), f64::INFINITY);
        assert_eq!(c_float(b"\xff"), 0.0);
    }

    #[test]
    fn numbers_that_do_not_fit_are_the_nearest_that_do() {
        assert_eq!(c_integer(b"99999999999999999999"), i64::MAX);
        assert_eq!(c_integer(b"-99999999999999999999"), i64::MIN);
    }
}
