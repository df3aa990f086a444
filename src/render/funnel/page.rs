//! The funnel for people: how far questions come, where they end, the six numbers, abstentions.

use raglens::id::Id;
use raglens::rag::funnel::Step;

use super::report::{NumberPart, Report};
use crate::render::Look;
use crate::render::grid::{Cell, Column, Grid};
use crate::render::listing::fitting;
use crate::render::number::{counted, fixed, queries};
use crate::render::page::Block;

/// The room for questions that are named in a row.
const NAMED_WIDTH: usize = 30;

/// The page.
pub fn page(report: &Report, look: &Look) -> Vec<Block> {
    let view = View { report, look };
    let mut blocks = vec![view.title(), view.conventions(), Block::Table(view.funnel())];
    blocks.extend(view.deaths());
    blocks.extend(view.numbers());
    blocks.extend(view.abstentions());
    blocks.push(Block::Answer(view.answer()));
    blocks
}

struct View<'a> {
    report: &'a Report,
    look: &'a Look,
}

impl View<'_> {
    fn title(&self) -> Block {
        let asked =
            counted(self.report.funnel.kept[0], "question that can be answered", "questions that can be answered");
        let aside = match self.report.unanswerable.queries {
            0 => String::new(),
            count => format!(", {count} that cannot"),
        };
        let name = self.report.frame.runs[0].name.clone();
        Block::Title { name, facts: asked + &aside }
    }

    fn conventions(&self) -> Block {
        self.report.frame.conventions(vec![format!("k {}", self.report.k)])
    }

    fn share(&self, value: Option<f64>) -> Cell {
        Cell::new(value.map_or_else(|| "n/a".to_owned(), |value| fixed(value, self.look.digits)))
    }

    /// How many questions are left after each step.
    fn funnel(&self) -> Grid {
        let (report, funnel) = (self.report, &self.report.funnel);
        let names = [
            "asked".to_owned(),
            format!("relevant document in the first {}", report.k),
            "evidence in the context".to_owned(),
            "answered".to_owned(),
            "correct".to_owned(),
        ];
        let columns =
            [Column::words(""), Column::numbers("left"), Column::numbers("of all"), Column::numbers("of those before")];
        let mut grid = Grid::new(columns.to_vec());
        for (step, name) in names.into_iter().enumerate() {
            let conditional = if step == 0 { Cell::empty() } else { self.share(funnel.conditional(step)) };
            grid.push(vec![
                Cell::new(name),
                Cell::new(funnel.kept[step].to_string()),
                self.share(funnel.share(step)),
                conditional,
            ]);
        }
        grid
    }

    /// Where questions end, and which.
    fn deaths(&self) -> Vec<Block> {
        let report = self.report;
        let mut grid = Grid::new(vec![
            Column::words(""),
            Column::numbers("lost"),
            Column::words("what happened"),
            Column::words("questions"),
        ]);
        for step in Step::ALL {
            let dead = report.dead(step);
            grid.push(
                [step.name().to_owned(), dead.len().to_string(), what(step).to_owned(), self.named(&dead)]
                    .map(Cell::new)
                    .to_vec(),
            );
        }
        let lucky = report.lucky();
        if !lucky.is_empty() {
            let what = "right without the evidence".to_owned();
            grid.push(
                ["by luck".to_owned(), lucky.len().to_string(), what, self.named(&lucky)].map(Cell::new).to_vec(),
            );
        }
        let mut blocks = vec![Block::Heading("where questions end".to_owned()), Block::Table(grid)];
        blocks.extend(report.list.then(|| self.every_death()));
        if !lucky.is_empty() {
            let note = "by luck: counted above as lost; the fact has no label, or the model knew it";
            blocks.push(Block::Footnotes(vec![note.to_owned()]));
        }
        blocks
    }

    /// Every question that ends before the end.
    fn every_death(&self) -> Block {
        let all = |ids: Vec<&Id>| ids.iter().map(ToString::to_string).collect::<Vec<String>>().join(", ");
        let deaths = Step::ALL.map(|step| (step.name().to_owned(), all(self.report.dead(step))));
        let lucky = ("by luck".to_owned(), all(self.report.lucky()));
        Block::Entries(deaths.into_iter().chain([lucky]).filter(|(_, ids)| !ids.is_empty()).collect())
    }

    fn named(&self, ids: &[&Id]) -> String {
        let words: Vec<String> = ids.iter().map(ToString::to_string).collect();
        fitting(&words, NAMED_WIDTH)
    }

    /// The six numbers beside their targets.
    fn numbers(&self) -> Vec<Block> {
        let mut grid = Grid::new(vec![
            Column::words(""),
            Column::numbers("n"),
            Column::numbers("value").with("95% interval"),
            Column::numbers("target"),
            Column::words(""),
        ]);
        for number in &self.report.numbers {
            grid.push(self.number(number));
        }
        let mut notes = Vec::new();
        let is_usual = |number: &NumberPart| number.target.as_ref().is_some_and(|target| !target.is_asked);
        if self.report.numbers.iter().any(is_usual) {
            notes.push("targets in brackets are the usual ones; --targets sets others, as gates".to_owned());
        }
        if let Some(latency) = self.report.latency {
            let largest = if latency.is_maximum() { " (the largest: fewer than 20)" } else { "" };
            let cost = self
                .report
                .cost
                .map_or_else(String::new, |cost| format!(", {} USD on average", fixed(cost.mean_usd, 4)));
            notes.push(format!("an answer takes {} ms at p95{largest}{cost}", fixed(latency.p95_ms, 0)));
        }
        let mut blocks = vec![Block::Heading("six numbers, each gameable alone".to_owned()), Block::Table(grid)];
        blocks.extend((!notes.is_empty()).then_some(Block::Footnotes(notes)));
        blocks
    }

    fn number(&self, number: &NumberPart) -> Vec<Cell> {
        let digits = self.look.digits;
        let interval = number.interval.map_or_else(String::new, |interval| {
            format!("[{}, {}]", fixed(interval.low, digits), fixed(interval.high, digits))
        });
        let target = number.target.as_ref().map_or_else(String::new, |target| {
            let requirement = &target.requirement;
            let text = requirement.to_string().replacen(&requirement.metric, "", 1);
            if target.is_asked { text } else { format!("({text})") }
        });
        let word = match (number.is_met(), &number.target) {
            (Some(true), _) => "met",
            (Some(false), _) => "missed",
            (None, Some(_)) => "undecided",
            (None, None) => "",
        };
        let value = self.share(number.value).with(interval);
        vec![Cell::new(&number.label), Cell::new(number.n.to_string()), value, Cell::new(target), Cell::new(word)]
    }

    /// Abstentions, right and wrong.
    fn abstentions(&self) -> Vec<Block> {
        let (found, others) = (&self.report.abstention, &self.report.unanswerable);
        let mut grid = Grid::new(vec![
            Column::words(""),
            Column::numbers("count"),
            Column::numbers("of"),
            Column::numbers("rate"),
            Column::words("questions"),
        ]);
        let mut push = |name: &str, (count, of): (u64, u64), ids: &[&Id]| {
            let rate = (of > 0).then(|| count as f64 / of as f64);
            grid.push(vec![
                Cell::new(name),
                Cell::new(count.to_string()),
                Cell::new(of.to_string()),
                self.share(rate),
                Cell::new(self.named(ids)),
            ]);
        };
        push("wrong abstention", (found.wrong(), found.answerable), &[]);
        push("  evidence there", (found.over_refusals, found.answerable), &self.report.abstained(true));
        push("  evidence missing", (found.justified, found.answerable), &self.report.abstained(false));
        push("false answer", (found.false_answers, found.unanswerable), &others.answered.iter().collect::<Vec<_>>());
        let notes = self.abstention_notes();
        let heading = "not answering: wrong where there is an answer, right where there is none";
        let mut blocks = vec![Block::Heading(heading.to_owned()), Block::Table(grid)];
        blocks.extend((!notes.is_empty()).then_some(Block::Footnotes(notes)));
        blocks
    }

    fn abstention_notes(&self) -> Vec<String> {
        let (found, others) = (&self.report.abstention, &self.report.unanswerable);
        if others.queries == 0 {
            return vec![
                "no question is marked `\"answerable\": false`, so nothing is known of false answers".to_owned(),
            ];
        }
        let number =
            |value: Option<f64>| value.map_or_else(|| "n/a".to_owned(), |value| fixed(value, self.look.digits));
        let [precision, recall, f1] = [found.precision(), found.recall(), found.f1()].map(number);
        let mut notes = vec![format!("abstention: precision {precision}, recall {recall}, F1 {f1}")];
        let auroc = others
            .auroc
            .map_or_else(String::new, |auroc| format!("; AUROC of its best score: {}", fixed(auroc, self.look.digits)));
        let (some, all) = (others.with_results, others.queries);
        notes.push(format!("the search returns something for {some} of {all} of these{auroc}"));
        notes
    }

    /// The product of the four steps, and where most is lost.
    fn answer(&self) -> String {
        let (report, funnel) = (self.report, &self.report.funnel);
        let number =
            |value: Option<f64>| value.map_or_else(|| "n/a".to_owned(), |value| fixed(value, self.look.digits));
        let factors: Vec<String> = (1..=4).map(|step| number(funnel.conditional(step))).collect();
        let product = format!("P(correct) = {} = {}", factors.join(" x "), number(funnel.share(4)));
        let gap = funnel.gap().filter(|&gap| gap > 0.0).map_or_else(String::new, |gap| {
            format!(": {} less than hit@{} shows", fixed(gap, self.look.digits), report.k)
        });
        let lost = funnel.kept[0] - funnel.kept[4];
        let worst = Step::ALL.into_iter().rev().max_by_key(|&step| funnel.lost(step));
        let most = match worst.filter(|_| lost > 0) {
            None => " Every question came through.".to_owned(),
            Some(step) => {
                let share = format!("{} of {}", funnel.lost(step), queries(lost).replace("quer", "lost quer"));
                format!(" Most end at {}: {share}.", step.name())
            }
        };
        format!("{product}{gap}.{most}")
    }
}

/// What happened in a step.
fn what(step: Step) -> &'static str {
    match step {
        Step::Retrieval => "no relevant document",
        Step::Evidence => "right document, wrong chunk",
        Step::Refusal => "evidence there, no answer",
        Step::Generation => "evidence there, wrong",
    }
}
