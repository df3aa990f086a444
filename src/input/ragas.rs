//! RAGAS samples: with the ids of their contexts they are labels and run in one; without, there
//! is nothing to match, and they are refused.

use super::{Format, Refusal, Role, json};

pub(super) static ROWS: Format = Format {
    name: "ragas",
    about: "RAGAS rows: user_input, reference_context_ids, retrieved_context_ids",
    role: Role::Both,
    detect: |sample| json::rows_have(sample, &[REFERENCE, RETRIEVED]),
    labels: Some(|reader, labels| json::read_relevant(reader, labels, REFERENCE)),
    run: Some(|reader, run| json::read_retrieved(reader, run, RETRIEVED)),
};

pub(super) static TEXTS: Format = Format {
    name: "ragas-texts",
    about: "RAGAS rows of texts without ids",
    role: Role::Neither(Refusal {
        sentence: "holds RAGAS rows with the texts of contexts and no ids, so nothing can be matched",
        help: "add `reference_context_ids` and `retrieved_context_ids` to each row",
    }),
    detect: |sample| json::rows_have(sample, &[CONTEXTS]),
    labels: None,
    run: None,
};

const REFERENCE: &[&str] = &["reference_context_ids"];
const RETRIEVED: &[&str] = &["retrieved_context_ids"];
const CONTEXTS: &[&str] = &["retrieved_contexts", "reference_contexts", "contexts"];

#[cfg(test)]
mod tests {
    use super::super::testing::*;

    #[test]
    fn ids_of_contexts_are_labels_and_run() {
        let text = r#"[{"user_input":"a?","retrieved_context_ids":[3,"d"],"reference_context_ids":[3]}]"#;
        assert_eq!(show_labels(&labels(text)), "a?: 3=1");
        assert_eq!(show_run(&run(text)), "a?: 3 d");
    }

    #[test]
    fn texts_alone_are_refused() {
        let error = labels_error(r#"{"user_input":"a?","retrieved_contexts":["text"]}"#);
        assert!(error.contains("RAGAS rows with the texts of contexts and no ids"), "{error}");
    }

    #[test]
    fn the_same_question_twice_is_an_error() {
        let row = "{\"user_input\":\"a?\",\"retrieved_context_ids\":[],\"reference_context_ids\":[\"d\"]}\n";
        assert_eq!(run_error(&row.repeat(2)), "run:2:1: query `a?` stands twice (first at line 1)");
    }
}
