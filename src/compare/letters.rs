//! Which runs are better than which: the superscript letters of tables with several runs.

use super::join::Joined;
use super::plan::{Pairs, Plan};
use crate::measure::Better;
use crate::stats::correction::holm;
use crate::stats::paired::{Paired, PairedError};
use crate::stats::randomization::{Alternative, RandomizationOptions, randomization_tests};

/// Pairs of runs whose differences are in memory together.
const TOGETHER: usize = 64;

/// For each run, the positions of the runs that it is better than on one measure: paired
/// randomization tests of all pairs, adjusted by Holm, p below `alpha`.
///
/// `runs` holds the scores of each run over the same queries, in the order of the query ids.
/// Without a good direction ([`Better::Neither`]) no run is better than another.
///
/// ```
/// use raglens::compare::better_than;
/// use raglens::measure::Better;
/// let (low, high) = ([0.0; 8], [0.5; 8]);
/// let letters = better_than(&[&low, &high], Better::Higher, 0.05, Default::default())?;
/// assert_eq!(letters, [vec![], vec![0]]);
/// # Ok::<(), raglens::stats::paired::PairedError>(())
/// ```
///
/// # Errors
/// When the runs have no scores, not equally many, or such that nobody can calculate with.
pub fn better_than(
    runs: &[&[f64]],
    better: Better,
    alpha: f64,
    options: RandomizationOptions,
) -> Result<Vec<Vec<usize>>, PairedError> {
    let mut letters = vec![Vec::new(); runs.len()];
    let sign = match better {
        Better::Higher => 1.0,
        Better::Lower => -1.0,
        Better::Neither => return Ok(letters),
    };
    let pairs = Pairs::All.of(runs.len());
    let (mut p, mut differences) = (Vec::new(), Vec::new());
    for pairs in pairs.chunks(TOGETHER) {
        let paired = pairs.iter().map(|&(a, b)| Paired::new(runs[a], runs[b])).collect::<Result<Vec<Paired>, _>>()?;
        let tests = randomization_tests(&paired.iter().collect::<Vec<&Paired>>(), options);
        p.extend(tests.iter().map(|test| test.p));
        differences.extend(paired.iter().map(|paired| paired.mean_difference));
    }
    for ((&(a, b), p), difference) in pairs.iter().zip(holm(&p)).zip(differences) {
        if p < alpha {
            let (winner, loser) = if sign * difference > 0.0 { (b, a) } else { (a, b) };
            letters[winner].push(loser);
        }
    }
    letters.iter_mut().for_each(|beaten| beaten.sort_unstable());
    Ok(letters)
}

/// The letters of every metric of a plan, over the queries for which all runs have a value; the
/// options of the plan decide.
///
/// # Errors
/// When a score cannot be calculated with.
pub fn letters(joined: &Joined, plan: &Plan) -> Result<Vec<Vec<Vec<usize>>>, PairedError> {
    let of_metric = |metric: usize| {
        let columns: Vec<&Vec<Option<f64>>> = joined.runs.iter().map(|run| &run.columns[metric]).collect();
        let complete = |&query: &usize| columns.iter().all(|column| column[query].is_some());
        let queries: Vec<usize> = (0..joined.queries.len()).filter(complete).collect();
        if queries.is_empty() {
            return Ok(vec![Vec::new(); columns.len()]);
        }
        let values = |column: &&Vec<Option<f64>>| queries.iter().filter_map(|&query| column[query]).collect();
        let runs: Vec<Vec<f64>> = columns.iter().map(values).collect();
        let runs: Vec<&[f64]> = runs.iter().map(Vec::as_slice).collect();
        let options = RandomizationOptions { alternative: Alternative::TwoSided, ..plan.randomization() };
        better_than(&runs, plan.metrics[metric].better, plan.alpha, options)
    };
    (0..plan.metrics.len()).map(of_metric).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pairs_are_one_family() {
        // 6 wins of 6: p = 1/32 alone, 3/32 among three pairs
        let (base, up) = ([0.0; 6], [1.0; 6]);
        let options = RandomizationOptions::default();
        let two = better_than(&[&base, &up], Better::Lower, 0.05, options).unwrap();
        assert_eq!(two, [vec![1], vec![]]);
        let three = better_than(&[&base, &up, &base], Better::Higher, 0.05, options).unwrap();
        assert!(three.iter().all(Vec::is_empty));
        assert!(better_than(&[&base, &up], Better::Neither, 0.05, options).unwrap()[1].is_empty());
    }
}
