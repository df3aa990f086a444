//! Files whose first rows stand far behind their start, or do not fit into a usual sample.

use super::super::testing::*;

/// More than a usual sample holds.
const LONG: usize = 70_000;

fn openings() -> [String; 4] {
    let comment = format!("#{}\n", "x".repeat(LONG));
    let blanks = format!("{}\n", " ".repeat(LONG));
    ["\n".repeat(LONG), "# note\n \r\n".repeat(LONG / 8), comment.clone() + "\n", comment + &blanks]
}

#[test]
fn a_long_opening_without_a_row_hides_no_format() {
    let texts = [
        "q1 Q0 a 1 2.5 t\n",
        "query_id,doc_id,rank\nq1,a,1\n",
        "{\"query_id\":\"q1\",\"results\":[\"a\"]}\n",
        "[{\"query_id\":\"q1\",\"results\":[\"a\"]}]\n",
        "{\"q1\": {\"a\": 1}}",
    ];
    for (opening, text) in openings().iter().flat_map(|opening| texts.map(|text| (opening, text))) {
        assert_eq!(show_run(&run(&format!("{opening}{text}"))), "q1: a", "{text}");
    }
}

#[test]
fn lines_behind_a_long_opening_keep_their_numbers() {
    for opening in openings() {
        let line = opening.lines().count() + 2;
        let error = run_error(&format!("{opening}q1 Q0 a 1 2.5 t\nq1 Q0 b 2 x t\n"));
        assert_eq!(error, format!("run:{line}:11: score is not a number: `x`"));
        let error = run_error(&format!("{opening}query_id,doc_id,rank\nq1,a,x\n"));
        assert_eq!(error, format!("run:{line}:6: rank is not a number: `x`"));
        let error = run_error(&format!("{opening}{{\"q1\": {{\"a\": 1,\n \"b\": \"x\"}}}}"));
        assert_eq!(error, format!("run:{line}:7: score is not a number: `x`"));
    }
}

#[test]
fn a_file_is_empty_only_when_no_row_comes_to_its_end() {
    for opening in openings() {
        assert_eq!(labels_error(&opening), "labels: is empty: expected labels");
    }
}

#[test]
fn keys_behind_a_long_text_count() {
    let text = "y".repeat(LONG);
    let row = format!(r#"{{"query_id":"q1","query":"{text}","results":["a"]}}"#);
    for file in [format!("{row}\n"), format!("{row}\n{}\n", row.replace("q1", "q2")), format!("[{row}]")] {
        assert!(show_run(&run(&file)).starts_with("q1: a"));
    }
    let flat = |id: &str| format!(r#"{{"query_id":"q1","text":"{text}","doc_id":"{id}","score":1.5}}"#);
    assert_eq!(show_run(&run(&format!("[{},\n{}]", flat("a"), flat("b")))), "q1: b a");
    let ragas = format!(
        r#"[{{"user_input":"a?","retrieved_contexts":["{text}"],"retrieved_context_ids":[3],"reference_context_ids":[3]}}]"#
    );
    assert_eq!(show_labels(&labels(&ragas)), "a?: 3=1");
}

#[test]
fn keys_behind_many_results_count() {
    let results: Vec<String> = (0..5000).map(|n| format!("{{\"id\":\"d{n}\",\"score\":{n}}}")).collect();
    let run = run(&format!(r#"{{"results":[{}],"query_id":"q1"}}"#, results.join(", ")));
    assert!(show_run(&run).starts_with("q1: d4999 d4998 "));
}

#[test]
fn a_header_or_a_line_may_be_longer_than_a_usual_sample() {
    let columns: String = (0..5000).map(|n| format!(",a column of no meaning {n}")).collect();
    let table = format!("query_id,doc_id,score{columns}\nq1,a,0.5{}\n", ",".repeat(5000));
    assert_eq!(show_run(&run(&table)), "q1: a");
    let line = |query: &str| format!("{query} Q0 a 1 2.5 t {}\n", "z".repeat(LONG));
    assert_eq!(show_run(&run(&(line("q1") + &line("q2")))), "q1: a; q2: a");
}
