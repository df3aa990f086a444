//! What the numbers cannot tell.

use raglens::id::Id;

use super::report::{Report, RunPart};
use crate::render::Look;
use crate::render::listing::and_more;
use crate::render::number::{fixed, percent, queries};
use crate::render::page::Block;
use crate::render::slicings::unseen;

/// As many queries are named.
const NAMED: usize = 3;

/// What the numbers cannot tell.
pub fn limits(report: &Report, look: &Look) -> Option<Block> {
    let sentences: Vec<String> = [few_queries(report), unjudged(report, look), at_zero(report), unseen(&report.tags)]
        .into_iter()
        .flatten()
        .collect();
    (!sentences.is_empty()).then_some(Block::Remarks { word: "limits", sentences })
}

fn few_queries(report: &Report) -> Option<String> {
    let scored = report.runs.iter().map(RunPart::scored).min()?;
    match scored {
        1 => Some("One query says nothing about others: there is no interval.".to_owned()),
        2..=19 => Some(format!("{scored} queries are few: the intervals are wide and only rough.")),
        _ => None,
    }
}

/// How much of what was returned nobody has looked at, and what that does to the numbers.
fn unjudged(report: &Report, look: &Look) -> Option<String> {
    if report.conventions.level == "span" {
        return None;
    }
    let judged = report.measures.iter().enumerate().filter(|(_, measure)| measure.definition().name == "judged");
    let deepest =
        judged.filter_map(|(index, measure)| Some((index, measure.params().cutoff()?))).max_by_key(|found| found.1);
    let is_positive_only = report.labels.positive_only;
    let (cutoff, shares) = match deepest {
        None if is_positive_only => (0, Vec::new()),
        None => return None,
        Some((index, cutoff)) => (cutoff, report.runs.iter().filter_map(|run| run.mean(index)).collect()),
    };
    unjudged_of(&Shares { cutoff, shares, is_positive_only }, look)
}

/// How much of the first results is judged, run by run.
pub struct Shares {
    /// As many results of each query.
    pub cutoff: u64,
    /// The share of them, per run.
    pub shares: Vec<f64>,
    /// Whether the labels name only relevant documents.
    pub is_positive_only: bool,
}

/// The same in words; `None` where everything is judged.
pub fn unjudged_of(found: &Shares, look: &Look) -> Option<String> {
    let Shares { cutoff, shares, is_positive_only } = found;
    if *is_positive_only {
        let text =
            "The labels name only relevant documents, so what is unjudged cannot be told from what is not relevant.";
        return Some(text.to_owned());
    }
    if shares.iter().all(|&share| share == 1.0) {
        return None;
    }
    Some(match shares[..] {
        [share] => format!(
            "{} of the first {cutoff} results are unjudged and count as not relevant: with more labels hit, \
             precision, mrr and rbp can only rise; recall, map and ndcg can move either way.",
            percent(1.0 - share)
        ),
        _ => {
            let values: Vec<String> = shares.iter().map(|&share| fixed(share, look.digits)).collect();
            let values = if values.len() > 4 { "see above".to_owned() } else { values.join(", ") };
            format!(
                "What is unjudged in the first {cutoff} results counts as not relevant, so a run that returns more of \
                 it looks worse than it may be (judged@{cutoff}: {values})."
            )
        }
    })
}

/// The queries for which nothing was found down to the largest cutoff.
fn at_zero(report: &Report) -> Option<String> {
    let [run] = &report.runs[..] else { return None };
    let hits = report.measures.iter().enumerate().filter(|(_, measure)| {
        matches!(measure.definition().name, "hit" | "recall" | "mrr") && !measure.is_condensed()
    });
    let (index, cutoff) =
        hits.filter_map(|(index, measure)| Some((index, measure.params().cutoff()?))).max_by_key(|found| found.1)?;
    let zeros = run.table.queries().zip(run.table.values(index)).filter(|(_, value)| *value == Some(0.0));
    let found: Vec<&Id> = zeros.map(|(query, _)| query).collect();
    let label = report.measures[index].label();
    let listing = match found.len() > NAMED {
        true => format!(" (`raglens queries` with --where '{label} = 0' lists them)"),
        false => String::new(),
    };
    let have = if found.len() == 1 { "has" } else { "have" };
    let item = report.conventions.item();
    (!found.is_empty()).then(|| {
        let (count, first) = (queries(found.len() as u64), and_more(&found, NAMED, ", "));
        format!("{count} {have} no {item} in the first {cutoff}: {first}{listing}.")
    })
}
