//! Pipelines small enough to follow by hand.

use super::*;
use crate::input::{ReadOptions, Source, read_labels, read_run};
use crate::notes::Notes;

/// Labels from `q1: a b; q2: c`.
fn labels(text: &str) -> Labels {
    let row = |(query, ids): (&str, &str)| {
        ids.split_whitespace().map(|id| format!("{} 0 {id} 1\n", query.trim())).collect::<String>()
    };
    let rows: String = text.split(';').filter_map(|row| row.split_once(':')).map(row).collect();
    let source = Source::from_bytes("labels", rows.into_bytes());
    read_labels(source, &ReadOptions::default(), &mut Notes::default()).unwrap().0
}

fn run(text: &str) -> Run {
    let row = |(query, ids): (&str, &str)| {
        let ids = ids.split_whitespace().map(|id| format!("\"{id}\"")).collect::<Vec<_>>().join(",");
        format!("{{\"query_id\":\"{}\",\"results\":[{ids}]}}\n", query.trim())
    };
    let rows: String = text.split(';').filter_map(|row| row.split_once(':')).map(row).collect();
    let source = Source::from_bytes("run", rows.into_bytes());
    read_run(source, &ReadOptions::default(), &mut Notes::default()).unwrap().0
}

fn traced(labels: &Labels, runs: &[&str], k: u64, search: Option<&[usize]>) -> Result<Pipeline, StagesError> {
    let runs: Vec<Run> = runs.iter().map(|text| run(text)).collect();
    let queries: Vec<usize> = (0..labels.queries().len()).collect();
    let rules = Rules::default();
    let question = Question { labels, queries: &queries, rules: &rules, k, pool: None, search };
    trace(&runs.iter().collect::<Vec<_>>(), &question)
}

fn sources(pipeline: &Pipeline) -> Vec<&[usize]> {
    pipeline.stages.iter().map(|stage| stage.sources.as_slice()).collect()
}

#[test]
fn fusion_takes_from_every_search_and_a_reranker_from_fusion() {
    let labels = labels("q: a b");
    let pipeline = traced(&labels, &["q: a x", "q: y b", "q: y a x b", "q: b a"], 2, None).unwrap();
    assert_eq!(sources(&pipeline), [&[] as &[usize], &[], &[0, 1], &[2]]);
    let gap = pipeline.gap(3, &[0]).unwrap();
    assert_eq!((gap.before, gap.after, gap.pool, gap.closed), (0.5, 1.0, 1.0, Some(1.0)));
    let fused = pipeline.gap(2, &[0]).unwrap();
    assert_eq!((fused.best, fused.before, fused.after, fused.closed), (0, 0.5, 0.5, Some(0.0)));
}

#[test]
fn a_pool_with_more_relevant_documents_than_fit_has_a_ceiling_of_its_own() {
    let labels = labels("q: a b c d e f g h i j");
    let pool = "q: a b c w x d e f g h i";
    let pipeline = traced(&labels, &[pool, "q: a b c d e w x f g h i"], 5, None).unwrap();
    let gap = pipeline.gap(1, &[0]).unwrap();
    assert_eq!((gap.before, gap.after, gap.pool, gap.attainable), (0.3, 0.5, 0.9, 0.5));
    assert!((gap.closed.unwrap() - 1.0 / 3.0).abs() < 1e-12);
    assert_eq!(gap.closed_attainable, Some(1.0));
}

#[test]
fn every_missed_document_has_one_fate() {
    let labels = labels("q: a b c d e");
    let pipeline = traced(&labels, &["q: a b c x", "q: x c a y", "q: x a c b", "q: x a c"], 2, Some(&[1])).unwrap();
    let fates: Vec<(String, Fate)> =
        pipeline.missed.iter().map(|missed| (missed.document.to_string(), missed.fate)).collect();
    let expected = [("b", Fate::LostAt(3)), ("c", Fate::BelowCutoff(3)), ("d", Fate::NeverRetrieved)];
    assert_eq!(fates[..3], expected.map(|(id, fate)| (id.to_owned(), fate)));
    assert_eq!((pipeline.missed.len(), pipeline.relevant), (4, 5));
    assert_eq!(pipeline.with_fate(Fate::BelowCutoff(0)).count(), 1);
}

#[test]
fn a_relevant_document_from_nowhere_is_an_error_and_another_is_counted() {
    let labels = labels("q: a");
    let error = traced(&labels, &["q: x y", "q: a x"], 1, None).unwrap_err();
    let found = vec![(Id::from("q"), Id::from("a"))];
    assert_eq!(error, StagesError::OutsidePool { stage: 1, sources: vec![0], found });
    let pipeline = traced(&labels, &["q: x a", "q: z a"], 1, None).unwrap();
    assert_eq!(pipeline.stages[1].outside, 1);
}

#[test]
fn a_stage_that_hurts_is_negative_and_one_with_nothing_to_gain_has_no_share() {
    let labels = labels("q1: a; q2: b");
    let hurts = traced(&labels, &["q1: a x; q2: x b", "q1: x a; q2: x b"], 1, None).unwrap();
    assert_eq!(hurts.gap(1, &[0, 1]).unwrap().closed, Some(-1.0));
    let nothing = traced(&labels, &["q1: a x; q2: b", "q1: a; q2: b x"], 1, None);
    assert_eq!(nothing.unwrap().gap(1, &[0, 1]).unwrap().closed, None);
}

#[test]
fn a_stage_that_is_not_as_deep_as_k_says_nothing_at_k() {
    let labels = labels("q: a b");
    let pipeline = traced(&labels, &["q: x a b", "q: a b"], 3, None).unwrap();
    assert_eq!((pipeline.stages[1].depth, pipeline.stages[1].recall(&[0]), pipeline.gap(1, &[0])), (2, None, None));
}

#[test]
fn one_stage_is_no_pipeline_and_the_last_one_takes() {
    let labels = labels("q: a");
    assert_eq!(traced(&labels, &["q: a"], 1, None), Err(StagesError::TooFew { got: 1 }));
    assert_eq!(traced(&labels, &["q: a", "q: b"], 1, Some(&[0, 1])), Err(StagesError::LastSearches));
}
