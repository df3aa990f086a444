//! The measures against values that were computed by hand and by other tools. The file stands
//! beside the checkout and not in it; without it there is nothing to compare.

use std::collections::BTreeMap;

use raglens::judged::LabelFacts;
use raglens::judged::{JudgedRanking, OwnedRanking};
use raglens::measure::Measure;
use serde_json::Value;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/reference/golden_cases.json");

/// How many values there are to compare: fewer mean that cases were overlooked.
const EXPECTED: usize = 246;

/// One case, and the values of it that were compared.
struct Case<'j> {
    json: &'j Value,
    compared: usize,
}

impl<'j> Case<'j> {
    fn name(&self) -> &'j str {
        self.json["name"].as_str().unwrap()
    }

    fn input(&self, key: &str) -> &'j Value {
        &self.json["inputs"][key]
    }

    fn exact(&self) -> BTreeMap<&'j str, f64> {
        let values = self.json["exact"].as_object().unwrap();
        values.iter().filter_map(|(key, value)| Some((key.as_str(), value.as_f64()?))).collect()
    }

    fn compare(&mut self, key: &str, value: f64) {
        let expected = self.exact()[key];
        assert!((value - expected).abs() <= 1e-9, "{}, {key}: {value}, expected {expected}", self.name());
        self.compared += 1;
    }

    /// The grades of the case; grade 1 for each document that is called relevant.
    fn grades(&self) -> BTreeMap<&'j str, f64> {
        match (self.input("grades").as_object(), self.input("relevant").as_array()) {
            (Some(grades), _) => grades.iter().map(|(id, grade)| (id.as_str(), grade.as_f64().unwrap())).collect(),
            (None, Some(relevant)) => relevant.iter().map(|id| (id.as_str().unwrap(), 1.0)).collect(),
            (None, None) => panic!("{} has no labels", self.name()),
        }
    }

    fn max_grade(&self) -> f64 {
        let largest = self.grades().into_values().fold(0.0, f64::max);
        self.input("g_max").as_f64().unwrap_or(largest)
    }

    fn ranking(&self, key: &str) -> OwnedRanking {
        judged(self.input(key), &self.grades())
    }
}

/// A ranking of ids seen through grades.
fn judged(ids: &Value, grades: &BTreeMap<&str, f64>) -> OwnedRanking {
    let ids: Vec<&str> = ids.as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
    let ranked: Vec<Option<f64>> = ids.iter().map(|id| grades.get(id).copied()).collect();
    let rest: Vec<f64> = grades.iter().filter(|(id, _)| !ids.contains(id)).map(|(_, &grade)| grade).collect();
    JudgedRanking::from_grades(&ranked, &rest)
}

fn score(spec: &str, list: &OwnedRanking, max_grade: f64) -> f64 {
    let measure = Measure::parse(spec).unwrap().bind(&LabelFacts { max_grade }).unwrap();
    measure.score(&list.view()).unwrap()
}

/// The name of a golden value as a measure of ours, over a list as it is or over the best one.
fn spec(key: &str) -> (String, bool) {
    let (name, at) = key.split_once('@').map_or((key, String::new()), |(name, k)| (name, format!("@{k}")));
    let ours = match name {
        "idcg" => "dcg",
        "idcg_exp" => "dcg_exp",
        "rbp_residual_tail" => "rbp_residual:tail",
        "bpref_2004" => "bpref:variant=2004",
        "bpref_10" => "bpref:variant=10",
        other => other,
    };
    (format!("{ours}{at}"), name.starts_with("idcg"))
}

fn check_ranking(case: &mut Case<'_>) {
    let (list, max_grade) = (case.ranking("ranking"), case.max_grade());
    let best: Vec<Option<f64>> = list.view().ideal().iter().copied().map(Some).collect();
    let best = JudgedRanking::from_grades(&best, &[]);
    for key in keys(case) {
        let (mut spec, of_best) = spec(&key);
        if let Some(rel) = case.input("rel_min").as_f64().filter(|_| !key.starts_with("ndcg")) {
            spec =
                spec.split_once('@').map_or(format!("{spec}:rel={rel}"), |(name, k)| format!("{name}:rel={rel}@{k}"));
        }
        case.compare(&key, score(&spec, if of_best { &best } else { &list }, max_grade));
    }
}

fn keys(case: &Case<'_>) -> Vec<String> {
    case.exact().into_keys().map(str::to_owned).collect()
}

fn check_pair(case: &mut Case<'_>) {
    for key in keys(case) {
        let (name, which) = key.split_once('_').unwrap();
        case.compare(&key, score(name, &case.ranking(which), 1.0));
    }
}

/// Keys such as `err@5 g_max=4 (…)`.
fn check_err_gmax(case: &mut Case<'_>) {
    for key in keys(case) {
        let (name, rest) = key.split_once(" g_max=").unwrap();
        let max = rest.split(' ').next().unwrap();
        let list = case.ranking("ranking");
        case.compare(&key, score(&name.replace('@', &format!(":max={max}@")), &list, 0.0));
    }
}

/// Terms of DCG: `log2(x)`, `g/log2(x)`, `discount3`, `contribution2`, or a rank alone. A document
/// of grade g at rank i and nothing else has DCG g / log2(i + 1).
fn check_dcg_terms(case: &mut Case<'_>) {
    let term = |grade: f64, rank: usize| {
        let mut ranked = vec![None; rank];
        ranked[rank - 1] = Some(grade);
        score("dcg", &JudgedRanking::from_grades(&ranked, &[]), grade)
    };
    for key in keys(case) {
        let digits = key.trim_start_matches("discount").trim_start_matches("contribution");
        let value = match (digits.parse(), key.split_once("log2(")) {
            (Ok(rank), _) => term(1.0, rank),
            (_, Some((grade, rest))) => {
                let rank = rest.trim_end_matches(')').parse::<usize>().unwrap() - 1;
                grade.trim_end_matches('/').parse().map_or_else(|_| 1.0 / term(1.0, rank), |grade| term(grade, rank))
            }
            _ => panic!("{key} is no term of DCG"),
        };
        case.compare(&key, value);
    }
}

fn check_ap_terms(case: &mut Case<'_>) {
    let list = case.ranking("ranking");
    for key in keys(case) {
        let value = match key.as_str() {
            "sum" => score("map", &list, 1.0) * list.view().relevant(1.0) as f64,
            precision => score(precision, &list, 1.0),
        };
        case.compare(&key, value);
    }
}

/// `R(id)` is the ERR of the document alone, `term_rank3` what rank 3 adds.
fn check_err_terms(case: &mut Case<'_>) {
    let (list, grades, max_grade) = (case.ranking("ranking"), case.grades(), case.max_grade());
    let at = |k: u64| if k == 0 { 0.0 } else { score(&format!("err@{k}"), &list, max_grade) };
    for key in keys(case) {
        let alone = key.strip_prefix("R(").map(|id| grades[id.trim_end_matches(')')]);
        let rank: Option<u64> = key.strip_prefix("term_rank").map(|rank| rank.parse().unwrap());
        let value = match (alone, rank) {
            (Some(grade), _) => score("err", &JudgedRanking::from_grades(&[Some(grade)], &[]), max_grade),
            (_, Some(rank)) => at(rank) - at(rank - 1),
            _ => score(&key, &list, max_grade),
        };
        case.compare(&key, value);
    }
}

/// The wrong value is that of the retrieved documents alone: what we give when there are no others.
fn check_wrong_ideal(case: &mut Case<'_>) {
    let grades = case.grades();
    let ids = case.input("ranking").as_array().unwrap().clone();
    let retrieved = grades.iter().filter(|(id, _)| ids.iter().any(|other| other == **id));
    let wrong = judged(case.input("ranking"), &retrieved.map(|(&id, &grade)| (id, grade)).collect());
    case.compare("ndcg@5 right", score("ndcg@5", &case.ranking("ranking"), 3.0));
    case.compare("ndcg@5 idcg over retrieved only (wrong)", score("ndcg@5", &wrong, 3.0));
}

fn check_precision_cap(case: &mut Case<'_>) {
    let relevant = case.input("R").as_u64().unwrap() as usize;
    let best = JudgedRanking::from_grades(&vec![Some(1.0); relevant], &[]);
    case.compare("max precision@5", score("precision@5", &best, 1.0));
}

fn check_mrr_mean(case: &mut Case<'_>) {
    let reciprocal = |rr: &Value| {
        let rank = rr.as_f64().filter(|&rr| rr > 0.0).map(|rr| (1.0 / rr).round() as usize);
        let mut ranked = vec![Some(0.0); 10];
        rank.into_iter().for_each(|rank| ranked[rank - 1] = Some(1.0));
        score("mrr", &JudgedRanking::from_grades(&ranked, &[1.0]), 1.0)
    };
    let values: Vec<f64> = case.input("rr").as_array().unwrap().iter().map(reciprocal).collect();
    let n = values.len() as f64;
    case.compare("mrr", values.iter().sum::<f64>() / n);
    if case.exact().contains_key("zero_rate") {
        case.compare("zero_rate", values.iter().filter(|&&value| value == 0.0).count() as f64 / n);
    }
}

/// Largest minus smallest value over the lists that other cases hold.
fn check_spread(case: &mut Case<'_>, cases: &[Value]) {
    let systems = case.input("systems").as_array().unwrap();
    let lists: Vec<OwnedRanking> = systems
        .iter()
        .map(|system| {
            let name = format!("004_illusion_{}", system.as_str().unwrap());
            let json = cases.iter().find(|json| json["name"] == name.as_str()).unwrap();
            Case { json, compared: 0 }.ranking("ranking")
        })
        .collect();
    for key in keys(case) {
        let values = lists.iter().map(|list| score(&key, list, 1.0));
        let (low, high) =
            values.fold((f64::MAX, 0.0), |(low, high), value| (f64::min(low, value), f64::max(high, value)));
        case.compare(&key, high - low);
    }
}

fn check_graded_vs_binary(case: &mut Case<'_>) {
    let graded = case.grades();
    let binary: BTreeMap<&str, f64> = graded.keys().map(|&id| (id, 1.0)).collect();
    for key in keys(case) {
        let mut words = key.splitn(3, ' ');
        let (labels, list, gain) = (words.next().unwrap(), words.next().unwrap(), words.next());
        let grades = if labels == "binary" { &binary } else { &graded };
        let spec = if gain.is_some() { "ndcg_exp@5" } else { "ndcg@5" };
        case.compare(&key, score(spec, &judged(case.input(list), grades), 2.0));
    }
}

#[test]
fn every_golden_value_that_measures_alone_can_give() {
    let Ok(text) = std::fs::read_to_string(GOLDEN) else {
        return say_left_out();
    };
    let golden: Value = serde_json::from_str(&text).unwrap();
    let cases = golden["cases"].as_array().unwrap();
    let mut compared = 0;
    for json in cases {
        let case = &mut Case { json, compared: 0 };
        match json["kind"].as_str().unwrap() {
            "ranking" | "identity" => check_ranking(case),
            "ranking_pair" => check_pair(case),
            "err_gmax" => check_err_gmax(case),
            "dcg_terms" => check_dcg_terms(case),
            "ap_terms" => check_ap_terms(case),
            "err_terms" => check_err_terms(case),
            "ndcg_wrong_idcg" => check_wrong_ideal(case),
            "precision_cap" => check_precision_cap(case),
            "mrr_mean" => check_mrr_mean(case),
            "spread" => check_spread(case, cases),
            "graded_vs_binary" => check_graded_vs_binary(case),
            _ => {}
        }
        compared += case.compared;
    }
    assert!(compared >= EXPECTED, "compared {compared} values only, expected {EXPECTED}");
}

#[expect(clippy::print_stderr, reason = "a test that compares nothing has to say so")]
fn say_left_out() {
    eprintln!("left out: {GOLDEN} is not there");
}
