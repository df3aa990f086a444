//! What scoring a run costs in memory: a line nothing, a query its scores, whatever the length of the
//! file; what a judgment costs; and what tests of many runs cost. Counted and not timed, so that
//! the tests say the same on every machine.

use std::fmt::Write;
use std::path::Path;

use allocation_counter::{AllocationInfo, measure};
use raglens::compare::better_than;
use raglens::evaluate::Rules;
use raglens::input::{ReadOptions, Source, read_labels};
use raglens::labels::Labels;
use raglens::measure::{Better, Measure, parse_list};
use raglens::notes::Notes;
use raglens::stats::max_t::max_t;
use raglens::stats::randomization::{Alternative, RandomizationOptions};
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

/// The same lines as rows of JSON and as a table, with some cells in quotes.
fn in_other_formats(run: &str) -> [String; 2] {
    let (mut rows, mut table) = (String::new(), String::from("query_id,doc_id,rank,score\n"));
    for line in run.lines() {
        let [query, _, document, rank, score, _] = line.split(' ').collect::<Vec<_>>()[..] else { unreachable!() };
        writeln!(rows, r#"{{"query_id":"{query}","doc_id":"{document}","rank":{rank},"score":{score}}}"#).unwrap();
        writeln!(table, "{query},\"{document}\",{rank},{score}").unwrap();
    }
    [rows, table]
}

/// The same results as a list a line and as one object of queries.
fn in_lists(run: &str) -> [String; 2] {
    let (mut lists, mut dict, mut last) = (String::new(), String::new(), "");
    for line in run.lines() {
        let [query, _, document, _, score, _] = line.split(' ').collect::<Vec<_>>()[..] else { unreachable!() };
        if query != last {
            let [list, entry] = if last.is_empty() { ["", "{"] } else { ["]}\n", "},"] };
            write!(lists, r#"{list}{{"query_id":"{query}","results":["#).unwrap();
            write!(dict, r#"{entry}"{query}":{{"#).unwrap();
        } else {
            lists.push(',');
            dict.push(',');
        }
        write!(lists, r#"{{"id":"{document}","score":{score}}}"#).unwrap();
        write!(dict, r#""{document}":{score}"#).unwrap();
        last = query;
    }
    [lists + "]}\n", dict + "}}\n"]
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

fn cost_of_text(text: String) -> AllocationInfo {
    cost(&text)
}

fn cost_with(labels: &Labels, text: &str) -> AllocationInfo {
    cost_of(labels, text, |path| Source::open(path.to_str().unwrap()).unwrap())
}

/// The same where the text comes through a pipe.
fn cost_of_piped(text: &str) -> AllocationInfo {
    cost_of(&labels(2000), text, |path| Source::from_reader("pipe", std::fs::File::open(path).unwrap()).unwrap())
}

fn cost_of(labels: &Labels, text: &str, open: fn(&Path) -> Source) -> AllocationInfo {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let measures: Vec<Measure> = parse_list("ndcg@10,recall@100,mrr,map").unwrap();
    cost_on_one_thread(|| score(labels, open(file.path()), &measures))
}

fn score(labels: &Labels, source: Source, measures: &[Measure]) {
    let (options, mut notes) = (ReadOptions::default(), Notes::default());
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
fn a_row_of_json_or_of_a_table_costs_no_memory() {
    for (short, long) in in_other_formats(&run(50, 1000, true)).into_iter().zip(in_other_formats(&run(150, 1000, true)))
    {
        let (short, long) = (cost(&short), cost(&long));
        // Every block begins with a row of which nothing is known, some forty rows in ten thousand.
        let allocations = long.count_total.saturating_sub(short.count_total);
        assert!(allocations < 2000, "{allocations} allocations for 100,000 rows more");
        assert!(long.bytes_max < short.bytes_max + MIB / 8, "{} bytes, {} before", long.bytes_max, short.bytes_max);
    }
}

#[test]
fn a_query_of_a_table_or_of_rows_of_json_costs_its_scores() {
    for (few, many) in in_other_formats(&run(500, 20, true)).into_iter().zip(in_other_formats(&run(1500, 20, true))) {
        let (few, many) = (cost(&few), cost(&many));
        let (allocations, queries) = (many.count_total.saturating_sub(few.count_total), 1000);
        assert!(allocations < 4 * queries, "{allocations} allocations for {queries} queries more");
    }
}

#[test]
fn a_result_in_a_list_costs_no_memory_and_its_query_little() {
    let [few, many, long] = [(1500, 130), (2000, 130), (2000, 240)]
        .map(|(queries, results)| in_lists(&run(queries, results, true)).map(cost_of_text));
    // Before an object is read, its first queries are looked at, up to 128 results of each.
    for (layout, most) in [(0, 4 * MIB), (1, 8 * MIB)] {
        let (few, many, long) = (few[layout], many[layout], long[layout]);
        let (allocations, queries) = (many.count_total.saturating_sub(few.count_total), 500);
        assert!(allocations < 4 * queries, "{allocations} allocations for {queries} queries more, layout {layout}");
        let (allocations, results) = (long.count_total.saturating_sub(many.count_total), 220_000);
        assert!(allocations < results / 40, "{allocations} allocations for {results} results more, layout {layout}");
        assert!(long.bytes_max < most, "{} bytes, layout {layout}", long.bytes_max);
    }
}

#[test]
fn a_query_costs_no_memory_of_its_own() {
    let (few, many) = (cost(&run(500, 20, true)), cost(&run(1500, 20, true)));
    let (allocations, queries) = (many.count_total.saturating_sub(few.count_total), 1000);
    assert!(allocations < queries / 10, "{allocations} allocations for {queries} queries more");
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
    let [rows, table] = in_other_formats(&text);
    for text in [text, rows, table] {
        let taken = cost(&text).bytes_max;
        assert!(taken * 2 < text.len() as u64 * 3, "{taken} bytes for {}", text.len());
    }
}

#[test]
fn a_pipe_takes_no_more_memory_than_its_text_and_half_of_it() {
    let mut grouped = run(2000, 100, true);
    let taken = |text: &str| (cost_of_piped(text).bytes_max * 2, text.len() as u64 * 3);
    let [rows, table] = in_other_formats(&run(2000, 100, false));
    let [lists, _] = in_lists(&grouped);
    for text in [&grouped, &run(2000, 100, false), &run(10, 20_000, true), &rows, &table, &lists] {
        let (taken, allowed) = taken(text);
        assert!(taken < allowed, "{} bytes for {}", taken / 2, text.len());
    }
    // The first query comes back behind the last.
    grouped.push_str("1000000 Q0 none 1 0.5 anserini\n");
    let (taken, allowed) = taken(&grouped);
    assert!(taken < allowed, "{} bytes for {}", taken / 2, grouped.len());
}

/// Bytes a judgment while labels are read, and once they are.
fn cost_of_labels(queries: usize, judged: usize, grouped: bool) -> [u64; 2] {
    let mut text = String::new();
    for line in 0..queries * judged {
        let query = if grouped { line / judged } else { line % queries };
        writeln!(text, "{} 0 {} {}", 1_000_000 + query, 1_000_000 + line * 7919 % 8_841_823, line % 3).unwrap();
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let mut labels = None;
    let read = || {
        let source = Source::open(file.path().to_str().unwrap()).unwrap();
        labels = Some(read_labels(source, &ReadOptions::default(), &mut Notes::default()).unwrap());
    };
    let taken = measure(read);
    [taken.bytes_max, taken.bytes_current as u64].map(|bytes| bytes / (queries * judged) as u64)
}

#[test]
fn a_judgment_costs_its_id_and_a_few_numbers() {
    for (queries, judged, most) in [(100, 2000, 72), (20_000, 10, 96), (100_000, 2, 102)] {
        let [peak, kept] = cost_of_labels(queries, judged, true);
        assert!(peak <= most && kept <= most, "{peak} bytes, then {kept}, with {judged} judgments a query");
    }
    // What is spread is put together in the end, which needs its room twice for a moment.
    let [peak, kept] = cost_of_labels(1000, 100, false);
    assert!(peak <= 108 && kept <= 72, "{peak} bytes, then {kept}");
}

/// Scores of one run that differ from those of all others, and by no multiple of anything.
fn scores(run: usize, queries: usize) -> Vec<f64> {
    (0..queries).map(|query| ((query * (run + 3)) as f64).sin()).collect()
}

fn cost_on_one_thread(work: impl FnOnce() + Send) -> AllocationInfo {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| measure(work))
}

#[test]
fn all_sign_patterns_of_many_columns_are_never_in_memory_together() {
    let columns: Vec<Vec<f64>> = (0..300).map(|run| scores(run, 16)).collect();
    let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    let taken = cost_on_one_thread(|| {
        assert!(max_t(&columns, Alternative::TwoSided, 1 << 16, 0).unwrap().is_exact);
    });
    assert!(taken.bytes_max < 8 * MIB, "{} bytes", taken.bytes_max);
}

#[test]
fn all_pairs_of_many_runs_are_never_in_memory_together() {
    let runs: Vec<Vec<f64>> = (0..40).map(|run| scores(run, 1000)).collect();
    let runs: Vec<&[f64]> = runs.iter().map(Vec::as_slice).collect();
    let options = RandomizationOptions { resamples: 100, ..Default::default() };
    let taken = cost_on_one_thread(|| {
        better_than(&runs, Better::Higher, 0.05, options).unwrap();
    });
    assert!(taken.bytes_max < 4 * MIB, "{} bytes", taken.bytes_max);
}
