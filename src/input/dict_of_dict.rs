//! `{query: {document: number}}`, the layout of pytrec_eval and ranx: grades where labels stand,
//! scores where a run stands.

use super::json::{self, Sketch};
use super::{Format, Reader, Role, Sample};
use crate::error::Fault;
use crate::labels::LabelsBuilder;
use crate::run::RunSink;

pub(super) static EITHER: Format = Format {
    name: "dict",
    about: "JSON dict of dicts: {query: {document: number}}",
    role: Role::ByPosition,
    detect: is_dict_of_dict,
    labels: Some(read_labels),
    run: Some(read_run),
};

fn is_dict_of_dict(sample: &Sample) -> bool {
    let Some(sketch) = sample.json() else { return false };
    let queries = sketch.document().entries();
    let values = || queries.iter().flat_map(|(_, documents)| documents.entries()).map(|(_, value)| value);
    let holds_numbers = values().any(|value| value.number().is_some()) || !values().any(Sketch::is_nested);
    !queries.is_empty() && queries.iter().all(|(_, documents)| documents.is_object()) && holds_numbers
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
    fn numbers_are_grades_or_scores() {
        let text = r#"{"q1": {"a": 1, "b": "0"}, "q2": {}, "q3": {"c": 2.5}}"#;
        assert_eq!(show_labels(&labels(text)), "q1: a=1 b=0; q2:; q3: c=2.5");
        assert_eq!(show_run(&run(text)), "q1: a b; q2:; q3: c");
    }

    #[test]
    fn a_query_stands_once() {
        let text = "{\"q1\": {\"a\": 1},\n \"q1\": {\"b\": 1}}";
        let expected = ":2:2: query `q1` stands twice (first at line 1)";
        assert_eq!(labels_error(text), format!("labels{expected}"));
        assert_eq!(run_error(text), format!("run{expected}"));
        let (run, notes) = try_run(text, &skipping()).unwrap();
        assert_eq!((show_run(&run), notes.iter().next().unwrap().count), ("q1: a".into(), 1));
    }

    #[test]
    fn a_document_twice_is_found_by_its_place() {
        let text = "{\"q1\": {\"a\": 1,\n \"a\": 0}}";
        assert_eq!(labels_error(text), "labels:2:7: query `q1`, document `a` is judged 0 here and 1 at line 1");
        let order = run(text).rankings()[0].order(Default::default(), Default::default());
        assert_eq!(order.unwrap_err().line, Some(2));
    }

    #[test]
    fn queries_may_all_be_empty() {
        assert_eq!(show_labels(&labels(r#"{"q1": {}, "q2": {}}"#)), "q1:; q2:");
    }

    #[test]
    fn a_number_must_be_one() {
        assert_eq!(labels_error(r#"{"q": {"a": "high"}}"#), "labels:1:13: grade is not a number: `high`");
        assert_eq!(labels_error("{\"q\": {\"a\": 1, \"b\": null}}"), "labels:1:21: grade is not a number: `null`");
        assert_eq!(run_error("{\"q\": {\"a\": 1, \"b\": {}}}"), "run:1:21: score is not a number: `{}`");
    }
}
