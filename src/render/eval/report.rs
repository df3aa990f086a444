//! What `eval` found out: values alone, made once and shown in every format.

use raglens::compare::{Requirement, Slice, THIN};
use raglens::id::Id;
use raglens::input::Mismatch;
use raglens::measure::{Aggregate, Better, Measure};
use raglens::notes::Notes;
use raglens::scores::{ScoreTable, Summary};
use raglens::stats::equivalence::Outcome;
use raglens::stats::summary::{Histogram, MeanInterval};

use super::extras::Extras;

/// The level of every interval.
pub const LEVEL: f64 = 0.95;

/// A run is better than another where the p of their pair is below this.
pub const ALPHA: f64 = 0.05;

/// The scores of one or several runs on the same labels.
#[derive(Debug)]
pub struct Report<'m> {
    /// How it was measured.
    pub conventions: Conventions,
    /// The labels.
    pub labels: LabelsPart,
    /// The measures, in the order asked for; the columns of every run.
    pub measures: &'m [Measure],
    /// What the text shows of them.
    pub shown: Shown,
    /// The runs, in the order given.
    pub runs: Vec<RunPart<'m>>,
    /// For each measure and run, the positions of the runs that it is better than beyond chance;
    /// empty where nobody asked.
    pub letters: Vec<Vec<Vec<usize>>>,
    /// Limits that the means must reach, by limit and run; empty where nobody asked.
    pub gates: Vec<GatePart>,
    /// The tags of the labels, where nobody asked for slices.
    pub tags: Vec<String>,
    /// Files beside labels and runs.
    pub more_files: Vec<FilePart>,
    /// What a reader must know beside the numbers.
    pub notes: Notes,
}

/// A limit that the mean of a run must reach.
#[derive(Debug, Clone, PartialEq)]
pub struct GatePart {
    /// The limit, as it was asked for.
    pub requirement: Requirement,
    /// The position of its measure.
    pub measure: usize,
    /// The position of the run.
    pub run: usize,
    /// The mean; `None` where no query has a value.
    pub value: Option<f64>,
    /// Whether it reaches the limit.
    pub outcome: Outcome,
}

/// What the text shows beside the means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// Whether the measures are the default set, of which some formats show a part.
    pub is_default_set: bool,
    /// A row per query.
    pub per_query: bool,
    /// The distribution of the values of each measure.
    pub distribution: bool,
}

/// How it was measured: everything that could have been chosen otherwise, in the words of the
/// options.
#[derive(Debug, Clone, PartialEq)]
pub struct Conventions {
    /// The tool that is followed, with what is done otherwise.
    pub like: Option<String>,
    /// Grade from which a document counts as relevant.
    pub rel: f64,
    /// The largest grade of the labels: the scale of err and of graded rbp.
    pub max_grade: f64,
    /// How equal scores are ordered.
    pub ties: &'static str,
    /// Which queries a mean is over.
    pub over: &'static str,
    /// What happens to a query without a relevant document.
    pub no_relevant: &'static str,
    /// How the values of the queries become one number.
    pub average: &'static str,
    /// Whether every query weighs the same.
    pub is_macro: bool,
    /// What happens to a document that is twice in one ranking.
    pub duplicates: &'static str,
    /// Whether a result whose id is that of its query is removed.
    pub drop_self: bool,
    /// What is judged: `id` as it is, `chunk`, `document`, or `span` for gold passages.
    pub level: &'static str,
    /// What was asked to be ranked and judged: `id`, `doc`, `span` or `both`.
    pub unit: &'static str,
    /// The share of the shorter of chunk and passage that makes a chunk relevant.
    pub min_overlap: Option<f64>,
    /// Whether cutoffs count chunks (`before`) or documents (`after`).
    pub cut: Option<&'static str>,
    /// How many tokens are looked at.
    pub budget: Option<u64>,
    /// What separates the document from the chunk in an id.
    pub collapse: Option<String>,
    /// Edits of query ids.
    pub query_id_edits: Vec<String>,
    /// Edits of document ids.
    pub document_id_edits: Vec<String>,
    /// How intervals are made.
    pub ci: &'static str,
    /// How many resamples a bootstrap interval is made of.
    pub bootstrap: u64,
    /// The seed of the random numbers.
    pub seed: u64,
}

impl Conventions {
    /// What is found: relevant documents, chunks, or gold passages.
    pub fn items(&self) -> &'static str {
        match self.level {
            "span" => "gold passages",
            "chunk" => "relevant chunks",
            _ => "relevant documents",
        }
    }

    /// One of [these](Self::items).
    pub fn item(&self) -> &'static str {
        self.items().strip_suffix('s').unwrap_or_default()
    }
}

/// A file.
#[derive(Debug, Clone, PartialEq)]
pub struct FilePart {
    /// The path as the user wrote it.
    pub path: String,
    /// Size on disk; `None` for a pipe.
    pub bytes: Option<u64>,
    /// How it is packed, when it is.
    pub packed: Option<&'static str>,
    /// What it was read as.
    pub read_as: &'static str,
    /// Rows that were left out because they are faulty.
    pub skipped_lines: u64,
}

impl FilePart {
    /// The name of the format alone, without its columns.
    pub fn read_as_name(&self) -> &'static str {
        self.read_as.split_once(':').map_or(self.read_as, |(name, _)| name)
    }
}

/// The labels.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelsPart {
    /// The file.
    pub file: FilePart,
    /// A hash of what the labels say, whatever the format and the order of lines; `None` where it
    /// is not shown.
    pub hash: Option<String>,
    /// Number of queries in the file.
    pub queries: u64,
    /// Number of relevant documents.
    pub relevant: u64,
    /// Whether no document is judged with grade 0.
    pub positive_only: bool,
}

/// One run and its scores.
#[derive(Debug)]
pub struct RunPart<'m> {
    /// Its name; no two runs have the same.
    pub name: String,
    /// The file.
    pub file: FilePart,
    /// When the file was last changed.
    pub modified: Option<String>,
    /// The scores.
    pub table: ScoreTable<'m>,
    /// A summary per measure.
    pub columns: Vec<Column>,
    /// The same for the slices that were asked for.
    pub slices: Vec<SlicePart>,
    /// Why no document of the run stands in the labels, when none does.
    pub documents: Option<Mismatch>,
    /// The first documents of each ranking, for files that can be scored again.
    pub rankings: Vec<SavedRanking>,
    /// What stands beside the measures.
    pub extras: Extras,
}

/// The queries of a slice and their scores.
#[derive(Debug, Clone, PartialEq)]
pub struct SlicePart {
    /// The slice; its members are positions of rows.
    pub slice: Slice,
    /// A summary per measure.
    pub columns: Vec<Column>,
}

impl SlicePart {
    /// Number of queries that were scored.
    pub fn queries(&self) -> usize {
        self.slice.members.len()
    }

    /// Whether the queries are too few to say much.
    pub fn is_thin(&self) -> bool {
        self.queries() < THIN
    }
}

/// One measure of one run in a few numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Number of queries, mean, median, share of zeros.
    pub summary: Summary,
    /// The interval of the mean.
    pub interval: Option<MeanInterval>,
    /// Whether all queries have the same value, so that there is no interval.
    pub all_equal: bool,
    /// Whether the values are too large to have an interval.
    pub overflows: bool,
    /// How the values are distributed, for measures between 0 and 1, where that is shown.
    pub histogram: Option<Histogram>,
    /// Share of the queries that have the best possible value, where the distribution is shown.
    pub full_share: Option<f64>,
    /// Why the number does not mean what its name says.
    pub caveat: Option<Caveat>,
    /// Whether the measure was asked for by its name, not as one of a set.
    pub is_named: bool,
}

/// Why a number does not mean what its name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caveat {
    /// The reason.
    pub reason: &'static str,
    /// Whether text shows `n/a` in place of the number; it does not where it was asked for.
    pub hides: bool,
}

/// The first documents of a ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedRanking {
    /// The query.
    pub query: Id,
    /// The documents, best first.
    pub ids: Vec<Id>,
    /// Length of the whole ranking.
    pub retrieved: u64,
}

impl Report<'_> {
    /// The position of the residual that belongs to an rbp: the one with the same patience, as a
    /// whole or only its part below the end of the list.
    pub fn residual_of(&self, index: usize, tail: bool) -> Option<usize> {
        let patience = |measure: &Measure| measure.params().number("p");
        let rbp = Some(&self.measures[index]).filter(|measure| measure.definition().name == "rbp")?;
        self.measures.iter().position(|measure| {
            let is_residual = measure.definition().name == "rbp_residual" && measure.params().flag("tail") == tail;
            is_residual && !rbp.is_condensed() && patience(measure) == patience(rbp)
        })
    }

    /// Every file: labels first, then runs.
    pub fn files(&self) -> Vec<&FilePart> {
        let files = std::iter::once(&self.labels.file).chain(self.runs.iter().map(|run| &run.file));
        files.chain(&self.more_files).collect()
    }
}

impl<'m> RunPart<'m> {
    /// A run and its scores, with nothing made of them yet.
    pub fn new(name: String, file: FilePart, table: ScoreTable<'m>, documents: Option<Mismatch>) -> Self {
        let (modified, columns, slices, rankings) = Default::default();
        Self { name, file, modified, table, columns, slices, documents, rankings, extras: Extras::default() }
    }

    /// Number of queries that were scored.
    pub fn scored(&self) -> u64 {
        self.table.rows.len() as u64
    }

    /// The mean of a measure.
    pub fn mean(&self, measure: usize) -> Option<f64> {
        self.columns[measure].summary.mean
    }
}

/// The letter that stands for a run: a, b … z, and from there a1, b1 …
pub fn letter(run: usize) -> String {
    let letter = char::from(b'a' + (run % 26) as u8);
    if run < 26 { letter.to_string() } else { format!("{letter}{}", run / 26) }
}

/// The name of a measure without its cutoff, as tables show it: `recall`, `ndcg'`,
/// `map':norm=min`.
pub fn row_name(measure: &Measure) -> String {
    let label = measure.label();
    let cutoff = measure.params().cutoff().is_some();
    let name = label.rsplit_once('@').filter(|_| cutoff).map_or(label, |(name, _)| name);
    match name.split_once(":condensed") {
        Some((before, after)) => match before.split_once(':') {
            Some((name, params)) => format!("{name}':{params}{after}"),
            None => format!("{before}'{after}"),
        },
        None => name.to_owned(),
    }
}

/// The name of a measure as text shows it: `recall@5`, `ndcg'@10`.
pub fn short_name(measure: &Measure) -> String {
    match measure.params().cutoff() {
        Some(cutoff) => format!("{}@{cutoff}", row_name(measure)),
        None => row_name(measure),
    }
}

/// Whether a measure counts things, so that it is summed.
pub fn is_count(measure: &Measure) -> bool {
    measure.definition().aggregate == Aggregate::Sum
}

/// Whether a measure describes a ranking without saying whether it is good.
pub fn is_neutral(measure: &Measure) -> bool {
    measure.definition().better == Better::Neither
}
