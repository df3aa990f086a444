//! Measures: one table of definitions, from which parsing, names, help and pages are derived.
//!
//! A measure sees a [`JudgedRanking`] and nothing else. Adding one is a file in this folder and
//! two lines here: its `mod` and its row in [`DEFINITIONS`].

mod bpref;
mod computation;
mod context_precision;
mod counts;
mod definition;
mod err;
mod error;
mod evidence;
mod f1;
mod gains;
mod groups;
mod hit;
mod infap;
mod iprec;
mod judged;
mod map;
mod mrr;
mod names;
mod ndcg;
mod ndcg_at_gains;
mod normalised_gain;
mod params;
mod passages;
mod precision;
mod preferences;
mod purpose;
mod ratio;
mod rbp;
mod recall;
mod rprec;
mod sets;
mod spec;
mod terms;
mod text;
mod trec_eval;
mod unranked;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod worked_examples;

pub use computation::{Computation, Describe, Read, Reads, Scorer};
pub use definition::{Aggregate, Better, CutoffRule, MeasureDef, Needs, ParamDef, ParamValues, TrecName};
pub use error::SpecError;
pub use params::{MAX_CUTOFF, Params, push_shortest, shortest};
pub use purpose::Purpose;
pub use ratio::Ratio;
pub use sets::{all_set, default_set, passage_set};
pub use spec::{Spec, expand, parse_list, parse_specs, split_list};
pub use terms::{Place, Row, Step, Terms};

pub use trec_eval::{Asked, Shown, TREC_EVAL, TrecError, TrecMeasure};

use crate::judged::{Grade, JudgedRanking, LabelFacts};
use definition::{CONDENSED, REL};

/// Every measure, grouped by family in the order in which tables show them.
pub static DEFINITIONS: &[&MeasureDef] = &[
    &hit::HIT,
    &precision::PRECISION,
    &recall::RECALL,
    &recall::FULL_RECALL,
    &recall::CAPPED_RECALL,
    &f1::F1,
    &mrr::MRR,
    &map::MAP,
    &map::GM_MAP,
    &context_precision::CONTEXT_PRECISION,
    &rprec::RPREC,
    &iprec::IPREC,
    &ndcg::NDCG,
    &ndcg::NDCG_EXP,
    &ndcg::DCG,
    &ndcg::DCG_EXP,
    &err::ERR,
    &rbp::RBP,
    &rbp::RBP_RESIDUAL,
    &bpref::BPREF,
    &infap::INFAP,
    &judged::JUDGED,
    &judged::UNJUDGED,
    &passages::SPAN_COVERAGE,
    &passages::SPAN_PRECISION,
    &passages::SPAN_IOU,
    &evidence::CHAIN,
    &evidence::HOP_RECALL,
    &evidence::HOP_GIVEN,
    &evidence::HOPS_FOUND,
    &evidence::CHAIN_DEPTH,
    &evidence::NUM_CALLS,
    &evidence::REDUNDANT_CALLS,
    &evidence::CALLS_AFTER_COMPLETION,
    &counts::NUM_Q,
    &counts::NUM_RET,
    &counts::NUM_REL,
    &counts::NUM_REL_RET,
    &counts::NUM_NONREL_JUDGED_RET,
    &map::YAAP,
    &rprec::RPREC_MULT,
    &iprec::ELEVEN_POINT,
    &unranked::SET_MAP,
    &unranked::SET_RELATIVE_P,
    &unranked::UTILITY,
    &ndcg::IDEAL_DCG,
    &ndcg_at_gains::NDCG_REL,
    &ndcg_at_gains::RNDCG,
    &normalised_gain::BING,
    &normalised_gain::G,
    &bpref::GM_BPREF,
    &groups::MAP_AVGJG,
    &groups::P_AVGJG,
    &groups::RPREC_MULT_AVGJG,
    &preferences::NUM_PREFS_POSS,
    &preferences::NUM_PREFS_FUL,
    &preferences::NUM_PREFS_FUL_RET,
    &preferences::SIMP,
    &preferences::SIMP_RET,
    &preferences::SIMP_IMP,
    &preferences::PAIR,
    &preferences::PAIR_RET,
    &preferences::PAIR_IMP,
    &preferences::AVGJG,
    &preferences::AVGJG_RET,
    &preferences::AVGJG_IMP,
    &preferences::AVGJG_RNONREL,
    &preferences::AVGJG_RNONREL_RET,
    &text::RELSTRING,
    &text::RUNID,
];

/// A measure with its parameters and its cutoff, ready to score.
pub struct Measure {
    def: &'static MeasureDef,
    params: Params,
    /// Two of the parameters, which are asked for with every query.
    threshold: Option<Grade>,
    condensed: bool,
    label: String,
    computation: Computation,
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
        Spec::parse(text)?.measure()
    }

    /// A measure from its definition and checked parameters.
    ///
    /// # Errors
    /// When the parameters contradict each other.
    pub fn new(def: &'static MeasureDef, params: Params) -> Result<Self, SpecError> {
        let computation = (def.build)(&params)?;
        let (threshold, condensed) = (params.number("rel"), params.flag("condensed"));
        Ok(Self { def, label: params.label(def), params, threshold, condensed, computation })
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
        self.threshold
    }

    /// What a query must have to count: a gain where the parameters took the threshold away
    /// (`rbp:gain=graded`), else what the definition says.
    pub fn needs(&self) -> Needs {
        match self.def.needs {
            Needs::Relevant if self.threshold().is_none() => Needs::Gain,
            needs => needs,
        }
    }

    /// Whether unjudged documents are left out of the ranking before anything else.
    pub fn is_condensed(&self) -> bool {
        self.condensed
    }

    /// Whether the value means something only if the labels hold documents judged to be not
    /// relevant: without them judged@k is precision@k, bpref is recall, and a condensed list holds
    /// relevant documents alone.
    pub fn needs_judged_non_relevant(&self) -> bool {
        self.def.needs_zeros || self.is_condensed()
    }

    /// The largest grade that the values are relative to: known from the start (`err:max=4`) or
    /// after [`bind`](Self::bind); `None` for measures without one.
    pub fn max_grade(&self) -> Option<Grade> {
        self.computation.scorer()?.max_grade()
    }

    /// The name that trec_eval prints for the same value; the canonical label where it has none.
    ///
    /// ```
    /// use raglens::measure::Measure;
    /// assert_eq!(Measure::parse("ndcg@10")?.trec_label(), "ndcg_cut_10");
    /// assert_eq!(Measure::parse("mrr@10")?.trec_label(), "mrr@10");
    /// # Ok::<(), raglens::measure::SpecError>(())
    /// ```
    pub fn trec_label(&self) -> String {
        let scorer = self.computation.scorer();
        let own = || {
            scorer.filter(|_| !self.is_condensed()).and_then(Scorer::trec_name).unwrap_or_else(|| self.label.clone())
        };
        match self.params.are_default() {
            true => self.params.at().trec_label(self.def.trec_name).unwrap_or_else(own),
            false => own(),
        }
    }

    /// What the measure reads beside grades and ranks: without it no query has a value.
    pub fn reads(&self) -> Reads {
        self.computation.reads()
    }

    /// Whether the measure is a text, and no number.
    pub fn is_text(&self) -> bool {
        matches!(self.computation, Computation::Text(_) | Computation::RunName)
    }

    /// The value for one query; `None` where it is undefined, and for a text.
    pub fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        self.seen(ranking, |ranking| self.computation.score(ranking))
    }

    /// The text for one query; `None` for a number.
    pub fn text(&self, ranking: &JudgedRanking<'_>) -> Option<String> {
        self.seen(ranking, |ranking| self.computation.text(ranking))
    }

    /// How the value for one query comes about. The ranks of a condensed measure are those of the
    /// condensed list.
    pub fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let terms = self.seen(ranking, |ranking| self.computation.terms(ranking));
        Terms { value: self.score(ranking), ..terms }
    }

    /// The value for one query as a fraction, for measures that can be pooled.
    pub fn ratio(&self, ranking: &JudgedRanking<'_>) -> Option<Ratio> {
        let scorer = self.computation.scorer()?;
        self.seen(ranking, |ranking| scorer.ratio(ranking))
    }

    /// Shows the ranking as the measure takes it: plain or condensed.
    fn seen<T>(&self, ranking: &JudgedRanking<'_>, read: impl FnOnce(&JudgedRanking<'_>) -> T) -> T {
        match self.is_condensed() {
            true => ranking.condensed(|condensed| read(condensed)),
            false => read(ranking),
        }
    }

    /// Whether the measure has a micro average.
    pub fn can_be_pooled(&self) -> bool {
        self.ratio(&JudgedRanking::from_grades(&[Some(1.0)], &[]).view()).is_some()
    }

    /// Whether the measure can score: some need the facts of the label file first.
    pub fn is_bound(&self) -> bool {
        self.computation.scorer().is_none_or(Scorer::is_bound)
    }

    /// Whether labels with these facts fit the measure.
    ///
    /// # Errors
    /// When they do not.
    pub fn check(&self, facts: &LabelFacts) -> Result<(), SpecError> {
        self.computation.scorer().map_or(Ok(()), |scorer| scorer.bind(facts).map(drop))
    }

    /// The measure once the facts of the label file are known.
    ///
    /// # Errors
    /// When the labels do not fit the parameters.
    pub fn bind(mut self, facts: &LabelFacts) -> Result<Self, SpecError> {
        let bound = self.computation.scorer().map_or(Ok(None), |scorer| scorer.bind(facts))?;
        if let Some(bound) = bound {
            self.computation = Computation::Ranking(bound);
        }
        Ok(self)
    }
}

impl std::fmt::Debug for Measure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Measure").field(&self.label).finish()
    }
}
