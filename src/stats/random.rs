//! The random stream "raglens/stats/v1": the same numbers on every machine, for any number of threads.
//!
//! ChaCha8 (Bernstein 2008), keyed by the name of the stream, the seed and the purpose. Resample
//! r belongs to block r div 1024; every block has a stream of its own, so that threads can take
//! blocks in any order. Indices come from a multiply and a shift, never from a library's sampling,
//! which may change between releases.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rayon::prelude::*;

/// Number of resamples drawn from one block.
pub const BLOCK: u64 = 1024;

const NAME: &[u8; 16] = b"raglens/stats/v1";

/// What the numbers are used for; each purpose has numbers of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Signs of differences: one bit per query, a set bit negates.
    SignFlips = 1,
    /// Queries drawn with replacement.
    Bootstrap = 2,
    /// Runs shuffled within each query.
    LabelPermutations = 3,
}

/// A stream of random numbers for one seed and one purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stream {
    seed: u64,
    purpose: Purpose,
}

/// The numbers of one block, and how many resamples it must yield.
pub(super) struct Block {
    generator: ChaCha8Rng,
    /// Resamples to draw: [`BLOCK`], fewer in the last block.
    pub(super) resamples: usize,
}

impl Stream {
    /// The stream of `seed` for `purpose`.
    pub fn new(seed: u64, purpose: Purpose) -> Self {
        Self { seed, purpose }
    }

    /// The first `count` 32-bit words of a block, as a check on the generator.
    pub fn words(&self, block: u64, count: usize) -> Vec<u32> {
        let mut generator = self.generator(block);
        (0..count).map(|_| generator.next_u32()).collect()
    }

    /// Does `work` for each block of `resamples`, in parallel, and returns the results in order.
    pub(super) fn map_blocks<T: Send>(&self, resamples: u64, work: impl Fn(Block) -> T + Sync) -> Vec<T> {
        let blocks = resamples.div_ceil(BLOCK);
        (0..blocks).into_par_iter().map(|block| work(self.block(block, resamples))).collect()
    }

    fn block(&self, block: u64, resamples: u64) -> Block {
        let left = (resamples - block * BLOCK).min(BLOCK);
        Block { generator: self.generator(block), resamples: left as usize }
    }

    fn generator(&self, block: u64) -> ChaCha8Rng {
        let mut generator = ChaCha8Rng::from_seed(self.key());
        generator.set_stream(block);
        generator
    }

    fn key(&self) -> [u8; 32] {
        let mut key = [0; 32];
        key[..16].copy_from_slice(NAME);
        key[16..24].copy_from_slice(&self.seed.to_le_bytes());
        key[24..].copy_from_slice(&(self.purpose as u64).to_le_bytes());
        key
    }
}

impl Block {
    /// The next bytes of the block; their number must be a multiple of four.
    pub(super) fn fill(&mut self, bytes: &mut [u8]) {
        self.generator.fill_bytes(bytes);
    }
}

/// Bytes of one row of sign bits for `queries`: whole 64-bit words.
pub(super) fn sign_bytes(queries: usize) -> usize {
    queries.div_ceil(64) * 8
}

/// An index below `bound` from the next four little-endian bytes, by multiply and shift.
pub(super) fn index_below(bound: usize, word: [u8; 4]) -> usize {
    ((u64::from(u32::from_le_bytes(word)) * bound as u64) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_chacha8() {
        let mut zero = ChaCha8Rng::from_seed([0; 32]);
        assert_eq!([zero.next_u32(), zero.next_u32()], [0x2fef_003e, 0xd640_5f89]);
        let mut counting = ChaCha8Rng::from_seed(std::array::from_fn(|i| i as u8));
        counting.set_stream(7);
        assert_eq!([counting.next_u32(), counting.next_u32()], [0xf333_b82e, 0xf0c1_cdb4]);
    }

    #[test]
    fn the_stream_never_changes() {
        let flips = Stream::new(0, Purpose::SignFlips).words(0, 8);
        assert_eq!(flips[..4], [0xf075_9152, 0xdb5c_3c9b, 0x293d_1b83, 0xa04a_2855]);
        assert_eq!(flips[4..], [0x0fba_8066, 0x631f_602f, 0x06ec_2427, 0x812e_4369]);
        let indices = Stream::new(0, Purpose::Bootstrap).words(1, 4);
        assert_eq!(indices, [0xff71_4dcb, 0xee85_4501, 0x0993_30fb, 0x09f0_fbbd]);
    }

    #[test]
    fn blocks_come_in_order_and_the_last_is_shorter() {
        let sizes = Stream::new(3, Purpose::SignFlips).map_blocks(2500, |block| block.resamples);
        assert_eq!(sizes, [1024, 1024, 452]);
    }

    #[test]
    fn indices_cover_the_range() {
        assert_eq!(index_below(10, [0; 4]), 0);
        assert_eq!(index_below(10, [0xff; 4]), 9);
        assert_eq!(index_below(10, 0x8000_0000_u32.to_le_bytes()), 5);
    }
}
