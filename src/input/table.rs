//! Tables whose columns have names: BEIR qrels, Quepid exports, and any CSV or TSV file with a
//! query, a document and a grade, a score or a rank.

mod lines;

use std::collections::HashSet;

use super::blocks;
use super::cells::Layout;
use super::columns::Separator;
use super::header::{Header, Holds};
use super::order::{self, Score, ScoreKind};
use super::rows::{Record, Rows};
use super::sample::is_iteration;
use super::{Format, Position, Reader, Role, Sample, number};
use crate::error::{Fault, InputErrorKind};
use crate::id::Id;
use crate::labels::{GoldSpan, LabelsBuilder};
use crate::notes::NoteKind;
use crate::run::{Call, Chunk, Key, Row, RunSink};

pub(super) static QUEPID: Format = Format {
    name: "quepid",
    about: "Quepid ratings: query,docid,rating",
    role: Role::Labels,
    detect: |sample| names(sample, &["query", "docid", "rating"]),
    labels: Some(read_labels),
    run: None,
};

pub(super) static BEIR: Format = Format {
    name: "beir",
    about: "BEIR qrels: query-id corpus-id score",
    role: Role::Labels,
    detect: is_beir,
    labels: Some(read_labels),
    run: None,
};

pub(super) static LABELS: Format = Format {
    name: "label-table",
    about: "labels in a table with named columns",
    role: Role::Labels,
    detect: |sample| Columns::of(sample).is_some_and(|columns| columns.grade.is_some() && !columns.is_ranked()),
    labels: Some(read_labels),
    run: None,
};

pub(super) static RUN: Format = Format {
    name: "run-table",
    about: "results in a table with named columns",
    role: Role::Run,
    detect: |sample| Columns::of(sample).is_some_and(|columns| columns.grade.is_none() && !columns.may_be_labels()),
    labels: None,
    run: Some(read_run),
};

pub(super) static BOTH: Format = Format {
    name: "judged-run-table",
    about: "results and their grades in a table with named columns",
    role: Role::Both,
    detect: |sample| Columns::of(sample).is_some_and(|columns| columns.grade.is_some() && columns.is_ranked()),
    labels: Some(read_labels),
    run: Some(read_run),
};

pub(super) static EITHER: Format = Format {
    name: "table",
    about: "queries and documents in a table with named columns",
    role: Role::ByPosition,
    detect: |sample| Columns::of(sample).is_some(),
    labels: Some(read_labels),
    run: Some(read_run),
};

fn names(sample: &Sample, expected: &[&str]) -> bool {
    sample.header().is_some_and(|header| header.names() == expected)
}

/// `corpus-id` beside a bare `score` means labels, unless a run is expected and the scores are no
/// grades.
fn is_beir(sample: &Sample) -> bool {
    let whole = |row: &[&[u8]]| row.get(2).is_some_and(|field| number::whole(field.trim_ascii()).is_some());
    names(sample, &["query_id", "corpus_id", "score"])
        && (sample.position() == Position::Labels || sample.rows().next().is_none() || sample.most_rows(whole))
}

/// What the columns of a table hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Columns {
    query: usize,
    document: usize,
    text: Option<usize>,
    /// The document that a chunk is cut from, where chunks have ids of their own.
    whole: Option<usize>,
    grade: Option<usize>,
    score: Option<Score>,
    rank: Option<usize>,
    start: Option<usize>,
    end: Option<usize>,
    tokens: Option<usize>,
    hop: Option<usize>,
    tag: Option<usize>,
    calls: CallColumns,
}

/// The columns that are about a search call rather than a result.
#[derive(Debug, Clone, Default, PartialEq)]
struct CallColumns {
    latency: Option<usize>,
    cost: Option<usize>,
    role: Option<usize>,
    step: Option<usize>,
}

/// The search calls of a table that have begun.
#[derive(Default)]
struct KnownCalls {
    all: HashSet<(Id, Option<u32>)>,
    /// The step of the row before.
    last: Option<u32>,
}

impl Columns {
    /// The columns of a table: by its header, else by their number where commas stand between
    /// them.
    pub(super) fn of(sample: &Sample) -> Option<Self> {
        match (sample.is_json(), sample.header()) {
            (false, Some(header)) => Self::named(header),
            (false, None) if sample.separator() == Separator::Comma => Self::of_trec(sample),
            _ => None,
        }
    }

    fn named(header: &Header) -> Option<Self> {
        let find = |holds| header.find(holds);
        let text = find(Holds::QueryText);
        let (chunk, id, document) = (find(Holds::Chunk), find(Holds::RowId), find(Holds::Document));
        // `id` beside a document may count the rows; it is a chunk if the row has a place.
        let placed = find(Holds::Start).or(find(Holds::Tokens)).is_some();
        let chunk = chunk.or(id.filter(|_| document.is_none() || placed));
        let calls = CallColumns {
            latency: find(Holds::Latency),
            cost: find(Holds::Cost),
            role: find(Holds::Role),
            step: find(Holds::Step),
        };
        Some(Self {
            query: find(Holds::Query).or(text)?,
            document: chunk.or(document)?,
            text,
            whole: document.filter(|_| chunk.is_some()),
            grade: find(Holds::Grade),
            score: header.score(),
            rank: find(Holds::Rank),
            start: find(Holds::Start),
            end: find(Holds::End),
            tokens: find(Holds::Tokens),
            hop: find(Holds::Hop),
            tag: find(Holds::Tag),
            calls,
        })
    }

    /// Query, document, and what orders the rows, without a header.
    pub(super) fn of_pairs(score: Option<usize>, rank: Option<usize>) -> Self {
        let score = score.map(|index| Score { index, kind: ScoreKind::Plain });
        Self { query: 0, document: 1, score, rank, ..Self::default() }
    }

    /// TREC's columns with commas between them.
    fn of_trec(sample: &Sample) -> Option<Self> {
        let numbered = |row: &[&[u8]], index: usize| number::parse(row[index]).is_some();
        let labels = |row: &[&[u8]]| row.len() == 4 && (numbered(row, 3) || is_iteration(row[1]));
        let run = |row: &[&[u8]]| matches!(row.len(), 5 | 6) && (numbered(row, 4) || is_iteration(row[1]));
        let ids = Self { query: 0, document: 2, ..Self::default() };
        if sample.most_rows(labels) {
            Some(Self { grade: Some(3), ..ids })
        } else if sample.most_rows(run) {
            let score = Score { index: 4, kind: ScoreKind::Plain };
            Some(Self { rank: Some(3), score: Some(score), tag: Some(5), ..ids })
        } else {
            None
        }
    }

    fn is_ranked(&self) -> bool {
        self.score.is_some() || self.rank.is_some()
    }

    /// A bare score may be a grade, and rows without any value may be pairs that are relevant.
    fn may_be_labels(&self) -> bool {
        self.rank.is_none() && !self.score.is_some_and(Score::is_no_grade) && self.calls == CallColumns::default()
    }

    /// The column of the grade; a bare score is one.
    ///
    /// # Errors
    /// When there is none, and columns with names that are not known.
    fn grade(&self, sample: &Sample) -> Result<Option<usize>, Fault> {
        match self.grade.or(self.score.map(|score| score.index)) {
            Some(grade) => Ok(Some(grade)),
            None => nothing_unknown("grade", sample, |_| true).map(|()| None),
        }
    }

    /// Checks that no column of numbers is left, where nothing is known to order the results.
    fn check_order(&self, sample: &Sample) -> Result<(), Fault> {
        let numbered = |index: usize| sample.rows().any(|row| row.get(index).is_some_and(|field| is_number(field)));
        match self.is_ranked() {
            true => Ok(()),
            false => nothing_unknown("score and no rank", sample, numbered),
        }
    }
}

fn is_number(field: &[u8]) -> bool {
    number::parse(field).is_some()
}

/// Checks that each column that counts has a name that says what it holds.
fn nothing_unknown(wanted: &'static str, sample: &Sample, counts: impl Fn(usize) -> bool) -> Result<(), Fault> {
    let columns = sample.header().into_iter().flat_map(Header::unknown);
    let names = order::quoted(columns.filter(|&(index, _)| counts(index)).map(|(_, name)| name));
    match names.is_empty() {
        true => Ok(()),
        false => Err(Fault::of_file(InputErrorKind::UnknownNames { wanted, names })),
    }
}

/// The columns of a file that is read, or what they lack.
fn columns_of(reader: &Reader) -> Result<Columns, Fault> {
    Columns::of(&reader.sample).ok_or_else(|| {
        let expected = "column names for the query (query_id) and the document (doc_id)".to_owned();
        Fault::of_file(InputErrorKind::MissingKey { expected })
    })
}

fn read_labels(reader: &mut Reader, labels: &mut LabelsBuilder) -> Result<(), Fault> {
    let columns = columns_of(reader)?;
    let columns = Columns { grade: columns.grade(&reader.sample)?, ..columns };
    let others = reader.sample.header().into_iter().flat_map(Header::other_grades);
    others.for_each(|names| reader.log.note(NoteKind::OtherGrades, || names));
    let mut rows = Rows::new(&mut reader.source, &reader.sample);
    while let Some(row) = rows.next_row(&mut reader.log)? {
        if let Err(fault) = judge(&row, &columns, labels) {
            reader.log.skip(row.around(fault))?;
        } else if columns.grade.is_none() {
            reader.log.note(NoteKind::NoGrades, || format!("line {}", row.line));
        }
    }
    Ok(())
}

fn judge(row: &Record<'_>, columns: &Columns, labels: &mut LabelsBuilder) -> Result<(), Fault> {
    let query = row.id(columns.query, "query id")?;
    let document = row.id(columns.document, "document id")?;
    // A pair without a grade is a relevant one.
    let grade = columns.grade.map_or(Ok(1.0), |index| row.grade(index))?;
    match span(row, columns)? {
        Some((start, end)) => {
            let hop = columns.hop.map_or(Ok(None), |index| row.hop(index))?;
            let document = columns.whole.map_or(document, |index| row.field(index)).into();
            labels.judge_passage(query, GoldSpan { document, start, end, grade, hop }, row.line)?;
        }
        None => labels.judge(query, document, grade, row.line)?,
    }
    if let Some(text) = columns.text {
        let text = row.field(text);
        labels.about(query).text.get_or_insert_with(|| String::from_utf8_lossy(text).into_owned());
    }
    Ok(())
}

/// The place of a passage, where the row has one.
fn span(row: &Record<'_>, columns: &Columns) -> Result<Option<(u64, u64)>, Fault> {
    let (Some(start), Some(end)) = (columns.start, columns.end) else { return Ok(None) };
    match (row.whole(start, "start")?, row.whole(end, "end")?) {
        (Some(first), Some(last)) if first <= last => Ok(Some((first, last))),
        (Some(_), Some(_)) => {
            let text = row.shown(end);
            Err(row.fault(end, InputErrorKind::OutOfRange { field: "end", expected: "at least the start", text }))
        }
        _ => Ok(None),
    }
}

fn read_run(reader: &mut Reader, run: &mut dyn RunSink) -> Result<(), Fault> {
    let columns = columns_of(reader)?;
    columns.check_order(&reader.sample)?;
    if columns.calls == CallColumns::default() {
        return read_rows(reader, run, columns, None);
    }
    let mut rows = Rows::new(&mut reader.source, &reader.sample);
    let (mut calls, mut tagged) = (KnownCalls::default(), false);
    while let Some(row) = rows.next_row(&mut reader.log)? {
        let taken =
            announce(&row, &columns.calls, columns.query, &mut calls, run).and_then(|()| retrieve(&row, &columns, run));
        if let Err(fault) = taken {
            reader.log.skip(row.around(fault))?;
        } else if let Some(tag) = tag(&row, &columns).filter(|_| !tagged) {
            run.tag(tag);
            tagged = true;
        }
    }
    Ok(())
}

/// Reads rows that say nothing of search calls; they have as many columns as `exact` says, where no
/// header does.
pub(super) fn read_rows(
    reader: &mut Reader,
    run: &mut dyn RunSink,
    columns: Columns,
    exact: Option<(usize, &'static str)>,
) -> Result<(), Fault> {
    let layout = Layout::of(&reader.sample);
    blocks::read(reader, run, &lines::RunLines { layout, columns, exact })
}

/// The name that a row gives the run.
fn tag<'r>(row: &Record<'r>, columns: &Columns) -> Option<&'r [u8]> {
    columns.tag.map(|index| row.field(index)).filter(|tag| !tag.is_empty())
}

pub(super) fn retrieve(row: &Record<'_>, columns: &Columns, run: &mut dyn RunSink) -> Result<(), Fault> {
    let query = row.id(columns.query, "query id")?;
    let document = row.id(columns.document, "document id")?;
    let (key, rank) = order(row, columns)?;
    let chunk = chunk(row, columns)?;
    run.row(&Row { query, document, key, rank, line: row.line, chunk: chunk.as_ref() })
}

/// A score orders a result and a rank beside it is only compared; a rank alone orders it; without
/// either the order of the rows does.
fn order(row: &Record<'_>, columns: &Columns) -> Result<(Key, Option<f64>), Fault> {
    match (columns.score, columns.rank) {
        (Some(score), rank) => {
            let number = row.number(score.index, "score")?;
            Ok((Key::Score(score.key(number)), rank.and_then(|index| number::parse(row.field(index)))))
        }
        (None, Some(rank)) => Ok((Key::Rank(row.number(rank, "rank")?), None)),
        (None, None) => Ok((Key::Position, None)),
    }
}

fn chunk(row: &Record<'_>, columns: &Columns) -> Result<Option<Chunk>, Fault> {
    let whole = |column: Option<usize>, field| column.map_or(Ok(None), |index| row.whole(index, field));
    let id = columns.whole.map(|index| row.field(index)).filter(|id| !id.is_empty());
    let chunk = Chunk {
        document: id.map(Id::from),
        start: whole(columns.start, "start")?,
        end: whole(columns.end, "end")?,
        tokens: whole(columns.tokens, "tokens")?,
    };
    Ok((chunk != Chunk::default()).then_some(chunk))
}

/// Tells the run of a search call when the first of its rows comes, and when they come back.
fn announce(
    row: &Record<'_>,
    columns: &CallColumns,
    query: usize,
    known: &mut KnownCalls,
    run: &mut dyn RunSink,
) -> Result<(), Fault> {
    if *columns == CallColumns::default() {
        return Ok(());
    }
    let query = row.id(query, "query id")?;
    let step = columns.step.map_or(Ok(None), |index| row.whole(index, "step"))?;
    let step = step.and_then(|step| u32::try_from(step).ok());
    let is_other = std::mem::replace(&mut known.last, step) != step;
    if !known.all.insert((query.into(), step)) {
        return step.filter(|_| is_other).map_or(Ok(()), |step| run.resume(query, step, row.line));
    }
    let amount = |column: Option<usize>, field| match column.filter(|&index| !row.field(index).is_empty()) {
        Some(index) => row.number(index, field).map(Some),
        None => Ok(None),
    };
    let role = columns.role.map(|index| row.field(index)).filter(|role| !role.is_empty());
    let call = Call {
        latency_ms: amount(columns.latency, "latency_ms")?,
        cost_usd: amount(columns.cost, "cost_usd")?,
        role: role.map(|role| String::from_utf8_lossy(role).into_owned()),
        step,
        ..Call::default()
    };
    run.call(query, &call, row.line)
}
