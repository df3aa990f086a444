//! LETOR and SVMlight: `2 qid:10 1:0.031 2:0.667 # docid = GX029-35`.

use super::columns::{self, Separator};
use super::lines::Line;
use super::{Format, Reader, Role, Sample, number};
use crate::error::{Fault, InputErrorKind};
use crate::labels::LabelsBuilder;

/// What the second column begins with.
const QUERY: &[u8] = b"qid:";

pub(super) static LABELS: Format = Format {
    name: "letor",
    about: "LETOR: grade qid:Q 1:feature … # docid = D",
    role: Role::Labels,
    detect: is_letor,
    labels: Some(read),
    run: None,
};

fn is_letor(sample: &Sample) -> bool {
    memchr::memmem::find(sample.head(), QUERY).is_some()
        && sample.most_rows(|row| row.len() >= 2 && row[1].starts_with(QUERY))
}

fn read(reader: &mut Reader, labels: &mut LabelsBuilder) -> Result<(), Fault> {
    let (log, mut lines) = (&mut reader.log, reader.source.lines());
    while let Some(line) = lines.next_line()? {
        if line.bytes.starts_with(b"#") {
            log.comment(line);
        } else if !columns::is_empty(line.bytes) {
            judge(line, labels).or_else(|fault| log.skip(fault))?;
        }
    }
    Ok(())
}

fn judge(line: Line<'_>, labels: &mut LabelsBuilder) -> Result<(), Fault> {
    let ([grade, query], _) = columns::split_blanks::<2>(line.bytes);
    let missing = |expected: &str| line.fault(line.bytes, InputErrorKind::MissingKey { expected: expected.to_owned() });
    let query = query.strip_prefix(QUERY).ok_or_else(|| missing("`qid:` in its second column"))?;
    let document = document(line.bytes).ok_or_else(|| missing("`# docid = …` behind the features"))?;
    if query.is_empty() {
        return Err(line.fault(query, InputErrorKind::EmptyField { field: "query id" }));
    }
    let grade = number::parse(grade).ok_or_else(|| line.fault(grade, number::fault("grade", grade)))?;
    let judged = labels.judge(query, document, grade, line.number);
    judged.map_err(|fault| fault.with_excerpt(line.bytes, 0..line.bytes.len()))
}

/// The word behind `docid =` in the comment of a line.
fn document(line: &[u8]) -> Option<&[u8]> {
    let comment = columns::trim(&line[memchr::memchr(b'#', line)? + 1..]);
    let value = columns::trim(comment.strip_prefix(b"docid")?).strip_prefix(b"=")?;
    columns::split(value, Separator::Blank).first().copied()
}
