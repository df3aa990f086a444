//! The share of preferences between documents that a ranking fulfils (Buckley 2008).

use super::{Aggregate, Better, Computation, CutoffRule, MeasureDef, Needs, Params, Purpose, SpecError, TrecName};
use crate::preferences::{Group, Pairs, Preferences, Tally};

type Build = fn(&Params) -> Result<Computation, SpecError>;

/// A row of this family, named as in trec_eval.
const fn row(name: &'static str, about: &'static str, formula: &'static str, build: Build) -> MeasureDef {
    MeasureDef {
        name,
        about,
        formula,
        reading: "1 when every document stands above those that readers like less.",
        blind_to: "How far apart two documents stand, and how much more one is liked.",
        edge_cases: "0 where there are no preferences. A document that is not retrieved stands below all that are; of \
                     two such documents neither stands above the other.",
        peers: "The measure of the same name of trec_eval with -R prefs or -R qrels_prefs.",
        source: "trec_eval, measures of preferences",
        cutoff: CutoffRule::Never,
        params: &[],
        needs: Needs::Query,
        purpose: Purpose::TrecEval,
        by_name_only: true,
        trec_name: TrecName::whole(name),
        ..MeasureDef::built_by(build)
    }
}

/// A row that counts.
const fn count(name: &'static str, about: &'static str, formula: &'static str, build: Build) -> MeasureDef {
    let mut def = row(name, about, formula, build);
    def.aggregate = Aggregate::Sum;
    def.better = Better::Neither;
    def.range = (0.0, f64::INFINITY);
    def.reading = "How much the shares of preferences stand on.";
    def
}

pub(super) static NUM_PREFS_POSS: MeasureDef =
    count("prefs_num_prefs_poss", "number of preferences", "preferences of all groups, summed over queries", |_| {
        Ok(Computation::Preferences(|all| Some(all.tally(Pairs::All).possible as f64)))
    });

pub(super) static NUM_PREFS_FUL: MeasureDef = count(
    "prefs_num_prefs_ful",
    "number of preferences that are fulfilled",
    "fulfilled preferences of all groups, summed over queries",
    |_| Ok(Computation::Preferences(|all| Some(all.tally(Pairs::All).fulfilled as f64))),
);

pub(super) static NUM_PREFS_FUL_RET: MeasureDef = count(
    "prefs_num_prefs_ful_ret",
    "number of preferences that are fulfilled between retrieved documents",
    "fulfilled preferences of all groups between two retrieved documents, summed over queries",
    |_| Ok(Computation::Preferences(|all| Some(all.tally(Pairs::Retrieved).fulfilled as f64))),
);

pub(super) static SIMP: MeasureDef = row(
    "prefs_simp",
    "the share of preferences that is fulfilled",
    "fulfilled / all preferences of all groups",
    |_| Ok(Computation::Preferences(|all| simple(all, Pairs::All))),
);

pub(super) static SIMP_RET: MeasureDef = row(
    "prefs_simp_ret",
    "the share of preferences between retrieved documents that is fulfilled",
    "fulfilled / all preferences between two retrieved documents",
    |_| Ok(Computation::Preferences(|all| simple(all, Pairs::Retrieved))),
);

pub(super) static SIMP_IMP: MeasureDef = row(
    "prefs_simp_imp",
    "the share of preferences about retrieved documents that is fulfilled",
    "fulfilled / all preferences of which at least one document is retrieved",
    |_| Ok(Computation::Preferences(|all| simple(all, Pairs::Implied))),
);

pub(super) static PAIR: MeasureDef = row(
    "prefs_pair",
    "the share of preferences that is fulfilled, averaged over pairs of documents",
    "mean over the pairs with a preference of (fulfilled / all preferences about the pair)",
    |_| Ok(Computation::Preferences(|all| over_pairs(all, Pairs::All))),
);

pub(super) static PAIR_RET: MeasureDef = row(
    "prefs_pair_ret",
    "the same as prefs_pair over pairs of retrieved documents",
    "mean over the retrieved pairs with a preference of (fulfilled / all preferences about the pair)",
    |_| Ok(Computation::Preferences(|all| over_pairs(all, Pairs::Retrieved))),
);

pub(super) static PAIR_IMP: MeasureDef = row(
    "prefs_pair_imp",
    "the same as prefs_pair over pairs of which at least one document is retrieved",
    "mean over those pairs with a preference of (fulfilled / all preferences about the pair)",
    |_| Ok(Computation::Preferences(|all| over_pairs(all, Pairs::Implied))),
);

pub(super) static AVGJG: MeasureDef = row(
    "prefs_avgjg",
    "the share of preferences that is fulfilled, averaged over judgment groups",
    "mean over the groups of (fulfilled / all preferences of the group)",
    |_| Ok(Computation::Preferences(|all| over_groups(all, Pairs::All))),
);

pub(super) static AVGJG_RET: MeasureDef = row(
    "prefs_avgjg_ret",
    "the same as prefs_avgjg over retrieved documents",
    "mean over the groups of (fulfilled / all preferences of the group between two retrieved documents)",
    |_| Ok(Computation::Preferences(|all| over_groups(all, Pairs::Retrieved))),
);

pub(super) static AVGJG_IMP: MeasureDef = row(
    "prefs_avgjg_imp",
    "the same as prefs_avgjg over preferences about retrieved documents",
    "mean over the groups of (fulfilled / all preferences of the group with at least one document retrieved)",
    |_| Ok(Computation::Preferences(|all| over_groups(all, Pairs::Implied))),
);

pub(super) static AVGJG_RNONREL: MeasureDef =
    MeasureDef { trec_name: TrecName::whole("prefs_avgjg_Rnonrel"), ..RNONREL };

const RNONREL: MeasureDef = row(
    "prefs_avgjg_rnonrel",
    "the same as prefs_avgjg with as many documents that are not relevant (level 0) as relevant ones",
    "mean over the groups of (fulfilled / all preferences), with the missing ones added as fulfilled, those too many \
     dropped from the end",
    |_| Ok(Computation::Preferences(|all| balanced(all, Pairs::All))),
);

pub(super) static AVGJG_RNONREL_RET: MeasureDef =
    MeasureDef { trec_name: TrecName::whole("prefs_avgjg_Rnonrel_ret"), ..RNONREL_RET };

const RNONREL_RET: MeasureDef = row(
    "prefs_avgjg_rnonrel_ret",
    "the same as prefs_avgjg_rnonrel over retrieved documents",
    "as prefs_avgjg_rnonrel, between two retrieved documents",
    |_| Ok(Computation::Preferences(|all| balanced(all, Pairs::Retrieved))),
);

fn simple(all: &Preferences, pairs: Pairs) -> Option<f64> {
    Some(all.tally(pairs).share().unwrap_or(0.0))
}

fn over_pairs(all: &Preferences, pairs: Pairs) -> Option<f64> {
    Some(all.mean_over_pairs(pairs).unwrap_or(0.0))
}

fn over_groups(all: &Preferences, pairs: Pairs) -> Option<f64> {
    let share = |group: &Group| group.tally(pairs).share().unwrap_or(0.0);
    Some(mean(all.groups().iter().map(share)))
}

/// As in trec_eval one group without any preference takes the value of the others away, too.
fn balanced(all: &Preferences, pairs: Pairs) -> Option<f64> {
    let tallies = || all.groups().iter().map(|group| group.balanced_tally(pairs));
    let shares: Option<Vec<f64>> = tallies().map(Tally::share).collect();
    Some(mean(shares.unwrap_or_default().into_iter()))
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let number = values.len();
    if number == 0 { 0.0 } else { values.fold(0.0, |sum, value| sum + value) / number as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judged::JudgedRanking;
    use crate::measure::{Measure, Reads};
    use crate::preferences::Placement;

    /// The measures of judgments that read `group/subgroup document level`, for a ranking.
    fn values(judgments: &str, ranking: &[&str], names: &[&str]) -> Vec<f64> {
        let placements = judgments.split(';').map(|row| match row.split_whitespace().collect::<Vec<_>>()[..] {
            [group, document, level] => {
                let (group, subgroup) = group.split_once('/').unwrap_or((group, "0"));
                let [group, subgroup, document] = [group, subgroup, document].map(str::as_bytes);
                Placement { group, subgroup, document, level: level.parse().unwrap() }
            }
            _ => panic!("not a judgment: {row}"),
        });
        let placements: Vec<Placement<'_>> = placements.collect();
        let rank = |id: &[u8]| (1..).zip(ranking).find(|(_, name)| name.as_bytes() == id).map(|(rank, _)| rank);
        let preferences = Preferences::new(&placements, rank).unwrap();
        let view = JudgedRanking::new(&[], 0, &[]).with_preferences(&preferences);
        names.iter().map(|name| Measure::parse(name).unwrap().score(&view).unwrap()).collect()
    }

    /// Two readers: one likes a, then b, then c; the other b best, and a and c not at all.
    fn value(name: &str, ranking: &[&str]) -> f64 {
        values("1 a 2; 1 b 1; 1 c 0; 2 b 1; 2 a 0; 2 c 0", ranking, &[name])[0]
    }

    #[test]
    fn two_readers_and_two_of_three_documents() {
        // The first has a over b, a over c, b over c, all fulfilled by `a b`; the second has b over
        // a, which is not, and b over c, which is.
        let of = |name| value(name, &["a", "b"]);
        assert_eq!(
            (of("prefs_num_prefs_poss"), of("prefs_num_prefs_ful"), of("prefs_num_prefs_ful_ret")),
            (5.0, 4.0, 1.0)
        );
        assert_eq!((of("prefs_simp"), of("prefs_simp_imp"), of("prefs_simp_ret")), (0.8, 0.8, 0.5));
        // Pairs: a and b one of two, a and c one of one, b and c two of two.
        assert_eq!((of("prefs_pair"), of("prefs_pair_imp"), of("prefs_pair_ret")), (2.5 / 3.0, 2.5 / 3.0, 0.5));
        assert_eq!((of("prefs_avgjg"), of("prefs_avgjg_imp"), of("prefs_avgjg_ret")), (0.75, 0.75, 0.5));
        // First group: R = 2, N = 1, one more below each. Second: R = 1, N = 2, a stays: b over a
        // fails, and a and c against a fail, too.
        assert_eq!(of("prefs_avgjg_Rnonrel"), (5.0 / 5.0 + 0.0) / 2.0);
        // Retrieved: R = 2, N = 0 adds two below each; R = 1, N = 1 leaves b over a.
        assert_eq!(of("prefs_avgjg_Rnonrel_ret"), (5.0 / 5.0 + 0.0) / 2.0);
    }

    /// The values that trec_eval 10 prints for the examples of its own tests (renamed).
    #[test]
    fn the_examples_of_trec_eval() {
        const NAMES: [&str; 8] = [
            "prefs_simp",
            "prefs_pair",
            "prefs_avgjg",
            "prefs_avgjg_Rnonrel",
            "prefs_simp_ret",
            "prefs_pair_ret",
            "prefs_avgjg_Rnonrel_ret",
            "prefs_simp_imp",
        ];
        let two_levels = "1 a 1; 1 b 0; 1 c 0; 1 d 1; 1 e 0; 1 f 1; 1 g 1; 1 v 1; 1 w 0; 1 x 1; 1 y 0";
        let many_levels = "1 a 9; 1 b 8; 1 c 7; 1 d 6; 1 e 5; 1 f 5.5; 1 g 6.5; 1 v 8; 1 w 7; 1 x 6; 1 y 3";
        let groups = "0 a 0; 0 b 1; 0 c 0; 0 x 5; 1 a 4; 1 b 6; 1 c 6; 1 x 5; 2 a 9; 2 b 8; 2 c 7; 2 x 5";
        let parts = format!("{groups}; 0/1 a 0; 0/1 b 1; 1/1 a 4; 1/1 b 6; 2/1 a 9; 2/1 b 8");
        let follows = "0/0 a 5; 0/0 b 9; 0/0 c 4; 0/0 d 3; 0/0 u 6; 0/0 v 0; 0/1 c 7; 0/1 e 6; 0/1 w 1";
        for (judgments, expected) in [
            (two_levels, [0.4, 0.4, 0.4, 0.4444, 0.3333, 0.3333, 0.4444, 0.4615]),
            (&format!("{two_levels}; 1/1 a 1; 1/1 b 0"), [0.4, 0.4, 0.4, 0.4444, 0.3333, 0.3333, 0.4444, 0.4615]),
            (many_levels, [0.5962, 0.5962, 0.5962, 0.6243, 0.8095, 0.8095, 0.6735, 0.6739]),
            (
                &format!("{many_levels}; 1/1 a 9; 1/1 b 8"),
                [0.5962, 0.5962, 0.5962, 0.6243, 0.8095, 0.8095, 0.6735, 0.6739],
            ),
            (groups, [0.5625, 0.5833, 0.5333, 0.5616, 0.5714, 0.6111, 0.4810, 0.5625]),
            (&parts, [0.5625, 0.5833, 0.5333, 0.5616, 0.5714, 0.6111, 0.6476, 0.5625]),
            (follows, [0.7083, 0.7083, 0.7083, 0.7121, 0.8889, 0.8889, 0.75, 0.7727]),
        ] {
            let found = values(judgments, &["a", "b", "c", "d", "e", "f", "g"], &NAMES);
            for ((name, found), expected) in NAMES.iter().zip(found).zip(expected) {
                assert!((found - expected).abs() < 5e-5, "{name}: {found}, expected {expected}, of {judgments}");
            }
        }
    }

    #[test]
    fn nothing_retrieved_fulfils_nothing() {
        for name in
            ["prefs_simp", "prefs_pair_imp", "prefs_avgjg_ret", "prefs_avgjg_Rnonrel_ret", "prefs_num_prefs_ful"]
        {
            assert_eq!(value(name, &[]), 0.0, "{name}");
        }
        assert_eq!(value("prefs_num_prefs_poss", &[]), 5.0);
    }

    #[test]
    fn labels_without_preferences_give_no_value() {
        let list = JudgedRanking::from_grades(&[Some(1.0)], &[]);
        let measure = Measure::parse("prefs_simp").unwrap();
        assert_eq!((measure.reads(), measure.score(&list.view())), (Reads::Preferences, None));
    }
}
