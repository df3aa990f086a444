//! Which question a measure answers.

/// What a measure is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Whether anything useful was found.
    Found,
    /// How much of what there is was found.
    Complete,
    /// How much of what was returned is worth having.
    Clean,
    /// How far up what is relevant stands.
    High,
    /// Whether documents of a higher grade stand above others.
    Graded,
    /// How much of the text that answers is in the chunks that were returned.
    Passages,
    /// Whether everything that an answer needs was found, over several searches.
    Evidence,
    /// What can be said when not everything was judged.
    Incomplete,
    /// Counts that the other numbers stand on.
    Counts,
    /// What readers of trec_eval know and few others use.
    TrecEval,
}

impl Purpose {
    /// Every purpose, in the order in which lists show them.
    pub const ALL: [Self; 10] = [
        Self::Found,
        Self::Complete,
        Self::Clean,
        Self::High,
        Self::Graded,
        Self::Passages,
        Self::Evidence,
        Self::Incomplete,
        Self::Counts,
        Self::TrecEval,
    ];

    /// The question that measures for it answer.
    pub fn question(self) -> &'static str {
        match self {
            Self::Found => "Is the answer there?",
            Self::Complete => "How much of it is there?",
            Self::Clean => "How much noise comes with it?",
            Self::High => "How high does it stand?",
            Self::Graded => "Does better stand above good?",
            Self::Passages => "How much of the text that answers is there?",
            Self::Evidence => "Is there all that the answer needs?",
            Self::Incomplete => "What if not everything was judged?",
            Self::Counts => "What do the numbers stand on?",
            Self::TrecEval => "What else does trec_eval print?",
        }
    }
}
