//! Cells of a table become the scores of its runs.

use std::collections::HashMap;

use super::{SavedRun, SavedScores, VALUE};
use crate::error::InputErrorKind;
use crate::id::Id;
use crate::input::number;

/// Columns of times and costs, in which nothing is below 0.
const AMOUNTS: [&str; 2] = ["latency_ms", "cost_usd"];

/// What stands in a cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cell {
    /// A number; `true` and `false` are 1 and 0.
    Number(f64),
    /// Nothing, or a word for it.
    Missing,
    /// Something that is no number, as it is shown.
    Text(String),
}

impl Cell {
    /// The cell of a table of text.
    pub(super) fn parse(text: &str) -> Self {
        match text.trim() {
            "" | "null" | "None" | "NA" | "N/A" | "nan" | "NaN" | "NAN" => Self::Missing,
            "true" | "True" | "TRUE" => Self::Number(1.0),
            "false" | "False" | "FALSE" => Self::Number(0.0),
            text => match number::parse(text.as_bytes()) {
                Some(number) => Self::Number(number),
                None => Self::Text(crate::id::escaped(text.as_bytes())),
            },
        }
    }
}

/// What a column is; the first cell that is not empty decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Scores,
    Texts,
}

/// Collects cells row by row.
#[derive(Debug, Default)]
pub(super) struct Collector {
    runs: Vec<Collected>,
    names: HashMap<Option<String>, usize>,
    columns: HashMap<String, Column>,
}

#[derive(Debug, Default)]
struct Collected {
    run: SavedRun,
    queries: HashMap<Id, usize>,
    metrics: HashMap<String, usize>,
    lines: Vec<u64>,
    /// Which cells have been set, as the run's values are.
    set: Vec<Vec<bool>>,
}

/// A row of one query of one run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    run: usize,
    query: usize,
}

impl Collector {
    /// The run of a name.
    pub(super) fn run(&mut self, name: Option<&str>) -> usize {
        let next = self.runs.len();
        let position = *self.names.entry(name.map(str::to_owned)).or_insert(next);
        if position == next {
            let run = SavedRun { name: name.map(str::to_owned), ..SavedRun::default() };
            self.runs.push(Collected { run, ..Collected::default() });
        }
        position
    }

    /// The row of a query; `line` is where it stands, for messages.
    pub(super) fn row(&mut self, run: usize, query: &str, line: u64) -> Place {
        let collected = &mut self.runs[run];
        let next = collected.run.queries.len();
        let query = *collected.queries.entry(Id::from(query)).or_insert_with_key(|id| {
            collected.run.queries.push(id.clone());
            collected.run.values.push(Vec::new());
            collected.set.push(Vec::new());
            collected.lines.push(line);
            next
        });
        Place { run, query }
    }

    /// The row of a query that must not have stood in the run before.
    pub(super) fn new_row(&mut self, run: usize, query: &str, line: u64) -> Result<Place, InputErrorKind> {
        if let Some(&known) = self.runs[run].queries.get(&Id::from(query)) {
            return Err(self.repeated(Place { run, query: known }));
        }
        Ok(self.row(run, query, line))
    }

    /// Takes the cell of a column that may hold scores or texts.
    pub(super) fn cell(&mut self, place: Place, column: &str, cell: Cell) -> Result<(), InputErrorKind> {
        let kind = match &cell {
            Cell::Missing => return Ok(()),
            Cell::Number(_) => Column::Scores,
            Cell::Text(_) => Column::Texts,
        };
        match (*self.columns.entry(column.to_owned()).or_insert(kind), cell) {
            (Column::Scores, cell) => self.score(place, column, cell),
            (Column::Texts, _) => Ok(()),
        }
    }

    /// Takes the cell of a measure.
    pub(super) fn score(&mut self, place: Place, metric: &str, cell: Cell) -> Result<(), InputErrorKind> {
        let value = match cell {
            Cell::Number(number) => Some(number),
            Cell::Missing => None,
            Cell::Text(text) => return Err(InputErrorKind::NotANumber { field: VALUE, text }),
        };
        if let Some(number) = value.filter(|&number| number < 0.0)
            && let Some(field) = AMOUNTS.into_iter().find(|amount| *amount == metric)
        {
            let (expected, text) = ("a number from 0", number.to_string());
            return Err(InputErrorKind::OutOfRange { field, expected, text });
        }
        let collected = &mut self.runs[place.run];
        let next = collected.run.metrics.len();
        let metric = *collected.metrics.entry(metric.to_owned()).or_insert_with_key(|name| {
            collected.run.metrics.push(name.clone());
            next
        });
        let (values, set) = (&mut collected.run.values[place.query], &mut collected.set[place.query]);
        if values.len() <= metric {
            values.resize(metric + 1, None);
            set.resize(metric + 1, false);
        }
        if set[metric] {
            return Err(self.repeated(place));
        }
        (values[metric], set[metric]) = (value, true);
        Ok(())
    }

    /// The run at a position, to be filled in.
    pub(super) fn run_mut(&mut self, run: usize) -> &mut SavedRun {
        &mut self.runs[run].run
    }

    fn repeated(&self, place: Place) -> InputErrorKind {
        let collected = &self.runs[place.run];
        let query = collected.run.queries[place.query].clone();
        InputErrorKind::RepeatedQuery { query, first_line: collected.lines[place.query] }
    }

    /// The scores.
    ///
    /// # Errors
    /// When there are none.
    pub(super) fn finish(self) -> Result<SavedScores, InputErrorKind> {
        let runs: Vec<SavedRun> = self.runs.into_iter().map(|collected| collected.run).collect();
        if runs.iter().all(|run| run.metrics.is_empty()) {
            return Err(InputErrorKind::NoScores);
        }
        Ok(SavedScores { runs, ..SavedScores::default() })
    }
}
