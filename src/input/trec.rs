//! TREC qrels (4 columns) and TREC runs (6 columns, 5 without tag), the MS MARCO references in
//! 4 columns among them.
//!
//! There is no quoting. Columns stand between tabs where a line has the right number of them, else
//! between any white space. Text behind the sixth column of a run is ignored.

mod judgments;
mod rows;
mod shape;
mod tail;

use super::blocks;
use super::columns::{self, Separator};
use super::lines::Line;
use super::log::FaultLog;
use super::sample::is_iteration;
use super::{Format, Position, Reader, Role, Sample, TrecEvalReading, c_number, header, number};
use crate::error::{Fault, InputErrorKind};
use crate::notes::NoteKind;
use crate::run::{Key, Row, RunSink};

pub(super) static RUN: Format = Format {
    name: "trec",
    about: "TREC run: qid iter docid rank score tag",
    role: Role::Run,
    detect: |sample| no_other_header(sample) && is_run(sample),
    labels: None,
    run: Some(read_run),
};

pub(super) static LABELS: Format = Format {
    name: "qrels",
    about: "TREC qrels: qid iter docid grade",
    role: Role::Labels,
    detect: |sample| no_other_header(sample) && is_labels(sample),
    labels: Some(judgments::read),
    run: None,
};

/// A header with the columns where TREC has them is skipped; any other one makes a table of the
/// file, to be read by the names.
fn no_other_header(sample: &Sample) -> bool {
    let at = |header: &header::Header, holds| header.find(holds);
    !sample.is_json()
        && sample.separator() != Separator::Comma
        && sample.header().is_none_or(|header| {
            let ids = at(header, header::Holds::Document) == Some(2) && header.names().len() >= 4;
            ids && (header.score().map(|score| score.index) == Some(4) || at(header, header::Holds::Grade) == Some(3))
        })
}

fn is_run(sample: &Sample) -> bool {
    let is_number = |field: &[u8]| number::parse(field).is_some();
    let scored = |row: &[&[u8]]| row.len() >= 5 && is_number(row[4]);
    let ranked = |row: &[&[u8]]| row.len() >= 5 && (is_number(row[3]) || is_iteration(row[1]));
    let headed = sample.header().is_some_and(|header| header.names().len() >= 5 && sample.rows().next().is_none());
    // Five columns without a score are labels with something behind them, if labels are expected.
    let labels = sample.position() == Position::Labels && sample.most_rows(|row| row.len() == 5 && !is_number(row[4]));
    headed || sample.most_rows(scored) || (sample.most_rows(ranked) && !labels)
}

fn is_labels(sample: &Sample) -> bool {
    let graded = |row: &[&[u8]]| row.len() >= 4 && (number::parse(row[3]).is_some() || is_iteration(row[1]));
    let headed = sample.header().is_some_and(|header| header.names().len() == 4 && sample.rows().next().is_none());
    headed || sample.most_rows(|row| row.len() == 4 && graded(row)) || (sample.most_rows(graded) && !is_run(sample))
}

/// The columns of a line: by tabs where their number is right, else by white space.
fn split<const N: usize>(line: &[u8], tabs: bool, least: usize) -> ([&[u8]; N], usize) {
    let by_tabs = if tabs { split_tabs(line, least) } else { None };
    by_tabs.unwrap_or_else(|| columns::split_blanks(line))
}

/// The columns of a line between tabs, if they are enough; one that is empty and one too many mean
/// that two tabs stand for one.
fn split_tabs<const N: usize>(line: &[u8], least: usize) -> Option<([&[u8]; N], usize)> {
    let (fields, count) = columns::split_tabs::<N>(line);
    let doubled = fields[N - 1].contains(&b'\t') && fields.iter().any(|field| field.is_empty());
    (count >= least && !doubled).then_some((fields, count))
}

/// The fault of a line that would be taken apart in another way than most, and wrongly so: ids
/// hold blanks in it, or in the lines around it.
fn check_separator(line: Line<'_>, tabs: bool, least: usize) -> Result<(), Fault> {
    let spaced = |field: &&[u8]| field.iter().any(|&byte| columns::is_blank(byte));
    let fits = memchr::memchr(b'\t', line.bytes).and_then(|_| split_tabs::<6>(line.bytes, least));
    let (found, expected) = match (tabs, fits) {
        (false, Some((fields, count))) if fields[..count].iter().any(spaced) && number::parse(fields[4]).is_some() => {
            ("tabs", "blanks")
        }
        (true, None) if columns::split_blanks::<7>(line.bytes).1 > 6 => ("blanks", "tabs"),
        _ => return Ok(()),
    };
    Err(line.fault(line.bytes, InputErrorKind::MixedSeparators { found, expected }))
}

/// Whether the first line with a row is a header; that is noted. Where the second column is that of
/// a row, one name alone is none: `id` may be the id of a query.
fn is_header(line: Line<'_>, fields: &[&[u8]], value: &[u8], log: &mut FaultLog) -> bool {
    let goes_on = !is_iteration(fields[1]) || [fields[2], value].into_iter().any(header::is_name);
    let header = number::parse(value).is_none() && header::is_name(fields[0]) && goes_on;
    if header {
        log.note_line(NoteKind::SkippedHeader, line);
    }
    header
}

/// Whether the first line may be a header: where everything is a number, it is a row.
fn may_have_header(dialect: Option<TrecEvalReading>) -> bool {
    dialect.is_none_or(|dialect| !dialect.lenient)
}

pub(super) fn grade(field: &[u8], dialect: Option<TrecEvalReading>) -> Result<f64, InputErrorKind> {
    if dialect.is_some_and(|dialect| dialect.lenient) {
        return Ok(c_number::c_integer(field) as f64);
    }
    let grade = number::parse(field).ok_or_else(|| number::fault("grade", field))?;
    match dialect.is_some() && grade.fract() != 0.0 {
        true => Err(InputErrorKind::NotWhole { field: "grade", text: columns::shown(field) }),
        false => Ok(grade),
    }
}

fn score(field: &[u8], dialect: TrecEvalReading) -> Result<f64, InputErrorKind> {
    let score = match dialect.lenient {
        // What is no number comes last, wherever C's sorting puts it.
        true => Some(c_number::c_float(field)).map(|score| if score.is_nan() { f64::NEG_INFINITY } else { score }),
        false => number::parse(field),
    };
    score.ok_or_else(|| number::fault("score", field))
}

fn read_run(reader: &mut Reader, run: &mut dyn RunSink) -> Result<(), Fault> {
    let tabs = reader.sample.separator() == Separator::Tab;
    match reader.options.trec_eval {
        None => blocks::read(reader, run, &rows::RunLines { tabs }),
        Some(dialect) => read_run_in(reader, dialect, tabs, run),
    }
}

/// Reads a run line by line as trec_eval does; its tag is that of the last line.
fn read_run_in(reader: &mut Reader, dialect: TrecEvalReading, tabs: bool, run: &mut dyn RunSink) -> Result<(), Fault> {
    let (log, mut lines) = (&mut reader.log, reader.source.lines());
    let (mut first, mut tag) = (may_have_header(Some(dialect)), Vec::new());
    while let Some(line) = lines.next_line()? {
        if log.sets_aside(line) {
            continue;
        }
        let (fields, count) = split::<6>(line.bytes, tabs, 5);
        if std::mem::take(&mut first) && is_header(line, &fields, fields[4], log) {
            continue;
        }
        let taken = check_separator(line, tabs, 5).and_then(|()| retrieve(line, fields, count, dialect, run));
        match taken {
            Err(fault) => log.skip(fault)?,
            Ok(()) if tag != fields[5] => tag = fields[5].to_vec(),
            Ok(()) => {}
        }
    }
    if !tag.is_empty() {
        // A tag is one word, whatever stands behind it.
        run.tag(columns::split_blanks::<1>(&tag).0[0]);
    }
    Ok(())
}

fn retrieve(
    line: Line<'_>,
    fields: [&[u8]; 6],
    count: usize,
    dialect: TrecEvalReading,
    run: &mut dyn RunSink,
) -> Result<(), Fault> {
    let [query, _, document, rank, score, _] = fields;
    if count < 6 {
        return Err(wrong_columns(line, "6 columns (qid iter docid rank score tag)"));
    }
    check_ids(line, query, document)?;
    let score = self::score(score, dialect).map_err(|kind| line.fault(score, kind))?;
    let (key, rank) = (Key::Score(score), number::parse(rank));
    let taken = run.row(&Row { query, document, key, rank, line: line.number, chunk: None });
    taken.map_err(|fault| fault.with_excerpt(line.bytes, 0..line.bytes.len()))
}

pub(super) fn wrong_columns(line: Line<'_>, expected: &'static str) -> Fault {
    let found = columns::split(line.bytes, Separator::Blank).len();
    line.fault(line.bytes, InputErrorKind::Columns { expected, found })
}

/// Columns between tabs may be empty; ids may not.
pub(super) fn check_ids(line: Line<'_>, query: &[u8], document: &[u8]) -> Result<(), Fault> {
    for (field, id) in [("query id", query), ("document id", document)] {
        if id.is_empty() {
            return Err(line.fault(line.bytes, InputErrorKind::EmptyField { field }));
        }
        if let Some(kind) = columns::invisible_start(field, id) {
            return Err(line.fault(id, kind));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;

    #[test]
    fn text_behind_the_tag_is_ignored_between_tabs_too() {
        let shown = show_run(&run("q1\tQ0\ta b\t1\t2.5\ttag\textra\tmore\nq1\tQ0\tc\t2\t1\ttag\n"));
        assert_eq!(shown, "q1: a b c");
    }

    #[test]
    fn a_line_is_not_taken_apart_in_another_way_than_most() {
        let blanks = "q1 Q0 a 1 9 t\nq1 Q0 b 2 8 t\nq1 Q0 c 3 7 t\n";
        let error = run_error(&format!("{blanks}q1\tQ0\td 7\t1\t2.5\n"));
        assert_eq!(error, "run:4:1: its columns stand between tabs, those of most lines between blanks");
        let tabs = "q1\tQ0\ta x\t1\t9\tt\nq1\tQ0\tb x\t2\t8\tt\n";
        let error = run_error(&format!("{tabs}q1 Q0 c x 3 7 t\n"));
        assert_eq!(error, "run:3:1: its columns stand between blanks, those of most lines between tabs");
        assert_eq!(show_run(&run(&format!("{tabs}q1 Q0 c 3 7 t\n"))), "q1: a x b x c");
        assert_eq!(show_run(&run(&format!("{blanks}q1\tQ0\td\t4\t6\tt\n"))), "q1: a b c d");
        // Between tabs the fifth column is no score: the line is one of blanks, whatever kind they are.
        assert_eq!(show_run(&run(&format!("{blanks}q1\tQ0  d\t4\t6 \tt\n"))), "q1: a b c d");
    }
}
