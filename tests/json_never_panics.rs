//! Whatever bytes a file holds, reading it ends with labels, a run or an error.

use proptest::prelude::*;

use raglens::input::{
    FORMATS, OnError, ReadOptions, Source, read_answers, read_both, read_chunks, read_labels, read_run, read_saved,
};
use raglens::notes::Notes;

/// Keys and words that the layouts know.
const WORDS: &[&str] = &[
    "query_id",
    "qid",
    "query",
    "question",
    "doc_id",
    "id",
    "_id",
    "score",
    "rank",
    "grade",
    "relevance",
    "relevant",
    "results",
    "meta",
    "tags",
    "spans",
    "evidence",
    "any_of",
    "hop",
    "start",
    "end",
    "step",
    "latency_ms",
    "answered",
    "correct",
    "allowed_roles",
    "role",
    "config",
    "expected_ids",
    "retrieved_ids",
    "retrieval_gt",
    "requests",
    "ratings",
    "rating",
    "tests",
    "snippets",
    "span",
    "file_path",
    "queries",
    "relevant_docs",
    "inputs",
    "outputs",
    "reference_outputs",
    "doc_ids",
    "schema",
    "raglens/1",
    "runs",
    "name",
    "per_query",
    "metric",
    "value",
    "rankings",
    "ids",
    "retrieved",
    "text",
    "a",
    "",
];

fn word() -> impl Strategy<Value = String> {
    prop::sample::select(WORDS).prop_map(|word| format!("\"{word}\""))
}

/// Values that are easily misread.
const ODD: &[&str] =
    &["null", "true", "7", "7.0", "1e3", "-0", "1e999", "NaN", "\"\\ud800\"", "\"007\"", "\"1,9\"", "\"\\u0000\""];

fn scalar() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(ODD).prop_map(str::to_owned);
    prop_oneof![word(), odd, any::<u32>().prop_map(|number| number.to_string())]
}

/// JSON made of known words.
fn json() -> impl Strategy<Value = String> {
    scalar().prop_recursive(5, 40, 5, |inner| {
        let entry = (word(), inner.clone()).prop_map(|(key, value)| format!("{key}: {value}"));
        prop_oneof![
            prop::collection::vec(inner, 0..5).prop_map(|items| format!("[{}]", items.join(", "))),
            prop::collection::vec(entry, 0..5).prop_map(|entries| format!("{{{}}}", entries.join(","))),
        ]
    })
}

/// Lines of JSON, cut off or with a foreign byte.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let lines = prop::collection::vec(json(), 1..4).prop_map(|lines| lines.join("\n").into_bytes());
    (lines, any::<prop::sample::Index>(), any::<u8>(), 0..4_u8).prop_map(|(mut text, at, byte, harm)| {
        let at = at.index(text.len());
        match harm {
            0 => text.truncate(at),
            1 => text[at] = byte,
            _ => {}
        }
        text
    })
}

fn read_every_way(text: &[u8]) {
    let names = FORMATS.iter().map(|format| Some(format.name.to_owned()));
    for format in names.chain([None]) {
        // Skipping faults reads on where stopping ends.
        for on_error in [OnError::Stop, OnError::Skip].into_iter().skip(usize::from(format.is_some())) {
            let options = ReadOptions { format: format.clone(), on_error, ..ReadOptions::default() };
            let source = || Source::from_bytes("file", text.to_vec());
            let notes = &mut Notes::default();
            let errors = [
                read_labels(source(), &options, notes).err(),
                read_run(source(), &options, notes).err(),
                read_both(source(), &options, notes).err(),
                read_saved(source(), &options, notes).err(),
                read_answers(source(), &options, notes).err(),
                read_chunks(source(), &options, notes).err(),
            ];
            for error in errors.into_iter().flatten() {
                assert_eq!(error.to_string().lines().count(), 1);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn json_of_known_words_is_read_or_refused(text in text()) {
        read_every_way(&text);
    }

    #[test]
    fn any_bytes_are_read_or_refused(text in prop::collection::vec(any::<u8>(), 0..200)) {
        read_every_way(&text);
    }
}
