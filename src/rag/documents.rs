//! The documents that chunks are cut from, and labels of chunks as labels of documents.

use std::collections::{HashMap, HashSet};

use crate::id::Id;
use crate::input::Chunks;
use crate::labels::{DuplicateLabels, Labels, LabelsBuilder, QueryLabels};
use crate::run::{Ranking, Run};

/// The document of each chunk, as far as a chunk map and runs tell it.
#[derive(Debug, Clone, Default)]
pub struct Documents {
    of: HashMap<Id, Id>,
    documents: HashSet<Id>,
}

/// A chunk that two places assign to two documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedChunk {
    /// The chunk.
    pub chunk: Id,
    /// The document that it has first.
    pub first: Id,
    /// The document that it has later.
    pub second: Id,
}

impl Documents {
    /// What a chunk map and the results of runs tell.
    ///
    /// # Errors
    /// When a chunk belongs to two documents.
    pub fn new<'a>(chunks: Option<&Chunks>, runs: impl IntoIterator<Item = &'a Run>) -> Result<Self, MovedChunk> {
        let mut documents = Self::default();
        for chunk in chunks.into_iter().flat_map(Chunks::iter) {
            documents.take(chunk.id.as_bytes(), chunk.place.document.as_ref())?;
        }
        for ranking in runs.into_iter().flat_map(Run::rankings) {
            for index in 0..ranking.len() {
                let document = ranking.chunk(index).and_then(|chunk| chunk.document.as_ref());
                documents.take(ranking.document(index), document)?;
            }
        }
        Ok(documents)
    }

    fn take(&mut self, chunk: &[u8], document: Option<&Id>) -> Result<(), MovedChunk> {
        let Some(document) = document else { return Ok(()) };
        if let Some(known) = self.of.get(chunk) {
            let moved = || MovedChunk { chunk: chunk.into(), first: known.clone(), second: document.clone() };
            return if known == document { Ok(()) } else { Err(moved()) };
        }
        self.of.insert(chunk.into(), document.clone());
        self.documents.insert(document.clone());
        Ok(())
    }

    /// Whether no chunk has a document that is known.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// The document of a chunk; one whose document is not known stands for itself.
    pub fn of<'a>(&'a self, chunk: &'a [u8]) -> &'a [u8] {
        self.of.get(chunk).map_or(chunk, Id::as_bytes)
    }

    /// Whether an id is that of a chunk with a document, or of such a document.
    pub fn knows(&self, id: &[u8]) -> bool {
        self.of.contains_key(id) || self.documents.contains(id)
    }

    /// The document of the result at a position of a ranking.
    pub fn of_result<'a>(&'a self, ranking: &'a Ranking, index: u32) -> &'a [u8] {
        self.of(ranking.document(index as usize))
    }
}

/// Labels of documents: each judged chunk and each gold passage is its document, which has the
/// largest of their grades.
pub fn document_labels(labels: &Labels, documents: &Documents) -> Labels {
    let mut builder = LabelsBuilder::new(DuplicateLabels::Max);
    for query in labels.queries() {
        *builder.about(query.id().as_bytes()) = (*query.about).clone();
        for (document, grade) in judged_documents(query, documents) {
            builder.judge(query.id().as_bytes(), document, grade, 0).expect("the largest grade settles everything");
        }
    }
    builder.finish()
}

/// Judgments of documents that came by themselves, under what other labels say of the same queries
/// (tags, evidence, whether there is an answer).
pub fn described_by(judgments: &Labels, described: &Labels) -> Labels {
    let mut builder = LabelsBuilder::new(DuplicateLabels::Max);
    for query in judgments.queries() {
        let about = described.query(query.id()).map_or(&query.about, |described| &described.about);
        *builder.about(query.id().as_bytes()) = (**about).clone();
        for (document, grade) in query.judgments() {
            builder.judge(query.id().as_bytes(), document, grade, 0).expect("the largest grade settles everything");
        }
    }
    builder.finish()
}

fn judged_documents<'a>(query: &'a QueryLabels, documents: &'a Documents) -> impl Iterator<Item = (&'a [u8], f64)> {
    let of_chunks = query.judgments().map(|(chunk, grade)| (documents.of(chunk), grade));
    let gold = query.about.spans.iter().filter(|span| span.start < span.end);
    of_chunks.chain(gold.map(|span| (span.document.as_bytes(), span.grade)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::GoldSpan;
    use crate::run::{Chunk, Key, Row, RunBuilder, RunSink};

    fn run(rows: &[(&str, Option<&str>)]) -> Run {
        let mut builder = RunBuilder::new();
        for (line, (id, document)) in (1..).zip(rows) {
            let chunk = Chunk { document: document.map(Id::from), ..Chunk::default() };
            let (document, key, chunk) = (id.as_bytes(), Key::Position, Some(&chunk));
            builder.row(&Row { query: b"q", document, key, rank: None, line, chunk }).unwrap();
        }
        builder.finish()
    }

    #[test]
    fn labels_of_chunks_become_labels_of_their_documents_with_the_largest_grade() {
        let documents = Documents::new(None, [&run(&[("a1", Some("a")), ("a2", Some("a")), ("x", None)])]).unwrap();
        let mut labels = LabelsBuilder::new(DuplicateLabels::Error);
        for (chunk, grade) in [("a1", 1.0), ("a2", 3.0), ("b", 2.0), ("x", 0.0)] {
            labels.judge(b"q", chunk.as_bytes(), grade, 1).unwrap();
        }
        let span = |start, end, grade| GoldSpan { document: "s".into(), start, end, grade, hop: None };
        labels.about(b"q").spans = vec![span(0, 9, 1.0), span(20, 30, 2.0), span(5, 5, 3.0)];
        let projected = document_labels(&labels.finish(), &documents);
        let judged: Vec<(&[u8], f64)> = projected.queries()[0].judgments().collect();
        assert_eq!(judged, [(&b"a"[..], 3.0), (b"b", 2.0), (b"x", 0.0), (b"s", 2.0)]);
        assert_eq!(projected.queries()[0].about.spans.len(), 3);
    }

    #[test]
    fn labels_of_documents_keep_what_is_said_of_their_queries() {
        let labels = |id: &str, answerable: Option<bool>| {
            let mut labels = LabelsBuilder::new(DuplicateLabels::Error);
            labels.judge(b"q", id.as_bytes(), 1.0, 1).unwrap();
            labels.about(b"q").answerable = answerable;
            labels.finish()
        };
        let described = described_by(&labels("d", None), &labels("c", Some(false)));
        assert_eq!(described.queries()[0].grade(b"d"), Some(1.0));
        assert_eq!(described.queries()[0].about.answerable, Some(false));
    }

    #[test]
    fn a_chunk_has_one_document() {
        let runs = [run(&[("c", Some("a"))]), run(&[("c", Some("b"))])];
        let moved = Documents::new(None, &runs).unwrap_err();
        assert_eq!(moved, MovedChunk { chunk: "c".into(), first: "a".into(), second: "b".into() });
        let known = Documents::new(None, &runs[..1]).unwrap();
        assert_eq!([&b"c"[..], b"a", b"b"].map(|id| known.knows(id)), [true, true, false]);
    }
}
