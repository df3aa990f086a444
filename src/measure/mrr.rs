//! MRR: how far down the first relevant document stands (Voorhees 1999, the TREC-8 question
//! answering track).

use super::{Computation, MeasureDef, Params, Purpose, Scorer, SpecError, Terms, TrecName};
use crate::judged::{Grade, JudgedRanking};

pub(super) static MRR: MeasureDef = MeasureDef {
    name: "mrr",
    aliases: &["rr", "recip_rank", "reciprocal_rank", "mean_reciprocal_rank"],
    about: "1 / rank of the first relevant document",
    formula: "1 / (smallest rank <= k with grade >= rel), 0 if there is none",
    reading: "1 means first place, 0.5 second, 0.2 fifth: for questions where one good document is enough.",
    blind_to: "Everything below the first relevant document, and how relevant it is.",
    edge_cases: "With @k a first relevant document below rank k counts as none, so mrr and mrr@10 are two measures. \
                 An empty list scores 0.",
    peers: "recip_rank of trec_eval has no cutoff; RR@k of ir_measures and the MS MARCO script (k = 10) have. The \
            granular MRR of LlamaIndex averages 1 / rank over all relevant documents: that is another measure.",
    purpose: Purpose::High,
    source: "Voorhees 1999, TREC-8 Question Answering Track Report",
    trec_name: TrecName::whole("recip_rank"),
    ..MeasureDef::built_by(build)
};

fn build(params: &Params) -> Result<Computation, SpecError> {
    Ok(Computation::ranking(ReciprocalRank { rel: params.threshold(), cutoff: params.cutoff() }))
}

struct ReciprocalRank {
    rel: Grade,
    cutoff: Option<u64>,
}

impl Scorer for ReciprocalRank {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let first = ranking.top(self.cutoff).iter().find(|hit| hit.is_relevant(self.rel));
        Some(first.map_or(0.0, |hit| 1.0 / hit.rank as f64))
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let mut first = None;
        let terms = Terms::over(ranking, self.cutoff, ["1 / rank"], |place| {
            let share = 1.0 / place.rank as f64;
            let is_first = first.is_none() && place.is_relevant(self.rel);
            is_first.then(|| [*first.insert(share)])
        });
        terms.result("1 / rank of the first that is relevant", first.unwrap_or(0.0))
    }
}

#[cfg(test)]
mod tests {
    use crate::judged::JudgedRanking;
    use crate::measure::Measure;

    #[test]
    fn only_the_first_relevant_document_counts() {
        let list = JudgedRanking::from_grades(&[None, Some(0.0), Some(1.0), Some(3.0)], &[]);
        let mrr = |spec| Measure::parse(spec).unwrap().score(&list.view());
        assert_eq!(mrr("mrr"), Some(1.0 / 3.0));
        assert_eq!(mrr("mrr@2"), Some(0.0));
        assert_eq!(mrr("mrr@3"), Some(1.0 / 3.0));
        assert_eq!(mrr("mrr:rel=2"), Some(0.25));
        assert_eq!(mrr("mrr:condensed"), Some(0.5));
    }
}
