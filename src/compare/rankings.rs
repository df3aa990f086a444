//! What a comparison knows of a ranking beside its scores: where the first relevant document
//! stands, and whether another run returned the very same list.

use crate::error::Fault;
use crate::evaluate::{Rules, ranked};
use crate::id::{self, Id};
use crate::labels::Labels;
use crate::run::{Order, Run};

/// What is known of the ranking of one query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RankingFacts {
    /// Rank of the first relevant document, from 1; `None` when there is none in the list.
    pub first_relevant: Option<u64>,
    /// Equal for equal lists of documents, within one process.
    pub fingerprint: u64,
}

/// The facts for each of `queries`; a query that the run does not answer has an empty list.
///
/// # Errors
/// When a ranking cannot be ordered under the rules.
pub fn ranking_facts(labels: &Labels, run: &Run, queries: &[Id], rules: &Rules) -> Result<Vec<RankingFacts>, Fault> {
    let mut order = Order::default();
    queries.iter().map(|query| facts(labels, run, query, rules, &mut order)).collect()
}

fn facts(labels: &Labels, run: &Run, query: &Id, rules: &Rules, order: &mut Order) -> Result<RankingFacts, Fault> {
    let (Some(ranking), Some(judged)) = (run.ranking(query), labels.query(query)) else {
        return Ok(RankingFacts::default());
    };
    ranked(ranking, rules, order)?;
    let documents = order.indices().iter().map(|&index| ranking.document(index as usize));
    let documents: Vec<&[u8]> = documents.collect();
    let is_relevant = |document: &&[u8]| judged.grade(document).is_some_and(|grade| grade >= rules.rel);
    let first = documents.iter().position(is_relevant);
    Ok(RankingFacts { first_relevant: first.map(|index| index as u64 + 1), fingerprint: fingerprint(&documents) })
}

/// Depends on the documents and on their order.
fn fingerprint(documents: &[&[u8]]) -> u64 {
    let mix =
        |state: u64, document: &&[u8]| (state ^ id::hash(document)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    documents.iter().fold(1 + documents.len() as u64, mix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_sees_documents_and_order() {
        let of = |documents: &[&str]| fingerprint(&documents.iter().map(|d| d.as_bytes()).collect::<Vec<_>>());
        assert_eq!(of(&["a", "b"]), of(&["a", "b"]));
        assert_ne!(of(&["a", "b"]), of(&["b", "a"]));
        assert_ne!(of(&["a"]), of(&[]));
    }
}
