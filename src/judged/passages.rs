//! What the chunks of a ranking cover of the gold passages of a query, as measures see it.

/// What the first results of a ranking hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reach {
    /// Gold positions in them, each once.
    pub covered: u64,
    /// Length of the results, as often as they were returned.
    pub length: u64,
}

/// What the results of a ranking cover of the gold passages, in any unit of length.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Passages {
    gold: u64,
    reach: Vec<Reach>,
}

impl Passages {
    /// An empty list of results against gold passages of a length, overlaps counted once.
    pub fn new(gold: u64) -> Self {
        Self { gold, reach: Vec::new() }
    }

    /// Takes the next result: its length and how much gold it adds.
    pub fn push(&mut self, covered: u64, length: u64) {
        let before = self.at(None);
        let (covered, length) = (before.covered + covered, before.length.saturating_add(length));
        self.reach.push(Reach { covered, length });
    }

    /// Length of the gold passages, overlaps counted once.
    pub fn gold(&self) -> u64 {
        self.gold
    }

    /// What the first `cutoff` results hold; all of them without a cutoff.
    pub fn at(&self, cutoff: Option<u64>) -> Reach {
        let wanted = cutoff.and_then(|k| usize::try_from(k).ok()).unwrap_or(usize::MAX);
        let index = wanted.min(self.reach.len()).checked_sub(1);
        index.map_or_else(Reach::default, |index| self.reach[index])
    }
}
