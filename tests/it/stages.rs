//! `raglens stages`.

use snapbox::str;

use super::rag::{fixture, json, reads_well, refused};
use super::world::World;

const FOUR: &str = "labels.jsonl bm25=bm25.jsonl dense=dense.jsonl fused=fused.jsonl rerank=rerank.jsonl";

/// A hundred queries with one relevant document each: the pool holds it for 92, 61 have it among
/// the first five, and 79 after the reranker.
fn reranker() -> World {
    let rows = |row: &dyn Fn(u32) -> String| (0..100).map(row).collect::<String>();
    let list = |query: u32, relevant_at: Option<u32>, length: u32| {
        let result = |rank: u32| {
            let document = if relevant_at == Some(rank) { "yes".to_owned() } else { format!("no{rank}") };
            format!("q{query} Q0 {document} {rank} {} tag\n", 100 - rank)
        };
        (1..=length).map(result).collect::<String>()
    };
    World::new()
        .with("qrels.txt", rows(&|query| format!("q{query} 0 yes 1\n")))
        .with(
            "fused.trec",
            rows(&|query| match query {
                0..61 => list(query, Some(query % 5 + 1), 50),
                61..92 => list(query, Some(query % 40 + 6), 50),
                _ => list(query, None, 50),
            }),
        )
        .with("rerank.trec", rows(&|query| list(query, (query < 79).then_some(1), 5)))
}

#[test]
fn a_reranker_closes_58_percent_of_the_gap() {
    let found = json(&reranker(), "stages qrels.txt fused=fused.trec rerank=rerank.trec -k 5");
    let gap = &found["stages"][1]["gap"];
    assert_eq!((&gap["before"], &gap["after"], &gap["pool"]), (&0.61.into(), &0.79.into(), &0.92.into()));
    assert!((gap["closed"].as_f64().unwrap() - 0.18 / 0.31).abs() < 1e-12);
    // One relevant document each: the attainable ceiling is that of the pool.
    assert_eq!(gap["attainable"], 0.92);
    reranker().shows("stages qrels.txt fused=fused.trec rerank=rerank.trec -k 5", str![[]]);
}

#[test]
fn four_stages_show_who_gains_and_where_documents_are_lost() {
    fixture("handbook").shows(&format!("stages {FOUR} --by kind --quiet"), str![[]]);
}

#[test]
fn every_missed_document_can_be_listed() {
    fixture("handbook").shows(&format!("stages {FOUR} -k 3 --list --quiet -m recall"), str![[]]);
}

#[test]
fn rows_are_tidy() {
    fixture("handbook")
        .shows("stages labels.jsonl fused=fused.jsonl rerank=rerank.jsonl -m ndcg --format csv --quiet", str![[]]);
}

#[test]
fn markdown_holds_the_same_tables() {
    let ran = fixture("handbook").run(&format!("stages {FOUR} --format md --quiet"));
    assert!(ran.stdout.starts_with("### stages\n"), "{ran}");
    assert!(ran.stdout.contains("| rerank | fused | 5 |"), "{ran}");
}

#[test]
fn json_names_every_fate() {
    let found = json(&fixture("handbook"), &format!("stages {FOUR}"));
    assert_eq!(found["command"], "stages");
    assert_eq!(found["stages"][2]["takes_from"], serde_json::json!(["bm25", "dense"]));
    let missed = found["missed"].as_array().unwrap();
    let recall = found["stages"][3]["measures"]["recall@5"].as_f64().unwrap();
    assert!(recall > 0.0 && !missed.is_empty());
    assert!(
        missed.iter().all(|lost| ["never retrieved", "lost", "below cutoff"].contains(&lost["fate"].as_str().unwrap()))
    );
    assert!(missed.iter().filter(|lost| lost["fate"] == "lost").all(|lost| lost["stage"].is_string()));
}

#[test]
fn a_cutoff_below_the_end_of_a_stage_is_not_measured() {
    let world = fixture("handbook");
    let found = json(&world, "stages labels.jsonl fused=fused.jsonl rerank=rerank.jsonl -k 5,10");
    assert!(found["stages"][0]["measures"]["recall@10"].is_f64());
    assert!(found["stages"][1]["measures"]["recall@10"].is_null());
    let ran = world.run("stages labels.jsonl fused=fused.jsonl rerank=rerank.jsonl -k 5,10");
    assert!(ran.stdout.contains("n/a: rerank returns 5 results at most"), "{ran}");
}

#[test]
fn a_stage_that_hurts_says_so() {
    let world = World::new()
        .with("l.txt", "q1 0 a 1\nq2 0 b 1\n")
        .with("pool.trec", "q1 Q0 a 1 2 t\nq1 Q0 x 2 1 t\nq2 Q0 x 1 2 t\nq2 Q0 b 2 1 t\n")
        .with("worse.trec", "q1 Q0 x 1 2 t\nq1 Q0 a 2 1 t\nq2 Q0 x 1 2 t\nq2 Q0 b 2 1 t\n");
    let found = json(&world, "stages l.txt pool=pool.trec worse=worse.trec -k 1");
    assert_eq!(found["stages"][1]["gap"]["closed"], -1.0);
    let ran = world.run("stages l.txt pool=pool.trec worse=worse.trec -k 1");
    assert!(ran.stdout.contains("worse hurts: recall@1 falls from 0.500 to 0.000"), "{ran}");
}

#[test]
fn the_output_fits_into_a_terminal() {
    let long = "stages labels.jsonl a-lexical-search-with-a-long-name=bm25.jsonl dense=dense.jsonl \
                the-fusion-of-both-with-k-60=fused.jsonl the-cross-encoder-large-v2=rerank.jsonl";
    let forms = [
        format!("stages {FOUR} -k 1,3,5 --by kind,role"),
        long.to_owned() + " -m all",
        format!("stages {FOUR} --pool 3"),
    ];
    for form in &forms[..2] {
        reads_well(&fixture("handbook"), form);
    }
}

#[test]
fn results_from_nowhere_are_refused_where_they_count_and_noted_where_not() {
    let world = World::new()
        .with("l.txt", "q1 0 a 1\nq1 0 x 0\n")
        .with("pool.trec", "q1 Q0 x 1 2 t\nq1 Q0 y 2 1 t\n")
        .with("found.trec", "q1 Q0 a 1 2 t\nq1 Q0 x 2 1 t\n")
        .with("other.trec", "q1 Q0 z 1 2 t\nq1 Q0 x 2 1 t\n");
    world.shows("stages l.txt pool=pool.trec found=found.trec", str![[]]);
    let ran = world.run("stages l.txt pool=pool.trec other=other.trec -k 1");
    assert_eq!(ran.status, Some(0), "{ran}");
    assert!(ran.stderr.contains("other: 1 result is not in the stages that it takes its results from"), "{ran}");
}

#[test]
fn what_makes_no_pipeline_is_refused() {
    let world = fixture("handbook");
    let refused = |arguments: &str| refused(&world, arguments);
    assert_eq!(
        refused("stages labels.jsonl bm25.jsonl"),
        "error: expected at least 2 stages, got bm25.jsonl help: name them in their order: \
         raglens stages LABELS pool=a.trec rerank=b.trec"
    );
    assert!(refused("stages labels.jsonl a=bm25.jsonl a=dense.jsonl").starts_with("error: two runs are named `a`"));
    assert!(
        refused("stages bm25.jsonl labels.jsonl dense.jsonl")
            .ends_with("help: labels come first: raglens stages labels.jsonl bm25.jsonl")
    );
    assert!(
        refused("stages labels.jsonl bm25.jsonl dense.jsonl --search bm52")
            .starts_with("error: `--search bm52`: there is no such stage help: there are bm25, dense")
    );
    assert!(
        refused("stages labels.jsonl bm25.jsonl dense.jsonl --search bm25,dense")
            .starts_with("error: the last stage takes its results from those before it")
    );
    assert!(refused("stages labels.jsonl bm25.jsonl fused.jsonl --by colour").contains("no query has a tag `colour`"));
    assert!(refused("stages labels.jsonl bm25.jsonl answers.jsonl").contains("looks like saved scores"));
    assert!(refused("stages labels.jsonl bm25.jsonl fused.jsonl --average micro").contains("is for `eval`"));
}

#[test]
fn a_step_without_a_query_is_refused_with_its_line() {
    let step = "{\"results\":[\"leave#1\"],\"step\":2}\n";
    let world =
        fixture("handbook").with("steps.jsonl", "{\"query_id\":\"h01\",\"results\":[],\"step\":1}\n".to_owned() + step);
    let text = refused(&world, "stages labels.jsonl bm25.jsonl steps.jsonl");
    assert!(text.contains("has no `query_id`") && text.contains("steps.jsonl:2"), "{text}");
}
