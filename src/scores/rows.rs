//! The rows of a table of scores: plain numbers side by side, so that a query costs little more
//! than its values. Its id stays in the labels.

use std::fmt;
use std::ops::Range;

use super::Cell;
use crate::id::Id;
use crate::labels::Labels;
use crate::measure::Ratio;

/// Stands for a query that does not count in a measure; values are finite.
const LEFT_OUT: f64 = f64::INFINITY;
/// Stands for a value that there is not.
const UNDEFINED: f64 = f64::NAN;

impl Cell {
    /// The cell as the number that stands for it in a row.
    pub(crate) fn number(self) -> f64 {
        match self {
            Self::Value(value) => value,
            Self::LeftOut => LEFT_OUT,
            Self::Undefined => UNDEFINED,
        }
    }

    fn of(number: f64) -> Self {
        match number {
            _ if number.is_finite() => Self::Value(number),
            LEFT_OUT => Self::LeftOut,
            _ => Self::Undefined,
        }
    }
}

/// Rows of one length, one behind the other.
#[derive(Debug, Clone)]
pub(crate) struct Matrix<T> {
    width: usize,
    cells: Vec<T>,
}

impl<T: Clone> Matrix<T> {
    /// So many rows that hold a value everywhere.
    pub fn filled(rows: usize, width: usize, value: T) -> Self {
        Self { width, cells: vec![value; rows * width] }
    }

    /// A row.
    pub fn row(&self, row: usize) -> &[T] {
        &self.cells[row * self.width..(row + 1) * self.width]
    }

    /// Adds a row.
    pub fn push(&mut self, cells: &[T]) {
        debug_assert_eq!(cells.len(), self.width);
        self.cells.extend_from_slice(cells);
    }

    /// Fills rows in from one on, with some of the rows of another matrix.
    pub fn put(&mut self, row: usize, others: &Self, rows: Range<usize>) {
        let from = &others.cells[rows.start * self.width..rows.end * self.width];
        let start = row * self.width;
        self.cells[start..start + from.len()].clone_from_slice(from);
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.cells.clear();
    }

    /// Keeps some of the rows, which are named in ascending order.
    pub fn keep(&mut self, rows: &[u32]) {
        if rows.len() * self.width == self.cells.len() {
            return;
        }
        for (to, &from) in rows.iter().enumerate() {
            for cell in 0..self.width {
                self.cells.swap(to * self.width + cell, from as usize * self.width + cell);
            }
        }
        self.cells.truncate(rows.len() * self.width);
        self.cells.shrink_to_fit();
    }

    /// Some of the rows.
    fn of_rows(&self, rows: &[usize]) -> Self {
        Self { width: self.width, cells: rows.iter().flat_map(|&row| self.row(row)).cloned().collect() }
    }
}

/// The scores of queries, a row each.
#[derive(Debug, Clone)]
pub(crate) struct Scores {
    /// A number per measure.
    pub values: Matrix<f64>,
    /// For micro averages a fraction per measure; nothing for macro averages.
    pub ratios: Matrix<Option<Ratio>>,
    /// The texts of the measures that are texts.
    pub texts: Matrix<String>,
    /// Number of documents in the ranking; no ranking has more than 32 bits count.
    pub retrieved: Matrix<u32>,
}

/// How many numbers, fractions and texts the scores of a query are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub values: usize,
    pub ratios: usize,
    pub texts: usize,
}

impl Scores {
    /// The scores of so many queries, to be filled in.
    pub fn blank(rows: usize, shape: Shape) -> Self {
        Self {
            values: Matrix::filled(rows, shape.values, 0.0),
            ratios: Matrix::filled(rows, shape.ratios, None),
            texts: Matrix::filled(rows, shape.texts, String::new()),
            retrieved: Matrix::filled(rows, 1, 0),
        }
    }

    /// Fills in rows from one on, with some of the rows of other scores.
    pub fn put(&mut self, row: usize, others: &Self, rows: Range<usize>) {
        self.values.put(row, &others.values, rows.clone());
        self.ratios.put(row, &others.ratios, rows.clone());
        self.texts.put(row, &others.texts, rows.clone());
        self.retrieved.put(row, &others.retrieved, rows);
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.values.clear();
        self.ratios.clear();
        self.texts.clear();
        self.retrieved.clear();
    }
}

/// The rows of a table: queries of the labels with their scores.
#[derive(Clone)]
pub struct Rows<'a> {
    labels: &'a Labels,
    /// The positions of the queries in the labels.
    positions: Vec<u32>,
    scores: Scores,
}

impl<'a> Rows<'a> {
    /// The rows of some queries out of the scores of all queries of the labels.
    pub(crate) fn new(labels: &'a Labels, mut scores: Scores, positions: Vec<u32>) -> Self {
        scores.values.keep(&positions);
        scores.ratios.keep(&positions);
        scores.texts.keep(&positions);
        scores.retrieved.keep(&positions);
        Self { labels, positions, scores }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// A row; rows count from 0.
    pub fn row(&self, row: usize) -> QueryScores<'_> {
        let position = self.positions[row] as usize;
        QueryScores {
            query: self.labels.queries()[position].id(),
            position,
            retrieved: self.scores.retrieved.row(row)[0].into(),
            texts: self.scores.texts.row(row),
            values: self.scores.values.row(row),
        }
    }

    /// The rows in the order of the labels.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = QueryScores<'_>> + Clone {
        (0..self.len()).map(|row| self.row(row))
    }

    /// The cell of a row and a measure.
    pub fn cell(&self, row: usize, measure: usize) -> Cell {
        Cell::of(self.scores.values.row(row)[measure])
    }

    /// The id of the query of a row.
    pub fn query(&self, row: usize) -> &'a Id {
        self.labels.queries()[self.positions[row] as usize].id()
    }

    /// The position of each query in the labels.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = usize> {
        self.positions.iter().map(|&position| position as usize)
    }

    /// Some of the rows.
    pub(crate) fn of_rows(&self, rows: &[usize]) -> Self {
        let scores = Scores {
            values: self.scores.values.of_rows(rows),
            ratios: self.scores.ratios.of_rows(rows),
            texts: self.scores.texts.of_rows(rows),
            retrieved: self.scores.retrieved.of_rows(rows),
        };
        Self { labels: self.labels, positions: rows.iter().map(|&row| self.positions[row]).collect(), scores }
    }

    /// Numerators and denominators of a column over all queries that have a value in it.
    pub(crate) fn pool(&self, measure: usize) -> Option<Ratio> {
        (0..self.len()).filter_map(|row| *self.scores.ratios.row(row).get(measure)?).reduce(Ratio::pooled)
    }
}

impl fmt::Debug for Rows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The scores of one query.
#[derive(Clone, Copy)]
pub struct QueryScores<'t> {
    /// The query.
    pub query: &'t Id,
    /// Its position in the labels.
    pub position: usize,
    /// Number of documents that the run returned for it.
    pub retrieved: u64,
    /// The texts of the measures that are texts, in their order.
    pub texts: &'t [String],
    values: &'t [f64],
}

impl<'t> QueryScores<'t> {
    /// The value of a measure.
    pub fn cell(&self, measure: usize) -> Cell {
        Cell::of(self.values[measure])
    }

    /// A value per measure.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = Cell> + use<'t> {
        self.values.iter().map(|&number| Cell::of(number))
    }
}

impl fmt::Debug for QueryScores<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { query, position, retrieved, texts, .. } = self;
        let cells: Vec<Cell> = self.cells().collect();
        write!(f, "QueryScores {{ query: {query:?}, position: {position}, retrieved: {retrieved}, ")?;
        write!(f, "cells: {cells:?}, texts: {texts:?} }}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stands_for_every_cell() {
        for cell in [Cell::Value(0.25), Cell::Value(-3.0), Cell::LeftOut, Cell::Undefined] {
            assert_eq!(Cell::of(cell.number()), cell);
        }
    }

    #[test]
    fn rows_that_are_kept_move_up() {
        let mut matrix = Matrix::filled(0, 2, 0);
        (0..5).for_each(|row| matrix.push(&[row, 10 + row]));
        matrix.keep(&[0, 3, 4]);
        assert_eq!([0, 1, 2].map(|row| matrix.row(row).to_vec()), [[0, 10], [3, 13], [4, 14]]);
        matrix.put(1, &Matrix { width: 2, cells: vec![5, 6, 7, 8] }, 1..2);
        assert_eq!(matrix.of_rows(&[1, 1]).row(1), [7, 8]);
    }
}
