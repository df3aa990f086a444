//! Documents that are one object of queries.

use std::ops::Range;

use super::entry::{Entry, TakePiece};
use super::lister::Lister;
use super::pieces::{WINDOW, Window};
use super::plain::plain_id;
use super::plain_results::PlainResults;
use super::{Document, FirstLines, Node, rank};
use crate::error::Fault;
use crate::input::blocks::Text;
use crate::input::opening::Opening;
use crate::input::{FaultLog, Reader, taking};
use crate::run::{Call, RunSink};

/// Reads the whole text as one value.
///
/// # Errors
/// When the text is not JSON, and what `take` gives back.
pub(in crate::input) fn whole(
    reader: &mut Reader,
    take: impl FnOnce(Node<'_>, &mut FaultLog) -> Result<(), Fault>,
) -> Result<(), Fault> {
    whole_behind(Vec::new(), reader, take)
}

fn whole_behind(
    first: Vec<u8>,
    reader: &mut Reader,
    take: impl FnOnce(Node<'_>, &mut FaultLog) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let text = reader.source.text_behind(first)?;
    let (start, first_line) = first_row(text.as_bytes());
    let document = Document::new(&text[start..], first_line);
    take(document.root()?, &mut reader.log)
}

/// Where the first line with a row starts, and its number: comments and blank lines may stand above
/// it.
pub(super) fn first_row(text: &[u8]) -> (usize, u64) {
    let start = Opening::default().pass_over(text);
    (start, 1 + memchr::memchr_iter(b'\n', &text[..start]).count() as u64)
}

/// Hands out the entries of a text that is an object of queries, each query once, without holding
/// more than a few of them.
///
/// A fault that `take` gives back costs the whole query when faults are skipped.
///
/// # Errors
/// When the text is no such object; the first fault, unless faults are skipped.
pub(in crate::input) fn each_query_of(
    reader: &mut Reader,
    mut take: impl FnMut(&str, Node<'_>, &mut FaultLog) -> Result<(), Fault>,
) -> Result<(), Fault> {
    each_entry_of(reader, Take::With(&mut take))
}

/// Takes the results of a text that is an object of queries in the same way.
///
/// # Errors
/// As [`each_query_of`].
pub(in crate::input) fn rank_each_of(reader: &mut Reader, run: &mut dyn RunSink) -> Result<(), Fault> {
    each_entry_of(reader, Take::Ranking(run))
}

fn each_entry_of(reader: &mut Reader, take: Take<'_>) -> Result<(), Fault> {
    let first = reader.source.take_first(WINDOW)?;
    let (start, first_line) = first_row(&first);
    let is_object = first[start..].trim_ascii_start().starts_with(b"{");
    if first.len() < WINDOW || !is_object {
        return whole_behind(first, reader, |root, log| each_entry(root, log, take));
    }
    let Reader { source, log, .. } = reader;
    match Window::new(first[start..].to_vec(), first_line, source, WINDOW) {
        Some(window) => window.each(&mut Queries::new(log, take)),
        None => Ok(()),
    }
}

/// Hands out the entries of an object of queries, each query once.
///
/// A fault that `take` gives back costs the whole query when faults are skipped.
///
/// # Errors
/// When the value is no object; the first fault, unless faults are skipped.
pub(in crate::input) fn each_query(
    queries: Node<'_>,
    log: &mut FaultLog,
    mut take: impl FnMut(&str, Node<'_>, &mut FaultLog) -> Result<(), Fault>,
) -> Result<(), Fault> {
    each_entry(queries, log, Take::With(&mut take))
}

/// Takes the results of an object of queries in the same way.
///
/// # Errors
/// As [`each_query`].
pub(in crate::input) fn rank_each(queries: Node<'_>, run: &mut dyn RunSink, log: &mut FaultLog) -> Result<(), Fault> {
    each_entry(queries, log, Take::Ranking(run))
}

fn each_entry(queries: Node<'_>, log: &mut FaultLog, take: Take<'_>) -> Result<(), Fault> {
    let entries = queries.entries("the text", "an object of queries")?;
    let mut queries = Queries::new(log, take);
    entries
        .into_iter()
        .try_for_each(|(key, value)| queries.piece(Some(key), value).or_else(|fault| queries.skip(fault)))
}

/// What becomes of the entries.
enum Take<'a> {
    /// Whatever takes them.
    With(&'a mut dyn FnMut(&str, Node<'_>, &mut FaultLog) -> Result<(), Fault>),
    /// They are results.
    Ranking(&'a mut dyn RunSink),
}

/// Takes the entries of an object of queries.
struct Queries<'l, 't> {
    first_lines: FirstLines,
    log: &'l mut FaultLog,
    take: Take<'t>,
    lister: Lister,
}

impl<'l, 't> Queries<'l, 't> {
    fn new(log: &'l mut FaultLog, take: Take<'t>) -> Self {
        Self { first_lines: FirstLines::default(), log, take, lister: Lister::new() }
    }

    /// Takes an entry whose results can be listed.
    fn list(&mut self, entry: &Entry<'_>, query: Range<usize>, line: u64) -> Option<(usize, Result<(), Fault>)> {
        let Take::Ranking(run) = &mut self.take else { return None };
        let (text, lists) = (entry.document.text(), run.lists()?);
        let end = self.lister.list(text, entry.value, entry.limit)?;
        self.first_lines.add(&text[query.clone()], line, None).ok()?;
        let text = Text { bytes: text.as_bytes(), lines_before: entry.document.line_of(0) - 1 };
        let Lister { keyed, results, .. } = &self.lister;
        Some((end, taking::hand_over(text, query, *keyed, results, lists)))
    }
}

impl TakePiece for Queries<'_, '_> {
    fn plain_entry(&mut self, entry: &Entry<'_>) -> Option<(usize, Result<(), Fault>)> {
        let (text, key) = (entry.document.text(), entry.key.clone()?);
        let query = plain_id(&text[key.clone()])?;
        let line = entry.line - memchr::memchr_iter(b'\n', &text.as_bytes()[key.end..entry.value]).count() as u64;
        if let Some(listed) = self.list(entry, key.start + 1..key.end - 1, line) {
            return Some(listed);
        }
        let Take::Ranking(run) = &mut self.take else { return None };
        let results = PlainResults::read(entry.document, entry.value).filter(|results| results.end <= entry.limit)?;
        // A query that was there before is a fault of the general way.
        self.first_lines.add(query, line, None).ok()?;
        let called = run.call(query.as_bytes(), &Call::default(), entry.line);
        let log = &mut *self.log;
        Some((results.end, called.and_then(|()| results.rank(query, *run, |fault| log.skip(fault)))))
    }

    fn piece(&mut self, key: Option<Node<'_>>, value: Node<'_>) -> Result<(), Fault> {
        let key = key.unwrap_or(value);
        let query = key.id("query id")?;
        self.first_lines.once(&query, key)?;
        match &mut self.take {
            Take::With(take) => take(&query, value, self.log),
            Take::Ranking(run) => {
                let called = run.call(query.as_bytes(), &Call::default(), value.line());
                called.map_err(|fault| value.locate(fault))?;
                rank(value, &query, *run, self.log)
            }
        }
    }

    fn skip(&mut self, fault: Fault) -> Result<(), Fault> {
        self.log.skip(fault)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::{Index, select};

    use super::super::rank_one_by_one;
    use super::*;
    use crate::input::OnError;
    use crate::run::RunBuilder;

    /// All that becomes known of a text that is read through a window, where results may be taken
    /// for plain or each is looked at for itself.
    fn read(text: &[u8], size: usize, on_error: OnError, may_be_plain: bool) -> String {
        let (mut run, mut log) = (RunBuilder::new(), FaultLog::new("f", on_error));
        let (start, mut rest) = text.split_at(size.min(text.len()));
        let window = Window::new(start.to_vec(), 3, &mut rest, size).unwrap();
        let mut one_by_one = |query: &str, results: Node<'_>, log: &mut FaultLog| {
            let called = run.call(query.as_bytes(), &Call::default(), results.line());
            called.map_err(|fault| results.locate(fault))?;
            rank_one_by_one(results, query, &mut run, log)
        };
        let take = if may_be_plain { Take::Ranking(&mut run) } else { Take::With(&mut one_by_one) };
        let read = window.each(&mut Queries::new(&mut log, take));
        format!("{read:?} {:?} {log:?}", run.finish().rankings())
    }

    const IDS: &[&str] = &["d1", "d2", "é", "a longer id", "7", "", "\\u0041", "\u{feff}a", "a\tb", "\\\"", "\\ud800"];
    const NUMBERS: &[&str] = &[
        "1", "0.25", "-2.5", "\"1.5\"", "1e2", "0", "-0", "01", "1.", ".5", "-", "1e999", "\"x\"", "null", "[1]",
        "NaN", "{}",
    ];

    /// Objects of queries whose results are mostly plain, in every layout.
    fn text() -> impl Strategy<Value = String> {
        let some =
            |usual: usize, all: &'static [&'static str]| prop_oneof![30 => select(&all[..usual]), 1 => select(all)];
        let blank = prop_oneof![3 => Just(""), 1 => select(vec![" ", "\n", "\r\n ", "\t"])];
        let result = (some(5, IDS), some(6, NUMBERS), blank);
        let query = (some(5, IDS), 0..5_u8, proptest::collection::vec(result, 0..6));
        // Behind the results there may be as much that numbers are read many digits at a time.
        (proptest::collection::vec(query, 0..8), select(vec![0, 300])).prop_map(|(queries, behind)| {
            let queries = queries.iter().enumerate().map(|(index, (id, layout, results))| {
                let results: Vec<String> = results.iter().map(|result| self::result(*layout, *result)).collect();
                let (open, close) = if *layout == 0 { ("{", "}") } else { ("[", "]") };
                format!("\"{id}{}\" : {open}{}{close}", index / 2, results.join(","))
            });
            format!("{{{}}}\n{}", queries.collect::<Vec<_>>().join(",\n"), " ".repeat(behind))
        })
    }

    fn result(layout: u8, (id, number, blank): (&str, &str, &str)) -> String {
        match layout {
            0 => format!("{blank}\"{id}\"{blank}:{number}"),
            1 => format!("{blank}{{\"id\":{blank}\"{id}\",\"score\":{number}{blank}}}"),
            2 => format!("{{\"doc_id\": \"{id}\", \"text\": \"t\",{blank} \"distance\": {number}}}"),
            3 => format!("\"{id}\"{blank}"),
            _ => format!("[\"{id}\",{blank}{number}]"),
        }
    }

    fn damaged(mut text: String, place: Index, byte: char, what: u8) -> String {
        let mut place = 1 + place.index(text.len() - 1);
        while !text.is_char_boundary(place) {
            place -= 1;
        }
        match what {
            0 => text.insert(place.max(1), byte),
            1 => _ = text.remove(place.max(1)),
            2 => text.truncate(place.max(1)),
            _ => {}
        }
        text
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn plain_results_in_a_window_say_what_the_long_way_says(
            text in text(),
            (place, byte, what) in (any::<Index>(), select("{}[]\":,\\ 01.-eé\n".chars().collect::<Vec<_>>()), 0..12_u8),
            size in prop_oneof![2..4000_usize, Just(100_000)],
        ) {
            let text = damaged(text, place, byte, what);
            for on_error in [OnError::Stop, OnError::Skip] {
                let [plain, long] = [true, false].map(|may_be_plain| read(text.as_bytes(), size, on_error, may_be_plain));
                prop_assert_eq!(plain, long, "{}", text);
            }
        }
    }
}
