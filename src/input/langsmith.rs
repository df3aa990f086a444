//! LangSmith rows: the retrieved ids in `outputs.doc_ids`, the relevant ones in
//! `reference_outputs.doc_ids`.

use std::borrow::Cow;

use super::json::{self, FirstLines, Node, QUERY, QUERY_TEXT, Record};
use super::{Format, Reader, Role, Sample};
use crate::error::Fault;
use crate::labels::LabelsBuilder;
use crate::run::{Call, RunSink};

pub(super) static ROWS: Format = Format {
    name: "langsmith",
    about: "LangSmith rows: inputs, outputs.doc_ids, reference_outputs.doc_ids",
    role: Role::Both,
    detect: is_rows,
    labels: Some(read_labels),
    run: Some(read_run),
};

const RELEVANT: &str = "reference_outputs";
const RETRIEVED: &str = "outputs";
const IDS: &[&str] = &["doc_ids", "document_ids", "ids"];

fn is_rows(sample: &Sample) -> bool {
    let Some(sketch) = sample.json() else { return false };
    let mut rows = sketch.rows();
    rows.any(|row| [RELEVANT, RETRIEVED].iter().all(|side| row.get(&[side]).is_some_and(|side| side.has(IDS))))
}

fn ids<'a>(row: &Record<'a>, side: &str) -> Result<Node<'a>, Fault> {
    row.need(&[side], &format!("`{side}`"))?.record()?.need(IDS, "`doc_ids`")
}

/// The id of the example, else the question.
fn query<'a>(row: &Record<'a>) -> Result<Cow<'a, str>, Fault> {
    match row.get(QUERY).or_else(|| row.get(&["example_id", "id"])) {
        Some(id) => id.id("query id"),
        None => row.need(&["inputs"], "`inputs`")?.record()?.need(QUERY_TEXT, "`question`")?.id("query id"),
    }
}

fn read_labels(reader: &mut Reader, labels: &mut LabelsBuilder) -> Result<(), Fault> {
    let mut first_lines = FirstLines::default();
    json::each_row(reader, |row, log| {
        let query = query(row)?;
        first_lines.once(&query, row.node)?;
        json::judge(ids(row, RELEVANT)?, &query, labels, log)?;
        if let Some(inputs) = row.optional(&["inputs"]) {
            json::describe(&inputs.record()?, &query, labels, log)?;
        }
        Ok(())
    })
}

fn read_run(reader: &mut Reader, run: &mut dyn RunSink) -> Result<(), Fault> {
    let mut first_lines = FirstLines::default();
    json::each_row(reader, |row, log| {
        let query = query(row)?;
        first_lines.once(&query, row.node)?;
        let ids = ids(row, RETRIEVED)?;
        run.call(query.as_bytes(), &Call::default(), row.node.line()).map_err(|fault| row.node.locate(fault))?;
        json::rank(ids, &query, run, log)
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;

    #[test]
    fn both_sides_are_read() {
        let text = r#"{"inputs":{"question":"how?"},"outputs":{"doc_ids":["n7","n1"]},"reference_outputs":{"doc_ids":["n1"]}}"#;
        let labels = labels(text);
        assert_eq!(show_labels(&labels), "how?: n1=1");
        assert_eq!(labels.queries()[0].about.text.as_deref(), Some("how?"));
        assert_eq!(show_run(&run(text)), "how?: n7 n1");
    }

    #[test]
    fn a_row_without_one_side_is_named() {
        let text = "{\"inputs\":{\"question\":\"how?\"},\"outputs\":{\"doc_ids\":[]},\"reference_outputs\":{\"doc_ids\":[]}}\n\
                    {\"inputs\":{\"question\":\"why?\"},\"outputs\":{}}";
        assert_eq!(labels_error(text), "labels:2:1: has no `reference_outputs`");
        assert_eq!(run_error(text), "run:2:41: has no `doc_ids`");
    }
}
