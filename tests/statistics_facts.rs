//! Figures that must not move, with their data, checked wherever the package is built.
//!
//! The exact values are those of big-integer enumeration; the counts and limits of random
//! resampling pin the stream "raglens/stats/v1" down to the last digit.

use approx::assert_relative_eq;

use raglens::stats::bootstrap::{BootstrapKind, resample_mean};
use raglens::stats::correction::{benjamini_hochberg, holm};
use raglens::stats::lattice::Quantized;
use raglens::stats::max_t::max_t;
use raglens::stats::mcnemar::{TwoByTwo, mcnemar};
use raglens::stats::paired::Paired;
use raglens::stats::randomization::{
    Alternative, FlipCounts, RandomizationOptions, RandomizationTest, count_flips, randomization_test,
};
use raglens::stats::t_test::t_test;
use raglens::stats::tukey::tukey;
use raglens::stats::verdict::{Absence, Disagreement, Findings, Verdict};
use raglens::stats::wilcoxon::{sign_test, wilcoxon_test};

const SAKAI_A: [i32; 20] = [7, 3, 2, 6, 4, 4, 0, 7, 1, 3, 5, 4, 0, 6, 5, 3, 1, 5, 2, 1];
const SAKAI_B: [i32; 20] = [5, 1, 0, 2, 4, 3, 0, 5, 3, 3, 4, 4, 1, 4, 2, 1, 1, 6, 3, 2];
const SAKAI_C: [i32; 20] = [0, 0, 2, 1, 3, 3, 1, 2, 4, 4, 4, 3, 3, 2, 2, 2, 1, 5, 4, 3];

const LONG_TAIL_A: [f64; 20] = [
    0.9966, 0.5988, 0.5148, 0.0068, 0.6409, 0.0049, 0.8733, 0.3969, 0.0049, 0.8572, 0.2301, 0.0338, 0.0401, 0.9142,
    0.995, 0.12, 0.9427, 0.0377, 0.5431, 0.8889,
];
const LONG_TAIL_B: [f64; 20] = [
    1.0, 0.8568, 0.6117, 0.0176, 0.6409, 0.0391, 1.0, 0.6399, 0.0601, 0.8139, 0.3264, 0.0338, 0.4994, 0.9665, 1.0,
    0.2551, 1.0, 0.0126, 0.5475, 0.7606,
];

/// Pairs whose differences are `differences`, then none up to `n`.
fn among(n: usize, differences: &[f64]) -> Paired {
    let mut b = vec![0.0; n];
    b[..differences.len()].copy_from_slice(differences);
    Paired::new(&vec![0.0; n], &b).expect("finite differences")
}

fn tenths(scores: &[i32]) -> Vec<f64> {
    scores.iter().map(|score| f64::from(*score) / 10.0).collect()
}

fn test(paired: &Paired) -> RandomizationTest {
    randomization_test(paired, RandomizationOptions::default())
}

fn verdict(paired: &Paired) -> Verdict {
    let test = test(paired);
    let means = resample_mean(&paired.differences, 10_000, 0);
    let interval = means.interval(BootstrapKind::Adjusted, 0.95);
    Findings::new(paired, test.p, test.smallest_possible, interval).verdict(0.05)
}

/// Eight of ten queries gain a quarter: p = 2/256, not the t-test's .0002.
#[test]
fn eight_of_ten_up_by_a_quarter() {
    let paired = among(10, &[0.25; 8]);
    assert_eq!(test(&paired).p, 1.0 / 128.0);
    let t = t_test(&paired, Alternative::TwoSided, 0.95).unwrap();
    assert_relative_eq!(t.p, 2.024_993_220_676_408e-4, max_relative = 1e-9);
    assert_relative_eq!(t.interval.high, 0.275_405_238_759_940_16, epsilon = 1e-9);
    assert_eq!(verdict(&paired), Verdict::Better);
    assert_eq!(verdict(&paired.mirrored()), Verdict::Worse);
}

/// Three, two, one queries that differ among 42: nothing can be significant.
#[test]
fn few_changed_queries() {
    let few = |differing, smallest_p| Verdict::NoEvidence(Absence::TooFewDiffer { differing, smallest_p });
    let recall = among(42, &[0.5, 0.5, 0.5]);
    assert_eq!((test(&recall).p, verdict(&recall)), (0.25, few(3, 0.25)));
    let hit = among(42, &[-1.0, 0.5]);
    assert_eq!((test(&hit).p, verdict(&hit)), (1.0, few(2, 0.5)));
    let thirds = among(42, &[-2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0]);
    assert_relative_eq!(test(&thirds).p, 1.0);
    let citations = among(38, &[-1.0]);
    assert_eq!((test(&citations).p, verdict(&citations)), (1.0, few(1, 1.0)));
}

#[test]
fn extremes() {
    assert_eq!(verdict(&among(8, &[])), Verdict::Identical);
    assert_eq!(verdict(&among(12, &[0.25; 12])), Verdict::Better);
    assert_eq!(test(&among(12, &[0.25; 12])).p, 2.0 / 4096.0);
    assert_eq!(test(&among(40, &[0.25; 40])).p, 0.5f64.powi(39));
    let six: Vec<f64> = [0.3, 0.6, 0.2, 0.5, 0.4, 0.7].iter().map(|a| a + 0.1 - a).collect();
    assert_eq!(test(&among(6, &six)).p, 1.0 / 32.0);
}

/// Ties between sums of tenths: without a tolerance others print .051.
#[test]
fn ties_of_decimal_scores() {
    let (a, b, c) = (tenths(&SAKAI_A), tenths(&SAKAI_B), tenths(&SAKAI_C));
    let p = |x: &[f64], y: &[f64]| test(&Paired::new(x, y).unwrap()).p;
    assert_eq!(p(&b, &a), 135.0 / 2048.0);
    assert_relative_eq!(p(&c, &a), 9477.0 / 65536.0, max_relative = 1e-12);
    assert_relative_eq!(p(&c, &b), 1277.0 / 2048.0, max_relative = 1e-12);
    let raw = [p(&b, &a), p(&c, &a), p(&c, &b)];
    assert_relative_eq!(holm(&raw)[1], 0.289_215_087_890_625, max_relative = 1e-12);
    assert_relative_eq!(benjamini_hochberg(&raw)[2], raw[2]);
    let paired = Paired::new(&b, &a).unwrap();
    let (t, options) = (t_test(&paired, Alternative::TwoSided, 0.95).unwrap(), RandomizationOptions::default());
    assert_relative_eq!(t.p, 0.047_796_761_844_964_4, max_relative = 1e-9);
    let ranks = wilcoxon_test(&paired, options).unwrap();
    assert_relative_eq!(ranks.p, 0.040_344_238_281_25, max_relative = 1e-12);
    assert_relative_eq!(sign_test(&paired, options).p, 0.301_757_812_5, max_relative = 1e-12);
}

/// Randomized Tukey over 6^20 permutations, by dynamic programming; here 20,000 random ones.
#[test]
fn tukey_of_three_runs() {
    let (a, b, c) = (tenths(&SAKAI_A), tenths(&SAKAI_B), tenths(&SAKAI_C));
    let result = tukey(&[&a, &b, &c], 20_000, 0).unwrap();
    let exact = [0.303_764_2, 0.106_587_3, 0.891_599_9];
    for (pair, exact) in result.pairs.iter().zip(exact) {
        let error = (exact * (1.0 - exact) / 20_000.0_f64).sqrt();
        assert!((pair.p - exact).abs() < 4.0 * error, "{pair:?}, expected {exact}");
    }
}

#[test]
fn an_enumerated_measure() {
    let paired = Paired::new(&LONG_TAIL_A, &LONG_TAIL_B).unwrap();
    assert_eq!((paired.differing(), paired.wins, paired.losses), (18, 15, 3));
    assert_relative_eq!(test(&paired).p, 0.011_894_226_074_218_75, max_relative = 1e-12);
    let t = t_test(&paired, Alternative::TwoSided, 0.95).unwrap();
    assert_relative_eq!(t.p, 0.021_621_804_931_894_45, max_relative = 1e-9);
}

#[test]
fn the_stream_gives_these_counts_and_limits() {
    let paired = Paired::new(&LONG_TAIL_A, &LONG_TAIL_B).unwrap();
    let counts = count_flips(&Quantized::new(&paired.differences), 10_000, 0);
    assert_eq!(counts, FlipCounts { two_sided: 113, greater: 54, less: 9946 });
    let means = resample_mean(&paired.differences, 10_000, 0);
    let plain = means.interval(BootstrapKind::Percentile, 0.95).unwrap();
    assert_relative_eq!(plain.low, 0.02161, epsilon = 1e-12);
    assert_relative_eq!(plain.high, 0.129_995, epsilon = 1e-12);
    let adjusted = means.interval(BootstrapKind::Adjusted, 0.95).unwrap();
    assert_relative_eq!(adjusted.low, 0.017_315, epsilon = 1e-12);
    assert_relative_eq!(adjusted.high, 0.138_145, epsilon = 1e-12);
}

/// A large interval excludes 0 while exact p cannot: 4 of 42, and 6 of 21 against 1.
#[test]
fn binary_tables() {
    let four = among(42, &[1.0; 4]);
    let too_few = Absence::TooFewDiffer { differing: 4, smallest_p: 0.125 };
    assert_eq!((test(&four).p, verdict(&four)), (0.125, Verdict::NoEvidence(too_few)));
    assert_eq!((test(&among(42, &[1.0; 6])).p, verdict(&among(42, &[1.0; 6]))), (1.0 / 32.0, Verdict::Better));
    let table = mcnemar(TwoByTwo::from_cells([1, 1, 7, 12]), Alternative::TwoSided);
    assert_eq!((table.exact_p, table.mid_p), (0.070_312_5, 0.039_062_5));
    let large = mcnemar(TwoByTwo::from_cells([59, 6, 16, 80]), Alternative::TwoSided);
    assert_relative_eq!(large.exact_p, 0.052_478_790_283_203_125, max_relative = 1e-12);
    assert_relative_eq!(large.mid_p, 0.034_689_664_840_698_24, max_relative = 1e-12);
    let mut eight = [1.0; 8];
    eight[0] = -1.0;
    let borderline = Verdict::Borderline(Disagreement::NotSignificant);
    assert_eq!(verdict(&among(21, &eight)), borderline);
}

/// Correlated measures: joint flips ask for less than Holm (.1055).
#[test]
fn joint_flips_gain_over_holm() {
    let recall = [0.25, 0.25, 0.25, 0.0, 0.25, 0.25, 0.0, 0.25, 0.25, -0.25];
    let ndcg = [0.09, 0.15, 0.14, 0.0, 0.27, 0.12, -0.06, 0.17, 0.21, -0.09];
    let rr = [0.0, 0.5, 0.25, 0.0, 0.5, 0.5, -0.5, 0.5, 0.05, 0.0];
    let result = max_t(&[&recall, &ndcg, &rr], Alternative::TwoSided, 100_000, 0).unwrap();
    assert!(result.is_exact);
    let expected = [0.085_937_5, 0.054_687_5, 0.140_625];
    assert_eq!(result.adjusted, expected);
}
