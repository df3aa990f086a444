//! `raglens check`: files, and access.

use std::fs;
use std::path::Path;

use serde_json::json;
use snapbox::str;

use super::fixture::{fixture, json, reads_well, refused};
use super::world::World;

/// A world with odd files of the fixtures.
fn odd(names: &[&str]) -> World {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/odd");
    names.iter().fold(World::new(), |world, name| world.with(name, fs::read(folder.join(name)).unwrap()))
}

#[test]
fn files_without_a_fault_pass() {
    World::new().with("l.txt", "q1 0 a 1\nq1 0 b 0\n").with("r.trec", "q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\n").shows(
        "check l.txt r.trec",
        str![[r#"

exit status 0
--- stdout
l.txt   TREC qrels, 1 query, 1 relevant

  ok  nothing is wrong or odd

r.trec   TREC run, 1 query, 2 results, tag t

  ok  nothing is wrong or odd

0 errors, 0 warnings, 0 notes. An evaluation takes these files.

"#]],
    );
}

#[test]
fn every_kind_of_fault_is_one_line_with_its_places() {
    let run = "q1 Q0 a 1 n/a t\nq1 Q0 b 2 x t\nq1 Q0 c 3\nq1 Q0 d 4 1 t\nq1 Q0 d 5 0.5 t\nq9 Q0 z 1 1 t\n";
    let world = World::new().with("l.txt", "q1 0 a 1\nq1 0 a 0\nq2 0 b 1\n").with("r.trec", run);
    world.shows(
        "check l.txt r.trec",
        str![[r#"

exit status 2
--- stdout
l.txt   TREC qrels, 2 queries, 2 relevant

  error   E015  1 row: query `q1`, document `a` is judged 0 here and 1 at line 1
                (line 2)
  note    N032  no document is judged not relevant (grade 0), so judged, bpref
                and condensed lists say little

r.trec   TREC run, 2 queries, 3 results, tag t

  error   E012  2 rows: score is not a number: `n/a` (lines 1, 2)
  error   E010  1 row: expected 5 or 6 columns (qid iter docid rank score tag),
                found 4 (line 3)
  error   E014  1 query holds a document twice: q1 d
  warning W006  no document id is in both files: 2 in the labels ("a", "b"), 2
                in the run ("d", "z")
  warning W003  1 judged query has no results and counts as an empty list: q2
  note    N003  1 query has no labels and is ignored: q9
  note    N009  5% of the first 10 places hold results that nobody judged

4 errors, 2 warnings, 3 notes. An evaluation refuses what is an error.

"#]],
    );
    let found = json(&world, "check l.txt r.trec");
    assert_eq!(found["errors"], 4);
    assert_eq!(found["files"][1]["findings"][0]["lines"], json!([1, 2]));
}

#[test]
fn what_cannot_be_read_does_not_keep_others_from_being_checked() {
    odd(&["gzip-cut-short.trec.gz", "plain.qrels", "plain.trec", "empty.trec"]).shows(
        "check plain.qrels gone.trec gzip-cut-short.trec.gz empty.trec plain.trec",
        str![[r#"

exit status 2
--- stdout
plain.qrels   TREC qrels, 2 queries, 3 relevant

  ok  nothing is wrong or odd

gone.trec   cannot be read

  error   E001  cannot be read: there is no such file

gzip-cut-short.trec.gz   cannot be read

  error   E004  the gzip data is damaged: it ends too early

empty.trec   cannot be read

  error   E002  is empty: expected a run (`--allow-empty` scores it as empty
                rankings)

plain.trec   TREC run, 2 queries, 5 results, tag plain

  ok  nothing is wrong or odd

3 errors, 0 warnings, 0 notes. An evaluation refuses what is an error.

"#]],
    );
}

#[test]
fn labels_alone_runs_alone_and_other_files_are_looked_at() {
    let world = fixture("handbook");
    world.shows(
        "check labels.jsonl chunks.jsonl answers.jsonl rerank.jsonl",
        str![[r#"

exit status 0
--- stdout
labels.jsonl   raglens labels, 40 queries, 49 relevant, tags kind role

  note    N030  4 queries are marked unanswerable and count in no mean: h37,
                h38, h39, ...
  note    N032  no document is judged not relevant (grade 0), so judged, bpref
                and condensed lists say little

chunks.jsonl   chunks, 39 chunks

  ok  nothing is wrong or odd

answers.jsonl   answers, 40 questions

  ok  nothing is wrong or odd

rerank.jsonl   raglens run, 40 queries, 200 results, tag rerank

  note    N009  39.2% of the first 10 places hold results that nobody judged

0 errors, 0 warnings, 3 notes. An evaluation takes these files.

"#]],
    );
    let alone = world.run("check rerank.jsonl");
    assert_eq!(alone.status, Some(0), "{alone}");
    assert!(alone.stdout.starts_with("rerank.jsonl   raglens run, 40 queries, 200 results, tag rerank"), "{alone}");
}

#[test]
fn ids_that_do_not_meet_are_an_error_with_the_likely_cause() {
    let world = odd(&["plain.qrels", "no-query-in-common.trec"]);
    let ran = world.run("check plain.qrels no-query-in-common.trec");
    assert_eq!(ran.status, Some(2), "{ran}");
    assert!(ran.stdout.contains("error   E030") || ran.stdout.contains("error E030"), "{ran}");
}

#[test]
fn no_file_is_changed_and_rows_are_machine_readable() {
    let world = odd(&["score-is-text.trec", "plain.qrels"]);
    let before = world.read("score-is-text.trec");
    world.shows(
        "check plain.qrels score-is-text.trec --format csv",
        str![[r#"

exit status 2
--- stdout
path,severity,code,count,text,examples
score-is-text.trec,error,E012,1,1 row: score is not a number: `n/a`,line 2

"#]],
    );
    assert_eq!(world.read("score-is-text.trec"), before);
    let md = world.run("check plain.qrels score-is-text.trec --format md");
    assert!(md.stdout.contains("- **error   E012**"), "{md}");
}

#[test]
fn what_check_calls_an_error_eval_refuses_and_the_other_way_round() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/odd");
    let mut names: Vec<String> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    for name in &names {
        let is_labels = name.contains(".qrels");
        let world = odd(&[name, "plain.qrels", "plain.trec"]);
        let files = if is_labels { format!("{name} plain.trec") } else { format!("plain.qrels {name}") };
        let (check, eval) = (world.run(&format!("check {files}")), world.run(&format!("eval {files}")));
        // Files in another place than theirs, and labels with nothing to find, are no faulty files.
        let other = ["E007", "no query has a relevant document", "no document of the labels is relevant"];
        if !other.iter().any(|reason| eval.stderr.contains(reason)) {
            assert_eq!(check.status == Some(2), eval.status == Some(2), "{name}: {check}{eval}");
        }
    }
}

const ACL: &str = "check --acl chunks.jsonl labels.jsonl";

#[test]
fn a_filter_that_holds_has_no_leak_and_an_upper_bound() {
    let world = fixture("handbook");
    world.shows(
        &format!("{ACL} rerank.jsonl --unfiltered bm25.jsonl"),
        str![[r#"

exit status 0
--- stdout
rerank   access, 39 chunks in chunks.jsonl

role   queries   shown   leaks   unknown   relevant   withheld   by filter
hr          19      95       0         0         24          8           2
eng         21     105       0         0         25          2           0

relevant: relevant and open to the role; withheld: those of them not shown
by filter: withheld, and found by the search before the filter

pass: no leak among 200 items shown: with 95% confidence fewer than 1.49% of all
are leaks.

"#]],
    );
    let found = json(&world, &format!("{ACL} rerank.jsonl"));
    let (checked, bound) =
        (found["runs"][0]["checked"].as_f64().unwrap(), found["runs"][0]["upper_bound"].as_f64().unwrap());
    assert!((bound - (1.0 - 0.05f64.powf(1.0 / checked))).abs() < 1e-9);
}

#[test]
fn leaks_fail_and_are_named_by_role() {
    fixture("handbook").shows(
        &format!("{ACL} bm25.jsonl"),
        str![[r#"

exit status 1
--- stdout
bm25   access, 39 chunks in chunks.jsonl

role   queries   shown   leaks   unknown   relevant   withheld
hr          19     228      14         0         24         11
eng         21     252      23         0         25          8

shown without leave

role   query and item
hr     h01 incident#3, h07 incident#3, and 12 more
eng    h03 salaries#1, h03 salaries#2, and 21 more

relevant: relevant and open to the role; withheld: those of them not shown
--unfiltered RUN tells what the filter removed from what was never found

fail: 37 leaks in 26 queries, of 480 items shown.

"#]],
    );
}

/// A map of three chunks, and searches of two roles.
fn roles(run: &str) -> World {
    let chunks = "id,doc_id,allowed_roles\nc1,d,hr;eng\nc2,d,hr\nc3,d,eng\n";
    World::new()
        .with("chunks.csv", chunks)
        .with("l.jsonl", "{\"query_id\":\"q1\",\"relevant\":[\"c2\"]}\n{\"query_id\":\"q2\",\"relevant\":[\"c3\"]}\n")
        .with("r.jsonl", run)
}

const SEARCHES: &str = concat!(
    "{\"query_id\":\"q1\",\"role\":\"eng\",\"results\":[\"c1\",\"c2\",\"c3\"]}\n",
    "{\"query_id\":\"q1\",\"role\":\"hr\",\"results\":[\"c1\",\"c2\"]}\n",
    "{\"query_id\":\"q2\",\"role\":\"eng\",\"results\":[\"c3\",\"c9\"]}\n",
);

#[test]
fn a_query_is_searched_for_by_several_roles() {
    let world = roles(SEARCHES);
    let run = &json(&world, "check --acl chunks.csv l.jsonl r.jsonl")["runs"][0];
    assert_eq!((&run["leaks"], &run["unknown"], &run["queries_with_leak"]), (&json!(1), &json!(1), &json!(1)));
    assert_eq!(run["roles"][0]["leaks"], json!([{"query_id": "q1", "id": "c2"}]));
    assert_eq!(run["roles"][0]["unanswerable"], json!(["q1"]));
    world.shows(
        "check --acl chunks.csv l.jsonl r.jsonl",
        str![[r#"

exit status 1
--- stdout
r   access, 3 chunks in chunks.csv

role   queries   shown   leaks   unknown   relevant   withheld
eng          2       5       1         1          1          0
hr           1       2       0         0          1          0

shown without leave

role   query and item
eng    q1 c2

shown, and nobody knows who may see it

role   query and item
eng    q2 c9

relevant: relevant and open to the role; withheld: those of them not shown
--unfiltered RUN tells what the filter removed from what was never found
1 query has no relevant item that the role may see: q1 (eng)

fail: 1 leak in 1 query, of 6 items shown. Of 1 item nobody knows who may see
it, which fails (--allow-unknown).

"#]],
    );
    let refused = refused(&world, "eval l.jsonl r.jsonl");
    assert!(refused.contains("query `q1` stands twice"), "{refused}");
}

#[test]
fn items_that_nobody_knows_fail_unless_they_are_allowed() {
    let world = roles("{\"query_id\":\"q2\",\"role\":\"eng\",\"results\":[\"c3\",\"c9\"]}\n");
    assert_eq!(world.run("check --acl chunks.csv l.jsonl r.jsonl").status, Some(1));
    assert_eq!(world.run("check --acl chunks.csv l.jsonl r.jsonl --allow-unknown").status, Some(0));
}

#[test]
fn roles_that_are_missing_or_unknown_are_named() {
    let none = roles("{\"query_id\":\"q1\",\"results\":[\"c1\"]}\n");
    assert!(
        refused(&none, "check --acl chunks.csv l.jsonl r.jsonl")
            .starts_with("error: no row of r.jsonl says for which role it searched, so there is nothing to check")
    );
    let some = roles(
        "{\"query_id\":\"q1\",\"results\":[\"c1\"]}\n{\"query_id\":\"q2\",\"role\":\"ghost\",\"results\":[\"c3\"]}\n",
    );
    let ran = some.run("check --acl chunks.csv l.jsonl r.jsonl");
    assert_eq!(ran.status, Some(1), "{ran}");
    assert!(ran.stderr.contains("warning[W034]: r: 1 role stands in no `allowed_roles`"), "{ran}");
    assert!(ran.stderr.contains("warning[W035]: r: 1 query does not say for which role it searched"), "{ran}");
}

#[test]
fn access_cannot_be_checked_without_a_map_or_a_run() {
    let world = roles(SEARCHES).with("bare.csv", "id,doc_id,start,end\nc1,d,0,4\n");
    assert!(
        refused(&world, "check --acl bare.csv l.jsonl r.jsonl").contains("no chunk of bare.csv has `allowed_roles`")
    );
    assert!(
        refused(&world, "check --acl chunks.csv l.jsonl").contains("`--acl` takes labels and a run, got l.jsonl alone")
    );
    assert!(refused(&world, "check --acl r.jsonl l.jsonl chunks.csv").contains("r.jsonl"));
}

#[test]
fn the_output_fits_into_a_terminal() {
    reads_well(&fixture("handbook"), "check labels.jsonl rerank.jsonl fused.jsonl");
    reads_well(&fixture("handbook"), &format!("{ACL} bm25.jsonl rerank.jsonl"));
}

#[test]
fn labels_without_a_relevant_document_are_an_error_as_they_are_for_eval() {
    let world = World::new().with("labels.qrels", "q1 0 a 0\nq2 0 b -1\n");
    let ran = world.run("check labels.qrels");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stdout.contains("E032  no document is relevant: no grade is above 0"), "{}", ran.stdout);
}
