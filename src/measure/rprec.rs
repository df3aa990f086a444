//! R-precision: precision at the rank where a perfect list would end.

use super::{Computation, CutoffRule, MeasureDef, Params, Purpose, Ratio, Scorer, SpecError, Terms, TrecName};
use crate::judged::{Grade, JudgedRanking};

pub(super) static RPREC: MeasureDef = MeasureDef {
    name: "rprec",
    aliases: &["r_prec", "r_precision", "rprecision"],
    about: "the share of the first R that is relevant",
    formula: "(documents of grade >= rel at rank 1 … R) / R",
    reading: "The cutoff follows the query, so 1 is always within reach; precision and recall are equal there.",
    blind_to: "The order within the first R, and everything below.",
    edge_cases: "A list shorter than R is still divided by R. A query without relevant documents has no value.",
    peers: "Rprec of trec_eval and ir_measures and r-precision of ranx are the same. elinor reads r_precision@5 and \
            drops the 5.",
    purpose: Purpose::Complete,
    source: "trec_eval, Rprec",
    cutoff: CutoffRule::Never,
    trec_name: TrecName::whole("Rprec"),
    ..MeasureDef::built_by(build)
};

pub(super) static RPREC_MULT: MeasureDef = MeasureDef {
    name: "rprec_mult",
    aliases: &[],
    about: "precision at a multiple of R, the number of relevant documents",
    formula: "(documents of grade >= rel at rank 1 … c) / c, c = x · R + 0.9 without its fraction, for @x",
    reading: "Below 1 · R it rewards precision, above it recall; at 1 it is rprec.",
    blind_to: "The order within the first c, and everything below.",
    edge_cases: "Needs a multiple behind the @. A list shorter than c is still divided by c. 0 where c is 0.",
    peers: "Rprec_mult of trec_eval.",
    source: "trec_eval, Rprec_mult",
    cutoff: CutoffRule::Multiple,
    capped: true,
    purpose: Purpose::TrecEval,
    by_name_only: true,
    trec_name: TrecName::at("Rprec_mult"),
    build: |params| Ok(Computation::ranking(PrecisionAtMultiple::new(params)?)),
    ..RPREC
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

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let relevant = ranking.relevant(self.rel);
        let terms = Terms::counting(ranking, Some(relevant), self.rel).with_relevant(relevant);
        let found = terms.number("found");
        terms.divided(found, "found / R")
    }
}

pub(super) struct PrecisionAtMultiple {
    rel: Grade,
    multiple: f64,
}

impl PrecisionAtMultiple {
    pub(super) fn new(params: &Params) -> Result<Self, SpecError> {
        let multiple = params.level().ok_or_else(|| RPREC_MULT.lacks_cutoff())?;
        Ok(Self { rel: params.threshold(), multiple })
    }
}

impl Scorer for PrecisionAtMultiple {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let cutoff = (self.multiple * ranking.relevant(self.rel) as f64 + 0.9) as u64;
        Some(Ratio::of(ranking.found(self.rel, Some(cutoff)), cutoff).value())
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let relevant = ranking.relevant(self.rel);
        let cutoff = (self.multiple * relevant as f64 + 0.9) as u64;
        let terms = Terms::counting(ranking, Some(cutoff), self.rel).with_relevant(relevant);
        let found = terms.number("found");
        terms.step("k", "the multiple of R plus 0.9, without its fraction", cutoff as f64).divided(found, "found / k")
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

    #[test]
    fn multiples_are_rounded_as_in_trec_eval() {
        // R = 3: 0.2 · 3 + 0.9 is 1, 0.4 · 3 + 0.9 is 2, 2 · 3 + 0.9 is 6 and beyond the end.
        let list = JudgedRanking::from_grades(&[Some(1.0), None, Some(1.0)], &[1.0]);
        let value = |spec| Measure::parse(spec).unwrap().score(&list.view());
        assert_eq!(value("rprec_mult@0.2"), Some(1.0));
        assert_eq!(value("Rprec_mult_0.40"), Some(0.5));
        assert_eq!(value("rprec_mult@2"), Some(2.0 / 6.0));
        assert_eq!(value("rprec_mult@1"), value("rprec"));
        assert_eq!(value("rprec_mult@0"), Some(0.0));
    }
}
