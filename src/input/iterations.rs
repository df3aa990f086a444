//! The second column of TREC qrels, which is looked at only when a pair is judged twice.

use crate::error::{Fault, InputErrorKind};
use std::hash::{DefaultHasher, Hash, Hasher};

/// From which line on the column holds which value; a file with one value costs one entry.
#[derive(Debug, Default)]
pub(super) struct Iterations {
    changes: Vec<(u64, u64)>,
}

impl Iterations {
    /// Takes the value of a line. Lines come in their order.
    pub(super) fn add(&mut self, value: &[u8], line: u64) {
        let value = fingerprint(value);
        if self.changes.last().is_none_or(|&(_, last)| last != value) {
            self.changes.push((line, value));
        }
    }

    /// Says of two judgments of one pair whether they belong to different subtopics.
    pub(super) fn explain(&self, mut fault: Fault, value: &[u8]) -> Fault {
        if let InputErrorKind::ConflictingLabels { first_line, subtopics, .. } = &mut *fault.kind {
            let after = self.changes.partition_point(|&(line, _)| line <= *first_line);
            let first = after.checked_sub(1).map(|index| self.changes[index].1);
            *subtopics = first.is_some_and(|first| first != fingerprint(value));
        }
        fault
    }
}

fn fingerprint(value: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
