//! Where something stands in a list, by the hash of its id: an open hash table.

/// Slots of which each holds a place and half of a hash, so that next to nothing is looked at but
/// what is looked for, and the table can grow without a look at anything.
#[derive(Debug, Clone, Default)]
pub(super) struct Places {
    slots: Vec<u64>,
    used: usize,
}

const EMPTY: u64 = u64::MAX;

/// The smallest table; the number of slots is a power of two.
const LEAST: usize = 16;

impl Places {
    /// A table with room for as many places as are `expected`. More will do.
    pub(super) fn new(expected: usize) -> Self {
        Self { slots: vec![EMPTY; (expected + expected / 2).next_power_of_two().max(LEAST)], used: 0 }
    }

    /// Number of places.
    pub(super) fn len(&self) -> usize {
        self.used
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// The place of what has a hash; `is_it` says whether that stands at a place.
    pub(super) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mut at = self.first(hash);
        loop {
            match self.slots[at] {
                EMPTY => return None,
                slot if slot >> 32 == hash >> 32 && is_it(slot as u32) => return Some(slot as u32),
                _ => at = self.next(at),
            }
        }
    }

    /// Adds a place that is not there, below `u32::MAX`.
    pub(super) fn enter(&mut self, hash: u64, place: u32) {
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            let mut larger = Self::new(self.slots.len().max(LEAST / 2));
            self.slots.iter().filter(|&&slot| slot != EMPTY).for_each(|&slot| larger.fill(slot));
            *self = larger;
        }
        self.fill(hash >> 32 << 32 | u64::from(place));
    }

    fn fill(&mut self, slot: u64) {
        let mut at = self.first(slot);
        while self.slots[at] != EMPTY {
            at = self.next(at);
        }
        self.slots[at] = slot;
        self.used += 1;
    }

    /// Where a hash belongs. A larger table has its slots in the same order as a smaller one.
    fn first(&self, hash: u64) -> usize {
        (hash >> (u64::BITS - self.slots.len().trailing_zeros())) as usize
    }

    fn next(&self, at: usize) -> usize {
        (at + 1) & (self.slots.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_however_many_there_are_and_whatever_their_hashes() {
        let alike = |place: u32| u64::from(place % 3) << 62;
        let spread = |place: u32| u64::from(place).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for hash in [alike, spread] {
            let mut places = Places::default();
            for place in 0..500 {
                assert_eq!(places.find(hash(place), |found| found == place), None);
                places.enter(hash(place), place);
            }
            assert_eq!(places.len(), 500);
            assert!((0..500).all(|place| places.find(hash(place), |found| found == place) == Some(place)));
        }
    }

    #[test]
    fn there_is_room_for_what_was_expected_and_not_much_more() {
        for expected in 1..200_u32 {
            let mut places = Places::new(expected as usize);
            let slots = places.slots.len();
            (0..expected).for_each(|place| places.enter(u64::from(place) << 55, place));
            assert_eq!(places.slots.len(), slots);
            assert!(slots <= LEAST.max(3 * expected as usize));
        }
    }
}
