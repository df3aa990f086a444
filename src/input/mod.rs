//! Reading labels and runs: open → detect → one reader per format → join.
//!
//! A format is a file in this folder and two lines here: its `mod` and its row in [`FORMATS`].
//! A reader turns text into judgments or rows and reports a [`Fault`] where it cannot; what
//! happens then (stop, or count and go on) is decided in [`FaultLog`], which file it was in [`read_labels`] and
//! [`read_run`].

mod alike;
mod blocks;
mod both;
mod c_number;
mod cells;
mod columns;
mod container;
mod cutter;
mod detect;
mod gzip;
mod header;
mod iterations;
mod join;
mod json;
mod lines;
mod log;
mod number;
mod open;
mod opening;
mod order;
mod progress;
mod python;
mod rows;
mod sample;
mod saved;
mod taking;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod utf16;
mod words;

mod answers;
mod autorag;
mod beir_texts;
mod chroma;
mod chunks;
mod deepeval;
mod dict_of_dict;
mod dict_of_lists;
mod elastic;
mod flat_rows;
mod langsmith;
mod legalbench;
mod letor;
mod list_table;
mod llama_index;
mod mlflow;
mod mteb_predictions;
mod narrow;
mod phoenix;
mod query_lists;
mod ragas;
mod raglens_labels;
mod raglens_run;
mod table;
mod texts;
mod trec;
mod trec_groups;
mod unknown_json;

pub use answers::{Answer, Answers, looks_like_answers, read_answers};
pub use both::read_both;
pub use c_number::{c_float, c_integer};
pub use chunks::{Chunks, MappedChunk, read_chunks};
pub use columns::Separator;
pub(crate) use columns::is_blank;
pub use container::Container;
pub use detect::looks_like;
pub use header::Header;
pub use join::{IdKind, JoinError, Mend, Mismatch, Remedy, join, mismatch};
pub use lines::{Line, Lines};
pub use log::{FaultCount, FaultLog, OnError};
pub use open::Source;
pub use progress::{FileProgress, Progress};
pub use sample::{Position, Sample};
pub use saved::{SavedRanking, SavedRun, SavedScores, looks_like_saved, read_saved};
pub use texts::read_texts;

use crate::error::{Fault, InputError, InputErrorKind};
use crate::labels::{DuplicateLabels, Labels, LabelsBuilder};
use crate::notes::{NoteKind, Notes};
use crate::run::{Run, RunBuilder, RunSink};

/// Every format, in the order in which they are tried.
#[rustfmt::skip]
pub static FORMATS: &[&Format] = &[
    &mlflow::BOTH, &list_table::BOTH, &list_table::LABELS, &list_table::RUN, &phoenix::RUN, &chroma::LABELS,
    &llama_index::ROWS, &ragas::ROWS, &query_lists::BOTH,
    &raglens_labels::LABELS, &raglens_run::RUN, &query_lists::LABELS, &query_lists::RUN,
    &flat_rows::LABELS, &flat_rows::RUN, &flat_rows::EITHER, &flat_rows::BOTH,
    &langsmith::ROWS, &autorag::LABELS,
    &query_lists::SCORED, &llama_index::NODES, &ragas::OBJECTS, &saved::JSON,
    &chunks::JSON, &ragas::TEXTS, &deepeval::CASES, &beir_texts::QUERIES, &beir_texts::CORPUS,
    &llama_index::DATASET, &mteb_predictions::RUN, &elastic::LABELS, &legalbench::LABELS,
    &dict_of_dict::EITHER, &dict_of_lists::EITHER, &unknown_json::UNKNOWN,
    &chunks::TABLE, &saved::TABLE, &letor::LABELS, &trec::RUN, &trec::LABELS,
    &table::QUEPID, &table::BEIR, &table::BOTH, &table::LABELS, &table::RUN, &table::EITHER,
    &trec_groups::JUDGMENT_GROUPS, &trec_groups::PREFS, &trec_groups::QRELS_PREFS,
    &narrow::GRADES, &narrow::RANKS, &narrow::SCORES, &narrow::RANKS_OR_SCORES, &narrow::TEXTS, &narrow::PAIRS,
];

/// One row of the table: how a format is recognised and read.
#[derive(Debug)]
pub struct Format {
    /// The name, by which [`ReadOptions::format`] asks for it.
    pub name: &'static str,
    /// What the format is, as messages say it: `TREC run: qid iter docid rank score tag`.
    pub about: &'static str,
    /// What a file of the format holds.
    pub role: Role,
    /// Whether the start of a file is in this format.
    pub detect: fn(&Sample) -> bool,
    /// Reads labels.
    pub labels: Option<LabelsReader>,
    /// Reads a run.
    pub run: Option<RunReader>,
}

/// Reads the labels of a file into a builder.
pub type LabelsReader = fn(&mut Reader, &mut LabelsBuilder) -> Result<(), Fault>;

/// Reads the results of a file into a sink.
pub type RunReader = fn(&mut Reader, &mut dyn RunSink) -> Result<(), Fault>;

/// What a file of a format holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Labels.
    Labels,
    /// A run.
    Run,
    /// Either: the position of the argument decides.
    ByPosition,
    /// Labels and results side by side.
    Both,
    /// Scores per query, which are compared and not measured.
    Saved,
    /// Neither: the format is known, and refused with a sentence that helps.
    Neither(Refusal),
}

/// Why a format is refused, and what to do instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// What the file is.
    pub sentence: &'static str,
    /// What to do.
    pub help: &'static str,
}

/// A file that is being read.
pub struct Reader {
    /// The text.
    pub source: Source,
    /// Its start, as detection saw it, with the place of the file among the arguments.
    pub sample: Sample,
    /// Where faults go.
    pub log: FaultLog,
    /// What the caller asked for.
    pub options: ReadOptions,
}

/// How to read a file.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// The name of a format; detected when `None`.
    pub format: Option<String>,
    /// What happens after a fault.
    pub on_error: OnError,
    /// The part to read of a file that holds several runs side by side (MTEB's subsets and splits).
    pub subset: Option<String>,
    /// What happens to pairs that are judged twice with different grades.
    pub duplicate_labels: DuplicateLabels,
    /// Whether a run may hold no row at all.
    pub allow_empty: bool,
    /// Who is told how far files have been read.
    pub progress: Option<Progress>,
    /// Reads TREC files as trec_eval does, where it takes them otherwise.
    pub trec_eval: Option<TrecEvalReading>,
}

/// How trec_eval takes the lines of TREC files: whole numbers as grades, six columns in a run, and
/// the tag of the last line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TrecEvalReading {
    /// Takes as much of a field as is a number, and 0 where nothing is, as C's atol and atof do;
    /// otherwise such a field is a fault.
    pub lenient: bool,
}

/// What became known of a file while it was read.
#[derive(Debug, Clone)]
pub struct FileFacts {
    /// The path as the user wrote it.
    pub path: String,
    /// Size on disk in bytes; `None` for a pipe.
    pub bytes: Option<u64>,
    /// How it was packed.
    pub container: Container,
    /// The format it was read as.
    pub format: &'static Format,
    /// Rows that were left out because they are faulty.
    pub skipped: u64,
    /// The same by what is wrong with them.
    pub faults: Vec<FaultCount>,
}

/// Reads labels.
///
/// # Errors
/// The first fault of the file, unless faults are skipped; a file that is no labels file, or that
/// holds no judgment.
pub fn read_labels(
    source: Source,
    options: &ReadOptions,
    notes: &mut Notes,
) -> Result<(Labels, FileFacts), InputError> {
    let mut builder = LabelsBuilder::new(options.duplicate_labels);
    let facts = read(source, Position::Labels, options, notes, |format, reader| {
        let read = format.labels.ok_or_else(|| detect::refusal(format, "labels"))?;
        read(reader, &mut builder)
    })?;
    let labels = builder.finish();
    if facts.format.role == Role::ByPosition {
        notes.add_count(NoteKind::GradesLookLikeScores, &facts.path, scores_among(&labels));
    }
    match labels.queries().is_empty() {
        true => Err(empty(&facts, "labels")),
        false => Ok((labels, facts)),
    }
}

/// How many grades are fractions below 0 or above 1, when most of them are.
fn scores_among(labels: &Labels) -> u64 {
    let is_score = |grade: f64| grade.fract() != 0.0 && !(0.0..=1.0).contains(&grade);
    let grades = || labels.queries().iter().flat_map(|query| query.judgments().map(|(_, grade)| grade));
    let scores = grades().filter(|&grade| is_score(grade)).count();
    if scores * 2 > grades().count() { scores as u64 } else { 0 }
}

/// Reads a run.
///
/// # Errors
/// The first fault of the file, unless faults are skipped; a file that is no run, or that holds no
/// row when [`ReadOptions::allow_empty`] is not set.
pub fn read_run(source: Source, options: &ReadOptions, notes: &mut Notes) -> Result<(Run, FileFacts), InputError> {
    let mut builder = RunBuilder::new();
    let facts = read_run_into(source, options, notes, &mut builder)?;
    Ok((builder.finish(), facts))
}

/// Reads a run into a sink.
///
/// # Errors
/// As [`read_run`].
pub fn read_run_into(
    source: Source,
    options: &ReadOptions,
    notes: &mut Notes,
    sink: &mut dyn RunSink,
) -> Result<FileFacts, InputError> {
    let facts = read(source, Position::Run, options, notes, |format, reader| {
        let read = format.run.ok_or_else(|| detect::refusal(format, "a run"))?;
        mteb_predictions::check_subset(format, options)?;
        read(reader, sink)
    })?;
    match sink.is_empty() && !options.allow_empty {
        true => Err(empty(&facts, "a run")),
        false => Ok(facts),
    }
}

fn read(
    source: Source,
    position: Position,
    options: &ReadOptions,
    notes: &mut Notes,
    read: impl FnOnce(&'static Format, &mut Reader) -> Result<(), Fault>,
) -> Result<FileFacts, InputError> {
    read_as(source, position, options, notes, detect::format, read)
}

/// Reads a file as what `choose` makes of its start.
fn read_as(
    mut source: Source,
    position: Position,
    options: &ReadOptions,
    notes: &mut Notes,
    choose: impl FnOnce(&Sample, &ReadOptions) -> Result<&'static Format, Fault>,
    read: impl FnOnce(&'static Format, &mut Reader) -> Result<(), Fault>,
) -> Result<FileFacts, InputError> {
    if let Some(progress) = &options.progress {
        progress.begin(&source);
    }
    let path = source.path().to_owned();
    let here = |fault: Fault| fault.in_file(&path, None);
    let sample = source.sample(position).map_err(here)?;
    let format = choose(&sample, options).map_err(here)?;
    let (bytes, container) = (source.bytes(), source.container());
    notes.add_count(NoteKind::ConvertedFromUtf16, &path, u64::from(source.converted()));
    let log = FaultLog::new(&path, options.on_error);
    let mut reader = Reader { source, sample, log, options: options.clone() };
    read(format, &mut reader).map_err(|fault| fault.in_file(&path, Some(format.about)))?;
    let (skipped, faults) = (reader.log.skipped(), reader.log.faults().to_vec());
    notes.extend(reader.log.into_notes());
    Ok(FileFacts { path, bytes, container, format, skipped, faults })
}

/// A file without a row: there never was one, or all are faulty.
fn empty(facts: &FileFacts, expected: &'static str) -> InputError {
    let kind = match facts.skipped {
        0 => InputErrorKind::Empty { expected },
        skipped => InputErrorKind::NothingLeft { skipped },
    };
    Fault::of_file(kind).in_file(&facts.path, Some(facts.format.about))
}
