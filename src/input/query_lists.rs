//! Rows of a query with the ids that are relevant to it, that were retrieved for it, or both,
//! under the names that small tools give them.

use super::json::{self, SCORES};
use super::{Format, Role, Sample};

pub(super) static BOTH: Format = Format {
    name: "lists-both",
    about: "JSON rows: a query, its relevant ids, its retrieved ids",
    role: Role::Both,
    detect: |sample| json::rows_have(sample, &[RELEVANT, RETRIEVED]),
    labels: Some(|reader, labels| json::read_relevant(reader, labels, RELEVANT)),
    run: Some(|reader, run| json::read_retrieved(reader, run, RETRIEVED)),
};

pub(super) static LABELS: Format = Format {
    name: "lists-labels",
    about: "JSON rows: a query and its relevant ids",
    role: Role::Labels,
    detect: |sample| json::rows_have(sample, &[RELEVANT]),
    labels: Some(|reader, labels| json::read_relevant(reader, labels, RELEVANT)),
    run: None,
};

pub(super) static RUN: Format = Format {
    name: "lists-run",
    about: "JSON rows: a query and its retrieved ids",
    role: Role::Run,
    detect: is_run,
    labels: None,
    run: Some(|reader, run| json::read_retrieved(reader, run, RETRIEVED)),
};

pub(super) static SCORED: Format = Format {
    name: "lists-scored",
    about: "JSON rows: a query, its documents, their scores",
    role: Role::Run,
    detect: |sample| json::rows_have(sample, &[DOCUMENTS, SCORES]),
    labels: None,
    run: Some(|reader, run| json::read_retrieved(reader, run, DOCUMENTS)),
};

fn is_run(sample: &Sample) -> bool {
    json::rows_have(sample, &[RETRIEVED])
}

/// Names of a list of relevant ids.
pub(super) const RELEVANT: &[&str] = &[
    "relevant_ids",
    "relevant_doc_ids",
    "relevant_document_ids",
    "relevant_chunk_ids",
    "relevant_docs",
    "relevant_documents",
    "relevant_chunks",
    "relevant",
    "expected_ids",
    "expected_doc_ids",
    "expected_chunk_ids",
    "reference_ids",
    "reference_doc_ids",
    "reference_context_ids",
    "ground_truth_ids",
    "ground_truth_doc_ids",
    "ground_truth_chunk_ids",
    "gold_ids",
    "gold_doc_ids",
    "gold_chunk_ids",
    "positive_ids",
    "positive_doc_ids",
    "positive_passage_ids",
];

/// Names of ids that were retrieved, as scores stand beside them.
const DOCUMENTS: &[&str] = &["documents", "docs", "doc_ids", "document_ids", "chunk_ids", "ids"];

/// Names of a list of retrieved ids.
pub(super) const RETRIEVED: &[&str] = &[
    "retrieved_ids",
    "retrieved_doc_ids",
    "retrieved_document_ids",
    "retrieved_chunk_ids",
    "retrieved_context_ids",
    "retrieved_docs",
    "retrieved_documents",
    "retrieved_chunks",
    "retrieved",
    "results",
    "ranking",
    "ranked_ids",
    "ranked_doc_ids",
    "result_ids",
];

#[cfg(test)]
mod tests {
    use super::super::testing::*;

    #[test]
    fn rows_can_be_labels_a_run_or_both() {
        let gold = r#"{"query": "sla", "relevant_doc_ids": ["a", "b"]}"#;
        assert_eq!(show_labels(&labels(gold)), "sla: a=1 b=1");
        let found = r#"{"question": "sla", "retrieved_chunk_ids": ["c", "a"]}"#;
        assert_eq!(show_run(&run(found)), "sla: c a");
        let both = r#"[{"query_id": "q1", "relevant": {"a": 2}, "results": ["c", "a"]}]"#;
        assert_eq!((show_labels(&labels(both)), show_run(&run(both))), ("q1: a=2".into(), "q1: c a".into()));
    }

    #[test]
    fn an_id_comes_before_the_text_and_abstaining_means_no_answer() {
        let text = r#"{"id": "q1", "category": "c", "question": "why?", "should_abstain": true, "error": null,
            "ground_truth_chunk_ids": [], "retrieved_chunk_ids": ["x"], "top_scores": [0.5]}"#;
        let labels = labels(text);
        assert_eq!(show_labels(&labels), "q1:");
        let about = &labels.queries()[0].about;
        assert_eq!((about.answerable, about.text.as_deref()), (Some(false), Some("why?")));
        assert_eq!(about.tags, [("category".into(), vec!["c".into()])]);
        assert_eq!(show_run(&run(text)), "q1: x");
    }

    #[test]
    fn scores_beside_the_ids_order_them() {
        let row = |scores: &str| format!("{{\"query_id\":\"q\",\"documents\":[\"a\",\"b\"],\"scores\":{scores}}}");
        assert_eq!(show_run(&run(&row("[0.1, 0.9]"))), "q: b a");
        assert_eq!(show_run(&run(&row("[0.1, 0.9]").replace("documents", "retrieved_ids"))), "q: b a");
        let expected = "run:1:48: scores must be as long as the list of results: `[0.1]`";
        assert_eq!(run_error(&row("[0.1]")), expected);
    }

    #[test]
    fn labels_alone_are_no_run() {
        let error = run_error(r#"{"query": "sla", "relevant_ids": []}"#);
        assert_eq!(error, "run: looks like JSON rows: a query and its relevant ids, expected a run");
    }
}
