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
}

impl<'q> List<'q> {
    /// The ranking in the order in which it is scored; no ranking is an empty list.
    ///
    /// # Errors
    /// When it holds a document twice and the rules do not say what to do.
    pub fn of(query: &'q QueryLabels, ranking: Option<&Ranking>, rules: &Rules) -> Result<Self, Fault> {
        let (mut hits, mut documents) = (Vec::new(), Vec::new());
        if let Some(ranking) = ranking {
            let mut order = Order::default();
            ranked(ranking, rules, &mut order)?;
            hits.extend(judged(query, ranking, &order));
            documents.extend(order.indices().iter().map(|&index| Id::from(ranking.document(index as usize))));
        }
        Ok(Self { query, is_answered: ranking.is_some(), hits, documents })
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

    /// The documents that are worth finding and stand in none of the places of `terms`.
    pub fn missed(&self, measure: &Measure, terms: &Terms) -> Vec<Judgment> {
        let places = terms.rows.last().map_or(0, |row| row.place.last);
        let seen = self.seen_by(measure);
        let last = seen.iter().take(places as usize).last().map_or(0, |&(_, rank)| rank);
        let is_worth = |grade: f64| measure.threshold().map_or(grade > 0.0, |rel| grade >= rel);
        let is_missed = |found: &Judgment| is_worth(found.grade) && found.rank.is_none_or(|rank| rank > last);
        self.best().into_iter().filter(is_missed).collect()
    }
}
