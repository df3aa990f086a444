//! Every measure of trec_eval 10 under its own name, compared with the text that trec_eval printed
//! on real files.
//!
//! The files are other people's and stand beside the crate, in `../shared`; without that folder
//! these tests say that they were left out.
#![allow(clippy::print_stderr, reason = "a test that was left out says so")]

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use raglens::evaluate::{NoRelevant, Rules, evaluate};
use raglens::input::{ReadOptions, Source, read_labels, read_run};
use raglens::judged::{Hit, JudgedRanking};
use raglens::labels::{DuplicateLabels, Labels};
use raglens::measure::{Aggregate, Asked, Measure, TREC_EVAL, TrecMeasure};
use raglens::notes::Notes;
use raglens::preferences::{Placement, Preferences};
use raglens::run::{Duplicates, Run, Ties};
use raglens::scores::{QueryScores, ScoreTable};
use serde_json::Value;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data");

/// The data beside the crate; `None`, with a line that says so, when they are not there.
fn data() -> Option<&'static Path> {
    let path = Path::new(DATA);
    if !path.is_dir() {
        eprintln!("left out: there is no {DATA}");
        return None;
    }
    Some(path)
}

/// One pair of labels and run, and what trec_eval printed for it.
struct Pair {
    id: String,
    folder: PathBuf,
    expected: Value,
}

fn pairs() -> Vec<Pair> {
    let Some(data) = data() else { return Vec::new() };
    let mut paths: Vec<PathBuf> =
        fs::read_dir(data.join("expected")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let id = path.file_stem().unwrap().to_str().unwrap().to_owned();
        // Python writes NaN into its JSON, which is none.
        let text = fs::read_to_string(&path).unwrap().replace(":NaN", ":null");
        Pair { folder: data.join("pairs").join(&id), expected: serde_json::from_str(&text).unwrap(), id }
    };
    paths.into_iter().map(read).collect()
}

impl Pair {
    fn file(&self, key: &str) -> PathBuf {
        self.folder.join(self.expected["inputs"][key].as_str().unwrap())
    }

    fn read(&self) -> (Labels, Run) {
        (labels_of(&self.file("qrels")), run_of(&self.file("run")))
    }
}

fn labels_of(path: &Path) -> Labels {
    let options = ReadOptions { duplicate_labels: DuplicateLabels::Max, ..ReadOptions::default() };
    let source = Source::open(path.to_str().unwrap()).unwrap();
    read_labels(source, &options, &mut Notes::default()).unwrap_or_else(|error| panic!("{error}")).0
}

fn run_of(path: &Path) -> Run {
    let source = Source::open(path.to_str().unwrap()).unwrap();
    read_run(source, &ReadOptions::default(), &mut Notes::default()).unwrap_or_else(|error| panic!("{error}")).0
}

/// The measure behind a name that trec_eval printed, at a threshold.
fn measure(printed: &str, rel: f64) -> Measure {
    let is_named = |measure: &&TrecMeasure| {
        printed.strip_prefix(measure.name).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    };
    let named = TREC_EVAL.iter().filter(is_named).max_by_key(|measure| measure.name.len());
    let named = named.unwrap_or_else(|| panic!("{printed} is not known"));
    let parameters = printed[named.name.len()..].strip_prefix('_');
    let mut found = named.measures(parameters, Asked { rel, documents: 0 }).unwrap();
    let position = found.iter().position(|(name, _)| name == printed).unwrap_or_else(|| panic!("no {printed}"));
    found.remove(position).1
}

/// A value as trec_eval prints it.
fn printed(value: f64, aggregate: Aggregate) -> String {
    if aggregate == Aggregate::Sum { format!("{value:.0}") } else { format!("{value:.4}") }
}

/// Differences that were found, and how many values were compared to find them.
#[derive(Default)]
struct Comparison {
    compared: usize,
    differences: Vec<String>,
}

impl Comparison {
    fn text(&mut self, what: impl Fn() -> String, ours: &str, theirs: &str) {
        self.compared += 1;
        if ours != theirs {
            self.differences.push(format!("{}: {ours} here, {theirs} there", what()));
        }
    }

    /// Fails with the differences, or when too little was compared to mean anything.
    fn finish(self, at_least: usize) {
        eprintln!("{} values compared", self.compared);
        let shown: Vec<&str> = self.differences.iter().take(60).map(String::as_str).collect();
        assert!(shown.is_empty(), "{} differences\n{}", self.differences.len(), shown.join("\n"));
        assert!(self.compared >= at_least, "only {} values were compared", self.compared);
    }
}

/// Every query counts, as in trec_eval with -c.
fn as_trec_eval() -> Rules {
    Rules { no_relevant: NoRelevant::Zero, ..Rules::default() }
}

fn texts(value: &Value) -> BTreeMap<&str, &str> {
    value.as_object().unwrap().iter().map(|(name, text)| (name.as_str(), text.as_str().unwrap())).collect()
}

/// How trec_eval sums: in the byte order of query ids. Another order can move the fourth decimal.
fn total(table: &ScoreTable<'_>, value: impl Fn(&QueryScores) -> f64) -> f64 {
    let mut rows: Vec<QueryScores> = table.rows.iter().collect();
    rows.sort_by_key(|row| row.query);
    rows.iter().map(value).fold(0.0, |sum, value| sum + value)
}

/// A departure on purpose. trec_eval loses the tail p^n of rbp_resid where every result is judged,
/// and counts a missing query as 0, not as a list of which nothing is known. The column `judged`
/// holds the share of results that are judged.
fn lost_tail(row: &QueryScores, column: usize, judged: usize) -> f64 {
    match row.cell(judged).value() {
        None | Some(1.0) => 0.0,
        Some(_) => row.cell(column).value().unwrap(),
    }
}

#[test]
fn every_value_of_every_query_is_printed_alike() {
    let pairs = pairs();
    let mut comparison = Comparison::default();
    for pair in &pairs {
        let (labels, run) = pair.read();
        let per_query = pair.expected["trec_eval_10"]["per_query"].as_object().unwrap();
        let names: Vec<&str> = texts(per_query.values().next().unwrap()).into_keys().collect();
        let measures: Vec<Measure> = names.iter().map(|name| measure(name, 1.0)).chain([whole_judged()]).collect();
        let table = evaluate(&labels, &run, &measures, &as_trec_eval()).unwrap();
        for row in table.rows.iter().filter(|row| per_query.contains_key(&row.query.to_string())) {
            let theirs = texts(&per_query[&row.query.to_string()]);
            for (column, name) in names.iter().enumerate() {
                let value = match *name {
                    "rbp_resid" => lost_tail(&row, column, names.len()),
                    _ => row.cell(column).value().unwrap(),
                };
                let ours = printed(value, measures[column].definition().aggregate);
                comparison.text(|| format!("{} {name} of {}", pair.id, row.query), &ours, theirs[name]);
            }
        }
    }
    if !pairs.is_empty() {
        comparison.finish(13_000);
    }
}

fn whole_judged() -> Measure {
    Measure::parse("judged").unwrap()
}

#[test]
fn every_value_over_all_queries_is_printed_alike() {
    let pairs = pairs();
    let mut comparison = Comparison::default();
    for pair in &pairs {
        let (labels, run) = pair.read();
        let values = texts(&pair.expected["trec_eval_10"]["all_c"]);
        let values: Vec<(&str, &str)> = values.into_iter().filter(|(name, _)| *name != "runid").collect();
        let measures: Vec<Measure> =
            values.iter().map(|(name, _)| measure(name, 1.0)).chain([whole_judged()]).collect();
        let table = evaluate(&labels, &run, &measures, &as_trec_eval()).unwrap();
        for (column, (name, theirs)) in values.iter().enumerate() {
            let sum = total(&table, |row| match *name {
                "rbp_resid" => lost_tail(row, column, values.len()),
                _ => row.cell(column).value().unwrap(),
            });
            let aggregate = measures[column].definition().aggregate;
            let mean = sum / table.rows.len() as f64;
            let value = match aggregate {
                Aggregate::Sum => sum,
                Aggregate::Mean => mean,
                Aggregate::GeometricMean => mean.exp(),
            };
            comparison.text(|| format!("{} {name}", pair.id), &printed(value, aggregate), theirs);
        }
    }
    if !pairs.is_empty() {
        comparison.finish(3_800);
    }
}

/// The rankings of a run as measures see them: a view per query of the labels that both have.
fn each_query(labels: &Labels, run: &Run, depth: usize, show: &mut dyn FnMut(&str, &JudgedRanking<'_>)) {
    for query in labels.queries() {
        let Some(ranking) = run.ranking(query.id()) else { continue };
        let order = ranking.order(Ties::Trec, Duplicates::Error).unwrap();
        let indices = &order.indices()[..depth.min(order.indices().len())];
        let document = |index: u32| ranking.document(index as usize);
        let hits: Vec<Hit> = (1..)
            .zip(indices)
            .filter_map(|(rank, &index)| Some(Hit { rank, grade: query.grade(document(index))? }))
            .collect();
        show(&query.id().to_string(), &JudgedRanking::new(&hits, indices.len() as u64, query.ideal()));
    }
}

/// The lines about single queries of an output that trec_eval's makers published.
fn compare_published(pair: &str, output: &str, rel: f64, depth: usize, at_least: usize) {
    let Some(data) = data() else { return };
    let folder = data.join("pairs").join(pair);
    let files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let file = |prefix: &str| {
        let starts = |path: &&PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with(prefix);
        files.iter().find(starts).unwrap()
    };
    let (labels, run) = (labels_of(file("qrels.orig")), run_of(file("run.orig")));
    let text = fs::read_to_string(folder.join("published").join(output)).unwrap();
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').map(str::trim_end).collect()).collect();
    let mut comparison = Comparison::default();
    each_query(&labels, &run, depth, &mut |query, view| {
        for line in lines.iter().filter(|line| line[1] == query) {
            let (name, theirs) = (line[0], line[2]);
            let measure = measure(name, rel).bind(&labels.facts()).unwrap();
            let ours = match measure.text(view) {
                Some(text) => format!("'{text}'"),
                None => printed(measure.score(view).unwrap(), measure.definition().aggregate),
            };
            let is_lost_tail = name == "rbp_resid" && theirs == "0.0000";
            if !is_lost_tail {
                comparison.text(|| format!("{output} {name} of {query}"), &ours, theirs);
            }
        }
    });
    comparison.finish(at_least);
}

#[test]
fn published_outputs_are_printed_alike() {
    compare_published("te-results-test", "out.test.aq", 1.0, usize::MAX, 280);
    compare_published("te-results-test", "out.test.meas_params", 1.0, usize::MAX, 60);
}

#[test]
fn published_outputs_with_a_higher_threshold_or_a_cut_run_are_printed_alike() {
    compare_published("te-rel-level", "out.test.aql", 2.0, usize::MAX, 280);
    compare_published("te-trunc", "out.test.aqcM", 1.0, 100, 190);
}

/// What trec_eval prints with `-R qrels_prefs` on its own test files, for its three queries.
const PREFERENCES: [(&str, [&str; 3]); 14] = [
    ("prefs_num_prefs_poss", ["584916", "75768", "9020"]),
    ("prefs_num_prefs_ful", ["81605", "47531", "8464"]),
    ("prefs_num_prefs_ful_ret", ["7339", "9031", "1494"]),
    ("prefs_simp", ["0.1395", "0.6273", "0.9384"]),
    ("prefs_pair", ["0.1395", "0.6273", "0.9384"]),
    ("prefs_avgjg", ["0.1395", "0.6273", "0.9384"]),
    ("prefs_avgjg_Rnonrel", ["0.1223", "0.0700", "0.0049"]),
    ("prefs_simp_ret", ["0.5498", "0.8440", "0.7288"]),
    ("prefs_pair_ret", ["0.5498", "0.8440", "0.7288"]),
    ("prefs_avgjg_ret", ["0.5498", "0.8440", "0.7288"]),
    ("prefs_avgjg_Rnonrel_ret", ["0.1922", "0.2180", "0.0209"]),
    ("prefs_simp_imp", ["0.4995", "0.8645", "0.9384"]),
    ("prefs_pair_imp", ["0.4995", "0.8645", "0.9384"]),
    ("prefs_avgjg_imp", ["0.4995", "0.8645", "0.9384"]),
];

#[test]
fn preferences_of_plain_labels_are_counted_alike() {
    let Some(data) = data() else { return };
    let folder = data.join("pairs/te-results-test");
    let (labels, run) =
        (labels_of(&folder.join("qrels.orig.qrels.test")), run_of(&folder.join("run.orig.results.test")));
    let mut comparison = Comparison::default();
    for (column, query) in ["301", "302", "303"].iter().enumerate() {
        let judged = labels.query(&(*query).into()).unwrap();
        let placement = |(document, level)| Placement { group: b"0", subgroup: b"0", document, level };
        let placements: Vec<Placement<'_>> = judged.judgments().map(placement).collect();
        let ranking = run.ranking(judged.id()).unwrap();
        // Here, and only here, trec_eval puts equal scores in ascending order of ids.
        let order = ranking.order(Ties::IdAscending, Duplicates::Error).unwrap();
        let ids = order.indices().iter().map(|&index| ranking.document(index as usize));
        let ranks: HashMap<&[u8], u64> = ids.zip(1..).collect();
        let preferences = Preferences::new(&placements, |id| ranks.get(id).copied()).unwrap();
        let view = JudgedRanking::new(&[], 0, &[]).with_preferences(&preferences);
        for (name, theirs) in PREFERENCES {
            let measure = measure(name, 1.0);
            let ours = printed(measure.score(&view).unwrap(), measure.definition().aggregate);
            comparison.text(|| format!("{name} of {query}"), &ours, theirs[column]);
        }
    }
    comparison.finish(42);
}
