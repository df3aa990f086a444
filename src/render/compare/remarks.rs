//! The words around the numbers: header, footnotes and limits.

use raglens::compare::{Adjust, Found, POWER, Pairs, Row, THIN, most_that_differ};
use raglens::measure::Better;
use raglens::stats::correction::Correction;
use raglens::stats::randomization::RandomizationMethod;

use super::report::Report;
use super::words;
use crate::render::Look;
use crate::render::number::{counted, exact, grouped, p_value, percent, queries, rounded_up, small_percent};
use crate::render::page::Block;
use crate::render::slicings::unseen;

/// What is compared, over how many queries.
pub fn title(report: &Report) -> Block {
    let count = queries(report.joined.queries.len() as u64);
    let asides = [(report.left_out.len(), "left out"), (report.joined.dropped.len(), "not in all runs")];
    let asides = asides.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    let asides: Vec<String> = asides.collect();
    let aside = if asides.is_empty() { String::new() } else { format!(" ({})", asides.join(", ")) };
    let name = match (report.pairs().as_slice(), report.plan.pairs) {
        ([(a, b)], _) => format!("{} against {}", report.name(*b), report.name(*a)),
        (_, Pairs::Baseline) => format!("{} runs against {}", report.joined.runs.len() - 1, report.name(0)),
        (_, Pairs::All) => format!("{} runs", report.joined.runs.len()),
    };
    Block::Title { name, facts: format!("{count}{aside}") }
}

/// The sides, the labels and the conventions in force.
pub fn conventions(report: &Report) -> Block {
    let mut parts = Vec::new();
    if let [(a, b)] = report.pairs()[..] {
        parts.push(format!("A = {}, B = {}", report.name(a), report.name(b)));
    }
    let labels = report.labels.as_ref().map(|labels| match labels.named_by.as_str() {
        "--labels" => format!("labels {}", labels.part.file.path),
        named_by => format!("labels {} ({named_by})", labels.part.file.path),
    });
    parts.extend(labels);
    let mut known: Vec<String> =
        ["like", "rel", "ties", "over"].iter().filter_map(|name| convention(report, name)).collect();
    known.extend(convention(report, "level").filter(|level| level != "level id"));
    known.push(format!("seed {}", report.plan.seed));
    parts.push(known.join(", "));
    Block::Conventions(parts.join("; "))
}

/// A convention in the words of the options, where it is known.
fn convention(report: &Report, name: &str) -> Option<String> {
    let (_, value) = report.conventions.iter().find(|(other, _)| other == name)?;
    let shown = match value.parse::<f64>() {
        Ok(number) => exact(number),
        Err(_) => value.trim_matches('"').to_owned(),
    };
    Some(format!("{name} {shown}"))
}

/// What the columns are, and what is special about a row.
pub fn footnotes(report: &Report, look: &Look) -> Option<Block> {
    let mut notes = vec![tests(report)];
    notes.extend(adjustment(report));
    notes.push(intervals(report));
    notes.extend([without_value(report), lower(report), neutral(report)].into_iter().flatten());
    notes.extend(identical(report));
    notes.extend(uncertain(report));
    notes.extend(also(report, look));
    Some(Block::Footnotes(notes))
}

fn tested(report: &Report) -> impl Iterator<Item = (&Row, &Found)> {
    report.comparison.rows.iter().filter_map(|row| Some((row, row.found.as_ref()?)))
}

fn tests(report: &Report) -> String {
    let errors = tested(report).filter_map(|(_, found)| match found.test.method {
        RandomizationMethod::MonteCarlo(draws) if !found.is_mid_p => Some(draws.standard_error),
        _ => None,
    });
    let errors: Vec<f64> = errors.collect();
    let is_mid = tested(report).any(|(_, found)| found.is_mid_p);
    let mid = if is_mid { "; the mid-p where all values are 0 or 1" } else { "" };
    let test = words::test(&report.plan);
    let largest = errors.iter().copied().fold(0.0, f64::max);
    match errors.len() {
        0 => format!("p: {test}, exact{mid}"),
        count => {
            let exact = if count < tested(report).count() { ", exact" } else { "" };
            let patterns = grouped(report.plan.resamples);
            let error = p_value(largest.max(1e-9), 1.0);
            format!("p: {test}{exact}; ~ {patterns} random sign patterns (s.e. {error}){mid}")
        }
    }
}

fn intervals(report: &Report) -> String {
    let alone = if report.comparison.rows.len() > 1 { ", each row by itself" } else { "" };
    format!("interval: {}{alone}", words::intervals(&report.plan))
}

fn adjustment(report: &Report) -> Option<String> {
    let family = &report.comparison.family;
    if family.size < 2 {
        return None;
    }
    let rows = counted(family.size as u64, "row", "rows");
    let method = words::adjustment(family.method);
    Some(match family.method {
        Adjust::By(Correction::None) => format!("{rows} are tested and p is not adjusted for it"),
        Adjust::By(Correction::BenjaminiHochberg) => {
            format!("p adj: {method} over the {rows}, which bounds the share of false findings, not their number")
        }
        Adjust::By(_) => format!("p adj: {method} over the {rows}"),
        Adjust::MaxT => {
            let several = report.joined.runs.len() > 2;
            let caution = if several { "; between several runs it holds for many queries only" } else { "" };
            format!("p adj: {method} over the {rows}, their signs flipped together{caution}")
        }
        Adjust::Tukey => format!(
            "p adj: {method} over the pairs of runs of each measure. It supposes that all runs are equal: one bad run hides the differences between the others, and runs that vary unequally make it find too much"
        ),
    })
}

/// The measures for which queries are left out because they have no value on one of the sides.
fn without_value(report: &Report) -> Option<String> {
    let rows = report.comparison.rows.iter().filter(|row| row.without_value > 0);
    let mut parts: Vec<String> =
        rows.map(|row| format!("{} {}", words::short(report.label(row.metric)), row.without_value)).collect();
    parts.dedup();
    (!parts.is_empty()).then(|| format!("queries without a value on both sides, left out: {}", parts.join(", ")))
}

fn lower(report: &Report) -> Option<String> {
    let lower = report.plan.metrics.iter().filter(|metric| metric.better == Better::Lower);
    let names: Vec<String> = lower.map(|metric| words::short(&metric.label)).collect();
    (!names.is_empty()).then(|| format!("less is better: {}", names.join(", ")))
}

fn neutral(report: &Report) -> Option<String> {
    let neutral = report.plan.metrics.iter().filter(|metric| metric.better == Better::Neither);
    let names: Vec<String> = neutral.map(|metric| words::short(&metric.label)).collect();
    (!names.is_empty()).then(|| format!("no verdict, as neither direction is better: {}", names.join(", ")))
}

fn identical(report: &Report) -> Vec<String> {
    let rows = tested(report).filter(|(_, found)| found.paired.is_identical());
    let mut lines: Vec<(usize, Vec<String>)> = Vec::new();
    for (row, found) in rows {
        let name = words::short(report.label(row.metric));
        match lines.iter_mut().find(|(n, _)| *n == found.paired.n) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => lines.push((found.paired.n, vec![name])),
        }
    }
    let line = |(n, names): (usize, Vec<String>)| {
        let share = small_percent(most_that_differ(n, 0.95));
        format!("{}: no query differs; with n = {n} at most {share} of all queries would (95%)", names.join(", "))
    };
    lines.into_iter().map(line).collect()
}

fn uncertain(report: &Report) -> Vec<String> {
    let rows = tested(report).filter(|(_, found)| found.is_uncertain(report.plan.alpha));
    rows.map(|(row, _)| format!("{}: {}", words::short(report.label(row.metric)), words::uncertain(&report.plan)))
        .collect()
}

/// Tests of other hypotheses, on request.
fn also(report: &Report, _: &Look) -> Vec<String> {
    let alpha = report.plan.alpha;
    let line = |(row, found): (&Row, &Found)| {
        let wilcoxon = found.wilcoxon.map(|test| format!("Wilcoxon p {}", p_value(test.p, alpha)));
        let sign = found.sign.map(|test| format!("sign test p {}", p_value(test.p, alpha)));
        let parts: Vec<String> = [wilcoxon, sign].into_iter().flatten().collect();
        let name = words::short(report.label(row.metric));
        (!parts.is_empty())
            .then(|| format!("{name}: {} (another null hypothesis: not about the mean)", parts.join(", ")))
    };
    tested(report).filter_map(line).collect()
}

/// What the numbers cannot tell.
pub fn limits(report: &Report, look: &Look) -> Option<Block> {
    let parts = [few(report), missed(report, look), unseen(&report.tags)];
    let sentences: Vec<String> = parts.into_iter().flatten().collect();
    (!sentences.is_empty()).then_some(Block::Remarks { word: "limits", sentences })
}

fn few(report: &Report) -> Option<String> {
    match report.joined.queries.len() {
        1 => Some("One query says nothing about others.".to_owned()),
        n if n < THIN => Some(format!("{n} queries are few: only large differences can be found.")),
        _ => None,
    }
}

/// The differences that these queries would miss too often.
fn missed(report: &Report, look: &Look) -> Option<String> {
    let mut found: Vec<String> = Vec::new();
    let [mut too_few, mut too_varied] = [const { Vec::<String>::new() }; 2];
    for metric in 0..report.plan.metrics.len() {
        let name = words::short(report.label(metric));
        let rows: Vec<&Found> = report.of_metric(metric).filter_map(|row| row.found.as_ref()).collect();
        let largest = rows.iter().filter_map(|found| found.detectable).reduce(f64::max);
        let fails = |found: &&&Found| found.detectable.is_none() && !found.paired.is_identical() && !found.all_equal();
        match (largest, rows.iter().find(fails)) {
            (Some(largest), _) => found.push(format!("{} ({name})", rounded_up(largest, look.digits))),
            (None, Some(failing)) if rows.len() == 1 => match failing.binary {
                Some(_) => too_few.push(name),
                None => too_varied.push(name),
            },
            _ => {}
        }
    }
    let n = report.joined.queries.len();
    let chance = percent(POWER);
    let could = (!found.is_empty()).then(|| {
        format!("Could be missed: with {} that vary like these, a true difference below {} is found less than {chance} of the time.", queries(n as u64), found.join(", "))
    });
    let vary = (!too_varied.is_empty()).then(|| {
        let names = words::list(&too_varied);
        format!("These queries vary so much on {names} that no difference there can be is found {chance} of the time.")
    });
    let cannot = (!too_few.is_empty()).then(|| {
        let names = words::list(&too_few);
        format!("So few queries differ on {names} that even if all went one way, that would be found less than {chance} of the time.")
    });
    let sentences: Vec<String> = [could, vary, cannot].into_iter().flatten().collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}
