//! Measures that are 0 or 1: the 2x2 table, McNemar's test, and the queries that tip the scales.

use raglens::compare::{Binary, Found, Row};

use super::report::Report;
use super::words;
use crate::render::Look;
use crate::render::grid::{Cell, Column, Grid};
use crate::render::listing::and_more;
use crate::render::number::p_value;
use crate::render::page::Block;

/// As many queries of a cell are named.
const NAMED: usize = 20;

/// A table for each row of zeros and ones: with two runs always, with more of them in the details.
pub fn tables(report: &Report, look: &Look) -> Vec<Block> {
    if report.pairs().len() > 1 && !report.shown.details {
        return Vec::new();
    }
    let rows = report.comparison.rows.iter().filter_map(|row| {
        let found = row.found.as_ref()?;
        Some((row, found, found.binary.as_ref()?))
    });
    rows.filter(|(_, found, _)| !found.paired.is_identical())
        .flat_map(|(row, found, binary)| table(report, look, row, found, binary))
        .collect()
}

fn table(report: &Report, look: &Look, row: &Row, found: &Found, binary: &Binary) -> Vec<Block> {
    let name = words::short(report.label(row.metric));
    let name = match report.pairs().len() {
        1 => name,
        _ => format!("{name}, {} - {}", report.name(row.b), report.name(row.a)),
    };
    let columns = [Column::words(&name), Column::numbers("B = 1"), Column::numbers("B = 0"), Column::words("")];
    let mut grid = Grid::new(columns.to_vec());
    let [exact, mid] = [binary.mcnemar.exact_p, binary.mcnemar.mid_p].map(|p| p_value(p, report.plan.alpha));
    let interval = binary.interval.map(|found| format!("score interval {}", words::interval(found, look.digits)));
    let mut push = |side: &str, counts: [u64; 2], aside: String| {
        let counts = counts.map(|count| Cell::new(count.to_string()));
        grid.push([Cell::new(side)].into_iter().chain(counts).chain([Cell::new(aside)]).collect());
    };
    push("  A = 1", [binary.table.both, binary.table.a_only], format!("McNemar exact p {exact}, mid-p {mid}"));
    push("  A = 0", [binary.table.b_only, binary.table.neither], interval.unwrap_or_default());
    let sides = [("A only", &binary.discordant.a_only), ("B only", &binary.discordant.b_only)];
    let sides = sides.into_iter().filter(|(_, queries)| !queries.is_empty());
    let lines = sides.map(|(side, queries)| format!("{side}: {}", named(report, found, queries))).collect();
    vec![Block::Table(grid), Block::Footnotes(lines)]
}

/// The first ids, and how many more there are.
fn named(report: &Report, found: &Found, queries: &[usize]) -> String {
    let shown = if report.shown.list { queries.len() } else { NAMED };
    let id = |&index: &usize| report.joined.queries[found.queries[index]].to_string();
    let option = if queries.len() > shown { " (--list)" } else { "" };
    and_more(&queries.iter().map(id).collect::<Vec<String>>(), shown, " ") + option
}
