//! What an HTML report shows, whichever command found it out: plain values, made once.

use raglens::compare::THIN;
use raglens::id::Id;
use raglens::measure::{Better, MeasureDef};
use raglens::notes::Notes;
use raglens::rag::pareto::Standing;
use raglens::rag::spending::Latency;
use raglens::stats::equivalence::Outcome;
use raglens::stats::summary::{Histogram, Interval};
use raglens::stats::verdict::Verdict;

use crate::render::queries::report::Shown;

/// From so many queries on, bars become bins and the data keep no lists of queries, so that the
/// file stays small.
pub const MANY: usize = 2000;

/// A report.
#[derive(Debug)]
pub struct Report<'a> {
    /// What it is about.
    pub title: String,
    /// The command that made it, and when.
    pub stamp: Stamp,
    /// Number of queries that count, in words.
    pub size: String,
    /// The conventions in force.
    pub conventions: String,
    /// What was found, in sentences.
    pub sentences: Vec<String>,
    /// The gates, where there are any.
    pub gates: Option<Gates>,
    /// What was read.
    pub files: Vec<FileFact>,
    /// The names of the runs.
    pub runs: Vec<&'a str>,
    /// The measures.
    pub measures: Vec<MeasurePart>,
    /// The measure that charts of one measure show, by position.
    pub leading: usize,
    /// For each run, a score per measure.
    pub scores: Vec<Vec<Score>>,
    /// Remarks under the scores.
    pub score_notes: Vec<String>,
    /// What stands beside the measures of each run.
    pub beside: Vec<RunBeside>,
    /// The cutoffs of the recall curves.
    pub cutoffs: Vec<u64>,
    /// The pairs of runs on every measure, where they were tested.
    pub differences: Differences,
    /// The differences of single queries, a part per pair of runs.
    pub changes: Vec<Changes>,
    /// The slices on the leading measure.
    pub slices: Vec<SliceRow>,
    /// The values of the leading measure, per run.
    pub histograms: Vec<Option<Histogram>>,
    /// What the numbers cannot tell.
    pub limits: Vec<String>,
    /// The queries to look at first.
    pub tables: Vec<QueryTable>,
    /// What a reader must know beside the numbers.
    pub notes: &'a Notes,
    /// The same result for programs.
    pub json: String,
    /// Whether lists of queries are left out of it.
    pub is_json_short: bool,
    /// Decimals of a value.
    pub digits: usize,
}

/// The command that made a report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stamp {
    /// When, in UTC.
    pub time: String,
    /// The command as a shell takes it.
    pub command: String,
}

/// What must hold, and whether it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gates {
    /// What the gates decide together.
    pub outcome: Outcome,
    /// One by one, and in words: what was asked, where, what it comes to, on what grounds.
    pub rows: Vec<(Outcome, [String; 4])>,
    /// Remarks under them.
    pub notes: Vec<String>,
}

/// How runs differ on every measure.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Differences {
    /// A row per pair of runs and measure.
    pub rows: Vec<Difference>,
    /// Remarks under them.
    pub notes: Vec<String>,
    /// The largest difference that does not matter, where one was given.
    pub margin: Option<f64>,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct FileFact {
    /// What it is here: `labels`, or the name of a run.
    pub role: String,
    /// Its path.
    pub path: String,
    /// What it was read as.
    pub read_as: &'static str,
    /// Its size in bytes.
    pub bytes: Option<u64>,
    /// A hash: of what labels say, of the bytes of a run.
    pub hash: Option<String>,
}

/// A measure.
#[derive(Debug, Clone)]
pub struct MeasurePart {
    /// Its name as tables show it.
    pub name: String,
    /// Which direction is good.
    pub better: Better,
    /// Its name without the cutoff, and the cutoff.
    pub parts: (String, Option<u64>),
    /// The value at the full length of a bar.
    pub top: f64,
    /// Decimals of its values.
    pub digits: usize,
    /// Its row in the table of measures; `None` for a column of saved scores.
    pub definition: Option<&'static MeasureDef>,
}

/// A score of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Score {
    /// The value; `None` where no query has one.
    pub value: Option<f64>,
    /// Its interval.
    pub interval: Option<Interval>,
    /// Letters of the runs that it is better than, or a word on it.
    pub mark: String,
    /// Whether no run is better.
    pub is_best: bool,
}

/// What only a report shows, beside the result of the command.
#[derive(Debug, Default)]
pub struct Beside {
    /// The command that made it.
    pub stamp: Stamp,
    /// The cutoffs of the recall curves.
    pub cutoffs: Vec<u64>,
    /// A part per run.
    pub runs: Vec<RunBeside>,
    /// As many queries are shown in detail.
    pub most_queries: usize,
}

/// What a report shows of a run beside its measures.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunBeside {
    /// A hash of its file.
    pub hash: Option<String>,
    /// The interval and the distribution of every measure, where the result has none.
    pub columns: Vec<(Option<Interval>, Option<Histogram>)>,
    /// Recall at each of the cutoffs; empty where it is not known.
    pub recall: Vec<f64>,
    /// The share of the first results that is judged, with the cutoff.
    pub judged: Option<(u64, f64)>,
    /// Time per query.
    pub latency: Option<Latency>,
    /// Where it stands between quality and latency, where that is known.
    pub standing: Option<Standing>,
}

/// Two runs on one measure.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The measure, by position.
    pub measure: usize,
    /// The runs, by position: B minus A.
    pub pair: (usize, usize),
    /// The mean difference.
    pub mean: f64,
    /// Its interval.
    pub interval: Option<Interval>,
    /// What it comes to.
    pub verdict: Option<Verdict>,
    /// The same in words.
    pub words: &'static str,
    /// `p adj` where there are several rows, else `p`.
    pub p_name: &'static str,
    /// The p that decides.
    pub p: String,
}

/// How two runs differ query by query on one measure.
#[derive(Debug, Clone, PartialEq)]
pub struct Changes {
    /// The measure, by position.
    pub measure: usize,
    /// The runs, by position: B minus A.
    pub pair: (usize, usize),
    /// The queries that differ with their difference, from the largest gain to the largest loss.
    pub differing: Vec<(Id, f64)>,
    /// Number of queries on which B is better, the same, worse.
    pub counts: [usize; 3],
}

impl Changes {
    /// The differences of queries between two runs, sorted and counted.
    pub fn new(part: &MeasurePart, measure: usize, pair: (usize, usize), all: Vec<(Id, f64)>) -> Self {
        let total = all.len();
        let mut differing: Vec<(Id, f64)> = all.into_iter().filter(|(_, difference)| *difference != 0.0).collect();
        let is_better = |difference: f64| part.improves(difference).unwrap_or(difference > 0.0);
        // Differences that are equal but for rounding must not hide the order of the ids.
        let gain = |difference: f64| {
            let size = (difference.abs() * 1e9).round();
            if is_better(difference) { size } else { -size }
        };
        differing.sort_by(|x, y| gain(y.1).total_cmp(&gain(x.1)).then_with(|| x.0.cmp(&y.0)));
        let better = differing.iter().filter(|(_, difference)| is_better(*difference)).count();
        let counts = [better, total - differing.len(), differing.len() - better];
        Self { measure, pair, differing, counts }
    }

    /// The queries that got worse, the largest loss first; equal ones in the order of their ids.
    pub fn losses(&self) -> Vec<&Id> {
        let mut losses: Vec<&(Id, f64)> = self.differing[self.counts[0]..].iter().collect();
        let size = |difference: f64| (difference.abs() * 1e9).round();
        losses.sort_by(|x, y| size(y.1).total_cmp(&size(x.1)).then_with(|| x.0.cmp(&y.0)));
        losses.into_iter().map(|(query, _)| query).collect()
    }
}

/// A slice of the queries.
#[derive(Debug, Clone, PartialEq)]
pub struct SliceRow {
    /// Its name: `intent=how-to`.
    pub name: String,
    /// Number of its queries: in every run, where runs have queries of their own.
    pub queries: Vec<usize>,
    /// A cell per run.
    pub cells: Vec<SliceCell>,
}

impl SliceRow {
    /// Whether the queries are too few to say much.
    pub fn is_thin(&self) -> bool {
        self.queries.iter().any(|&queries| queries < THIN)
    }
}

/// A run within a slice.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SliceCell {
    /// The mean.
    pub value: Option<f64>,
    /// The difference to the first run, or to all queries where there is one run alone.
    pub difference: Option<f64>,
    /// What the difference comes to; `None` where nobody tested it.
    pub verdict: Option<Verdict>,
    /// The same in words; empty where nothing was tested.
    pub words: &'static str,
}

/// Queries to look at.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryTable {
    /// What they have in common.
    pub heading: String,
    /// The runs that are shown, by position.
    pub runs: Vec<usize>,
    /// The rows.
    pub rows: Vec<QueryRow>,
    /// How many there would be.
    pub total: usize,
}

/// How many rows each of several tables has when all together have about `most`: one at least,
/// unless none is wanted.
pub fn rows_each(most: usize, tables: usize) -> usize {
    (most / tables.max(1)).max(most.min(1))
}

/// A query with what runs score on it.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryRow {
    /// The query.
    pub query: Id,
    /// Its text.
    pub text: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// The value of each run that is shown.
    pub values: Vec<Option<f64>>,
    /// The ranked lists, where they are known.
    pub lists: Option<Shown>,
}

impl QueryRow {
    /// A query with its values, and nothing else known yet.
    pub fn new(query: Id, values: Vec<Option<f64>>) -> Self {
        Self { query, text: None, tags: Vec::new(), values, lists: None }
    }

    /// The change from the first value to the last, of several.
    pub fn difference(&self) -> Option<f64> {
        let [first, .., last] = &self.values[..] else { return None };
        Some((*last)? - (*first)?)
    }
}

impl Report<'_> {
    /// The measure that charts of one measure show.
    pub fn leading(&self) -> &MeasurePart {
        &self.measures[self.leading]
    }

    /// `hybrid against bm25`
    pub fn versus(&self, (a, b): (usize, usize)) -> String {
        format!("{} against {}", self.runs[b], self.runs[a])
    }
}

impl MeasurePart {
    /// Whether a change is an improvement; `None` for none, and where neither direction is better.
    pub fn improves(&self, difference: f64) -> Option<bool> {
        match self.better {
            _ if difference == 0.0 => None,
            Better::Higher => Some(difference > 0.0),
            Better::Lower => Some(difference < 0.0),
            Better::Neither => None,
        }
    }
}
