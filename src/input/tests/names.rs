//! Columns and keys under other names: read for what they are, or refused by name; never passed
//! over.

use super::*;

const GRADE_HELP: &str = "rename the one that holds the grade to `grade`, or leave out";
const ORDER_HELP: &str = "rename the one that orders the results to `score` or `rank`, or leave out";

/// The text of the error without what it was read from.
fn unknown(error: &str) -> String {
    error.split_once("has no ").unwrap_or_else(|| panic!("{error}")).1.to_owned()
}

#[test]
fn grades_go_by_many_names() {
    for name in ["relevant", "is_relevant", "gold", "judgement", "Judgment", "annotation", "qrel", "label"] {
        let text = format!("query_id,doc_id,{name}\nq1,d1,0\nq1,d2,2\n");
        assert_eq!(judged(&text), "label-table: q1 d1 0, q1 d2 2", "{name}");
    }
}

#[test]
fn a_grade_under_an_unknown_name_is_refused_by_its_name() {
    let error = labels_error("query_id,title,doc_id,my_grade,verdict\nq1,a title,d1,0,no\n");
    let names = "`my_grade`, `verdict`";
    let expected = format!("grade, but {names}, which may be meant as one ({GRADE_HELP} {names})");
    assert_eq!(unknown(&error), expected);
    for row in [
        r#"{"query_id":"q","doc_id":"d","my_grade":0}"#,
        r#"{"query_id":"q","doc_id":"d","my_grade":false}"#,
        r#"{"query_id":"q","relevant":[{"id":"d","my_grade":"0"}]}"#,
    ] {
        let error = labels_error(row);
        let expected = format!("grade, but `my_grade`, which may be meant as one ({GRADE_HELP} `my_grade`)");
        assert_eq!(unknown(&error), expected, "{row}");
    }
}

#[test]
fn pairs_below_a_header_are_relevant_and_noted() {
    let mut notes = Notes::default();
    let source = Source::from_bytes("qrels", b"query_id,doc_id\nq1,d1\nq1,d2\n".to_vec());
    let (labels, _) = read_labels(source, &ReadOptions::default(), &mut notes).unwrap();
    assert_eq!(labels.relevant(1.0), 2);
    let notes: Vec<_> = notes.iter().map(|note| (note.kind, note.count)).collect();
    assert_eq!(notes, [(NoteKind::NoGrades, 2)]);
}

#[test]
fn scores_and_ranks_go_by_many_names() {
    for name in ["rerank_score", "cosine", "relevance_score", "bm25_score", "my_score", "similarity"] {
        let text = format!("query_id,doc_id,{name}\nq1,d1,0.1\nq1,d2,0.9\n");
        assert!(ranked(&text).ends_with(": q1 d2 d1"), "{name}");
        let json = format!(
            "{{\"query_id\":\"q1\",\"results\":[{{\"id\":\"d1\",\"{name}\":0.1}},{{\"id\":\"d2\",\"{name}\":0.9}}]}}"
        );
        assert_eq!(ranked(&json), "raglens-run: q1 d2 d1", "{name}");
    }
    for name in ["position", "rank", "distance", "dist", "l2_distance"] {
        let text = format!("query_id,doc_id,{name}\nq1,d1,2\nq1,d2,1\n");
        assert_eq!(ranked(&text), "run-table: q1 d2 d1", "{name}");
        let rows = format!(
            "{{\"query_id\":\"q1\",\"doc_id\":\"d1\",\"{name}\":2}}\n{{\"query_id\":\"q1\",\"doc_id\":\"d2\",\"{name}\":1}}"
        );
        assert_eq!(ranked(&rows), "rows-run: q1 d2 d1", "{name}");
    }
}

#[test]
fn an_order_under_an_unknown_name_is_refused_by_its_name() {
    let order =
        |names: &str| format!("score and no rank, but {names}, which may be meant as one ({ORDER_HELP} {names})");
    assert_eq!(unknown(&run_error("query_id,doc_id,text,cos\nq1,d1,hello,0.1\n")), order("`cos`"));
    let two = "query_id,doc_id,bm25_score,dense_score\nq1,d1,1,2\n";
    assert_eq!(unknown(&run_error(two)), order("`bm25_score`, `dense_score`"));
    let row = r#"{"query_id":"q","results":[{"id":"d1","cos":0.1}]}"#;
    assert_eq!(unknown(&run_error(row)), order("`cos`"));
    assert_eq!(ranked("query_id,doc_id,author\nq1,d1,Ann\nq1,d2,Bob\n"), "table: q1 d1 d2");
}

#[test]
fn a_table_with_a_document_is_never_saved_scores() {
    assert_eq!(judged("query,document,label\nq1,d1,1\n"), "label-table: q1 d1 1");
    assert_eq!(ranked("query_id,doc,recall_score\nq1,d1,1\n"), "table: q1 d1");
}

#[test]
fn true_and_false_are_grades() {
    assert_eq!(judged("query_id,doc_id,label\nq1,d1,True\nq1,d2,false\n"), "label-table: q1 d1 1, q1 d2 0");
    let rows =
        r#"[{"query_id":"q1","doc_id":"d1","relevant":true},{"query_id":"q1","doc_id":"d2","relevant":"False"}]"#;
    assert_eq!(judged(rows), "rows-labels: q1 d1 1, q1 d2 0");
    assert_eq!(judged(r#"{"q1":{"d1":true,"d2":false}}"#), "dict: q1 d1 1, q1 d2 0");
}

#[test]
fn labels_that_look_like_scores_are_warned_of() {
    let notes = |text: &str| {
        let mut notes = Notes::default();
        read_labels(Source::from_bytes("qrels", text.into()), &ReadOptions::default(), &mut notes).unwrap();
        notes.iter().map(|note| (note.kind, note.count)).collect::<Vec<_>>()
    };
    assert_eq!(notes(r#"{"q1":{"d1":14.25,"d2":-3.5,"d3":2}}"#), [(NoteKind::GradesLookLikeScores, 2)]);
    assert_eq!(notes(r#"{"q1":{"d1":1,"d2":0.5,"d3":2.5}}"#), []);
}

/// The notes of labels with their examples.
fn examples(text: &str) -> Vec<(NoteKind, Vec<String>)> {
    let mut notes = Notes::default();
    read_labels(Source::from_bytes("qrels", text.into()), &ReadOptions::default(), &mut notes).unwrap();
    notes.iter().map(|note| (note.kind, note.examples.clone())).collect()
}

#[test]
fn a_second_grade_among_the_relevant_documents_or_passages_is_named_once() {
    let row = |query: u8, entry: &str| {
        let passage = entry.replace("\"id\":", "\"start\":0,\"end\":4,\"doc_id\":");
        ["relevant", "spans"].map(|key| {
            let relevant = if key == "spans" { "\"relevant\":[]," } else { "" };
            format!(
                "{{\"query_id\":\"q{query}\",{relevant}\"{key}\":[{}]}}\n",
                if key == "spans" { &passage } else { entry }
            )
        })
    };
    let second = r#"{"id":"a","grade":0,"relevance":2},{"id":"b","relevance":1,"grade":0},{"id":"c","relevance":1}"#;
    let rival = r#"{"id":"a","rating":0,"label":2}"#;
    for (first, behind) in row(1, second).into_iter().zip(row(2, second)) {
        assert_eq!(
            examples(&(first + &behind)),
            [(NoteKind::OtherGrades, vec!["`grade` is not read beside `relevance`".to_owned()])]
        );
    }
    for (row, column) in row(1, rival).into_iter().zip([30, 41]) {
        let expected = "has the keys `rating` and `label`, which mean the same (leave one of the two out, or give it another name)";
        assert_eq!(labels_error(&row), format!("qrels:1:{column}: {expected}"));
    }
}

#[test]
fn a_second_column_of_grades_is_named() {
    let notes = examples;
    assert_eq!(
        notes("query_id,doc_id,label,relevance\nq1,d1,0,2\n"),
        [(NoteKind::OtherGrades, vec!["`label` (3) is not read beside `relevance` (4)".to_owned()])]
    );
    assert_eq!(notes("query_id,doc_id,relevance\nq1,d1,2\n"), []);
    let row =
        |document: &str| format!("{{\"query_id\":\"q1\",\"doc_id\":\"{document}\",\"grade\":0,\"relevance\":2}}\n");
    assert_eq!(
        notes(&(row("a") + &row("b"))),
        [(NoteKind::OtherGrades, vec!["`grade` is not read beside `relevance`".to_owned()])]
    );
    assert_eq!(
        labels_error("{\"query_id\":\"q1\",\"doc_id\":\"a\",\"rating\":0,\"label\":2}"),
        "qrels:1:1: has the keys `rating` and `label`, which mean the same (leave one of the two out, or give it another name)"
    );
}

#[test]
fn semicolons_separate_below_a_known_header() {
    assert_eq!(judged("query_id;doc_id;grade\nq1;\"d;1\";2\n"), "label-table: q1 d;1 2");
    assert_eq!(ranked("query_id;doc_id;score\r\nq1;d1;1\r\nq1;d2;2\r\n"), "table: q1 d2 d1");
    assert_eq!(
        run_error("query_id;doc_id;score\nq1;d1;0,5\n"),
        "run:2:7: score is not a number: `0,5` (numbers take a decimal point: `0.5`)"
    );
    assert!(run_error("q1;d1;0.5\nq1;d2;0.4\n").contains("it seems to be separated by `;`"));
}

#[test]
fn numbers_that_json_lacks_come_with_what_finds_them() {
    let error = run_error(r#"{"q1":{"d1":NaN}}"#);
    assert!(
        error.ends_with("(NaN and Infinity are no JSON numbers; `json.dump(..., allow_nan=False)` finds them)"),
        "{error}"
    );
}
