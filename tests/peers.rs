//! Real labels and runs, compared with what other tools compute on them, and files in the wild,
//! which must be read or refused in one sentence.
//!
//! The files are other people's and stand beside the crate, in `../shared`; without that folder
//! these tests say that they were left out.
#![allow(clippy::print_stderr, reason = "a test that was left out says so")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use raglens::error::InputErrorKind;
use raglens::evaluate::{NoRelevant, Rules, evaluate};
use raglens::id::Id;
use raglens::input::{FileFacts, ReadOptions, Source, read_labels, read_run};
use raglens::labels::{DuplicateLabels, Labels};
use raglens::measure::Measure;
use raglens::notes::Notes;
use raglens::run::{Run, Ties};
use raglens::scores::ScoreTable;
use serde_json::Value;

const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared");
const TOLERANCE: f64 = 1e-9;

/// A folder of the data beside the crate; `None`, with a line that says so, when it is not there.
fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(SHARED).join(folder);
    if !path.is_dir() {
        eprintln!("left out: there is no {}", path.display());
        return None;
    }
    Some(path)
}

fn sorted_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    paths.sort();
    paths
}

/// What other tools computed on one pair of labels and run.
struct Pair {
    id: String,
    folder: PathBuf,
    expected: Value,
}

fn pairs() -> Vec<Pair> {
    let Some(data) = shared("data") else { return Vec::new() };
    let read = |path: PathBuf| {
        let id = path.file_stem().unwrap().to_str().unwrap().to_owned();
        // Python writes NaN into its JSON, which is none.
        let text = fs::read_to_string(&path).unwrap().replace(":NaN", ":null");
        Pair { folder: data.join("pairs").join(&id), expected: serde_json::from_str(&text).unwrap(), id }
    };
    sorted_files(&data.join("expected")).into_iter().map(read).collect()
}

impl Pair {
    /// The files that the other tools read.
    fn inputs(&self) -> (PathBuf, PathBuf) {
        let file = |key: &str| self.folder.join(self.expected["inputs"][key].as_str().unwrap());
        (file("qrels"), file("run"))
    }

    /// The files as their makers published them.
    fn originals(&self) -> (PathBuf, PathBuf) {
        let files = sorted_files(&self.folder);
        let file = |prefix: &str| {
            let starts = |path: &&PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with(prefix);
            files.iter().find(starts).unwrap().clone()
        };
        (file("qrels.orig."), file("run.orig."))
    }

    /// pytrec_eval holds scores in 32 bits. Where that changes the order of a ranking, its values
    /// are about another ranking and nothing can be compared.
    fn has_comparable_order(&self) -> bool {
        let changed = self.expected["float32_order_changes_queries"].as_u64().unwrap();
        if changed > 0 {
            eprintln!("left out: {}, ordered differently by 32-bit scores in {changed} queries", self.id);
        }
        changed == 0
    }
}

fn labels_of(path: &Path, options: &ReadOptions) -> (Labels, FileFacts) {
    let source = Source::open(path.to_str().unwrap()).unwrap();
    read_labels(source, options, &mut Notes::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn run_of(path: &Path) -> (Run, FileFacts) {
    let source = Source::open(path.to_str().unwrap()).unwrap();
    read_run(source, &ReadOptions::default(), &mut Notes::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn measures(labels: &Labels, names: &[&str]) -> Vec<Measure> {
    let measure = |name: &&str| Measure::parse(name).and_then(|measure| measure.bind(&labels.facts()));
    names.iter().map(measure).collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{error}"))
}

/// Every query counts, as in trec_eval with -c.
const AS_TREC_EVAL: fn() -> Rules = || Rules { no_relevant: NoRelevant::Zero, ..Rules::default() };

/// Differences that were found, and how many values were compared to find them.
#[derive(Default)]
struct Comparison {
    compared: usize,
    differences: Vec<String>,
}

impl Comparison {
    fn value(&mut self, what: impl Fn() -> String, ours: Option<f64>, theirs: f64, tolerance: f64) {
        self.compared += 1;
        if ours.is_none_or(|ours| (ours - theirs).abs() > tolerance) {
            self.differences.push(format!("{}: {ours:?} here, {theirs} there", what()));
        }
    }

    /// Fails with the differences, or when too little was compared to mean anything.
    fn finish(self, at_least: usize) {
        eprintln!("{} values compared", self.compared);
        let shown: Vec<&str> = self.differences.iter().take(30).map(String::as_str).collect();
        assert!(shown.is_empty(), "{} differences\n{}", self.differences.len(), shown.join("\n"));
        assert!(self.compared >= at_least, "only {} values were compared", self.compared);
    }
}

/// The label of a measure of pytrec_eval; `None` for those that only the drop-in prints.
fn label_of(theirs: &str) -> Option<String> {
    let at_cutoff =
        [("P_", "precision"), ("recall_", "recall"), ("success_", "hit"), ("map_cut_", "map"), ("ndcg_cut_", "ndcg")];
    let whole = [
        ("map", "map"),
        ("ndcg", "ndcg"),
        ("recip_rank", "mrr"),
        ("Rprec", "rprec"),
        ("bpref", "bpref"),
        ("infAP", "infap"),
        ("set_P", "precision"),
        ("set_recall", "recall"),
        ("set_F", "f1"),
        ("num_ret", "num_ret"),
        ("num_rel", "num_rel"),
        ("num_rel_ret", "num_rel_ret"),
    ];
    if let Some((_, label)) = whole.iter().find(|(name, _)| *name == theirs) {
        return Some((*label).to_owned());
    }
    let cut = at_cutoff.iter().find_map(|(prefix, label)| Some((label, theirs.strip_prefix(prefix)?)));
    if let Some((label, k)) = cut {
        return Some(format!("{label}@{k}"));
    }
    let only_in_the_drop_in = ["11pt_avg", "set_map", "gm_map", "num_nonrel_judged_ret"];
    assert!(
        only_in_the_drop_in.contains(&theirs) || theirs.starts_with("iprec_at_recall_"),
        "the test does not know {theirs}"
    );
    None
}

/// The columns of a table of pytrec_eval that have a counterpart: their name, our label.
fn columns(table: &Value) -> Vec<(String, String)> {
    let names = table.as_object().unwrap().keys();
    names.filter_map(|name| Some((name.clone(), label_of(name)?))).collect()
}

fn position(table: &ScoreTable<'_>, label: &str) -> usize {
    table.measures.iter().position(|measure| measure.label() == label).unwrap_or_else(|| panic!("no {label}"))
}

fn cell(table: &ScoreTable<'_>, query: &Id, column: usize) -> Option<f64> {
    table.rows.iter().find(|row| row.query == query)?.cell(column).value()
}

#[test]
fn means_and_queries_equal_those_of_pytrec_eval() {
    let pairs = pairs();
    let mut comparison = Comparison::default();
    for pair in pairs.iter().filter(|pair| pair.has_comparable_order()) {
        let (qrels, run) = pair.inputs();
        let (labels, _) = labels_of(&qrels, &ReadOptions::default());
        let (run, _) = run_of(&run);
        let theirs = &pair.expected["pytrec_eval"];
        let per_query = theirs["per_query"].as_object().unwrap();
        let some_query = per_query.values().next().unwrap();
        let columns: BTreeSet<(String, String)> =
            columns(&theirs["mean_complete"]).into_iter().chain(columns(some_query)).collect();
        let names: Vec<&str> = columns.iter().map(|(_, label)| label.as_str()).collect();
        let measures = measures(&labels, &names);
        let table = evaluate(&labels, &run, &measures, &AS_TREC_EVAL()).unwrap();
        for (name, label) in &columns {
            let column = position(&table, label);
            if let Some(mean) = theirs["mean_complete"][name].as_f64() {
                let ours = table.summary(column).mean;
                comparison.value(|| format!("{} {label}", pair.id), ours, mean, TOLERANCE);
            }
            for (query, values) in per_query {
                let value = values[name].as_f64().unwrap();
                let ours = cell(&table, &query.as_str().into(), column);
                comparison.value(|| format!("{} {label} of {query}", pair.id), ours, value, TOLERANCE);
            }
        }
    }
    if !pairs.is_empty() {
        comparison.finish(46_000);
    }
}

#[test]
fn names_of_trec_eval_mean_the_same_measures() {
    for name in ["map", "ndcg_cut_10", "P_5", "recall_100", "success_1", "map_cut_10", "recip_rank", "Rprec", "infAP"] {
        let label = label_of(name).unwrap();
        assert_eq!(Measure::parse(name).unwrap().label(), label);
        assert_eq!(Measure::parse(&label).unwrap().label(), label);
    }
}

#[test]
fn rank_biased_precision_and_the_judged_share_equal_a_plain_computation() {
    // Negative grades are not judged here; the plain computation counts them.
    let judged_here = BTreeMap::from([("cedr-wt13", 0.984), ("te-rel-level", 0.8333333333333334)]);
    let pairs = pairs();
    let mut comparison = Comparison::default();
    for pair in &pairs {
        let (qrels, run) = pair.inputs();
        let (labels, _) = labels_of(&qrels, &ReadOptions::default());
        let (run, _) = run_of(&run);
        let measures = measures(&labels, &["rbp", "judged@10"]);
        let table = evaluate(&labels, &run, &measures, &AS_TREC_EVAL()).unwrap();
        let own = &pair.expected["own_trec_tie_order"];
        let rbp = own["mean_complete"]["RBP(rel=1,p=0.8)"].as_f64().unwrap();
        comparison.value(|| format!("{} rbp", pair.id), table.summary(0).mean, rbp, TOLERANCE);
        let exception = judged_here.get(pair.id.as_str()).copied();
        let judged = exception.unwrap_or_else(|| own["mean_shared"]["Judged@10"].as_f64().unwrap());
        comparison.value(|| format!("{} judged@10", pair.id), table.summary(1).mean, judged, TOLERANCE);
        for (query, values) in own["per_query"].as_object().unwrap() {
            let query = Id::from(query.as_str());
            let rbp = values["RBP(rel=1,p=0.8)"].as_f64().unwrap();
            comparison.value(|| format!("{} rbp of {query}", pair.id), cell(&table, &query, 0), rbp, TOLERANCE);
            if exception.is_none() && run.ranking(&query).is_some() {
                let judged = values["Judged@10"].as_f64().unwrap();
                let ours = cell(&table, &query, 1);
                comparison.value(|| format!("{} judged@10 of {query}", pair.id), ours, judged, TOLERANCE);
            }
        }
    }
    if !pairs.is_empty() {
        comparison.finish(2_200);
    }
}

#[test]
fn err_and_exponential_ndcg_equal_the_script_of_the_trec_web_track() {
    // The script prints five decimals for each query, takes 4 as the largest grade of all labels
    // (and refuses those with larger ones), and rounds before the mean is made.
    let ours_by_theirs = [
        ("ERR@10", "err:max=4@10"),
        ("ERR@20", "err:max=4@20"),
        ("nDCG(dcg='exp-log2')@10", "ndcg_exp@10"),
        ("nDCG(dcg='exp-log2')@20", "ndcg_exp@20"),
    ];
    let pairs = pairs();
    let mut comparison = Comparison::default();
    for pair in &pairs {
        let (qrels, run) = pair.inputs();
        let (labels, _) = labels_of(&qrels, &ReadOptions::default());
        if labels.facts().max_grade > 4.0 {
            continue;
        }
        let (run, _) = run_of(&run);
        let names = ours_by_theirs.map(|(_, ours)| ours);
        let measures = measures(&labels, &names);
        let table = evaluate(&labels, &run, &measures, &AS_TREC_EVAL()).unwrap();
        for (column, (theirs, ours)) in ours_by_theirs.iter().enumerate() {
            if let Some(mean) = pair.expected["ir_measures"]["mean"][theirs].as_f64() {
                let mean_here = table.summary(column).mean;
                comparison.value(|| format!("{} {ours}", pair.id), mean_here, mean, 1e-5);
            }
        }
    }
    if !pairs.is_empty() {
        comparison.finish(140);
    }
}

#[test]
fn reciprocal_rank_equals_a_tool_that_orders_equal_scores_upwards() {
    let pairs = pairs();
    let mut comparison = Comparison::default();
    for pair in &pairs {
        let (qrels, run) = pair.inputs();
        let (labels, _) = labels_of(&qrels, &ReadOptions::default());
        let (run, _) = run_of(&run);
        let measures = measures(&labels, &["mrr@10"]);
        let rules = Rules { ties: Ties::IdAscending, ..AS_TREC_EVAL() };
        let table = evaluate(&labels, &run, &measures, &rules).unwrap();
        let theirs = &pair.expected["ir_measures"];
        let mean = theirs["mean"]["RR@10"].as_f64().unwrap();
        comparison.value(|| format!("{} mrr@10", pair.id), table.summary(0).mean, mean, TOLERANCE);
        for (query, values) in theirs["per_query"].as_object().unwrap() {
            if let Some(value) = values["RR@10"].as_f64() {
                let ours = cell(&table, &query.as_str().into(), 0);
                comparison.value(|| format!("{} mrr@10 of {query}", pair.id), ours, value, TOLERANCE);
            }
        }
    }
    if !pairs.is_empty() {
        comparison.finish(1_000);
    }
}

#[test]
fn originals_in_json_and_tables_give_the_numbers_of_their_trec_form() {
    let read_as = BTreeMap::from([
        ("elinor-sample-1", ("jsonl", "jsonl")),
        ("elinor-sample-2", ("jsonl", "jsonl")),
        ("elinor-sample-3", ("jsonl", "jsonl")),
        ("elinor-trec", ("jsonl", "jsonl")),
        ("esco-hybrid", ("tsv", "csv")),
        ("msmarco-json-ce", ("json", "trec")),
        ("rag-doubleml", ("jsonl", "jsonl")),
        ("ranx-json", ("json", "json")),
        ("task-diy-bm25", ("qrels", "trec")),
    ]);
    let names = ["map", "ndcg@10", "precision@5", "recall@10", "mrr", "bpref", "rbp", "judged@10"];
    let pairs: Vec<Pair> = pairs().into_iter().filter(|pair| pair.folder.join("norm").is_dir()).collect();
    for pair in &pairs {
        assert!(read_as.contains_key(pair.id.as_str()), "the test does not know {}", pair.id);
        // One of the pairs judges documents twice, with different grades; its TREC form keeps the larger.
        let options = ReadOptions { duplicate_labels: DuplicateLabels::Max, ..ReadOptions::default() };
        let values = |(qrels, run): (PathBuf, PathBuf)| -> Vec<Option<f64>> {
            let (labels, _) = labels_of(&qrels, &options);
            let (run, _) = run_of(&run);
            let measures = measures(&labels, &names);
            let table = evaluate(&labels, &run, &measures, &Rules::default()).unwrap();
            (0..names.len()).map(|column| table.summary(column).mean).collect()
        };
        let (original, plain) = (values(pair.originals()), values(pair.inputs()));
        assert_eq!(original, plain, "{}", pair.id);
    }
    assert!(pairs.is_empty() || pairs.len() == read_as.len());
}

#[test]
fn conflicting_judgments_of_a_published_file_are_refused_with_both_lines() {
    let Some(data) = shared("data/pairs/task-diy-bm25") else { return };
    let path = data.join("qrels.orig.diy.qrels");
    let source = Source::open(path.to_str().unwrap()).unwrap();
    let error = read_labels(source, &ReadOptions::default(), &mut Notes::default()).unwrap_err();
    assert_eq!(error.line(), Some(3));
    assert!(matches!(error.kind(), InputErrorKind::ConflictingLabels { first_line: 2, .. }), "{error}");
}

#[test]
fn labels_in_the_wild_are_read_or_refused_with_file_line_and_reason() {
    let Some(folder) = shared("data/labels_only") else { return };
    let files = sorted_files(&folder);
    let mut refused = Vec::new();
    for file in &files {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        let source = Source::open(file.to_str().unwrap()).unwrap();
        match read_labels(source, &ReadOptions::default(), &mut Notes::default()) {
            Ok((labels, _)) => assert!(!labels.queries().is_empty(), "{name}"),
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains(&name), "{text}");
                assert!(!text.contains('\n'), "{text}");
                assert!(error.line().is_some() || matches!(error.kind(), InputErrorKind::Refused { .. }), "{text}");
                refused.push(text);
            }
        }
    }
    eprintln!("{} of {} label files are refused:\n{}", refused.len(), files.len(), refused.join("\n"));
    assert!(files.len() > 20);
    assert!(refused.len() < files.len() / 3, "most files should be read");
}

fn raglens(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_raglens")).args(arguments).output().unwrap()
}

/// A command ended as it must: with numbers and 0, or with one message and 2.
fn assert_answers(arguments: &[&str]) -> bool {
    let output = raglens(arguments);
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    match output.status.code() {
        Some(0) => {
            assert!(!stdout.trim().is_empty(), "{arguments:?}: no result\n{stderr}");
            true
        }
        Some(2) => {
            assert!(stdout.is_empty(), "{arguments:?}: half a result\n{stdout}");
            assert!(stderr.starts_with("error"), "{arguments:?}: {stderr}");
            assert_eq!(stderr.matches("error:").count() + stderr.matches("error[").count(), 1, "{stderr}");
            assert!(!stderr.contains("panicked"), "{arguments:?}: {stderr}");
            false
        }
        code => panic!("{arguments:?} ended with {code:?}\n{stdout}\n{stderr}"),
    }
}

#[test]
fn eval_answers_for_every_sample_of_every_format_in_either_place() {
    let Some(folder) = shared("formats") else { return };
    let temporary = tempfile::tempdir().unwrap();
    let [labels, run] =
        [("labels.qrels", "q1 0 d12 1\nq2 0 d7 1\n"), ("run.trec", "q1 Q0 d12 1 2.5 r\n")].map(|(name, text)| {
            let path = temporary.path().join(name);
            fs::write(&path, text).unwrap();
            path.to_str().unwrap().to_owned()
        });
    let files = sorted_files(&folder);
    for file in &files {
        let file = file.to_str().unwrap();
        assert_answers(&["eval", file, &run]);
        assert_answers(&["eval", &labels, file]);
        assert_answers(&["eval", file]);
    }
    assert!(files.len() > 40);
}

#[test]
fn eval_answers_for_every_pair_and_names_the_fault_otherwise() {
    let pairs = pairs();
    let mut answered = 0;
    for pair in &pairs {
        let (qrels, run) = pair.originals();
        let arguments = ["eval", qrels.to_str().unwrap(), run.to_str().unwrap(), "--no-relevant", "zero"];
        answered += usize::from(assert_answers(&arguments));
    }
    // The one with conflicting judgments is refused.
    assert!(pairs.is_empty() || answered + 1 >= pairs.len(), "{answered} of {} pairs", pairs.len());
}

#[test]
fn eval_answers_for_labels_in_the_wild() {
    let Some(folder) = shared("data/labels_only") else { return };
    let temporary = tempfile::tempdir().unwrap();
    let run = temporary.path().join("run.trec");
    fs::write(&run, "1 Q0 d1 1 2.5 r\n").unwrap();
    for file in sorted_files(&folder) {
        assert_answers(&["eval", file.to_str().unwrap(), run.to_str().unwrap()]);
    }
}
