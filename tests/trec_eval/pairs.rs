//! Every pair of real files beside the crate: what trec_eval 10 and 9 print on them, as text.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{printed, shared};

/// Printed values by query (`all` for all of them) and name.
type Lines = BTreeMap<(String, String), String>;

const MEASURES: &[&str] = &[
    "runid",
    "num_q",
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "map",
    "gm_map",
    "Rprec",
    "bpref",
    "recip_rank",
    "iprec_at_recall",
    "P",
    "recall",
    "infAP",
    "gm_bpref",
    "Rprec_mult",
    "utility",
    "11pt_avg",
    "binG",
    "G",
    "ndcg",
    "ndcg_rel",
    "Rndcg",
    "ndcg_cut",
    "map_cut",
    "relative_P",
    "success",
    "set_P",
    "set_relative_P",
    "set_recall",
    "set_map",
    "set_F",
    "num_nonrel_judged_ret",
    "rbp",
    "rbp_resid",
    "unj",
];

/// How a printed name is asked for: `P_5` is `P.5`.
fn request(name: &str) -> String {
    let front = |known: &&&str| name.strip_prefix(**known).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
    let known = MEASURES.iter().filter(front).max_by_key(|known| known.len()).unwrap_or_else(|| panic!("{name}"));
    name.strip_prefix(known).unwrap().strip_prefix('_').map_or(name.to_owned(), |rest| format!("{known}.{rest}"))
}

fn lines(text: &str) -> Lines {
    let line = |line: &str| {
        let [name, query, value] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        ((query.to_owned(), name.trim().to_owned()), value.trim().to_owned())
    };
    text.lines().map(line).collect()
}

/// Whether the labels hold grades above 1, on which trec_eval's rbp depends on its memory.
fn is_graded(labels: &Path) -> bool {
    let text = String::from_utf8_lossy(&fs::read(labels).unwrap()).into_owned();
    let grades = text.lines().filter_map(|line| line.split_whitespace().nth(3)?.parse::<i64>().ok());
    grades.max().is_some_and(|largest| largest > 1)
}

/// Compares what is expected under a key of the file with what is printed.
fn compare(id: &str, expected: &serde_json::Map<String, Value>, query: &str, ours: &Lines, graded: bool) -> usize {
    let mut compared = 0;
    for (name, value) in expected {
        let differs_on_purpose = name == "rbp_resid" || name.starts_with("rbp") && graded;
        if differs_on_purpose {
            continue;
        }
        let found = ours.get(&(query.to_owned(), name.clone())).map(String::as_str);
        assert_eq!(found, value.as_str().map(str::trim), "{id}: {name} of {query}");
        compared += 1;
    }
    compared
}

/// Compares all that a version of trec_eval prints on every pair.
fn compare_all(key: &str, options: &[&str], least: usize) {
    let Some(data) = shared("data") else { return };
    let mut compared = 0;
    let mut files: Vec<_> = fs::read_dir(data.join("expected")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for path in files {
        // Python writes NaN into its JSON, which is none.
        let text = fs::read_to_string(&path).unwrap().replace(":NaN", ":null");
        let file: Value = serde_json::from_str(&text).unwrap();
        let id = path.file_stem().unwrap().to_str().unwrap();
        let input = |name: &str| data.join("pairs").join(id).join(file["inputs"][name].as_str().unwrap());
        let (labels, run) = (input("qrels"), input("run"));
        let graded = is_graded(&labels);
        let expected = &file[key];
        let (Some(all), Some(all_c)) = (expected["all"].as_object(), expected["all_c"].as_object()) else { continue };
        if all_c.is_empty() {
            continue;
        }
        let requests = all.keys().chain(all_c.keys()).flat_map(|name| ["-m".to_owned(), request(name)]);
        let requests: Vec<String> = requests.collect();
        let print = |more: &[&str]| {
            let words = options.iter().chain(more).map(|word| (*word).to_owned()).chain(requests.clone());
            lines(&printed(words.chain([&labels, &run].map(|path| path.to_str().unwrap().to_owned()))))
        };
        let plain = print(&["-q"]);
        compared += compare(id, all, "all", &plain, graded);
        compared += compare(id, all_c, "all", &print(&["-c"]), graded);
        for (query, values) in expected["per_query"].as_object().unwrap() {
            compared += compare(id, values.as_object().unwrap(), query, &plain, graded);
        }
    }
    assert!(compared >= least, "only {compared} values were compared");
}

#[test]
fn every_line_of_version_10_is_printed() {
    compare_all("trec_eval_10", &[], 15_000);
}

#[test]
fn every_line_of_version_9_is_printed_with_like_9() {
    compare_all("trec_eval_9", &["--like", "9"], 15_000);
}
