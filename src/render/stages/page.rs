//! The stages for people: measures, gains, what could be gained, and where documents are lost.

use raglens::rag::stages::{Fate, Gap};
use raglens::scores::slices::THIN;

use super::report::{LiftPart, LostPart, Report, StagePart};
use crate::render::Look;
use crate::render::eval::report::short_name;
use crate::render::grid::{Cell, Column, Grid};
use crate::render::listing::fitting;
use crate::render::number::{counted, fixed, percent, queries, signed};
use crate::render::page::Block;
use crate::render::paragraph::shortened;

/// The widest name of a stage in a table.
const NAME_WIDTH: usize = 20;
/// The room for documents of one fate that are named.
const EXAMPLES_WIDTH: usize = 44;

/// The page.
pub fn page(report: &Report, look: &Look) -> Vec<Block> {
    let view = View { report, look };
    let mut blocks = vec![view.title(), view.conventions(), Block::Table(view.stages())];
    blocks.extend(view.footnotes());
    blocks.extend(view.lifts());
    blocks.extend(view.gaps());
    blocks.extend(view.losses());
    blocks.extend(view.slices());
    blocks.push(Block::Answer(view.answer()));
    blocks
}

struct View<'a> {
    report: &'a Report<'a>,
    look: &'a Look,
}

impl View<'_> {
    fn title(&self) -> Block {
        let report = self.report;
        let relevant = counted(report.relevant, "relevant document", "relevant documents");
        let (counts, aside) = (queries(report.queries), report.frame.aside());
        let facts = format!("{counts}{aside}, {relevant}, {} stages", report.stages.len());
        Block::Title { name: "stages".to_owned(), facts }
    }

    fn conventions(&self) -> Block {
        let mut first = vec![format!("k {}", self.report.k)];
        first.extend(self.report.pool.map(|pool| format!("pool {pool}")));
        self.report.frame.conventions(first)
    }

    fn name(&self, stage: &StagePart) -> String {
        shortened(&stage.name, NAME_WIDTH, self.look.signs.ellipsis())
    }

    fn number(&self, value: Option<f64>) -> Cell {
        Cell::new(value.map_or_else(|| "n/a".to_owned(), |value| fixed(value, self.look.digits)))
    }

    /// A row per stage: what it takes from, how deep it is, every measure, its latency.
    fn stages(&self) -> Grid {
        let report = self.report;
        let mut columns = vec![Column::words("stage"), Column::words("takes from"), Column::numbers("depth")];
        columns.extend(report.measures.iter().map(|measure| Column::numbers(&short_name(measure))));
        columns.extend(report.has_latency().then(|| Column::numbers("p95 ms")));
        let mut grid = Grid::new(columns);
        for stage in &report.stages {
            let sources = if stage.stage.searches() { "-".to_owned() } else { report.sources(stage) };
            let sources = shortened(&sources, NAME_WIDTH, self.look.signs.ellipsis());
            let mut row =
                vec![Cell::new(self.name(stage)), Cell::new(sources), Cell::new(stage.stage.depth.to_string())];
            row.extend(stage.means.iter().map(|&mean| self.number(mean)));
            if report.has_latency() {
                let latency = stage.spending.latency;
                row.push(Cell::new(latency.map_or_else(|| "n/a".to_owned(), |latency| fixed(latency.p95_ms, 0))));
            }
            grid.push(row);
        }
        grid
    }

    fn footnotes(&self) -> Option<Block> {
        let report = self.report;
        let mut notes = Vec::new();
        let cutoffs = report.measures.iter().filter_map(|measure| measure.params().cutoff());
        let deepest = cutoffs.chain([report.k]).max().unwrap_or(0);
        let shallow: Vec<String> = report
            .stages
            .iter()
            .filter(|stage| stage.stage.depth < deepest)
            .map(|stage| format!("{} returns {} at most", stage.name, counted(stage.stage.depth, "result", "results")))
            .collect();
        if !shallow.is_empty() {
            notes.push(format!("n/a: {}: a deeper cutoff says nothing about it", shallow.join(", ")));
        }
        let few = report.stages.iter().filter_map(|stage| stage.spending.latency);
        let few: Vec<usize> = few.filter(|latency| latency.is_maximum()).map(|latency| latency.n).collect();
        if let Some(n) = few.iter().min() {
            notes.push(format!("p95 ms: of fewer than 20 latencies ({n}) it is the largest one"));
        }
        (!notes.is_empty()).then_some(Block::Footnotes(notes))
    }

    /// What each stage gains over the one before it, and over the best that it takes from.
    fn lifts(&self) -> Vec<Block> {
        let mut grid =
            Grid::new(vec![Column::words(""), Column::numbers("lift").with("95% interval"), Column::words("")]);
        for part in &self.report.lifts {
            grid.push(self.lift(part));
        }
        let heading = format!("lift in recall@{}, stage over stage before", self.report.k);
        let mut blocks = vec![Block::Heading(heading), Block::Table(grid)];
        if self.report.lifts.iter().any(|part| part.is_best) {
            blocks.push(Block::Footnotes(vec!["best single: the best of those that the stage takes from".to_owned()]));
        }
        blocks
    }

    fn lift(&self, part: &LiftPart) -> Vec<Cell> {
        let [stage, over] = [part.stage, part.over].map(|stage| self.name(&self.report.stages[stage]));
        let best = if part.is_best { " (best single)" } else { "" };
        let name = Cell::new(format!("{stage} over {over}{best}"));
        let Some(found) = &part.found else {
            return vec![name, Cell::new("n/a"), Cell::empty()];
        };
        let digits = self.look.digits;
        let interval = match found.interval {
            Some(interval) => format!("[{}, {}]", signed(interval.low, digits), signed(interval.high, digits)),
            None => String::new(),
        };
        let verdict = found.verdict.map_or("", |verdict| verdict.word());
        let difference = Cell::new(signed(found.difference, digits)).with(interval);
        vec![name, difference, Cell::new(verdict)]
    }

    /// What each stage could gain at most from what it was given.
    fn gaps(&self) -> Vec<Block> {
        let mut grid = Grid::new(vec![
            Column::words(""),
            Column::numbers("before"),
            Column::numbers("after"),
            Column::numbers("pool"),
            Column::numbers("closed"),
            Column::numbers("attainable"),
            Column::numbers("closed"),
        ]);
        for stage in &self.report.stages {
            if let Some(gap) = &stage.gap {
                grid.push(self.gap(stage, gap));
            }
        }
        let has_gap = self.report.stages.iter().any(|stage| stage.gap.is_some());
        let k = self.report.k;
        let notes = vec![
            format!("before: recall@{k} of the best it takes from; pool: recall of all it was given"),
            format!("attainable: recall@{k} of the pool in its best order"),
            "closed: (after - before) / (pool or attainable - before)".to_owned(),
        ];
        match has_gap {
            true => vec![
                Block::Heading("gap closed: how much a stage gains of what it could".to_owned()),
                Block::Table(grid),
                Block::Footnotes(notes),
            ],
            false => Vec::new(),
        }
    }

    fn gap(&self, stage: &StagePart, gap: &Gap) -> Vec<Cell> {
        let number = |value: f64| Cell::new(fixed(value, self.look.digits));
        vec![
            Cell::new(self.name(stage)),
            number(gap.before),
            number(gap.after),
            number(gap.pool),
            Cell::new(closed(gap.closed)),
            number(gap.attainable),
            Cell::new(closed(gap.closed_attainable)),
        ]
    }

    /// Where relevant documents that are missing at the end were lost.
    fn losses(&self) -> Vec<Block> {
        let report = self.report;
        let (missed, relevant) =
            (report.missed.len() as u64, counted(report.relevant, "relevant document", "relevant documents"));
        let heading = format!("missed at {}: {missed} of {relevant}", report.k);
        if report.list {
            return vec![Block::Heading(heading), Block::Table(self.every_loss())];
        }
        let mut grid = Grid::new(vec![Column::words(""), Column::numbers("missed"), Column::words("such as")]);
        for fate in report.fates() {
            let lost = report.lost(fate);
            let examples: Vec<String> = lost.iter().map(|lost| format!("{} {}", lost.query, lost.document)).collect();
            let examples = fitting(&examples, EXAMPLES_WIDTH);
            grid.push(vec![Cell::new(report.fate_name(fate)), Cell::new(lost.len().to_string()), Cell::new(examples)]);
        }
        vec![Block::Heading(heading), Block::Table(grid)]
    }

    fn every_loss(&self) -> Grid {
        let columns = ["query", "document", "lost", "rank"];
        let mut grid = Grid::new(columns.iter().map(|name| Column::words(name)).collect());
        for lost in &self.report.missed {
            let LostPart { query, document, fate } = lost;
            let rank = match fate {
                Fate::BelowCutoff(rank) => rank.to_string(),
                _ => String::new(),
            };
            let cells = [query.to_string(), document.to_string(), self.report.fate_name(*fate), rank];
            grid.push(cells.map(Cell::new).to_vec());
        }
        grid
    }

    /// A table per tag: recall of every stage within each slice.
    fn slices(&self) -> Vec<Block> {
        let report = self.report;
        let mut blocks = Vec::new();
        for parts in report.slices.chunk_by(|a, b| a.slice.tag == b.slice.tag) {
            let mut columns = vec![Column::words(""), Column::numbers("n")];
            columns.extend(report.stages.iter().map(|stage| Column::numbers(&self.name(stage))));
            columns.push(Column::numbers("closed"));
            let mut grid = Grid::new(columns);
            for part in parts {
                let value = shortened(&part.slice.value, NAME_WIDTH, self.look.signs.ellipsis());
                let mut row = vec![Cell::new(value), Cell::new(part.slice.members.len().to_string())];
                row.extend(part.recalls.iter().map(|&recall| self.number(recall)));
                row.push(Cell::new(closed(part.gap.and_then(|gap| gap.closed))));
                grid.push(row);
            }
            blocks.push(Block::Heading(format!("recall@{} by {}", report.k, parts[0].slice.tag)));
            blocks.push(Block::Table(grid));
        }
        let thin = report.slices.iter().filter(|part| part.slice.members.len() < THIN).count() as u64;
        let mut notes = Vec::new();
        if thin > 0 {
            let slices = counted(thin, "slice has", "slices have");
            notes.push(format!("{slices} fewer than {THIN} queries: differences there may well be chance"));
        }
        if !report.tags.is_empty() {
            notes.push(format!("--by TAG shows slices; there are {}", report.tags.join(", ")));
        }
        blocks.extend((!notes.is_empty()).then_some(Block::Footnotes(notes)));
        blocks
    }

    /// What the last stage makes of its pool, and where to look next.
    fn answer(&self) -> String {
        let report = self.report;
        let mut sentences: Vec<String> = self.of_last().into_iter().collect();
        let fates = report.fates().into_iter().map(|fate| (report.lost(fate).len(), fate));
        match fates.rev().max_by_key(|(count, _)| *count) {
            Some((count, fate)) if count > 0 => {
                let missed = counted(report.missed.len() as u64, "missed document", "missed documents");
                let place = match fate {
                    Fate::NeverRetrieved => "were never retrieved: no later stage can find them".to_owned(),
                    Fate::LostAt(stage) => format!("are lost at {}", report.stages[stage].name),
                    Fate::BelowCutoff(_) => format!("stand below {} in {}", report.k, report.last().name),
                };
                let place = if count == 1 { singular(&place) } else { place };
                sentences.push(match report.missed.len() {
                    1 => format!("The missed document {place}."),
                    _ => format!("Of {missed}, {count} {place}."),
                });
            }
            _ => sentences.push(format!("No relevant document is missing from the first {}.", report.k)),
        }
        sentences.join(" ")
    }

    fn of_last(&self) -> Option<String> {
        let (name, k, digits) = (&self.report.last().name, self.report.k, self.look.digits);
        let gap = self.report.last().gap?;
        let [before, after, attainable] = [gap.before, gap.after, gap.attainable].map(|value| fixed(value, digits));
        if gap.pool == 0.0 {
            return Some(format!("{name} was given no relevant document at all."));
        }
        let best = &self.report.stages[gap.best].name;
        let Some(closed) = gap.closed_attainable else {
            return Some(format!("{best} has already all that {name} can have at {k}: there is nothing to gain."));
        };
        Some(match closed < 0.0 {
            true => {
                format!("{name} hurts: recall@{k} falls from {before} to {after}, where {attainable} was attainable.")
            }
            false => format!(
                "{name} takes recall@{k} from {before} to {after}, {} of the way to the attainable {attainable}.",
                percent(closed)
            ),
        })
    }
}

fn singular(place: &str) -> String {
    let place = place.replacen("were", "was", 1).replacen("are ", "is ", 1).replacen("stand ", "stands ", 1);
    place.replacen("them", "it", 1)
}

/// A share of a gap in per cent; negative where the stage hurts.
fn closed(share: Option<f64>) -> String {
    match share {
        None => "n/a".to_owned(),
        Some(share) if share < 0.0 => format!("-{}", percent(-share)),
        Some(share) => percent(share),
    }
}
