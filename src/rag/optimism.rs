//! How much better a ranking looks when whole documents are judged rather than their chunks.

use crate::scores::mean_of;

/// What labels of documents say of one query, against labels of its chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The document is found, and no chunk that answers.
    AnswerAbsent,
    /// The documents promise more than the chunks hold.
    Optimistic,
    /// Both say the same.
    Same,
    /// The chunks hold more than the documents promise.
    Pessimistic,
}

impl Verdict {
    /// Every verdict, the worst first.
    pub const ALL: [Self; 4] = [Self::AnswerAbsent, Self::Optimistic, Self::Same, Self::Pessimistic];

    /// The verdict in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::AnswerAbsent => "doc HIT, answer chunk absent",
            Self::Optimistic => "doc-level optimistic",
            Self::Same => "same",
            Self::Pessimistic => "doc-level pessimistic",
        }
    }
}

/// A value by labels of documents, and the same by labels of chunks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Both {
    /// By labels of documents.
    pub document: f64,
    /// By labels of chunks.
    pub chunk: f64,
}

/// The verdict on a query, from its hit and its recall at one cutoff.
pub fn verdict(hit: Both, recall: Both) -> Verdict {
    if hit.document > 0.0 && hit.chunk == 0.0 {
        return Verdict::AnswerAbsent;
    }
    match recall.document.total_cmp(&recall.chunk) {
        std::cmp::Ordering::Greater => Verdict::Optimistic,
        std::cmp::Ordering::Equal => Verdict::Same,
        std::cmp::Ordering::Less => Verdict::Pessimistic,
    }
}

/// A measure over the queries that have a value at both levels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inflation {
    /// Number of queries.
    pub n: u64,
    /// The mean at both levels.
    pub mean: Both,
    /// What queries gain by labels of documents, per query of all; at least 0.
    pub optimistic: f64,
    /// What queries lose by them, per query of all; at least 0.
    pub pessimistic: f64,
}

impl Inflation {
    /// The mean by labels of documents minus that by labels of chunks: what is gained minus what
    /// is lost.
    pub fn difference(&self) -> f64 {
        self.optimistic - self.pessimistic
    }
}

/// How much the labels of documents inflate a measure; `None` without a query.
pub fn inflation(values: &[Both]) -> Option<Inflation> {
    let mean = |value: fn(&Both) -> f64| mean_of(values.iter().map(value).collect());
    Some(Inflation {
        n: values.len() as u64,
        mean: Both { document: mean(|both| both.document)?, chunk: mean(|both| both.chunk)? },
        optimistic: mean(|both| (both.document - both.chunk).max(0.0))?,
        pessimistic: mean(|both| (both.chunk - both.document).max(0.0))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(document: f64, chunk: f64) -> Both {
        Both { document, chunk }
    }

    #[test]
    fn each_query_has_a_verdict() {
        assert_eq!(verdict(both(1.0, 0.0), both(1.0, 0.0)), Verdict::AnswerAbsent);
        assert_eq!(verdict(both(1.0, 1.0), both(1.0, 0.5)), Verdict::Optimistic);
        assert_eq!(verdict(both(1.0, 1.0), both(0.5, 0.5)), Verdict::Same);
        assert_eq!(verdict(both(1.0, 1.0), both(0.5, 1.0)), Verdict::Pessimistic);
        assert_eq!(verdict(both(0.0, 0.0), both(0.0, 0.0)), Verdict::Same);
    }

    #[test]
    fn both_directions_are_told_and_their_difference_is_the_inflation() {
        let found = inflation(&[both(1.0, 0.5), both(1.0, 0.0), both(0.5, 1.0), both(1.0, 1.0)]).unwrap();
        assert_eq!((found.n, found.optimistic, found.pessimistic, found.difference()), (4, 0.375, 0.125, 0.25));
        assert_eq!(found.mean, both(0.875, 0.625));
        assert_eq!(inflation(&[]), None);
    }
}
