//! A run that is scored while its file is read gives what a run in memory gives, to the last bit:
//! the same scores, the same report, the same notes, the same error.

#![allow(clippy::print_stderr, reason = "a test that was left out says so")]

use std::io::Write;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use raglens::evaluate::{Rules, evaluate};
use raglens::input::{OnError, ReadOptions, Source, join, read_labels, read_run};
use raglens::labels::Labels;
use raglens::measure::{Measure, parse_list};
use raglens::notes::Notes;
use raglens::run::Duplicates;
use raglens::stream::evaluate_file;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

fn open(path: &Path) -> Source {
    Source::open(path.to_str().unwrap()).unwrap()
}

fn labels(path: &Path) -> Labels {
    read_labels(open(path), &ReadOptions::default(), &mut Notes::default()).unwrap().0
}

fn measures(labels: &Labels) -> Vec<Measure> {
    let list = parse_list("recall@5,precision@10,ndcg@10,map,mrr,bpref,rbp,judged@10,err@20").unwrap();
    list.into_iter().map(|measure| measure.bind(&labels.facts()).unwrap()).collect()
}

/// How a run is read: by so many threads, in blocks of so many bytes, from a file or a pipe.
#[derive(Debug, Clone, Copy)]
struct Way {
    threads: usize,
    block: usize,
    piped: bool,
}

/// One thread as ever, and several with borders in every place where one can be.
const WAYS: [Way; 10] = [
    Way { threads: 1, block: 256 * 1024, piped: false },
    Way { threads: 1, block: 10, piped: false },
    Way { threads: 2, block: 1, piped: false },
    Way { threads: 3, block: 100, piped: false },
    Way { threads: 3, block: 333, piped: false },
    Way { threads: 2, block: 2000, piped: false },
    Way { threads: 1, block: 256 * 1024, piped: true },
    Way { threads: 1, block: 100, piped: true },
    Way { threads: 2, block: 1, piped: true },
    Way { threads: 3, block: 333, piped: true },
];

impl Way {
    fn open(self, path: &Path) -> Source {
        let source = match self.piped {
            false => open(path),
            true => Source::from_reader(path.to_str().unwrap(), std::fs::File::open(path).unwrap()).unwrap(),
        };
        source.in_blocks_of(self.block)
    }
}

/// What is said of a run that is scored while it is read: the table with its report and the notes,
/// or the error.
fn streamed(labels: &Labels, run: &Path, options: &ReadOptions, rules: &Rules, way: Way) -> String {
    let measures = measures(labels);
    let mut notes = Notes::default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(way.threads).build().unwrap();
    let source = way.open(run);
    match pool.install(|| evaluate_file(source, options, labels, &measures, rules, &mut notes)) {
        Ok(scores) => {
            let (skipped, documents) = (scores.facts.skipped, &scores.documents);
            format!("{:?} {:?} {skipped:?} {documents:?} {notes:?}", scores.table, scores.tag)
        }
        Err(error) => error.to_string(),
    }
}

/// The same of a run that is read first and scored then.
fn collected(labels: &Labels, run: &Path, options: &ReadOptions, rules: &Rules) -> String {
    let measures = measures(labels);
    let mut notes = Notes::default();
    match read_run(open(run), options, &mut notes) {
        Ok((run, facts)) => match evaluate(labels, &run, &measures, rules) {
            Ok(table) => {
                let documents = if table.join.shares_no_document() { join(labels, &run).ok().flatten() } else { None };
                format!("{table:?} {:?} {:?} {documents:?} {notes:?}", run.tag, facts.skipped)
            }
            Err(error) => error.to_string(),
        },
        Err(error) => error.to_string(),
    }
}

/// What both ways say of a run, where all the ways of scoring it while it is read say the same.
fn both(labels: &Labels, run: &Path, options: &ReadOptions, rules: &Rules) -> [String; 2] {
    if let Err(error) = Source::open(run.to_str().unwrap()) {
        return [error.to_string(), error.to_string()];
    }
    let first = streamed(labels, run, options, rules, WAYS[0]);
    for way in &WAYS[1..] {
        assert_eq!(first, streamed(labels, run, options, rules, *way), "{}: {way:?}", run.display());
    }
    [first, collected(labels, run, options, rules)]
}

/// Checks that both ways say the same. While a file is read it is known where a fault stands; in
/// memory it is not.
fn assert_same(labels: &Labels, run: &Path, options: &ReadOptions, rules: &Rules) -> String {
    let [streamed, collected] = both(labels, run, options, rules);
    let is_same = streamed == collected || (is_fault(&collected) && streamed.ends_with(&collected));
    assert!(is_same, "{}:\n{streamed}\n{collected}", run.display());
    streamed
}

fn is_fault(text: &str) -> bool {
    !text.starts_with("ScoreTable")
}

fn pack(text: &[u8], path: &Path) {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    std::fs::write(path, encoder.finish().unwrap()).unwrap();
}

#[test]
fn every_run_of_the_collection_is_the_same_both_ways() {
    let labels = labels(&fixture("labels.jsonl"));
    for run in ["bm25", "dense", "hybrid"] {
        for ending in ["trec", "jsonl", "csv"] {
            let path = fixture(&format!("{run}.{ending}"));
            let [streamed, collected] = both(&labels, &path, &ReadOptions::default(), &Rules::default());
            assert!(streamed.contains("ScoreTable"), "{streamed}");
            assert_eq!(streamed, collected, "{}", path.display());
        }
    }
}

#[test]
fn every_odd_file_is_the_same_both_ways() {
    let labels = labels(&fixture("odd/plain.qrels"));
    let mut compared = 0;
    for (options, rules) in all_rules() {
        for entry in std::fs::read_dir(fixture("odd")).unwrap() {
            assert_same(&labels, &entry.unwrap().path(), &options, &rules);
            compared += 1;
        }
    }
    assert!(compared > 200, "only {compared} were compared");
}

/// Stopping and skipping at faults, copies as faults and dropped.
fn all_rules() -> impl Iterator<Item = (ReadOptions, Rules)> {
    [OnError::Stop, OnError::Skip].into_iter().flat_map(|on_error| {
        [Duplicates::Error, Duplicates::First].map(|duplicates| {
            let rules = Rules { duplicates, drop_self: duplicates == Duplicates::First, ..Rules::default() };
            (ReadOptions { on_error, ..ReadOptions::default() }, rules)
        })
    })
}

#[test]
fn real_runs_are_the_same_both_ways() {
    let pairs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/pairs");
    let Ok(folders) = std::fs::read_dir(&pairs) else {
        eprintln!("left out: there is no {}", pairs.display());
        return;
    };
    let rules = Rules { duplicates: Duplicates::First, ..Rules::default() };
    for folder in folders.map(|entry| entry.unwrap().path()) {
        let mut files: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| path.is_file());
        files.sort();
        let named =
            |start: &str| files.iter().find(|path| path.file_name().unwrap().to_str().unwrap().starts_with(start));
        let (Some(qrels), Some(run)) = (named("qrels"), named("run")) else { continue };
        let Ok((labels, _)) = read_labels(open(qrels), &ReadOptions::default(), &mut Notes::default()) else {
            continue;
        };
        assert_same(&labels, run, &ReadOptions::default(), &rules);
    }
}

/// Lines of a run, most of them usual, with what makes lines odd.
fn odd_line() -> impl Strategy<Value = String> {
    let one_of = |texts: &'static [&'static str]| prop::sample::select(texts);
    let usual = (0..6_u8, 0..30_u16, 0..12_u16, 0..400_u16);
    let usual =
        usual.prop_map(|(q, d, rank, score)| format!("q{q} Q0 d{d} {rank} {}.{:02} t\n", score / 100, score % 100));
    let query =
        one_of(&["q1", "q2", "a query id that is long", "q\u{e9}", "\u{feff}q1", "#q", "longer-than-eight", ""]);
    let document =
        one_of(&["d1", "d2", "q1", "clueweb09-en0000-00-00000", "\u{200b}d1", "d\u{e9}", "12345678", "\u{1}d", ""]);
    let rank = one_of(&["1", "2", "x", "1.5", "-1", "00012345678901", ""]);
    let score = one_of(&[
        "1",
        "0.5",
        "-0.0",
        "1e1",
        "nan",
        "inf",
        "x",
        "1,5",
        "0.12345678901234567890",
        "123456789012345678",
        ".5",
        "5.",
        "9007199254740993",
        "+1",
        "-",
        "",
    ]);
    let separator = one_of(&[" ", "\t", "  ", " \t"]);
    let tail = one_of(&["", " t", "\tt", " tag more", " \u{e9}", "\tt\tu"]);
    let end = one_of(&["\n", "\r\n", " \n", "\n\n", "\n# note\n"]);
    let odd = (query, document, rank, score, separator, tail, end).prop_map(
        |(query, document, rank, score, by, tail, end)| {
            format!("{query}{by}Q0{by}{document}{by}{rank}{by}{score}{tail}{end}")
        },
    );
    prop_oneof![12 => usual, 1 => odd, 1 => one_of(&["# comment\n", "\n", " \t\n", "qid iter docid rank score tag\n", "q1\n"]).prop_map(str::to_owned)]
}

/// Rows of a table of some columns, most of them usual, with what makes rows odd.
fn odd_table() -> impl Strategy<Value = (String, Vec<String>)> {
    let headers = prop::sample::select(vec![
        "query_id,doc_id,score",
        "doc_id,query_id,rank,score,tag",
        "query_id;doc_id;distance",
        "query_id,doc_id,rank",
        "query_id,doc_id",
        "query_id\tdoc_id\tscore",
        "\"query_id\",\"doc_id\",\"score\"",
        "query_id doc_id tag score",
        "query_id,chunk_id,doc_id,score,start,end",
        "query_id,doc_id,score,latency_ms",
    ]);
    let odd = prop::sample::select(vec![
        "q1",
        "d1",
        "#q",
        "é",
        "\u{feff}q1",
        "",
        " ",
        "\"",
        "a\"b",
        "\"a\"x",
        "\"d1\"",
        "\"a,b\"",
        "\"a\"\"b\"",
        "\"a\nb\"",
        "\"q1\n\"",
        " d1 ",
        "a\tb",
        "nan",
        "1e3",
        "-0",
        ".5",
        "007",
        "-1",
        "1.5",
    ]);
    let odd = prop_oneof![9 => Just(None), 1 => (0..6_usize, odd).prop_map(Some)];
    let end = prop::sample::select(vec!["\n", "\n", "\n", "\n", "\n", "\n", "\r\n", "\n\n", "\n# a \"note\n"]);
    let row = ((0..6_u8, 0..30_u16, 0..12_u16, 0..400_u16), odd, any::<bool>(), end);
    (headers, prop::collection::vec(row, 0..60), 0..4_u8).prop_map(|(header, rows, quoting)| {
        let separator = header.find(['\t', ',', ';', ' ']).map_or(",", |at| &header[at..=at]);
        let rows = rows.into_iter().map(|((query, document, rank, score), odd, is_quoted, end)| {
            let value = |name: &str| match name.trim_matches('"') {
                "query_id" => format!("q{query}"),
                "doc_id" | "chunk_id" => format!("d{document}"),
                "score" | "distance" => format!("{}.{:02}", score / 100, score % 100),
                "tag" => "t".to_owned(),
                "end" => (rank + score).to_string(),
                _ => rank.to_string(),
            };
            let mut cells: Vec<String> = header.split(separator).map(value).collect();
            if quoting == 3 || (quoting == 2 && is_quoted) {
                cells.iter_mut().for_each(|cell| *cell = format!("\"{cell}\""));
            }
            if let Some((place, odd)) = odd {
                let place = place % cells.len();
                cells[place] = odd.to_owned();
            }
            cells.join(separator) + end
        });
        (format!("{header}\n"), rows.collect())
    })
}

/// Rows of JSON of some keys, most of them usual, with what makes rows odd.
fn odd_rows() -> impl Strategy<Value = (String, Vec<String>)> {
    let keys = prop::sample::select(vec![
        vec!["query_id", "doc_id", "score"],
        vec!["doc_id", "score", "query_id", "rank"],
        vec!["qid", "docid", "rank"],
        vec!["query_id", "doc_id", "distance", "text"],
        vec!["query_id", "id", "doc_id", "score", "start", "end"],
    ]);
    let odd = prop::sample::select(vec![
        "\"q1\"",
        "1",
        "7.0",
        "-7",
        "01",
        "\"\"",
        "\" d1\"",
        "\"é\"",
        "\"\u{feff}d\"",
        "\"\\u0064\\u0031\"",
        "\"a\tb\"",
        "null",
        "true",
        "[1]",
        "{}",
        "1.",
        ".5",
        "1e3",
        "-0",
        "\"1.5\"",
        "NaN",
        "\"#\"",
        "12345678901",
        "x",
    ]);
    let odd = prop_oneof![9 => Just(None), 1 => (0..6_usize, odd).prop_map(Some)];
    let end =
        prop::sample::select(vec!["\n", "\n", "\n", "\n", "\n", "\n", "\r\n", " \n", "\n\n", "\n# note\n", "}\n"]);
    let row = ((0..6_u8, 0..30_u16, 0..12_u16, 0..400_u16), odd, any::<bool>(), end);
    (keys, prop::collection::vec(row, 0..60), any::<bool>()).prop_map(|(keys, rows, bare)| {
        let rows = rows.into_iter().map(|((query, document, rank, score), odd, is_spaced, end)| {
            let value = |name: &str| match name {
                "query_id" | "qid" if bare => query.to_string(),
                "query_id" | "qid" => format!("\"q{query}\""),
                "doc_id" | "docid" | "id" if bare => document.to_string(),
                "doc_id" | "docid" | "id" => format!("\"d{document}\""),
                "score" | "distance" => format!("{}.{:02}", score / 100, score % 100),
                "text" => "\"some text\"".to_owned(),
                "end" => (rank + score).to_string(),
                _ => rank.to_string(),
            };
            let mut values: Vec<String> = keys.iter().map(|name| value(name)).collect();
            if let Some((place, odd)) = odd {
                let place = place % values.len();
                values[place] = odd.to_owned();
            }
            let blank = if is_spaced && odd.is_some() { " " } else { "" };
            let fields = keys.iter().zip(values).map(|(key, value)| format!("\"{key}\":{blank}{value}"));
            format!("{{{}}}{end}", fields.collect::<Vec<_>>().join(","))
        });
        (String::new(), rows.collect())
    })
}

/// Queries with their results in JSON, in one of some layouts, most of them usual, with what makes
/// them odd.
fn odd_searches() -> impl Strategy<Value = (usize, Vec<Search>)> {
    let odd = prop::sample::select(vec![
        "\"d1\"",
        "1",
        "7.0",
        "01",
        "\"\"",
        "\"é\"",
        "\"\u{feff}d\"",
        "\"\\u0064\\u0031\"",
        "null",
        "[1]",
        "[]",
        "[\"d1\",2]",
        "{}",
        "{\"id\":\"d1\"}",
        "{\"id\":\"d1\",\"score\":1,\"start\":2,\"end\":1}",
        "1e3",
        "-0",
        "\"1.5\"",
        "NaN",
        "x",
        "\"a,\n\"",
        "]",
        "}",
    ]);
    let result = ((0..30_u16, 0..400_u16), prop_oneof![40 => Just(None), 1 => (0..3_u8, odd).prop_map(Some)]);
    let query = prop_oneof![14 => Just(None), 1 => (0..9_usize).prop_map(Some)];
    let others = prop::sample::select(vec![
        "\"query\":\"why?\"",
        "\"step\":1",
        "\"step\":2",
        "\"role\":\"r\"",
        "\"latency_ms\":-1",
        "\"scores\":[1,2]",
        "\"meta\":{\"run\":\"x\"}",
        "\"x\":[1,{\"a\":\"}\"}]",
    ]);
    let others = prop_oneof![14 => Just(None), 1 => others.prop_map(Some)];
    let ends = prop::sample::select(vec!["\r\n", " \n", "\n\n", "\n# note\n", "}\n", ""]);
    let end = prop_oneof![10 => Just("\n"), 1 => ends];
    let search = (query, prop::collection::vec(result, 0..8), others, end);
    (0..6_usize, prop::collection::vec(search, 0..30))
}

/// A query that is not the next one, its results, what else is said, and the end of the line.
type Search = (Option<usize>, Vec<((u16, u16), Option<(u8, &'static str)>)>, Option<&'static str>, &'static str);

/// A result as it stands in a layout.
fn result(layout: usize, ((document, score), odd): &((u16, u16), Option<(u8, &'static str)>)) -> String {
    let (mut document, mut score) = (format!("\"d{document}\""), format!("{}.{:02}", score / 100, score % 100));
    match odd {
        Some((0, odd)) => document = (*odd).to_owned(),
        Some((1, odd)) => score = (*odd).to_owned(),
        Some((_, odd)) => return (*odd).to_owned(),
        None => {}
    }
    match layout {
        0 => format!("{{\"id\":{document},\"score\":{score}}}"),
        1 => format!("{{\"doc_id\": {document}, \"text\": null, \"distance\": {score}}}"),
        2 => document,
        3 => format!("{{\"score\":{score},\"id\":{document},\"doc_id\":\"x\"}}"),
        _ => format!("{document}: {score}"),
    }
}

/// Lines of searches of one layout.
fn lines_of_searches(layout: usize, searches: &[Search]) -> String {
    let line = |(index, (query, results, others, end)): (usize, &Search)| {
        let results: Vec<String> = results.iter().map(|found| result(layout, found)).collect();
        let (open, close) = if layout == 4 { ('{', '}') } else { ('[', ']') };
        let (name, by) = if layout == 5 { ("retrieved", ", ") } else { ("results", ",") };
        let results = format!("\"{name}\":{open}{}{close}", results.join(by));
        let query = format!("\"query_id\":\"q{}\"", query.unwrap_or(index));
        let others = others.map(|others| format!(",{others}")).unwrap_or_default();
        format!("{{{query},{results}{others}}}{end}")
    };
    searches.iter().enumerate().map(line).collect()
}

/// Checks that a run gives the same whatever the way it is read, and packed or not.
fn assert_same_in_all_ways(text: &str, format: Option<&str>) {
    let folder = tempfile::tempdir().unwrap();
    let (plain, packed) = (folder.path().join("run"), folder.path().join("packed"));
    std::fs::write(&plain, text).unwrap();
    pack(text.as_bytes(), &packed);
    let labels = "q0 0 d1 1\nq0 0 d2 0\nq1 0 d2 2\nq1 0 q1 1\nq2 0 d3 1\nq3 0 d1 -1\nq3 0 d4 1\nq9 0 d1 1\n\
                  1 0 3 1\n2 0 7 2\n";
    let source = Source::from_bytes("labels", labels.into());
    let labels = read_labels(source, &ReadOptions::default(), &mut Notes::default()).unwrap().0;
    for (options, rules) in all_rules() {
        let options = ReadOptions { format: format.map(str::to_owned), ..options };
        let said = assert_same(&labels, &plain, &options, &rules);
        let of_packed = streamed(&labels, &packed, &options, &rules, WAYS[3]);
        let named = |path: &Path, text: &str| text.replace(path.to_str().unwrap(), "run");
        assert_eq!(named(&plain, &said), named(&packed, &of_packed));
    }
}

/// Rows query by query, if they are to be.
fn in_order(mut rows: Vec<String>, grouped: bool, query: impl Fn(&str) -> Option<String>) -> String {
    if grouped {
        rows.sort_by_key(|row| query(row));
    }
    rows.concat()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn no_text_can_tell_the_ways_apart(
        lines in prop::collection::vec(odd_line(), 0..60),
        grouped in any::<bool>(),
        tabs in any::<bool>(),
        whole in any::<bool>(),
    ) {
        let mut text = in_order(lines, grouped, |line| line.get(..2).map(str::to_owned));
        if tabs {
            text = text.replace(' ', "\t");
        }
        if !whole {
            text.pop();
        }
        assert_same_in_all_ways(&text, Some("trec"));
    }

    #[test]
    fn no_table_can_tell_the_ways_apart((header, rows) in odd_table(), grouped in any::<bool>(), whole in any::<bool>()) {
        let query = |row: &str| row.find('q').and_then(|at| row.get(at..at + 2)).map(str::to_owned);
        let mut text = header + &in_order(rows, grouped, query);
        if !whole {
            text.pop();
        }
        assert_same_in_all_ways(&text, None);
    }

    #[test]
    fn no_rows_of_json_can_tell_the_ways_apart((start, rows) in odd_rows(), grouped in any::<bool>(), whole in any::<bool>()) {
        let query = |row: &str| row.find("id\":").and_then(|at| row.get(at..at + 7)).map(str::to_owned);
        let mut text = start + &in_order(rows, grouped, query);
        if !whole {
            text.pop();
        }
        assert_same_in_all_ways(&text, None);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn no_searches_can_tell_the_ways_apart((layout, searches) in odd_searches(), whole in any::<bool>()) {
        let mut text = lines_of_searches(layout, &searches);
        if !whole {
            text.pop();
        }
        assert_same_in_all_ways(&text, None);
    }
}

#[test]
fn lines_in_any_order_give_the_same_scores() {
    let labels = labels(&fixture("labels.jsonl"));
    let text = std::fs::read_to_string(fixture("hybrid.trec")).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hybrid.trec");
    let mut scores = Vec::new();
    for stride in [1, 7, 11] {
        // Every stride-th line first: queries come back again and again.
        let shuffled: Vec<&str> =
            (0..stride).flat_map(|start| lines.iter().skip(start).step_by(stride).copied()).collect();
        std::fs::write(&path, shuffled.join("\n")).unwrap();
        let measures = measures(&labels);
        for way in WAYS {
            let (options, mut notes) = (ReadOptions::default(), Notes::default());
            let (source, rules) = (way.open(&path), Rules::default());
            let scored = evaluate_file(source, &options, &labels, &measures, &rules, &mut notes).unwrap();
            scores.push(format!("{:?}", scored.table.rows));
        }
        lines.reverse();
    }
    scores.dedup();
    assert_eq!(scores.len(), 1);
}

#[test]
fn a_copy_in_any_order_is_found_with_both_lines() {
    let labels = labels(&fixture("odd/plain.qrels"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let line = |line: usize| format!("q{} Q0 d{} 1 {}.5 t\n", line % 3, line / 3, line * 7 % 100);
    let mut lines: Vec<String> = (0..90).map(line).collect();
    lines.insert(70, "q1 Q0 d4 9 2 t\n".to_owned());
    std::fs::write(&path, lines.concat()).unwrap();
    let said = assert_same(&labels, &path, &ReadOptions::default(), &Rules::default());
    let (first, copy) = (1 + lines.iter().position(|line| line.starts_with("q1 Q0 d4 ")).unwrap(), 71);
    assert!(said.contains(&format!("run:{copy}")) && said.contains(&format!("line {first}")), "{said}");
}

#[test]
fn labels_in_any_order_give_the_same_means_to_the_last_digit() {
    let text = std::fs::read_to_string(fixture("labels.qrels")).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let run = read_run(open(&fixture("hybrid.trec")), &ReadOptions::default(), &mut Notes::default()).unwrap().0;
    let mut summaries = |stride: usize| {
        let order = |start| lines.iter().skip(start).step_by(stride).copied();
        let shuffled: Vec<&str> = (0..stride).flat_map(order).collect();
        let source = Source::from_bytes("labels", shuffled.join("\n").into_bytes());
        let labels = read_labels(source, &ReadOptions::default(), &mut Notes::default()).unwrap().0;
        let measures = measures(&labels);
        let table = evaluate(&labels, &run, &measures, &Rules::default()).unwrap();
        lines.reverse();
        (0..measures.len()).map(|column| table.summary(column)).collect::<Vec<_>>()
    };
    let first = summaries(1);
    assert_eq!(first, summaries(7));
    assert_eq!(first, summaries(13));
}
