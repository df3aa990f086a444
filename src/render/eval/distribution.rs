//! How the values of a measure spread over the queries: what a mean hides.

use raglens::stats::summary::Histogram;

use super::report::{Report, RunPart, short_name};
use crate::render::Look;
use crate::render::grid::{Cell, Column as Heading, Grid};
use crate::render::number::{fixed, percent};
use crate::render::page::Block;
use crate::render::style::Signs;

/// A row per measure: ten bars from 0 to 1, the share at 0, the median, the share at 1.
pub fn table(report: &Report, run: &RunPart, look: &Look) -> Vec<Block> {
    let columns = ["0  to  1", "at 0", "median", "at 1"];
    let headings = columns.iter().enumerate().map(|(index, name)| match index {
        0 => Heading::words(name),
        _ => Heading::numbers(name),
    });
    let mut grid = Grid::new(std::iter::once(Heading::words("")).chain(headings).collect());
    for (measure, column) in report.measures.iter().zip(&run.columns) {
        let hidden = column.caveat.is_some_and(|caveat| caveat.hides);
        let Some(histogram) = column.histogram.filter(|_| !hidden) else { continue };
        let share = |value: Option<f64>| Cell::new(value.map_or_else(String::new, percent));
        grid.push(vec![
            Cell::new(short_name(measure)),
            Cell::new(bars(&histogram, look.signs)),
            share(column.summary.zero_share),
            Cell::new(column.summary.median.map_or_else(String::new, |value| fixed(value, look.digits))),
            share(column.full_share),
        ]);
    }
    vec![Block::Heading(format!("{}, spread over the queries", run.name)), Block::Table(grid)]
}

/// Bars whose heights are shares of the fullest bin; a bin that is not empty has a bar.
fn bars(histogram: &Histogram, signs: Signs) -> String {
    let most = histogram.counts.iter().copied().max().unwrap_or(0).max(1);
    let bar = |&count: &u64| match count {
        0 => " ",
        _ => signs.bars()[((count * 8).div_ceil(most) - 1) as usize],
    };
    histogram.counts.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use raglens::stats::summary::Range;

    #[test]
    fn every_bin_that_is_not_empty_has_a_bar() {
        let mut values = vec![0.0; 100];
        values.extend([1.0, 0.55]);
        let histogram = Histogram::count(&values, Range { low: 0.0, high: 1.0 }).unwrap();
        assert_eq!(bars(&histogram, Signs::Unicode), "█    ▁   ▁");
        assert_eq!(bars(&histogram, Signs::Ascii), "@    .   .");
    }
}
