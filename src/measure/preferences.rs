//! The share of preferences between documents that a ranking fulfils (Buckley 2008).

use super::{Aggregate, Better, Computation, CutoffRule, MeasureDef, Needs, Params, SpecError, TrecName};
use crate::preferences::{Group, Pairs, Preferences, Tally};

type Build = fn(&Params) -> Result<Computation, SpecError>;

/// A row of this family, named as in trec_eval.
const fn row(name: &'static str, about: &'static str, formula: &'static str, build: Build) -> MeasureDef {
    MeasureDef {
        name,
        aliases: &[],
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
        aggregate: Aggregate::Mean,
        better: Better::Higher,
        range: (0.0, 1.0),
        needs: Needs::Query,
        capped: false,
        needs_zeros: false,
        trec_only: true,
        trec_name: TrecName::whole(name),
        build,
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
    "the same as prefs_avgjg_Rnonrel over retrieved documents",
    "as prefs_avgjg_Rnonrel, between two retrieved documents",
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

    /// Two readers: one likes a, then b, then c; the other b best, and a and c not at all. c is
    /// not retrieved.
    fn value(name: &str, ranking: &[&str]) -> f64 {
        let place = |group: &'static str, document: &'static str, level| {
            let (group, document) = (group.as_bytes(), document.as_bytes());
            Placement { group, subgroup: b"0", document, level }
        };
        let placements = [
            place("1", "a", 2.0),
            place("1", "b", 1.0),
            place("1", "c", 0.0),
            place("2", "b", 1.0),
            place("2", "a", 0.0),
            place("2", "c", 0.0),
        ];
        let rank = |id: &[u8]| (1..).zip(ranking).find(|(_, name)| name.as_bytes() == id).map(|(rank, _)| rank);
        let preferences = Preferences::new(&placements, rank).unwrap();
        let list = JudgedRanking::from_grades(&[], &[]);
        Measure::parse(name).unwrap().score(&list.view().with_preferences(&preferences)).unwrap()
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
