//! R-precision: precision at the rank where a perfect list would end.

use super::{
    Aggregate, Better, CONDENSED, Computation, CutoffRule, MeasureDef, Needs, Params, REL, Ratio, Scorer, SpecError,
    TrecName,
};
use crate::judged::{Grade, JudgedRanking};

pub(super) static RPREC: MeasureDef = MeasureDef {
    name: "rprec",
    aliases: &["r_prec", "r_precision", "rprecision"],
    about: "the share of the first R that is relevant",
    formula: "(documents of grade >= rel at rank 1 … R) / R",
    reading: "The cutoff follows the query, so 1 is always within reach; precision and recall are equal there.",
    blind_to: "The order within the first R, and everything below.",
    edge_cases: "A list shorter than R is still divided by R. A query without relevant documents has no value.",
    peers: "Rprec of trec_eval and ir_measures, r-precision of ranx. elinor reads r_precision@5 and drops the 5.",
    source: "trec_eval, Rprec",
    cutoff: CutoffRule::Never,
    params: &[REL, CONDENSED],
    aggregate: Aggregate::Mean,
    better: Better::Higher,
    range: (0.0, 1.0),
    needs: Needs::Relevant,
    capped: false,
    needs_zeros: false,
    trec_only: false,
    trec_name: TrecName::whole("Rprec"),
    build,
};

fn build(params: &Params) -> Result<Computation, SpecError> {
    Ok(Computation::ranking(RPrecision { rel: params.threshold() }))
}

struct RPrecision {
    rel: Grade,
}

impl Scorer for RPrecision {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = ranking.relevant(self.rel);
        Some(Ratio::of(ranking.found(self.rel, Some(relevant)), relevant).value())
    }
}

#[cfg(test)]
mod tests {
    use crate::judged::JudgedRanking;
    use crate::measure::Measure;

    #[test]
    fn the_cutoff_is_the_number_of_relevant_documents() {
        let rprec = |spec, ranked: &[_], rest: &[_]| {
            Measure::parse(spec).unwrap().score(&JudgedRanking::from_grades(ranked, rest).view())
        };
        assert_eq!(rprec("rprec", &[None, Some(2.0), Some(3.0), None, Some(1.0)], &[2.0]), Some(0.5));
        assert_eq!(rprec("rprec:rel=2", &[None, Some(2.0), Some(3.0), None, Some(1.0)], &[2.0]), Some(2.0 / 3.0));
        assert_eq!(rprec("rprec", &[Some(1.0)], &[1.0]), Some(0.5));
    }
}
