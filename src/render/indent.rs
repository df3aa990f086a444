//! JSON that people and diffs can read: the outer levels a line a value; in one line what lies
//! deeper (a measure, a query) and lists of ids.

use std::io::{self, Write};

use raglens::id::is_unsafe_to_print;
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// How many levels of objects get a line a value.
const OBJECTS: usize = 4;
/// How many levels of arrays do.
const ARRAYS: usize = 2;

/// A value as indented JSON that ends with a line end.
pub fn to_json(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, Outline::default());
    value.serialize(&mut serializer).expect("results hold nothing that JSON lacks");
    bytes.push(b'\n');
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

/// A value as JSON in one line that ends with a line end.
pub fn to_line(value: &impl Serialize) -> String {
    to_lines(std::iter::once(value))
}

/// Values as JSON, each in one line that ends with a line end.
pub fn to_lines(values: impl Iterator<Item = impl Serialize>) -> String {
    let mut bytes = Vec::new();
    for value in values {
        let written = value.serialize(&mut Serializer::with_formatter(&mut bytes, Line));
        written.expect("results hold nothing that JSON lacks");
        bytes.push(b'\n');
    }
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

/// Text with everything escaped that a terminal would act on: JSON itself escapes only a part.
fn write_text<W: ?Sized + Write>(writer: &mut W, mut text: &str) -> io::Result<()> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return writer.write_all(text.as_bytes());
    }
    while let Some(place) = text.find(is_unsafe_to_print) {
        writer.write_all(&text.as_bytes()[..place])?;
        let character = text[place..].chars().next().unwrap_or_default();
        for unit in character.encode_utf16(&mut [0; 2]) {
            write!(writer, "\\u{unit:04x}")?;
        }
        text = &text[place + character.len_utf8()..];
    }
    writer.write_all(text.as_bytes())
}

/// Everything in one line.
struct Line;

impl Formatter for Line {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        write_text(writer, fragment)
    }
}

/// Breaks lines in the outer levels alone.
#[derive(Debug, Default)]
struct Outline {
    depth: usize,
    has_value: bool,
    /// The depth from which everything stands in one line.
    inline_from: Option<usize>,
}

impl Outline {
    fn open<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8], levels: usize) -> io::Result<()> {
        self.depth += 1;
        self.has_value = false;
        if self.depth > levels && self.inline_from.is_none() {
            self.inline_from = Some(self.depth);
        }
        writer.write_all(bracket)
    }

    fn close<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        if self.has_value && self.inline_from.is_none() {
            self.break_line(writer, self.depth - 1)?;
        }
        if self.inline_from == Some(self.depth) {
            self.inline_from = None;
        }
        self.depth -= 1;
        self.has_value = true;
        writer.write_all(bracket)
    }

    fn separate<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if !first {
            writer.write_all(b",")?;
        }
        match (self.inline_from.is_none(), first) {
            (true, _) => self.break_line(writer, self.depth),
            (false, true) => Ok(()),
            (false, false) => writer.write_all(b" "),
        }
    }

    fn break_line<W: ?Sized + Write>(&self, writer: &mut W, depth: usize) -> io::Result<()> {
        writer.write_all(b"\n")?;
        writer.write_all("  ".repeat(depth).as_bytes())
    }
}

impl Formatter for Outline {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        write_text(writer, fragment)
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"[", ARRAYS)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.separate(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"{", OBJECTS)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.separate(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_acts_on_stands_in_it() {
        let value = serde_json::json!({"a\u{9b}": "\u{202e}\u{7f}\u{1b}é"});
        assert_eq!(to_line(&value), "{\"a\\u009b\":\"\\u202e\\u007f\\u001bé\"}\n");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&to_json(&value)).unwrap(), value);
    }

    #[test]
    fn deep_values_stand_in_one_line() {
        let value = serde_json::json!({"a": [], "b": [{"c": ["q1", "q2"], "d": {"e": {"f": [{"g": 1}]}}}]});
        let text = r#"{
  "a": [],
  "b": [
    {
      "c": ["q1", "q2"],
      "d": {
        "e": {"f": [{"g": 1}]}
      }
    }
  ]
}
"#;
        assert_eq!(to_json(&value), text);
    }
}
