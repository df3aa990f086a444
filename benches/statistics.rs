//! The statistics: `cargo bench --bench statistics`.
//!
//! `benches/compare_scipy.py` sets some of the times beside those of scipy, by the names here.
#![allow(missing_docs)] // criterion makes a public function

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use raglens::compare::{Metric, Pairs, Plan, RunScores, compare, join};
use raglens::evaluate::Over;
use raglens::id::Id;
use raglens::stats::bootstrap::{resample_mean, resample_means};
use raglens::stats::lattice::Quantized;
use raglens::stats::max_t::max_t;
use raglens::stats::paired::Paired;
use raglens::stats::power::BinaryPlan;
use raglens::stats::random::{Purpose, Stream};
use raglens::stats::randomization::{
    Alternative, RandomizationOptions, count_flips, randomization_test, randomization_tests,
};
use raglens::stats::summary::{Range, mean_interval};
use raglens::stats::tukey::tukey;

/// Differences between -1 and 1 on no lattice.
fn real_valued(n: usize) -> Vec<f64> {
    let words = Stream::new(7, Purpose::Bootstrap).words(0, n);
    words.iter().map(|word| f64::from(*word) / 2f64.powi(31) - 0.97).collect()
}

/// All sign patterns where they can be counted: 2^40 still can on no lattice, 2^50 cannot.
fn p_values(criterion: &mut Criterion) {
    for changed in [40, 50] {
        let paired = Paired::new(&vec![0.0; changed], &real_valued(changed)).expect("scores pair");
        criterion.bench_function(&format!("p of {changed} changed queries on no lattice"), |bencher| {
            bencher.iter(|| randomization_test(black_box(&paired), RandomizationOptions::default()));
        });
    }
    let tenths: Vec<f64> = real_valued(1000).iter().map(|value| (value * 10.0).round() / 10.0).collect();
    let paired = Paired::new(&[0.0; 1000], &tenths).expect("scores pair");
    criterion.bench_function("exact p of 1,000 changed queries in tenths", |bencher| {
        bencher.iter(|| randomization_test(black_box(&paired), RandomizationOptions::default()));
    });
}

fn sign_flips(criterion: &mut Criterion) {
    for n in [1000, 6980] {
        let quantized = Quantized::new(&real_valued(n));
        criterion.bench_function(&format!("100,000 sign patterns, n = {n}"), |bencher| {
            bencher.iter(|| count_flips(black_box(&quantized), 100_000, 0));
        });
    }
    let scores = real_valued(9 * 6980);
    let nine: Vec<Paired> = scores.chunks(6980).map(|b| Paired::new(&[0.0; 6980], b).expect("scores pair")).collect();
    let nine: Vec<&Paired> = nine.iter().collect();
    criterion.bench_function("100,000 sign patterns, n = 6980, nine measures", |bencher| {
        bencher.iter(|| randomization_tests(black_box(&nine), RandomizationOptions::default()));
    });
}

fn bootstrap(criterion: &mut Criterion) {
    for n in [1000, 6980] {
        let differences = real_valued(n);
        criterion.bench_function(&format!("10,000 bootstrap resamples, n = {n}"), |bencher| {
            bencher.iter(|| resample_mean(black_box(&differences), 10_000, 0));
        });
    }
    let nine = vec![real_valued(6980); 9];
    let columns: Vec<&[f64]> = nine.iter().map(Vec::as_slice).collect();
    criterion.bench_function("10,000 bootstrap resamples, n = 6980, nine measures", |bencher| {
        bencher.iter(|| resample_means(black_box(&columns), 10_000, 0));
    });
}

/// The closed interval of a mean: what `eval` adds to every measure.
fn intervals(criterion: &mut Criterion) {
    let values: Vec<f64> = real_valued(6980).iter().map(|value| value.abs().min(1.0)).collect();
    criterion.bench_function("closed interval of a mean, n = 6980", |bencher| {
        bencher.iter(|| mean_interval(black_box(&values), 0.95, Range::UNIT));
    });
}

fn families(criterion: &mut Criterion) {
    let all = real_valued(4000);
    let runs: Vec<&[f64]> = all.chunks(1000).collect();
    criterion.bench_function("max-T, 4 columns, n = 1000", |bencher| {
        bencher.iter(|| max_t(black_box(&runs), Alternative::TwoSided, 100_000, 0));
    });
    criterion.bench_function("randomized Tukey, 4 runs, n = 1000", |bencher| {
        bencher.iter(|| tukey(black_box(&runs), 100_000, 0));
    });
}

/// Everything that `compare` computes once the scores are known.
fn comparisons(criterion: &mut Criterion) {
    let queries: Vec<Id> = (0..7000).map(|number| Id::from(format!("q{number:04}").as_str())).collect();
    let scores = real_valued(9 * 7000);
    let run = |(index, columns): (usize, &[f64])| RunScores {
        name: format!("run{index}"),
        queries: queries.clone(),
        columns: columns.chunks(7000).map(|column| column.iter().copied().map(Some).collect()).collect(),
        rankings: Vec::new(),
    };
    let runs: Vec<RunScores> = scores.chunks(3 * 7000).enumerate().map(run).collect();
    let joined = join(&runs, Over::All).expect("the runs have the same queries");
    let metrics = ["a", "b", "c"].map(Metric::named).to_vec();
    for (name, pairs) in [("the first", Pairs::Baseline), ("each other", Pairs::All)] {
        let plan = Plan { metrics: metrics.clone(), pairs, ..Plan::default() };
        criterion.bench_function(&format!("3 runs against {name} on 3 measures, n = 7000"), |bencher| {
            bencher.iter(|| compare(black_box(&joined), &plan));
        });
    }
}

fn planning(criterion: &mut Criterion) {
    criterion.bench_function("planning table", |bencher| {
        bencher.iter(|| {
            [0.1, 0.2, 0.3].map(|disagreement| {
                let plan = BinaryPlan { disagreement, alpha: 0.05, mid_p: false };
                [20, 42, 100, 300, 1000].map(|n| plan.detectable(n, 0.8, 0.001))
            })
        });
    });
    let plan = BinaryPlan { disagreement: 0.3, alpha: 0.05, mid_p: false };
    criterion.bench_function("detectable difference of a measure that is 0 or 1, n = 7000", |bencher| {
        bencher.iter(|| black_box(&plan).detectable(7000, 0.8, 0.001));
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    targets = p_values, sign_flips, bootstrap, intervals, families, comparisons, planning
}
criterion_main!(benches);
