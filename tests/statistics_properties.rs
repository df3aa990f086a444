//! What must hold for any data: swapping mirrors, scaling and constant queries change no exact
//! p, threads change no byte, and nothing panics or is NaN.

use proptest::prelude::*;

use raglens::stats::bootstrap::{BootstrapKind, resample_mean, resample_means};
use raglens::stats::bounds::Evidence;
use raglens::stats::correction::{benjamini_hochberg, bonferroni, holm};
use raglens::stats::effect::effect_size;
use raglens::stats::equivalence::{GateLevels, noninferiority};
use raglens::stats::lattice::Quantized;
use raglens::stats::max_t::max_t;
use raglens::stats::mcnemar::{TwoByTwo, mcnemar};
use raglens::stats::paired::Paired;
use raglens::stats::randomization::{Alternative, RandomizationOptions, count_flips, randomization_test};
use raglens::stats::summary::{Range, mean_interval, summarize};
use raglens::stats::t_test::t_test;
use raglens::stats::tango::tango;
use raglens::stats::tukey::tukey;
use raglens::stats::verdict::Findings;
use raglens::stats::wilcoxon::{sign_test, wilcoxon_test};

const ALTERNATIVES: [Alternative; 3] = [Alternative::TwoSided, Alternative::Greater, Alternative::Less];
const KINDS: [BootstrapKind; 3] = [BootstrapKind::Adjusted, BootstrapKind::Percentile, BootstrapKind::Bca];

/// Scores in twentieths, as halves, quarters, fifths and tenths are.
fn lattice_scores() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    let score = (0..=20).prop_map(|k| f64::from(k) / 20.0);
    prop::collection::vec((score.clone(), score), 1..24).prop_map(|pairs| pairs.into_iter().unzip())
}

/// Scores on no lattice, with some queries that do not differ.
fn real_scores() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    let pair = (0.0..1.0, 0.0..1.0, prop::bool::weighted(0.2));
    let pair = pair.prop_map(|(a, b, is_tie): (f64, f64, bool)| (a, if is_tie { a } else { b }));
    prop::collection::vec(pair, 1..24).prop_map(|pairs| pairs.into_iter().unzip())
}

fn any_scores() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    prop_oneof![lattice_scores(), real_scores()]
}

fn binary_scores() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    let score = prop::bool::ANY.prop_map(|hit| f64::from(u8::from(hit)));
    prop::collection::vec((score.clone(), score), 1..40).prop_map(|pairs| pairs.into_iter().unzip())
}

fn pair((a, b): &(Vec<f64>, Vec<f64>)) -> Paired {
    Paired::new(a, b).expect("finite scores of equal length")
}

fn p(paired: &Paired, alternative: Alternative) -> f64 {
    randomization_test(paired, options(alternative)).p
}

fn options(alternative: Alternative) -> RandomizationOptions {
    RandomizationOptions { alternative, resamples: 2000, seed: 5 }
}

fn scaled((a, b): &(Vec<f64>, Vec<f64>), factor: f64) -> (Vec<f64>, Vec<f64>) {
    (a.iter().map(|x| x * factor).collect(), b.iter().map(|x| x * factor).collect())
}

fn opposite(alternative: Alternative) -> Alternative {
    match alternative {
        Alternative::TwoSided => Alternative::TwoSided,
        Alternative::Greater => Alternative::Less,
        Alternative::Less => Alternative::Greater,
    }
}

proptest! {
    #[test]
    fn swapping_the_sides_mirrors_every_test(scores in any_scores()) {
        let paired = pair(&scores);
        let swapped = Paired::new(&scores.1, &scores.0).unwrap();
        prop_assert_eq!(&paired.mirrored(), &swapped);
        for side in ALTERNATIVES {
            let (here, there) = (options(side), options(opposite(side)));
            prop_assert_eq!(p(&paired, side), p(&swapped, opposite(side)));
            prop_assert_eq!(sign_test(&paired, here).p, sign_test(&swapped, there).p);
            prop_assert_eq!(
                wilcoxon_test(&paired, here).map(|test| test.p),
                wilcoxon_test(&swapped, there).map(|test| test.p)
            );
            prop_assert_eq!(
                t_test(&paired, side, 0.95).map(|test| test.p),
                t_test(&swapped, opposite(side), 0.95).map(|test| test.p)
            );
        }
    }

    #[test]
    fn swapping_the_sides_mirrors_every_interval(scores in any_scores()) {
        let (paired, swapped) = (pair(&scores), pair(&scores).mirrored());
        let means = resample_mean(&paired.differences, 500, 1);
        let mirrored = resample_mean(&swapped.differences, 500, 1);
        for kind in KINDS {
            let interval = means.interval(kind, 0.95);
            prop_assert_eq!(interval.map(|i| i.mirrored()), mirrored.interval(kind, 0.95));
            let findings = |paired, interval| Findings::new(paired, 0.01, 0.001, interval);
            let verdict = findings(&paired, interval).verdict(0.05);
            let other = findings(&swapped, interval.map(|i| i.mirrored())).verdict(0.05);
            prop_assert!(verdict.mirrored() == other || paired.mean_difference == 0.0);
        }
        let evidence = Evidence::new(&paired, None, 1.0).unwrap();
        let other = Evidence::new(&swapped, None, 1.0).unwrap();
        prop_assert_eq!(evidence.lower(0.95), -other.upper(0.95));
    }

    #[test]
    fn swapping_the_sides_mirrors_binary_measures(scores in binary_scores()) {
        let table = TwoByTwo::count(&scores.0, &scores.1).unwrap();
        let interval = tango(table, 0.95).unwrap();
        prop_assert_eq!(tango(table.mirrored(), 0.95).unwrap(), interval.mirrored());
        prop_assert!(interval.contains(table.difference()));
        for side in ALTERNATIVES {
            let swapped = mcnemar(table.mirrored(), opposite(side));
            prop_assert_eq!(mcnemar(table, side).exact_p, swapped.exact_p);
            prop_assert_eq!(mcnemar(table, side).mid_p, swapped.mid_p);
        }
    }

    #[test]
    fn mcnemar_is_the_randomization_test(scores in binary_scores()) {
        let table = TwoByTwo::count(&scores.0, &scores.1).unwrap();
        for side in ALTERNATIVES {
            let exact = mcnemar(table, side).exact_p;
            prop_assert!((exact - p(&pair(&scores), side)).abs() <= 1e-13);
        }
    }

    #[test]
    fn scaling_changes_no_exact_p(scores in any_scores(), factor in prop_oneof![Just(10.0), Just(0.1), Just(4.0)]) {
        let scaled = pair(&scaled(&scores, factor));
        for side in ALTERNATIVES {
            prop_assert_eq!(p(&pair(&scores), side), p(&scaled, side));
        }
    }

    #[test]
    fn a_constant_query_changes_no_exact_p(scores in any_scores(), constant in 0.0..1.0) {
        let mut longer = scores.clone();
        longer.0.push(constant);
        longer.1.push(constant);
        for side in ALTERNATIVES {
            prop_assert_eq!(p(&pair(&scores), side), p(&pair(&longer), side));
        }
    }

    #[test]
    fn no_p_is_below_what_the_queries_can_give(scores in any_scores()) {
        for side in ALTERNATIVES {
            let test = randomization_test(&pair(&scores), options(side));
            prop_assert!(test.smallest_possible <= test.p && test.p <= 1.0);
        }
    }

    #[test]
    fn nothing_is_nan(scores in any_scores()) {
        let paired = pair(&scores);
        let effect = effect_size(&paired);
        let numbers = [effect.cohen_dz, effect.hedges_gz, Some(effect.superiority)];
        prop_assert!(numbers.into_iter().flatten().all(f64::is_finite));
        let test = t_test(&paired, Alternative::TwoSided, 0.95);
        prop_assert!(test.is_none_or(|test| test.p.is_finite() && test.interval.low.is_finite()));
        let gate = noninferiority(&Evidence::new(&paired, None, 1.0).unwrap(), 0.01, GateLevels::both(0.95));
        prop_assert!(gate.is_ok_and(|gate| gate.lower < gate.upper));
        let summary = summarize(&scores.0).unwrap();
        prop_assert!((0.0..=1.0).contains(&summary.median));
        let mean = mean_interval(&scores.0, 0.95, Range::UNIT);
        prop_assert!(mean.is_none_or(|mean| mean.interval.contains(summary.mean)));
    }

    #[test]
    fn corrections_keep_their_order(p in prop::collection::vec(0.0..=1.0, 1..12)) {
        let (all, step_down, step_up) = (bonferroni(&p), holm(&p), benjamini_hochberg(&p));
        for (i, raw) in p.iter().enumerate() {
            prop_assert!(*raw <= step_up[i] + 1e-15 && step_up[i] <= step_down[i] + 1e-15);
            prop_assert!(step_down[i] <= all[i] && all[i] <= 1.0);
        }
    }

    #[test]
    fn joint_flips_adjust_between_raw_and_bonferroni(first in prop::collection::vec(-4..=4, 9), second in prop::collection::vec(-4..=4, 9)) {
        let column = |values: &[i32]| values.iter().map(|v| f64::from(*v) / 4.0).collect::<Vec<f64>>();
        let (first, second) = (column(&first), column(&second));
        let adjusted = max_t(&[&first, &second], Alternative::TwoSided, 512, 0).unwrap();
        for (differences, adjusted) in [&first, &second].into_iter().zip(adjusted.adjusted) {
            let paired = Paired::new(&[0.0; 9], differences).unwrap();
            let raw = p(&paired, Alternative::TwoSided);
            prop_assert!(raw <= adjusted + 1e-12, "{raw} {adjusted}");
        }
    }
}

/// Everything that draws random numbers, as text that shows every bit.
fn drawn() -> String {
    let columns: Vec<Vec<f64>> =
        (1..4_u32).map(|j| (0..150_u32).map(|i| f64::from((i * 37 + j * 101) % 97) / 97.3 - 0.45).collect()).collect();
    let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    format!(
        "{:?} {:?} {:?} {:?}",
        count_flips(&Quantized::new(columns[0]), 5000, 3),
        resample_means(&columns, 3000, 3),
        max_t(&columns, Alternative::TwoSided, 5000, 3),
        tukey(&columns, 3000, 3),
    )
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(drawn)
    };
    let one = with_threads(1);
    assert_eq!(one, with_threads(2));
    assert_eq!(one, with_threads(3));
}

#[test]
fn one_set_of_queries_serves_every_column() {
    let (first, second) = ([0.1, -0.2, 0.35, 0.0], [1.0, 0.0, -1.0, 0.5]);
    let together = resample_means(&[&first, &second], 1500, 9).unwrap();
    assert_eq!(together[0], resample_mean(&first, 1500, 9));
    assert_eq!(together[1], resample_mean(&second, 1500, 9));
}

#[test]
fn joint_flips_of_one_column_are_the_monte_carlo_test() {
    let column: Vec<f64> = (1..=60).map(|i| f64::from(i).sqrt() - 4.6).collect();
    let paired = Paired::new(&[0.0; 60], &column).unwrap();
    for alternative in ALTERNATIVES {
        let result = max_t(&[&column], alternative, 2000, 5).unwrap();
        assert_eq!(result.adjusted, [p(&paired, alternative)]);
    }
}
