//! Quality against price for people: the frontier, who beats whom, and what a gain costs.

use raglens::rag::pareto::Standing;

use super::report::{Placed, Report};
use crate::render::Look;
use crate::render::eval::report::short_name;
use crate::render::grid::{Cell, Column, Grid};
use crate::render::listing::and_more;
use crate::render::number::{counted, fixed, queries, signed};
use crate::render::page::Block;
use crate::render::paragraph::shortened;

/// The widest name of a run in a table.
const NAME_WIDTH: usize = 20;

/// The page.
pub fn page(report: &Report, look: &Look) -> Vec<Block> {
    let view = View { report, look };
    let mut blocks = vec![view.title(), report.frame.conventions(Vec::new()), Block::Table(view.runs())];
    blocks.extend(view.gains());
    blocks.extend(view.footnotes());
    blocks.push(Block::Answer(view.answer()));
    blocks
}

struct View<'a> {
    report: &'a Report<'a>,
    look: &'a Look,
}

impl View<'_> {
    fn title(&self) -> Block {
        let (report, prices) = (self.report, self.prices());
        let runs = counted(report.placed.len() as u64, "run", "runs");
        let counted = queries(report.queries) + &report.frame.aside();
        let facts = format!("{} against {prices}, {runs}, {counted}", short_name(report.measure));
        Block::Title { name: "pareto".to_owned(), facts }
    }

    /// What the runs are weighed by.
    fn prices(&self) -> &'static str {
        match (self.has(|placed| placed.spending.latency.is_some()), self.has(|placed| placed.spending.cost.is_some()))
        {
            (true, true) => "p95 latency and cost",
            (true, false) => "p95 latency",
            _ => "cost",
        }
    }

    fn has(&self, has: impl Fn(&Placed) -> bool) -> bool {
        self.report.placed.iter().any(has)
    }

    fn name(&self, run: usize) -> String {
        shortened(&self.report.placed[run].name, NAME_WIDTH, self.look.signs.ellipsis())
    }

    /// A row per run: quality, latency, cost, and where it stands.
    fn runs(&self) -> Grid {
        let report = self.report;
        let has_latency = self.has(|placed| placed.spending.latency.is_some());
        let has_cost = self.has(|placed| placed.spending.cost.is_some());
        let mut columns = vec![Column::words("run"), Column::numbers(&short_name(report.measure))];
        columns.extend(has_latency.then(|| Column::numbers("p95 ms")));
        columns.extend(has_cost.then(|| Column::numbers("USD per 1,000")));
        columns.push(Column::words(""));
        let mut grid = Grid::new(columns);
        let number = |value: Option<f64>, digits: usize| {
            Cell::new(value.map_or_else(|| "n/a".to_owned(), |value| fixed(value, digits)))
        };
        for (run, placed) in report.placed.iter().enumerate() {
            let mut row = vec![Cell::new(self.name(run)), number(placed.quality, self.look.digits)];
            row.extend(has_latency.then(|| number(placed.spending.latency.map(|latency| latency.p95_ms), 0)));
            row.extend(has_cost.then(|| number(placed.spending.cost.map(|cost| 1000.0 * cost.mean_usd), 2)));
            row.push(Cell::new(self.standing(run)));
            grid.push(row);
        }
        grid
    }

    fn standing(&self, run: usize) -> String {
        match &self.report.standings[run] {
            Standing::Frontier => "frontier".to_owned(),
            Standing::Unknown => "not placed".to_owned(),
            Standing::Dominated(by) => {
                let names: Vec<String> = by.iter().map(|&run| self.name(run)).collect();
                format!("beaten by {}", and_more(&names, 1, ", "))
            }
        }
    }

    /// What each run of the frontier gains over the next cheaper one.
    fn gains(&self) -> Vec<Block> {
        let mut grid = Grid::new(vec![
            Column::words(""),
            Column::numbers("gain").with("95% interval"),
            Column::numbers("p95 ms"),
            Column::words(""),
        ]);
        let report = self.report;
        let mut any = false;
        for run in report.frontier() {
            let Some(part) = &report.gains[run] else { continue };
            any = true;
            let digits = self.look.digits;
            let interval = part.lift.interval.map_or_else(String::new, |interval| {
                format!("[{}, {}]", signed(interval.low, digits), signed(interval.high, digits))
            });
            let latency = |run: usize| report.placed[run].spending.latency.map(|latency| latency.p95_ms);
            let more = latency(run).zip(latency(part.over)).map(|(this, other)| signed(this - other, 0));
            let word = if part.lift.may_be_zero() { "may be nothing" } else { "" };
            grid.push(vec![
                Cell::new(format!("{} over {}", self.name(run), self.name(part.over))),
                Cell::new(signed(part.lift.difference, digits)).with(interval),
                Cell::new(more.unwrap_or_default()),
                Cell::new(word),
            ]);
        }
        let heading = format!("what the next step up the frontier gains in {}", short_name(report.measure));
        if any { vec![Block::Heading(heading), Block::Table(grid)] } else { Vec::new() }
    }

    fn footnotes(&self) -> Option<Block> {
        let report = self.report;
        let mut notes = Vec::new();
        let few = report.placed.iter().filter_map(|placed| placed.spending.latency);
        let few: Vec<usize> = few.filter(|latency| latency.is_maximum()).map(|latency| latency.n).collect();
        if let Some(n) = few.iter().min() {
            notes.push(format!("p95 ms: of fewer than 20 latencies ({n}) it is the largest one"));
        }
        let unknown = (0..report.placed.len()).filter(|&run| report.standings[run] == Standing::Unknown);
        let unknown: Vec<String> = unknown.map(|run| self.name(run)).collect();
        if !unknown.is_empty() {
            notes.push(format!("not placed: {} without the {} that others have", unknown.join(", "), self.prices()));
        }
        (!notes.is_empty()).then_some(Block::Footnotes(notes))
    }

    /// Which runs are worth a look, and which of them may not be worth their price.
    fn answer(&self) -> String {
        let report = self.report;
        let names = |runs: Vec<usize>| listed(&runs.into_iter().map(|run| self.name(run)).collect::<Vec<_>>());
        let frontier: Vec<usize> = report.frontier().collect();
        let rest = report.standings.iter().filter(|standing| matches!(standing, Standing::Dominated(_))).count();
        let verb = if frontier.len() == 1 { "is" } else { "are" };
        let mut text = match (frontier.len() == report.placed.len(), frontier.len()) {
            (true, 1) => "A single run is its own frontier.".to_owned(),
            (true, _) => "No run beats another in every way.".to_owned(),
            _ if rest == 0 => format!("On the frontier {verb} {}.", names(frontier.clone())),
            _ => format!(
                "On the frontier {verb} {}; {} as good or worse for more.",
                names(frontier.clone()),
                others(rest)
            ),
        };
        let doubtful = report.doubtful();
        if !doubtful.is_empty() {
            let (gain, of) = if doubtful.len() == 1 { ("gain", "cheaper one") } else { ("gains", "cheaper ones") };
            text.push_str(&format!(" The {gain} of {} over the next {of} may be nothing.", names(doubtful)));
        }
        text
    }
}

fn others(count: usize) -> String {
    if count == 1 { "1 other is".to_owned() } else { format!("{count} others are") }
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: &[String]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        names => names.concat(),
    }
}
