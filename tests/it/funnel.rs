//! `raglens funnel`.

use serde_json::json;
use snapbox::str;

use super::fixture::{fixture, json, reads_well, refused};
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
    world.shows(
        "funnel labels.qrels run.trec answers.csv -k 5",
        str![[r#"

exit status 0
--- stdout
run   42 questions that can be answered
k 5, rel 1, ties trec, over all

                                   left   of all   of those before
asked                                42    1.000
relevant document in the first 5     42    1.000             1.000
evidence in the context              40    0.952             0.952
answered                             38    0.905             0.950
correct                              35    0.833             0.921

where questions end

             lost   what happened                 questions
retrieval       0   no relevant document
evidence        2   right document, wrong chunk   q17, q37
refusal         2   evidence there, no answer     q23, q42
generation      3   evidence there, wrong         q08, q29, q41

six numbers, each gameable alone

                    n   value 95% interval       target
recall@5           42   1.000                   (>=0.9)   met
ndcg@5             42   0.877 [0.822, 0.932]
precision@5        42   0.200
correct            42   0.833 [0.694, 0.917]
faithfulness        0     n/a
wrong_abstention   42   0.048 [0.013, 0.158]   (<=0.05)   met

targets in brackets are the usual ones; --targets sets others, as gates

not answering: wrong where there is an answer, right where there is none

                     count   of    rate   questions
wrong abstention         2   42   0.048
  evidence there         2   42   0.048   q23, q42
  evidence missing       0   42   0.000
false answer             0    0     n/a

no question is marked `"answerable": false`, so nothing is known of false
  answers

P(correct) = 1.000 x 0.952 x 0.950 x 0.921 = 0.833: 0.167 less than hit@5 shows.
Most end at generation: 3 of 7 lost queries.

"#]],
    );
}

#[test]
fn questions_without_an_answer_stand_apart() {
    fixture("handbook").shows(
        &format!("{HANDBOOK} -k 5"),
        str![[r#"

exit status 0
--- stdout
rerank   36 questions that can be answered, 4 that cannot
k 5, rel 1, ties trec, over all

                                   left   of all   of those before
asked                                36    1.000
relevant document in the first 5     32    0.889             0.889
evidence in the context              29    0.806             0.906
answered                             26    0.722             0.897
correct                              24    0.667             0.923

where questions end

             lost   what happened                 questions
retrieval       4   no relevant document          h12, h20, h21, h36
evidence        3   right document, wrong chunk   h02, h19, h22
refusal         3   evidence there, no answer     h03, h23, h27
generation      2   evidence there, wrong         h08, h32

six numbers, each gameable alone

                    n   value 95% interval       target
recall@5           36   0.806 [0.689, 0.922]    (>=0.9)   missed
ndcg@5             36   0.803 [0.685, 0.921]
precision@5        36   0.217 [0.176, 0.258]
correct            36   0.667 [0.503, 0.798]
faithfulness       29   0.896 [0.871, 0.920]
wrong_abstention   36   0.194 [0.098, 0.350]   (<=0.05)   missed

targets in brackets are the usual ones; --targets sets others, as gates
an answer takes 2602 ms at p95, 0.0033 USD on average

not answering: wrong where there is an answer, right where there is none

                     count   of    rate   questions
wrong abstention         7   36   0.194
  evidence there         3   36   0.083   h03, h23, h27
  evidence missing       4   36   0.111   h12, h21, h22, h36
false answer             0    4   0.000

abstention: precision 0.364, recall 1.000, F1 0.533
the search returns something for 4 of 4 of these; AUROC of its best score: 0.924

P(correct) = 0.889 x 0.906 x 0.897 x 0.923 = 0.667: 0.222 less than hit@5 shows.
Most end at retrieval: 4 of 12 lost queries.
--- stderr
note[N001]: labels.jsonl: 4 queries have no relevant document and are left out:
  h37, h38, h39, ...

"#]],
    );
}

#[test]
fn rows_are_tidy() {
    fixture("handbook").shows(
        &format!("{HANDBOOK} --format csv --quiet"),
        str![[r#"

exit status 0
--- stdout
run,metric,slice,n,value,low,high
rerank,kept_asked,,36,36,,
rerank,kept_retrieved,,36,32,,
rerank,kept_evidence,,36,29,,
rerank,kept_answered,,36,26,,
rerank,kept_correct,,36,24,,
rerank,conditional_retrieved,,36,0.8888888888888888,,
rerank,conditional_evidence,,32,0.90625,,
rerank,conditional_answered,,29,0.896551724137931,,
rerank,conditional_correct,,26,0.9230769230769231,,
rerank,lost_retrieval,,36,4,,
rerank,lost_evidence,,36,3,,
rerank,lost_refusal,,36,3,,
rerank,lost_generation,,36,2,,
rerank,correct_by_luck,,36,0,,
rerank,recall@5,,36,0.8055555555555556,0.6892030503650924,0.9219080607460187
rerank,ndcg@5,,36,0.8031168720731212,0.684737591254905,0.9214961528913375
rerank,precision@5,,36,0.21666666666666676,0.17582354362080127,0.25750978971253224
rerank,correct,,36,0.6666666666666666,0.5033399787115653,0.7978538117569468
rerank,faithfulness,,29,0.8955172413793103,0.8713616098352635,0.9196728729233572
rerank,wrong_abstention,,36,0.19444444444444445,0.09753095418928731,0.35028042995177383
rerank,over_refusals,,36,3,,
rerank,justified_abstentions,,36,4,,
rerank,false_answer_rate,,4,0,,
rerank,abstention_precision,,11,0.36363636363636365,,
rerank,abstention_recall,,4,1,,
rerank,abstention_f1,,40,0.5333333333333333,,

"#]],
    );
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
    let told = |target: &str| refused(&world, &format!("{HANDBOOK} --targets '{target}'"));
    assert!(told("recall>=2").contains("can never hold: recall is from 0 to 1"));
    assert!(told("faithfulness<=1.7").contains("always holds: faithfulness is from 0 to 1"));
    assert!(told("delta(recall)>=0.1").contains("a difference is one of two runs"));
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
    assert!(refused(&world, &format!("{HANDBOOK} --targets recall")).contains("expected one requirement such as"));
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
    assert!(common.stderr.contains("W031"), "{common}");
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
