//! Sets of positions as disjoint ranges in order.

/// A set of positions: disjoint, non-empty ranges `start..end`, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Intervals(Vec<(u64, u64)>);

impl Intervals {
    /// Adds the positions from `start` to before `end`, and says how many of them are new.
    pub fn add(&mut self, start: u64, end: u64) -> u64 {
        if end <= start {
            return 0;
        }
        let first = self.0.partition_point(|range| range.1 < start);
        let last = self.0.partition_point(|range| range.0 <= end);
        let touched = &self.0[first..last];
        let known: u64 = touched.iter().map(|range| range.1 - range.0).sum();
        let low = touched.first().map_or(start, |range| range.0.min(start));
        let high = touched.last().map_or(end, |range| range.1.max(end));
        self.0.splice(first..last, [(low, high)]);
        high - low - known
    }

    /// Adds the positions from `start` to before `end` that are in another set, and says how many
    /// of them are new.
    pub fn add_within(&mut self, other: &Self, start: u64, end: u64) -> u64 {
        let first = other.0.partition_point(|range| range.1 <= start);
        let inside = other.0[first..].iter().take_while(|range| range.0 < end);
        inside.map(|range| self.add(range.0.max(start), range.1.min(end))).sum()
    }

    /// Number of positions.
    pub fn len(&self) -> u64 {
        self.0.iter().map(|range| range.1 - range.0).sum()
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_twice_counts_once() {
        let mut set = Intervals::default();
        assert_eq!(set.add(10, 20), 10);
        assert_eq!(set.add(15, 30), 10);
        assert_eq!(set.add(40, 50), 10);
        assert_eq!(set.add(0, 60), 30);
        assert_eq!(set.add(5, 5), 0);
        assert_eq!((set.len(), set.is_empty()), (60, false));
    }

    #[test]
    fn only_what_the_other_set_holds_is_added() {
        let mut gold = Intervals::default();
        for (start, end) in [(0, 10), (20, 30), (40, 50)] {
            gold.add(start, end);
        }
        let mut found = Intervals::default();
        assert_eq!(found.add_within(&gold, 5, 45), 5 + 10 + 5);
        assert_eq!(found.add_within(&gold, 0, 100), 5 + 5);
        assert_eq!(found, gold);
    }

    #[test]
    fn any_order_gives_the_same_set() {
        let ranges = [(3, 9), (0, 2), (8, 12), (2, 3), (20, 21)];
        let whole = |order: &[usize]| {
            let mut set = Intervals::default();
            order.iter().for_each(|&index| _ = set.add(ranges[index].0, ranges[index].1));
            set
        };
        assert_eq!(whole(&[0, 1, 2, 3, 4]), whole(&[4, 3, 2, 1, 0]));
        assert_eq!(whole(&[2, 0, 4, 3, 1]).len(), 13);
    }
}
