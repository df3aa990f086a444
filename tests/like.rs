//! `--like TOOL`: the values of a tool on real labels and runs, and its conventions one by one.
//!
//! The values of the tools stand beside the crate, in `../shared`; without that folder those tests
//! say that they were left out.
#![allow(clippy::print_stderr, reason = "a test that was left out says so")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const TOLERANCE: f64 = 1e-9;

/// A pair of labels and run, with what tools compute on it.
struct Pair {
    id: String,
    labels: PathBuf,
    run: PathBuf,
    expected: Value,
}

fn pairs() -> Vec<Pair> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let Ok(entries) = fs::read_dir(data.join("expected")) else {
        eprintln!("left out: there is no {}", data.display());
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let pair = |path: PathBuf| {
        let id = path.file_stem().unwrap().to_str().unwrap().to_owned();
        // Python writes NaN into its JSON, which is none.
        let text = fs::read_to_string(&path).unwrap().replace(":NaN", ":null").replace(": NaN", ": null");
        let expected: Value = serde_json::from_str(&text).unwrap();
        let file = |key: &str| data.join("pairs").join(&id).join(expected["inputs"][key].as_str().unwrap());
        Pair { labels: file("qrels"), run: file("run"), expected, id }
    };
    paths.into_iter().map(pair).collect()
}

/// What `raglens eval` says in JSON.
fn eval(labels: &Path, run: &Path, arguments: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raglens"));
    command.arg("eval").args([labels, run]).args(["-q", "--format", "json", "--quiet"]).args(arguments);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The name of a measure here; `None` for those that `eval` does not have, or in another way.
fn label(theirs: &str) -> Option<String> {
    let cuts = [
        ("P_", "precision"),
        ("recall_", "recall"),
        ("success_", "hit"),
        ("map_cut_", "map"),
        ("ndcg_cut_", "ndcg"),
        ("ndcg_burges@", "ndcg_exp"),
        ("hit_rate@", "hit"),
    ];
    let whole = [
        ("Rprec", "rprec"),
        ("r-precision", "rprec"),
        ("recip_rank", "mrr"),
        ("infAP", "infap"),
        ("set_P", "precision"),
        ("set_recall", "recall"),
        ("set_F", "f1"),
    ];
    let same = ["map", "ndcg", "bpref", "mrr", "num_ret", "num_rel", "num_rel_ret"];
    if same.contains(&theirs) || ["ndcg@", "precision@", "recall@", "f1@"].iter().any(|name| theirs.starts_with(name)) {
        return Some(theirs.to_owned());
    }
    if let Some((_, label)) = whole.iter().find(|(name, _)| *name == theirs) {
        return Some((*label).to_owned());
    }
    cuts.iter().find_map(|(prefix, label)| Some(format!("{label}@{}", theirs.strip_prefix(prefix)?)))
}

/// The measures of a table of values that have a name here, theirs and ours.
fn known(table: &Value) -> Vec<(&str, String)> {
    table.as_object().unwrap().keys().filter_map(|name| Some((name.as_str(), label(name)?))).collect()
}

fn names(measures: &[(&str, String)]) -> String {
    measures.iter().map(|(_, label)| label.as_str()).collect::<Vec<_>>().join(",")
}

fn mean(report: &Value, label: &str) -> f64 {
    let found = &report["runs"][0]["measures"][label];
    let sum = found["sum"].as_f64().filter(|_| label.starts_with("num_"));
    sum.or_else(|| found["mean"].as_f64()).unwrap_or_else(|| panic!("no {label}"))
}

#[test]
fn like_pytrec_eval_every_query_and_every_mean_is_that_of_pytrec_eval() {
    let mut compared = 0;
    for pair in pairs() {
        let theirs = &pair.expected["pytrec_eval"];
        let queries = theirs["per_query"].as_object().unwrap();
        let Some(first) = queries.values().next() else { continue };
        let measures = known(first);
        let report = eval(&pair.labels, &pair.run, &["--like", "pytrec_eval", "-m", &names(&measures)]);
        let ours = report["runs"][0]["per_query"].as_object().unwrap();
        assert_eq!(ours.len(), queries.len(), "{}", pair.id);
        for (name, label) in &measures {
            for (query, values) in queries {
                let (ours, theirs) = (ours[query][label].as_f64().unwrap(), values[name].as_f64().unwrap());
                assert!((ours - theirs).abs() <= TOLERANCE, "{} {query} {label}: {ours} {theirs}", pair.id);
                compared += 1;
            }
            if let Some(theirs) = theirs["mean"][name].as_f64() {
                let ours = mean(&report, label);
                assert!((ours - theirs).abs() <= TOLERANCE, "{} {label}: {ours} {theirs}", pair.id);
                compared += 1;
            }
        }
    }
    eprintln!("{compared} values compared");
    assert!(compared == 0 || compared > 46_000, "{compared}");
}

#[test]
fn like_9_every_mean_prints_as_trec_eval_9_prints_it() {
    let mut compared = 0;
    for pair in pairs() {
        let theirs = &pair.expected["trec_eval_9"]["all"];
        if !theirs.is_object() || theirs["num_q"].is_null() {
            continue;
        }
        let measures = known(theirs);
        let report = eval(&pair.labels, &pair.run, &["--like", "9", "-m", &names(&measures)]);
        for (name, label) in &measures {
            let ours = mean(&report, label);
            // A mean in the middle between two decimals may be printed as either.
            let printed: f64 = theirs[name].as_str().unwrap().parse().unwrap();
            assert!((ours - printed).abs() <= 0.5e-4 + TOLERANCE, "{} {label}: {ours} {printed}", pair.id);
            compared += 1;
        }
    }
    eprintln!("{compared} values compared");
    assert!(compared == 0 || compared > 1_000, "{compared}");
}

/// Pairs with equal scores in lists of more than 15 results, which the sort of ranx leaves in an
/// order of its own.
const LONG_TIES: [&str; 3] = ["te-rel-level", "te-results-test", "te-trunc"];

#[test]
fn like_ranx_every_mean_is_that_of_ranx() {
    let (mut compared, mut differences) = (0, Vec::new());
    for pair in pairs() {
        let theirs = &pair.expected["ranx"]["mean"];
        if !theirs.is_object() {
            continue;
        }
        let measures = known(theirs);
        let report = eval(&pair.labels, &pair.run, &["--like", "ranx", "-m", &names(&measures)]);
        for (name, label) in &measures {
            let Some(theirs) = theirs[name].as_f64() else { continue };
            let ours = mean(&report, label);
            let is_long =
                LONG_TIES.contains(&pair.id.as_str()) && ["bpref", "map", "ndcg@100"].contains(&label.as_str());
            if (ours - theirs).abs() > if is_long { 1e-5 } else { TOLERANCE } {
                differences.push(format!("{} {label}: {ours} {theirs}", pair.id));
            }
            compared += 1;
        }
    }
    eprintln!("{compared} values compared");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// `q1` is answered with two scores that are equal in 32 bits, `q2` with its own id first; `q3` has
/// no relevant document, and `q4` no results.
const LABELS: &str = "q1 0 a 1\nq1 0 b 0\nq2 0 d 2\nq3 0 x 0\nq4 0 e 1\n";
const RUN: &str = "\
q1 Q0 a 1 1.00000001 t
q1 Q0 b 2 1.0 t
q2 Q0 q2 1 2.0 t
q2 Q0 c 2 1.0 t
q2 Q0 d 3 1.0 t
q3 Q0 x 1 1.0 t
";

/// The values of mrr: of `q1` to `q4` where they count, and their mean.
fn reciprocal_ranks(arguments: &[&str]) -> (Vec<Option<f64>>, f64) {
    let folder = tempfile::tempdir().unwrap();
    let [labels, run] = [("labels", LABELS), ("run", RUN)].map(|(name, text)| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    });
    let report = eval(&labels, &run, &[arguments, &["-m", "mrr"]].concat());
    let queries = &report["runs"][0]["per_query"];
    (["q1", "q2", "q3", "q4"].map(|query| queries[query]["mrr"].as_f64()).to_vec(), mean(&report, "mrr"))
}

#[test]
fn each_tool_has_its_own_queries_ties_and_self_retrieval() {
    let some = |values: [f64; 3]| values.map(Some).into_iter().chain([None]).collect::<Vec<_>>();
    // d comes before c, whose id is smaller.
    assert_eq!(reciprocal_ranks(&["--like", "trec_eval"]), (some([1.0, 0.5, 0.0]), 0.5));
    // a and b have equal scores as well, and b comes first.
    assert_eq!(reciprocal_ranks(&["--like", "9"]), (some([0.5, 0.5, 0.0]), 1.0 / 3.0));
    assert_eq!(reciprocal_ranks(&["--like", "pytrec_eval"]), (some([0.5, 0.5, 0.0]), 1.0 / 3.0));
    // The result q2 of the query q2 goes.
    assert_eq!(reciprocal_ranks(&["--like", "beir"]), (some([0.5, 1.0, 0.0]), 0.5));
    // The file decides between c and d, and q4 is a list without results.
    let all = vec![Some(1.0), Some(1.0 / 3.0), Some(0.0), Some(0.0)];
    assert_eq!(reciprocal_ranks(&["--like", "ranx"]), (all, 1.0 / 3.0));
}

#[test]
fn an_option_beside_the_tool_wins_wherever_it_stands() {
    let expected = (vec![Some(0.5), Some(1.0), None, None], 0.75);
    assert_eq!(reciprocal_ranks(&["--like", "beir", "--no-relevant", "skip"]), expected);
    assert_eq!(reciprocal_ranks(&["--no-relevant", "skip", "--like", "beir"]), expected);
    let (values, _) = reciprocal_ranks(&["--like", "beir", "--ties", "input"]);
    assert_eq!(values, [Some(1.0), Some(0.5), Some(0.0), None]);
    let (values, mean) = reciprocal_ranks(&["--like", "beir", "--over", "all"]);
    assert_eq!((values[3], mean), (Some(0.0), 0.375));
}
