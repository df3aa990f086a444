//! What a label file says of a query beside its judgments.

use std::ops::Deref;

use super::GroupJudgment;
use crate::id::Id;
use crate::judged::Grade;

/// What a label file says of a query beside its judgments.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueryAbout {
    /// The text of the query.
    pub text: Option<String>,
    /// Tags by name; a tag can have several values, and the query falls into each of the slices.
    pub tags: Vec<(String, Vec<String>)>,
    /// `false` leaves the query out of every mean, whatever its labels say.
    pub answerable: Option<bool>,
    /// Whether the question needs a search at all.
    pub needs_retrieval: Option<bool>,
    /// Gold passages as character or byte ranges of a document.
    pub spans: Vec<GoldSpan>,
    /// What an answer needs: every group, and in each group any one of its documents.
    pub evidence: Vec<EvidenceGroup>,
    /// The judgments of several judgment groups.
    pub groups: Vec<GroupJudgment>,
}

/// A passage of a document that holds the answer or a part of it.
#[derive(Debug, Clone, PartialEq)]
pub struct GoldSpan {
    /// The document.
    pub document: Id,
    /// First position, from 0.
    pub start: u64,
    /// One past the last position; never below `start`.
    pub end: u64,
    /// The grade of the passage; 1 where the file gives none.
    pub grade: Grade,
    /// The hop of a chain of evidence to which the passage belongs.
    pub hop: Option<u32>,
}

impl GoldSpan {
    /// The name of the passage as a thing that is judged: `document[start..end)`.
    pub fn name(&self) -> Id {
        let mut name = self.document.as_bytes().to_vec();
        name.extend_from_slice(format!("[{}..{})", self.start, self.end).as_bytes());
        Id::from(&name[..])
    }
}

/// One hop of a chain of evidence: any one of the documents will do.
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceGroup {
    /// Number of the hop, from 1.
    pub hop: u32,
    /// The documents of which one is needed.
    pub any_of: Vec<Id>,
}

/// What is known of a query beside its judgments; takes no memory where there is nothing, as in
/// most files.
#[derive(Debug, Clone, Default)]
pub struct About(Option<Box<QueryAbout>>);

static NOTHING: QueryAbout = QueryAbout {
    text: None,
    tags: Vec::new(),
    answerable: None,
    needs_retrieval: None,
    spans: Vec::new(),
    evidence: Vec::new(),
    groups: Vec::new(),
};

impl About {
    pub(super) fn fill_in(&mut self) -> &mut QueryAbout {
        self.0.get_or_insert_default()
    }
}

impl Deref for About {
    type Target = QueryAbout;

    fn deref(&self) -> &QueryAbout {
        self.0.as_deref().unwrap_or(&NOTHING)
    }
}
