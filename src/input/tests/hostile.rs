//! Hostile bytes and lines against every reader: whatever they hold, nothing panics.

use proptest::prelude::*;

use super::*;

/// Reads bytes in every way there is; only a panic is a failure.
fn survives(bytes: &[u8]) {
    let names = FORMATS.iter().map(|format| Some(format.name.to_owned())).chain([None]);
    for (format, on_error) in names.flat_map(|name| [(name.clone(), OnError::Stop), (name, OnError::Skip)]) {
        let options = ReadOptions { format, on_error, ..ReadOptions::default() };
        let source = || Source::from_reader("hostile", std::io::Cursor::new(bytes.to_vec()));
        if let Ok(source) = source() {
            let _ = read_labels(source, &options, &mut Notes::default()).map_err(|error| error.to_string());
        }
        if let Ok(source) = source() {
            let _ = read_run(source, &options, &mut Notes::default()).map_err(|error| error.to_string());
        }
    }
}

fn hostile_line() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        "[a-z]{0,3}",
        "-?[0-9]{1,3}(\\.[0-9])?",
        Just("qid:1".to_owned()),
        Just("query_id".to_owned()),
        Just("doc_id".to_owned()),
        Just("score".to_owned()),
        Just("\"['a', 'b']\"".to_owned()),
        Just("é\"#".to_owned()),
        Just("NaN".to_owned()),
    ];
    let separator = prop_oneof![Just(" "), Just("\t"), Just(","), Just("\"")];
    (prop::collection::vec(word, 0..8), separator).prop_map(|(words, separator)| words.join(separator).into_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(32) })]

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survives(&bytes);
    }

    #[test]
    fn no_lines_make_a_reader_panic(lines in prop::collection::vec(hostile_line(), 0..12)) {
        survives(&lines.join(&b"\n"[..]));
    }
}
