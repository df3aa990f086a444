//! One query: the runs' lists side by side, and what should have been found.

use std::collections::HashSet;

use raglens::id::{Id, escaped};

use super::page::grid;
use super::report::{List, Listed, Passage, Relevant, Report, Row, Shown};
use crate::render::Look;
use crate::render::grid::{Cell, Column, Grid};
use crate::render::number::{counted, exact, rank};
use crate::render::page::Block;
use crate::render::paragraph::{WIDTH, first_words, shortened};
use crate::render::style::STRONG;

/// As many relevant documents or passages are listed, unless more results are.
const LISTED: usize = 20;
/// The widest id in a list.
const ID_WIDTH: usize = 28;

/// The page of the query that is shown.
pub fn page(report: &Report, look: &Look) -> Vec<Block> {
    let Some(shown) = &report.shown else { return Vec::new() };
    let mut blocks = title(report, shown);
    if !report.rows.is_empty() {
        let bare: Vec<Row> = report.rows.iter().map(|row| Row { text: None, ..row.clone() }).collect();
        blocks.push(Block::Table(grid(report, &bare, look)));
    }
    blocks.push(Block::Heading("results, best first, with their grades".to_owned()));
    blocks.push(Block::Table(lists(report, shown, look)));
    blocks.push(Block::Footnotes(footnotes(report, shown)));
    if !shown.relevant.is_empty() {
        blocks.push(Block::Heading("relevant documents and their ranks".to_owned()));
        blocks.push(Block::Table(relevant(report, shown, look)));
        blocks.extend(left_out(shown, shown.relevant.len(), ["relevant document", "relevant documents"]));
    }
    if !shown.passages.is_empty() {
        blocks.push(Block::Heading("gold passages, and the first chunk that overlaps each".to_owned()));
        blocks.push(Block::Table(passages(report, shown, look)));
        blocks.extend(left_out(shown, shown.passages.len(), ["gold passage", "gold passages"]));
    }
    if !shown.texts.is_empty() {
        blocks.push(Block::Heading("texts".to_owned()));
        blocks.push(Block::Table(texts(shown, look)));
    }
    blocks.push(Block::Answer(answer(report, shown)));
    blocks
}

/// The query, its tags, and its text.
fn title(report: &Report, shown: &Shown) -> Vec<Block> {
    let Some(row) = report.rows.first() else { return Vec::new() };
    let tags = row.tags.iter().map(|(tag, values)| format!("{tag}={}", values.join("+")));
    let relevant = counted(shown.relevant.len() as u64, "relevant document", "relevant documents");
    let facts = std::iter::once(relevant).chain(tags).collect::<Vec<String>>().join(", ");
    let title = Block::Title { name: row.query.to_string(), facts: escaped(facts.as_bytes()) };
    let text = row.text.as_ref().map(|text| Block::Conventions(text.clone()));
    std::iter::once(title).chain(text).collect()
}

/// Ranks down, runs across.
fn lists(report: &Report, shown: &Shown, look: &Look) -> Grid {
    let columns = report.runs.iter().map(|run| Column::words(run).with("grade"));
    let mut grid = Grid::new(std::iter::once(Column::numbers("rank")).chain(columns).collect());
    let depth = shown.lists.iter().map(|list| list.results.len()).max().unwrap_or(0);
    for rank in 0..depth {
        let cells = shown
            .lists
            .iter()
            .map(|list| list.results.get(rank).map_or_else(Cell::empty, |found| result(found, shown, look)));
        grid.push(std::iter::once(Cell::new((rank + 1).to_string())).chain(cells).collect());
    }
    grid
}

fn result(found: &Listed, shown: &Shown, look: &Look) -> Cell {
    let grade = found.grade.map_or_else(|| "?".to_owned(), exact);
    let is_relevant = shown.relevant.iter().any(|relevant| relevant.document == found.document);
    let cell = Cell::new(id(&found.document, look)).with(format!("{grade}{}", if is_relevant { " *" } else { "" }));
    if is_relevant { cell.styled(STRONG) } else { cell }
}

fn footnotes(report: &Report, shown: &Shown) -> Vec<String> {
    let mut notes = vec!["*: relevant; ?: not judged".to_owned()];
    let lengths = report.runs.iter().zip(&shown.lists).filter_map(|(run, list)| length(run, list));
    notes.extend(lengths);
    notes
}

/// What the table does not show of a list.
fn length(run: &str, list: &List) -> Option<String> {
    match list.retrieved {
        None => Some(format!("{run} does not answer the query")),
        Some(retrieved) if retrieved > list.results.len() as u64 => {
            Some(format!("{run} returned {}; --depth shows more", counted(retrieved, "result", "results")))
        }
        Some(_) => None,
    }
}

/// How many of what should have been found are listed.
fn listed(shown: &Shown) -> usize {
    shown.depth.max(LISTED)
}

/// What the table above does not list of what should have been found.
fn left_out(shown: &Shown, all: usize, [one, many]: [&str; 2]) -> Option<Block> {
    let more = all.checked_sub(listed(shown)).filter(|&more| more > 0)? as u64;
    let (one, many) = (format!("more {one}"), format!("more {many}"));
    Some(Block::Footnotes(vec![format!("{}; --depth {all} or --format json lists all", counted(more, &one, &many))]))
}

fn relevant(report: &Report, shown: &Shown, look: &Look) -> Grid {
    let columns = [Column::words("document"), Column::numbers("grade")];
    let mut grid = Grid::new(columns.into_iter().chain(report.runs.iter().map(|run| Column::numbers(run))).collect());
    for Relevant { document, grade, ranks } in shown.relevant.iter().take(listed(shown)) {
        let cells = [Cell::new(id(document, look)), Cell::new(exact(*grade))];
        grid.push(cells.into_iter().chain(self::ranks(ranks)).collect());
    }
    grid
}

fn passages(report: &Report, shown: &Shown, look: &Look) -> Grid {
    let columns = [Column::words("document"), Column::numbers("from"), Column::numbers("to"), Column::numbers("grade")];
    let mut grid = Grid::new(columns.into_iter().chain(report.runs.iter().map(|run| Column::numbers(run))).collect());
    for Passage { document, range, grade, ranks } in shown.passages.iter().take(listed(shown)) {
        let numbers = [range.0.to_string(), range.1.to_string(), exact(*grade)].map(Cell::new);
        let cells = std::iter::once(Cell::new(id(document, look))).chain(numbers);
        grid.push(cells.chain(self::ranks(ranks)).collect());
    }
    grid
}

fn ranks(ranks: &[Option<u64>]) -> impl Iterator<Item = Cell> {
    ranks.iter().map(|found| Cell::new(rank(*found)))
}

fn texts(shown: &Shown, look: &Look) -> Grid {
    let results = shown.lists.iter().flat_map(|list| &list.results).map(|result| &result.document);
    let relevant = shown.relevant.iter().take(listed(shown)).map(|relevant| &relevant.document);
    let is_listed: HashSet<&Id> = results.chain(relevant).collect();
    let texts = || shown.texts.iter().filter(|(document, _)| is_listed.contains(document));
    let widest = texts().map(|(document, _)| id(document, look).chars().count()).max().unwrap_or(0);
    let mut grid = Grid::new(vec![Column::words(""), Column::words("")]);
    for (document, text) in texts() {
        let text = first_words(text, WIDTH - widest - 3, look.signs.ellipsis());
        grid.push(vec![Cell::new(id(document, look)), Cell::new(text)]);
    }
    grid
}

fn id(id: &Id, look: &Look) -> String {
    shortened(&id.to_string(), ID_WIDTH, look.signs.ellipsis())
}

/// How many of the relevant documents each run has in what is shown.
fn answer(report: &Report, shown: &Shown) -> String {
    let depth = shown.lists.iter().map(|list| list.results.len()).max().unwrap_or(0) as u64;
    if shown.relevant.is_empty() {
        return "The query has no relevant document.".to_owned();
    }
    let found =
        |run: usize| shown.relevant.iter().filter(move |found| found.ranks[run].is_some_and(|rank| rank <= depth));
    let parts = report.runs.iter().enumerate().map(|(run, name)| format!("{name} {}", found(run).count()));
    format!(
        "Of {} in the first {depth}: {}.",
        counted(shown.relevant.len() as u64, "relevant document", "relevant documents"),
        parts.collect::<Vec<String>>().join(", ")
    )
}
