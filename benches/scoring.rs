//! From results to values: `cargo bench --bench scoring`.
//!
//! Ordering rankings of 1,000 documents; one measure at a time on rankings that are ordered and
//! judged; and whole evaluations of a run in memory. All on one thread.
#![allow(missing_docs)] // criterion makes a public function

mod made;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use made::Made;
use raglens::evaluate::{Rules, evaluate};
use raglens::input::{ReadOptions, Source, read_labels, read_run};
use raglens::judged::{JudgedRanking, LabelFacts, OwnedRanking};
use raglens::labels::Labels;
use raglens::measure::{Measure, all_set, default_set, parse_list};
use raglens::notes::Notes;
use raglens::run::{Duplicates, Order, Run, Ties};

/// Those that most people ask for, and one of each way to compute.
const MEASURES: &str = "hit@10,precision@10,recall@100,f1@10,mrr,map,map:condensed,ndcg@10,ndcg,ndcg_exp@10,err@10,\
                        rprec,rbp,rbp_residual,bpref,infap,iprec@0.2,judged@10,num_rel_ret";

fn run_of(bytes: Vec<u8>) -> Run {
    let source = Source::from_bytes("run", bytes);
    read_run(source, &ReadOptions::default(), &mut Notes::default()).expect("the run is read").0
}

fn labels_of(made: &Made) -> Labels {
    let source = Source::from_bytes("labels", made.qrels());
    read_labels(source, &ReadOptions::default(), &mut Notes::default()).expect("labels are read").0
}

fn bound(measures: Vec<Measure>, facts: &LabelFacts) -> Vec<Measure> {
    measures.into_iter().map(|measure| measure.bind(facts).expect("the labels suit the measure")).collect()
}

fn order(criterion: &mut Criterion) {
    let (made, tied) = (Made::new(100, 1000, 5), Made::with_ties(100, 1000, 5));
    let runs = [
        ("in order", run_of(made.trec())),
        ("out of order", run_of(made.trec_out_of_order())),
        ("in order but for ties", run_of(tied.trec())),
        ("out of order, with ties", run_of(tied.trec_out_of_order())),
    ];
    let mut group = criterion.benchmark_group("ranking 1,000 documents, 100 queries");
    group.throughput(Throughput::Elements(made.rows() as u64));
    for (name, run) in &runs {
        group.bench_function(*name, |bencher| {
            let mut order = Order::default();
            bencher.iter(|| {
                for ranking in run.rankings() {
                    order.rank(ranking, Ties::Trec, Duplicates::Error).expect("no document comes twice");
                    black_box(order.indices());
                }
            });
        });
    }
    group.finish();
}

/// A ranking of 1,000 documents, of which every tenth is judged, and 20 relevant ones that it lacks.
fn judged(seed: usize) -> OwnedRanking {
    let grade = |rank: usize| (rank % 10 == seed % 10).then_some(((rank / 10 + seed) % 3) as f64);
    let ranked: Vec<Option<f64>> = (0..1000).map(grade).collect();
    JudgedRanking::from_grades(&ranked, &[1.0; 20])
}

fn measures(criterion: &mut Criterion) {
    let rankings: Vec<OwnedRanking> = (0..100).map(judged).collect();
    let facts = labels_of(&Made::new(10, 100, 10)).facts();
    let mut group = criterion.benchmark_group("one measure, 100 queries, 100 of 1,000 judged");
    group.throughput(Throughput::Elements(rankings.len() as u64));
    for measure in bound(parse_list(MEASURES).expect("measures"), &facts) {
        group.bench_function(measure.label(), |bencher| {
            bencher.iter(|| rankings.iter().filter_map(|ranking| measure.score(&ranking.view())).sum::<f64>());
        });
    }
    group.finish();
}

fn evaluations(criterion: &mut Criterion) {
    let made = Made::new(1000, 100, 10);
    let (labels, run) = (labels_of(&made), run_of(made.trec()));
    let sets = [
        ("ndcg@10", parse_list("ndcg@10")),
        ("four measures", parse_list("ndcg@10,recall@100,mrr,map")),
        ("the measures shown without -m", default_set(&[5, 10], 1.0)),
        ("all measures", all_set(&[5, 10], 1.0)),
    ];
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let mut group = criterion.benchmark_group("a run in memory, 1,000 queries of 100");
    group.throughput(Throughput::Elements(made.rows() as u64));
    for (name, set) in sets {
        let measures = bound(set.expect("measures"), &labels.facts());
        group.bench_function(name, |bencher| {
            let score = || evaluate(&labels, &run, &measures, &Rules::default()).expect("the run is scored");
            bencher.iter(|| drop(one_thread.install(score)));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    targets = order, measures, evaluations
}
criterion_main!(benches);
