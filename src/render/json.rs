//! What the JSON of several reports has in common: ids, notes, labels and the files of runs.

use std::borrow::Cow;

use raglens::id::{Id, shown};
use raglens::measure::Better;
use raglens::notes::Note;
use serde::{Serialize, Serializer};

use super::eval::report::{FilePart, LabelsPart};
use super::flags;

/// The name of the schema.
pub const SCHEMA: &str = "raglens/1";

/// An object whose keys keep their order.
pub struct Map<K, V>(pub Vec<(K, V)>);

impl<K, V> Map<K, V> {
    /// Whether it has no entry.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K: Serialize, V: Serialize> Serialize for Map<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// An id as JSON text: as it is, or with `\xNN` where it is not UTF-8. An id that says `\x` itself
/// has its backslashes doubled, so that no two ids become one.
pub fn id_text(id: &Id) -> Cow<'_, str> {
    match std::str::from_utf8(id.as_bytes()) {
        Ok(text) if !text.contains("\\x") => Cow::Borrowed(text),
        _ => Cow::Owned(shown(id.as_bytes())),
    }
}

/// Ids as JSON texts.
pub fn ids<'a>(ids: impl IntoIterator<Item = &'a Id>) -> Vec<Cow<'a, str>> {
    ids.into_iter().map(id_text).collect()
}

/// Which direction of a measure is good, in a word.
pub fn direction(better: Better) -> &'static str {
    match better {
        Better::Higher => "higher",
        Better::Lower => "lower",
        Better::Neither => "neither",
    }
}

/// A note.
#[derive(Serialize)]
pub struct JsonNote<'a> {
    code: &'static str,
    text: String,
    count: u64,
    examples: &'a [String],
}

/// A note as JSON.
pub fn note(note: &Note) -> JsonNote<'_> {
    JsonNote { code: note.kind.code(), text: flags::note(note), count: note.count, examples: &note.examples }
}

/// The labels; what a command does not look at is left out.
#[derive(Serialize)]
pub struct JsonLabels<'a> {
    pub path: &'a str,
    pub bytes: Option<u64>,
    pub hash: &'a str,
    pub read_as: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named_by: Option<&'a str>,
    pub queries: u64,
    pub relevant: u64,
    pub left_out: Vec<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positive_only: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped_lines: Option<u64>,
}

/// The labels and the queries that do not count, as JSON.
pub fn labels<'a>(part: &'a LabelsPart, left_out: impl IntoIterator<Item = &'a Id>) -> JsonLabels<'a> {
    JsonLabels {
        path: &part.file.path,
        bytes: part.file.bytes,
        hash: &part.hash,
        read_as: part.file.read_as_name(),
        named_by: None,
        queries: part.queries,
        relevant: part.relevant,
        left_out: ids(left_out),
        positive_only: None,
        skipped_lines: None,
    }
}

/// A run and its file.
#[derive(Serialize)]
pub struct JsonRunFile<'a> {
    name: &'a str,
    path: &'a str,
    bytes: Option<u64>,
    modified: Option<&'a str>,
    read_as: &'a str,
}

/// A run and its file as JSON.
pub fn run_file<'a>(name: &'a str, file: &'a FilePart, modified: Option<&'a str>) -> JsonRunFile<'a> {
    JsonRunFile { name, path: &file.path, bytes: file.bytes, modified, read_as: file.read_as_name() }
}
