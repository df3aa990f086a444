//! The layout of trec_eval: name, query, value, separated by tabs. Whatever prints in it prints
//! through here.

use super::number::push_plain;

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
    text.push_str(name);
    (name.chars().count()..22).for_each(|_| text.push(' '));
    text.push('\t');
    text.push_str(query);
    text.push('\t');
    match value {
        Value::Number(number) => push_number(text, number),
        Value::Count(count) => push_plain(text, count.trunc(), 0),
        Value::Text(words) => text.push_str(words),
    }
    text.push('\n');
}

/// Adds a number as C's `%6.4f` writes it.
fn push_number(text: &mut String, number: f64) {
    let start = text.len();
    push_plain(text, number, 4);
    // Only what is no number is as short as that.
    while text.len() < start + 6 {
        text.insert(start, ' ');
    }
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
