//! What the start of a JSON text looks like: enough of its keys and types to tell layouts apart.
//!
//! Detection sees only the first part of a file, so the scanner takes what is there and never
//! minds where it stops; what is wrong with the text is found when it is read.

use crate::input::{Sample, number};

/// Values that are kept of one list.
const VALUES: usize = 32;
/// Entries that are kept of one object.
const ENTRIES: usize = 128;
/// Levels that are kept; what lies deeper is passed over.
const DEPTH: usize = 6;
/// Lines of a JSONL file that are looked at.
const LINES: usize = 8;

/// The outline of a value.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::input) enum Sketch {
    /// The first entries of an object.
    Object(Vec<(String, Sketch)>),
    /// The first values of a list.
    Array(Vec<Sketch>),
    /// Text.
    Text(String),
    /// A number.
    Number(f64),
    /// `true` or `false`.
    Bool,
    /// `null`, or something that is no JSON.
    Other,
}

impl Sketch {
    /// The outline of a text that starts as JSON does, and whether the sample holds its first rows
    /// to their ends. Lines of objects are a list of them.
    pub(in crate::input) fn of(sample: &Sample) -> (Self, bool) {
        let mut lines = sample.data_lines();
        let first = lines.next().unwrap_or_default();
        let mut scanner = Scanner::new(first);
        let sketch = scanner.value(0);
        let is_whole = matches!(sketch, Sketch::Object(_)) && scanner.ended_well();
        let next_is_row = lines.next().is_none_or(|line| line.trim_ascii_start().starts_with(b"{"));
        if is_whole && next_is_row {
            let rows = sample.data_lines().take(LINES).map(|line| Scanner::new(line).value(0));
            return (Sketch::Array(rows.collect()), sample.data_lines().nth(1).is_some());
        }
        let start = first.as_ptr() as usize - sample.head().as_ptr() as usize;
        let rest = &sample.head()[start..];
        // A line to the end of the text needs no second look.
        let (sketch, scanner) = match rest.len() == first.len() {
            true => (sketch, scanner),
            false => {
                let mut scanner = Scanner::new(rest);
                (scanner.value(0), scanner)
            }
        };
        let enough = scanner.closed || sketch.is_long();
        (sketch, enough)
    }

    /// Whether a text that is cut off holds enough to go by: two whole values of a list, or more
    /// entries than a row has.
    fn is_long(&self) -> bool {
        match self {
            Sketch::Array(values) => values.len() > 2,
            Sketch::Object(entries) => entries.len() == ENTRIES,
            _ => false,
        }
    }

    /// The rows of the text: the objects of a list, or the one object there is.
    pub(in crate::input) fn rows(&self) -> impl Iterator<Item = &Sketch> {
        let alone = matches!(self, Sketch::Object(_)).then_some(self);
        let listed = match self {
            Sketch::Array(items) => items.as_slice(),
            _ => &[],
        };
        alone.into_iter().chain(listed).filter(|row| matches!(row, Sketch::Object(_)))
    }

    /// The entries of an object.
    pub(in crate::input) fn entries(&self) -> &[(String, Sketch)] {
        match self {
            Sketch::Object(entries) => entries,
            _ => &[],
        }
    }

    /// The one object that the text is, for layouts that are no rows.
    pub(in crate::input) fn document(&self) -> &Sketch {
        match self {
            Sketch::Array(items) if items.len() == 1 => &items[0],
            _ => self,
        }
    }

    /// The value of the first of some keys.
    pub(in crate::input) fn get(&self, names: &[&str]) -> Option<&Sketch> {
        names.iter().find_map(|name| self.entries().iter().find(|(key, _)| key == name)).map(|(_, value)| value)
    }

    /// Whether an object has one of some keys.
    pub(in crate::input) fn has(&self, names: &[&str]) -> bool {
        self.get(names).is_some()
    }

    /// The number that the value is, or that stands in its text.
    pub(in crate::input) fn number(&self) -> Option<f64> {
        match self {
            Sketch::Number(number) => Some(*number),
            Sketch::Text(text) => number::parse(text.as_bytes()),
            _ => None,
        }
    }

    /// Whether the value is an object or a list.
    pub(in crate::input) fn is_nested(&self) -> bool {
        matches!(self, Sketch::Object(_) | Sketch::Array(_))
    }

    /// Whether the value is a list.
    pub(in crate::input) fn is_list(&self) -> bool {
        matches!(self, Sketch::Array(_))
    }

    /// Whether the value is an object.
    pub(in crate::input) fn is_object(&self) -> bool {
        matches!(self, Sketch::Object(_))
    }
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    /// Whether the object or list that was scanned last stands there to its end.
    closed: bool,
}

impl<'a> Scanner<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0, closed: false }
    }

    /// Whether the value was whole and nothing follows it.
    fn ended_well(&mut self) -> bool {
        self.closed && self.peek().is_none()
    }

    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn value(&mut self, depth: usize) -> Sketch {
        match self.peek() {
            Some(b'{' | b'[') if depth == DEPTH => self.pass_over(),
            Some(b'{') => Sketch::Object(self.object(depth)),
            Some(b'[') => Sketch::Array(self.list(depth)),
            Some(b'"') => Sketch::Text(self.text()),
            _ => self.word(),
        }
    }

    fn object(&mut self, depth: usize) -> Vec<(String, Sketch)> {
        let mut entries = Vec::new();
        self.sequence(b'}', |scanner| {
            if scanner.peek() != Some(b'"') || (depth == 0 && entries.len() == ENTRIES) {
                return false;
            }
            let key = scanner.string();
            if !scanner.eat(b':') {
                return false;
            }
            match entries.len() < ENTRIES {
                true => entries.push((lossy(key), scanner.value(depth + 1))),
                false => _ = scanner.pass_over(),
            }
            true
        });
        entries
    }

    fn list(&mut self, depth: usize) -> Vec<Sketch> {
        let mut values = Vec::new();
        self.sequence(b']', |scanner| {
            match values.len() < VALUES {
                true => values.push(scanner.value(depth + 1)),
                false if depth == 0 => return false,
                false => _ = scanner.pass_over(),
            }
            true
        });
        values
    }

    /// Takes one item after the other until the end, or until there is none to take.
    fn sequence(&mut self, close: u8, mut next: impl FnMut(&mut Self) -> bool) {
        self.at += 1;
        self.closed = loop {
            if self.eat(close) {
                break true;
            }
            let before = self.at;
            if self.peek().is_none() || !next(self) || (!self.eat(b',') && self.at == before) {
                break false;
            }
        };
    }

    fn text(&mut self) -> String {
        lossy(self.string())
    }

    /// What stands between two quotes, as it is written.
    fn string(&mut self) -> &'a [u8] {
        self.at += 1;
        let start = self.at;
        while let Some(offset) = self.text.get(self.at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
            self.at += offset;
            if self.text[self.at] == b'"' {
                self.at += 1;
                return &self.text[start..self.at - 1];
            }
            self.at += 2;
        }
        self.at = self.text.len();
        &self.text[start.min(self.at)..]
    }

    fn word(&mut self) -> Sketch {
        let start = self.at;
        while self.text.get(self.at).is_some_and(|byte| !byte.is_ascii_whitespace() && !b",]}".contains(byte)) {
            self.at += 1;
        }
        match &*String::from_utf8_lossy(&self.text[start..self.at]) {
            "true" | "false" => Sketch::Bool,
            word => number::parse(word.as_bytes()).map_or(Sketch::Other, Sketch::Number),
        }
    }

    /// Passes over a value that lies too deep or stands too far behind to matter.
    fn pass_over(&mut self) -> Sketch {
        let mut open = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => {
                    self.string();
                }
                b'{' | b'[' => {
                    open += 1;
                    self.at += 1;
                }
                b'}' | b']' if open == 0 => break,
                b'}' | b']' => {
                    open -= 1;
                    self.at += 1;
                }
                b',' if open == 0 => break,
                _ => self.at += 1 + self.text[self.at + 1..].iter().take_while(|byte| !is_mark(byte)).count(),
            }
            if open == 0 && matches!(byte, b'"' | b'}' | b']') {
                break;
            }
        }
        Sketch::Other
    }
}

/// Whether a byte can begin or end a value.
fn is_mark(byte: &u8) -> bool {
    matches!(byte, b'"' | b'{' | b'}' | b'[' | b']' | b',')
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Position, Source};

    fn sketch(text: &str) -> Option<Sketch> {
        Source::from_bytes("f", text.into()).sample(Position::Labels).unwrap().json().cloned()
    }

    #[test]
    fn lines_of_objects_are_a_list() {
        let rows = sketch("\n{\"a\": 1, \"b\": [\"x\"]}\r\n{\"a\": \"2\"}\n").unwrap();
        assert_eq!(rows.rows().count(), 2);
        assert!(rows.rows().all(|row| row.get(&["z", "a"]).unwrap().number().is_some()));
        assert_eq!(sketch("{\"a\": 1}").unwrap().rows().count(), 1);
    }

    #[test]
    fn a_document_may_stop_anywhere() {
        let text = "{\"q1\": {\"d1\": 1.5, \"d2\": {\"x\": [true, null]}},\n \"q2\": {\"d\\\"3\": \"a\"}}";
        for end in 8..text.len() {
            assert!(sketch(&text[..end]).unwrap().document().is_object(), "{}", &text[..end]);
        }
        assert_eq!(sketch(text).unwrap().entries().len(), 2);
    }

    #[test]
    fn deep_nesting_and_rubbish_end() {
        assert!(sketch(&"[".repeat(60_000)).is_some());
        assert!(sketch(&"{\"a\":".repeat(10_000)).is_some());
        assert!(sketch("{\"a\": }}}]]]").is_some());
        assert_eq!(sketch("[1] Q0 d 1 2 t"), None);
        assert_eq!(sketch("q1 0 d 1"), None);
        assert_eq!(sketch(""), None);
    }
}
