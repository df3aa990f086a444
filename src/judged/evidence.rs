//! Chains of evidence: every hop is needed, and in each hop any one of its documents. Where the
//! search calls of a query found them, as measures see it.

/// Where the evidence of one query stands in the lists of its search calls.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    hops: Vec<Hop>,
    calls: usize,
}

/// One hop: all of its groups are needed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Hop {
    number: u32,
    groups: Vec<Vec<Sighting>>,
}

/// The best rank of one of a group's documents in the list of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sighting {
    /// The position of the call, from 0.
    pub call: usize,
    /// The rank in its list, from 1.
    pub rank: u64,
}

/// The part of the search that is looked at: the first results of each of some calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    cutoff: Option<u64>,
    first: usize,
    end: usize,
}

impl Extent {
    /// The first `cutoff` results of every call; all of them without a cutoff.
    pub fn top(cutoff: Option<u64>) -> Self {
        Self { cutoff, first: 0, end: usize::MAX }
    }

    /// The same of the first `calls` calls alone.
    #[must_use]
    pub fn of_first(self, calls: usize) -> Self {
        Self { end: calls, ..self }
    }

    /// The same of one call alone, by its position from 0.
    #[must_use]
    pub fn of_call(self, call: usize) -> Self {
        Self { first: call, end: call.saturating_add(1), ..self }
    }

    fn holds(&self, sighting: &Sighting) -> bool {
        (self.first..self.end).contains(&sighting.call) && self.cutoff.is_none_or(|cutoff| sighting.rank <= cutoff)
    }
}

impl Evidence {
    /// Puts groups together that carry the number of their hop, in any order. Groups of one hop are
    /// all needed.
    pub fn new(groups: impl IntoIterator<Item = (u32, Vec<Sighting>)>, calls: usize) -> Self {
        let mut hops: Vec<Hop> = Vec::new();
        for (number, group) in groups {
            match hops.iter_mut().find(|hop| hop.number == number) {
                Some(hop) => hop.groups.push(group),
                None => hops.push(Hop { number, groups: vec![group] }),
            }
        }
        hops.sort_by_key(|hop| hop.number);
        Self { hops, calls }
    }

    /// Number of search calls.
    pub fn calls(&self) -> usize {
        self.calls
    }

    /// The numbers of the hops, in order.
    pub fn hops(&self) -> impl Iterator<Item = u32> {
        self.hops.iter().map(|hop| hop.number)
    }

    /// Whether a hop is satisfied; `None` where the query has no hop of that number.
    pub fn has_hop(&self, number: u32, extent: Extent) -> Option<bool> {
        self.hops.iter().find(|hop| hop.number == number).map(|hop| hop.is_satisfied(extent))
    }

    /// Whether a hop is satisfied among queries in which the hop before it is; `None` where it is
    /// not, or where there is no hop before it.
    pub fn has_hop_given_previous(&self, number: u32, extent: Extent) -> Option<bool> {
        let position = self.hops.iter().position(|hop| hop.number == number)?;
        let previous = &self.hops[position.checked_sub(1)?];
        previous.is_satisfied(extent).then(|| self.hops[position].is_satisfied(extent))
    }

    /// How many hops are satisfied, of how many.
    pub fn found(&self, extent: Extent) -> (usize, usize) {
        (self.hops.iter().filter(|hop| hop.is_satisfied(extent)).count(), self.hops.len())
    }

    /// Whether every hop is satisfied.
    pub fn is_complete(&self, extent: Extent) -> bool {
        self.hops.iter().all(|hop| hop.is_satisfied(extent))
    }

    /// How many hops from the first on are satisfied without a gap.
    pub fn depth(&self, extent: Extent) -> usize {
        self.hops.iter().take_while(|hop| hop.is_satisfied(extent)).count()
    }

    /// How many calls satisfy no hop that was not satisfied before them.
    pub fn redundant_calls(&self, cutoff: Option<u64>) -> usize {
        let found = |calls: usize| self.found(Extent::top(cutoff).of_first(calls)).0;
        (1..=self.calls).filter(|&calls| found(calls) == found(calls - 1)).count()
    }

    /// How many calls follow the one that completes the chain; 0 where none does.
    pub fn calls_after_completion(&self, cutoff: Option<u64>) -> usize {
        let is_complete = |calls: &usize| self.is_complete(Extent::top(cutoff).of_first(*calls));
        (1..=self.calls).find(is_complete).map_or(0, |completing| self.calls - completing)
    }
}

impl Hop {
    fn is_satisfied(&self, extent: Extent) -> bool {
        self.groups.iter().all(|group| group.iter().any(|sighting| extent.holds(sighting)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(call: usize, rank: u64) -> Sighting {
        Sighting { call, rank }
    }

    const WHOLE: Extent = Extent { cutoff: None, first: 0, end: usize::MAX };

    #[test]
    fn hops_are_joined_by_and_and_documents_by_or() {
        let evidence = Evidence::new([(1, vec![at(0, 2)]), (2, vec![at(1, 1)]), (3, vec![])], 2);
        assert_eq!(evidence.hops().collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!([1, 2, 3, 4].map(|hop| evidence.has_hop(hop, WHOLE)), [Some(true), Some(true), Some(false), None]);
        assert_eq!((evidence.found(WHOLE), evidence.depth(WHOLE), evidence.is_complete(WHOLE)), ((2, 3), 2, false));
        assert_eq!([1, 2, 3].map(|hop| evidence.has_hop_given_previous(hop, WHOLE)), [None, Some(true), Some(false)]);
    }

    #[test]
    fn a_cutoff_is_taken_of_every_call() {
        let evidence = Evidence::new([(1, vec![at(0, 7), at(1, 1)]), (2, vec![at(0, 1)])], 2);
        assert_eq!(evidence.found(Extent::top(Some(5))), (2, 2));
        assert_eq!(evidence.found(Extent::top(Some(5)).of_first(1)), (1, 2));
        assert_eq!(evidence.found(Extent::top(None).of_first(1)), (2, 2));
        assert_eq!(evidence.found(Extent::top(None).of_call(1)), (1, 2));
    }

    #[test]
    fn all_groups_of_one_hop_are_needed() {
        let evidence = Evidence::new([(2, vec![at(0, 1)]), (1, vec![at(0, 1)]), (2, vec![])], 1);
        assert_eq!((evidence.found(WHOLE), evidence.has_hop(2, WHOLE)), ((1, 2), Some(false)));
    }

    #[test]
    fn calls_that_add_no_hop_are_redundant_and_later_ones_come_after_completion() {
        let evidence = Evidence::new([(1, vec![at(0, 1)]), (2, vec![at(2, 1)])], 4);
        assert_eq!(
            (evidence.calls(), evidence.redundant_calls(None), evidence.calls_after_completion(None)),
            (4, 2, 1)
        );
        let never = Evidence::new([(1, vec![])], 3);
        assert_eq!((never.redundant_calls(None), never.calls_after_completion(None)), (3, 0));
    }
}
