//! Names and parameters of trec_eval, and what they mean here.

use super::*;
use crate::measure::{Aggregate, DEFINITIONS};

const ASKED: Asked = Asked { rel: 1.0, documents: 0 };

fn found(text: &str) -> Result<Vec<(String, String)>, TrecError> {
    let (name, parameters) = text.split_once('.').map_or((text, None), |(name, rest)| (name, Some(rest)));
    let measures = TrecMeasure::find(name).unwrap().measures(parameters, ASKED)?;
    Ok(measures.into_iter().map(|(name, measure)| (name, measure.label().to_owned())).collect())
}

fn one(text: &str) -> (String, String) {
    let mut found = found(text).unwrap();
    assert_eq!(found.len(), 1, "{text}");
    found.remove(0)
}

#[test]
fn every_measure_has_a_meaning_and_is_there_once() {
    for (index, measure) in TREC_EVAL.iter().enumerate() {
        assert!(TREC_EVAL[..index].iter().all(|earlier| earlier.name != measure.name), "{}", measure.name);
        assert!(!measure.measures(None, ASKED).unwrap().is_empty(), "{}", measure.name);
    }
    assert_eq!(TREC_EVAL.len(), 57);
}

#[test]
fn every_name_that_a_row_has_in_trec_eval_is_there() {
    for name in DEFINITIONS.iter().flat_map(|def| [def.trec_name.whole, def.trec_name.at]).flatten() {
        assert!(TrecMeasure::find(name).is_some(), "{name}");
    }
}

#[test]
fn a_name_with_defaults_is_what_our_label_prints_for_trec_eval() {
    for measure in TREC_EVAL {
        for (printed, measure) in measure.measures(None, ASKED).unwrap() {
            let own = ["relstring", "rbp_resid"].contains(&&*printed);
            assert!(own || measure.trec_label() == printed, "{printed}: {}", measure.trec_label());
        }
    }
}

#[test]
fn cutoffs_and_levels_are_sorted_and_named() {
    let names = |text| found(text).unwrap().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(names("ndcg_cut.23.4,10"), ["ndcg_cut_10", "ndcg_cut_23"]);
    assert_eq!(names("iprec_at_recall.1,.125"), ["iprec_at_recall_0.12", "iprec_at_recall_1.00"]);
    assert_eq!(names("success"), ["success_1", "success_5", "success_10"]);
    assert_eq!(found("Rprec_mult.2.5").unwrap()[0].1, "rprec_mult@2.5");
}

#[test]
fn parameters_become_ours_and_stay_in_the_name() {
    let is = |text, name: &str, label: &str| assert_eq!(one(text), (name.to_owned(), label.to_owned()));
    is("set_F.0.5", "set_F_0.5", "f1:x=0.5");
    is("utility.2,-1,0,0", "utility_2,-1,0,0", "utility:a=2");
    is("11pt_avg.0.2,0.5,0.8", "11pt_avg_0.2,0.5,0.8", "11pt_avg:levels=0.2+0.5+0.8");
    is("ndcg.1=3.5,2=9.0,4=7.0", "ndcg_1=3.5,2=9.0,4=7.0", "ndcg:1=3.5:2=9:4=7");
    is("rbp", "rbp", "rbp:gain=query:p=0.9");
    is("rbp.p=0.8,1=0.3", "rbp_p=0.8,1=0.3", "rbp:1=0.3:gain=query");
    is("rbp_resid.p=0.5", "rbp_resid_p=0.5", "rbp_residual:p=0.5");
    is("relstring", "relstring", "relstring@10");
    is("relstring.5", "relstring_5", "relstring@5");
    is("recip_rank.1", "recip_rank", "mrr");
}

#[test]
fn the_threshold_and_the_number_of_documents_are_those_of_the_command() {
    let asked = Asked { rel: 2.0, documents: 1000 };
    let label = |name| TrecMeasure::find(name).unwrap().measures(None, asked).unwrap()[0].1.label().to_owned();
    assert_eq!(label("map"), "map:rel=2");
    assert_eq!(label("ndcg"), "ndcg");
    assert_eq!(label("utility"), "utility:n=1000:rel=2");
    assert_eq!(label("rbp"), "rbp:gain=query:p=0.9");
}

#[test]
fn parameters_that_do_not_fit_are_named() {
    let error = |text| found(text).unwrap_err().to_string();
    assert_eq!(error("P.5,abc"), "P: a cutoff is a whole number from 1, not `abc`");
    assert_eq!(error("P.0"), "P: a cutoff is a whole number from 1, not `0`");
    assert_eq!(error("P.10,5,10"), "P: expected cutoff 10 once, not twice");
    assert_eq!(error("iprec_at_recall.x"), "iprec_at_recall: expected a number, not `x`");
    assert_eq!(error("utility.1,2"), "utility: expected 4 numbers, not 2");
    assert_eq!(error("ndcg.5"), "ndcg: expected pairs such as 1=3,2=9, not `5`");
    assert_eq!(error("rbp.0.8"), "rbp: expected pairs such as p=0.8, not `0.8`");
    assert_eq!(error("rbp.p=1.5"), "rbp: p is a number from 0 to below 1, not `1.5`");
}

#[test]
fn sums_and_geometric_means_are_known() {
    let aggregate = |name| TrecMeasure::find(name).unwrap().measures(None, ASKED).unwrap()[0].1.definition().aggregate;
    assert_eq!(aggregate("num_nonrel_judged_ret"), Aggregate::Sum);
    assert_eq!(aggregate("prefs_num_prefs_poss"), Aggregate::Sum);
    assert_eq!(aggregate("gm_bpref"), Aggregate::GeometricMean);
    assert_eq!(aggregate("utility"), Aggregate::Mean);
}
