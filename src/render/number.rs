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
    }
}
