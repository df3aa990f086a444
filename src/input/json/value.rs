//! The grade or the order that an object of a query and a document, or of a document alone, says.

use super::{DOCUMENT, GRADE, Kind, Node, QUERY, QUERY_TEXT, Record};
use crate::error::{Fault, InputErrorKind};
use crate::id::escaped;
use crate::input::FaultLog;
use crate::input::order::{self, RANK};
use crate::notes::NoteKind;
use crate::run::Key;

/// The grade that an object says; a bare score is one.
///
/// # Errors
/// When it says none, and has numbers or flags under names that are not known.
pub(in crate::input) fn grade<'a>(row: &Record<'a>) -> Result<Option<Node<'a>>, Fault> {
    match grade_place(row) {
        Some(place) => Ok(Some(row.fields()[place].1)),
        None => nothing_unknown("grade", row, |value| is_number(value) || value.kind() == Kind::Bool).map(|()| None),
    }
}

/// What orders an object among the results: its score, else its rank, else its place. A score
/// that is `null` is none.
///
/// # Errors
/// When one is no number; when there is neither, and numbers under names that are not known.
pub(in crate::input) fn key(row: &Record<'_>) -> Result<Key, Fault> {
    if let Some((score, node)) = score(row).filter(|(_, node)| node.kind() != Kind::Null) {
        return Ok(Key::Score(score.key(node.number("score")?)));
    }
    match row.optional(RANK) {
        Some(rank) => Ok(Key::Rank(rank.number("rank")?)),
        None => nothing_unknown("score and no rank", row, is_number).map(|()| Key::Position),
    }
}

/// The same for a row of its own, whose place says little: a score that is `null` is faulty.
///
/// # Errors
/// As [`key`].
pub(in crate::input) fn row_key(row: &Record<'_>) -> Result<Key, Fault> {
    match score(row).filter(|(_, node)| node.kind() == Kind::Null) {
        Some((_, node)) => Err(node.fault(InputErrorKind::NotANumber { field: "score", text: node.shown() })),
        None => key(row),
    }
}

fn score<'a>(row: &Record<'a>) -> Option<(order::Score, Node<'a>)> {
    let score = score_place(row)?;
    Some((score, row.fields()[score.index].1))
}

/// Which field of an object is its score.
pub(in crate::input) fn score_place(row: &Record<'_>) -> Option<order::Score> {
    order::score(row.fields().iter().map(|(key, _)| &**key))
}

/// Which field of an object is its grade; a bare score is one.
pub(in crate::input) fn grade_place(row: &Record<'_>) -> Option<usize> {
    let plain = || score_place(row).filter(|score| !score.is_no_grade()).map(|score| score.index);
    row.position(GRADE).or_else(plain)
}

/// Names each key of a grade that is not read beside the usual one, once in a file.
///
/// # Errors
/// [`InputErrorKind::RivalKeys`] when an object has two and neither is the usual one.
pub(in crate::input) fn name_other_grades(row: &Record<'_>, log: &mut FaultLog) -> Result<(), Fault> {
    for key in other_grades(row)? {
        log.note_once(NoteKind::OtherGrades, format!("`{key}` is not read beside `{}`", GRADE[0]));
    }
    Ok(())
}

/// The keys of an object that are named like a grade beside `relevance`, the usual name.
fn other_grades<'r>(row: &'r Record<'_>) -> Result<Vec<&'r str>, Fault> {
    let keys = row.fields().iter().map(|(key, _)| &**key).filter(|key| GRADE.contains(key));
    let (usual, others): (Vec<&str>, Vec<&str>) = keys.partition(|key| *key == GRADE[0]);
    match others[..] {
        [first, second, ..] if usual.is_empty() => {
            let [first, second] = [first, second].map(|key| escaped(key.as_bytes()));
            Err(row.node.fault(InputErrorKind::RivalKeys { first, second }))
        }
        _ if usual.is_empty() => Ok(Vec::new()),
        _ => Ok(others),
    }
}

fn is_number(value: Node<'_>) -> bool {
    value.kind() == Kind::Number || (value.kind() == Kind::Text && value.number("score").is_ok())
}

/// Checks that no value that counts has a name that says nothing.
fn nothing_unknown(wanted: &'static str, row: &Record<'_>, counts: impl Fn(Node<'_>) -> bool) -> Result<(), Fault> {
    let unknown = row.fields().iter().filter(|(key, value)| !is_known(key) && counts(*value));
    let names = order::quoted(unknown.map(|(key, _)| &**key));
    match names.is_empty() {
        true => Ok(()),
        false => Err(row.node.fault(InputErrorKind::UnknownNames { wanted, names })),
    }
}

fn is_known(key: &str) -> bool {
    let names = [QUERY, QUERY_TEXT, DOCUMENT, RANK, GRADE];
    order::is_beside(key) || matches!(key, "_id" | "node_id") || names.iter().any(|names| names.contains(&key))
}
