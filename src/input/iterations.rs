//! The second column of TREC qrels, which is looked at only when a pair is judged twice.

use crate::error::{Fault, InputErrorKind};
use crate::id::Fingerprints;

/// From which line on the column holds which value; a file with one value costs one entry.
#[derive(Debug, Default)]
pub(super) struct Iterations {
    changes: Vec<(u64, u64)>,
    last: Vec<u8>,
}

impl Iterations {
    /// Takes the value of a line. Lines come in their order; one that is left out has the value of
    /// the line before it.
    pub(super) fn add(&mut self, value: &[u8], line: u64) {
        if self.changes.is_empty() || self.last != value {
            self.last.clear();
            self.last.extend_from_slice(value);
            self.changes.push((line, fingerprint(value)));
        }
    }

    /// Says of the judgment of the last line and an earlier one of the same pair whether they belong
    /// to different subtopics.
    pub(super) fn explain(&self, mut fault: Fault) -> Fault {
        if let InputErrorKind::ConflictingLabels { first_line, subtopics, .. } = &mut *fault.kind {
            let after = self.changes.partition_point(|&(line, _)| line <= *first_line);
            let first = after.checked_sub(1).map(|index| self.changes[index].1);
            *subtopics = first.is_some_and(|first| first != fingerprint(&self.last));
        }
        fault
    }
}

fn fingerprint(value: &[u8]) -> u64 {
    Fingerprints::default().of(value)
}
