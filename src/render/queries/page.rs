//! The queries as a page.

use super::detail;
use super::report::{Report, Row};
use crate::render::Look;
use crate::render::grid::{Cell, Column, Grid};
use crate::render::number::{fixed, queries, rank, signed};
use crate::render::page::Block;
use crate::render::paragraph::{WIDTH, first_words, shortened};

/// The widest id that is shown in full.
const ID_WIDTH: usize = 24;
/// The widest name of a run that is shown in full above its columns.
const RUN_WIDTH: usize = 12;
/// Less than this of a text says nothing.
const LEAST_TEXT: usize = 12;

/// The page.
pub fn page(report: &Report, look: &Look) -> Vec<Block> {
    if report.shown.is_some() {
        return detail::page(report, look);
    }
    let mut blocks = vec![Block::Title { name: report.runs.join(", "), facts: facts(report) }];
    if !report.rows.is_empty() {
        blocks.push(Block::Table(grid(report, &report.rows, look)));
    }
    blocks.push(Block::Answer(answer(report)));
    blocks
}

fn facts(report: &Report) -> String {
    let conditions = report.conditions.join(" and ");
    match report.conditions.is_empty() {
        true => queries(report.all as u64),
        false => format!("{} of {}, where {conditions}", report.matching, queries(report.all as u64)),
    }
}

fn answer(report: &Report) -> String {
    let rows = report.rows.len();
    let held = if report.conditions.is_empty() { "" } else { " for which the condition holds" };
    let (one, more) = match report.has_rankings {
        true => ("; --show ID lists what was returned for it", "; --show ID lists what was returned for one"),
        false => ("", ""),
    };
    match (rows, report.matching) {
        (0, 0) => "The condition holds for no query.".to_owned(),
        (rows, matching) if rows < matching => {
            format!("The first {rows} of {}{held}{more}.", queries(matching as u64))
        }
        (1, _) => format!("1 query{held}{one}."),
        (rows, _) => format!("{}{held}{more}.", queries(rows as u64)),
    }
}

/// A row per query: measures across (runs under each), the change, the first relevant rank, and
/// as much of the text as fits.
pub fn grid(report: &Report, rows: &[Row], look: &Look) -> Grid {
    let plain = table(report, rows, look, None);
    let has_text = rows.iter().any(|row| row.text.is_some());
    let room = WIDTH.saturating_sub(plain.width() + 4);
    match has_text && room >= LEAST_TEXT {
        true => table(report, rows, look, Some(room)),
        false => plain,
    }
}

fn table(report: &Report, rows: &[Row], look: &Look, room: Option<usize>) -> Grid {
    let mut grid = Grid::new(columns(report, look, room.is_some()));
    for row in rows {
        let mut cells = vec![Cell::new(shortened(&row.query.to_string(), ID_WIDTH, look.signs.ellipsis()))];
        cells.extend(
            report
                .by
                .iter()
                .map(|tag| Cell::new(first_words(&row.tag(tag).join(", "), ID_WIDTH, look.signs.ellipsis()))),
        );
        for metric in 0..report.metrics.len() {
            cells.extend(row.values.iter().map(|run| value(run[metric], look)));
            if metric == 0 && has_delta(report) {
                cells.push(Cell::new(row.delta().map_or_else(|| "-".to_owned(), |delta| signed(delta, look.digits))));
            }
        }
        if report.has_rankings {
            cells.extend(row.first.iter().map(|first| Cell::new(rank(*first))));
        }
        cells.extend(room.map(|room| Cell::new(text(row, room, look))));
        grid.push(cells);
    }
    grid
}

fn columns(report: &Report, look: &Look, with_text: bool) -> Vec<Column> {
    let several = report.runs.len() > 1;
    let of_runs = |name: &str| -> Vec<Column> {
        let heading = |run: &String| match several {
            true => Column::numbers(&shortened(run, RUN_WIDTH, look.signs.ellipsis())).under(name),
            false => Column::numbers(name),
        };
        report.runs.iter().map(heading).collect()
    };
    let mut columns = vec![Column::words("query")];
    columns.extend(report.by.iter().map(|tag| Column::words(&first_words(tag, RUN_WIDTH, look.signs.ellipsis()))));
    for (position, metric) in report.metrics.iter().enumerate() {
        columns.extend(of_runs(metric));
        columns.extend((position == 0 && has_delta(report)).then(|| Column::numbers("delta").under(metric)));
    }
    if report.has_rankings {
        columns.extend(of_runs("first"));
    }
    columns.extend(with_text.then(|| Column::words("")));
    columns
}

fn has_delta(report: &Report) -> bool {
    report.runs.len() > 1
}

fn value(value: Option<f64>, look: &Look) -> Cell {
    Cell::new(value.map_or_else(|| "-".to_owned(), |value| fixed(value, look.digits)))
}

fn text(row: &Row, room: usize, look: &Look) -> String {
    first_words(row.text.as_deref().unwrap_or_default(), room, look.signs.ellipsis())
}
