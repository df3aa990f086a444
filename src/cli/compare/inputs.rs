//! What is compared: runs that are to be scored, and scores that were saved.

use std::path::Path;

use raglens::input::{Position, Role, SavedRun, SavedScores, Source, looks_like, read_run, read_saved};
use raglens::notes::Notes;
use rayon::prelude::*;

use crate::cli::failure::Failure;
use crate::cli::inputs::{self, ReadRun, ReadingArgs};
use crate::cli::names::RunArgument;
use crate::render::errors::Message;
use crate::render::eval::report::FilePart;

/// An argument: a path, with a name for it or one run picked out of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// The path and the name.
    pub run: RunArgument,
    /// The run to pick out of a file with several.
    pub pick: Option<String>,
}

impl Argument {
    /// Reads `path`, `name=path`, `path:run` or `name=path:run`; a path that exists is a path.
    pub fn parse(text: &str) -> Self {
        let run = RunArgument::parse(text);
        match run.path.rsplit_once(':') {
            Some((path, pick)) if !Path::new(&run.path).exists() && Path::new(path).exists() && !pick.is_empty() => {
                let pick = Some(pick.to_owned());
                Self { run: RunArgument { path: path.to_owned(), ..run.clone() }, pick }
            }
            _ => Self { run, pick: None },
        }
    }
}

/// A file that is open and whose kind is known.
pub struct Opened {
    argument: Argument,
    source: Source,
    /// Whether it holds saved scores.
    pub is_saved: bool,
}

/// Something to compare.
#[derive(Debug)]
pub struct Input {
    /// The path, and the name where one was given or the file gives several.
    pub argument: RunArgument,
    /// The name that the file gives, for when file names do not tell runs apart.
    pub tag: Option<String>,
    /// The file.
    pub file: FilePart,
    /// What a reader must know of it.
    pub notes: Notes,
    /// What it holds.
    pub content: Content,
}

/// What an input holds.
#[derive(Debug)]
pub enum Content {
    /// Scores.
    Saved(SavedRun, Origin),
    /// Rankings.
    Run(Box<ReadRun>),
}

/// Where scores come from: labels and conventions, as far as is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The hash of the labels.
    pub labels_hash: Option<String>,
    /// Names and values of the conventions, values as JSON.
    pub conventions: Vec<(String, String)>,
}

/// Opens every file and looks at what it is; `misplaced` says what to do about one with labels.
///
/// # Errors
/// When one cannot be opened or holds labels, or standard input is given twice.
pub fn open(
    arguments: Vec<Argument>,
    reading: &ReadingArgs,
    misplaced: impl Fn(&str) -> String,
) -> Result<Vec<Opened>, Failure> {
    if arguments.iter().filter(|argument| argument.run.path == "-").count() > 1 {
        return Err(Message::new("standard input (`-`) can be read only once").into());
    }
    arguments.into_iter().map(|argument| open_one(argument, reading, &misplaced)).collect()
}

fn open_one(argument: Argument, reading: &ReadingArgs, misplaced: impl Fn(&str) -> String) -> Result<Opened, Failure> {
    let mut source = Source::open(&argument.run.path)?;
    let options = reading.run_options();
    let role = match &options.format {
        Some(format) if format == "scores" => Some(Role::Saved),
        Some(_) => None,
        // Who reads the file says what is wrong with it.
        None => looks_like(&mut source, Position::Run).ok().map(|format| format.role),
    };
    if role == Some(Role::Labels) {
        let path = &argument.run.path;
        return Err(Failure::new(format!("{path} holds labels, expected a run or saved scores"), misplaced(path)));
    }
    let is_saved = role == Some(Role::Saved);
    Ok(Opened { argument, source, is_saved })
}

impl Opened {
    /// The path of the file.
    pub fn path(&self) -> &str {
        &self.argument.run.path
    }
}

/// Reads every file, in parallel.
///
/// # Errors
/// The fault of the first file that has one.
pub fn read(opened: Vec<Opened>, reading: &ReadingArgs) -> Result<Vec<Input>, Failure> {
    let read: Vec<Result<Vec<Input>, Failure>> =
        opened.into_par_iter().map(|opened| read_one(opened, reading)).collect();
    Ok(read.into_iter().collect::<Result<Vec<_>, Failure>>()?.into_iter().flatten().collect())
}

fn read_one(opened: Opened, reading: &ReadingArgs) -> Result<Vec<Input>, Failure> {
    let Opened { argument, source, is_saved } = opened;
    let (options, mut notes) = (reading.run_options(), Notes::default());
    if is_saved {
        let (scores, facts) = read_saved(source, &options, &mut notes)?;
        return saved(argument, scores, &inputs::file(facts), &notes);
    }
    if let Some(pick) = argument.pick {
        let title = format!("{} is a run: only saved scores hold several (`:{pick}`)", argument.run.path);
        return Err(Message::new(title).into());
    }
    let (run, facts) = read_run(source, &options, &mut notes)?;
    let (file, tag) = (inputs::file(facts), run.tag.clone());
    let content = Content::Run(Box::new(ReadRun { run, file: file.clone(), notes: Notes::default() }));
    Ok(vec![Input { argument: argument.run, tag, file, notes, content }])
}

/// The runs of a file with saved scores: the one that was picked, or all.
fn saved(argument: Argument, scores: SavedScores, file: &FilePart, notes: &Notes) -> Result<Vec<Input>, Failure> {
    let origin = Origin { labels_hash: scores.labels_hash, conventions: scores.conventions };
    let several = scores.runs.len() > 1;
    let names: Vec<String> = scores.runs.iter().filter_map(|run| run.name.clone()).collect();
    let wanted = |run: &SavedRun| argument.pick.is_none() || run.name == argument.pick;
    let runs: Vec<SavedRun> = scores.runs.into_iter().filter(wanted).collect();
    if let (Some(pick), true) = (&argument.pick, runs.is_empty()) {
        let message = Message::new(format!("{} has no run `{pick}`", file.path));
        return Err(message.with_detail(format!("it has: {}", names.join(", "))).into());
    }
    let keeps_all = several && argument.pick.is_none();
    let input = |run: SavedRun| {
        let name = if keeps_all { run.name.clone() } else { argument.run.name.clone() };
        let argument = RunArgument { name, path: argument.run.path.clone() };
        let (tag, content) = (run.name.clone(), Content::Saved(run, origin.clone()));
        Input { argument, tag, file: file.clone(), notes: notes.clone(), content }
    };
    Ok(runs.into_iter().map(input).collect())
}

impl Input {
    /// The path and, where it is one of several, the run, for messages.
    pub fn shown(&self) -> String {
        match (&self.content, &self.argument.name) {
            (Content::Saved(..), Some(name)) => format!("{name} ({})", self.argument.path),
            _ => self.argument.path.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_picked_behind_a_colon_unless_the_path_exists() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        std::fs::write(path("saved.json"), "{}").unwrap();
        std::fs::write(path("odd:name"), "").unwrap();
        let picked = Argument::parse(&path("saved.json:bm25"));
        assert_eq!((picked.run.path, picked.pick.as_deref()), (path("saved.json"), Some("bm25")));
        assert_eq!(Argument::parse(&path("odd:name")).pick, None);
        assert_eq!(Argument::parse(&path("absent:bm25")).run.path, path("absent:bm25"));
        let named = Argument::parse(&format!("base={}", path("saved.json:bm25")));
        assert_eq!((named.run.name.as_deref(), named.pick.as_deref()), (Some("base"), Some("bm25")));
    }
}
