//! Reading what a command measures: labels and runs.

use std::collections::{HashMap, HashSet};
use std::time::{SystemTime, UNIX_EPOCH};

use super::failure::Failure;
use super::names::RunArgument;
use super::progress;
use super::shell::{invoked, quoted};
use super::words::Words;
use crate::render::errors::Message;
use crate::render::eval::report::FilePart;
use clap::Args;
use raglens::error::{InputError, InputErrorKind};
use raglens::id::Id;
use raglens::input::{
    Container, FileFacts, OnError, Position, ReadOptions, Role, Source, looks_like, read_both, read_labels, read_run,
    read_texts,
};
use raglens::labels::{DuplicateLabels, Labels};
use raglens::notes::{NoteKind, Notes};
use raglens::run::Run;

/// Labels with their file.
#[derive(Debug)]
pub struct ReadLabels {
    /// The labels.
    pub labels: Labels,
    /// The file.
    pub file: FilePart,
    /// What a reader must know of it.
    pub notes: Notes,
}

/// A run with its file.
#[derive(Debug)]
pub struct ReadRun {
    /// The rankings.
    pub run: Run,
    /// The file.
    pub file: FilePart,
    /// What a reader must know of it.
    pub notes: Notes,
}

/// The words of `--on-error`.
pub static ON_ERROR: Words<OnError> = Words(&[
    ("stop", OnError::Stop, "stop at the first faulty row"),
    ("skip", OnError::Skip, "leave faulty rows out and count them"),
]);

/// The words of `--duplicate-labels`.
pub static DUPLICATE_LABELS: Words<DuplicateLabels> = Words(&[
    ("error", DuplicateLabels::Error, "stop and show both lines"),
    ("max", DuplicateLabels::Max, "keep the largest grade"),
    ("last", DuplicateLabels::Last, "keep the grade that stands last"),
]);

/// Options about reading files.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Reading")]
pub struct ReadingArgs {
    /// The format of the labels, when it is not recognised
    #[arg(long, value_name = "FORMAT", hide_short_help = true)]
    pub labels_format: Option<String>,

    /// The format of the runs, when it is not recognised
    #[arg(long, value_name = "FORMAT", hide_short_help = true)]
    pub run_format: Option<String>,

    /// The subset to read of a run file that holds several, such as MTEB predictions
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub subset: Option<String>,

    /// What to do at a faulty row
    #[arg(long, value_name = "WHAT", default_value = "stop", hide_short_help = true, value_parser = ON_ERROR.parser())]
    pub on_error: OnError,

    /// What to do when a pair is judged twice with different grades
    #[arg(long, value_name = "WHAT", default_value = "error", hide_short_help = true, value_parser = DUPLICATE_LABELS.parser())]
    pub duplicate_labels: DuplicateLabels,

    /// Score a run without results instead of refusing it
    #[arg(long, hide_short_help = true)]
    pub allow_empty: bool,
}

impl ReadingArgs {
    /// How labels are read.
    pub fn labels_options(&self) -> ReadOptions {
        self.options(self.labels_format.as_ref())
    }

    /// How runs are read.
    pub fn run_options(&self) -> ReadOptions {
        self.options(self.run_format.as_ref())
    }

    fn options(&self, format: Option<&String>) -> ReadOptions {
        let (on_error, duplicate_labels) = (self.on_error, self.duplicate_labels);
        let (format, subset) = (format.cloned(), self.subset.clone());
        ReadOptions {
            format,
            on_error,
            subset,
            duplicate_labels,
            allow_empty: self.allow_empty,
            progress: Some(progress::shared()),
            trec_eval: None,
        }
    }
}

/// Reads labels; `runs` are looked at only to see whether the arguments are swapped.
///
/// # Errors
/// The first fault of the file.
pub fn labels(path: &str, runs: &[RunArgument], reading: &ReadingArgs) -> Result<ReadLabels, Failure> {
    let mut notes = Notes::default();
    let read = Source::open(path).and_then(|source| read_labels(source, &reading.labels_options(), &mut notes));
    let (labels, facts) = read.map_err(|error| misplaced(&error, runs, reading).unwrap_or_else(|| error.into()))?;
    Ok(labels_with(labels, facts, notes))
}

/// Reads labels from a source that is open.
///
/// # Errors
/// The first fault of the file.
pub fn labels_from(source: Source, reading: &ReadingArgs) -> Result<ReadLabels, InputError> {
    let mut notes = Notes::default();
    let (labels, facts) = read_labels(source, &reading.labels_options(), &mut notes)?;
    Ok(labels_with(labels, facts, notes))
}

/// Reads labels and a run from one file.
///
/// # Errors
/// The first fault of the file; a file that holds one of the two alone.
pub fn both(path: &str, reading: &ReadingArgs) -> Result<(ReadLabels, ReadRun), Failure> {
    let mut notes = Notes::default();
    let read = Source::open(path).and_then(|source| read_both(source, &reading.labels_options(), &mut notes));
    let (labels, run, facts) = read.map_err(|error| named(&error, &[]).unwrap_or_else(|| error.into()))?;
    let run = ReadRun { run, file: file(facts.clone()), notes: Notes::default() };
    Ok((labels_with(labels, facts, notes), run))
}

fn labels_with(labels: Labels, facts: FileFacts, mut notes: Notes) -> ReadLabels {
    notes.add_count(NoteKind::RepeatedJudgments, &facts.path, labels.copies());
    notes.add_count(NoteKind::OverruledJudgments, &facts.path, labels.overruled());
    notes.add_count(NoteKind::PooledNotJudged, &facts.path, labels.pooled_only());
    ReadLabels { labels, file: file(facts), notes }
}

/// Reads a run into memory.
///
/// # Errors
/// The first fault of the file.
pub fn run(path: &str, reading: &ReadingArgs) -> Result<ReadRun, InputError> {
    let mut notes = Notes::default();
    let (run, facts) = read_run(Source::open(path)?, &reading.run_options(), &mut notes)?;
    Ok(ReadRun { run, file: file(facts), notes })
}

/// Reads the texts of some queries or documents.
///
/// # Errors
/// The first fault of the file.
pub fn texts(path: &str, wanted: &HashSet<Id>, reading: &ReadingArgs) -> Result<HashMap<Id, String>, InputError> {
    let options = ReadOptions { format: None, ..reading.labels_options() };
    let read = Source::open(path).and_then(|source| read_texts(source, wanted, &options, &mut Notes::default()));
    Ok(read?.0)
}

/// What is shown of a file.
pub fn file(facts: FileFacts) -> FilePart {
    let read_as = facts.format.about;
    let packed = match facts.container {
        Container::Plain => None,
        Container::Gzip => Some("gzip"),
        Container::Zstd => Some("zstd"),
    };
    FilePart { packed, path: facts.path, bytes: facts.bytes, read_as, skipped_lines: facts.skipped }
}

/// Checks that standard input is read by one argument at most.
///
/// # Errors
/// When `-` stands twice.
pub fn check_standard_input(labels: &str, runs: &[RunArgument]) -> Result<(), Failure> {
    let paths = std::iter::once(labels).chain(runs.iter().map(|run| run.path.as_str()));
    match paths.filter(|path| ["-", "/dev/stdin", "/dev/fd/0"].contains(path)).count() {
        0 | 1 => Ok(()),
        _ => Err(Message::new("standard input (`-`) can be read only once").into()),
    }
}

/// The failure of another file in the place of the labels.
fn misplaced(error: &InputError, runs: &[RunArgument], reading: &ReadingArgs) -> Option<Failure> {
    swapped(error, runs, reading).or_else(|| named(error, runs))
}

/// The failure of `name=path` in the place of the labels, which take no name.
fn named(error: &InputError, runs: &[RunArgument]) -> Option<Failure> {
    let (text, first) = (error.file(), RunArgument::parse(error.file()));
    first.name.as_ref().filter(|_| can_be_read(&first))?;
    if holds_labels(&first) {
        let title = format!("`{text}` holds labels, which take no name");
        let command = command(std::iter::once(&RunArgument::of_path(&first.path)).chain(runs));
        return Some(Failure::new(title, format!("only runs are named:\n{command}")));
    }
    let labels = runs.iter().find(|run| can_be_read(run) && holds_labels(run));
    let others = runs.iter().filter(|run| Some(*run) != labels);
    let place = labels.map_or("LABELS", |labels| &labels.path);
    let command = command([&RunArgument::of_path(place), &first].into_iter().chain(others));
    let title = format!("`{text}` names a run, and labels come first");
    Some(Failure::new(title, format!("labels take no name:\n{command}")))
}

/// A command that reads the files.
fn command<'a>(files: impl Iterator<Item = &'a RunArgument>) -> String {
    let words = ["raglens".to_owned(), invoked().to_owned()].into_iter();
    words.chain(files.map(|file| quoted(&file.to_string()))).collect::<Vec<String>>().join(" ")
}

/// Whether a file can be looked at: a pipe is read already, or would be taken away from the one who
/// reads it next.
fn can_be_read(run: &RunArgument) -> bool {
    std::fs::metadata(&run.path).is_ok_and(|found| found.is_file())
}

/// Whether a file holds labels even where a run is expected.
fn holds_labels(run: &RunArgument) -> bool {
    let role = Source::open(&run.path)
        .and_then(|mut source| looks_like(&mut source, Position::Run).map_err(|fault| fault.in_file(&run.path, None)));
    role.is_ok_and(|format| format.role == Role::Labels)
}

/// The failure of labels and a run in each other's place.
fn swapped(error: &InputError, runs: &[RunArgument], reading: &ReadingArgs) -> Option<Failure> {
    let is_wrong_role = |error: &InputError| matches!(error.kind(), InputErrorKind::WrongRole { .. });
    let first = runs.first().filter(|_| is_wrong_role(error)).filter(|run| can_be_read(run))?;
    run(&first.path, reading).err().filter(is_wrong_role)?;
    let title = "the first file looks like a run and the second like labels";
    let command = command([&RunArgument::of_path(&first.path), &RunArgument::of_path(error.file())].into_iter());
    let help = format!("labels come first:\n{command}");
    Some(Failure::new(title, help))
}

/// When a file was last changed, in UTC to the second.
pub fn modified(path: &str) -> Option<String> {
    let metadata = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    Some(timestamp(metadata.modified().ok()?))
}

/// A time as `2026-11-30T07:40:53Z`.
pub fn timestamp(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = civil_date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day of a number of days since 1970-01-01 (Hinnant, "chrono-compatible
/// low-level date algorithms").
fn civil_date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    (year, month, of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn times_are_dates_in_utc() {
        let at = |seconds| timestamp(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_798_761_599), "2026-12-31T23:59:59Z");
    }
}
