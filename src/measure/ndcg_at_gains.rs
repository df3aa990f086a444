//! nDCG averaged over points of the ranking: where relevant documents stand (ndcg_rel), or where
//! the ideal ranking passes from one gain to the next (rndcg).

use super::gains::{GAINS, Gains, discount};
use super::{CONDENSED, Computation, CutoffRule, MeasureDef, Needs, Purpose, REL, Ratio, Scorer, Terms, TrecName};
use crate::judged::{Grade, JudgedRanking};

pub(super) static NDCG_REL: MeasureDef = MeasureDef {
    name: "ndcg_rel",
    about: "nDCG at the rank of each document with a gain, averaged over all of them",
    formula: "mean over the documents of gain above 0 of DCG / ideal DCG at the rank of each; at the end of both \
              rankings for one that is not retrieved",
    reading: "nDCG that does not depend on where the list is cut: like map, it looks where something was found.",
    blind_to: "How much there was to be found.",
    edge_cases: "0 where nothing with a gain is found.",
    peers: "ndcg_rel of trec_eval.",
    source: "trec_eval, ndcg_rel",
    cutoff: CutoffRule::Never,
    params: &[CONDENSED, GAINS],
    needs: Needs::Gain,
    purpose: Purpose::TrecEval,
    by_name_only: true,
    trec_name: TrecName::whole("ndcg_rel"),
    ..MeasureDef::built_by(|params| Ok(Computation::ranking(AtFound { gains: Gains::new(params) })))
};

pub(super) static RNDCG: MeasureDef = MeasureDef {
    name: "rndcg",
    aliases: &[],
    about: "nDCG at each rank where the ideal ranking passes to a lower gain, averaged",
    formula: "mean of nDCG@b over the ranks b at which the ideal ranking has its last document of a gain, and of \
              nDCG of the whole list where that is longer than the ideal one by more than one",
    reading: "nDCG where it means most: as deep as there are documents of each gain.",
    edge_cases: "0 where nothing is relevant at the threshold rel, which touches nothing else.",
    peers: "Rndcg of trec_eval.",
    source: "trec_eval, Rndcg",
    params: &[REL, CONDENSED, GAINS],
    needs: Needs::Relevant,
    trec_name: TrecName::whole("Rndcg"),
    build: |params| Ok(Computation::ranking(AtSteps { rel: params.threshold(), gains: Gains::new(params) })),
    ..NDCG_REL
};

/// The DCG of a ranking and the best possible one, rank by rank.
struct Curves {
    /// Rank of each result with a gain, and DCG up to it.
    gained: Vec<(u64, f64)>,
    /// Ideal DCG up to each rank, from 1.
    ideal: Vec<f64>,
}

impl Curves {
    fn new(ranked: &[(u64, f64)], ideal: &[f64]) -> Self {
        let gained = running(ranked.iter().copied());
        let ideal = running((1..).zip(ideal.iter().copied())).into_iter().map(|(_, sum)| sum).collect();
        Self { gained, ideal }
    }

    fn gained_at(&self, rank: u64) -> f64 {
        let end = self.gained.partition_point(|&(at, _)| at <= rank);
        self.gained[..end].last().map_or(0.0, |&(_, sum)| sum)
    }

    fn ideal_at(&self, rank: u64) -> f64 {
        let last = self.ideal.len().min(usize::try_from(rank).unwrap_or(usize::MAX));
        self.ideal[..last].last().copied().unwrap_or(0.0)
    }

    fn ndcg_at(&self, rank: u64) -> f64 {
        self.gained_at(rank) / self.ideal_at(rank)
    }
}

/// Σ gain / log2(rank + 1) up to each rank.
fn running(gains: impl Iterator<Item = (u64, f64)>) -> Vec<(u64, f64)> {
    let mut sum = 0.0;
    let add = |(rank, gain): (u64, f64)| {
        sum += gain / discount(rank);
        (rank, sum)
    };
    gains.map(add).collect()
}

struct AtFound {
    gains: Gains,
}

impl Scorer for AtFound {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let (ranked, ideal) = (self.gains.ranked(ranking, None), self.gains.ideal(ranking));
        let curves = Curves::new(&ranked, &ideal);
        let found: Vec<u64> = ranked.iter().filter(|(_, gain)| *gain > 0.0).map(|&(rank, _)| rank).collect();
        let at_found = found.iter().fold(0.0, |sum, &rank| sum + curves.ndcg_at(rank));
        let missed = ideal.len() as f64 - found.len() as f64;
        let sum = at_found + missed * curves.gained_at(u64::MAX) / curves.ideal_at(u64::MAX);
        let mean = if sum > 0.0 { sum / ideal.len() as f64 } else { 0.0 };
        Some(mean).filter(|mean| mean.is_finite())
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let (ranked, ideal) = (self.gains.ranked(ranking, None), self.gains.ideal(ranking));
        let curves = Curves::new(&ranked, &ideal);
        let found = ranked.iter().filter(|(_, gain)| *gain > 0.0).map(|&(rank, _)| rank);
        let cells: Vec<(u64, [f64; 3])> =
            found.map(|rank| (rank, [curves.gained_at(rank), curves.ideal_at(rank), curves.ndcg_at(rank)])).collect();
        let missed = ideal.len() as f64 - cells.len() as f64;
        let terms = Terms::at(ranking, None, ["DCG so far", "ideal so far", "contribution"], &cells);
        let terms = terms.summed("sum", "of the contributions, DCG / ideal");
        let terms = terms.step("missed", "documents with a gain that are not retrieved", missed);
        let last = Ratio { numerator: curves.gained_at(u64::MAX), denominator: curves.ideal_at(u64::MAX) }.value();
        let terms = terms.step("last", "DCG / ideal over both whole lists", last);
        let sum = terms.number("sum") + missed * last;
        let terms = terms.step("all", "documents with a gain", ideal.len() as f64);
        terms.divided(if sum > 0.0 { sum } else { 0.0 }, "(sum + missed · last) / all")
    }

    fn trec_name(&self) -> Option<String> {
        Some(self.gains.trec_name("ndcg_rel"))
    }
}

/// The ranks at which the ideal ranking has its last document of a gain, and the end of a list
/// that is longer by more than one.
fn points(ranking: &JudgedRanking<'_>, ideal: &[f64]) -> Vec<u64> {
    let depth = ideal.len() as u64;
    let is_step = |&rank: &u64| rank == depth || ideal[rank as usize - 1] != ideal[rank as usize];
    let end = (ranking.retrieved() > depth + 1).then_some(u64::MAX);
    (1..=depth).filter(is_step).chain(end).collect()
}

struct AtSteps {
    rel: Grade,
    gains: Gains,
}

impl Scorer for AtSteps {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let ideal = self.gains.ideal(ranking);
        if ranking.relevant(self.rel) == 0 || ideal.is_empty() {
            return Some(0.0);
        }
        let curves = Curves::new(&self.gains.ranked(ranking, None), &ideal);
        let points = points(ranking, &ideal);
        let sum = points.iter().fold(0.0, |sum, &point| sum + curves.ndcg_at(point));
        Some(sum / points.len() as f64).filter(|mean| mean.is_finite())
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let (ranked, ideal) = (self.gains.ranked(ranking, None), self.gains.ideal(ranking));
        let curves = Curves::new(&ranked, &ideal);
        let cells: Vec<(u64, [f64; 2])> =
            ranked.iter().map(|&(rank, gain)| (rank, [gain, curves.gained_at(rank)])).collect();
        let mut terms =
            Terms::at(ranking, None, ["gain", "DCG so far"], &cells).with_relevant(ranking.relevant(self.rel));
        if ranking.relevant(self.rel) == 0 || ideal.is_empty() {
            return terms.result("0 where nothing is relevant", 0.0);
        }
        let points = points(ranking, &ideal);
        let mut sum = 0.0;
        for &point in &points {
            let (name, value) = (format!("at rank {}", point.min(ranking.retrieved())), curves.ndcg_at(point));
            terms = terms.step(name, "DCG / ideal DCG down to there", value);
            sum += value;
        }
        terms.result("the mean over these ranks", sum / points.len() as f64)
    }

    fn trec_name(&self) -> Option<String> {
        (self.rel == 1.0).then(|| self.gains.trec_name("Rndcg"))
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

    /// DCG of the gains at ranks 1, 2, 3 …
    fn dcg(gains: &[f64]) -> f64 {
        (2..).zip(gains).map(|(next, gain)| gain / f64::from(next).log2()).sum()
    }

    #[test]
    fn at_each_document_found_and_at_the_end_for_the_rest() {
        // Found at ranks 2 (grade 1) and 3 (grade 2), one of grade 1 missed; ideal 2, 1, 1.
        let at_2 = dcg(&[0.0, 1.0]) / dcg(&[2.0, 1.0]);
        let at_3 = dcg(&[0.0, 1.0, 2.0]) / dcg(&[2.0, 1.0, 1.0]);
        let expected = (at_2 + at_3 + at_3) / 3.0;
        assert_abs_diff_eq!(value("ndcg_rel", &[None, Some(1.0), Some(2.0)], &[1.0, 0.0]), expected, epsilon = 1e-12);
        assert_eq!(value("ndcg_rel", &[None, Some(0.0)], &[1.0]), 0.0);
    }

    #[test]
    fn at_each_step_of_the_ideal_ranking() {
        // The ideal 2, 1, 1 has steps at ranks 1 and 3; the list of 5 is longer by two.
        let ranked = [Some(1.0), Some(2.0), None, None, Some(1.0)];
        let at_1 = 1.0 / 2.0;
        let at_3 = dcg(&[1.0, 2.0]) / dcg(&[2.0, 1.0, 1.0]);
        let at_end = dcg(&[1.0, 2.0, 0.0, 0.0, 1.0]) / dcg(&[2.0, 1.0, 1.0]);
        assert_abs_diff_eq!(value("rndcg", &ranked, &[]), (at_1 + at_3 + at_end) / 3.0, epsilon = 1e-12);
        assert_abs_diff_eq!(value("rndcg", &ranked[..4], &[1.0]), (at_1 + at_3) / 2.0, epsilon = 1e-12);
        assert_eq!(value("rndcg:rel=3", &ranked, &[]), 0.0);
    }

    #[test]
    fn steps_are_those_of_the_gains() {
        // Both grades are worth 1, so that there is one step, at rank 2.
        assert_eq!(value("rndcg:2=1", &[Some(1.0), Some(2.0)], &[]), 1.0);
    }
}
