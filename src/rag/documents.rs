//! The documents that chunks are cut from, and labels of chunks as labels of documents.

use std::collections::HashMap;

use crate::id::Id;
use crate::input::Chunks;
use crate::labels::{DuplicateLabels, Labels, LabelsBuilder, QueryLabels};
use crate::run::{Ranking, Run};

/// The document of each chunk, as far as a chunk map and runs tell it.
#[derive(Debug, Clone, Default)]
pub struct Documents(HashMap<Id, Id>);

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
        if let Some(known) = self.0.get(chunk) {
            let moved = || MovedChunk { chunk: chunk.into(), first: known.clone(), second: document.clone() };
            return if known == document { Ok(()) } else { Err(moved()) };
        }
        self.0.insert(chunk.into(), document.clone());
        Ok(())
    }

    /// Whether no chunk has a document that is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The document of a chunk; one whose document is not known stands for itself.
    pub fn of<'a>(&'a self, chunk: &'a [u8]) -> &'a [u8] {
        self.0.get(chunk).map_or(chunk, Id::as_bytes)
    }

    /// Whether an id is that of a chunk with a document, or of such a document.
    pub fn knows(&self, id: &[u8]) -> bool {
        self.0.contains_key(id) || self.0.values().any(|document| document.as_bytes() == id)
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
        *builder.about(query.id().as_bytes()) = query.about.clone();
        for (document, grade) in judged_documents(query, documents) {
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
