//! The table of one run: measures down, cutoffs across, each mean with its interval.

use raglens::measure::Measure;
use raglens::stats::summary::Interval;

use super::report::{Column, Report, RunPart, is_count, is_neutral, row_name, short_name};
use crate::render::grid::{Cell, Column as Heading, Grid};
use crate::render::number::{exact, fixed, percent};
use crate::render::page::Block;

/// The heading above intervals; as wide as an interval of three decimals.
const INTERVAL: &str = "[95% interval]";

/// The tables of one run.
pub fn tables(report: &Report, run: &RunPart, digits: usize) -> Vec<Block> {
    let view = View { report, run, digits };
    let (cut, whole): (Vec<usize>, Vec<usize>) = view.shown().partition(|&index| view.cutoff(index).is_some());
    let mut blocks = Vec::new();
    match view.matrix(&cut) {
        Some(grid) => {
            blocks.push(Block::Table(grid));
            if !whole.is_empty() {
                blocks.push(Block::Table(view.list(&whole, "whole list")));
            }
        }
        None => blocks.push(Block::Table(view.list(&view.shown().collect::<Vec<usize>>(), "mean"))),
    }
    blocks
}

/// The cell of a mean with its interval, or what stands in its place.
pub fn mean_cell(measure: &Measure, column: &Column, digits: usize) -> Cell {
    let summary = &column.summary;
    let Some(mean) = summary.mean.filter(|_| column.caveat.is_none_or(|caveat| !caveat.hides)) else {
        return Cell::new("n/a");
    };
    if is_count(measure) {
        return Cell::new(exact(summary.sum.unwrap_or(mean)));
    }
    let cell = Cell::new(fixed(mean, digits));
    match (column.interval, is_neutral(measure)) {
        (_, true) => cell,
        (Some(found), false) => cell.with(interval(found.interval, digits)),
        (None, false) if column.all_equal && summary.n > 1 => cell.with(format!("(all {} equal)", summary.n)),
        (None, false) if column.overflows => cell.with("(too large)"),
        (None, false) => cell,
    }
}

/// An interval as text: `[0.750, 0.818]`.
pub fn interval(interval: Interval, digits: usize) -> String {
    format!("[{}, {}]", fixed(interval.low, digits), fixed(interval.high, digits))
}

struct View<'a> {
    report: &'a Report<'a>,
    run: &'a RunPart<'a>,
    digits: usize,
}

impl View<'_> {
    fn measure(&self, index: usize) -> &Measure {
        &self.report.measures[index]
    }

    fn cutoff(&self, index: usize) -> Option<u64> {
        self.measure(index).params().cutoff()
    }

    /// The measures that have a row; the residual of rbp stands beside rbp unless it was named.
    fn shown(&self) -> impl Iterator<Item = usize> {
        (0..self.report.measures.len()).filter(|&index| !self.stands_beside_rbp(index))
    }

    fn stands_beside_rbp(&self, index: usize) -> bool {
        let is_residual = |rbp| [true, false].iter().any(|&tail| self.report.residual_of(rbp, tail) == Some(index));
        !self.run.columns[index].is_named && (0..self.report.measures.len()).any(is_residual)
    }

    /// A row per measure and a column per cutoff; `None` where cells would stay empty.
    fn matrix(&self, indices: &[usize]) -> Option<Grid> {
        let mut cutoffs: Vec<u64> = indices.iter().filter_map(|&index| self.cutoff(index)).collect();
        cutoffs.sort_unstable();
        cutoffs.dedup();
        let mut names: Vec<String> = Vec::new();
        for name in indices.iter().map(|&index| row_name(self.measure(index))) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if cutoffs.len() < 2 || names.len() * cutoffs.len() != indices.len() {
            return None;
        }
        let headings = cutoffs.iter().map(|cutoff| Heading::numbers(&format!("@{cutoff}")).with(INTERVAL));
        let mut grid = Grid::new(std::iter::once(Heading::words("")).chain(headings).collect());
        for name in names {
            let cells = cutoffs.iter().map(|&cutoff| self.cell_at(indices, &name, cutoff));
            grid.push(std::iter::once(Cell::new(&name)).chain(cells).collect());
        }
        Some(grid)
    }

    fn cell_at(&self, indices: &[usize], name: &str, cutoff: u64) -> Cell {
        let matches = |index: usize| self.cutoff(index) == Some(cutoff) && row_name(self.measure(index)) == name;
        let found = indices.iter().find(|&&index| matches(index));
        found.map_or_else(Cell::empty, |&index| self.mean_cell(index))
    }

    fn mean_cell(&self, index: usize) -> Cell {
        mean_cell(self.measure(index), &self.run.columns[index], self.digits)
    }

    /// A row per measure, with its median and the share of zeros beside the mean.
    fn list(&self, indices: &[usize], heading: &str) -> Grid {
        let mut headings = vec![Heading::words(""), Heading::numbers(heading).with(INTERVAL)];
        let has_spread = self.run.scored() > 1 && indices.iter().any(|&index| !is_count(self.measure(index)));
        if has_spread {
            headings.extend([Heading::numbers("median"), Heading::numbers("at 0")]);
        }
        let mut grid = Grid::new(headings);
        for &index in indices {
            let mut row = vec![Cell::new(short_name(self.measure(index))), self.mean_cell(index)];
            if has_spread {
                row.extend(self.spread(index));
            }
            grid.push(row);
        }
        grid
    }

    fn spread(&self, index: usize) -> [Cell; 2] {
        let (measure, column) = (self.measure(index), &self.run.columns[index]);
        let hidden = column.caveat.is_some_and(|caveat| caveat.hides);
        if is_count(measure) || hidden || column.summary.n < 2 {
            return [Cell::empty(), Cell::empty()];
        }
        let text = |value: Option<f64>, show: &dyn Fn(f64) -> String| value.map_or_else(String::new, show);
        let median = text(column.summary.median, &|value| fixed(value, self.digits));
        [median, text(column.summary.zero_share, &percent)].map(Cell::new)
    }
}
