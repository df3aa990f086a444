//! Labels row by row, in any order.

use std::sync::Arc;

use super::passages::KnownPassages;
use super::places::Places;
use super::tables::{Block, Tables};
use super::{About, DuplicateLabels, Labels, QueryAbout, QueryLabels, index_queries};
use crate::error::{Fault, InputErrorKind};
use crate::id::{Fingerprints, Id};
use crate::judged::Grade;

/// Collects labels row by row.
#[derive(Debug, Default)]
pub struct LabelsBuilder {
    pub(super) labels: Labels,
    tables: Tables,
    /// The positions of the queries that had to be looked for.
    index: Places,
    duplicates: DuplicateLabels,
    prints: Fingerprints,
    last: Option<usize>,
    /// The position of the query with the longest id, and the greatest among those.
    greatest: usize,
    pub(super) passages: KnownPassages,
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
        let QueryLabels { block, .. } = &mut self.labels.queries[query];
        let hash = self.tables.hash(block, document);
        let Some(place) = self.tables.find(block, document, hash) else {
            return self.tables.push(block, (document, hash), grade, line);
        };
        let settled = self.settled(query, document, self.tables.at(place), (grade, line))?;
        self.tables.set(place, settled);
        Ok(())
    }

    /// The grade that holds of two for the same, each with its line.
    pub(super) fn settled(
        &mut self,
        query: usize,
        document: &[u8],
        (first_grade, first_line): (Grade, u64),
        (grade, line): (Grade, u64),
    ) -> Result<Grade, Fault> {
        if first_grade == grade {
            self.labels.copies += 1;
            return Ok(first_grade);
        }
        let settled = match self.duplicates {
            DuplicateLabels::Max => first_grade.max(grade),
            DuplicateLabels::Last => grade,
            DuplicateLabels::Error => {
                let (query, document) = (self.labels.queries[query].id.clone(), document.into());
                let subtopics = false;
                let kind =
                    InputErrorKind::ConflictingLabels { query, document, grade, first_grade, first_line, subtopics };
                return Err(Fault::at_line(line, kind));
            }
        };
        self.labels.overruled += 1;
        Ok(settled)
    }

    /// Makes a query known, even when it gets no judgment.
    pub fn mention(&mut self, query: &[u8]) {
        self.entry(query);
    }

    /// What is known about a query beside its judgments, to be filled in. Makes the query known
    /// even when it has no judgment.
    pub fn about(&mut self, query: &[u8]) -> &mut QueryAbout {
        let query = self.entry(query);
        self.labels.queries[query].about.fill_in()
    }

    /// Says what the offsets of the gold passages count.
    pub fn offset_unit(&mut self, unit: &str) {
        self.labels.offset_unit = Some(unit.to_owned());
    }

    /// The finished labels.
    pub fn finish(mut self) -> Labels {
        if !self.index.is_empty() {
            index_queries(&mut self.index, &self.labels.queries);
            self.labels.index = self.index.into();
        }
        self.labels.sums = self.tables.finish(self.labels.queries.iter_mut().map(|query| &mut query.block));
        let tables = Arc::new(self.tables);
        for query in &mut self.labels.queries {
            query.tables = Some(Arc::clone(&tables));
        }
        self.labels
    }

    /// The position of a query, which becomes known.
    pub(super) fn entry(&mut self, query: &[u8]) -> usize {
        if let Some(last) = self.last
            && self.labels.queries[last].id.as_bytes() == query
        {
            return last;
        }
        let position = self.known(query).unwrap_or_else(|| self.add(query));
        self.last = Some(position);
        position
    }

    /// The position of a query that is known. One that is above all others is not: there is no
    /// need to look for it, as in a file whose queries are sorted.
    fn known(&mut self, query: &[u8]) -> Option<usize> {
        let greatest = self.labels.queries.get(self.greatest)?.id.as_bytes();
        if (greatest.len(), greatest) < (query.len(), query) {
            self.greatest = self.labels.queries.len();
            return None;
        }
        let queries = &self.labels.queries;
        if self.index.is_empty() {
            self.index = Places::new(queries.len());
        }
        index_queries(&mut self.index, queries);
        let is_it = |position: u32| queries[position as usize].id.as_bytes() == query;
        self.index.find(self.prints.hash(query), is_it).map(|position| position as usize)
    }

    /// Adds a query that is not known.
    fn add(&mut self, query: &[u8]) -> usize {
        let queries = &mut self.labels.queries;
        let (block, about) = (Block::default(), About::default());
        queries.push(QueryLabels { id: Id::from(query), block, tables: None, about });
        queries.len() - 1
    }
}
