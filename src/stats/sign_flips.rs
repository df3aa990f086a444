//! Sums of integer differences under rows of sign bits, eight queries to a table look-up.

/// The differences of one column, as partial sums for every pattern of eight signs.
pub(super) struct SumTables {
    tables: Vec<SumTable>,
}

/// The signed sums of eight neighbouring queries.
struct SumTable {
    /// Which byte of a row holds their signs.
    byte: usize,
    /// The sum for each pattern; a set bit negates.
    sums: [i64; 256],
}

impl SumTables {
    /// Tables for `values`; eight queries without a difference need none.
    pub(super) fn new(values: &[i64]) -> Self {
        let eights = values.chunks(8).enumerate();
        let differing = eights.filter(|(_, eight)| eight.iter().any(|v| *v != 0));
        Self { tables: differing.map(|(byte, eight)| SumTable::new(byte, eight)).collect() }
    }

    /// The signed sum for each row of `width` bytes in `rows`.
    pub(super) fn sums(&self, rows: &[u8], width: usize, sums: &mut Vec<i64>) {
        sums.clear();
        sums.resize(rows.len() / width, 0);
        for (rows, sums) in rows.chunks(width * ROWS_AT_ONCE).zip(sums.chunks_mut(ROWS_AT_ONCE)) {
            for table in &self.tables {
                for (row, sum) in rows.chunks_exact(width).zip(sums.iter_mut()) {
                    *sum += table.sums[usize::from(row[table.byte])];
                }
            }
        }
    }
}

/// Rows that share one pass over the tables, so that a table stays in the nearest cache.
const ROWS_AT_ONCE: usize = 64;

impl SumTable {
    fn new(byte: usize, eight: &[i64]) -> Self {
        let mut sums = [0; 256];
        sums[0] = eight.iter().sum();
        for bits in 1..256_usize {
            let flipped = eight.get(bits.trailing_zeros() as usize).unwrap_or(&0);
            sums[bits] = sums[bits & (bits - 1)] - 2 * flipped;
        }
        Self { byte, sums }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_bits_negate() {
        let tables = SumTables::new(&[1, 2, 4, 0, 0, 0, 0, 0, 0, 8]);
        let mut sums = Vec::new();
        tables.sums(&[0b000, 0b00, 0b101, 0b10, 0b111, 0b01], 2, &mut sums);
        assert_eq!(sums, [15, 2 - 1 - 4 - 8, 8 - 7]);
    }

    #[test]
    fn queries_without_a_difference_take_no_table() {
        let tables = SumTables::new(&[0, 0, 0, 0, 0, 0, 0, 0, 3]);
        assert_eq!(tables.tables.len(), 1);
        assert_eq!(tables.tables[0].byte, 1);
    }
}
