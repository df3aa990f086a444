//! The ranking of one query with its documents.

use raglens::error::Fault;
use raglens::evaluate::{Rules, judged, ranked};
use raglens::id::Id;
use raglens::judged::{Hit, JudgedRanking};
use raglens::labels::QueryLabels;
use raglens::measure::{Measure, Terms};
use raglens::run::{Order, Ranking};

use crate::render::explain::report::Judgment;

/// The ranking of one query with its documents.
#[derive(Debug)]
pub struct List<'q> {
    /// The labels of the query.
    pub query: &'q QueryLabels,
    /// Whether the run answers it.
    pub is_answered: bool,
    hits: Vec<Hit>,
    documents: Vec<Id>,
    /// Ranks whose score is that of the rank before.
    tied: Vec<u64>,
}

impl<'q> List<'q> {
    /// The ranking in the order in which it is scored; no ranking is an empty list.
    ///
    /// # Errors
    /// When it holds a document twice and the rules do not say what to do.
    pub fn of(query: &'q QueryLabels, ranking: Option<&Ranking>, rules: &Rules) -> Result<Self, Fault> {
        let (mut hits, mut documents, mut tied) = (Vec::new(), Vec::new(), Vec::new());
        if let Some(ranking) = ranking {
            let mut order = Order::default();
            ranked(ranking, rules, &mut order)?;
            hits.extend(judged(query, ranking, &order));
            documents.extend(order.indices().iter().map(|&index| Id::from(ranking.document(index as usize))));
            let pairs = order.indices().windows(2).zip(2..);
            tied.extend(pairs.filter(|(pair, _)| ranking.tied(pair[0], pair[1])).map(|(_, rank)| rank));
        }
        Ok(Self { query, is_answered: ranking.is_some(), hits, documents, tied })
    }

    /// The list as measures take it.
    pub fn view(&self) -> JudgedRanking<'_> {
        JudgedRanking::new(&self.hits, self.documents.len() as u64, self.query.ideal())
    }

    /// The documents that a measure sees, with their ranks in the run.
    pub fn seen_by(&self, measure: &Measure) -> Vec<(Id, u64)> {
        let all = || self.documents.iter().cloned().zip(1..);
        match measure.is_condensed() {
            false => all().collect(),
            true => {
                all().filter(|&(_, rank)| self.hits.iter().any(|hit| hit.rank == rank && hit.is_judged())).collect()
            }
        }
    }

    /// The judged documents, best first.
    pub fn best(&self) -> Vec<Judgment> {
        let rank = |document: &[u8]| self.documents.iter().position(|other| other.as_bytes() == document);
        let judged = self.query.judgments().filter(|(_, grade)| *grade >= 0.0).map(|(document, grade)| Judgment {
            document: Id::from(document),
            grade,
            rank: rank(document).map(|index| index as u64 + 1),
        });
        let mut judged: Vec<Judgment> = judged.collect();
        judged.sort_by(|a, b| b.grade.total_cmp(&a.grade));
        judged
    }

    /// First and last rank in the run of results with one score, where one of them stands in a
    /// place of `terms`.
    pub fn ties(&self, measure: &Measure, terms: &Terms) -> Vec<(u64, u64)> {
        let last = self.last(measure, terms);
        let blocks =
            self.tied.chunk_by(|a, b| a + 1 == *b).filter_map(|block| Some((block.first()? - 1, *block.last()?)));
        blocks.take_while(|&(first, _)| first <= last).collect()
    }

    /// The rank in the run of the last place of `terms`.
    fn last(&self, measure: &Measure, terms: &Terms) -> u64 {
        let places = terms.rows.last().map_or(0, |row| row.place.last);
        self.seen_by(measure).iter().take(places as usize).next_back().map_or(0, |&(_, rank)| rank)
    }

    /// The documents that are worth finding and stand in none of the places of `terms`.
    pub fn missed(&self, measure: &Measure, terms: &Terms) -> Vec<Judgment> {
        let last = self.last(measure, terms);
        let is_worth = |grade: f64| measure.threshold().map_or(grade > 0.0, |rel| grade >= rel);
        let is_missed = |found: &Judgment| is_worth(found.grade) && found.rank.is_none_or(|rank| rank > last);
        self.best().into_iter().filter(is_missed).collect()
    }
}
