//! deepeval goldens and test cases: texts only, refused with the fields that are needed.

use super::{Format, Refusal, Role, Sample};

pub(super) static CASES: Format = Format {
    name: "deepeval",
    about: "deepeval test cases: texts without ids",
    role: Role::Neither(Refusal {
        sentence: "holds deepeval test cases with texts and no document ids, so nothing can be matched",
        help: "write rows with ids: {\"query_id\", \"relevant\": [ids]} as labels, {\"query_id\", \"results\": [ids]} as a run",
    }),
    detect: is_cases,
    labels: None,
    run: None,
};

fn is_cases(sample: &Sample) -> bool {
    let texts = ["expected_output", "actual_output", "retrieval_context", "context"];
    sample.json().is_some_and(|sketch| {
        let cases = sketch.document().get(&["goldens", "test_cases"]).unwrap_or(sketch);
        cases.rows().any(|row| row.has(&["input"]) && row.has(&texts))
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;

    #[test]
    fn texts_are_refused_with_the_fields_that_are_needed() {
        let text = r#"[{"input":"how?","expected_output":"so","context":["…"],"retrieval_context":[]}]"#;
        for error in [labels_error(text), run_error(text)] {
            assert!(error.contains("deepeval test cases with texts and no document ids"), "{error}");
        }
    }
}
