//! Sets of measures: what is shown when nobody asked, and everything.

use super::error::SpecError;
use super::spec::{Spec, expand};
use super::{CutoffRule, DEFINITIONS, Measure};
use crate::judged::Grade;

/// What is shown when nobody asked: at every cutoff where no `@` is written and one is taken.
const DEFAULT: &str = "hit,precision,recall,f1,mrr,mrr@all,map@all,map:condensed@all,ndcg,ndcg:condensed,\
                       ndcg_exp,err,rprec,rbp,rbp_residual,rbp_residual:tail,bpref,judged";

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

/// What is shown when nobody asked and gold passages are judged.
const PASSAGES: &str = "hit,precision,recall,f1,mrr,mrr@all,map@all,ndcg,span_coverage,span_precision,span_iou";

/// The measures that are shown when nobody asked for others and gold passages are judged.
///
/// # Errors
/// When a cutoff is 0.
pub fn passage_set(cutoffs: &[u64], rel: Grade) -> Result<Vec<Measure>, SpecError> {
    expand(&super::parse_specs(PASSAGES)?, cutoffs, rel)
}

/// Every measure with default parameters and the threshold `rel`: at every cutoff and over the
/// whole list, where it can be.
///
/// # Errors
/// When a cutoff is 0.
pub fn all_set(cutoffs: &[u64], rel: Grade) -> Result<Vec<Measure>, SpecError> {
    let everyday = DEFINITIONS.iter().filter(|def| !def.by_name_only);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(measures: &[Measure]) -> Vec<&str> {
        measures.iter().map(Measure::label).collect()
    }

    #[test]
    fn the_default_set_at_one_cutoff() {
        let measures = default_set(&[5], 1.0).unwrap();
        assert_eq!(
            labels(&measures),
            [
                "hit@5",
                "precision@5",
                "recall@5",
                "f1@5",
                "mrr@5",
                "mrr",
                "map",
                "map:condensed",
                "ndcg@5",
                "ndcg:condensed@5",
                "ndcg_exp@5",
                "err@5",
                "rprec",
                "rbp",
                "rbp_residual",
                "rbp_residual:tail",
                "bpref",
                "judged@5"
            ]
        );
    }

    #[test]
    fn everything_is_every_row_at_every_cutoff_and_over_the_whole_list() {
        let measures = all_set(&[5, 10], 1.0).unwrap();
        let labels = labels(&measures);
        for label in ["recall@5", "recall@10", "recall", "capped_recall@10", "rprec", "num_q", "infap", "judged"] {
            assert_eq!(labels.iter().filter(|other| **other == label).count(), 1, "{label}");
        }
        for def in DEFINITIONS {
            assert_ne!(def.by_name_only, measures.iter().any(|measure| measure.definition().name == def.name));
        }
    }

    #[test]
    fn the_threshold_is_that_of_the_evaluation() {
        let measures = default_set(&[5], 2.0).unwrap();
        assert!(labels(&measures).contains(&"map:condensed:rel=2"));
        assert!(measures.iter().all(|measure| measure.threshold().is_none_or(|rel| rel == 2.0)));
    }
}
