//! `raglens stages`.

use snapbox::str;

use super::fixture::{fixture, json, reads_well, refused};
use super::world::World;

const FOUR: &str = "labels.jsonl bm25=bm25.jsonl dense=dense.jsonl fused=fused.jsonl rerank=rerank.jsonl";

/// A hundred queries with one relevant document each: the pool holds it for 92, 61 have it among
/// the first five, and 79 after the reranker.
fn reranker() -> World {
    let rows = |row: &dyn Fn(u32) -> String| (0..100).map(row).collect::<String>();
    let list = |query: u32, relevant_at: Option<u32>, length: u32| {
        // The others are the same documents, wherever the relevant one stands among them.
        let result = |rank: u32| {
            let others = rank - u32::from(relevant_at.is_some_and(|at| at < rank));
            let document = if relevant_at == Some(rank) { "yes".to_owned() } else { format!("no{others}") };
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
    reranker().shows(
        "stages qrels.txt fused=fused.trec rerank=rerank.trec -k 5",
        str![[r#"

exit status 0
--- stdout
stages   100 queries, 100 relevant documents, 2 stages
k 5, rel 1, ties trec, over all

stage    takes from   depth   recall@5   ndcg@5   mrr@5
fused    -               50      0.610    0.364   0.284
rerank   fused            5      0.790    0.790   0.790

lift in recall@5, stage over stage before

                      lift 95% interval
rerank over fused   +0.180 [+0.110, +0.260]   better

gap closed: how much a stage gains of what it could

         before   after    pool   closed   attainable   closed
rerank    0.610   0.790   0.920      58%        0.920      58%

before: recall@5 of the best it takes from; pool: recall of all it was given
attainable: recall@5 of the pool in its best order
closed: (after - before) / (pool or attainable - before)

missed at 5: 21 of 100 relevant documents

                    missed   such as
never retrieved          8   q92 yes, q93 yes, q94 yes, and 5 more
lost at rerank          13   q79 yes, q80 yes, q81 yes, and 10 more
below 5 in rerank        0

rerank takes recall@5 from 0.610 to 0.790, 58% of the way to the attainable
0.920. Of 21 missed documents, 13 are lost at rerank.

"#]],
    );
}

#[test]
fn four_stages_show_who_gains_and_where_documents_are_lost() {
    fixture("handbook").shows(
        &format!("stages {FOUR} --by kind --quiet"),
        str![[r#"

exit status 0
--- stdout
stages   36 queries (4 left out), 49 relevant documents, 4 stages
k 5, rel 1, ties trec, over all

stage    takes from   depth   recall@5   ndcg@5   mrr@5   p95 ms
bm25     -               12      0.588    0.609   0.646       15
dense    -               12      0.611    0.635   0.722       46
fused    bm25+dense      16      0.750    0.571   0.544       56
rerank   fused            5      0.806    0.803   0.870      362

lift in recall@5, stage over stage before

                                   lift 95% interval
dense over bm25                  +0.023 [-0.181, +0.218]   no evidence
fused over dense (best single)   +0.139 [+0.014, +0.278]   borderline
rerank over fused                +0.056 [-0.014, +0.139]   no evidence

best single: the best of those that the stage takes from

gap closed: how much a stage gains of what it could

         before   after    pool   closed   attainable   closed
fused     0.611   0.750   0.847      59%        0.847      59%
rerank    0.750   0.806   0.833      67%        0.833      67%

before: recall@5 of the best it takes from; pool: recall of all it was given
attainable: recall@5 of the pool in its best order
closed: (after - before) / (pool or attainable - before)

missed at 5: 10 of 49 relevant documents

                    missed   such as
never retrieved          7   h11 expenses#2, h12 expenses#1, and 5 more
lost at fused            1   h28 salaries#2
lost at rerank           2   h02 leave#2, h22 onboarding#1
below 5 in rerank        0

recall@5 by kind

          n    bm25   dense   fused   rerank   closed
lookup   20   0.725   0.625   0.875    0.900      50%
how-to   16   0.417   0.594   0.594    0.688      75%

1 slice has fewer than 20 queries: differences there may well be chance

rerank takes recall@5 from 0.750 to 0.806, 67% of the way to the attainable
0.833. Of 10 missed documents, 7 were never retrieved: no later stage can find
them.

"#]],
    );
}

#[test]
fn every_missed_document_can_be_listed() {
    fixture("handbook").shows(
        &format!("stages {FOUR} -k 3 --list --quiet -m recall"),
        str![[r#"

exit status 0
--- stdout
stages   36 queries (4 left out), 49 relevant documents, 4 stages
k 3, rel 1, ties trec, over all

stage    takes from   depth   recall@3   p95 ms
bm25     -               12      0.574       15
dense    -               12      0.597       46
fused    bm25+dense      16      0.421       56
rerank   fused            5      0.806      362

lift in recall@3, stage over stage before

                                   lift 95% interval
dense over bm25                  +0.023 [-0.181, +0.218]   no evidence
fused over dense (best single)   -0.176 [-0.319, -0.037]   worse
rerank over fused                +0.384 [+0.222, +0.546]   better

best single: the best of those that the stage takes from

gap closed: how much a stage gains of what it could

         before   after    pool   closed   attainable   closed
fused     0.597   0.421   0.847     -70%        0.847     -70%
rerank    0.421   0.806   0.833      93%        0.833      93%

before: recall@3 of the best it takes from; pool: recall of all it was given
attainable: recall@3 of the pool in its best order
closed: (after - before) / (pool or attainable - before)

missed at 3: 10 of 49 relevant documents

query   document       lost              rank
h02     leave#2        lost at rerank
h11     expenses#2     never retrieved
h12     expenses#1     never retrieved
h16     remote#1       never retrieved
h19     security#2     never retrieved
h20     security#3     never retrieved
h21     security#4     never retrieved
h22     onboarding#1   lost at rerank
h28     salaries#2     lost at fused
h36     conduct#3      never retrieved

--by TAG shows slices; there are kind, role

rerank takes recall@3 from 0.421 to 0.806, 93% of the way to the attainable
0.833. Of 10 missed documents, 7 were never retrieved: no later stage can find
them.

"#]],
    );
}

#[test]
fn rows_are_tidy() {
    fixture("handbook").shows(
        "stages labels.jsonl fused=fused.jsonl rerank=rerank.jsonl -m ndcg --format csv --quiet",
        str![[r#"

exit status 0
--- stdout
run,metric,slice,n,value,low,high
fused,ndcg@5,,36,0.5712461927887139,,
fused,depth,,36,16,,
fused,latency_p95_ms,,40,56,,
fused,cost_mean_usd,,40,0.00002000000000000002,,
rerank,ndcg@5,,36,0.8031168720731212,,
rerank,depth,,36,5,,
rerank,latency_p95_ms,,40,362,,
rerank,cost_mean_usd,,40,0.0010999999999999992,,
rerank,pool_recall,,36,0.8333333333333334,,
rerank,attainable_recall@5,,36,0.8333333333333334,,
rerank,gap_closed@5,,36,0.6666666666666666,,
rerank,gap_closed_attainable@5,,36,0.6666666666666666,,
rerank,"lift(recall@5,fused)",,36,0.05555555555555555,-0.013888888888888888,0.1388888888888889
rerank,never_retrieved,,49,8,,
rerank,lost,,49,2,,
rerank,below_5,,49,0,,

"#]],
    );
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
    world.shows(
        "stages l.txt pool=pool.trec found=found.trec",
        str![[r#"

exit status 2
--- stderr
error: `found` returns 1 relevant document not in pool, where it takes its
  results from
  q1 a
  help: a stage is measured by what it was given: name the run that it really
        saw (uncut), or the stages that search on their own, such as --search
        bm25,dense

"#]],
    );
    let ran = world.run("stages l.txt pool=pool.trec other=other.trec -k 1");
    assert_eq!(ran.status, Some(0), "{ran}");
    assert!(ran.stderr.contains("warning[W030]: other: 1 result is not in the stages"), "{ran}");
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
    assert!(
        refused("stages labels.jsonl fused.jsonl rerank.jsonl --by colour").contains("no query has a tag `colour`")
    );
    assert!(refused("stages labels.jsonl bm25.jsonl answers.jsonl").contains("looks like saved scores"));
    assert!(refused("stages labels.jsonl fused.jsonl rerank.jsonl --average micro").contains("is for `eval`"));
}

#[test]
fn a_step_without_a_query_is_refused_with_its_line() {
    let step = "{\"results\":[\"leave#1\"],\"step\":2}\n";
    let world =
        fixture("handbook").with("steps.jsonl", "{\"query_id\":\"h01\",\"results\":[],\"step\":1}\n".to_owned() + step);
    let text = refused(&world, "stages labels.jsonl bm25.jsonl steps.jsonl");
    assert!(text.contains("has no `query_id`") && text.contains("steps.jsonl:2"), "{text}");
}
