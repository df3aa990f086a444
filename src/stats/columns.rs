//! Several columns of numbers over the same queries: what is resampled together must be equally long.

use std::collections::BTreeMap;

/// A column has another number of queries than the first.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected} queries in every column, got {got} in column {column} (counted from 0)")]
pub struct UnequalColumns {
    /// Queries in the first column.
    pub expected: usize,
    /// Queries in the offending one.
    pub got: usize,
    /// Its position, from 0.
    pub column: usize,
}

/// The number of queries in every one of `columns`; 0 without columns.
pub(super) fn queries(columns: &[&[f64]]) -> Result<usize, UnequalColumns> {
    let expected = columns.first().map_or(0, |column| column.len());
    match columns.iter().position(|column| column.len() != expected) {
        Some(column) => {
            let got = columns[column].len();
            Err(UnequalColumns { expected, got, column })
        }
        None => Ok(expected),
    }
}

/// Positions of columns that are equally long and so can share what is drawn at random, in groups
/// of at most `most`.
pub(super) fn equally_long(lengths: &[usize], most: usize) -> Vec<Vec<usize>> {
    let mut by_length: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, length) in lengths.iter().enumerate() {
        by_length.entry(*length).or_default().push(index);
    }
    by_length.values().flat_map(|group| group.chunks(most).map(<[usize]>::to_vec)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equally_long_columns_go_together() {
        assert_eq!(equally_long(&[5, 3, 5, 5], 2), [vec![1], vec![0, 2], vec![3]]);
        assert!(equally_long(&[], 2).is_empty());
    }

    #[test]
    fn columns_must_be_equally_long() {
        assert_eq!(queries(&[&[1.0, 2.0], &[3.0, 4.0]]), Ok(2));
        assert_eq!(queries(&[]), Ok(0));
        let error = queries(&[&[1.0, 2.0], &[3.0]]).unwrap_err();
        assert_eq!(error.to_string(), "expected 2 queries in every column, got 1 in column 1 (counted from 0)");
    }
}
