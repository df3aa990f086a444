//! The retrieved documents of Arize Phoenix: a row a document, its id inside the cell
//! `document_metadata`.

use serde_json::Value;

use super::columns;
use super::mlflow::id;
use super::rows::{Record, Rows};
use super::{Format, Header, Reader, Role, number, python};
use crate::error::{Fault, InputErrorKind};
use crate::run::{Key, Row, RunSink};

pub(super) static RUN: Format = Format {
    name: "phoenix",
    about: "Phoenix documents: input,document_position,document_score,document_metadata",
    role: Role::Run,
    detect: |sample| sample.header().is_some_and(|header| Columns::of(header).is_some()),
    labels: None,
    run: Some(read),
};

/// The keys of the metadata that may hold the id, the likeliest first.
const ID_KEYS: [&str; 5] = ["id", "chunk_id", "doc_id", "document_id", "_id"];

struct Columns {
    query: usize,
    position: usize,
    score: Option<usize>,
    metadata: usize,
}

impl Columns {
    fn of(header: &Header) -> Option<Self> {
        Some(Self {
            query: header.position("input").or(header.position("context_span_id"))?,
            position: header.position("document_position")?,
            score: header.position("document_score"),
            metadata: header.position("document_metadata")?,
        })
    }
}

fn read(reader: &mut Reader, run: &mut dyn RunSink) -> Result<(), Fault> {
    let columns = reader.sample.header().and_then(Columns::of).ok_or_else(|| {
        let expected = "columns input, document_position and document_metadata".to_owned();
        Fault::of_file(InputErrorKind::MissingKey { expected })
    })?;
    let mut rows = Rows::new(&mut reader.source, &reader.sample);
    while let Some(row) = rows.next_row(&mut reader.log)? {
        retrieve(&row, &columns, run).or_else(|fault| reader.log.skip(row.around(fault)))?;
    }
    Ok(())
}

/// The score orders a document where there is one, else its position.
fn retrieve(row: &Record<'_>, columns: &Columns, run: &mut dyn RunSink) -> Result<(), Fault> {
    let query = row.id(columns.query, "input")?;
    let document = document(row, columns.metadata)?;
    let (key, rank) = match columns.score.filter(|&score| !row.field(score).is_empty()) {
        Some(score) => (Key::Score(row.number(score, "score")?), number::parse(row.field(columns.position))),
        None => (Key::Rank(row.number(columns.position, "position")?), None),
    };
    run.row(&Row { query, document: document.as_bytes(), key, rank, line: row.line, chunk: None })
}

fn document(row: &Record<'_>, metadata: usize) -> Result<String, Fault> {
    let cell = row.field(metadata);
    let Some(Value::Object(pairs)) = std::str::from_utf8(cell).ok().and_then(python::parse) else {
        let (field, text) = ("document_metadata".to_owned(), row.shown(metadata));
        return Err(row.fault(metadata, InputErrorKind::WrongType { field, expected: "a JSON object", text }));
    };
    let found = ID_KEYS.iter().find_map(|key| pairs.get(*key));
    let missing = InputErrorKind::MissingKey { expected: "`id` in document_metadata".to_owned() };
    let value = found.ok_or_else(|| row.fault(metadata, missing))?;
    id(value).ok_or_else(|| {
        let text = columns::shown(value.to_string().as_bytes());
        row.fault(metadata, InputErrorKind::BadId { field: "document id", text })
    })
}
