//! What `funnel` found out: values alone, made once and shown in every format.

use raglens::compare::Requirement;
use raglens::id::Id;
use raglens::rag::abstention::Abstention;
use raglens::rag::funnel::{Case, Funnel, Step};
use raglens::rag::spending::{Cost, Latency};
use raglens::stats::summary::Interval;

use crate::render::eval::report::FilePart;
use crate::render::frame::Frame;

/// How far questions came, and what became of those without an answer.
#[derive(Debug)]
pub struct Report {
    /// Files and conventions; the run is the only one.
    pub frame: Frame,
    /// The file of the answers.
    pub answers: FilePart,
    /// How many results the model reads.
    pub k: u64,
    /// The counts.
    pub funnel: Funnel,
    /// The questions that can be answered.
    pub asked: Vec<Asked>,
    /// Abstentions, right and wrong.
    pub abstention: Abstention,
    /// The questions that cannot be answered.
    pub unanswerable: Unanswerable,
    /// The six numbers.
    pub numbers: Vec<NumberPart>,
    /// Queries of the answers that have no labels.
    pub unknown: Vec<Id>,
    /// Time to the whole answer.
    pub latency: Option<Latency>,
    /// Cost of the whole answer.
    pub cost: Option<Cost>,
    /// Whether every question that ends before the end is named.
    pub list: bool,
}

/// A question that can be answered, and what happened to it.
#[derive(Debug)]
pub struct Asked {
    /// The query.
    pub query: Id,
    /// What happened.
    pub case: Case,
}

/// The questions that cannot be answered.
#[derive(Debug, Default)]
pub struct Unanswerable {
    /// Their number.
    pub queries: u64,
    /// Those for which the search returned something.
    pub with_results: u64,
    /// Those that were answered all the same.
    pub answered: Vec<Id>,
    /// Those of which the answers say nothing.
    pub without_answer: u64,
    /// How well the best score of a query tells these from the others.
    pub auroc: Option<f64>,
}

/// One of the six numbers.
#[derive(Debug)]
pub struct NumberPart {
    /// Its name: `recall@5`, `correct`.
    pub label: String,
    /// Number of questions.
    pub n: u64,
    /// The number; `None` where no question has a value.
    pub value: Option<f64>,
    /// Its 95 % interval.
    pub interval: Option<Interval>,
    /// What it should be.
    pub target: Option<Target>,
}

/// What a number should be.
#[derive(Debug)]
pub struct Target {
    /// The limit.
    pub requirement: Requirement,
    /// Whether somebody asked for it: then it decides how the command ends.
    pub is_asked: bool,
}

impl NumberPart {
    /// Whether the target is met; `None` without a target or a number.
    pub fn is_met(&self) -> Option<bool> {
        Some(self.target.as_ref()?.requirement.is_met(self.value?))
    }
}

impl Report {
    /// Every file: labels, run, answers.
    pub fn files(&self) -> Vec<&FilePart> {
        let mut files = self.frame.files();
        files.push(&self.answers);
        files
    }

    /// The questions that end in a step.
    pub fn dead(&self, step: Step) -> Vec<&Id> {
        self.asked.iter().filter(|asked| asked.case.death() == Some(step)).map(|asked| &asked.query).collect()
    }

    /// The questions with a right answer that the evidence does not explain.
    pub fn lucky(&self) -> Vec<&Id> {
        self.asked.iter().filter(|asked| asked.case.is_lucky()).map(|asked| &asked.query).collect()
    }

    /// The questions that were not answered, with or without the evidence in the context.
    pub fn abstained(&self, with_evidence: bool) -> Vec<&Id> {
        let is_one = |case: &Case| !case.answered && case.evidence_in_context == with_evidence;
        self.asked.iter().filter(|asked| is_one(&asked.case)).map(|asked| &asked.query).collect()
    }
}
