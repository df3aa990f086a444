//! The kinds of notes: what each is about, its code and its sentence, one row a kind.

/// What a note says: `{}` is its count. A second text is that of other counts than 1.
macro_rules! kinds {
    ($($(#[$about:meta])* $kind:ident = $code:literal: $($text:literal),+;)*) => {
        /// What a note is about. The sentence is made from the count.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum NoteKind {
            $($(#[$about])* $kind,)*
        }

        impl NoteKind {
            /// The code by which `explain` and JSON know it.
            pub fn code(self) -> &'static str {
                match self {
                    $(Self::$kind => $code,)*
                }
            }

            /// The text for one case, then, where it is another, the text for several.
            fn texts(self) -> &'static [&'static str] {
                match self {
                    $(Self::$kind => &[$($text),+],)*
                }
            }
        }
    };
}

kinds! {
    /// Lines or entries that were left out because they are faulty.
    SkippedFaults = "W001":
        "{} faulty row is left out",
        "{} faulty rows are left out";
    /// Queries of the labels that the run does not answer.
    MissingQueries = "W003":
        "{} judged query has no results and counts as an empty list",
        "{} judged queries have no results and count as empty lists";
    /// No document of the labels reaches the threshold of relevance.
    NothingReachesThreshold = "W004":
        "no query has a relevant document for these measures";
    /// A run without a single result.
    EmptyRun = "W005":
        "the run has no results, so every query counts as an empty list";
    /// No document of the run stands in the labels.
    NoDocumentInCommon = "W006":
        "no document id is in both files";
    /// Copies of a document that were dropped from a ranking.
    DroppedCopies = "W007":
        "{} result repeats a document of its ranking and is dropped",
        "{} results repeat a document of their ranking and are dropped";
    /// Judgments that repeat an earlier one.
    RepeatedJudgments = "W008":
        "{} judgment repeats an earlier one",
        "{} judgments repeat earlier ones";
    /// Queries in which the rank column contradicts the scores.
    RanksContradictScores = "W009":
        "{} query has ranks that contradict its scores, which decide",
        "{} queries have ranks that contradict their scores, which decide";
    /// Measures that need documents judged not relevant, on labels without any.
    PositiveOnly = "W010":
        "no document is judged not relevant, so these measures say little";
    /// A gate that could not be decided, which counts as a pass.
    GateUndecided = "W011":
        "there is not enough evidence to decide, which counts as a pass";
    /// Labels whose numbers look like scores.
    GradesLookLikeScores = "W012":
        "{} grade looks like a score, and labels come first: are the files swapped?",
        "{} grades look like scores, and labels come first: are the files swapped?";
    /// Judgments that contradict an earlier one, settled by the rule for them.
    OverruledJudgments = "W013":
        "{} judgment contradicts an earlier one",
        "{} judgments contradict earlier ones";
    /// Measures of a set whose values cannot be written down with grades so large.
    GradesTooLarge = "W014":
        "{} measure is left out, because its gain 2^grade is too large here",
        "{} measures are left out, because their gain 2^grade is too large here";
    /// A written file that is taken for another format when it is read.
    NotRecognised = "W015":
        "the ids in it make it look like another format";
    /// Measures that the tool that is followed defines in another way.
    UnlikeTool = "W016":
        "{} measure is defined in another way there",
        "{} measures are defined in another way there";
    /// Columns or keys that may hold grades beside the one that is taken.
    OtherGrades = "W017":
        "{} column or key may hold grades, too, and is not read",
        "{} columns or keys may hold grades, too, and are not read";
    /// Results, or judged chunks, whose document is not known: they stand for themselves.
    OwnDocument = "W020":
        "{} id has no document that is known and stands for itself",
        "{} ids have no document that is known and stand for themselves";
    /// Results whose place in a document is needed and not known.
    WithoutPlace = "W021":
        "{} result has no place in a document and covers nothing",
        "{} results have no place in a document and cover nothing";
    /// Files that do not say what their offsets count.
    OffsetsUnknown = "W022":
        "{} file does not say what its offsets count",
        "{} files do not say what their offsets count";
    /// Results of a stage that are in none of the stages it takes its results from.
    OutsidePool = "W030":
        "{} result is not in the stages that it takes its results from",
        "{} results are not in the stages that it takes its results from";
    /// Unanswerable queries of which the answers say nothing.
    NoAnswer = "W031":
        "{} query that cannot be answered has no answer row and counts nowhere",
        "{} queries that cannot be answered have no answer row and count nowhere";
    /// Queries of a run without the latency or cost that its others carry.
    NoPrice = "W032":
        "{} query carries no latency or no cost and is left out of it",
        "{} queries carry no latency or no cost and are left out of it";
    /// Queries that are marked unanswerable and have relevant documents.
    AnswerableContradicted = "W033":
        "{} query is marked unanswerable and has relevant documents, which count nowhere",
        "{} queries are marked unanswerable and have relevant documents, which count nowhere";
    /// Roles that no chunk is open to.
    UnknownRole = "W034":
        "{} role stands in no `allowed_roles` (is it spelt the same?)",
        "{} roles stand in no `allowed_roles` (are they spelt the same?)";
    /// Queries of a run whose rows do not say for which role they searched.
    WithoutRole = "W035":
        "{} query does not say for which role it searched and is not checked",
        "{} queries do not say for which role they searched and are not checked";
    /// Chunks of a map that do not say who may see them.
    ChunksWithoutRoles = "W036":
        "{} chunk has no `allowed_roles`",
        "{} chunks have no `allowed_roles`";
    /// Queries without a relevant document.
    NoRelevant = "N001":
        "{} query has no relevant document and is left out",
        "{} queries have no relevant document and are left out";
    /// Queries in which equal scores stand on both sides of a reported cutoff.
    TiedAtCutoff = "N002":
        "in {} query the rule for ties decides between equal scores at a cutoff",
        "in {} queries the rule for ties decides between equal scores at a cutoff";
    /// Queries of the run that have no labels.
    UnlabelledQueries = "N003":
        "{} query has no labels and is ignored",
        "{} queries have no labels and are ignored";
    /// Judgments with a negative grade.
    PooledNotJudged = "N005":
        "{} document has a negative grade: pooled, not judged",
        "{} documents have a negative grade: pooled, not judged";
    /// A header line that was skipped.
    SkippedHeader = "N006":
        "the first line is a header and is skipped";
    /// Text that was converted from UTF-16.
    ConvertedFromUtf16 = "N007":
        "the text is UTF-16 and was converted";
    /// Lines that were taken as comments.
    Comments = "N008":
        "{} line starts with # and is skipped",
        "{} lines start with # and are skipped";
    /// Results whose id is the id of their query.
    SelfRetrieved = "N010":
        "{} query has its own id among its results",
        "{} queries have their own id among their results";
    /// Rows of labels without a grade, which count as relevant.
    NoGrades = "N011":
        "{} row has no grade and counts as relevant",
        "{} rows have no grade and count as relevant";
    /// Queries that the run does not answer and that are left out for it.
    NotInCommon = "N012":
        "{} judged query has no results and is left out",
        "{} judged queries have no results and are left out";
    /// Ids that are not UTF-8.
    NotUtf8 = "N013":
        "{} id is not UTF-8 and is shown escaped",
        "{} ids are not UTF-8 and are shown escaped";
    /// Queries that not all of the compared runs have and that are left out for it.
    NotInAll = "N014":
        "{} query is not in all runs and is left out",
        "{} queries are not in all runs and are left out";
    /// Measures of a set that cannot be pooled over queries.
    NoMicroAverage = "N015":
        "{} measure has no micro average and is left out",
        "{} measures have no micro average and are left out";
    /// Gold passages of no length.
    EmptyPassages = "N020":
        "{} gold passage is empty and counts for nothing",
        "{} gold passages are empty and count for nothing";
    /// Gold passages that overlap another one.
    OverlappingPassages = "N021":
        "{} gold passage overlaps another one: what they share is covered once",
        "{} gold passages overlap others: what they share is covered once";
    /// Gold passages that several hops grade differently.
    RegradedPassages = "N022":
        "{} gold passage has another grade for another hop: the largest counts",
        "{} gold passages have other grades for other hops: the largest counts";
    /// Queries that are marked unanswerable.
    Unanswerable = "N030":
        "{} query is marked unanswerable and counts in no mean",
        "{} queries are marked unanswerable and count in no mean";
    /// Queries without a tag that others have.
    WithoutTag = "N031":
        "{} query lacks a tag that others have",
        "{} queries lack a tag that others have";
    /// No document of the labels is judged not relevant.
    NoZeros = "N032":
        "no document is judged not relevant (grade 0), so judged, bpref and condensed lists say little";
    /// Queries of a run with an empty list of results.
    EmptyLists = "N033":
        "{} query has an empty list of results",
        "{} queries have an empty list of results";
}

/// How much a note matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Changes what the numbers mean.
    Warning,
}

impl NoteKind {
    /// How much it matters.
    pub fn severity(self) -> Severity {
        if self.code().starts_with('W') { Severity::Warning } else { Severity::Note }
    }

    /// What happened, `count` times.
    pub(super) fn sentence(self, count: u64) -> String {
        let texts = self.texts();
        let text = if count == 1 { texts.first() } else { texts.last() };
        text.map_or_else(String::new, |text| text.replacen("{}", &count.to_string(), 1))
    }
}
