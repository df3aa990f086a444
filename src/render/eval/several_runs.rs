//! The table of several runs: runs down, measures and cutoffs across.

use raglens::measure::Measure;
use unicode_width::UnicodeWidthStr;

use super::one_run::mean_cell;
use super::report::{Report, is_count, is_neutral, letter, row_name, short_name};
use crate::render::Look;
use crate::render::grid::{Cell, Column as Heading, Grid};
use crate::render::number::fixed;
use crate::render::page::Block;
use crate::render::paragraph::shortened;
use crate::render::style::QUIET;

/// The measures that stand for the default set in narrow tables.
const MAIN: [&str; 4] = ["recall", "mrr", "ndcg", "judged"];
/// The widest name of a run that is shown in full.
const NAME_WIDTH: usize = 24;

/// The measures of a narrow table: those asked for, or the main ones of the default set at every
/// cutoff.
pub fn main_measures(report: &Report) -> Vec<usize> {
    let all = 0..report.measures.len();
    if !report.shown.is_default_set {
        return all.collect();
    }
    let has_cutoffs = report.measures.iter().any(|measure| measure.params().cutoff().is_some());
    let is_main = |&index: &usize| {
        let measure = &report.measures[index];
        measure.params().cutoff().is_some() == has_cutoffs
            && !measure.is_condensed()
            && MAIN.contains(&measure.definition().name)
    };
    all.filter(is_main).collect()
}

/// The headings of measures: those that follow each other under one name share it.
pub fn headings(report: &Report, indices: &[usize]) -> Vec<Heading> {
    let name = |index: usize| row_name(&report.measures[index]);
    let groups = indices.chunk_by(|&a, &b| name(a) == name(b));
    let heading = |group: &[usize]| match *group {
        [single] => vec![Heading::numbers(&short_name(&report.measures[single]))],
        _ => {
            group.iter().map(|&index| Heading::numbers(&cutoff(&report.measures[index])).under(&name(index))).collect()
        }
    };
    groups.flat_map(heading).collect()
}

/// `@5`, or `all` for the whole list.
fn cutoff(measure: &Measure) -> String {
    measure.params().cutoff().map_or_else(|| "all".to_owned(), |cutoff| format!("@{cutoff}"))
}

/// The table of the main measures of every run.
pub fn table(report: &Report, look: &Look) -> Block {
    let indices = main_measures(report);
    let columns = std::iter::once(Heading::words("run")).chain(headings(report, &indices));
    let mut grid = Grid::new(columns.collect());
    for (position, (run, name)) in report.runs.iter().zip(names(report, look)).enumerate() {
        let values = indices.iter().map(|&index| {
            let cell = mean_cell(&report.measures[index], &run.columns[index], look.digits);
            cell.with(beaten(report, index, position))
        });
        let name = if report.letters.is_empty() { name } else { format!("{} {name}", letter(position)) };
        grid.push(std::iter::once(Cell::new(name)).chain(values).collect());
    }
    let widths: Vec<Cell> = indices.iter().map(|&index| widest(report, index, look)).collect();
    if has_widths(report) {
        grid.push(std::iter::once(Cell::new(look.signs.plus_minus()).styled(QUIET)).chain(widths).collect());
    }
    Block::Table(grid)
}

/// The letters of the runs that a run is better than.
fn beaten(report: &Report, measure: usize, run: usize) -> String {
    report.letters.get(measure).map_or_else(String::new, |runs| runs[run].iter().map(|&other| letter(other)).collect())
}

/// Whether any column has an interval, so that there is a line of widths.
pub fn has_widths(report: &Report) -> bool {
    main_measures(report).into_iter().any(|index| half_width(report, index).is_some())
}

/// Half of the width of the widest interval in a column.
fn half_width(report: &Report, index: usize) -> Option<f64> {
    let measure = &report.measures[index];
    let widths = report.runs.iter().filter_map(|run| run.columns[index].interval);
    let widest = widths.map(|found| found.interval.half_width()).fold(0.0, f64::max);
    (widest > 0.0 && !is_neutral(measure) && !is_count(measure)).then_some(widest)
}

fn widest(report: &Report, index: usize, look: &Look) -> Cell {
    let width = half_width(report, index);
    width.map_or_else(Cell::empty, |width| Cell::new(fixed(width, look.digits)).styled(QUIET))
}

/// The names of the runs: in full where they fit, else without their middle, as long as they stay
/// different.
pub fn names(report: &Report, look: &Look) -> Vec<String> {
    let full = || report.runs.iter().map(|run| run.name.as_str());
    let widest = full().map(UnicodeWidthStr::width).max().unwrap_or(0);
    let shortest = NAME_WIDTH.min(widest);
    let attempts = (shortest..widest)
        .map(|width| full().map(|name| shortened(name, width, look.signs.ellipsis())).collect::<Vec<String>>());
    let all_differ = |names: &Vec<String>| (1..names.len()).all(|index| !names[..index].contains(&names[index]));
    attempts.take(16).find(all_differ).unwrap_or_else(|| full().map(str::to_owned).collect())
}
