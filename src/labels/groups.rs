//! Judgment groups: several readers' judgments of one query, as grades or as preferences.

use std::collections::HashSet;

use super::{LabelsBuilder, QueryLabels};
use crate::error::{Fault, InputErrorKind};
use crate::id::Id;
use crate::judged::Grade;
use crate::preferences::{Placement, Preferences};

/// What the judgments of judgment groups mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grouping {
    /// Grades: each group judges the documents by itself.
    Groups,
    /// Preferences: only which of two levels is higher counts.
    Preferences,
}

/// A judgment of one judgment group.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupJudgment {
    /// The group: one reader's view of the query.
    pub group: Id,
    /// The part of the group within which levels can be compared.
    pub subgroup: Id,
    /// The document.
    pub document: Id,
    /// Its level, or its grade.
    pub level: Grade,
}

impl QueryLabels {
    /// The preferences of the judgment groups, seen through a ranking; `rank` says where it has a
    /// document.
    ///
    /// # Errors
    /// When those of a group contradict each other.
    pub fn preferences(&self, rank: impl Fn(&[u8]) -> Option<u64>) -> Result<Preferences, InputErrorKind> {
        let placements = self.about.groups.iter().map(|judgment| Placement {
            group: judgment.group.as_bytes(),
            subgroup: judgment.subgroup.as_bytes(),
            document: judgment.document.as_bytes(),
            level: judgment.level,
        });
        let placements: Vec<Placement<'_>> = placements.collect();
        Preferences::new(&placements, rank).map_err(|wrong| self.contradiction(&wrong.group, &wrong.document))
    }

    /// Checks that no group grades a document twice.
    fn check_grades(&self) -> Result<(), InputErrorKind> {
        let mut seen = HashSet::new();
        match self.about.groups.iter().find(|judgment| !seen.insert((&judgment.group, &judgment.document))) {
            None => Ok(()),
            Some(judgment) => Err(self.contradiction(&judgment.group, &judgment.document)),
        }
    }

    fn contradiction(&self, group: &Id, document: &Id) -> InputErrorKind {
        let (query, group, document) = (self.id.clone(), group.clone(), document.clone());
        InputErrorKind::Contradiction { query, group, document }
    }
}

impl LabelsBuilder {
    /// Says that there are judgment groups, and what their judgments mean.
    pub fn group(&mut self, grouping: Grouping) {
        self.labels.grouping = Some(grouping);
    }

    /// Adds a judgment of a judgment group. All groups together judge a document as
    /// [`judge`](Self::judge) says.
    ///
    /// # Errors
    /// Those of [`judge`](Self::judge).
    pub fn judge_in_group(&mut self, query: &[u8], judgment: GroupJudgment, line: u64) -> Result<(), Fault> {
        self.judge(query, judgment.document.as_bytes(), judgment.level, line)?;
        self.about(query).groups.push(judgment);
        Ok(())
    }

    /// Checks that no judgment group grades a document twice or contradicts itself.
    ///
    /// # Errors
    /// The first that does.
    pub fn check_groups(&self) -> Result<(), Fault> {
        let check = |query: &QueryLabels| match self.labels.grouping {
            Some(Grouping::Preferences) => query.preferences(|_| None).map(drop),
            Some(Grouping::Groups) => query.check_grades(),
            None => Ok(()),
        };
        self.labels.queries.iter().try_for_each(check).map_err(Fault::of_file)
    }
}
