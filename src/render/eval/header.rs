//! What a page is about, and the conventions in force.

use raglens::id::escaped;

use super::report::{Conventions, Report, RunPart};
use crate::render::number::{counted, exact, queries};
use crate::render::page::Block;

/// What the page is about: queries and relevant documents, and who is left out.
pub fn title(report: &Report) -> Block {
    let (item, items) = (report.conventions.item(), report.conventions.items());
    let relevant = counted(report.labels.relevant, item, items);
    match &report.runs[..] {
        [run] => {
            let facts = format!("{}{}, {relevant}", queries(run.scored()), asides(run));
            Block::Title { name: run.name.clone(), facts }
        }
        runs => {
            let scored = runs.iter().map(RunPart::scored).max().unwrap_or(0);
            let left_out = runs.first().map_or(0, |run| run.table.join.left_out.len());
            let aside = if left_out > 0 { format!(" ({left_out} left out)") } else { String::new() };
            let name = format!("{} runs", runs.len());
            Block::Title { name, facts: format!("{}{aside}, {relevant}", queries(scored)) }
        }
    }
}

/// How many queries are left out and how many have no results, in brackets.
fn asides(run: &RunPart) -> String {
    let join = &run.table.join;
    let parts = [(join.left_out.len(), "left out"), (join.missing.len(), "not answered")];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}

/// The conventions in force, in the words of the options; some only where they are not usual.
pub fn conventions(report: &Report) -> Block {
    let used = &report.conventions;
    let mut parts = vec![format!("rel {}", exact(used.rel)), "gain linear".to_owned()];
    let scales = scales(report);
    if !scales.is_empty() {
        parts.push(format!("g_max {}", scales.join(" and ")));
    }
    parts.extend([format!("ties {}", used.ties), format!("over {}", used.over), format!("average {}", used.average)]);
    parts.push(level(used));
    parts.extend(used.min_overlap.map(|share| format!("min-overlap {}", exact(share))));
    parts.extend(used.budget.map(|tokens| format!("budget {}", counted(tokens, "token", "tokens"))));
    let unusual = [
        (used.no_relevant != "skip", format!("no-relevant {}", used.no_relevant)),
        (used.duplicates != "error", format!("duplicates {}", used.duplicates)),
        (used.drop_self, "drop-self".to_owned()),
        (!used.query_id_edits.is_empty(), "query ids edited".to_owned()),
        (!used.document_id_edits.is_empty(), "document ids edited".to_owned()),
        (used.ci != "auto", format!("ci {}", used.ci)),
    ];
    parts.extend(unusual.into_iter().filter_map(|(holds, text)| holds.then_some(text)));
    let like = used.like.as_ref().map_or_else(String::new, |like| format!("like {like}: "));
    Block::Conventions(like + &parts.join(", "))
}

/// What is judged, and what a cutoff counts.
fn level(used: &Conventions) -> String {
    let counts = match used.cut {
        Some("after") => " (k counts documents)",
        Some(_) => " (k counts chunks)",
        None => "",
    };
    match (&used.collapse, used.unit) {
        (Some(separator), _) => format!("level document (ids cut at {})", escaped(separator.as_bytes())),
        (None, "both") => format!("level {} and document{counts}", used.level),
        (None, _) => format!("level {}{counts}", used.level),
    }
}

/// The tops of the scales that measures take grades to have, each once.
fn scales(report: &Report) -> Vec<String> {
    let mut scales: Vec<String> = report.measures.iter().filter_map(|measure| measure.max_grade()).map(exact).collect();
    scales.sort();
    scales.dedup();
    scales
}
