//! A pilot: the saved scores of two runs, joined on query id.

use std::collections::BTreeMap;
use std::path::Path;

use raglens::error::{InputError, InputErrorKind};
use raglens::id::Id;
use raglens::input::{ReadOptions, SavedRun, SavedScores, Source, read_saved};
use raglens::measure::Measure;
use raglens::notes::Notes;
use raglens::stats::mcnemar::TwoByTwo;
use raglens::stats::paired::Paired;
use raglens::stats::summary::{Range, ZERO_SPREAD, sample_sd};

use crate::cli::failure::Failure;
use crate::cli::inputs;
use crate::cli::names::{self, RunArgument};
use crate::cli::shell::quoted;
use crate::render::eval::report::FilePart;
use crate::render::power::report::{Measured, Pilot};

/// Without `--metric` the measures in common are taken, if they are at most this many.
const MOST_METRICS: usize = 5;
/// Conventions that change no score.
const ABOUT_INTERVALS: [&str; 3] = ["ci", "bootstrap", "seed"];
/// How many ids or names a message shows.
const EXAMPLES: usize = 3;

/// A pilot and what its measures say.
#[derive(Debug)]
pub struct ReadPilot {
    /// What it is.
    pub pilot: Pilot,
    /// One for each measure.
    pub measurements: Vec<Measurement>,
}

/// The differences of one measure.
#[derive(Debug)]
pub struct Measurement {
    /// How much they spread.
    pub measured: Measured,
    /// Whether all scores are 0 or 1.
    pub is_binary: bool,
    /// How far the scores can lie apart, where it is known.
    pub width: Option<f64>,
}

/// One side of the pilot.
struct Side {
    argument: RunArgument,
    run: SavedRun,
    labels_hash: Option<String>,
    conventions: Vec<(String, String)>,
}

/// Reads a pilot from two files, or from one that holds two runs.
///
/// # Errors
/// When a file is faulty, the runs have no scores on the same queries, or their differences have
/// no spread.
pub fn read(arguments: &[String], metrics: &[String]) -> Result<ReadPilot, Failure> {
    let (mut sides, mut files) = (Vec::new(), Vec::new());
    for argument in arguments {
        let argument = Argument::parse(argument);
        let (scores, file) = argument.read()?;
        sides.extend(argument.sides(scores, arguments.len())?);
        files.push(file);
    }
    let [a, b] = <[Side; 2]>::try_from(sides).map_err(|_| needs_two(arguments))?;
    let names = names::assign(&[(a.argument.clone(), a.run.name.clone()), (b.argument.clone(), b.run.name.clone())])?;
    let names = [names[0].clone(), names[1].clone()];
    check_alike(&a, &b, &names)?;
    let rows = join(&a.run, &b.run, &names)?;
    let metrics = choose(&a.run, &b.run, metrics, &names)?;
    let measurements = metrics.iter().map(|metric| measure(&a.run, &b.run, metric, &rows, &names));
    Ok(ReadPilot {
        pilot: Pilot { names: names.clone(), files },
        measurements: measurements.collect::<Result<_, _>>()?,
    })
}

fn needs_two(arguments: &[String]) -> Failure {
    let title = format!("`{}` holds one run, and a pilot needs two", arguments[0]);
    Failure::new(title, format!("give a second file:\nraglens power {} OTHER.json", quoted(&arguments[0])))
}

/// A file of scores as it was asked for: `file`, `name=file` or `file:run`.
struct Argument {
    run: RunArgument,
    pick: Option<String>,
}

impl Argument {
    /// A path that exists is a path, whatever it looks like.
    fn parse(text: &str) -> Self {
        let run = RunArgument::parse(text);
        match run.path.rsplit_once(':') {
            Some((path, pick)) if !Path::new(&run.path).exists() && Path::new(path).exists() => {
                let name = run.name.clone().or_else(|| Some(pick.to_owned()));
                Self { run: RunArgument { name, path: path.to_owned() }, pick: Some(pick.to_owned()) }
            }
            _ => Self { run, pick: None },
        }
    }

    fn read(&self) -> Result<(SavedScores, FilePart), Failure> {
        let source = Source::open(&self.run.path);
        let read = source.and_then(|source| read_saved(source, &ReadOptions::default(), &mut Notes::default()));
        let (scores, facts) = read.map_err(|error| self.no_scores(error))?;
        Ok((scores, inputs::file(facts)))
    }

    /// A run or labels in the place of scores.
    fn no_scores(&self, error: InputError) -> Failure {
        match error.kind() {
            InputErrorKind::WrongRole { found, .. } => {
                let title = format!("{}: expected saved scores, got {found}", self.run.path);
                Failure::new(title, "measure first, and save the scores:\nraglens eval LABELS RUN --save scores.json")
            }
            _ => error.into(),
        }
    }

    /// The runs of the file that are sides of the pilot: all two of the only file, else one.
    fn sides(&self, scores: SavedScores, files: usize) -> Result<Vec<Side>, Failure> {
        let SavedScores { runs, labels_hash, conventions } = scores;
        let available: Vec<String> = runs.iter().filter_map(|run| run.name.clone()).collect();
        let is_picked = |run: &SavedRun| self.pick.is_none() || run.name == self.pick;
        let runs: Vec<SavedRun> = runs.into_iter().filter(is_picked).collect();
        if runs.is_empty() || runs.len() > if files == 1 { 2 } else { 1 } {
            return Err(self.which(&available));
        }
        let is_only = runs.len() == 1;
        let side = |run: SavedRun| {
            let name = if is_only { self.run.name.clone() } else { run.name.clone() };
            let argument = RunArgument { name, path: self.run.path.clone() };
            Side { argument, run, labels_hash: labels_hash.clone(), conventions: conventions.clone() }
        };
        Ok(runs.into_iter().map(side).collect())
    }

    fn which(&self, available: &[String]) -> Failure {
        let path = &self.run.path;
        let title = match &self.pick {
            Some(pick) => format!("{path} holds no run `{pick}`, but {}", available.join(", ")),
            None => format!("{path} holds {} runs: {}", available.len(), available.join(", ")),
        };
        let [a, b] = [0, 1].map(|at| available.get(at).map_or("NAME", String::as_str));
        Failure::new(
            title,
            format!(
                "name the two to plan with:\nraglens power {} {}",
                quoted(&format!("{path}:{a}")),
                quoted(&format!("{path}:{b}"))
            ),
        )
    }
}

/// Checks that both sides were measured with the same labels in the same way.
fn check_alike(a: &Side, b: &Side, names: &[String; 2]) -> Result<(), Failure> {
    let [first, second] = names;
    if let (Some(hash), Some(other)) = (&a.labels_hash, &b.labels_hash)
        && hash != other
    {
        let title = format!("{first} and {second} were measured with different labels");
        return Err(Failure::new(title, "measure both with the same labels, and save the scores again"));
    }
    let other = |name: &String| b.conventions.iter().find(|(other, _)| other == name).map(|(_, value)| value);
    let differs = |(name, value): &&(String, String)| {
        !ABOUT_INTERVALS.contains(&name.as_str()) && other(name).is_some_and(|other| other != value)
    };
    match a.conventions.iter().find(differs) {
        None => Ok(()),
        Some((name, value)) => {
            let other = other(name).map_or("", String::as_str);
            let title = format!("{first} was measured with {name} {value} and {second} with {name} {other}");
            Err(Failure::new(title, "measure both in the same way, and save the scores again"))
        }
    }
}

/// The positions of each query on both sides, in the order of the ids.
fn join(a: &SavedRun, b: &SavedRun, names: &[String; 2]) -> Result<Vec<(usize, usize)>, Failure> {
    let positions = |run: &SavedRun| (0..run.queries.len()).map(|at| (run.queries[at].clone(), at)).collect();
    let (a, b): (BTreeMap<Id, usize>, BTreeMap<Id, usize>) = (positions(a), positions(b));
    for (one, other, [name, other_name]) in [(&a, &b, [0, 1]), (&b, &a, [1, 0])] {
        let alone: Vec<String> = one.keys().filter(|id| !other.contains_key(*id)).map(ToString::to_string).collect();
        if !alone.is_empty() {
            let (name, other_name, count) = (&names[name], &names[other_name], alone.len());
            let title = format!("{name} has scores of {} that {other_name} lacks: {}", queries(count), shown(&alone));
            return Err(Failure::new(title, "a pilot pairs the scores of the same queries"));
        }
    }
    Ok(a.iter().map(|(id, &at)| (at, b[id])).collect())
}

fn queries(count: usize) -> String {
    crate::render::queries(count as u64)
}

fn shown(texts: &[String]) -> String {
    let rest = if texts.len() > EXAMPLES { ", …" } else { "" };
    texts[..texts.len().min(EXAMPLES)].join(", ") + rest
}

/// The measures asked for, else those in common.
fn choose(a: &SavedRun, b: &SavedRun, asked: &[String], names: &[String; 2]) -> Result<Vec<String>, Failure> {
    if asked.is_empty() {
        let common: Vec<String> = a.metrics.iter().filter(|metric| b.metric(metric).is_some()).cloned().collect();
        return match common.len() {
            0 => Err(Failure::new(
                format!("{} and {} have no measure in common", names[0], names[1]),
                holds(a, b, names),
            )),
            1..=MOST_METRICS => Ok(common),
            count => {
                let title = format!("there are {count} measures to plan for");
                Err(Failure::new(title, format!("choose with -m among {}", common.join(", "))))
            }
        };
    }
    for metric in asked {
        if let Some((_, name)) =
            [(a, &names[0]), (b, &names[1])].into_iter().find(|(run, _)| run.metric(metric).is_none())
        {
            return Err(Failure::new(format!("{name} has no scores of `{metric}`"), holds(a, b, names)));
        }
    }
    Ok(asked.to_vec())
}

/// What can be asked for.
fn holds(a: &SavedRun, b: &SavedRun, [first, second]: &[String; 2]) -> String {
    match a.metrics == b.metrics {
        true => format!("both have {}", a.metrics.join(", ")),
        false => format!("{first} has {}; {second} has {}", a.metrics.join(", "), b.metrics.join(", ")),
    }
}

/// How much the differences of a measure spread.
fn measure(
    a: &SavedRun,
    b: &SavedRun,
    metric: &str,
    rows: &[(usize, usize)],
    names: &[String; 2],
) -> Result<Measurement, Failure> {
    let column = |run: &SavedRun| -> Vec<Option<f64>> {
        run.metric(metric).map_or_else(Vec::new, |at| run.column(at).collect())
    };
    let (left, right) = (column(a), column(b));
    let value = |column: &[Option<f64>], at: usize| column.get(at).copied().flatten().filter(|value| !value.is_nan());
    let pairs = rows.iter().filter_map(|&(at, other)| Some((value(&left, at)?, value(&right, other)?)));
    let label = a.metric(metric).map_or_else(|| metric.to_owned(), |at| a.metrics[at].clone());
    let (a, b): (Vec<f64>, Vec<f64>) = pairs.unzip();

    let paired = Paired::new(&a, &b).map_err(|error| Failure::new(format!("{label}: {error}"), "check the scores"))?;
    let sd = sample_sd(&paired.differences).unwrap_or(0.0);
    if paired.n < 2 || sd <= ZERO_SPREAD {
        return Err(no_spread(&label, &paired, names));
    }
    let (n, differing) = (paired.n as u64, paired.differing() as u64);
    let measured = Measured { metric: label, n, differing, sd, dropped: rows.len() as u64 - n };
    Ok(Measurement { width: width(metric, &a, &b), is_binary: TwoByTwo::count(&a, &b).is_some(), measured })
}

/// The width of the range of a measure of ours; 1 where all scores lie between 0 and 1.
fn width(metric: &str, a: &[f64], b: &[f64]) -> Option<f64> {
    let range = Measure::parse(metric).map(|measure| measure.definition().range);
    let known = range.ok().map(|(low, high)| high - low).filter(|width| width.is_finite());
    let is_share = a.iter().chain(b).all(|score| (0.0..=1.0).contains(score));
    known.or_else(|| is_share.then(|| Range::UNIT.width()))
}

fn no_spread(metric: &str, paired: &Paired, [a, b]: &[String; 2]) -> Failure {
    let title = match (paired.n, paired.differing()) {
        (1, _) => format!("{a} and {b} have one query with {metric}"),
        (_, 0) => format!("no query differs between {a} and {b} on {metric}"),
        _ => format!("every query differs by the same amount between {a} and {b} on {metric}"),
    };
    Failure::new(title, "a pilot without spread says nothing about other queries: give --disagreement or --sd")
}
