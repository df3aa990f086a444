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

#[test]
fn a_set_can_stand_in_a_list() {
    let all = labels("-m all,ndcg@7");
    assert!(all.len() > 30 && all.last().unwrap() == "ndcg@7");
    let default = labels("-m default,ndcg@7");
    assert_eq!(default.len(), labels("").len() + 1);
}

#[test]
fn what_a_set_holds_and_cannot_be_scored_is_left_out_with_a_note() {
    let world = World::new().with("large.txt", "q1 0 d1 2000\nq2 0 d4 1\n");
    let ran = world.run("eval large.txt good.trec -m all --format csv");
    assert_eq!(ran.status, Some(0), "{ran}");
    assert!(ran.stderr.contains("W014") && !ran.stdout.contains("dcg_exp@5,,2,2"), "{ran}");
    assert_eq!(world.run("eval large.txt good.trec -m dcg_exp@5").status, Some(2));
    let micro = world.run("eval labels.txt good.trec poor.trec --average micro");
    assert!(micro.stderr.contains("N015") && !micro.stdout.contains('±'), "{micro}");
}

#[test]
fn a_residual_is_a_row_where_it_was_asked_for() {
    let ran = World::new().run("eval labels.txt good.trec -m rbp,rbp_residual");
    assert!(ran.stdout.contains("\nrbp_residual   0.689"), "{ran}");
}

#[test]
fn what_labels_cannot_tell_is_hidden_unless_it_was_named() {
    let world = World::new().with("positive.txt", "q1 0 d1 1\nq2 0 d4 1\n");
    let row = |arguments: &str| {
        let ran = world.run(&format!("eval positive.txt good.trec {arguments}"));
        let line = ran.stdout.lines().find(|line| line.starts_with("bpref ")).map(str::to_owned);
        line.unwrap_or_else(|| panic!("{ran}"))
    };
    assert!(row("").contains("n/a") && row("-m all").contains("n/a"));
    assert!(!row("-m bpref").contains("n/a") && !row("-m all,bpref").contains("n/a"));
}

#[test]
fn numbers_of_any_size_fit_into_the_page() {
    let world = World::new().with("huge.txt", "q1 0 d1 1e300\nq2 0 d4 1e308\nq2 0 d9 1\n");
    for arguments in ["-m dcg@5,ndcg@5", "-m all -q", "--rel 1e308 -m recall@5,ndcg@5"] {
        let ran = world.run(&format!("eval huge.txt good.trec {arguments}"));
        assert_eq!(ran.status, Some(0), "{ran}");
        assert!(ran.stdout.lines().all(|line| line.chars().count() <= 80), "{ran}");
        assert!(!ran.stdout.contains("inf,") && !ran.stdout.contains("inf]"), "{ran}");
    }
    let json = world.run("eval huge.txt good.trec -m dcg@5 --format json").stdout;
    assert!(json.contains("\"reason\": \"the values are too large for an interval\""), "{json}");
}

#[test]
fn a_geometric_mean_has_no_median_and_no_share_of_zeros() {
    let ran = World::new().run("eval labels.txt good.trec -m gm_map --format json");
    assert!(ran.stdout.contains("\"zero_share\": null, \"median\": null"), "{ran}");
}
