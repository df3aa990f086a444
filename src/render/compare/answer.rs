//! The sentence that answers the question.

use raglens::compare::{Found, Pairs, Row};
use raglens::notes::{NoteKind, Notes};
use raglens::stats::equivalence::Outcome;
use raglens::stats::verdict::Verdict;

use super::report::Report;
use super::words::{self, list};
use crate::render::Look;
use crate::render::number::{exact, p_value, queries, signed};
use crate::render::page::Block;

/// As many pairs of runs are spoken of one by one.
const MOST_PAIRS: usize = 6;

/// What the comparison comes to, and behind it what the gates do.
pub fn answer(report: &Report, look: &Look) -> Option<Block> {
    let pairs = report.pairs();
    let strangers: Vec<usize> = (0..report.joined.runs.len()).filter(|&run| is_stranger(report, run)).collect();
    let says_something = |pair: &&(usize, usize)| ![pair.0, pair.1].iter().any(|run| strangers.contains(run));
    let mut sentences = match pairs.len() {
        1 => pairs.iter().filter(says_something).flat_map(|pair| one_pair(report, *pair, look)).collect(),
        0..=MOST_PAIRS => pairs.iter().filter(says_something).map(|pair| summary(report, *pair)).collect(),
        _ => vec![counted(report)],
    };
    sentences.extend(strangers.into_iter().map(|run| stranger(report.name(run))));
    let outcomes: Vec<Outcome> = report.comparison.gates.iter().map(|gate| gate.outcome).collect();
    sentences.extend(gates(&outcomes));
    let text = sentences.join(" ");
    (!text.is_empty()).then_some(Block::Answer(text))
}

/// Whether a run and the labels have no document in common.
fn is_stranger(report: &Report, run: usize) -> bool {
    shares_nothing(&report.notes, report.name(run))
}

/// Whether it was noted that a run and the labels have no document in common.
pub fn shares_nothing(notes: &Notes, run: &str) -> bool {
    notes.iter().any(|note| note.kind == NoteKind::NoDocumentInCommon && note.subject == run)
}

/// What is to be said of such a run in place of a conclusion.
pub fn stranger(run: &str) -> String {
    let code = NoteKind::NoDocumentInCommon.code();
    format!("Nothing can be said of {run} while none of its documents is in the labels ({code}).")
}

/// What a verdict says of B.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Better,
    Worse,
    Borderline,
    Nothing,
    Identical,
}

fn kind(found: &Found) -> Option<Kind> {
    Some(match found.verdict? {
        Verdict::Better => Kind::Better,
        Verdict::Worse => Kind::Worse,
        Verdict::Borderline(_) => Kind::Borderline,
        Verdict::NoEvidence(_) => Kind::Nothing,
        Verdict::Identical => Kind::Identical,
    })
}

/// The metrics of a pair whose verdicts are of a kind.
fn of_kind(report: &Report, pair: (usize, usize), wanted: Kind) -> Vec<(String, &Found)> {
    let metrics = 0..report.plan.metrics.len();
    let found = metrics.filter_map(|metric| Some((metric, report.row(metric, pair)?.found.as_ref()?)));
    let wanted = found.filter(|(_, found)| kind(found) == Some(wanted));
    wanted.map(|(metric, found)| (words::short(report.label(metric)), found)).collect()
}

fn one_pair(report: &Report, pair: (usize, usize), look: &Look) -> Vec<String> {
    let (a, b) = (report.name(pair.0), report.name(pair.1));
    let mut sentences = Vec::new();
    for (wanted, word) in [(Kind::Better, "better"), (Kind::Worse, "worse")] {
        match &of_kind(report, pair, wanted)[..] {
            [] => {}
            [(name, found)] => {
                sentences.push(format!("{b} is {word} than {a} on {name}: {}.", numbers(report, found, look)))
            }
            several => {
                let names: Vec<&String> = several.iter().map(|(name, _)| name).collect();
                sentences.push(format!("{b} is {word} than {a} on {}.", list(&names)));
            }
        }
    }
    let names = |wanted: Kind| of_kind(report, pair, wanted).into_iter().map(|(name, _)| name).collect::<Vec<String>>();
    let borderline = names(Kind::Borderline);
    if !borderline.is_empty() {
        sentences.push(format!("Borderline: {}.", list(&borderline)));
    }
    sentences.extend(nothing(report, pair));
    let identical = names(Kind::Identical);
    if !identical.is_empty() {
        sentences.push(format!("{b} and {a} have the same values on {}.", list(&identical)));
    }
    sentences.extend(equivalent(report, pair));
    sentences
}

/// The metrics on which there is no evidence; of a single one with the reason.
fn nothing(report: &Report, pair: (usize, usize)) -> Option<String> {
    let nothing = of_kind(report, pair, Kind::Nothing);
    let (name, found) = nothing.first()?;
    if report.plan.metrics.len() == 1 {
        let (a, b) = (report.name(pair.0), report.name(pair.1));
        let few = too_few(found).unwrap_or_default();
        return Some(format!("There is no evidence that {b} and {a} differ on {name}{few}."));
    }
    let names: Vec<&String> = nothing.iter().map(|(name, _)| name).collect();
    Some(format!("No evidence of a difference on {}.", list(&names)))
}

fn numbers(report: &Report, found: &Found, look: &Look) -> String {
    let difference = signed(found.paired.mean_difference, look.digits);
    let interval = found.interval.map(|found| {
        let [low, high] = [found.low, found.high].map(|limit| signed(limit, look.digits));
        format!(", {} interval {low} to {high}", words::level(&report.plan))
    });
    let p = words::p(found, report.plan.alpha);
    let adjusted = found.adjusted_p.map(|p| format!(" (adjusted {})", p_value(p, report.plan.alpha)));
    format!("{difference}{}, p {p}{}", interval.unwrap_or_default(), adjusted.unwrap_or_default())
}

fn too_few(found: &Found) -> Option<String> {
    match found.verdict? {
        Verdict::NoEvidence(raglens::stats::verdict::Absence::TooFewDiffer { differing, .. }) => {
            let verb = if differing == 1 { "does" } else { "do" };
            Some(format!(", and there could not be: only {} {verb}", queries(differing as u64)))
        }
        _ => None,
    }
}

fn equivalent(report: &Report, pair: (usize, usize)) -> Option<String> {
    let margin = exact(report.plan.margin?);
    let rows =
        (0..report.plan.metrics.len()).filter_map(|metric| Some((metric, report.row(metric, pair)?.found.as_ref()?)));
    let shown = rows.filter(|(_, found)| found.equivalence.is_some_and(|found| found.is_shown));
    let names: Vec<String> = shown.map(|(metric, _)| words::short(report.label(metric))).collect();
    Some(match names.is_empty() {
        true => format!("Equivalence within {margin} is not shown."),
        false => format!("Equivalent within {margin} on {}.", list(&names)),
    })
}

/// One of several pairs in a sentence.
fn summary(report: &Report, pair: (usize, usize)) -> String {
    let (a, b) = (report.name(pair.0), report.name(pair.1));
    let total = report.plan.metrics.len();
    let against = match report.plan.pairs {
        Pairs::Baseline => String::new(),
        Pairs::All => format!(" than {a}"),
    };
    let clause = |wanted: Kind, before: &str| {
        let names: Vec<String> = of_kind(report, pair, wanted).into_iter().map(|(name, _)| name).collect();
        match names.len() {
            0 => None,
            count if count == total && total > 1 => Some(format!("{before} on every measure")),
            _ => Some(format!("{before} on {}", list(&names))),
        }
    };
    let clauses = [
        clause(Kind::Better, &format!("better{against}")),
        clause(Kind::Worse, &format!("worse{against}")),
        clause(Kind::Borderline, "borderline"),
    ];
    let clauses: Vec<String> = clauses.into_iter().flatten().collect();
    match clauses.is_empty() {
        true if report.plan.pairs == Pairs::All => format!("{b} and {a}: no evidence of a difference."),
        true => format!("{b}: no evidence of a difference."),
        false => format!("{b}: {}.", clauses.join("; ")),
    }
}

/// Too many pairs for words.
fn counted(report: &Report) -> String {
    let is_difference =
        |row: &&Row| row.found.as_ref().is_some_and(|found| matches!(kind(found), Some(Kind::Better | Kind::Worse)));
    let rows = &report.comparison.rows;
    format!("{} of {} comparisons show a difference.", rows.iter().filter(is_difference).count(), rows.len())
}

/// What the gates come to.
pub fn gates(outcomes: &[Outcome]) -> Option<String> {
    let count = |wanted: Outcome| outcomes.iter().filter(|&&outcome| outcome == wanted).count();
    let total = outcomes.len();
    let part = |wanted: Outcome, one: &str, many: &str| match count(wanted) {
        1 => format!("1 of {total} gates {one}"),
        several => format!("{several} of {total} gates {many}"),
    };
    (total > 0).then(|| match Outcome::of_all(outcomes.iter().copied()) {
        Outcome::Pass if total == 1 => "The gate passes.".to_owned(),
        Outcome::Pass if total == 2 => "Both gates pass.".to_owned(),
        Outcome::Pass => format!("All {total} gates pass."),
        Outcome::Fail if total == 1 => "The gate fails.".to_owned(),
        Outcome::Fail => format!("{}.", part(Outcome::Fail, "fails", "fail")),
        Outcome::Undecided if total == 1 => "The gate is undecided: there is not enough evidence.".to_owned(),
        Outcome::Undecided => {
            format!("{}: there is not enough evidence.", part(Outcome::Undecided, "is undecided", "are undecided"))
        }
    })
}
