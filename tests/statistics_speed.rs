//! How long the statistics take. Run with
//! `cargo test --release --test statistics_speed -- --ignored --nocapture`.
#![allow(clippy::print_stderr)] // the figures are what the test is for

use std::time::{Duration, Instant};

use raglens::stats::bootstrap::{resample_mean, resample_means};
use raglens::stats::lattice::Quantized;
use raglens::stats::max_t::max_t;
use raglens::stats::paired::Paired;
use raglens::stats::power::BinaryPlan;
use raglens::stats::random::{Purpose, Stream};
use raglens::stats::randomization::{Alternative, RandomizationOptions, count_flips, randomization_test};
use raglens::stats::summary::{Range, student_t};
use raglens::stats::tukey::tukey;

/// Differences between -1 and 1 on no lattice.
fn real_valued(n: usize) -> Vec<f64> {
    let words = Stream::new(7, Purpose::Bootstrap).words(0, n);
    words.iter().map(|word| f64::from(*word) / 2f64.powi(31) - 0.97).collect()
}

fn time(what: &str, limit_ms: u64, work: impl Fn()) {
    work();
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        work();
        best = best.min(start.elapsed());
    }
    eprintln!("{what}: {:.1} ms (limit {limit_ms})", best.as_secs_f64() * 1e3);
    assert!(best <= Duration::from_millis(limit_ms), "{what} took {best:?}");
}

#[test]
#[ignore = "measures time; needs --release and a quiet machine"]
fn targets_are_met() {
    for m in [36, 40] {
        let changed = Paired::new(&vec![0.0; m], &real_valued(m)).unwrap();
        time(&format!("exact p, {m} changed"), 500, || {
            randomization_test(&changed, RandomizationOptions::default());
        });
    }
    for (n, limit) in [(60, 50), (1000, 100), (6980, 300)] {
        let differences = Quantized::new(&real_valued(n));
        time(&format!("100,000 sign patterns, n = {n}"), limit, || {
            count_flips(&differences, 100_000, 0);
        });
        let paired = Paired::new(&vec![0.0; n], &real_valued(n)).unwrap();
        time(&format!("the whole test, n = {n}"), 1000, || {
            randomization_test(&paired, RandomizationOptions::default());
        });
    }
    for n in [42, 1000, 6980] {
        let differences = real_valued(n);
        time(&format!("10,000 resamples, n = {n}"), 300, || {
            resample_mean(&differences, 10_000, 0);
        });
    }
    let nine = vec![real_valued(6980); 9];
    let columns: Vec<&[f64]> = nine.iter().map(Vec::as_slice).collect();
    time("10,000 resamples, n = 6980, nine columns", 1500, || {
        resample_means(&columns, 10_000, 0).unwrap();
    });
    for (denominator, m) in [(6, 1000), (60, 1000), (2520, 400), (2520, 1000), (10_000, 200), (10_000, 1000)] {
        let scale = f64::from(denominator);
        let values: Vec<f64> = real_valued(m).iter().map(|d| (d * scale).round() / scale).collect();
        let paired = Paired::new(&vec![0.0; m], &values).unwrap();
        let test = randomization_test(&paired, RandomizationOptions::default());
        time(&format!("L = {denominator}, m = {m}: {}", test.method.name()), 5000, || {
            randomization_test(&paired, RandomizationOptions::default());
        });
    }
    for (disagreement, delta) in [(0.2, 0.1), (0.1, 0.02), (0.2, 0.006)] {
        let plan = BinaryPlan { disagreement, alpha: 0.05, mid_p: false };
        let n = plan.queries_needed(delta, 0.8);
        time(&format!("queries needed, {n:?}"), 2000, || {
            plan.queries_needed(delta, 0.8);
        });
    }
    let tukey_runs: Vec<Vec<f64>> = (1..5).map(|k| real_valued(1000 * k)[1000 * (k - 1)..].to_vec()).collect();
    let tukey_runs: Vec<&[f64]> = tukey_runs.iter().map(Vec::as_slice).collect();
    time("randomized Tukey, 4 runs, n = 1000", 2000, || {
        tukey(&tukey_runs, 100_000, 0).unwrap();
    });
    time("max-T, 4 columns, n = 1000", 500, || {
        max_t(&tukey_runs, Alternative::TwoSided, 100_000, 0).unwrap();
    });
    time("closed-form interval, n = 1000", 1, || {
        student_t(tukey_runs[0], 0.95, Range::UNIT);
    });
}
