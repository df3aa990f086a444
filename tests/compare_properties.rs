//! What must hold of a comparison for any scores, and what it says in the corners: sensible words,
//! no NaN, no panic.

use proptest::prelude::*;

use raglens::compare::{Adjust, Comparison, IntervalKind, Metric, Pairs, Plan, RunScores, compare, join};
use raglens::evaluate::Over;
use raglens::id::Id;
use raglens::stats::correction::Correction;
use raglens::stats::verdict::{Absence, Disagreement, Verdict};

fn run(name: &str, scores: &[f64]) -> RunScores {
    RunScores {
        name: name.to_owned(),
        queries: (0..scores.len()).map(|i| Id::from(format!("q{i:03}").as_str())).collect(),
        columns: vec![scores.iter().copied().map(Some).collect()],
        rankings: Vec::new(),
    }
}

fn plan() -> Plan {
    Plan { metrics: vec![Metric::named("recall@5")], resamples: 2000, bootstrap: 1000, ..Plan::default() }
}

fn compared(runs: &[RunScores], plan: &Plan) -> Comparison {
    compare(&join(runs, Over::All).unwrap(), plan).unwrap()
}

/// p, interval and verdict of the one row.
fn row(a: &[f64], b: &[f64]) -> (f64, Option<(f64, f64)>, Option<Verdict>) {
    let comparison = compared(&[run("a", a), run("b", b)], &plan());
    let found = comparison.rows[0].found.as_ref().unwrap();
    (found.p, found.interval.map(|interval| (interval.low, interval.high)), found.verdict)
}

fn scores() -> impl Strategy<Value = Vec<(f64, f64)>> {
    let score = prop_oneof![(0..=12).prop_map(|k| f64::from(k) / 12.0), 0.0..1.0];
    prop::collection::vec((score.clone(), score), 1..24)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_order_of_queries_changes_nothing(pairs in scores()) {
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let (first, second) = (run("a", &a), run("b", &b));
        let mut reversed = first.clone();
        reversed.queries.reverse();
        reversed.columns[0].reverse();
        prop_assert_eq!(compared(&[first, second.clone()], &plan()), compared(&[reversed, second], &plan()));
    }

    #[test]
    fn swapping_the_sides_mirrors(pairs in scores()) {
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let ((p, there, verdict), (same_p, back, mirrored)) = (row(&a, &b), row(&b, &a));
        prop_assert_eq!(p, same_p);
        prop_assert_eq!(there, back.map(|(low, high)| (0.0 - high, 0.0 - low)));
        prop_assert_eq!(verdict, mirrored.map(Verdict::mirrored));
    }

    #[test]
    fn a_constant_query_and_another_scale_change_no_p(pairs in prop::collection::vec((0..=6_i32, 0..=6_i32), 1..30)) {
        let sixths: (Vec<f64>, Vec<f64>) = pairs.iter().map(|(a, b)| (f64::from(*a) / 6.0, f64::from(*b) / 6.0)).unzip();
        let expected = row(&sixths.0, &sixths.1).0;
        let with = |scores: &[f64]| [scores, &[0.5]].concat();
        prop_assert_eq!(row(&with(&sixths.0), &with(&sixths.1)).0, expected);
        let tenfold = |scores: &[f64]| scores.iter().map(|score| score * 10.0).collect::<Vec<f64>>();
        prop_assert_eq!(row(&tenfold(&sixths.0), &tenfold(&sixths.1)).0, expected);
    }

    #[test]
    fn adjusting_never_makes_a_p_smaller(pairs in scores(), shift in 0.0..0.5) {
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let c: Vec<f64> = b.iter().map(|score| score + shift).collect();
        let runs = [run("a", &a), run("b", &b), run("c", &c)];
        for adjust in [Adjust::By(Correction::Holm), Adjust::By(Correction::BenjaminiHochberg), Adjust::MaxT, Adjust::Tukey] {
            let comparison = compared(&runs, &Plan { adjust, pairs: Pairs::All, ..plan() });
            prop_assert_eq!(comparison.family.size, 3);
            for found in comparison.rows.iter().filter_map(|row| row.found.as_ref()) {
                prop_assert!(found.adjusted_p.is_some_and(|adjusted| adjusted >= found.p && adjusted <= 1.0));
            }
        }
    }
}

#[test]
fn identical_runs_are_identical_and_have_no_interval() {
    let same = [0.3, 0.6, 1.0];
    assert_eq!(row(&same, &same), (1.0, None, Some(Verdict::Identical)));
}

#[test]
fn one_query_and_two_queries_can_show_nothing() {
    let (p, interval, verdict) = row(&[0.0], &[1.0]);
    assert_eq!((p, interval), (1.0, None));
    assert!(matches!(verdict, Some(Verdict::NoEvidence(Absence::TooFewDiffer { differing: 1, .. }))));
    let (p, interval, verdict) = row(&[0.0, 0.25], &[1.0, 0.5]);
    assert!(p == 0.5 && interval.is_some_and(|(low, high)| low <= 0.625 && high >= 0.625));
    assert!(matches!(verdict, Some(Verdict::NoEvidence(Absence::TooFewDiffer { differing: 2, .. }))));
}

#[test]
fn the_same_rise_everywhere_is_decided_by_p_alone() {
    let (a, b): (Vec<f64>, Vec<f64>) = (0..12).map(|i| (f64::from(i) / 20.0, f64::from(i) / 20.0 + 0.1)).unzip();
    assert_eq!(row(&a, &b), (2.0 / 4096.0, None, Some(Verdict::Better)));
}

#[test]
fn a_single_huge_win_against_many_small_losses_is_no_win() {
    let a = [0.1; 20];
    let mut b = [0.05; 20];
    b[3] = 1.0e6;
    let (p, _, verdict) = row(&a, &b);
    assert!(p == 1.0 && verdict == Some(Verdict::NoEvidence(Absence::NotFound)), "{p} {verdict:?}");
}

#[test]
fn the_difference_must_survive_the_correction() {
    // 6 of 6 up: p = 1/32 alone, 1/16 beside a second metric
    let column = |scores: [f64; 6]| scores.map(Some).to_vec();
    let two = |name: &str, first: [f64; 6], second: [f64; 6]| RunScores {
        columns: vec![column(first), column(second)],
        ..run(name, &first)
    };
    let a = two("a", [0.0; 6], [0.5; 6]);
    let b = two("b", [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [0.5, 0.4, 0.6, 0.4, 0.6, 0.5]);
    let metrics = vec![Metric::named("recall@5"), Metric::named("ndcg@5")];
    let comparison = compared(&[a, b], &Plan { metrics, ..plan() });
    let found = comparison.rows[0].found.as_ref().unwrap();
    assert_eq!((found.p, found.adjusted_p), (1.0 / 32.0, Some(1.0 / 16.0)));
    assert_eq!(found.verdict, Some(Verdict::Borderline(Disagreement::NotAfterCorrection)));
}

#[test]
fn every_kind_of_interval_can_be_asked_for() {
    let (a, b): (Vec<f64>, Vec<f64>) = (1..30).map(|i| (1.0 / f64::from(i), f64::from(i % 7) / 7.0)).unzip();
    use raglens::stats::bootstrap::BootstrapKind::{Adjusted, Bca, Percentile};
    let kinds = [Adjusted, Percentile, Bca].map(IntervalKind::Bootstrap);
    for interval in kinds.into_iter().chain([IntervalKind::T]) {
        let comparison = compared(&[run("a", &a), run("b", &b)], &Plan { interval, ..plan() });
        let found = comparison.rows[0].found.as_ref().unwrap();
        assert!(found.interval.is_some_and(|found| found.low < found.high), "{interval:?}");
    }
}
