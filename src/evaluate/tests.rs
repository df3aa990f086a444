//! Which queries count, and what becomes of odd ones.

use super::*;
use crate::labels::{DuplicateLabels, LabelsBuilder};
use crate::run::{self, Key, RunBuilder, RunSink};
use crate::scores::Cell;

/// Labels from `query document grade` triples separated by semicolons; a query alone has no judgment.
fn labels(text: &str) -> Labels {
    let mut builder = LabelsBuilder::new(DuplicateLabels::Error);
    for row in text.split(';') {
        match row.split_whitespace().collect::<Vec<_>>()[..] {
            [query, document, grade] => {
                builder.judge(query.as_bytes(), document.as_bytes(), grade.parse().unwrap(), 1).unwrap();
            }
            [query] => builder.mention(query.as_bytes()),
            _ => panic!("not a row: {row}"),
        }
    }
    builder.finish()
}

/// A run from `query document score` triples separated by semicolons.
fn run_of(text: &str) -> Run {
    let mut builder = RunBuilder::new();
    for (line, row) in (1..).zip(text.split(';')) {
        let [query, document, score] = row.split_whitespace().collect::<Vec<_>>()[..] else { panic!("{row}") };
        let (query, document, key) = (query.as_bytes(), document.as_bytes(), Key::Score(score.parse().unwrap()));
        builder.row(&run::Row { query, document, key, rank: None, line, chunk: None }).unwrap();
    }
    builder.finish()
}

fn measures(labels: &Labels, specs: &[&str]) -> Vec<Measure> {
    specs.iter().map(|spec| Measure::parse(spec).unwrap().bind(&labels.facts()).unwrap()).collect()
}

#[test]
fn a_missing_query_counts_as_an_empty_list() {
    let labels = labels("q1 a 1; q2 b 1; q3 c 0");
    let run = run_of("q1 a 2; q9 x 1");
    let measures = measures(&labels, &["hit@5", "judged@5", "rbp_residual"]);
    let table = evaluate(&labels, &run, &measures, &Rules::default()).unwrap();
    assert_eq!(table.summary(0).mean, Some(0.5));
    let cells: Vec<Cell> = table.rows.row(1).cells().collect();
    assert_eq!(cells, [Cell::Value(0.0), Cell::Undefined, Cell::Value(1.0)]);
    assert_eq!(table.summary(1).n, 1);
    assert_eq!(table.join.missing, [&"q2".into()]);
    assert_eq!(table.join.left_out, [&"q3".into()]);
    assert_eq!(table.join.ignored, ["q9".into()]);
}

#[test]
fn means_are_over_the_queries_that_the_rule_names() {
    let labels = labels("q1 a 1; q2 b 1; q3 c 0");
    let run = run_of("q1 a 2; q3 c 1");
    let measures = measures(&labels, &["hit@5"]);
    let mean = |rules: Rules| evaluate(&labels, &run, &measures, &rules).map(|table| table.summary(0));
    let common = mean(Rules { over: Over::Common, ..Rules::default() }).unwrap();
    assert_eq!((common.n, common.mean), (1, Some(1.0)));
    let zero = mean(Rules { no_relevant: NoRelevant::Zero, ..Rules::default() }).unwrap();
    assert_eq!((zero.n, zero.mean), (3, Some(1.0 / 3.0)));
    let strict = mean(Rules { over: Over::Strict, ..Rules::default() }).unwrap_err();
    assert_eq!(strict, EvaluateError::MissingQueries { missing: vec!["q2".into()] });
}

#[test]
fn an_unanswerable_query_is_left_out_even_when_empty_ones_count() {
    let mut builder = LabelsBuilder::new(DuplicateLabels::Error);
    builder.judge(b"q1", b"a", 1.0, 1).unwrap();
    builder.judge(b"q2", b"b", 1.0, 2).unwrap();
    builder.about(b"q2").answerable = Some(false);
    let labels = builder.finish();
    let measures = measures(&labels, &["hit@5"]);
    let rules = Rules { no_relevant: NoRelevant::Zero, ..Rules::default() };
    let table = evaluate(&labels, &run_of("q1 a 1; q2 b 1"), &measures, &rules).unwrap();
    assert_eq!(table.summary(0).n, 1);
    assert_eq!(table.join.left_out, [&"q2".into()]);
}

#[test]
fn the_threshold_decides_query_by_query_and_measure_by_measure() {
    let labels = labels("q1 a 1; q2 b 2");
    let measures = measures(&labels, &["recall@5", "recall:rel=2@5", "ndcg@5"]);
    let table = evaluate(&labels, &run_of("q1 a 1; q2 b 1"), &measures, &Rules::default()).unwrap();
    let n: Vec<u64> = (0..3).map(|column| table.summary(column).n).collect();
    assert_eq!(n, [2, 1, 2]);
    assert_eq!(table.rows.cell(0, 1), Cell::LeftOut);
}

#[test]
fn nothing_relevant_anywhere_is_an_error() {
    let labels = labels("q1 a 0.5");
    let measures = measures(&labels, &["recall@5"]);
    let error = evaluate(&labels, &run_of("q1 a 1"), &measures, &Rules::default()).unwrap_err();
    assert_eq!(error, EvaluateError::NothingToScore { rel: 1.0, max_grade: 0.5 });
}

#[test]
fn micro_averages_pool_and_refuse_what_cannot_be_pooled() {
    let labels = labels("q1 a 1; q1 b 1; q1 c 1; q2 d 1");
    let run = run_of("q1 a 1; q2 d 1");
    let rules = Rules { average: Average::Micro, ..Rules::default() };
    let pooled = measures(&labels, &["recall@5", "precision@5"]);
    let table = evaluate(&labels, &run, &pooled, &rules).unwrap();
    assert_eq!(table.summary(0).mean, Some(0.5));
    assert_eq!(table.summary(1).mean, Some(0.2));
    let ranked = measures(&labels, &["ndcg@5"]);
    let error = evaluate(&labels, &run, &ranked, &rules).unwrap_err();
    assert_eq!(error, EvaluateError::NoMicroAverage { label: "ndcg@5".to_owned() });
}

#[test]
fn ties_are_broken_by_descending_ids_and_reported_at_the_cutoff() {
    let labels = labels("q1 10 1");
    let run = run_of("q1 10 1.0; q1 9 1.0");
    let measures = measures(&labels, &["mrr", "hit@1"]);
    let mrr = |ties| {
        let rules = Rules { ties, ..Rules::default() };
        let table = evaluate(&labels, &run, &measures, &rules).unwrap();
        assert_eq!(table.join.tied_at_cutoff, [&"q1".into()]);
        assert_eq!(table.join.tied_pairs, 1);
        table.summary(0).mean
    };
    assert_eq!(mrr(Ties::Trec), Some(0.5));
    assert_eq!(mrr(Ties::IdAscending), Some(1.0));
    assert_eq!(mrr(Ties::Input), Some(1.0));
}

#[test]
fn a_copy_is_refused_or_dropped_and_never_credited() {
    let labels = labels("q1 a 1; q1 b 1");
    let run = run_of("q1 a 3; q1 a 2; q1 b 1");
    let measures = measures(&labels, &["recall@2"]);
    assert!(matches!(
        evaluate(&labels, &run, &measures, &Rules::default()),
        Err(EvaluateError::Ranking(fault)) if fault.line == Some(2)
    ));
    let rules = Rules { duplicates: Duplicates::First, ..Rules::default() };
    let table = evaluate(&labels, &run, &measures, &rules).unwrap();
    assert_eq!((table.summary(0).mean, table.join.dropped_copies), (Some(1.0), 1));
}

#[test]
fn a_result_that_is_the_query_itself_is_reported_or_removed() {
    let labels = labels("q1 d7 1");
    let run = run_of("q1 q1 2; q1 d7 1");
    let measures = measures(&labels, &["mrr"]);
    let kept = evaluate(&labels, &run, &measures, &Rules::default()).unwrap();
    assert_eq!((kept.summary(0).mean, kept.join.self_retrieved.len()), (Some(0.5), 1));
    let dropped = evaluate(&labels, &run, &measures, &Rules { drop_self: true, ..Rules::default() }).unwrap();
    assert_eq!((dropped.summary(0).mean, dropped.rows.row(0).retrieved), (Some(1.0), 1));
}

#[test]
fn the_attainable_mean_is_that_of_perfect_rankings() {
    let labels = labels("q1 a 1; q2 b 1; q2 c 1");
    let measures = measures(&labels, &["precision@5", "recall@5"]);
    let table = evaluate(&labels, &run_of("q1 a 1"), &measures, &Rules::default()).unwrap();
    assert!((table.summary(0).attainable.unwrap() - 0.3).abs() < 1e-12);
    assert_eq!(table.summary(1).attainable, None);
}

#[test]
fn a_pooled_mean_has_a_pooled_attainable_one() {
    let labels = labels("q1 a 1; q1 b 1; q1 c 1; q2 d 1");
    let measures = measures(&labels, &["precision@2"]);
    let rules = Rules { average: Average::Micro, ..Rules::default() };
    let table = evaluate(&labels, &run_of("q1 a 1; q2 d 1"), &measures, &rules).unwrap();
    assert_eq!((table.summary(0).mean, table.summary(0).attainable), (Some(0.5), Some(0.75)));
}

#[test]
fn a_measure_without_the_scale_it_needs_is_an_error_and_not_a_column_of_nothing() {
    let labels = labels("q1 a 1");
    let unbound = [Measure::parse("err@5").unwrap()];
    let error = evaluate(&labels, &run_of("q1 a 1"), &unbound, &Rules::default());
    assert_eq!(error.unwrap_err(), EvaluateError::Unbound { label: "err@5".to_owned() });
}

#[test]
fn a_measure_that_labels_of_grades_cannot_give_is_refused() {
    let labels = labels("q1 a 1");
    let error = |spec| {
        let measures = [Measure::parse(spec).unwrap()];
        evaluate(&labels, &run_of("q1 a 1"), &measures, &Rules::default()).unwrap_err().to_string()
    };
    assert_eq!(error("relstring@10"), "`relstring` is a text, expected a number");
    assert!(error("map_avgjg").starts_with("`map_avgjg` needs labels of several judgment groups"));
    assert!(error("prefs_simp").starts_with("`prefs_simp` needs preferences between documents"));
}

#[test]
fn the_threshold_of_a_geometric_mean_is_its_own() {
    let labels = labels("q1 a 1; q2 b 2");
    let measures = measures(&labels, &["gm_map:rel=2"]);
    let table = evaluate(&labels, &run_of("q1 a 1; q2 b 1"), &measures, &Rules::default()).unwrap();
    assert_eq!(table.summary(0).n, 1);
}
