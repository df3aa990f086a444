//! What the numbers cannot tell.

use super::report::{Report, RunPart};
use crate::render::Look;
use crate::render::number::{fixed, percent, queries};
use crate::render::page::Block;
use crate::render::slicings::unseen;

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
    if report.labels.positive_only {
        let text =
            "The labels name only relevant documents, so what is unjudged cannot be told from what is not relevant.";
        return Some(text.to_owned());
    }
    let judged = report.measures.iter().enumerate().filter(|(_, measure)| measure.definition().name == "judged");
    let (index, cutoff) =
        judged.filter_map(|(index, measure)| Some((index, measure.params().cutoff()?))).max_by_key(|found| found.1)?;
    let shares: Vec<f64> = report.runs.iter().filter_map(|run| run.mean(index)).collect();
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
    let count = zeros.clone().count();
    let more = count.saturating_sub(3);
    let listing = format!("`raglens queries` with --where '{} = 0' lists them", report.measures[index].label());
    let more = if more > 0 { format!(" and {more} more ({listing})") } else { String::new() };
    let have = if count == 1 { "has" } else { "have" };
    let item = report.conventions.item();
    (count > 0).then(|| {
        let first: Vec<String> = zeros.take(3).map(|(query, _)| query.to_string()).collect();
        let (count, first) = (queries(count as u64), first.join(", "));
        format!("{count} {have} no {item} in the first {cutoff}: {first}{more}.")
    })
}
