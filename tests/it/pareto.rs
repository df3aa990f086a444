//! `raglens pareto`.

use serde_json::json;
use snapbox::str;

use super::rag::{fixture, json, reads_well, refused};
use super::world::World;

const FOUR: &str = "pareto labels.jsonl bm25.jsonl dense.jsonl fused.jsonl rerank.jsonl";

#[test]
fn the_frontier_shows_what_each_step_gains() {
    fixture("handbook").shows(FOUR, str![[]]);
}

/// Six queries, and runs that find some of them at a price.
fn priced(runs: &[(&str, usize, &str)]) -> World {
    let labels: String = (0..6).map(|query| format!("q{query} 0 a 1\n")).collect();
    runs.iter().fold(World::new().with("l.txt", labels), |world, (name, found, price)| {
        let row = |query: usize| {
            let id = if query < *found { "a" } else { "x" };
            format!("{{\"query_id\":\"q{query}\",\"results\":[\"{id}\"]{price}}}\n")
        };
        world.with(&format!("{name}.jsonl"), (0..6).map(row).collect::<String>())
    })
}

#[test]
fn a_run_that_is_no_better_and_dearer_is_beaten_by_the_cheapest_that_beats_it() {
    let world = priced(&[
        ("cheap", 3, ",\"latency_ms\":10"),
        ("good", 5, ",\"latency_ms\":20"),
        ("slow", 5, ",\"latency_ms\":90"),
        ("same", 3, ",\"latency_ms\":10"),
        ("poor", 2, ",\"latency_ms\":95"),
    ]);
    let found = json(&world, "pareto l.txt cheap.jsonl good.jsonl slow.jsonl same.jsonl poor.jsonl");
    assert_eq!(found["frontier"], json!(["cheap", "good", "same"]));
    assert_eq!(found["runs"][2]["dominated_by"], json!(["good"]));
    assert_eq!(found["runs"][4]["dominated_by"], json!(["cheap", "same", "good"]));
    assert_eq!(
        (&found["runs"][1]["gain"]["over"], &found["runs"][1]["gain"]["may_be_zero"]),
        (&json!("cheap"), &json!(true))
    );
    assert_eq!(found["doubtful"], json!(["good"]));
    world.shows("pareto l.txt cheap.jsonl good.jsonl slow.jsonl same.jsonl poor.jsonl --quality hit@1", str![[]]);
}

#[test]
fn a_run_without_the_price_of_others_is_not_placed() {
    let world = priced(&[
        ("a", 3, ",\"latency_ms\":10"),
        ("b", 5, ",\"cost_usd\":0.5"),
        ("c", 5, ",\"latency_ms\":10,\"cost_usd\":0.1"),
    ]);
    let found = json(&world, "pareto l.txt a.jsonl b.jsonl c.jsonl");
    assert_eq!((&found["runs"][0]["standing"], &found["frontier"]), (&json!("unknown"), &json!(["c"])));
    let ran = world.run("pareto l.txt a.jsonl b.jsonl c.jsonl");
    assert!(ran.stdout.contains("not placed: a, b without the p95 latency and cost that others have"), "{ran}");
}

#[test]
fn rows_are_tidy() {
    fixture("handbook").shows(&format!("{FOUR} --format csv --quiet"), str![[]]);
}

#[test]
fn the_output_fits_into_a_terminal() {
    reads_well(&fixture("handbook"), FOUR);
    reads_well(
        &fixture("handbook"),
        &format!("{FOUR} the-cross-encoder-with-a-very-long-name=fused.jsonl --quality ndcg@10"),
    );
    let ran = fixture("handbook").run(&format!("{FOUR} --format md --quiet"));
    assert!(ran.stdout.contains("| run | recall@5 | p95 ms |"), "{ran}");
}

#[test]
fn what_cannot_be_weighed_is_refused() {
    let world = fixture("handbook");
    assert!(
        refused(&world, &format!("{FOUR} --quality recall@5,mrr")).contains("`--quality` takes one measure, got 2")
    );
    assert!(refused(&world, &format!("{FOUR} --quality judged@5")).contains("`judged@5` is no quality"));
    let plain = fixture("funnel");
    assert!(
        refused(&plain, "pareto labels.qrels run.trec")
            .starts_with("error: no run says what it takes: run carry neither latency_ms nor cost_usd")
            || refused(&plain, "pareto labels.qrels run.trec").starts_with("error: no run says what it takes")
    );
}
