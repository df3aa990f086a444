//! The report of a comparison.

use raglens::compare::{Found, Metric, Pairs, Row};
use raglens::measure::{Better, Measure};
use raglens::notes::NoteKind;
use raglens::stats::verdict::Verdict;

use super::report::{
    Beside, Changes, Difference, FileFact, MANY, MeasurePart, QueryRow, QueryTable, Report, Score, SliceCell, SliceRow,
    rows_each,
};
use crate::render::Look;
use crate::render::compare::report::Report as Comparison;
use crate::render::compare::{answer, gates, json, remarks, words};
use crate::render::eval::limits::{Shares, unjudged_of};
use crate::render::eval::report::{letter, row_name};
use crate::render::flags;
use crate::render::number::{counted, p_value};
use crate::render::page::Block;

/// As many runs are named in the title.
pub(super) const NAMED: usize = 5;

/// The report of a comparison, but for the ranked lists of its queries.
pub fn report<'a>(found: &'a Comparison, beside: Beside, look: &Look) -> Report<'a> {
    let measures: Vec<MeasurePart> = found.plan.metrics.iter().map(|metric| measure(metric, look)).collect();
    let leading = leading(found);
    let scores = scores(found, &beside, &measures);
    let measures = measures.into_iter().enumerate().map(|(index, part)| {
        let seen = scores.iter().filter_map(|scores| scores[index].value).fold(0.0, f64::max);
        MeasurePart { top: if part.top.is_finite() { part.top } else { seen }, ..part }
    });
    let measures: Vec<MeasurePart> = measures.collect();
    let changes: Vec<Changes> = found.of_metric(leading).filter_map(|row| changes(found, row, &measures)).collect();
    let tables = tables(found, &changes, beside.most_queries);
    let is_json_short = found.joined.queries.len() > MANY;
    let (name, size) = title(found);
    Report {
        title: name,
        size,
        conventions: first(Some(remarks::conventions(found))),
        sentences: sentences(answer::answer(found, look)),
        outcome: (!found.comparison.gates.is_empty()).then(|| found.comparison.outcome()),
        gates: gates::shown(found).map(|gate| (gate.outcome, gates::words(found, gate, look))).collect(),
        gate_notes: if found.comparison.gates.is_empty() { Vec::new() } else { gates::notes(found, look) },
        files: files(found, &beside),
        runs: found.joined.runs.iter().map(|run| run.name.as_str()).collect(),
        score_notes: score_notes(found, &scores),
        differences: found.comparison.rows.iter().filter_map(|row| difference(found, row)).collect(),
        difference_notes: sentences(remarks::footnotes(found, look)),
        margin: found.plan.margin,
        slices: slices(found, leading),
        histograms: beside.runs.iter().map(|run| run.columns.get(leading)?.1).collect(),
        limits: limits(found, &beside, look),
        notes: &found.notes,
        json: json::render(found, !is_json_short),
        is_json_short,
        digits: look.digits,
        stamp: beside.stamp,
        cutoffs: beside.cutoffs,
        beside: beside.runs,
        measures,
        leading,
        scores,
        changes,
        tables,
    }
}

/// The sentences of a part of the page.
pub(super) fn sentences(block: Option<Block>) -> Vec<String> {
    match block {
        Some(Block::Answer(text) | Block::Conventions(text)) => vec![text],
        Some(Block::Footnotes(sentences) | Block::Remarks { sentences, .. }) => sentences,
        _ => Vec::new(),
    }
}

/// The same as one text.
pub(super) fn first(block: Option<Block>) -> String {
    sentences(block).join(" ")
}

fn title(found: &Comparison) -> (String, String) {
    let measures: Vec<String> = found.plan.metrics.iter().take(4).map(|metric| words::short(&metric.label)).collect();
    let more = if found.plan.metrics.len() > measures.len() { ", …" } else { "" };
    let runs: Vec<&str> = found.joined.runs.iter().map(|run| run.name.as_str()).collect();
    match remarks::title(found) {
        Block::Title { facts, .. } if (3..=NAMED).contains(&runs.len()) => {
            let name = match found.plan.pairs {
                Pairs::Baseline => format!("{} against {}", words::list(&runs[1..]), runs[0]),
                Pairs::All => words::list(&runs),
            };
            (format!("{name}: {}{more}", measures.join(", ")), facts)
        }
        Block::Title { name, facts } => (format!("{name}: {}{more}", measures.join(", ")), facts),
        _ => Default::default(),
    }
}

/// The first measure on which any pair differs, of which the changed queries are shown.
fn leading(found: &Comparison) -> usize {
    let differs = |row: &&Row| row.found.as_ref().is_some_and(|found| !found.paired.is_identical());
    found.comparison.rows.iter().find(differs).map_or(0, |row| row.metric)
}

fn measure(metric: &Metric, look: &Look) -> MeasurePart {
    let measure = Measure::parse(&metric.label).ok();
    MeasurePart {
        name: words::short(&metric.label),
        parts: measure
            .as_ref()
            .map_or_else(|| (metric.label.clone(), None), |measure| (row_name(measure), measure.params().cutoff())),
        better: metric.better,
        top: metric.range.map_or(f64::INFINITY, |range| range.high),
        digits: look.digits,
        definition: measure.map(|measure| measure.definition()),
    }
}

/// The means of every run, with the letters of the runs that it is better than.
fn scores(found: &Comparison, beside: &Beside, measures: &[MeasurePart]) -> Vec<Vec<Score>> {
    let runs = found.joined.runs.len();
    let mut scores = vec![vec![Score::default(); measures.len()]; runs];
    for row in &found.comparison.rows {
        let Some(of_row) = &row.found else { continue };
        let sides = [(row.a, of_row.paired.mean_a), (row.b, of_row.paired.mean_b)];
        for (run, mean) in sides {
            scores[run][row.metric].value.get_or_insert(mean);
        }
        match of_row.verdict {
            Some(Verdict::Better) => scores[row.b][row.metric].mark.push_str(&letter(row.a)),
            Some(Verdict::Worse) => scores[row.a][row.metric].mark.push_str(&letter(row.b)),
            _ => {}
        }
    }
    for (run, scores) in scores.iter_mut().enumerate() {
        for (score, (interval, _)) in scores.iter_mut().zip(&beside.runs[run].columns) {
            score.interval = *interval;
        }
    }
    mark_best(&mut scores, measures);
    scores
}

/// Marks the best of several runs on every measure of which one direction is better.
pub(super) fn mark_best(scores: &mut [Vec<Score>], measures: &[MeasurePart]) {
    for (index, measure) in measures.iter().enumerate() {
        let values: Vec<f64> = scores.iter().filter_map(|scores| scores[index].value).collect();
        let (low, high) = values
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| (low.min(value), high.max(value)));
        let best = match measure.better {
            Better::Higher => high,
            Better::Lower => low,
            Better::Neither => continue,
        };
        if low < high {
            scores.iter_mut().for_each(|scores| scores[index].is_best = scores[index].value == Some(best));
        }
    }
}

fn score_notes(found: &Comparison, scores: &[Vec<Score>]) -> Vec<String> {
    let level = words::level(&found.plan);
    let mut notes = vec![format!(
        "Mean over the queries, with its {level} interval; bold is the highest, or the lowest where less is better. Look at the differences before you choose."
    )];
    if scores.iter().flatten().any(|score| !score.mark.is_empty()) {
        notes.push("Letters: better than that run, beyond chance.".to_owned());
    }
    notes
}

fn files(found: &Comparison, beside: &Beside) -> Vec<FileFact> {
    let labels = found.labels.iter().map(|labels| FileFact {
        role: "labels".to_owned(),
        path: labels.part.file.path.clone(),
        read_as: labels.part.file.read_as_name(),
        bytes: labels.part.file.bytes,
        hash: Some(labels.part.hash.clone()),
    });
    let runs = found.files.iter().zip(&beside.runs).enumerate().map(|(index, (run, beside))| FileFact {
        role: found.name(index).to_owned(),
        path: run.file.path.clone(),
        read_as: run.file.read_as_name(),
        bytes: run.file.bytes,
        hash: beside.hash.clone(),
    });
    labels.chain(runs).collect()
}

fn difference(report: &Comparison, row: &Row) -> Option<Difference> {
    let found = row.found.as_ref()?;
    Some(Difference {
        measure: row.metric,
        pair: (row.a, row.b),
        mean: found.paired.mean_difference,
        interval: found.interval,
        verdict: found.verdict,
        words: words::verdict(found),
        p_name: if found.adjusted_p.is_some() { "p adj" } else { "p" },
        p: found.adjusted_p.map_or_else(|| words::p(found, report.plan.alpha), |p| p_value(p, report.plan.alpha)),
    })
}

fn changes(report: &Comparison, row: &Row, measures: &[MeasurePart]) -> Option<Changes> {
    let found = row.found.as_ref()?;
    let all = found.queries.iter().zip(&found.paired.differences);
    let all = all.map(|(&query, &difference)| (report.joined.queries[query].clone(), difference)).collect();
    Some(Changes::new(&measures[row.metric], row.metric, (row.a, row.b), all))
}

/// The queries that got worse, a table per pair of runs.
fn tables(report: &Comparison, changes: &[Changes], most: usize) -> Vec<QueryTable> {
    let each = rows_each(most, changes.len());
    let of = |changes: &Changes| {
        let (a, b) = changes.pair;
        let losses = changes.losses();
        let row = |query: &&raglens::id::Id| {
            let position = report.joined.queries.binary_search(query).ok()?;
            let value = |run: usize| report.joined.runs[run].columns[changes.measure][position];
            let text = report.texts.get(position).cloned().flatten();
            Some(QueryRow { text, ..QueryRow::new((*query).clone(), vec![value(a), value(b)]) })
        };
        QueryTable {
            heading: format!(
                "{} against {} on {}",
                report.name(b),
                report.name(a),
                words::short(report.label(changes.measure))
            ),
            runs: vec![a, b],
            rows: losses.iter().take(each).filter_map(row).collect(),
            total: losses.len(),
        }
    };
    changes.iter().map(of).filter(|table| table.total > 0).collect()
}

fn slices(report: &Comparison, leading: usize) -> Vec<SliceRow> {
    let count = report.plan.slices.len();
    let of_rows = report.comparison.slices.chunks(count.max(1));
    let parts: Vec<&[Row]> = of_rows.filter(|rows| rows[0].metric == leading && rows[0].a == 0).collect();
    let slice = |(index, slice): (usize, &raglens::compare::Slice)| {
        let mut cells = vec![SliceCell::default(); report.joined.runs.len()];
        for row in parts.iter().map(|rows| &rows[index]) {
            let Some(found) = &row.found else { continue };
            cells[0].value.get_or_insert(found.paired.mean_a);
            cells[row.b] = cell(found);
        }
        SliceRow { name: raglens::id::escaped(slice.name().as_bytes()), queries: vec![slice.members.len()], cells }
    };
    report.plan.slices.iter().enumerate().map(slice).collect()
}

fn cell(found: &Found) -> SliceCell {
    SliceCell {
        value: Some(found.paired.mean_b),
        difference: Some(found.paired.mean_difference),
        verdict: found.verdict,
        words: words::verdict(found),
    }
}

fn limits(report: &Comparison, beside: &Beside, look: &Look) -> Vec<String> {
    let mut limits = sentences(remarks::limits(report, look));
    let judged: Option<Vec<(u64, f64)>> = beside.runs.iter().map(|run| run.judged).collect();
    let cutoff = judged.as_ref().and_then(|judged| Some(judged.first()?.0));
    if let (Some(judged), Some(cutoff)) = (judged, cutoff) {
        let shares = judged.into_iter().map(|(_, share)| share).collect();
        let is_positive_only = report.labels.as_ref().is_some_and(|labels| labels.part.positive_only);
        limits.extend(unjudged_of(&Shares { cutoff, shares, is_positive_only }, look));
    }
    limits.extend(missing(&report.notes));
    let thin = report.plan.slices.iter().filter(|slice| slice.members.len() < raglens::compare::THIN).count();
    limits.extend(thin_slices(thin));
    limits
}

/// The notes on queries that a run does not answer.
pub(super) fn missing(notes: &raglens::notes::Notes) -> impl Iterator<Item = String> {
    let is_missing =
        |kind: NoteKind| matches!(kind, NoteKind::MissingQueries | NoteKind::NotInCommon | NoteKind::NotInAll);
    notes.iter().filter(move |note| is_missing(note.kind)).map(|note| ended(flags::note(note)))
}

/// A sentence with its full stop, unless it ends in dots.
fn ended(text: String) -> String {
    if text.ends_with("...") { text } else { text + "." }
}

/// A sentence on slices with few queries.
pub(super) fn thin_slices(count: usize) -> Option<String> {
    let least = raglens::compare::THIN;
    let have = counted(count as u64, "slice has", "slices have");
    (count > 0).then(|| format!("{have} fewer than {least} queries, where only large differences can be found."))
}
