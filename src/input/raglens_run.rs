//! raglens run: a row a search call with its results, best first or with scores.
//!
//! ```json
//! {"meta": {"run": "hybrid", "offset_unit": "char", "config": {"k": 5}}}
//! {"query_id": "q1", "results": ["c7", "c9"], "latency_ms": 143}
//! {"query_id": "q2", "results": [{"id": "c7", "score": 0.83, "doc_id": "handbook", "start": 0, "end": 900}]}
//! ```

use super::json::{self, FirstLines, PlainSearch, QUERY, QUERY_TEXT, Record, Sketch, TakeRow};
use super::{FaultLog, Format, Reader, Role, Sample};
use crate::error::Fault;
use crate::run::{RunMeta, RunSink};

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
    json::each_row_of(reader, &mut Searches::new(run))
}

/// Takes rows of search calls.
pub(super) struct Searches<'a> {
    run: &'a mut dyn RunSink,
    first_lines: FirstLines,
    /// What rows look like that have nothing but a query and its results.
    plain: Option<PlainSearch>,
}

impl<'a> Searches<'a> {
    pub(super) fn new(run: &'a mut dyn RunSink) -> Self {
        Self { run, first_lines: FirstLines::default(), plain: None }
    }
}

impl TakeRow for Searches<'_> {
    fn plain(&mut self, line: &[u8], number: u64) -> Option<Result<(), Fault>> {
        self.plain.as_ref()?.take(line, number, &mut self.first_lines, self.run)
    }

    fn row(&mut self, row: &Record<'_>, log: &mut FaultLog) -> Result<(), Fault> {
        if let Some(meta) = json::meta(row) {
            return read_meta(&meta.record()?, self.run);
        }
        let query = json::query_id(row)?;
        let call = json::call(row)?;
        let results = row.need(&["results"], "`results`")?;
        // Searches of one query in the name of several roles are for the sink to tell apart.
        if call.role.is_none() {
            self.first_lines.step(&query, row.node, call.step)?;
        }
        self.run.call(query.as_bytes(), &call, row.node.line()).map_err(|fault| row.node.locate(fault))?;
        self.plain = PlainSearch::of(row, &["results"]);
        json::rank(results, &query, self.run, log)
    }
}

/// Each key of `config` is kept as it is written: runs are only compared by it.
fn read_meta(row: &Record<'_>, run: &mut dyn RunSink) -> Result<(), Fault> {
    let text = |name: &str| row.optional(&[name]).map(|node| Ok(node.label(name)?.into_owned())).transpose();
    if let Some(name) = text("run")? {
        run.tag(name.as_bytes());
    }
    let mut meta = RunMeta { stage: text("stage")?, offset_unit: text("offset_unit")?, config: Vec::new() };
    if let Some(config) = row.optional(&["config"]) {
        let config = config.record()?;
        let entries = config.fields().iter().map(|(key, value)| (key.clone().into_owned(), value.raw().to_owned()));
        meta.config = entries.collect();
    }
    run.meta(&meta);
    Ok(())
}

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
