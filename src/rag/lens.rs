//! In which unit results and labels meet, and what is seen of a ranking through it.

use std::collections::HashMap;

use super::documents::Documents;
use super::spans::{Place, cover, credit};
use super::{budget, sightings};
use crate::error::{Fault, InputErrorKind};
use crate::id::Id;
use crate::input::Chunks;
use crate::judged::{Evidence, Grade, Hit, JudgedRanking, Passages, Window};
use crate::labels::QueryLabels;
use crate::run::{Chunk, Order, Ranking};

/// How the results of a query are brought together with its labels.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lens<'a> {
    /// What is ranked and judged.
    pub unit: Unit<'a>,
    /// Where chunks stand and how long they are, for runs that do not say it themselves.
    pub chunks: Option<&'a Chunks>,
    /// How many tokens are looked at: as many results from the top as fit.
    pub budget: Option<u64>,
}

/// What is ranked and judged.
#[derive(Debug, Clone, Copy, Default)]
pub enum Unit<'a> {
    /// Results by their ids.
    #[default]
    Id,
    /// The documents that the results are chunks of.
    Document {
        /// The document of each chunk.
        documents: &'a Documents,
        /// What a cutoff counts.
        cut: Cut,
    },
    /// Gold passages, which chunks bring; the labels are [`passage_labels`](super::passage_labels).
    Passage {
        /// The share of the shorter of chunk and passage that they must have in common.
        min_overlap: f64,
    },
}

/// What a cutoff counts where chunks stand for documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cut {
    /// Chunks: the first k results, of whatever documents.
    #[default]
    Before,
    /// Documents: the first k of them, however many chunks that takes.
    After,
}

/// What measures ask for beside grades and ranks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub passages: bool,
    pub evidence: bool,
}

/// What is seen of one ranking; its memory is used again for the next.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub hits: Vec<Hit>,
    pub retrieved: u64,
    /// Results without a place, where places are needed.
    pub unplaced: Vec<Id>,
    credits: Option<Vec<Hit>>,
    window: Option<[Vec<u64>; 2]>,
    passages: Option<Passages>,
    evidence: Option<Evidence>,
}

impl Seen {
    /// The ranking as measures take it.
    pub fn view<'a>(&'a self, ideal: &'a [Grade]) -> JudgedRanking<'a> {
        let mut view = JudgedRanking::new(&self.hits, self.retrieved, ideal);
        if let Some(credits) = &self.credits {
            view = view.with_credits(credits);
        }
        if let Some([all, judged]) = &self.window {
            view = view.with_window(Window { all, judged });
        }
        if let Some(passages) = &self.passages {
            view = view.with_passages(passages);
        }
        match &self.evidence {
            Some(evidence) => view.with_evidence(evidence),
            None => view,
        }
    }
}

impl<'a> Lens<'a> {
    /// Looks at a ranking in its order; without one at an empty list.
    ///
    /// # Errors
    /// When there is a budget and a result has no number of tokens.
    pub(crate) fn look(
        &self,
        query: &QueryLabels,
        ranking: Option<(&'a Ranking, &Order)>,
        wanted: Wanted,
    ) -> Result<Seen, Fault> {
        let mut seen = Seen::default();
        let kept = match ranking {
            Some((ranking, order)) => self.within_budget(ranking, order.indices())?,
            None => &[],
        };
        let ranking_only = ranking.map(|(ranking, _)| ranking);
        match (self.unit, ranking_only) {
            (Unit::Id, Some(ranking)) => by_id(query, ranking, kept, &mut seen),
            (Unit::Document { documents, cut }, Some(ranking)) => {
                by_document(query, ranking, kept, documents, cut, &mut seen);
            }
            _ => seen.retrieved = kept.len() as u64,
        }
        let by_passage = if let Unit::Passage { min_overlap } = self.unit { Some(min_overlap) } else { None };
        if by_passage.is_some() || wanted.passages {
            let places = ranking_only.map_or_else(Vec::new, |ranking| self.places(ranking, kept, &mut seen.unplaced));
            if let Some(min_overlap) = by_passage {
                let found = credit(&query.about.spans, &places, min_overlap);
                (seen.hits, seen.credits) = (found.hits, Some(found.credits));
            }
            seen.passages = wanted.passages.then(|| cover(&query.about.spans, &places));
        }
        if wanted.evidence {
            seen.evidence = sightings::evidence(self, query, ranking)?;
        }
        Ok(seen)
    }

    /// As many results from the top as fit into the budget.
    pub(super) fn within_budget<'o>(&self, ranking: &Ranking, order: &'o [u32]) -> Result<&'o [u32], Fault> {
        let Some(limit) = self.budget else { return Ok(order) };
        match budget::fit(order.iter().map(|&index| self.tokens(ranking, index)), limit) {
            Ok((count, _)) => Ok(&order[..count]),
            Err(place) => {
                let index = order[place] as usize;
                let document = Id::from(ranking.document(index));
                Err(Fault::at_line(ranking.line_of(index), InputErrorKind::WithoutLength { document }))
            }
        }
    }

    fn tokens(&self, ranking: &Ranking, index: u32) -> Option<u64> {
        let own = ranking.chunk(index as usize).and_then(|chunk| chunk.tokens);
        own.or_else(|| self.mapped(ranking, index)?.tokens)
    }

    fn mapped(&self, ranking: &Ranking, index: u32) -> Option<&'a Chunk> {
        Some(&self.chunks?.find(ranking.document(index as usize))?.place)
    }

    /// The place of every result; those that have none are named.
    fn places(&self, ranking: &'a Ranking, kept: &[u32], unplaced: &mut Vec<Id>) -> Vec<Option<Place<'a>>> {
        let place = |&index: &u32| {
            let place = self.place(ranking, index);
            if place.is_none() {
                unplaced.push(Id::from(ranking.document(index as usize)));
            }
            place
        };
        kept.iter().map(place).collect()
    }

    /// Where a result stands: as the run says, else as the chunk map does. A result without a
    /// document is one itself.
    pub(super) fn place(&self, ranking: &'a Ranking, index: u32) -> Option<Place<'a>> {
        let own = ranking.chunk(index as usize).filter(|chunk| chunk.start.is_some() && chunk.end.is_some());
        let chunk = own.or_else(|| self.mapped(ranking, index))?;
        let document = self.document(ranking, index).unwrap_or_else(|| ranking.document(index as usize));
        Some(Place { document, start: chunk.start?, end: chunk.end? })
    }

    /// The document of a result, where it is known.
    pub(super) fn document(&self, ranking: &'a Ranking, index: u32) -> Option<&'a [u8]> {
        let own = ranking.chunk(index as usize).and_then(|chunk| chunk.document.as_ref());
        own.or_else(|| self.mapped(ranking, index)?.document.as_ref()).map(Id::as_bytes)
    }
}

fn by_id(query: &QueryLabels, ranking: &Ranking, kept: &[u32], seen: &mut Seen) {
    let grade = |index: u32| query.grade(ranking.document(index as usize));
    seen.hits.extend((1..).zip(kept).filter_map(|(rank, &index)| Some(Hit { rank, grade: grade(index)? })));
    seen.retrieved = kept.len() as u64;
}

/// Documents stand where their first chunk does, without gaps.
fn by_document(query: &QueryLabels, ranking: &Ranking, kept: &[u32], documents: &Documents, cut: Cut, seen: &mut Seen) {
    let mut grades: HashMap<&[u8], Option<Grade>> = HashMap::new();
    let [mut all, mut judged]: [Vec<u64>; 2] = Default::default();
    let mut judged_documents = 0;
    for &index in kept {
        let document = documents.of_result(ranking, index);
        let is_new = !grades.contains_key(document);
        let grade = *grades.entry(document).or_insert_with(|| query.grade(document));
        let is_judged = grade.is_some_and(|grade| grade >= 0.0);
        if is_new {
            seen.retrieved += 1;
            seen.hits.extend(grade.map(|grade| Hit { rank: seen.retrieved, grade }));
            judged_documents += u64::from(is_judged);
        }
        all.push(seen.retrieved);
        if is_judged {
            judged.push(judged_documents);
        }
    }
    seen.window = (cut == Cut::Before).then_some([all, judged]);
}
