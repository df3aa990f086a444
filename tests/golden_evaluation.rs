//! Whole evaluations with values worked out by hand: several queries, pooled averages, queries
//! without a relevant document, copies.

use raglens::evaluate::{Average, EvaluateError, NoRelevant, Rules, evaluate};
use raglens::input::{ReadOptions, Source, read_labels, read_run};
use raglens::labels::Labels;
use raglens::measure::parse_list;
use raglens::notes::Notes;
use raglens::run::{Duplicates, Run};

const BATCH_LABELS: &str = r#"{"q1": {"3": 1, "7": 1, "12": 1}, "q2": {"4": 1, "6": 1}, "q3": {"1": 1, "3": 1}}"#;
const BATCH_RUN: &str = r#"{"q1": ["1","3","5","7","9"], "q2": ["2","4","6","8","10"], "q3": ["1","2","3","4","5"]}"#;

fn read(labels: &str, run: &str) -> (Labels, Run) {
    let (options, mut notes) = (ReadOptions::default(), Notes::default());
    let source = |name, text: &str| Source::from_bytes(name, text.as_bytes().to_vec());
    let labels = read_labels(source("labels", labels), &options, &mut notes).unwrap().0;
    (labels, read_run(source("run", run), &options, &mut notes).unwrap().0)
}

/// The means of measures, and over how many queries they are.
fn means(labels: &str, run: &str, measures: &str, rules: &Rules) -> Vec<(f64, u64)> {
    let (labels, run) = read(labels, run);
    let measures = parse_list(measures).unwrap();
    let table = evaluate(&labels, &run, &measures, rules).unwrap();
    (0..measures.len()).map(|column| table.summary(column)).map(|found| (found.mean.unwrap(), found.n)).collect()
}

fn assert_means(found: &[(f64, u64)], expected: &[f64], n: u64) {
    assert_eq!(found.len(), expected.len());
    for (&(mean, count), &value) in found.iter().zip(expected) {
        assert!((mean - value).abs() < 1e-9, "{mean} is not {value}");
        assert_eq!(count, n);
    }
}

#[test]
fn a_mean_is_over_the_values_of_the_queries() {
    let found = means(BATCH_LABELS, BATCH_RUN, "recall@5,precision@5,f1@5,mrr,ndcg@5", &Rules::default());
    assert_means(&found, &[8.0 / 9.0, 0.4, 0.547_619_047_619_048, 2.0 / 3.0, 0.703_778_816_743_957], 3);
}

#[test]
fn a_micro_average_pools_what_was_found() {
    let rules = Rules { average: Average::Micro, ..Rules::default() };
    let found = means(BATCH_LABELS, BATCH_RUN, "recall@5,precision@5", &rules);
    assert_means(&found, &[6.0 / 7.0, 0.4], 3);
}

#[test]
fn one_query_with_many_relevant_documents_outweighs_five_only_when_pooled() {
    let ten: Vec<String> = (0..10).map(|index| format!("\"d{index}\": 1")).collect();
    let ones: Vec<String> = (1..6).map(|query| format!("\"q{query}\": {{\"x\": 1}}")).collect();
    let labels = format!("{{\"q0\": {{{}}}, {}}}", ten.join(", "), ones.join(", "));
    let ones: Vec<String> = (1..6).map(|query| format!("\"q{query}\": [\"x\"]")).collect();
    let run = format!("{{\"q0\": [\"d0\", \"d1\"], {}}}", ones.join(", "));
    assert_means(&means(&labels, &run, "recall", &Rules::default()), &[0.866_666_666_666_667], 6);
    let pooled = Rules { average: Average::Micro, ..Rules::default() };
    assert_means(&means(&labels, &run, "recall", &pooled), &[0.466_666_666_666_667], 6);
}

#[test]
fn a_query_without_a_relevant_document_is_left_out_or_counts_as_nothing() {
    let (labels, run) = (r#"{"q1": {"a": 1}, "q2": {}}"#, r#"{"q1": ["a"], "q2": ["b"]}"#);
    assert_means(&means(labels, run, "recall@1", &Rules::default()), &[1.0], 1);
    let zero = Rules { no_relevant: NoRelevant::Zero, ..Rules::default() };
    assert_means(&means(labels, run, "recall@1", &zero), &[0.5], 2);
}

#[test]
fn a_copy_is_an_error_or_goes_but_is_never_credited() {
    let (labels, run) = (r#"{"q": {"a": 1, "b": 1, "c": 1}}"#, r#"{"q": ["a", "a", "b"]}"#);
    let (read_labels, read_run) = read(labels, run);
    let measures = parse_list("recall").unwrap();
    let refused = evaluate(&read_labels, &read_run, &measures, &Rules::default());
    assert!(matches!(refused, Err(EvaluateError::Ranking(_))));
    let first = Rules { duplicates: Duplicates::First, ..Rules::default() };
    assert_means(&means(labels, run, "recall,recall@1", &first), &[2.0 / 3.0, 1.0 / 3.0], 1);
}
