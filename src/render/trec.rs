//! The layout of trec_eval: name, query, value, separated by tabs. Whatever prints in it prints
//! through here.

use std::fmt::Write as _;

use super::number::plain;

/// A value as it is printed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    /// Four decimals, as C's `%6.4f` writes them.
    Number(f64),
    /// A whole number.
    Count(f64),
    /// A text.
    Text(&'a str),
}

/// Adds a line.
pub fn line(text: &mut String, name: &str, query: &str, value: Value<'_>) {
    // Memory takes every line.
    let _ = match value {
        Value::Number(number) => writeln!(text, "{name:<22}\t{query}\t{:>6}", plain(number, 4)),
        Value::Count(count) => writeln!(text, "{name:<22}\t{query}\t{}", plain(count.trunc(), 0)),
        Value::Text(words) => writeln!(text, "{name:<22}\t{query}\t{words}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_look_as_c_prints_them() {
        let printed = |value| {
            let mut text = String::new();
            line(&mut text, "map", "all", value);
            text
        };
        assert_eq!(printed(Value::Number(0.25)), "map                   \tall\t0.2500\n");
        assert_eq!(printed(Value::Number(-1_000_000.0)), "map                   \tall\t-1000000.0000\n");
        assert_eq!(printed(Value::Number(-0.000_01)), "map                   \tall\t-0.0000\n");
        assert_eq!(printed(Value::Number(123_456_789.0)), "map                   \tall\t123456789.0000\n");
        assert_eq!(printed(Value::Count(3.0)), "map                   \tall\t3\n");
        assert_eq!(printed(Value::Text("'01'")), "map                   \tall\t'01'\n");
    }
}
