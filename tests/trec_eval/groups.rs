//! Judgment groups and preferences: values worked out by hand on small files of our own, and those
//! that trec_eval publishes for its test files read as preferences.

use std::fs;

use crate::{Files, printed, shared};

const FIXTURES: &str = "fixtures/trec_eval";

/// The values of one query (or `all`) in the order of the names.
fn values(options: &str, labels: &str, run: &str, query: &str, names: &[&str]) -> Vec<String> {
    let paths = [labels, run].map(|name| format!("{FIXTURES}/{name}"));
    let text = printed(options.split_whitespace().map(str::to_owned).chain(paths));
    let value = |name: &&str| {
        let start = format!("{name:<22}\t{query}\t");
        let line = text.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("{start}\n{text}"));
        line[start.len()..].to_owned()
    };
    names.iter().map(value).collect()
}

const COUNTS: [&str; 3] = ["prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret"];
const ALL: [&str; 3] = ["prefs_simp", "prefs_pair", "prefs_avgjg"];
const RETRIEVED: [&str; 3] = ["prefs_simp_ret", "prefs_pair_ret", "prefs_avgjg_ret"];
const IMPLIED: [&str; 3] = ["prefs_simp_imp", "prefs_pair_imp", "prefs_avgjg_imp"];

fn preferences(query: &str, names: &[&str]) -> Vec<String> {
    values("-q -R prefs -m all_prefs", "prefs.txt", "prefs.run", query, names)
}

#[test]
fn preferences_of_one_group_are_counted_pair_by_pair() {
    // Retrieved in the order d1 d4 d3 d2; d5 and d6 are not. Of the 13 preferences 6 are between
    // retrieved documents (d4>d1 and d2>d3 fail), 6 have one retrieved (d6>d3 fails), d6>d5 none.
    assert_eq!(preferences("q1", &COUNTS), ["13", "9", "4"]);
    assert_eq!(preferences("q1", &ALL), ["0.6923"; 3]);
    assert_eq!(preferences("q1", &RETRIEVED), ["0.6667"; 3]);
    assert_eq!(preferences("q1", &IMPLIED), ["0.7500"; 3]);
}

#[test]
fn groups_may_disagree_and_weigh_the_same() {
    // d1>d2 of the first group holds; d3>d1, d4>d1, d3>d4, d2>d1 of the second do not.
    assert_eq!(preferences("q2", &COUNTS), ["5", "1", "1"]);
    // Pairs: d1 and d2 one for and one against, the other three against.
    assert_eq!(preferences("q2", &ALL), ["0.2000", "0.1250", "0.5000"]);
    assert_eq!(preferences("q2", &RETRIEVED), ["0.3333", "0.2500", "0.5000"]);
    assert_eq!(preferences("q2", &IMPLIED), ["0.2000", "0.1250", "0.5000"]);
    // The first group: two relevant documents and none that is not, so two fulfilled preferences
    // over missing ones for each: 5 of 5. The second: 2 of 3 relevant ones retrieved, one that is
    // not relevant, so 4 of 6 over the two missing ones are added to 0 of 4.
    assert_eq!(preferences("q2", &["prefs_avgjg_Rnonrel"]), ["0.7000"]);
}

#[test]
fn what_follows_from_two_parts_of_a_group_counts() {
    // d1>d2 holds; d2>d3 and, from both, d1>d3 do not: d3 comes first.
    assert_eq!(preferences("q3", &COUNTS), ["3", "1", "1"]);
    assert_eq!(preferences("q3", &ALL), ["0.3333"; 3]);
}

#[test]
fn counts_are_summed_and_shares_averaged() {
    assert_eq!(preferences("all", &COUNTS), ["21", "11", "6"]);
    assert_eq!(preferences("all", &["num_q", "runid"]), ["3", "prefs"]);
    assert_eq!(preferences("all", &["prefs_simp"]), ["0.4085"]); // (9/13 + 1/5 + 1/3) / 3
}

#[test]
fn each_judgment_group_is_scored_by_itself() {
    let value = |names: &[&str]| {
        values(
            "-q -R qrels_jg -m qrels_jg -m P_avgjg.1,2,3 -m Rprec_mult_avgjg.1",
            "groups.qrels",
            "groups.run",
            "q1",
            names,
        )
    };
    // a at rank 2; b at rank 1 and c at rank 3.
    assert_eq!(value(&["map_avgjg"]), ["0.6667"]); // (1/2 + (1 + 2/3) / 2) / 2
    assert_eq!(value(&["P_avgjg_1", "P_avgjg_2", "P_avgjg_3"]), ["0.5000", "0.5000", "0.5000"]);
    assert_eq!(value(&["Rprec_mult_avgjg_1.00"]), ["0.2500"]);
    let higher = values("-q -l2 -R qrels_jg -m map_avgjg", "groups.qrels", "groups.run", "q1", &["map_avgjg"]);
    assert_eq!(higher, ["0.1667"]); // nothing in the first group, c at rank 3 in the second
    let all = values("-R qrels_jg -m map_avgjg -m num_q", "groups.qrels", "groups.run", "all", &["map_avgjg", "num_q"]);
    assert_eq!(all, ["0.5833", "2"]);
}

#[test]
fn contradictions_end_with_4() {
    let run = "q1 Q0 a 1 1 r\n";
    for (labels, options) in [
        ("q1 u1 s1 a 1\nq1 u1 s1 b 0\nq1 u1 s2 a 0\nq1 u1 s2 b 1\n", "-R prefs -m prefs"),
        ("q1 u1 s1 a 2\nq1 u1 s1 b 1\nq1 u1 s2 b 2\nq1 u1 s2 a 1\n", "-R prefs -m prefs"),
        ("q1 u1 a 1\nq1 u1 a 2\n", "-R qrels_prefs -m prefs"),
        ("q1 u1 a 1\nq1 u1 a 1\n", "-R qrels_jg -m map_avgjg"),
    ] {
        let output = Files::new(labels, run).run(options);
        assert_eq!(output.status.code(), Some(4), "{labels}{}", crate::shown(&output));
    }
    assert_eq!(Files::new("q1 u1 a 1\n", run).status("-R prefs -m prefs"), Some(2));
    assert_eq!(Files::new("q1 u1 s1 a x\n", run).status("-R prefs -m prefs"), Some(2));
}

#[test]
fn equal_scores_are_ordered_by_ascending_ids_where_preferences_are_counted() {
    let run = "q1 Q0 a 1 1 r\nq1 Q0 b 2 1 r\n";
    let preferred = Files::new("q1 u1 a 2\nq1 u1 b 1\n", run);
    assert_eq!(preferred.lines("-R qrels_prefs -m prefs_simp"), ["prefs_simp all 1.0000"]);
    assert_eq!(Files::new("q1 0 a 1\nq1 0 b 0\n", run).lines("-m recip_rank"), ["recip_rank all 0.5000"]);
}

/// What trec_eval publishes for its test files with `-R qrels_prefs -m all_prefs`, without the
/// names: a row a query and one for all.
const PUBLISHED: [(&str, &str); 4] = [
    ("301", "584916 81605 7339 0.1395 0.1395 0.1395 0.1223 0.5498 0.5498 0.5498 0.1922 0.4995 0.4995 0.4995"),
    ("302", "75768 47531 9031 0.6273 0.6273 0.6273 0.0700 0.8440 0.8440 0.8440 0.2180 0.8645 0.8645 0.8645"),
    ("303", "9020 8464 1494 0.9384 0.9384 0.9384 0.0049 0.7288 0.7288 0.7288 0.0209 0.9384 0.9384 0.9384"),
    ("all", "669704 137600 17864 0.5684 0.5684 0.5684 0.0657 0.7075 0.7075 0.7075 0.1437 0.7675 0.7675 0.7675"),
];

#[test]
fn grades_read_as_preferences_have_the_published_values() {
    let Some(data) = shared("data/pairs/te-results-test") else { return };
    let paths = ["qrels.orig.qrels.test", "run.orig.results.test"].map(|name| data.join(name));
    assert!(fs::metadata(&paths[0]).is_ok());
    let paths = paths.map(|path| path.to_str().unwrap().to_owned());
    let text = printed("-q -R qrels_prefs -m all_prefs".split(' ').map(str::to_owned).chain(paths));
    for (query, expected) in PUBLISHED {
        let lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        let is_meant = |line: &Vec<&str>| line[1] == query && line[0].starts_with("prefs");
        let found: Vec<&str> = lines.filter(is_meant).map(|line| line[2]).collect();
        assert_eq!(found.join(" "), expected, "{query}");
    }
}
