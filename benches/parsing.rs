//! Reading files: `cargo bench --bench parsing`.
//!
//! The same 100,000 results in every layout, from a file, on one thread: scored while they are
//! read, as `raglens eval` does it, and kept, as commands do that need the ids. Then labels.
#![allow(missing_docs)] // criterion makes a public function

mod made;

use std::fs;
use std::path::Path;
use std::time::Duration;

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use made::{Made, gzip};
use raglens::evaluate::Rules;
use raglens::input::{ReadOptions, Source, read_labels, read_run};
use raglens::labels::Labels;
use raglens::measure::parse_list;
use raglens::notes::Notes;
use raglens::stream::evaluate_file;

const MEASURES: &str = "ndcg@10,recall@100,mrr,map";

fn open(path: &Path) -> Source {
    Source::open(path.to_str().expect("a path of plain letters")).expect("the file was just written")
}

fn labels_of(path: &Path) -> Labels {
    read_labels(open(path), &ReadOptions::default(), &mut Notes::default()).expect("labels are read").0
}

/// Writes a file a layout and lets `work` be timed on each.
fn per_layout(group: &mut BenchmarkGroup<'_, WallTime>, layouts: &[(&str, Vec<u8>)], work: impl Fn(&Path) + Sync) {
    let folder = tempfile::tempdir().expect("a folder for the files");
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for (name, bytes) in layouts {
        let path = folder.path().join("file");
        fs::write(&path, bytes).expect("there is room for the file");
        group.bench_function(*name, |bencher| bencher.iter(|| one_thread.install(|| work(&path))));
    }
}

fn runs(criterion: &mut Criterion) {
    let made = Made::new(200, 500, 5);
    let layouts = [
        ("TREC", made.trec()),
        ("TREC, gzip", gzip(&made.trec())),
        ("JSONL rows", made.jsonl_rows()),
        ("JSONL lists", made.jsonl_lists()),
        ("JSON dict of dict", made.dict()),
        ("CSV", made.csv()),
    ];
    let folder = tempfile::tempdir().expect("a folder for the labels");
    let qrels = folder.path().join("qrels");
    fs::write(&qrels, made.qrels()).expect("there is room for the labels");
    let labels = labels_of(&qrels);
    let measures = parse_list(MEASURES).expect("measures");
    let (options, rules) = (ReadOptions::default(), Rules::default());

    let mut group = criterion.benchmark_group("a run, scored while it is read");
    group.throughput(Throughput::Elements(made.rows() as u64));
    per_layout(&mut group, &layouts, |path| {
        evaluate_file(open(path), &options, &labels, &measures, &rules, &mut Notes::default())
            .expect("the run is scored");
    });
    group.finish();

    let mut group = criterion.benchmark_group("a run, kept");
    group.throughput(Throughput::Elements(made.rows() as u64));
    per_layout(&mut group, &layouts, |path| {
        read_run(open(path), &options, &mut Notes::default()).expect("the run is read");
    });
    group.finish();
}

fn labels(criterion: &mut Criterion) {
    let made = Made::new(1000, 100, 100);
    let layouts = [("qrels", made.qrels()), ("qrels, gzip", gzip(&made.qrels())), ("JSONL rows", made.jsonl_labels())];
    let mut group = criterion.benchmark_group("labels");
    group.throughput(Throughput::Elements(made.rows() as u64));
    per_layout(&mut group, &layouts, |path| drop(labels_of(path)));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    targets = runs, labels
}
criterion_main!(benches);
