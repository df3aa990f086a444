//! raglens labels: a row a query with its relevant documents, tags, evidence and gold passages.
//!
//! ```json
//! {"query_id": "q1", "query": "…", "relevant": {"d1": 3, "d9": 0}, "tags": {"type": "policy"},
//!  "answerable": true, "needs_retrieval": true,
//!  "spans": [{"doc_id": "handbook", "start": 0, "end": 300, "grade": 3, "hop": 1}],
//!  "evidence": [{"hop": 1, "any_of": ["d1", "d8"]}]}
//! ```

use super::json::{self, FirstLines, QUERY, QUERY_TEXT, Record, Sketch};
use super::{Format, Reader, Role, Sample};
use crate::error::{Fault, InputErrorKind};
use crate::labels::LabelsBuilder;

pub(super) static LABELS: Format = Format {
    name: "raglens-labels",
    about: "raglens labels: query_id, relevant",
    role: Role::Labels,
    detect: is_labels,
    labels: Some(read_labels),
    run: None,
};

/// Keys that only a row of labels has.
const MARKS: &[&str] = &["spans", "evidence", "answerable", "needs_retrieval"];

/// What a row must have.
const EXPECTED: &str = "`relevant`, `spans` or `evidence` (and no `\"answerable\": false`)";

fn is_labels(sample: &Sample) -> bool {
    sample.json().is_some_and(|sketch| sketch.rows().any(is_row))
}

fn is_row(row: &Sketch) -> bool {
    let is_marked = row.get(&["relevant"]).is_some_and(Sketch::is_nested) || row.has(MARKS);
    (row.has(QUERY) || row.has(QUERY_TEXT)) && is_marked && !row.has(&["results"])
}

fn read_labels(reader: &mut Reader, labels: &mut LabelsBuilder) -> Result<(), Fault> {
    let mut first_lines = FirstLines::default();
    json::each_row(reader, |row, log| {
        if let Some(meta) = json::meta(row) {
            return read_meta(&meta.record()?, labels);
        }
        let query = json::query_id(row)?;
        first_lines.once(&query, row.node)?;
        match row.get(&["relevant"]) {
            Some(relevant) => json::judge(relevant, &query, labels, log)?,
            None if does_without(row)? => {}
            None => return Err(row.node.fault(InputErrorKind::MissingKey { expected: EXPECTED.to_owned() })),
        }
        json::describe(row, &query, labels, log)
    })
}

/// Whether a row says by other means what is relevant, or that nothing is.
fn does_without(row: &Record<'_>) -> Result<bool, Fault> {
    let says = |name: &str, value: bool| {
        row.optional(&[name]).map_or(Ok(false), |node| Ok::<_, Fault>(node.flag(name)? == value))
    };
    let placed = row.optional(&["spans"]).or(row.optional(&["evidence"])).is_some();
    Ok(placed || says("answerable", false)? || says("should_abstain", true)? || says("needs_retrieval", false)?)
}

fn read_meta(meta: &Record<'_>, labels: &mut LabelsBuilder) -> Result<(), Fault> {
    if let Some(unit) = meta.optional(&["offset_unit"]) {
        labels.offset_unit(&unit.text("offset_unit")?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;

    #[test]
    fn a_row_holds_all_that_is_known_of_a_query() {
        let labels = labels(concat!(
            r#"{"meta": {"offset_unit": "char"}}"#,
            "\n",
            r#"{"query_id":"q1","query":"why?","relevant":{"d1":3,"d9":0},"tags":{"type":"x","lang":["de","en"],"n":1,"z":null},"#,
            r#""answerable":true,"needs_retrieval":false,"#,
            r#""spans":[{"doc_id":"h","start":5,"end":9,"grade":3,"hop":2}],"#,
            r#""evidence":[{"hop":1,"any_of":["d1","d8"]},{"any_of":["d9"]}]}"#
        ));
        assert_eq!(labels.offset_unit.as_deref(), Some("char"));
        assert_eq!(show_labels(&labels), "q1: d1=3 d9=0");
        let about = &labels.queries()[0].about;
        assert_eq!(about.text.as_deref(), Some("why?"));
        assert_eq!((about.answerable, about.needs_retrieval), (Some(true), Some(false)));
        let tags: Vec<String> =
            about.tags.iter().map(|(name, values)| format!("{name}={}", values.join("+"))).collect();
        assert_eq!(tags, ["type=x", "lang=de+en", "n=1"]);
        let span = &about.spans[0];
        assert_eq!((span.start, span.end, span.grade, span.hop), (5, 9, 3.0, Some(2)));
        assert_eq!(about.evidence[0].any_of, ["d1".into(), "d8".into()]);
        assert_eq!(about.evidence[1].hop, 2);
    }

    #[test]
    fn relevant_is_a_list_of_ids_of_grades_or_of_passages() {
        let text = r#"[{"query_id":"q1","relevant":["a",7]},{"query_id":"q2","relevant":[{"id":"b","grade":2}]},
            {"query_id":"q3","relevant":[{"doc_id":"g.md","start":0,"end":4}]},{"query_id":"q4","relevant":[]}]"#;
        let labels = labels(text);
        assert_eq!(show_labels(&labels), "q1: a=1 7=1; q2: b=2; q3:; q4:");
        assert_eq!(labels.queries()[2].about.spans[0].document, "g.md".into());
    }

    #[test]
    fn faults_have_their_place() {
        let error = |row: &str| labels_error(&format!("{{\"query_id\":\"q\",\"relevant\":{{}}}}\n{row}"));
        assert_eq!(error(r#"{"query_id":"q"}"#), "labels:2:1: query `q` stands twice (first at line 1)");
        assert_eq!(error(r#"{"relevant":[]}"#), "labels:2:1: has no `query_id`");
        assert_eq!(
            error(r#"{"query_id":"r","relevant":3}"#),
            "labels:2:28: relevant must be an object of grades, or a list of ids: `3`"
        );
        assert_eq!(
            error(r#"{"query_id":"r","spans":[{"doc_id":"d","start":4,"end":2}]}"#),
            "labels:2:56: end must be at least `start`: `2`"
        );
        assert_eq!(
            error(r#"{"query_id":"r","answerable":"no"}"#),
            "labels:2:30: answerable must be true or false: `\"no\"`"
        );
        assert!(
            error(r#"{"query_id":"r","evidence":[{"hop":0,"any_of":[]}]}"#)
                .contains("hop must be a whole number from 1")
        );
        assert_eq!(
            error(r#"{"query_id":"r","evidence":[{"hop":1,"any_of":[]}]}"#),
            "labels:2:47: any_of must be a list of at least one id, or nothing satisfies the hop: `[]`"
        );
    }

    #[test]
    fn a_row_says_what_is_relevant_or_that_nothing_is() {
        let error = |row: &str| labels_error(&format!("{{\"query_id\":\"q\",\"relevant\":{{}}}}\n{row}"));
        let expected = "labels:2:1: has no `relevant`, `spans` or `evidence` (and no `\"answerable\": false`)";
        for rest in [r#""relevent":{"d1":1}"#, r#""results":["d1"]"#, r#""answerable":true"#, r#""spans":null"#] {
            assert_eq!(error(&format!(r#"{{"query_id":"r",{rest}}}"#)), expected, "{rest}");
        }
        for rest in [r#""answerable":false"#, r#""needs_retrieval":false"#, r#""spans":[]"#, r#""evidence":[]"#] {
            assert_eq!(show_labels(&labels(&format!(r#"{{"query_id":"r",{rest}}}"#))), "r:", "{rest}");
        }
    }

    #[test]
    fn a_faulty_entry_costs_only_itself_when_faults_are_skipped() {
        let text = r#"{"query_id":"q","relevant":{"a":1,"b":"x"},"spans":[{"start":1}],"tags":{"t":"v"}}"#;
        let (labels, notes) = try_labels(text, &skipping()).unwrap();
        assert_eq!(show_labels(&labels), "q: a=1");
        assert_eq!((labels.queries()[0].about.tags.len(), notes.iter().next().unwrap().count), (1, 2));
    }

    #[test]
    fn a_passage_with_two_grades_is_refused_where_the_second_one_stands() {
        let row = r#"{"query_id":"q","spans":[{"doc_id":"h","start":0,"end":9,"grade":2}],"relevant":[]}"#;
        let of = |grade: &str| format!("{row}\n{}", row.replace("\"q\"", "\"p\"").replace("2}]", grade));
        let twice = of(r#"2},{"doc_id":"h","start":0,"end":9}]"#);
        let expected = "labels:2:69: query `p`, document `h[0..9)` is judged 1 here and 2 at line 2";
        assert_eq!(labels_error(&twice), expected);
        let graded = of(r#"2},{"doc_id":"h","start":0,"end":9,"grade":3}]"#);
        let expected = "labels:2:109: query `p`, document `h[0..9)` is judged 3 here and 2 at line 2";
        assert_eq!(labels_error(&graded), expected);
        assert_eq!(labels(&of(r#"2},{"doc_id":"h","start":0,"end":9,"grade":2}]"#)).copies(), 1);
        let table = "query_id,doc_id,start,end,grade\nq,h,0,9,2\nq,h,0,9,1\n";
        assert_eq!(labels_error(table), "labels:3:1: query `q`, document `h[0..9)` is judged 1 here and 2 at line 2");
    }
}
