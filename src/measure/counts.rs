//! Counts: how many queries, results and relevant documents the other numbers stand on.

use super::{Aggregate, Better, Computation, CutoffRule, MeasureDef, Needs, Params, Purpose, REL, Scorer, TrecName};
use crate::judged::{Grade, Hit, JudgedRanking};

pub(super) static NUM_Q: MeasureDef = MeasureDef {
    name: "num_q",
    aliases: &["numq", "num_queries"],
    about: "number of queries",
    formula: "1 per query, summed",
    reading: "How many queries the means are over.",
    blind_to: "Everything else.",
    edge_cases: "Queries that are left out do not count.",
    peers: "num_q of trec_eval. With queries that the run does not answer it depends on -c there.",
    purpose: Purpose::Counts,
    source: "trec_eval, num_q",
    cutoff: CutoffRule::Never,
    params: &[],
    aggregate: Aggregate::Sum,
    better: Better::Neither,
    range: (0.0, f64::INFINITY),
    needs: Needs::Query,
    trec_name: TrecName::whole("num_q"),
    ..MeasureDef::built_by(|params| Ok(Count::build(params, |_, _| 1)))
};

pub(super) static NUM_RET: MeasureDef = MeasureDef {
    name: "num_ret",
    aliases: &["numret", "num_retrieved"],
    about: "number of results",
    formula: "length of the list, summed over queries",
    reading: "How much the run returned.",
    edge_cases: "0 for a query that the run does not answer.",
    peers: "num_ret of trec_eval is the same.",
    source: "trec_eval, num_ret",
    trec_name: TrecName::whole("num_ret"),
    build: |params| Ok(Count::build(params, |ranking, _| ranking.retrieved())),
    ..NUM_Q
};

pub(super) static NUM_REL: MeasureDef = MeasureDef {
    name: "num_rel",
    aliases: &["numrel", "num_relevant"],
    about: "number of relevant documents",
    formula: "R, summed over queries",
    reading: "How much there is to be found.",
    edge_cases: "Counts the labels, whether retrieved or not.",
    peers: "num_rel of trec_eval is the same.",
    source: "trec_eval, num_rel",
    params: &[REL],
    trec_name: TrecName::whole("num_rel"),
    build: |params| Ok(Count::build(params, |ranking, rel| ranking.relevant(rel))),
    ..NUM_Q
};

pub(super) static NUM_REL_RET: MeasureDef = MeasureDef {
    name: "num_rel_ret",
    aliases: &["numrelret", "num_relevant_retrieved"],
    about: "number of relevant documents retrieved",
    formula: "documents of grade >= rel in the list, summed over queries",
    reading: "How much of it was found.",
    edge_cases: "0 for a query that the run does not answer.",
    peers: "num_rel_ret of trec_eval and NumRet(rel=1) of ir_measures are the same.",
    source: "trec_eval, num_rel_ret",
    params: &[REL],
    trec_name: TrecName::whole("num_rel_ret"),
    build: |params| Ok(Count::build(params, |ranking, rel| ranking.recovered(rel, None))),
    ..NUM_Q
};

pub(super) static NUM_NONREL_JUDGED_RET: MeasureDef = MeasureDef {
    name: "num_nonrel_judged_ret",
    aliases: &[],
    about: "number of documents retrieved that were judged and are not relevant",
    formula: "documents of grade 0 to below rel in the list, summed over queries",
    reading: "How much of the list is known to be of no use.",
    edge_cases: "0 for a query that the run does not answer. Unjudged documents do not count.",
    peers: "num_nonrel_judged_ret of trec_eval.",
    source: "trec_eval, num_nonrel_judged_ret",
    params: &[REL],
    purpose: Purpose::TrecEval,
    by_name_only: true,
    trec_name: TrecName::whole("num_nonrel_judged_ret"),
    build: |params| Ok(Count::build(params, judged_not_relevant)),
    ..NUM_Q
};

fn judged_not_relevant(ranking: &JudgedRanking<'_>, rel: Grade) -> u64 {
    let is_meant = |hit: &&Hit| hit.is_judged() && !hit.is_relevant(rel);
    ranking.hits().iter().filter(is_meant).count() as u64
}

struct Count {
    rel: Grade,
    count: fn(&JudgedRanking<'_>, Grade) -> u64,
}

impl Count {
    fn build(params: &Params, count: fn(&JudgedRanking<'_>, Grade) -> u64) -> Computation {
        Computation::ranking(Self { rel: params.threshold(), count })
    }
}

impl Scorer for Count {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        Some((self.count)(ranking, self.rel) as f64)
    }
}

#[cfg(test)]
mod tests {
    use crate::judged::JudgedRanking;
    use crate::measure::Measure;

    #[test]
    fn counts_of_one_query() {
        let list = JudgedRanking::from_grades(&[None, Some(2.0), Some(0.0), Some(-1.0)], &[1.0, 0.0]);
        let count = |spec| Measure::parse(spec).unwrap().score(&list.view());
        assert_eq!(count("num_q"), Some(1.0));
        assert_eq!(count("num_ret"), Some(4.0));
        assert_eq!(count("num_rel"), Some(2.0));
        assert_eq!(count("num_rel_ret"), Some(1.0));
        assert_eq!(count("num_rel:rel=2"), Some(1.0));
        assert_eq!(count("num_nonrel_judged_ret"), Some(1.0));
        assert_eq!(count("num_nonrel_judged_ret:rel=3"), Some(2.0));
    }
}
