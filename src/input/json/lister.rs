//! The results of a query as places in a text, where they are plain from the first to the last and
//! no more than an id with a score, or an id.
//!
//! As with single rows, nothing is decided here: what is the least bit different is not listed, and
//! goes another way. Results that are like the one before are taken apart eight bytes at a time.

use std::ops::Range;

use super::Value;
use super::plain::Scanner;
use super::plain_results::PlainItem;
use crate::id::Fingerprints;
use crate::input::alike::{Alike, Glance, Part, Piece};
use crate::input::columns;
use crate::run::{Keyed, Listed, Listing};

/// Lists the results of one query after the other; its memory is used again.
pub(super) struct Lister {
    alike: Alike,
    /// What closes the results.
    close: u8,
    /// What objects look like.
    item: Option<PlainItem>,
    /// The values of the last result that was looked at.
    pieces: Vec<Piece>,
    /// The results, in the order of the text.
    pub results: Vec<Listed>,
    /// What orders them.
    pub keyed: Keyed,
}

impl Lister {
    pub fn new() -> Self {
        Self {
            alike: Alike::new(b'\\'),
            close: b'}',
            item: None,
            pieces: Vec::new(),
            results: Vec::new(),
            keyed: Keyed::default(),
        }
    }

    /// Lists the results that start at a place of a text and says where it goes on behind them;
    /// `None` where they are not plain or do not end before `limit`. What stands behind that may be
    /// looked at, but never more of it than a result needs.
    pub fn list(&mut self, text: &str, start: usize, limit: usize) -> Option<usize> {
        self.results.clear();
        if text.len() > Listing::LONGEST {
            return None;
        }
        let mut scanner = Scanner { text: text.as_bytes(), at: start + 1 };
        let close = match text.as_bytes().get(start)? {
            b'{' => b'}',
            b'[' => b']',
            _ => return None,
        };
        if close != self.close {
            self.alike.forget();
            self.close = close;
        }
        if mark(&mut scanner, limit)? == close {
            return Some(scanner.at + 1);
        }
        loop {
            while let Some(found) = self.alike.take_apart(scanner.text, scanner.at) {
                self.results.push(found.row);
                scanner.at = found.end;
            }
            scanner.pass_blanks();
            let from = scanner.at;
            let (result, keyed) = self.next(text, limit, &mut scanner)?;
            if self.keyed != keyed {
                if !self.results.is_empty() {
                    return None;
                }
                self.keyed = keyed;
                self.alike.forget();
            }
            self.results.push(result);
            match mark(&mut scanner, limit)? {
                b',' => scanner.at += 1,
                byte => return (byte == close).then_some(scanner.at + 1),
            }
            scanner.pass_blanks();
            self.alike.learn(&scanner.text[from..scanner.at], &mut self.pieces);
        }
    }

    /// The result that stands next, and what orders it.
    fn next(&mut self, text: &str, limit: usize, scanner: &mut Scanner<'_>) -> Option<(Listed, Keyed)> {
        let from = scanner.at;
        self.pieces.clear();
        let (document, key, keyed) = match scanner.peek()? {
            first if self.close == b'}' => {
                if first != b'"' {
                    return None;
                }
                let document = self.value(Part::Document, from, scanner)?.id()?;
                scanner.expect(b':')?;
                (document, self.value(Part::Score, from, scanner)?.number()?, Keyed::Score)
            }
            b'{' => {
                let (document, score) = self.object(text, limit, scanner)?;
                (document, score, Keyed::Score)
            }
            _ => (self.value(Part::Document, from, scanner)?.id()?, 0.0, Keyed::Position),
        };
        let Range { start, end } = columns::span(scanner.text, document);
        let fingerprint = Fingerprints::default().of(document);
        Some((Listed { start, end, fingerprint, key, rank: f64::NAN }, keyed))
    }

    /// The id and the score of an object that looks like those before it or is the first of a list.
    fn object<'t>(&mut self, text: &str, limit: usize, scanner: &mut Scanner<'t>) -> Option<(&'t [u8], f64)> {
        let from = scanner.at;
        if let Some(item) = &self.item
            && let Some(found) = item.take_apart(scanner, &mut self.pieces)
        {
            return Some(found);
        }
        if !self.results.is_empty() {
            return None;
        }
        scanner.at = from;
        self.item = PlainItem::first_of(text.get(from..limit)?);
        self.item.as_ref()?.take_apart(scanner, &mut self.pieces)
    }

    /// The value that stands next, as a piece of the result that begins at a place.
    fn value<'t>(&mut self, part: Part, from: usize, scanner: &mut Scanner<'t>) -> Option<Value<'t>> {
        let value = scanner.value()?;
        self.pieces.extend(piece(part, from, scanner.text, value));
        Some(value)
    }
}

/// The byte that stands next behind blanks and before a limit.
fn mark(scanner: &mut Scanner<'_>, limit: usize) -> Option<u8> {
    scanner.pass_blanks();
    if scanner.at < limit { scanner.peek() } else { None }
}

/// A value as a piece of a result that begins at a place; a word is as it is.
pub(super) fn piece(part: Part, from: usize, text: &[u8], value: Value<'_>) -> Option<Piece> {
    let (value, is_bare) = match value {
        Value::Text(text) => (text, false),
        Value::Number(digits) => (digits, true),
        Value::Word(_) => return None,
    };
    let Range { start, end } = columns::span(text, value);
    Some(Piece { part, place: start - from..end - from, is_bare })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::super::Document;
    use super::super::plain_results::PlainResults;
    use super::*;

    /// The ids and keys of the results at a place of a text with their end, as a lister gives them.
    fn listed(lister: &mut Lister, text: &str, start: usize) -> Option<(usize, Vec<String>)> {
        let end = lister.list(text, start, text.len())?;
        let prints = Fingerprints::default();
        let shown = lister.results.iter().map(|&Listed { start, end, fingerprint, key, .. }| {
            assert_eq!(fingerprint, prints.of(&text.as_bytes()[start..end]));
            format!("{} {:?}", &text[start..end], lister.keyed.of(key))
        });
        Some((end, shown.collect()))
    }

    /// The same one by one.
    fn one_by_one(text: &str, start: usize) -> Option<(usize, Vec<String>)> {
        let document = Document::new(text, 1);
        let plain = PlainResults::read(&document, start)?;
        let shown = plain
            .results
            .iter()
            .map(|(_, result)| format!("{} {:?}", std::str::from_utf8(result.id).unwrap(), result.key));
        Some((plain.end, shown.collect()))
    }

    /// Results of a layout, most of them plain.
    fn results() -> impl Strategy<Value = String> {
        let ids = select(vec![
            "\"d1\"",
            "\"a longer id\"",
            "7",
            "\"é\"",
            "\"#\"",
            "\"\"",
            "\"\\u0041\"",
            "07",
            "\"a\tb\"",
            "{}",
        ]);
        let id = prop_oneof![20 => (0..99_u8).prop_map(|id| format!("\"d{id}\"")), 3 => ids.prop_map(str::to_owned)];
        let numbers = select(vec!["-2", "\"1.5\"", "1e2", "01", ".5", "null", "[1]"]);
        let number =
            prop_oneof![20 => (0..999_u16).prop_map(|n| format!("{n}.{n:03}")), 1 => numbers.prop_map(str::to_owned)];
        let blank = prop_oneof![9 => Just(""), 1 => select(vec![" ", "\n"])];
        let results = proptest::collection::vec((id, number, blank), 0..7);
        (0..6_u8, results, select(vec!["", "", "", "", ",", "}"])).prop_map(|(layout, results, behind)| {
            let result = |(id, number, blank): &(String, String, &str)| match layout {
                0 | 1 => format!("{blank}{id}{blank}:{number}"),
                2 => format!("{{\"id\":{id},{blank}\"score\":{number}}}{blank}"),
                3 => format!("{{\"text\":\"x\",\"distance\":{number},\"doc_id\":{blank}{id}}}"),
                _ => format!("{blank}{id}"),
            };
            let results: Vec<String> = results.iter().map(result).collect();
            let (open, close) = if layout == 0 { ('{', '}') } else { ('[', ']') };
            format!("{open}{}{behind}{close}", results.join(","))
        })
    }

    #[test]
    fn what_stands_behind_the_limit_costs_nothing_and_is_no_result() {
        let lines = r#"[{"id":"a",|"score":1} , {"id":"b","score":2}| ]| , "x"]"#;
        let places: Vec<usize> = lines.match_indices('|').zip(0..).map(|((place, _), before)| place - before).collect();
        let text = lines.replace('|', "");
        for (limit, is_known, end) in
            [(places[0], false, None), (places[1], true, None), (places[2], true, Some(places[2]))]
        {
            let mut lister = Lister::new();
            assert_eq!(lister.list(&text, 0, limit), end, "{limit}");
            // An object is only looked for as far as that.
            assert_eq!(lister.item.is_some(), is_known, "{limit}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn what_is_listed_is_what_is_read_one_by_one(lists in proptest::collection::vec(results(), 1..6), behind in select(vec![0, 300])) {
            let text = lists.join("\n") + &" ".repeat(behind);
            let (mut lister, mut start) = (Lister::new(), 0);
            for list in lists {
                let (listed, expected) = (listed(&mut lister, &text, start), one_by_one(&text, start));
                prop_assert_eq!(listed, expected, "{}", list);
                start += list.len() + 1;
            }
        }
    }
}
