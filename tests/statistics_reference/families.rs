//! Several tests together: adjusted p-values, max-T, randomized Tukey; and the random stream.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use raglens::stats::correction::{benjamini_hochberg, bonferroni, holm};
use raglens::stats::max_t::max_t;
use raglens::stats::paired::Paired;
use raglens::stats::random::{Purpose, Stream};
use raglens::stats::randomization::{Alternative, RandomizationOptions, randomization_test};
use raglens::stats::t_test::t_test;
use raglens::stats::tukey::{PairP, tukey};

use crate::ledger::{Ledger, Within};

const ADJUSTED: Within = Within::Absolute(1e-12);
const EXACT_P: Within = Within::Relative(1e-9);

pub fn compare(ledger: &mut Ledger) {
    vectors(ledger);
    adjusted(ledger);
    two_runs_three_metrics(ledger);
    for section in ["max_t_four_runs_all_pairs", "max_t_four_runs_vs_baseline"] {
        four_runs(ledger, section);
    }
    tukey_five_queries(ledger);
    tukey_twenty_queries(ledger);
}

fn vectors(ledger: &mut Ledger) {
    let mut zero = ChaCha8Rng::from_seed([0; 32]);
    vector(ledger, "zero_key_stream_0_first_4_u32", (0..4).map(|_| zero.next_u32()).collect());
    let mut counting = ChaCha8Rng::from_seed(std::array::from_fn(|i| i as u8));
    counting.set_stream(7);
    vector(ledger, "key_00_to_1f_stream_7_first_4_u32", (0..4).map(|_| counting.next_u32()).collect());
    let flips = Stream::new(0, Purpose::SignFlips).words(0, 8);
    vector(ledger, "seed_0_purpose_1_stream_0_first_8_u32", flips);
    let indices = Stream::new(0, Purpose::Bootstrap).words(1, 8);
    vector(ledger, "seed_0_purpose_2_stream_1_first_8_u32", indices);
}

fn vector(ledger: &mut Ledger, name: &str, words: Vec<u32>) {
    let words: Vec<f64> = words.into_iter().map(f64::from).collect();
    ledger.numbers(&format!("/meta/stream_v1/vectors/{name}"), &words, Within::Absolute(0.0));
}

fn adjusted(ledger: &mut Ledger) {
    for i in 0..ledger.len("/adjusted_p") {
        let at = |key: &str| format!("/adjusted_p/{i}/{key}");
        let p = ledger.inputs(&at("p"));
        ledger.numbers(&at("bonferroni"), &bonferroni(&p), ADJUSTED);
        ledger.numbers(&at("holm"), &holm(&p), ADJUSTED);
        ledger.numbers(&at("bh"), &benjamini_hochberg(&p), ADJUSTED);
    }
}

fn two_runs_three_metrics(ledger: &mut Ledger) {
    let section = "/max_t_two_runs_three_metrics";
    let columns = ["recall", "ndcg", "rr"].map(|metric| {
        let a = ledger.inputs(&format!("{section}/inputs/{metric}_a"));
        let b = ledger.inputs(&format!("{section}/inputs/{metric}_b"));
        Paired::new(&a, &b).expect("a column")
    });
    for (i, name) in ["recall", "ndcg", "rr"].iter().enumerate() {
        assert_eq!(ledger.text(&format!("{section}/columns/{i}")), *name);
    }
    family(ledger, section, &columns);
}

/// Columns are named "b - base".
fn four_runs(ledger: &mut Ledger, section: &str) {
    let section = format!("/{section}");
    let mut columns = Vec::new();
    for i in 0..ledger.len(&format!("{section}/columns")) {
        let name = ledger.text(&format!("{section}/columns/{i}"));
        let (second, first) = name.split_once(" - ").expect("a difference of two runs");
        let mut run = |name: &str| ledger.inputs(&format!("/max_t_four_runs_all_pairs/inputs/{name}"));
        columns.push(Paired::new(&run(first), &run(second)).expect("a column"));
    }
    if ledger.has(&format!("{section}/inputs/base")) {
        return family(ledger, &section, &columns);
    }
    ledger.text(&format!("{section}/inputs"));
    family(ledger, &section, &columns);
}

fn family(ledger: &mut Ledger, section: &str, columns: &[Paired]) {
    let at = |key: &str| format!("{section}/{key}");
    let differences: Vec<&[f64]> = columns.iter().map(|column| &*column.differences).collect();
    let result = max_t(&differences, Alternative::TwoSided, 100_000, 0).expect("equal lengths");
    let raw: Vec<f64> = columns.iter().map(p_value).collect();
    ledger.exact(&at("n"), columns[0].n as f64);
    ledger.numbers(&at("raw_p"), &raw, EXACT_P);
    ledger.numbers(&at("statistic_abs_sum_over_root_sum_squares"), &result.statistics, EXACT_P);
    ledger.numbers(&at("step_down"), &result.adjusted, ADJUSTED);
    ledger.numbers(&at("holm"), &holm(&raw), ADJUSTED);
    ledger.numbers(&at("bh"), &benjamini_hochberg(&raw), ADJUSTED);
    let expected = ledger.input(&at("patterns"));
    let holds = result.is_exact && result.patterns as f64 <= expected;
    ledger.check(&at("patterns"), holds, format!("{} patterns", result.patterns));
}

fn p_value(paired: &Paired) -> f64 {
    randomization_test(paired, RandomizationOptions::default()).p
}

fn tukey_five_queries(ledger: &mut Ledger) {
    let section = "/tukey_exact_5x3";
    let runs = ["a", "b", "c"].map(|run| ledger.inputs(&format!("{section}/inputs_times_10/{run}")));
    for pair in pairs(&runs, 10_000) {
        let path = format!("{section}/p/{}-{}", pair.first, pair.second);
        ledger.number(&path, pair.p, ADJUSTED);
    }
}

fn tukey_twenty_queries(ledger: &mut Ledger) {
    let section = "/tukey_sakai_20x3";
    let names = ["A", "B", "C"];
    let runs = names.map(|run| ledger.inputs(&format!("{section}/inputs_times_10/{run}")));
    let mut raw = Vec::new();
    for pair in pairs(&runs, 100_000) {
        let name = format!("{}-{}", names[pair.first], names[pair.second]);
        let error = (pair.p * (1.0 - pair.p) / 100_000.0).sqrt();
        let path = format!("{section}/exact_randomized_tukey_p/{name}");
        ledger.number(&path, pair.p, Within::Absolute(4.0 * error));
        let paired = Paired::new(&runs[pair.first], &runs[pair.second]).expect("a pair");
        let at = |key: &str| format!("{section}/pairwise_sign_flip/{name}/{key}");
        ledger.number(&at("exact"), p_value(&paired), EXACT_P);
        ledger.fraction(&at("fraction"), p_value(&paired), EXACT_P);
        let t = t_test(&paired, Alternative::TwoSided, 0.95).map(|test| test.p);
        ledger.number(&at("t"), t, EXACT_P);
        raw.push((name, p_value(&paired)));
    }
    let p: Vec<f64> = raw.iter().map(|(_, p)| *p).collect();
    for ((name, _), adjusted) in raw.iter().zip(holm(&p)) {
        ledger.number(&format!("{section}/pairwise_holm/{name}"), adjusted, ADJUSTED);
    }
}

fn pairs(runs: &[Vec<f64>; 3], resamples: u64) -> Vec<PairP> {
    let runs: Vec<&[f64]> = runs.iter().map(Vec::as_slice).collect();
    tukey(&runs, resamples, 0).expect("equal lengths").pairs
}
