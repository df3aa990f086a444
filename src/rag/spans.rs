//! Gold passages against chunks: which chunk is relevant, at which rank a passage is credited, and
//! how much of the gold the results cover.
//!
//! A chunk is relevant if it overlaps a passage by at least a share of the shorter of the two. A
//! passage is credited once: at the first chunk that is relevant to it, else where the chunks so
//! far cover that share of it together.

use std::collections::HashMap;

use super::intervals::Intervals;
use crate::judged::{Grade, Hit, Passages};
use crate::labels::GoldSpan;

/// Where a chunk or a passage stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'a> {
    /// The document.
    pub document: &'a [u8],
    /// First position, from 0.
    pub start: u64,
    /// One past the last position.
    pub end: u64,
}

impl<'a> Place<'a> {
    /// The place of a gold passage.
    pub fn of(gold: &'a GoldSpan) -> Self {
        Self { document: gold.document.as_bytes(), start: gold.start, end: gold.end }
    }

    fn len(&self) -> u64 {
        self.end.saturating_sub(self.start)
    }

    /// How many positions two places have in common.
    pub fn overlap(&self, other: &Self) -> u64 {
        match self.document == other.document {
            true => self.end.min(other.end).saturating_sub(self.start.max(other.start)),
            false => 0,
        }
    }

    /// Whether a chunk here and a passage there overlap by at least the share `min_overlap` of the
    /// shorter of the two; what is empty overlaps nothing.
    ///
    /// ```
    /// use raglens::rag::Place;
    /// let place = |start, end| Place { document: b"handbook", start, end };
    /// assert!(place(1000, 2000).is_relevant_to(&place(0, 3000), 0.5));
    /// assert!(place(0, 1000).is_relevant_to(&place(900, 1100), 0.5)); // 100 of 200: inclusive
    /// assert!(!place(2900, 3900).is_relevant_to(&place(0, 3000), 0.5));
    /// ```
    pub fn is_relevant_to(&self, gold: &Self, min_overlap: f64) -> bool {
        let overlap = self.overlap(gold);
        overlap > 0 && overlap as f64 / self.len().min(gold.len()) as f64 >= min_overlap
    }
}

/// At which ranks the gold passages of a query are credited.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Credits {
    /// The ranks that credit a passage, each once, with the largest grade credited there.
    pub hits: Vec<Hit>,
    /// Each passage that is credited, in rank order.
    pub credits: Vec<Hit>,
}

/// Credits each gold passage once, at the first rank where a chunk is relevant to it or where the
/// chunks so far cover enough of it together. `None` in the list is a chunk without a place.
///
/// Passages with a negative grade and empty ones are never credited, and those that stand in a row
/// at the same place, one for each hop, are one with the grade of the first.
pub fn credit(gold: &[GoldSpan], chunks: &[Option<Place<'_>>], min_overlap: f64) -> Credits {
    let mut open: HashMap<&[u8], Vec<Open>> = HashMap::new();
    for span in gold.iter().filter(|span| span.start < span.end && span.grade >= 0.0) {
        let of_document = open.entry(span.document.as_bytes()).or_default();
        if of_document.last().is_none_or(|last| Place::of(last.span) != Place::of(span)) {
            of_document.push(Open { span, covered: Intervals::default() });
        }
    }
    let mut found = Credits::default();
    for (rank, chunk) in (1..).zip(chunks) {
        let Some(chunk) = chunk else { continue };
        let Some(of_document) = open.get_mut(chunk.document) else { continue };
        let mut grades: Vec<Grade> = Vec::new();
        of_document.retain_mut(|open| {
            let is_credited = open.takes(chunk, min_overlap);
            grades.extend(is_credited.then_some(open.span.grade));
            !is_credited
        });
        grades.sort_by(|a, b| b.total_cmp(a));
        found.hits.extend(grades.first().map(|&grade| Hit { rank, grade }));
        found.credits.extend(grades.into_iter().map(|grade| Hit { rank, grade }));
    }
    found
}

/// A passage that is not credited yet.
struct Open<'a> {
    span: &'a GoldSpan,
    covered: Intervals,
}

impl Open<'_> {
    /// Takes a chunk, and says whether the passage is credited with it.
    fn takes(&mut self, chunk: &Place<'_>, min_overlap: f64) -> bool {
        let gold = Place::of(self.span);
        if chunk.overlap(&gold) == 0 {
            return false;
        }
        self.covered.add(chunk.start.max(gold.start), chunk.end.min(gold.end));
        chunk.is_relevant_to(&gold, min_overlap) || self.covered.len() as f64 / gold.len() as f64 >= min_overlap
    }
}

/// How much of the gold passages the chunks cover from rank to rank. Passages that overlap are
/// one; passages with a negative grade or grade 0 are no gold.
pub fn cover(gold: &[GoldSpan], chunks: &[Option<Place<'_>>]) -> Passages {
    let mut documents: HashMap<&[u8], (Intervals, Intervals)> = HashMap::new();
    for span in gold.iter().filter(|span| span.grade > 0.0) {
        documents.entry(span.document.as_bytes()).or_default().0.add(span.start, span.end);
    }
    let length = documents.values().fold(0_u64, |sum, (gold, _)| sum.saturating_add(gold.len()));
    let mut passages = Passages::new(length);
    for chunk in chunks {
        let (covered, length) = chunk.map_or((0, 0), |chunk| {
            let of_document = documents.get_mut(chunk.document);
            let new = of_document.map(|(gold, found)| found.add_within(gold, chunk.start, chunk.end));
            (new.unwrap_or(0), chunk.len())
        });
        passages.push(covered, length);
    }
    passages
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judged::Reach;

    fn span(document: &str, start: u64, end: u64) -> GoldSpan {
        GoldSpan { document: document.into(), start, end, grade: 1.0, hop: None }
    }

    fn chunk(start: u64, end: u64) -> Option<Place<'static>> {
        Some(Place { document: b"d", start, end })
    }

    fn ranks(hits: &[Hit]) -> Vec<u64> {
        hits.iter().map(|hit| hit.rank).collect()
    }

    #[test]
    fn a_passage_is_credited_once_at_the_first_relevant_chunk() {
        let gold = [span("d", 850, 950)];
        let found = credit(&gold, &[chunk(0, 800), chunk(0, 1000), chunk(800, 1800)], 0.5);
        assert_eq!((ranks(&found.hits), ranks(&found.credits)), (vec![2], vec![2]));
    }

    #[test]
    fn pieces_add_up_to_a_passage_where_none_is_enough() {
        // Each chunk shares 40 of the 100 positions of the passage, and is longer than that.
        let gold = [span("d", 100, 200)];
        let elsewhere = Some(Place { document: b"e", start: 0, end: 140 });
        let chunks = [chunk(160, 260), chunk(160, 260), None, elsewhere, chunk(0, 140)];
        assert_eq!(ranks(&credit(&gold, &chunks, 0.5).hits), [5]);
        assert_eq!(ranks(&credit(&gold, &chunks, 0.4).hits), [1]);
        assert!(credit(&gold, &chunks, 0.81).hits.is_empty());
    }

    #[test]
    fn one_chunk_can_bring_several_passages_and_is_one_hit() {
        let gold = [
            GoldSpan { grade: 1.0, ..span("d", 0, 10) },
            GoldSpan { grade: 3.0, ..span("d", 20, 30) },
            GoldSpan { grade: 0.0, ..span("d", 500, 510) },
            GoldSpan { grade: -1.0, ..span("d", 40, 50) },
        ];
        let found = credit(&gold, &[chunk(0, 100), chunk(490, 600)], 0.5);
        assert_eq!(found.hits, [Hit { rank: 1, grade: 3.0 }, Hit { rank: 2, grade: 0.0 }]);
        assert_eq!(ranks(&found.credits), [1, 1, 2]);
    }

    #[test]
    fn gold_counts_once_and_chunks_as_often_as_they_are_returned() {
        let overlapping = cover(&[span("d", 0, 100), span("d", 50, 150)], &[chunk(50, 100)]);
        assert_eq!((overlapping.gold(), overlapping.at(None)), (150, Reach { covered: 50, length: 50 }));
        let twice = cover(&[span("d", 850, 950)], &[chunk(0, 1000), chunk(800, 1800)]);
        assert_eq!((twice.gold(), twice.at(Some(2))), (100, Reach { covered: 100, length: 2000 }));
    }

    #[test]
    fn what_is_empty_is_never_found() {
        assert_eq!(credit(&[span("d", 5, 5)], &[chunk(0, 10)], 0.5), Credits::default());
        assert_eq!(credit(&[span("d", 0, 9)], &[chunk(5, 5)], 0.0), Credits::default());
        assert_eq!(cover(&[span("d", 5, 5)], &[chunk(0, 10)]).gold(), 0);
    }

    #[test]
    fn lengths_at_the_end_of_all_numbers_do_not_overflow() {
        let gold = [span("d", 0, u64::MAX), span("e", 0, u64::MAX)];
        let passages = cover(&gold, &[chunk(0, u64::MAX), chunk(0, u64::MAX)]);
        assert_eq!((passages.gold(), passages.at(None).length), (u64::MAX, u64::MAX));
        assert_eq!(ranks(&credit(&gold, &[chunk(1, u64::MAX)], 1.0).hits), [1]);
    }
}
