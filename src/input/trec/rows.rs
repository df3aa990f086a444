//! The rows of a TREC run, from any range of its lines.

use super::shape::Shape;
use super::{check_ids, check_separator, is_header, split, wrong_columns};
use crate::error::Fault;
use crate::input::alike::{self, Taken};
use crate::input::blocks::{LineFormat, Scored, Text};
use crate::input::taking::{self, ReadRows, Take};
use crate::input::{FaultLog, Line, columns, number};
use crate::run::{Key, Row, RunSink};

/// How the lines of a run are read.
pub(super) struct RunLines {
    /// Whether columns stand between tabs.
    pub tabs: bool,
}

impl LineFormat for RunLines {
    fn query<'l>(&self, line: &'l [u8]) -> Option<&'l [u8]> {
        if line.first() == Some(&b'#') {
            return None;
        }
        let query = match self.tabs {
            true => columns::trim(&line[..memchr::memchr(b'\t', line).unwrap_or(line.len())]),
            false => columns::split_blanks::<1>(line).0[0],
        };
        (!query.is_empty()).then_some(query)
    }

    fn rows_are_scored(&self) -> Scored {
        Scored::Always
    }

    fn read(
        &self,
        text: Text<'_>,
        at_start: &mut bool,
        run: &mut dyn RunSink,
        log: &mut FaultLog,
    ) -> Result<u64, Fault> {
        let mut reading = Reading { text, tabs: self.tabs, at_start, tag: None };
        let read = taking::read(text, run, log, &mut reading);
        if let Some(tag) = reading.tag {
            run.tag(tag);
        }
        read
    }
}

/// Lines that are being read.
struct Reading<'t, 'a> {
    text: Text<'t>,
    tabs: bool,
    at_start: &'a mut bool,
    /// What stands in the sixth column of the first row that has one.
    tag: Option<&'t [u8]>,
}

impl ReadRows for Reading<'_, '_> {
    fn read(&mut self, rows: &mut impl Take, log: &mut FaultLog) -> Result<u64, Fault> {
        let text = self.text.bytes;
        alike::read(self.text, None, rows, log, |at, number, shape, rows, log| {
            let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |end| at + end + 1);
            let (line, taken) = (alike::line(text, at..end, number), Taken { end, lines: 1 });
            *shape = None;
            let Some(Columns { row, score }) = self.columns(line, log)? else { return Ok(taken) };
            match rows.row(&row) {
                Err(fault) => log.skip(fault.with_excerpt(line.bytes, 0..line.bytes.len()))?,
                Ok(()) => *shape = self.shape(&text[at..end], &row, score),
            }
            Ok(taken)
        })
    }
}

impl<'t> Reading<'t, '_> {
    /// The columns of a line; `None` where it holds no row, or one that is left out for its fault.
    fn columns(&mut self, line: Line<'t>, log: &mut FaultLog) -> Result<Option<Columns<'t>>, Fault> {
        if log.sets_aside(line) {
            return Ok(None);
        }
        let (fields, count) = split::<6>(line.bytes, self.tabs, 5);
        if std::mem::take(self.at_start) && is_header(line, &fields, fields[4], log) {
            return Ok(None);
        }
        match check_separator(line, self.tabs, 5).and_then(|()| Columns::new(line, fields, count)) {
            Err(fault) => log.skip(fault).map(|()| None),
            Ok(columns) => {
                if !fields[5].is_empty() {
                    // A tag is one word, whatever stands behind it.
                    self.tag.get_or_insert_with(|| columns::split_blanks::<1>(fields[5]).0[0]);
                }
                Ok(Some(columns))
            }
        }
    }

    /// What the lines behind this one will look like, line end included.
    fn shape(&self, line: &[u8], row: &Row<'_>, score: &[u8]) -> Option<Shape> {
        let place = |field: &[u8]| columns::span(line, field);
        Shape::of(line, row.query, place(row.document), place(score).end, self.tabs)
    }
}

/// The columns of a line that are used.
struct Columns<'t> {
    row: Row<'t>,
    /// The score as it stands there.
    score: &'t [u8],
}

impl<'t> Columns<'t> {
    fn new(line: Line<'t>, fields: [&'t [u8]; 6], count: usize) -> Result<Self, Fault> {
        let [query, _, document, rank, score, _] = fields;
        if count < 5 {
            return Err(wrong_columns(line, "5 or 6 columns (qid iter docid rank score tag)"));
        }
        check_ids(line, query, document)?;
        let number = number::parse(score).ok_or_else(|| line.fault(score, number::fault("score", score)))?;
        let (key, rank) = (Key::Score(number), number::parse(rank));
        Ok(Self { row: Row { query, document, key, rank, line: line.number, chunk: None }, score })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use crate::input::ReadOptions;
    use crate::input::testing::{skipping, try_run};

    /// All that becomes known of a run.
    fn read(lines: impl Iterator<Item = String>) -> String {
        let options = ReadOptions { format: Some("trec".into()), ..skipping() };
        let read = try_run(&lines.collect::<String>(), &options);
        format!("{:?}", read.map(|(run, notes)| (run.tag.clone(), format!("{:?} {notes:?}", run.rankings()))))
    }

    /// Mostly what is usual.
    fn odd(usual: &'static str, odd: &'static [&'static str]) -> impl Strategy<Value = String> {
        prop_oneof![40 => usual, 1 => select(odd).prop_map(str::to_owned)]
    }

    /// A line whose numbers mostly are as long as those of the others.
    fn line() -> impl Strategy<Value = String> {
        let query = odd("q[12]", &["#q", "é", "a-long-query"]);
        let document = odd("d[0-9]{1,9}", &["", "\u{feff}d", "d d"]);
        let rank = odd("[1-9]", &["10", "999", "-1", "1.5", "x", "", "12345678"]);
        let score =
            odd("[0-9]{2}\\.[0-9]{3}", &["1e1", "x", ".5", "5.", "1.2.3", "-12.345", "123.45", "12345", "99 99"]);
        let end = odd("\n", &["\r\n", " \n", "\tt\n", " more\n", "x\n", "\u{b}\n"]);
        (query, document, rank, score, end)
            .prop_map(|(query, document, rank, score, end)| format!("{query} 0 {document} {rank} {score} t{end}"))
    }

    proptest! {
        #[test]
        fn a_line_like_those_before_it_is_read_like_any_other(
            lines in prop::collection::vec(line(), 1..60),
            digits in "[0-9]{0,6}\\.?[0-9]{0,12}",
        ) {
            let last = (10..50).map(|document| format!("q3 0 d{document} {document} 1 t\n"));
            let lines: Vec<String> = lines.iter().map(|line| line.replace('.', &digits)).chain(last).collect();
            // A line that begins with a blank is never like the one before it.
            let apart = |line: &String| if line.starts_with('#') { line.clone() } else { format!(" {line}") };
            prop_assert_eq!(read(lines.iter().cloned()), read(lines.iter().map(apart)));
        }
    }
}
