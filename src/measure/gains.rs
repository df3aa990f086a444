//! What a document of a grade is worth: the grade itself, unless another gain was given for it.

use std::sync::LazyLock;

use super::{ParamDef, ParamValues, Params, shortest};
use crate::judged::{Grade, Hit, JudgedRanking};

/// The gains of grades as a parameter: `1=3:2=9`.
pub(super) const GAINS: ParamDef = ParamDef {
    name: "GRADE",
    aliases: &[],
    values: ParamValues::Gains,
    default: None,
    not_with: None,
    about: "gain of a grade, as in 1=3:2=9; -1 stands for documents without a judgment, -2 for those pooled only",
};

/// Stands for documents that no judgment names, as in trec_eval.
const NOT_NAMED: Grade = -1.0;
/// Stands for documents that were pooled and not judged, as in trec_eval.
const POOLED: Grade = -2.0;

/// What each grade is worth.
#[derive(Debug, Clone)]
pub(super) struct Gains {
    own: Vec<(Grade, f64)>,
}

impl Gains {
    pub fn new(params: &Params) -> Self {
        Self { own: params.gains().collect() }
    }

    /// Whether every grade is its own gain.
    pub fn are_grades(&self) -> bool {
        self.own.is_empty()
    }

    /// The name that trec_eval prints for a measure with these gains.
    pub fn trec_name(&self, name: &str) -> String {
        let pairs = self.own.iter().map(|&(grade, gain)| format!("{}={}", shortest(grade), shortest(gain)));
        let pairs: Vec<String> = pairs.collect();
        if pairs.is_empty() { name.to_owned() } else { format!("{name}_{}", pairs.join(",")) }
    }

    fn given(&self, grade: Grade) -> Option<f64> {
        self.own.iter().find(|(of, _)| *of == grade).map(|&(_, gain)| gain)
    }

    /// The gain of a grade that somebody gave.
    pub fn of(&self, grade: Grade) -> f64 {
        self.given(grade).unwrap_or(grade)
    }

    /// The gain of a result that stands in the labels; `None` where it was not judged and has none.
    fn of_hit(&self, hit: &Hit) -> Option<f64> {
        if hit.is_judged() { Some(self.of(hit.grade)) } else { self.given(POOLED) }
    }

    /// Rank and gain of the first `cutoff` results that have a gain, in the order of ranks.
    pub fn ranked(&self, ranking: &JudgedRanking<'_>, cutoff: Option<u64>) -> Vec<(u64, f64)> {
        let mut hits = ranking.top(cutoff).iter().peekable();
        match self.given(NOT_NAMED) {
            None => hits.filter_map(|hit| Some((hit.rank, self.of_hit(hit)?))).collect(),
            Some(gain) => (1..=ranking.returned(cutoff))
                .filter_map(|rank| match hits.next_if(|hit| hit.rank == rank) {
                    Some(hit) => Some((rank, self.of_hit(hit)?)),
                    None => Some((rank, gain)),
                })
                .collect(),
        }
    }

    /// The gains above 0 of all judged documents, high to low.
    pub fn ideal(&self, ranking: &JudgedRanking<'_>) -> Vec<f64> {
        let gains = ranking.ideal().iter().map(|&grade| self.of(grade));
        let mut gains: Vec<f64> = gains.filter(|&gain| gain > 0.0).collect();
        gains.sort_by(|a, b| b.total_cmp(a));
        gains
    }

    /// The largest gain of the levels from 0 to the largest grade of the query, whether or not a
    /// document has them.
    pub fn largest(&self, ranking: &JudgedRanking<'_>) -> f64 {
        let given = self.own.iter().map(|&(_, gain)| gain).fold(0.0, f64::max);
        let top = ranking.ideal().first().copied().unwrap_or(0.0);
        let levels = std::iter::once(top).chain((0..=self.own.len()).map(|steps| top.floor() - steps as f64));
        let plain = levels.filter(|&level| self.given(level).is_none()).fold(0.0, f64::max);
        f64::max(given, plain)
    }

    /// The smallest gain, at most 0.
    pub fn smallest(&self) -> f64 {
        self.own.iter().map(|&(_, gain)| gain).fold(0.0, f64::min)
    }
}

/// The discounts of so many ranks are computed once.
const FIRST: usize = 1024;

static DISCOUNTS: LazyLock<[f64; FIRST]> = LazyLock::new(|| std::array::from_fn(|before| log2_behind(before as f64)));

/// The discount of a rank from 1: log2(rank + 1).
pub(super) fn discount(rank: u64) -> f64 {
    let known = usize::try_from(rank).ok().and_then(|rank| DISCOUNTS.get(rank));
    known.copied().unwrap_or_else(|| log2_behind(rank as f64))
}

fn log2_behind(rank: f64) -> f64 {
    libm::log2(rank + 1.0)
}

/// Σ gain / log2(rank + 1).
pub(super) fn discounted(gains: impl IntoIterator<Item = (u64, f64)>) -> f64 {
    gains.into_iter().fold(0.0, |sum, (rank, gain)| sum + gain / discount(rank))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Spec;

    fn gains(spec: &str) -> Gains {
        Gains::new(Spec::parse(spec).unwrap().measure().unwrap().params())
    }

    #[test]
    fn grades_that_have_no_gain_of_their_own_are_gains() {
        let list = JudgedRanking::from_grades(&[Some(2.0), None, Some(1.0), Some(-1.0)], &[3.0, 0.0]);
        assert_eq!(gains("ndcg").ranked(&list.view(), None), [(1, 2.0), (3, 1.0)]);
        assert_eq!(gains("ndcg:1=5:0=0.5").ideal(&list.view()), [5.0, 3.0, 2.0, 0.5]);
        assert_eq!(gains("ndcg:-1=0.25:-2=0.5").ranked(&list.view(), None), [(1, 2.0), (2, 0.25), (3, 1.0), (4, 0.5)]);
        assert_eq!(gains("ndcg:-1=0.25").ranked(&list.view(), Some(2)), [(1, 2.0), (2, 0.25)]);
    }

    #[test]
    fn the_largest_gain_is_that_of_a_level_up_to_the_largest_grade() {
        let list = JudgedRanking::from_grades(&[Some(3.0)], &[1.0]);
        assert_eq!(gains("ndcg").largest(&list.view()), 3.0);
        assert_eq!(gains("ndcg:3=0.5").largest(&list.view()), 2.0);
        assert_eq!(gains("ndcg:3=7:4=0").largest(&list.view()), 7.0);
        assert_eq!(gains("ndcg:1=-2").smallest(), -2.0);
    }
}
