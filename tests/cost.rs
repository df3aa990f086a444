//! What scoring a run costs in memory: a line nothing, a query a little, whatever the length of the
//! file; and what a judgment costs. Counted and not timed, so that the tests say the same on every machine.

use std::fmt::Write;
use std::path::Path;

use allocation_counter::{AllocationInfo, measure};
use raglens::evaluate::Rules;
use raglens::input::{ReadOptions, Source, read_labels};
use raglens::labels::Labels;
use raglens::measure::{Measure, parse_list};
use raglens::notes::Notes;
use raglens::stream::evaluate_file;

const MIB: u64 = 1 << 20;

/// The lines of a run, query by query and best first, or spread so that no query stands together.
fn run(queries: usize, documents: usize, grouped: bool) -> String {
    let mut text = String::new();
    for line in 0..queries * documents {
        let (query, rank) =
            if grouped { (line / documents, line % documents) } else { (line % queries, line / queries) };
        let (document, score) = (1_000_000 + (rank * 7919 + query * 104_729) % 8_841_823, 30.0 - rank as f64 / 100.0);
        writeln!(text, "{} Q0 {document} {} {score:.6} anserini", 1_000_000 + query, rank + 1).unwrap();
    }
    text
}

fn labels(queries: usize) -> Labels {
    let line =
        |query: usize| format!("{} 0 {} 1\n", 1_000_000 + query, 1_000_000 + (7919 + query * 104_729) % 8_841_823);
    let source = Source::from_bytes("labels", (0..queries).map(line).collect::<String>().into());
    read_labels(source, &ReadOptions::default(), &mut Notes::default()).unwrap().0
}

/// What one thread takes from the memory while it scores a run, and how many results it finds.
fn cost(text: &str) -> AllocationInfo {
    cost_with(&labels(2000), text)
}

fn cost_with(labels: &Labels, text: &str) -> AllocationInfo {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let measures: Vec<Measure> = parse_list("ndcg@10,recall@100,mrr,map").unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| measure(|| score(labels, file.path(), &measures)))
}

fn score(labels: &Labels, path: &Path, measures: &[Measure]) {
    let (source, mut notes) = (Source::open(path.to_str().unwrap()).unwrap(), Notes::default());
    let options = ReadOptions::default();
    let scores = evaluate_file(source, &options, labels, measures, &Rules::default(), &mut notes).unwrap();
    assert!(scores.table.join.labelled_results > 0);
}

#[test]
fn a_line_costs_no_memory() {
    let (short, long) = (cost(&run(50, 1000, true)), cost(&run(50, 3000, true)));
    let (allocations, lines) = (long.count_total.saturating_sub(short.count_total), 100_000);
    assert!(allocations < lines / 1000, "{allocations} allocations for {lines} lines more");
}

#[test]
fn a_query_costs_its_scores() {
    let (few, many) = (cost(&run(500, 20, true)), cost(&run(1500, 20, true)));
    let (allocations, queries) = (many.count_total.saturating_sub(few.count_total), 1000);
    assert!(allocations < 4 * queries, "{allocations} allocations for {queries} queries more");
}

#[test]
fn a_query_of_the_labels_costs_its_values_and_a_few_bytes_more() {
    let queries = 400_000;
    let labels = labels(queries);
    for (found, answered) in [("answered", queries), ("missing", 2000)] {
        let taken = cost_with(&labels, &run(answered, 2, true)).bytes_max.saturating_sub(MIB);
        let each = taken as f64 / queries as f64;
        // Four values of eight bytes, and what they are added up from.
        assert!(each < 64.0, "{each} bytes for each of {queries} queries, {found}");
    }
}

#[test]
fn the_length_of_a_file_whose_queries_stand_together_does_not_matter() {
    let (short, long) = (cost(&run(2000, 20, true)), cost(&run(2000, 200, true)));
    assert!(long.bytes_max < 4 * MIB, "{} bytes", long.bytes_max);
    assert!(long.bytes_max < short.bytes_max + MIB / 8, "{} bytes, {} before", long.bytes_max, short.bytes_max);
}

#[test]
fn a_file_in_any_order_takes_no_more_memory_than_its_text_and_half_of_it() {
    let text = run(2000, 100, false);
    let taken = cost(&text).bytes_max;
    assert!(taken * 2 < text.len() as u64 * 3, "{taken} bytes for {}", text.len());
}

/// Bytes a judgment while labels are read, and once they are.
fn cost_of_labels(queries: usize, judged: usize, grouped: bool) -> (u64, u64) {
    let mut text = String::new();
    for line in 0..queries * judged {
        let query = if grouped { line / judged } else { line % queries };
        writeln!(text, "{} 0 {} {}", 1_000_000 + query, 1_000_000 + line * 7919 % 8_841_823, line % 3).unwrap();
    }
    let (source, judgments) = (Source::from_bytes("labels", text.into()), (queries * judged) as u64);
    let mut labels = None;
    let taken = measure(|| labels = Some(read_labels(source, &ReadOptions::default(), &mut Notes::default()).unwrap()));
    (taken.bytes_max / judgments, taken.bytes_current as u64 / judgments)
}

#[test]
fn a_judgment_costs_a_few_numbers_and_its_id() {
    for (queries, judged, most) in [(100, 2000, 1), (20_000, 10, 1), (100_000, 2, 1)] {
        let (peak, kept) = cost_of_labels(queries, judged, true);
        assert!(peak <= most, "{peak} bytes, {kept} kept, with {judged} judgments a query");
    }
}
