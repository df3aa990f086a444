//! What `eval` measures beside ids: passages, documents and chunks, evidence, budgets.

use snapbox::str;

use crate::world::World;

/// The handbook of the fixtures: labels, a chunk map, and runs.
fn world() -> World {
    World::new()
        .with("labels.jsonl", include_str!("../../fixtures/rag/labels.jsonl"))
        .with("chunks.jsonl", include_str!("../../fixtures/rag/chunks.jsonl"))
        .with("dense.jsonl", include_str!("../../fixtures/rag/dense.jsonl"))
        .with("rerank.jsonl", include_str!("../../fixtures/rag/rerank.jsonl"))
        .with("agent.jsonl", include_str!("../../fixtures/rag/agent.jsonl"))
        .with("passages.csv", include_str!("../../fixtures/rag/passages.csv"))
}

#[test]
fn gold_passages_are_judged_and_chunks_bring_them() {
    world().shows(
        "eval labels.jsonl rerank.jsonl --unit span -k 1,3",
        str![[r#"

exit status 0
--- stdout
rerank   9 queries (4 left out), 15 gold passages
rel 1, gain linear, ties trec, over all, average macro, level span, min-overlap
0.5

                    @1 [95% interval]      @3 [95% interval]
hit              0.778 [0.453, 0.937]   0.889 [0.565, 0.980]
precision        0.778 [0.453, 0.937]   0.407 [0.237, 0.578]
recall           0.593 [0.265, 0.920]   0.796 [0.526, 1.000]
f1               0.648 [0.331, 0.965]   0.519 [0.333, 0.704]
mrr              0.778 [0.453, 0.937]   0.833 [0.562, 1.000]
ndcg             0.778 [0.453, 0.937]   0.813 [0.544, 1.000]
span_coverage    0.515 [0.261, 0.768]   0.787 [0.533, 1.000]
span_precision   0.298 [0.076, 0.519]   0.173 [0.023, 0.322]
span_iou         0.198 [0.108, 0.287]   0.152 [0.043, 0.261]

      whole list [95% interval]   median   at 0
mrr        0.861 [0.644, 1.000]    1.000     0%
map        0.824 [0.606, 1.000]    1.000     0%

rerank, whether to search

search       made   not made   wrong
needed         10          0      0%
not needed      0          2      0%

limits: 9 queries are few: the intervals are wide and only rough. 1 query has no
  gold passage in the first 3: q13. A mean can hide slices: --by type shows
  them.

The first result holds 59% of a query's gold passages on average (95% interval
27% to 92%); 22% of the queries get none.
--- stderr
note[N001]: labels.jsonl: 4 queries have no relevant document and are left out:
  q08, q09, q10, ...
note[N020]: labels.jsonl: 1 gold passage is empty and counts for nothing: q08
note[N021]: labels.jsonl: 1 gold passage overlaps another one: what they share
  is covered once: q07

"#]],
    );
}

#[test]
fn several_overlaps_show_how_much_depends_on_them() {
    world().shows(
        "eval labels.jsonl dense.jsonl rerank.jsonl --unit span --chunks chunks.jsonl -k 3 --min-overlap 0.3,0.5,0.9",
        str![[r#"

exit status 0
--- stdout
2 runs   9 queries (4 left out), 15 gold passages
rel 1, gain linear, ties trec, over all, average macro, level span, min-overlap
0.3

run      recall@3   mrr@3   ndcg@3
dense       0.648   0.648    0.606
rerank      0.796   0.889    0.844
±           0.282   0.282    0.237

±: half of the widest 95% interval of the column

dense, by the overlap that counts

min-overlap   recall@3   mrr@3   ndcg@3
        0.3      0.648   0.648    0.606
        0.5      0.648   0.519    0.520
        0.9      0.648   0.519    0.520

rerank, by the overlap that counts

min-overlap   recall@3   mrr@3   ndcg@3
        0.3      0.796   0.889    0.844
        0.5      0.796   0.833    0.813
        0.9      0.796   0.778    0.772

whether to search

run      needed   not made   wrong   not needed   made   wrong
dense        10          0      0%            2      1     50%
rerank       10          0      0%            2      0      0%

limits: 9 queries are few: the intervals are wide and only rough. A mean can
  hide slices: --by type shows them.

rerank is highest on every measure shown; `raglens compare` tests whether that
is more than chance.
--- stderr
note[N001]: labels.jsonl: 4 queries have no relevant document and are left out:
  q08, q09, q10, ...
note[N020]: labels.jsonl: 1 gold passage is empty and counts for nothing: q08
note[N021]: labels.jsonl: 1 gold passage overlaps another one: what they share
  is covered once: q07

"#]],
    );
}

#[test]
fn passages_without_a_name_are_named_by_their_place() {
    world().shows(
        "eval labels.jsonl passages.csv --unit span -m hit@3,ndcg@3,span_coverage@3 -q",
        str![[r#"

exit status 0
--- stdout
passages   9 queries (4 left out, 5 not answered), 15 gold passages
rel 1, gain linear, ties trec, over all, average macro, level span, min-overlap
0.5

                   mean [95% interval]   median   at 0
hit@3             0.444 [0.189, 0.733]    0.000    56%
ndcg@3            0.439 [0.039, 0.839]    0.000    56%
span_coverage@3   0.444 [0.189, 0.733]    0.000    56%

passages, query by query

query   hit@3   ndcg@3   span_coverage@3
q01     1.000    1.000             1.000
q02     0.000    0.000             0.000
q03     1.000    0.950             1.000
q04     0.000    0.000             0.000
q05     0.000    0.000             0.000
q06     1.000    1.000             1.000
q07     1.000    1.000             1.000
q12     0.000    0.000             0.000
q13     0.000    0.000             0.000

passages, whether to search

search       made   not made   wrong
needed          4          6     60%
not needed      0          2      0%

limits: 9 queries are few: the intervals are wide and only rough. 5 queries have
  no gold passage in the first 3: q02, q04, q05 and 2 more (`raglens queries`
  with --where 'hit@3 = 0' lists them). A mean can hide slices: --by type shows
  them.

hit@3 is 0.444 (95% interval 0.189 to 0.733) over 9 queries; 56% of them score
0.
--- stderr
warning[W003]: passages: 5 judged queries have no results and count as empty
  lists: q02, q04, q05, ...
warning[W022]: labels.jsonl: 1 file does not say what its offsets count:
  passages.csv
note[N001]: labels.jsonl: 4 queries have no relevant document and are left out:
  q08, q09, q10, ...
note[N020]: labels.jsonl: 1 gold passage is empty and counts for nothing: q08
note[N021]: labels.jsonl: 1 gold passage overlaps another one: what they share
  is covered once: q07

"#]],
    );
}

#[test]
fn cutoffs_count_chunks_or_documents() {
    let world = world();
    world.shows(
        "eval labels.jsonl dense.jsonl --unit doc --chunks chunks.jsonl -m recall,mrr,precision -k 3",
        str![[r#"

exit status 0
--- stdout
dense   10 queries (3 left out), 15 relevant documents
rel 1, gain linear, ties trec, over all, average macro, level document (k counts
chunks)

               mean [95% interval]   median   at 0
recall@3      0.850 [0.668, 1.000]    1.000     0%
mrr@3         0.950 [0.837, 1.000]    1.000     0%
precision@3   0.367 [0.291, 0.442]    0.333     0%

attainable with these labels: precision@3 0.500

dense, whether to search

search       made   not made   wrong
needed         10          0      0%
not needed      1          1     50%

limits: 10 queries are few: the intervals are wide and only rough. A mean can
  hide slices: --by type shows them.

The first 3 results hold 85% of a query's relevant documents on average (95%
interval 67% to 100%).
--- stderr
note[N001]: labels.jsonl: 3 queries have no relevant document and are left out:
  q09, q10, q11

"#]],
    );
    let after = world.run("eval labels.jsonl dense.jsonl --unit doc --chunks chunks.jsonl --cut after -m recall@3");
    assert!(after.stdout.contains("level document (k counts\ndocuments)"), "{after}");
}

#[test]
fn labels_of_documents_hide_what_chunks_show() {
    world().shows(
        "eval labels.jsonl rerank.jsonl --unit both -m hit,recall,ndcg -k 3",
        str![[r#"

exit status 0
--- stdout
rerank   10 queries (3 left out), 20 relevant chunks
rel 1, gain linear, ties trec, over all, average macro, level chunk and document
(k counts chunks)

            mean [95% interval]   median   at 0
hit@3      0.900 [0.596, 0.982]    1.000    10%
recall@3   0.800 [0.570, 1.000]    1.000    10%
ndcg@3     0.845 [0.623, 1.000]    1.000    10%

rerank, labels of documents against labels of chunks

            n   doc-level   chunk-level   inflation       up     down
hit@3      10       1.000         0.900      +0.100   +0.100   +0.000
recall@3   10       0.917         0.800      +0.117   +0.133   -0.017
ndcg@3     10       0.960         0.845      +0.115   +0.123   -0.008

                               queries
doc HIT, answer chunk absent         1   q13
doc-level optimistic                 1   q06
same                                 7
doc-level pessimistic                1   q12

inflation: what queries gain by labels of documents (up) less what they lose
  (down)
verdicts: by hit, then by recall (k=3)

rerank, whether to search

search       made   not made   wrong
needed         10          0      0%
not needed      0          2      0%

limits: 10 queries are few: the intervals are wide and only rough. 1 query has
  no relevant chunk in the first 3: q13. A mean can hide slices: --by type shows
  them.

By labels of documents recall@3 would be 0.917 in place of 0.800; in 1 query the
document is found, and no chunk that answers.
--- stderr
note[N001]: labels.jsonl: 3 queries have no relevant document and are left out:
  q09, q10, q11

"#]],
    );
}

#[test]
fn a_chain_of_evidence_is_followed_call_by_call() {
    world().shows(
        "eval labels.jsonl agent.jsonl -m chain@3,hops_found@3,hop_recall:h=2@3,hop_given@3,redundant_calls@3,calls \
         -k 3 --per-step",
        str![[r#"

exit status 0
--- stdout
agent   2 queries (11 left out), 20 relevant documents
rel 1, gain linear, ties trec, over all, average macro, level id

                     mean [95% interval]    median   at 0
chain@3             1.000 (all 2 equal)      1.000     0%
hops_found@3        1.000 (all 2 equal)      1.000     0%
hop_recall:h=2@3    1.000 (all 2 equal)      1.000     0%
hop_given@3         1.000 (all 2 equal)      1.000     0%
redundant_calls@3   1.000 [0.000, 13.706]    1.000    50%
search_calls        3.500                    3.500     0%

agent, call by call (the first 3 of each)

call   queries   own hops   own goal   redundant   hops found   chain
   1         2      0.417      1.000           0        0.417   0.000
   2         2      0.667      0.500           1        0.667   0.500
   3         1      0.333      1.000           0        0.833   0.500
   4         1      0.333      1.000           0        1.000   1.000
   5         1      0.333      1.000           1        1.000   1.000

own hops: share of the hops that the call finds by itself; own goal: share of
  the calls that find the hop they are meant for; redundant: calls that add no
  hop; hops found, chain: after this call, over all queries

agent, whether to search

search       made   not made   wrong
needed          3          7     70%
not needed      0          2      0%

limits: 2 queries are few: the intervals are wide and only rough. A mean can
  hide slices: --by type shows them.

chain@3 is 1.000 over 2 queries.
--- stderr
note[N001]: labels.jsonl: 11 queries have no relevant document and are left out:
  q01, q02, q03, ...

"#]],
    );
}

#[test]
fn a_budget_takes_the_place_of_a_cutoff() {
    world().shows(
        "eval labels.jsonl dense.jsonl rerank.jsonl --chunks chunks.jsonl --budget 250",
        str![[r#"

exit status 0
--- stdout
2 runs   10 queries (3 left out), 20 relevant documents
rel 1, gain linear, g_max 2, ties trec, over all, average macro, level id,
budget 250 tokens

run      recall     mrr    ndcg   judged
dense     0.333   0.500   0.353    0.400
rerank    0.667   0.900   0.783    0.850
±         0.245   0.337   0.262

±: half of the widest 95% interval of the column

whether to search

run      needed   not made   wrong   not needed   made   wrong
dense        10          0      0%            2      1     50%
rerank       10          0      0%            2      0      0%

limits: 10 queries are few: the intervals are wide and only rough. A mean can
  hide slices: --by type shows them.

rerank is highest on every measure shown; `raglens compare` tests whether that
is more than chance.
--- stderr
note[N001]: labels.jsonl: 3 queries have no relevant document and are left out:
  q09, q10, q11

"#]],
    );
}

#[test]
fn every_format_names_the_unit() {
    let world = world();
    world.shows(
        "eval labels.jsonl rerank.jsonl --unit span -m recall -k 3 --min-overlap 0.5,0.9 --format csv --quiet",
        str![[r#"

exit status 0
--- stdout
run,metric,slice,n,value,low,high,unit,min_overlap,cut,budget
rerank,recall@3,,9,0.7962962962962963,0.5262138755180722,1,span,0.5,,
rerank,recall@3,,9,0.7962962962962963,,,span,0.9,,

"#]],
    );
    world.shows("eval labels.jsonl rerank.jsonl --unit both -m recall -k 3 --format jsonl --quiet", str![[r#"

exit status 0
--- stdout
{"schema":"raglens/1","run":"rerank","metric":"recall@3","slice":null,"n":10,"value":0.8,"low":0.5696331903909044,"high":1.0,"unit":"chunk","min_overlap":null,"cut":"before","budget":null}
{"schema":"raglens/1","run":"rerank","metric":"recall@3","slice":null,"n":10,"value":0.9166666666666666,"low":null,"high":null,"unit":"doc","min_overlap":null,"cut":"before","budget":null}

"#]]);
    let json = world.run("eval labels.jsonl rerank.jsonl --unit both --budget 300 -m recall --format json --quiet");
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let conventions = &json["conventions"];
    assert_eq!(["level", "unit", "cut"].map(|key| conventions[key].as_str().unwrap()), ["chunk", "both", "before"]);
    assert_eq!((conventions["budget"].as_u64(), conventions["min_overlap"].as_f64()), (Some(300), None));
    let optimism = &json["runs"][0]["optimism"];
    assert_eq!(optimism["verdicts"]["doc HIT, answer chunk absent"], serde_json::json!(["q13"]));
    assert!(optimism["measures"]["recall"]["inflation"].as_f64().unwrap() > 0.0);
    assert_eq!(json["runs"][0]["searches"]["needed_made"], 10);
}

#[test]
fn the_order_of_lines_and_the_number_of_threads_change_nothing() {
    let world = world();
    let shuffled: Vec<&str> = include_str!("../../fixtures/rag/dense.jsonl").lines().rev().collect();
    let world = world.with("shuffled.jsonl", shuffled.join("\n"));
    for options in ["--unit span", "--unit doc", "--unit both", "--budget 300"] {
        let run = |file: &str, threads: u8| {
            let command = format!("eval labels.jsonl d={file} --chunks chunks.jsonl {options} --threads {threads} -q");
            world.run(&command).stdout
        };
        let one = run("dense.jsonl", 1);
        assert!(one.contains("0."), "{one}");
        assert_eq!(one, run("dense.jsonl", 2), "{options}");
        assert_eq!(one, run("shuffled.jsonl", 2), "{options}");
    }
}

#[test]
fn chunks_without_a_place_are_counted_and_slices_go_on() {
    let placed = r#"{"id":"c","doc_id":"it-handbook","start":600,"end":800}"#;
    let run = format!("{{\"query_id\":\"q01\",\"results\":[\"x\",{placed},\"y\"]}}\n");
    let world = world().with("partly.jsonl", run);
    world.shows(
        "eval labels.jsonl partly.jsonl --unit span --over common -m mrr,span_precision@3 --by type",
        str![[r#"

exit status 0
--- stdout
partly   1 query (4 left out, 8 not answered), 15 gold passages
rel 1, gain linear, ties trec, over common, average macro, level span,
min-overlap 0.5

                    mean
mrr                0.500
span_precision@3   0.800

by type

          n     mrr   span_precision@3   mrr
how-to   1*   0.500              0.800   █████

* thin: fewer than 20 queries, where a mean says little

partly, whether to search

search       made   not made   wrong
needed          1          9     90%
not needed      0          2      0%

limits: One query says nothing about others: there is no interval.

mrr is 0.500 over 1 query.
--- stderr
warning[W021]: partly: 2 results have no place in a document and cover nothing
  (`--chunks` gives places): x, y
warning[W022]: labels.jsonl: 1 file does not say what its offsets count:
  partly.jsonl
note[N001]: labels.jsonl: 4 queries have no relevant document and are left out:
  q08, q09, q10, ...
note[N012]: partly: 8 judged queries have no results and are left out: q02, q03,
  q04, ...
note[N020]: labels.jsonl: 1 gold passage is empty and counts for nothing: q08
note[N021]: labels.jsonl: 1 gold passage overlaps another one: what they share
  is covered once: q07

"#]],
    );
}

#[test]
fn judged_chunks_without_a_known_document_are_named() {
    let labels = r#"{"query_id":"q01","relevant":{"it-2":2,"lost-1":1},"tags":{"type":"x"}}"#;
    let documents = r#"{"query_id":"q01","relevant":{"it-handbook":1,"lost-handbook":1}}"#;
    let world = world().with("part.jsonl", labels).with("documents.jsonl", documents);
    world.shows(
        "eval part.jsonl rerank.jsonl --unit doc --over common -m recall@1",
        str![[r#"

exit status 0
--- stdout
rerank   1 query, 2 relevant documents
rel 1, gain linear, ties trec, over common, average macro, level document (k
counts chunks)

            mean
recall@1   0.500

attainable with these labels: recall@1 0.500

limits: One query says nothing about others: there is no interval. The labels
  name only relevant documents, so what is unjudged cannot be told from what is
  not relevant. A mean can hide slices: --by type shows them.

The first result holds 50% of a query's relevant documents on average.
--- stderr
warning[W020]: part.jsonl: 1 id has no document that is known and stands for
  itself (`--chunks` names documents): lost-1
note[N003]: rerank: 10 queries have no labels and are ignored: q02, q03, q04,
  ...

"#]],
    );
    let given = "eval part.jsonl rerank.jsonl --unit both --doc-labels documents.jsonl -m recall@1 --by type --quiet";
    let ran = world.run(given);
    assert!(ran.stdout.contains("by type") && ran.stderr.is_empty(), "{ran}");
}

#[test]
fn what_a_unit_needs_is_asked_for() {
    let world = world()
        .with("bytes.jsonl", "{\"meta\":{\"offset_unit\":\"byte\"}}\n{\"query_id\":\"q01\",\"results\":[{\"id\":\"c\",\"doc_id\":\"it-handbook\",\"start\":0,\"end\":9}]}\n")
        .with("back.jsonl", "{\"query_id\":\"q01\",\"results\":[{\"id\":\"c\",\"doc_id\":\"it-handbook\",\"start\":9,\"end\":3}]}\n")
        .with("moved.jsonl", "{\"query_id\":\"q01\",\"results\":[{\"id\":\"it-1\",\"doc_id\":\"elsewhere\"}]}\n")
        .with("none.jsonl", "{\"query_id\":\"q01\",\"relevant\":{\"it-2\":1}}\n");
    let commands = [
        "eval labels.jsonl bytes.jsonl --unit span",
        "eval labels.jsonl back.jsonl --unit span",
        "eval labels.jsonl dense.jsonl --unit span",
        "eval none.jsonl rerank.jsonl --unit span",
        "eval labels.jsonl dense.jsonl --unit doc",
        "eval labels.jsonl moved.jsonl rerank.jsonl --unit doc",
        "eval labels.jsonl dense.jsonl --budget 100",
        "eval none.jsonl rerank.jsonl -m chain@5",
        "eval none.jsonl rerank.jsonl -m span_iou@5",
        "eval none.jsonl rerank.jsonl --per-step",
        "eval labels.jsonl rerank.jsonl --unit doc --collapse -",
        "eval labels.jsonl rerank.jsonl --min-overlap 0.5",
        "eval labels.jsonl rerank.jsonl --unit span --min-overlap 0",
        "eval labels.jsonl rerank.jsonl --cut after",
        "eval labels.jsonl rerank.jsonl --doc-labels none.jsonl",
        "eval labels.jsonl rerank.jsonl -m hop_recall:h=0@5",
        "eval labels.jsonl rerank.jsonl --chunks dense.jsonl",
        "eval chunks.jsonl rerank.jsonl",
    ];
    let mut shown = String::new();
    for command in commands {
        let ran = world.run(command);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{command}");
        shown.push_str(&format!("$ raglens {command}\n{}", ran.stderr));
    }
    snapbox::Assert::new().action_env("SNAPSHOTS").normalize_paths(false).eq(
        shown,
        str![[r#"
$ raglens eval labels.jsonl bytes.jsonl --unit span
error: offsets count `char` in labels.jsonl and `byte` in bytes.jsonl
  help: both must count the same: Python counts characters, Rust and Go bytes,
        JavaScript UTF-16 units
$ raglens eval labels.jsonl back.jsonl --unit span
error[E012]: end must be at least the start: `3`
 --> back.jsonl:1:30
  |
1 | ...,"results":[{"id":"c","doc_id":"it-handboo...]}
  |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ expected at least the start
  |
  = note: read as raglens run: query_id, results
  = help: `--on-error skip` leaves such rows out and counts them
$ raglens eval labels.jsonl dense.jsonl --unit span
error: no result of dense.jsonl has a place in a document
  help: results take `doc_id`, `start` and `end`, or `--chunks FILE` a file that
        has them
$ raglens eval none.jsonl rerank.jsonl --unit span
error: none.jsonl holds no gold passage of any length, which `--unit span` needs
  help: rows of labels take `spans`: [{"doc_id": id, "start": 0, "end": 900},
        ...]
$ raglens eval labels.jsonl dense.jsonl --unit doc
error: no result says which document it is a chunk of
  help: results take `doc_id`, or `--chunks FILE` a file with `id` and `doc_id`;
        `--collapse '#'` makes the document `guide` of `guide#3`
$ raglens eval labels.jsonl moved.jsonl rerank.jsonl --unit doc
error: chunk `it-1` belongs to document `elsewhere` in one place and to
  `it-handbook` in another
  help: a chunk id stands for one chunk in all files: give chunks ids of their
        own
$ raglens eval labels.jsonl dense.jsonl --budget 100
error[E006]: a budget needs lengths, and `it-2` has none
 --> dense.jsonl:1
  = note: read as raglens run: query_id, results
  = help: results take `tokens`, or `--chunks FILE` a file that has them
$ raglens eval none.jsonl rerank.jsonl -m chain@5
error: `chain@5` needs `evidence` in the labels, and no query has any
  help: rows of labels take `evidence`: [{"hop": 1, "any_of": [id, ...]}, ...]
$ raglens eval none.jsonl rerank.jsonl -m span_iou@5
error: `span_iou@5` needs `spans` in the labels, and no query has any
  help: rows of labels take `spans`: [{"doc_id": id, "start": 0, "end": 900},
        ...]
$ raglens eval none.jsonl rerank.jsonl --per-step
error: `--per-step` needs `evidence`, and none.jsonl has none
  help: rows of labels take `evidence`: [{"hop": 1, "any_of": [id, ...]}, ...]
$ raglens eval labels.jsonl rerank.jsonl --unit doc --collapse -
error: `--collapse` has no meaning with `--unit doc`
  help: it goes with `--unit id`: it makes documents of chunks before any cut
$ raglens eval labels.jsonl rerank.jsonl --min-overlap 0.5
error: `--min-overlap` has no meaning with `--unit id`
  help: it goes with `--unit span`
$ raglens eval labels.jsonl rerank.jsonl --unit span --min-overlap 0
error: invalid value '0' for '--min-overlap <X>': expected a share above 0 and
  at most 1, such as 0.5

For more information, try '--help'.
$ raglens eval labels.jsonl rerank.jsonl --cut after
error: `--cut` has no meaning with `--unit id`
  help: it goes with `--unit doc` and `--unit both`
$ raglens eval labels.jsonl rerank.jsonl --doc-labels none.jsonl
error: `--doc-labels` has no meaning with `--unit id`
  help: it goes with `--unit doc` and `--unit both`
$ raglens eval labels.jsonl rerank.jsonl -m hop_recall:h=0@5
error: `hop_recall:h=0@5`: `h` of hop_recall is a whole number from 1, not `0`
$ raglens eval labels.jsonl rerank.jsonl --chunks dense.jsonl
error[E011]: has no `id`
 --> dense.jsonl:1:1
  |
1 | {"query_id": "q01", "results":...
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
  = note: read as chunks: id, doc_id, start, end, tokens, allowed_roles
  = help: `--on-error skip` leaves such rows out and counts them
$ raglens eval chunks.jsonl rerank.jsonl
error[E006]: chunks.jsonl: this is a chunk map: it says where chunks stand, and
  holds no judgments and no results
  note: read as chunks: id, doc_id, start, end, tokens, allowed_roles
  help: it goes beside labels and runs: `--chunks FILE`

"#]],
    );
}

#[test]
fn steps_of_a_table_may_take_turns() {
    let rows = "query_id,doc_id,rank,step\nq04,travel-2,1,1\nq04,travel-1,1,2\nq04,travel-1,2,1\nq04,hr-4,2,2\n";
    let world = world().with("steps.csv", rows);
    let value = |spec: &str| {
        let ran = world.run(&format!("eval labels.jsonl steps.csv --over common -m {spec} --format csv --quiet"));
        ran.stdout.lines().nth(1).unwrap_or_else(|| panic!("{ran}")).split(',').nth(4).unwrap().to_owned()
    };
    assert_eq!(value("hops_found:calls=1@2"), "0.5");
    assert_eq!(value("hops_found:calls=1@1"), "0");
    assert_eq!(value("hops_found@2"), "1");
    assert_eq!(value("search_calls"), "2");
}

/// The tables of two well-known illusions, to the digit: what one measure hides and another shows.
#[test]
fn illusions_come_out_as_they_are_told() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/illusions");
    let world = World::new();
    let row = |run: &str, measures: &str| -> String {
        let command = format!(
            "eval {folder}/labels.jsonl {folder}/{run}.jsonl --over common -m {measures} --format trec --quiet"
        );
        let ran = world.run(&command);
        let values = ran.stdout.lines().map(|line| line.rsplit('\t').next().unwrap().parse::<f64>().unwrap());
        values.map(|value| format!("{value:.3}")).collect::<Vec<_>>().join(" ")
    };
    let seven = "hit@5,recall@5,precision@5,mrr,map,ndcg@5,context_precision@5";
    assert_eq!(row("top", seven), "1.000 1.000 0.400 1.000 1.000 1.000 1.000");
    assert_eq!(row("middle", seven), "1.000 1.000 0.400 0.500 0.583 0.693 0.583");
    assert_eq!(row("bottom", seven), "1.000 1.000 0.400 0.250 0.325 0.501 0.325");
    let six = "hit@5,recall@5,precision@5,mrr,map,ndcg@5";
    assert_eq!(row("complete", six), "1.000 1.000 0.600 1.000 1.000 1.000");
    assert_eq!(row("one_hit", six), "1.000 0.333 0.200 1.000 0.333 0.469");
    assert_eq!(row("lucky", "hit@5,recall@5,precision@5,mrr"), "1.000 0.333 0.200 0.200");
    for (k, expected) in [
        (1, "0.333 1.000 0.500 1.000"),
        (3, "0.667 0.667 0.667 0.704"),
        (5, "0.667 0.400 0.500 0.704"),
        (8, "1.000 0.375 0.545 0.871"),
    ] {
        assert_eq!(row("depth", &format!("recall@{k},precision@{k},f1@{k},ndcg@{k}")), expected, "k={k}");
    }
    assert_eq!([row("answer_first", "ndcg@5"), row("related_first", "ndcg@5")], ["1.000", "0.860"]);
    world.shows(
        &format!(
            "eval {folder}/chunk_labels.jsonl {folder}/chunks_run.jsonl --unit both \
             --doc-labels {folder}/doc_labels.jsonl -m hit,recall -k 5 --quiet"
        ),
        str![[r#"

exit status 0
--- stdout
chunks_run   20 queries, 22 relevant chunks
rel 1, gain linear, ties trec, over all, average macro, level chunk and document
(k counts chunks)

            mean [95% interval]   median   at 0
hit@5      0.950 [0.764, 0.991]    1.000     5%
recall@5   0.900 [0.778, 1.000]    1.000     5%

chunks_run, labels of documents against labels of chunks

            n   doc-level   chunk-level   inflation       up     down
hit@5      20       1.000         0.950      +0.050   +0.050   +0.000
recall@5   20       0.950         0.900      +0.050   +0.075   -0.025

                               queries
doc HIT, answer chunk absent         1   q17
doc-level optimistic                 1   q15
same                                17
doc-level pessimistic                1   h01

inflation: what queries gain by labels of documents (up) less what they lose
  (down)
verdicts: by hit, then by recall (k=5)

limits: The labels name only relevant documents, so what is unjudged cannot be
  told from what is not relevant. 1 query has no relevant chunk in the first 5:
  q17.

By labels of documents recall@5 would be 0.950 in place of 0.900; in 1 query the
document is found, and no chunk that answers.

"#]],
    );
}

#[test]
fn a_passage_that_two_hops_need_is_found_for_both() {
    let world = World::new()
        .with(
            "labels.jsonl",
            r#"{"query_id":"q1","spans":[{"doc_id":"d","start":0,"end":9,"hop":1},{"doc_id":"d","start":0,"end":9,"hop":2},{"doc_id":"d","start":50,"end":59,"hop":2}]}
"#,
        )
        .with(
            "run.jsonl",
            r#"{"query_id":"q1","results":[{"id":"c1","doc_id":"d","start":0,"end":10}]}
"#,
        );
    world.shows(
        "eval labels.jsonl run.jsonl --unit span -m chain@5,chain_depth@5,recall@5",
        str![[r#"

exit status 0
--- stdout
run   1 query, 2 gold passages
rel 1, gain linear, ties trec, over all, average macro, level span, min-overlap
0.5

                 mean
chain@5         1.000
chain_depth@5   2.000
recall@5        0.500

limits: One query says nothing about others: there is no interval.

The first 5 results hold 50% of a query's gold passages on average.

"#]],
    );
}

#[test]
fn a_passage_that_two_hops_need_is_shown_once_whatever_stands_between() {
    let passage = |document: &str, hop: u8| format!(r#"{{"doc_id":"{document}","start":0,"end":9,"hop":{hop}}}"#);
    let spans = [passage("h", 1), passage("g", 1), passage("h", 2)].join(",");
    let world = World::new()
        .with("labels.jsonl", format!(r#"{{"query_id":"q1","relevant":{{"c1":1}},"spans":[{spans}]}}"#))
        .with("run.jsonl", r#"{"query_id":"q1","results":[{"id":"c1","doc_id":"h","start":0,"end":10}]}"#);
    let ran = world.run("queries labels.jsonl run.jsonl --show q1");
    assert_eq!(ran.stdout.lines().filter(|line| line.starts_with("h ")).count(), 1, "{ran}");
}

#[test]
fn a_budget_into_which_nothing_fits_is_told_from_a_run_without_results() {
    let world = World::new()
        .with("labels.qrels", "q1 0 a 1\n")
        .with("run.jsonl", "{\"query_id\":\"q1\",\"results\":[{\"id\":\"a\",\"tokens\":9}]}\n");
    let ran = world.run("eval labels.qrels run.jsonl --budget 8");
    assert!(ran.stderr.starts_with("error: no result of run.jsonl fits into a budget of 8 tokens\n"), "{}", ran.stderr);
}

#[test]
fn a_query_without_evidence_is_not_said_to_lack_results_alone() {
    let world = World::new()
        .with(
            "labels.jsonl",
            r#"{"query_id":"q1","relevant":{"c1":1},"evidence":[{"hop":1,"any_of":["c1"]}]}
{"query_id":"q2","relevant":{"c2":1}}
"#,
        )
        .with("run.jsonl", "{\"query_id\":\"q1\",\"results\":[\"c1\"]}\n");
    let out = world.run("eval labels.jsonl run.jsonl -m chain@5,recall@5").stdout;
    assert!(out.contains("n = 1 for chain@5\n"), "{out}");
}
