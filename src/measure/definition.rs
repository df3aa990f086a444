//! What a row of the table of measures says.

use super::{Computation, Params, Purpose, SpecError};

/// One row of the table: what a measure is called, means and takes.
#[derive(Debug)]
pub struct MeasureDef {
    /// Canonical name, lower case.
    pub name: &'static str,
    /// Other names that are accepted, lower case, `-` written as `_`. One that ends in `@all`
    /// means the whole list.
    pub aliases: &'static [&'static str],
    /// One sentence for lists.
    pub about: &'static str,
    /// The formula, in plain text.
    pub formula: &'static str,
    /// How to read a value.
    pub reading: &'static str,
    /// What the measure cannot see.
    pub blind_to: &'static str,
    /// What happens in the corners: empty lists, nothing relevant, ties, short lists.
    pub edge_cases: &'static str,
    /// How other tools differ under the same name.
    pub peers: &'static str,
    /// Which question it answers.
    pub purpose: Purpose,
    /// Where the formula comes from.
    pub source: &'static str,
    /// What stands behind the `@`.
    pub cutoff: CutoffRule,
    /// The parameters beside the cutoff.
    pub params: &'static [ParamDef],
    /// How the values of the queries become one.
    pub aggregate: Aggregate,
    /// Which direction is good.
    pub better: Better,
    /// The smallest and largest possible value; infinite where there is no bound.
    pub range: (f64, f64),
    /// What a query must have to count.
    pub needs: Needs,
    /// Whether a perfect ranking can score less than 1, so that the attainable mean is worth saying.
    pub capped: bool,
    /// Whether the value means something only if somebody judged documents to be not relevant.
    pub needs_zeros: bool,
    /// Whether a set of all measures leaves it out: known to trec_eval's readers, or in need of
    /// labels that few files have.
    pub by_name_only: bool,
    /// The names that trec_eval prints for the measure with default parameters.
    pub trec_name: TrecName,
    /// Makes the computation from checked parameters.
    pub build: fn(&Params) -> Result<Computation, SpecError>,
}

impl MeasureDef {
    /// What most measures have in common, for a row to be completed from: the mean over queries
    /// with a relevant document of values from 0 to 1, the more the better, of plain and condensed
    /// lists, with a cutoff or without, under a name that trec_eval lacks. The texts are the row's
    /// own.
    pub(super) const fn built_by(build: fn(&Params) -> Result<Computation, SpecError>) -> Self {
        Self {
            name: "",
            aliases: &[],
            about: "",
            formula: "",
            reading: "",
            blind_to: "",
            edge_cases: "",
            peers: "",
            purpose: Purpose::Found,
            source: "",
            cutoff: CutoffRule::Optional,
            params: &[REL, CONDENSED],
            aggregate: Aggregate::Mean,
            better: Better::Higher,
            range: (0.0, 1.0),
            needs: Needs::Relevant,
            capped: false,
            needs_zeros: false,
            by_name_only: false,
            trec_name: TrecName::NONE,
            build,
        }
    }

    /// The error of a measure that needs something behind its `@` and has nothing there.
    pub(super) fn lacks_cutoff(&self) -> SpecError {
        let example = match self.cutoff {
            CutoffRule::RecallLevel | CutoffRule::Multiple => "0.2",
            CutoffRule::Never | CutoffRule::Optional | CutoffRule::Required => "10",
        };
        SpecError::CutoffRequired { measure: self.name, example }
    }
}

/// The names under which trec_eval prints a measure; `None` where it lacks that form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrecName {
    /// Over the whole list.
    pub whole: Option<&'static str>,
    /// In front of a cutoff or a recall level.
    pub at: Option<&'static str>,
}

impl TrecName {
    /// A measure that trec_eval lacks.
    pub const NONE: Self = Self { whole: None, at: None };

    pub(super) const fn whole(name: &'static str) -> Self {
        Self { whole: Some(name), at: None }
    }

    pub(super) const fn at(name: &'static str) -> Self {
        Self { whole: None, at: Some(name) }
    }

    pub(super) const fn both(whole: &'static str, at: &'static str) -> Self {
        Self { whole: Some(whole), at: Some(at) }
    }
}

/// What stands behind the `@` of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutoffRule {
    /// Nothing: the measure is over the whole list.
    Never,
    /// A cutoff k ≥ 1, or nothing for the whole list.
    Optional,
    /// A cutoff k ≥ 1.
    Required,
    /// A recall level from 0 to 1.
    RecallLevel,
    /// A multiple of R, the number of relevant documents; at least 0.
    Multiple,
}

/// A parameter of a measure.
#[derive(Debug, Clone, Copy)]
pub struct ParamDef {
    /// Name, lower case.
    pub name: &'static str,
    /// Names that other tools give it.
    pub aliases: &'static [&'static str],
    /// The values that are allowed.
    pub values: ParamValues,
    /// The default as it is written; `None` where the data decide.
    pub default: Option<&'static str>,
    /// The parameter and its words with which this one has no meaning.
    pub not_with: Option<(&'static str, &'static [&'static str])>,
    /// One sentence for help.
    pub about: &'static str,
}

/// The values that a parameter takes.
#[derive(Debug, Clone, Copy)]
pub enum ParamValues {
    /// A number from the first to below the second.
    Number(f64, f64),
    /// Numbers from the first to below the second, joined by `+`.
    Numbers(f64, f64),
    /// A gain for each of some grades: `1=3` for grade 1.
    Gains,
    /// A whole number from 1.
    Whole,
    /// One of a few words.
    Words(&'static [&'static str]),
    /// Present or absent.
    Flag,
}

/// How the values of the queries become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregate {
    /// The mean.
    Mean,
    /// exp of the mean of logarithms.
    GeometricMean,
    /// The sum: counts.
    Sum,
}

/// Which direction of a measure is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// More is better.
    Higher,
    /// Less is better.
    Lower,
    /// Neither: it describes.
    Neither,
}

/// What a query must have to count in a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// A relevant document at the measure's own threshold.
    Relevant,
    /// A grade above 0.
    Gain,
    /// A relevant document at the threshold of the whole evaluation; the measure itself describes
    /// the list or the labels (judged, residual, counts) and keeps its value where a query
    /// without relevant documents is counted as 0.
    Query,
    /// A gold passage of some length; without one the query never counts, not even as 0.
    Passages,
    /// Evidence; without any the query never counts, not even as 0.
    Evidence,
}

/// The threshold of relevance, a parameter of every binary measure.
pub(super) const REL: ParamDef = ParamDef {
    name: "rel",
    aliases: &[],
    values: ParamValues::Number(0.0, f64::INFINITY),
    default: Some("1"),
    not_with: None,
    about: "grade from which a document counts as relevant",
};

/// Judged documents only, a parameter of every measure that has a condensed form.
pub(super) const CONDENSED: ParamDef = ParamDef {
    name: "condensed",
    aliases: &["judged_only"],
    values: ParamValues::Flag,
    default: None,
    not_with: None,
    about: "leave unjudged documents out before the cutoff",
};
