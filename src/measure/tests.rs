//! Tests over the whole table: what must hold for every measure, the next one included.

use std::collections::BTreeSet;

use super::*;
use crate::judged::OwnedRanking;

const FACTS: LabelFacts = LabelFacts { max_grade: 3.0 };

/// Neither a text, nor from what a plain ranking does not have.
fn is_number_from_grades(measure: &Measure) -> bool {
    measure.reads() == Reads::Grades && !measure.is_text()
}

/// Every number from grades and ranks, with its defaults and with each value of each parameter, whole, cut short and cut
/// beyond the end.
fn every_form() -> Vec<Measure> {
    let forms = DEFINITIONS.iter().flat_map(|def| {
        let values = def.params.iter().flat_map(|param| match param.values {
            ParamValues::Number(..) => vec![format!(":{}=0.5", param.name), format!(":{}=3", param.name)],
            ParamValues::Whole => vec![format!(":{}=1", param.name), format!(":{}=3", param.name)],
            ParamValues::Words(words) => words.iter().map(|word| format!(":{}={word}", param.name)).collect(),
            ParamValues::Flag => vec![format!(":{}", param.name)],
            ParamValues::Numbers(..) => vec![format!(":{}=0+0.5", param.name)],
            ParamValues::Gains => vec![":1=0.5".to_owned(), ":1=3".to_owned()],
        });
        let values: Vec<String> = values.chain([String::new()]).collect();
        values
            .into_iter()
            .flat_map(|value| ["", "@1", "@3", "@1000", "@0.5"].map(|at| format!("{}{value}{at}", def.name)))
    });
    let measures = forms.filter_map(|text| Measure::parse(&text).ok()?.bind(&FACTS).ok());
    measures.filter(is_number_from_grades).collect()
}

/// Lists with something odd about each, and the grades of what was not retrieved.
fn every_list() -> Vec<OwnedRanking> {
    let (none, pooled) = (None, Some(-1.0));
    let lists: &[(&[Option<Grade>], &[Grade])] = &[
        (&[], &[1.0]),
        (&[], &[]),
        (&[none], &[3.0]),
        (&[none, pooled], &[1.0, 0.0]),
        (&[Some(0.0); 4], &[]),
        (&[Some(0.0); 4], &[2.0]),
        (&[Some(2.0)], &[]),
        (&[Some(1.0); 5], &[1.0; 7]),
        (&[Some(0.5), Some(0.25)], &[0.75]),
        (&[Some(3.0), none, Some(0.0), pooled, Some(1.0), none, Some(2.0)], &[3.0, 0.0]),
        (&[none, Some(2.0), Some(3.0), none, Some(1.0)], &[2.0]),
    ];
    lists.iter().map(|(ranked, rest)| JudgedRanking::from_grades(ranked, rest)).collect()
}

fn whole_or_cut(def: &MeasureDef) -> Measure {
    let at = match def.cutoff {
        CutoffRule::Required => "@10",
        CutoffRule::RecallLevel | CutoffRule::Multiple => "@0.5",
        CutoffRule::Never | CutoffRule::Optional => "",
    };
    Measure::parse(&format!("{}{at}", def.name)).unwrap()
}

#[test]
fn every_row_can_be_parsed_and_bound() {
    for def in DEFINITIONS {
        assert!(std::ptr::eq(whole_or_cut(def).bind(&FACTS).unwrap().definition(), *def), "{}", def.name);
    }
}

#[test]
fn names_and_aliases_are_unique_and_plainly_spelt() {
    let mut seen = BTreeSet::new();
    for name in DEFINITIONS.iter().flat_map(|def| def.aliases.iter().chain([&def.name])) {
        let spelt = name.strip_suffix("@all").unwrap_or(name);
        assert!(
            !spelt.is_empty()
                && spelt.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'),
            "{name}"
        );
        assert!(seen.insert(spelt), "{name} is there twice");
    }
}

#[test]
fn an_alias_is_the_same_measure() {
    for def in DEFINITIONS {
        let is_share = matches!(def.cutoff, CutoffRule::RecallLevel | CutoffRule::Multiple);
        let at = if is_share { "@0.5" } else { "@5" };
        for alias in def.aliases {
            let at = if def.cutoff == CutoffRule::Never || alias.ends_with("@all") { "" } else { at };
            let name = alias.trim_end_matches("@all").to_ascii_uppercase().replace('_', "-");
            let label = Measure::parse(&format!("{name}{at}")).unwrap().label().to_owned();
            assert_eq!(label, format!("{}{at}", def.name), "{alias}");
        }
    }
}

#[test]
fn names_of_trec_eval_are_unique() {
    let names = DEFINITIONS.iter().flat_map(|def| [def.trec_name.whole, def.trec_name.at]).flatten();
    let mut seen = BTreeSet::new();
    for name in names {
        assert!(seen.insert(name), "{name} is there twice");
    }
}

#[test]
fn what_trec_eval_prints_is_read_as_the_same_measure() {
    // trec_eval's rbp is graded; here the same name stands for the binary form.
    let is_read_otherwise = |measure: &&Measure| measure.params().word("gain") == Some("query");
    for measure in every_form().iter().filter(|measure| !is_read_otherwise(measure)) {
        assert_eq!(Measure::parse(&measure.trec_label()).unwrap().label(), measure.label());
    }
}

#[test]
fn labels_of_trec_eval() {
    let label = |text| Measure::parse(text).unwrap().trec_label();
    let cases = [
        ("hit@5", "success_5"),
        ("hit", "hit"),
        ("precision@5", "P_5"),
        ("precision", "set_P"),
        ("capped_recall@5", "relative_P_5"),
        ("f1@5", "f1@5"),
        ("mrr", "recip_rank"),
        ("mrr@10", "mrr@10"),
        ("map:norm=min@10", "map:norm=min@10"),
        ("map@10", "map_cut_10"),
        ("ndcg", "ndcg"),
        ("ndcg@10", "ndcg_cut_10"),
        ("ndcg:condensed@10", "ndcg:condensed@10"),
        ("precision:rel=2@5", "precision:rel=2@5"),
        ("rprec", "Rprec"),
        ("infap", "infAP"),
        ("bpref:variant=2004", "bpref:variant=2004"),
        ("unjudged@5", "unj_5"),
        ("iprec@0.2", "iprec_at_recall_0.20"),
        ("iprec@0.125", "iprec@0.125"),
    ];
    for (text, expected) in cases {
        assert_eq!(label(text), expected);
    }
}

#[test]
fn every_row_explains_itself() {
    for def in DEFINITIONS {
        for text in [def.about, def.formula, def.source] {
            assert!(!text.is_empty() && !text.ends_with('.'), "{}: {text}", def.name);
        }
        for text in [def.reading, def.blind_to, def.edge_cases, def.peers] {
            assert!(text.ends_with('.') && !text.contains("  "), "{}: {text}", def.name);
        }
    }
}

#[test]
fn parameters_have_values_that_they_allow() {
    for def in DEFINITIONS {
        let names: BTreeSet<&str> = def.params.iter().map(|param| param.name).collect();
        assert_eq!(names.len(), def.params.len(), "{}", def.name);
        for param in def.params {
            assert!(
                param.default.is_none_or(|default| param.read(param.name, default).is_some()),
                "{} {}",
                def.name,
                param.name
            );
            assert!(param.not_with.is_none_or(|(other, _)| names.contains(other)), "{} {}", def.name, param.name);
        }
    }
}

#[test]
fn labels_parse_back_to_the_same_measure() {
    for measure in every_form() {
        let again = Measure::parse(measure.label()).unwrap();
        assert_eq!((again.label(), again.params()), (measure.label(), measure.params()));
    }
}

#[test]
fn values_are_finite_in_range_and_never_minus_zero() {
    let measures = every_form();
    assert!(measures.len() > 200);
    for measure in &measures {
        let (low, high) = measure.definition().range;
        for list in every_list() {
            let Some(value) = measure.score(&list.view()) else { continue };
            assert!(value.is_finite() && low <= value && value <= high, "{measure:?} of {list:?}: {value}");
            assert!(value != 0.0 || value.is_sign_positive(), "{measure:?} of {list:?} is -0");
        }
    }
}

#[test]
fn only_judged_is_undefined_and_only_for_an_empty_list() {
    for measure in every_form() {
        for list in every_list() {
            if measure.reads() != Reads::Grades {
                assert_eq!(measure.score(&list.view()), None, "{measure:?}");
                continue;
            }
            let undefined = measure.definition().name == "judged" && list.view().retrieved() == 0;
            assert_eq!(measure.score(&list.view()).is_none(), undefined, "{measure:?} of {list:?}");
        }
    }
}

#[test]
fn an_empty_list_scores_0_unless_the_measure_describes() {
    let empty = JudgedRanking::from_grades(&[], &[2.0, 0.0]);
    for measure in every_form().iter().filter(|measure| matches!(measure.needs(), Needs::Relevant | Needs::Gain)) {
        assert_eq!(measure.score(&empty.view()), Some(0.0), "{measure:?}");
    }
}

#[test]
fn pooled_parts_divide_to_the_value() {
    for measure in every_form() {
        for list in every_list() {
            let (Some(ratio), Some(value)) = (measure.ratio(&list.view()), measure.score(&list.view())) else {
                continue;
            };
            assert_eq!(ratio.value(), value, "{measure:?} of {list:?}");
        }
    }
    let pooled = every_form().into_iter().filter(|measure| measure.ratio(&every_list()[0].view()).is_some());
    let names: BTreeSet<&str> = pooled.map(|measure| measure.definition().name).collect();
    assert_eq!(names, BTreeSet::from(["hit", "precision", "recall", "f1", "judged"]));
}

#[test]
fn a_deeper_cutoff_never_lowers_what_only_adds() {
    for name in ["hit", "recall", "full_recall", "mrr", "map", "dcg", "dcg_exp", "err"] {
        for list in every_list() {
            let at = |k: u64| Measure::parse(&format!("{name}@{k}")).unwrap().bind(&FACTS).unwrap().score(&list.view());
            for k in 1..10 {
                assert!(at(k) <= at(k + 1), "{name}@{k} of {list:?}");
            }
        }
    }
}

#[test]
fn condensed_forms_are_where_they_mean_something() {
    let plain_only = ["rbp_residual", "bpref", "gm_bpref", "infap", "judged", "unjudged", "utility", "ideal_dcg"];
    for def in DEFINITIONS.iter().filter(|def| is_number_from_grades(&whole_or_cut(def))) {
        let condensed = def.params.iter().any(|param| param.name == "condensed");
        assert_eq!(condensed, !plain_only.contains(&def.name) && def.aggregate != Aggregate::Sum, "{}", def.name);
    }
}

#[test]
fn condensing_changes_nothing_in_a_fully_judged_list() {
    let list = JudgedRanking::from_grades(&[Some(0.0), Some(3.0), Some(0.0), Some(1.0)], &[2.0, 0.0]);
    for condensed in every_form().iter().filter(|measure| measure.is_condensed()) {
        let plain = Measure::parse(&condensed.label().replace(":condensed", "")).unwrap().bind(&FACTS).unwrap();
        assert_eq!(condensed.score(&list.view()), plain.score(&list.view()), "{condensed:?}");
    }
}

#[test]
fn what_means_nothing_without_zeros_says_so() {
    let names = |wanted: bool| -> Vec<&str> {
        let rows = DEFINITIONS.iter().filter(|def| whole_or_cut(def).needs_judged_non_relevant() == wanted);
        rows.map(|def| def.name).collect()
    };
    assert_eq!(names(true), ["bpref", "judged", "unjudged", "gm_bpref"]);
    assert!(Measure::parse("ndcg:condensed@10").unwrap().needs_judged_non_relevant());
}

#[test]
fn graded_gains_need_a_gain_and_not_a_threshold() {
    let rbp = |spec| Measure::parse(spec).unwrap();
    assert_eq!((rbp("rbp").needs(), rbp("rbp").threshold()), (Needs::Relevant, Some(1.0)));
    assert_eq!((rbp("rbp:gain=graded").needs(), rbp("rbp:gain=graded").threshold()), (Needs::Gain, None));
    assert_eq!(rbp("rbp:gain=graded").bind(&FACTS).unwrap().max_grade(), Some(3.0));
    assert_eq!(rbp("rbp").bind(&FACTS).unwrap().max_grade(), None);
    assert_eq!(rbp("err:max=4").max_grade(), Some(4.0));
}

#[test]
fn what_a_measure_shows_of_its_way_leads_to_its_value() {
    let lists = every_list();
    for measure in every_form() {
        for list in &lists {
            let terms = measure.seen(&list.view(), |ranking| measure.computation.terms(ranking));
            let value = measure.score(&list.view());
            assert!(terms.rows.iter().all(|row| [0, terms.columns.len()].contains(&row.cells.len())), "{measure:?}");
            match (terms.value, value) {
                (Some(shown), Some(value)) => assert!((shown - value).abs() < 1e-9, "{measure:?}: {shown} {value}"),
                (Some(_), None) => panic!("{measure:?} shows a value that it does not have"),
                (None, _) => assert_eq!(terms.rule, "", "{measure:?}"),
            }
        }
    }
}

#[test]
fn every_measure_but_counts_shows_its_way() {
    let list = JudgedRanking::from_grades(&[Some(2.0), None, Some(0.0), Some(1.0)], &[1.0]);
    for measure in every_form().iter().filter(|measure| measure.reads() == Reads::Grades) {
        let is_count = measure.definition().aggregate == Aggregate::Sum;
        assert!(is_count || measure.is_text() || !measure.terms(&list.view()).rule.is_empty(), "{measure:?}");
    }
}
