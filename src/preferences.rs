//! Preferences between documents, and how many of them a ranking fulfils.
//!
//! A judgment group is one reader's view of one query. Within a group a document is preferred to
//! all that the group puts on a lower level. A group may come in sub-groups, which say nothing of
//! each other: then its preferences are those within the sub-groups, and what follows from them
//! (a above b in one, b above c in another: a above c).

use std::collections::BTreeMap;

use crate::id::Id;

/// One judgment: the level on which a group puts a document. 0 says that it is not relevant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement<'a> {
    /// The judgment group.
    pub group: &'a [u8],
    /// The part of the group within which levels can be compared.
    pub subgroup: &'a [u8],
    /// The document.
    pub document: &'a [u8],
    /// The level; higher is better.
    pub level: f64,
}

/// Judgments of one group that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("judgment group `{group}` contradicts itself about `{document}`")]
pub struct Contradiction {
    /// The group.
    pub group: Id,
    /// A document that the contradiction is about.
    pub document: Id,
}

/// The preferences of all judgment groups of one query, seen through one ranking.
#[derive(Debug, Clone)]
pub struct Preferences {
    groups: Vec<Group>,
    documents: usize,
    retrieved: usize,
}

/// Which pairs of documents count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairs {
    /// All: one that is not retrieved stands below all that are, and two of them fulfil nothing.
    All,
    /// Those of which at least one document is retrieved.
    Implied,
    /// Those of which both documents are retrieved.
    Retrieved,
}

/// How many preferences there are, and how many are fulfilled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Preferences whose better document stands above the other.
    pub fulfilled: u64,
    /// All preferences that count.
    pub possible: u64,
}

impl Tally {
    fn add(&mut self, is_fulfilled: bool) {
        self.fulfilled += u64::from(is_fulfilled);
        self.possible += 1;
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { fulfilled: self.fulfilled + other.fulfilled, possible: self.possible + other.possible }
    }

    /// The share that is fulfilled; `None` where there are none.
    pub fn share(self) -> Option<f64> {
        (self.possible > 0).then(|| self.fulfilled as f64 / self.possible as f64)
    }
}

impl Preferences {
    /// Brings judgments together with a ranking; `rank` says where it has a document. For
    /// preferences trec_eval puts equal scores in ascending order of ids.
    ///
    /// # Errors
    /// When the judgments of a group contradict each other.
    pub fn new(placements: &[Placement<'_>], rank: impl Fn(&[u8]) -> Option<u64>) -> Result<Self, Contradiction> {
        let mut ids: Vec<&[u8]> = placements.iter().map(|placement| placement.document).collect();
        ids.sort_unstable();
        ids.dedup();
        // What is not retrieved stands below all that is, in the order of ids.
        ids.sort_by_cached_key(|id| rank(id).unwrap_or(u64::MAX));
        let place: BTreeMap<&[u8], usize> = ids.iter().enumerate().map(|(place, &id)| (id, place)).collect();
        let retrieved = ids.partition_point(|id| rank(id).is_some());
        let mut by_group: BTreeMap<&[u8], BTreeMap<&[u8], Vec<Placed>>> = BTreeMap::new();
        for placement in placements {
            let placed = Placed { place: place[placement.document], level: placement.level };
            by_group.entry(placement.group).or_default().entry(placement.subgroup).or_default().push(placed);
        }
        let groups = by_group.into_iter().map(|(name, parts)| {
            let parts: Vec<Vec<Placed>> = parts.into_values().collect();
            let contradiction = |place: usize| Contradiction { group: name.into(), document: ids[place].into() };
            Group::new(parts, retrieved).map_err(contradiction)
        });
        Ok(Self { groups: groups.collect::<Result<_, _>>()?, documents: ids.len(), retrieved })
    }

    /// The judgment groups, in the order of their names.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// How many preferences all groups have, and how many of them are fulfilled.
    pub fn tally(&self, pairs: Pairs) -> Tally {
        self.groups.iter().map(|group| group.tally(pairs)).fold(Tally::default(), Tally::and)
    }

    /// For each pair of documents that any group has a preference between, the share of these
    /// preferences that is fulfilled; the mean of these shares, `None` where there is no pair.
    pub fn mean_over_pairs(&self, pairs: Pairs) -> Option<f64> {
        let (mut sum, mut count) = (0.0, 0_u64);
        let mut row = vec![(0_u64, 0_u64); self.documents];
        let end = if pairs == Pairs::Retrieved { self.retrieved } else { self.documents };
        let rows = if pairs == Pairs::All { self.documents } else { self.retrieved };
        for above in 0..rows {
            row.fill((0, 0));
            for group in &self.groups {
                group.add_to_row(above, &mut row);
            }
            let voted = row[above..end].iter().filter(|&&(for_it, against)| for_it + against > 0);
            for &(for_it, against) in voted {
                count += 1;
                sum += if above < self.retrieved { for_it as f64 / (for_it + against) as f64 } else { 0.0 };
            }
        }
        (count > 0).then(|| sum / count as f64)
    }
}

/// A document in a group: its place among all documents of the query, and its level.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Placed {
    place: usize,
    level: f64,
}

/// The preferences of one judgment group, seen through one ranking.
#[derive(Debug, Clone)]
pub struct Group {
    /// From the best level down, within a level by place; by place alone in a group of parts.
    placed: Vec<Placed>,
    /// Which is preferred to which in a group that has parts; `None` where levels say it.
    order: Option<Partial>,
    retrieved: usize,
}

impl Group {
    fn new(mut parts: Vec<Vec<Placed>>, retrieved: usize) -> Result<Self, usize> {
        match parts.len() {
            1 => Self::of_levels(parts.remove(0), retrieved),
            _ => Self::of_parts(&parts, retrieved),
        }
    }

    fn of_levels(mut placed: Vec<Placed>, retrieved: usize) -> Result<Self, usize> {
        let mut levels: BTreeMap<usize, f64> = BTreeMap::new();
        for one in &placed {
            if *levels.entry(one.place).or_insert(one.level) != one.level {
                return Err(one.place);
            }
        }
        placed.sort_by(|a, b| b.level.total_cmp(&a.level).then(a.place.cmp(&b.place)));
        Ok(Self { placed, order: None, retrieved })
    }

    fn of_parts(parts: &[Vec<Placed>], retrieved: usize) -> Result<Self, usize> {
        let mut levels: BTreeMap<usize, f64> = BTreeMap::new();
        for one in parts.iter().flatten() {
            let earlier = levels.insert(one.place, one.level);
            let is_relevant = |level: f64| level > 0.0;
            if earlier.is_some_and(|earlier| is_relevant(earlier) != is_relevant(one.level)) {
                return Err(one.place);
            }
        }
        let placed: Vec<Placed> = levels.into_iter().map(|(place, level)| Placed { place, level }).collect();
        let mut order = Partial::new(placed.len());
        let index = |place: usize| placed.partition_point(|one| one.place < place);
        for part in parts {
            for (better, worse) in part.iter().flat_map(|a| part.iter().map(move |b| (a, b))) {
                if better.level > worse.level {
                    order.set(index(better.place), index(worse.place));
                }
            }
        }
        order.close();
        match order.cycle() {
            Some(index) => Err(placed[index].place),
            None => Ok(Self { placed, order: Some(order), retrieved }),
        }
    }

    fn prefers(&self, a: usize, b: usize) -> bool {
        match &self.order {
            Some(order) => order.get(a, b),
            None => self.placed[a].level > self.placed[b].level,
        }
    }

    /// Every preference, as positions in the group: the better document, the worse one.
    fn preferences(&self) -> impl Iterator<Item = (usize, usize)> {
        let all = 0..self.placed.len();
        all.clone().flat_map(move |a| all.clone().filter(move |&b| self.prefers(a, b)).map(move |b| (a, b)))
    }

    fn is_retrieved(&self, index: usize) -> bool {
        self.placed[index].place < self.retrieved
    }

    fn counts(&self, (a, b): (usize, usize), pairs: Pairs) -> bool {
        match pairs {
            Pairs::All => true,
            Pairs::Implied => self.is_retrieved(a) || self.is_retrieved(b),
            Pairs::Retrieved => self.is_retrieved(a) && self.is_retrieved(b),
        }
    }

    /// Whether the first document is retrieved and stands above the second.
    fn is_fulfilled(&self, (a, b): (usize, usize)) -> bool {
        self.is_retrieved(a) && self.placed[a].place < self.placed[b].place
    }

    /// How many preferences the group has, and how many of them are fulfilled.
    pub fn tally(&self, pairs: Pairs) -> Tally {
        self.tally_of(self.preferences(), pairs)
    }

    fn tally_of(&self, preferences: impl Iterator<Item = (usize, usize)>, pairs: Pairs) -> Tally {
        let mut tally = Tally::default();
        for preference in preferences.filter(|&preference| self.counts(preference, pairs)) {
            tally.add(self.is_fulfilled(preference));
        }
        tally
    }

    /// Adds, for each other document, the preferences of a document over it and those against.
    fn add_to_row(&self, place: usize, row: &mut [(u64, u64)]) {
        let others = 0..self.placed.len();
        for own in others.clone().filter(|&index| self.placed[index].place == place) {
            for other in others.clone() {
                let cell = &mut row[self.placed[other].place];
                cell.0 += u64::from(self.prefers(own, other));
                cell.1 += u64::from(self.prefers(other, own));
            }
        }
    }

    /// The same with as many documents that are not relevant (level 0) as relevant ones, as
    /// trec_eval counts it: where there are fewer, fulfilled preferences over the missing ones
    /// are added; where there are more, the last of the ranking are dropped. `pairs` is
    /// [`Pairs::Retrieved`] or counts all.
    pub fn balanced_tally(&self, pairs: Pairs) -> Tally {
        let (relevant, other) = (self.number(Pairs::All, true), self.number(Pairs::All, false));
        let (found, found_other) = (self.number(Pairs::Retrieved, true), self.number(Pairs::Retrieved, false));
        let (wanted, present) = if pairs == Pairs::Retrieved { (found, found_other) } else { (relevant, other) };
        if let Some(missing) = wanted.checked_sub(present) {
            return self.tally(pairs).and(Tally { fulfilled: found * missing, possible: relevant * missing });
        }
        match &self.order {
            None => self.cut_levels(wanted as usize, pairs),
            Some(_) => self.cut_parts(relevant as usize, pairs),
        }
    }

    /// trec_eval compares the documents of the lowest level with those of them that stay, too.
    fn cut_levels(&self, wanted: usize, pairs: Pairs) -> Tally {
        let lowest = self.placed.last().map_or(0.0, |last| last.level);
        let start = self.placed.partition_point(|one| one.level > lowest);
        let stays = |b: usize| b < start + wanted;
        let compared = self.preferences().filter(|&(_, b)| stays(b));
        let among_lowest = (start..self.placed.len())
            .flat_map(|a| (start..self.placed.len()).map(move |b| (a, b)))
            .filter(|&(_, b)| stays(b));
        self.tally_of(compared, pairs).and(self.tally_of(among_lowest, pairs))
    }

    fn cut_parts(&self, wanted: usize, pairs: Pairs) -> Tally {
        let zeros = (0..self.placed.len()).filter(|&index| self.placed[index].level == 0.0);
        let first_dropped = zeros.clone().nth(wanted).unwrap_or(self.placed.len());
        let stays = |index: usize| index < first_dropped || self.placed[index].level != 0.0;
        self.tally_of(self.preferences().filter(|&(a, b)| stays(a) && stays(b)), pairs)
    }

    /// How many documents of the group are relevant, or not; retrieved ones or all.
    fn number(&self, pairs: Pairs, is_relevant: bool) -> u64 {
        let counts = |&index: &usize| {
            let one = self.placed[index];
            let is_meant = if is_relevant { one.level > 0.0 } else { self.is_not_relevant(one.level) };
            is_meant && (pairs == Pairs::All || self.is_retrieved(index))
        };
        (0..self.placed.len()).filter(counts).count() as u64
    }

    /// Levels below 0 say "not relevant" only where all documents can be compared.
    fn is_not_relevant(&self, level: f64) -> bool {
        if self.order.is_some() { level == 0.0 } else { level <= 0.0 }
    }
}

/// A relation between the documents of a group, a bit a pair.
#[derive(Debug, Clone)]
struct Partial {
    size: usize,
    words: usize,
    bits: Vec<u64>,
}

impl Partial {
    fn new(size: usize) -> Self {
        let words = size.div_ceil(64);
        Self { size, words, bits: vec![0; size * words] }
    }

    fn set(&mut self, a: usize, b: usize) {
        self.bits[a * self.words + b / 64] |= 1 << (b % 64);
    }

    fn get(&self, a: usize, b: usize) -> bool {
        self.bits[a * self.words + b / 64] >> (b % 64) & 1 == 1
    }

    /// Adds what follows from what is there (Warshall 1962).
    fn close(&mut self) {
        for through in 0..self.size {
            for a in 0..self.size {
                if a != through && self.get(a, through) {
                    for word in 0..self.words {
                        self.bits[a * self.words + word] |= self.bits[through * self.words + word];
                    }
                }
            }
        }
    }

    /// A document that is preferred to itself.
    fn cycle(&self) -> Option<usize> {
        (0..self.size).find(|&index| self.get(index, index))
    }
}

#[cfg(test)]
mod tests;
