//! What stands beside the measures of a run: values alone, and the tables that show them.

use raglens::id::Id;
use raglens::rag::{Inflation, Searches, Step, Verdict};

use super::report::{Report, RunPart, short_name};
use super::several_runs::main_measures;
use crate::render::Look;
use crate::render::grid::{Cell, Column, Grid};
use crate::render::listing::and_more;
use crate::render::number::{counted, exact, fixed, percent, signed};
use crate::render::page::Block;

/// How many steps of a trajectory a table shows.
const STEPS: usize = 12;
/// How many queries of a verdict are named.
const NAMED: usize = 8;

/// What a run shows beside its measures.
#[derive(Debug, Default)]
pub struct Extras {
    /// Labels of documents against labels of chunks.
    pub optimism: Option<Optimism>,
    /// The means with other values of `--min-overlap`.
    pub sweep: Vec<SweepRow>,
    /// The search calls of trajectories.
    pub steps: Option<Steps>,
    /// Whether searches were made where they are needed.
    pub searches: Option<Searches>,
}

/// How much labels of documents promise beyond labels of chunks.
#[derive(Debug)]
pub struct Optimism {
    /// The cutoff of the verdicts; `None` for the whole list.
    pub cutoff: Option<u64>,
    /// Measures by label.
    pub rows: Vec<(String, Inflation)>,
    /// The queries of every verdict.
    pub verdicts: Vec<(Verdict, Vec<Id>)>,
}

/// The means of all measures with one value of `--min-overlap`.
#[derive(Debug)]
pub struct SweepRow {
    /// The value.
    pub min_overlap: f64,
    /// A mean per measure.
    pub means: Vec<Option<f64>>,
}

/// The search calls of trajectories.
#[derive(Debug)]
pub struct Steps {
    /// How many results of each call are looked at.
    pub cutoff: Option<u64>,
    /// The steps, from the first on.
    pub steps: Vec<Step>,
}

/// The tables of a run beside its measures.
pub fn tables(report: &Report, run: &RunPart, look: &Look) -> Vec<Block> {
    let extras = &run.extras;
    let mut blocks = Vec::new();
    if let Some(optimism) = &extras.optimism {
        blocks.extend(optimism_table(run, optimism, look));
    }
    if !extras.sweep.is_empty() {
        blocks.extend(sweep_table(report, run, look));
    }
    if let Some(steps) = &extras.steps {
        blocks.extend(steps_table(run, steps, look));
    }
    blocks
}

fn optimism_table(run: &RunPart, optimism: &Optimism, look: &Look) -> Vec<Block> {
    let number = |value: f64| Cell::new(fixed(value, look.digits));
    let change = |value: f64| Cell::new(signed(value, look.digits));
    let names = ["n", "doc-level", "chunk-level", "inflation", "up", "down"];
    let columns = std::iter::once(Column::words("")).chain(names.map(Column::numbers));
    let mut grid = Grid::new(columns.collect());
    for (label, found) in &optimism.rows {
        let means = [found.mean.document, found.mean.chunk].map(number);
        let changes = [found.difference(), found.optimistic, -found.pessimistic].map(change);
        let first = [Cell::new(label), Cell::new(found.n.to_string())];
        grid.push(first.into_iter().chain(means).chain(changes).collect());
    }
    let at = optimism.cutoff.map_or_else(|| "whole list".to_owned(), |k| format!("k={k}"));
    let mut verdicts = Grid::new(vec![Column::words(""), Column::numbers("queries"), Column::words("")]);
    for (verdict, ids) in optimism.verdicts.iter().filter(|(_, ids)| !ids.is_empty()) {
        let shown = if *verdict == Verdict::Same { String::new() } else { and_more(ids, NAMED, " ") };
        verdicts.push([Cell::new(verdict.words()), Cell::new(ids.len().to_string()), Cell::new(shown)].to_vec());
    }
    let heading = format!("{}, labels of documents against labels of chunks", run.name);
    let notes = vec![
        "inflation: what queries gain by labels of documents (up) less what they lose (down)".to_owned(),
        format!("verdicts: by hit, then by recall ({at})"),
    ];
    vec![Block::Heading(heading), Block::Table(grid), Block::Table(verdicts), Block::Footnotes(notes)]
}

fn sweep_table(report: &Report, run: &RunPart, look: &Look) -> Vec<Block> {
    let shown: Vec<usize> = main_measures(report).into_iter().take(6).collect();
    let names = shown.iter().map(|&index| Column::numbers(&short_name(&report.measures[index])));
    let mut grid = Grid::new(std::iter::once(Column::numbers("min-overlap")).chain(names).collect());
    for row in &run.extras.sweep {
        let mean = |&index: &usize| row.means[index].map_or_else(|| "n/a".to_owned(), |mean| fixed(mean, look.digits));
        let means = shown.iter().map(mean).map(Cell::new);
        grid.push(std::iter::once(Cell::new(exact(row.min_overlap))).chain(means).collect());
    }
    vec![Block::Heading(format!("{}, by the overlap that counts", run.name)), Block::Table(grid)]
}

fn steps_table(run: &RunPart, found: &Steps, look: &Look) -> Vec<Block> {
    let number = |value: f64| Cell::new(fixed(value, look.digits));
    let names = ["queries", "own hops", "own goal", "redundant", "hops found", "chain"];
    let columns = std::iter::once(Column::numbers("call")).chain(names.map(Column::numbers));
    let mut grid = Grid::new(columns.collect());
    for step in found.steps.iter().take(STEPS) {
        let meant = step.meant.map_or_else(Cell::empty, |(share, _)| number(share));
        let counts = [step.number as u64, step.queries].map(|count| Cell::new(count.to_string()));
        let after = [Cell::new(step.redundant.to_string()), number(step.hops_found), number(step.chain)];
        grid.push(counts.into_iter().chain([number(step.alone), meant]).chain(after).collect());
    }
    let first = found.cutoff.map_or_else(|| "all results".to_owned(), |k| format!("the first {k}"));
    let mut notes = vec![
        "own hops: share of the hops that the call finds by itself; own goal: share of the calls that find the hop \
         they are meant for; redundant: calls that add no hop; hops found, chain: after this call, over all queries"
            .to_owned(),
    ];
    let more = found.steps.len().saturating_sub(STEPS);
    notes.extend((more > 0).then(|| format!("{} not shown", counted(more as u64, "call", "calls"))));
    let heading = format!("{}, call by call ({first} of each)", run.name);
    vec![Block::Heading(heading), Block::Table(grid), Block::Footnotes(notes)]
}

/// Whether searches were made where they are needed: a table of its own for one run, a row for
/// each of several.
pub fn searches(report: &Report) -> Vec<Block> {
    let found = report.runs.iter().filter_map(|run| Some((run.name.as_str(), run.extras.searches.as_ref()?)));
    let found: Vec<(&str, &Searches)> = found.collect();
    match found[..] {
        [] => Vec::new(),
        [(name, found)] => {
            vec![Block::Heading(format!("{name}, whether to search")), Block::Table(searches_of_one(found))]
        }
        _ => vec![Block::Heading("whether to search".to_owned()), Block::Table(searches_of_several(&found))],
    }
}

fn searches_of_one(found: &Searches) -> Grid {
    let names = ["made", "not made", "wrong"].map(Column::numbers);
    let mut grid = Grid::new(std::iter::once(Column::words("search")).chain(names).collect());
    let needed = [number(found.needed_made), number(found.needed_missed), rate(found.missed_rate())];
    let needless = [number(found.needless_made), number(found.needless_spared), rate(found.needless_rate())];
    for (name, cells) in [("needed", needed), ("not needed", needless)] {
        grid.push(std::iter::once(Cell::new(name)).chain(cells).collect());
    }
    grid
}

fn searches_of_several(found: &[(&str, &Searches)]) -> Grid {
    let names = ["needed", "not made", "wrong", "not needed", "made", "wrong"].map(Column::numbers);
    let mut grid = Grid::new(std::iter::once(Column::words("run")).chain(names).collect());
    for (name, found) in found {
        let cells = [
            number(found.needed_made + found.needed_missed),
            number(found.needed_missed),
            rate(found.missed_rate()),
            number(found.needless_made + found.needless_spared),
            number(found.needless_made),
            rate(found.needless_rate()),
        ];
        grid.push(std::iter::once(Cell::new(*name)).chain(cells).collect());
    }
    grid
}

fn number(count: u64) -> Cell {
    Cell::new(count.to_string())
}

fn rate(rate: Option<f64>) -> Cell {
    Cell::new(rate.map_or_else(|| "n/a".to_owned(), percent))
}

/// What labels of documents hide, in a sentence.
pub fn answer(run: &RunPart, look: &Look) -> Option<String> {
    let optimism = run.extras.optimism.as_ref()?;
    let (label, found) =
        optimism.rows.iter().find(|(label, _)| label.starts_with("recall")).or(optimism.rows.first())?;
    let number = |value: f64| fixed(value, look.digits);
    let absent = optimism.verdicts.iter().find(|(verdict, _)| *verdict == Verdict::AnswerAbsent);
    let absent = absent.map_or(0, |(_, ids)| ids.len() as u64);
    let (document, chunk) = (number(found.mean.document), number(found.mean.chunk));
    let hidden = match absent {
        0 => "no query has its document found and no chunk that answers".to_owned(),
        1 => "in 1 query the document is found, and no chunk that answers".to_owned(),
        _ => format!("in {absent} queries the document is found, and no chunk that answers"),
    };
    let look = match document == chunk {
        true => format!("Labels of documents and of chunks come to the same {label}, {chunk}"),
        false => format!("By labels of documents {label} would be {document} in place of {chunk}"),
    };
    Some(format!("{look}; {hidden}."))
}
