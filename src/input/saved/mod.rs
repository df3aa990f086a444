//! Saved scores: a value per query and measure, as `raglens eval` writes them (`--save`,
//! `--per-query` in JSON, JSONL or CSV), or any table of queries and numbers.

mod collect;
mod document;
mod table;

use super::json::{NAMED_DOCUMENT, QUERY, QUERY_TEXT, Sketch};
use super::{FORMATS, FileFacts, Format, Position, ReadOptions, Role, Sample, Source, read};
use crate::error::{Fault, InputError, InputErrorKind};
use crate::id::Id;
use crate::notes::Notes;

pub(super) static JSON: Format = Format {
    name: "saved-scores",
    about: "saved scores, which `compare`, `queries` and `gate` read",
    role: Role::Saved,
    detect: |sample| sample.json().is_some_and(is_saved),
    labels: None,
    run: None,
};

pub(super) static TABLE: Format = Format { name: "saved-table", detect: table::is_saved, ..JSON };

/// The version of the JSON documents.
const SCHEMA: &str = "raglens/1";
/// Columns that hold the name of the run.
const RUN: &[&str] = &["run", "system", "model"];
/// The columns of tidy rows.
const METRIC: &str = "metric";
const VALUE: &str = "value";

/// Scores of one or several runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SavedScores {
    /// The runs in the order of the file.
    pub runs: Vec<SavedRun>,
    /// The hash of the labels that were measured with, where the file says it.
    pub labels_hash: Option<String>,
    /// The conventions that were in force: names, and values as they are written.
    pub conventions: Vec<(String, String)>,
}

/// The scores of one run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SavedRun {
    /// The name, where the file gives one.
    pub name: Option<String>,
    /// The queries in the order of the file.
    pub queries: Vec<Id>,
    /// The measures, in the order in which they first stand there.
    pub metrics: Vec<String>,
    /// The rankings that were saved along, so that the run can be measured again.
    pub rankings: Vec<SavedRanking>,
    values: Vec<Vec<Option<f64>>>,
}

/// The head of a saved ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedRanking {
    /// The query.
    pub query: Id,
    /// The first documents, best first.
    pub ids: Vec<Id>,
    /// How many documents were retrieved.
    pub retrieved: u64,
}

impl SavedRun {
    /// The values of a measure in the order of the queries; `None` where it is undefined.
    pub fn column(&self, metric: usize) -> impl Iterator<Item = Option<f64>> {
        self.values.iter().map(move |row| row.get(metric).copied().flatten())
    }

    /// The position of a measure; `recall_5` and `recall_at_5` are `recall@5`.
    pub fn metric(&self, name: &str) -> Option<usize> {
        let exact = self.metrics.iter().position(|metric| metric == name);
        exact.or_else(|| self.metrics.iter().position(|metric| is_same(metric, name)))
    }
}

fn is_same(metric: &str, name: &str) -> bool {
    let plain = |name: &str| name.replace("_at_", "_").replace('@', "_");
    plain(metric) == plain(name)
}

/// Whether a file holds saved scores, and not labels or a run.
pub fn looks_like_saved(sample: &Sample) -> bool {
    FORMATS.iter().find(|format| (format.detect)(sample)).is_some_and(|format| format.role == Role::Saved)
}

fn is_saved(sketch: &Sketch) -> bool {
    let schema = sketch.document().get(&["schema"]);
    schema == Some(&Sketch::Text(SCHEMA.to_owned())) || sketch.rows().any(is_row)
}

fn is_row(row: &Sketch) -> bool {
    let asks = row.has(QUERY) || row.has(QUERY_TEXT) || row.has(&["id"]);
    let has_document = row.has(NAMED_DOCUMENT) || (row.has(&["id"]) && row.has(QUERY));
    let is_score =
        |(key, value): &(String, Sketch)| !is_name(key) && (value.number().is_some() || *value == Sketch::Bool);
    asks && !has_document && row.entries().iter().any(is_score)
}

/// Whether a column names a query or a run.
fn is_name(column: &str) -> bool {
    [QUERY, QUERY_TEXT, RUN, &["id"]].iter().any(|names| names.contains(&column))
}

/// Reads saved scores.
///
/// # Errors
/// The first fault of the file, unless faults are skipped; a file that holds something else.
pub fn read_saved(
    source: Source,
    options: &ReadOptions,
    notes: &mut Notes,
) -> Result<(SavedScores, FileFacts), InputError> {
    let mut scores = SavedScores::default();
    let facts = read(source, Position::Run, options, notes, |format, reader| {
        if format.role != Role::Saved {
            let (found, expected) = (format.about.to_owned(), "saved scores");
            return Err(Fault::of_file(InputErrorKind::WrongRole { found, expected }));
        }
        scores = match reader.sample.json() {
            Some(sketch) if sketch.document().has(&["schema"]) => document::read_document(reader)?,
            Some(_) => document::read_rows(reader)?,
            None => table::read(reader)?,
        };
        Ok(())
    })?;
    Ok((scores, facts))
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    pub(super) fn read(text: &str) -> Result<SavedScores, InputError> {
        let source = Source::from_bytes("saved", text.into());
        read_saved(source, &ReadOptions::default(), &mut Notes::default()).map(|(scores, _)| scores)
    }

    pub(super) fn error(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    /// `bm25: q1 recall@5=1 judged@5=-, q2 …`
    pub(super) fn show(text: &str) -> String {
        let scores = read(text).unwrap_or_else(|error| panic!("{error}"));
        scores.runs.iter().map(show_run).collect::<Vec<_>>().join("; ")
    }

    fn show_run(run: &SavedRun) -> String {
        let cell = |query: usize, metric: usize| match run.column(metric).nth(query).unwrap() {
            Some(value) => format!(" {}={value}", run.metrics[metric]),
            None => format!(" {}=-", run.metrics[metric]),
        };
        let row = |query: usize| {
            let cells = (0..run.metrics.len()).map(|metric| cell(query, metric));
            format!(" {}{}", run.queries[query], cells.collect::<String>())
        };
        let rows = (0..run.queries.len()).map(row).collect::<Vec<_>>().join(",");
        format!("{}:{rows}", run.name.as_deref().unwrap_or("-"))
    }

    #[test]
    fn a_measure_is_found_under_both_spellings() {
        let scores = read("query_id,recall@5,ndcg_10\nq1,1,0.5\n").unwrap();
        assert_eq!(scores.runs[0].metric("recall_5"), Some(0));
        assert_eq!(scores.runs[0].metric("recall_at_5"), Some(0));
        assert_eq!(scores.runs[0].metric("ndcg@10"), Some(1));
        assert_eq!(scores.runs[0].metric("map"), None);
    }

    #[test]
    fn saved_scores_are_neither_labels_nor_a_run() {
        let text = "query_id,recall@5\nq1,1\n";
        assert_eq!(
            labels_error(text),
            "labels: looks like saved scores, which `compare`, `queries` and `gate` read, expected labels"
        );
        assert!(run_error(r#"{"schema":"raglens/1","runs":[]}"#).contains("looks like saved scores"));
        assert_eq!(error("q1 0 d 1\n"), "saved: looks like TREC qrels: qid iter docid grade, expected saved scores");
    }

    #[test]
    fn looking_tells_scores_from_runs() {
        let looks = |text: &str| looks_like_saved(&Source::from_bytes("f", text.into()).sample(Position::Run).unwrap());
        assert!(looks("{\"query_id\":\"q\",\"faithfulness\":0.5}\n"));
        assert!(looks("qid\tmap\nq1\t0.5\n"));
        assert!(!looks("{\"query_id\":\"q\",\"doc_id\":\"d\",\"score\":0.5}\n"));
        assert!(!looks("{\"query_id\":\"q\",\"results\":[\"d\"],\"latency_ms\":5}\n"));
        assert!(!looks("q1 Q0 d 1 2.0 t\n"));
        assert!(!looks("query_id,doc_id,score\nq1,d,1\n"));
        assert!(!looks("query_id,id,score\nq1,d,1\n"));
        assert!(looks("query_id,recall@5,mrr,map\nq1,1,0.5,1\n"));
    }
}
