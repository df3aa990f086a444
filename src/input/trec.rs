//! TREC qrels (4 columns) and TREC runs (6 columns, 5 without tag).

use super::{Format, Reader, Role, Sample};
use crate::error::{Fault, InputErrorKind};
use crate::labels::LabelsBuilder;
use crate::run::{Key, Row, RunSink};

pub(super) static RUN: Format = Format {
    name: "trec",
    about: "TREC run: qid iter docid rank score tag",
    role: Role::Run,
    detect: |sample| columns(sample).is_some_and(|count| count >= 5),
    labels: None,
    run: Some(read_run),
};

pub(super) static LABELS: Format = Format {
    name: "qrels",
    about: "TREC qrels: qid iter docid grade",
    role: Role::Labels,
    detect: |sample| columns(sample) == Some(4),
    labels: Some(read_labels),
    run: None,
};

fn columns(sample: &Sample) -> Option<usize> {
    Some(fields(sample.data_lines().next()?).count())
}

fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty())
}

fn read_labels(reader: &mut Reader, labels: &mut LabelsBuilder) -> Result<(), Fault> {
    let mut lines = reader.source.lines();
    while let Some(line) = lines.next_line()? {
        let fields: Vec<&[u8]> = fields(line.bytes).collect();
        let [query, _, document, grade] = fields[..] else {
            let kind = InputErrorKind::Columns { expected: "4 columns (qid iter docid grade)", found: fields.len() };
            reader.log.skip(Fault::in_line(line.number, line.bytes, 0..line.bytes.len(), kind))?;
            continue;
        };
        let grade = std::str::from_utf8(grade).ok().and_then(|text| text.parse().ok()).unwrap_or(0.0);
        labels.judge(query, document, grade, line.number).or_else(|fault| reader.log.skip(fault))?;
    }
    Ok(())
}

fn read_run(reader: &mut Reader, run: &mut dyn RunSink) -> Result<(), Fault> {
    let mut lines = reader.source.lines();
    while let Some(line) = lines.next_line()? {
        let fields: Vec<&[u8]> = fields(line.bytes).collect();
        let [query, _, document, _, score, ..] = fields[..] else { continue };
        let score = std::str::from_utf8(score).ok().and_then(|text| text.parse().ok()).unwrap_or(0.0);
        let key = Key::Score(score);
        run.row(&Row { query, document, key, rank: None, line: line.number, chunk: None })?;
    }
    Ok(())
}
