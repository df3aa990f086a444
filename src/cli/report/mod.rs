//! `--report KIND[=PATH]`: the result once more, in a file for other readers. A kind is a file in
//! this folder and two lines here: its `mod` and its row in [`KINDS`].

mod beside;
mod html;
mod lists;

use std::path::{Path, PathBuf};

use clap::Args;
use raglens::evaluate::{EvaluateError, Rules};
use raglens::id::Id;
use raglens::labels::Labels;
use raglens::measure::Measure;
use raglens::run::Run;
use raglens::scores::ScoreTable;

use super::failure::Failure;
use super::inputs::ReadingArgs;
use super::output::Output;
use crate::render::{compare, eval};

/// Every kind of report.
static KINDS: &[&Kind] = &[&html::KIND];

/// As many queries are shown in detail unless asked otherwise.
const QUERIES: &str = "50";

/// A kind of report.
#[derive(Debug)]
pub struct Kind {
    /// What is typed.
    name: &'static str,
    /// Where it goes when no path is given.
    path: &'static str,
    /// Whether it shows rankings, so that runs must be kept in memory.
    shows_rankings: bool,
    /// Makes the report.
    render: fn(&Material) -> Result<String, Failure>,
}

/// Options about reports.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Report")]
pub struct ReportArgs {
    /// Write a report, too: html[=PATH]
    ///
    /// One file that needs no network; without a path it is raglens.html.
    #[arg(long = "report", id = "report", value_name = "KIND[=PATH]", value_parser = wanted)]
    wanted: Vec<Wanted>,

    /// Queries that the HTML report shows in detail: a number or `all`
    #[arg(long, value_name = "N", default_value = QUERIES, hide_short_help = true, value_parser = most, requires = "report")]
    html_queries: usize,

    /// Texts of documents, for the ranked lists of a report
    #[arg(long, value_name = "FILE", hide_short_help = true, requires = "report")]
    corpus: Option<String>,

    /// Texts of queries for a report, where the labels have none
    #[arg(long, value_name = "FILE", hide_short_help = true, requires = "report")]
    query_text: Option<String>,
}

/// A report that is asked for.
#[derive(Debug, Clone)]
struct Wanted {
    kind: &'static Kind,
    path: PathBuf,
}

/// What reports are made of.
pub struct Material<'a> {
    /// The result of the command.
    pub found: Found<'a>,
    /// The options.
    pub args: &'a ReportArgs,
    /// How files are read.
    pub reading: &'a ReadingArgs,
    /// The labels, where there are any.
    pub labels: Option<&'a Labels>,
    /// The rankings of each run; `None` for saved scores.
    pub runs: Vec<Option<Run>>,
    /// How rankings are read.
    pub rules: Rules,
    /// Scores a run on other measures, as its scores were made.
    pub score: &'a Score<'a>,
    /// The queries that count, ascending by id; `None` for all that a run is scored on.
    pub queries: Option<&'a [Id]>,
    /// Whether results are judged by their ids, so that a list can show which are relevant.
    pub is_by_id: bool,
    /// Decimals of a value.
    pub digits: usize,
}

/// How a run is scored.
pub type Score<'a> =
    dyn for<'m> Fn(&'m Labels, &Run, &'m [Measure]) -> Result<ScoreTable<'m>, EvaluateError> + Sync + 'a;

/// The result of a command that has reports.
#[derive(Debug, Clone, Copy)]
pub enum Found<'a> {
    /// A comparison.
    Compare(&'a compare::report::Report),
    /// An evaluation.
    Eval(&'a eval::report::Report<'a>),
}

impl ReportArgs {
    /// Whether any report shows rankings.
    pub fn show_rankings(&self) -> bool {
        self.wanted.iter().any(|wanted| wanted.kind.shows_rankings)
    }

    /// The files that are written, with the option that asks for them.
    pub fn outputs(&self) -> impl Iterator<Item = (&str, Option<&Path>)> {
        self.wanted.iter().map(|wanted| ("--report", Some(wanted.path.as_path())))
    }

    /// The files that are read.
    pub fn inputs(&self) -> impl Iterator<Item = &str> {
        [&self.corpus, &self.query_text].into_iter().flatten().map(String::as_str)
    }

    /// Adds the reports to what a command leaves behind.
    ///
    /// # Errors
    /// When texts cannot be read, or a ranking cannot be ordered.
    pub fn add<'a>(&self, output: &mut Output, material: impl FnOnce() -> Material<'a>) -> Result<(), Failure> {
        if self.wanted.is_empty() {
            return Ok(());
        }
        let material = material();
        for Wanted { kind, path } in &self.wanted {
            output.files.push((path.clone(), (kind.render)(&material)?));
        }
        Ok(())
    }
}

fn wanted(text: &str) -> Result<Wanted, String> {
    let (name, path) = text.split_once('=').map_or((text, None), |(name, path)| (name, Some(path)));
    let Some(kind) = KINDS.iter().find(|kind| kind.name == name) else {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        return Err(format!("no such kind of report; there is {}, such as html=report.html", names.join(", ")));
    };
    match path.unwrap_or(kind.path) {
        "" => Err(format!("no path behind the `=`, expected {name}=FILE, or {name} alone for {}", kind.path)),
        path => Ok(Wanted { kind, path: path.into() }),
    }
}

fn most(text: &str) -> Result<usize, String> {
    match text {
        "all" => Ok(usize::MAX),
        number => number.parse().map_err(|_| "expected a number of queries, or `all`".to_owned()),
    }
}
