//! Which results of a ranking may be documents that somebody asks for, or copies of others: a
//! table of fingerprints, so that the many other results cost one look-up and no comparison.

use crate::id::Fingerprints;

/// The smallest table; the number of slots is a power of two.
const LEAST: usize = 64;

/// The fingerprints of the documents that are asked for and of those that were seen.
///
/// What is [`found`](Self::found) has the fingerprint of a document before it. Whether it is the
/// same document must be looked at.
#[derive(Debug, Clone)]
pub struct Sightings {
    fingerprints: Fingerprints,
    /// An open hash table; 0 is no fingerprint.
    slots: Vec<u64>,
    shift: u32,
    free: usize,
    found: Vec<u32>,
}

impl Default for Sightings {
    fn default() -> Self {
        let mut empty =
            Self { fingerprints: Fingerprints::default(), slots: Vec::new(), shift: 0, free: 0, found: Vec::new() };
        empty.clear(0);
        empty
    }
}

impl Sightings {
    /// Forgets everything, and makes room for as many documents as are `expected`. More will do.
    pub fn clear(&mut self, expected: usize) {
        self.found.clear();
        self.slots.clear();
        self.make_room((expected * 2).next_power_of_two().max(LEAST));
    }

    /// Asks for a document.
    pub fn look_for(&mut self, document: &[u8]) {
        let fingerprint = self.fingerprints.of(document);
        let slot = self.slot(fingerprint);
        if self.slots[slot] == 0 {
            self.fill(slot, fingerprint);
        }
    }

    /// Takes the result at a position of the file, from 0.
    pub fn see(&mut self, document: &[u8], index: u32) {
        self.see_fingerprint(self.fingerprints.of(document), index);
    }

    /// The same for a document whose fingerprint is at hand.
    #[inline]
    pub fn see_fingerprint(&mut self, fingerprint: u64, index: u32) {
        let slot = self.slot(fingerprint);
        match self.slots[slot] {
            0 => self.fill(slot, fingerprint),
            _ => self.found.push(index),
        }
    }

    /// Positions in the file, from 0, of the results that may be documents that were asked for or
    /// copies of others.
    pub fn found(&self) -> &[u32] {
        &self.found
    }

    /// How ids are made into fingerprints.
    pub fn fingerprints(&self) -> Fingerprints {
        self.fingerprints
    }

    /// The slot of a fingerprint: the one that holds it, or the one where it belongs.
    #[inline]
    fn slot(&self, fingerprint: u64) -> usize {
        let mut slot = self.fingerprints.spread(fingerprint, self.shift);
        while self.slots[slot] != 0 && self.slots[slot] != fingerprint {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }

    #[inline]
    fn fill(&mut self, slot: usize, fingerprint: u64) {
        self.slots[slot] = fingerprint;
        self.free -= 1;
        if self.free == 0 {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let old = std::mem::take(&mut self.slots);
        self.make_room(old.len() * 2);
        for fingerprint in old.into_iter().filter(|&fingerprint| fingerprint != 0) {
            let slot = self.slot(fingerprint);
            self.slots[slot] = fingerprint;
            self.free -= 1;
        }
    }

    /// Empties the table; half of the slots are filled at most.
    fn make_room(&mut self, slots: usize) {
        self.slots.resize(slots, 0);
        self.shift = u64::BITS - slots.trailing_zeros();
        self.free = slots / 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_and_what_comes_again_is_found() {
        let mut sightings = Sightings::default();
        for count in [3, 5000] {
            sightings.clear(1);
            sightings.look_for(b"d1");
            sightings.look_for(b"a document with a long id");
            for index in 0..count {
                sightings.see(format!("d{index}").as_bytes(), index);
            }
            sightings.see(b"a document with a long id", count);
            sightings.see(b"d2", count + 1);
            sightings.see(b"d1", count + 2);
            assert_eq!(sightings.found(), [1, count, count + 1, count + 2]);
        }
    }
}
