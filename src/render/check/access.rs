//! The results of `check --acl` in every format.

use std::borrow::Cow;

use raglens::notes::Notes;
use raglens::rag::access::{AccessReport, RoleReport, Shown};
use serde::Serialize;

use crate::render::eval::report::FilePart;
use crate::render::format::{self, PageFormat, TidyRow};
use crate::render::grid::{Cell, Column, Grid};
use crate::render::indent::to_json;
use crate::render::json::{JsonNote, SCHEMA, id_text, ids, note};
use crate::render::listing::fitting;
use crate::render::number::{counted, queries, share};
use crate::render::page::Block;

/// The room for items that are named in a row.
const NAMED_WIDTH: usize = 56;

/// Who was shown what, in one or several runs.
#[derive(Debug)]
pub struct Report {
    /// The labels.
    pub labels: FilePart,
    /// The chunk map.
    pub chunks: FilePart,
    /// Number of its chunks.
    pub chunk_count: u64,
    /// The runs.
    pub runs: Vec<RunAccess>,
    /// Whether items that the map says nothing of are no failure.
    pub allows_unknown: bool,
    /// What a reader must know.
    pub notes: Notes,
}

/// One run.
#[derive(Debug)]
pub struct RunAccess {
    /// Its name.
    pub name: String,
    /// The file.
    pub file: FilePart,
    /// What it showed to whom.
    pub found: AccessReport,
}

impl RunAccess {
    /// Whether somebody was shown what they may not see, or nobody can tell.
    fn fails(&self, allows_unknown: bool) -> bool {
        let is_unknown = self.found.unknown().next().is_some() && !allows_unknown;
        self.found.leaks().next().is_some() || is_unknown || !self.found.without_role.is_empty()
    }
}

impl Report {
    /// Whether a run fails.
    pub fn fails(&self) -> bool {
        self.runs.iter().any(|run| run.fails(self.allows_unknown))
    }

    /// Every file.
    pub fn files(&self) -> Vec<&FilePart> {
        [&self.labels, &self.chunks].into_iter().chain(self.runs.iter().map(|run| &run.file)).collect()
    }
}

/// The results in a format.
pub fn render(report: &Report, format: PageFormat) -> String {
    format::render(format, || page(report), || json(report), || rows(report))
}

fn page(report: &Report) -> Vec<Block> {
    let mut blocks = Vec::new();
    for run in &report.runs {
        let facts = format!("access, {} in {}", counted(report.chunk_count, "chunk", "chunks"), report.chunks.path);
        blocks.push(Block::Title { name: run.name.clone(), facts });
        blocks.push(Block::Table(roles(run)));
        blocks.extend(listed("shown without leave", run.found.leaks()));
        blocks.extend(listed("shown, and nobody knows who may see it", run.found.unknown()));
        blocks.push(Block::Footnotes(footnotes(run)));
        blocks.push(Block::Answer(answer(report, run)));
    }
    blocks
}

/// A row per role.
fn roles(run: &RunAccess) -> Grid {
    let mut columns = vec![Column::words("role")];
    columns.extend(["queries", "shown", "leaks", "unknown", "relevant", "withheld"].map(Column::numbers));
    let has_removed = run.found.roles.iter().any(|role| role.removed.is_some());
    columns.extend(has_removed.then(|| Column::numbers("by filter")));
    let mut grid = Grid::new(columns);
    for role in &run.found.roles {
        let unknown = role.unknown.len() as u64;
        let counts = [
            role.queries,
            role.checked + unknown,
            role.leaks.len() as u64,
            unknown,
            role.relevant,
            role.withheld.len() as u64,
        ];
        let mut row = vec![Cell::new(raglens::id::escaped(role.role.as_bytes()))];
        row.extend(counts.map(|count| Cell::new(count.to_string())));
        row.extend(role.removed.as_ref().map(|removed| Cell::new(removed.len().to_string())));
        grid.push(row);
    }
    grid
}

/// The items of one kind, a row per role.
fn listed<'a>(heading: &str, shown: impl Iterator<Item = &'a Shown>) -> Vec<Block> {
    let mut by_role: Vec<(&str, Vec<String>)> = Vec::new();
    for shown in shown {
        let text = format!("{} {}", shown.query, shown.item);
        match by_role.iter_mut().find(|(role, _)| *role == shown.role) {
            Some((_, items)) => items.push(text),
            None => by_role.push((&shown.role, vec![text])),
        }
    }
    if by_role.is_empty() {
        return Vec::new();
    }
    let mut grid = Grid::new(vec![Column::words("role"), Column::words("query and item")]);
    for (role, items) in by_role {
        grid.push(vec![Cell::new(raglens::id::escaped(role.as_bytes())), Cell::new(fitting(&items, NAMED_WIDTH))]);
    }
    vec![Block::Heading(heading.to_owned()), Block::Table(grid)]
}

fn footnotes(run: &RunAccess) -> Vec<String> {
    let mut notes = vec!["relevant: relevant and open to the role; withheld: those of them not shown".to_owned()];
    notes.push(match run.found.roles.iter().any(|role| role.removed.is_some()) {
        true => "by filter: withheld, and found by the search before the filter".to_owned(),
        false => "--unfiltered RUN tells what the filter removed from what was never found".to_owned(),
    });
    let barren: Vec<String> = run
        .found
        .roles
        .iter()
        .flat_map(|role| role.unanswerable.iter().map(move |query| format!("{query} ({})", role.role)))
        .collect();
    if !barren.is_empty() {
        let count = counted(barren.len() as u64, "query has", "queries have");
        notes.push(format!("{count} no relevant item that the role may see: {}", fitting(&barren, NAMED_WIDTH)));
    }
    notes
}

/// Leaks, or how many there may be all the same.
fn answer(report: &Report, run: &RunAccess) -> String {
    let found = &run.found;
    let (leaks, unknown) = (found.leaks().count() as u64, found.unknown().count() as u64);
    let mut sentences = vec![match found.upper_bound() {
        Some(bound) => format!(
            "no leak among {}: with 95% confidence fewer than {} of all are leaks.",
            counted(found.checked(), "item shown", "items shown"),
            share(bound)
        ),
        None if leaks > 0 => {
            let of = counted(found.checked(), "item", "items");
            format!("{} in {}, of {of} shown.", counted(leaks, "leak", "leaks"), queries(found.leaking_queries()))
        }
        None => "nothing could be checked.".to_owned(),
    }];
    if unknown > 0 {
        let fails = if report.allows_unknown { "which is allowed" } else { "which fails (--allow-unknown)" };
        sentences.push(format!("Of {} nobody knows who may see it, {fails}.", counted(unknown, "item", "items")));
    }
    if !found.without_role.is_empty() {
        let count = queries(found.without_role.len() as u64);
        sentences.push(format!("{count} without a role could not be checked, which fails."));
    }
    format!("{}: {}", outcome(run.fails(report.allows_unknown)), sentences.join(" "))
}

fn rows(report: &Report) -> Vec<TidyRow> {
    let mut rows = Vec::new();
    for run in &report.runs {
        for role in &run.found.roles {
            let shown = role.checked + role.unknown.len() as u64;
            let row = |metric: &str, n: u64, value: usize| TidyRow {
                run: run.name.clone(),
                metric: metric.to_owned(),
                slice: format!("role={}", role.role),
                n,
                value: Some(value as f64),
                ..TidyRow::default()
            };
            rows.extend([
                row("leaks", role.checked, role.leaks.len()),
                row("unknown", shown, role.unknown.len()),
                row("withheld", role.relevant, role.withheld.len()),
            ]);
            rows.extend(role.removed.as_ref().map(|removed| row("removed_by_filter", role.relevant, removed.len())));
        }
    }
    rows
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    command: &'static str,
    version: &'static str,
    labels: &'a str,
    chunks: &'a str,
    chunk_count: u64,
    runs: Vec<JsonRun<'a>>,
    outcome: &'static str,
    notes: Vec<JsonNote<'a>>,
}

#[derive(Serialize)]
struct JsonRun<'a> {
    name: &'a str,
    path: &'a str,
    checked: u64,
    leaks: usize,
    unknown: usize,
    queries_with_leak: u64,
    upper_bound: Option<f64>,
    without_role: Vec<Cow<'a, str>>,
    roles: Vec<JsonRole<'a>>,
    outcome: &'static str,
}

#[derive(Serialize)]
struct JsonRole<'a> {
    role: &'a str,
    known: bool,
    queries: u64,
    checked: u64,
    leaks: Vec<JsonShown<'a>>,
    unknown: Vec<JsonShown<'a>>,
    relevant: u64,
    withheld: Vec<JsonShown<'a>>,
    removed_by_filter: Option<Vec<JsonShown<'a>>>,
    unanswerable: Vec<Cow<'a, str>>,
}

#[derive(Serialize)]
struct JsonShown<'a> {
    query_id: Cow<'a, str>,
    id: Cow<'a, str>,
}

fn json(report: &Report) -> String {
    to_json(&Document {
        schema: SCHEMA,
        command: "check",
        version: env!("CARGO_PKG_VERSION"),
        labels: &report.labels.path,
        chunks: &report.chunks.path,
        chunk_count: report.chunk_count,
        runs: report.runs.iter().map(|run| json_run(report, run)).collect(),
        outcome: outcome(report.fails()),
        notes: report.notes.iter().map(note).collect(),
    })
}

fn outcome(fails: bool) -> &'static str {
    if fails { "fail" } else { "pass" }
}

fn json_run<'a>(report: &Report, run: &'a RunAccess) -> JsonRun<'a> {
    let found = &run.found;
    JsonRun {
        name: &run.name,
        path: &run.file.path,
        checked: found.checked(),
        leaks: found.leaks().count(),
        unknown: found.unknown().count(),
        queries_with_leak: found.leaking_queries(),
        upper_bound: found.upper_bound(),
        without_role: ids(&found.without_role),
        roles: found.roles.iter().map(json_role).collect(),
        outcome: outcome(run.fails(report.allows_unknown)),
    }
}

fn json_role(role: &RoleReport) -> JsonRole<'_> {
    JsonRole {
        role: &role.role,
        known: role.is_known,
        queries: role.queries,
        checked: role.checked,
        leaks: json_shown(&role.leaks),
        unknown: json_shown(&role.unknown),
        relevant: role.relevant,
        withheld: json_shown(&role.withheld),
        removed_by_filter: role.removed.as_deref().map(json_shown),
        unanswerable: ids(&role.unanswerable),
    }
}

fn json_shown(shown: &[Shown]) -> Vec<JsonShown<'_>> {
    shown.iter().map(|shown| JsonShown { query_id: id_text(&shown.query), id: id_text(&shown.item) }).collect()
}
