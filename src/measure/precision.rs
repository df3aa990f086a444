//! precision@k: how much of what was returned is relevant.

use super::{Computation, MeasureDef, Params, Purpose, Ratio, Scorer, SpecError, Terms, TrecName};
use crate::judged::{Grade, JudgedRanking};

pub(super) static PRECISION: MeasureDef = MeasureDef {
    name: "precision",
    aliases: &["p", "prec", "set_p@all", "setp@all"],
    about: "the share of the first k that is relevant",
    formula: "(documents of grade >= rel at rank 1 … k) / k",
    reading: "Of k results that a reader (or a prompt) is given, this share is worth having.",
    blind_to: "The order within the first k, how relevant a document is, and what is missing. With R < k relevant \
               documents nobody can reach 1: the best is R / k.",
    edge_cases: "The divisor is k even when fewer are returned. Without @k it is the length of the list, and an \
                 empty list scores 0.",
    peers: "P_k of trec_eval and P@k of ir_measures are the same; over the whole list it is set_P and SetP. Tools that \
            divide by the number returned show more for short lists.",
    purpose: Purpose::Clean,
    source: "Cleverdon, Mills and Keen 1966; trec_eval, P",
    capped: true,
    trec_name: TrecName::both("set_P", "P"),
    ..MeasureDef::built_by(build)
};

fn build(params: &Params) -> Result<Computation, SpecError> {
    Ok(Computation::ranking(Precision::new(params)))
}

pub(super) struct Precision {
    rel: Grade,
    cutoff: Option<u64>,
}

impl Precision {
    pub(super) fn new(params: &Params) -> Self {
        Self { rel: params.threshold(), cutoff: params.cutoff() }
    }
}

impl Scorer for Precision {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        self.ratio(ranking).map(Ratio::value)
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let terms = Terms::counting(ranking, self.cutoff, self.rel);
        let (found, places) = (terms.number("found"), self.cutoff.unwrap_or(ranking.retrieved()));
        match self.cutoff {
            Some(_) => terms.step("k", "places, whether filled or not", places as f64).divided(found, "found / k"),
            None => terms.step("n", "documents returned", places as f64).divided(found, "found / n"),
        }
    }

    fn ratio(&self, ranking: &JudgedRanking<'_>) -> Option<Ratio> {
        let found = ranking.found(self.rel, self.cutoff);
        Some(Ratio::of(found, self.cutoff.unwrap_or(ranking.retrieved())))
    }
}

#[cfg(test)]
mod tests {
    use crate::judged::JudgedRanking;
    use crate::measure::Measure;

    #[test]
    fn the_divisor_is_the_cutoff_not_the_number_returned() {
        let list = JudgedRanking::from_grades(&[Some(1.0), None], &[]);
        let precision = |spec| Measure::parse(spec).unwrap().score(&list.view());
        assert_eq!(precision("precision@1"), Some(1.0));
        assert_eq!(precision("precision@5"), Some(0.2));
        assert_eq!(precision("precision"), Some(0.5));
        assert_eq!(precision("precision@1000000000000000"), Some(1e-15));
    }

    #[test]
    fn the_whole_of_an_empty_list_scores_0() {
        let list = JudgedRanking::from_grades(&[], &[1.0]);
        assert_eq!(Measure::parse("set_P").unwrap().score(&list.view()), Some(0.0));
    }

    #[test]
    fn precision_can_rise_with_the_cutoff() {
        let list = JudgedRanking::from_grades(&[None, Some(1.0)], &[]);
        let precision = |spec| Measure::parse(spec).unwrap().score(&list.view());
        assert_eq!((precision("p@1"), precision("p@2")), (Some(0.0), Some(0.5)));
    }
}
