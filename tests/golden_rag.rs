//! Stages, funnel, abstention, frontier and access, held against values worked out elsewhere. They
//! stand beside the crate, in `../shared`; without that folder these tests say that they were left
//! out.
#![allow(clippy::print_stderr, reason = "a test that was left out says so")]

use std::fs;
use std::path::Path;

use approx::assert_abs_diff_eq;
use raglens::id::Id;
use raglens::input::{ReadOptions, Source, read_chunks, read_labels, read_run, read_run_into};
use raglens::notes::Notes;
use raglens::rag::abstention::Abstention;
use raglens::rag::access::{self, AccessMap, RoleLists};
use raglens::rag::funnel::{Case, Funnel, Step, funnel};
use raglens::rag::pareto::{Point, Standing, frontier};
use raglens::rag::spending::percentile;
use raglens::rag::stages::{Question, gap_closed, trace};
use serde_json::{Value, json};

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/reference/golden_cases.json");

/// The cases of a kind.
fn cases(kind: &str) -> Vec<Value> {
    if !Path::new(CASES).is_file() {
        eprintln!("left out: there is no {CASES}");
        return Vec::new();
    }
    let all: Value = serde_json::from_str(&fs::read_to_string(CASES).unwrap()).unwrap();
    let cases = all["cases"].as_array().unwrap().iter().filter(|case| case["kind"] == kind);
    let cases: Vec<Value> = cases.cloned().collect();
    assert!(!cases.is_empty(), "no case of the kind {kind}");
    cases
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

fn source(text: String) -> Source {
    Source::from_bytes("case", text.into_bytes())
}

#[test]
fn the_gap_is_closed_by_what_was_gained_of_what_could_be() {
    for case in cases("stages") {
        let (inputs, exact) = (&case["inputs"], &case["exact"]);
        let Some(before) = inputs["before_recall@5"].as_f64() else {
            // A pool alone: whatever stands before, nothing is above it.
            let ceiling = number(&exact["max_recall@5"]);
            assert!(gap_closed(0.0, ceiling, number(&inputs["pool_recall@50"])).is_ok());
            assert!(gap_closed(0.0, ceiling + 0.01, number(&inputs["pool_recall@50"])).is_err());
            continue;
        };
        let found = gap_closed(before, number(&inputs["after_recall@5"]), number(&inputs["pool_recall@50"])).unwrap();
        match exact["gap_closed"].as_f64() {
            Some(expected) => assert_abs_diff_eq!(found.unwrap(), expected, epsilon = 1e-9),
            None => assert_eq!(found, None),
        }
    }
}

#[test]
fn more_relevant_documents_than_fit_have_a_ceiling_of_their_own() {
    for case in cases("stages_ceiling") {
        let size = |name: &str| case["inputs"][name].as_u64().unwrap();
        let (relevant, held, k) = (size("R_size"), size("pool_hits"), size("k"));
        let rows = (0..relevant).map(|at| format!("q 0 r{at} 1\n"));
        let (labels, _) = read_labels(source(rows.collect()), &ReadOptions::default(), &mut Notes::default()).unwrap();
        // Relevant ones up to the number of hits, then others up to k, then the rest.
        let run = |hits: u64| {
            let top = (0..hits).map(|at| format!("r{at}")).chain((hits..k).map(|at| format!("x{at}")));
            let rest = (hits..held).map(|at| format!("r{at}")).chain((0..hits).map(|at| format!("x{at}")));
            let results: Vec<String> = top.chain(rest).collect();
            let row = json!({"query_id": "q", "results": results}).to_string();
            read_run(source(row), &ReadOptions::default(), &mut Notes::default()).unwrap().0
        };
        let (before, after) = (run(size("before_hits@5")), run(size("after_hits@5")));
        let rules = raglens::evaluate::Rules::default();
        let question = Question { labels: &labels, queries: &[0], rules: &rules, k, pool: None, search: Some(&[0]) };
        let gap = trace(&[&before, &after], &question).unwrap().gap(1, &[0]).unwrap();
        let exact = |name: &str| number(&case["exact"][name]);
        assert_abs_diff_eq!(gap.closed.unwrap(), exact("seed_formula_gap_closed"), epsilon = 1e-9);
        assert_abs_diff_eq!(gap.attainable, exact("attainable_recall@5"), epsilon = 1e-9);
        assert_abs_diff_eq!(gap.closed_attainable.unwrap(), exact("gap_closed_vs_attainable"), epsilon = 1e-9);
    }
}

/// The questions of a case, with their ids.
fn questions(case: &Value) -> Vec<(String, Case)> {
    let question = |answer: &Value| {
        let flag = |name: &str| answer[name].as_bool().unwrap();
        let found = Case {
            retrieved: flag("retrieved"),
            evidence_in_context: flag("evidence_in_context"),
            answered: flag("answered"),
            correct: flag("correct"),
        };
        (answer["query_id"].as_str().unwrap().to_owned(), found)
    };
    case["inputs"]["answers"].as_array().unwrap().iter().map(question).collect()
}

fn counted(questions: &[(String, Case)]) -> Funnel {
    funnel(&questions.iter().map(|(_, case)| *case).collect::<Vec<_>>())
}

#[test]
fn questions_come_as_far_as_they_do() {
    for case in cases("funnel") {
        let (questions, exact) = (questions(&case), &case["exact"]);
        let found = counted(&questions);
        for step in 0..5 {
            assert_eq!(found.kept[step], exact[format!("kept{step}")].as_u64().unwrap(), "kept{step}");
            let expect = |name: String, value: Option<f64>| {
                if let Some(expected) = exact[&name].as_f64() {
                    assert_abs_diff_eq!(value.unwrap(), expected, epsilon = 1e-9);
                }
            };
            expect(format!("of_n{step}"), found.share(step));
            if step > 0 {
                expect(format!("cond{step}"), found.conditional(step));
            }
        }
        if let Some(gap) = exact["gap"].as_f64() {
            assert_abs_diff_eq!(found.gap().unwrap(), gap, epsilon = 1e-9);
        }
        if let Some(lucky) = exact["correct_by_luck"].as_u64() {
            let ids: Vec<&str> =
                questions.iter().filter(|(_, case)| case.is_lucky()).map(|(id, _)| id.as_str()).collect();
            assert_eq!((found.lucky, json!(ids)), (lucky, exact["lucky_ids"].clone()));
            assert_eq!(found.correct, exact["correct_any"].as_u64().unwrap());
        }
    }
}

#[test]
fn each_question_ends_in_one_step() {
    let funnels = cases("funnel");
    for case in cases("funnel_deaths") {
        let asked = funnels.iter().find(|funnel| funnel["name"] == case["inputs"]["same_as"]).unwrap();
        let (questions, exact) = (questions(asked), &case["exact"]);
        for (number, step) in (1..).zip(Step::ALL) {
            let ids: Vec<&str> =
                questions.iter().filter(|(_, case)| case.death() == Some(step)).map(|(id, _)| id.as_str()).collect();
            assert_eq!(json!(ids), exact[format!("{number}-{}", step.name())]);
        }
        let found = counted(&questions);
        assert_eq!(
            (found.kept[4], found.lucky),
            (exact["ok"].as_u64().unwrap(), exact["correct_by_luck"].as_u64().unwrap())
        );
    }
}

#[test]
fn abstentions_are_right_and_wrong() {
    for case in cases("abstention") {
        let mut found = Abstention::default();
        for row in case["inputs"]["rows"].as_array().unwrap() {
            match (row["answerable"].as_bool().unwrap(), row["answered"].as_bool().unwrap()) {
                (true, answered) => found.add_answerable(true, answered),
                (false, answered) => found.add_unanswerable(answered),
            }
        }
        let pairs = [
            ("wrong_abstention_rate", found.wrong_rate()),
            ("abstention_recall", found.recall()),
            ("abstention_precision", found.precision()),
            ("false_answer_rate", found.false_answer_rate()),
        ];
        for (name, value) in pairs {
            assert_abs_diff_eq!(value.unwrap(), number(&case["exact"][name]), epsilon = 1e-9);
        }
    }
}

#[test]
fn items_shown_to_roles_that_may_not_see_them_are_leaks() {
    for case in cases("acl") {
        let inputs = &case["inputs"];
        let chunk = |(id, roles): (&String, &Value)| json!({"id": id, "allowed_roles": roles}).to_string() + "\n";
        let chunks: String = inputs["acl"].as_object().unwrap().iter().map(chunk).collect();
        let (chunks, _) = read_chunks(source(chunks), &ReadOptions::default(), &mut Notes::default()).unwrap();
        let row = |row: &Value| {
            json!({"query_id": row["query_id"], "role": row["role"], "results": row["ids"]}).to_string() + "\n"
        };
        let rows: String = inputs["run"].as_array().unwrap().iter().map(row).collect();
        let mut lists = RoleLists::default();
        read_run_into(source(rows), &ReadOptions::default(), &mut Notes::default(), &mut lists).unwrap();
        let labels = source("{\"query_id\":\"q1\",\"relevant\":[\"c1\"]}".to_owned());
        let (labels, _) = read_labels(labels, &ReadOptions::default(), &mut Notes::default()).unwrap();
        let access = AccessMap::new(&chunks);
        let question = access::Question { labels: &labels, rel: 1.0, access: &access, unfiltered: None };
        let found = access::check(&lists, &question);
        let exact = |name: &str| case["exact"][name].as_u64().unwrap();
        assert_eq!(found.leaks().count() as u64, exact("leaks"));
        assert_eq!(found.unknown().count() as u64, exact("unknown_acl"));
        assert_eq!(found.leaking_queries(), exact("queries_with_leak"));
        let by_role: Value = found
            .roles
            .iter()
            .map(|role| (role.role.clone(), json!(role.leaks.len())))
            .collect::<serde_json::Map<_, _>>()
            .into();
        assert_eq!(by_role, case["exact"]["leaks_by_role"]);
        assert_eq!(found.leaks().next().map(|leak| leak.item.clone()), Some(Id::from("c2")));
    }
}

#[test]
fn runs_that_no_other_beats_in_every_way_are_the_frontier() {
    for case in cases("pareto") {
        let runs = case["inputs"]["points"].as_array().unwrap();
        let point = |run: &Value| Point {
            quality: number(&run["recall@5"]),
            p95_ms: Some(number(&run["p95_ms"])),
            cost_usd: None,
        };
        let points: Vec<Point> = runs.iter().map(point).collect();
        let standings = frontier(&points);
        let name = |index: usize| runs[index]["run"].clone();
        let on_it: Vec<Value> =
            (0..runs.len()).filter(|&index| standings[index] == Standing::Frontier).map(name).collect();
        assert_eq!(Value::from(on_it), case["exact"]["frontier"]);
        for (run, by) in case["exact"]["dominated"].as_object().unwrap() {
            let index = runs.iter().position(|other| other["run"] == json!(run)).unwrap();
            let Standing::Dominated(found) = &standings[index] else { panic!("{run} is not dominated") };
            assert_eq!(&name(found[0]), by);
        }
    }
}

#[test]
fn percentiles_are_nearest_ranks() {
    for case in cases("percentile") {
        let values: Vec<f64> = case["inputs"]["values"].as_array().unwrap().iter().map(number).collect();
        for percent in [50, 95] {
            let expected = case["exact"][format!("p{percent}")].as_f64();
            assert_eq!(percentile(&values, percent), expected);
        }
    }
}
