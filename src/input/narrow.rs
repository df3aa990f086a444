//! Tables of two or three columns without a header: the run and the references of MS MARCO, and
//! rows `query document number`.
//!
//! Three columns are scores or ranks in the place of a run and grades in that of labels. Two
//! columns are relevant pairs, or rankings in the order of their rows.

use std::borrow::Cow;

use super::columns;
use super::header;
use super::rows::{Record, Rows};
use super::table::{self, Columns};
use super::{Format, Position, Reader, Refusal, Role, Sample, number};
use crate::error::{Fault, InputErrorKind};
use crate::labels::LabelsBuilder;
use crate::run::RunSink;

pub(super) static GRADES: Format = Format {
    name: "grades",
    about: "three columns without a header: query document grade",
    role: Role::Labels,
    detect: |sample| sample.position() == Position::Labels && is_triples(sample),
    labels: Some(|reader, labels| read_labels(reader, labels, 3)),
    run: None,
};

pub(super) static SCORES: Format = Format {
    name: "scores",
    about: "three columns without a header: query document score",
    role: Role::Run,
    detect: |sample| is_triples(sample) && !all_whole(sample),
    labels: None,
    run: Some(|reader, run| read_run(reader, run, 3, Columns::of_pairs(Some(2), None))),
};

pub(super) static RANKS: Format = Format {
    name: "ranks",
    about: "MS MARCO run: query document rank",
    role: Role::Run,
    detect: |sample| is_triples(sample) && counts_ranks(sample),
    labels: None,
    run: Some(|reader, run| read_run(reader, run, 3, Columns::of_pairs(None, Some(2)))),
};

pub(super) static RANKS_OR_SCORES: Format = Format {
    name: "whole-numbers",
    about: "three columns without a header, the last of whole numbers",
    role: Role::Neither(Refusal {
        sentence: "has three columns, and nothing tells whether the whole numbers in the third are ranks or scores",
        help: "the format `ranks` takes the lowest first, `scores` the highest",
    }),
    detect: is_triples,
    labels: None,
    run: None,
};

pub(super) static TEXTS: Format = Format {
    name: "texts",
    about: "an id and a text a line",
    role: Role::Neither(Refusal {
        sentence: "holds an id and a text a line: queries or documents, no judgments and no results",
        help: "labels look like `q1 0 d12 1`, runs like `q1 Q0 d12 1 14.8 bm25`",
    }),
    detect: |sample| sample.separator() != columns::Separator::Comma && is_texts(sample),
    labels: None,
    run: None,
};

pub(super) static PAIRS: Format = Format {
    name: "pairs",
    about: "two columns without a header: query document",
    role: Role::ByPosition,
    detect: |sample| is_headless(sample) && sample.most_rows(|row| row.len() == 2),
    labels: Some(|reader, labels| read_labels(reader, labels, 2)),
    run: Some(|reader, run| read_run(reader, run, 2, Columns::of_pairs(None, None))),
};

/// No header, not even one of which a single name is known.
fn is_headless(sample: &Sample) -> bool {
    let named = |row: &[Cow<[u8]>]| row.iter().any(|field| header::is_name(field));
    let numbered = |row: &[Cow<[u8]>]| row.last().is_some_and(|field| number::parse(field).is_some());
    let first = sample.rows().next();
    !sample.is_json() && sample.header().is_none() && first.is_some_and(|row| numbered(&row) || !named(&row))
}

fn is_triples(sample: &Sample) -> bool {
    is_headless(sample) && sample.most_rows(|row| row.len() == 3 && number::parse(row[2]).is_some())
}

fn is_texts(sample: &Sample) -> bool {
    let spaced = |field: &[u8]| field.iter().any(|&byte| columns::is_blank(byte));
    let by_tab = |line: &[u8]| memchr::memchr(b'\t', line).is_some_and(|tab| spaced(columns::trim(&line[tab + 1..])));
    let text = |line: &[u8]| columns::split(line, columns::Separator::Tab).len() == 2 && by_tab(line);
    is_headless(sample) && sample.data_lines().all(text)
}

fn all_whole(sample: &Sample) -> bool {
    sample.rows().all(|row| row.len() != 3 || number::parse(&row[2]).is_none_or(|number| number.fract() == 0.0))
}

/// Of how many numbers one may be out of the count, as a damaged file has it.
const DAMAGED: usize = 20;

/// Whether the third column counts 0, 1, 2 … or 1, 2, 3 … within queries, one of which has at
/// least two rows. A row that is none, or holds no number, interrupts the count; its reader says
/// what is wrong with it.
fn counts_ranks(sample: &Sample) -> bool {
    let mut before = Some((Cow::Borrowed(&b""[..]), None::<u64>));
    let (mut counted, mut breaks) = (0, 0);
    for row in sample.rows() {
        let Some((query, number)) = triple(&row) else {
            before = None;
            continue;
        };
        let rank = number::whole(&row[2]);
        match &before {
            Some((last, Some(last_rank))) if *last == query && rank == Some(last_rank + 1) => counted += 1,
            Some((last, _)) if *last == query => breaks += 1,
            Some(_) if number > 1.0 || rank.is_none() => breaks += 1,
            _ => {}
        }
        before = Some((query, rank));
    }
    counted > 0 && breaks * DAMAGED <= counted
}

/// The query and the number of a row, where it has three columns and the last is one.
fn triple<'a>(row: &[Cow<'a, [u8]>]) -> Option<(Cow<'a, [u8]>, f64)> {
    let [query, _, rank] = row else { return None };
    Some((query.clone(), number::parse(rank)?))
}

fn read_labels(reader: &mut Reader, labels: &mut LabelsBuilder, width: usize) -> Result<(), Fault> {
    let mut rows = Rows::new(&mut reader.source, &reader.sample);
    while let Some(row) = rows.next_row(&mut reader.log)? {
        let judged = ids(&row, width).and_then(|(query, document)| {
            let grade = if width == 3 { row.number(2, "grade")? } else { 1.0 };
            labels.judge(query, document, grade, row.line)
        });
        judged.or_else(|fault| reader.log.skip(row.around(fault)))?;
    }
    Ok(())
}

fn read_run(reader: &mut Reader, run: &mut dyn RunSink, width: usize, columns: Columns) -> Result<(), Fault> {
    table::read_rows(reader, run, columns, Some((width, expected(width))))
}

fn expected(width: usize) -> &'static str {
    if width == 3 { "3 columns (query document number)" } else { "2 columns (query document)" }
}

/// The ids of a row of the right width.
fn ids<'a>(row: &Record<'a>, width: usize) -> Result<(&'a [u8], &'a [u8]), Fault> {
    if row.len() != width {
        let kind = InputErrorKind::Columns { expected: expected(width), found: row.len() };
        return Err(row.around(Fault::at_line(row.line, kind)));
    }
    Ok((row.id(0, "query id")?, row.id(1, "document id")?))
}
