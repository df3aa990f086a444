//! LlamaIndex: the embedding QA data set (labels), and the rows of a retriever evaluation, which
//! hold expected and retrieved ids side by side.

use super::json::{self, Node, Sketch};
use super::{FaultLog, Format, Reader, Role, Sample};
use crate::error::Fault;
use crate::labels::LabelsBuilder;

pub(super) static DATASET: Format = Format {
    name: "llama-index",
    about: "LlamaIndex data set: queries, corpus, relevant_docs",
    role: Role::Labels,
    detect: is_dataset,
    labels: Some(read_dataset),
    run: None,
};

pub(super) static ROWS: Format = Format {
    name: "llama-index-eval",
    about: "LlamaIndex evaluation rows: query, expected_ids, retrieved_ids",
    role: Role::Both,
    detect: |sample| json::rows_have(sample, &[EXPECTED, RETRIEVED]),
    labels: Some(|reader, labels| json::read_relevant(reader, labels, EXPECTED)),
    run: Some(|reader, run| json::read_retrieved(reader, run, RETRIEVED)),
};

pub(super) static NODES: Format = Format {
    name: "llama-index-nodes",
    about: "LlamaIndex results: query, nodes with id_ and score",
    role: Role::Run,
    detect: |sample| json::rows_have(sample, &[NODE_LISTS]),
    labels: None,
    run: Some(|reader, run| json::read_retrieved(reader, run, NODE_LISTS)),
};

const NODE_LISTS: &[&str] = &["nodes", "source_nodes"];
const EXPECTED: &[&str] = &["expected_ids"];
const RETRIEVED: &[&str] = &["retrieved_ids"];

/// The judgments come last and can lie behind what is looked at; texts by id come first.
fn is_dataset(sample: &Sample) -> bool {
    let Some(sketch) = sample.json() else { return false };
    let document = sketch.document();
    let texts = document.get(&["queries"]).is_some_and(|queries| {
        let mut texts = queries.entries().iter().map(|(_, text)| text);
        texts.len() > 0 && texts.all(|text| matches!(text, Sketch::Text(_)))
    });
    texts || (document.has(&["relevant_docs"]) && document.has(&["corpus", "queries"]))
}

fn read_dataset(reader: &mut Reader, labels: &mut LabelsBuilder) -> Result<(), Fault> {
    json::whole(reader, |root, log| {
        let root = root.record()?;
        let relevant = root.need(&["relevant_docs"], "`relevant_docs`")?;
        if let Some(queries) = root.optional(&["queries"]) {
            read_texts(queries, labels, log)?;
        }
        json::each_query(relevant, log, |query, documents, log| json::judge(documents, query, labels, log))
    })
}

fn read_texts(queries: Node<'_>, labels: &mut LabelsBuilder, log: &mut FaultLog) -> Result<(), Fault> {
    json::each_query(queries, log, |query, text, _| {
        labels.about(query.as_bytes()).text = Some(text.text("query")?.into_owned());
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;

    #[test]
    fn a_data_set_is_labels_with_the_texts_of_its_queries() {
        let text = r#"{"queries":{"u1":"how?","u2":"why?"},"corpus":{"n1":"…"},"relevant_docs":{"u1":["n1",4]}}"#;
        let labels = labels(text);
        assert_eq!(show_labels(&labels), "u1: n1=1 4=1; u2:");
        assert_eq!(labels.queries()[1].about.text.as_deref(), Some("why?"));
        assert!(run_error(text).contains("looks like LlamaIndex data set"));
    }

    #[test]
    fn a_long_data_set_is_known_by_its_queries() {
        let queries: String = (0..5000).map(|n| format!("\"u{n}\": \"what is number {n}?\",")).collect();
        let queries = queries.trim_end_matches(',');
        let labels = labels(&format!("{{\"queries\":{{{queries}}},\"relevant_docs\":{{\"u0\":[\"n\"]}}}}"));
        assert_eq!((labels.queries().len(), labels.relevant(1.0)), (5000, 1));
    }

    #[test]
    fn nodes_are_results_with_their_ids_inside() {
        let text = r#"{"query":"how?","nodes":[{"node":{"id_":"n1","text":"t"},"score":0.2},{"node":{"id_":"n2"},"score":0.7}]}"#;
        assert_eq!(show_run(&run(text)), "how?: n2 n1");
        assert_eq!(run_error(&text.replace("id_", "uid")), "run:1:34: has no `id_`");
    }

    #[test]
    fn evaluation_rows_are_both() {
        let text = "{\"query\":\"how?\",\"expected_ids\":[\"n1\"],\"retrieved_ids\":[\"n7\",\"n1\"]}";
        assert_eq!(show_labels(&labels(text)), "how?: n1=1");
        assert_eq!(show_run(&run(text)), "how?: n7 n1");
    }
}
