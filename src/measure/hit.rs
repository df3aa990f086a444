//! hit@k: did the first k hold anything relevant?

use super::{Computation, MeasureDef, Params, Purpose, Ratio, Scorer, SpecError, Terms, TrecName};
use crate::judged::{Grade, JudgedRanking};

pub(super) static HIT: MeasureDef = MeasureDef {
    name: "hit",
    aliases: &["hits", "success", "accuracy", "hit_rate", "hitrate"],
    about: "whether any of the first k is relevant",
    formula: "1 if a document of grade >= rel stands at rank 1 … k, else 0",
    reading: "The share of queries for which the first k hold at least one relevant document: enough where one \
              document answers.",
    blind_to: "How many relevant documents were found, and where in the first k they stand.",
    edge_cases: "An empty list scores 0. A list shorter than k is fine. Without @k: the whole list.",
    peers: "success_k of trec_eval, Success@k of ir_measures and hit_rate@k of ranx are the same. Some RAG tools call \
            it recall or accuracy: it is recall@k only where each query has one relevant document.",
    purpose: Purpose::Found,
    source: "trec_eval, success",
    trec_name: TrecName::at("success"),
    ..MeasureDef::built_by(build)
};

fn build(params: &Params) -> Result<Computation, SpecError> {
    Ok(Computation::ranking(Hit { rel: params.threshold(), cutoff: params.cutoff() }))
}

struct Hit {
    rel: Grade,
    cutoff: Option<u64>,
}

impl Scorer for Hit {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        self.ratio(ranking).map(Ratio::value)
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let terms = Terms::counting(ranking, self.cutoff, self.rel);
        let hit = f64::from(terms.number("found") > 0.0);
        terms.result("1 if found is at least 1, else 0", hit)
    }

    fn ratio(&self, ranking: &JudgedRanking<'_>) -> Option<Ratio> {
        Some(Ratio::of(u64::from(ranking.found(self.rel, self.cutoff) > 0), 1))
    }
}

#[cfg(test)]
mod tests {
    use crate::judged::JudgedRanking;
    use crate::measure::Measure;

    #[test]
    fn a_relevant_document_below_the_cutoff_is_no_hit() {
        let list = JudgedRanking::from_grades(&[None, Some(0.0), Some(1.0)], &[]);
        let hit = |spec| Measure::parse(spec).unwrap().score(&list.view());
        assert_eq!(hit("hit@2"), Some(0.0));
        assert_eq!(hit("hit@3"), Some(1.0));
        assert_eq!(hit("hit:rel=2@3"), Some(0.0));
    }
}
