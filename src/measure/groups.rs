//! Measures averaged over the judgment groups of each query: several readers, each with judgments
//! of their own.

use super::map::AveragePrecision;
use super::precision::Precision;
use super::rprec::PrecisionAtMultiple;
use super::{Computation, CutoffRule, MeasureDef, Needs, Purpose, REL, TrecName};

pub(super) static MAP_AVGJG: MeasureDef = MeasureDef {
    name: "map_avgjg",
    about: "average precision, averaged over judgment groups",
    formula: "mean of map over the judgment groups of the query",
    reading: "How well one ranking serves several readers, each of whom counts the same.",
    blind_to: "How far the readers are apart.",
    edge_cases: "A group without relevant documents scores 0. Undefined where the labels have no groups.",
    peers: "map_avgjg of trec_eval with -R qrels_jg.",
    source: "trec_eval, map_avgjg",
    cutoff: CutoffRule::Never,
    params: &[REL],
    needs: Needs::Query,
    purpose: Purpose::TrecEval,
    by_name_only: true,
    trec_name: TrecName::whole("map_avgjg"),
    ..MeasureDef::built_by(|params| Ok(Computation::Groups(Box::new(AveragePrecision::whole(params.threshold())))))
};

pub(super) static P_AVGJG: MeasureDef = MeasureDef {
    name: "p_avgjg",
    about: "precision@k, averaged over judgment groups",
    formula: "mean of precision@k over the judgment groups of the query",
    peers: "P_avgjg of trec_eval with -R qrels_jg.",
    source: "trec_eval, P_avgjg",
    cutoff: CutoffRule::Required,
    trec_name: TrecName::at("P_avgjg"),
    build: |params| Ok(Computation::Groups(Box::new(Precision::new(params)))),
    ..MAP_AVGJG
};

pub(super) static RPREC_MULT_AVGJG: MeasureDef = MeasureDef {
    name: "rprec_mult_avgjg",
    about: "precision at a multiple of R, averaged over judgment groups",
    formula: "mean of rprec_mult over the judgment groups of the query, with the R of each",
    peers: "Rprec_mult_avgjg of trec_eval with -R qrels_jg.",
    source: "trec_eval, Rprec_mult_avgjg",
    cutoff: CutoffRule::Multiple,
    trec_name: TrecName::at("Rprec_mult_avgjg"),
    build: |params| Ok(Computation::Groups(Box::new(PrecisionAtMultiple::new(params)?))),
    ..MAP_AVGJG
};

#[cfg(test)]
mod tests {
    use crate::judged::JudgedRanking;
    use crate::measure::{Measure, Reads};

    #[test]
    fn each_group_counts_the_same() {
        // The same list of two: the first reader wants both, the second the second only.
        let both = JudgedRanking::from_grades(&[Some(1.0), Some(1.0)], &[]);
        let second = JudgedRanking::from_grades(&[Some(0.0), Some(1.0)], &[]);
        let groups = [both.view(), second.view()];
        let list = both.view().with_groups(&groups);
        let value = |spec| Measure::parse(spec).unwrap().score(&list);
        assert_eq!(value("map_avgjg"), Some((1.0 + 0.5) / 2.0));
        assert_eq!(value("P_avgjg_1"), Some((1.0 + 0.0) / 2.0));
        assert_eq!(value("rprec_mult_avgjg@1"), Some((1.0 + 0.0) / 2.0));
    }

    #[test]
    fn labels_without_groups_give_no_value() {
        let list = JudgedRanking::from_grades(&[Some(1.0)], &[]);
        let measure = Measure::parse("map_avgjg").unwrap();
        assert_eq!((measure.reads(), measure.score(&list.view())), (Reads::Groups, None));
    }
}
