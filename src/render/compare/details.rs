//! `--details`: Student's test, effect sizes, and the smallest p there could have been.

use raglens::compare::Found;

use super::report::Report;
use super::tables::pair_name;
use super::words;
use crate::render::Look;
use crate::render::grid::{Cell, Column, Grid};
use crate::render::number::{fixed, p_value, percent};
use crate::render::page::Block;

/// A row per comparison; nothing unless asked for.
pub fn tables(report: &Report, look: &Look) -> Vec<Block> {
    if !report.shown.details {
        return Vec::new();
    }
    let several = report.pairs().len() > 1;
    let interval = format!("{} interval", words::level(&report.plan));
    let mut columns = vec![Column::words("")];
    columns.extend(several.then(|| Column::words("")));
    columns.push(Column::numbers("t").with(&interval));
    columns.extend(["df", "p of t", "d_z", "B wins", "smallest p"].map(Column::numbers));
    let mut grid = Grid::new(columns).tight();
    for row in &report.comparison.rows {
        let Some(found) = &row.found else { continue };
        let mut cells = vec![Cell::new(words::short(report.label(row.metric)))];
        cells.extend(several.then(|| Cell::new(pair_name(report, row, look))));
        cells.extend(numbers(found, report.plan.alpha, look.digits));
        grid.push(cells);
    }
    let notes = vec![
        "t: Student's paired test, which never decides; d_z: mean difference over its standard deviation, not comparable across designs; B wins: chance that B scores higher on a query, ties counted half".to_owned(),
    ];
    vec![Block::Heading("details".to_owned()), Block::Table(grid), Block::Footnotes(notes)]
}

fn numbers(found: &Found, alpha: f64, digits: usize) -> [Cell; 6] {
    let na = || "n/a".to_owned();
    let t = found.t.map_or_else(na, |test| fixed(test.t, 2));
    let interval = found.t.map_or_else(String::new, |test| words::interval(test.interval, digits));
    let df = found.t.map_or_else(String::new, |test| test.df.to_string());
    let p = found.t.map_or_else(na, |test| p_value(test.p, alpha));
    let dz = found.effect.cohen_dz.map_or_else(na, |dz| fixed(dz, 2));
    let wins = percent(found.effect.superiority);
    let smallest = p_value(found.smallest_p, alpha);
    [Cell::new(t).with(interval), Cell::new(df), Cell::new(p), Cell::new(dz), Cell::new(wins), Cell::new(smallest)]
}
