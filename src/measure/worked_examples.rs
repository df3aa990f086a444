//! Rankings small enough to check by hand, with every measure that they settle.

use super::*;

/// A list and what its measures are, all on a scale up to grade 3.
struct Example<'e> {
    ranked: &'e [Option<Grade>],
    not_retrieved: &'e [Grade],
    values: &'e [(&'e str, f64)],
}

fn check(example: &Example<'_>) {
    let list = JudgedRanking::from_grades(example.ranked, example.not_retrieved);
    for &(spec, expected) in example.values {
        let measure = Measure::parse(spec).unwrap().bind(&LabelFacts { max_grade: 3.0 }).unwrap();
        let value = measure.score(&list.view()).unwrap();
        assert!((value - expected).abs() < 1e-9, "{spec} of {:?}: {value}, expected {expected}", example.ranked);
    }
}

const NO: Option<Grade> = Some(0.0);
const YES: Option<Grade> = Some(1.0);

#[test]
fn three_of_four_found_in_five() {
    check(&Example {
        ranked: &[None, Some(2.0), Some(3.0), None, Some(1.0)],
        not_retrieved: &[2.0],
        values: &[
            ("hit@1", 0.0),
            ("hit@3", 1.0),
            ("precision@3", 2.0 / 3.0),
            ("precision@5", 0.6),
            ("recall@1", 0.0),
            ("recall@3", 0.5),
            ("recall@5", 0.75),
            ("full_recall@5", 0.0),
            ("f1@3", 4.0 / 7.0),
            ("f1@5", 2.0 / 3.0),
            ("mrr", 0.5),
            ("mrr@1", 0.0),
            ("map", 0.441_666_666_666_667),
            ("map@3", 0.291_666_666_666_667),
            ("map:norm=min@3", 0.388_888_888_888_889),
            ("context_precision", 0.588_888_888_888_889),
            ("context_precision@3", 0.583_333_333_333_333),
            ("dcg@5", 3.148_712_314_377_46),
            ("ndcg@5", 0.553_129_972_002_7),
            ("dcg_exp@5", 5.779_642_067_948_91),
            ("ndcg_exp@5", 0.533_991_806_757_167),
            ("rprec", 0.5),
            ("err@5", 0.371_744_791_666_667),
            ("rbp", 0.369_92),
            ("rbp_residual", 0.630_08),
            ("rbp_residual:tail", 0.327_68),
            ("recall:rel=2@5", 2.0 / 3.0),
            ("map:rel=2", 0.388_888_888_888_889),
        ],
    });
}

#[test]
fn the_same_list_with_its_zeros_written_out() {
    check(&Example {
        ranked: &[NO, Some(2.0), Some(3.0), NO, Some(1.0)],
        not_retrieved: &[2.0],
        values: &[
            ("judged@5", 1.0),
            ("bpref", 0.25),
            ("bpref:variant=2004", 0.5),
            ("rbp_residual", 0.327_68),
            ("ndcg@5", 0.553_129_972_002_7),
            ("map", 0.441_666_666_666_667),
        ],
    });
}

#[test]
fn incomplete_labels_plain_and_condensed() {
    check(&Example {
        ranked: &[None, NO, Some(2.0), None, Some(3.0), NO, Some(1.0), NO, None],
        not_retrieved: &[2.0, 0.0],
        values: &[
            ("judged@5", 0.6),
            ("judged@9", 2.0 / 3.0),
            ("bpref", 0.5),
            ("bpref:variant=2004", 0.5),
            ("bpref:variant=10", 0.678_571_428_571_429),
            ("map", 0.290_476_190_476_19),
            ("ndcg@5", 0.379_542_333_496_226),
            ("precision@5", 0.4),
            ("recall@5", 0.5),
            ("mrr", 1.0 / 3.0),
            ("rbp", 0.262_348_8),
            ("rbp_residual:tail", 0.134_217_728),
            ("rbp_residual", 0.470_172_16),
            ("err@5", 0.234_375),
            ("map:condensed", 0.441_666_666_666_667),
            ("ndcg:condensed@5", 0.553_129_972_002_7),
            ("precision:condensed@5", 0.6),
            ("recall:condensed@5", 0.75),
            ("mrr:condensed", 0.5),
            ("rbp:condensed", 0.369_92),
            ("err:condensed@5", 0.371_744_791_666_667),
        ],
    });
}

#[test]
fn labels_without_zeros_make_judged_precision_and_bpref_recall() {
    check(&Example {
        ranked: &[None, None, Some(2.0), None, Some(3.0), None, Some(1.0), None, None],
        not_retrieved: &[2.0],
        values: &[("judged@5", 0.4), ("precision@5", 0.4), ("bpref", 0.75), ("recall@9", 0.75)],
    });
}

#[test]
fn equal_recall_hides_the_order() {
    let found = [("hit@5", 1.0), ("recall@5", 1.0), ("precision@5", 0.4)];
    let orders: [(&[Option<Grade>], [f64; 4]); 3] = [
        (&[YES, YES, None, None, None], [1.0, 1.0, 1.0, 1.0]),
        (&[None, YES, YES, None, None], [0.5, 7.0 / 12.0, 0.693_426_403_617_271, 7.0 / 12.0]),
        (&[None, None, None, YES, YES], [0.25, 0.325, 0.501_265_835_341_887, 0.325]),
    ];
    for (ranked, values) in orders {
        let names = ["mrr", "map", "ndcg@5", "context_precision@5"];
        let values: Vec<_> = found.into_iter().chain(names.into_iter().zip(values)).collect();
        check(&Example { ranked, not_retrieved: &[], values: &values });
    }
}

#[test]
fn one_hit_of_three_flatters_some_measures() {
    check(&Example {
        ranked: &[YES, None, None, None, None],
        not_retrieved: &[1.0, 1.0],
        values: &[
            ("hit@5", 1.0),
            ("mrr", 1.0),
            ("context_precision@5", 1.0),
            ("recall@5", 1.0 / 3.0),
            ("precision@5", 0.2),
            ("map", 1.0 / 3.0),
            ("ndcg@5", 0.469_278_726_022_756),
        ],
    });
    check(&Example {
        ranked: &[None, None, None, None, YES],
        not_retrieved: &[1.0, 1.0],
        values: &[("hit@5", 1.0), ("mrr", 0.2), ("map", 1.0 / 15.0), ("ndcg@5", 0.181_541_792_537_353)],
    });
}

#[test]
fn deeper_cutoffs_trade_precision_for_recall() {
    check(&Example {
        ranked: &[YES, None, YES, None, None, YES, None, None],
        not_retrieved: &[],
        values: &[
            ("f1@1", 0.5),
            ("ndcg@1", 1.0),
            ("f1@3", 2.0 / 3.0),
            ("ndcg@3", 0.703_918_089_034_135),
            ("f1@5", 0.5),
            ("ndcg@5", 0.703_918_089_034_135),
            ("recall@8", 1.0),
            ("precision@8", 0.375),
            ("f1@8", 6.0 / 11.0),
            ("ndcg@8", 0.871_078_544_000_337),
        ],
    });
}
