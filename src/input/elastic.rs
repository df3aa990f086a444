//! Elasticsearch `_rank_eval` requests: rated documents of each request.

use super::json::{self, FirstLines, Node};
use super::{FaultLog, Format, Reader, Role, Sample};
use crate::error::Fault;
use crate::labels::LabelsBuilder;

pub(super) static LABELS: Format = Format {
    name: "rank-eval",
    about: "Elasticsearch _rank_eval request: requests, ratings",
    role: Role::Labels,
    detect: is_request,
    labels: Some(read_labels),
    run: None,
};

fn is_request(sample: &Sample) -> bool {
    let Some(sketch) = sample.json() else { return false };
    let requests = sketch.document().get(&["requests"]);
    requests.is_some_and(|requests| requests.rows().any(|row| row.has(&["ratings", "request", "template_id"])))
}

fn read_labels(reader: &mut Reader, labels: &mut LabelsBuilder) -> Result<(), Fault> {
    json::whole(reader, |root, log| {
        let mut first_lines = FirstLines::default();
        let requests = root.record()?.need(&["requests"], "`requests`")?;
        for request in requests.list("requests", "a list of requests")? {
            read_request(request, &mut first_lines, labels, log).or_else(|fault| log.skip(fault))?;
        }
        Ok(())
    })
}

fn read_request(
    request: Node<'_>,
    first_lines: &mut FirstLines,
    labels: &mut LabelsBuilder,
    log: &mut FaultLog,
) -> Result<(), Fault> {
    let request = request.record()?;
    let query = request.need(&["id"], "`id`")?.id("query id")?;
    first_lines.once(&query, request.node)?;
    labels.mention(query.as_bytes());
    for rating in request.need(&["ratings"], "`ratings`")?.list("ratings", "a list of ratings")? {
        judge(rating, &query, labels).or_else(|fault| log.skip(fault))?;
    }
    Ok(())
}

fn judge(rating: Node<'_>, query: &str, labels: &mut LabelsBuilder) -> Result<(), Fault> {
    let rating = rating.record()?;
    let document = rating.need(&["_id"], "`_id`")?.id("document id")?;
    let grade = rating.need(&["rating"], "`rating`")?.number("rating")?;
    let judged = labels.judge(query.as_bytes(), document.as_bytes(), grade, rating.node.line());
    judged.map_err(|fault| rating.node.locate(fault))
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;

    #[test]
    fn ratings_are_grades() {
        let text = r#"{"requests":[{"id":"q1","request":{"query":{"match_all":{}}},
            "ratings":[{"_index":"i","_id":"n1","rating":3},{"_index":"i","_id":"n7","rating":0}]},
            {"id":"q2","ratings":[]}],"metric":{"precision":{"k":20}}}"#;
        assert_eq!(show_labels(&labels(text)), "q1: n1=3 n7=0; q2:");
    }

    #[test]
    fn a_rating_must_be_whole() {
        let text = r#"{"requests":[{"id":"q1","ratings":[{"_id":"n1"}]}]}"#;
        assert_eq!(labels_error(text), "labels:1:36: has no `rating`");
        let (labels, notes) = try_labels(text, &skipping()).unwrap();
        assert_eq!((show_labels(&labels), notes.iter().next().unwrap().count), ("q1:".into(), 1));
    }
}
