//! The table of MLflow's retriever evaluation: a question a row, with the relevant and the
//! retrieved ids as lists in Python's spelling.

use serde_json::Value;

use super::rows::{Record, Rows};
use super::{Format, Header, Reader, Role, python};
use crate::error::{Fault, InputErrorKind};
use crate::labels::LabelsBuilder;
use crate::run::{Call, Key, Row, RunSink};

pub(super) static BOTH: Format = Format {
    name: "mlflow",
    about: "MLflow retriever table: questions,source,retrieved_context",
    role: Role::Both,
    detect: |sample| sample.header().is_some_and(|header| Columns::of(header).is_some()),
    labels: Some(|reader, labels| {
        let columns = columns(reader)?;
        read_labels(reader, labels, columns.query, columns.relevant)
    }),
    run: Some(|reader, run| {
        let columns = columns(reader)?;
        read_run(reader, run, columns.query, columns.retrieved)
    }),
};

struct Columns {
    query: usize,
    relevant: usize,
    retrieved: usize,
}

impl Columns {
    fn of(header: &Header) -> Option<Self> {
        let first = |names: &[&str]| names.iter().find_map(|name| header.position(name));
        Some(Self {
            query: first(&["questions", "question", "query", "input"])?,
            relevant: first(&["source", "ground_truth", "ground_truth_context"])?,
            retrieved: first(&["retrieved_context", "retrieved_doc_ids"])?,
        })
    }
}

fn columns(reader: &Reader) -> Result<Columns, Fault> {
    reader.sample.header().and_then(Columns::of).ok_or_else(|| {
        let expected = "columns questions, source and retrieved_context".to_owned();
        Fault::of_file(InputErrorKind::MissingKey { expected })
    })
}

/// Reads the ids that are relevant to each query, from a column of lists.
///
/// # Errors
/// The first fault, unless faults are skipped.
pub(super) fn read_labels(
    reader: &mut Reader,
    labels: &mut LabelsBuilder,
    query: usize,
    relevant: usize,
) -> Result<(), Fault> {
    let mut rows = Rows::new(&mut reader.source, &reader.sample);
    while let Some(row) = rows.next_row(&mut reader.log)? {
        let judged = ids(&row, query, relevant).and_then(|(query, ids)| {
            labels.about(query).text = Some(String::from_utf8_lossy(query).into_owned());
            ids.iter().try_for_each(|id| labels.judge(query, id.as_bytes(), 1.0, row.line))
        });
        judged.or_else(|fault| reader.log.skip(row.around(fault)))?;
    }
    Ok(())
}

/// Reads the ids that were retrieved for each query, from a column of lists.
///
/// # Errors
/// The first fault, unless faults are skipped.
pub(super) fn read_run(
    reader: &mut Reader,
    run: &mut dyn RunSink,
    query: usize,
    retrieved: usize,
) -> Result<(), Fault> {
    let mut rows = Rows::new(&mut reader.source, &reader.sample);
    while let Some(row) = rows.next_row(&mut reader.log)? {
        let taken = ids(&row, query, retrieved).and_then(|(query, ids)| {
            run.call(query, &Call::default(), row.line)?;
            ids.iter().try_for_each(|id| {
                let (document, key) = (id.as_bytes(), Key::Position);
                run.row(&Row { query, document, key, rank: None, line: row.line, chunk: None })
            })
        });
        taken.or_else(|fault| reader.log.skip(row.around(fault)))?;
    }
    Ok(())
}

/// The question of a row and the ids in one of its lists.
fn ids<'a>(row: &Record<'a>, query: usize, list: usize) -> Result<(&'a [u8], Vec<String>), Fault> {
    let query = row.id(query, "question")?;
    let wrong = || {
        let (field, text) = ("the list of ids".to_owned(), row.shown(list));
        row.fault(list, InputErrorKind::WrongType { field, expected: "a list like ['doc1', 'doc5']", text })
    };
    let cell = std::str::from_utf8(row.field(list)).ok().and_then(python::parse);
    let Some(Value::Array(items)) = cell else { return Err(wrong()) };
    let ids: Option<Vec<String>> = items.iter().map(id).collect();
    Ok((query, ids.ok_or_else(wrong)?))
}

/// An id in a literal: text, or a whole number as its decimal text.
pub(super) fn id(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
        Value::Number(number) if number.is_i64() || number.is_u64() => Some(number.to_string()),
        _ => None,
    }
}
