//! Properties of measures over made-up rankings, and each definition computed once more without
//! any shortcut.

use proptest::prelude::*;

use super::*;

const FACTS: LabelFacts = LabelFacts { max_grade: 4.0 };
/// What rounding may move.
const ROUNDING: f64 = 1e-12;

/// A grade a rank, and the grades of the judged documents that were not retrieved.
type List = (Vec<Option<Grade>>, Vec<Grade>);

fn lists() -> impl Strategy<Value = List> {
    let grade = prop::sample::select(&[0.0, 0.5, 1.0, 2.0, 3.0, 4.0][..]);
    let retrieved = prop_oneof![Just(None), Just(Some(-1.0)), grade.clone().prop_map(Some)];
    (prop::collection::vec(retrieved, 0..16), prop::collection::vec(grade, 0..8))
}

fn value(spec: &str, (ranked, rest): &List) -> f64 {
    let measure = Measure::parse(spec).unwrap().bind(&FACTS).unwrap();
    measure.score(&JudgedRanking::from_grades(ranked, rest).view()).unwrap()
}

fn close(left: f64, right: f64) -> bool {
    (left - right).abs() <= ROUNDING * left.abs().max(1.0)
}

/// The list with two ranks exchanged so that the better document stands higher; `None` where
/// `better` does not hold between them.
fn swapped_up(list: &List, i: usize, j: usize, better: impl Fn(Grade, Grade) -> bool) -> Option<List> {
    let (high, low) = (i.min(j), i.max(j));
    let grade = |rank: usize| list.0.get(rank).map(|grade| grade.unwrap_or(0.0).max(0.0));
    let (mut ranked, rest) = list.clone();
    better(grade(low)?, grade(high)?).then(|| {
        ranked.swap(high, low);
        (ranked, rest)
    })
}

proptest! {
    #[test]
    fn unjudged_documents_at_the_end_change_nothing(list in lists(), more in 0_usize..20) {
        let mut longer = list.clone();
        longer.0.resize(list.0.len() + more, None);
        for spec in ["map", "mrr", "ndcg", "ndcg_exp", "rbp", "bpref", "err", "ndcg@5", "rprec", "infap"] {
            prop_assert_eq!(value(spec, &list), value(spec, &longer), "{}", spec);
        }
    }

    #[test]
    fn a_relevant_document_further_up_never_lowers(list in lists(), i in 0_usize..16, j in 0_usize..16) {
        let Some(better) = swapped_up(&list, i, j, |low, high| low >= 1.0 && high < 1.0) else { return Ok(()) };
        for spec in ["map", "mrr", "rbp", "map@5", "mrr@5", "precision@5", "recall@5", "hit@5", "rprec"] {
            prop_assert!(value(spec, &better) >= value(spec, &list) - ROUNDING, "{}", spec);
        }
    }

    #[test]
    fn a_higher_grade_further_up_never_lowers(list in lists(), i in 0_usize..16, j in 0_usize..16) {
        let Some(better) = swapped_up(&list, i, j, |low, high| low > high) else { return Ok(()) };
        for spec in ["ndcg", "ndcg@5", "ndcg_exp", "dcg", "err", "err@5", "rbp:gain=graded"] {
            prop_assert!(value(spec, &better) >= value(spec, &list) - ROUNDING, "{}", spec);
        }
    }

    #[test]
    fn the_ideal_ranking_has_ndcg_1(grades in prop::collection::vec(0.0..1e308_f64, 1..12), k in 1_u64..15) {
        let mut grades = grades;
        grades.sort_by(|a, b| b.total_cmp(a));
        prop_assume!(grades[0] > 0.0);
        let list = (grades.into_iter().map(Some).collect(), vec![]);
        for name in ["ndcg", "ndcg_exp"] {
            prop_assert_eq!(value(name, &list), 1.0);
            prop_assert_eq!(value(&format!("{name}@{k}"), &list), 1.0);
        }
    }

    #[test]
    fn grades_of_any_size_give_values_in_range(
        ranked in prop::collection::vec(prop::option::of(prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO), 0..8),
        rest in prop::collection::vec(prop::num::f64::POSITIVE | prop::num::f64::SUBNORMAL, 0..4),
    ) {
        let list = JudgedRanking::from_grades(&ranked, &rest);
        let facts = LabelFacts { max_grade: list.view().ideal().first().copied().unwrap_or(0.0) };
        for measure in all_set(&[3], 1.0).unwrap() {
            let Ok(measure) = measure.bind(&facts) else { continue };
            let (low, high) = measure.definition().range;
            if let Some(value) = measure.score(&list.view()) {
                prop_assert!(value.is_finite() && low <= value && value <= high, "{:?}: {}", measure, value);
            }
        }
    }

    #[test]
    fn any_text_is_refused_or_has_a_label_that_parses_back(
        text in prop_oneof![any::<String>(), "(ndcg|P|rbp|ap)[a-z_'.:=@(),0-9-]{0,12}"],
    ) {
        if let Ok(measure) = Measure::parse(&text) {
            let again = Measure::parse(measure.label()).unwrap();
            prop_assert_eq!((again.label(), again.params()), (measure.label(), measure.params()));
        }
    }

    #[test]
    fn a_value_does_not_depend_on_what_else_is_asked_for(list in lists()) {
        let list = JudgedRanking::from_grades(&list.0, &list.1);
        let bound = || all_set(&[1, 5], 1.0).unwrap().into_iter().map(|measure| measure.bind(&FACTS).unwrap());
        let together: Vec<_> = bound().map(|measure| measure.score(&list.view())).collect();
        let backwards: Vec<_> = bound().rev().map(|measure| measure.score(&list.view())).collect();
        prop_assert!(together.iter().eq(backwards.iter().rev()));
    }

    #[test]
    fn condensing_a_judged_list_changes_nothing_and_bpref_never_changes(list in lists()) {
        let (ranked, rest) = &list;
        let judged: Vec<Option<Grade>> = ranked.iter().copied().filter(|grade| grade.is_some_and(|g| g >= 0.0)).collect();
        let condensed = (judged, rest.clone());
        prop_assert_eq!(value("bpref", &list), value("bpref", &condensed));
        for name in ["map", "mrr", "ndcg", "precision", "rbp", "err"] {
            prop_assert_eq!(value(&format!("{name}:condensed"), &list), value(name, &condensed), "{}", name);
            prop_assert_eq!(value(&format!("{name}:condensed"), &condensed), value(name, &condensed), "{}", name);
        }
    }

    #[test]
    fn the_residual_is_the_sum_over_unjudged_ranks_and_the_tail(list in lists(), p in 0.0..0.99_f64) {
        let unjudged = list.0.iter().enumerate().filter(|(_, grade)| grade.is_none_or(|grade| grade < 0.0));
        let inside: f64 = unjudged.map(|(index, _)| p.powi(index as i32)).sum();
        let tail = p.powi(list.0.len() as i32);
        let (whole, end) = (format!("rbp_residual:p={p}"), format!("rbp_residual:p={p}:tail"));
        prop_assert!(close(value(&whole, &list), tail + (1.0 - p) * inside));
        prop_assert!(close(value(&end, &list), tail));
        prop_assert!(value("rbp", &list) + value("rbp_residual", &list) <= 1.0 + ROUNDING);
    }

    #[test]
    fn definitions_without_shortcuts(list in lists(), k in 1_usize..20) {
        let (ranked, rest) = &list;
        let grade = |rank: usize| ranked.get(rank - 1).copied().flatten().unwrap_or(0.0).max(0.0);
        let is_relevant = |rank: usize| grade(rank) >= 1.0;
        let found = |k: usize| (1..=k).filter(|&rank| is_relevant(rank)).count() as f64;
        let judged = ranked.iter().flatten().chain(rest).copied().filter(|&grade| grade >= 0.0);
        let mut ideal: Vec<Grade> = judged.collect();
        ideal.sort_by(|a, b| b.total_cmp(a));
        let relevant = ideal.iter().filter(|&&grade| grade >= 1.0).count() as f64;
        let or_0 = |value: f64| if value.is_nan() { 0.0 } else { value };
        let precisions: f64 = (1..=k).filter(|&rank| is_relevant(rank)).map(|rank| found(rank) / rank as f64).sum();
        let dcg = |gain: &dyn Fn(Grade) -> f64, grade: &dyn Fn(usize) -> Grade| -> f64 {
            (1..=k).map(|rank| gain(grade(rank)) / (rank as f64 + 1.0).log2()).sum()
        };
        let best = |rank: usize| ideal.get(rank - 1).copied().unwrap_or(0.0);
        let (linear, exponential) = (|grade: Grade| grade, |grade: Grade| grade.exp2() - 1.0);
        let err = || {
            let stop = |rank: usize| exponential(grade(rank)) / 16.0;
            let reach = |rank: usize| (1..rank).map(|above| 1.0 - stop(above)).product::<f64>();
            (1..=k).map(|rank| reach(rank) * stop(rank) / rank as f64).sum::<f64>()
        };
        for (name, expected) in [
            ("precision", found(k) / k as f64),
            ("recall", or_0(found(k) / relevant)),
            ("capped_recall", or_0(found(k) / relevant.min(k as f64))),
            ("f1", or_0(2.0 * found(k) / (k as f64 + relevant))),
            ("map", or_0(precisions / relevant)),
            ("map:norm=min", or_0(precisions / relevant.min(k as f64))),
            ("context_precision", or_0(precisions / found(k))),
            ("ndcg", or_0(dcg(&linear, &grade) / dcg(&linear, &best))),
            ("ndcg_exp", or_0(dcg(&exponential, &grade) / dcg(&exponential, &best))),
            ("dcg", dcg(&linear, &grade)),
            ("dcg_exp", dcg(&exponential, &grade)),
            ("err", err()),
        ] {
            let value = value(&format!("{name}@{k}"), &list);
            prop_assert!(close(value, expected), "{}@{}: {} and {}", name, k, value, expected);
        }
    }
}
