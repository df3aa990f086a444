//! A ranking as the judgment groups of its query see it.

use std::collections::{BTreeMap, HashMap};

use crate::judged::{Grade, Hit, JudgedRanking, condense};
use crate::labels::{Grouping, QueryLabels};

/// Where a ranking has documents, by id.
pub(super) type Ranks = HashMap<Box<[u8]>, u64>;

/// Shows the ranking with its judgment groups or its preferences.
pub(super) fn with_groups<T>(
    view: JudgedRanking<'_>,
    query: &QueryLabels,
    grouping: Grouping,
    ranks: &Ranks,
    judged_only: bool,
    read: impl FnOnce(&JudgedRanking<'_>) -> T,
) -> T {
    let rank = |document: &[u8]| ranks.get(document).copied();
    match grouping {
        Grouping::Preferences => match query.preferences(rank) {
            Ok(preferences) => read(&view.with_preferences(&preferences)),
            // Contradictions are found when the labels are read.
            Err(_) => read(&view),
        },
        Grouping::Groups => {
            let lists = lists(query, rank, judged_only);
            let groups: Vec<JudgedRanking<'_>> = lists.iter().map(|list| list.view(view.retrieved())).collect();
            read(&view.with_groups(&groups))
        }
    }
}

/// What one group sees of a ranking.
struct List {
    hits: Vec<Hit>,
    ideal: Vec<Grade>,
    is_condensed: bool,
}

impl List {
    fn view(&self, retrieved: u64) -> JudgedRanking<'_> {
        let retrieved = if self.is_condensed { self.hits.len() as u64 } else { retrieved };
        JudgedRanking::new(&self.hits, retrieved, &self.ideal)
    }
}

/// The lists of all groups, in the order of their names.
fn lists(query: &QueryLabels, rank: impl Fn(&[u8]) -> Option<u64>, is_condensed: bool) -> Vec<List> {
    let mut lists: BTreeMap<&[u8], List> = BTreeMap::new();
    for judgment in &query.about.groups {
        let new = || List { hits: Vec::new(), ideal: Vec::new(), is_condensed };
        let list = lists.entry(judgment.group.as_bytes()).or_insert_with(new);
        let grade = judgment.level;
        list.hits.extend(rank(judgment.document.as_bytes()).map(|rank| Hit { rank, grade }));
        list.ideal.extend(Some(grade).filter(|&grade| grade >= 0.0));
    }
    for list in lists.values_mut() {
        list.hits.sort_by_key(|hit| hit.rank);
        list.ideal.sort_by(|a, b| b.total_cmp(a));
        if is_condensed {
            condense(&mut list.hits);
        }
    }
    lists.into_values().collect()
}
