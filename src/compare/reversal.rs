//! What averages hide: slices in which the order of two runs is reversed.

/// A slice in which the run with the better mean over all queries has the worse one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reversal {
    /// Position of the slice.
    pub slice: usize,
    /// Position of the run that is better over all queries.
    pub better: usize,
    /// Position of the run that is better in the slice.
    pub other: usize,
    /// By how much the first is worse there, above 0.
    pub loss: f64,
}

/// Every reversal between two of the runs, the largest loss first. `overall` holds the mean of
/// each run, `slices` the same for each slice (`None`: no query counts); `sign` is 1 where higher
/// is better and -1 where lower is.
pub fn reversals(overall: &[Option<f64>], slices: &[Vec<Option<f64>>], sign: f64) -> Vec<Reversal> {
    let mut found = Vec::new();
    for (better, other) in ordered(overall, sign) {
        for (slice, means) in slices.iter().enumerate() {
            match lead(means, better, other, sign) {
                Some(lead) if lead < 0.0 => found.push(Reversal { slice, better, other, loss: -lead }),
                _ => {}
            }
        }
    }
    found.sort_by(|a, b| b.loss.total_cmp(&a.loss).then(a.slice.cmp(&b.slice)));
    found
}

/// The pairs of runs (better over all queries, other) of which the other is better in every slice
/// of one tag: Simpson's paradox. It takes queries that stand in several slices, or runs that are
/// averaged over different queries.
pub fn simpson(overall: &[Option<f64>], slices_of_tag: &[Vec<Option<f64>>], sign: f64) -> Vec<(usize, usize)> {
    let reversed = |&(better, other): &(usize, usize)| {
        let leads = slices_of_tag.iter().map(|means| lead(means, better, other, sign));
        slices_of_tag.len() > 1 && leads.into_iter().all(|lead| lead.is_some_and(|lead| lead < 0.0))
    };
    ordered(overall, sign).into_iter().filter(reversed).collect()
}

/// Every pair of runs with different means, the better one first.
fn ordered(means: &[Option<f64>], sign: f64) -> Vec<(usize, usize)> {
    let pairs = (0..means.len()).flat_map(|better| (0..means.len()).map(move |other| (better, other)));
    pairs.filter(|&(better, other)| lead(means, better, other, sign).is_some_and(|lead| lead > 0.0)).collect()
}

/// By how much the first of two runs is better.
fn lead(means: &[Option<f64>], first: usize, second: usize, sign: f64) -> Option<f64> {
    Some(sign * (means[first]? - means[second]?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_loss_behind_a_better_mean_comes_first() {
        let slices = [vec![Some(0.5), Some(0.4)], vec![Some(0.6), Some(0.9)], vec![Some(0.9), None]];
        let found = reversals(&[Some(0.5), Some(0.6)], &slices, 1.0);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].slice, found[0].better, found[0].other), (0, 1, 0));
        assert!((found[0].loss - 0.1).abs() < 1e-12);
        let lower_is_better = reversals(&[Some(0.5), Some(0.6)], &slices, -1.0);
        assert_eq!((lower_is_better[0].slice, lower_is_better[0].better), (0, 0));
    }

    #[test]
    fn equal_means_hide_nothing() {
        assert_eq!(reversals(&[Some(0.5), Some(0.5)], &[vec![Some(0.0), Some(1.0)]], 1.0), []);
        assert_eq!(reversals(&[None, Some(0.5)], &[vec![Some(1.0), Some(0.0)]], 1.0), []);
    }

    #[test]
    fn a_paradox_needs_every_slice_and_more_than_one() {
        // The kidney stones of Charig et al. (1986): 81/87 and 192/263 against 234/270 and 55/80.
        let a = [81.0 / 87.0, 192.0 / 263.0, 273.0 / 350.0];
        let b = [234.0 / 270.0, 55.0 / 80.0, 289.0 / 350.0];
        let slices: Vec<_> = (0..2).map(|slice| vec![Some(a[slice]), Some(b[slice])]).collect();
        assert_eq!(simpson(&[Some(a[2]), Some(b[2])], &slices, 1.0), [(1, 0)]);
        assert_eq!(simpson(&[Some(a[2]), Some(b[2])], &slices[..1], 1.0), []);
        let mixed = [slices[0].clone(), vec![Some(0.5), Some(0.6)]];
        assert_eq!(simpson(&[Some(a[2]), Some(b[2])], &mixed, 1.0), []);
    }
}
