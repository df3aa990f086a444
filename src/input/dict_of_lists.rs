//! `{query: [document]}`: the relevant documents where labels stand, the ranking where a run
//! stands.

use super::{Format, Reader, Role, Sample, json};
use crate::error::Fault;
use crate::labels::LabelsBuilder;
use crate::run::RunSink;

pub(super) static EITHER: Format = Format {
    name: "lists",
    about: "JSON dict of lists: {query: [document]}",
    role: Role::ByPosition,
    detect: is_dict_of_lists,
    labels: Some(read_labels),
    run: Some(read_run),
};

fn is_dict_of_lists(sample: &Sample) -> bool {
    let Some(sketch) = sample.json() else { return false };
    let queries = sketch.document().entries();
    !queries.is_empty() && queries.iter().all(|(_, documents)| documents.is_list())
}

fn read_labels(reader: &mut Reader, labels: &mut LabelsBuilder) -> Result<(), Fault> {
    json::each_query_of(reader, |query, documents, log| json::judge(documents, query, labels, log))
}

fn read_run(reader: &mut Reader, run: &mut dyn RunSink) -> Result<(), Fault> {
    json::rank_each_of(reader, run)
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;

    #[test]
    fn a_list_is_a_set_or_a_ranking() {
        let text = r#"{"q1": ["b", "a", 3], "q2": []}"#;
        assert_eq!(show_labels(&labels(text)), "q1: b=1 a=1 3=1; q2:");
        assert_eq!(show_run(&run(text)), "q1: b a 3; q2:");
    }

    #[test]
    fn entries_may_be_objects() {
        let text = r#"{"q1": [{"id": "a", "score": 0.1}, {"id": "b", "score": 0.7}]}"#;
        assert_eq!(show_run(&run(text)), "q1: b a");
    }

    #[test]
    fn pairs_of_an_id_and_a_score_are_ordered_by_it() {
        assert_eq!(show_run(&run(r#"{"q1": [["d2", 0.3], ["d1", 0.9]]}"#)), "q1: d1 d2");
        assert_eq!(show_labels(&labels(r#"{"q1": [["d2", 0], ["d1", 2]]}"#)), "q1: d2=0 d1=2");
        let mixed = run_error(r#"{"q1": [["d2", 0.3], "d1"]}"#);
        assert!(mixed.ends_with("some results of query `q1` have a score and some have none"), "{mixed}");
    }

    #[test]
    fn what_is_no_list_is_named() {
        assert_eq!(run_error("{\"q1\": [\"a\", [1]]}"), "run:1:14: document id must be text or a whole number: `[1]`");
    }
}
