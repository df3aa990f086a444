//! Discounted cumulative gain (Järvelin and Kekäläinen 2002) with the logarithm of rank + 1, and
//! the exponential gain of Burges et al. 2005.

use std::f64::consts::LN_2;

use super::gains::{self, GAINS, Gains};
use super::{
    Better, CONDENSED, Computation, MeasureDef, Needs, Params, Place, Purpose, Ratio, Scorer, SpecError, Terms,
    TrecName,
};
use crate::judged::LabelFacts;
use crate::judged::{Grade, JudgedRanking};

pub(super) static NDCG: MeasureDef = MeasureDef {
    name: "ndcg",
    aliases: &["ndcg_cut", "ndcg_linear"],
    about: "graded gain, discounted by rank, as a share of the best possible",
    formula: "DCG / ideal DCG, DCG = Σ grade_i / log2(i + 1) over the first k; the ideal order is that of all judged \
              documents, cut at k",
    reading: "1 is the perfect order of everything judged. A step from rank 1 to 2 costs more than one from 9 to 10.",
    blind_to: "How much there was to be found: a query with one relevant document and one with fifty weigh the same.",
    edge_cases: "Unjudged documents and negative grades have gain 0. A short list does not shorten the ideal. The \
                 threshold rel does not touch it. A query without a grade above 0 has no value. Of gold passages a \
                 chunk may hold several, each of which has a rank of its own in the ideal order: what would come to \
                 more than 1 is 1.",
    peers: "ndcg and ndcg_cut_k of trec_eval and nDCG@k of ir_measures, BEIR and MTEB are the same. ranx sets grades \
            below its threshold to 0; ndcg_score of scikit-learn averages over the orders of equal scores. The form of \
            2002, which does not discount the first two ranks, gives other values, and so does an ideal order of the \
            retrieved documents alone, which is too easy to reach.",
    purpose: Purpose::Graded,
    source: "Järvelin and Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques (TOIS)",
    params: &[CONDENSED, GAINS],
    needs: Needs::Gain,
    trec_name: TrecName::both("ndcg", "ndcg_cut"),
    ..MeasureDef::built_by(|params| match Gains::new(params) {
        gains if gains.are_grades() => Normalised::build(params, Gain::Linear),
        gains => Ok(OwnGains::build(params, gains, Part::Normalised)),
    })
};

pub(super) static NDCG_EXP: MeasureDef = MeasureDef {
    name: "ndcg_exp",
    aliases: &["ndcg_burges", "ndcg_exponential"],
    about: "nDCG with gain 2^grade - 1",
    formula: "as ndcg, with gain 2^grade - 1",
    reading: "As ndcg, but each grade is worth about twice the one below: the top of the scale decides.",
    edge_cases: "As ndcg. Gains are taken relative to the largest one, so no grade is too large.",
    peers: "ndcg_burges of ranx and elinor, nDCG(dcg='exp-log2') of ir_measures, gdeval, XGBoost and Elasticsearch. \
            The same as ndcg when grades are 0 and 1.",
    source: "Burges et al. 2005, Learning to rank using gradient descent (ICML)",
    params: &[CONDENSED],
    trec_name: TrecName::NONE,
    build: |params| Normalised::build(params, Gain::Exponential),
    ..NDCG
};

pub(super) static DCG: MeasureDef = MeasureDef {
    name: "dcg",
    aliases: &["dcg_linear"],
    about: "graded gain, discounted by rank, not normalised",
    formula: "Σ grade_i / log2(i + 1) over the first k",
    reading: "Comparable between runs on the same query, not between queries.",
    blind_to: "What there was to be found. Its mean is ruled by queries with many relevant documents.",
    edge_cases: "Unjudged documents and negative grades have gain 0. Undefined where the sum is too large for a \
                 number.",
    peers: "dcg of trec_eval over the whole list and DCG@k of ir_measures are the same.",
    range: (0.0, f64::INFINITY),
    trec_name: TrecName::whole("dcg"),
    build: |params| match Gains::new(params) {
        gains if gains.are_grades() => Ok(Computation::ranking(Plain { cutoff: params.cutoff(), gain: Gain::Linear })),
        gains => Ok(OwnGains::build(params, gains, Part::Gained)),
    },
    ..NDCG
};

pub(super) static DCG_EXP: MeasureDef = MeasureDef {
    name: "dcg_exp",
    aliases: &["dcg_burges"],
    about: "DCG with gain 2^grade - 1, not normalised",
    formula: "Σ (2^grade_i - 1) / log2(i + 1) over the first k",
    edge_cases: "As dcg. Labels with a grade of 1024 or more are refused: the gain would be too large for a number.",
    peers: "DCG(dcg='exp-log2') of ir_measures.",
    source: "Burges et al. 2005, Learning to rank using gradient descent (ICML)",
    params: &[CONDENSED],
    trec_name: TrecName::NONE,
    build: |params| Ok(Computation::ranking(Plain { cutoff: params.cutoff(), gain: Gain::Exponential })),
    ..DCG
};

pub(super) static IDEAL_DCG: MeasureDef = MeasureDef {
    name: "ideal_dcg",
    aliases: &["idcg"],
    about: "the largest DCG that a ranking can have",
    formula: "Σ grade_i / log2(i + 1) over the first k of all judged documents in the ideal order",
    reading: "What dcg is divided by to give ndcg.",
    blind_to: "The ranking.",
    edge_cases: "Depends on the labels alone. Gains of 0 and below are not part of it.",
    peers: "ideal_dcg of trec_eval over the whole list.",
    params: &[GAINS],
    better: Better::Neither,
    needs: Needs::Query,
    purpose: Purpose::TrecEval,
    by_name_only: true,
    trec_name: TrecName::whole("ideal_dcg"),
    build: |params| Ok(OwnGains::build(params, Gains::new(params), Part::Ideal)),
    ..DCG
};

/// What a grade is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gain {
    Linear,
    Exponential,
}

impl Gain {
    /// The gain of a grade, in a unit that keeps sums finite when no grade is above `top`.
    fn relative(self, grade: Grade, top: Grade) -> f64 {
        match self {
            Self::Linear => grade / power_of_two_up_to(top),
            Self::Exponential => exponential(grade, top),
        }
    }

    fn plain(self, grade: Grade) -> f64 {
        match self {
            Self::Linear => grade,
            Self::Exponential => exponential(grade, 0.0),
        }
    }
}

/// (2^grade − 1) / 2^top: exact for whole grades, without overflow for large ones, without
/// cancellation for small ones.
pub(super) fn exponential(grade: Grade, top: Grade) -> f64 {
    let share = if grade < 1.0 { -libm::expm1(-grade * LN_2) } else { 1.0 - libm::exp2(-grade) };
    libm::exp2(grade - top) * share
}

/// The largest power of two up to a grade, at least the smallest normal number. Dividing by it
/// costs no digit.
fn power_of_two_up_to(grade: Grade) -> f64 {
    let exponent = !((1 << (f64::MANTISSA_DIGITS - 1)) - 1);
    f64::from_bits(grade.max(f64::MIN_POSITIVE).to_bits() & exponent)
}

/// Σ gain / log2(rank + 1), in the order of ranks.
fn discounted(grades: impl Iterator<Item = (u64, Grade)>, gain: impl Fn(Grade) -> f64) -> f64 {
    let worth = grades.filter(|&(_, grade)| grade > 0.0);
    worth.fold(0.0, |sum, (rank, grade)| sum + gain(grade) / libm::log2(rank as f64 + 1.0))
}

/// Ranks and grades of the first `cutoff` results that stand in the labels.
fn ranked(ranking: &JudgedRanking<'_>, cutoff: Option<u64>) -> impl Iterator<Item = (u64, Grade)> {
    ranking.credited(cutoff).iter().map(|hit| (hit.rank, hit.grade))
}

/// Ranks and grades of the first `cutoff` places of the best possible ranking.
fn ideal(ranking: &JudgedRanking<'_>, cutoff: Option<u64>) -> impl Iterator<Item = (u64, Grade)> {
    (1..=cutoff.unwrap_or(u64::MAX)).zip(ranking.ideal().iter().copied().take_while(|&grade| grade > 0.0))
}

/// The columns of a discounted gain.
fn discounting(gain: impl Fn(Grade) -> f64) -> impl Fn(&Place) -> Option<[f64; 3]> {
    move |place| {
        let gain = gain(place.grade.filter(|&grade| grade > 0.0)?);
        let discount = libm::log2(place.rank as f64 + 1.0);
        Some([gain, discount, gain / discount])
    }
}

/// What stands in the columns of a discounted gain.
const COLUMNS: [&str; 3] = ["gain", "log2(rank + 1)", "contribution"];

/// The gain of each place, discounted, with the sum.
fn gain_terms(ranking: &JudgedRanking<'_>, cutoff: Option<u64>, gain: impl Fn(Grade) -> f64) -> Terms {
    Terms::over(ranking, cutoff, COLUMNS, discounting(gain)).summed("DCG", "the sum over the list")
}

struct Normalised {
    cutoff: Option<u64>,
    gain: Gain,
}

impl Normalised {
    fn build(params: &Params, gain: Gain) -> Result<Computation, SpecError> {
        Ok(Computation::ranking(Self { cutoff: params.cutoff(), gain }))
    }
}

impl Scorer for Normalised {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let top = ranking.ideal().first().copied().unwrap_or(0.0);
        let gain = |grade| self.gain.relative(grade, top);
        let best = discounted(ideal(ranking, self.cutoff), gain);
        if best == 0.0 {
            return Some(0.0);
        }
        // Rounding alone can carry the wrong order of almost equal grades past 1, and so can one
        // chunk with several gold passages, each of which has a rank of its own in the ideal.
        Some(f64::min(1.0, discounted(ranked(ranking, self.cutoff), gain) / best))
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let top = ranking.ideal().first().copied().unwrap_or(0.0);
        let is_large = !(discounted(ideal(ranking, self.cutoff), |grade| self.gain.plain(grade))).is_finite();
        let gain = |grade| if is_large { self.gain.relative(grade, top) } else { self.gain.plain(grade) };
        let terms = gain_terms(ranking, self.cutoff, gain);
        let best = ("ideal", "the sum of the best possible order");
        let terms = terms.with_ideal(ideal(ranking, self.cutoff), discounting(gain), best);
        let dcg = terms.number("DCG");
        terms.divided(dcg, "DCG / ideal")
    }
}

struct Plain {
    cutoff: Option<u64>,
    gain: Gain,
}

impl Scorer for Plain {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let sum = discounted(ranked(ranking, self.cutoff), |grade| self.gain.plain(grade));
        Some(sum).filter(|sum| sum.is_finite())
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let terms = gain_terms(ranking, self.cutoff, |grade| self.gain.plain(grade));
        let dcg = terms.number("DCG");
        terms.result("DCG", dcg)
    }

    fn bind(&self, facts: &LabelFacts) -> Result<Option<Box<dyn Scorer>>, SpecError> {
        match self.gain {
            Gain::Exponential if facts.max_grade >= 1024.0 => {
                Err(SpecError::GradeTooLarge { measure: DCG_EXP.name, grade: facts.max_grade })
            }
            _ => Ok(None),
        }
    }
}

/// The same sums with gains that were given for single grades.
struct OwnGains {
    cutoff: Option<u64>,
    gains: Gains,
    part: Part,
}

#[derive(Clone, Copy)]
enum Part {
    Gained,
    Ideal,
    Normalised,
}

impl OwnGains {
    fn build(params: &Params, gains: Gains, part: Part) -> Computation {
        Computation::ranking(Self { cutoff: params.cutoff(), gains, part })
    }
}

impl Scorer for OwnGains {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let gained = || gains::discounted(self.gains.ranked(ranking, self.cutoff));
        let ideal = || gains::discounted((1..=self.cutoff.unwrap_or(u64::MAX)).zip(self.gains.ideal(ranking)));
        let value = match self.part {
            Part::Gained => gained(),
            Part::Ideal => ideal(),
            Part::Normalised => Ratio { numerator: gained(), denominator: ideal() }.value(),
        };
        Some(value).filter(|value| value.is_finite())
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let discounted = |rank: u64, gain: f64| {
            let discount = libm::log2(rank as f64 + 1.0);
            [gain, discount, gain / discount]
        };
        let ranked = match self.part {
            Part::Ideal => Vec::new(),
            Part::Gained | Part::Normalised => self.gains.ranked(ranking, self.cutoff),
        };
        let cells: Vec<(u64, [f64; 3])> = ranked.iter().map(|&(rank, gain)| (rank, discounted(rank, gain))).collect();
        let seen = if matches!(self.part, Part::Ideal) { Some(0) } else { self.cutoff };
        let terms = Terms::at(ranking, seen, COLUMNS, &cells).summed("DCG", "the sum over the list");
        let best = ("ideal", "the sum of the best possible order");
        let ideal = self.gains.ideal(ranking).into_iter().zip(1..=self.cutoff.unwrap_or(u64::MAX));
        let with_ideal = |terms: Terms| {
            let gains = ideal.map(|(gain, rank)| (rank, gain));
            terms.with_ideal(gains, |place| Some(discounted(place.rank, place.grade?)), best)
        };
        let dcg = terms.number("DCG");
        match self.part {
            Part::Gained => terms.result("DCG", dcg),
            Part::Ideal => {
                let terms = with_ideal(terms);
                let ideal = terms.number("ideal");
                terms.result("ideal", ideal)
            }
            Part::Normalised => with_ideal(terms).divided(dcg, "DCG / ideal"),
        }
    }

    fn trec_name(&self) -> Option<String> {
        let name = match self.part {
            Part::Gained => "dcg",
            Part::Ideal => "ideal_dcg",
            Part::Normalised => "ndcg",
        };
        self.cutoff.is_none().then(|| self.gains.trec_name(name))
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
    fn linear_and_exponential_gain_differ() {
        let wrong_order = [Some(1.0), Some(3.0)];
        assert_abs_diff_eq!(value("ndcg", &wrong_order, &[]), 0.7967, epsilon = 5e-5);
        assert_abs_diff_eq!(value("ndcg_exp", &wrong_order, &[]), 0.7098, epsilon = 5e-5);
        assert_abs_diff_eq!(value("ndcg@5", &[Some(1.0), Some(2.0)], &[]), 0.859_718_699_852_197, epsilon = 1e-12);
        assert_abs_diff_eq!(value("ndcg_exp@5", &[Some(1.0), Some(2.0)], &[]), 0.796_707_580_990_507, epsilon = 1e-12);
    }

    #[test]
    fn fractional_grades_are_gains() {
        let wrong_order = [Some(0.5), Some(0.9)];
        assert_abs_diff_eq!(value("ndcg", &wrong_order, &[]), 0.8785, epsilon = 5e-5);
        assert_abs_diff_eq!(value("ndcg_exp", &wrong_order, &[]), 0.8521, epsilon = 5e-5);
    }

    #[test]
    fn grades_of_any_size_have_a_value() {
        for scale in [1e-300, 1e-17, 1e300] {
            assert_eq!(value("ndcg_exp", &[Some(scale), Some(scale / 2.0)], &[]), 1.0, "{scale}");
            assert_eq!(value("ndcg", &[Some(scale); 3], &[]), 1.0, "{scale}");
        }
        assert_eq!(value("ndcg", &[Some(f64::MAX); 3], &[]), 1.0);
        assert_abs_diff_eq!(value("ndcg_exp", &[Some(1999.0), Some(2000.0)], &[]), 0.8597, epsilon = 5e-5);
    }

    #[test]
    fn almost_equal_grades_stay_within_1() {
        let grade = |steps: u32| Some(1.0 + f64::from(steps) * f64::EPSILON);
        for a in 0..216 {
            let list = [grade(a % 6), grade(a / 6 % 6), grade(a / 36), grade(a % 5)];
            assert!(value("ndcg", &list, &[]) <= 1.0, "{list:?}");
        }
    }

    #[test]
    fn a_short_list_does_not_shorten_the_ideal() {
        assert_abs_diff_eq!(value("ndcg@5", &[Some(1.0)], &[1.0; 4]), 1.0 / 2.9485, epsilon = 5e-5);
        assert_abs_diff_eq!(value("ndcg@1", &[Some(1.0)], &[1.0; 4]), 1.0);
    }

    #[test]
    fn negative_grades_have_no_gain() {
        assert_abs_diff_eq!(value("ndcg", &[Some(-2.0), Some(1.0)], &[]), 0.6309, epsilon = 5e-5);
        assert_eq!(value("dcg", &[Some(-2.0)], &[]), 0.0);
    }

    #[test]
    fn nothing_to_gain_is_0_and_not_nan() {
        assert_eq!(value("ndcg@10", &[Some(0.0), None], &[0.0]), 0.0);
        assert_eq!(value("ndcg@10", &[], &[]), 0.0);
    }

    #[test]
    fn exponential_gains_of_whole_grades_are_exact() {
        for grade in 0..53 {
            assert_eq!(exponential(f64::from(grade), 0.0), ((1_u64 << grade) - 1) as f64, "{grade}");
        }
        assert_eq!(exponential(2.0, 3.0), 0.375);
    }

    #[test]
    fn dcg_exp_refuses_gains_beyond_numbers() {
        let bound = |max_grade| Measure::parse("dcg_exp@10").unwrap().bind(&LabelFacts { max_grade });
        assert!(bound(1023.0).is_ok());
        assert_eq!(
            bound(1024.0).unwrap_err().to_string(),
            "dcg_exp: 2^1024 is too large a gain, expected grades below 1024"
        );
    }
}
