//! One clear message a failure, and exit status 2.

use snapbox::str;

use crate::world::{GOOD, LABELS, World};

#[test]
fn a_missing_file() {
    World::new().shows(
        "eval labels.txt missing.trec",
        str![[r#"

exit status 2
--- stderr
error[E001]: missing.trec: cannot be read: there is no such file

"#]],
    );
}

#[test]
fn a_folder() {
    World::new().with("folder/run.trec", GOOD).shows(
        "eval labels.txt folder",
        str![[r#"

exit status 2
--- stderr
error[E001]: folder: is a directory, not a file

"#]],
    );
}

#[test]
fn an_empty_file() {
    let world = World::new().with("empty.txt", "");
    world.shows(
        "eval labels.txt empty.txt",
        str![[r#"

exit status 2
--- stderr
error[E002]: empty.txt: is empty: expected a run
  help: `--allow-empty` scores it as empty rankings

"#]],
    );
    world.shows(
        "eval empty.txt good.trec",
        str![[r#"

exit status 2
--- stderr
error[E002]: empty.txt: is empty: expected labels

"#]],
    );
}

#[test]
fn an_empty_run_is_scored_when_asked() {
    World::new().with("empty.trec", "").shows(
        "eval labels.txt empty.trec --allow-empty -m recall@5",
        str![[r#"

exit status 0
--- stdout
empty   2 queries (1 left out, 2 not answered), 3 relevant documents
rel 1, gain linear, ties trec, over all, average macro, level id

            mean [95% interval]   median   at 0
recall@5   0.000 (all 2 equal)     0.000   100%

limits: 2 queries are few: the intervals are wide and only rough. 2 queries have
  no relevant document in the first 5: q1, q2.

The first 5 results hold 0% of a query's relevant documents on average; 100% of
the queries get none.
--- stderr
warning[W005]: empty: the run has no results, so every query counts as an empty
  list
warning[W003]: empty: 2 judged queries have no results and count as empty lists:
  q1, q2
note[N001]: labels.txt: 1 query has no relevant document and is left out: q3

"#]],
    );
}

#[test]
fn a_score_that_is_not_a_number() {
    World::new().with("nan.trec", "q1 Q0 d1 1 9.0 t\nq1 Q0 d2 2 NaN t\n").shows(
        "eval labels.txt nan.trec",
        str![[r#"

exit status 2
--- stderr
error[E012]: score must be a finite number: `NaN`
 --> nan.trec:2:12
  |
2 | q1 Q0 d2 2 NaN t
  |            ^^^ expected a finite number
  |
  = note: read as TREC run: qid iter docid rank score tag
  = help: `--on-error skip` leaves such rows out and counts them

"#]],
    );
}

#[test]
fn a_faulty_row_is_left_out_when_asked() {
    let world = World::new().with("nan.trec", "q1 Q0 d1 1 9.0 t\nq1 Q0 d2 2 NaN t\n");
    world.shows(
        "eval labels.txt nan.trec --on-error skip -m recall@5",
        str![[r#"

exit status 0
--- stdout
nan   2 queries (1 left out, 1 not answered), 3 relevant documents
rel 1, gain linear, ties trec, over all, average macro, level id

            mean [95% interval]   median   at 0
recall@5   0.250 [0.000, 1.000]    0.250    50%

1 row of nan.trec: left out as faulty

limits: 2 queries are few: the intervals are wide and only rough. 1 query has no
  relevant document in the first 5: q2.

The first 5 results hold 25% of a query's relevant documents on average (95%
interval 0% to 100%); 50% of the queries get none.
--- stderr
warning[W001]: nan.trec: 1 faulty row is left out: line 2: score must be a
  finite number: `NaN`
warning[W003]: nan: 1 judged query has no results and counts as an empty list:
  q2
note[N001]: labels.txt: 1 query has no relevant document and is left out: q3

"#]],
    );
}

#[test]
fn a_fault_in_a_long_line_is_shown_with_what_stands_around_it() {
    let long = format!("q1 0 {} one\n", "x".repeat(500));
    World::new().with("long.txt", long).shows(
        "eval long.txt good.trec",
        str![[r#"

exit status 2
--- stderr
error[E012]: grade is not a number: `one`
 --> long.txt:1:507
  |
1 | ...xxxxxxxxxxxxxxxxxxxxxxxxxxxxx one
  |                                  ^^^ expected a number
  |
  = note: read as TREC qrels: qid iter docid grade
  = help: `--on-error skip` leaves such rows out and counts them

"#]],
    );
}

#[test]
fn control_characters_never_reach_the_terminal() {
    let world = World::new().with("evil\u{1b}[31m.trec", "q1 Q0 d\u{1b}[2J1 1 x\u{7} t\n");
    let ran = world.run("eval labels.txt evil\u{1b}[31m.trec");
    assert!(!ran.to_string().contains(['\u{1b}', '\u{7}']), "{ran}");
    assert_eq!(ran.status, Some(2));
}

#[test]
fn a_header_of_four_columns_is_no_query() {
    let labels = format!("qid Q0 docid rel\n{LABELS}");
    World::new().with("header.txt", labels).shows(
        "eval header.txt good.trec -m recall@5",
        str![[r#"

exit status 0
--- stdout
good   2 queries (1 left out), 3 relevant documents
rel 1, gain linear, ties trec, over all, average macro, level id

            mean [95% interval]   median   at 0
recall@5   1.000 (all 2 equal)     1.000     0%

limits: 2 queries are few: the intervals are wide and only rough.

The first 5 results hold 100% of a query's relevant documents on average.
--- stderr
note[N006]: header.txt: the first line is a header and is skipped: line 1: qid
  Q0 docid rel
note[N001]: header.txt: 1 query has no relevant document and is left out: q3
note[N003]: good: 1 query has no labels and is ignored: q9

"#]],
    );
}

#[test]
fn labels_and_run_in_each_others_place() {
    World::new().shows(
        "eval good.trec labels.txt",
        str![[r#"

exit status 2
--- stderr
error: the first file looks like a run and the second like labels
  help: labels come first:
          raglens eval labels.txt good.trec

"#]],
    );
}

#[test]
fn two_runs_are_not_labels() {
    World::new().shows(
        "eval good.trec poor.trec",
        str![[r#"

exit status 2
--- stderr
error[E007]: good.trec: looks like TREC run: qid iter docid rank score tag,
  expected labels
  help: labels come first, then runs:
          raglens eval LABELS RUN

"#]],
    );
}

#[test]
fn ids_that_never_match() {
    let world = World::new().with("float.trec", "1.0 Q0 d1 1 9.0 t\n2.0 Q0 d1 1 9.0 t\n");
    world.with("numbers.txt", "1 0 d1 1\n2 0 d1 1\n").shows(
        "eval numbers.txt float.trec",
        str![[r#"

exit status 2
--- stderr
error: no query id is in both files
  labels   numbers.txt   2 queries   "1", "2"
  run      float.trec    2 queries   "1.0", "2.0"
  help: the run's ids end in `.0` (a float column of pandas?); this makes 2 of 2
        match:
          --edit-query-ids 's/\.0$//'

"#]],
    );
}

#[test]
fn documents_that_never_match_are_a_warning() {
    let world = World::new().with("chunks.trec", "q1 Q0 d1#1 1 9.0 t\nq2 Q0 d4#2 1 9.0 t\n");
    world.shows(
        "eval labels.txt chunks.trec -m recall@5",
        str![[r#"

exit status 0
--- stdout
chunks   2 queries (1 left out), 3 relevant documents
rel 1, gain linear, ties trec, over all, average macro, level id

            mean [95% interval]   median   at 0
recall@5   0.000 (all 2 equal)     0.000   100%

limits: 2 queries are few: the intervals are wide and only rough. 2 queries have
  no relevant document in the first 5: q1, q2.

Nothing can be said of chunks while none of its documents is in the labels
(W006).
--- stderr
warning[W006]: chunks: no document id is in both files: "d1", "d2", "d3", ... in
  the labels, "d1#1", "d4#2" in the run; the run's ids look like chunks of
  documents: --collapse '#' makes 2 of 5 match
note[N001]: labels.txt: 1 query has no relevant document and is left out: q3

"#]],
    );
}

#[test]
fn a_run_that_shares_no_document_with_the_labels_is_not_said_to_be_worse() {
    let labels: String = (1..=20).map(|n| format!("q{n} 0 d{n} 1\n")).collect();
    let run = |letter: &str| (1..=20).map(|n| format!("q{n} Q0 {letter}{n} 1 1 t\n")).collect::<String>();
    let world = World::new().with("l.txt", labels).with("a.trec", run("d")).with("b.trec", run("D"));
    let last = |arguments: &str| world.run(arguments).stdout.trim_end().lines().next_back().unwrap_or("").to_owned();
    let nothing = "Nothing can be said of b while none of its documents is in the labels (W006).";
    assert_eq!(last("compare a.trec b.trec --qrels l.txt -m recall@5"), nothing);
    assert_eq!(last("eval l.txt b.trec -m recall@5"), nothing);
    let eval = world.run("eval l.txt a.trec b.trec -m recall@5").stdout;
    assert!(eval.split_whitespace().collect::<Vec<_>>().join(" ").ends_with(nothing), "{eval}");
}

#[test]
fn a_named_run_in_the_place_of_the_labels() {
    let world = World::new();
    world.shows(
        "eval new=good.trec labels.txt old=poor.trec",
        str![[r#"

exit status 2
--- stderr
error: `new=good.trec` names a run, and labels come first
  help: labels take no name:
          raglens eval labels.txt new=good.trec old=poor.trec

"#]],
    );
    world.shows(
        "eval new=good.trec",
        str![[r#"

exit status 2
--- stderr
error: `new=good.trec` names a run, and labels come first
  help: labels take no name:
          raglens eval LABELS new=good.trec

"#]],
    );
    world.shows(
        "queries qrels=labels.txt good.trec",
        str![[r#"

exit status 2
--- stderr
error: `qrels=labels.txt` holds labels, which take no name
  help: only runs are named:
          raglens queries labels.txt good.trec

"#]],
    );
}

#[test]
fn a_passage_that_hops_grade_differently_is_noted() {
    let labels = concat!(
        r#"{"query_id":"q1","relevant":{},"spans":[{"doc_id":"h","start":0,"end":9,"grade":2,"hop":1},"#,
        r#"{"doc_id":"h","start":0,"end":9,"grade":1,"hop":2}]}"#
    );
    let run = r#"{"query_id":"q1","results":[{"id":"c","doc_id":"h","start":0,"end":9}]}"#;
    let world = World::new().with("spans.jsonl", labels).with("chunks.jsonl", run);
    let notes = world.run("eval spans.jsonl chunks.jsonl --unit span -m recall@5").stderr;
    let notes = notes.split_whitespace().collect::<Vec<_>>().join(" ");
    let expected = "spans.jsonl: 1 gold passage has another grade for another hop: the largest counts: q1";
    assert!(notes.contains(&format!("note[N022]: {expected}")), "{notes}");
}

#[test]
fn a_limit_that_is_none() {
    World::new().shows(
        "eval labels.txt good.trec -m recall@5 --min recall@5",
        str![[r#"

exit status 2
--- stderr
error: --min: expected one requirement such as recall@5>=0.60, not `recall@5`

"#]],
    );
}

#[test]
fn what_an_unclosed_quote_takes_in_is_counted() {
    let run = "query_id,doc_id,rank\nq1,d1,1\nq1,\"d2,2\nq2,d4,1\nq2,d5,2\n";
    World::new().with("run.csv", run).shows(
        "eval labels.txt run.csv -m recall@5 --on-error skip",
        str![[r#"

exit status 0
--- stdout
run   2 queries (1 left out, 1 not answered), 3 relevant documents
rel 1, gain linear, ties trec, over all, average macro, level id

            mean [95% interval]   median   at 0
recall@5   0.250 [0.000, 1.000]    0.250    50%

3 rows of run.csv: left out as faulty

limits: 2 queries are few: the intervals are wide and only rough. 1 query has no
  relevant document in the first 5: q2.

The first 5 results hold 25% of a query's relevant documents on average (95%
interval 0% to 100%); 50% of the queries get none.
--- stderr
warning[W001]: run.csv: 3 faulty rows are left out: line 3: is not valid CSV: a
  quoted field goes over the end of the line; is its closing quote missing? (and
  2 more)
warning[W003]: run: 1 judged query has no results and counts as an empty list:
  q2
note[N001]: labels.txt: 1 query has no relevant document and is left out: q3

"#]],
    );
}

#[test]
fn an_unknown_measure() {
    World::new().shows(
        "eval labels.txt good.trec -m NDGC@10",
        str![[r#"

exit status 2
--- stderr
error: unknown measure `NDGC@10`
  help: did you mean `ndcg@10`?

"#]],
    );
}

#[test]
fn cutoffs_that_make_no_sense() {
    let world = World::new();
    world.shows(
        "eval labels.txt good.trec -m recall@0",
        str![[r#"

exit status 2
--- stderr
error: `recall@0`: the cutoff of recall is a whole number from 1, or `all`, not
  `0`

"#]],
    );
    world.shows(
        "eval labels.txt good.trec -k 0",
        str![[r#"

exit status 2
--- stderr
error: invalid value '0' for '--cutoffs <K>': a cutoff is a whole number from 1
  to 1000000000000000

For more information, try '--help'.

"#]],
    );
    world.shows(
        "eval labels.txt good.trec -m rprec@5",
        str![[r#"

exit status 2
--- stderr
error: `rprec@5`: rprec is over the whole list and takes no cutoff

"#]],
    );
}

#[test]
fn a_document_twice() {
    let world = World::new().with("twice.trec", "q1 Q0 d1 1 9.0 t\nq1 Q0 d2 2 8.0 t\nq1 Q0 d1 3 7.0 t\n");
    world.shows(
        "eval labels.txt twice.trec",
        str![[r#"

exit status 2
--- stderr
error[E014]: document `d1` is twice in the ranking of query `q1` (first at line
             1)
 --> twice.trec:3:7
  |
3 | q1 Q0 d1 3 7.0 t
  |       ^^
  |
  = note: read as TREC run: qid iter docid rank score tag
  = help: `--duplicates first` keeps the best-ranked one and counts the rest

"#]],
    );
    world.shows(
        "eval labels.txt twice.trec --duplicates first -m num_ret",
        str![[r#"

exit status 0
--- stdout
twice   2 queries (1 left out, 1 not answered), 3 relevant documents
rel 1, gain linear, ties trec, over all, average macro, level id, duplicates
first

          mean
num_ret      2

limits: 2 queries are few: the intervals are wide and only rough.
--- stderr
warning[W003]: twice: 1 judged query has no results and counts as an empty list:
  q2
warning[W007]: twice: 1 result repeats a document of its ranking and is dropped
note[N001]: labels.txt: 1 query has no relevant document and is left out: q3

"#]],
    );
}

#[test]
fn a_query_that_must_be_answered() {
    World::new().shows(
        "eval labels.txt poor.trec --over strict",
        str![[r#"

exit status 2
--- stderr
error: poor.trec lacks 1 query of the labels
  q2
  help: `--over all` counts them as empty lists, `--over common` leaves them out

"#]],
    );
}

#[test]
fn measures_that_cannot_be_pooled() {
    World::new().shows(
        "eval labels.txt good.trec --average micro -m map",
        str![[r#"

exit status 2
--- stderr
error: `map` has no micro average: only hit, precision, recall, f1 and judged
  can be pooled

"#]],
    );
}

#[test]
fn labels_of_passages_alone_are_told_how_passages_are_measured() {
    let spans = r#"{"query_id": "q1", "spans": [{"doc_id": "d1", "start": 0, "end": 9}]}"#;
    World::new().with("spans.jsonl", spans).shows(
        "eval spans.jsonl good.trec",
        str![[r#"

exit status 2
--- stderr
error: the labels hold gold passages, and no document with a grade above 0
  help: `eval --unit span` measures passages

"#]],
    );
}

#[test]
fn nothing_relevant_at_all() {
    World::new().with("zeros.txt", "q1 0 d1 0\n").shows(
        "eval zeros.txt good.trec",
        str![[r#"

exit status 2
--- stderr
error: no document of the labels is relevant: no grade is above 0
  help: a relevant document has a grade of 1 or more

"#]],
    );
}

#[test]
fn labels_alone_need_a_run() {
    World::new().shows(
        "eval labels.txt",
        str![[r#"

exit status 2
--- stderr
error[E020]: labels.txt: is the only file and holds TREC qrels: qid iter docid
  grade; expected a run beside it
  help: labels come first, then runs: a run is still needed

"#]],
    );
}

#[test]
fn the_same_name_twice() {
    World::new().shows(
        "eval labels.txt x=good.trec x=poor.trec",
        str![[r#"

exit status 2
--- stderr
error: two runs are named `x`
  good.trec
  poor.trec

"#]],
    );
}

#[test]
fn an_edit_that_is_none() {
    World::new().shows(
        "eval labels.txt good.trec --edit-doc-ids s/a",
        str![[r#"

exit status 2
--- stderr
error: invalid value 's/a' for '--edit-doc-ids <S/A/B/>': expected an edit such
  as s/pattern/replacement/, not `s/a`

For more information, try '--help'.

"#]],
    );
}

#[test]
fn a_gate_of_eval_is_one_of_compare() {
    World::new().shows(
        "eval labels.txt good.trec --fail-under 0.8",
        str![[r#"

exit status 2
--- stderr
error: unexpected argument '--fail-under' found
  help: gates are options of `raglens compare`: `--noninferior 0.02` excludes a
        loss above 0.02; `raglens eval --min 'recall@5>=0.6'` looks at the
        number alone

"#]],
    );
}

#[test]
fn an_option_for_json_is_a_format() {
    World::new().shows(
        "eval labels.txt good.trec --json",
        str![[r#"

exit status 2
--- stderr
error: unexpected argument '--json' found
  help: `--format json` (or csv, md, ...) is the option

"#]],
    );
}

#[test]
fn labels_and_runs_are_named_without_an_option() {
    World::new().shows(
        "eval --qrels labels.txt --run good.trec",
        str![[r#"

exit status 2
--- stderr
error: unexpected argument '--qrels' found
  help: labels and runs are named without an option, labels first: LABELS RUN

"#]],
    );
}

#[test]
fn another_name_of_cutoffs_is_known() {
    World::new().shows(
        "eval labels.txt good.trec --top-k 5",
        str![[r#"

exit status 2
--- stderr
error: unexpected argument '--top-k' found
  help: `-k 5,10` sets the cutoffs

"#]],
    );
}

#[test]
fn an_option_that_does_not_exist() {
    World::new().shows(
        "eval labels.txt good.trec --cutof 5",
        str![[r#"

exit status 2
--- stderr
error: unexpected argument '--cutof' found

  tip: a similar argument exists: '--cutoffs'

Usage: raglens eval --cutoffs <K> <LABELS> <RUN>...

For more information, try '--help'.

"#]],
    );
}

#[test]
fn no_message_holds_a_raw_control_character_or_an_endless_line() {
    let world = World::new();
    let long = "x".repeat(100_000);
    let evil = "a\u{1b}[31m\u{7}\u{9b}";
    for arguments in [
        format!("eval labels.txt good.trec -m '{evil}'"),
        format!("eval labels.txt '{evil}'"),
        format!("eval labels.txt '{evil}=good.trec' '{evil}=poor.trec'"),
        format!("eval labels.txt good.trec -o 'no/{evil}'"),
        format!("eval labels.txt good.trec '--{evil}'"),
        format!("eval labels.txt good.trec -k '{evil}'"),
        format!("eval labels.txt good.trec -m {long}"),
        format!("eval labels.txt good.trec --rel {long}"),
    ] {
        let ran = world.run(&arguments);
        assert_eq!(ran.status, Some(2), "{ran}");
        assert!(!ran.stderr.contains(['\u{1b}', '\u{7}', '\u{9b}']), "{ran}");
        assert!(ran.stderr.lines().all(|line| line.len() < 300), "{ran}");
    }
}

#[test]
fn why_nothing_can_be_scored_is_said_before_runs_are_read() {
    let never = "{\"query_id\": \"q1\", \"relevant\": {\"d1\": 1}, \"answerable\": false}\n";
    let world = World::new().with("never.jsonl", never).with("zeros.txt", "q1 0 d1 0\nq2 0 d1 -1\n");
    let cases = [
        ("never.jsonl", "every query of the labels is marked `answerable: false`"),
        ("zeros.txt", "no document of the labels is relevant"),
        ("labels.txt", "the largest grade of the labels is 3"),
    ];
    for (labels, expected) in cases {
        let ran = world.run(&format!("eval {labels} missing.trec -m recall@5 --rel 9"));
        assert_eq!(ran.status, Some(2));
        assert!(ran.stderr.contains(expected), "{ran}");
    }
}

#[test]
fn an_edit_that_leaves_nothing_of_an_id_is_refused() {
    let ran = World::new().run("eval labels.txt good.trec --edit-doc-ids 's/.*//'");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("nothing is left of the id `d1` after `--edit-doc-ids`"), "{ran}");
}

#[test]
fn paths_in_suggested_commands_are_quoted() {
    let world = World::new().with("my labels.txt", LABELS).with("a run.trec", GOOD);
    let ran = world.run("eval 'a run.trec' 'my labels.txt'");
    assert!(ran.stderr.ends_with("raglens eval 'my labels.txt' 'a run.trec'\n"), "{ran}");
}

#[test]
fn a_measure_without_a_near_name_and_a_cutoff_alone_get_help() {
    let world = World::new();
    let help = |measure: &str| world.run(&format!("eval labels.txt good.trec -m {measure}")).stderr;
    assert!(help("zzzzzz").contains("`raglens explain` lists every measure"));
    assert!(help("ndcg_cut.5,10").contains("ndcg@5,ndcg@10"));
}
