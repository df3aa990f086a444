//! Results in little memory: their bytes one behind the other, to be read in the same order.

use crate::run::{Key, Row};

/// A result of some query as it is kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Record<'a> {
    pub document: &'a [u8],
    pub score: f64,
    /// The rank that stands beside the score.
    pub rank: Option<f64>,
    /// Physical line, from 1, in the block.
    pub line: u64,
}

impl<'a> Record<'a> {
    /// The result as a row of its query, `lines` further down.
    pub fn row(&self, query: &'a [u8], lines: u64) -> Row<'a> {
        let &Self { document, score, rank, line } = self;
        Row { query, document, key: Key::Score(score), rank, line: line + lines, chunk: None }
    }

    /// Puts the result behind others.
    pub fn put(&self, bytes: &mut Vec<u8>) {
        put_number(bytes, self.document.len() as u64);
        bytes.extend_from_slice(self.document);
        bytes.extend_from_slice(&self.score.to_le_bytes());
        put_number(bytes, self.line);
        // -0.0 and 0 are the same rank.
        match self.rank {
            None => bytes.push(NO_RANK),
            Some(rank) if f64::from(rank as u32) == rank => put_number(bytes, u64::from(rank as u32) + FIRST_RANK),
            Some(rank) => {
                bytes.push(ODD_RANK);
                bytes.extend_from_slice(&rank.to_le_bytes());
            }
        }
    }

    /// Takes the first of the results that were put one behind the other; `None` when none is left.
    pub fn take(bytes: &mut &'a [u8]) -> Option<Self> {
        let length = take_number(bytes)?;
        let document = take(bytes, length as usize)?;
        let score = take_double(bytes)?;
        let line = take_number(bytes)?;
        let rank = match take_number(bytes)? {
            0 => None,
            1 => Some(take_double(bytes)?),
            rank => Some((rank - FIRST_RANK) as f64),
        };
        Some(Self { document, score, rank, line })
    }
}

// What stands for a rank: that there is none, one that is no whole number of 32 bits behind it, or
// a whole number from here on.
const NO_RANK: u8 = 0;
const ODD_RANK: u8 = 1;
const FIRST_RANK: u64 = 2;

/// Seven bits a byte, the lowest first; a byte from 128 on is not the last.
#[inline]
fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 127 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[inline]
fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Some(number);
        }
        shift += 7;
    }
}

#[inline]
fn take_double(bytes: &mut &[u8]) -> Option<f64> {
    let (double, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(f64::from_le_bytes(*double))
}

#[inline]
fn take<'a>(bytes: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_what_is_taken() {
        let long = vec![b'x'; 300];
        let documents: [&[u8]; 4] = [b"", b"d1", b"\xFF\0", &long];
        let ranks = [None, Some(0.0), Some(1.0), Some(4e9), Some(5e9), Some(1.5), Some(-3.0), Some(1e300)];
        let mut records = Vec::new();
        for document in documents {
            for rank in ranks {
                for (score, line) in [(0.0, 1), (-1.5, 127), (1e-300, 128), (30.25, u64::MAX)] {
                    records.push(Record { document, score, rank, line });
                }
            }
        }
        let mut bytes = Vec::new();
        records.iter().for_each(|record| record.put(&mut bytes));
        let mut rest = &bytes[..];
        let taken: Vec<Record<'_>> = std::iter::from_fn(|| Record::take(&mut rest)).collect();
        assert_eq!(taken, records);
        assert!(rest.is_empty());
    }
}
