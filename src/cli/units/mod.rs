//! Options that decide what is ranked and judged: ids, documents, passages, a token budget.

mod extras;
mod prepared;

pub use extras::Setting;
pub use prepared::Units;

use clap::Args;
use raglens::evaluate::Rules;
use raglens::input::{Chunks, Source, read_chunks, read_labels};
use raglens::labels::Labels;
use raglens::measure::{Measure, Reads};
use raglens::notes::Notes;
use raglens::rag::Cut;

use super::failure::Failure;
use super::ids::IdArgs;
use super::inputs::{self, ReadingArgs};
use super::words::Words;
use crate::render::eval::report::{Conventions, FilePart};

/// What is ranked and judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitChoice {
    /// Results by their ids.
    Id,
    /// Documents of which the results are chunks.
    Document,
    /// Gold passages.
    Span,
    /// Chunks, and documents beside them.
    Both,
}

/// The words of `--unit`.
pub static UNIT: Words<UnitChoice> = Words(&[
    ("id", UnitChoice::Id, "results by their ids"),
    ("doc", UnitChoice::Document, "the documents that the results are chunks of"),
    ("span", UnitChoice::Span, "gold passages, which chunks cover"),
    ("both", UnitChoice::Both, "chunks, and what labels of whole documents would say instead"),
    ("ids", UnitChoice::Id, ""),
    ("docs", UnitChoice::Document, ""),
    ("document", UnitChoice::Document, ""),
    ("documents", UnitChoice::Document, ""),
    ("spans", UnitChoice::Span, ""),
    ("passage", UnitChoice::Span, ""),
    ("passages", UnitChoice::Span, ""),
]);

/// The words of `--cut`.
pub static CUT: Words<Cut> = Words(&[
    ("before", Cut::Before, "k counts chunks, whose documents are measured"),
    ("after", Cut::After, "k counts documents"),
]);

/// How labels say which passages are gold.
const PASSAGES: &str = "rows of labels take `spans`: [{\"doc_id\": id, \"start\": 0, \"end\": 900}, ...]";
/// How labels say what an answer needs.
const EVIDENCE: &str = "rows of labels take `evidence`: [{\"hop\": 1, \"any_of\": [id, ...]}, ...]";

/// The share of the shorter of chunk and passage that they must have in common.
const MIN_OVERLAP: f64 = 0.5;

/// Options that decide what is ranked and judged.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Units")]
pub struct UnitArgs {
    /// What is ranked and judged: id, doc, span or both
    #[arg(long, value_name = "UNIT", default_value = "id", hide_short_help = true, value_parser = UNIT.parser())]
    pub unit: UnitChoice,

    /// Share of the shorter of chunk and passage that makes a chunk relevant [default: 0.5]
    ///
    /// Several values show how much depends on it; the tables are made with the first.
    #[arg(long, value_name = "X", value_delimiter = ',', hide_short_help = true, value_parser = overlap)]
    pub min_overlap: Vec<f64>,

    /// What a cutoff counts with --unit doc
    #[arg(long, value_name = "WHEN", default_value = "before", hide_short_help = true, value_parser = CUT.parser())]
    pub cut: Cut,

    /// Where chunks stand, how long they are and what document they belong to
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub chunks: Option<String>,

    /// Labels of documents, in place of those of their chunks
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub doc_labels: Option<String>,

    /// Look at as many results from the top as have TOKENS together
    #[arg(long, value_name = "TOKENS", hide_short_help = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub budget: Option<u64>,

    /// Show what each search call of a trajectory adds
    #[arg(long, hide_short_help = true)]
    pub per_step: bool,
}

/// The files that say more of chunks and documents.
#[derive(Debug, Default)]
pub struct UnitFiles {
    chunks: Option<Chunks>,
    doc_labels: Option<Labels>,
    files: Vec<FilePart>,
    notes: Notes,
}

impl UnitArgs {
    /// Whether results are measured by their ids, in full.
    fn is_plain(&self) -> bool {
        self.unit == UnitChoice::Id && self.budget.is_none() && !self.per_step && self.chunks.is_none()
    }

    /// Whether rankings must be in memory to be measured.
    pub fn need_memory(&self, labels: &Labels, measures: &[Measure]) -> bool {
        let says_whether_to_search = labels.queries().iter().any(|query| query.about.needs_retrieval.is_some());
        let reads_places = measures.iter().any(|measure| measure.reads() == Reads::Passages);
        !self.is_plain() || says_whether_to_search || reads_places
    }

    /// Whether an evaluation by these options is one by ids, which can be repeated from saved ids.
    pub fn can_be_repeated(&self) -> bool {
        self.unit == UnitChoice::Id && self.budget.is_none()
    }

    /// Every path that is read.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.chunks.as_deref().into_iter().chain(self.doc_labels.as_deref())
    }

    /// Checks that the options have a meaning together.
    ///
    /// # Errors
    /// When they have none.
    pub fn check(&self, ids: &IdArgs) -> Result<(), Failure> {
        let unit = UNIT.word(&self.unit);
        let refuse = |option: &str, wanted: &str| {
            let title = format!("`{option}` has no meaning with `--unit {unit}`");
            Err(Failure::new(title, format!("it goes with {wanted}")))
        };
        let has_documents = matches!(self.unit, UnitChoice::Document | UnitChoice::Both);
        let has_passages = matches!(self.unit, UnitChoice::Span | UnitChoice::Both);
        if ids.collapse.is_some() && self.unit != UnitChoice::Id {
            return refuse("--collapse", "`--unit id`: it makes documents of chunks before any cut");
        }
        if !self.min_overlap.is_empty() && !has_passages {
            return refuse("--min-overlap", "`--unit span`");
        }
        if self.cut != Cut::Before && !has_documents {
            return refuse("--cut", "`--unit doc` and `--unit both`");
        }
        if self.doc_labels.is_some() && !has_documents {
            return refuse("--doc-labels", "`--unit doc` and `--unit both`");
        }
        Ok(())
    }

    /// The cutoffs when none are given: none, where a budget takes their place.
    pub fn cutoffs<'a>(&self, usual: &'a [u64]) -> &'a [u64] {
        if self.budget.is_some() { &[] } else { usual }
    }

    /// Reads the files that say more of chunks and documents.
    ///
    /// # Errors
    /// The first fault of one of them.
    pub fn read(&self, reading: &ReadingArgs) -> Result<UnitFiles, Failure> {
        let mut read = UnitFiles::default();
        if let Some(path) = &self.chunks {
            let (chunks, facts) = read_chunks(Source::open(path)?, &reading.run_options(), &mut read.notes)?;
            read.files.push(inputs::file(facts));
            read.chunks = Some(chunks);
        }
        if let Some(path) = &self.doc_labels {
            let (labels, facts) = read_labels(Source::open(path)?, &reading.labels_options(), &mut read.notes)?;
            read.files.push(inputs::file(facts));
            read.doc_labels = Some(labels);
        }
        Ok(read)
    }

    /// The value of `--min-overlap` that the tables are made with.
    fn min_overlap(&self) -> f64 {
        self.min_overlap.first().copied().unwrap_or(MIN_OVERLAP)
    }

    /// The conventions with those of the unit.
    pub fn in_force(&self, conventions: Conventions, units: Option<&Units>) -> Conventions {
        let has_documents = matches!(self.unit, UnitChoice::Document | UnitChoice::Both);
        let is_by_passage = units.is_some_and(Units::is_by_passage);
        let level = match self.unit {
            UnitChoice::Id => conventions.level,
            UnitChoice::Document => "document",
            UnitChoice::Span | UnitChoice::Both if is_by_passage => "span",
            UnitChoice::Span | UnitChoice::Both => "chunk",
        };
        Conventions {
            level,
            unit: UNIT.word(&self.unit),
            min_overlap: is_by_passage.then(|| self.min_overlap()),
            cut: has_documents.then(|| CUT.word(&self.cut)),
            budget: self.budget,
            ..conventions
        }
    }
}

/// Checks that labels hold what measures read beside grades.
///
/// # Errors
/// When a measure has nothing to read in any query.
pub fn check_reads(labels: &Labels, measures: &[Measure], rules: &Rules) -> Result<(), Failure> {
    let any = |has: fn(&raglens::labels::QueryAbout) -> bool| labels.queries().iter().any(|query| has(&query.about));
    let has_passages = any(|about| about.spans.iter().any(|span| span.start < span.end));
    let has_evidence = any(|about| !about.evidence.is_empty() || about.spans.iter().any(|span| span.hop.is_some()));
    let lacks = |reads: Reads, has: bool| (!has).then(|| measures.iter().find(|measure| measure.reads() == reads))?;
    let missing = lacks(Reads::Passages, has_passages).map(|measure| (measure, "spans", PASSAGES));
    let missing = missing.or_else(|| Some((lacks(Reads::Evidence, has_evidence)?, "evidence", EVIDENCE)));
    let is_ordinary = |measure: &Measure| !matches!(measure.reads(), Reads::Passages | Reads::Evidence);
    let ordinary_count = measures.iter().filter(|measure| is_ordinary(measure)).count();
    match missing {
        Some((measure, key, help)) => {
            Err(Failure::new(format!("`{}` needs `{key}` in the labels, and no query has any", measure.label()), help))
        }
        None if ordinary_count == measures.len() => super::join::check_labels(labels, measures, rules),
        None => Ok(()),
    }
}

fn overlap(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|&number| number > 0.0 && number <= 1.0);
    number.ok_or_else(|| "expected a share above 0 and at most 1, such as 0.5".to_owned())
}
