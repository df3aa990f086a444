//! What `compare` found out: values alone, made once and shown in every format.

use raglens::compare::{Comparison, Joined, Plan, Row};
use raglens::id::Id;
use raglens::notes::Notes;

use crate::render::eval::report::{FilePart, LabelsPart};

/// Runs compared query by query.
#[derive(Debug)]
pub struct Report {
    /// The runs with their scores.
    pub joined: Joined,
    /// What was compared, and how.
    pub plan: Plan,
    /// What was found.
    pub comparison: Comparison,
    /// The files of the runs, in their order.
    pub files: Vec<RunFile>,
    /// The labels, where there are any.
    pub labels: Option<LabelsFact>,
    /// Queries of the labels that no measure counts.
    pub left_out: Vec<Id>,
    /// The conventions in force, as far as they are known: names, and values as JSON.
    pub conventions: Vec<(String, String)>,
    /// The text of each query, where the labels have it; empty without labels.
    pub texts: Vec<Option<String>>,
    /// The tags of the labels, where nobody asked for slices.
    pub tags: Vec<String>,
    /// For each metric and run, the runs that it is better than; empty unless asked for.
    pub letters: Vec<Vec<Vec<usize>>>,
    /// What the text shows.
    pub shown: Shown,
    /// What a reader must know beside the numbers.
    pub notes: Notes,
}

/// The file of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunFile {
    /// The file.
    pub file: FilePart,
    /// When it was last changed.
    pub modified: Option<String>,
}

/// The labels.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelsFact {
    /// The file and what is in it.
    pub part: LabelsPart,
    /// Who named it: an option, the environment, a configuration file.
    pub named_by: String,
}

/// What the text shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// Every query that changed, on every measure.
    pub list: bool,
    /// t-tests, effect sizes, and what bounds could prove.
    pub details: bool,
}

impl Report {
    /// The files that were read, each once.
    pub fn files(&self) -> Vec<&FilePart> {
        let labels = self.labels.iter().map(|labels| &labels.part.file);
        let mut files: Vec<&FilePart> = labels.chain(self.files.iter().map(|run| &run.file)).collect();
        files.dedup_by(|a, b| a.path == b.path);
        files
    }

    /// The name of a run.
    pub fn name(&self, run: usize) -> &str {
        &self.joined.runs[run].name
    }

    /// The label of a metric.
    pub fn label(&self, metric: usize) -> &str {
        &self.plan.metrics[metric].label
    }

    /// The pairs of runs, in the order of the rows.
    pub fn pairs(&self) -> Vec<(usize, usize)> {
        self.plan.pairs.of(self.joined.runs.len())
    }

    /// The rows of one metric, in the order of the pairs.
    pub fn of_metric(&self, metric: usize) -> impl Iterator<Item = &Row> {
        self.comparison.rows.iter().filter(move |row| row.metric == metric)
    }

    /// The row of a metric and a pair.
    pub fn row(&self, metric: usize, (a, b): (usize, usize)) -> Option<&Row> {
        self.of_metric(metric).find(|row| (row.a, row.b) == (a, b))
    }

    /// Whether rows have adjusted p-values.
    pub fn is_adjusted(&self) -> bool {
        self.comparison.rows.iter().any(|row| row.found.as_ref().is_some_and(|found| found.adjusted_p.is_some()))
    }
}
