//! How the value of a measure for one query comes about: its terms as tables, then the value.

use raglens::id::{Id, escaped};
use raglens::measure::{Row, Terms};

use super::report::{Judgment, Worked};
use crate::render::Look;
use crate::render::eval::report::is_count;
use crate::render::grid::{Cell, Column, Grid};
use crate::render::listing::{first, up_to};
use crate::render::number::{counted, exact, fixed};
use crate::render::page::Block;
use crate::render::paragraph::shortened;

/// Widths to which ids are shortened, until the table fits.
const WIDTHS: [usize; 4] = [40, 28, 20, 12];

/// How many missed documents are named.
const NAMED: usize = 10;

/// The page.
pub fn page(worked: &Worked, look: &Look) -> Vec<Block> {
    let view = View { worked, terms: &worked.terms, look };
    let mut blocks = vec![view.title(), view.conventions(), view.formula()];
    if !worked.terms.rows.is_empty() {
        blocks.push(Block::Table(view.fitting(&worked.terms.rows, |row, width| view.of_run(row, width))));
    }
    if !worked.terms.ideal.is_empty() {
        blocks.push(Block::Heading("The best possible order".to_owned()));
        blocks.push(Block::Table(view.fitting(&worked.terms.ideal, |row, width| view.of_best(row, width))));
    }
    blocks.extend(Some(view.footnotes()).filter(|notes| !notes.is_empty()).map(Block::Footnotes));
    blocks.push(view.steps());
    blocks
}

struct View<'a> {
    worked: &'a Worked,
    terms: &'a Terms,
    look: &'a Look,
}

impl View<'_> {
    fn title(&self) -> Block {
        let Worked { measure, query, text, run, .. } = self.worked;
        let text = text.as_ref().map_or_else(String::new, |text| format!(": {}", escaped(text.as_bytes())));
        Block::Title { name: measure.label().to_owned(), facts: format!("{run}, query {query}{text}") }
    }

    fn conventions(&self) -> Block {
        let paths: Vec<&str> = self.worked.files.iter().map(|file| file.path.as_str()).collect();
        let files = match paths[..] {
            [labels, run] if labels != run => format!("labels {labels}, run {run}"),
            _ => format!("labels and run {}", paths[0]),
        };
        Block::Conventions(format!("{}; {files}", self.worked.conventions))
    }

    fn formula(&self) -> Block {
        Block::Lines(vec![self.signs(self.worked.measure.definition().formula)])
    }

    /// The rows as a table, with ids as long as fit.
    fn fitting(&self, rows: &[Row], first: impl Fn(&Row, usize) -> Vec<Cell>) -> Grid {
        let mut grids = WIDTHS.iter().map(|&width| self.table(rows, |row| first(row, width)));
        let grid = grids.find(Grid::fits);
        grid.unwrap_or_else(|| self.table(rows, |row| first(row, WIDTHS[WIDTHS.len() - 1])))
    }

    fn table(&self, rows: &[Row], first: impl Fn(&Row) -> Vec<Cell>) -> Grid {
        let condensed = self.worked.measure.is_condensed().then(|| Column::numbers("in run"));
        let mut columns = vec![Column::numbers("rank")];
        columns.extend(condensed);
        columns.extend([Column::words("document"), Column::numbers("grade")]);
        columns.extend(self.terms.columns.iter().map(|name| Column::numbers(name)));
        let mut grid = Grid::new(columns).tight();
        let is_whole: Vec<bool> = (0..self.terms.columns.len()).map(|column| self.is_whole(column)).collect();
        for row in rows {
            let number = |(&value, &is_whole): (&f64, &bool)| Cell::new(self.number(value, is_whole));
            let mut cells = first(row);
            cells.extend(row.cells.iter().zip(&is_whole).map(number));
            cells.resize(cells.len() + self.terms.columns.len() - row.cells.len(), Cell::empty());
            grid.push(cells);
        }
        grid
    }

    /// Whether a column counts: it holds whole numbers alone.
    fn is_whole(&self, column: usize) -> bool {
        let cells = self.terms.rows.iter().chain(&self.terms.ideal).filter_map(|row| row.cells.get(column));
        cells.into_iter().all(|value| value.fract() == 0.0)
    }

    fn number(&self, value: f64, is_whole: bool) -> String {
        if is_whole { exact(value) } else { fixed(value, self.look.digits) }
    }

    /// Rank, document and grade of a place of the list.
    fn of_run(&self, row: &Row, width: usize) -> Vec<Cell> {
        let place = row.place;
        let found = self.worked.documents.get(place.rank as usize - 1);
        let is_single = place.rank == place.last;
        let rank = if is_single { place.rank.to_string() } else { format!("{}-{}", place.rank, place.last) };
        let document = match found {
            Some((document, _)) if is_single => shown(document, width, self.look),
            _ => format!("({} more)", counted(place.last - place.rank + 1, "document", "documents")),
        };
        let grade = place.grade.map_or_else(|| "-".to_owned(), |grade| fixed_or_exact(grade, self.look.digits));
        let in_run = found.map_or_else(String::new, |(_, rank)| rank.to_string());
        self.with_rank(rank, in_run, document, grade)
    }

    /// Rank, document and grade of a place of the best possible list.
    fn of_best(&self, row: &Row, width: usize) -> Vec<Cell> {
        let found = self.worked.best.get(row.place.rank as usize - 1);
        let document = found.map_or_else(String::new, |found| shown(&found.document, width, self.look));
        let in_run = found.map_or_else(String::new, in_run);
        let grade = row.place.grade.map_or_else(String::new, |grade| fixed_or_exact(grade, self.look.digits));
        self.with_rank(row.place.rank.to_string(), in_run, document, grade)
    }

    fn with_rank(&self, rank: String, in_run: String, document: String, grade: String) -> Vec<Cell> {
        let in_run = self.worked.measure.is_condensed().then_some(in_run);
        [Some(rank), in_run, Some(document), Some(grade)].into_iter().flatten().map(Cell::new).collect()
    }

    fn footnotes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let has =
            |test: fn(f64) -> bool, none: bool| self.terms.rows.iter().any(|row| row.place.grade.map_or(none, test));
        if has(|_| false, true) {
            notes.push("grade -: not in the labels, so nobody judged it".to_owned());
        }
        if has(|grade| grade < 0.0, false) {
            notes.push("grade below 0: pooled, not judged".to_owned());
        }
        if self.worked.measure.is_condensed() {
            notes.push("rank: in the condensed list, which holds judged documents alone".to_owned());
        }
        if !self.worked.ties.is_empty() {
            notes.push(self.ties());
        }
        if !self.worked.missed.is_empty() {
            notes.push(format!("relevant, but in none of these places: {}", self.missed()));
        }
        notes.extend(self.worked.reason.clone());
        notes
    }

    fn ties(&self) -> String {
        let ties = &self.worked.ties;
        let ranks = ties.iter().map(|(first, last)| format!("{first} to {last}"));
        let whose = if self.worked.measure.is_condensed() { " in the run" } else { "" };
        format!("equal scores at ranks {}{whose}: the rule for ties orders them", first(ranks, NAMED))
    }

    fn missed(&self) -> String {
        let missed = &self.worked.missed;
        let named = missed.iter().map(|found| {
            let place = found.rank.map_or_else(|| "not returned".to_owned(), |rank| format!("rank {rank}"));
            let grade = fixed_or_exact(found.grade, self.look.digits);
            format!("{} (grade {grade}, {place})", shown(&found.document, WIDTHS[0], self.look))
        });
        up_to(&named.collect::<Vec<String>>(), NAMED)
    }

    /// The numbers on the way, and in the last line the value.
    fn steps(&self) -> Block {
        let steps = self.terms.steps.iter().map(|step| {
            let value = self.number(step.value, step.value.fract() == 0.0);
            format!("{} = {value} ({})", step.name, self.signs(&step.about))
        });
        let label = self.worked.measure.label();
        let is_count = is_count(&self.worked.measure);
        let value = self.worked.value.map_or_else(|| "no value".to_owned(), |value| self.number(value, is_count));
        let result = match self.terms.rule {
            "" => format!("{label} = {value}"),
            rule => format!("{label} = {value} ({})", self.signs(rule)),
        };
        Block::Lines(steps.chain([result]).collect())
    }

    fn signs(&self, formula: &str) -> String {
        super::formula(formula, self.look.signs)
    }
}

/// The rank in the run of a judged document.
fn in_run(found: &Judgment) -> String {
    found.rank.map_or_else(|| "-".to_owned(), |rank| rank.to_string())
}

/// A grade: as it is written, unless that is long.
fn fixed_or_exact(grade: f64, digits: usize) -> String {
    let text = exact(grade);
    if text.len() > digits + 4 { fixed(grade, digits) } else { text }
}

fn shown(id: &Id, width: usize, look: &Look) -> String {
    shortened(&id.to_string(), width, look.signs.ellipsis())
}
