//! A plan for people: what each number of queries can find, and how to read it.

use super::report::{Needed, Point, Question, Report, Scenario, Spread};
use crate::render::grid::{Align, Cell, Column, Grid};
use crate::render::number::{chance, counted, exact, queries, rounded_up, share};
use crate::render::page::Block;

/// The page; differences with `digits` decimals, else with two where all measures are 0 or 1 and
/// with three otherwise.
pub fn page(report: &Report, digits: Option<usize>) -> Vec<Block> {
    let digits = digits.unwrap_or(if report.is_binary() { 2 } else { 3 });
    let view = View { report, question: &report.question, digits };
    let mut blocks = vec![view.title(), view.conventions()];
    blocks.extend(view.tables());
    blocks.extend(view.footnotes());
    blocks.push(Block::Remarks { word: "limits", sentences: view.limits() });
    blocks.push(Block::Answer(view.answer()));
    blocks
}

/// What a column of a table shows.
struct Quantity {
    /// Above a table of its own.
    heading: String,
    /// Above a column beside others.
    short: String,
    cell: fn(&View, &Point) -> Option<String>,
}

struct View<'a> {
    report: &'a Report,
    question: &'a Question,
    digits: usize,
}

impl View<'_> {
    fn title(&self) -> Block {
        let facts = match (&self.report.pilot, self.report.is_binary()) {
            (Some(pilot), _) => format!("from the pilot {} against {}", pilot.names[1], pilot.names[0]),
            (None, true) => "for measures that are 0 or 1, such as hit@5".to_owned(),
            (None, false) => "for measures with values in between, such as ndcg@10".to_owned(),
        };
        Block::Title { name: "power".to_owned(), facts }
    }

    fn conventions(&self) -> Block {
        let Question { alpha, power, mid_p, .. } = *self.question;
        let mcnemar = if mid_p { "McNemar's test (mid-p)" } else { "McNemar's exact test" };
        let has = |binary: bool| self.report.scenarios.iter().any(|found| found.disagreement().is_some() == binary);
        let tests = match (has(true), has(false)) {
            (true, true) => format!("{mcnemar} for 0 or 1, else the paired t test"),
            (true, false) => mcnemar.to_owned(),
            _ => "paired t test".to_owned(),
        };
        Block::Conventions(format!("{tests}, two-sided, alpha {}, power {}", exact(alpha), exact(power)))
    }

    fn tables(&self) -> Vec<Block> {
        let mut blocks = self.pilot_table();
        let quantities = self.quantities();
        match &self.report.scenarios[..] {
            [scenario] => blocks.push(Block::Table(self.side_by_side(scenario, &quantities))),
            _ => {
                for quantity in &quantities {
                    blocks.push(Block::Heading(format!("{}{}", quantity.heading, self.columns_are())));
                    blocks.push(Block::Table(self.one_below_another(quantity)));
                }
            }
        }
        blocks.extend(self.needed_table());
        blocks
    }

    /// What was taken from the pilot.
    fn pilot_table(&self) -> Vec<Block> {
        let mut grid = Grid::new(vec![
            Column::words(""),
            Column::numbers("queries"),
            Column::numbers("differ"),
            Column::numbers("sd of the differences"),
        ]);
        for measured in self.report.scenarios.iter().filter_map(|scenario| scenario.source.as_ref()) {
            let differing =
                format!("{} ({})", measured.differing, share(measured.differing as f64 / measured.n as f64));
            let sd = rounded_up(measured.sd, 3);
            grid.push([measured.metric.clone(), measured.n.to_string(), differing, sd].map(Cell::new).to_vec());
        }
        if self.report.pilot.is_some() { vec![Block::Table(grid)] } else { Vec::new() }
    }

    fn quantities(&self) -> Vec<Quantity> {
        let mut quantities = vec![Quantity {
            heading: format!("smallest true difference found with a chance of {}", share(self.question.power)),
            short: "smallest found".to_owned(),
            cell: |view, point| point.detectable.map(|found| rounded_up(found, view.digits)),
        }];
        if let Some(delta) = self.question.delta {
            quantities.push(Quantity {
                heading: format!("chance of finding a true difference of {}", exact(delta)),
                short: format!("{} is found", exact(delta)),
                cell: |_, point| point.power.map(chance),
            });
        }
        let has_width = |scenario: &Scenario| scenario.points.iter().any(|point| point.half_width.is_some());
        if self.report.scenarios.iter().any(has_width) {
            let level = share(1.0 - self.question.alpha);
            quantities.push(Quantity {
                heading: format!("half of the width of the {level} interval"),
                short: format!("half of the {level} interval"),
                cell: |view, point| point.half_width.map(|width| rounded_up(width, view.digits)),
            });
        }
        quantities
    }

    /// What the columns of a table with several spreads are.
    fn columns_are(&self) -> &'static str {
        match self.report.scenarios.first() {
            Some(Scenario { source: None, spread: Spread::Disagreement(_), .. }) => ", by the share that differs",
            Some(Scenario { source: None, .. }) => ", by the standard deviation",
            _ => "",
        }
    }

    fn side_by_side(&self, scenario: &Scenario, quantities: &[Quantity]) -> Grid {
        let mut columns = vec![first_column("queries")];
        columns.extend(quantities.iter().map(|quantity| Column::numbers(&quantity.short)));
        let mut grid = Grid::new(columns);
        for point in &scenario.points {
            let cells = quantities.iter().map(|quantity| self.cell(quantity, point));
            grid.push(std::iter::once(Cell::new(point.n.to_string())).chain(cells).collect());
        }
        grid
    }

    fn one_below_another(&self, quantity: &Quantity) -> Grid {
        let mut grid = self.grid_of_scenarios("queries");
        let rows = self.report.scenarios.first().map_or(0, |scenario| scenario.points.len());
        for row in 0..rows {
            let points = self.report.scenarios.iter().map(|scenario| &scenario.points[row]);
            let n = self.report.scenarios[0].points[row].n.to_string();
            grid.push(std::iter::once(Cell::new(n)).chain(points.map(|point| self.cell(quantity, point))).collect());
        }
        grid
    }

    fn grid_of_scenarios(&self, first: &str) -> Grid {
        let names = self.report.scenarios.iter().map(|scenario| Column::numbers(&name(scenario)));
        Grid::new(std::iter::once(first_column(first)).chain(names).collect())
    }

    fn cell(&self, quantity: &Quantity, point: &Point) -> Cell {
        Cell::new((quantity.cell)(self, point).unwrap_or_else(|| "-".to_owned()))
    }

    /// How many queries it takes, for several spreads.
    fn needed_table(&self) -> Vec<Block> {
        if self.report.scenarios.len() < 2 {
            return Vec::new();
        }
        let mut grid = self.grid_of_scenarios("");
        let mut push = |what: String, needed: fn(&Scenario) -> Option<Needed>| {
            let cells =
                self.report.scenarios.iter().map(|scenario| Cell::new(needed(scenario).map_or("-".to_owned(), number)));
            grid.push(std::iter::once(Cell::new(what)).chain(cells).collect());
        };
        if let Some(delta) = self.question.delta {
            push(format!("to find {}", exact(delta)), |scenario| scenario.for_delta);
        }
        if let Some(margin) = self.question.margin {
            push(format!("to exclude a loss of {}", exact(margin)), |scenario| scenario.for_margin);
        }
        match (self.question.delta, self.question.margin) {
            (None, None) => Vec::new(),
            _ => vec![Block::Heading(format!("queries needed{}", self.columns_are())), Block::Table(grid)],
        }
    }

    fn footnotes(&self) -> Option<Block> {
        let has_none = |scenario: &&Scenario| scenario.points.iter().any(|point| point.detectable.is_none());
        let scenario = self.report.scenarios.iter().find(has_none)?;
        let reason = match scenario.spread {
            Spread::Disagreement(_) => "not even winning every query that differs is enough",
            Spread::Sd(_) => "no possible difference is large enough",
        };
        Some(Block::Footnotes(vec![format!("-  {reason}")]))
    }

    fn limits(&self) -> Vec<String> {
        let Some(first) = self.report.scenarios.iter().find_map(|scenario| scenario.source.as_ref()) else {
            return match self.report.is_binary() {
                true => vec![
                    "How many queries differ is a guess until two runs were measured; `raglens power \
                              A.json B.json -m METRIC` takes it from their saved scores."
                        .to_owned(),
                ],
                false => vec!["A standard deviation from few queries is a rough one.".to_owned()],
            };
        };
        let mut sentences = vec![format!("The spread comes from {}; other queries give another.", queries(first.n))];
        let dropped = self.report.scenarios.iter().filter_map(|scenario| scenario.source.as_ref());
        sentences.extend(dropped.filter(|measured| measured.dropped > 0).map(|measured| {
            format!(
                "{} left out for want of a value of {}.",
                counted(measured.dropped, "query is", "queries are"),
                measured.metric
            )
        }));
        sentences.push("Plan with the smallest difference that matters, not with the one these runs show.".to_owned());
        sentences
    }

    /// The sentences that answer the question.
    fn answer(&self) -> String {
        let mut sentences = Vec::new();
        if let Some(delta) = self.question.delta {
            sentences.extend(self.chance_now(delta));
            sentences.push(format!("{} {}.", self.to_find(delta), self.each(|scenario| scenario.for_delta)));
        }
        if let Some(margin) = self.question.margin {
            let to_exclude = format!(
                "To exclude a loss above {} with a chance of {}, both runs being equally good, takes about",
                exact(margin),
                share(self.question.power)
            );
            sentences.push(format!("{to_exclude} {}.", self.each(|scenario| scenario.for_margin)));
        }
        if sentences.is_empty() { self.reading() } else { sentences.join(" ") }
    }

    /// What the first number of queries can do.
    fn chance_now(&self, delta: f64) -> Option<String> {
        let [scenario] = &self.report.scenarios[..] else { return None };
        let point = scenario.points.first()?;
        let found = chance(point.power?);
        Some(format!(
            "With {} a true difference of {} is found with a chance of {found}.",
            queries(point.n),
            exact(delta)
        ))
    }

    fn to_find(&self, delta: f64) -> String {
        format!("To find a true difference of {} with a chance of {} takes", exact(delta), share(self.question.power))
    }

    /// `161 queries where 20% differ, 233 where 30% do`
    fn each(&self, needed: fn(&Scenario) -> Option<Needed>) -> String {
        let several = self.report.scenarios.len() > 1;
        let each = self.report.scenarios.iter().filter_map(|scenario| {
            let count = words(needed(scenario)?);
            Some(if several { format!("{count} {}", condition(scenario)) } else { count })
        });
        each.collect::<Vec<String>>().join(", ")
    }

    /// What a cell of the table says.
    fn reading(&self) -> String {
        let Some((scenario, point, found)) = self.example() else {
            let power = share(self.question.power);
            return format!("With these numbers of queries no true difference is found with a chance of {power}.");
        };
        let power = share(self.question.power);
        let differ = match (scenario.spread, &scenario.source) {
            (Spread::Disagreement(disagreement), _) => {
                format!(", {} of which come out differently,", share(disagreement))
            }
            (Spread::Sd(_), Some(measured)) if self.report.scenarios.len() > 1 => format!(" and {}", measured.metric),
            (Spread::Sd(sd), None) => format!(" and a standard deviation of {}", exact(sd)),
            _ => String::new(),
        };
        let found = rounded_up(found, self.digits);
        let four = scenario.sd().map_or("", |_| " Four times the queries halve the interval.");
        format!(
            "How to read it: with {}{differ} a true difference of {found} is found with a chance of {power}; a smaller \
             one is missed more often.{four}",
            queries(point.n)
        )
    }

    /// The first row with a difference, in the column in the middle where that has one.
    fn example(&self) -> Option<(&Scenario, &Point, f64)> {
        let scenarios = &self.report.scenarios;
        let middle = scenarios.get((scenarios.len().max(1) - 1) / 2)?;
        std::iter::once(middle).chain(scenarios).find_map(|scenario| {
            let point = scenario.points.iter().find(|point| point.detectable.is_some())?;
            Some((scenario, point, point.detectable?))
        })
    }
}

fn first_column(name: &str) -> Column {
    Column { align: if name.is_empty() { Align::Left } else { Align::Right }, ..Column::words(name) }
}

/// The heading of a spread.
fn name(scenario: &Scenario) -> String {
    match (scenario.spread, scenario.metric()) {
        (_, Some(metric)) => metric.to_owned(),
        (Spread::Disagreement(disagreement), None) => share(disagreement),
        (Spread::Sd(sd), None) => exact(sd),
    }
}

/// `where 20% differ`
fn condition(scenario: &Scenario) -> String {
    match (scenario.spread, scenario.metric()) {
        (_, Some(metric)) => format!("for {metric}"),
        (Spread::Disagreement(disagreement), None) => format!("where {} of them differ", share(disagreement)),
        (Spread::Sd(sd), None) => format!("at a standard deviation of {}", exact(sd)),
    }
}

fn number(needed: Needed) -> String {
    match needed {
        Needed::Queries(count) => count.to_string(),
        Needed::MoreThan(most) => format!(">{most}"),
    }
}

fn words(needed: Needed) -> String {
    match needed {
        Needed::Queries(count) => queries(count),
        Needed::MoreThan(most) => format!("more than {most} queries"),
    }
}
