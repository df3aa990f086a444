//! AutoRAG QA rows: `retrieval_gt` is a list of groups, of which every one is needed and in each
//! any one document will do.

use super::json::{self, FirstLines, Kind, Node, QUERY};
use super::{FaultLog, Format, Reader, Role, Sample};
use crate::error::Fault;
use crate::id::Id;
use crate::labels::{EvidenceGroup, LabelsBuilder};

pub(super) static LABELS: Format = Format {
    name: "autorag",
    about: "AutoRAG rows: qid, query, retrieval_gt",
    role: Role::Labels,
    detect: is_rows,
    labels: Some(read_labels),
    run: None,
};

const TRUTH: &[&str] = &["retrieval_gt"];

fn is_rows(sample: &Sample) -> bool {
    sample.json().is_some_and(|sketch| sketch.rows().any(|row| row.has(QUERY) && row.has(TRUTH)))
}

fn read_labels(reader: &mut Reader, labels: &mut LabelsBuilder) -> Result<(), Fault> {
    let mut first_lines = FirstLines::default();
    json::each_row(reader, |row, log| {
        let query = json::query_id(row)?;
        first_lines.once(&query, row.node)?;
        json::describe(row, &query, labels, log)?;
        for (hop, group) in (1..).zip(groups(row.need(TRUTH, "`retrieval_gt`")?)?) {
            read_group(&group, hop, &query, labels, log)?;
        }
        Ok(())
    })
}

/// One id or one list of ids is a single group; a group without an id asks for nothing.
fn groups(truth: Node<'_>) -> Result<Vec<Vec<Node<'_>>>, Fault> {
    if truth.kind() != Kind::Array {
        return Ok(vec![vec![truth]]);
    }
    let items = truth.items()?;
    match items.iter().any(|item| item.kind() == Kind::Array) {
        true => {
            let groups = items.iter().map(|item| item.list("retrieval_gt", "a list of lists of ids"));
            groups.filter(|group| group.as_ref().map_or(true, |group| !group.is_empty())).collect()
        }
        false => Ok(vec![items].into_iter().filter(|group| !group.is_empty()).collect()),
    }
}

/// The documents of a group are relevant, too.
fn read_group(
    group: &[Node<'_>],
    hop: u32,
    query: &str,
    labels: &mut LabelsBuilder,
    log: &mut FaultLog,
) -> Result<(), Fault> {
    let mut any_of = Vec::new();
    for document in group {
        match document.id("document id") {
            Ok(id) => {
                labels
                    .judge(query.as_bytes(), id.as_bytes(), 1.0, document.line())
                    .map_err(|fault| document.locate(fault))?;
                any_of.push(Id::from(&*id));
            }
            Err(fault) => log.skip(fault)?,
        }
    }
    labels.about(query.as_bytes()).evidence.push(EvidenceGroup { hop, any_of });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;

    #[test]
    fn groups_are_evidence_and_their_documents_relevant() {
        let text = r#"{"qid":"1","query":"which?","retrieval_gt":[["a","b"],["c"]],"generation_gt":["x"]}"#;
        let labels = labels(text);
        assert_eq!(show_labels(&labels), "1: a=1 b=1 c=1");
        let about = &labels.queries()[0].about;
        let groups: Vec<_> = about.evidence.iter().map(|group| (group.hop, group.any_of.len())).collect();
        assert_eq!((groups, about.text.as_deref()), (vec![(1, 2), (2, 1)], Some("which?")));
    }

    #[test]
    fn one_list_is_one_group() {
        let text =
            r#"[{"qid":"1","retrieval_gt":["a","b"]},{"qid":"2","retrieval_gt":"c"},{"qid":"3","retrieval_gt":[[]]}]"#;
        let labels = labels(text);
        assert_eq!(show_labels(&labels), "1: a=1 b=1; 2: c=1; 3:");
        let groups: Vec<_> = labels.queries().iter().map(|query| query.about.evidence.len()).collect();
        assert_eq!(groups, [1, 1, 0]);
    }

    #[test]
    fn a_group_that_is_no_list_is_named() {
        let error = labels_error(r#"{"qid":"1","retrieval_gt":[["a"],"b"]}"#);
        assert_eq!(error, "labels:1:34: retrieval_gt must be a list of lists of ids: `\"b\"`");
    }
}
