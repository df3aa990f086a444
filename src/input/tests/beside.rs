//! Other people's files, where they are kept beside the project: what each of them becomes.

use std::path::{Path, PathBuf};

use super::*;

/// A folder of files beside the project, when it is there.
fn folder(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(name);
    if !path.is_dir() {
        use std::io::Write;
        writeln!(std::io::stderr(), "left out: {} is not there", path.display()).unwrap();
        return None;
    }
    Some(path)
}

fn open(path: &Path) -> Source {
    Source::open(path.to_str().unwrap()).unwrap()
}

/// What a labels file becomes: its format with the numbers of queries, judgments and relevant
/// documents, or the error.
fn labels_in(path: &Path) -> String {
    match read_labels(open(path), &ReadOptions::default(), &mut Notes::default()) {
        Ok((labels, facts)) => {
            let judgments: usize = labels.queries().iter().map(|query| query.judgments().count()).sum();
            let (queries, relevant) = (labels.queries().len(), labels.relevant(1.0));
            format!("{} {queries} {judgments} {relevant}", facts.format.name)
        }
        Err(error) => error.kind().to_string(),
    }
}

/// What a run becomes: its format with the numbers of queries and results, or the error.
fn run_in(path: &Path) -> String {
    match read_run(open(path), &ReadOptions::default(), &mut Notes::default()) {
        Ok((run, facts)) => format!("{} {} {}", facts.format.name, run.rankings().len(), run.rows()),
        Err(error) => error.kind().to_string(),
    }
}

#[test]
fn qrels_of_other_people_are_read_or_refused_with_a_reason() {
    let Some(folder) = folder("data/labels_only") else { return };
    for (name, expected) in [
        ("ador__qrels.txt", "qrels 25 22264 7067"),
        ("agvaluate__qrel-assigned_questions.tsv", "qrels 211 2887 1944"),
        ("anserini-tools__qrels.atomic.validation.i2t.trec", "qrels 16131 17801 17801"),
        ("anserini-tools__qrels.beir-v1.0.0-fiqa.test.txt", "qrels 648 1706 1706"),
        ("anserini-tools__qrels.beir-v1.0.0-quora.test.txt", "qrels 10000 15675 15675"),
        ("anserini-tools__qrels.beir-v1.0.0-scifact.test.txt", "qrels 300 339 339"),
        ("anserini-tools__qrels.bright-biology.txt", "qrels 103 372 372"),
        ("anserini-tools__qrels.core17.txt", "qrels 50 30030 9002"),
        ("anserini-tools__qrels.covid-round1.txt", "qrels 30 8691 2352"),
        ("anserini-tools__qrels.dl19-doc.txt", "qrels 43 16258 6597"),
        ("anserini-tools__qrels.dl19-passage.txt", "qrels 43 9260 4102"),
        ("anserini-tools__qrels.hc4-v1.0-fa.test.txt", "qrels 50 2522 421"),
        ("anserini-tools__qrels.mrtydi-v1.1-ja.test.txt", "qrels 720 923 923"),
        ("anserini-tools__qrels.rag24.test.txt", "qrels 89 20429 12717"),
        ("anserini-tools__qrels.trec02ar.txt", "qrels 50 38432 5909"),
        (
            "anserini-tools__qrels.web.201-250.ndeval.txt",
            "query `201`, document `clueweb12-0900wb-35-34759` is judged 0 here and 1 at line 145",
        ),
        ("llmjudge__llm4eval_dev_qrel_2024.txt", "qrels 25 7263 2725"),
        ("pyserini__nfcorpus-qrels.tsv", "qrels 5 234 234"),
        ("rankgpt__qrels.txt", "qrels 21 420 130"),
        ("ranx__qrels.trec", "qrels 5505 5541 5541"),
        ("sara-a-collection-of-sen__qrels.txt", "query `36`, document `12174` is judged 0 here and 2 at line 590"),
        ("sigir2017-sysrev-collect__sigir2017.qrels", "qrels 177 7345 7345"),
        ("text_retrieval_final__qrels_50_Queries", "qrels 50 61511 4290"),
        ("treccastweb__train_topics_mod.qrel", "qrels 120 2397 640"),
    ] {
        assert_eq!(labels_in(&folder.join(name)), expected, "{name}");
    }
}

#[test]
fn conflicts_between_subtopics_are_called_so() {
    let Some(folder) = folder("data/labels_only") else { return };
    let subtopics = |name: &str| {
        let read = read_labels(open(&folder.join(name)), &ReadOptions::default(), &mut Notes::default());
        matches!(read.unwrap_err().kind(), InputErrorKind::ConflictingLabels { subtopics: true, .. })
    };
    assert!(subtopics("anserini-tools__qrels.web.201-250.ndeval.txt"));
    assert!(!subtopics("sara-a-collection-of-sen__qrels.txt"));
}

#[test]
fn samples_of_every_text_format_are_read_in_their_place() {
    let Some(folder) = folder("formats") else { return };
    for (name, labels, run) in [
        ("01_trec.qrels", "qrels 2 3 2", "looks like TREC qrels"),
        ("02_trec.run", "looks like TREC run", "trec 2 3"),
        ("03_trec_meta.run", "looks like TREC run", "trec 2 3"),
        ("04_beir_zero_rank.run", "looks like TREC run", "trec 2 3"),
        ("05_beir_qrels.tsv", "beir 2 2 2", "looks like BEIR qrels"),
        ("15_phoenix_docs.csv", "looks like Phoenix documents", "phoenix 1 2"),
        ("21_chroma_spans.csv", "chroma 2 0 0", "looks like Chroma span labels"),
        ("22_msmarco.run", "grades 1 3 3", "ranks 1 3"),
        ("23_msmarco_qrels.tsv", "qrels 3 3 3", "looks like TREC qrels"),
        ("24_msmarco_ref2.tsv", "pairs 3 3 3", "pairs 3 3"),
        ("25_header_run.csv", "looks like results in a table", "run-table 1 2"),
        ("26_header_qrels.csv", "label-table 2 2 2", "looks like labels in a table"),
        ("27_quepid.csv", "quepid 2 2 2", "looks like Quepid ratings"),
        ("33_mlflow.csv", "mlflow 2 2 2", "mlflow 2 4"),
        ("37_letor.txt", "letor 2 3 2", "looks like LETOR"),
        ("39_crlf_bom.tsv", "beir 2 2 2", "looks like BEIR qrels"),
        ("40_hash_docid.run", "looks like TREC run", "trec 2 3"),
        ("41_nohead3_float.tsv", "grades 2 3 3", "scores 2 3"),
        ("42_nohead3_int.tsv", "grades 3 3 3", "has three columns"),
        ("43_trec5.run", "looks like TREC run", "trec 2 3"),
    ] {
        let (as_labels, as_run) = (labels_in(&folder.join(name)), run_in(&folder.join(name)));
        assert!(as_labels.starts_with(labels), "{name}: {as_labels}");
        assert!(as_run.starts_with(run), "{name}: {as_run}");
    }
}
