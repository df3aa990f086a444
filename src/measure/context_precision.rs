//! Context precision: average precision over the relevant documents that were found (RAGAS).

use super::map::{precision_terms, precisions};
use super::{Computation, MeasureDef, Params, Purpose, Scorer, SpecError, Terms};
use crate::judged::{Grade, JudgedRanking};

pub(super) static CONTEXT_PRECISION: MeasureDef = MeasureDef {
    name: "context_precision",
    aliases: &["ctxp", "ctx_precision", "contextual_precision"],
    about: "precision at the rank of each relevant document found, averaged over those",
    formula: "(Σ precision@i over the ranks i <= k with grade >= rel) / (their number)",
    reading: "1 when what is relevant stands above what is not; it judges the order of the list and nothing else.",
    blind_to: "What is missing: one relevant document of a hundred, in first place, scores 1. Show recall beside it.",
    edge_cases: "0 when nothing relevant is found.",
    peers: "context_precision of RAGAS, which adds 0.0000000001 to the divisor, and contextual precision of DeepEval. \
            It is neither precision nor average precision, which divides by all relevant documents.",
    purpose: Purpose::High,
    source: "Es et al. 2024, RAGAS (EACL)",
    ..MeasureDef::built_by(build)
};

fn build(params: &Params) -> Result<Computation, SpecError> {
    Ok(Computation::ranking(ContextPrecision { rel: params.threshold(), cutoff: params.cutoff() }))
}

struct ContextPrecision {
    rel: Grade,
    cutoff: Option<u64>,
}

impl Scorer for ContextPrecision {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let (sum, found) = precisions(ranking, self.cutoff, self.rel);
        Some(if found == 0 { 0.0 } else { sum / found as f64 })
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let terms = precision_terms(ranking, self.cutoff, self.rel);
        let sum = terms.number("sum");
        let found = ranking.found(self.rel, self.cutoff) as f64;
        terms.step("found", "relevant documents in these places", found).divided(sum, "sum / found")
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;

    use crate::judged::JudgedRanking;
    use crate::measure::Measure;

    #[test]
    fn what_is_missing_does_not_count() {
        let list = JudgedRanking::from_grades(&[Some(1.0), None, None], &[1.0, 1.0]);
        let value = |spec| Measure::parse(spec).unwrap().score(&list.view());
        assert_eq!(value("context_precision"), Some(1.0));
        assert_eq!(value("map"), Some(1.0 / 3.0));
    }

    #[test]
    fn what_stands_above_the_relevant_does() {
        let list = JudgedRanking::from_grades(&[None, Some(1.0), Some(1.0), None, None], &[]);
        let value = Measure::parse("context_precision@5").unwrap().score(&list.view()).unwrap();
        assert_abs_diff_eq!(value, 0.583_333_333_333_333, epsilon = 1e-12);
        let nothing = JudgedRanking::from_grades(&[None], &[1.0]);
        assert_eq!(Measure::parse("context_precision").unwrap().score(&nothing.view()), Some(0.0));
    }
}
