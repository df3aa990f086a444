//! What a measure may see of one query: the judged documents of a ranking and their ranks.
//!
//! Of a thousand results one or two are judged, so a ranking shrinks to a handful of [`Hit`]s.
//! There are no ids and no scores here: a measure cannot look at what it must not.

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
        Self { hits, retrieved, ideal, condensed: None, groups: &[], preferences: None }
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
        match cutoff {
            Some(k) => &self.hits[..self.hits.partition_point(|hit| hit.rank <= k)],
            None => self.hits,
        }
    }

    /// Number of documents in the ranking.
    pub fn retrieved(&self) -> u64 {
        self.retrieved
    }

    /// Number of documents in the first `cutoff` positions: fewer than the cutoff when the list
    /// is short, the whole list without a cutoff.
    pub fn returned(&self, cutoff: Option<u64>) -> u64 {
        cutoff.map_or(self.retrieved, |k| k.min(self.retrieved))
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

    /// The hits of the condensed list (Sakai 2007): the judged documents alone, at ranks 1, 2, 3 …
    pub fn condensed_hits(&self) -> Vec<Hit> {
        let mut hits = self.hits.to_vec();
        condense(&mut hits);
        hits
    }

    /// Shows the condensed list, which is made here unless it came [with](Self::with_condensed)
    /// the ranking.
    pub fn condensed<T>(&self, read: impl FnOnce(&JudgedRanking<'_>) -> T) -> T {
        let show = |hits: &[Hit]| read(&JudgedRanking::new(hits, hits.len() as u64, self.ideal));
        match self.condensed {
            Some(hits) => show(hits),
            None => show(&self.condensed_hits()),
        }
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
