//! What a measure computes, and from what: a definition builds one of these.
//!
//! Most measures are numbers from grades and ranks, which is what a [`JudgedRanking`] is. What
//! else labels can say is an optional part of it, with a kind of computation here that reads it.

use super::{Ratio, SpecError, Terms};
use crate::judged::{Evidence, Grade, JudgedRanking, LabelFacts, Passages};
use crate::preferences::Preferences;

/// How one measure comes by its value for one query.
pub enum Computation {
    /// A number from grades and ranks.
    Ranking(Box<dyn Scorer>),
    /// A number from grades and ranks for each judgment group of the query, averaged over them.
    Groups(Box<dyn Scorer>),
    /// A number from preferences between documents; `None` where it is undefined.
    Preferences(fn(&Preferences) -> Option<f64>),
    /// A number from what the results cover of the gold passages.
    Passages(Box<dyn Read<Passages>>),
    /// A number from where the search calls found the evidence.
    Evidence(Box<dyn Read<Evidence>>),
    /// A text about the ranking.
    Text(Box<dyn Describe>),
    /// The name of the run.
    RunName,
}

/// What a computation reads beside grades and ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    /// Nothing.
    Grades,
    /// Judgment groups: several sets of judgments of one query.
    Groups,
    /// Preferences between documents.
    Preferences,
    /// What the results cover of the gold passages.
    Passages,
    /// Where the search calls found the evidence.
    Evidence,
}

/// Computes a number from one part of what is known of a query; `None` where it is undefined.
pub trait Read<T>: Fn(&T) -> Option<f64> + Send + Sync {}

impl<T, F: Fn(&T) -> Option<f64> + Send + Sync> Read<T> for F {}

/// Computes one measure for one query.
pub trait Scorer: Send + Sync {
    /// The value; `None` where it is undefined (judged@k of an empty list), never NaN.
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64>;

    /// How the value comes about, row by row, for a person to check; without more, what there is
    /// to be seen.
    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        Terms::seen(ranking, None)
    }

    /// The value as a fraction whose parts can be pooled over queries (micro average); `None`
    /// for measures that cannot be pooled.
    fn ratio(&self, _ranking: &JudgedRanking<'_>) -> Option<Ratio> {
        None
    }

    /// The largest grade that the values are relative to, where they are and it is known.
    fn max_grade(&self) -> Option<Grade> {
        None
    }

    /// Whether nothing of the label file is needed any more.
    fn is_bound(&self) -> bool {
        true
    }

    /// The name that trec_eval prints, for a scorer with parameters that trec_eval knows too.
    fn trec_name(&self) -> Option<String> {
        None
    }

    /// The same scorer once the facts of the label file are known; `None` where they change
    /// nothing.
    ///
    /// # Errors
    /// When the labels do not fit the parameters (a grade above `err:max`).
    fn bind(&self, _facts: &LabelFacts) -> Result<Option<Box<dyn Scorer>>, SpecError> {
        Ok(None)
    }
}

/// Says something about one ranking in words.
pub trait Describe: Send + Sync {
    /// The text.
    fn describe(&self, ranking: &JudgedRanking<'_>) -> String;
}

impl Computation {
    /// A number from grades and ranks.
    pub fn ranking(scorer: impl Scorer + 'static) -> Self {
        Self::Ranking(Box::new(scorer))
    }

    /// What it reads beside grades and ranks.
    pub fn reads(&self) -> Reads {
        match self {
            Self::Ranking(_) | Self::Text(_) | Self::RunName => Reads::Grades,
            Self::Groups(_) => Reads::Groups,
            Self::Preferences(_) => Reads::Preferences,
            Self::Passages(_) => Reads::Passages,
            Self::Evidence(_) => Reads::Evidence,
        }
    }

    /// The value for one query; `None` where it is undefined, and for a text.
    pub(super) fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        match self {
            Self::Ranking(scorer) => scorer.score(ranking),
            Self::Groups(scorer) => {
                let groups = ranking.groups();
                let sum = groups.iter().try_fold(0.0, |sum, group| Some(sum + scorer.score(group)?))?;
                (!groups.is_empty()).then(|| sum / groups.len() as f64)
            }
            Self::Preferences(share) => share(ranking.preferences()?),
            Self::Passages(value) => value(ranking.passages()?),
            Self::Evidence(value) => value(ranking.evidence()?),
            Self::Text(_) | Self::RunName => None,
        }
    }

    /// How the value for one query comes about.
    pub(super) fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        match self {
            Self::Ranking(scorer) => scorer.terms(ranking),
            Self::Groups(scorer) => {
                let groups = ranking.groups().iter().zip(1..).map(|(group, number)| (scorer.score(group), number));
                let terms = groups.fold(Terms::seen(ranking, None), |terms, (value, number)| {
                    terms.step(format!("group {number}"), "a judgment group", value.unwrap_or(0.0))
                });
                terms.ruled("the mean over the groups")
            }
            _ => Terms::seen(ranking, None),
        }
    }

    /// The text for one query; `None` for a number.
    pub(super) fn text(&self, ranking: &JudgedRanking<'_>) -> Option<String> {
        match self {
            Self::Text(words) => Some(words.describe(ranking)),
            _ => None,
        }
    }

    /// The scorer of a number from grades and ranks.
    pub(super) fn scorer(&self) -> Option<&dyn Scorer> {
        match self {
            Self::Ranking(scorer) => Some(&**scorer),
            _ => None,
        }
    }
}
