//! `queries` as a person meets it.

use snapbox::str;

use crate::world::World;

/// Three tagged questions with texts, and two runs.
fn world() -> World {
    let labels = concat!(
        r#"{"query_id":"q1","query":"How do I reset my password after a long holiday, please?","relevant":{"a":2,"b":1,"c":0},"tags":{"kind":"how-to"}}"#,
        "\n",
        r#"{"query_id":"q2","query":"NG-4021","relevant":{"d":1},"tags":{"kind":"lookup"}}"#,
        "\n",
        r#"{"query_id":"q3","relevant":{"e":1},"spans":[{"doc_id":"e","start":10,"end":30}]}"#,
        "\n",
    );
    let old = "q1 Q0 a 1 3 o\nq1 Q0 x 2 2 o\nq2 Q0 y 1 3 o\nq2 Q0 d 2 2 o\nq3 Q0 z 1 1 o\n";
    let new = "q1 Q0 c 1 3 n\nq1 Q0 a 2 2 n\nq1 Q0 b 3 1 n\nq2 Q0 d 1 3 n\n";
    let corpus = concat!(
        r#"{"_id":"a","title":"Passwords","text":"Open the portal, choose Reset and follow the mail that comes to you."}"#,
        "\n",
        r#"{"_id":"c","text":"Unlock\u001b[31m the phone"}"#,
        "\n",
    );
    World::new().with("l.jsonl", labels).with("old.trec", old).with("new.trec", new).with("corpus.jsonl", corpus)
}

#[test]
fn a_row_per_query_of_one_run() {
    world().shows(
        "queries l.jsonl old.trec",
        str![[r#"

exit status 0
--- stdout
old   3 queries

query   recall@5   mrr@5   ndcg@5   first
q1         0.500   1.000    0.760       1   How do I reset my password after…
q2         1.000   0.500    0.631       2   NG-4021
q3         0.000   0.000    0.000    none

3 queries; --show ID lists what was returned for one.

"#]],
    );
}

#[test]
fn two_runs_stand_side_by_side_with_the_change() {
    world().shows(
        "queries l.jsonl old.trec new.trec -m mrr --sort delta --quiet",
        str![[r#"

exit status 0
--- stdout
old, new   3 queries

        mrr                     first
query     old    new   delta     old   new
q1      1.000  0.500  -0.500       1     2    How do I reset my password after…
q3      0.000  0.000  +0.000    none  none
q2      0.500  1.000  +0.500       2     1    NG-4021

3 queries; --show ID lists what was returned for one.

"#]],
    );
}

#[test]
fn conditions_choose_queries() {
    let world = world();
    let chosen = |condition: &str| {
        let ran = world.run(&format!("queries l.jsonl old.trec new.trec --where '{condition}' --format csv -m mrr"));
        assert_eq!(ran.status, Some(0), "{ran}");
        let ids = ran.stdout.lines().skip(1).filter(|line| line.starts_with("old")).map(|line| &line[4..6]);
        ids.collect::<Vec<&str>>().join(" ")
    };
    assert_eq!(chosen("kind = how-to"), "q1");
    assert_eq!(chosen("kind = (none)"), "q3");
    assert_eq!(chosen("mrr < 1"), "q3");
    assert_eq!(chosen("mrr[old] < 1"), "q2 q3");
    assert_eq!(chosen("delta > 0"), "q2");
    assert_eq!(chosen("first[new] = none"), "q3");
    assert_eq!(chosen("recall@1 = 0 and kind != lookup"), "q3");
}

#[test]
fn one_query_shows_both_lists_with_grades_ranks_and_texts() {
    world().shows(
        "queries l.jsonl old.trec new.trec --show q1 --corpus corpus.jsonl",
        str![[r#"

exit status 0
--- stdout
q1   2 relevant documents, kind=how-to
How do I reset my password after a long holiday, please?

        recall@5                mrr@5           ndcg@5          first
query     old    new   delta      old    new      old    new    old  new
q1      0.500  1.000  +0.500    1.000  0.500    0.760  0.670      1    2

results, best first, with their grades

rank   old grade   new grade
   1   a   2 *     c   0
   2   x   ?       a   2 *
   3               b   1 *

*: relevant; ?: not judged

relevant documents and their ranks

document   grade    old   new
a              2      1     2
b              1   none     3

texts

a   Passwords: Open the portal, choose Reset and follow the mail that comes to…
c   Unlock\u{1b}[31m the phone

Of 2 relevant documents in the first 3: old 1, new 2.
--- stderr
warning[W003]: new: 1 judged query has no results and counts as an empty list:
  q3

"#]],
    );
}

#[test]
fn of_many_relevant_documents_the_first_are_listed() {
    let labels: String = (1..=105).map(|n| format!("q1 0 d{n:03} 1\n")).collect();
    let world = World::new().with("many.txt", labels).with("run.trec", "q1 Q0 d001 1 2 o\nq1 Q0 x 2 1 o\n");
    let shown = world.run("queries many.txt run.trec --show q1").stdout;
    assert!(shown.contains("d020") && !shown.contains("d021"), "{shown}");
    assert!(shown.contains("85 more relevant documents; --depth 105 or --format json lists all"), "{shown}");
    let all = world.run("queries many.txt run.trec --show q1 --depth 105").stdout;
    assert!(all.contains("d105") && !all.contains("more relevant"), "{all}");
    assert!(world.run("queries many.txt run.trec --show q1 --format json").stdout.contains("d105"));
}

#[test]
fn a_gold_passage_stands_with_the_chunk_that_reaches_it() {
    let run = concat!(
        r#"{"query_id":"q3","results":[{"id":"e#1","doc_id":"e","start":0,"end":10},{"id":"e#2","doc_id":"e","start":10,"end":20}]}"#,
        "\n",
    );
    world().with("chunks.jsonl", run).shows(
        "queries l.jsonl chunks.jsonl --show q3 --quiet",
        str![[r#"

exit status 0
--- stdout
q3   1 relevant document

query   recall@5   mrr@5   ndcg@5   first
q3         0.000   0.000    0.000    none

results, best first, with their grades

rank   chunks grade
   1   e#1    ?
   2   e#2    ?

*: relevant; ?: not judged

relevant documents and their ranks

document   grade   chunks
e              1     none

gold passages, and the first chunk that overlaps each

document   from   to   grade   chunks
e            10   30       1        2

Of 1 relevant document in the first 2: chunks 0.

"#]],
    );
}

#[test]
fn saved_scores_are_filtered_like_runs() {
    let world = world();
    world.run("eval l.jsonl old.trec new.trec --save saved.json");
    world.shows(
        "queries l.jsonl saved.json --where 'recall@5[new] = 0' --quiet",
        str![[r#"

exit status 0
--- stdout
old, new   1 of 3 queries, where recall@5[new] = 0

        recall@5                mrr@5           ndcg@5
query     old    new   delta      old    new      old    new
q3      0.000  0.000  +0.000    0.000  0.000    0.000  0.000

1 query for which the condition holds.

"#]],
    );
    world.shows(
        "queries l.jsonl saved.json --where 'first = 1' --quiet",
        str![[r#"

exit status 2
--- stderr
error: saved scores have no rankings: `first` takes runs

"#]],
    );
    world.shows(
        "queries l.jsonl saved.json --show q1 --quiet",
        str![[r#"

exit status 2
--- stderr
error: saved scores have no ranked lists: `--show` takes runs

"#]],
    );
}

#[test]
fn what_is_not_there_is_named_with_what_is() {
    let world = world();
    world.shows(
        "queries l.jsonl old.trec --where 'recal@5 = 0'",
        str![[r#"

exit status 2
--- stderr
error: `recal@5` is no measure, no tag, and neither `first` nor `delta`
  measures: recall@5, mrr@5, ndcg@5
  tags: kind
  help: did you mean `recall@5`?

"#]],
    );
    world.shows(
        "queries l.jsonl old.trec --where 'recall@5[new] = 0'",
        str![[r#"

exit status 2
--- stderr
error: no run is called `new`
  there are: old

"#]],
    );
    world.shows(
        "queries l.jsonl old.trec --where kind",
        str![[r#"

exit status 2
--- stderr
error: `kind` is no condition
  help: write --where 'recall@5 = 0', --where 'intent = how-to and first > 3' or
        --where 'delta < 0'

"#]],
    );
    world.shows(
        "queries l.jsonl old.trec --sort delta",
        str![[r#"

exit status 2
--- stderr
error: `delta` is the change from the first run to the last
  help: name a second run

"#]],
    );
    world.shows(
        "queries l.jsonl old.trec --show q7",
        str![[r#"

exit status 2
--- stderr
error: l.jsonl has no query `q7`
  help: `raglens queries LABELS RUN` without `--show` lists them

"#]],
    );
    world.shows(
        "queries l.jsonl old.trec --show q1 --corpus old.trec",
        str![[r#"

exit status 2
--- stderr
error[E007]: old.trec: looks like `q1 Q0 a 1 3 o`, expected texts by id: JSON
  rows or a table with the columns id and text, or id, tab, text

"#]],
    );
}

#[test]
fn a_corpus_without_the_documents_shown_is_refused() {
    let other = r#"{"_id":"kb-7","text":"Another corpus"}"#;
    world().with("other.jsonl", other).shows(
        "queries l.jsonl old.trec --show q1 --corpus other.jsonl",
        str![[r#"

exit status 2
--- stderr
error: other.jsonl has no text for any of the 3 documents shown
  help: its rows take the ids of the run, such as `a`

"#]],
    );
}

#[test]
fn json_holds_every_value_and_list() {
    let ran = world().run("queries l.jsonl old.trec new.trec --show q1 --format json");
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["rows"][0]["values"]["new"]["mrr@5"], 0.5);
    assert_eq!(json["rows"][0]["first_relevant"]["old"], 1);
    assert_eq!(json["shown"]["lists"]["new"]["results"][0]["grade"], 0.0);
    assert_eq!(json["shown"]["relevant"][1]["ranks"]["old"], serde_json::Value::Null);
}

#[test]
fn labels_in_the_place_of_a_run_are_told_from_one() {
    world().shows(
        "queries l.jsonl l.jsonl",
        str![[r#"

exit status 2
--- stderr
error: l.jsonl holds labels, expected a run or saved scores
  help: labels come first, then runs:
          raglens queries LABELS RUN

"#]],
    );
}

#[test]
fn a_condition_that_cannot_be_meant_as_it_is_written_is_refused() {
    world().shows(
        "queries l.jsonl old.trec --where 'kind < how-to'",
        str![[r#"

exit status 2
--- stderr
error: `how-to` is no number, and words have no order
  help: a word stands behind `=` or `!=`

"#]],
    );
    world().shows(
        "queries l.jsonl old.trec --where 'kind = how-to or first = 1'",
        str![[r#"

exit status 2
--- stderr
error: `kind = how-to or first = 1` is no condition: only `and` joins
  conditions, and a value of several words takes double quotes
  help: write --where 'recall@5 = 0', --where 'intent = how-to and first > 3' or
        --where 'delta < 0'

"#]],
    );
    world().shows(
        "queries l.jsonl old.trec --where 'recall@5 =< 0'",
        str![[r#"

exit status 2
--- stderr
error: `recall@5 =< 0` is no condition: its sign is none of = != < <= > >=
  help: write --where 'recall@5 = 0', --where 'intent = how-to and first > 3' or
        --where 'delta < 0'

"#]],
    );
    world().shows(
        "queries l.jsonl old.trec --where 'kind = \"how-to'",
        str![[r#"

exit status 2
--- stderr
error: `kind = "how-to` opens a quote and does not close it
  help: write " behind the value too, or the value without quotes

"#]],
    );
}

#[test]
fn queries_stand_together_by_their_tags() {
    world().shows(
        "queries l.jsonl old.trec new.trec -m mrr --by kind --quiet",
        str![[r#"

exit status 0
--- stdout
old, new   3 queries

                  mrr                     first
query   kind        old    new   delta     old   new
q3      (none)    0.000  0.000  +0.000    none  none
q1      how-to    1.000  0.500  -0.500       1     2    How do I reset my pass…
q2      lookup    0.500  1.000  +0.500       2     1    NG-4021

3 queries; --show ID lists what was returned for one.

"#]],
    );
    let ran = world().run("queries l.jsonl old.trec --by nothing");
    assert_eq!(ran.status, Some(2), "{ran}");
    assert!(ran.stderr.contains("tags: kind"), "{ran}");
}
