//! What can be wrong with the text of a measure, and with labels that do not fit one.

use super::params::{MAX_CUTOFF, shortest};
use crate::judged::Grade;

/// Why text is not a measure, or why labels do not fit one.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// No measure has this name.
    #[error("unknown measure `{name}`")]
    Unknown {
        /// The name as the user wrote it.
        name: String,
        /// The nearest known one.
        nearest: Option<String>,
    },
    /// Nothing stands where a measure should.
    #[error("expected a measure such as ndcg@10, not `{text}`")]
    Empty {
        /// The text.
        text: String,
    },
    /// A parenthesis without its partner, or text behind it.
    #[error("`{text}`: expected a measure such as P(rel=2)@5, with one pair of parentheses")]
    Parentheses {
        /// The text.
        text: String,
    },
    /// What stands behind the `@` is no cutoff.
    #[error("`{text}`: the cutoff of {measure} is a whole number from 1, or `all`, not `{value}`")]
    Cutoff {
        /// The text of the measure.
        text: String,
        /// Its canonical name.
        measure: &'static str,
        /// What was written.
        value: String,
    },
    /// A cutoff that no list can reach.
    #[error(
        "`{text}`: no list is that long, expected a cutoff up to {}, or {measure}@all for the whole list",
        MAX_CUTOFF
    )]
    CutoffTooLarge {
        /// The text of the measure.
        text: String,
        /// Its canonical name.
        measure: &'static str,
    },
    /// What stands behind the `@` is no recall level.
    #[error("`{text}`: the recall level of {measure} is a number from 0 to 1, not `{value}`")]
    Level {
        /// The text of the measure.
        text: String,
        /// Its canonical name.
        measure: &'static str,
        /// What was written.
        value: String,
    },
    /// What stands behind the `@` is no multiple of the number of relevant documents.
    #[error("`{text}`: the multiple of R of {measure} is a number from 0, not `{value}`")]
    Multiple {
        /// The text of the measure.
        text: String,
        /// Its canonical name.
        measure: &'static str,
        /// What was written.
        value: String,
    },
    /// The measure is over the whole list.
    #[error("`{text}`: {measure} is over the whole list and takes no cutoff")]
    NoCutoff {
        /// The text of the measure.
        text: String,
        /// Its canonical name.
        measure: &'static str,
    },
    /// The measure needs a cutoff or a recall level and has none.
    #[error("{measure} is incomplete, expected an @ such as {measure}@{example}")]
    CutoffRequired {
        /// Its canonical name.
        measure: &'static str,
        /// What could stand behind the `@`.
        example: &'static str,
    },
    /// Two cutoffs in one measure.
    #[error("`{text}`: expected one cutoff, not two")]
    CutoffTwice {
        /// The text of the measure.
        text: String,
    },
    /// The measure does not have this parameter.
    #[error("`{text}`: {measure} has no parameter `{param}`, expected {expected}")]
    UnknownParam {
        /// The text of the measure.
        text: String,
        /// Its canonical name.
        measure: &'static str,
        /// The parameter as the user wrote it.
        param: String,
        /// The parameters that it has.
        expected: String,
    },
    /// A parameter is given twice.
    #[error("`{text}`: expected `{param}` once, not twice")]
    ParamTwice {
        /// The text of the measure.
        text: String,
        /// The parameter.
        param: &'static str,
    },
    /// The value of a parameter is not allowed.
    #[error("`{text}`: `{param}` of {measure} is {expected}, not `{value}`")]
    Value {
        /// The text of the measure.
        text: String,
        /// Its canonical name.
        measure: &'static str,
        /// The parameter.
        param: &'static str,
        /// What was written; empty where nothing was.
        value: String,
        /// What is allowed.
        expected: String,
    },
    /// Two parameters that exclude each other.
    #[error("`{text}`: `{param}` has no meaning with {with}={value}")]
    NotWith {
        /// The text of the measure.
        text: String,
        /// The parameter without a meaning.
        param: &'static str,
        /// The parameter that takes it away.
        with: &'static str,
        /// Its value.
        value: &'static str,
    },
    /// The labels hold a grade above the scale of the measure.
    #[error("{measure}: the labels hold grade {}, expected none above {}", shortest(*.grade), shortest(*.max))]
    GradeAboveMax {
        /// The measure with its scale.
        measure: String,
        /// The largest grade of the labels.
        grade: Grade,
        /// The largest grade that the measure allows.
        max: Grade,
    },
    /// A gain of 2^grade cannot be written down.
    #[error("{measure}: 2^{} is too large a gain, expected grades below 1024", shortest(*.grade))]
    GradeTooLarge {
        /// The measure.
        measure: &'static str,
        /// The largest grade of the labels.
        grade: Grade,
    },
}

impl SpecError {
    /// What to try instead, in one line.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Unknown { name, .. } if name.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some("every measure of a list has its own cutoff: ndcg@5,ndcg@10, or `-m ndcg -k 5,10`".to_owned())
            }
            Self::Unknown { nearest: Some(nearest), .. } => Some(format!("did you mean `{nearest}`?")),
            Self::Unknown { nearest: None, .. } => Some("`raglens explain` lists every measure".to_owned()),
            Self::GradeAboveMax { grade, .. } => {
                Some(format!("err:max={} takes every grade of these labels", shortest(*grade)))
            }
            Self::GradeTooLarge { .. } => Some("ndcg_exp takes grades of any size".to_owned()),
            _ => None,
        }
    }
}
