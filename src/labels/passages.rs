//! Gold passages row by row: one that stands twice is treated like a document that is judged twice.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::{GoldSpan, LabelsBuilder};
use crate::error::Fault;
use crate::id::Id;

/// Where each passage stands among those of its query, and the line it is from. A passage that
/// belongs to several hops has a grade for each.
pub(super) type KnownPassages = HashMap<(usize, Id, u64, u64, Option<u32>), (usize, u64)>;

impl LabelsBuilder {
    /// Adds a gold passage. `line` is where it stands, for messages.
    ///
    /// # Errors
    /// [`ConflictingLabels`](crate::error::InputErrorKind::ConflictingLabels) when the passage was
    /// there before, for the same hop and with another grade, and the rule does not decide.
    pub fn judge_passage(&mut self, query: &[u8], passage: GoldSpan, line: u64) -> Result<(), Fault> {
        let query = self.entry(query);
        let GoldSpan { document, start, end, hop, .. } = &passage;
        let spans = &mut self.labels.queries[query].about.fill_in().spans;
        let (place, first_line) = match self.passages.entry((query, document.clone(), *start, *end, *hop)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                free.insert((spans.len(), line));
                spans.push(passage);
                return Ok(());
            }
        };
        let first = (spans[place].grade, first_line);
        let settled = self.settled(query, passage.name().as_bytes(), first, (passage.grade, line))?;
        self.labels.queries[query].about.fill_in().spans[place].grade = settled;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::DuplicateLabels;

    fn passages(rows: &[(u64, f64, Option<u32>)], rule: DuplicateLabels) -> Result<(Vec<f64>, u64, u64), Fault> {
        let mut builder = LabelsBuilder::new(rule);
        for (line, &(end, grade, hop)) in (1..).zip(rows) {
            builder.judge_passage(b"q", GoldSpan { document: "h".into(), start: 0, end, grade, hop }, line)?;
        }
        let labels = builder.finish();
        let grades = labels.queries()[0].about.spans.iter().map(|span| span.grade).collect();
        Ok((grades, labels.copies(), labels.overruled()))
    }

    #[test]
    fn a_passage_with_two_grades_is_refused_or_settled_as_a_document_is() {
        let rows = [(9, 2.0, None), (7, 1.0, None), (9, 1.0, None)];
        let fault = passages(&rows, DuplicateLabels::Error).unwrap_err();
        assert_eq!(fault.line, Some(3));
        assert_eq!(fault.kind.to_string(), "query `q`, document `h[0..9)` is judged 1 here and 2 at line 1");
        assert_eq!(passages(&rows, DuplicateLabels::Max).unwrap(), (vec![2.0, 1.0], 0, 1));
        assert_eq!(passages(&rows, DuplicateLabels::Last).unwrap(), (vec![1.0, 1.0], 0, 1));
    }

    #[test]
    fn copies_of_a_passage_are_counted_and_each_hop_has_its_own() {
        let rows = [(9, 1.0, None), (9, 1.0, None), (9, 2.0, Some(1)), (9, 3.0, Some(2))];
        assert_eq!(passages(&rows, DuplicateLabels::Error).unwrap(), (vec![1.0, 2.0, 3.0], 1, 0));
    }
}
