//! LegalBench-RAG benchmarks: the passages of each test, as ranges of characters of a file.

use super::json::{self, FirstLines, Node, Record};
use super::{FaultLog, Format, Reader, Role, Sample};
use crate::error::{Fault, InputErrorKind};
use crate::id::Id;
use crate::labels::{GoldSpan, LabelsBuilder};

pub(super) static LABELS: Format = Format {
    name: "legalbench-rag",
    about: "LegalBench-RAG tests: query, snippets with file_path and span",
    role: Role::Labels,
    detect: is_benchmark,
    labels: Some(read_labels),
    run: None,
};

fn is_benchmark(sample: &Sample) -> bool {
    let Some(sketch) = sample.json() else { return false };
    let tests = sketch.document().get(&["tests"]);
    tests.is_some_and(|tests| tests.rows().any(|row| row.has(&["snippets"])))
}

fn read_labels(reader: &mut Reader, labels: &mut LabelsBuilder) -> Result<(), Fault> {
    json::whole(reader, |root, log| {
        let mut first_lines = FirstLines::default();
        let tests = root.record()?.need(&["tests"], "`tests`")?;
        for test in tests.list("tests", "a list of tests")? {
            read_test(test, &mut first_lines, labels, log).or_else(|fault| log.skip(fault))?;
        }
        Ok(())
    })
}

fn read_test(
    test: Node<'_>,
    first_lines: &mut FirstLines,
    labels: &mut LabelsBuilder,
    log: &mut FaultLog,
) -> Result<(), Fault> {
    let test = test.record()?;
    let query = json::query_id(&test)?;
    first_lines.once(&query, test.node)?;
    json::describe(&test, &query, labels, log)?;
    for snippet in test.need(&["snippets"], "`snippets`")?.list("snippets", "a list of passages")? {
        let judged = snippet.record().and_then(|snippet| span(&snippet));
        let judged = judged.and_then(|span| labels.judge_passage(query.as_bytes(), span, snippet.line()));
        judged.or_else(|fault| log.skip(fault))?;
    }
    Ok(())
}

fn span(snippet: &Record<'_>) -> Result<GoldSpan, Fault> {
    let document = snippet.need(&["file_path"], "`file_path`")?.id("file_path")?;
    let node = snippet.need(&["span"], "`span`")?;
    let [start, end] = node.list("span", "two positions")?[..] else {
        return Err(node.wrong_type("span", "two positions"));
    };
    let (start, end) = (start.whole("span")?, end.whole("span")?);
    if end < start {
        let expected = "two positions in order";
        return Err(node.fault(InputErrorKind::OutOfRange { field: "span", expected, text: node.shown() }));
    }
    Ok(GoldSpan { document: Id::from(&*document), start, end, grade: 1.0, hop: None })
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;

    #[test]
    fn snippets_are_gold_passages() {
        let text = r#"{"tests":[{"query":"term?","snippets":[{"file_path":"nda/b.txt","span":[10,44],"answer":"x"}],"tags":["nda"]},
            {"query":"none?","snippets":[]}]}"#;
        let labels = labels(text);
        assert_eq!(show_labels(&labels), "term?:; none?:");
        let about = &labels.queries()[0].about;
        assert_eq!((about.spans[0].start, about.spans[0].end), (10, 44));
        assert_eq!(about.spans[0].document, "nda/b.txt".into());
        assert_eq!(about.tags, [("tag".into(), vec!["nda".into()])]);
    }

    #[test]
    fn a_span_is_two_positions_in_order() {
        let error = |span: &str| {
            labels_error(&format!(
                "{{\"tests\":[{{\"query\":\"q\",\"snippets\":[{{\"file_path\":\"f\",\"span\":{span}}}]}}]}}"
            ))
        };
        assert_eq!(error("[9,3]"), "labels:1:60: span must be two positions in order: `[9,3]`");
        assert_eq!(error("[1]"), "labels:1:60: span must be two positions: `[1]`");
        assert_eq!(error("[-1,2]"), "labels:1:61: span must be a whole number from 0: `-1`");
    }
}
