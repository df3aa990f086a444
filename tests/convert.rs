//! What is converted there and back measures the same, for every pair of layouts.

#![allow(clippy::print_stderr, reason = "a test that was left out says so")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use raglens::convert::{ConvertError, FORMATS, Format, Losses, Part, RunOptions, convert_labels, convert_run};
use raglens::evaluate::{Rules, evaluate};
use raglens::id::Id;
use raglens::input::{ReadOptions, Source, read_labels, read_run};
use raglens::labels::{Labels, QueryLabels};
use raglens::measure::default_set;
use raglens::notes::Notes;
use raglens::run::{Duplicates, Run};
use raglens::scores::Cell;

fn options(format: Option<&str>) -> ReadOptions {
    ReadOptions { format: format.map(str::to_owned), ..ReadOptions::default() }
}

fn labels(text: Vec<u8>, format: Option<&str>) -> Result<Labels, String> {
    let read = read_labels(Source::from_bytes("labels", text), &options(format), &mut Notes::default());
    read.map(|(labels, _)| labels).map_err(|error| error.to_string())
}

fn run(text: Vec<u8>, format: Option<&str>) -> Result<Run, String> {
    let read = read_run(Source::from_bytes("run", text), &options(format), &mut Notes::default());
    read.map(|(run, _)| run).map_err(|error| error.to_string())
}

fn written_labels(labels: &Labels, format: &'static Format) -> Result<(Vec<u8>, Losses), ConvertError> {
    convert_labels(labels, "labels", format, Vec::new())
}

fn written_run(
    text: Vec<u8>,
    read_as: Option<&str>,
    format: &'static Format,
) -> Result<(Vec<u8>, Losses), ConvertError> {
    let (source, write) = (Source::from_bytes("run", text), RunOptions::default());
    let converted = convert_run(source, &options(read_as), format, &write, || Ok(Vec::new()), &mut Notes::default());
    converted.map(|(text, converted)| (text, converted.losses))
}

/// The values of every query that has one, by its id; queries that are said to have no answer
/// are left out, because most layouts cannot say so.
fn values(labels: &Labels, run: &Run) -> Option<BTreeMap<Id, Vec<Cell>>> {
    let measures =
        default_set(&[1, 5, 10], 1.0).unwrap().into_iter().filter_map(|measure| measure.bind(&labels.facts()).ok());
    let table_measures: Vec<_> = measures.collect();
    let table =
        evaluate(labels, run, &table_measures, &Rules { duplicates: Duplicates::First, ..Rules::default() }).ok()?;
    Some(table.rows.iter().map(|row| (row.query.clone(), row.cells().collect())).collect())
}

/// Whether the layout refuses these ids, and says so by name.
fn is_refused(error: &ConvertError) -> bool {
    let text = error.to_string();
    text.contains("cannot hold it") || text.contains("nothing of")
}

/// Ids as people have them, and as nobody should.
fn id() -> impl Strategy<Value = String> {
    const ODD: &[&str] = &[
        "a b",
        " lead",
        "trail ",
        "tab\tid",
        "a\nb",
        "#x",
        "\"A\"_Team",
        "a,b",
        "NA",
        "null",
        "007",
        "7",
        "7.0",
        "{",
        "[1]",
        "é",
        "query_id",
        "doc_id",
        "score",
        "Q0",
        "a;b",
        "'",
        "\\",
        "\u{1b}[31m",
        "-",
        "0",
        "a\u{a0}b",
        "x\r",
        "qid",
        "日本",
    ];
    prop_oneof![3 => "[a-z][0-9]{1,2}", 2 => proptest::sample::select(ODD).prop_map(str::to_owned)]
}

fn score() -> impl Strategy<Value = f64> {
    prop_oneof![
        (-3i32..4).prop_map(f64::from),
        Just(-0.0),
        Just(1e300),
        Just(5e-324),
        Just(0.1 + 0.2),
        any::<f64>().prop_filter("finite", |number| number.is_finite()),
    ]
}

fn grade() -> impl Strategy<Value = f64> {
    prop_oneof![(-2i32..4).prop_map(f64::from), Just(0.5), Just(1.5)]
}

/// Documents of a query with a score and a rank, and which of them counts.
type Results = (BTreeMap<String, (f64, u32)>, i32);

/// raglens labels of up to five queries.
fn labels_text() -> impl Strategy<Value = String> {
    let documents = proptest::collection::btree_map(id(), grade(), 0..6);
    proptest::collection::btree_map(id(), documents, 1..5).prop_map(|queries| {
        let line = |(query, relevant)| serde_json::json!({"query_id": query, "relevant": relevant}).to_string() + "\n";
        queries.into_iter().map(line).collect()
    })
}

/// A raglens run of up to five queries: with scores, with ranks, or with an order alone.
fn run_text() -> impl Strategy<Value = String> {
    let documents = proptest::collection::btree_map(id(), (score(), 0u32..4), 0..7);
    let queries = proptest::collection::btree_map(id(), (documents, 0..3), 1..5);
    queries.prop_map(|queries| {
        let line = |(query, (documents, kind)): (String, Results)| {
            let result = |(id, (score, rank)): (String, (f64, u32))| match kind {
                0 => serde_json::json!({"id": id, "score": score}),
                1 => serde_json::json!({"id": id, "rank": rank}),
                _ => serde_json::json!(id),
            };
            let results: Vec<_> = documents.into_iter().map(result).collect();
            serde_json::json!({"query_id": query, "results": results}).to_string() + "\n"
        };
        queries.into_iter().map(line).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn every_pair_of_layouts_measures_the_same(labels_text in labels_text(), run_text in run_text()) {
        let first = labels(labels_text.into_bytes(), None).unwrap();
        let first_run = run(run_text.clone().into_bytes(), None).unwrap();
        let expected = values(&first, &first_run);
        for &one in FORMATS {
            let labels_there = match written_labels(&first, one) {
                Ok((text, _)) => text,
                Err(error) => { prop_assert!(is_refused(&error), "{}", error); continue }
            };
            for &other in FORMATS {
                let between = labels(labels_there.clone(), one.labels.first().copied()).unwrap();
                let back = match written_labels(&between, other) {
                    Ok((text, _)) => text,
                    Err(error) => { prop_assert!(is_refused(&error), "{}", error); continue }
                };
                let back = labels(back, other.labels.first().copied()).unwrap();
                prop_assert_eq!(&values(&back, &first_run), &expected, "{} {}", one.name, other.name);
            }
        }
        for &one in FORMATS.iter().filter(|format| !format.run.is_empty()) {
            let there = match written_run(run_text.clone().into_bytes(), None, one) {
                Ok((text, _)) => text,
                Err(error) => { prop_assert!(is_refused(&error), "{}", error); continue }
            };
            for &other in FORMATS.iter().filter(|format| !format.run.is_empty()) {
                let back = match written_run(there.clone(), one.run.first().copied(), other) {
                    Ok((text, _)) => text,
                    Err(error) => { prop_assert!(is_refused(&error), "{}", error); continue }
                };
                let back = run(back, other.run.first().copied()).unwrap();
                prop_assert_eq!(&values(&first, &back), &expected, "{} {}", one.name, other.name);
            }
        }
    }
}

/// What a query holds beside its judgments, and these.
fn whole(query: &QueryLabels) -> impl std::fmt::Debug {
    let judgments: Vec<(Vec<u8>, f64)> = query.judgments().map(|(id, grade)| (id.to_vec(), grade)).collect();
    (query.id().clone(), judgments, (*query.about).clone())
}

/// The rankings of a run with their chunks and calls.
fn whole_run(run: &Run) -> String {
    let rankings = run.rankings().iter().map(|ranking| {
        let order = ranking.order(Default::default(), Duplicates::First).unwrap();
        let row = |&index: &u32| (ranking.document(index as usize).to_vec(), ranking.chunk(index as usize).cloned());
        let calls: Vec<_> = ranking.calls().iter().filter(|call| **call != Default::default()).collect();
        format!("{} {:?} {calls:?}", ranking.query(), order.indices().iter().map(row).collect::<Vec<_>>())
    });
    rankings.collect::<Vec<_>>().join("\n")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.unwrap().path()).filter(|path| !path.ends_with(".gitattributes"));
    let mut found: Vec<PathBuf> =
        paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    found.sort();
    found
}

/// A run that finds each judged document of the labels, worst first.
fn run_over(labels: &Labels) -> Run {
    let line = |query: &QueryLabels| {
        let text = |id: &[u8]| String::from_utf8_lossy(id).into_owned();
        let mut documents: Vec<(&[u8], f64)> = query.judgments().collect();
        documents.sort_by(|a, b| a.1.total_cmp(&b.1));
        let ids: Vec<String> = documents.into_iter().map(|(id, _)| text(id)).collect();
        serde_json::json!({"query_id": text(query.id().as_bytes()), "results": ids}).to_string() + "\n"
    };
    run(labels.queries().iter().map(line).collect::<String>().into_bytes(), None).unwrap()
}

/// Labels that judge every other document of a run.
fn labels_over(run: &Run) -> Labels {
    let line = |ranking: &raglens::run::Ranking| {
        let text = |id: &[u8]| String::from_utf8_lossy(id).into_owned();
        let grades = (0..ranking.len()).map(|index| (text(ranking.document(index)), index % 2));
        let relevant: BTreeMap<String, usize> = grades.collect();
        serde_json::json!({"query_id": text(ranking.query().as_bytes()), "relevant": relevant}).to_string() + "\n"
    };
    labels(run.rankings().iter().map(line).collect::<String>().into_bytes(), None).unwrap()
}

/// Converts a file to every layout, as labels and as a run, and gives back how often it could.
fn convert_file(path: &Path) -> usize {
    let text = std::fs::read(path).unwrap();
    let mut converted = 0;
    if let Ok(read) = labels(text.clone(), None) {
        let found = run_over(&read);
        for &format in FORMATS {
            let (text, losses) = match written_labels(&read, format) {
                Ok(written) => written,
                Err(error) => {
                    assert!(is_refused(&error), "{}: {error}", path.display());
                    continue;
                }
            };
            let back = labels(text, format.labels.first().copied()).unwrap();
            if losses.iter().all(|(part, _)| part != Part::Answerable) {
                assert_eq!(values(&back, &found), values(&read, &found), "{} as {}", path.display(), format.name);
            }
            if format.name == "jsonl" {
                let of = |labels: &Labels| {
                    labels.queries().iter().map(|query| format!("{:?}", whole(query))).collect::<Vec<_>>()
                };
                assert_eq!((of(&back), &back.offset_unit), (of(&read), &read.offset_unit), "{}", path.display());
            }
            converted += 1;
        }
    }
    if let Ok(read) = run(text.clone(), None) {
        let judged = labels_over(&read);
        for &format in FORMATS.iter().filter(|format| !format.run.is_empty()) {
            let (written, losses) = match written_run(text.clone(), None, format) {
                Ok(written) => written,
                Err(error) => {
                    let is_known = is_refused(&error) || error.to_string().contains("twice");
                    assert!(is_known, "{}: {error}", path.display());
                    continue;
                }
            };
            let back = run(written, format.run.first().copied()).unwrap();
            assert_eq!(values(&judged, &back), values(&judged, &read), "{} as {}", path.display(), format.name);
            if losses.iter().all(|(part, _)| matches!(part, Part::RunName | Part::Settings | Part::Unscored)) {
                assert_eq!(whole_run(&back), whole_run(&read), "{} as {}", path.display(), format.name);
            }
            if format.name == "jsonl" {
                assert_eq!((&back.tag, &back.meta), (&read.tag, &read.meta), "{}", path.display());
            }
            converted += 1;
        }
    }
    converted
}

#[test]
fn every_file_of_the_fixtures_measures_the_same_in_every_layout() {
    let converted: usize =
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")).iter().map(|path| convert_file(path)).sum();
    assert!(converted > 100, "{converted}");
}

#[test]
fn every_known_format_measures_the_same_in_every_layout() {
    let formats = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/formats"));
    if formats.is_empty() {
        eprintln!("left out: ../shared/formats is not there");
        return;
    }
    let converted: usize = formats.iter().map(|path| convert_file(path)).sum();
    assert!(converted > 200, "{converted}");
}

#[test]
fn chunks_calls_and_steps_survive_a_table() {
    let text = r#"{"query_id": "q1", "results": ["a", "b"]}
{"query_id": "q2", "results": [{"id": "c1", "doc_id": "h", "start": 0, "end": 5, "score": 0.5}, {"id": "c,2", "score": 0.1}], "latency_ms": 4.5}
{"query_id": "q3", "step": 1, "results": [{"id": "c1", "score": 1}], "role": "x y"}
{"query_id": "q3", "step": 2, "results": [{"id": "c1", "score": 3}, {"id": "c9", "score": 2, "tokens": 7}]}
"#;
    let csv = raglens::convert::format("csv").unwrap();
    let (table, losses) = written_run(text.as_bytes().to_vec(), None, csv).unwrap();
    assert_eq!(losses.iter().collect::<Vec<_>>(), [(Part::Unscored, 1)]);
    let header = table.split(|&byte| byte == b'\n').next().unwrap();
    assert_eq!(header, b"query_id,chunk_id,doc_id,score,start,end,tokens,latency_ms,cost_usd,role,step");
    let [before, after] = [run(text.as_bytes().to_vec(), None).unwrap(), run(table, None).unwrap()];
    assert_eq!(whole_run(&after), whole_run(&before));
}
