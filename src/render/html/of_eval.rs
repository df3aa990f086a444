//! The report of an evaluation.

use std::collections::HashMap;

use raglens::id::Id;
use raglens::measure::{Better, Measure};
use raglens::stats::equivalence::Outcome;

use super::of_compare::{NAMED, first, mark_best, missing, sentences, thin_slices};
use super::report::{
    Beside, Changes, Differences, FileFact, Gates, MANY, MeasurePart, QueryRow, QueryTable, Report, Score, SliceCell,
    SliceRow, rows_each,
};
use crate::render::Look;
use crate::render::compare::gates::NO_CONFIDENCE;
use crate::render::compare::words::list;
use crate::render::eval::report::{Report as Evaluation, RunPart, SlicePart, is_count, letter, row_name, short_name};
use crate::render::eval::slices::{ByName, by_name, name_of, of_any_run, queries_of};
use crate::render::eval::{answer, footnotes, gates, header, json, limits, several_runs};
use crate::render::number::fixed;
use crate::render::page::Block;

/// The report of an evaluation, but for the ranked lists of its queries.
pub fn report<'a>(found: &'a Evaluation<'_>, beside: Beside, look: &Look) -> Report<'a> {
    let shown = shown(found);
    let leading = answer::leading(found).filter(|index| shown.contains(index)).unwrap_or(shown[0]);
    let (measures, scores) = measures_and_scores(found, &shown, look);
    let place = shown.iter().position(|&index| index == leading).unwrap_or(0);
    let changes = changes(found, leading, place, &measures);
    let is_json_short = is_json_short(found);
    let (title, size) = title(found);
    let slices = slices(found, leading);
    Report {
        title,
        size,
        conventions: first(Some(header::conventions(found))),
        sentences: sentences(answer::answer(found, look)),
        gates: (!found.gates.is_empty()).then(|| gates_of(found, look)),
        files: files(found, &beside),
        runs: found.runs.iter().map(|run| run.name.as_str()).collect(),
        score_notes: score_notes(found, look),
        differences: Differences::default(),
        histograms: found.runs.iter().map(|run| run.columns[leading].histogram).collect(),
        limits: limits_of(found, leading, &slices, look),
        slices,
        tables: tables(found, leading, &measures[place], &changes, beside.most_queries),
        notes: &found.notes,
        json: json::render(found, found.shown.per_query && !is_json_short),
        is_json_short,
        digits: look.digits,
        stamp: beside.stamp,
        cutoffs: beside.cutoffs,
        beside: beside.runs,
        leading: place,
        measures,
        scores,
        changes,
    }
}

/// The measures that are shown: of one run all, of several the main ones, as far as they
/// mean something.
fn shown(found: &Evaluation) -> Vec<usize> {
    let is_hidden = |index: usize| found.runs.iter().all(|run| run.columns[index].caveat.is_some_and(|why| why.hides));
    let mut all: Vec<usize> = match &found.runs[..] {
        [_] => (0..found.measures.len()).collect(),
        _ => several_runs::main_measures(found),
    };
    all.retain(|&index| !is_hidden(index));
    if all.is_empty() { (0..found.measures.len()).collect() } else { all }
}

/// The measures at these places, and the score of every run on each.
fn measures_and_scores(found: &Evaluation, shown: &[usize], look: &Look) -> (Vec<MeasurePart>, Vec<Vec<Score>>) {
    let mut measures: Vec<MeasurePart> = shown.iter().map(|&index| measure(&found.measures[index], look)).collect();
    let of_run = |run: usize| shown.iter().map(|&index| score(found, run, index)).collect();
    let mut scores: Vec<Vec<Score>> = (0..found.runs.len()).map(of_run).collect();
    for (index, part) in measures.iter_mut().enumerate().filter(|(_, part)| !part.top.is_finite()) {
        part.top = scores.iter().filter_map(|scores| scores[index].value).fold(0.0, f64::max);
    }
    mark_best(&mut scores, &measures);
    (measures, scores)
}

/// Whether the values of single queries are too many for the page.
fn is_json_short(found: &Evaluation) -> bool {
    let queries = found.runs.iter().map(RunPart::scored).max().unwrap_or(0) as usize;
    queries > MANY && found.shown.per_query
}

fn gates_of(found: &Evaluation, look: &Look) -> Gates {
    Gates {
        outcome: Outcome::of_all(found.gates.iter().map(|gate| gate.outcome)),
        rows: found.gates.iter().map(|gate| (gate.outcome, gates::words(found, gate, look))).collect(),
        notes: vec![NO_CONFIDENCE.to_owned()],
    }
}

fn title(found: &Evaluation) -> (String, String) {
    let Block::Title { name, facts } = header::title(found) else { return Default::default() };
    match found.runs.len() {
        2..=NAMED => (list(&found.runs.iter().map(|run| run.name.as_str()).collect::<Vec<&str>>()), facts),
        _ => (name, facts),
    }
}

fn measure(measure: &Measure, look: &Look) -> MeasurePart {
    let definition = measure.definition();
    MeasurePart {
        name: short_name(measure),
        parts: (row_name(measure), measure.params().cutoff()),
        better: definition.better,
        top: definition.range.1,
        digits: if is_count(measure) { 0 } else { look.digits },
        definition: Some(definition),
    }
}

fn score(found: &Evaluation, run: usize, index: usize) -> Score {
    let column = &found.runs[run].columns[index];
    let beaten = found.letters.get(index).map_or(&[][..], |runs| &runs[run]);
    Score {
        value: column.summary.value(),
        interval: column.interval.map(|found| found.interval),
        mark: beaten.iter().map(|&other| letter(other)).collect(),
        is_best: false,
    }
}

fn score_notes(found: &Evaluation, look: &Look) -> Vec<String> {
    let mut notes = match &found.runs[..] {
        [run] => sentences(footnotes::of_one(found, run, look)),
        _ => footnotes::about_several(found),
    };
    notes.insert(0, what_is_shown(found).to_owned());
    notes
}

/// What the scores are.
fn what_is_shown(found: &Evaluation) -> &'static str {
    let shown = shown(found);
    match found.runs.iter().any(|run| shown.iter().any(|&index| run.columns[index].interval.is_some())) {
        _ if shown.iter().all(|&index| is_count(&found.measures[index])) => "Sum over the queries.",
        _ if !found.conventions.is_macro => "Micro average: all queries pooled, for which there is no interval.",
        true => "Mean over the queries, with its 95% interval.",
        false => "Mean over the queries.",
    }
}

fn files(found: &Evaluation, beside: &Beside) -> Vec<FileFact> {
    let fact = |role: &str, file: &crate::render::eval::report::FilePart, hash: Option<String>| FileFact {
        role: role.to_owned(),
        path: file.path.clone(),
        read_as: file.read_as_name(),
        bytes: file.bytes,
        hash,
    };
    let labels = fact("labels", &found.labels.file, found.labels.hash.clone());
    let runs = found.runs.iter().zip(&beside.runs).map(|(run, beside)| fact(&run.name, &run.file, beside.hash.clone()));
    let others = found.more_files.iter().map(|file| fact("", file, None));
    std::iter::once(labels).chain(runs).chain(others).collect()
}

/// The values of a run on a measure by query.
fn values(run: &RunPart, index: usize) -> Vec<(Id, f64)> {
    let table = &run.table;
    table.queries().zip(table.values(index)).filter_map(|(query, value)| Some((query.clone(), value?))).collect()
}

/// How every other run differs from the first.
fn changes(found: &Evaluation, index: usize, place: usize, measures: &[MeasurePart]) -> Vec<Changes> {
    if found.runs.len() < 2 {
        return Vec::new();
    }
    let first: HashMap<Id, f64> = values(&found.runs[0], index).into_iter().collect();
    let of = |run: usize| {
        let both = values(&found.runs[run], index).into_iter();
        let all = both.filter_map(|(query, value)| Some((query.clone(), value - first.get(&query)?))).collect();
        Changes::new(&measures[place], place, (0, run), all)
    };
    (1..found.runs.len()).map(of).collect()
}

/// Of one run the queries with the lowest values, of several those that lost most.
fn tables(found: &Evaluation, index: usize, part: &MeasurePart, changes: &[Changes], most: usize) -> Vec<QueryTable> {
    if let [run] = &found.runs[..] {
        // Of a count, or of what is neither good nor bad, no value is low.
        let says_how_good = part.better != Better::Neither && !is_count(&found.measures[index]);
        return lowest(run, index, part, most).filter(|_| says_how_good).into_iter().collect();
    }
    let each = rows_each(most, changes.len());
    let tables: Vec<HashMap<Id, f64>> = found.runs.iter().map(|run| values(run, index).into_iter().collect()).collect();
    let of = |changes: &Changes| {
        let (a, b) = changes.pair;
        let losses = changes.losses();
        let value = |run: usize, query: &Id| tables[run].get(query).copied();
        let row = |query: &&Id| QueryRow::new((*query).clone(), vec![value(a, query), value(b, query)]);
        QueryTable {
            heading: format!("{} against {} on {}", found.runs[b].name, found.runs[a].name, part.name),
            runs: vec![a, b],
            rows: losses.iter().take(each).map(row).collect(),
            total: losses.len(),
        }
    };
    changes.iter().map(of).filter(|table| table.total > 0).collect()
}

fn lowest(run: &RunPart, index: usize, part: &MeasurePart, most: usize) -> Option<QueryTable> {
    let mut low: Vec<(Id, f64)> = values(run, index).into_iter().filter(|(_, value)| *value < part.top).collect();
    low.sort_by(|x, y| x.1.total_cmp(&y.1));
    let total = low.len();
    let rows = low.into_iter().take(most).map(|(query, value)| QueryRow::new(query, vec![Some(value)]));
    // The top of a scale is a whole number; without a scale it is the highest mean.
    let top = fixed(part.top, if part.top.fract() == 0.0 { 0 } else { part.digits });
    let heading = format!("{} below {top}", part.name);
    (total > 0).then(|| QueryTable { heading, runs: vec![0], rows: rows.collect(), total })
}

fn slices(found: &Evaluation, index: usize) -> Vec<SliceRow> {
    let of_runs: Vec<ByName> = found.runs.iter().map(by_name).collect();
    let row = |part: &SlicePart| {
        let means = of_runs.iter().map(|slices| slices.get(&name_of(part))?.columns[index].summary.mean);
        let means: Vec<Option<f64>> = means.collect();
        let base = if let [run] = &found.runs[..] { run.mean(index) } else { means[0] };
        let cell = |(run, &value): (usize, &Option<f64>)| {
            let is_base = run == 0 && found.runs.len() > 1;
            let difference = value.zip(base).map(|(value, base)| value - base).filter(|_| !is_base);
            SliceCell { value, difference, verdict: None, words: "" }
        };
        let cells = means.iter().enumerate().map(cell).collect();
        let name = raglens::id::escaped(part.slice.name().as_bytes());
        SliceRow { name, queries: queries_of(part, &of_runs), cells }
    };
    of_any_run(found).into_iter().map(row).collect()
}

fn limits_of(found: &Evaluation, leading: usize, slices: &[SliceRow], look: &Look) -> Vec<String> {
    let mut all = sentences(limits::limits(found, look));
    all.insert(0, smallest(found, leading, look));
    all.extend(missing(&found.notes));
    all.extend(thin_slices(slices.iter().filter(|slice| slice.is_thin()).count()));
    all
}

/// How finely these labels resolve the leading measure.
fn smallest(found: &Evaluation, leading: usize, look: &Look) -> String {
    let name = short_name(&found.measures[leading]);
    let widths = found.runs.iter().filter_map(|run| run.columns[leading].interval);
    let widest = widths.map(|found| found.interval.half_width()).fold(0.0, f64::max);
    let how = "`raglens compare` tests two runs query by query and says which difference they could miss.";
    match widest > 0.0 {
        true => format!(
            "Up to {} to either side, {name} could come from the choice of queries alone (95%); {how}",
            fixed(widest, look.digits)
        ),
        false => format!("There is no interval of {name}: nothing says how far chance reaches. {how}"),
    }
}
