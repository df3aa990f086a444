//! The grammar of measures against texts as people write them.

use super::*;

fn label(text: &str) -> String {
    Measure::parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).label().to_owned()
}

fn error(text: &str) -> String {
    Measure::parse(text).expect_err(text).to_string()
}

#[test]
fn canonical_labels_leave_defaults_out_and_sort_parameters() {
    let cases = [
        ("NDCG@10", "ndcg@10"),
        (" map:rel=1:norm=r ", "map"),
        ("map:rel=2:norm=min@10", "map:norm=min:rel=2@10"),
        ("rbp:p=0.80", "rbp"),
        ("rbp:P=.95", "rbp:p=0.95"),
        ("hit:rel=-0@1", "hit:rel=0@1"),
        ("recall@all", "recall"),
        ("rprec@ALL", "rprec"),
        ("ndcg'@10", "ndcg:condensed@10"),
        ("ndcg:condensed=false@10", "ndcg@10"),
        ("iprec@0.20", "iprec@0.2"),
        ("err:max=4.0@20", "err:max=4@20"),
    ];
    for (written, expected) in cases {
        assert_eq!(label(written), expected, "{written}");
        assert_eq!(label(expected), expected);
    }
}

#[test]
fn names_of_trec_eval() {
    let cases = [
        ("ndcg_cut_10", "ndcg@10"),
        ("recall_at_5", "recall@5"),
        ("precision_at_10", "precision@10"),
        ("NDCG_AT_3", "ndcg@3"),
        ("ndcg_cut.10", "ndcg@10"),
        ("P_5", "precision@5"),
        ("P.5", "precision@5"),
        ("recall_1000", "recall@1000"),
        ("success_1", "hit@1"),
        ("map_cut_10", "map@10"),
        ("recip_rank", "mrr"),
        ("Rprec", "rprec"),
        ("relative_P_5", "capped_recall@5"),
        ("unj_5", "unjudged@5"),
        ("set_P", "precision"),
        ("set_recall", "recall"),
        ("set_F", "f1"),
        ("infAP", "infap"),
        ("num_rel_ret", "num_rel_ret"),
        ("iprec_at_recall_0.20", "iprec@0.2"),
        ("iprec_at_recall.0.2", "iprec@0.2"),
        ("rbp_p=0.9", "rbp:p=0.9"),
        ("rbp.p=0.9", "rbp:p=0.9"),
    ];
    for (written, expected) in cases {
        assert_eq!(label(written), expected, "{written}");
    }
}

#[test]
fn names_of_other_tools_and_of_people() {
    let cases = [
        ("nDCG@10", "ndcg@10"),
        ("nDCG(dcg='exp-log2')@10", "ndcg_exp@10"),
        ("nDCG(dcg=\"log2\", judged_only=True)@10", "ndcg:condensed@10"),
        ("P(rel=2)@5", "precision:rel=2@5"),
        ("AP(rel=2)", "map:rel=2"),
        ("RR@10", "mrr@10"),
        ("RBP(p=0.8)", "rbp"),
        ("SetP", "precision"),
        ("hit_rate@5", "hit@5"),
        ("hit-rate@5", "hit@5"),
        ("ndcg_burges@10", "ndcg_exp@10"),
        ("rbp.80", "rbp"),
        ("rbp.95", "rbp:p=0.95"),
        ("r-precision", "rprec"),
        ("precision@5", "precision@5"),
        ("hits@5", "hit@5"),
        ("success@5", "hit@5"),
        ("accuracy@5", "hit@5"),
        ("p@5", "precision@5"),
        ("r@5", "recall@5"),
        ("prec", "precision"),
        ("ap", "map"),
        ("rr", "mrr"),
    ];
    for (written, expected) in cases {
        assert_eq!(label(written), expected, "{written}");
    }
}

#[test]
fn a_bad_cutoff_is_named_with_its_measure() {
    for written in ["recall@0", "recall@-1", "recall@2.5", "recall@", "recall@+5", "recall@ten"] {
        let value = written.split_once('@').unwrap().1;
        let expected = format!("`{written}`: the cutoff of recall is a whole number from 1, or `all`, not `{value}`");
        assert_eq!(error(written), expected);
    }
    let longest = "no list is that long, expected a cutoff up to 1000000000000000, or recall@all for the whole list";
    for written in ["recall@1000000000000001", "recall@18446744073709551616"] {
        assert_eq!(error(written), format!("`{written}`: {longest}"));
    }
    assert_eq!(label("recall@1000000000000000"), "recall@1000000000000000");
    assert_eq!(error("P_0"), "`P_0`: the cutoff of precision is a whole number from 1, or `all`, not `0`");
    assert_eq!(error("rprec@5"), "`rprec@5`: rprec is over the whole list and takes no cutoff");
    assert_eq!(error("bpref@10"), "`bpref@10`: bpref is over the whole list and takes no cutoff");
    assert_eq!(error("P_5@10"), "`P_5@10`: expected one cutoff, not two");
    assert_eq!(error("unjudged"), "unjudged is incomplete, expected an @ such as unjudged@10");
    assert_eq!(error("capped_recall@all"), "capped_recall is incomplete, expected an @ such as capped_recall@10");
    assert_eq!(error("iprec@1.5"), "`iprec@1.5`: the recall level of iprec is a number from 0 to 1, not `1.5`");
}

#[test]
fn a_bad_parameter_is_named_with_what_is_allowed() {
    let cases = [
        ("ndcg:rel=2@10", "`ndcg:rel=2@10`: ndcg has no parameter `rel`, expected condensed or GRADE"),
        ("judged:condensed@5", "`judged:condensed@5`: judged has no parameter `condensed`, expected none"),
        ("hit:rel=2:rel=3@5", "`hit:rel=2:rel=3@5`: expected `rel` once, not twice"),
        ("hit:rel=-1@5", "`hit:rel=-1@5`: `rel` of hit is a number from 0, not `-1`"),
        ("hit:rel=nan@5", "`hit:rel=nan@5`: `rel` of hit is a number from 0, not `nan`"),
        ("hit:rel=inf@5", "`hit:rel=inf@5`: `rel` of hit is a number from 0, not `inf`"),
        ("rbp:p=1", "`rbp:p=1`: `p` of rbp is a number from 0 to below 1, not `1`"),
        ("map:norm=k", "`map:norm=k`: `norm` of map is r or min, not `k`"),
        ("rbp:gain=graded:rel=2", "`rbp:gain=graded:rel=2`: `rel` has no meaning with gain=graded"),
        ("P(rel=2@5", "`P(rel=2@5`: expected a measure such as P(rel=2)@5, with one pair of parentheses"),
        ("P(rel=2)5", "`P(rel=2)5`: expected a measure such as P(rel=2)@5, with one pair of parentheses"),
    ];
    for (written, expected) in cases {
        assert_eq!(error(written), expected);
    }
}

#[test]
fn many_marks_of_condensing_are_an_unknown_name() {
    assert!(Measure::parse("ndcg'@10").is_ok());
    assert!(Measure::parse(&format!("ndcg{}@10", "'".repeat(60_000))).is_err());
}

#[test]
fn an_unknown_name_gets_the_nearest_one() {
    let help = |text| Measure::parse(text).unwrap_err().help();
    assert_eq!(error("ndgc@10"), "unknown measure `ndgc@10`");
    assert_eq!(help("ndgc@10").as_deref(), Some("did you mean `ndcg@10`?"));
    assert_eq!(help("ndgc@0").as_deref(), Some("did you mean `ndcg`?"));
    assert_eq!(help("ndgc_cut_10").as_deref(), Some("did you mean `ndcg_cut`?"));
    assert_eq!(help("recal@5").as_deref(), Some("did you mean `recall@5`?"));
    assert_eq!(help("percision").as_deref(), Some("did you mean `precision`?"));
    assert_eq!(help("mpa").as_deref(), Some("did you mean `map`?"));
    assert_eq!(help("faithfulness").as_deref(), Some("`raglens explain` lists every measure"));
}

#[test]
fn commas_separate_measures_outside_parentheses() {
    let list =
        |text| -> Vec<String> { parse_list(text).unwrap().iter().map(|measure| measure.label().to_owned()).collect() };
    assert_eq!(list("P(rel=2, judged_only=True)@5, ndcg@10,"), ["precision:condensed:rel=2@5", "ndcg@10"]);
    assert_eq!(error("@5"), "expected a measure such as ndcg@10, not `@5`");
    assert_eq!(parse_list(" , ").unwrap_err().to_string(), "expected a measure such as ndcg@10, not ` , `");
    assert!(parse_list("ndcg@10,P(rel=2@5,map").is_err());
}

#[test]
fn open_measures_take_the_cutoffs_and_the_threshold() {
    let specs = parse_specs("recall,recall@5,hit:rel=1@3,set_P,rprec,ndcg,rbp:gain=graded").unwrap();
    let labels =
        |measures: &[Measure]| -> Vec<String> { measures.iter().map(|measure| measure.label().to_owned()).collect() };
    assert_eq!(
        labels(&expand(&specs, &[5, 10, 5], 2.0).unwrap()),
        [
            "recall:rel=2@5",
            "recall:rel=2@10",
            "hit@3",
            "precision:rel=2",
            "rprec:rel=2",
            "ndcg@5",
            "ndcg@10",
            "rbp:gain=graded"
        ]
    );
    assert_eq!(labels(&expand(&specs[..2], &[], 1.0).unwrap()), ["recall", "recall@5"]);
    let error = expand(&specs, &[0], 1.0).unwrap_err().to_string();
    assert_eq!(error, "`recall@0`: the cutoff of recall is a whole number from 1, or `all`, not `0`");
}
