//! What the start of a JSON text looks like: enough of its keys and types to tell layouts apart.
//!
//! Detection sees only the first part of a file, so the scanner takes what is there and never
//! minds where it stops; what is wrong with the text is found when it is read.

use crate::input::{Sample, number};

/// Entries that are kept of one object or list.
const KEPT: usize = 32;
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

impl Sample {
    /// The outline of a JSON text; lines of objects are a list of them. `None` when the text does
    /// not start as JSON does.
    pub(in crate::input) fn json(&self) -> Option<Sketch> {
        let mut lines = self.data_lines();
        let first = lines.next().filter(|_| self.is_json())?;
        let mut scanner = Scanner::new(first);
        let sketch = scanner.value(0);
        let is_whole = matches!(sketch, Sketch::Object(_)) && scanner.ended_well();
        let next_is_row = lines.next().is_none_or(|line| line.trim_ascii_start().starts_with(b"{"));
        if is_whole && next_is_row {
            let rows = self.data_lines().take(LINES);
            return Some(Sketch::Array(rows.map(|line| Scanner::new(line).value(0)).collect()));
        }
        let start = first.as_ptr() as usize - self.head().as_ptr() as usize;
        Some(Scanner::new(&self.head()[start..]).value(0))
    }
}

impl Sketch {
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
}

impl<'a> Scanner<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// Whether the value was whole and nothing follows it.
    fn ended_well(&mut self) -> bool {
        let closed = self.at > 0 && self.text.get(self.at - 1).is_some_and(|byte| b"}]".contains(byte));
        closed && self.peek().is_none()
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
            Some(b'{') => Sketch::Object(self.sequence(b'}', |scanner| scanner.entry(depth))),
            Some(b'[') => Sketch::Array(self.sequence(b']', |scanner| Some(scanner.value(depth + 1)))),
            Some(b'"') => Sketch::Text(self.string()),
            _ => self.word(),
        }
    }

    fn sequence<T>(&mut self, close: u8, mut next: impl FnMut(&mut Self) -> Option<T>) -> Vec<T> {
        let mut kept = Vec::new();
        self.at += 1;
        while !self.eat(close) {
            let before = self.at;
            let Some(item) = next(self) else { break };
            if kept.len() < KEPT {
                kept.push(item);
            }
            if !self.eat(b',') && self.at == before {
                break;
            }
        }
        kept
    }

    fn entry(&mut self, depth: usize) -> Option<(String, Sketch)> {
        if self.peek() != Some(b'"') {
            return None;
        }
        let key = self.string();
        self.eat(b':').then(|| (key, self.value(depth + 1)))
    }

    fn string(&mut self) -> String {
        self.at += 1;
        let start = self.at;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        let end = self.at.min(self.text.len());
        self.at = end + usize::from(end < self.text.len());
        String::from_utf8_lossy(&self.text[start..end]).into_owned()
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

    /// Passes over a value that lies too deep to matter.
    fn pass_over(&mut self) -> Sketch {
        let mut open = 0_usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => {
                    self.string();
                    continue;
                }
                b'{' | b'[' => open += 1,
                b'}' | b']' => open -= 1,
                _ => {}
            }
            self.at += 1;
            if open == 0 {
                break;
            }
        }
        Sketch::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Position, Source};

    fn sketch(text: &str) -> Option<Sketch> {
        Source::from_bytes("f", text.into()).sample(Position::Labels).unwrap().json()
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
