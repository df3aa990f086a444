//! The questions of Chroma's chunking benchmark: the passages that answer one as JSON in a cell.

use serde::Deserialize;

use super::rows::{Record, Rows};
use super::{Format, Header, Reader, Role};
use crate::error::{Fault, InputErrorKind};
use crate::labels::{GoldSpan, LabelsBuilder};

pub(super) static LABELS: Format = Format {
    name: "chroma",
    about: "Chroma span labels: question,references,corpus_id",
    role: Role::Labels,
    detect: |sample| sample.header().is_some_and(|header| Columns::of(header).is_some()),
    labels: Some(read),
    run: None,
};

struct Columns {
    question: usize,
    references: usize,
    document: usize,
}

impl Columns {
    fn of(header: &Header) -> Option<Self> {
        Some(Self {
            question: header.position("question")?,
            references: header.position("references")?,
            document: header.position("corpus_id")?,
        })
    }
}

/// A passage as the cell holds it; its text is not needed.
#[derive(Deserialize)]
struct Passage {
    start_index: u64,
    end_index: u64,
}

fn read(reader: &mut Reader, labels: &mut LabelsBuilder) -> Result<(), Fault> {
    let columns = reader.sample.header().and_then(Columns::of).ok_or_else(|| {
        let expected = "columns question, references and corpus_id".to_owned();
        Fault::of_file(InputErrorKind::MissingKey { expected })
    })?;
    let mut rows = Rows::new(&mut reader.source, &reader.sample);
    while let Some(row) = rows.next_row(&mut reader.log)? {
        add(&row, &columns, labels).or_else(|fault| reader.log.skip(row.around(fault)))?;
    }
    Ok(())
}

fn add(row: &Record<'_>, columns: &Columns, labels: &mut LabelsBuilder) -> Result<(), Fault> {
    let query = row.id(columns.question, "question")?;
    let document = row.id(columns.document, "corpus_id")?;
    let spans = spans(row, columns.references, document)?;
    labels.about(query).text = Some(String::from_utf8_lossy(query).into_owned());
    spans.into_iter().try_for_each(|span| labels.judge_passage(query, span, row.line))
}

fn spans(row: &Record<'_>, references: usize, document: &[u8]) -> Result<Vec<GoldSpan>, Fault> {
    let cell = row.field(references);
    let wrong = |expected| {
        let (field, text) = ("references".to_owned(), row.shown(references));
        row.fault(references, InputErrorKind::WrongType { field, expected, text })
    };
    let passages: Vec<Passage> =
        serde_json::from_slice(cell).map_err(|_| wrong("a JSON list of passages with start_index and end_index"))?;
    let span = |Passage { start_index: start, end_index: end }| match start <= end {
        true => Ok(GoldSpan { document: document.into(), start, end, grade: 1.0, hop: None }),
        false => Err(wrong("passages that end behind their start")),
    };
    passages.into_iter().map(span).collect()
}
