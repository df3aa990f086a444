//! What a measure may see of one query: the judged documents of a ranking and their ranks.
//!
//! Of a thousand results one or two are judged, so a ranking shrinks to a handful of [`Hit`]s.
//! There are no ids and no scores here: a measure cannot look at what it must not.

mod evidence;
mod passages;

pub use evidence::{Evidence, Extent, Sighting};
pub use passages::{Passages, Reach};

use crate::preferences::Preferences;

/// A relevance grade. Below 0 means "pooled, not judged"; fractions are allowed.
pub type Grade = f64;

/// Facts about the whole label file that some measures need before they can score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LabelFacts {
    /// The largest grade of the file, at least 0.
    pub max_grade: Grade,
}

/// A retrieved document that stands in the labels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Position in the ranking, from 1.
    pub rank: u64,
    /// The grade of the document; negative when it was pooled but not judged.
    pub grade: Grade,
}

impl Hit {
    /// Whether somebody judged the document, relevant or not.
    pub fn is_judged(&self) -> bool {
        self.grade >= 0.0
    }

    /// Whether the document was judged and has a grade of at least `threshold`.
    pub fn is_relevant(&self, threshold: Grade) -> bool {
        self.is_judged() && self.grade >= threshold
    }
}

/// How many units stand in the first k results, where a cutoff counts results and the ranking is
/// one of larger units (documents of which the results are chunks).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Window<'a> {
    /// Number of units in the first 1, 2, 3 … results.
    pub all: &'a [u64],
    /// The same for the results of judged units alone.
    pub judged: &'a [u64],
}

impl Window<'_> {
    /// Number of units in the first `k` results.
    fn units(&self, k: u64) -> u64 {
        let results = usize::try_from(k).unwrap_or(usize::MAX).min(self.all.len());
        results.checked_sub(1).map_or(0, |last| self.all[last])
    }
}

/// Leaves the judged documents alone, at ranks 1, 2, 3 …
pub(crate) fn condense(hits: &mut Vec<Hit>) {
    hits.retain(Hit::is_judged);
    hits.iter_mut().zip(1..).for_each(|(hit, rank)| hit.rank = rank);
}

/// One query's ranking seen through its labels.
///
/// Every rank up to [`retrieved`](Self::retrieved) that has no hit holds an unjudged document.
/// What labels say beyond a grade a document is an optional part: a field here, a `with_` that
/// puts it in, and a reader; a measure that reads it is undefined without it.
#[derive(Debug, Clone, Copy)]
pub struct JudgedRanking<'a> {
    hits: &'a [Hit],
    retrieved: u64,
    ideal: &'a [Grade],
    condensed: Option<&'a [Hit]>,
    groups: &'a [JudgedRanking<'a>],
    preferences: Option<&'a Preferences>,
    credits: Option<&'a [Hit]>,
    window: Option<Window<'a>>,
    passages: Option<&'a Passages>,
    evidence: Option<&'a Evidence>,
}

impl<'a> JudgedRanking<'a> {
    /// Puts a ranking together.
    ///
    /// `hits` stand in rank order, each rank once and at most `retrieved`; `ideal` holds the
    /// grades of all judged documents (none negative), high to low.
    pub fn new(hits: &'a [Hit], retrieved: u64, ideal: &'a [Grade]) -> Self {
        debug_assert!(hits.is_sorted_by(|a, b| a.rank < b.rank));
        debug_assert!(hits.last().is_none_or(|hit| hit.rank <= retrieved));
        debug_assert!(ideal.is_sorted_by(|a, b| a >= b));
        let (condensed, preferences, credits) = (None, None, None);
        let (window, passages, evidence) = (None, None, None);
        Self { hits, retrieved, ideal, condensed, groups: &[], preferences, credits, window, passages, evidence }
    }

    /// The same with its [condensed hits](Self::condensed_hits), for all measures that want them.
    #[must_use]
    pub fn with_condensed(self, hits: &'a [Hit]) -> Self {
        Self { condensed: Some(hits), ..self }
    }

    /// The same with the ranking as each judgment group of the query sees it.
    #[must_use]
    pub fn with_groups(self, groups: &'a [JudgedRanking<'a>]) -> Self {
        Self { groups, ..self }
    }

    /// The same with preferences between documents of the query.
    #[must_use]
    pub fn with_preferences(self, preferences: &'a Preferences) -> Self {
        Self { preferences: Some(preferences), ..self }
    }

    /// The same where one result can bring several of the judged items (passages in one chunk):
    /// `credits` holds each item that was found, at the rank where it is credited, in rank order;
    /// the [hits](Self::hits) are the ranks at which at least one is.
    #[must_use]
    pub fn with_credits(self, credits: &'a [Hit]) -> Self {
        debug_assert!(credits.is_sorted_by(|a, b| a.rank <= b.rank));
        Self { credits: Some(credits), ..self }
    }

    /// The same with cutoffs that count results, of which the ranked units are made.
    #[must_use]
    pub fn with_window(self, window: Window<'a>) -> Self {
        Self { window: Some(window), ..self }
    }

    /// The same with what its results cover of the gold passages.
    #[must_use]
    pub fn with_passages(self, passages: &'a Passages) -> Self {
        Self { passages: Some(passages), ..self }
    }

    /// The same with the evidence that its search calls found.
    #[must_use]
    pub fn with_evidence(self, evidence: &'a Evidence) -> Self {
        Self { evidence: Some(evidence), ..self }
    }

    /// What the results cover of the gold passages, where the labels have them.
    pub fn passages(&self) -> Option<&'a Passages> {
        self.passages
    }

    /// The evidence that the search calls found, where the labels ask for any.
    pub fn evidence(&self) -> Option<&'a Evidence> {
        self.evidence
    }

    /// The ranking as each judgment group of the query sees it; empty where the labels have no
    /// groups.
    pub fn groups(&self) -> &'a [JudgedRanking<'a>] {
        self.groups
    }

    /// Preferences between documents of the query, where the labels have them.
    pub fn preferences(&self) -> Option<&'a Preferences> {
        self.preferences
    }

    /// The retrieved documents that stand in the labels, in rank order.
    pub fn hits(&self) -> &'a [Hit] {
        self.hits
    }

    /// The hits at ranks 1 to `cutoff`; all of them without a cutoff.
    pub fn top(&self, cutoff: Option<u64>) -> &'a [Hit] {
        self.cut(self.hits, cutoff)
    }

    /// The judged items that the first `cutoff` results bring, each once, in rank order: the hits
    /// themselves but where one result can bring several.
    pub fn credited(&self, cutoff: Option<u64>) -> &'a [Hit] {
        self.cut(self.credits.unwrap_or(self.hits), cutoff)
    }

    fn cut(&self, hits: &'a [Hit], cutoff: Option<u64>) -> &'a [Hit] {
        let Some(k) = cutoff else { return hits };
        let k = self.window.map_or(k, |window| window.units(k));
        &hits[..hits.partition_point(|hit| hit.rank <= k)]
    }

    /// Number of documents in the ranking.
    pub fn retrieved(&self) -> u64 {
        self.retrieved
    }

    /// Number of documents in the first `cutoff` positions: fewer than the cutoff when the list
    /// is short, the whole list without a cutoff.
    pub fn returned(&self, cutoff: Option<u64>) -> u64 {
        let Some(k) = cutoff else { return self.retrieved };
        self.window.map_or(k, |window| window.units(k)).min(self.retrieved)
    }

    /// Grades of all judged documents of the query, retrieved or not, high to low.
    pub fn ideal(&self) -> &'a [Grade] {
        self.ideal
    }

    /// R: how many documents have a grade of at least `threshold`, retrieved or not.
    pub fn relevant(&self, threshold: Grade) -> u64 {
        self.ideal.partition_point(|&grade| grade >= threshold) as u64
    }

    /// N: how many judged documents are not relevant, retrieved or not.
    pub fn judged_not_relevant(&self, threshold: Grade) -> u64 {
        self.ideal.len() as u64 - self.relevant(threshold)
    }

    /// How many of the first `cutoff` documents have a grade of at least `threshold`.
    pub fn found(&self, threshold: Grade, cutoff: Option<u64>) -> u64 {
        self.top(cutoff).iter().filter(|hit| hit.is_relevant(threshold)).count() as u64
    }

    /// How many judged items with a grade of at least `threshold` the first `cutoff` results bring.
    pub fn recovered(&self, threshold: Grade, cutoff: Option<u64>) -> u64 {
        self.credited(cutoff).iter().filter(|hit| hit.is_relevant(threshold)).count() as u64
    }

    /// How many items with a grade of at least `threshold` are credited at the rank of a hit that
    /// is relevant itself.
    pub fn recovered_at(&self, hit: &Hit, threshold: Grade) -> u64 {
        let Some(credits) = self.credits else { return 1 };
        let here = &credits[credits.partition_point(|credit| credit.rank < hit.rank)..];
        let here = here.iter().take_while(|credit| credit.rank == hit.rank);
        here.filter(|credit| credit.is_relevant(threshold)).count() as u64
    }

    /// The hits of the condensed list (Sakai 2007): the judged documents alone, at ranks 1, 2, 3 …
    pub fn condensed_hits(&self) -> Vec<Hit> {
        let mut hits = self.hits.to_vec();
        condense(&mut hits);
        hits
    }

    /// Shows the condensed list, which is made here unless it came [with](Self::with_condensed)
    /// the ranking.
    pub fn condensed<T>(&self, read: impl FnOnce(&JudgedRanking<'_>) -> T) -> T {
        match self.condensed {
            Some(hits) => self.show_condensed(hits, read),
            None => self.show_condensed(&self.condensed_hits(), read),
        }
    }

    fn show_condensed<T>(&self, hits: &[Hit], read: impl FnOnce(&JudgedRanking<'_>) -> T) -> T {
        let mut plain = JudgedRanking::new(hits, hits.len() as u64, self.ideal);
        plain.window = self.window.map(|window| Window { all: window.judged, judged: window.judged });
        match self.credits {
            None => read(&plain),
            Some(credits) => read(&plain.with_credits(&self.condensed_credits(credits))),
        }
    }

    /// Credits at the ranks that their hits have in the condensed list.
    fn condensed_credits(&self, credits: &[Hit]) -> Vec<Hit> {
        let rank = |hit: &Hit| self.hits.iter().filter(|other| other.is_judged() && other.rank <= hit.rank).count();
        credits.iter().map(|hit| Hit { rank: rank(hit) as u64, grade: hit.grade }).collect()
    }

    /// A ranking written down by hand: a grade a rank, `None` for an unjudged document, and the
    /// grades of the judged documents that were not retrieved.
    ///
    /// ```
    /// use raglens::judged::JudgedRanking;
    /// let list = JudgedRanking::from_grades(&[None, Some(2.0), Some(3.0), None, Some(1.0)], &[2.0]);
    /// assert_eq!(list.view().relevant(1.0), 4);
    /// assert_eq!(list.view().found(1.0, Some(3)), 2);
    /// ```
    pub fn from_grades(ranked: &[Option<Grade>], not_retrieved: &[Grade]) -> OwnedRanking {
        let hits: Vec<Hit> =
            (1..).zip(ranked).filter_map(|(rank, grade)| Some(Hit { rank, grade: (*grade)? })).collect();
        let mut ideal: Vec<Grade> = hits
            .iter()
            .map(|hit| hit.grade)
            .chain(not_retrieved.iter().copied())
            .filter(|&grade| grade >= 0.0)
            .collect();
        ideal.sort_by(|a, b| b.total_cmp(a));
        OwnedRanking { hits, retrieved: ranked.len() as u64, ideal }
    }
}

/// A [`JudgedRanking`] that owns its parts.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnedRanking {
    hits: Vec<Hit>,
    retrieved: u64,
    ideal: Vec<Grade>,
}

impl OwnedRanking {
    /// The ranking as measures take it.
    pub fn view(&self) -> JudgedRanking<'_> {
        JudgedRanking::new(&self.hits, self.retrieved, &self.ideal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn condensing_closes_the_ranks_and_drops_pooled_documents() {
        let list = JudgedRanking::from_grades(&[None, Some(-1.0), Some(2.0), None, Some(0.0)], &[1.0]);
        list.view().condensed(|condensed| {
            assert_eq!(condensed.hits(), [Hit { rank: 1, grade: 2.0 }, Hit { rank: 2, grade: 0.0 }]);
            assert_eq!(condensed.retrieved(), 2);
            assert_eq!(condensed.ideal(), [2.0, 1.0, 0.0]);
        });
    }

    #[test]
    fn cutoffs_beyond_the_list_are_fine() {
        let list = JudgedRanking::from_grades(&[Some(1.0), None], &[]);
        assert_eq!(list.view().top(Some(u64::MAX)).len(), 1);
        assert_eq!(list.view().returned(Some(u64::MAX)), 2);
        assert_eq!(list.view().returned(Some(1)), 1);
    }
}
