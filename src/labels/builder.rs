//! Labels row by row, in any order.

use std::sync::Arc;

use super::tables::{Block, Tables};
use super::{About, DuplicateLabels, Labels, QueryAbout, QueryLabels};
use crate::error::{Fault, InputErrorKind};
use crate::id::{Fingerprints, Id};
use crate::judged::Grade;

/// Collects labels row by row.
#[derive(Debug, Default)]
pub struct LabelsBuilder {
    pub(super) labels: Labels,
    tables: Tables,
    /// What the queries have for tables until they are finished.
    unfinished: Arc<Tables>,
    duplicates: DuplicateLabels,
    prints: Fingerprints,
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
        let QueryLabels { id, block, .. } = &mut self.labels.queries[query];
        let Some(place) = self.tables.find(block, document) else {
            return self.tables.push(block, document, grade, line);
        };
        let (known, first_line) = self.tables.at(place);
        if *known == grade {
            self.labels.copies += 1;
            return Ok(());
        }
        self.labels.overruled += 1;
        match self.duplicates {
            DuplicateLabels::Max => *known = known.max(grade),
            DuplicateLabels::Last => *known = grade,
            DuplicateLabels::Error => {
                let (query, document, first_grade) = (id.clone(), document.into(), *known);
                let kind = InputErrorKind::ConflictingLabels {
                    query,
                    document,
                    grade,
                    first_grade,
                    first_line,
                    subtopics: false,
                };
                return Err(Fault::at_line(line, kind));
            }
        }
        Ok(())
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
        self.tables.finish(self.labels.queries.iter_mut().map(|query| &mut query.block));
        let tables = Arc::new(self.tables);
        for query in &mut self.labels.queries {
            query.tables = Arc::clone(&tables);
        }
        self.labels
    }

    fn entry(&mut self, query: &[u8]) -> usize {
        if let Some(last) = self.last
            && self.labels.queries[last].id.as_bytes() == query
        {
            return last;
        }
        let hash = self.prints.hash(query);
        let position = self.labels.find(hash, query).unwrap_or_else(|| self.add(query, hash));
        self.last = Some(position);
        position
    }

    /// Adds a query that is not known.
    fn add(&mut self, query: &[u8], hash: u64) -> usize {
        let Labels { queries, index, .. } = &mut self.labels;
        let position = queries.len();
        index.enter(hash, u32::try_from(position).expect("memory ends before queries have no number"));
        let (block, about, tables) = (Block::default(), About::default(), Arc::clone(&self.unfinished));
        queries.push(QueryLabels { id: Id::from(query), block, tables, about });
        position
    }
}
