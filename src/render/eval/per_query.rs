//! The values of single queries.

use raglens::id::Id;
use raglens::scores;

use super::report::{Report, RunPart, is_count};
use super::several_runs::{headings, main_measures};
use crate::render::Look;
use crate::render::grid::{Cell, Column as Heading, Grid};
use crate::render::number::{exact, fixed};
use crate::render::page::Block;
use crate::render::paragraph::shortened;

/// The widest query id that is shown in full.
const ID_WIDTH: usize = 32;

/// A row per query, in the order of the labels.
pub fn table(report: &Report, run: &RunPart, look: &Look) -> Vec<Block> {
    let indices = main_measures(report);
    let columns = std::iter::once(Heading::words("query")).chain(headings(report, &indices));
    let mut grid = Grid::new(columns.collect());
    for row in &run.table.rows {
        let values = indices.iter().map(|&index| value(report, index, row.cells[index], look));
        grid.push(std::iter::once(Cell::new(query_name(&row.query, look))).chain(values).collect());
    }
    vec![Block::Heading(format!("{}, query by query", run.name)), Block::Table(grid)]
}

fn query_name(query: &Id, look: &Look) -> String {
    shortened(&query.to_string(), ID_WIDTH, look.signs.ellipsis())
}

fn value(report: &Report, index: usize, cell: scores::Cell, look: &Look) -> Cell {
    match cell {
        scores::Cell::Value(value) if is_count(&report.measures[index]) => Cell::new(exact(value)),
        scores::Cell::Value(value) => Cell::new(fixed(value, look.digits)),
        scores::Cell::LeftOut | scores::Cell::Undefined => Cell::new("-"),
    }
}
