//! What `stages` found out: values alone, made once and shown in every format.

use raglens::id::Id;
use raglens::measure::Measure;
use raglens::rag::lift::Lift;
use raglens::rag::spending::Spending;
use raglens::rag::stages::{Fate, Gap, Stage};
use raglens::scores::slices::Slice;

use crate::render::frame::Frame;

/// The stages of a pipeline, and what became of every relevant document.
#[derive(Debug)]
pub struct Report<'m> {
    /// Files and conventions.
    pub frame: Frame,
    /// How many results the model reads.
    pub k: u64,
    /// How many results of a stage the next one is given; all without.
    pub pool: Option<u64>,
    /// The measures at every stage.
    pub measures: &'m [Measure],
    /// Number of queries that count.
    pub queries: u64,
    /// Number of their relevant documents.
    pub relevant: u64,
    /// The stages.
    pub stages: Vec<StagePart>,
    /// Gains of stages over others, in recall at k.
    pub lifts: Vec<LiftPart>,
    /// Relevant documents that are not among the first k of the last stage.
    pub missed: Vec<LostPart>,
    /// The same within slices.
    pub slices: Vec<SlicePart>,
    /// The tags that nobody asked for.
    pub tags: Vec<String>,
    /// Whether every missed document is listed.
    pub list: bool,
}

/// One stage.
#[derive(Debug)]
pub struct StagePart {
    /// Its name.
    pub name: String,
    /// Where its results come from, and how deep it is.
    pub stage: Stage,
    /// A mean per measure; `None` where there is none, or the stage is not as deep.
    pub means: Vec<Option<f64>>,
    /// Time and money.
    pub spending: Spending,
    /// What it made of what it was given; `None` where it searches on its own.
    pub gap: Option<Gap>,
}

/// The gain of a stage over another.
#[derive(Debug)]
pub struct LiftPart {
    /// The stage.
    pub stage: usize,
    /// The one that it is compared with.
    pub over: usize,
    /// Whether that one is the best of several that the stage takes its results from.
    pub is_best: bool,
    /// The gain; `None` where one of the two is not as deep as k.
    pub found: Option<Lift>,
}

/// A relevant document that is not among the first k at the end.
#[derive(Debug)]
pub struct LostPart {
    /// The query.
    pub query: Id,
    /// The document.
    pub document: Id,
    /// Where it was lost.
    pub fate: Fate,
}

/// A part of the queries.
#[derive(Debug)]
pub struct SlicePart {
    /// Tag, value and queries.
    pub slice: Slice,
    /// Recall at k of each stage.
    pub recalls: Vec<Option<f64>>,
    /// What the last stage made of what it was given.
    pub gap: Option<Gap>,
}

impl Report<'_> {
    /// The last stage, whose first k results the model reads.
    pub fn last(&self) -> &StagePart {
        self.stages.last().expect("a pipeline has stages")
    }

    /// Where documents can be lost, in the order of the pipeline.
    pub fn fates(&self) -> Vec<Fate> {
        let takes = (0..self.stages.len()).filter(|&stage| !self.stages[stage].stage.searches());
        std::iter::once(Fate::NeverRetrieved).chain(takes.map(Fate::LostAt)).chain([Fate::BelowCutoff(0)]).collect()
    }

    /// The documents that were lost there, whatever the rank below k.
    pub fn lost(&self, fate: Fate) -> Vec<&LostPart> {
        let is_same = |other: Fate| match (fate, other) {
            (Fate::BelowCutoff(_), Fate::BelowCutoff(_)) => true,
            _ => fate == other,
        };
        self.missed.iter().filter(|lost| is_same(lost.fate)).collect()
    }

    /// Where documents were lost, in words.
    pub fn fate_name(&self, fate: Fate) -> String {
        match fate {
            Fate::NeverRetrieved => "never retrieved".to_owned(),
            Fate::LostAt(stage) => format!("lost at {}", self.stages[stage].name),
            Fate::BelowCutoff(_) => format!("below {} in {}", self.k, self.last().name),
        }
    }

    /// The names of the stages that a stage takes its results from: `bm25+dense`.
    pub fn sources(&self, stage: &StagePart) -> String {
        let names = stage.stage.sources.iter().map(|&source| self.stages[source].name.as_str());
        names.collect::<Vec<&str>>().join("+")
    }

    /// Whether any stage carries a latency.
    pub fn has_latency(&self) -> bool {
        self.stages.iter().any(|stage| stage.spending.latency.is_some())
    }
}
