//! The six numbers of a dashboard, each of which protects against another failure, and their
//! targets.

use raglens::compare::{Relation, Requirement, Subject};
use raglens::input::Answers;
use raglens::measure::Measure;
use raglens::scores::ScoreTable;
use raglens::stats::summary::{Range, mean, mean_interval};

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::render::errors::Message;
use crate::render::eval::report::LEVEL;
use crate::render::funnel::report::{Asked, NumberPart, Target};

/// The numbers in their order; the first three are measures of the run at k.
const NAMES: [&str; 6] = ["recall", "ndcg", "precision", "correct", "faithfulness", "wrong_abstention"];

/// Targets that go without saying: above a recall of about 0.9 other things matter more, and one
/// wrong "I do not know" in twenty is what people bear.
const USUAL: [(&str, Relation, f64); 2] =
    [("recall", Relation::AtLeast, 0.9), ("wrong_abstention", Relation::AtMost, 0.05)];

/// Checks that targets are about the six numbers, each of which is from 0 to 1.
///
/// # Errors
/// When one is about something else, holds always or never, or two are about the same.
pub fn check(targets: &[Requirement], k: u64) -> Result<(), Failure> {
    for (index, target) in targets.iter().enumerate() {
        let name = name(target, k).ok_or_else(|| no_number(target, k))?;
        target.check_range(0.0, 1.0).map_err(|error| Message::new(format!("--targets: {error}")))?;
        if targets[..index].iter().any(|other| self::name(other, k) == Some(name)) {
            return Err(Failure::new(format!("`--targets`: two targets for {name}"), "each number takes one"));
        }
    }
    Ok(())
}

fn no_number(target: &Requirement, k: u64) -> Failure {
    let title = format!("`--targets {target}`: there is no such number at k = {k}");
    let help = match target.subject {
        Subject::Mean => format!("the numbers are {}", NAMES.join(", ")),
        Subject::Difference => "a difference is one of two runs: `raglens compare --min` takes it".to_owned(),
    };
    Failure::new(title, help)
}

/// The number that a target is about: `recall`, or `recall@5` where k is 5.
fn name(target: &Requirement, k: u64) -> Option<&'static str> {
    let at_k = format!("@{k}");
    let text = target.metric.strip_suffix(&at_k).unwrap_or(&target.metric);
    let found = NAMES.iter().position(|name| *name == text).filter(|_| target.subject == Subject::Mean)?;
    (text.len() == target.metric.len() || found < 3).then_some(NAMES[found])
}

/// The numbers with their targets. The table holds hit, recall, ndcg and precision at k.
pub fn numbers(
    table: &ScoreTable<'_>,
    asked: &[Asked],
    answers: &Answers,
    targets: &[Requirement],
    measures: &[Measure],
) -> Vec<NumberPart> {
    let k = measures[0].params().cutoff().unwrap_or(0);
    let zero_one = |flag: bool| f64::from(u8::from(flag));
    let faithfulness = asked.iter().filter_map(|asked| answers.answer(&asked.query)?.faithfulness);
    let columns: [Vec<f64>; 6] = [
        table.column(1).collect(),
        table.column(2).collect(),
        table.column(3).collect(),
        asked.iter().map(|asked| zero_one(asked.case.correct)).collect(),
        faithfulness.collect(),
        asked.iter().map(|asked| zero_one(!asked.case.answered)).collect(),
    ];
    let part = |(&name, mut values): (&&'static str, Vec<f64>)| {
        values.sort_by(f64::total_cmp);
        let place = NAMES.iter().position(|other| *other == name).unwrap_or(0);
        let label = measures.get(place + 1).map_or_else(|| name.to_owned(), |measure| measure.label().to_owned());
        NumberPart {
            label,
            n: values.len() as u64,
            value: mean(&values),
            interval: mean_interval(&values, LEVEL, Range::UNIT).map(|found| found.interval),
            target: target(name, targets, k),
        }
    };
    NAMES.iter().zip(columns).map(part).collect()
}

/// The target that was asked for, else the usual one.
fn target(name: &str, targets: &[Requirement], k: u64) -> Option<Target> {
    if let Some(asked) = targets.iter().find(|target| self::name(target, k) == Some(name)) {
        return Some(Target { requirement: asked.clone(), is_asked: true });
    }
    let (_, comparison, limit) = USUAL.into_iter().find(|(other, ..)| *other == name)?;
    let requirement = Requirement { subject: Subject::Mean, metric: name.to_owned(), comparison, limit };
    Some(Target { requirement, is_asked: false })
}

/// How the command ends: the targets that were asked for are gates.
pub fn exit(numbers: &[NumberPart]) -> Exit {
    let asked = numbers.iter().filter(|number| number.target.as_ref().is_some_and(|target| target.is_asked));
    let outcomes: Vec<Option<bool>> = asked.map(NumberPart::is_met).collect();
    match () {
        () if outcomes.contains(&Some(false)) => Exit::Failed,
        () if outcomes.contains(&None) => Exit::Undecided,
        () => Exit::Success,
    }
}
