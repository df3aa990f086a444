//! The tables of a comparison: the numbers, and beside them who won how often and what it means.

use raglens::compare::{Found, Pairs, Row};

use super::report::Report;
use super::words;
use crate::render::Look;
use crate::render::grid::{Cell, Column, Grid};
use crate::render::number::{fixed, p_value, signed};
use crate::render::page::Block;
use crate::render::paragraph::shortened;
use crate::render::style::STRONG;

/// The widest name of a run in a table.
const NAME_WIDTH: usize = 20;
/// The widest name of one of two runs.
const PAIR_WIDTH: usize = 8;

/// The tables of all rows.
pub fn tables(report: &Report, look: &Look) -> Vec<Block> {
    let shape = Shape::new(report, look);
    let numbers = match report.pairs()[..] {
        [_] => shape.of_two_runs(),
        _ => shape.of_several_runs(),
    };
    let mut blocks = vec![Block::Table(numbers)];
    let verdicts = shape.verdicts(true);
    match verdicts.fits() {
        true => blocks.push(Block::Table(verdicts)),
        false => blocks.extend([Block::Table(shape.verdicts(false)), Block::Footnotes(shape.reasons())]),
    }
    blocks
}

/// The names of two sides in a table with several runs: `hybrid`, or `hybrid - dense` where every
/// run is compared with every run.
pub fn pair_name(report: &Report, row: &Row, look: &Look) -> String {
    let name = |run: usize, width: usize| shortened(report.name(run), width, look.signs.ellipsis());
    match report.plan.pairs {
        Pairs::Baseline => name(row.b, NAME_WIDTH),
        Pairs::All => format!("{} - {}", name(row.b, PAIR_WIDTH), name(row.a, PAIR_WIDTH)),
    }
}

/// What the rows have in common, and what is therefore shown.
struct Shape<'a> {
    report: &'a Report,
    look: &'a Look,
    /// Whether the number of queries differs from row to row.
    with_n: bool,
    with_adjusted: bool,
}

impl<'a> Shape<'a> {
    fn new(report: &'a Report, look: &'a Look) -> Self {
        let n = |row: &Row| row.found.as_ref().map_or(0, |found| found.paired.n);
        let with_n = report.comparison.rows.iter().any(|row| n(row) != report.joined.queries.len());
        Self { report, look, with_n, with_adjusted: report.is_adjusted() }
    }

    /// An empty table of numbers, with the means of both sides or of B alone.
    fn numbers(&self, with_both: bool) -> Grid {
        let interval = format!("{} interval", words::level(&self.report.plan));
        let mut columns = vec![Column::words("")];
        columns.extend(self.with_n.then(|| Column::numbers("n")));
        match with_both {
            true => columns.extend([Column::numbers("A"), Column::numbers("B")]),
            false => columns.push(Column::numbers("mean")),
        }
        columns.push(Column::numbers(if with_both { "B - A" } else { "diff" }).with(&interval));
        columns.push(Column::numbers("p"));
        columns.extend(self.with_adjusted.then(|| Column::numbers("p adj")));
        Grid::new(columns).tight()
    }

    /// A row per metric.
    fn of_two_runs(&self) -> Grid {
        let mut grid = self.numbers(true);
        for row in &self.report.comparison.rows {
            grid.push(self.cells(words::short(self.report.label(row.metric)), row, true));
        }
        grid
    }

    /// Under the name of each metric a row per run or pair of runs.
    fn of_several_runs(&self) -> Grid {
        let with_both = self.report.plan.pairs == Pairs::All;
        let mut grid = self.numbers(with_both);
        for metric in 0..self.report.plan.metrics.len() {
            grid.push(self.heading(metric, with_both));
            if !with_both {
                grid.push(self.baseline(metric));
            }
            for row in self.report.of_metric(metric) {
                grid.push(self.cells(format!("  {}", pair_name(self.report, row, self.look)), row, with_both));
            }
        }
        grid
    }

    /// A row with the name of a metric alone.
    fn heading(&self, metric: usize, with_both: bool) -> Vec<Cell> {
        let others = 3 + [self.with_n, with_both, self.with_adjusted].into_iter().filter(|is_shown| *is_shown).count();
        let name = Cell::new(words::short(self.report.label(metric))).styled(STRONG);
        std::iter::once(name).chain((0..others).map(|_| Cell::empty())).collect()
    }

    /// The row of the run that all others are compared with.
    fn baseline(&self, metric: usize) -> Vec<Cell> {
        let values = self.report.joined.runs[0].columns[metric].iter().copied().flatten();
        let values: Vec<f64> = values.collect();
        let mean = raglens::stats::summary::mean(&values).map_or_else(String::new, |mean| self.value(mean));
        let name = shortened(self.report.name(0), NAME_WIDTH, self.look.signs.ellipsis());
        let mut cells = vec![Cell::new(format!("  {name}"))];
        cells.extend(self.with_n.then(|| Cell::new(values.len().to_string())));
        cells.extend([Cell::new(mean), Cell::empty(), Cell::empty()]);
        cells.extend(self.with_adjusted.then(Cell::empty));
        cells
    }

    fn cells(&self, name: String, row: &Row, with_both: bool) -> Vec<Cell> {
        let mut cells = vec![Cell::new(name)];
        let Some(found) = &row.found else {
            cells.extend(self.with_n.then(|| Cell::new("0")));
            cells.extend((0..1 + usize::from(with_both)).map(|_| Cell::new("n/a")));
            cells.extend([Cell::empty(), Cell::empty()]);
            cells.extend(self.with_adjusted.then(Cell::empty));
            return cells;
        };
        let (alpha, digits) = (self.report.plan.alpha, self.look.digits);
        cells.extend(self.with_n.then(|| Cell::new(found.paired.n.to_string())));
        cells.extend(with_both.then(|| Cell::new(self.value(found.paired.mean_a))));
        cells.push(Cell::new(self.value(found.paired.mean_b)));
        cells.push(Cell::new(signed(found.paired.mean_difference, digits)).with(words::beside(found, digits)));
        cells.push(Cell::new(words::p(found, alpha)).with(if words::is_random(found) { "~" } else { "" }));
        let adjusted = found.adjusted_p.map_or_else(String::new, |p| p_value(p, alpha));
        cells.extend(self.with_adjusted.then(|| Cell::new(adjusted)));
        cells
    }

    fn value(&self, value: f64) -> String {
        fixed(value, self.look.digits)
    }

    /// How often B was better, as good and worse, and what the row comes to.
    fn verdicts(&self, with_reasons: bool) -> Grid {
        let several = self.report.pairs().len() > 1;
        let with_reasons = with_reasons && self.tested().any(|(_, found)| !self.reason(found).is_empty());
        let mut columns = vec![Column::words("")];
        columns.extend(["better", "same", "worse"].map(Column::numbers));
        columns.push(Column::words("verdict"));
        columns.extend(with_reasons.then(|| Column::words("")));
        let width = columns.len();
        let mut grid = Grid::new(columns).tight();
        let mut last = None;
        for (row, found) in self.tested() {
            let metric = words::short(self.report.label(row.metric));
            if several && last.replace(row.metric) != Some(row.metric) {
                let name = Cell::new(&metric).styled(STRONG);
                grid.push(std::iter::once(name).chain((1..width).map(|_| Cell::empty())).collect());
            }
            let name = if several { format!("  {}", pair_name(self.report, row, self.look)) } else { metric };
            let mut cells = vec![Cell::new(name)];
            cells.extend([found.better, found.paired.ties, found.worse].map(|count| Cell::new(count.to_string())));
            cells.push(Cell::new(words::verdict(found)).styled(STRONG));
            cells.extend(with_reasons.then(|| Cell::new(self.reason(found))));
            grid.push(cells);
        }
        grid
    }

    /// The rows that have a value.
    fn tested(&self) -> impl Iterator<Item = (&'a Row, &'a Found)> {
        self.report.comparison.rows.iter().filter_map(|row| Some((row, row.found.as_ref()?)))
    }

    /// The reasons of verdicts in lines of their own.
    fn reasons(&self) -> Vec<String> {
        let several = self.report.pairs().len() > 1;
        let line = |(row, found): (&Row, &Found)| {
            let pair = if several { format!(" {}", pair_name(self.report, row, self.look)) } else { String::new() };
            let reason = Some(self.reason(found)).filter(|reason| !reason.is_empty())?;
            Some(format!("{}{pair}: {reason}", words::short(self.report.label(row.metric))))
        };
        self.tested().filter_map(line).collect()
    }

    fn reason(&self, found: &Found) -> String {
        let reason = words::short_reason(found, &self.report.plan);
        match found.equivalence {
            Some(shown) if shown.is_shown => {
                let margin =
                    format!("equivalent within {}{}", self.look.signs.plus_minus(), fixed_margin(shown.margin));
                [reason, margin].into_iter().filter(|part| !part.is_empty()).collect::<Vec<String>>().join("; ")
            }
            _ => reason,
        }
    }
}

/// A margin as it was typed.
pub fn fixed_margin(margin: f64) -> String {
    crate::render::number::exact(margin)
}
