//! Notes and warnings: one a kind, with a count and the first few examples, never one a row.

mod explanations;

pub use explanations::EXPLANATIONS;

use std::fmt;

/// How much a note matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Changes what the numbers mean.
    Warning,
}

/// What a note is about. The sentence is made from the count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoteKind {
    /// Lines or entries that were left out because they are faulty (`--on-error skip`).
    SkippedFaults,
    /// Queries of the labels that the run does not answer.
    MissingQueries,
    /// Queries of the run that have no labels.
    UnlabelledQueries,
    /// Queries without a relevant document.
    NoRelevant,
    /// Copies of a document that were dropped from a ranking.
    DroppedCopies,
    /// Judgments that repeat an earlier one.
    RepeatedJudgments,
    /// Judgments that contradict an earlier one, settled by `--duplicate-labels`.
    OverruledJudgments,
    /// Queries in which equal scores stand on both sides of a reported cutoff.
    TiedAtCutoff,
    /// Queries in which the rank column contradicts the scores.
    RanksContradictScores,
    /// No document of the labels reaches the threshold of relevance.
    NothingReachesThreshold,
    /// Judgments with a negative grade.
    PooledNotJudged,
    /// A header line that was skipped.
    SkippedHeader,
    /// Text that was converted from UTF-16.
    ConvertedFromUtf16,
    /// Lines that were taken as comments.
    Comments,
    /// Results whose id is the id of their query.
    SelfRetrieved,
    /// Rows of labels without a grade, which count as relevant.
    NoGrades,
    /// Labels whose numbers look like scores.
    GradesLookLikeScores,
    /// A run without a single result.
    EmptyRun,
    /// No document of the run stands in the labels.
    NoDocumentInCommon,
    /// Queries that the run does not answer and that are left out for it.
    NotInCommon,
    /// Measures that need documents judged not relevant, on labels without any.
    PositiveOnly,
    /// Ids that are not UTF-8.
    NotUtf8,
    /// Queries that not all of the compared runs have and that are left out for it.
    NotInAll,
    /// A gate that could not be decided, which counts as a pass.
    GateUndecided,
    /// Measures of a set that cannot be pooled over queries.
    NoMicroAverage,
    /// Results of a stage that are in none of the stages it takes its results from.
    OutsidePool,
    /// Unanswerable queries of which the answers say nothing.
    NoAnswer,
    /// Queries of a run without the latency or cost that its others carry.
    NoPrice,
    /// Queries that are marked unanswerable and have relevant documents.
    AnswerableContradicted,
    /// Queries that are marked unanswerable.
    Unanswerable,
    /// Queries without a tag that others have.
    WithoutTag,
    /// No document of the labels is judged not relevant.
    NoZeros,
    /// Queries of a run with an empty list of results.
    EmptyLists,
    /// Roles that no chunk is open to.
    UnknownRole,
    /// Queries of a run whose rows do not say for which role they searched.
    WithoutRole,
    /// Chunks of a map that do not say who may see them.
    ChunksWithoutRoles,
    /// Results, or judged chunks, whose document is not known: they stand for themselves.
    OwnDocument,
    /// Gold passages of no length.
    EmptyPassages,
    /// Gold passages that overlap another one.
    OverlappingPassages,
    /// Results whose place in a document is needed and not known.
    WithoutPlace,
    /// Files that do not say what their offsets count.
    OffsetsUnknown,
    /// Measures of a set whose values cannot be written down with grades so large.
    GradesTooLarge,
    /// A written file that is taken for another format when it is read.
    NotRecognised,
    /// Measures that the tool that is followed defines in another way.
    UnlikeTool,
}

/// One grouped message.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// What it is about.
    pub kind: NoteKind,
    /// The file or run that it is about.
    pub subject: String,
    /// How many times it happened.
    pub count: u64,
    /// The first three cases.
    pub examples: Vec<String>,
}

/// The notes of one command.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Notes(Vec<Note>);

impl Notes {
    /// Counts one case of a kind; the example is only made for the first three.
    pub fn add(&mut self, kind: NoteKind, subject: &str, example: impl FnOnce() -> String) {
        let position = self.0.iter().position(|note| note.kind == kind && note.subject == subject);
        let position = position.unwrap_or_else(|| {
            self.0.push(Note { kind, subject: subject.to_owned(), count: 0, examples: Vec::new() });
            self.0.len() - 1
        });
        let note = &mut self.0[position];
        note.count += 1;
        if note.examples.len() < 3 {
            note.examples.push(example());
        }
    }

    /// Counts many cases of a kind at once, of which the first three are shown; none is no note.
    pub fn add_all<T: ToString>(&mut self, kind: NoteKind, subject: &str, cases: impl IntoIterator<Item = T>) {
        for case in cases {
            self.add(kind, subject, || case.to_string());
        }
    }

    /// Adds a note that has a count and no examples; 0 is no note.
    pub fn add_count(&mut self, kind: NoteKind, subject: &str, count: u64) {
        self.add_note(Note { kind, subject: subject.to_owned(), count, examples: Vec::new() });
    }

    /// Adds a note as it is; one that counts nothing is no note.
    pub fn add_note(&mut self, note: Note) {
        if note.count > 0 {
            self.0.push(note);
        }
    }

    /// Takes over the notes of another part of the work, but none a second time: a file that is
    /// read as labels and as a run has its oddities once.
    pub fn extend(&mut self, other: Notes) {
        for note in other.0 {
            if !self.0.contains(&note) {
                self.0.push(note);
            }
        }
    }

    /// The notes of some kinds.
    #[must_use]
    pub fn only(self, keep: impl Fn(NoteKind) -> bool) -> Self {
        Self(self.0.into_iter().filter(|note| keep(note.kind)).collect())
    }

    /// The notes in the order in which they first came up.
    pub fn iter(&self) -> impl Iterator<Item = &Note> {
        self.0.iter()
    }
}

impl NoteKind {
    /// The code by which `explain` and JSON know it.
    pub fn code(self) -> &'static str {
        match self {
            Self::SkippedFaults => "W001",
            Self::MissingQueries => "W003",
            Self::NothingReachesThreshold => "W004",
            Self::EmptyRun => "W005",
            Self::NoDocumentInCommon => "W006",
            Self::DroppedCopies => "W007",
            Self::RepeatedJudgments => "W008",
            Self::OverruledJudgments => "W013",
            Self::NoRelevant => "N001",
            Self::TiedAtCutoff => "N002",
            Self::UnlabelledQueries => "N003",
            Self::RanksContradictScores => "W009",
            Self::PooledNotJudged => "N005",
            Self::SkippedHeader => "N006",
            Self::ConvertedFromUtf16 => "N007",
            Self::Comments => "N008",
            Self::SelfRetrieved => "N010",
            Self::NoGrades => "N011",
            Self::NotInCommon => "N012",
            Self::NotUtf8 => "N013",
            Self::PositiveOnly => "W010",
            Self::NotInAll => "N014",
            Self::GateUndecided => "W011",
            Self::GradesLookLikeScores => "W012",
            Self::NoMicroAverage => "N015",
            Self::GradesTooLarge => "W014",
            Self::OutsidePool => "W030",
            Self::NoAnswer => "W031",
            Self::NoPrice => "W032",
            Self::AnswerableContradicted => "W033",
            Self::UnknownRole => "W034",
            Self::WithoutRole => "W035",
            Self::ChunksWithoutRoles => "W036",
            Self::Unanswerable => "N030",
            Self::WithoutTag => "N031",
            Self::NoZeros => "N032",
            Self::EmptyLists => "N033",
            Self::NotRecognised => "W015",
            Self::UnlikeTool => "W016",
            Self::OwnDocument => "W020",
            Self::WithoutPlace => "W021",
            Self::OffsetsUnknown => "W022",
            Self::EmptyPassages => "N020",
            Self::OverlappingPassages => "N021",
        }
    }

    /// How much it matters.
    pub fn severity(self) -> Severity {
        if self.code().starts_with('W') { Severity::Warning } else { Severity::Note }
    }
}

impl fmt::Display for Note {
    /// One sentence without a full stop, with the first examples behind it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.subject, self.sentence())?;
        if !self.examples.is_empty() {
            write!(f, ": {}", self.examples.join(", "))?;
        }
        if !self.examples.is_empty() && self.count > self.examples.len() as u64 {
            f.write_str(", ...")?;
        }
        Ok(())
    }
}

impl Note {
    /// What happened, with its count.
    pub fn sentence(&self) -> String {
        let counted = |one: &str, many: &str| format!("{} {}", self.count, if self.count == 1 { one } else { many });
        match self.kind {
            NoteKind::SkippedFaults => counted("faulty row is left out", "faulty rows are left out"),
            NoteKind::MissingQueries => counted(
                "judged query has no results and counts as an empty list",
                "judged queries have no results and count as empty lists",
            ),
            NoteKind::NotInCommon => counted(
                "judged query has no results and is left out",
                "judged queries have no results and are left out",
            ),
            NoteKind::UnlabelledQueries => {
                counted("query has no labels and is ignored", "queries have no labels and are ignored")
            }
            NoteKind::NoRelevant => counted(
                "query has no relevant document and is left out",
                "queries have no relevant document and are left out",
            ),
            NoteKind::DroppedCopies => counted(
                "result repeats a document of its ranking and is dropped",
                "results repeat a document of their ranking and are dropped",
            ),
            NoteKind::RepeatedJudgments => counted("judgment repeats an earlier one", "judgments repeat earlier ones"),
            NoteKind::OverruledJudgments => counted(
                "judgment contradicts an earlier one: `--duplicate-labels` decides",
                "judgments contradict earlier ones: `--duplicate-labels` decides",
            ),
            NoteKind::TiedAtCutoff => {
                let queries = counted("query", "queries");
                format!("in {queries} the rule for ties decides between equal scores at a cutoff")
            }
            NoteKind::RanksContradictScores => counted(
                "query has ranks that contradict its scores, which decide",
                "queries have ranks that contradict their scores, which decide",
            ),
            NoteKind::NothingReachesThreshold => {
                "no query has a relevant document for these measures (`--rel` and `rel=` set the threshold)".to_owned()
            }
            NoteKind::PooledNotJudged => counted(
                "document has a negative grade: pooled, not judged",
                "documents have a negative grade: pooled, not judged",
            ),
            NoteKind::SkippedHeader => "the first line is a header and is skipped".to_owned(),
            NoteKind::ConvertedFromUtf16 => "the text is UTF-16 and was converted".to_owned(),
            NoteKind::Comments => counted("line starts with # and is skipped", "lines start with # and are skipped"),
            NoteKind::SelfRetrieved => counted(
                "query has its own id among its results (`--drop-self` removes it)",
                "queries have their own id among their results (`--drop-self` removes it)",
            ),
            NoteKind::NoGrades => {
                counted("row has no grade and counts as relevant", "rows have no grade and count as relevant")
            }
            NoteKind::GradesLookLikeScores => {
                let grades = counted("grade looks like a score", "grades look like scores");
                format!("{grades}, and labels come first: are the files swapped?")
            }
            NoteKind::EmptyRun => "the run has no results, so every query counts as an empty list".to_owned(),
            NoteKind::NoDocumentInCommon => "no document id is in both files".to_owned(),
            NoteKind::PositiveOnly => "no document is judged not relevant, so these measures say little".to_owned(),
            NoteKind::NotInAll => {
                counted("query is not in all runs and is left out", "queries are not in all runs and are left out")
            }
            NoteKind::GateUndecided => "there is not enough evidence to decide, which counts as a pass".to_owned(),
            NoteKind::NoMicroAverage => counted(
                "measure has no micro average and is left out",
                "measures have no micro average and are left out",
            ),
            NoteKind::OwnDocument => counted(
                "id has no document that is known and stands for itself (`--chunks` names documents)",
                "ids have no document that is known and stand for themselves (`--chunks` names documents)",
            ),
            NoteKind::EmptyPassages => {
                counted("gold passage is empty and counts for nothing", "gold passages are empty and count for nothing")
            }
            NoteKind::OverlappingPassages => counted(
                "gold passage overlaps another one: what they share is covered once",
                "gold passages overlap others: what they share is covered once",
            ),
            NoteKind::WithoutPlace => counted(
                "result has no place in a document and covers nothing (`--chunks` places it)",
                "results have no place in a document and cover nothing (`--chunks` places them)",
            ),
            NoteKind::OffsetsUnknown => {
                counted("file does not say what its offsets count", "files do not say what their offsets count")
            }
            NoteKind::GradesTooLarge => counted(
                "measure is left out, because its gain 2^grade is too large here",
                "measures are left out, because their gain 2^grade is too large here",
            ),
            NoteKind::OutsidePool => counted(
                "result is not in the stages that it takes its results from",
                "results are not in the stages that it takes its results from",
            ),
            NoteKind::NoAnswer => counted(
                "query that cannot be answered has no answer row and counts nowhere",
                "queries that cannot be answered have no answer row and count nowhere",
            ),
            NoteKind::NoPrice => counted(
                "query carries no latency or no cost and is left out of it",
                "queries carry no latency or no cost and are left out of it",
            ),
            NoteKind::AnswerableContradicted => counted(
                "query is marked unanswerable and has relevant documents, which count nowhere",
                "queries are marked unanswerable and have relevant documents, which count nowhere",
            ),
            NoteKind::Unanswerable => counted(
                "query is marked unanswerable and counts in no mean",
                "queries are marked unanswerable and count in no mean",
            ),
            NoteKind::WithoutTag => {
                counted("query lacks a tag that others have", "queries lack a tag that others have")
            }
            NoteKind::NoZeros => {
                "no document is judged not relevant (grade 0), so judged, bpref and condensed lists say little"
                    .to_owned()
            }
            NoteKind::EmptyLists => {
                counted("query has an empty list of results", "queries have an empty list of results")
            }
            NoteKind::UnknownRole => counted(
                "role stands in no `allowed_roles` (is it spelt the same?)",
                "roles stand in no `allowed_roles` (are they spelt the same?)",
            ),
            NoteKind::WithoutRole => counted(
                "query does not say for which role it searched and is not checked",
                "queries do not say for which role they searched and are not checked",
            ),
            NoteKind::ChunksWithoutRoles => counted("chunk has no `allowed_roles`", "chunks have no `allowed_roles`"),
            NoteKind::UnlikeTool => {
                counted("measure is defined in another way there", "measures are defined in another way there")
            }
            NoteKind::NotRecognised => "the ids in it make it look like another format".to_owned(),
            NoteKind::NotUtf8 => {
                counted("id is not UTF-8 and is shown escaped", "ids are not UTF-8 and are shown escaped")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_one_sentence_with_three_examples() {
        let mut notes = Notes::default();
        for query in ["q1", "q2", "q3", "q4"] {
            notes.add(NoteKind::UnlabelledQueries, "bm25", || query.to_owned());
        }
        notes.add(NoteKind::UnlabelledQueries, "dense", || "q1".to_owned());
        let texts: Vec<String> = notes.iter().map(Note::to_string).collect();
        assert_eq!(texts[0], "bm25: 4 queries have no labels and are ignored: q1, q2, q3, ...");
        assert_eq!(texts[1], "dense: 1 query has no labels and is ignored: q1");
    }
}
