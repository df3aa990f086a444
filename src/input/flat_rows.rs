//! Flat rows of one document each: MTEB and Hugging Face qrels, and rows with `query_id`,
//! `doc_id` and a grade, a score or a rank, as lines or as a list.
//!
//! What the rows hold is told by their keys; only a bare `score` depends on the place of the file.

mod lines;

use std::borrow::Cow;

use super::blocks::{self, Scored};
use super::json::{
    self, DOCUMENT, GRADE, NAMED_DOCUMENT, QUERY, QUERY_TEXT, Record, Shape, Sketch, TakeRow, UNIT, Value,
};
use super::order::{self, RANK, Score};
use super::{FaultLog, Format, Position, Reader, Role, Sample};
use crate::error::{Fault, InputErrorKind};
use crate::labels::LabelsBuilder;
use crate::notes::NoteKind;
use crate::run::{Chunk, Key, Row, RunSink};

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
    detect: |sample| holds(sample) == Some(Holds::Scored),
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
    Scored,
    Both,
}

fn holds(sample: &Sample) -> Option<Holds> {
    let sketch = sample.json()?;
    let rows: Vec<&Sketch> = sketch.rows().filter(|row| is_flat(row)).collect();
    let any = |names: &[&str]| rows.iter().any(|row| row.has(names));
    let score = rows.iter().find_map(|row| score(row));
    Some(match (any(GRADE), any(RANK) || score.is_some_and(Score::is_no_grade)) {
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
        (false, false) => Holds::Scored,
    })
}

/// MTEB's names are those of labels, unless a run is expected and the scores are no grades.
fn is_scored_run(sample: &Sample, rows: &[&Sketch]) -> bool {
    let mut scores = rows.iter().filter_map(|row| row.entries()[score(row)?.index].1.number());
    sample.position() == Position::Run && scores.any(|score| score.fract() != 0.0)
}

fn score(row: &Sketch) -> Option<Score> {
    order::score(row.entries().iter().map(|(key, _)| key.as_str()))
}

fn is_flat(row: &Sketch) -> bool {
    let scalar = |names| row.get(names).is_some_and(|value| !value.is_nested());
    (scalar(QUERY) && scalar(DOCUMENT)) || (scalar(QUERY_TEXT) && scalar(NAMED_DOCUMENT))
}

/// The names of the ids of query and document in a row. A bare `id` is the document's only beside
/// the query's own id.
fn names_of_ids(row: &Record<'_>) -> (&'static [&'static str], &'static [&'static str]) {
    if row.get(QUERY).is_some() { (QUERY, DOCUMENT) } else { (QUERY_TEXT, NAMED_DOCUMENT) }
}

fn ids<'a>(row: &Record<'a>) -> Result<(Cow<'a, str>, Cow<'a, str>), Fault> {
    let (query, document) = names_of_ids(row);
    let query = row.need(query, "`query_id`")?.id("query id")?;
    Ok((query, row.need(document, "`doc_id`")?.id("document id")?))
}

/// What a plain row holds where: the places of both ids, and of two more fields.
struct Plain {
    shape: Shape,
    places: [Option<usize>; 4],
}

impl Plain {
    fn of(row: &Record<'_>, third: Option<usize>, fourth: Option<usize>) -> Option<Self> {
        let (query, document) = names_of_ids(row);
        let ids = (row.position(query)?, row.position(document)?);
        Some(Self { shape: Shape::of(row)?, places: [Some(ids.0), Some(ids.1), third, fourth] })
    }

    /// The values of a row at the four places.
    fn read<'a>(&self, line: &'a [u8]) -> Option<[Option<Value<'a>>; 4]> {
        self.shape.read(line, self.places)
    }
}

fn read_labels(reader: &mut Reader, labels: &mut LabelsBuilder) -> Result<(), Fault> {
    json::each_row_of(reader, &mut Judgments::new(labels))
}

/// Takes rows of labels.
pub(super) struct Judgments<'a> {
    labels: &'a mut LabelsBuilder,
    /// Whether the rows have grades, as the first of them says.
    graded: Option<bool>,
    /// What rows with a grade and no tags look like.
    plain: Option<Plain>,
}

impl<'a> Judgments<'a> {
    pub(super) fn new(labels: &'a mut LabelsBuilder) -> Self {
        Self { labels, graded: None, plain: None }
    }
}

impl TakeRow for Judgments<'_> {
    fn plain(&mut self, line: &[u8], number: u64) -> Option<Result<(), Fault>> {
        let plain = self.plain.as_ref().filter(|_| self.graded == Some(true))?;
        let [query, document, grade, _] = plain.read(line)?;
        Some(self.labels.judge(query?.id()?, document?.id()?, grade?.grade()?, number))
    }

    fn row(&mut self, row: &Record<'_>, log: &mut FaultLog) -> Result<(), Fault> {
        let (query, document) = ids(row)?;
        json::name_other_grades(row, log)?;
        let grade = json::grade(row)?;
        if *self.graded.get_or_insert(grade.is_some()) != grade.is_some() {
            return Err(row.node.fault(InputErrorKind::MixedGrades));
        }
        let value = match grade {
            Some(grade) => grade.grade()?,
            None => {
                log.note(NoteKind::NoGrades, || format!("line {}", row.node.line()));
                1.0
            }
        };
        let judged = self.labels.judge(query.as_bytes(), document.as_bytes(), value, row.node.line());
        judged.map_err(|fault| row.node.locate(fault))?;
        if json::is_tagged(row) {
            return json::tag(row, self.labels.about(query.as_bytes()));
        }
        self.plain = json::grade_place(row).and_then(|place| Plain::of(row, Some(place), None));
        Ok(())
    }
}

fn read_run(reader: &mut Reader, run: &mut dyn RunSink) -> Result<(), Fault> {
    match json::is_row_a_line(&reader.sample) {
        true => {
            let scored = if are_scored(&reader.sample) { Scored::Probably } else { Scored::NotAlways };
            blocks::read(reader, run, &lines::RunLines { scored })
        }
        false => json::each_row_of(reader, &mut Results::new(run)),
    }
}

/// Whether the first rows have a score and no place in a document.
fn are_scored(sample: &Sample) -> bool {
    let is_scored = |row: &Sketch| score(row).is_some() && !row.entries().iter().any(|(key, _)| json::is_place(key));
    sample.json().is_some_and(|sketch| sketch.rows().all(is_scored))
}

/// What rows with a score or a rank look like, and the score among them.
type PlainResult = (Plain, Option<Score>);

/// Takes rows of a run.
pub(super) struct Results<'a> {
    run: &'a mut dyn RunSink,
    plain: Option<PlainResult>,
}

impl<'a> Results<'a> {
    pub(super) fn new(run: &'a mut dyn RunSink) -> Self {
        Self { run, plain: None }
    }
}

impl TakeRow for Results<'_> {
    fn plain(&mut self, line: &[u8], number: u64) -> Option<Result<(), Fault>> {
        let (plain, score) = self.plain.as_ref()?;
        let [query, document, scored, ranked] = plain.read(line)?;
        let (query, document) = (query?.id()?, document?.id()?);
        let rank = match ranked.filter(|rank| !rank.is_null()) {
            Some(rank) => Some(rank.number()?),
            None => None,
        };
        let key = match (score, rank) {
            (Some(score), _) => Key::Score(score.key(scored?.number()?)),
            (None, Some(rank)) => Key::Rank(rank),
            (None, None) => return None,
        };
        Some(self.run.row(&Row { query, document, key, rank, line: number, chunk: None }))
    }

    fn row(&mut self, row: &Record<'_>, _: &mut FaultLog) -> Result<(), Fault> {
        let (query, document) = ids(row)?;
        let key = json::row_key(row)?;
        let rank = row.optional(RANK).map(|rank| rank.number("rank")).transpose()?;
        let line = row.node.line();
        let chunk = placed_chunk(row, &document)?;
        let unit = chunk.is_some().then(|| row.get(UNIT)).flatten().map(|unit| unit.id("document id")).transpose()?;
        let (query, document) = (query.as_bytes(), unit.as_ref().unwrap_or(&document).as_bytes());
        let taken = self.run.row(&Row { query, document, key, rank, line, chunk: chunk.as_ref() });
        taken.map_err(|fault| row.node.locate(fault))?;
        if row.fields().iter().any(|(key, _)| json::is_place(key)) {
            return Ok(());
        }
        let score = json::score_place(row);
        self.plain = Plain::of(row, score.map(|score| score.index), row.position(RANK)).map(|plain| (plain, score));
        Ok(())
    }
}

/// What a row says of a chunk with a place or a length, which goes by an id of its own where it has
/// one beside that of its document.
fn placed_chunk(row: &Record<'_>, document: &str) -> Result<Option<Chunk>, Fault> {
    let chunk = json::chunk(row)?.filter(|chunk| chunk.start.is_some() || chunk.tokens.is_some());
    Ok(chunk.map(|chunk| Chunk { document: chunk.document.or_else(|| Some(document.into())), ..chunk }))
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
    fn a_row_with_a_place_is_a_chunk_of_its_document() {
        let run = run(concat!(
            r#"{"query_id":"q","id":"c1","doc_id":"h","start":0,"end":9,"tokens":3,"score":2}"#,
            "\n",
            r#"{"query_id":"q","id":"c2","doc_id":"h","start":9,"end":12,"score":3}"#,
            "\n",
            r#"{"query_id":"q","id":7,"doc_id":"g","score":1}"#
        ));
        assert_eq!(show_run(&run), "q: c2 c1 g");
        let chunk = Chunk { document: Some("h".into()), start: Some(0), end: Some(9), tokens: Some(3) };
        assert_eq!(run.rankings()[0].chunk(0), Some(&chunk));
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
