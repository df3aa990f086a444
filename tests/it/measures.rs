//! Which measures are shown.

use crate::world::World;

fn labels(arguments: &str) -> Vec<String> {
    let ran = World::new().run(&format!("eval labels.txt good.trec {arguments} --format csv --quiet"));
    assert_eq!(ran.status, Some(0), "{ran}");
    ran.stdout.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().to_owned()).collect()
}

#[test]
fn a_measure_is_taken_as_it_is_written() {
    assert_eq!(labels("-m recall@5"), ["recall@5"]);
    assert_eq!(labels("-m recall"), ["recall"]);
    assert_eq!(labels("-m recall -k 1,3"), ["recall@1", "recall@3"]);
    assert_eq!(labels("-m recall@all -k 1,3"), ["recall"]);
    assert_eq!(labels("-m recall@5,P_3 -m nDCG@10 -m recall@5"), ["recall@5", "precision@3", "ndcg@10"]);
    assert_eq!(labels("-m recall@5 --rel 2"), ["recall:rel=2@5"]);
}

#[test]
fn the_default_set_is_at_every_cutoff() {
    let found = labels("-k 3");
    for label in ["hit@3", "precision@3", "recall@3", "f1@3", "mrr@3", "ndcg@3", "ndcg_exp@3", "err@3", "judged@3"] {
        assert!(found.iter().any(|other| other == label), "{label}");
    }
    for label in ["map", "mrr", "rprec", "bpref", "rbp", "rbp_residual", "map:condensed", "ndcg:condensed@3"] {
        assert!(found.iter().any(|other| other == label), "{label}");
    }
}

#[test]
fn the_value_of_a_measure_does_not_depend_on_its_company() {
    let world = World::new();
    let all = world.run("eval labels.txt good.trec -m all --format csv").stdout;
    let alone = world.run("eval labels.txt good.trec -m ndcg@5 --format csv").stdout;
    assert!(all.lines().any(|line| Some(line) == alone.lines().nth(1)));
}

#[test]
fn every_kind_of_interval_holds_the_mean() {
    let world = World::new();
    for ci in ["auto", "t", "percentile", "bca", "bootstrap"] {
        let ran = world.run(&format!("eval labels.txt good.trec -m map --ci {ci} --format csv --quiet"));
        let numbers: Vec<f64> =
            ran.stdout.lines().nth(1).unwrap().split(',').skip(4).map(|text| text.parse().unwrap()).collect();
        assert!(numbers[1] <= numbers[0] && numbers[0] <= numbers[2], "{ci}: {ran}");
    }
}
