//! The words around the numbers: header, footnotes, limits and the sentence that answers.

use raglens::scores::QueryScores;

use super::report::{Conventions, LEVEL, Report, RunPart, is_count, row_name, short_name};
use crate::render::Look;
use crate::render::number::{exact, fixed, percent, queries};
use crate::render::page::Block;

/// An attainable mean below this explains why a number is low.
const EXPLAINS: f64 = 0.8;

/// What the page is about: queries and relevant documents, and who is left out.
pub fn title(report: &Report) -> Block {
    let relevant = crate::render::number::counted(report.labels.relevant, "relevant document", "relevant documents");
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

/// The conventions in force, in the words of the options.
pub fn conventions(report: &Report) -> Block {
    let Conventions { rel, max_grade, ties, over, average, level, .. } = &report.conventions;
    let scale = if uses_scale(report) { format!(", g_max {}", exact(*max_grade)) } else { String::new() };
    let text =
        format!("rel {}, gain linear{scale}, ties {ties}, over {over}, average {average}, level {level}", exact(*rel));
    Block::Conventions(text)
}

/// Whether a measure takes the largest grade of the labels as the top of its scale.
fn uses_scale(report: &Report) -> bool {
    report.measures.iter().any(|measure| {
        let name = measure.definition().name;
        name == "err" || (name == "rbp" && measure.params().word("gain") == Some("graded"))
    })
}

/// Remarks under the tables of one run: what is open, where n differs, what is attainable, what
/// cannot be shown.
pub fn footnotes(report: &Report, run: &RunPart, look: &Look) -> Option<Block> {
    let notes = [
        without_value(report, run),
        open_rbp(report, run, look),
        attainable(report, run, look),
        differing_n(report, run),
        hidden(report, run),
    ];
    let notes: Vec<String> = notes.into_iter().flatten().collect();
    (!notes.is_empty()).then_some(Block::Footnotes(notes))
}

/// Between what and what rbp lies, whatever the unjudged results are.
fn open_rbp(report: &Report, run: &RunPart, look: &Look) -> Option<String> {
    let range = |index: usize| {
        let rbp = run.mean(index)?;
        let residual = run.mean(report.residual_of(index)?)?;
        let [residual, low, high] = [residual, rbp, (rbp + residual).min(1.0)].map(|value| fixed(value, look.digits));
        let label = report.measures[index].label();
        Some(format!("{label} has a residual of {residual}: with every label it would be {low} to {high}"))
    };
    let texts: Vec<String> = (0..report.measures.len()).filter_map(range).collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// The measures whose number of queries is not that of the header.
fn differing_n(report: &Report, run: &RunPart) -> Option<String> {
    let mut groups: Vec<(u64, Vec<String>)> = Vec::new();
    for (measure, column) in report.measures.iter().zip(&run.columns) {
        let n = column.summary.n;
        match groups.iter_mut().find(|(other, _)| *other == n) {
            _ if n == run.scored() || n == 0 => {}
            Some((_, names)) => names.push(short_name(measure)),
            None => groups.push((n, vec![short_name(measure)])),
        }
    }
    let texts: Vec<String> = groups.iter().map(|(n, names)| format!("n = {n} for {}", names.join(", "))).collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// Why some measures have no value at all.
fn without_value(report: &Report, run: &RunPart) -> Option<String> {
    let without = run.columns.iter().filter(|column| column.summary.n == 0).count();
    let rel = exact(report.conventions.rel);
    (without > 0).then(|| format!("n/a: no query counts; `--rel` ({rel} here) and rel= set the grade that is relevant"))
}

/// The measures that stand as n/a, with the reason.
fn hidden(report: &Report, run: &RunPart) -> Option<String> {
    let columns = report.measures.iter().zip(&run.columns);
    let hidden = columns.filter(|(_, column)| column.caveat.is_some_and(|caveat| caveat.hides));
    let mut names: Vec<String> = hidden.map(|(measure, _)| row_name(measure)).collect();
    names.dedup();
    let reason = "need documents judged not relevant (grade 0), and the labels hold none";
    (!names.is_empty()).then(|| format!("n/a: {} {reason}", names.join(", ")))
}

/// How high a mean could be, where that explains a low number.
fn attainable(report: &Report, run: &RunPart, look: &Look) -> Option<String> {
    let columns = report.measures.iter().zip(&run.columns);
    let best = columns.filter_map(|(measure, column)| {
        let best = column.summary.attainable.filter(|&best| best < EXPLAINS)?;
        Some(format!("{} {}", short_name(measure), fixed(best, look.digits)))
    });
    let texts: Vec<String> = best.collect();
    (!texts.is_empty()).then(|| format!("attainable with these labels: {}", texts.join(", ")))
}

/// What the numbers cannot tell.
pub fn limits(report: &Report, look: &Look) -> Option<Block> {
    let sentences: Vec<String> =
        [few_queries(report), unjudged(report, look), at_zero(report)].into_iter().flatten().collect();
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

fn unjudged(report: &Report, look: &Look) -> Option<String> {
    if report.labels.positive_only {
        return Some(
            "The labels name only relevant documents, so what is unjudged cannot be told from what is not relevant."
                .to_owned(),
        );
    }
    let judged = report.measures.iter().enumerate().filter(|(_, measure)| measure.definition().name == "judged");
    let (index, cutoff) =
        judged.filter_map(|(index, measure)| Some((index, measure.params().cutoff()?))).max_by_key(|found| found.1)?;
    let shares: Vec<f64> = report.runs.iter().filter_map(|run| run.mean(index)).collect();
    let rises = "with more labels hit, precision, mrr and rbp can only rise; recall, map and ndcg can move either way.";
    match shares[..] {
        [share] if share < 1.0 => Some(format!(
            "{} of the first {cutoff} results is unjudged and counts as not relevant: {rises}",
            percent(1.0 - share)
        )),
        [_, _, ..] if shares.iter().any(|&share| share < 1.0) => {
            let values: Vec<String> = shares.iter().map(|&share| fixed(share, look.digits)).collect();
            let values = if values.len() > 4 { String::new() } else { format!(" ({})", values.join(", ")) };
            Some(format!(
                "What is unjudged in the first {cutoff}{values} counts as not relevant, so a run that returns more of it looks worse than it may be."
            ))
        }
        _ => None,
    }
}

/// The queries for which nothing was found down to the largest cutoff.
fn at_zero(report: &Report) -> Option<String> {
    let [run] = &report.runs[..] else { return None };
    let hits = report
        .measures
        .iter()
        .enumerate()
        .filter(|(_, measure)| matches!(measure.definition().name, "hit" | "recall" | "mrr") && !is_count(measure));
    let (index, cutoff) =
        hits.filter_map(|(index, measure)| Some((index, measure.params().cutoff()?))).max_by_key(|found| found.1)?;
    let is_zero = |row: &&QueryScores| row.cells[index].value() == Some(0.0);
    let found: Vec<String> = run.table.rows.iter().filter(is_zero).map(|row| row.query.to_string()).collect();
    let more = found.len().saturating_sub(3);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let have = if found.len() == 1 { "has" } else { "have" };
    (!found.is_empty()).then(|| {
        let (count, first) = (queries(found.len() as u64), found[..found.len().min(3)].join(", "));
        format!("{count} {have} no relevant document in the first {cutoff}: {first}{more}.")
    })
}

/// The sentence that answers the question.
pub fn answer(report: &Report, look: &Look) -> Option<Block> {
    match &report.runs[..] {
        [run] => one_run(report, run, look).map(Block::Answer),
        _ => several_runs(report).map(Block::Answer),
    }
}

/// The measure that the answer is about: recall at the first cutoff, else the first one.
fn leading(report: &Report) -> Option<usize> {
    let usable = |&index: &usize| {
        let measure = &report.measures[index];
        let shown = |run: &RunPart| run.mean(index).is_some() && run.columns[index].caveat.is_none();
        !super::report::is_neutral(measure) && !is_count(measure) && report.runs.iter().all(shown)
    };
    let mut indices = (0..report.measures.len()).filter(usable);
    let is_recall = |&index: &usize| {
        let measure = &report.measures[index];
        measure.definition().name == "recall"
            && measure.params().cutoff().is_some()
            && !measure.params().flag("condensed")
    };
    let recall = indices.clone().find(is_recall);
    recall.or_else(|| indices.next())
}

fn one_run(report: &Report, run: &RunPart, look: &Look) -> Option<String> {
    let index = leading(report)?;
    let (measure, column) = (&report.measures[index], &run.columns[index]);
    let mean = column.summary.mean?;
    let level = percent(LEVEL);
    let zero = column.summary.zero_share.filter(|&share| share > 0.0 && column.summary.n > 1).map(percent);
    let is_recall = measure.definition().name == "recall" && report.conventions.is_macro;
    if let (true, Some(k)) = (is_recall, measure.params().cutoff()) {
        let within = column.interval.map(|found| {
            let ends = [found.interval.low, found.interval.high].map(percent);
            format!(" ({level} interval {} to {})", ends[0], ends[1])
        });
        let none = zero.map(|share| format!("; {share} of the queries get none"));
        return Some(format!(
            "The first {} {} of a query's relevant documents on average{}{}.",
            if k == 1 { "result holds".to_owned() } else { format!("{k} results hold") },
            percent(mean),
            within.unwrap_or_default(),
            none.unwrap_or_default()
        ));
    }
    let number = |value: f64| fixed(value, look.digits);
    let within = column
        .interval
        .map(|found| format!(" ({level} interval {} to {})", number(found.interval.low), number(found.interval.high)));
    let none = zero.map(|share| format!("; {share} of them score 0"));
    Some(format!(
        "{} is {}{} over {}{}.",
        short_name(measure),
        number(mean),
        within.unwrap_or_default(),
        queries(column.summary.n),
        none.unwrap_or_default()
    ))
}

fn several_runs(report: &Report) -> Option<String> {
    let indices: Vec<usize> = super::several_runs::main_measures(report)
        .into_iter()
        .filter(|&index| {
            !super::report::is_neutral(&report.measures[index])
                && report.runs.iter().all(|run| run.mean(index).is_some())
        })
        .collect();
    let best = |index: usize| {
        let values = report.runs.iter().map(|run| run.mean(index).unwrap_or(f64::NEG_INFINITY));
        let highest = values.clone().fold(f64::NEG_INFINITY, f64::max);
        let names = report.runs.iter().zip(values).filter(|(_, value)| *value == highest);
        names.map(|(run, _)| run.name.as_str()).collect::<Vec<&str>>()
    };
    let first = *indices.first()?;
    let leaders = best(first);
    let caution = "no test was made of whether that is more than chance.";
    if leaders.len() == 1 && indices.iter().all(|&index| best(index) == leaders) {
        let what =
            if indices.len() == 1 { short_name(&report.measures[first]) } else { "every measure shown".to_owned() };
        return Some(format!("{} is highest on {what}; {caution}", leaders[0]));
    }
    let mut parts: Vec<(Vec<&str>, Vec<String>)> = Vec::new();
    for &index in &indices {
        let (names, label) = (best(index), short_name(&report.measures[index]));
        match parts.iter_mut().find(|(others, _)| *others == names) {
            Some((_, labels)) => labels.push(label),
            None => parts.push((names, vec![label])),
        }
    }
    let texts = parts.iter().map(|(names, labels)| format!("{} on {}", names.join(" and "), labels.join(", ")));
    Some(format!("Highest: {}; {caution}", texts.collect::<Vec<String>>().join("; ")))
}
