//! Saved scores in JSON: the documents of `raglens eval`, and rows.

use super::super::json::{self, Kind, Node, QUERY, QUERY_TEXT, Record};
use super::collect::{Cell, Collector};
use super::{METRIC, RUN, SavedRanking, SavedRun, SavedScores, VALUE, is_name};
use crate::error::{Fault, InputErrorKind};
use crate::id::Id;
use crate::input::Reader;

/// Reads `{"schema": …, "runs": [{"name", "per_query": {query: {measure: value}}}]}`.
pub(super) fn read_document(reader: &mut Reader) -> Result<SavedScores, Fault> {
    let mut scores = SavedScores::default();
    json::whole(reader, |root, _| {
        let root = root.record()?;
        let mut collector = Collector::default();
        let runs = root.need(&["runs"], "`runs`: only `raglens eval` writes scores per query")?;
        for run in runs.list("runs", "a list of runs")? {
            read_run(&run.record()?, &mut collector)?;
        }
        scores = collector.finish().map_err(Fault::of_file)?;
        scores.labels_hash = labels_hash(&root)?;
        scores.conventions = conventions(&root)?;
        Ok(())
    })?;
    Ok(scores)
}

fn labels_hash(root: &Record<'_>) -> Result<Option<String>, Fault> {
    let Some(labels) = root.optional(&["labels"]) else { return Ok(None) };
    let hash = labels.record()?.optional(&["hash"]).map(|hash| hash.label("hash")).transpose()?;
    Ok(hash.map(Into::into))
}

fn conventions(root: &Record<'_>) -> Result<Vec<(String, String)>, Fault> {
    let Some(conventions) = root.optional(&["conventions"]) else { return Ok(Vec::new()) };
    let conventions = conventions.record()?;
    Ok(conventions.fields().iter().map(|(name, value)| (name.to_string(), value.raw().to_owned())).collect())
}

fn read_run(run: &Record<'_>, collector: &mut Collector) -> Result<(), Fault> {
    let name = run.need(&["name"], "`name`")?.label("name")?;
    let position = collector.run(Some(&name));
    let Some(queries) = run.optional(&["per_query"]) else { return Ok(()) };
    for (query, measures) in queries.entries("per_query", "an object of queries")? {
        let row =
            collector.new_row(position, &query.id("query id")?, query.line()).map_err(|kind| query.fault(kind))?;
        for (measure, value) in measures.record()?.fields() {
            collector.score(row, measure, cell(*value)?).map_err(|kind| value.fault(kind))?;
        }
    }
    if let Some(rankings) = run.optional(&["rankings"]) {
        read_rankings(rankings, collector.run_mut(position))?;
    }
    Ok(())
}

fn read_rankings(rankings: Node<'_>, run: &mut SavedRun) -> Result<(), Fault> {
    for (query, ranking) in rankings.entries("rankings", "an object of queries")? {
        let ranking = ranking.record()?;
        let ids = ranking.need(&["ids"], "`ids`")?.list("ids", "a list of ids")?;
        let ids = ids.iter().map(|id| Ok(Id::from(&*id.id("document id")?))).collect::<Result<_, Fault>>()?;
        let retrieved = ranking.need(&["retrieved"], "`retrieved`")?.whole("retrieved")?;
        run.rankings.push(SavedRanking { query: Id::from(&*query.id("query id")?), ids, retrieved });
    }
    Ok(())
}

fn cell(value: Node<'_>) -> Result<Cell, Fault> {
    Ok(match value.kind() {
        Kind::Null => Cell::Missing,
        Kind::Bool => Cell::Number(f64::from(u8::from(value.flag("value")?))),
        Kind::Number => Cell::Number(value.number("value")?),
        Kind::Text => Cell::parse(&value.text("value")?),
        Kind::Object | Kind::Array => Cell::Text(value.shown()),
    })
}

/// Reads rows `{query, measure: value, …}` or `{run, query, "metric": name, "value": value}`.
pub(super) fn read_rows(reader: &mut Reader) -> Result<SavedScores, Fault> {
    let mut collector = Collector::default();
    json::each_row(reader, |row, _| read_row(row, &mut collector))?;
    collector.finish().map_err(Fault::of_file)
}

fn read_row(row: &Record<'_>, collector: &mut Collector) -> Result<(), Fault> {
    let query = row.get(QUERY).or_else(|| row.get(&["id"])).map_or_else(|| row.need(QUERY_TEXT, "`query_id`"), Ok)?;
    let (id, line) = (query.id("query id")?, row.node.line());
    let name = row.optional(RUN).map(|name| name.label("run")).transpose()?;
    let run = collector.run(name.as_deref());
    let locate = |node: Node<'_>, kind: InputErrorKind| node.fault(kind);
    if let (Some(metric), Some(value)) = (row.get(&[METRIC]), row.get(&[VALUE])) {
        let place = collector.row(run, &id, line);
        return collector.score(place, &metric.text(METRIC)?, cell(value)?).map_err(|kind| locate(value, kind));
    }
    let place = collector.new_row(run, &id, line).map_err(|kind| locate(query, kind))?;
    for (column, value) in row.fields().iter().filter(|(column, _)| !is_name(column)) {
        collector.cell(place, column, cell(*value)?).map_err(|kind| locate(*value, kind))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{error, read, show};

    #[test]
    fn a_document_holds_runs_with_their_queries() {
        let text = r#"{"schema":"raglens/1","command":"eval","conventions":{"rel":1,"gain":"linear"},"labels":{"hash":"ab"},
            "runs":[{"name":"bm25","measures":{},"per_query":{"q1":{"recall@5":1.0,"judged@5":null},"q2":{"recall@5":0}},
            "rankings":{"q1":{"ids":["a",7],"retrieved":1000}}},
            {"name":"dense","per_query":{"q1":{"recall@5":0.5}}}]}"#;
        assert_eq!(show(text), "bm25: q1 recall@5=1 judged@5=-, q2 recall@5=0 judged@5=-; dense: q1 recall@5=0.5");
        let scores = read(text).unwrap();
        assert_eq!(scores.labels_hash.as_deref(), Some("ab"));
        assert_eq!(scores.conventions[1], ("gain".into(), "\"linear\"".into()));
        let ranking = &scores.runs[0].rankings[0];
        assert_eq!((ranking.ids.len(), ranking.retrieved), (2, 1000));
    }

    #[test]
    fn a_document_without_queries_says_how_to_get_them() {
        let text = r#"{"schema":"raglens/1","runs":[{"name":"a","measures":{}}]}"#;
        assert_eq!(error(text), "saved: holds no scores per query");
        assert!(error(r#"{"schema":"raglens/1","command":"power"}"#).contains("has no `runs`"));
    }

    #[test]
    fn rows_are_wide_or_tidy() {
        let wide = "{\"query_id\":7,\"faithfulness\":0.5,\"correct\":true,\"note\":\"x\",\"tags\":{\"a\":1}}\n\
                    {\"query_id\":\"8\",\"faithfulness\":null,\"correct\":false,\"note\":\"3\"}\n";
        assert_eq!(show(wide), "-: 7 faithfulness=0.5 correct=1, 8 faithfulness=- correct=0");
        let tidy = r#"[{"run":"a","query_id":"q1","metric":"map","value":0.5},{"run":"b","query_id":"q1","metric":"map","value":1},
            {"run":"a","query_id":"q1","metric":"mrr","value":null}]"#;
        assert_eq!(show(tidy), "a: q1 map=0.5 mrr=-; b: q1 map=1");
    }

    #[test]
    fn a_query_stands_once_in_a_run() {
        let row = "{\"query_id\":\"q\",\"map\":1}\n";
        assert_eq!(error(&row.repeat(2)), "saved:2:13: query `q` stands twice (first at line 1)");
        let tidy = "{\"run\":\"a\",\"query_id\":\"q\",\"metric\":\"map\",\"value\":1}\n";
        assert_eq!(error(&tidy.repeat(2)), "saved:2:50: query `q` stands twice (first at line 1)");
        let named = |name: &str| format!("{{\"run\":\"{name}\",\"query_id\":\"q\",\"map\":1}}\n");
        assert_eq!(show(&(named("a") + &named("b"))), "a: q map=1; b: q map=1");
    }

    #[test]
    fn text_among_scores_is_an_error() {
        let text = "{\"query_id\":\"q\",\"map\":1}\n{\"query_id\":\"r\",\"map\":\"n/a\"}";
        assert_eq!(error(text), "saved:2:23: value is not a number: `n/a`");
    }
}
