//! The queries to look at first, each with the ranked lists of the runs.

use raglens::id::Id;

use super::Section;
use super::report::{QueryRow, QueryTable, Report};
use super::write::Html;
use crate::render::number::{counted, exact, fixed, rank, signed};
use crate::render::paragraph::first_words;
use crate::render::queries::report::{List, Listed, Relevant, Shown};

/// The section.
pub static SECTION: Section = Section { id: "details", class: "wide long", heading, body };

/// As much of the text of a document is shown.
const TEXT: usize = 160;
/// As much of the text of a query is.
const QUERY_TEXT: usize = 300;
/// As many relevant documents that a list lacks are named.
const MOST_MISSED: usize = 10;

fn heading(report: &Report) -> Option<String> {
    let first = report.tables.first()?;
    Some(if first.runs.len() > 1 { "Largest regressions" } else { "Lowest queries" }.to_owned())
}

fn body(report: &Report, html: &mut Html) {
    for table in &report.tables {
        let (shown, total) = (table.rows.len(), table.total);
        html.leaf("h3", &[], &table.heading);
        if shown < total {
            let text = format!("The first {shown} of {total}; --html-queries N or all shows more.");
            html.leaf("p", &[("class", &"quiet")], text);
        }
        html.element("div", &[("class", &"scroll")], |html| {
            html.element("table", &[], |html| rows(report, table, html));
        });
        html.line();
    }
    if report.tables.iter().flat_map(|table| &table.rows).any(|row| row.lists.is_some()) {
        let text = "✔ relevant with its grade · ✘ judged not relevant · ? nobody judged it.";
        html.leaf("p", &[("class", &"quiet")], text);
    }
}

fn rows(report: &Report, table: &QueryTable, html: &mut Html) {
    let has = |of: fn(&QueryRow) -> bool| table.rows.iter().any(of);
    let columns = Columns {
        text: has(|row| row.text.is_some()),
        tags: has(|row| !row.tags.is_empty()),
        lists: has(|row| row.lists.is_some()),
    };
    head(report, table, columns, html);
    for row in &table.rows {
        let class = if row.lists.is_some() { "with" } else { "" };
        html.element("tr", &[("class", &class)], |html| cells(report, row, columns, html));
        if let Some(shown) = &row.lists {
            let width = 1 + usize::from(columns.text) + usize::from(columns.tags) + table.runs.len() + 2;
            html.element("tr", &[], |html| {
                html.element("td", &[("colspan", &width)], |html| details(report, table, shown, html));
            });
        }
        html.line();
    }
}

/// Which columns there are beside the query and its values.
#[derive(Clone, Copy)]
struct Columns {
    text: bool,
    tags: bool,
    lists: bool,
}

fn head(report: &Report, table: &QueryTable, columns: Columns, html: &mut Html) {
    let mut all = vec![("query", "id")];
    all.extend(columns.text.then_some(("text", "")));
    all.extend(columns.tags.then_some(("tags", "")));
    all.extend(table.runs.iter().map(|&run| (report.runs[run], "n")));
    all.extend((table.runs.len() > 1).then_some(("Δ", "n")));
    all.extend(columns.lists.then_some(("first relevant", "")));
    html.element("tr", &[], |html| {
        for (text, class) in all {
            html.leaf("th", &[("scope", &"col"), ("class", &class)], text);
        }
    });
    html.line();
}

fn cells(report: &Report, row: &QueryRow, columns: Columns, html: &mut Html) {
    html.element("td", &[("class", &"id")], |html| html.leaf("code", &[], &row.query));
    if columns.text {
        let text = first_words(row.text.as_deref().unwrap_or_default(), QUERY_TEXT, "…");
        html.leaf("td", &[("class", &"text")], text);
    }
    if columns.tags {
        html.leaf("td", &[("class", &"text")], row.tags.join(", "));
    }
    values(report, row, html);
    if let Some(shown) = &row.lists {
        let first: Vec<String> = (0..shown.lists.len()).map(|side| rank(first_relevant(shown, side))).collect();
        html.leaf("td", &[], first.join(" → "));
    }
}

fn values(report: &Report, row: &QueryRow, html: &mut Html) {
    let shown = |value: Option<f64>| value.map_or_else(|| "n/a".to_owned(), |value| fixed(value, report.digits));
    for &value in &row.values {
        html.leaf("td", &[("class", &"n")], shown(value));
    }
    if let Some(difference) = row.difference() {
        let class = match report.leading().improves(difference) {
            Some(true) => "n better",
            Some(false) => "n worse",
            None => "n",
        };
        html.leaf("td", &[("class", &class)], signed(difference, report.digits));
    }
}

fn details(report: &Report, table: &QueryTable, shown: &Shown, html: &mut Html) {
    let depth = shown.lists.iter().map(|list| list.results.len()).max().unwrap_or(0);
    html.element("details", &[], |html| {
        let each = if table.runs.len() > 1 { " of each run" } else { "" };
        html.leaf("summary", &[], format_args!("top {depth}{each}"));
        html.element("div", &[("class", &"lists")], |html| {
            for (&run, list) in table.runs.iter().zip(&shown.lists) {
                html.element("div", &[], |html| ranking(report.runs[run], list, shown, html));
            }
        });
        missed(report, table, shown, depth as u64, html);
    });
}

/// The rank of the first relevant document in the list of a side.
fn first_relevant(shown: &Shown, side: usize) -> Option<u64> {
    shown.relevant.iter().filter_map(|relevant| *relevant.ranks.get(side)?).min()
}

fn ranking(name: &str, list: &List, shown: &Shown, html: &mut Html) {
    html.leaf("strong", &[], name);
    let length = match list.retrieved {
        None => " does not answer the query".to_owned(),
        Some(0) => " returned nothing".to_owned(),
        Some(count) => format!(" ({})", counted(count, "result", "results")),
    };
    html.leaf("span", &[("class", &"quiet")], length);
    html.element("table", &[], |html| {
        for (index, found) in list.results.iter().enumerate() {
            html.element("tr", &[], |html| {
                html.leaf("td", &[("class", &"n")], index + 1);
                mark(found, shown, html);
                html.element("td", &[("class", &"id")], |html| {
                    html.leaf("code", &[], &found.document);
                    text_of(&found.document, shown, html);
                });
            });
        }
    });
}

/// Whether a document is relevant: a sign, and in words what it means.
fn mark(found: &Listed, shown: &Shown, html: &mut Html) {
    let is_relevant = shown.relevant.iter().any(|relevant| relevant.document == found.document);
    match found.grade {
        Some(grade) if is_relevant => {
            let title = format!("relevant, grade {}", exact(grade));
            html.leaf("td", &[("class", &"better"), ("title", &title)], format_args!("✔ {}", exact(grade)));
        }
        Some(grade) => {
            let title = format!("judged not relevant, grade {}", exact(grade));
            html.leaf("td", &[("class", &"worse"), ("title", &title)], format_args!("✘ {}", exact(grade)));
        }
        None => html.leaf("td", &[("class", &"quiet"), ("title", &"not judged")], "?"),
    }
}

fn text_of(document: &Id, shown: &Shown, html: &mut Html) {
    if let Some((_, text)) = shown.texts.iter().find(|(id, _)| id == document) {
        html.void("br", &[]);
        html.leaf("span", &[("class", &"quiet")], first_words(text, TEXT, "…"));
    }
}

/// The relevant documents that stand in none of the lists, or not in all of them, with their ranks.
fn missed(report: &Report, table: &QueryTable, shown: &Shown, depth: u64, html: &mut Html) {
    let is_seen = |rank: &Option<u64>| rank.is_some_and(|rank| rank <= depth);
    let missed: Vec<&Relevant> = shown.relevant.iter().filter(|relevant| !relevant.ranks.iter().all(is_seen)).collect();
    if missed.is_empty() {
        return;
    }
    let names: Vec<&str> = table.runs.iter().map(|&run| report.runs[run]).collect();
    html.leaf("span", &[("class", &"quiet")], format_args!("Relevant, and their ranks in {}:", names.join(" and ")));
    html.element("table", &[], |html| {
        for relevant in missed.iter().take(MOST_MISSED) {
            html.element("tr", &[], |html| {
                html.element("td", &[("class", &"id")], |html| {
                    html.leaf("code", &[], &relevant.document);
                    text_of(&relevant.document, shown, html);
                });
                html.leaf("td", &[("class", &"quiet")], format_args!("grade {}", exact(relevant.grade)));
                for &found in &relevant.ranks {
                    html.leaf("td", &[("class", &"n")], rank(found));
                }
            });
        }
    });
    if missed.len() > MOST_MISSED {
        html.leaf("span", &[("class", &"quiet")], format_args!("and {} more", missed.len() - MOST_MISSED));
    }
}
