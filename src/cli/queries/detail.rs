//! One query in detail: what each run returned for it, and what it should have.

use std::collections::HashSet;

use raglens::error::Fault;
use raglens::evaluate::{Rules, ranked};
use raglens::id::Id;
use raglens::labels::QueryLabels;
use raglens::run::{Chunk, Order, Run};

use crate::render::queries::report::{List, Listed, Passage, Relevant, Shown};

/// The results of one query in rank order.
#[derive(Debug, Default)]
pub struct RankedList {
    results: Vec<(Id, Option<Chunk>)>,
    answered: bool,
}

impl RankedList {
    /// The results of a query; none where the run does not answer it.
    ///
    /// # Errors
    /// When the ranking cannot be ordered under the rules.
    pub fn of(run: &Run, query: &Id, rules: &Rules) -> Result<Self, Fault> {
        let Some(ranking) = run.ranking(query) else { return Ok(Self::default()) };
        let mut order = Order::default();
        ranked(ranking, rules, &mut order)?;
        let result = |&index: &u32| {
            let index = index as usize;
            (ranking.document(index).into(), ranking.chunk(index).cloned())
        };
        Ok(Self { results: order.indices().iter().map(result).collect(), answered: true })
    }

    fn rank_of(&self, is_wanted: impl Fn(&Id, Option<&Chunk>) -> bool) -> Option<u64> {
        let found = self.results.iter().position(|(id, chunk)| is_wanted(id, chunk.as_ref()));
        found.map(|index| index as u64 + 1)
    }

    fn head(&self, labels: &QueryLabels, depth: usize) -> List {
        let listed = |(document, _): &(Id, Option<Chunk>)| Listed {
            document: document.clone(),
            grade: labels.grade(document.as_bytes()).filter(|&grade| grade >= 0.0),
        };
        let retrieved = self.answered.then_some(self.results.len() as u64);
        List { results: self.results.iter().take(depth).map(listed).collect(), retrieved }
    }
}

/// The lists of a query side by side, with its relevant documents and passages.
pub fn shown(labels: &QueryLabels, lists: &[&RankedList], rel: f64, depth: usize) -> Shown {
    let mut relevant: Vec<Relevant> = labels
        .judgments()
        .filter(|(_, grade)| *grade >= rel)
        .map(|(document, grade)| {
            let document = Id::from(document);
            let ranks = lists.iter().map(|list| list.rank_of(|id, _| *id == document)).collect();
            Relevant { document, grade, ranks }
        })
        .collect();
    relevant.sort_by(|a, b| b.grade.total_cmp(&a.grade));
    // One that several hops need stands there once for each.
    let mut seen = HashSet::new();
    let spans = labels.about.spans.iter().filter(|span| seen.insert((&span.document, span.start, span.end)));
    let passages = spans.map(|span| {
        let overlaps = |id: &Id, chunk: Option<&Chunk>| {
            let Some(Chunk { document, start: Some(start), end: Some(end), .. }) = chunk else { return false };
            let document = document.as_ref().unwrap_or(id);
            *document == span.document && *start < span.end && span.start < *end
        };
        let ranks = lists.iter().map(|list| list.rank_of(overlaps)).collect();
        Passage { document: span.document.clone(), range: (span.start, span.end), grade: span.grade, ranks }
    });
    let passages: Vec<Passage> = passages.collect();
    let lists = lists.iter().map(|list| list.head(labels, depth)).collect();
    Shown { relevant, lists, depth, passages, texts: Vec::new() }
}

/// The documents of the lists and others, each once, in the order in which they stand there.
pub fn documents<'a>(lists: &'a [List], others: impl Iterator<Item = &'a Id>) -> Vec<Id> {
    let (mut seen, mut ordered) = (HashSet::new(), Vec::new());
    let longest = lists.iter().map(|list| list.results.len()).max().unwrap_or(0);
    let at = |rank: usize| lists.iter().filter_map(move |list| list.results.get(rank)).map(|result| &result.document);
    for id in (0..longest).flat_map(at).chain(others) {
        if seen.insert(id) {
            ordered.push(id.clone());
        }
    }
    ordered
}
