//! The queries that changed, with both scores and where the first relevant document went.

use raglens::compare::{Change, Row, changes};
use unicode_width::UnicodeWidthStr;

use super::report::Report;
use super::words::{self, versus};
use crate::render::Look;
use crate::render::grid::{Cell, Column, Grid};
use crate::render::number::{fixed, rank, signed};
use crate::render::page::Block;
use crate::render::paragraph::{WIDTH, first_words, shortened};

/// As many queries are shown each way, between two runs and between more of them.
const EACH_WAY: usize = 10;
const EACH_WAY_OF_SEVERAL: usize = 3;
/// The widest id that is shown in full.
const ID_WIDTH: usize = 24;
/// Less than this of a text says nothing.
const LEAST_TEXT: usize = 12;

/// The largest changes of the first measure; of all measures and all of them with `--list`.
pub fn tables(report: &Report, look: &Look) -> Vec<Block> {
    let differs = |row: &&Row| row.found.as_ref().is_some_and(|found| !found.paired.is_identical());
    let first = report.comparison.rows.iter().find(differs).map_or(0, |row| row.metric);
    let rows = report.comparison.rows.iter().filter(|row| report.shown.list || row.metric == first);
    rows.flat_map(|row| table(report, row, look)).collect()
}

fn table(report: &Report, row: &Row, look: &Look) -> Vec<Block> {
    let all = changes(&report.joined, row);
    let Some(found) = row.found.as_ref().filter(|_| !all.is_empty()) else { return Vec::new() };
    let several = report.pairs().len() > 1;
    let each_way = match (report.shown.list, several) {
        (true, _) => usize::MAX,
        (false, false) => EACH_WAY,
        (false, true) => EACH_WAY_OF_SEVERAL,
    };
    let up = all.iter().take_while(|change| change.difference > 0.0).count();
    let (up, down) = all.split_at(up);
    let (first, last) = (&up[..up.len().min(each_way)], &down[..down.len().min(each_way)]);
    let shown: Vec<&Change> = first.iter().chain(last).collect();
    let of_pair = if several { format!(", {}", versus(report, row)) } else { String::new() };
    let name = words::short(report.label(row.metric));
    let heading = match shown.len() == all.len() {
        true => format!("queries that changed on {name}{of_pair}"),
        false => format!(
            "largest changes on {name}{of_pair} ({} of {}; --list shows all)",
            shown.len(),
            found.paired.differing()
        ),
    };
    vec![Block::Heading(heading), Block::Table(grid(report, &shown, look))]
}

fn grid(report: &Report, shown: &[&Change], look: &Look) -> Grid {
    let with_ranks = shown.iter().any(|change| change.rank_a.is_some() && change.rank_b.is_some());
    let mut columns = vec![Column::words("query")];
    columns.extend(["A", "B", "B - A"].map(Column::numbers));
    columns.extend(with_ranks.then(|| Column::words("first relevant")));
    let ids: Vec<String> = shown.iter().map(|change| id(report, change, look)).collect();
    let room = room_for_text(report, shown, &ids, look, with_ranks);
    columns.extend(room.map(|_| Column::words("")));
    let mut grid = Grid::new(columns).tight();
    for (change, id) in shown.iter().zip(ids) {
        let mut cells = vec![Cell::new(id)];
        cells.extend([change.a, change.b].map(|score| Cell::new(fixed(score, look.digits))));
        cells.push(Cell::new(signed(change.difference, look.digits)));
        cells.extend(with_ranks.then(|| Cell::new(ranks(change, look))));
        cells.extend(room.map(|room| Cell::new(text(report, change, room, look))));
        grid.push(cells);
    }
    grid
}

fn id(report: &Report, change: &Change, look: &Look) -> String {
    shortened(&report.joined.queries[change.query].to_string(), ID_WIDTH, look.signs.ellipsis())
}

/// `37 → 2`, `none → 1`
fn ranks(change: &Change, look: &Look) -> String {
    match (change.rank_a, change.rank_b) {
        (Some(a), Some(b)) => format!("{} {} {}", rank(a), look.signs.arrow(), rank(b)),
        _ => String::new(),
    }
}

/// The columns that are left for the texts of queries; `None` without texts or room.
fn room_for_text(report: &Report, shown: &[&Change], ids: &[String], look: &Look, with_ranks: bool) -> Option<usize> {
    let has_text = shown.iter().any(|change| report.texts.get(change.query).is_some_and(Option::is_some));
    let widest = |texts: &mut dyn Iterator<Item = usize>, heading: &str| texts.max().unwrap_or(0).max(heading.len());
    let number = |of: &dyn Fn(&Change) -> f64| {
        widest(&mut shown.iter().map(|change| fixed(of(change), look.digits).len() + 1), "")
    };
    let mut used = widest(&mut ids.iter().map(|id| id.width()), "query");
    used += number(&|change| change.a) + number(&|change| change.b) + number(&|change| change.difference) + 3 * 2;
    if with_ranks {
        used += 2 + widest(&mut shown.iter().map(|change| ranks(change, look).width()), "first relevant");
    }
    let room = WIDTH.saturating_sub(used + 2);
    (has_text && room >= LEAST_TEXT).then_some(room)
}

fn text(report: &Report, change: &Change, room: usize, look: &Look) -> String {
    let text = report.texts.get(change.query).and_then(Option::as_deref);
    first_words(text.unwrap_or_default(), room, look.signs.ellipsis())
}
