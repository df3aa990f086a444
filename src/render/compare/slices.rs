//! A table for each tag: the queries with each of its values, compared by themselves.

use raglens::compare::{Row, Slice, THIN};

use super::report::Report;
use super::words;
use crate::render::Look;
use crate::render::grid::{Cell, Column, Grid};
use crate::render::number::{counted, fixed, p_value, signed};
use crate::render::page::Block;
use crate::render::paragraph::shortened;
use crate::render::style::STRONG;

/// The widest value of a tag that is shown in full.
const VALUE_WIDTH: usize = 16;
/// As many slices of a tag are shown.
const MOST: usize = 40;

/// A table per metric, pair of runs and tag.
pub fn tables(report: &Report, look: &Look) -> Vec<Block> {
    if report.plan.slices.is_empty() {
        return Vec::new();
    }
    let of_row = report.comparison.slices.chunks(report.plan.slices.len());
    let mut blocks: Vec<Block> = of_row.flat_map(|rows| of_pair(report, rows, look)).collect();
    blocks.push(Block::Footnotes(notes(report)));
    blocks
}

fn of_pair(report: &Report, rows: &[Row], look: &Look) -> Vec<Block> {
    let tag = |row: &Row| slice(report, row).map(|slice| slice.tag.clone());
    rows.chunk_by(|a, b| tag(a) == tag(b)).flat_map(|rows| of_tag(report, rows, look)).collect()
}

fn slice<'a>(report: &'a Report, row: &Row) -> Option<&'a Slice> {
    report.plan.slices.get(row.slice?)
}

fn of_tag(report: &Report, rows: &[Row], look: &Look) -> Vec<Block> {
    let Some((first, tag)) = rows.first().and_then(|row| Some((row, slice(report, row)?.tag.as_str()))) else {
        return Vec::new();
    };
    let name = words::short(report.label(first.metric));
    let pair = if report.pairs().len() > 1 { format!(", {}", words::versus(report, first)) } else { String::new() };
    let more = match rows.len() > MOST {
        true => format!(" (the largest {MOST} of {})", rows.len()),
        false => String::new(),
    };
    let heading = Block::Heading(format!("{name} by {tag}{pair}{more}"));
    vec![heading, Block::Table(grid(report, &rows[..rows.len().min(MOST)], look))]
}

fn grid(report: &Report, rows: &[Row], look: &Look) -> Grid {
    let interval = format!("{} interval", words::level(&report.plan));
    let mut columns = vec![Column::words(""), Column::numbers("n"), Column::numbers("A"), Column::numbers("B")];
    columns.push(Column::numbers("B - A").with(&interval));
    columns.extend([Column::numbers(heading_of_p(report)), Column::words("verdict")]);
    let mut grid = Grid::new(columns).tight();
    for row in rows {
        let value = slice(report, row).map_or("", |slice| slice.value.as_str());
        let value = raglens::id::escaped(value.as_bytes());
        let mut cells = vec![Cell::new(shortened(&value, VALUE_WIDTH, look.signs.ellipsis()))];
        cells.extend(numbers(report, row, look));
        grid.push(cells);
    }
    grid
}

fn heading_of_p(report: &Report) -> &'static str {
    let is_adjusted = |row: &Row| row.found.as_ref().is_some_and(|found| found.adjusted_p.is_some());
    if report.comparison.slices.iter().any(is_adjusted) { "p adj" } else { "p" }
}

fn numbers(report: &Report, row: &Row, look: &Look) -> [Cell; 6] {
    let Some(found) = &row.found else {
        return ["0", "n/a", "n/a", "", "", ""].map(Cell::new);
    };
    let (alpha, digits) = (report.plan.alpha, look.digits);
    let thin = if found.paired.n < THIN { "*" } else { "" };
    let p = found.adjusted_p.map_or_else(|| words::p(found, alpha), |p| p_value(p, alpha));
    [
        Cell::new(format!("{}{thin}", found.paired.n)),
        Cell::new(fixed(found.paired.mean_a, digits)),
        Cell::new(fixed(found.paired.mean_b, digits)),
        Cell::new(signed(found.paired.mean_difference, digits)).with(words::beside(found, digits)),
        Cell::new(p),
        Cell::new(words::verdict(found)).styled(STRONG),
    ]
}

fn notes(report: &Report) -> Vec<String> {
    let family = &report.comparison.slice_family;
    let rows = counted(family.size as u64, "slice", "slices");
    let mut notes = Vec::new();
    if family.size > 1 {
        notes.push(format!("p of slices: {} over the {rows}", words::adjustment(family.method)));
    }
    let thin = report.comparison.slices.iter().filter_map(|row| row.found.as_ref());
    if thin.clone().any(|found| found.paired.n < THIN) {
        notes.push(format!("* thin: fewer than {THIN} queries, where only large differences can be found"));
    }
    notes
}
