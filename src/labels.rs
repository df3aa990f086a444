//! Relevance labels: for each query, the grades of its judged documents, and what else is known
//! about it (tags, spans, evidence).

use std::collections::HashMap;

use hashbrown::HashTable;

use crate::error::{Fault, InputErrorKind};
use crate::id::{self, Id};
use crate::judged::{Grade, LabelFacts};

/// What to do with a pair that is judged twice with different grades.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DuplicateLabels {
    /// Stop with both lines.
    #[default]
    Error,
    /// Keep the largest grade.
    Max,
    /// Keep the grade that stands last.
    Last,
}

/// The labels of all queries, in the order of the file.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    /// What the offsets of the gold passages count: `char`, `byte` …
    pub offset_unit: Option<String>,
    queries: Vec<QueryLabels>,
    index: HashMap<Id, usize>,
    copies: u64,
    overruled: u64,
}

/// The labels of one query.
#[derive(Debug, Clone)]
pub struct QueryLabels {
    id: Id,
    judgments: Judgments,
    ideal: Vec<Grade>,
    /// What the file says of the query beside its judgments.
    pub about: QueryAbout,
}

/// What a label file says of a query beside its judgments.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueryAbout {
    /// The text of the query.
    pub text: Option<String>,
    /// Tags by name; a tag can have several values, and the query falls into each of the slices.
    pub tags: Vec<(String, Vec<String>)>,
    /// `false` leaves the query out of every mean, whatever its labels say.
    pub answerable: Option<bool>,
    /// Whether the question needs a search at all.
    pub needs_retrieval: Option<bool>,
    /// Gold passages as character or byte ranges of a document.
    pub spans: Vec<GoldSpan>,
    /// What an answer needs: every group, and in each group any one of its documents.
    pub evidence: Vec<EvidenceGroup>,
}

/// A passage of a document that holds the answer or a part of it.
#[derive(Debug, Clone, PartialEq)]
pub struct GoldSpan {
    /// The document.
    pub document: Id,
    /// First position, from 0.
    pub start: u64,
    /// One past the last position; never below `start`.
    pub end: u64,
    /// The grade of the passage; 1 where the file gives none.
    pub grade: Grade,
    /// The hop of a chain of evidence to which the passage belongs.
    pub hop: Option<u32>,
}

/// One hop of a chain of evidence: any one of the documents will do.
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceGroup {
    /// Number of the hop, from 1.
    pub hop: u32,
    /// The documents of which one is needed.
    pub any_of: Vec<Id>,
}

impl Labels {
    /// The queries in the order of the file.
    pub fn queries(&self) -> &[QueryLabels] {
        &self.queries
    }

    /// The position of a query in [`queries`](Self::queries).
    pub fn position(&self, query: &Id) -> Option<usize> {
        self.index.get(query).copied()
    }

    /// The position of the query with an id of these bytes.
    pub fn position_of(&self, query: &[u8]) -> Option<usize> {
        self.index.get(query).copied()
    }

    /// The labels of a query.
    pub fn query(&self, query: &Id) -> Option<&QueryLabels> {
        Some(&self.queries[self.position(query)?])
    }

    /// Number of judgments that repeat an earlier one with the same grade.
    pub fn copies(&self) -> u64 {
        self.copies
    }

    /// Number of judgments that contradict an earlier one and were settled by the rule for that.
    pub fn overruled(&self) -> u64 {
        self.overruled
    }

    /// Facts about the whole file.
    pub fn facts(&self) -> LabelFacts {
        let best = self.queries.iter().filter_map(|query| query.ideal.first().copied());
        LabelFacts { max_grade: best.fold(0.0, f64::max) }
    }

    /// Number of documents with a grade of at least `threshold`, over all queries.
    pub fn relevant(&self, threshold: Grade) -> u64 {
        self.queries.iter().map(|query| query.ideal.partition_point(|&grade| grade >= threshold) as u64).sum()
    }

    /// Whether no document is judged with grade 0: such labels cannot tell "not relevant" from
    /// "never looked at".
    pub fn positive_only(&self) -> bool {
        self.queries.iter().all(|query| query.ideal.last().is_none_or(|&grade| grade > 0.0))
    }

    /// Number of documents with a negative grade: pooled, not judged.
    pub fn pooled_only(&self) -> u64 {
        self.queries.iter().map(|query| (query.judgments.len() - query.ideal.len()) as u64).sum()
    }
}

impl QueryLabels {
    /// The id of the query.
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// The grade of a document; negative when it was pooled and not judged, `None` when it does
    /// not stand in the labels.
    pub fn grade(&self, document: &[u8]) -> Option<Grade> {
        Some(self.judgment(document)?.1)
    }

    /// The same with the position of the judgment in [`judgments`](Self::judgments).
    pub fn judgment(&self, document: &[u8]) -> Option<(usize, Grade)> {
        let position = self.judgments.position(id::hash(document), document)?;
        Some((position, self.judgments.entries[position].grade))
    }

    /// Every document of the labels with its grade, in the order of the file.
    pub fn judgments(&self) -> impl ExactSizeIterator<Item = (&[u8], Grade)> {
        self.judgments.iter()
    }

    /// Grades of all judged documents (none negative), high to low.
    pub fn ideal(&self) -> &[Grade] {
        &self.ideal
    }
}

/// Document ids and grades of one query in a compact hash table: one block of bytes for the ids,
/// one entry a document.
#[derive(Debug, Clone, Default)]
struct Judgments {
    ids: Vec<u8>,
    entries: Vec<Judgment>,
    table: HashTable<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Judgment {
    end: u32,
    line: u32,
    grade: Grade,
}

impl Judgments {
    fn len(&self) -> usize {
        self.entries.len()
    }

    fn id(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |before| self.entries[before].end);
        &self.ids[start as usize..self.entries[index].end as usize]
    }

    fn position(&self, hash: u64, document: &[u8]) -> Option<usize> {
        self.table.find(hash, |&index| self.id(index as usize) == document).map(|&index| index as usize)
    }

    fn iter(&self) -> impl ExactSizeIterator<Item = (&[u8], Grade)> {
        self.entries.iter().enumerate().map(|(index, entry)| (self.id(index), entry.grade))
    }

    fn push(&mut self, hash: u64, document: &[u8], grade: Grade, line: u64) {
        self.ids.extend_from_slice(document);
        let end = u32::try_from(self.ids.len()).expect("the ids of one query stay below 4 GiB");
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        self.entries.push(Judgment { end, line, grade });
        let index = (self.entries.len() - 1) as u32;
        let (ids, entries) = (&self.ids, &self.entries);
        self.table.insert_unique(hash, index, |&other| {
            let other = other as usize;
            let start = other.checked_sub(1).map_or(0, |before| entries[before].end);
            id::hash(&ids[start as usize..entries[other].end as usize])
        });
    }
}

/// Collects labels row by row.
#[derive(Debug, Default)]
pub struct LabelsBuilder {
    labels: Labels,
    duplicates: DuplicateLabels,
    last: Option<usize>,
}

impl LabelsBuilder {
    /// An empty builder with a rule for pairs that are judged twice.
    pub fn new(duplicates: DuplicateLabels) -> Self {
        Self { duplicates, ..Self::default() }
    }

    /// Adds a judgment. `line` is where it stands, for messages.
    ///
    /// # Errors
    /// [`InputErrorKind::ConflictingLabels`] when the pair was judged before with another grade
    /// and the rule does not decide.
    pub fn judge(&mut self, query: &[u8], document: &[u8], grade: Grade, line: u64) -> Result<(), Fault> {
        let query = self.entry(query);
        let labels = &mut self.labels.queries[query];
        let hash = id::hash(document);
        let Some(index) = labels.judgments.position(hash, document) else {
            labels.judgments.push(hash, document, grade, line);
            return Ok(());
        };
        let first = labels.judgments.entries[index];
        if first.grade == grade {
            self.labels.copies += 1;
            return Ok(());
        }
        self.labels.overruled += 1;
        match self.duplicates {
            DuplicateLabels::Max => labels.judgments.entries[index].grade = first.grade.max(grade),
            DuplicateLabels::Last => labels.judgments.entries[index].grade = grade,
            DuplicateLabels::Error => {
                let kind = InputErrorKind::ConflictingLabels {
                    query: labels.id.clone(),
                    document: document.into(),
                    grade,
                    first_grade: first.grade,
                    first_line: u64::from(first.line),
                    subtopics: false,
                };
                return Err(Fault::at_line(line, kind));
            }
        }
        Ok(())
    }

    /// What is known about a query beside its judgments, to be filled in. Makes the query known
    /// even when it has no judgment.
    pub fn about(&mut self, query: &[u8]) -> &mut QueryAbout {
        let query = self.entry(query);
        &mut self.labels.queries[query].about
    }

    /// Says what the offsets of the gold passages count.
    pub fn offset_unit(&mut self, unit: &str) {
        self.labels.offset_unit = Some(unit.to_owned());
    }

    /// Whether a query has been seen.
    pub fn knows(&self, query: &[u8]) -> bool {
        self.labels.index.contains_key(&Id::from(query))
    }

    /// The finished labels.
    pub fn finish(mut self) -> Labels {
        for query in &mut self.labels.queries {
            let judged = query.judgments.entries.iter().map(|entry| entry.grade).filter(|&grade| grade >= 0.0);
            query.ideal = judged.collect();
            query.ideal.sort_by(|a, b| b.total_cmp(a));
        }
        self.labels
    }

    fn entry(&mut self, query: &[u8]) -> usize {
        if let Some(last) = self.last
            && self.labels.queries[last].id.as_bytes() == query
        {
            return last;
        }
        let id = Id::from(query);
        let position = match self.labels.index.get(&id) {
            Some(&position) => position,
            None => {
                let position = self.labels.queries.len();
                self.labels.index.insert(id.clone(), position);
                let (judgments, ideal, about) = Default::default();
                self.labels.queries.push(QueryLabels { id, judgments, ideal, about });
                position
            }
        };
        self.last = Some(position);
        position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(rows: &[(&str, &str, f64)], duplicates: DuplicateLabels) -> Result<Labels, Fault> {
        let mut builder = LabelsBuilder::new(duplicates);
        for (line, &(query, document, grade)) in (1..).zip(rows) {
            builder.judge(query.as_bytes(), document.as_bytes(), grade, line)?;
        }
        Ok(builder.finish())
    }

    #[test]
    fn a_query_may_come_back_after_others() {
        let rows = [("q1", "a", 1.0), ("q2", "b", 0.0), ("q1", "c", 3.0), ("q1", "d", -1.0)];
        let labels = labels(&rows, DuplicateLabels::Error).unwrap();
        let q1 = labels.query(&"q1".into()).unwrap();
        assert_eq!(q1.ideal(), [3.0, 1.0]);
        assert_eq!(q1.grade(b"d"), Some(-1.0));
        assert_eq!(q1.grade(b"b"), None);
        assert_eq!(labels.facts().max_grade, 3.0);
        assert_eq!(labels.pooled_only(), 1);
        assert!(!labels.positive_only());
    }

    #[test]
    fn equal_copies_are_counted_and_different_ones_refused() {
        let rows = [("q", "a", 1.0), ("q", "a", 1.0), ("q", "a", 2.0)];
        assert_eq!(labels(&rows[..2], DuplicateLabels::Error).unwrap().copies(), 1);
        let fault = labels(&rows, DuplicateLabels::Error).unwrap_err();
        assert_eq!(fault.line, Some(3));
        let last = [("q", "a", 2.0), ("q", "a", 1.0)];
        assert_eq!(labels(&last, DuplicateLabels::Max).unwrap().queries()[0].ideal(), [2.0]);
        assert_eq!(labels(&last, DuplicateLabels::Last).unwrap().queries()[0].ideal(), [1.0]);
        assert_eq!(labels(&last, DuplicateLabels::Last).unwrap().overruled(), 1);
    }
}
