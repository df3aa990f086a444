//! Gold passages as labels: each passage is what a document is elsewhere, judged by its grade.

use std::collections::HashSet;

use crate::id::Id;
use crate::labels::{DuplicateLabels, GoldSpan, Labels, LabelsBuilder};

/// What is odd about the gold passages of labels: the queries, once a passage.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GoldFacts {
    /// Number of passages that count.
    pub passages: u64,
    /// Passages of no length, which count for nothing.
    pub empty: Vec<Id>,
    /// Passages that overlap another one of their query: what they share is counted once.
    pub overlapping: Vec<Id>,
    /// Passages that hops grade differently: the largest grade counts.
    pub regraded: Vec<Id>,
}

/// Labels in which every gold passage is judged, under the name `document[start..end)`. Passages of
/// no length are left out, and one that stands twice is one; what is said of them keeps each hop of
/// a passage.
pub fn passage_labels(labels: &Labels) -> (Labels, GoldFacts) {
    let mut builder = LabelsBuilder::new(DuplicateLabels::Max);
    let mut facts = GoldFacts::default();
    for query in labels.queries() {
        let (id, spans) = (query.id(), &query.about.spans);
        let empty = spans.iter().filter(|span| span.start == span.end);
        facts.empty.extend(empty.map(|_| id.clone()));
        let of_hops = distinct(spans);
        let mut gold = of_hops.clone();
        gold.dedup_by(|later, first| place(later) == place(first));
        let differs = |found: &&[GoldSpan]| found.iter().any(|span| span.grade != found[0].grade);
        let regraded = of_hops.chunk_by(|one, other| place(one) == place(other)).filter(differs);
        facts.regraded.extend(regraded.map(|_| id.clone()));
        facts.passages += gold.len() as u64;
        facts.overlapping.extend((0..overlaps(&gold)).map(|_| id.clone()));
        for span in &gold {
            let judged = builder.judge(id.as_bytes(), span.name().as_bytes(), span.grade, 0);
            judged.expect("the largest grade settles everything");
        }
        let about = builder.about(id.as_bytes());
        *about = (*query.about).clone();
        about.spans = of_hops;
    }
    let mut passages = builder.finish();
    passages.offset_unit.clone_from(&labels.offset_unit);
    (passages, facts)
}

fn place(span: &GoldSpan) -> (&Id, u64, u64) {
    (&span.document, span.start, span.end)
}

/// The passages that have a length, each with its largest grade and once a hop, in order of their
/// places.
fn distinct(spans: &[GoldSpan]) -> Vec<GoldSpan> {
    let mut gold: Vec<GoldSpan> = spans.iter().filter(|span| span.start < span.end).cloned().collect();
    gold.sort_by(|a, b| place(a).cmp(&place(b)).then(b.grade.total_cmp(&a.grade)));
    let mut known = HashSet::new();
    gold.retain(|span| known.insert((span.document.clone(), span.start, span.end, span.hop)));
    gold
}

/// How many passages begin before one that stands before them has ended.
fn overlaps(gold: &[GoldSpan]) -> usize {
    let mut furthest: Option<(&Id, u64)> = None;
    let mut count = 0;
    for span in gold {
        let end = furthest.filter(|(document, _)| **document == span.document).map_or(0, |(_, end)| end);
        count += usize::from(span.start < end);
        furthest = Some((&span.document, end.max(span.end)));
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_passage_with_a_length_is_judged_once() {
        let span = |start, end, grade| GoldSpan { document: "h".into(), start, end, grade, hop: None };
        let mut builder = LabelsBuilder::new(DuplicateLabels::Error);
        builder.judge(b"q1", b"c1", 1.0, 1).unwrap();
        builder.about(b"q1").spans =
            vec![span(50, 150, 1.0), span(0, 100, 2.0), span(7, 7, 3.0), span(0, 100, 1.0), span(200, 300, 0.0)];
        builder.about(b"q2").spans = vec![span(7, 7, 1.0)];
        let (labels, facts) = passage_labels(&builder.finish());
        let judged: Vec<(&[u8], f64)> = labels.queries()[0].judgments().collect();
        assert_eq!(judged, [(&b"h[0..100)"[..], 2.0), (b"h[50..150)", 1.0), (b"h[200..300)", 0.0)]);
        assert!(labels.queries()[1].ideal().is_empty());
        let ids = |ids: &[&str]| ids.iter().map(|id| Id::from(*id)).collect::<Vec<_>>();
        let (empty, overlapping) = (ids(&["q1", "q2"]), ids(&["q1"]));
        let expected = GoldFacts { passages: 3, empty, overlapping, regraded: Vec::new() };
        assert_eq!(facts, expected);
    }

    #[test]
    fn a_passage_of_two_hops_is_one_passage_and_belongs_to_both() {
        let span = |hop, grade| GoldSpan { document: "h".into(), start: 0, end: 100, grade, hop: Some(hop) };
        let mut builder = LabelsBuilder::new(DuplicateLabels::Error);
        builder.about(b"q").spans = vec![span(1, 1.0), span(2, 2.0), span(2, 1.0)];
        let (labels, facts) = passage_labels(&builder.finish());
        let query = &labels.queries()[0];
        assert_eq!((facts.passages, facts.overlapping.len(), query.judgments().count()), (1, 0, 1));
        assert_eq!(query.about.spans, [span(2, 2.0), span(1, 1.0)]);
        assert_eq!(facts.regraded, ["q".into()]);
    }
}
