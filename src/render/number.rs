//! Numbers as people read them. The only place that rounds.

use std::fmt::Write as _;

/// From here on a fixed number of decimals takes more room than it is worth.
const LARGE: f64 = 1e7;

/// A value with a fixed number of decimals, scientific where it is very large; never `-0.000`.
pub fn fixed(value: f64, digits: usize) -> String {
    let mut text = String::new();
    push_fixed(&mut text, value, digits);
    text
}

/// Adds [`fixed`] to a text.
pub fn push_fixed(text: &mut String, value: f64, digits: usize) {
    if push_without_doubt(text, value, digits) {
        return;
    }
    let written = match value.abs() >= LARGE {
        true => format!("{value:.digits$e}"),
        false => format!("{value:.digits$}"),
    };
    let is_zero = written.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    text.push_str(if is_zero { written.trim_start_matches('-') } else { &written });
}

/// Adds a value with a fixed number of decimals, whatever its size and with its sign: what C's
/// printf writes.
pub fn push_plain(text: &mut String, value: f64, digits: usize) {
    if !(value.is_sign_positive() && push_without_doubt(text, value, digits)) {
        // Memory takes every number.
        let _ = write!(text, "{value:.digits$}");
    }
}

/// The same in whole numbers, which is quicker; says whether it could: not where it does not apply,
/// or where the value is so near to the middle between two roundings that only all of its digits
/// can decide.
fn push_without_doubt(text: &mut String, value: f64, digits: usize) -> bool {
    const SMALL: f64 = 1e3;
    const SCALES: [u32; 7] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];
    /// Where the point stands: behind at most four digits.
    const POINT: usize = 4;
    if !(0.0..SMALL).contains(&value) || !(1..SCALES.len()).contains(&digits) {
        return false;
    }
    let scaled = value * f64::from(SCALES[digits]);
    let rounded_down = scaled as u32;
    let rest = scaled - f64::from(rounded_down);
    if (rest - 0.5).abs() < 1e-6 {
        return false;
    }
    let rounded = rounded_down + u32::from(rest > 0.5);
    let (mut whole, mut part) = (rounded / SCALES[digits], rounded % SCALES[digits]);
    let mut written = *b"0000.000000";
    let end = POINT + 1 + digits;
    for place in written[POINT + 1..end].iter_mut().rev() {
        *place += (part % 10) as u8;
        part /= 10;
    }
    let mut start = POINT;
    while whole > 0 || start == POINT {
        start -= 1;
        written[start] += (whole % 10) as u8;
        whole /= 10;
    }
    text.push_str(std::str::from_utf8(&written[start..end]).expect("digits and a point are text"));
    true
}

/// A value as short as it can be written without losing anything: `1`, `0.5`, `-1`, `1e300`.
pub fn exact(value: f64) -> String {
    raglens::measure::shortest(value)
}

/// Adds [`exact`] to a text.
pub fn push_exact(text: &mut String, value: f64) {
    match value {
        0.0 => text.push('0'),
        1.0 => text.push('1'),
        _ => raglens::measure::push_shortest(text, value),
    }
}

/// A difference with its sign. What is not 0 never looks like it: `+0.0004`, not `+0.000`.
pub fn signed(value: f64, digits: usize) -> String {
    let sign = if value < 0.0 { "-" } else { "+" };
    let size = value.abs();
    let text = fixed(size, digits);
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if !is_zero || size == 0.0 {
        return format!("{sign}{text}");
    }
    match -exponent(size) {
        places @ 0..=9 => format!("{sign}{size:.*}", places as usize),
        _ => format!("{sign}{size:.0e}"),
    }
}

/// The power of ten of the first digit.
fn exponent(size: f64) -> i32 {
    let text = format!("{size:.1e}");
    text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

/// A p-value with two digits, scientific below 0.001. It is never 0, and never rounded onto
/// `alpha` or across it: more digits are shown instead.
pub fn p_value(p: f64, alpha: f64) -> String {
    if p < 1e-300 {
        return "<1e-300".to_owned();
    }
    let is_true = |text: &String| {
        text.parse::<f64>().is_ok_and(|shown| (shown < alpha) == (p < alpha) && (shown == alpha) == (p == alpha))
    };
    (2..=17).map(|digits| significant(p, digits)).find(is_true).unwrap_or_else(|| exact(p))
}

/// A p-value below which random patterns cannot see: `<1.0e-5`.
pub fn p_floor(resamples: u64) -> String {
    format!("<{}", significant(1.0 / resamples as f64, 2))
}

/// A number above 0 with so many digits that say something.
fn significant(number: f64, digits: usize) -> String {
    let scientific = format!("{number:.*e}", digits - 1);
    if number < 0.001 {
        return scientific;
    }
    let exponent = scientific.split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok()).unwrap_or(0);
    let places = (digits as i32 - 1 - exponent).max(0) as usize;
    format!("{number:.places$}")
}

/// A whole number in groups of three: `100,000`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let first = digits.len() % 3;
    let mut text = digits[..first].to_owned();
    for group in digits.as_bytes()[first..].chunks(3) {
        if !text.is_empty() {
            text.push(',');
        }
        text.push_str(&String::from_utf8_lossy(group));
    }
    text
}

/// A share in per cent. `0%` means none and `100%` means all: what is close to them is `<1%` and
/// `>99%`.
pub fn percent(share: f64) -> String {
    match (share * 100.0).round() {
        rounded if rounded < 1.0 && share > 0.0 => "<1%".to_owned(),
        rounded if rounded > 99.0 && share < 1.0 => ">99%".to_owned(),
        rounded => format!("{rounded:.0}%"),
    }
}

/// A value rounded up, so that what it promises holds: 0.191 with two decimals is `0.20`.
pub fn rounded_up(value: f64, digits: usize) -> String {
    let scale = 10f64.powi(digits as i32);
    // What stands on a decimal but for rounding noise stays there.
    fixed((value * scale - 1e-9).ceil() / scale, digits)
}

/// A chance in whole per cent, rounded down for the same reason: 0.7996 is `79%`.
pub fn chance(probability: f64) -> String {
    match (probability * 100.0 + 1e-9).floor() {
        rounded if rounded < 1.0 && probability > 0.0 => "<1%".to_owned(),
        rounded if rounded > 99.0 && probability < 1.0 => ">99%".to_owned(),
        rounded => format!("{rounded:.0}%"),
    }
}

/// A share with as many decimals of a per cent as it needs, two at most: `20%`, `12.5%`, `4.76%`.
pub fn share(share: f64) -> String {
    match (share * 10_000.0).round() / 100.0 {
        rounded if rounded < 0.01 && share > 0.0 => "<0.01%".to_owned(),
        rounded => format!("{rounded}%"),
    }
}

/// The same with one decimal at most: `12.5%`, `4.8%`.
pub fn share_in_tenths(share: f64) -> String {
    match (share * 1000.0).round() / 10.0 {
        rounded if rounded < 0.1 && share > 0.0 => "<0.1%".to_owned(),
        rounded => format!("{rounded}%"),
    }
}

/// A bound on a share in per cent, with one decimal where it is small: `6.9%`, `22%`.
pub fn small_percent(share: f64) -> String {
    if share < 0.1 { format!("{:.1}%", share * 100.0) } else { percent(share) }
}

/// The level of an interval in per cent, without the noise of a subtraction: `95%`, `99.9%`.
pub fn level(level: f64) -> String {
    format!("{}%", exact((level * 1e8).round() / 1e6))
}

/// The level that belongs to an alpha, without the noise of the subtraction: 0.95 for 0.05.
pub fn level_of(alpha: f64) -> f64 {
    ((1.0 - alpha) * 1e12).round() / 1e12
}

/// A value with as many decimals as it needs, two at most.
pub fn rounded(value: f64) -> String {
    exact((value * 100.0).round() / 100.0)
}

/// A count with its noun: `1 query`, `2 queries`.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// A rank; `none` where there is none.
pub fn rank(rank: Option<u64>) -> String {
    rank.map_or_else(|| "none".to_owned(), |rank| rank.to_string())
}

/// A number of queries: `1 query`, `2 queries`.
pub fn queries(count: u64) -> String {
    counted(count, "query", "queries")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(fixed(-0.0, 3), "0.000");
        assert_eq!(fixed(-0.0004, 3), "0.000");
        assert_eq!(fixed(-0.0005001, 3), "-0.001");
        assert_eq!(fixed(2.0, 0), "2");
        assert_eq!(exact(-0.0), "0");
    }

    #[test]
    fn the_quick_way_rounds_as_all_digits_would() {
        let shares = (1..300_u32).flat_map(|n| (0..=n).map(move |k| f64::from(k) / f64::from(n)));
        let halves = (0..100_000_u32).map(|k| f64::from(k) / 20_000.0);
        for value in shares.chain(halves).chain([0.99996, 999.99995, 123.456, 1e-9, 0.0, 1.0]) {
            for digits in 1..=6 {
                assert_eq!(fixed(value, digits), format!("{value:.digits$}"));
            }
        }
    }

    #[test]
    fn very_large_and_very_small_numbers_are_short() {
        assert_eq!([9_999_999.0, 1e7, -1e300].map(|value| fixed(value, 3)), ["9999999.000", "1.000e7", "-1.000e300"]);
        assert_eq!([1e300, 1e-300, 0.1, 12_345_678.0].map(exact), ["1e300", "1e-300", "0.1", "12345678"]);
        assert_eq!(exact(0.030_000_000_000_000_002), "0.030000000000000002");
    }

    #[test]
    fn a_difference_has_a_sign_and_only_nothing_looks_like_nothing() {
        assert_eq!(
            [0.0, -0.0, 0.0922, -0.0004, 0.00096, 1e-12].map(|value| signed(value, 3)),
            ["+0.000", "+0.000", "+0.092", "-0.0004", "+0.001", "+1e-12"]
        );
        assert_eq!(signed(-12.5, 0), "-12");
    }

    #[test]
    fn a_p_has_two_digits_and_keeps_its_side_of_alpha() {
        let shown = |p: f64| p_value(p, 0.05);
        assert_eq!(
            [0.25, 1.0, 0.9961, 0.0078125, 0.5, 0.1].map(shown),
            ["0.25", "1.0", "1.0", "0.0078", "0.50", "0.10"]
        );
        assert_eq!([6.61e-4, 1.8e-12, 0.0].map(shown), ["6.6e-4", "1.8e-12", "<1e-300"]);
        assert_eq!([0.0496, 0.04999, 0.05, 0.0500001].map(shown), ["0.0496", "0.04999", "0.050", "0.0500001"]);
        assert_eq!((p_value(0.0104, 0.01), p_value(0.0096, 0.01)), ("0.0104".to_owned(), "0.0096".to_owned()));
        assert_eq!(p_floor(100_000), "<1.0e-5");
    }

    #[test]
    fn whole_numbers_are_grouped() {
        assert_eq!(
            [0, 42, 999, 1000, 100_000, 1_234_567].map(grouped),
            ["0", "42", "999", "1,000", "100,000", "1,234,567"]
        );
    }

    #[test]
    fn no_share_is_rounded_to_none_or_all() {
        assert_eq!([0.0, 0.001, 0.215, 0.999, 1.0].map(percent), ["0%", "<1%", "22%", ">99%", "100%"]);
        assert_eq!([0.2, 0.125, 2.0 / 42.0, 1e-6].map(share), ["20%", "12.5%", "4.76%", "<0.01%"]);
        assert_eq!([0.0, 0.125, 2.0 / 42.0, 1e-6].map(share_in_tenths), ["0%", "12.5%", "4.8%", "<0.1%"]);
        assert_eq!([0.0689, 0.2212].map(small_percent), ["6.9%", "22%"]);
    }

    #[test]
    fn levels_are_round() {
        let levels = [0.05, 0.1, 0.001].map(level_of);
        assert_eq!(levels, [0.95, 0.9, 0.999]);
        assert_eq!(levels.map(level), ["95%", "90%", "99.9%"]);
        assert_eq!([1.0, -0.5, 0.1252].map(rounded), ["1", "-0.5", "0.13"]);
    }

    #[test]
    fn promises_are_rounded_to_the_safe_side() {
        assert_eq!([0.191, 0.2, 0.1 + 0.2, 0.0].map(|value| rounded_up(value, 2)), ["0.20", "0.20", "0.30", "0.00"]);
        assert_eq!([0.7996, 0.8, 0.995, 1.0, 0.004, 0.0].map(chance), ["79%", "80%", "99%", "100%", "<1%", "0%"]);
    }
}
