//! G and its binary form binG (Buckley 2008): gain discounted by what was lost above it, not by
//! rank.

use super::gains::{GAINS, Gains};
use super::{CONDENSED, Computation, CutoffRule, MeasureDef, Needs, Purpose, Scorer, Terms, TrecName};
use crate::judged::{Grade, JudgedRanking};

pub(super) static BING: MeasureDef = MeasureDef {
    name: "bing",
    aliases: &["bin_g"],
    about: "relevant documents, each discounted by the documents above it that are not",
    formula: "(1 / R) · Σ 1 / log2(2 + n) over the ranks with grade >= rel; n = documents above that are not relevant",
    reading: "A relevant document pays for what a reader had to skip to reach it, not for its rank.",
    blind_to: "How relevant a document is.",
    edge_cases: "A relevant document that is not retrieved adds 0. Unjudged documents count as not relevant.",
    peers: "binG of trec_eval.",
    source: "trec_eval, binG",
    cutoff: CutoffRule::Never,
    purpose: Purpose::TrecEval,
    by_name_only: true,
    trec_name: TrecName::whole("binG"),
    ..MeasureDef::built_by(|params| Ok(Computation::ranking(BinaryGain { rel: params.threshold() })))
};

pub(super) static G: MeasureDef = MeasureDef {
    name: "g",
    aliases: &[],
    about: "graded gain, discounted by the gain that was lost above it",
    formula: "Σ gain_i / log2(2 + cost_i - gain so far) / Σ ideal gains; cost_i = Σ max(ideal gain, 1) up to rank i",
    reading: "1 is the perfect order; a document low in the list counts almost in full when all above it was as good.",
    blind_to: "How much there was to be found.",
    edge_cases: "Documents without a judgment have gain 0. 0 where no grade has a gain.",
    peers: "G of trec_eval.",
    source: "trec_eval, G",
    params: &[CONDENSED, GAINS],
    needs: Needs::Gain,
    trec_name: TrecName::whole("G"),
    build: |params| Ok(Computation::ranking(GradedGain { gains: Gains::new(params) })),
    ..BING
};

struct BinaryGain {
    rel: Grade,
}

impl Scorer for BinaryGain {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = ranking.hits().iter().filter(|hit| hit.is_relevant(self.rel));
        let term = |(found, rank): (u64, u64)| 1.0 / libm::log2((2 + rank - found) as f64);
        let sum = (1..).zip(relevant.map(|hit| hit.rank)).map(term).fold(0.0, |sum, term| sum + term);
        Some(if sum > 0.0 { sum / ranking.relevant(self.rel) as f64 } else { 0.0 })
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let mut found = 0;
        let terms = Terms::over(ranking, None, ["n", "contribution"], |place| {
            place.is_relevant(self.rel).then(|| {
                let above = (place.rank - 1 - found) as f64;
                found += 1;
                [above, 1.0 / libm::log2(2.0 + above)]
            })
        });
        let terms = terms.summed("sum", "of the contributions, 1 / log2(2 + n)");
        let (terms, sum) = (terms.clone().with_relevant(ranking.relevant(self.rel)), terms.number("sum"));
        terms.divided(sum, "sum / R")
    }
}

struct GradedGain {
    gains: Gains,
}

impl GradedGain {
    /// Gain, cost, gain so far and contribution of each rank with a gain.
    fn contributions(&self, ranking: &JudgedRanking<'_>, ideal: &[f64]) -> Vec<(u64, [f64; 4])> {
        let (mut cost, mut reached, mut gained) = (0.0, 0, 0.0);
        let mut contributions = Vec::new();
        for (rank, gain) in self.gains.ranked(ranking, None) {
            let passed = ideal.get(reached..).unwrap_or_default().iter().take((rank - reached as u64) as usize);
            let (with_gain, costs) = passed.fold((0, 0.0), |(n, sum), gain| (n + 1, sum + gain.max(1.0)));
            cost += costs + (rank - reached as u64 - with_gain) as f64;
            reached = rank as usize;
            gained += gain;
            if gain != 0.0 {
                contributions.push((rank, [gain, cost, gained, gain / libm::log2(2.0 + cost - gained)]));
            }
        }
        contributions
    }
}

impl Scorer for GradedGain {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let ideal = self.gains.ideal(ranking);
        let sum = self.contributions(ranking, &ideal).iter().fold(0.0, |sum, (_, [.., term])| sum + term);
        let best = ideal.iter().fold(0.0, |sum, gain| sum + gain);
        let value = if best > 0.0 { sum / best } else { 0.0 };
        Some(value).filter(|value| value.is_finite())
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let ideal = self.gains.ideal(ranking);
        let columns = ["gain", "cost", "gain so far", "contribution"];
        let terms = Terms::at(ranking, None, columns, &self.contributions(ranking, &ideal));
        let terms = terms.summed("sum", "of the contributions, gain / log2(2 + cost - gain so far)");
        let sum = terms.number("sum");
        let best = ideal.iter().fold(0.0, |sum, gain| sum + gain);
        terms.step("best", "the sum of all gains above 0", best).divided(sum, "sum / best")
    }

    fn trec_name(&self) -> Option<String> {
        Some(self.gains.trec_name("G"))
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;

    use super::*;
    use crate::measure::Measure;

    fn value(spec: &str, ranked: &[Option<Grade>], not_retrieved: &[Grade]) -> f64 {
        let list = JudgedRanking::from_grades(ranked, not_retrieved);
        Measure::parse(spec).unwrap().score(&list.view()).unwrap()
    }

    #[test]
    fn a_relevant_document_pays_for_what_stands_above_it() {
        // None above the first, one above the second, two above the third of four.
        let ranked = [Some(1.0), None, Some(2.0), Some(0.0), Some(1.0)];
        let expected = (1.0 + 1.0 / 3.0_f64.log2() + 1.0 / 2.0) / 4.0;
        assert_abs_diff_eq!(value("binG", &ranked, &[1.0]), expected, epsilon = 1e-12);
        assert_eq!(value("binG", &[None], &[1.0]), 0.0);
    }

    #[test]
    fn gain_is_discounted_by_what_was_lost() {
        // Ideal gains 2, 1, so that the costs are 2, 3, 4; gained 1 and then 3.
        let expected = (1.0 / (2.0_f64 + 2.0 - 1.0).log2() + 2.0 / (2.0_f64 + 4.0 - 3.0).log2()) / 3.0;
        assert_abs_diff_eq!(value("G", &[Some(1.0), None, Some(2.0)], &[]), expected, epsilon = 1e-12);
        assert_eq!(value("G", &[Some(2.0), Some(1.0)], &[]), 1.0);
        assert_eq!(value("G:1=4", &[Some(1.0), Some(2.0)], &[]), 1.0);
    }
}
