//! `raglens funnel`.

use serde_json::json;
use snapbox::str;

use super::rag::{fixture, json, reads_well, refused};
use super::world::World;

const HANDBOOK: &str = "funnel labels.jsonl rerank.jsonl answers.jsonl";

#[test]
fn forty_two_questions_end_where_they_do() {
    let world = fixture("funnel");
    let found = json(&world, "funnel labels.qrels run.trec answers.csv -k 5");
    let steps = found["steps"].as_array().unwrap();
    assert_eq!(steps.iter().map(|step| step["kept"].as_u64().unwrap()).collect::<Vec<_>>(), [42, 42, 40, 38, 35]);
    let conditional: Vec<String> =
        steps[1..].iter().map(|step| format!("{:.3}", step["conditional"].as_f64().unwrap())).collect();
    assert_eq!(conditional, ["1.000", "0.952", "0.950", "0.921"]);
    assert_eq!(
        found["deaths"],
        json!({"retrieval": [], "evidence": ["q17", "q37"], "refusal": ["q23", "q42"], "generation": ["q08", "q29", "q41"]})
    );
    assert_eq!((&found["correct"], &found["correct_by_luck"]), (&json!(35), &json!([])));
    assert!((found["gap"].as_f64().unwrap() - 7.0 / 42.0).abs() < 1e-12);
    assert!((found["numbers"]["wrong_abstention"]["value"].as_f64().unwrap() - 2.0 / 42.0).abs() < 1e-12);
    assert_eq!(found["numbers"]["wrong_abstention"]["met"], true);
    world.shows("funnel labels.qrels run.trec answers.csv -k 5", str![[]]);
}

#[test]
fn questions_without_an_answer_stand_apart() {
    fixture("handbook").shows(&format!("{HANDBOOK} -k 5"), str![[]]);
}

#[test]
fn rows_are_tidy() {
    fixture("handbook").shows(&format!("{HANDBOOK} --format csv --quiet"), str![[]]);
}

#[test]
fn the_output_fits_into_a_terminal() {
    reads_well(&fixture("handbook"), HANDBOOK);
    reads_well(&fixture("handbook"), &format!("{HANDBOOK} --targets 'recall>=0.9,ndcg>=0.85,precision>=0.2' -k 3"));
    let ran = fixture("handbook").run(&format!("{HANDBOOK} --format md --quiet"));
    assert!(ran.stdout.starts_with("### rerank\n"), "{ran}");
}

#[test]
fn targets_that_were_asked_for_are_gates() {
    let world = fixture("handbook");
    let status = |targets: &str| world.run(&format!("{HANDBOOK} --targets '{targets}'")).status;
    assert_eq!(status("correct>=0.5"), Some(0));
    assert_eq!(status("correct>=0.5,recall@5>=0.99"), Some(1));
    assert_eq!(
        fixture("funnel").run("funnel labels.qrels run.trec answers.csv --targets 'faithfulness>=0.9'").status,
        Some(3)
    );
    assert!(
        refused(&world, &format!("{HANDBOOK} --targets 'recal>=0.9'")).contains("there is no such number at k = 5")
    );
    assert!(
        refused(&world, &format!("{HANDBOOK} --targets 'recall@10>=0.9'")).contains("there is no such number at k = 5")
    );
    assert!(
        refused(&world, &format!("{HANDBOOK} --targets 'recall>=0.9,recall@5>=0.8'"))
            .contains("two targets for recall")
    );
    assert!(refused(&world, &format!("{HANDBOOK} --targets recall")).contains("expected a requirement such as"));
}

/// Two questions, of which one can be answered.
fn two(answers: &str) -> World {
    let labels = concat!(
        "{\"query_id\":\"q1\",\"relevant\":{\"a\":1}}\n",
        "{\"query_id\":\"q2\",\"relevant\":{\"b\":1}}\n",
        "{\"query_id\":\"q3\",\"relevant\":{},\"answerable\":false}\n",
    );
    let run = "q1 Q0 a 1 1 t\nq2 Q0 x 1 1 t\nq3 Q0 x 1 1 t\n";
    World::new().with("l.jsonl", labels).with("r.trec", run).with("a.csv", answers)
}

const HEADER: &str = "query_id,answered,evidence_in_context,correct\n";

#[test]
fn a_right_answer_without_evidence_is_luck() {
    let world = two(&format!("{HEADER}q1,1,1,1\nq2,1,0,1\nq3,1,,\n"));
    let found = json(&world, "funnel l.jsonl r.trec a.csv");
    assert_eq!((&found["correct"], &found["correct_by_luck"]), (&json!(2), &json!(["q2"])));
    assert_eq!(found["deaths"]["retrieval"], json!(["q2"]));
    assert_eq!(
        (&found["abstention"]["false_answers"], &found["abstention"]["false_answer_rate"]),
        (&json!(["q3"]), &json!(1.0))
    );
    let ran = world.run("funnel l.jsonl r.trec a.csv");
    assert!(ran.stdout.contains("by luck"), "{ran}");
}

#[test]
fn answers_to_unknown_questions_are_counted_and_missing_ones_refused() {
    let ran =
        two(&format!("{HEADER}q1,1,1,1\nq2,0,0,\nq3,0,,\nq8,1,1,1\nq9,1,1,1\n")).run("funnel l.jsonl r.trec a.csv");
    assert_eq!(ran.status, Some(0), "{ran}");
    assert!(ran.stderr.contains("a.csv: 2 queries have no labels and are ignored: q8, q9"), "{ran}");
    let missing = two(&format!("{HEADER}q1,1,1,1\n"));
    assert_eq!(
        refused(&missing, "funnel l.jsonl r.trec a.csv"),
        "error: a.csv lacks 1 query that can be answered q2 help: an answer that never came is `\"answered\": false`; \
         `--over common` leaves such queries out"
    );
    let common = missing.run("funnel l.jsonl r.trec a.csv --over common");
    assert!(common.stdout.starts_with("r   1 question that can be answered, 1 that cannot"), "{common}");
    assert!(common.stderr.contains("W021"), "{common}");
}

#[test]
fn answers_that_lack_what_the_funnel_asks_for_are_refused() {
    let error = |answers: &str| refused(&two(answers), "funnel l.jsonl r.trec a.csv");
    assert!(error("query_id,correct\nq1,1\n").contains("has no `answered` (it has query_id, correct)"));
    assert!(
        error("query_id,answered,correct\nq1,1,1\nq2,1,1\n")
            .contains("a.csv:2: the answer to `q1` has no `evidence_in_context`")
    );
    assert!(error(&format!("{HEADER}q1,1,1,\nq2,1,1,1\n")).contains("a.csv:2: the answer to `q1` has no `correct`"));
    assert!(
        error(&format!("{HEADER}q1,0,1,1\nq2,1,1,1\n"))
            .contains("correct must be false or empty where `answered` is false")
    );
    assert!(error(&format!("{HEADER}x1,1,1,1\n")).starts_with("error: no query of a.csv is in the labels"));
    assert!(error("q1 Q0 a 1 1 t\n").contains("looks like TREC run"));
}

#[test]
fn files_in_the_wrong_place_are_named() {
    let world = fixture("handbook");
    assert!(refused(&world, "funnel labels.jsonl answers.jsonl rerank.jsonl").contains("looks like saved scores"));
    let swapped = refused(&world, "funnel rerank.jsonl labels.jsonl answers.jsonl");
    assert!(swapped.contains("labels come first: raglens funnel labels.jsonl rerank.jsonl"), "{swapped}");
}
