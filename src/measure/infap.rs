//! Inferred average precision: AP estimated from a pool of which only a part was judged (Yilmaz
//! and Aslam 2006).

use super::{Computation, CutoffRule, MeasureDef, Params, Purpose, REL, Scorer, SpecError, Terms, TrecName};
use crate::judged::{Grade, Hit, JudgedRanking};

pub(super) static INFAP: MeasureDef = MeasureDef {
    name: "infap",
    aliases: &["inf_ap", "inferred_ap"],
    about: "average precision, with the judged part of the pool standing for the rest",
    formula: "(1 / R) · Σ 1/i + (i-1)/i · pooled/(i-1) · (r + e)/(r + n + 2e) over the ranks i with grade >= rel; r, n \
              = relevant and other judged documents above, pooled = those and the unjudged of the pool, e = 0.00001",
    reading: "Estimates map where the labels say which documents were pooled but not judged (negative grades).",
    blind_to: "What was not pooled: it counts as not relevant.",
    edge_cases: "The term at rank 1 is 1. Without negative grades it is map, up to e. Over the whole list.",
    peers: "infAP of trec_eval and ir_measures is the same.",
    purpose: Purpose::Incomplete,
    source: "Yilmaz and Aslam 2006, Estimating average precision with incomplete and imperfect judgments (CIKM)",
    cutoff: CutoffRule::Never,
    params: &[REL],
    trec_name: TrecName::whole("infAP"),
    ..MeasureDef::built_by(build)
};

/// Keeps the estimate defined where nothing above was judged.
const EPSILON: f64 = 1e-5;

fn build(params: &Params) -> Result<Computation, SpecError> {
    Ok(Computation::ranking(InferredAp { rel: params.threshold() }))
}

struct InferredAp {
    rel: Grade,
}

/// What stands above a rank.
#[derive(Default)]
struct Above {
    relevant: f64,
    other: f64,
    unjudged: f64,
}

impl Above {
    fn add(&mut self, hit: &Hit, rel: Grade) {
        let count = match (hit.is_judged(), hit.is_relevant(rel)) {
            (false, _) => &mut self.unjudged,
            (true, true) => &mut self.relevant,
            (true, false) => &mut self.other,
        };
        *count += 1.0;
    }

    /// Expected precision at the rank of a relevant document.
    fn precision(&self, rank: f64) -> f64 {
        let above = rank - 1.0;
        if above == 0.0 {
            return 1.0;
        }
        let pooled = (self.relevant + self.other + self.unjudged) / above;
        let relevant = (self.relevant + EPSILON) / (self.relevant + self.other + 2.0 * EPSILON);
        1.0 / rank + (above / rank) * pooled * relevant
    }
}

impl Scorer for InferredAp {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let (mut sum, mut above) = (0.0, Above::default());
        for hit in ranking.hits() {
            if hit.is_relevant(self.rel) {
                sum += above.precision(hit.rank as f64);
            }
            above.add(hit, self.rel);
        }
        let relevant = ranking.relevant(self.rel);
        Some(if relevant == 0 { 0.0 } else { sum / relevant as f64 })
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let mut above = Above::default();
        let columns = ["r", "n", "unjudged", "contribution"];
        let terms = Terms::over(ranking, None, columns, |place| {
            let hit = Hit { rank: place.rank, grade: place.grade? };
            let Above { relevant, other, unjudged } = above;
            let precision = above.precision(hit.rank as f64);
            above.add(&hit, self.rel);
            hit.is_relevant(self.rel).then_some([relevant, other, unjudged, precision])
        });
        let terms = terms
            .summed("sum", "of the contributions, the estimates of precision")
            .with_relevant(ranking.relevant(self.rel));
        let sum = terms.number("sum");
        terms.divided(sum, "sum / R")
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;

    use crate::judged::{Grade, JudgedRanking};
    use crate::measure::Measure;

    fn infap(ranked: &[Option<Grade>], not_retrieved: &[Grade]) -> f64 {
        let list = JudgedRanking::from_grades(ranked, not_retrieved);
        Measure::parse("infAP").unwrap().score(&list.view()).unwrap()
    }

    #[test]
    fn pooled_documents_count_as_those_judged_above_them() {
        // Rank 4: one relevant and one not relevant judged above, one pooled: 1/4 + 3/4 · 3/3 · 1/2.
        assert_abs_diff_eq!(infap(&[Some(1.0), Some(0.0), Some(-1.0), Some(1.0)], &[]), (1.0 + 0.625) / 2.0);
        // Not pooled at all: only two of the three above count, 1/4 + 3/4 · 2/3 · 1/2.
        assert_abs_diff_eq!(infap(&[Some(1.0), Some(0.0), None, Some(1.0)], &[]), (1.0 + 0.5) / 2.0);
    }

    #[test]
    fn nothing_judged_above_is_a_half() {
        assert_abs_diff_eq!(infap(&[Some(-1.0), Some(1.0)], &[]), 0.5 + 0.5 * 0.5);
        assert_abs_diff_eq!(infap(&[None, Some(1.0)], &[1.0]), 0.25);
    }
}
