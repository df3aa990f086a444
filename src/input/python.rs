//! Python literals, as pandas writes lists and dicts into the cells of a CSV: `['doc1', "doc5"]`.

use serde_json::{Map, Number, Value};

/// How deep literals may be nested.
const DEPTH: usize = 32;

/// Reads a whole cell as JSON or as a Python literal: lists, tuples, dicts with string keys,
/// strings, numbers, `True`, `False`, `None`. Anything else is `None`.
pub(super) fn parse(cell: &str) -> Option<Value> {
    serde_json::from_str(cell).ok().or_else(|| {
        let mut parser = Parser { rest: cell };
        let value = parser.value(DEPTH)?;
        parser.rest.trim_start().is_empty().then_some(value)
    })
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn value(&mut self, depth: usize) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        self.rest = self.rest.trim_start();
        match self.rest.chars().next()? {
            '[' => self.items(']', |parser| parser.value(depth)).map(Value::Array),
            '(' => self.items(')', |parser| parser.value(depth)).map(Value::Array),
            '{' => {
                let pairs = self.items('}', |parser| parser.pair(depth))?;
                Some(Value::Object(Map::from_iter(pairs)))
            }
            '\'' | '"' => self.string().map(Value::String),
            _ => self.word(),
        }
    }

    /// Items between commas up to the closing bracket; a comma may stand behind the last.
    fn items<T>(&mut self, close: char, item: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.rest = self.rest.get(1..)?;
        let mut items = Vec::new();
        loop {
            if self.takes(close) {
                return Some(items);
            }
            items.push(item(self)?);
            if !self.takes(',') {
                return self.takes(close).then_some(items);
            }
        }
    }

    fn pair(&mut self, depth: usize) -> Option<(String, Value)> {
        self.rest = self.rest.trim_start();
        let key = self.string()?;
        self.takes(':').then_some(())?;
        Some((key, self.value(depth)?))
    }

    fn takes(&mut self, expected: char) -> bool {
        match self.rest.trim_start().strip_prefix(expected) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn string(&mut self) -> Option<String> {
        let mut chars = self.rest.chars();
        let quote = chars.next().filter(|c| matches!(c, '\'' | '"'))?;
        let mut text = String::new();
        loop {
            match chars.next()? {
                '\\' => text.push(escape(&mut chars)?),
                '\n' => return None,
                c if c == quote => break,
                c => text.push(c),
            }
        }
        self.rest = chars.as_str();
        Some(text)
    }

    /// A number, a boolean or nothing.
    fn word(&mut self) -> Option<Value> {
        let end = self.rest.find([',', ']', ')', '}']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match word.trim() {
            "True" => Some(Value::Bool(true)),
            "False" => Some(Value::Bool(false)),
            "None" => Some(Value::Null),
            number => number.parse::<Number>().ok().map(Value::Number),
        }
    }
}

fn escape(chars: &mut std::str::Chars<'_>) -> Option<char> {
    let code = |chars: &mut std::str::Chars<'_>, digits: usize| {
        let text = chars.as_str().get(..digits)?;
        *chars = chars.as_str()[digits..].chars();
        char::from_u32(u32::from_str_radix(text, 16).ok()?)
    };
    match chars.next()? {
        'n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        'x' => code(chars, 2),
        'u' => code(chars, 4),
        'U' => code(chars, 8),
        c @ ('\\' | '\'' | '"') => Some(c),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_and_dicts_of_both_languages_are_read() {
        assert_eq!(parse("['doc1', \"it's\", 'd\\'x\\u00e9']"), Some(json!(["doc1", "it's", "d'xé"])));
        assert_eq!(parse(" ( 'a' , ) "), Some(json!(["a"])));
        assert_eq!(parse("{'id': 'n1', 'page': 3, 'x': [None, True, 1.5]}"), {
            Some(json!({"id": "n1", "page": 3, "x": [null, true, 1.5]}))
        });
        assert_eq!(parse("[\"a\", null]"), Some(json!(["a", null])));
        assert_eq!(parse("[]"), Some(json!([])));
    }

    #[test]
    fn anything_else_is_refused() {
        for cell in
            ["", "[", "['a'", "['a' 'b']", "['a'] x", "[a]", "['a\\q']", "{'a'}", "[,]", "['\\ud800']", "é", "[é"]
        {
            assert_eq!(parse(cell), None, "{cell}");
        }
        assert_eq!(parse(&"[".repeat(10_000)), None);
    }
}
