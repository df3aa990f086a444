//! What labels and runs have in common, what they lack, and what a reader must know of it.

use raglens::evaluate::{self, EvaluateError, Over, Rules};
use raglens::id::Id;
use raglens::input::{self, IdKind, Mismatch, Remedy, mismatch};
use raglens::labels::Labels;
use raglens::measure::Measure;
use raglens::notes::{NoteKind, Notes};
use raglens::run::Run;

use super::failure::{Failure, in_run};
use super::like::{Like, Unlike};
use super::scoring::Scored;
use crate::render::errors::Message;
use crate::render::eval::report::{FilePart, RunPart};
use crate::render::grid::{Cell, Column, Grid};
use crate::render::listing::{first, first_of};
use crate::render::{exact, flags, queries};

/// Checks that a run has results and shares a query with the labels.
///
/// # Errors
/// When it does not.
pub fn check(labels: &Labels, file: &FilePart, scored: &Scored, allow_empty: bool) -> Result<(), Failure> {
    let join = &scored.table.join;
    if join.is_empty() && !allow_empty {
        let title = format!("{} holds no results", scored.file.path);
        return Err(Failure::new(title, "`--allow-empty` scores it: every measure is 0"));
    }
    match join.queries > 0 && join.ignored.len() as u64 == join.queries {
        true => Err(nothing_in_common(labels, file, scored)),
        false => Ok(()),
    }
}

fn nothing_in_common(labels: &Labels, file: &FilePart, scored: &Scored) -> Failure {
    let paths = [file.path.as_str(), scored.file.path.as_str()];
    let (message, found) = both_sides(labels, &scored.table.join.ignored, paths);
    let general = || "`--edit-query-ids 's/pattern/replacement/'` changes the ids of the run".to_owned();
    let Some(found) = found else { return message.into() };
    message.with_help(found.remedy.as_ref().map_or_else(general, advice)).into()
}

/// The message that labels and the queries of a run have nothing in common, with ids of both, and
/// how they differ.
pub fn both_sides(labels: &Labels, of_run: &[Id], [labels_path, run_path]: [&str; 2]) -> (Message, Option<Mismatch>) {
    let message = Message::new("no query id is in both files");
    let of_labels = labels.queries().iter().map(|query| query.id().as_bytes());
    let Some(found) = mismatch(IdKind::Query, of_labels, of_run.iter().map(Id::as_bytes)) else {
        return (message, None);
    };
    let mut sides = Grid::new(vec![Column::words(""); 4]);
    let rows = [
        ("labels", labels_path, found.labels, &found.label_examples),
        ("run", run_path, found.run, &found.run_examples),
    ];
    for (role, path, count, ids) in rows {
        sides.push([role, path, &queries(count as u64), &examples(ids, count)].map(Cell::new).to_vec());
    }
    (sides.to_text().lines().fold(message, |message, line| message.with_detail(line)), Some(found))
}

/// The likely cause, and in a line of its own what to add.
fn advice(remedy: &Remedy) -> String {
    let Remedy { cause, mend, matches, of } = remedy;
    match mend.as_ref().map(flags::mend) {
        Some(flag) => format!("{cause}; this makes {matches} of {of} match:\n{flag}"),
        None => remedy.to_string(),
    }
}

/// `"1", "2", "3", ...`
fn examples(ids: &[Id], count: usize) -> String {
    let ids: Vec<String> = ids.iter().map(|id| format!("{id:?}")).collect();
    first_of(&ids, count as u64)
}

/// How the ids of documents differ when none is in labels and run.
pub fn documents(labels: &Labels, run: &Run) -> Option<Mismatch> {
    input::join(labels, run).ok().flatten()
}

/// Checks that at least one measure has a value.
///
/// # Errors
/// When none has.
pub fn check_values(parts: &[RunPart], labels: &Labels) -> Result<(), Failure> {
    let has_value = |part: &RunPart| part.columns.iter().any(|column| column.summary.n > 0);
    if parts.is_empty() || parts.iter().any(has_value) {
        return Ok(());
    }
    Err(nothing_to_score(labels))
}

/// Checks that some measure counts some query, whatever the runs hold.
///
/// # Errors
/// When none does.
pub fn check_labels(labels: &Labels, measures: &[Measure], rules: &Rules) -> Result<(), Failure> {
    evaluate::check_labels(labels, measures, rules).map_err(|_| nothing_to_score(labels))
}

/// Why no query counts, and what would change that.
fn nothing_to_score(labels: &Labels) -> Failure {
    let max_grade = labels.facts().max_grade;
    if labels.queries().iter().all(|query| query.is_unanswerable()) {
        let title = "every query of the labels is marked `answerable: false`";
        return Failure::new(title, "a query that cannot be answered has no score");
    }
    if max_grade <= 0.0 && labels.queries().iter().any(|query| !query.about.spans.is_empty()) {
        let title = "the labels hold gold passages, and no document with a grade above 0";
        return Failure::new(title, "`eval --unit span` measures passages");
    }
    if max_grade <= 0.0 {
        let title = "no document of the labels is relevant: no grade is above 0";
        return Failure::new(title, "a relevant document has a grade of 1 or more");
    }
    let title = "no query has a relevant document for any of the measures";
    let help = format!("the largest grade of the labels is {}; `--rel` sets the grade that counts", exact(max_grade));
    Failure::new(title, help)
}

/// The failure of a run that cannot be scored.
pub fn failure(error: EvaluateError, labels: &Labels, path: &str, read_as: Option<&'static str>) -> Failure {
    match error {
        EvaluateError::Ranking(fault) => in_run(fault, path, read_as),
        EvaluateError::MissingQueries { missing } => {
            let title = format!("{path} lacks {} of the labels", queries(missing.len() as u64));
            let message = Message::new(title).with_detail(first(&missing, 3));
            message.with_help("`--over all` counts them as empty lists, `--over common` leaves them out").into()
        }
        EvaluateError::NothingToScore { .. } => nothing_to_score(labels),
        other => Message::new(other.to_string()).into(),
    }
}

/// What happened when labels and runs were brought together.
pub fn notes(labels: &str, parts: &[RunPart], over: Over, collapsed: bool) -> Notes {
    let mut notes = Notes::default();
    if let Some(first) = parts.first() {
        notes.add_all(NoteKind::NoRelevant, labels, &first.table.join.left_out);
    }
    for part in parts {
        let (name, join) = (part.name.as_str(), &part.table.join);
        if join.is_empty() {
            notes.add_count(NoteKind::EmptyRun, name, 1);
        }
        if let Some(documents) = &part.documents {
            notes.add(NoteKind::NoDocumentInCommon, name, || sides(documents));
        }
        let missing = if over == Over::Common { NoteKind::NotInCommon } else { NoteKind::MissingQueries };
        notes.add_all(missing, name, &join.missing);
        notes.add_all(NoteKind::UnlabelledQueries, name, &join.ignored);
        notes.add_count(NoteKind::DroppedCopies, name, if collapsed { 0 } else { join.dropped_copies });
        notes.add_all(NoteKind::RanksContradictScores, name, &join.contradictions);
        notes.add_all(NoteKind::TiedAtCutoff, name, &join.tied_at_cutoff);
        notes.add_all(NoteKind::SelfRetrieved, name, &join.self_retrieved);
        notes.add_all(NoteKind::WithoutPlace, name, &join.unplaced);
    }
    notes.extend(measures(parts));
    for part in parts {
        let queries = part.table.queries();
        let documents = part.rankings.iter().flat_map(|ranking| &ranking.ids);
        let escaped = queries.chain(documents).filter(|id| std::str::from_utf8(id.as_bytes()).is_err());
        notes.add_all(NoteKind::NotUtf8, &part.name, escaped);
    }
    notes
}

/// The measures that the tool that is followed defines in another way.
pub fn unlike(like: Option<&Like>, measures: &[Measure], labels: &Labels) -> Notes {
    let mut notes = Notes::default();
    let Some(like) = like else { return notes };
    let shown = |unlike: &&Unlike| measures.iter().any(|measure| unlike.is_about(measure));
    let unlike = like.unlike.iter().filter(shown).filter(|unlike| (unlike.shows)(labels));
    notes.add_all(NoteKind::UnlikeTool, &format!("--like {}", like.name), unlike.map(|unlike| unlike.why));
    notes
}

/// The ids of both sides, and how to make them meet.
fn sides(found: &Mismatch) -> String {
    ids_of_both(found)
        + &found.remedy.as_ref().map_or_else(String::new, |remedy| format!("; {}", flags::remedy(remedy)))
}

/// The ids of both sides.
pub fn ids_of_both(found: &Mismatch) -> String {
    let (labels, run) = (examples(&found.label_examples, found.labels), examples(&found.run_examples, found.run));
    format!("{labels} in the labels, {run} in the run")
}

/// Measures without a value, and measures that say little with these labels.
fn measures(parts: &[RunPart]) -> Notes {
    let mut notes = Notes::default();
    let Some(part) = parts.first() else { return notes };
    for (measure, column) in part.table.measures.iter().zip(&part.columns) {
        if column.summary.n == 0 {
            notes.add(NoteKind::NothingReachesThreshold, &part.name, || measure.label().to_owned());
        }
        if column.caveat.is_some_and(|caveat| !caveat.hides) {
            notes.add(NoteKind::PositiveOnly, &part.name, || measure.label().to_owned());
        }
    }
    notes
}
