//! `raglens pareto`.

use serde_json::json;
use snapbox::str;

use super::fixture::{fixture, json, reads_well, refused};
use super::world::World;

const FOUR: &str = "pareto labels.jsonl bm25.jsonl dense.jsonl fused.jsonl rerank.jsonl";

#[test]
fn the_frontier_shows_what_each_step_gains() {
    fixture("handbook").shows(
        FOUR,
        str![[r#"

exit status 0
--- stdout
pareto   recall@5 against p95 latency and cost, 4 runs, 36 queries (4 left out)
rel 1, ties trec, over all

run      recall@5   p95 ms   USD per 1,000
bm25        0.588       15            0.00   frontier
dense       0.611       46            0.02   frontier
fused       0.750       56            0.02   frontier
rerank      0.806      362            1.10   frontier

what the next step up the frontier gains in recall@5

                      gain 95% interval       p95 ms
dense over bm25     +0.023 [-0.181, +0.218]      +31   may be nothing
fused over dense    +0.139 [+0.014, +0.278]      +10
rerank over fused   +0.056 [-0.014, +0.139]     +306   may be nothing

No run beats another in every way. The gains of dense and rerank over the next
cheaper ones may be nothing.
--- stderr
note[N001]: labels.jsonl: 4 queries have no relevant document and are left out:
  h37, h38, h39, ...
note[N002]: fused: in 16 queries the rule for ties decides between equal scores
  at a cutoff: h02, h04, h05, ...

"#]],
    );
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
    world.shows(
        "pareto l.txt cheap.jsonl good.jsonl slow.jsonl same.jsonl poor.jsonl --quality hit@1",
        str![[r#"

exit status 0
--- stdout
pareto   hit@1 against p95 latency, 5 runs, 6 queries
rel 1, ties trec, over all

run     hit@1   p95 ms
cheap   0.500       10   frontier
good    0.833       20   frontier
slow    0.833       90   beaten by good
same    0.500       10   frontier
poor    0.333       95   beaten by cheap and 2 more

what the next step up the frontier gains in hit@1

                    gain 95% interval       p95 ms
good over cheap   +0.333 [+0.000, +0.833]      +10   may be nothing

p95 ms: of fewer than 20 latencies (6) it is the largest one

On the frontier are cheap, good and same; 2 others are as good or worse for
more. The gain of good over the next cheaper one may be nothing.

"#]],
    );
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
    fixture("handbook").shows(
        &format!("{FOUR} --format csv --quiet"),
        str![[r#"

exit status 0
--- stdout
run,metric,slice,n,value,low,high
bm25,recall@5,,36,0.5879629629629629,,
bm25,latency_p95_ms,,40,15,,
bm25,cost_mean_usd,,40,0,,
bm25,frontier,,36,1,,
dense,recall@5,,36,0.6111111111111112,,
dense,latency_p95_ms,,40,46,,
dense,cost_mean_usd,,40,0.00002000000000000002,,
dense,frontier,,36,1,,
dense,"lift(recall@5,bm25)",,36,0.023148148148148154,-0.18055555555555555,0.2175925925925926
fused,recall@5,,36,0.75,,
fused,latency_p95_ms,,40,56,,
fused,cost_mean_usd,,40,0.00002000000000000002,,
fused,frontier,,36,1,,
fused,"lift(recall@5,dense)",,36,0.1388888888888889,0.013888888888888888,0.2777777777777778
rerank,recall@5,,36,0.8055555555555556,,
rerank,latency_p95_ms,,40,362,,
rerank,cost_mean_usd,,40,0.0010999999999999992,,
rerank,frontier,,36,1,,
rerank,"lift(recall@5,fused)",,36,0.05555555555555555,-0.013888888888888888,0.1388888888888889

"#]],
    );
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
            .starts_with("error: no run says what it takes: run carries neither latency_ms nor cost_usd")
            || refused(&plain, "pareto labels.qrels run.trec").starts_with("error: no run says what it takes")
    );
}
