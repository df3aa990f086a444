//! Whether to search at all: the questions that need a search against those that were searched.

use crate::labels::{Labels, QueryLabels};
use crate::run::Run;

/// Questions by whether they need a search and whether one was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Searches {
    /// Needed and made.
    pub needed_made: u64,
    /// Needed and not made.
    pub needed_missed: u64,
    /// Not needed, and made all the same.
    pub needless_made: u64,
    /// Not needed and not made.
    pub needless_spared: u64,
}

impl Searches {
    /// Counts the queries of the labels that say whether they need a search. A search was made
    /// where the run has the query, with results or without: a line is a search call.
    pub fn count(labels: &Labels, run: &Run) -> Self {
        let mut found = Self::default();
        for query in labels.queries() {
            let Some(needed) = query.about.needs_retrieval else { continue };
            let count = match (needed, is_searched(query, run)) {
                (true, true) => &mut found.needed_made,
                (true, false) => &mut found.needed_missed,
                (false, true) => &mut found.needless_made,
                (false, false) => &mut found.needless_spared,
            };
            *count += 1;
        }
        found
    }

    /// The share of needed searches that were not made; `None` where none is needed.
    pub fn missed_rate(&self) -> Option<f64> {
        share(self.needed_missed, self.needed_made)
    }

    /// The share of questions without need that were searched; `None` where all have need.
    pub fn needless_rate(&self) -> Option<f64> {
        share(self.needless_made, self.needless_spared)
    }
}

fn is_searched(query: &QueryLabels, run: &Run) -> bool {
    run.ranking(query.id()).is_some()
}

fn share(wrong: u64, right: u64) -> Option<f64> {
    (wrong + right > 0).then(|| wrong as f64 / (wrong + right) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::{DuplicateLabels, LabelsBuilder};
    use crate::run::{Call, RunBuilder, RunSink};

    #[test]
    fn both_ways_to_be_wrong_have_a_rate() {
        let mut labels = LabelsBuilder::new(DuplicateLabels::Error);
        for (query, needed) in [("q1", true), ("q2", true), ("q3", true), ("q4", false), ("q5", false)] {
            labels.about(query.as_bytes()).needs_retrieval = Some(needed);
        }
        labels.about(b"q6").text = Some("says nothing of it".into());
        let mut run = RunBuilder::new();
        for query in ["q1", "q2", "q4", "q6"] {
            run.call(query.as_bytes(), &Call::default(), 1).unwrap();
        }
        let found = Searches::count(&labels.finish(), &run.finish());
        let expected = Searches { needed_made: 2, needed_missed: 1, needless_made: 1, needless_spared: 1 };
        assert_eq!(found, expected);
        assert_eq!((found.missed_rate(), found.needless_rate()), (Some(1.0 / 3.0), Some(0.5)));
        assert_eq!(Searches::default().missed_rate(), None);
    }
}
