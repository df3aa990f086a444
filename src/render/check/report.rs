//! What `check` found out: values alone, made once and shown in every format.

use crate::render::eval::report::FilePart;

/// Every file with what is wrong or odd about it.
#[derive(Debug)]
pub struct Report {
    /// The files in the order given.
    pub files: Vec<FileReport>,
}

/// One file.
#[derive(Debug)]
pub struct FileReport {
    /// The path as the user wrote it.
    pub path: String,
    /// What it was read as; `None` where it could not be read.
    pub read_as: Option<FilePart>,
    /// How much it holds.
    pub facts: Vec<String>,
    /// What was found, the worst first.
    pub findings: Vec<Finding>,
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// An evaluation refuses it.
    Error,
    /// It changes what the numbers mean.
    Warning,
    /// Worth knowing.
    Note,
}

/// Something wrong or odd, once a kind.
#[derive(Debug, Clone)]
pub struct Finding {
    /// How much it matters.
    pub weight: Weight,
    /// The code by which `explain` knows it.
    pub code: &'static str,
    /// How many times it happened.
    pub count: u64,
    /// A sentence without a full stop.
    pub text: String,
    /// Where the first three stand in the file.
    pub lines: Vec<u64>,
    /// The first three cases.
    pub examples: Vec<String>,
}

impl Weight {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

impl Finding {
    /// A single error without words.
    pub fn error(code: &'static str) -> Self {
        Self { weight: Weight::Error, code, count: 1, text: String::new(), lines: Vec::new(), examples: Vec::new() }
    }
}

impl Report {
    /// Number of kinds of a weight.
    pub fn kinds(&self, weight: Weight) -> u64 {
        let findings = self.files.iter().flat_map(|file| &file.findings);
        findings.filter(|finding| finding.weight == weight).count() as u64
    }

    /// Number of kinds of errors.
    pub fn errors(&self) -> u64 {
        self.kinds(Weight::Error)
    }
}
