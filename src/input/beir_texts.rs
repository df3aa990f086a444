//! BEIR's `queries.jsonl` and `corpus.jsonl`: texts by id, with nothing to measure.

use super::json::{QUERY, Sketch};
use super::{Format, Refusal, Role, Sample};

pub(super) static QUERIES: Format = Format {
    name: "beir-queries",
    about: "BEIR queries: _id, text",
    role: Role::Neither(Refusal {
        sentence: "this is a queries file: it holds the texts of queries and no judgments",
        help: "the labels of a BEIR set are in qrels/test.tsv",
    }),
    detect: |sample| texts(sample).is_some_and(|titled| !titled),
    labels: None,
    run: None,
};

pub(super) static CORPUS: Format = Format {
    name: "beir-corpus",
    about: "BEIR corpus: _id, title, text",
    role: Role::Neither(Refusal {
        sentence: "this is a corpus file: it holds the texts of documents and no judgments",
        help: "the labels of a BEIR set are in qrels/test.tsv",
    }),
    detect: |sample| texts(sample).is_some_and(|titled| titled),
    labels: None,
    run: None,
};

/// Whether there are texts by id, and whether they have titles.
fn texts(sample: &Sample) -> Option<bool> {
    let sketch = sample.json()?;
    let is_text = |row: &&Sketch| row.has(&["_id"]) && row.has(&["text"]) && !row.has(QUERY);
    let mut rows = sketch.rows().filter(is_text).peekable();
    rows.peek()?;
    Some(rows.any(|row| row.has(&["title"])))
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;

    #[test]
    fn texts_are_refused_by_what_they_are() {
        let queries = "{\"_id\":\"q1\",\"text\":\"how?\",\"metadata\":{}}\n";
        assert!(labels_error(queries).contains("this is a queries file"));
        let corpus = "{\"_id\":\"d1\",\"title\":\"\",\"text\":\"so\"}\n";
        assert!(run_error(corpus).contains("this is a corpus file"));
    }
}
