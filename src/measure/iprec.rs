//! Interpolated precision at a recall level: the points of the classic recall-precision curve.

use super::{
    Aggregate, Better, CONDENSED, Computation, CutoffRule, MeasureDef, Needs, Params, REL, Scorer, SpecError, TrecName,
};
use crate::judged::{Grade, JudgedRanking};

pub(super) static IPREC: MeasureDef = MeasureDef {
    name: "iprec",
    aliases: &["iprec_at_recall", "interpolated_precision"],
    about: "the best precision at or below the rank where a share of the relevant documents is found",
    formula: "max precision@i over the ranks i at which at least round(level · R) relevant documents are found",
    reading: "What precision a reader can have who wants this share of everything relevant.",
    blind_to: "How relevant a document is.",
    edge_cases: "Needs a level behind the @, from 0 to 1. 0 when so many are not retrieved. Level 0 is the best \
                 precision anywhere.",
    peers: "iprec_at_recall of trec_eval 10, whose rounding (half away from 0) differs from that of trec_eval 9.",
    source: "trec_eval, iprec_at_recall",
    cutoff: CutoffRule::RecallLevel,
    params: &[REL, CONDENSED],
    aggregate: Aggregate::Mean,
    better: Better::Higher,
    range: (0.0, 1.0),
    needs: Needs::Relevant,
    capped: false,
    needs_zeros: false,
    trec_only: true,
    trec_name: TrecName::at("iprec_at_recall"),
    build,
};

fn build(params: &Params) -> Result<Computation, SpecError> {
    let required = SpecError::CutoffRequired { measure: IPREC.name, example: "0.2" };
    Ok(Computation::ranking(InterpolatedPrecision { rel: params.threshold(), level: params.level().ok_or(required)? }))
}

struct InterpolatedPrecision {
    rel: Grade,
    level: f64,
}

impl Scorer for InterpolatedPrecision {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let wanted = (self.level * ranking.relevant(self.rel) as f64).round() as u64;
        let relevant = ranking.hits().iter().filter(|hit| hit.is_relevant(self.rel));
        let precisions = (1_u64..).zip(relevant).filter(|&(found, _)| found >= wanted);
        Some(precisions.fold(0.0, |best, (found, hit)| f64::max(best, found as f64 / hit.rank as f64)))
    }
}

#[cfg(test)]
mod tests {
    use crate::judged::JudgedRanking;
    use crate::measure::Measure;

    #[test]
    fn the_best_precision_from_there_on_counts() {
        // Precision 1/2 at rank 2, 2/3 at rank 3, 3/5 at rank 5; one of four is not retrieved.
        let list = JudgedRanking::from_grades(&[None, Some(2.0), Some(3.0), None, Some(1.0)], &[2.0]);
        let iprec = |spec| Measure::parse(spec).unwrap().score(&list.view());
        assert_eq!(iprec("iprec@0"), Some(2.0 / 3.0));
        assert_eq!(iprec("iprec_at_recall_0.25"), Some(2.0 / 3.0));
        assert_eq!(iprec("IPrec@0.6"), Some(2.0 / 3.0));
        assert_eq!(iprec("iprec@0.625"), Some(0.6));
        assert_eq!(iprec("iprec@1"), Some(0.0));
    }
}
