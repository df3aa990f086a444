//! Relevance labels: for each query, the grades of its judged documents, and what else is known
//! about it (tags, spans, evidence).

mod about;
mod builder;
mod groups;
mod passages;
mod places;
mod tables;

pub use about::{About, EvidenceGroup, GoldSpan, QueryAbout};
pub use builder::LabelsBuilder;
pub use groups::{GroupJudgment, Grouping};

use std::sync::{Arc, OnceLock};

use crate::id::{Fingerprints, Id};
use crate::judged::{Grade, LabelFacts};
use places::Places;
use tables::{Block, Sums, Tables};

/// So many queries are looked through for one that stands soon behind another.
const SOON: usize = 4096;

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
    grouping: Option<Grouping>,
    queries: Vec<QueryLabels>,
    /// The positions of the queries, by their ids, once one is looked for.
    index: OnceLock<Places>,
    sums: Sums,
    copies: u64,
    overruled: u64,
}

/// The labels of one query.
#[derive(Debug, Clone)]
pub struct QueryLabels {
    id: Id,
    block: Block,
    /// The judgments of all queries; none until they are finished.
    tables: Option<Arc<Tables>>,
    /// What the file says of the query beside its judgments.
    pub about: About,
}

impl Labels {
    /// What the judgments of judgment groups mean, where there are groups.
    pub fn grouping(&self) -> Option<Grouping> {
        self.grouping
    }

    /// The queries in the order of the file.
    pub fn queries(&self) -> &[QueryLabels] {
        &self.queries
    }

    /// The position of a query in [`queries`](Self::queries).
    pub fn position(&self, query: &Id) -> Option<usize> {
        self.position_of(query.as_bytes())
    }

    /// The position of the query with an id of these bytes.
    pub fn position_of(&self, query: &[u8]) -> Option<usize> {
        self.find(Fingerprints::default().hash(query), query)
    }

    /// The same for one that most likely stands behind the query at another position, at once or
    /// soon, as where labels and a run have their queries in the same order.
    pub fn position_after(&self, position: Option<usize>, query: &[u8]) -> Option<usize> {
        let next = position.map_or(0, |position| position + 1);
        if self.queries.get(next).is_some_and(|labels| labels.id.as_bytes() == query) {
            return Some(next);
        }
        // As long as that will do, no table of all queries is needed.
        let soon = if self.index.get().is_none() { self.soon_behind(next, query) } else { None };
        soon.or_else(|| self.position_of(query))
    }

    /// The position of a query that stands soon behind others, if the queries there are sorted as in
    /// most files; else it may not be found.
    fn soon_behind(&self, position: usize, query: &[u8]) -> Option<usize> {
        let end = self.queries.len().min(position.saturating_add(SOON));
        let found = self.queries.get(position..end)?.binary_search_by(|labels| {
            let id = labels.id.as_bytes();
            id.len().cmp(&query.len()).then_with(|| id.cmp(query))
        });
        found.ok().map(|place| position + place)
    }

    fn find(&self, hash: u64, query: &[u8]) -> Option<usize> {
        let is_it = |position: u32| self.queries[position as usize].id.as_bytes() == query;
        let index = self.index.get_or_init(|| {
            let mut index = Places::new(self.queries.len());
            index_queries(&mut index, &self.queries);
            index
        });
        index.find(hash, is_it).map(|position| position as usize)
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
        LabelFacts { max_grade: self.sums.max_grade }
    }

    /// Number of documents with a grade of at least `threshold`, over all queries.
    pub fn relevant(&self, threshold: Grade) -> u64 {
        self.queries.iter().map(|query| query.ideal().partition_point(|&grade| grade >= threshold) as u64).sum()
    }

    /// Whether no document is judged with grade 0: such labels cannot tell "not relevant" from
    /// "never looked at".
    pub fn positive_only(&self) -> bool {
        !self.sums.has_zeros
    }

    /// Number of documents with a negative grade: pooled, not judged.
    pub fn pooled_only(&self) -> u64 {
        self.sums.pooled
    }
}

/// Makes the queries findable behind those that are.
fn index_queries(index: &mut Places, queries: &[QueryLabels]) {
    let prints = Fingerprints::default();
    for (position, query) in (0..).zip(queries).skip(index.len()) {
        index.enter(prints.hash(query.id.as_bytes()), position);
    }
}

impl QueryLabels {
    /// Whether the labels say that nothing answers the query.
    pub fn is_unanswerable(&self) -> bool {
        self.about.answerable == Some(false)
    }

    /// The id of the query.
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// The grade of a document; negative when it was pooled and not judged, `None` when it does
    /// not stand in the labels.
    pub fn grade(&self, document: &[u8]) -> Option<Grade> {
        Some(self.judgment(document)?.1)
    }

    /// The same with a number that no other judgment of the query has.
    pub(crate) fn judgment(&self, document: &[u8]) -> Option<(u32, Grade)> {
        self.tables().judgment(&self.block, document)
    }

    /// Every document of the labels with its grade, in the order of the file.
    pub fn judgments(&self) -> impl ExactSizeIterator<Item = (&[u8], Grade)> + Clone {
        self.tables().judgments(&self.block)
    }

    /// The line at which each of them is judged first, in the same order.
    pub fn lines(&self) -> impl Iterator<Item = u64> {
        self.tables().lines(&self.block)
    }

    /// Grades of all judged documents (none negative), high to low.
    pub fn ideal(&self) -> &[Grade] {
        self.tables().ideal(&self.block)
    }

    fn tables(&self) -> &Tables {
        self.tables.as_deref().expect("the labels are finished")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Fault;

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

    #[test]
    fn a_judgment_that_is_refused_overrules_nothing() {
        let mut builder = LabelsBuilder::new(DuplicateLabels::Error);
        builder.judge(b"q", b"a", 1.0, 1).unwrap();
        builder.judge(b"q", b"a", 2.0, 2).unwrap_err();
        let labels = builder.finish();
        assert_eq!((labels.overruled(), labels.queries()[0].ideal()), (0, &[1.0][..]));
    }

    #[test]
    fn a_query_is_found_behind_any_other_whatever_their_order() {
        for ids in [["q1", "q2", "q3", "q10", "q11"], ["q3", "q10", "q1", "q11", "q2"]] {
            let rows = ids.map(|id| (id, "a", 1.0));
            for last in [None, Some(0), Some(2), Some(4), Some(9)] {
                let labels = labels(&rows, DuplicateLabels::Error).unwrap();
                let found = |id: &str| labels.position_after(last, id.as_bytes());
                assert_eq!(ids.map(found), [Some(0), Some(1), Some(2), Some(3), Some(4)]);
                assert_eq!((found("q"), found("q12"), labels.position_of(b"q11")), (None, None, found("q11")));
            }
        }
    }

    /// Grades of `(query, document)` pairs as rows give them, in any order, and kept as simply as can be.
    fn kept(rows: &[(u8, u8, u8)]) -> Vec<(u8, Vec<(u8, f64)>)> {
        let mut queries: Vec<(u8, Vec<(u8, f64)>)> = Vec::new();
        for &(query, document, grade) in rows {
            let position = queries.iter().position(|(id, _)| *id == query).unwrap_or_else(|| {
                queries.push((query, Vec::new()));
                queries.len() - 1
            });
            let judged = &mut queries[position].1;
            let grade = f64::from(grade) - 1.0;
            match judged.iter_mut().find(|(id, _)| *id == document) {
                Some((_, known)) => *known = grade,
                None => judged.push((document, grade)),
            }
        }
        queries
    }

    proptest::proptest! {
        #[test]
        fn rows_may_come_in_any_order(rows in proptest::collection::vec((0..5_u8, 0..30_u8, 0..4_u8), 0..300)) {
            let mut builder = LabelsBuilder::new(DuplicateLabels::Last);
            for (line, &(query, document, grade)) in (1..).zip(&rows) {
                // A query may be known before its first judgment.
                builder.mention(&[query / 2]);
                builder.judge(&[query], &[document], f64::from(grade) - 1.0, line).unwrap();
            }
            let labels = builder.finish();
            for (query, judged) in kept(&rows) {
                let found = labels.query(&Id::from(&[query][..])).unwrap();
                let judgments: Vec<(u8, f64)> = found.judgments().map(|(id, grade)| (id[0], grade)).collect();
                proptest::prop_assert_eq!(&judgments, &judged);
                let mut ideal: Vec<f64> = judged.iter().map(|&(_, grade)| grade).filter(|&grade| grade >= 0.0).collect();
                ideal.sort_by(|a, b| b.total_cmp(a));
                proptest::prop_assert_eq!(found.ideal(), ideal);
                for document in 0..31 {
                    let grade = judged.iter().find(|(id, _)| *id == document).map(|&(_, grade)| grade);
                    proptest::prop_assert_eq!(found.grade(&[document]), grade);
                }
            }
        }
    }

    #[test]
    fn a_query_costs_little_beside_its_judgments() {
        assert!(size_of::<QueryLabels>() <= 56, "{}", size_of::<QueryLabels>());
    }
}
