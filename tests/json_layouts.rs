//! Every JSON layout that tools write: one small file each, read as labels, as a run or as both,
//! or refused with the sentence that helps.
//!
//! The files stand beside the crate, in `../shared`; without that folder these tests say that they
//! were left out.
#![allow(clippy::print_stderr, reason = "a test that was left out says so")]

use std::path::{Path, PathBuf};

use raglens::error::InputError;
use raglens::input::{Position, ReadOptions, Role, Source, looks_like, read_both, read_labels, read_run};
use raglens::labels::Labels;
use raglens::notes::{NoteKind, Notes};
use raglens::run::{Duplicates, Run, Ties};

/// A file beside the crate; `None`, with a line that says so, when it is not there.
fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared")).join(path);
    if !path.exists() {
        eprintln!("left out: there is no {}", path.display());
        return None;
    }
    Some(path)
}

fn open(path: &Path) -> Source {
    Source::open(path.to_str().unwrap()).unwrap()
}

fn labels(path: &Path) -> Result<Labels, InputError> {
    read_labels(open(path), &ReadOptions::default(), &mut Notes::default()).map(|(labels, _)| labels)
}

fn run(path: &Path) -> Result<Run, InputError> {
    read_run(open(path), &ReadOptions::default(), &mut Notes::default()).map(|(run, _)| run)
}

/// `q1: a=1 b=0; q2:`
fn show_labels(labels: &Labels) -> String {
    let queries = labels.queries().iter().map(|query| {
        let judged = query.judgments().map(|(id, grade)| format!(" {}={grade}", raglens::id::escaped(id)));
        format!("{}:{}", query.id(), judged.collect::<String>())
    });
    queries.collect::<Vec<_>>().join("; ")
}

/// `q1: a b; q2:`, best first.
fn show_run(run: &Run) -> String {
    let queries = run.rankings().iter().map(|ranking| {
        let order = ranking.order(Ties::Trec, Duplicates::Error).unwrap();
        let ids = order.indices().iter().map(|&index| raglens::id::escaped(ranking.document(index as usize)));
        format!("{}:{}", ranking.query(), ids.map(|id| format!(" {id}")).collect::<String>())
    });
    queries.collect::<Vec<_>>().join("; ")
}

/// What a file must be read as.
enum As {
    /// Labels; as a run it is refused.
    Labels(&'static str),
    /// A run; as labels it is refused.
    Run(&'static str),
    /// Labels or a run, by its place.
    Either(&'static str, &'static str),
    /// Labels and run.
    Both(&'static str, &'static str),
    /// Refused in both places with a sentence.
    Refused(&'static str),
}

const SAMPLES: &[(&str, &str, As)] = &[
    ("06_mteb_qrels.jsonl", "rows-labels", As::Labels("000: d0979cbc=1; 001: f5c08fef=1; 002: cf8e3231=1")),
    ("07_mteb_qrels_strscore.jsonl", "rows-labels", As::Labels("0: 0=1 1=1; 1: 4=1")),
    ("08_mteb_predictions.json", "mteb-predictions", As::Run("q1: d12 d99; q2: d7")),
    ("09_pytrec_qrel.json", "dict", As::Either("q1: d12=1 d40=0; q2: d7=2; q3: d1=1", "q1: d12 d40; q2: d7; q3: d1")),
    (
        "10_pytrec_run.json",
        "dict",
        As::Either("q1: d12=14.8231 d99=13.551; q2: d7=9.1042; q3: d1=3", "q1: d12 d99; q2: d7; q3: d1"),
    ),
    ("11_llamaindex_qa.json", "llama-index", As::Labels("u1: n1=1; u2: n2=1")),
    (
        "12_llamaindex_eval.jsonl",
        "llama-index-eval",
        As::Both(
            "how do I rotate a key?: n1=1; what is the SLA?: n2=1; x: n9=1",
            "how do I rotate a key?: n1 n7; what is the SLA?: n3 n2; x:",
        ),
    ),
    (
        "13_ragas.jsonl",
        "ragas",
        As::Both(
            "how do I rotate a key?: doc_1=1 doc_4=1; what is the SLA?: 3=1; x: d=1",
            "how do I rotate a key?: doc_1 doc_2; what is the SLA?: 3 9; x:",
        ),
    ),
    ("14_deepeval.json", "deepeval", As::Refused("holds deepeval test cases with texts and no document ids")),
    (
        "16_langsmith.jsonl",
        "langsmith",
        As::Both(
            "how do I rotate a key?: n1=1; what is the SLA?: n2=1; x: n4=1",
            "how do I rotate a key?: n1 n7; what is the SLA?: n3; x:",
        ),
    ),
    ("17_raglens_labels.jsonl", "raglens-labels", As::Labels("q1: d12=2 d40=1; q2: d7=1; q3:")),
    ("18_raglens_run.jsonl", "raglens-run", As::Run("q1: d12 d99; q2: d7 d1; q3:")),
    ("19_raglens_spans.jsonl", "raglens-labels", As::Labels("q1:; q2:; q3:")),
    ("20_legalbenchrag.json", "legalbench-rag", As::Labels("Does the NDA ...?:; What is the term?:; x:")),
    ("28_retrieval_eval.jsonl", "rows-labels", As::Labels("q0: d970=1 d154=1; q1: d7=0")),
    ("29_gate_gold.jsonl", "lists-labels", As::Labels("how do I rotate a signing key: kms-rotation=1; sla: sla=1; x:")),
    ("30_ragcheck_run.json", "raglens-run", As::Run("q1: doc-1 doc-2; q2: doc-8; q3:")),
    ("31_ragcheck_qrels.json", "raglens-labels", As::Labels("q1: doc-1=1 doc-3=1; q2: doc-4=1; q3:")),
    ("32_autorag_qa.jsonl", "autorag", As::Labels("1: NewJeans1=1 NewJeans2=1 Aespa1=1; 2: sla=1; 3: a=1")),
    ("34_beir_queries.jsonl", "beir-queries", As::Refused("this is a queries file")),
    ("35_beir_corpus.jsonl", "beir-corpus", As::Refused("this is a corpus file")),
    ("36_elastic_rankeval.json", "rank-eval", As::Labels("q1: n1=3 n7=0; q2: n2=1")),
    ("38_dict_list.json", "lists", As::Either("q1: d12=1 d40=1; q2: d7=1; q3: d1=1", "q1: d12 d40; q2: d7; q3: d1")),
];

#[test]
fn every_sample_is_read_as_what_it_is() {
    for (file, format, expected) in SAMPLES {
        let Some(path) = shared(&format!("formats/{file}")) else { return };
        let found = looks_like(&mut open(&path), Position::Labels).unwrap_or_else(|fault| panic!("{file}: {fault:?}"));
        assert_eq!(found.name, *format, "{file}");
        check(file, &path, expected);
    }
}

fn check(file: &str, path: &Path, expected: &As) {
    let (as_labels, as_run) = (labels(path), run(path));
    let refused = |error: Option<InputError>, sentence: &str| {
        let error = error.unwrap_or_else(|| panic!("{file} is not refused")).to_string();
        assert!(error.contains(sentence), "{file}: {error}");
    };
    match expected {
        As::Labels(expected) => {
            assert_eq!(show_labels(&as_labels.unwrap()), *expected, "{file}");
            refused(as_run.err(), "expected a run");
        }
        As::Run(expected) => {
            assert_eq!(show_run(&as_run.unwrap()), *expected, "{file}");
            refused(as_labels.err(), "expected labels");
        }
        As::Either(labels, run) | As::Both(labels, run) => {
            assert_eq!(show_labels(&as_labels.unwrap()), *labels, "{file}");
            assert_eq!(show_run(&as_run.unwrap()), *run, "{file}");
        }
        As::Refused(sentence) => {
            refused(as_labels.err(), sentence);
            refused(as_run.err(), sentence);
        }
    }
    let alone = read_both(open(path), &ReadOptions::default(), &mut Notes::default());
    match (expected, alone) {
        (As::Both(..), Ok((labels, run, _))) => assert_eq!(labels.queries().len(), run.rankings().len(), "{file}"),
        (As::Both(..), Err(error)) => panic!("{error}"),
        (_, alone) => assert!(alone.is_err(), "{file}"),
    }
}

#[test]
fn what_stands_beside_the_judgments_is_read_too() {
    let Some(path) = shared("formats/17_raglens_labels.jsonl") else { return };
    let file = |name: &str| labels(&path.with_file_name(name)).unwrap();
    assert_eq!(file("17_raglens_labels.jsonl").queries()[1].about.tags[0], ("intent".into(), vec!["multi-hop".into()]));
    let spans = file("19_raglens_spans.jsonl");
    let span = &spans.queries()[1].about.spans[1];
    assert_eq!((span.document.to_string(), span.start, span.end), ("faq.md".into(), 310, 402));
    let legal = file("20_legalbenchrag.json");
    assert_eq!((legal.queries()[0].about.spans[0].start, legal.queries()[0].about.spans[0].end), (120, 260));
    assert_eq!(legal.queries()[1].about.tags, [("tag".into(), vec!["term".into()])]);
    assert_eq!(file("28_retrieval_eval.jsonl").queries()[0].about.tags, [("stratum".into(), vec!["legal".into()])]);
    let chains = file("32_autorag_qa.jsonl");
    let groups = &chains.queries()[0].about.evidence;
    assert_eq!(groups.iter().map(|group| (group.hop, group.any_of.len())).collect::<Vec<_>>(), [(1, 2), (2, 1)]);
    assert_eq!(file("11_llamaindex_qa.json").queries()[1].about.text.as_deref(), Some("what is the SLA?"));
    let calls = run(&path.with_file_name("18_raglens_run.jsonl")).unwrap();
    assert_eq!(calls.rankings()[0].calls()[0].latency_ms, Some(41.2));
}

#[test]
fn a_file_of_rows_with_answers_is_labels_and_run() {
    let Some(path) = shared("data/pairs/rag-doubleml/run.orig.results.jsonl") else { return };
    let (labels, run, facts) = read_both(open(&path), &ReadOptions::default(), &mut Notes::default()).unwrap();
    assert_eq!((facts.format.name, facts.format.role), ("lists-both", Role::Both));
    assert_eq!((labels.queries().len(), labels.relevant(1.0), run.rows()), (50, 85, 500));
    let unanswerable = labels.queries().iter().filter(|query| query.about.answerable == Some(false));
    assert_eq!(unanswerable.count(), 8);
}

#[test]
fn labels_in_the_wild_are_read() {
    let Some(folder) = shared("data/labels_only") else { return };
    let mut notes = Notes::default();
    let path = folder.join("ir-retrieval__qrels.jsonl");
    let (ungraded, _) = read_labels(open(&path), &ReadOptions::default(), &mut notes).unwrap();
    let note = notes.iter().find(|note| note.kind == NoteKind::NoGrades).unwrap();
    assert_eq!(note.count, ungraded.relevant(1.0) + ungraded.copies());
    let dict = labels(&folder.join("rag_metrics__qrels.json")).unwrap();
    assert_eq!(show_labels(&dict), "q1: doc88=1 doc87=0 doc3=0; q2: doc77=1 doc78=0 doc3=0");
    assert_eq!(labels(&folder.join("semiconductor_rnd_report__qrels.jsonl")).unwrap().relevant(1.0), 4);
}
