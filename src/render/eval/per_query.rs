//! The values of single queries.

use raglens::id::Id;
use raglens::scores::Cell;

use super::report::{Report, RunPart, is_count};
use super::several_runs::{headings, main_measures};
use crate::render::Look;
use crate::render::grid::{Column as Heading, Grid};
use crate::render::number::{push_exact, push_fixed};
use crate::render::page::Block;
use crate::render::paragraph::shortened;

/// The widest query id that is shown in full.
const ID_WIDTH: usize = 32;

/// A row per query, in the order of the labels.
pub fn table(report: &Report, run: &RunPart, look: &Look) -> Vec<Block> {
    let indices = main_measures(report);
    let columns = std::iter::once(Heading::words("query")).chain(headings(report, &indices));
    let mut grid = Grid::new(columns.collect());
    let counts: Vec<bool> = indices.iter().map(|&index| is_count(&report.measures[index])).collect();
    for row in run.table.rows.iter() {
        grid.push_value(|text| text.push_str(&query_name(row.query, look)));
        for (&index, &is_count) in indices.iter().zip(&counts) {
            grid.push_value(|text| push_value(text, row.cell(index), is_count, look.digits));
        }
    }
    vec![Block::Heading(format!("{}, query by query", run.name)), Block::Table(grid)]
}

fn query_name(query: &Id, look: &Look) -> String {
    shortened(&query.to_string(), ID_WIDTH, look.signs.ellipsis())
}

fn push_value(text: &mut String, cell: Cell, is_count: bool, digits: usize) {
    match cell {
        Cell::Value(value) if is_count => push_exact(text, value),
        Cell::Value(value) => push_fixed(text, value, digits),
        Cell::LeftOut | Cell::Undefined => text.push('-'),
    }
}
