//! What a report shows beside the result of its command: recall at every k, latency, the share of
//! judged results, hashes, time and command.

use std::env;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use raglens::measure::{Measure, expand, parse_specs};
use raglens::rag::spending::spending;
use raglens::run::Run;
use raglens::stats::summary::{Histogram, Range, mean_interval};
use rayon::prelude::*;

use super::{Found, Material};
use crate::cli::failure::Failure;
use crate::cli::inputs::timestamp;
use crate::cli::{hash, measures, shell};
use crate::render::compare::report::Report as Comparison;
use crate::render::errors::Message;
use crate::render::eval::report::FilePart;
use crate::render::html::report::{Beside, RunBeside, Stamp};

/// Where the recall curve has points.
const CUTOFFS: [u64; 9] = [1, 2, 3, 5, 10, 20, 30, 50, 100];
/// As many results of a ranking are listed, at least and at most.
const DEPTH: (u64, u64) = (5, 20);
/// The variable that says when a reproducible file was made.
const EPOCH: &str = "SOURCE_DATE_EPOCH";

impl Material<'_> {
    /// What stands beside the result.
    ///
    /// # Errors
    /// When a run cannot be scored on the measures of a report, or the time in the environment is
    /// none.
    pub(super) fn beside(&self) -> Result<Beside, Failure> {
        let cutoffs = self.cutoffs();
        let measures = self.measures(&cutoffs)?;
        let files = self.files();
        let of_run = |index: usize| self.of_run(index, &cutoffs, &measures, files[index]);
        let runs = (0..files.len()).into_par_iter().map(of_run).collect::<Vec<Result<RunBeside, Failure>>>();
        let runs = runs.into_iter().collect::<Result<Vec<RunBeside>, Failure>>()?;
        let is_known = runs.iter().any(|run| !run.recall.is_empty());
        Ok(Beside {
            stamp: Stamp { time: time()?, command: self.command() },
            cutoffs: if is_known { cutoffs } else { Vec::new() },
            runs,
            most_queries: self.args.html_queries,
        })
    }

    /// As many results are listed as the first measure with a cutoff looks at.
    pub(super) fn depth(&self) -> u64 {
        let cutoff = |label: &str| Measure::parse(label).ok()?.params().cutoff();
        let found = match self.found {
            Found::Compare(found) => found.plan.metrics.iter().find_map(|metric| cutoff(&metric.label)),
            Found::Eval(found) => found.measures.iter().find_map(|measure| measure.params().cutoff()),
        };
        found.unwrap_or(10).clamp(DEPTH.0, DEPTH.1)
    }

    /// The cutoffs of the curve, down to the end of the longest list.
    fn cutoffs(&self) -> Vec<u64> {
        let lists = self.runs.iter().flatten().flat_map(Run::rankings);
        let longest = lists.map(|ranking| ranking.len() as u64).max().unwrap_or(0);
        let last = longest.min(CUTOFFS[CUTOFFS.len() - 1]);
        CUTOFFS.into_iter().filter(|&k| k < last).chain((last > 0).then_some(last)).collect()
    }

    /// Recall at every cutoff, then what is judged of the results that are listed.
    fn measures(&self, cutoffs: &[u64]) -> Result<Vec<Measure>, Failure> {
        let Some(labels) = self.labels else { return Ok(Vec::new()) };
        let mut all = expand(&parse_specs("recall")?, cutoffs, self.rules.rel)?;
        all.extend(expand(&parse_specs("judged")?, &[self.depth()], self.rules.rel)?);
        Ok(measures::bind(all, &labels.facts())?)
    }

    fn files(&self) -> Vec<&FilePart> {
        match self.found {
            Found::Compare(found) => found.files.iter().map(|run| &run.file).collect(),
            Found::Eval(found) => found.runs.iter().map(|run| &run.file).collect(),
        }
    }

    fn of_run(
        &self,
        index: usize,
        cutoffs: &[u64],
        measures: &[Measure],
        file: &FilePart,
    ) -> Result<RunBeside, Failure> {
        let columns = match self.found {
            Found::Compare(found) => columns(found, index),
            Found::Eval(_) => Vec::new(),
        };
        let known = RunBeside { hash: hash::of_file(&file.path), columns, ..RunBeside::default() };
        let (Some(Some(run)), Some(labels)) = (self.runs.get(index), self.labels) else { return Ok(known) };
        let mut table = (self.score)(labels, run, measures).map_err(|error| Message::new(error.to_string()))?;
        if let Some(queries) = self.queries {
            let counts = table.queries().enumerate().filter(|(_, query)| queries.binary_search(query).is_ok());
            let rows: Vec<usize> = counts.map(|(row, _)| row).collect();
            table = table.of_rows(&rows);
        }
        let means: Vec<Option<f64>> = (0..measures.len()).map(|measure| table.summary(measure).mean).collect();
        let recall: Option<Vec<f64>> = means[..cutoffs.len()].iter().copied().collect();
        let judged = means.last().copied().flatten().map(|share| (self.depth(), share));
        let latency = spending(run, labels).latency;
        Ok(RunBeside { recall: recall.unwrap_or_default(), judged, latency, ..known })
    }

    /// The command that was called, with what it takes from the environment.
    fn command(&self) -> String {
        let line = shell::command_line();
        match self.found {
            Found::Compare(Comparison { labels: Some(labels), .. }) if labels.named_by == shell::LABELS => {
                format!("{}={} {line}", shell::LABELS, shell::word(&labels.part.file.path))
            }
            _ => line,
        }
    }
}

/// The interval and the distribution of a run on every measure of a comparison.
fn columns(found: &Comparison, run: usize) -> Vec<(Option<raglens::stats::summary::Interval>, Option<Histogram>)> {
    let level = 1.0 - found.plan.alpha;
    let column = |(index, metric): (usize, &raglens::compare::Metric)| {
        let values: Vec<f64> = found.joined.runs[run].columns[index].iter().copied().flatten().collect();
        let interval = mean_interval(&values, level, metric.range.unwrap_or(Range::UNBOUNDED));
        let range = metric.range.or_else(|| range(found, index));
        (interval.map(|found| found.interval), range.and_then(|range| Histogram::count(&values, range)))
    };
    found.plan.metrics.iter().enumerate().map(column).collect()
}

/// From 0, or the lowest value, to the highest value of all runs on a measure without a range.
fn range(found: &Comparison, metric: usize) -> Option<Range> {
    let values = found.joined.runs.iter().flat_map(|run| run.columns[metric].iter().flatten());
    let (low, high) = values.fold((0.0f64, 0.0f64), |(low, high), &value| (low.min(value), high.max(value)));
    (low < high && high.is_finite() && low.is_finite()).then_some(Range { low, high })
}

/// When the report is made: now, or the time that the environment gives files that must not change.
fn time() -> Result<String, Failure> {
    let Some(text) = env::var_os(EPOCH).filter(|text| !text.is_empty()) else {
        return Ok(timestamp(SystemTime::now()));
    };
    let text = text.to_string_lossy();
    let seconds = text.parse::<u32>().map_err(|_| {
        let title = format!("expected seconds since 1970 in {EPOCH}, not `{text}`");
        Failure::new(title, format!("such as {EPOCH}=1767225600, or none at all"))
    })?;
    Ok(timestamp(UNIX_EPOCH + Duration::from_secs(seconds.into())))
}
