//! The relevant documents of one query: `{id: grade}`, or a list of ids, of graded objects, or of
//! passages.

use super::{DOCUMENT, GRADE, Kind, Node, Record, grade, name_other_grades};
use crate::error::{Fault, InputErrorKind};
use crate::id::Id;
use crate::input::FaultLog;
use crate::labels::{GoldSpan, LabelsBuilder};

const EXPECTED: &str = "an object of grades, or a list of ids";

/// Takes the judgments of a query. A faulty entry costs only itself when faults are skipped.
///
/// # Errors
/// The first fault, unless faults are skipped.
pub(in crate::input) fn judge(
    relevant: Node<'_>,
    query: &str,
    labels: &mut LabelsBuilder,
    log: &mut FaultLog,
) -> Result<(), Fault> {
    labels.mention(query.as_bytes());
    if relevant.kind() == Kind::Array {
        for item in relevant.items()? {
            judge_item(item, query, labels, log).or_else(|fault| log.skip(fault))?;
        }
        return Ok(());
    }
    for (document, grade) in relevant.entries("relevant", EXPECTED)? {
        judge_pair(document, Some(grade), query, labels).or_else(|fault| log.skip(fault))?;
    }
    Ok(())
}

fn judge_item(item: Node<'_>, query: &str, labels: &mut LabelsBuilder, log: &mut FaultLog) -> Result<(), Fault> {
    if item.kind() == Kind::Array
        && let [document, grade] = item.items()?[..]
    {
        return judge_pair(document, Some(grade), query, labels);
    }
    if item.kind() != Kind::Object {
        return judge_pair(item, None, query, labels);
    }
    let item = item.record()?;
    if item.get(&["start"]).is_some() {
        return judge_passage(&item, query, labels, log);
    }
    name_other_grades(&item, log)?;
    judge_pair(item.need(DOCUMENT, "`id`")?, grade(&item)?, query, labels)
}

fn judge_pair(
    document: Node<'_>,
    grade: Option<Node<'_>>,
    query: &str,
    labels: &mut LabelsBuilder,
) -> Result<(), Fault> {
    let id = document.id("document id")?;
    let value = grade.map_or(Ok(1.0), |grade| grade.grade())?;
    let judged = labels.judge(query.as_bytes(), id.as_bytes(), value, document.line());
    judged.map_err(|fault| grade.unwrap_or(document).locate(fault))
}

/// Takes a gold passage: `doc_id`, `start`, `end`, and perhaps `grade` and `hop`.
///
/// # Errors
/// When a part is missing or has two names, the passage ends before it starts, or stands twice with
/// two grades.
pub(super) fn judge_passage(
    passage: &Record<'_>,
    query: &str,
    labels: &mut LabelsBuilder,
    log: &mut FaultLog,
) -> Result<(), Fault> {
    name_other_grades(passage, log)?;
    let judged = labels.judge_passage(query.as_bytes(), span(passage)?, passage.node.line());
    judged.map_err(|fault| passage.optional(GRADE).unwrap_or(passage.node).locate(fault))
}

fn span(passage: &Record<'_>) -> Result<GoldSpan, Fault> {
    let document = passage.need(DOCUMENT, "`doc_id`")?.id("document id")?;
    let start = passage.need(&["start"], "`start`")?.whole("start")?;
    let end_node = passage.need(&["end"], "`end`")?;
    let end = end_node.whole("end")?;
    if end < start {
        let (field, expected) = ("end", "at least `start`");
        return Err(end_node.fault(InputErrorKind::OutOfRange { field, expected, text: end_node.shown() }));
    }
    let grade = passage.optional(GRADE).map_or(Ok(1.0), |grade| grade.grade())?;
    let hop = passage.optional(&["hop"]).map(|hop| hop.hop()).transpose()?;
    Ok(GoldSpan { document: Id::from(&*document), start, end, grade, hop })
}
