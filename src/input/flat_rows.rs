//! Flat rows of one document each: MTEB and Hugging Face qrels, and rows with `query_id`,
//! `doc_id` and a grade, a score or a rank, as lines or as a list.
//!
//! What the rows hold is told by their keys; only a bare `score` depends on the place of the file.

use std::borrow::Cow;

use super::json::{self, DOCUMENT, GRADE, NAMED_DOCUMENT, QUERY, QUERY_TEXT, Record, Sketch};
use super::order::{self, RANK};
use super::{Format, Position, Reader, Role, Sample};
use crate::error::{Fault, InputErrorKind};
use crate::labels::LabelsBuilder;
use crate::notes::NoteKind;
use crate::run::{Row, RunSink};

pub(super) static LABELS: Format = Format {
    name: "rows-labels",
    about: "JSON rows of labels: query_id, doc_id, grade",
    role: Role::Labels,
    detect: |sample| holds(sample) == Some(Holds::Grades),
    labels: Some(read_labels),
    run: None,
};

pub(super) static RUN: Format = Format {
    name: "rows-run",
    about: "JSON rows of a run: query_id, doc_id, score or rank",
    role: Role::Run,
    detect: |sample| holds(sample) == Some(Holds::Ranks),
    labels: None,
    run: Some(read_run),
};

pub(super) static EITHER: Format = Format {
    name: "rows",
    about: "JSON rows: query_id, doc_id, score",
    role: Role::ByPosition,
    detect: |sample| holds(sample) == Some(Holds::Scores),
    labels: Some(read_labels),
    run: Some(read_run),
};

pub(super) static BOTH: Format = Format {
    name: "rows-both",
    about: "JSON rows of judged results: query_id, doc_id, grade, score or rank",
    role: Role::Both,
    detect: |sample| holds(sample) == Some(Holds::Both),
    labels: Some(read_labels),
    run: Some(read_run),
};

#[derive(Debug, PartialEq, Eq)]
enum Holds {
    Grades,
    Ranks,
    Scores,
    Both,
}

fn holds(sample: &Sample) -> Option<Holds> {
    let sketch = sample.json()?;
    let rows: Vec<&Sketch> = sketch.rows().filter(|row| is_flat(row)).collect();
    let any = |names: &[&str]| rows.iter().any(|row| row.has(names));
    let score = rows.iter().find_map(|row| score(row));
    Some(match (any(GRADE), any(RANK) || score.is_some_and(order::Score::is_no_grade)) {
        _ if rows.is_empty() => return None,
        (true, ranked) => {
            if ranked || score.is_some() {
                Holds::Both
            } else {
                Holds::Grades
            }
        }
        (false, false) if any(&["corpus-id", "corpus_id"]) && !is_scored_run(sample, &rows) => Holds::Grades,
        (false, true) => Holds::Ranks,
        (false, false) => Holds::Scores,
    })
}

/// MTEB's names are those of labels, unless a run is expected and the scores are no grades.
fn is_scored_run(sample: &Sample, rows: &[&Sketch]) -> bool {
    let mut scores = rows.iter().filter_map(|row| row.entries()[score(row)?.index].1.number());
    sample.position() == Position::Run && scores.any(|score| score.fract() != 0.0)
}

fn score(row: &Sketch) -> Option<order::Score> {
    order::score(row.entries().iter().map(|(key, _)| key.as_str()))
}

fn is_flat(row: &Sketch) -> bool {
    let scalar = |names| row.get(names).is_some_and(|value| !value.is_nested());
    (scalar(QUERY) && scalar(DOCUMENT)) || (scalar(QUERY_TEXT) && scalar(NAMED_DOCUMENT))
}

/// The ids of query and document. A bare `id` is the document's only beside the query's own id.
fn ids<'a>(row: &Record<'a>) -> Result<(Cow<'a, str>, Cow<'a, str>), Fault> {
    let (query, names) = match row.get(QUERY) {
        Some(query) => (query, DOCUMENT),
        None => (row.need(QUERY_TEXT, "`query_id`")?, NAMED_DOCUMENT),
    };
    Ok((query.id("query id")?, row.need(names, "`doc_id`")?.id("document id")?))
}

fn read_labels(reader: &mut Reader, labels: &mut LabelsBuilder) -> Result<(), Fault> {
    let mut graded = None;
    json::each_row(reader, |row, log| {
        let (query, document) = ids(row)?;
        let grade = json::grade(row)?;
        if *graded.get_or_insert(grade.is_some()) != grade.is_some() {
            return Err(row.node.fault(InputErrorKind::MixedGrades));
        }
        let value = match grade {
            Some(grade) => grade.grade()?,
            None => {
                log.note(NoteKind::NoGrades, || format!("line {}", row.node.line()));
                1.0
            }
        };
        let judged = labels.judge(query.as_bytes(), document.as_bytes(), value, row.node.line());
        judged.map_err(|fault| row.node.locate(fault))?;
        if json::is_tagged(row) { json::tag(row, labels.about(query.as_bytes())) } else { Ok(()) }
    })
}

fn read_run(reader: &mut Reader, run: &mut dyn RunSink) -> Result<(), Fault> {
    json::each_row(reader, |row, _| {
        let (query, document) = ids(row)?;
        let key = json::row_key(row)?;
        let rank = row.optional(RANK).map(|rank| rank.number("rank")).transpose()?;
        let line = row.node.line();
        let (query, document) = (query.as_bytes(), document.as_bytes());
        run.row(&Row { query, document, key, rank, line, chunk: None }).map_err(|fault| row.node.locate(fault))
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    #[test]
    fn mteb_rows_are_labels_whatever_the_type_of_their_numbers() {
        let text = r#"{"query-id": 7, "corpus-id": "007", "score": "2"}
{"query-id": "7", "corpus-id": 7, "score": -1}"#;
        assert_eq!(show_labels(&labels(text)), "7: 007=2 7=-1");
        assert_eq!(run_error(text), "run: looks like JSON rows of labels: query_id, doc_id, grade, expected a run");
    }

    #[test]
    fn rows_with_the_names_of_mteb_can_be_a_run() {
        let text = r#"{"query-id": "q", "corpus-id": "a", "score": 0.5}"#;
        assert_eq!(show_run(&run(text)), "q: a");
        assert_eq!(show_labels(&labels(text)), "q: a=0.5");
    }

    #[test]
    fn a_bare_score_is_what_the_place_says() {
        let text = r#"[{"qid":"q","docid":"a","score":0},{"qid":"q","docid":"b","score":3}]"#;
        assert_eq!(show_labels(&labels(text)), "q: a=0 b=3");
        assert_eq!(show_run(&run(text)), "q: b a");
    }

    #[test]
    fn ranks_and_grades_say_what_the_rows_are() {
        let ranks = "{\"query_id\":\"q\",\"id\":\"a\",\"rank\":2}\n{\"query_id\":\"q\",\"id\":\"b\",\"rank\":1}";
        assert_eq!(show_run(&run(ranks)), "q: b a");
        let both = r#"{"query_id":"q","doc_uri":"a","relevance":1,"score":0.5}"#;
        assert_eq!((show_labels(&labels(both)), show_run(&run(both))), ("q: a=1".into(), "q: a".into()));
    }

    #[test]
    fn rows_without_a_grade_are_relevant_and_noted() {
        let text = "{\"query_id\":1,\"doc_id\":\"a\"}\n{\"query_id\":1,\"doc_id\":\"b\"}";
        let (labels, notes) = try_labels(text, &Default::default()).unwrap();
        assert_eq!(show_labels(&labels), "1: a=1 b=1");
        let note = notes.iter().next().unwrap();
        assert_eq!((note.kind, note.count), (NoteKind::NoGrades, 2));
        let mixed = format!("{text}\n{{\"query_id\":1,\"doc_id\":\"c\",\"grade\":0}}");
        assert_eq!(labels_error(&mixed), "labels:3:1: some rows have a grade and some have none");
    }

    #[test]
    fn a_fault_names_what_the_file_says() {
        let row = |id: &str, score: &str| format!("\n{{\"query_id\": {id}, \"doc_id\": \"d\", \"score\": {score}}}");
        assert_eq!(run_error(&row("7.0", "1")), "run:2:14: query id must be text or a whole number: `7.0`");
        assert_eq!(run_error(&row("null", "1")), "run:2:14: query id must be text or a whole number: `null`");
        assert_eq!(run_error(&row("7", "\"1,9\"")), "run:2:41: score is not a number: `1,9`");
        assert_eq!(run_error(&row("7", "1e999")), "run:2:41: score must be a finite number: `1e999`");
        assert_eq!(run_error(&row("7", "NaN")), "run:2:41: is not valid JSON: expected a number, found `NaN`");
        let (run, notes) = try_run(&(row("7", "true") + &row("8", "2")), &skipping()).unwrap();
        assert_eq!((show_run(&run), notes.iter().next().unwrap().count), ("8: d".into(), 1));
    }

    #[test]
    fn conflicting_grades_show_both_lines() {
        let text = "{\"query_id\":1,\"doc_id\":\"a\",\"rel\":1}\n{\"query_id\":1,\"doc_id\":\"a\",\"rel\":0}";
        assert_eq!(labels_error(text), "labels:2:1: query `1`, document `a` is judged 0 here and 1 at line 1");
    }

    #[test]
    fn a_stratum_is_a_tag_of_its_query() {
        let text = "{\"query_id\":1,\"doc_uri\":\"a\",\"rel\":1}\n{\"query_id\":1,\"doc_uri\":\"b\",\"rel\":1,\"stratum\":\"law\"}";
        assert_eq!(labels(text).queries()[0].about.tags, [("stratum".into(), vec!["law".into()])]);
    }
}
