//! Numbers as people read them. The only place that rounds.

/// A value with a fixed number of decimals; never `-0.000`.
pub fn fixed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(positive) if positive.bytes().all(|byte| matches!(byte, b'0' | b'.')) => positive.to_owned(),
        _ => text,
    }
}

/// A value as short as it can be written without losing anything: `1`, `0.5`, `-1`.
pub fn exact(value: f64) -> String {
    (value + 0.0).to_string()
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

/// A count with its noun: `1 query`, `2 queries`.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
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
    fn no_share_is_rounded_to_none_or_all() {
        assert_eq!([0.0, 0.001, 0.215, 0.999, 1.0].map(percent), ["0%", "<1%", "22%", ">99%", "100%"]);
        assert_eq!([0.2, 0.125, 2.0 / 42.0, 1e-6].map(share), ["20%", "12.5%", "4.76%", "<0.01%"]);
    }

    #[test]
    fn promises_are_rounded_to_the_safe_side() {
        assert_eq!([0.191, 0.2, 0.1 + 0.2, 0.0].map(|value| rounded_up(value, 2)), ["0.20", "0.20", "0.30", "0.00"]);
        assert_eq!([0.7996, 0.8, 0.995, 1.0, 0.004, 0.0].map(chance), ["79%", "80%", "99%", "100%", "<1%", "0%"]);
    }
}
