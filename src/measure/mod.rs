//! Measures: one table of definitions, from which parsing, names, help and pages are derived.
//!
//! A measure sees a [`JudgedRanking`] and nothing else. Adding one is a file in this folder and
//! two lines here: its `mod` and its row in [`DEFINITIONS`].

mod hit;
mod spec;

pub use spec::{Params, SpecError, parse_list};

use crate::judged::{Grade, JudgedRanking};
use crate::labels::LabelFacts;

/// Every measure, grouped by family in the order in which tables show them.
pub static DEFINITIONS: &[&MeasureDef] = &[&hit::HIT];

/// One row of the table: what a measure is called, means and takes.
#[derive(Debug)]
pub struct MeasureDef {
    /// Canonical name, lower case.
    pub name: &'static str,
    /// Other names that are accepted, lower case, without cutoff.
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
    /// Whether a perfect ranking scores less than 1, so that the attainable mean is worth saying.
    pub capped: bool,
    /// The name that trec_eval prints; `None` where it lacks the measure.
    pub trec_name: Option<&'static str>,
    /// Makes a scorer from checked parameters.
    pub build: fn(&Params) -> Result<Box<dyn Scorer>, SpecError>,
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
}

/// A parameter of a measure.
#[derive(Debug, Clone, Copy)]
pub struct ParamDef {
    /// Name, lower case.
    pub name: &'static str,
    /// The values that are allowed.
    pub values: ParamValues,
    /// The default as it is written; `None` where the data decide.
    pub default: Option<&'static str>,
    /// One sentence for help.
    pub about: &'static str,
}

/// The values that a parameter takes.
#[derive(Debug, Clone, Copy)]
pub enum ParamValues {
    /// A number in a range, both ends allowed.
    Number(f64, f64),
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
}

/// Computes one measure for one query.
pub trait Scorer: Send + Sync {
    /// The value; `None` where it is undefined (judged@k of an empty list), never NaN.
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64>;

    /// The value as a fraction whose parts can be pooled over queries (micro average); `None`
    /// for measures that cannot be pooled.
    fn ratio(&self, _ranking: &JudgedRanking<'_>) -> Option<Ratio> {
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

/// A value as numerator over denominator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratio {
    /// What was found.
    pub numerator: f64,
    /// Out of how much.
    pub denominator: f64,
}

impl Ratio {
    /// The fraction of two counts.
    pub fn of(numerator: u64, denominator: u64) -> Self {
        Self { numerator: numerator as f64, denominator: denominator as f64 }
    }

    /// The quotient; 0 where nothing was there to be found.
    pub fn value(self) -> f64 {
        if self.denominator == 0.0 { 0.0 } else { self.numerator / self.denominator }
    }
}

/// A measure with its parameters and its cutoff, ready to score.
pub struct Measure {
    def: &'static MeasureDef,
    params: Params,
    label: String,
    scorer: Box<dyn Scorer>,
}

impl Measure {
    /// Reads a measure from text: `ndcg@10`, `rbp:p=0.95`, `map:norm=min:rel=2@10`, and the names
    /// of trec_eval, ir_measures and ranx.
    ///
    /// ```
    /// use raglens::measure::Measure;
    /// assert_eq!(Measure::parse("nDCG@10")?.label(), "ndcg@10");
    /// # Ok::<(), raglens::measure::SpecError>(())
    /// ```
    ///
    /// # Errors
    /// When the name is unknown (with the nearest known one), or a parameter or cutoff is not
    /// allowed.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let (def, params) = spec::parse(text)?;
        Self::new(def, params)
    }

    /// A measure from its definition and checked parameters.
    ///
    /// # Errors
    /// When the parameters contradict each other.
    pub fn new(def: &'static MeasureDef, params: Params) -> Result<Self, SpecError> {
        let scorer = (def.build)(&params)?;
        Ok(Self { def, label: params.label(def), params, scorer })
    }

    /// The canonical label: defaults left out, lower case; parses back to the same measure.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Its row in the table.
    pub fn definition(&self) -> &'static MeasureDef {
        self.def
    }

    /// Its parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The threshold from which a document counts as relevant, for measures that have one.
    pub fn threshold(&self) -> Option<Grade> {
        self.params.number("rel")
    }

    /// The value for one query; `None` where it is undefined.
    pub fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        match self.params.flag("condensed") {
            true => self.scorer.score(&ranking.condensed().view()),
            false => self.scorer.score(ranking),
        }
    }

    /// The value for one query as a fraction, for measures that can be pooled.
    pub fn ratio(&self, ranking: &JudgedRanking<'_>) -> Option<Ratio> {
        match self.params.flag("condensed") {
            true => self.scorer.ratio(&ranking.condensed().view()),
            false => self.scorer.ratio(ranking),
        }
    }

    /// The measure once the facts of the label file are known.
    ///
    /// # Errors
    /// When the labels do not fit the parameters.
    pub fn bind(mut self, facts: &LabelFacts) -> Result<Self, SpecError> {
        if let Some(bound) = self.scorer.bind(facts)? {
            self.scorer = bound;
        }
        Ok(self)
    }
}

impl std::fmt::Debug for Measure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Measure").field(&self.label).finish()
    }
}

/// The threshold of relevance, a parameter of every binary measure.
pub(crate) const REL: ParamDef = ParamDef {
    name: "rel",
    values: ParamValues::Number(0.0, f64::MAX),
    default: Some("1"),
    about: "grade from which a document counts as relevant",
};

/// Judged documents only, a parameter of every measure that has a condensed form.
pub(crate) const CONDENSED: ParamDef = ParamDef {
    name: "condensed",
    values: ParamValues::Flag,
    default: None,
    about: "leave unjudged documents out before the cutoff",
};
