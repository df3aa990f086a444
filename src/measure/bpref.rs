//! bpref: preferences of relevant over judged non-relevant documents (Buckley and Voorhees 2004).

use super::map::{LOG_FLOOR, log_above_floor, log_terms};
use super::{
    Aggregate, Computation, CutoffRule, MeasureDef, Needs, ParamDef, ParamValues, Params, Purpose, REL, Scorer,
    SpecError, Terms, TrecName,
};
use crate::judged::{Grade, JudgedRanking};

const VARIANT: ParamDef = ParamDef {
    name: "variant",
    aliases: &[],
    values: ParamValues::Words(&["trec", "2004", "10"]),
    default: Some("trec"),
    not_with: None,
    about: "what n is divided by: min(N, R) (trec), R (2004), or R + 10 (10)",
};

pub(super) static BPREF: MeasureDef = MeasureDef {
    name: "bpref",
    aliases: &["binary_preference"],
    about: "how seldom a judged non-relevant document stands above a relevant one",
    formula: "(1 / R) · Σ 1 - min(n, R) / min(N, R) over the relevant documents retrieved; n = judged non-relevant \
              documents above it, N = all of them",
    reading: "Made for incomplete labels: unjudged documents do not touch it.",
    blind_to: "Where in the list the judged documents stand, as long as their order is the same.",
    edge_cases: "A relevant document that is not retrieved adds 0. The term is 1 when n = 0, so labels without a \
                 judged non-relevant document give the share of relevant documents retrieved. Over the whole list; \
                 negative grades are skipped.",
    peers: "bpref of trec_eval 8 and later is the same. variant=2004 divides by R as the paper does, variant=10 by R + \
            10 as its experiments did. Without judged non-relevant documents ranx and elinor print NaN, trectools 0.",
    purpose: Purpose::Incomplete,
    source: "Buckley and Voorhees 2004, Retrieval evaluation with incomplete information (SIGIR); trec_eval, bpref",
    cutoff: CutoffRule::Never,
    params: &[REL, VARIANT],
    needs_zeros: true,
    trec_name: TrecName::whole("bpref"),
    ..MeasureDef::built_by(build)
};

pub(super) static GM_BPREF: MeasureDef = MeasureDef {
    name: "gm_bpref",
    aliases: &[],
    about: "the geometric mean of bpref",
    formula: "exp of the mean over queries of ln(max(bpref, 0.00001)); the value of a query is that logarithm",
    reading: "Moves most when the worst queries do: doubling the bpref of any query counts the same.",
    blind_to: "What bpref is blind to. The floor decides how much a query at zero weighs.",
    edge_cases: "bpref below 0.00001 counts as 0.00001. A query without relevant documents counts so too, if it \
                 counts.",
    peers: "gm_bpref of trec_eval, which prints it for all queries only.",
    source: "trec_eval, gm_bpref",
    params: &[REL],
    aggregate: Aggregate::GeometricMean,
    range: (LOG_FLOOR, 0.0),
    needs: Needs::Query,
    purpose: Purpose::TrecEval,
    by_name_only: true,
    trec_name: TrecName::whole("gm_bpref"),
    build: |params| Ok(Computation::ranking(Log(Bpref { rel: params.threshold(), variant: Variant::TrecEval }))),
    ..BPREF
};

fn build(params: &Params) -> Result<Computation, SpecError> {
    let variant = match params.word("variant") {
        Some("2004") => Variant::Paper,
        Some("10") => Variant::PlusTen,
        _ => Variant::TrecEval,
    };
    Ok(Computation::ranking(Bpref { rel: params.threshold(), variant }))
}

#[derive(Clone, Copy)]
enum Variant {
    TrecEval,
    Paper,
    PlusTen,
}

impl Variant {
    /// What one relevant document adds with `above` non-relevant documents above it, `relevant`
    /// and `other` being all there are.
    fn term(self, above: u64, relevant: u64, other: u64) -> f64 {
        let (counted, divisor) = match self {
            Self::TrecEval => (above.min(relevant), relevant.min(other)),
            Self::Paper => (above.min(relevant), relevant),
            Self::PlusTen => (above.min(relevant + 10), relevant + 10),
        };
        if above == 0 { 1.0 } else { 1.0 - counted as f64 / divisor as f64 }
    }
}

impl Variant {
    /// What the sum is of; n are the judged non-relevant documents above.
    fn rule(self) -> &'static str {
        match self {
            Self::TrecEval => "of the contributions, 1 - min(n, R) / min(N, R)",
            Self::Paper => "of the contributions, 1 - min(n, R) / R",
            Self::PlusTen => "of the contributions, 1 - min(n, R + 10) / (R + 10)",
        }
    }
}

struct Bpref {
    rel: Grade,
    variant: Variant,
}

impl Scorer for Bpref {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let (relevant, other) = (ranking.relevant(self.rel), ranking.judged_not_relevant(self.rel));
        let (mut sum, mut above) = (0.0, 0);
        for hit in ranking.credited(None).iter().filter(|hit| hit.is_judged()) {
            if hit.is_relevant(self.rel) {
                sum += self.variant.term(above, relevant, other);
            } else {
                above += 1;
            }
        }
        Some(if relevant == 0 { 0.0 } else { sum / relevant as f64 })
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let (relevant, other) = (ranking.relevant(self.rel), ranking.judged_not_relevant(self.rel));
        let mut above = 0;
        let terms = Terms::over(ranking, None, ["n", "contribution"], |place| {
            let is_relevant = place.is_relevant(self.rel);
            above += u64::from(place.is_judged() && !is_relevant);
            is_relevant.then(|| [above as f64, self.variant.term(above, relevant, other)])
        });
        let terms = terms.step("N", "judged documents that are not relevant", other as f64);
        let terms = terms.summed("sum", self.variant.rule()).with_relevant(relevant);
        let sum = terms.number("sum");
        terms.divided(sum, "sum / R")
    }
}

/// The logarithm of a measure for its geometric mean.
struct Log(Bpref);

impl Scorer for Log {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        self.0.score(ranking).map(log_above_floor)
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        log_terms(self.0.terms(ranking), "bpref")
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;

    use super::*;
    use crate::measure::Measure;

    const YES: Option<Grade> = Some(1.0);
    const NO: Option<Grade> = Some(0.0);

    fn check(ranked: &[Option<Grade>], not_retrieved: &[Grade], expected: [f64; 3]) {
        let list = JudgedRanking::from_grades(ranked, not_retrieved);
        for (spec, expected) in ["bpref", "bpref:variant=2004", "bpref:variant=10"].iter().zip(expected) {
            let value = Measure::parse(spec).unwrap().score(&list.view()).unwrap();
            assert_abs_diff_eq!(value, expected, epsilon = 1e-12);
        }
    }

    #[test]
    fn fewer_retrieved_than_judged_non_relevant_documents() {
        check(&[NO, YES, YES, YES, YES], &[1.0, 1.0, 0.0, 0.0, 0.0], [0.5, 5.0 / 9.0, 0.625]);
    }

    #[test]
    fn fewer_non_relevant_than_relevant_documents() {
        check(&[NO, YES, NO, YES], &[1.0], [1.0 / 6.0, 1.0 / 3.0, (12.0 + 11.0) / 39.0]);
    }

    #[test]
    fn more_non_relevant_than_relevant_documents() {
        check(&[NO, NO, NO, YES, YES], &[0.0], [0.0, 0.0, 0.75]);
    }

    #[test]
    fn without_judged_non_relevant_documents_it_is_recall() {
        check(&[None, YES, YES], &[1.0], [2.0 / 3.0; 3]);
    }

    #[test]
    fn unjudged_and_pooled_documents_do_not_touch_it() {
        let grades = [Some(0.0), Some(2.0), None, Some(3.0), Some(-1.0), Some(0.0), Some(1.0), Some(0.0), None];
        check(&grades, &[2.0, 0.0], [0.5, 0.5, 38.0 / 56.0]);
    }
}
