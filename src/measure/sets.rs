//! Sets of measures: what is shown when nobody asked, and everything.

use super::error::SpecError;
use super::spec::{Spec, expand};
use super::{CutoffRule, DEFINITIONS, Measure};
use crate::judged::Grade;

/// What is shown when nobody asked: at every cutoff where no `@` is written and one is taken.
const DEFAULT: &str = "hit,precision,recall,f1,mrr,mrr@all,map@all,map:condensed@all,ndcg,ndcg:condensed,\
                       ndcg_exp,err,rprec,rbp,rbp_residual,bpref,judged";

/// The measures that are shown when nobody asked for others, with the threshold `rel`.
///
/// ```
/// let measures = raglens::measure::default_set(&[5, 10], 1.0)?;
/// assert!(measures.iter().any(|measure| measure.label() == "ndcg@10"));
/// # Ok::<(), raglens::measure::SpecError>(())
/// ```
///
/// # Errors
/// When a cutoff is 0.
pub fn default_set(cutoffs: &[u64], rel: Grade) -> Result<Vec<Measure>, SpecError> {
    expand(&super::parse_specs(DEFAULT)?, cutoffs, rel)
}

/// Every measure with default parameters and the threshold `rel`: at every cutoff and over the
/// whole list, where it can be.
///
/// # Errors
/// When a cutoff is 0.
pub fn all_set(cutoffs: &[u64], rel: Grade) -> Result<Vec<Measure>, SpecError> {
    let everyday = DEFINITIONS.iter().filter(|def| !def.trec_only);
    let specs: Vec<Spec> = everyday
        .flat_map(|def| {
            let (open, whole) = (Spec::open(def), Spec::open(def).or_whole());
            match def.cutoff {
                CutoffRule::Required if cutoffs.is_empty() => vec![],
                CutoffRule::Required => vec![open],
                _ => vec![open, whole],
            }
        })
        .collect();
    expand(&specs, cutoffs, rel)
}
