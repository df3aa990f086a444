//! One damaged row among good ones: its own fault is told, whatever the layout.

use super::super::testing::*;
use super::super::{OnError, ReadOptions};

#[test]
fn a_damaged_row_of_ranks_is_told_as_such() {
    assert_eq!(run_error("q1\ta\t1\nq1\tb\t2\nq1\tc\tx3\nq1\td\t4\n"), "run:3:6: rank is not a number: `x3`");
    assert_eq!(
        run_error("q1\ta\t1\nq1\tb\nq1\tc\t3\nq1\td\t4\n"),
        "run:2:1: expected 3 columns (query document number), found 2"
    );
    let long: String = (1..100).map(|rank| format!("q1\td{rank}\t{rank}\n")).collect();
    for rank in ["-1", "1.5"] {
        let error = run_error(&long.replace("d7\t7\n", &format!("d7\t{rank}\n")));
        assert_eq!(error, format!("run:7:1: rank must be a whole number from 0: `{rank}`"));
    }
}

#[test]
fn ranks_count_in_every_layout() {
    for text in [
        "query_id,doc_id,rank\nq1,a,-1\n",
        r#"{"query_id":"q1","doc_id":"a","rank":-1}"#,
        r#"{"query_id":"q1","results":[{"id":"a","rank":-1}]}"#,
    ] {
        let error = run_error(text);
        assert!(error.ends_with("rank must be a whole number from 0: `-1`"), "{error}");
    }
    let error = run_error(r#"{"query_id":"q1","results":["a"],"latency_ms":-3}"#);
    assert_eq!(error, "run:1:1: latency_ms must be a number from 0: `-3`");
}

#[test]
fn marks_that_nobody_sees_begin_no_id() {
    let line = "q1 0 a 1\n";
    assert_eq!(show_labels(&labels(&format!("\u{feff}\u{feff}{line}"))), "q1: a=1");
    assert_eq!(
        labels_error(&format!("{line}\u{feff}{line}")),
        "labels:2:1: query id begins with an invisible character, U+FEFF: `q1`"
    );
    for text in ["query_id,doc_id,rank\n\u{200b}q1,a,1\n", "{\"query_id\":\"\u{200b}q1\",\"results\":[\"a\"]}"] {
        let error = run_error(text);
        assert!(error.ends_with("query id begins with an invisible character, U+200B: `q1`"), "{error}");
    }
    let lines = "q1 Q0 a 1 2 t\nq1 Q0 \u{2060}b 2 1 t\n";
    let options = ReadOptions { on_error: OnError::Skip, ..ReadOptions::default() };
    assert_eq!(show_run(&try_run(lines, &options).unwrap().0), "q1: a");
}

#[test]
fn a_table_does_not_choose_between_two_columns_of_one_name() {
    assert_eq!(
        run_error("query_id,doc_id,score,score\nq1,a,1,2\n"),
        "run: has the column `score` twice: columns 3 and 4"
    );
}
