//! What reports over labels and runs have in common: the files, the conventions, and how they are
//! shown.

use std::borrow::Cow;

use raglens::id::Id;
use raglens::notes::Notes;
use serde::Serialize;
use serde_json::value::RawValue;

use super::eval::conventions_json;
use super::eval::report::{Conventions, FilePart, LabelsPart};
use super::json::{self, JsonLabels, JsonRunFile, Map, ids, run_file};
use super::number::exact;
use super::page::Block;

/// Labels, runs and conventions of a report.
#[derive(Debug)]
pub struct Frame {
    /// The conventions in force.
    pub conventions: Conventions,
    /// The labels.
    pub labels: LabelsPart,
    /// Queries that do not count: unanswerable ones, and those without a relevant document.
    pub left_out: Vec<Id>,
    /// Queries that not all runs answer and that are left out for it.
    pub not_in_all: Vec<Id>,
    /// The runs.
    pub runs: Vec<RunFact>,
    /// What a reader must know.
    pub notes: Notes,
}

/// A run and its file.
#[derive(Debug, Clone)]
pub struct RunFact {
    /// Its name.
    pub name: String,
    /// The file.
    pub file: FilePart,
    /// When the file was last changed.
    pub modified: Option<String>,
    /// Queries that count and that it does not answer.
    pub missing: Vec<Id>,
}

impl Frame {
    /// Every file: labels first, then runs.
    pub fn files(&self) -> Vec<&FilePart> {
        std::iter::once(&self.labels.file).chain(self.runs.iter().map(|run| &run.file)).collect()
    }

    /// The conventions in the words of the options, those that are unusual only where they are.
    pub fn conventions(&self, first: Vec<String>) -> Block {
        let used = &self.conventions;
        let mut parts = first;
        parts.extend([
            format!("rel {}", exact(used.rel)),
            format!("ties {}", used.ties),
            format!("over {}", used.over),
        ]);
        let unusual = [
            (used.collapse.is_some(), format!("level {}", used.level)),
            (used.no_relevant != "skip", format!("no-relevant {}", used.no_relevant)),
            (used.duplicates != "error", format!("duplicates {}", used.duplicates)),
            (used.drop_self, "drop-self".to_owned()),
            (!used.query_id_edits.is_empty(), "query ids edited".to_owned()),
            (!used.document_id_edits.is_empty(), "document ids edited".to_owned()),
        ];
        parts.extend(unusual.into_iter().filter_map(|(holds, text)| holds.then_some(text)));
        let like = used.like.as_ref().map_or_else(String::new, |like| format!("like {like}: "));
        Block::Conventions(like + &parts.join(", "))
    }

    /// How many queries are left out, in brackets; empty for none.
    pub fn aside(&self) -> String {
        match self.left_out.len() + self.not_in_all.len() {
            0 => String::new(),
            count => format!(" ({count} left out)"),
        }
    }

    /// The same for programs.
    pub fn json(&self) -> JsonFrame<'_> {
        let not_used = ["average", "ci", "bootstrap"];
        let conventions = conventions_json(&self.conventions).into_iter();
        let conventions = conventions.filter(|(name, _)| !not_used.contains(&name.as_str()));
        let raw = |(name, text)| Some((name, RawValue::from_string(text).ok()?));
        JsonFrame {
            conventions: Map(conventions.filter_map(raw).collect()),
            labels: JsonLabels {
                skipped_lines: Some(self.labels.file.skipped_lines),
                ..json::labels(&self.labels, &self.left_out)
            },
            files: self.runs.iter().map(run).collect(),
            not_in_all: ids(&self.not_in_all),
        }
    }
}

/// Labels, runs and conventions in JSON.
#[derive(Serialize)]
pub struct JsonFrame<'a> {
    conventions: Map<String, Box<RawValue>>,
    labels: JsonLabels<'a>,
    files: Vec<JsonRun<'a>>,
    not_in_all: Vec<Cow<'a, str>>,
}

#[derive(Serialize)]
struct JsonRun<'a> {
    #[serde(flatten)]
    file: JsonRunFile<'a>,
    missing: Vec<Cow<'a, str>>,
    skipped_lines: u64,
}

fn run(run: &RunFact) -> JsonRun<'_> {
    JsonRun {
        file: run_file(&run.name, &run.file, run.modified.as_deref()),
        missing: ids(&run.missing),
        skipped_lines: run.file.skipped_lines,
    }
}
