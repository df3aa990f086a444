//! recall@k and two of its kin: all or nothing (full_recall) and BEIR's divisor (capped_recall).

use super::{Computation, CutoffRule, MeasureDef, Params, Purpose, Ratio, Scorer, Terms, TrecName};
use crate::judged::{Grade, JudgedRanking};

pub(super) static RECALL: MeasureDef = MeasureDef {
    name: "recall",
    aliases: &["r", "rec", "set_recall@all", "setr@all"],
    about: "the share of all relevant documents that stands in the first k",
    formula: "(documents of grade >= rel at rank 1 … k) / R, R = all documents of grade >= rel",
    reading: "What the first k do not hold, no later step can use: recall at the size of the prompt bounds the answer.",
    blind_to: "The order within the first k, and how much else stands there. It is only as complete as the labels: \
               relevant documents that nobody judged are not missed.",
    edge_cases: "With R > k nobody can reach 1. A query without relevant documents has no recall.",
    peers: "recall_k of trec_eval and R@k of ir_measures are the same; over the whole list it is set_recall. Some RAG \
            tools call hit@k recall.",
    purpose: Purpose::Complete,
    source: "Cleverdon, Mills and Keen 1966; trec_eval, recall",
    capped: true,
    trec_name: TrecName::both("set_recall", "recall"),
    ..MeasureDef::built_by(|params| Ok(Recall::build(params, Rule::Share)))
};

pub(super) static FULL_RECALL: MeasureDef = MeasureDef {
    name: "full_recall",
    aliases: &["all_recall", "complete_recall"],
    about: "whether all relevant documents stand in the first k",
    formula: "1 if the first k hold all R documents of grade >= rel, else 0",
    reading: "The share of queries for which all the evidence arrived: what a question needs that joins several \
              documents.",
    blind_to: "Near misses: nine of ten found counts as none.",
    edge_cases: "0 for every query with R > k. A query without relevant documents has no value.",
    peers: "trec_eval and ir_measures lack it: it is their recall@k, counted where it is 1.",
    purpose: Purpose::Found,
    source: "the event recall@k = 1, counted",
    trec_name: TrecName::NONE,
    build: |params| Ok(Recall::build(params, Rule::All)),
    ..RECALL
};

pub(super) static CAPPED_RECALL: MeasureDef = MeasureDef {
    name: "capped_recall",
    aliases: &["r_cap", "recall_cap", "relative_p"],
    about: "recall@k, with no more than k expected",
    formula: "(documents of grade >= rel at rank 1 … k) / min(R, k)",
    reading: "The share of what could have been found in k places: 1 stays within reach when R > k.",
    blind_to: "What recall is blind to, and how much remains out of reach because k is small.",
    edge_cases: "Needs @k. A query without relevant documents has no value.",
    peers: "R_cap@k of BEIR (which divides by 0 without relevant documents) and relative_P_k of trec_eval are the \
            same.",
    source: "Thakur et al. 2021 (BEIR); trec_eval, relative_P",
    cutoff: CutoffRule::Required,
    capped: false,
    trec_name: TrecName::at("relative_P"),
    build: |params| Ok(Recall::build(params, Rule::Capped)),
    ..RECALL
};

#[derive(Clone, Copy)]
enum Rule {
    Share,
    All,
    Capped,
}

struct Recall {
    rel: Grade,
    cutoff: Option<u64>,
    rule: Rule,
}

impl Recall {
    fn build(params: &Params, rule: Rule) -> Computation {
        Computation::ranking(Self { rel: params.threshold(), cutoff: params.cutoff(), rule })
    }
}

impl Scorer for Recall {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let (found, relevant) = (ranking.recovered(self.rel, self.cutoff), ranking.relevant(self.rel));
        let ratio = match self.rule {
            Rule::Share => Ratio::of(found, relevant),
            Rule::All => Ratio::of(u64::from(found == relevant && found > 0), 1),
            Rule::Capped => Ratio::of(found, self.cutoff.map_or(relevant, |k| k.min(relevant))),
        };
        Some(ratio.value())
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let relevant = ranking.relevant(self.rel);
        let terms = Terms::counting(ranking, self.cutoff, self.rel).with_relevant(relevant);
        let found = terms.number("found");
        match self.rule {
            Rule::Share => terms.divided(found, "found / R"),
            Rule::All => terms.result("1 if found = R, else 0", f64::from(found == relevant as f64 && found > 0.0)),
            Rule::Capped => {
                let most = self.cutoff.map_or(relevant, |k| k.min(relevant));
                terms.step("most", "the smaller of R and k", most as f64).divided(found, "found / most")
            }
        }
    }

    fn ratio(&self, ranking: &JudgedRanking<'_>) -> Option<Ratio> {
        let parts = || Ratio::of(ranking.recovered(self.rel, self.cutoff), ranking.relevant(self.rel));
        matches!(self.rule, Rule::Share).then(parts)
    }
}

#[cfg(test)]
mod tests {
    use crate::judged::JudgedRanking;
    use crate::measure::Measure;

    #[test]
    fn four_relevant_and_two_places() {
        let list = JudgedRanking::from_grades(&[Some(1.0), None, Some(1.0), None, None], &[1.0, 1.0]);
        let value = |spec| Measure::parse(spec).unwrap().score(&list.view());
        assert_eq!(value("recall@2"), Some(0.25));
        assert_eq!(value("capped_recall@2"), Some(0.5));
        assert_eq!(value("full_recall@2"), Some(0.0));
        assert_eq!(value("recall"), Some(0.5));
    }

    #[test]
    fn full_recall_wants_every_one() {
        let list = JudgedRanking::from_grades(&[Some(1.0), Some(0.0), Some(2.0)], &[]);
        let full = |spec| Measure::parse(spec).unwrap().score(&list.view());
        assert_eq!(full("full_recall@2"), Some(0.0));
        assert_eq!(full("full_recall@3"), Some(1.0));
        assert_eq!(full("full_recall:rel=3"), Some(0.0));
    }

    #[test]
    fn only_plain_recall_can_be_pooled() {
        let list = JudgedRanking::from_grades(&[Some(1.0)], &[1.0]);
        let ratio = |spec| Measure::parse(spec).unwrap().ratio(&list.view());
        assert_eq!(ratio("recall@5").map(|ratio| (ratio.numerator, ratio.denominator)), Some((1.0, 2.0)));
        assert!(ratio("full_recall@5").is_none() && ratio("capped_recall@5").is_none());
    }
}
