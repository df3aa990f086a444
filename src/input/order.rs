//! The names of what orders results: a score, a similarity, a distance, a rank.

/// Names of a score that no grade has.
const SIMILARITY: &[&str] = &[
    "similarity",
    "sim",
    "cosine",
    "cosine_similarity",
    "cosine_sim",
    "dot_product",
    "bm25",
    "bm25_score",
    "rerank_score",
    "reranker_score",
];
/// Names of a distance, of which the lowest is best.
const DISTANCE: &[&str] = &["distance", "dist"];
/// Names of a rank.
pub(super) const RANK: &[&str] = &["rank", "position"];

/// The one score among the names of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Score {
    /// Its place among the names.
    pub index: usize,
    /// What the name says of it.
    pub kind: ScoreKind,
}

/// What the name of a score says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScoreKind {
    /// Higher is better; it may be a grade, where labels stand.
    Plain,
    /// Higher is better, and no grade is called so.
    Similarity,
    /// Lower is better.
    Distance,
}

impl Score {
    /// Whether no grade is called so.
    pub(super) fn is_no_grade(self) -> bool {
        self.kind != ScoreKind::Plain
    }

    /// The number by which results are ordered, highest first.
    pub(super) fn key(self, number: f64) -> f64 {
        match self.kind {
            ScoreKind::Distance => 0.0 - number,
            ScoreKind::Plain | ScoreKind::Similarity => number,
        }
    }
}

/// The score among some names: `score` itself, else the only one that ends in `score` or is a
/// similarity, else the only distance. Of several none is chosen.
pub(super) fn score<'n>(names: impl Iterator<Item = &'n str>) -> Option<Score> {
    let (mut score, mut scores, mut distance, mut distances) = (None, 0, None, 0);
    for (index, name) in names.enumerate() {
        match kind(name) {
            Some(kind) if name == "score" => return Some(Score { index, kind }),
            Some(ScoreKind::Distance) => (distance, distances) = (Some(index), distances + 1),
            Some(kind) => (score, scores) = (Some(Score { index, kind }), scores + 1),
            None => {}
        }
    }
    let distance = distance.map(|index| Score { index, kind: ScoreKind::Distance });
    match (scores, distances) {
        (0, 1) => distance,
        (1, _) => score,
        _ => None,
    }
}

/// Whether a name is a usual one of a score.
pub(super) fn is_score(name: &str) -> bool {
    name == "score" || SIMILARITY.contains(&name) || DISTANCE.contains(&name)
}

/// Whether a name ends like that of a score.
pub(super) fn may_be_score(name: &str) -> bool {
    kind(name).is_some()
}

fn kind(name: &str) -> Option<ScoreKind> {
    if SIMILARITY.contains(&name) {
        Some(ScoreKind::Similarity)
    } else if DISTANCE.contains(&name) || name.ends_with("distance") {
        Some(ScoreKind::Distance)
    } else {
        name.ends_with("score").then_some(ScoreKind::Plain)
    }
}

/// Names of what has a meaning of its own, or is there to be read by people: never a grade and
/// never a score.
static BESIDE: &[&str] = &[
    "title",
    "text",
    "content",
    "contents",
    "body",
    "passage",
    "snippet",
    "url",
    "uri",
    "source",
    "answer",
    "question",
    "doc_text",
    "document_text",
    "passage_text",
    "chunk_text",
    "split",
    "subset",
    "language",
    "lang",
    "category",
    "stratum",
    "type",
    "comment",
    "notes",
    "note",
    "annotator",
    "assessor",
    "date",
    "timestamp",
    "year",
    "iter",
    "iteration",
    "q0",
    "page",
    "page_number",
    "chunk_index",
    "chunk_no",
    "length",
    "index",
    "unnamed:_0",
    "meta",
    "metadata",
    "tags",
    "start",
    "end",
    "tokens",
    "hop",
    "step",
    "role",
    "latency_ms",
    "cost_usd",
    "error",
    "run",
    "run_id",
    "tag",
    "answerable",
    "needs_retrieval",
];

/// Whether a name means something other than a grade or a score.
pub(super) fn is_beside(name: &str) -> bool {
    name.is_empty() || BESIDE.contains(&name)
}

/// Names in quotes, as messages show them.
pub(super) fn quoted<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{}`", crate::id::escaped(name.as_bytes()))).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen<'n>(names: &[&'n str]) -> Option<(&'n str, ScoreKind)> {
        score(names.iter().copied()).map(|score| (names[score.index], score.kind))
    }

    #[test]
    fn the_one_score_is_found_under_many_names_and_of_several_none() {
        assert_eq!(chosen(&["id", "rerank_score"]), Some(("rerank_score", ScoreKind::Similarity)));
        assert_eq!(chosen(&["relevance_score", "distance"]), Some(("relevance_score", ScoreKind::Plain)));
        assert_eq!(chosen(&["cosine", "score"]), Some(("score", ScoreKind::Plain)));
        assert_eq!(chosen(&["l2_distance"]), Some(("l2_distance", ScoreKind::Distance)));
        assert_eq!(chosen(&["bm25_score", "rerank_score"]), None);
        assert_eq!(chosen(&["scores", "cos"]), None);
    }
}
