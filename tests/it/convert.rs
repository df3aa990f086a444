//! `raglens convert`: what it writes, what it says is lost, and that nothing is ever half there.

use std::fs;
use std::io::Read;

use snapbox::str;

use crate::world::World;

/// Labels with everything that a layout can lack.
const RICH: &str = r#"{"meta": {"offset_unit": "char"}}
{"query_id": "q1", "query": "why?", "relevant": {"d1": 3, "d9": 0, "d#2": 0.5}, "tags": {"type": "x", "lang": ["de", "en"]}}
{"query_id": "q2", "relevant": {"d4": -1}, "spans": [{"doc_id": "h", "start": 0, "end": 9, "grade": 1}]}
{"query_id": "q3", "relevant": {}, "answerable": false}
"#;

/// A run with scores, ranks and an order alone, in three queries, and one without results.
const MIXED: &str = r#"{"meta": {"run": "hybrid one", "config": {"k": 5}}}
{"query_id": "q1", "results": [{"id": "d2", "score": 0.5}, {"id": "d1", "score": 0.5}, {"id": "d3", "score": 1e-7}], "latency_ms": 4}
{"query_id": "q2", "results": [{"id": "d1", "rank": 2}, {"id": "d2", "rank": 1}, {"id": "d3", "rank": 2}]}
{"query_id": "q3", "results": ["d9", {"id": "d8", "doc_id": "h", "start": 0, "end": 5}]}
{"query_id": "q4", "results": []}
"#;

#[test]
fn labels_are_written_in_every_layout_and_what_is_lost_is_said() {
    let world = World::new().with("rich.jsonl", RICH);
    world.shows(
        "convert rich.jsonl --to trec",
        str![[r#"

exit status 0
--- stdout
q1 0 d1 3
q1 0 d9 0
q1 0 d#2 0.5
q2 0 d4 -1
--- stderr
note[N005]: rich.jsonl: 1 document has a negative grade: pooled, not judged
note: left out, because `trec` has no place for it: query texts (1 query); tags
  (1 query); gold passages (1 query); queries without an entry (1 query);
  whether it can be answered or needs a search (1 query)

"#]],
    );
    world.shows("convert rich.jsonl --to jsonl", str![[r#"

exit status 0
--- stdout
{"meta": {"offset_unit": "char"}}
{"query_id": "q1", "query": "why?", "relevant": {"d1": 3, "d9": 0, "d#2": 0.5}, "tags": {"type": "x", "lang": ["de", "en"]}}
{"query_id": "q2", "relevant": {"d4": -1}, "spans": [{"doc_id": "h", "start": 0, "end": 9, "grade": 1}]}
{"query_id": "q3", "relevant": {}, "answerable": false}
--- stderr
note[N005]: rich.jsonl: 1 document has a negative grade: pooled, not judged

"#]]);
    world.shows(
        "convert rich.jsonl --to rows --quiet",
        str![[r#"

exit status 0
--- stdout
{"query_id": "q1", "doc_id": "d1", "grade": 3}
{"query_id": "q1", "doc_id": "d9", "grade": 0}
{"query_id": "q1", "doc_id": "d#2", "grade": 0.5}
{"query_id": "q2", "doc_id": "d4", "grade": -1}

"#]],
    );
    world.shows(
        "convert rich.jsonl --to csv --quiet",
        str![[r#"

exit status 0
--- stdout
query_id,doc_id,grade
q1,d1,3
q1,d9,0
q1,d#2,0.5
q2,d4,-1

"#]],
    );
    world.shows(
        "convert rich.jsonl --to beir --quiet",
        str![[r#"

exit status 0
--- stdout
query-id	corpus-id	score
q1	d1	3
q1	d9	0
q1	d#2	0.5
q2	d4	-1

"#]],
    );
    world.shows(
        "convert rich.jsonl --to dict",
        str![[r#"

exit status 0
--- stdout
{
"q1": {"d1": 3, "d9": 0, "d#2": 0.5},
"q2": {"d4": -1},
"q3": {}
}
--- stderr
note[N005]: rich.jsonl: 1 document has a negative grade: pooled, not judged
note: left out, because `dict` has no place for it: query texts (1 query); tags
  (1 query); gold passages (1 query); whether it can be answered or needs a
  search (1 query)

"#]],
    );
}

#[test]
fn runs_are_written_best_first_with_scores_where_a_layout_needs_them() {
    let world = World::new().with("mixed.jsonl", MIXED);
    world.shows(
        "convert mixed.jsonl --to trec",
        str![[r#"

exit status 0
--- stdout
q1 Q0 d2 1 0.5 hybrid_one
q1 Q0 d1 2 0.5 hybrid_one
q1 Q0 d3 3 0.0000001 hybrid_one
q2 Q0 d2 1 2 hybrid_one
q2 Q0 d1 2 1 hybrid_one
q2 Q0 d3 3 1 hybrid_one
q3 Q0 d9 1 2 hybrid_one
q3 Q0 d8 2 1 hybrid_one
--- stderr
note: left out, because `trec` has no place for it: latency, cost, role or step
  of calls (1 query); places and documents of chunks (1 query); queries without
  an entry (1 query); what the run says of itself
note: results that no score orders get scores that count down to 1 (2 queries)

"#]],
    );
    world.shows("convert mixed.jsonl --to jsonl", str![[r#"

exit status 0
--- stdout
{"meta": {"run": "hybrid one", "config": {"k": 5}}}
{"query_id": "q1", "results": [{"id": "d2", "score": 0.5}, {"id": "d1", "score": 0.5}, {"id": "d3", "score": 0.0000001}], "latency_ms": 4}
{"query_id": "q2", "results": [{"id": "d2", "rank": 1}, {"id": "d1", "rank": 2}, {"id": "d3", "rank": 2}]}
{"query_id": "q3", "results": ["d9", {"id": "d8", "doc_id": "h", "start": 0, "end": 5}]}
{"query_id": "q4", "results": []}

"#]]);
    world.shows(
        "convert mixed.jsonl --to ranx",
        str![[r#"

exit status 0
--- stdout
{
"q1": {"d2": 0.5, "d1": 0.5, "d3": 0.0000001},
"q2": {"d2": 2.0, "d1": 1.0, "d3": 1.0},
"q3": {"d9": 2.0, "d8": 1.0},
"q4": {}
}
--- stderr
note: left out, because `dict` has no place for it: latency, cost, role or step
  of calls (1 query); places and documents of chunks (1 query); the name of the
  run; what the run says of itself
note: results that no score orders get scores that count down to 1 (2 queries)

"#]],
    );
    world.shows(
        "convert mixed.jsonl --to tsv --quiet",
        str![[r#"

exit status 0
--- stdout
query_id	doc_id	score
q1	d2	0.5
q1	d1	0.5
q1	d3	0.0000001
q2	d2	2
q2	d1	1
q2	d3	1
q3	d9	2
q3	d8	1

"#]],
    );
}

#[test]
fn distances_become_scores_of_which_the_highest_is_best() {
    let world = World::new().with("near.csv", "query_id,doc_id,distance\nq1,a,0.25\nq1,b,0.125\nq1,c,0\n");
    world.shows(
        "convert near.csv --to trec",
        str![[r#"

exit status 0
--- stdout
q1 Q0 c 1 0 near
q1 Q0 b 2 -0.125 near
q1 Q0 a 3 -0.25 near

"#]],
    );
}

#[test]
fn the_steps_of_a_trajectory_are_kept_or_united() {
    let steps = concat!(
        "{\"query_id\": \"q1\", \"step\": 1, \"results\": [{\"id\": \"a\", \"score\": 1}, {\"id\": \"b\", \"score\": 2}]}\n",
        "{\"query_id\": \"q1\", \"step\": 2, \"results\": [{\"id\": \"b\", \"score\": 9}, {\"id\": \"c\", \"score\": 8}]}\n"
    );
    let world = World::new().with("steps.jsonl", steps);
    world.shows(
        "convert steps.jsonl --to jsonl",
        str![[r#"

exit status 0
--- stdout
{"query_id": "q1", "results": [{"id": "b", "score": 2}, {"id": "a", "score": 1}], "step": 1}
{"query_id": "q1", "results": [{"id": "b", "score": 9}, {"id": "c", "score": 8}], "step": 2}

"#]],
    );
    world.shows(
        "convert steps.jsonl --to trec",
        str![[r#"

exit status 0
--- stdout
q1 Q0 b 1 3 steps
q1 Q0 a 2 2 steps
q1 Q0 c 3 1 steps
--- stderr
note: left out, because `trec` has no place for it: latency, cost, role or step
  of calls (1 query)
note: results that no score orders get scores that count down to 1 (1 query)

"#]],
    );
}

#[test]
fn an_id_that_a_layout_cannot_give_back_is_an_error_with_its_line() {
    let world = World::new()
        .with(
            "blank.jsonl",
            "{\"query_id\": \"q1\", \"relevant\": {\"a\": 1}}\n{\"query_id\": \"q2\", \"relevant\": {\"a b\": 1}}\n",
        )
        .with("latin.trec", b"q1 Q0 a 1 2 t\nq1 Q0 caf\xe9 2 1 t\n");
    world.shows(
        "convert blank.jsonl --to trec -o out.txt",
        str![[r#"

exit status 2
--- stderr
error[E006]: document id `a b` holds a blank, so `trec` cannot hold it
 --> blank.jsonl:2
  = help: `jsonl` holds every id that is UTF-8

"#]],
    );
    world.shows(
        "convert latin.trec --to dict",
        str![[r#"

exit status 2
--- stderr
error[E006]: document id `caf\xE9` is not UTF-8, so `dict` cannot hold it
 --> latin.trec:2
  = note: read as TREC run: qid iter docid rank score tag
  = help: `trec` and `tsv` hold bytes of any kind

"#]],
    );
    assert!(!world.path("out.txt").exists());
    assert_eq!(world.run("convert latin.trec --to tsv -o out.tsv").status, Some(0));
    assert_eq!(fs::read(world.path("out.tsv")).unwrap(), b"query_id\tdoc_id\tscore\nq1\ta\t2\nq1\tcaf\xe9\t1\n");
}

#[test]
fn a_late_fault_leaves_nothing_on_standard_output_and_the_file_as_it_was() {
    let rows: String = (0..50_000).map(|number| format!("q{number} Q0 d 1 1 t\n")).collect();
    let world = World::new().with("late.trec", rows + "q Q0 d 1 x t\n").with("out.json", "before");
    let printed = world.run("convert late.trec --to jsonl");
    assert_eq!((printed.status, printed.stdout.as_str()), (Some(2), ""));
    assert!(printed.stderr.contains("score is not a number: `x`"), "{}", printed.stderr);
    assert_eq!(world.run("convert late.trec --to dict -o out.json").status, Some(2));
    assert_eq!(world.read("out.json"), "before");
    assert_eq!(fs::read_dir(world.path(".")).unwrap().count(), 5);
}

#[test]
fn a_query_that_comes_back_and_a_pipe_give_the_same_bytes() {
    let grouped = "q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq2 Q0 c 1 1 t\n";
    let scattered = "q1 Q0 b 2 2 t\nq2 Q0 c 1 1 t\nq1 Q0 a 1 3 t\n";
    let world = World::new().with("grouped.trec", grouped).with("scattered.trec", scattered);
    let of = |file: &str| world.run(&format!("convert {file} --to jsonl")).stdout;
    assert_eq!(of("grouped.trec"), of("scattered.trec"));
    assert_eq!(world.run_with_stdin("convert - --to jsonl", scattered).stdout, of("grouped.trec"));
}

#[test]
fn what_a_file_says_of_itself_at_its_end_is_kept() {
    let late = "{\"query_id\": \"q1\", \"results\": [\"a\"]}\n{\"query_id\": \"q2\", \"results\": [\"a\"]}\n{\"meta\": {\"run\": \"late\"}}\n";
    let ran = World::new().with("late.jsonl", late).run("convert late.jsonl --to trec");
    assert_eq!(ran.stdout, "q1 Q0 a 1 1 late\nq2 Q0 a 1 1 late\n");
}

#[test]
fn a_name_that_ends_in_gz_is_packed_and_other_packers_are_refused() {
    let world = World::new();
    assert_eq!(world.run("convert good.trec --to csv -o out.csv.gz").status, Some(0));
    let mut text = String::new();
    flate2::read::GzDecoder::new(fs::File::open(world.path("out.csv.gz")).unwrap()).read_to_string(&mut text).unwrap();
    assert_eq!(text, world.run("convert good.trec --to csv").stdout);
    assert_eq!(
        world.run("convert out.csv.gz --run --to trec").stdout,
        crate::world::GOOD.replace("good", "out.csv").replace(".0 ", " ")
    );
    world.shows(
        "convert good.trec --to csv -o out.csv.zst",
        str![[r#"

exit status 2
--- stderr
error: out.csv.zst would not be what its name says: `.zst` is not written
  help: a name that ends in `.gz` is packed with gzip, any other is not packed

"#]],
    );
}

#[test]
fn what_could_be_labels_or_a_run_is_asked_for() {
    let world = World::new()
        .with("either.json", "{\"q1\": {\"a\": 1}}")
        .with("both.jsonl", "{\"query\": \"q\", \"expected_ids\": [\"a\"], \"retrieved_ids\": [\"b\", \"a\"]}\n");
    world.shows(
        "convert either.json --to trec",
        str![[r#"

exit status 2
--- stderr
error: either.json could hold labels or a run: JSON dict of dicts: {query:
  {document: number}}
  help: `--labels` or `--run` says which it is

"#]],
    );
    assert_eq!(world.run("convert either.json --labels --to trec").stdout, "q1 0 a 1\n");
    assert_eq!(world.run("convert either.json --run --to trec").stdout, "q1 Q0 a 1 1 either\n");
    world.shows(
        "convert both.jsonl --to trec",
        str![[r#"

exit status 2
--- stderr
error: both.jsonl holds labels and results: LlamaIndex evaluation rows: query,
  expected_ids, retrieved_ids
  help: `--labels` or `--run` says which of the two to convert

"#]],
    );
    assert_eq!(world.run("convert both.jsonl --run --to trec").stdout, "q Q0 b 1 2 both\nq Q0 a 2 1 both\n");
    world.shows(
        "convert good.trec --to beir",
        str![[r#"

exit status 2
--- stderr
error: `beir` cannot hold a run, and good.trec is one
  help: a run can be written as `trec`, `jsonl`, `rows`, `csv`, `tsv`, `dict`

"#]],
    );
    assert_eq!(world.run("convert good.trec --labels --run --to csv").status, Some(2));
}

#[test]
fn a_document_twice_is_an_error_unless_copies_are_dropped() {
    let world = World::new().with("twice.trec", "q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 a 3 1 t\n");
    world.shows(
        "convert twice.trec --to trec",
        str![[r#"

exit status 2
--- stderr
error[E014]: document `a` is twice in the ranking of query `q1` (first at line
             1)
 --> twice.trec:3:7
  |
3 | q1 Q0 a 3 1 t
  |       ^
  |
  = note: read as TREC run: qid iter docid rank score tag
  = help: `--duplicates first` keeps the best-ranked one and counts the rest

"#]],
    );
    world.shows(
        "convert twice.trec --to trec --duplicates first",
        str![[r#"

exit status 0
--- stdout
q1 Q0 a 1 3 t
q1 Q0 b 2 2 t
--- stderr
warning[W007]: twice.trec: 1 result repeats a document of its ranking and is
  dropped

"#]],
    );
}

#[test]
fn a_layout_that_would_hold_nothing_is_refused() {
    let spans = "{\"query_id\": \"q\", \"spans\": [{\"doc_id\": \"h\", \"start\": 0, \"end\": 9}]}\n";
    World::new().with("spans.jsonl", spans).shows(
        "convert spans.jsonl --to trec",
        str![[r#"

exit status 2
--- stderr
error: nothing of spans.jsonl can be written as `trec`
  help: `--to jsonl` holds everything that is read

"#]],
    );
}

#[test]
fn ids_that_make_the_result_look_like_another_format_are_noted() {
    let odd = "{\"query_id\": \"{\\\"a\", \"relevant\": {\"b\": 1}}\n";
    let world = World::new().with("odd.jsonl", odd);
    world.shows(
        "convert odd.jsonl --to trec -o odd.txt",
        str![[r#"

exit status 0
--- stderr
warning[W015]: odd.txt: the ids in it make it look like another format:
  `--labels-format qrels` reads it

"#]],
    );
    assert_eq!(
        world.run("convert odd.txt --labels-format qrels --to jsonl").stdout,
        "{\"query_id\": \"{\\\"a\", \"relevant\": {\"b\": 1}}\n"
    );
}

#[test]
fn the_input_is_never_written_over() {
    let world = World::new();
    world.shows(
        "convert good.trec --to csv -o good.trec",
        str![[r#"

exit status 2
--- stderr
error: `-o` would write over good.trec, which is read
  help: `-o` takes another path

"#]],
    );
}

#[test]
fn columns_that_the_last_query_alone_needs_are_in_the_header() {
    let rows = concat!(
        "{\"query_id\": \"q1\", \"results\": [{\"id\": \"a\", \"score\": 1}]}\n",
        "{\"query_id\": \"q2\", \"results\": [{\"id\": \"b\", \"score\": 2, \"tokens\": 3}]}\n"
    );
    let world = World::new().with("rows.jsonl", rows);
    let expected = "query_id,chunk_id,doc_id,score,start,end,tokens\nq1,a,,1,,,\nq2,b,,2,,,3\n";
    assert_eq!(world.run("convert rows.jsonl --to csv").stdout, expected);
    assert_eq!(world.run_with_stdin("convert - --to csv", rows).stdout, expected);
}

/// Without quotes its line would be a comment that ends within the next id.
#[test]
fn a_query_that_begins_with_a_hash_is_no_comment_of_a_table() {
    let run = r##"{"query_id": "#x", "results": [{"id": "a\nb", "score": 0.5}, {"id": "#c", "score": 0.25}]}"##;
    let world = World::new().with("run.jsonl", run);
    assert!(world.run("convert run.jsonl --run --to csv -o run.csv").stdout.is_empty());
    world.shows(
        "convert run.csv --run --to jsonl",
        str![[r##"

exit status 0
--- stdout
{"query_id": "#x", "results": [{"id": "a\nb", "score": 0.5}, {"id": "#c", "score": 0.25}]}

"##]],
    );
}
