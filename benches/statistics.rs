//! Times of the statistics: `cargo bench --bench statistics`.
//!
//! A line each: what was timed, and the median of several rounds in seconds, with a tab between.
//! `benches/compare_scipy.py` reads them. Timed by the clock alone, so that no further crate has to
//! be built for it.
#![allow(clippy::print_stdout)] // the figures are what it is for

use std::hint::black_box;
use std::time::Instant;

use raglens::stats::bootstrap::{resample_mean, resample_means};
use raglens::stats::lattice::Quantized;
use raglens::stats::max_t::max_t;
use raglens::stats::paired::Paired;
use raglens::stats::power::BinaryPlan;
use raglens::stats::random::{Purpose, Stream};
use raglens::stats::randomization::{Alternative, RandomizationOptions, count_flips, randomization_test};
use raglens::stats::tukey::tukey;

/// How often each piece of work is timed.
const ROUNDS: usize = 11;

/// Differences between -1 and 1 on no lattice.
fn real_valued(n: usize) -> Vec<f64> {
    let words = Stream::new(7, Purpose::Bootstrap).words(0, n);
    words.iter().map(|word| f64::from(*word) / 2f64.powi(31) - 0.97).collect()
}

/// Prints the median time of some work that was done once before.
fn time<T>(what: &str, work: impl Fn() -> T) {
    black_box(work());
    let mut seconds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            black_box(work());
            start.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_unstable_by(f64::total_cmp);
    println!("{what}\t{:.6}", seconds[ROUNDS / 2]);
}

fn main() {
    let forty = Paired::new(&[0.0; 40], &real_valued(40)).expect("scores pair");
    time("exact p, 40 changed queries", || randomization_test(&forty, RandomizationOptions::default()));
    for n in [1000, 6980] {
        let differences = real_valued(n);
        let quantized = Quantized::new(&differences);
        time(&format!("100,000 sign patterns, n = {n}"), || count_flips(&quantized, 100_000, 0));
        time(&format!("10,000 bootstrap resamples, n = {n}"), || resample_mean(&differences, 10_000, 0));
    }
    let nine = vec![real_valued(6980); 9];
    let columns: Vec<&[f64]> = nine.iter().map(Vec::as_slice).collect();
    time("10,000 bootstrap resamples, n = 6980, nine measures", || resample_means(&columns, 10_000, 0));
    let all = real_valued(4000);
    let runs: Vec<&[f64]> = all.chunks(1000).collect();
    time("max-T, 4 columns, n = 1000", || max_t(&runs, Alternative::TwoSided, 100_000, 0));
    time("randomized Tukey, 4 runs, n = 1000", || tukey(&runs, 100_000, 0));
    time("planning table", || {
        [0.1, 0.2, 0.3].map(|disagreement| {
            let plan = BinaryPlan { disagreement, alpha: 0.05, mid_p: false };
            [20, 42, 100, 300, 1000].map(|n| plan.detectable(n, 0.8, 0.001))
        })
    });
}
