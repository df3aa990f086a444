//! The slices of `eval`: a table for each tag, and what the averages over all queries hide.

use std::collections::{HashMap, HashSet};

use raglens::compare::{Reversal, THIN, reversals, simpson};
use raglens::measure::Better;

use super::answer::leading;
use super::one_run::mean_cell;
use super::report::{Report, RunPart, SlicePart, short_name};
use super::several_runs::{headings, main_measures, names};
use crate::render::Look;
use crate::render::grid::{Cell, Column as Heading, Grid};
use crate::render::number::fixed;
use crate::render::page::Block;
use crate::render::paragraph::shortened;

/// The widest value of a tag that is shown in full.
const VALUE_WIDTH: usize = 24;
/// As many slices of a tag are shown.
const MOST: usize = 40;
/// As many hidden losses are told.
const TOLD: usize = 3;
/// Cells of a bar that stands for 1.
const BAR_WIDTH: usize = 10;

/// A table per tag, and remarks.
pub fn blocks(report: &Report, look: &Look) -> Vec<Block> {
    let parts = of_any_run(report);
    let mut blocks = Vec::new();
    for tag in tags(&parts) {
        let of_tag = parts.iter().copied().filter(|part| part.slice.tag == tag).collect();
        blocks.extend(match &report.runs[..] {
            [_] => of_one(report, of_tag, tag, look),
            _ => of_several(report, of_tag, tag, look),
        });
    }
    let remarks = remarks(report, look);
    blocks.extend((!remarks.is_empty()).then_some(Block::Footnotes(remarks)));
    blocks
}

/// Every slice once: those of the first run, and those that only later runs have, where each run
/// has queries of its own.
pub fn of_any_run<'a>(report: &'a Report) -> Vec<&'a SlicePart> {
    let mut seen = HashSet::new();
    report.runs.iter().flat_map(|run| &run.slices).filter(|part| seen.insert(name_of(part))).collect()
}

/// The tags in the order asked for.
fn tags<'a>(parts: &[&'a SlicePart]) -> Vec<&'a str> {
    let mut seen = HashSet::new();
    parts.iter().map(|part| part.slice.tag.as_str()).filter(|tag| seen.insert(*tag)).collect()
}

/// Slices down, the main measures at the first cutoff across, and a bar for the leading one.
fn of_one(report: &Report, parts: Vec<&SlicePart>, tag: &str, look: &Look) -> Vec<Block> {
    let indices = at_first_cutoff(report);
    let barred = leading(report).filter(|index| indices.contains(index) && is_share(report, *index));
    let lowest = barred.and_then(|index| lowest(&parts, index));
    let mut columns = vec![Heading::words(""), Heading::numbers("n")];
    columns.extend(headings(report, &indices));
    if let Some(index) = barred {
        columns.push(Heading::words(&short_name(&report.measures[index])));
    }
    let mut grid = Grid::new(columns);
    for (place, part) in parts.iter().take(MOST).enumerate() {
        let mut row = vec![Cell::new(value(part, look)), Cell::new(count(&[part.queries()]))];
        let mean = |&index: &usize| mean_cell(&report.measures[index], &part.columns[index], look.digits).with("");
        row.extend(indices.iter().map(mean));
        if let Some(index) = barred {
            let bar = part.columns[index].summary.mean.map_or_else(String::new, |mean| look.signs.bar(mean, BAR_WIDTH));
            let word = if lowest == Some(place) { "  lowest" } else { "" };
            row.push(Cell::new(format!("{bar}{word}")));
        }
        grid.push(row);
    }
    vec![Block::Heading(format!("by {tag}{}", more(&parts))), Block::Table(grid)]
}

/// Slices down, runs across, for the leading measure.
fn of_several(report: &Report, parts: Vec<&SlicePart>, tag: &str, look: &Look) -> Vec<Block> {
    let Some(index) = leading(report) else { return Vec::new() };
    let columns = names(report, look).into_iter().map(|name| Heading::numbers(&name));
    let columns = [Heading::words(""), Heading::numbers("n")].into_iter().chain(columns);
    let mut grid = Grid::new(columns.collect());
    let of_runs: Vec<ByName> = report.runs.iter().map(by_name).collect();
    for part in parts.iter().take(MOST) {
        let means = of_runs.iter().map(|slices| {
            slices.get(&name_of(part)).map_or_else(Cell::empty, |part| {
                mean_cell(&report.measures[index], &part.columns[index], look.digits).with("")
            })
        });
        let first = [Cell::new(value(part, look)), Cell::new(count(&queries_of(part, &of_runs)))];
        grid.push(first.into_iter().chain(means).collect());
    }
    let name = short_name(&report.measures[index]);
    vec![Block::Heading(format!("{name} by {tag}{}", more(&parts))), Block::Table(grid)]
}

/// The slices of a run by tag and value.
pub type ByName<'a> = HashMap<(&'a str, &'a str), &'a SlicePart>;

/// The slices of a run by what they are called.
pub fn by_name<'a>(run: &'a RunPart<'_>) -> ByName<'a> {
    run.slices.iter().map(|part| (name_of(part), part)).collect()
}

/// What a slice is called: its tag and its value.
pub fn name_of(part: &SlicePart) -> (&str, &str) {
    (&part.slice.tag, &part.slice.value)
}

fn more(parts: &[&SlicePart]) -> String {
    match parts.len() > MOST {
        true => format!(" (the largest {MOST} of {})", parts.len()),
        false => String::new(),
    }
}

/// The main measures; of the default set those at the first cutoff.
fn at_first_cutoff(report: &Report) -> Vec<usize> {
    let indices = main_measures(report);
    let cutoff = |index: usize| report.measures[index].params().cutoff();
    let first = indices.iter().filter_map(|&index| cutoff(index)).min();
    match report.shown.is_default_set {
        true => indices.into_iter().filter(|&index| cutoff(index) == first).collect(),
        false => indices,
    }
}

fn is_share(report: &Report, index: usize) -> bool {
    report.measures[index].definition().range == (0.0, 1.0)
}

/// The place of the slice with the lowest mean, among those with enough queries, where it is one.
fn lowest(parts: &[&SlicePart], index: usize) -> Option<usize> {
    let mean = |part: &SlicePart| part.columns[index].summary.mean.filter(|_| !part.is_thin());
    let means: Vec<(usize, f64)> =
        parts.iter().enumerate().filter_map(|(place, part)| Some((place, mean(part)?))).collect();
    let &(place, least) = means.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    (means.iter().filter(|(_, mean)| *mean == least).count() == 1 && means.len() > 1).then_some(place)
}

fn value(part: &SlicePart, look: &Look) -> String {
    shortened(&raglens::id::escaped(part.slice.value.as_bytes()), VALUE_WIDTH, look.signs.ellipsis())
}

/// How many queries of a slice each run has.
pub fn queries_of(part: &SlicePart, of_runs: &[ByName]) -> Vec<usize> {
    of_runs.iter().map(|slices| slices.get(&name_of(part)).map_or(0, |part| part.queries())).collect()
}

/// The number of queries, from the run with the fewest to the one with the most.
pub fn range(queries: &[usize]) -> String {
    let (fewest, most) = (queries.iter().min().unwrap_or(&0), queries.iter().max().unwrap_or(&0));
    if fewest == most { most.to_string() } else { format!("{fewest}-{most}") }
}

/// The same, with a star where they are too few to say much.
fn count(queries: &[usize]) -> String {
    let is_thin = queries.iter().any(|&queries| queries < THIN);
    range(queries) + if is_thin { "*" } else { "" }
}

fn remarks(report: &Report, look: &Look) -> Vec<String> {
    let mut remarks = hidden(report, look);
    let of_runs: Vec<ByName> = report.runs.iter().map(by_name).collect();
    let queries: Vec<Vec<usize>> = of_any_run(report).into_iter().map(|part| queries_of(part, &of_runs)).collect();
    if queries.iter().any(|queries| queries.iter().any(|other| *other != queries[0])) {
        remarks.push("n: queries of the run with the fewest and of the one with the most".to_owned());
    }
    if queries.iter().flatten().any(|&queries| queries < THIN) {
        remarks.push(format!("* thin: fewer than {THIN} queries, where a mean says little"));
    }
    remarks
}

/// Slices in which a run that is better over all queries is worse.
fn hidden(report: &Report, look: &Look) -> Vec<String> {
    let Some(index) = leading(report).filter(|_| report.runs.len() > 1) else { return Vec::new() };
    let sign = if report.measures[index].definition().better == Better::Lower { -1.0 } else { 1.0 };
    let overall: Vec<Option<f64>> = report.runs.iter().map(|run| run.mean(index)).collect();
    let parts = of_any_run(report);
    let of_runs: Vec<ByName> = report.runs.iter().map(by_name).collect();
    let mean = |slice: &&SlicePart| slice.columns[index].summary.mean;
    let means_in = |part: &&SlicePart| of_runs.iter().map(|run| run.get(&name_of(part)).and_then(mean)).collect();
    let means: Vec<Vec<Option<f64>>> = parts.iter().map(means_in).collect();
    let found = reversals(&overall, &means, sign);
    let told = found.iter().take(TOLD).map(|reversal| {
        let queries = queries_of(parts[reversal.slice], &of_runs);
        let slice = (parts[reversal.slice], range(&[queries[reversal.better], queries[reversal.other]]));
        loss(report, reversal, slice, &means[reversal.slice], index, look)
    });
    let mut remarks: Vec<String> = told.collect();
    if found.len() > TOLD {
        remarks.push(format!("hidden by the averages: {} more like these", found.len() - TOLD));
    }
    for tag in tags(&parts) {
        let of_tag = parts.iter().zip(&means).filter(|(part, _)| part.slice.tag == tag);
        let of_tag: Vec<Vec<Option<f64>>> = of_tag.map(|(_, means)| means.clone()).collect();
        for (better, other) in simpson(&overall, &of_tag, sign) {
            let [better, other] = [better, other].map(|run| report.runs[run].name.as_str());
            remarks.push(format!(
                "Simpson's paradox: {better} is better over all queries and {other} in every slice by {tag}"
            ));
        }
    }
    remarks
}

fn loss(
    report: &Report,
    reversal: &Reversal,
    (part, n): (&SlicePart, String),
    means: &[Option<f64>],
    index: usize,
    look: &Look,
) -> String {
    let [better, other] = [reversal.better, reversal.other].map(|run| report.runs[run].name.as_str());
    let number = |run: usize| means[run].map_or_else(String::new, |mean| fixed(mean, look.digits));
    format!(
        "hidden by the averages: {better}, better than {other} on {}, is {} worse on {} (n = {n}, {} {} {})",
        short_name(&report.measures[index]),
        fixed(reversal.loss, look.digits),
        raglens::id::escaped(part.slice.name().as_bytes()),
        number(reversal.other),
        look.signs.arrow(),
        number(reversal.better),
    )
}
