//! The rows of TREC labels.

use std::ops::Range;

use super::shape::Shape;
use super::{check_ids, is_header, may_have_header, split, wrong_columns};
use crate::error::Fault;
use crate::input::columns::{self, Separator};
use crate::input::iterations::Iterations;
use crate::input::lines::{Line, Lines, without_return};
use crate::input::{Reader, TrecEvalReading};
use crate::labels::LabelsBuilder;

pub(super) fn read(reader: &mut Reader, labels: &mut LabelsBuilder) -> Result<(), Fault> {
    let tabs = reader.sample.separator() == Separator::Tab;
    let dialect = reader.options.trec_eval;
    let (log, mut lines) = (&mut reader.log, reader.source.lines());
    let iterations = Iterations::default();
    let mut reading = Reading { dialect, labels, iterations, shape: None };
    let mut first = may_have_header(dialect);
    loop {
        if let Some((length, judged)) = reading.take_at_a_glance(&lines) {
            lines.pass(length);
            judged.or_else(|fault| log.skip(fault))?;
            continue;
        }
        let Some(line) = lines.next_line()? else { return Ok(()) };
        reading.shape = None;
        if log.sets_aside(line) {
            continue;
        }
        // A fifth column is looked for, since there must be none.
        let (fields, count) = split::<5>(line.bytes, tabs, 4);
        if std::mem::take(&mut first) && is_header(line, &fields, fields[count.clamp(1, 4) - 1], log) {
            continue;
        }
        match reading.take(line, fields, count) {
            Err(fault) => log.skip(fault)?,
            Ok(ends) => reading.shape = ends.shape(lines.last_with_end(), tabs),
        }
    }
}

/// Labels that are being read.
struct Reading<'l> {
    dialect: Option<TrecEvalReading>,
    labels: &'l mut LabelsBuilder,
    iterations: Iterations,
    /// The shape of the line before, whose second column is the last one of the iterations.
    shape: Option<Shape>,
}

impl Reading<'_> {
    /// Takes the next line if it has the shape of the one before it; gives its length, too.
    #[inline]
    fn take_at_a_glance(&mut self, lines: &Lines<'_>) -> Option<(usize, Result<(), Fault>)> {
        let (number, text) = lines.ahead()?;
        let found = self.shape.as_mut()?.judgment(text)?;
        if self.dialect.is_some() && !is_whole(found.grade) {
            return None;
        }
        let judged = self.labels.judge(&text[found.query], &text[found.document], found.grade, number);
        let line = || without_return(&text[..found.end - 1]);
        Some((found.end, judged.map_err(|fault| self.iterations.explain(fault).with_excerpt(line(), 0..line().len()))))
    }

    /// Takes a line apart that may be of any kind.
    fn take(&mut self, line: Line<'_>, fields: [&[u8]; 5], count: usize) -> Result<Ends, Fault> {
        let [query, iteration, document, grade, behind] = fields;
        if count < 4 || !behind.is_empty() {
            return Err(wrong_columns(line, "4 columns (qid iter docid grade)"));
        }
        check_ids(line, query, document)?;
        let value = super::grade(grade, self.dialect).map_err(|kind| line.fault(grade, kind))?;
        self.iterations.add(iteration, line.number);
        let judged = self.labels.judge(query, document, value, line.number);
        judged.map_err(|fault| self.iterations.explain(fault).with_excerpt(line.bytes, 0..line.bytes.len()))?;
        let place = |field: &[u8]| columns::span(line.bytes, field);
        Ok(Ends { query: query.len(), document: place(document), grade: place(grade).end })
    }
}

/// Whether trec_eval reads a grade like everybody else.
fn is_whole(grade: f64) -> bool {
    grade.fract() == 0.0 && !(grade == 0.0 && grade.is_sign_negative())
}

/// Where columns stand in a line.
struct Ends {
    /// Where the query ends, if it begins the line.
    query: usize,
    document: Range<usize>,
    /// Where the grade ends.
    grade: usize,
}

impl Ends {
    /// What the lines behind this one will look like; `line` ends with its line end.
    fn shape(self, line: &[u8], tabs: bool) -> Option<Shape> {
        Shape::of(line, &line[..self.query], self.document, self.grade, tabs)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use crate::id::escaped;
    use crate::input::{OnError, ReadOptions, Source, TrecEvalReading, read_labels};
    use crate::notes::Notes;

    /// Everything that is read of a text, and what is wrong with it.
    fn read(text: &str, trec_eval: Option<TrecEvalReading>) -> String {
        let format = Some("qrels".to_owned());
        let options = ReadOptions { format, on_error: OnError::Skip, trec_eval, ..ReadOptions::default() };
        let (labels, facts) =
            match read_labels(Source::from_bytes("labels", text.into()), &options, &mut Notes::default()) {
                Ok(read) => read,
                Err(error) => return error.to_string(),
            };
        let mut shown = format!("{} {:?}", labels.copies(), facts.faults);
        for query in labels.queries() {
            let judgments = query.judgments().zip(query.lines());
            let judgments =
                judgments.map(|((document, grade), line)| format!(" {line}:{}={grade:?}", escaped(document)));
            shown.extend([format!("\n{}:", query.id())].into_iter().chain(judgments));
        }
        shown
    }

    fn line() -> impl Strategy<Value = String> {
        let query = select(vec!["q1", "q1", "q1", "q2", "#q", "é", "12345678901"]);
        let document = select(vec!["a", "b", "c d", "d1234567", "d12345678", "\u{feff}x", "", "é"]);
        let grade = select(vec!["0", "1", "1", "-1", "2.5", "1e1", "-0", "x", "", "1x", "0012", "123456789"]);
        let ends = select(vec!["\n", "\n", "\n", "\r\n", " \n", "\t\n", " more\n", "\r \n", "\u{b}\n"]);
        let separator = select(vec![" ", " ", " ", "\t", "\t", "  "]);
        (query, select(vec!["0", "0", "Q0", "1"]), document, grade, ends, separator).prop_map(
            |(query, second, document, grade, end, by)| format!("{query}{by}{second}{by}{document}{by}{grade}{end}"),
        )
    }

    proptest! {
        #[test]
        fn a_line_like_the_one_before_it_is_read_like_any_other(
            lines in prop::collection::vec((1..4_usize, line()), 1..12),
            dialect in select(vec![None, Some(false), Some(true)]),
        ) {
            let mut lines: Vec<String> = lines.iter().flat_map(|(count, line)| vec![line.clone(); *count]).collect();
            lines.extend((0..40).map(|document| format!("q3 0 d{document} 1\n")));
            // A line that begins with a blank is never like the one before it.
            let odd = |line: &String| if line.starts_with('#') { line.clone() } else { format!(" {line}") };
            let dialect = dialect.map(|lenient| TrecEvalReading { lenient });
            prop_assert_eq!(read(&lines.concat(), dialect), read(&lines.iter().map(odd).collect::<String>(), dialect));
        }
    }
}
