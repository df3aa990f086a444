//! What `power` found out: values alone, made once and shown in every format.

use crate::render::eval::report::FilePart;

/// What two runs can be told apart by, and with how many queries.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// What was asked.
    pub question: Question,
    /// The pair of runs that the spread was taken from.
    pub pilot: Option<Pilot>,
    /// One for each spread of the differences.
    pub scenarios: Vec<Scenario>,
}

/// What was asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Question {
    /// Significance level of the two-sided test.
    pub alpha: f64,
    /// The chance with which a difference is to be found.
    pub power: f64,
    /// Whether the mid-p decides for measures that are 0 or 1.
    pub mid_p: bool,
    /// A true difference.
    pub delta: Option<f64>,
    /// The loss that a gate allows.
    pub margin: Option<f64>,
    /// The one-sided level of that gate.
    pub gate_level: f64,
}

/// A pair of runs that the spread was taken from.
#[derive(Debug, Clone, PartialEq)]
pub struct Pilot {
    /// The names of both runs.
    pub names: [String; 2],
    /// The files that they were read from: one or two.
    pub files: Vec<FilePart>,
}

/// How much the differences of the queries spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Spread {
    /// For a measure that is 0 or 1: the share of queries on which the runs differ.
    Disagreement(f64),
    /// For any other: the standard deviation of the differences.
    Sd(f64),
}

/// What holds for one spread.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// The spread.
    pub spread: Spread,
    /// Where it comes from, unless it was given.
    pub source: Option<Measured>,
    /// What holds for each number of queries.
    pub points: Vec<Point>,
    /// What it takes to find the difference, where one was given.
    pub for_delta: Option<Needed>,
    /// What it takes to pass the gate when both runs are equal in truth, where a margin was given.
    pub for_margin: Option<Needed>,
}

/// A measure of the pilot.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// Its name.
    pub metric: String,
    /// Number of queries with a value on both sides.
    pub n: u64,
    /// On how many of them the runs differ.
    pub differing: u64,
    /// Standard deviation of the differences.
    pub sd: f64,
    /// Queries without a value on one side or both.
    pub dropped: u64,
}

/// A number of queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needed {
    /// That many.
    Queries(u64),
    /// More than are searched.
    MoreThan(u64),
}

/// What a number of queries can do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The number of queries.
    pub n: u64,
    /// The smallest true difference that is found with the power asked for; `None` when no
    /// possible one is.
    pub detectable: Option<f64>,
    /// The chance of finding the difference asked for.
    pub power: Option<f64>,
    /// Half of the width of the interval of the difference, where the standard deviation is known.
    pub half_width: Option<f64>,
}

impl Report {
    /// Whether every scenario is about a measure that is 0 or 1.
    pub fn is_binary(&self) -> bool {
        self.scenarios.iter().all(|scenario| matches!(scenario.spread, Spread::Disagreement(_)))
    }

    /// The files of the pilot.
    pub fn files(&self) -> Vec<&FilePart> {
        self.pilot.iter().flat_map(|pilot| &pilot.files).collect()
    }
}

impl Scenario {
    /// The share of queries that differ, for a measure that is 0 or 1.
    pub fn disagreement(&self) -> Option<f64> {
        match self.spread {
            Spread::Disagreement(share) => Some(share),
            Spread::Sd(_) => None,
        }
    }

    /// The standard deviation of the differences, where it is known.
    pub fn sd(&self) -> Option<f64> {
        match (self.spread, &self.source) {
            (Spread::Sd(sd), _) => Some(sd),
            (_, source) => source.as_ref().map(|measured| measured.sd),
        }
    }

    /// The name of the measure, where there is one.
    pub fn metric(&self) -> Option<&str> {
        self.source.as_ref().map(|measured| measured.metric.as_str())
    }
}

impl Needed {
    /// The number, where it is known.
    pub fn queries(self) -> Option<u64> {
        match self {
            Self::Queries(queries) => Some(queries),
            Self::MoreThan(_) => None,
        }
    }
}
