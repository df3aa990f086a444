//! Rank-biased precision and how far unjudged documents leave it open (Moffat and Zobel 2008).

use super::gains::{GAINS, Gains};
use super::{
    Better, CONDENSED, Computation, CutoffRule, MeasureDef, Needs, ParamDef, ParamValues, Params, Purpose, REL, Scorer,
    SpecError, Terms,
};
use crate::judged::LabelFacts;
use crate::judged::{Grade, Hit, JudgedRanking};

const P: ParamDef = ParamDef {
    name: "p",
    aliases: &[],
    values: ParamValues::Number(0.0, 1.0),
    default: Some("0.8"),
    not_with: None,
    about: "persistence: chance that the reader goes on to the next rank",
};

const GAIN: ParamDef = ParamDef {
    name: "gain",
    aliases: &[],
    values: ParamValues::Words(&["binary", "graded", "query"]),
    default: Some("binary"),
    not_with: None,
    about: "relevant or not (binary), grade / largest grade of the labels (graded), or of the query if above 1 (query)",
};

const TAIL: ParamDef = ParamDef {
    name: "tail",
    aliases: &[],
    values: ParamValues::Flag,
    default: None,
    not_with: None,
    about: "only what lies below the end of the list",
};

pub(super) static RBP: MeasureDef = MeasureDef {
    name: "rbp",
    aliases: &["rank_biased_precision"],
    about: "the gain per result of a reader who goes on with chance p",
    formula: "(1 - p) · Σ gain_i · p^(i - 1); gain 1 if grade >= rel, else 0",
    reading: "With p = 0.8 a reader looks at 5 results on average, with 0.95 at 20. The value lies in \
              [rbp, rbp + rbp_residual], whatever is found to be relevant later.",
    blind_to: "What is missing: it does not know how much there was to be found, so few relevant documents cap it.",
    edge_cases: "Unjudged documents gain nothing here; the residual beside it says what they could. It is over the \
                 whole list.",
    peers: "rbp of trec_eval 10 has p = 0.9 and takes grades as gains; if one is above 1 it scales them by numbers \
            that were never set (rbp:gain=query:p=0.9, as in `raglens trec_eval`, divides by the largest of the \
            query). rbp.95 of ranx is p = 0.95 with raw grades, which can pass 1. gain=graded divides by the largest \
            grade of all labels.",
    purpose: Purpose::High,
    source: "Moffat and Zobel 2008, Rank-biased precision for measurement of retrieval effectiveness (TOIS)",
    cutoff: CutoffRule::Never,
    params: &[CONDENSED, GAIN, GAINS, P, ParamDef { not_with: Some(("gain", &["graded", "query"])), ..REL }],
    capped: true,
    ..MeasureDef::built_by(build)
};

pub(super) static RBP_RESIDUAL: MeasureDef = MeasureDef {
    name: "rbp_residual",
    aliases: &["rbp_resid"],
    about: "what unjudged documents could still add to rbp",
    formula: "p^n + (1 - p) · Σ p^(i - 1) over the unjudged ranks i of the n returned",
    reading: "The width of what is not known: 0.3 means that rbp could be up to 0.3 higher with complete labels.",
    blind_to: "How likely it is that unjudged documents are relevant.",
    edge_cases: "1 for an empty list, p^n when all n results are judged; a negative grade is not judged. \
                 rbp_residual:tail is p^n alone.",
    peers: "rbp_resid of trec_eval 10 has p = 0.9 and prints 0 when no result is unjudged, where p^n is right.",
    purpose: Purpose::Incomplete,
    params: &[P, TAIL],
    better: Better::Neither,
    needs: Needs::Query,
    capped: false,
    build: |params| Ok(Computation::ranking(Residual { p: persistence(params), tail: params.flag("tail") })),
    ..RBP
};

fn build(params: &Params) -> Result<Computation, SpecError> {
    let (p, gains) = (persistence(params), Gains::new(params));
    let gain = params.word("gain").unwrap_or("binary");
    if gain == "query" {
        return Ok(Computation::ranking(OfQuery { p, gains }));
    }
    match gains.are_grades() {
        true => Ok(Computation::ranking(RankBiasedPrecision::new(params))),
        false => Err(SpecError::NotWith { text: params.label(&RBP), param: GAINS.name, with: GAIN.name, value: gain }),
    }
}

fn persistence(params: &Params) -> f64 {
    params.number("p").unwrap_or(0.8)
}

/// The chance p^(rank − 1) that the reader comes so far.
fn reach(p: f64, rank: u64) -> f64 {
    libm::pow(p, (rank - 1) as f64)
}

/// Σ gain · p^(rank − 1) over gains from 0 to 1 in the order of ranks.
fn reached(p: f64, gains: impl Iterator<Item = (u64, f64)>) -> f64 {
    /// Less than this share of a sum leaves it as it is.
    const LOST: f64 = f64::EPSILON / 256.0;
    let mut sum = 0.0;
    for (rank, gain) in gains.filter(|&(_, gain)| gain > 0.0) {
        let reach = reach(p, rank);
        if reach < sum * LOST {
            break;
        }
        sum += gain * reach;
    }
    sum
}

#[derive(Clone, Copy)]
struct RankBiasedPrecision {
    p: f64,
    /// The threshold; `None` for graded gains.
    rel: Option<Grade>,
    max_grade: Option<Grade>,
    /// Whether trec_eval computes the same when no grade is above 1.
    as_in_trec_eval: bool,
}

impl RankBiasedPrecision {
    fn new(params: &Params) -> Self {
        let rel = params.number("rel");
        let as_in_trec_eval = rel == Some(1.0) && !params.flag("condensed");
        Self { p: persistence(params), rel, max_grade: None, as_in_trec_eval }
    }

    /// `None` while the scale of graded gains is not known.
    fn gain(&self, hit: &Hit) -> Option<f64> {
        match self.rel {
            Some(rel) => Some(f64::from(hit.is_relevant(rel))),
            None => self.max_grade.map(|max| if hit.grade > 0.0 { hit.grade / max } else { 0.0 }),
        }
    }
}

impl Scorer for RankBiasedPrecision {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        if !self.is_bound() {
            return None;
        }
        let gains = ranking.hits().iter().map(|hit| (hit.rank, self.gain(hit).unwrap_or(0.0)));
        let sum = reached(self.p, gains);
        // Rounding alone can carry the sum of a long list past 1.
        Some(f64::min(1.0, (1.0 - self.p) * sum))
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let terms = Terms::over(ranking, None, ["gain", "p^(rank - 1)", "contribution"], |place| {
            let gain = self.gain(&Hit { rank: place.rank, grade: place.grade? }).filter(|&gain| gain > 0.0)?;
            let reach = reach(self.p, place.rank);
            Some([gain, reach, gain * reach])
        });
        let terms = terms.summed("sum", "of the contributions").step("p", "chance to go on to the next rank", self.p);
        let sum = terms.number("sum");
        terms.result("(1 - p) · sum", f64::min(1.0, (1.0 - self.p) * sum))
    }

    fn max_grade(&self) -> Option<Grade> {
        self.max_grade.filter(|_| self.rel.is_none())
    }

    fn is_bound(&self) -> bool {
        self.rel.is_some() || self.max_grade.is_some()
    }

    fn trec_name(&self) -> Option<String> {
        let is_binary = self.max_grade.is_some_and(|max| max <= 1.0);
        match self.p {
            _ if !(is_binary && self.as_in_trec_eval) => None,
            0.9 => Some("rbp".to_owned()),
            p => Some(format!("rbp_p={p}")),
        }
    }

    fn bind(&self, facts: &LabelFacts) -> Result<Option<Box<dyn Scorer>>, SpecError> {
        Ok(Some(Box::new(Self { max_grade: Some(facts.max_grade), ..*self })))
    }
}

/// With gains relative to the largest one of the query: trec_eval 10, as it is meant. (It
/// compares with a minimum and a maximum that were never set.)
struct OfQuery {
    p: f64,
    gains: Gains,
}

impl Scorer for OfQuery {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let (low, high) = (self.gains.smallest(), self.gains.largest(ranking));
        let (low, width) = if low < 0.0 || high > 1.0 { (low, high - low) } else { (0.0, 1.0) };
        let gains = self.gains.ranked(ranking, None);
        let sum = gains.iter().fold(0.0, |sum, (rank, gain)| sum + (gain - low) / width * reach(self.p, *rank));
        Some((1.0 - self.p) * sum).map(|value| value.clamp(0.0, 1.0)).filter(|value| value.is_finite())
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let (low, high) = (self.gains.smallest(), self.gains.largest(ranking));
        let (low, width) = if low < 0.0 || high > 1.0 { (low, high - low) } else { (0.0, 1.0) };
        let cells = self.gains.ranked(ranking, None).into_iter().map(|(rank, gain)| {
            let (gain, reach) = ((gain - low) / width, reach(self.p, rank));
            (rank, [gain, reach, gain * reach])
        });
        let cells: Vec<(u64, [f64; 3])> = cells.collect();
        let terms = Terms::at(ranking, None, ["gain", "p^(rank - 1)", "contribution"], &cells);
        let terms = terms.summed("sum", "of the contributions");
        let terms = terms.step("width", "what gains are divided by", width);
        let terms = terms.step("p", "chance to go on to the next rank", self.p);
        let sum = terms.number("sum");
        terms.result("(1 - p) · sum", ((1.0 - self.p) * sum).clamp(0.0, 1.0))
    }

    fn trec_name(&self) -> Option<String> {
        let gains = self.gains.trec_name("");
        match (self.p, gains.strip_prefix('_')) {
            (0.9, None) => Some("rbp".to_owned()),
            (p, None) => Some(format!("rbp_p={p}")),
            (p, Some(gains)) => Some(format!("rbp_p={p},{gains}")),
        }
    }
}

struct Residual {
    p: f64,
    tail: bool,
}

impl Scorer for Residual {
    /// 1 − (1 − p) · Σ over judged ranks is the same sum without a term for every unjudged rank;
    /// the tail bounds it from below where that difference cancels.
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let tail = libm::pow(self.p, ranking.retrieved() as f64);
        if self.tail {
            return Some(tail);
        }
        let judged = ranking.hits().iter().filter(|hit| hit.is_judged());
        let seen = reached(self.p, judged.map(|hit| (hit.rank, 1.0)));
        Some(tail.max(1.0 - (1.0 - self.p) * seen))
    }

    /// The weights of unjudged places in a row are (1 − p) · Σ p^(i − 1) = p^(first − 1) − p^last.
    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let power = |rank: u64| libm::pow(self.p, rank as f64);
        let terms = match self.tail {
            true => Terms::seen(ranking, Some(0)),
            false => Terms::over(ranking, None, ["contribution"], |place| {
                (!place.is_judged()).then(|| [power(place.rank - 1) - power(place.last)])
            })
            .summed("unjudged", "the sum of (1 - p) · p^(rank - 1) over places that nobody judged"),
        };
        let retrieved = ranking.retrieved();
        let terms = terms.step("n", "documents returned", retrieved as f64);
        let terms = terms.step("p", "chance to go on to the next rank", self.p);
        let (tail, unjudged) = (power(retrieved), terms.number("unjudged"));
        terms.result(if self.tail { "p^n" } else { "p^n + unjudged" }, tail + unjudged)
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;

    use super::*;
    use crate::measure::Measure;

    fn value(spec: &str, ranked: &[Option<Grade>], max_grade: Grade) -> f64 {
        let measure = Measure::parse(spec).unwrap().bind(&LabelFacts { max_grade }).unwrap();
        measure.score(&JudgedRanking::from_grades(ranked, &[]).view()).unwrap()
    }

    #[test]
    fn what_comes_too_late_to_matter_changes_no_bit() {
        let grades: Vec<Option<Grade>> = (0..3000).map(|index| Some(f64::from(index * 7 % 5))).collect();
        for (spec, p) in [("rbp", 0.8), ("rbp:p=0.99", 0.99), ("rbp:p=0.5:gain=graded", 0.5)] {
            let gain = |grade: Grade| if spec.contains("graded") { grade / 4.0 } else { f64::from(grade >= 1.0) };
            let sum = grades
                .iter()
                .flatten()
                .zip(0..)
                .fold(0.0, |sum, (&grade, place)| sum + gain(grade) * libm::pow(p, f64::from(place)));
            assert_eq!(value(spec, &grades, 4.0), f64::min(1.0, (1.0 - p) * sum), "{spec}");
        }
    }

    #[test]
    fn the_worked_example() {
        let list = [None, Some(2.0), Some(3.0), None, Some(1.0)];
        assert_abs_diff_eq!(value("rbp", &list, 3.0), 0.369_92, epsilon = 1e-12);
        assert_abs_diff_eq!(value("rbp_residual:tail", &list, 3.0), 0.327_68, epsilon = 1e-12);
        assert_abs_diff_eq!(value("rbp_residual", &list, 3.0), 0.630_08, epsilon = 1e-12);
        let graded = 0.2 * (2.0 * 0.8 + 3.0 * 0.64 + 0.4096) / 3.0;
        assert_abs_diff_eq!(value("rbp:gain=graded", &list, 3.0), graded, epsilon = 1e-12);
    }

    #[test]
    fn the_residual_is_what_unjudged_ranks_and_the_tail_could_add() {
        let list = [Some(1.0), None, Some(0.0)];
        assert_abs_diff_eq!(value("rbp", &list, 1.0), 0.2, epsilon = 1e-12);
        assert_abs_diff_eq!(value("rbp_residual", &list, 1.0), 0.672, epsilon = 1e-12);
        assert_abs_diff_eq!(value("rbp_residual:p=0.9", &[Some(1.0)], 1.0), 0.9, epsilon = 1e-12);
        assert_eq!(value("rbp_residual", &[], 1.0), 1.0);
        assert_eq!(value("rbp_residual", &[Some(0.0); 5000], 1.0), libm::pow(0.8, 5000.0));
    }

    #[test]
    fn gains_of_the_query_are_relative_to_its_largest() {
        let list = [Some(2.0), None, Some(1.0)];
        assert_abs_diff_eq!(value("rbp:gain=query:p=0.9", &list, 9.0), 0.1 * (1.0 + 0.5 * 0.81), epsilon = 1e-12);
        assert_abs_diff_eq!(value("rbp:gain=query:p=0.5", &[Some(0.0), Some(1.0)], 9.0), 0.25, epsilon = 1e-12);
        // Gains 0.5 and 2, the largest of the levels 0, 1, 2.
        assert_abs_diff_eq!(value("rbp:gain=query:p=0.5:1=0.5", &list, 9.0), 0.5 + 0.25 * 0.125, epsilon = 1e-12);
        // Gains -1, 0 and 2 become 0, 1/3 and 1.
        let with_loss = "rbp:gain=query:p=0.5:1=-1";
        assert_abs_diff_eq!(
            value(with_loss, &[Some(2.0), Some(0.0), Some(1.0)], 9.0),
            0.5 + 0.25 / 3.0,
            epsilon = 1e-12
        );
    }

    #[test]
    fn gains_of_grades_belong_to_the_graded_form() {
        let error = Measure::parse("rbp:1=0.3").unwrap_err().to_string();
        assert_eq!(error, "`rbp:1=0.3`: `GRADE` has no meaning with gain=binary");
    }

    #[test]
    fn a_long_list_of_relevant_documents_stays_within_1() {
        for p in 0..100 {
            let rbp = value(&format!("rbp:p=0.{p:02}"), &[Some(1.0); 3000], 1.0);
            assert!((0.999..=1.0).contains(&rbp), "p = 0.{p:02}: {rbp}");
        }
    }

    #[test]
    fn the_name_of_trec_eval_only_for_its_value() {
        let name =
            |spec, max_grade| Measure::parse(spec).unwrap().bind(&LabelFacts { max_grade }).unwrap().trec_label();
        assert_eq!(name("rbp", 1.0), "rbp_p=0.8");
        assert_eq!(name("rbp:p=0.9", 1.0), "rbp");
        assert_eq!(name("rbp", 2.0), "rbp");
        assert_eq!(name("rbp:p=0.95", 3.0), "rbp:p=0.95");
        assert_eq!(name("rbp:condensed:p=0.9", 1.0), "rbp:condensed:p=0.9");
        assert_eq!(name("rbp:gain=graded", 1.0), "rbp:gain=graded");
        assert_eq!(name("rbp:gain=query:p=0.9", 3.0), "rbp");
        assert_eq!(name("rbp:gain=query:1=0.3", 3.0), "rbp_p=0.8,1=0.3");
        assert_eq!(name("rbp_residual", 1.0), "rbp_residual");
    }
}
