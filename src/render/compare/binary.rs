//! Measures that are 0 or 1: the 2x2 table, McNemar's test, and the queries that tip the scales.

use raglens::compare::{Binary, Found, Row};

use super::report::Report;
use super::words;
use crate::render::Look;
use crate::render::grid::{Cell, Column, Grid};
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
    let mut grid = Grid::new(vec![Column::words(&name), Column::numbers("B = 1"), Column::numbers("B = 0")]);
    let cells = |side: &str, counts: [u64; 2]| {
        std::iter::once(Cell::new(side)).chain(counts.map(|count| Cell::new(count.to_string()))).collect()
    };
    grid.push(cells("  A = 1", [binary.table.both, binary.table.a_only]));
    grid.push(cells("  A = 0", [binary.table.b_only, binary.table.neither]));
    vec![Block::Table(grid), Block::Footnotes(notes(report, look, found, binary))]
}

fn notes(report: &Report, look: &Look, found: &Found, binary: &Binary) -> Vec<String> {
    let alpha = report.plan.alpha;
    let [exact, mid] = [binary.mcnemar.exact_p, binary.mcnemar.mid_p].map(|p| p_value(p, alpha));
    let mut notes = vec![format!("McNemar exact p {exact}, mid-p {mid}")];
    if let Some(interval) = binary.interval {
        let interval = words::interval(interval, look.digits);
        notes[0].push_str(&format!("; score interval {interval}"));
    }
    let sides = [("A only", &binary.discordant.a_only), ("B only", &binary.discordant.b_only)];
    for (side, queries) in sides.into_iter().filter(|(_, queries)| !queries.is_empty()) {
        notes.push(format!("{side}: {}", named(report, found, queries)));
    }
    notes
}

/// The first ids, and how many more there are.
fn named(report: &Report, found: &Found, queries: &[usize]) -> String {
    let shown = if report.shown.list { queries.len() } else { NAMED };
    let id = |&index: &usize| report.joined.queries[found.queries[index]].to_string();
    let mut text = queries.iter().take(shown).map(id).collect::<Vec<String>>().join(" ");
    if queries.len() > shown {
        text.push_str(&format!(" and {} more (--list)", queries.len() - shown));
    }
    text
}
