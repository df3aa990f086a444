//! After reading: do the ids of labels and run meet? When they share nothing, the usual causes are
//! tried, and the one that explains most is named with what mends it. Nothing is ever
//! mended unasked.

mod remedy;

pub use remedy::{Mend, Remedy};

use std::fmt;

use hashbrown::HashSet;

use crate::id::Id;
use crate::labels::Labels;
use crate::run::{Ranking, Run};

/// How many ids of each side are shown.
const EXAMPLES: usize = 3;

/// Whose ids do not meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdKind {
    /// Queries.
    Query,
    /// Documents.
    Document,
}

/// Ids of labels and run that share nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Mismatch {
    /// Whose ids they are.
    pub of: IdKind,
    /// Number of ids in the labels.
    pub labels: usize,
    /// Number of ids in the run.
    pub run: usize,
    /// The first ids of the labels.
    pub label_examples: Vec<Id>,
    /// The first ids of the run.
    pub run_examples: Vec<Id>,
    /// The likely cause, and what mends it.
    pub remedy: Option<Remedy>,
}

/// Labels and run that cannot be measured together.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum JoinError {
    /// No query is in both.
    #[error("{0}")]
    NoQueryInCommon(Box<Mismatch>),
}

/// Looks whether labels and run speak of the same queries and documents; gives back a warning
/// when their documents share nothing. Labels or a run without any id are not looked at.
///
/// # Errors
/// When their queries share nothing.
pub fn join(labels: &Labels, run: &Run) -> Result<Option<Mismatch>, JoinError> {
    let label_queries = labels.queries().iter().map(|query| query.id().as_bytes());
    let run_queries = run.rankings().iter().map(|ranking| ranking.query().as_bytes());
    let is_labelled = |ranking: &Ranking| labels.position(ranking.query()).is_some();
    let meet = run.rankings().iter().any(is_labelled);
    match if meet { None } else { mismatch(IdKind::Query, label_queries, run_queries) } {
        Some(mismatch) => Err(JoinError::NoQueryInCommon(Box::new(mismatch))),
        None if any_result_is_labelled(labels, run) => Ok(None),
        None => {
            let found = mismatch(IdKind::Document, label_documents(labels), run_documents(run));
            Ok(found.map(|found| Mismatch { remedy: by_unit(labels, run).or(found.remedy), ..found }))
        }
    }
}

/// Compares the ids of labels and run; `None` when they share one, or when one side has none.
pub fn mismatch<'a>(
    of: IdKind,
    labels: impl Iterator<Item = &'a [u8]> + Clone,
    run: impl Iterator<Item = &'a [u8]>,
) -> Option<Mismatch> {
    let run = Ids::new(run);
    // Labels can hold many more ids than a run: they are put into a set only where that is needed.
    if run.list.is_empty() || labels.clone().next().is_none() || labels.clone().any(|id| run.set.contains(id)) {
        return None;
    }
    let labels = Ids::new(labels);
    Some(Mismatch {
        of,
        labels: labels.list.len(),
        run: run.list.len(),
        label_examples: labels.examples(),
        run_examples: run.examples(),
        remedy: Remedy::find(of, &labels, &run),
    })
}

/// The ids of one side, each once, in the order in which they came.
struct Ids<'a> {
    list: Vec<&'a [u8]>,
    set: HashSet<&'a [u8]>,
}

impl<'a> Ids<'a> {
    fn new(ids: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut set = HashSet::new();
        let list = ids.filter(|id| set.insert(*id)).collect();
        Self { list, set }
    }

    fn examples(&self) -> Vec<Id> {
        self.list.iter().take(EXAMPLES).map(|&id| Id::from(id)).collect()
    }

    /// At most so many of the ids, from all over the list.
    fn sample(&self, size: usize) -> impl Iterator<Item = &'a [u8]> {
        self.list.iter().step_by(self.list.len().div_ceil(size).max(1)).copied()
    }
}

/// Whether some result stands in the labels of its query: the usual case, found at once.
fn any_result_is_labelled(labels: &Labels, run: &Run) -> bool {
    run.rankings().iter().any(|ranking| {
        let judged = labels.query(ranking.query());
        judged.is_some_and(|judged| (0..ranking.len()).any(|index| judged.grade(ranking.document(index)).is_some()))
    })
}

fn label_documents(labels: &Labels) -> impl Iterator<Item = &[u8]> + Clone {
    labels.queries().iter().flat_map(|query| query.judgments().map(|(document, _)| document))
}

fn run_documents(run: &Run) -> impl Iterator<Item = &[u8]> {
    run.rankings().iter().flat_map(|ranking| (0..ranking.len()).map(|index| ranking.document(index)))
}

/// What to do where the results say which documents they are chunks of, and the labels name these.
fn by_unit(labels: &Labels, run: &Run) -> Option<Remedy> {
    let chunks = run.rankings().iter().flat_map(|ranking| (0..ranking.len()).filter_map(|index| ranking.chunk(index)));
    let documents: HashSet<&[u8]> = chunks.filter_map(|chunk| Some(chunk.document.as_ref()?.as_bytes())).collect();
    let judged: HashSet<&[u8]> = label_documents(labels).collect();
    let matches = judged.intersection(&documents).count();
    let cause = "the labels name the documents that the run's results are chunks of".to_owned();
    (matches > 0).then(|| Remedy { cause, mend: Some(Mend::ByDocument), matches, of: judged.len() })
}

impl Mismatch {
    /// The likely cause and what to add, in a sentence.
    pub fn help(&self) -> Option<String> {
        self.remedy.as_ref().map(ToString::to_string)
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.of {
            IdKind::Query => "query",
            IdKind::Document => "document",
        };
        let (labels, run) = (shown(&self.label_examples, self.labels), shown(&self.run_examples, self.run));
        write!(
            f,
            "no {name} id is in both files: {} in the labels ({labels}), {} in the run ({run})",
            self.labels, self.run
        )
    }
}

/// `"1", "2", "3", …`
fn shown(examples: &[Id], all: usize) -> String {
    let mut text = examples.iter().map(|id| format!("\"{id}\"")).collect::<Vec<_>>().join(", ");
    if all > examples.len() {
        text.push_str(", …");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    #[test]
    fn one_common_id_is_enough() {
        let labels = labels(r#"{"q1": {"a": 1}, "q2": {"b": 1}}"#);
        assert_eq!(join(&labels, &run(r#"{"q2": {"b": 1}}"#)), Ok(None));
        // Documents of another query are no reason to doubt the ids.
        assert_eq!(join(&labels, &run(r#"{"q2": {"a": 1}}"#)), Ok(None));
        assert_eq!(join(&labels, &Run::default()), Ok(None));
    }

    #[test]
    fn queries_that_never_meet_are_an_error_with_its_cause() {
        let labels = labels(r#"{"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 1}, "4": {"a": 1}}"#);
        let error = join(&labels, &run(r#"{"1.0": {"a": 1}, "2.0": {"a": 1}}"#)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "no query id is in both files: 4 in the labels (\"1\", \"2\", \"3\", …), 2 in the run (\"1.0\", \"2.0\")"
        );
        let JoinError::NoQueryInCommon(mismatch) = error;
        assert_eq!(
            mismatch.help().unwrap(),
            "the run's ids end in `.0` (a float column of pandas?): the edit `s/\\.0$//` makes 2 of 4 match"
        );
    }

    #[test]
    fn documents_that_never_meet_are_a_warning() {
        let labels = labels(r#"{"q": {"a": 1, "b": 0}}"#);
        let warning = join(&labels, &run(r#"{"q": {"a#1": 1, "a#2": 2, "c#1": 3}}"#)).unwrap().unwrap();
        assert_eq!((warning.of, warning.labels, warning.run), (IdKind::Document, 2, 3));
        assert_eq!(
            warning.help().unwrap(),
            "the run's ids look like chunks of documents: cutting them at the last `#` makes 1 of 2 match"
        );
    }

    #[test]
    fn results_that_name_their_document_are_measured_by_document() {
        let labels = labels(r#"{"q": {"a": 1, "b": 0}}"#);
        let run = run(r#"{"query_id":"q","results":[{"id":"a-1","doc_id":"a"},{"id":"c-1","doc_id":"c"}]}"#);
        assert_eq!(
            join(&labels, &run).unwrap().unwrap().help().unwrap(),
            "the labels name the documents that the run's results are chunks of: measuring documents makes 1 of 2 match"
        );
    }

    #[test]
    fn ids_that_have_nothing_to_do_with_each_other_get_no_advice() {
        let labels = labels(r#"{"x": {"a": 1}}"#);
        let JoinError::NoQueryInCommon(mismatch) = join(&labels, &run(r#"{"y": {"a": 1}}"#)).unwrap_err();
        assert_eq!(mismatch.help(), None);
    }
}
