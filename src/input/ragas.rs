//! RAGAS samples: with the ids of their contexts they are labels and run in one; without, there
//! is nothing to match, and they are refused.

use super::json::{self, DOCUMENT, Sketch};
use super::{Format, Refusal, Role, Sample};

pub(super) static ROWS: Format = Format {
    name: "ragas",
    about: "RAGAS rows: user_input, reference_context_ids, retrieved_context_ids",
    role: Role::Both,
    detect: |sample| json::rows_have(sample, &[REFERENCE, RETRIEVED]),
    labels: Some(|reader, labels| json::read_relevant(reader, labels, REFERENCE)),
    run: Some(|reader, run| json::read_retrieved(reader, run, RETRIEVED)),
};

pub(super) static OBJECTS: Format = Format {
    name: "contexts",
    about: "JSON rows: a query and its retrieved contexts with ids",
    role: Role::Run,
    detect: has_objects,
    labels: None,
    run: Some(|reader, run| json::read_retrieved(reader, run, RETRIEVED_CONTEXTS)),
};

pub(super) static TEXTS: Format = Format {
    name: "ragas-texts",
    about: "RAGAS rows of texts without ids",
    role: Role::Neither(Refusal {
        sentence: "holds RAGAS rows with the texts of contexts and no ids, so nothing can be matched",
        help: "if the contexts are ids, call the key `retrieved_ids`; else add `reference_context_ids` and \
               `retrieved_context_ids` to each row",
    }),
    detect: |sample| json::rows_have(sample, &[CONTEXTS]),
    labels: None,
    run: None,
};

const REFERENCE: &[&str] = &["reference_context_ids"];
const RETRIEVED: &[&str] = &["retrieved_context_ids"];
const CONTEXTS: &[&str] = &["retrieved_contexts", "reference_contexts", "contexts"];

const RETRIEVED_CONTEXTS: &[&str] = &["retrieved_contexts", "contexts"];

fn has_objects(sample: &Sample) -> bool {
    let has_ids = |contexts: &Sketch| contexts.rows().any(|context| context.has(DOCUMENT));
    let is_row = |row: &Sketch| row.get(RETRIEVED_CONTEXTS).is_some_and(has_ids);
    json::rows_have(sample, &[RETRIEVED_CONTEXTS]) && sample.json().is_some_and(|sketch| sketch.rows().any(is_row))
}

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
    fn contexts_with_ids_are_results() {
        let text =
            r#"{"query":"a?","contexts":[{"id":"d1","text":"t","score":0.1},{"id":"d2","text":"u","score":0.9}]}"#;
        assert_eq!(show_run(&run(text)), "a?: d2 d1");
    }

    #[test]
    fn contexts_that_may_be_ids_are_refused_with_the_name_to_give_them() {
        let (row, options) = (r#"{"query_id":"q","contexts":["d1","d2"]}"#, Default::default());
        let help = try_run(row, &options).err().and_then(|error| error.kind().help()).unwrap();
        assert!(help.contains("call the key `retrieved_ids`"), "{help}");
    }

    #[test]
    fn the_same_question_twice_is_an_error() {
        let row = "{\"user_input\":\"a?\",\"retrieved_context_ids\":[],\"reference_context_ids\":[\"d\"]}\n";
        assert_eq!(run_error(&row.repeat(2)), "run:2:1: query `a?` stands twice (first at line 1)");
    }
}
