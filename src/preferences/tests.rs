//! Preferences worked out by hand. A judgment reads `group/subgroup document level`.

use super::*;

fn preferences(judgments: &str, ranking: &str) -> Result<Preferences, Contradiction> {
    let placements: Vec<Placement<'_>> = judgments
        .split(';')
        .map(|row| match row.split_whitespace().collect::<Vec<_>>()[..] {
            [group, document, level] => {
                let (group, subgroup) = group.split_once('/').unwrap_or((group, "0"));
                let (group, subgroup, document) = (group.as_bytes(), subgroup.as_bytes(), document.as_bytes());
                Placement { group, subgroup, document, level: level.parse().unwrap() }
            }
            _ => panic!("not a judgment: {row}"),
        })
        .collect();
    let rank = |id: &[u8]| (1..).zip(ranking.split_whitespace()).find(|(_, name)| name.as_bytes() == id);
    Preferences::new(&placements, |id| rank(id).map(|(rank, _)| rank))
}

/// Fulfilled and possible: of all pairs, of those half retrieved, of those retrieved.
fn tallies(judgments: &str, ranking: &str) -> [(u64, u64); 3] {
    let found = preferences(judgments, ranking).unwrap();
    [Pairs::All, Pairs::Implied, Pairs::Retrieved].map(|pairs| {
        let Tally { fulfilled, possible } = found.tally(pairs);
        (fulfilled, possible)
    })
}

fn balanced(judgments: &str, ranking: &str) -> [(u64, u64); 2] {
    let found = preferences(judgments, ranking).unwrap();
    [Pairs::All, Pairs::Retrieved].map(|pairs| {
        let Tally { fulfilled, possible } = found.groups()[0].balanced_tally(pairs);
        (fulfilled, possible)
    })
}

/// d4 above d1 above d2 and d6 above d3 and d5: 13 preferences.
const SIX: &str = "g d1 3; g d2 2; g d3 0; g d4 6; g d5 0; g d6 2";

#[test]
fn levels_order_all_documents_of_a_group() {
    // d4 and d1 above all others they are compared with: 9; d2 and d6 above d3, which alone is
    // retrieved: 2 failures; d2 and d6 above d5: none of them retrieved, 2 failures.
    assert_eq!(tallies(SIX, "d4 d1 x d3"), [(9, 13), (9, 11), (3, 3)]);
    assert_eq!(tallies(SIX, "d3 d4"), [(4, 13), (4, 8), (0, 1)]);
    assert_eq!(tallies(SIX, "x y"), [(0, 13), (0, 0), (0, 0)]);
}

#[test]
fn one_group_has_the_same_mean_over_pairs() {
    let found = preferences(SIX, "d4 d1 x d3").unwrap();
    for pairs in [Pairs::All, Pairs::Implied, Pairs::Retrieved] {
        assert!((found.mean_over_pairs(pairs).unwrap() - found.tally(pairs).share().unwrap()).abs() < 1e-12);
    }
}

#[test]
fn groups_that_disagree_share_a_pair() {
    // a over b: two groups of three; a over c, which is not retrieved: one of one; b over c: none of one.
    let votes = "g1 a 1; g1 b 0; g2 a 0; g2 b 1; g3 a 2; g3 b 1; g4 a 1; g4 c 0; g5 b 0; g5 c 1";
    let found = preferences(votes, "a b").unwrap();
    assert_eq!(found.groups().len(), 5);
    assert_eq!(tallies(votes, "a b"), [(3, 5), (3, 5), (2, 3)]);
    let share = |pairs| found.mean_over_pairs(pairs).unwrap();
    assert!((share(Pairs::All) - (2.0 / 3.0 + 1.0) / 3.0).abs() < 1e-12);
    assert!((share(Pairs::Retrieved) - 2.0 / 3.0).abs() < 1e-12);
}

#[test]
fn a_pair_of_which_nothing_is_retrieved_counts_as_a_failure_or_not_at_all() {
    let found = preferences("g a 2; g b 1; g c 0", "a").unwrap();
    assert!((found.mean_over_pairs(Pairs::All).unwrap() - 2.0 / 3.0).abs() < 1e-12);
    assert_eq!(found.mean_over_pairs(Pairs::Implied), Some(1.0));
    assert_eq!(found.mean_over_pairs(Pairs::Retrieved), None);
}

#[test]
fn levels_of_different_parts_are_not_compared_and_what_follows_is_added() {
    assert_eq!(tallies("g/1 a 2; g/1 b 1; g/2 c 1", "c a b"), [(1, 1), (1, 1), (1, 1)]);
    assert_eq!(tallies("g/1 a 2; g/1 b 1; g/2 b 2; g/2 c 1", "c a b"), [(1, 3), (1, 3), (1, 3)]);
}

#[test]
fn fewer_documents_that_are_not_relevant_are_made_up_for() {
    // R = 4, N = 2: 2 more under each relevant document, fulfilled for d4 and d1. Of the
    // retrieved ones R = 2, N = 1: one more.
    assert_eq!(balanced(SIX, "d4 d1 x d3"), [(9 + 4, 13 + 8), (3 + 2, 3 + 4)]);
}

#[test]
fn of_more_documents_that_are_not_relevant_the_last_are_dropped() {
    // b stays. Beside a over b, trec_eval counts b, c and d against b.
    let one_of_four = "g a 1; g b 0; g c 0; g d 0";
    assert_eq!(balanced(one_of_four, "a b c"), [(1, 4), (1, 3)]);
    assert_eq!(balanced("g/1 a 1; g/1 b 0; g/2 a 1; g/2 c 0", "a b c"), [(1, 1), (1, 1)]);
    assert_eq!(balanced("g/1 a 1; g/1 b 0; g/2 a 1; g/2 c 0", "b a c"), [(0, 1), (0, 1)]);
}

#[test]
fn a_group_that_contradicts_itself_is_refused() {
    let error = |judgments| preferences(judgments, "a b c").unwrap_err().to_string();
    assert_eq!(error("g a 1; g a 2"), "judgment group `g` contradicts itself about `a`");
    assert_eq!(error("g/1 a 1; g/1 b 0; g/2 a 0; g/2 c 0"), "judgment group `g` contradicts itself about `a`");
    assert_eq!(
        error("g/1 a 2; g/1 b 1; g/2 b 2; g/2 c 1; g/3 c 2; g/3 a 1"),
        "judgment group `g` contradicts itself about `a`"
    );
}

#[test]
fn the_same_judgment_twice_is_no_contradiction() {
    assert_eq!(tallies("g a 1; g a 1; g b 0", "a b")[0], (2, 2));
}
