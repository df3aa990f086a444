//! raglens run: a row a search call with its results, best first or with scores.
//!
//! ```json
//! {"meta": {"run": "hybrid", "offset_unit": "char", "config": {"k": 5}}}
//! {"query_id": "q1", "results": ["c7", "c9"], "latency_ms": 143}
//! {"query_id": "q2", "results": [{"id": "c7", "score": 0.83, "doc_id": "handbook", "start": 0, "end": 900}]}
//! ```

use super::json::{self, QUERY, QUERY_TEXT, SearchLayout, Sketch};
use super::{Format, Reader, Role, Sample};
use crate::error::Fault;
use crate::run::RunSink;

pub(super) static RUN: Format = Format {
    name: "raglens-run",
    about: "raglens run: query_id, results",
    role: Role::Run,
    detect: is_run,
    labels: None,
    run: Some(read_run),
};

fn is_run(sample: &Sample) -> bool {
    let has_results = |row: &Sketch| row.get(&["results"]).is_some_and(Sketch::is_nested);
    let is_row = |row: &Sketch| (row.has(QUERY) || row.has(QUERY_TEXT)) && has_results(row);
    sample.json().is_some_and(|sketch| sketch.rows().any(is_row))
}

fn read_run(reader: &mut Reader, run: &mut dyn RunSink) -> Result<(), Fault> {
    json::read_searches(reader, run, LAYOUT)
}

/// What the rows are.
pub(super) const LAYOUT: SearchLayout = SearchLayout { results: &["results"], is_own: true };

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use crate::run::Chunk;

    #[test]
    fn results_are_ids_or_objects() {
        let text = concat!(
            r#"{"meta":{"run":"hybrid","stage":"fusion","offset_unit":"char","config":{"k":5,"m":"x"}}}"#,
            "\n",
            r#"{"query_id":"q1","results":["d12",7],"latency_ms":41.2,"cost_usd":null,"role":"eng"}"#,
            "\n",
            r#"{"query_id":"q2","results":[{"doc_id":"d1","score":0.4},{"id":"c7","score":"0.9","doc_id":"h","start":0,"end":9,"tokens":3}]}"#,
            "\n",
            r#"{"query_id":"q3","results":[]}"#
        );
        let run = run(text);
        assert_eq!(show_run(&run), "q1: d12 7; q2: c7 d1; q3:");
        assert_eq!((run.tag.as_deref(), run.meta.stage.as_deref()), (Some("hybrid"), Some("fusion")));
        assert_eq!(run.meta.config, [("k".into(), "5".into()), ("m".into(), "\"x\"".into())]);
        let call = &run.rankings()[0].calls()[0];
        assert_eq!((call.latency_ms, call.cost_usd, call.role.as_deref()), (Some(41.2), None, Some("eng")));
        let chunk = Chunk { document: Some("h".into()), start: Some(0), end: Some(9), tokens: Some(3) };
        assert_eq!(run.rankings()[1].chunk(1), Some(&chunk));
    }

    #[test]
    fn other_keys_do_not_make_a_row_another() {
        let text = r#"{"query_id":"q","id":"r1","score":3,"meta":{"ms":1},"results":["a"]}"#;
        assert_eq!(show_run(&run(text)), "q: a");
    }

    #[test]
    fn all_results_have_a_score_or_none() {
        let text = r#"{"query_id":"q","results":[{"id":"a","score":1},{"id":"b"}]}"#;
        assert_eq!(run_error(text), "run:1:49: some results of query `q` have a score and some have none");
        let dict = r#"{"query_id":"q","results":{"a":1,"b":2}}"#;
        assert_eq!(show_run(&run(dict)), "q: b a");
    }

    #[test]
    fn a_repeated_query_is_a_trajectory_only_when_every_line_is_a_step() {
        let line = |rest: &str| format!("{{\"query_id\":\"q\",\"results\":[{rest}}}\n");
        let steps = line("\"a\"],\"step\":1,\"hop\":1") + &line("\"b\"],\"step\":2");
        let read = run(&steps);
        assert_eq!((show_run(&read), read.rankings()[0].calls().len()), ("q: a b".into(), 2));
        let expected = "run:2:1: query `q` stands twice (first at line 1)";
        assert_eq!(run_error(&(line("]") + &line("\"b\"]"))), expected);
        assert_eq!(run_error(&(line("\"a\"],\"step\":1") + &line("\"b\"]"))), expected);
        let expected = "run:3:1: query `q` has step 1 twice (first at line 1)";
        assert_eq!(run_error(&(steps + &line("\"c\"],\"step\":1"))), expected);
    }

    #[test]
    fn a_query_searched_for_by_two_roles_is_no_ranking() {
        let line = |role: &str| format!("{{\"query_id\":\"q\",\"results\":[\"a\"],\"role\":\"{role}\"}}\n");
        assert_eq!(run_error(&(line("hr") + &line("eng"))), "run:2:1: query `q` stands twice (first at line 1)");
    }

    #[test]
    fn a_null_id_is_an_error_or_dropped_and_counted() {
        let text = r#"{"query_id":"q","results":["a",null,{"id":null},"b"]}"#;
        assert_eq!(run_error(text), "run:1:32: document id must be text or a whole number: `null`");
        let (run, notes) = try_run(text, &skipping()).unwrap();
        assert_eq!((show_run(&run), notes.iter().next().unwrap().count), ("q: a b".into(), 2));
    }

    #[test]
    fn what_is_said_of_a_call_must_be_of_its_type() {
        let error = |rest: &str| run_error(&format!("{{\"query_id\":\"q\",\"results\":[],{rest}}}"));
        assert_eq!(error("\"latency_ms\":\"fast\""), "run:1:43: latency_ms is not a number: `fast`");
        assert_eq!(error("\"step\":1.5"), "run:1:37: step must be a whole number from 0: `1.5`");
        assert_eq!(error("\"role\":{}"), "run:1:37: role must be text, a number, true or false: `{}`");
    }
}
