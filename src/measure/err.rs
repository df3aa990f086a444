//! Expected reciprocal rank (Chapelle, Metzler, Zhang and Grinspan 2009): a reader goes down the
//! list and stops with a chance that grows with the grade.

use super::ndcg::exponential;
use super::{
    CONDENSED, Computation, MeasureDef, Needs, ParamDef, ParamValues, Params, Purpose, Scorer, SpecError, Terms,
};
use crate::judged::LabelFacts;
use crate::judged::{Grade, JudgedRanking};

const MAX: ParamDef = ParamDef {
    name: "max",
    aliases: &["max_grade", "max_rel"],
    values: ParamValues::Number(0.0, f64::INFINITY),
    default: None,
    not_with: None,
    about: "largest grade of the scale; without it the largest grade of the labels",
};

pub(super) static ERR: MeasureDef = MeasureDef {
    name: "err",
    aliases: &["expected_reciprocal_rank"],
    about: "the expected 1 / rank at which a reader is satisfied",
    formula: "Σ (1 / i) · S_i · Π (1 - S_j over j < i) over the first k, S_i = (2^grade_i - 1) / 2^max",
    reading: "As mrr, for grades: a document of a high grade ends the search, one of a low grade may.",
    blind_to: "Almost everything below the first document of the highest grade.",
    edge_cases: "max is the largest grade of all labels, never of one query, or err:max=4. A grade above err:max is an \
                 error. It is not normalised: with grades up to 3 the best single document scores 0.875. Negative \
                 grades and unjudged documents satisfy nobody.",
    peers: "gdeval (and ERR of ir_measures) takes max = 4 whatever the labels hold; trec_eval has no ERR.",
    purpose: Purpose::Graded,
    source: "Chapelle et al. 2009, Expected reciprocal rank for graded relevance (CIKM)",
    params: &[CONDENSED, MAX],
    needs: Needs::Gain,
    capped: true,
    ..MeasureDef::built_by(build)
};

fn build(params: &Params) -> Result<Computation, SpecError> {
    Ok(Computation::ranking(ExpectedReciprocalRank { max: params.number("max"), cutoff: params.cutoff() }))
}

struct ExpectedReciprocalRank {
    max: Option<Grade>,
    cutoff: Option<u64>,
}

impl Scorer for ExpectedReciprocalRank {
    /// `None` until the largest grade is known.
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let max = self.max?;
        let (mut sum, mut still_reading) = (0.0, 1.0);
        for hit in ranking.top(self.cutoff).iter().filter(|hit| hit.grade > 0.0) {
            let satisfied = exponential(hit.grade, max);
            sum += still_reading * satisfied / hit.rank as f64;
            still_reading *= 1.0 - satisfied;
        }
        Some(sum)
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let (max, mut still_reading) = (self.max.unwrap_or(0.0), 1.0);
        let columns = ["still reading", "stops here", "contribution"];
        let terms = Terms::over(ranking, self.cutoff, columns, |place| {
            let satisfied = exponential(place.grade.filter(|&grade| grade > 0.0)?, max);
            let reading = still_reading;
            still_reading *= 1.0 - satisfied;
            Some([reading, satisfied, reading * satisfied / place.rank as f64])
        });
        let terms = terms.summed("sum", "of the contributions, still reading · stops here / rank").step(
            "max",
            "the largest grade of the labels or of err:max",
            max,
        );
        let sum = terms.number("sum");
        terms.result("sum", sum)
    }

    fn max_grade(&self) -> Option<Grade> {
        self.max
    }

    fn is_bound(&self) -> bool {
        self.max.is_some()
    }

    fn bind(&self, facts: &LabelFacts) -> Result<Option<Box<dyn Scorer>>, SpecError> {
        let max = self.max.unwrap_or(facts.max_grade);
        if facts.max_grade > max {
            let measure = format!("err:max={max}");
            return Err(SpecError::GradeAboveMax { measure, grade: facts.max_grade, max });
        }
        Ok(Some(Box::new(Self { max: Some(max), cutoff: self.cutoff })))
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;

    use super::*;
    use crate::measure::Measure;

    fn err(spec: &str, ranked: &[Option<Grade>], max_grade: Grade) -> f64 {
        let measure = Measure::parse(spec).unwrap().bind(&LabelFacts { max_grade }).unwrap();
        measure.score(&JudgedRanking::from_grades(ranked, &[]).view()).unwrap()
    }

    #[test]
    fn the_scale_of_the_labels_decides() {
        let list = [Some(2.0), Some(0.0), Some(1.0)];
        assert_abs_diff_eq!(err("err", &list, 2.0), 0.7708, epsilon = 5e-5);
        assert_abs_diff_eq!(err("err", &list, 3.0), 0.4010, epsilon = 5e-5);
        assert_abs_diff_eq!(err("err:max=4", &list, 3.0), 0.2044, epsilon = 5e-5);
    }

    #[test]
    fn the_worked_example_term_by_term() {
        let list = [None, Some(2.0), Some(3.0), None, Some(1.0)];
        assert_abs_diff_eq!(err("err@2", &list, 3.0), 0.1875);
        assert_abs_diff_eq!(err("err@3", &list, 3.0), 0.1875 + 0.182_291_666_666_667, epsilon = 1e-12);
        assert_abs_diff_eq!(err("err@5", &list, 3.0), 0.371_744_791_666_667, epsilon = 1e-12);
        assert_abs_diff_eq!(err("err:max=4@5", &list, 3.0), 0.217_952_473_958_333, epsilon = 1e-12);
    }

    #[test]
    fn grades_beyond_exponents_do_not_overflow() {
        assert_abs_diff_eq!(err("err", &[Some(5000.0)], 5000.0), 1.0);
        assert_eq!(err("err", &[Some(0.0)], 0.0), 0.0);
    }

    #[test]
    fn a_grade_above_the_scale_is_refused() {
        let error = Measure::parse("err:max=2@5").unwrap().bind(&LabelFacts { max_grade: 3.0 }).unwrap_err();
        assert_eq!(error.to_string(), "err:max=2: the labels hold grade 3, expected none above 2");
    }

    #[test]
    fn without_a_scale_there_is_no_value() {
        let list = JudgedRanking::from_grades(&[Some(1.0)], &[]);
        assert_eq!(Measure::parse("err").unwrap().score(&list.view()), None);
    }
}
