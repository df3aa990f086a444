//! Sums of integer differences under rows of sign bits: eight queries of two columns to a look-up.

use std::ops::Range;

use super::random::sign_bytes;

/// Rows of sign bits, kept word by word: those of the first 64 queries in all rows, then of the
/// next 64, so that a table is used for all rows while it is in the nearest cache.
pub(super) struct Signs {
    words: Vec<u64>,
    rows: usize,
}

/// Words between two columns of words beside the rows themselves: without them powers of two
/// would all meet in the same few lines of a cache.
const APART: usize = 8;

impl Signs {
    /// `rows` rows for `queries`; `write` fills in one after the other, bit i for query i.
    pub(super) fn collect(rows: usize, queries: usize, mut write: impl FnMut(&mut [u8])) -> Self {
        let mut row = vec![0; sign_bytes(queries)];
        let mut words = vec![0; row.len() / 8 * (rows + APART)];
        for index in 0..rows {
            write(&mut row);
            for (words, bytes) in words.chunks_exact_mut(rows + APART).zip(row.as_chunks::<8>().0) {
                words[index] = u64::from_le_bytes(*bytes);
            }
        }
        Self { words, rows }
    }

    /// A row for each of `patterns`, whose bit i is the sign of query i, of 64 at most.
    pub(super) fn of_patterns(patterns: Range<u64>) -> Self {
        let rows = (patterns.end - patterns.start) as usize;
        Self { words: patterns.chain([0; APART]).collect(), rows }
    }

    /// Number of rows.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// The signs of 64 queries in every row.
    fn of_queries(&self, word: usize) -> &[u64] {
        &self.words[word * (self.rows + APART)..][..self.rows]
    }
}

/// The differences of any number of columns, as partial sums for every pattern of eight signs.
pub(super) struct SumTables {
    /// Two columns to a table, in order.
    pairs: Vec<PairTables>,
}

/// The signed sums of columns, in the order of the rows.
pub(super) struct ColumnSums {
    pairs: Vec<Vec<[i64; 2]>>,
}

impl SumTables {
    /// Tables for `columns` over the same queries.
    pub(super) fn new<'a>(columns: impl IntoIterator<Item = &'a [i64]>) -> Self {
        let mut columns = columns.into_iter();
        let pair = || Some(PairTables::new(columns.next()?, columns.next().unwrap_or_default()));
        Self { pairs: std::iter::from_fn(pair).collect() }
    }

    /// The signed sums of every column for each row.
    pub(super) fn sums(&self, signs: &Signs) -> ColumnSums {
        ColumnSums { pairs: self.pairs.iter().map(|tables| tables.sums(signs)).collect() }
    }
}

impl ColumnSums {
    /// The sums of the column at `index`.
    pub(super) fn column(&self, index: usize) -> impl Iterator<Item = i64> {
        self.pairs[index / 2].iter().map(move |both| both[index % 2])
    }
}

/// The tables of two columns.
struct PairTables {
    groups: Vec<Group>,
}

/// Queries that are looked up in one go.
const GROUP: usize = 32;

/// The signed sums of 32 neighbouring queries, eight to a table.
struct Group {
    /// Which word of a row holds their signs, and from which bit on.
    word: usize,
    shift: u32,
    tables: [SumTable; GROUP / 8],
}

/// The sums of both columns for each pattern; a set bit negates.
type SumTable = [[i64; 2]; 256];

impl PairTables {
    /// Tables for two columns; 32 queries without a difference need none. The second column may
    /// be shorter, or empty where there is none.
    fn new(first: &[i64], second: &[i64]) -> Self {
        let value = |column: &[i64], query: usize| column.get(query).copied().unwrap_or(0);
        let both = |query: usize| [value(first, query), value(second, query)];
        let groups = (0..first.len().div_ceil(GROUP)).map(|group| (group, GROUP * group));
        let differing = groups.filter(|(_, start)| (*start..start + GROUP).any(|query| both(query) != [0, 0]));
        let group = |(group, start): (usize, usize)| Group {
            word: group / 2,
            shift: 32 * (group % 2) as u32,
            tables: std::array::from_fn(|table| sum_table(std::array::from_fn(|i| both(start + 8 * table + i)))),
        };
        Self { groups: differing.map(group).collect() }
    }

    /// The signed sums of both columns for each row.
    fn sums(&self, signs: &Signs) -> Vec<[i64; 2]> {
        let mut sums = vec![[0; 2]; signs.rows];
        for group in &self.groups {
            group.add(signs.of_queries(group.word), &mut sums);
        }
        sums
    }
}

impl Group {
    fn add(&self, words: &[u64], sums: &mut [[i64; 2]]) {
        for (word, [first, second]) in words.iter().zip(sums) {
            let bytes = ((word >> self.shift) as u32).to_le_bytes();
            for (table, byte) in self.tables.iter().zip(bytes) {
                let found = &table[usize::from(byte)];
                *first += found[0];
                *second += found[1];
            }
        }
    }
}

fn sum_table(eight: [[i64; 2]; 8]) -> SumTable {
    let mut sums = [[0; 2]; 256];
    sums[0] = eight.iter().fold([0; 2], |total, both| [total[0] + both[0], total[1] + both[1]]);
    for bits in 1..256_usize {
        let (flipped, rest) = (eight[bits.trailing_zeros() as usize], sums[bits & (bits - 1)]);
        sums[bits] = [rest[0] - 2 * flipped[0], rest[1] - 2 * flipped[1]];
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(queries: usize, rows: &[u128]) -> Signs {
        let mut next = rows.iter();
        Signs::collect(rows.len(), queries, |row| row.copy_from_slice(&next.next().unwrap().to_le_bytes()[..row.len()]))
    }

    #[test]
    fn set_bits_negate() {
        let tables = PairTables::new(&[1, 2, 4, 0, 0, 0, 0, 0, 0, 8], &[3]);
        let sums = tables.sums(&signs(10, &[0, 0b10_0000_0101, 0b01_0000_0111]));
        assert_eq!(sums, [[15, 3], [2 - 1 - 4 - 8, -3], [8 - 7, -3]]);
    }

    #[test]
    fn every_query_has_its_own_bit() {
        let values: Vec<i64> = (0..100).map(|i| 1000 + i * i).collect();
        let total: i64 = values.iter().sum();
        let tables = PairTables::new(&values, &[]);
        let sums = tables.sums(&signs(100, &(0..100).map(|query| 1 << query).collect::<Vec<u128>>()));
        for (value, sum) in values.iter().zip(sums) {
            assert_eq!(sum, [total - 2 * value, 0]);
        }
    }

    #[test]
    fn queries_without_a_difference_take_no_table() {
        let mut values = vec![0; 70];
        values[69] = 3;
        let tables = PairTables::new(&values, &[0; 70]);
        assert_eq!(tables.groups.len(), 1);
        assert_eq!((tables.groups[0].word, tables.groups[0].shift), (1, 0));
    }

    #[test]
    fn every_column_has_its_own_sums() {
        let columns = [&[1_i64, 2][..], &[3, 5], &[5, 8]];
        let sums = SumTables::new(columns).sums(&signs(2, &[0b10, 0b11]));
        let sums: Vec<Vec<i64>> = (0..3).map(|index| sums.column(index).collect()).collect();
        assert_eq!(sums, [[-1, -3], [-2, -8], [-3, -13]]);
    }

    #[test]
    fn patterns_are_rows_of_signs() {
        let sums = SumTables::new([&[1_i64, 2, 4][..]]).sums(&Signs::of_patterns(2..6));
        assert_eq!(sums.column(0).collect::<Vec<i64>>(), [3, 1, -1, -3]);
    }
}
