//! Everything odd about labels and runs, by kind: what an evaluation would refuse, what changes
//! its numbers, and what is worth knowing before it.

use crate::error::Fault;
use crate::evaluate::{Rules, evaluate};
use crate::id::Id;
use crate::input::{JoinError, Mismatch, join};
use crate::judged::Grade;
use crate::labels::{Labels, QueryLabels};
use crate::measure::Measure;
use crate::notes::{NoteKind, Notes};
use crate::run::{Duplicates, Ranking, Run};
use crate::scores::slices::tag_names;

/// How many results of a query are looked at for labels.
pub const DEPTH: u64 = 10;

/// The oddities of labels; `subject` is their name in the notes.
pub fn of_labels(labels: &Labels, rel: Grade, subject: &str) -> Notes {
    let mut notes = Notes::default();
    let queries = || labels.queries().iter();
    let is_unanswerable = |query: &&QueryLabels| query.is_unanswerable();
    let has_relevant = |query: &&QueryLabels| query.ideal().first().is_some_and(|&best| best >= rel);
    notes.add_count(NoteKind::RepeatedJudgments, subject, labels.copies());
    notes.add_count(NoteKind::OverruledJudgments, subject, labels.overruled());
    notes.add_count(NoteKind::PooledNotJudged, subject, labels.pooled_only());
    let contradicted = queries().filter(is_unanswerable).filter(has_relevant);
    notes.add_all(NoteKind::AnswerableContradicted, subject, contradicted.map(QueryLabels::id));
    notes.add_all(NoteKind::Unanswerable, subject, queries().filter(is_unanswerable).map(QueryLabels::id));
    let barren =
        queries().filter(|query| !is_unanswerable(query) && !has_relevant(query) && is_judged_by_grades(query));
    notes.add_all(NoteKind::NoRelevant, subject, barren.map(QueryLabels::id));
    notes.add_count(NoteKind::NoZeros, subject, u64::from(labels.positive_only()));
    for tag in tag_names(labels) {
        let lacks = |query: &&QueryLabels| !query.about.tags.iter().any(|(name, _)| *name == tag);
        let lacking = queries().filter(lacks).map(|query| format!("{} {tag}", query.id()));
        notes.add_all(NoteKind::WithoutTag, subject, lacking);
    }
    notes.add_all(NoteKind::NotUtf8, subject, queries().map(QueryLabels::id).filter(|id| is_not_utf8(id)));
    notes
}

/// Whether the labels of a query are grades alone: passages and evidence make it count without any.
fn is_judged_by_grades(query: &&QueryLabels) -> bool {
    query.about.spans.is_empty() && query.about.evidence.is_empty()
}

fn is_not_utf8(id: &Id) -> bool {
    std::str::from_utf8(id.as_bytes()).is_err()
}

/// What is odd about a run.
#[derive(Debug, Clone, Default)]
pub struct RunCheck {
    /// Rankings that hold a document twice, where the rules do not say what to do: an evaluation
    /// refuses them.
    pub duplicates: Vec<Fault>,
    /// Why the run cannot be measured with the labels at all.
    pub mismatch: Option<Mismatch>,
    /// Why no document of the run stands in the labels.
    pub documents: Option<Mismatch>,
    /// The offset units of labels and run, where they are not the same.
    pub units: Option<(String, String)>,
    /// Share of the first [`DEPTH`] results that nobody judged, over the queries that count.
    pub unjudged: Option<f64>,
    /// The oddities.
    pub notes: Notes,
}

/// The oddities of a run beside labels; `subject` is its name in the notes.
pub fn of_run(labels: Option<&Labels>, run: &Run, rules: &Rules, subject: &str) -> RunCheck {
    let mut found = RunCheck::default();
    let notes = &mut found.notes;
    let rankings = || run.rankings().iter();
    // An evaluation does not look at queries without labels.
    let is_measured = |ranking: &&Ranking| labels.is_none_or(|labels| labels.query(ranking.query()).is_some());
    let order = |ranking: &Ranking| ranking.order(rules.ties, rules.duplicates);
    found.duplicates = rankings().filter(is_measured).filter_map(|ranking| order(ranking).err()).collect();
    notes.add_all(
        NoteKind::EmptyLists,
        subject,
        rankings().filter(|ranking| ranking.is_empty()).map(|ranking| ranking.query()),
    );
    notes.add_all(NoteKind::NotUtf8, subject, rankings().map(|ranking| ranking.query()).filter(|id| is_not_utf8(id)));
    let Some(labels) = labels else {
        let contradicting = rankings().filter(|ranking| ranking.ranks_contradict_scores());
        notes.add_all(NoteKind::RanksContradictScores, subject, contradicting.map(|ranking| ranking.query()));
        return found;
    };
    match join(labels, run) {
        Err(JoinError::NoQueryInCommon(mismatch)) => {
            found.mismatch = Some(*mismatch);
            return found;
        }
        Ok(documents) => found.documents = documents,
    }
    found.units = labels.offset_unit.clone().zip(run.meta.offset_unit.clone()).filter(|(labels, run)| labels != run);
    let rules = Rules { duplicates: Duplicates::First, ..*rules };
    if let Some((notes, unjudged)) = beside(labels, run, &rules, subject) {
        found.notes.extend(notes);
        found.unjudged = unjudged;
    }
    found
}

/// What comes up when the run is measured; `None` when no query counts.
fn beside(labels: &Labels, run: &Run, rules: &Rules, subject: &str) -> Option<(Notes, Option<f64>)> {
    let measures: Vec<Measure> = [format!("unjudged@{DEPTH}"), format!("recall@{DEPTH}")]
        .iter()
        .map(|label| Measure::parse(label)?.bind(&labels.facts()))
        .collect::<Result<_, _>>()
        .ok()?;
    let table = evaluate(labels, run, &measures, rules).ok()?;
    let (mut notes, join) = (Notes::default(), &table.join);
    notes.add_all(NoteKind::MissingQueries, subject, &join.missing);
    notes.add_all(NoteKind::UnlabelledQueries, subject, &join.ignored);
    notes.add_count(NoteKind::DroppedCopies, subject, join.dropped_copies);
    notes.add_all(NoteKind::RanksContradictScores, subject, &join.contradictions);
    notes.add_all(NoteKind::TiedAtCutoff, subject, &join.tied_at_cutoff);
    notes.add_all(NoteKind::SelfRetrieved, subject, &join.self_retrieved);
    Some((notes, table.summary(0).mean))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{ReadOptions, Source, read_labels, read_run};

    fn labels(text: &str) -> Labels {
        let source = Source::from_bytes("labels", text.into());
        read_labels(source, &ReadOptions::default(), &mut Notes::default()).unwrap().0
    }

    fn run(text: &str) -> Run {
        let source = Source::from_bytes("run", text.into());
        read_run(source, &ReadOptions::default(), &mut Notes::default()).unwrap().0
    }

    fn codes(notes: &Notes) -> Vec<String> {
        notes.iter().map(|note| format!("{} {}", note.kind.code(), note.count)).collect()
    }

    #[test]
    fn labels_that_contradict_themselves_are_named() {
        let text = concat!(
            "{\"query_id\":\"q1\",\"relevant\":{\"a\":1},\"answerable\":false,\"tags\":{\"t\":\"x\"}}\n",
            "{\"query_id\":\"q2\",\"relevant\":{\"a\":1}}\n",
            "{\"query_id\":\"q3\",\"relevant\":{}}\n",
        );
        let found = of_labels(&labels(text), 1.0, "labels");
        assert_eq!(codes(&found), ["W033 1", "N030 1", "N001 1", "N032 1", "N031 2"]);
    }

    #[test]
    fn a_run_is_held_against_the_labels() {
        let labels = labels("q1 0 a 1\nq1 0 b 0\nq2 0 a 1\n");
        let found =
            of_run(Some(&labels), &run("q1 Q0 a 1 1 t\nq1 Q0 x 2 1 t\nq9 Q0 a 1 1 t\n"), &Rules::default(), "run");
        assert_eq!(codes(&found.notes), ["W003 1", "N003 1"]);
        // One of the two results of q1 has no label; the run has none for q2.
        assert_eq!(found.unjudged, Some(0.05));
        let twice = of_run(Some(&labels), &run("q1 Q0 a 1 2 t\nq1 Q0 a 2 1 t\n"), &Rules::default(), "run");
        assert_eq!(twice.duplicates.len(), 1);
        let unlabelled = run("q1 Q0 a 1 2 t\nq9 Q0 a 1 2 t\nq9 Q0 a 2 1 t\n");
        let found = of_run(Some(&labels), &unlabelled, &Rules::default(), "run");
        assert_eq!((found.duplicates.len(), codes(&found.notes).contains(&"N003 1".to_owned())), (0, true));
        assert_eq!(of_run(None, &unlabelled, &Rules::default(), "run").duplicates.len(), 1);
        assert!(of_run(Some(&labels), &run("z Q0 a 1 2 t\n"), &Rules::default(), "run").mismatch.is_some());
    }
}
