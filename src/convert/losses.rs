//! What a layout has no place for.

use super::Format;
use crate::labels::{Labels, QueryLabels};
use crate::run::{Call, RunMeta};

/// Something that a file can hold beside ids, grades and scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The texts of queries.
    Texts,
    /// Tags of queries.
    Tags,
    /// Whether a query can be answered, and whether it needs a search.
    Answerable,
    /// Gold passages, and what their offsets count.
    Passages,
    /// What an answer needs.
    Evidence,
    /// The judgments of several judgment groups.
    Groups,
    /// Queries without a judgment or a result.
    EmptyQueries,
    /// The name of a run.
    RunName,
    /// What a run says of itself: its stage, its settings.
    Settings,
    /// Latency, cost, role, step of search calls.
    Calls,
    /// What search calls searched for, and the hops that they are meant for.
    Searches,
    /// Documents, places and lengths of chunks.
    Chunks,
    /// Rankings that have an order and no scores.
    Unscored,
}

impl Part {
    /// What it is, in the plural.
    pub fn name(self) -> &'static str {
        match self {
            Self::Texts => "query texts",
            Self::Tags => "tags",
            Self::Answerable => "whether it can be answered or needs a search",
            Self::Passages => "gold passages",
            Self::Evidence => "groups of evidence",
            Self::Groups => "judgment groups",
            Self::EmptyQueries => "queries without an entry",
            Self::RunName => "the name of the run",
            Self::Settings => "what the run says of itself",
            Self::Calls => "latency, cost, role or step of calls",
            Self::Searches => "texts and hops of calls",
            Self::Chunks => "places and documents of chunks",
            Self::Unscored => "rankings without scores",
        }
    }
}

/// What has no place in a layout, with the number of queries that have it; 0 for what belongs to
/// the file as a whole.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Losses(Vec<(Part, u64)>);

impl Losses {
    /// Each part with the number of queries that have it.
    pub fn iter(&self) -> impl Iterator<Item = (Part, u64)> {
        self.0.iter().copied()
    }

    pub(super) fn of_labels(labels: &Labels) -> Self {
        let mut losses = Self::default();
        for query in labels.queries() {
            losses.add_labels(query);
        }
        losses
    }

    fn add_labels(&mut self, query: &QueryLabels) {
        let about = &query.about;
        self.add(Part::EmptyQueries, query.judgments().next().is_none());
        self.add(Part::Texts, about.text.is_some());
        self.add(Part::Tags, !about.tags.is_empty());
        self.add(Part::Answerable, about.answerable.is_some() || about.needs_retrieval.is_some());
        self.add(Part::Passages, !about.spans.is_empty());
        self.add(Part::Evidence, !about.evidence.is_empty());
        self.add(Part::Groups, !about.groups.is_empty());
    }

    pub(super) fn add_head(&mut self, tag: Option<&str>, meta: &RunMeta) {
        let mut whole = |part, holds: bool| self.0.extend(holds.then_some((part, 0)));
        whole(Part::RunName, tag.is_some());
        whole(Part::Settings, *meta != RunMeta::default());
    }

    pub(super) fn add_calls(&mut self, calls: &[Call]) {
        let is_plain = |call: &Call| call.hop.is_none() && call.search_query.is_none();
        let plain = |call: &Call| Call { hop: None, search_query: None, ..call.clone() };
        self.add(Part::Calls, calls.iter().any(|call| plain(call) != Call::default()));
        self.add(Part::Searches, !calls.iter().all(is_plain));
    }

    pub(super) fn add(&mut self, part: Part, holds: bool) {
        match self.0.iter_mut().find(|(known, _)| *known == part) {
            Some((_, count)) => *count += u64::from(holds),
            None if holds => self.0.push((part, 1)),
            None => {}
        }
    }

    /// Those of some parts that are there.
    pub(super) fn of(&self, parts: &[Part]) -> Vec<Part> {
        parts.iter().copied().filter(|part| self.0.iter().any(|(found, count)| found == part && *count > 0)).collect()
    }

    /// Leaves what a layout does not hold.
    pub(super) fn keep(&mut self, format: &Format) {
        self.0.retain(|(part, _)| !format.holds.contains(part));
    }
}
