//! The files of `fixtures/`: the help-desk collection says the same in every form, the worked
//! example gives its values, and every oddity is read as its neighbour or refused in one message.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use approx::assert_abs_diff_eq;
use raglens::evaluate::{Rules, evaluate};
use raglens::input::{ReadOptions, Source, read_labels, read_run};
use raglens::labels::Labels;
use raglens::measure::Measure;
use raglens::notes::Notes;
use raglens::run::Run;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures");
const MEASURES: [&str; 12] = [
    "hit@5",
    "precision@5",
    "recall@10",
    "f1@5",
    "mrr",
    "map",
    "ndcg@10",
    "ndcg_exp",
    "err@10",
    "bpref",
    "rbp",
    "judged@10",
];

fn labels(file: &str) -> Labels {
    let source = Source::open(&format!("{FIXTURES}/{file}")).unwrap();
    read_labels(source, &ReadOptions::default(), &mut Notes::default()).unwrap_or_else(|error| panic!("{error}")).0
}

fn run(file: &str) -> Run {
    let source = Source::open(&format!("{FIXTURES}/{file}")).unwrap();
    read_run(source, &ReadOptions::default(), &mut Notes::default()).unwrap_or_else(|error| panic!("{error}")).0
}

/// The means of [`MEASURES`], bit by bit.
fn means(labels: &Labels, run: &Run) -> Vec<Option<u64>> {
    let bound = MEASURES.map(|name| Measure::parse(name).unwrap().bind(&labels.facts()).unwrap());
    let table = evaluate(labels, run, &bound, &Rules::default()).unwrap();
    (0..bound.len()).map(|column| table.summary(column).mean.map(f64::to_bits)).collect()
}

fn raglens(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_raglens")).current_dir(FIXTURES).args(arguments).output().unwrap()
}

fn files_in(folder: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(Path::new(FIXTURES).join(folder)).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn the_help_desk_collection_says_the_same_in_every_form() {
    for name in ["bm25", "dense", "hybrid"] {
        let expected = means(&labels("labels.jsonl"), &run(&format!("{name}.trec")));
        for labels_file in ["labels.jsonl", "labels.qrels", "labels.csv"] {
            for ending in ["trec", "jsonl", "csv"] {
                let found = means(&labels(labels_file), &run(&format!("{name}.{ending}")));
                assert_eq!(found, expected, "{labels_file} {name}.{ending}");
            }
        }
    }
}

#[test]
fn the_help_desk_collection_is_what_its_page_says() {
    let labels = labels("labels.jsonl");
    assert_eq!(labels.queries().len(), 40);
    assert!(!labels.positive_only());
    assert_eq!(labels.facts().max_grade, 3.0);
    let unanswerable = labels.queries().iter().filter(|query| query.about.answerable == Some(false));
    assert_eq!(unanswerable.count(), 1);
    assert_eq!(labels.queries().iter().filter(|query| query.ideal().first() == Some(&0.0)).count(), 2);
    assert!(labels.queries().iter().all(|query| query.about.tags.len() == 2 && query.about.text.is_some()));
    assert_eq!(["bm25", "dense", "hybrid"].map(|name| run(&format!("{name}.trec")).rankings().len()), [40, 39, 40]);
}

#[test]
fn hybrid_is_best_and_dense_is_bad_at_lookups() {
    let labels = labels("labels.jsonl");
    let recall = [Measure::parse("recall@5").unwrap()];
    let tables = ["bm25.trec", "dense.trec", "hybrid.trec"].map(run);
    let [bm25, dense, hybrid] = tables.map(|run| {
        let table = evaluate(&labels, &run, &recall, &Rules::default()).unwrap();
        let lookups: Vec<f64> = table
            .rows
            .iter()
            .filter(|row| {
                labels.query(row.query).unwrap().about.tags.contains(&("intent".into(), vec!["lookup".into()]))
            })
            .filter_map(|row| row.cell(0).value())
            .collect();
        (table.summary(0).mean.unwrap(), lookups.iter().sum::<f64>() / lookups.len() as f64)
    });
    assert!(bm25.0 < dense.0 && dense.0 < hybrid.0);
    assert!(dense.1 < bm25.1);
}

#[test]
fn the_worked_example_gives_its_values() {
    let labels = labels("worked/qrels.jsonl");
    let run = run("worked/run.trec");
    let expected = [
        ("recall@5", 0.75),
        ("ndcg@5", 0.553_129_972_002_7),
        ("ndcg_exp@5", 0.533_991_806_757_167),
        ("map", 0.441_666_666_666_667),
        ("mrr", 0.5),
        ("rprec", 0.5),
        ("err@5", 0.371_744_791_666_667),
        ("rbp", 0.369_92),
        ("rbp_residual", 0.630_08),
        ("rbp_residual:tail", 0.327_68),
        ("f1@5", 0.666_666_666_666_667),
    ];
    let bound = expected.map(|(name, _)| Measure::parse(name).unwrap().bind(&labels.facts()).unwrap());
    let table = evaluate(&labels, &run, &bound, &Rules::default()).unwrap();
    for (column, (name, value)) in expected.iter().enumerate() {
        assert_abs_diff_eq!(table.summary(column).mean.unwrap_or_else(|| panic!("{name}")), value, epsilon = 1e-9);
    }
}

#[test]
fn the_worked_example_works_as_typed() {
    let output = raglens(&["eval", "worked/qrels.jsonl", "worked/run.trec", "-k", "5,10,50"]);
    let table = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    for value in ["0.750", "0.553", "0.534", "0.442", "0.500", "0.372", "0.370", "0.630", "0.667"] {
        assert!(table.contains(value), "{value} is not in\n{table}");
    }
}

/// What becomes of a file of `fixtures/odd`.
enum Odd {
    /// Labels that give the numbers of the plain ones.
    SameLabels,
    /// A run that gives the numbers of the plain one.
    SameRun,
    /// Refused as labels: the message holds all of these words.
    NoLabels(&'static [&'static str]),
    /// Refused as a run: the message holds all of these words.
    NoRun(&'static [&'static str]),
    /// Read, with other numbers than the plain file; a test below says which.
    Other,
}

const ODD: &[(&str, Odd)] = {
    use Odd::{NoLabels, NoRun, Other, SameLabels, SameRun};
    &[
        ("plain.qrels", SameLabels),
        ("plain.trec", SameRun),
        ("byte-order-mark.qrels", SameLabels),
        ("byte-order-mark.trec", SameRun),
        ("windows-line-ends.qrels", SameLabels),
        ("windows-line-ends.trec", SameRun),
        ("utf-16.qrels", SameLabels),
        ("utf-16-big-endian.trec", SameRun),
        ("tabs.trec", SameRun),
        ("many-blanks.trec", SameRun),
        ("gzip.trec.gz", SameRun),
        ("gzip-in-two-members.trec.gz", SameRun),
        ("gzip-without-the-ending.trec", SameRun),
        ("gzip-cut-short.trec.gz", NoRun(&["gzip", "damaged"])),
        ("zstandard.trec.zst", SameRun),
        ("no-tag.trec", SameRun),
        ("text-after-the-tag.trec", SameRun),
        ("no-line-end-at-the-end.trec", SameRun),
        ("blank-lines.qrels", SameLabels),
        ("comments.qrels", SameLabels),
        ("comments.trec", SameRun),
        ("ids-with-hash.qrels", Other),
        ("ids-with-hash.trec", Other),
        ("query-id-with-hash.qrels", SameLabels),
        ("header-of-four-columns.qrels", SameLabels),
        ("header-of-six-columns.trec", SameRun),
        ("lines-shuffled.trec", SameRun),
        ("query-comes-back.trec", SameRun),
        ("ranks-contradict-scores.trec", SameRun),
        ("rank-is-0-everywhere.trec", SameRun),
        ("ranks-from-0.tsv", SameRun),
        ("ranks-from-1.tsv", SameRun),
        ("scores-in-powers-of-ten.trec", SameRun),
        ("minus-zero-score.trec", Other),
        ("score-is-nan.trec", NoRun(&["score-is-nan.trec:2", "nan"])),
        ("score-is-infinite.trec", NoRun(&["score-is-infinite.trec:2", "-inf"])),
        ("score-is-text.trec", NoRun(&["score-is-text.trec:2", "n/a"])),
        ("score-in-hex.trec", NoRun(&["score-in-hex.trec:2", "0x10"])),
        ("decimal-comma.trec", NoRun(&["decimal-comma.trec:1", "9,5"])),
        ("tied-scores.trec", Other),
        ("document-twice.trec", NoRun(&["document-twice.trec:4", "line 1", "--duplicates"])),
        ("one-document-twice-in-a-list.jsonl", NoRun(&["one-document-twice-in-a-list.jsonl:1", "--duplicates"])),
        ("same-judgment-twice.qrels", SameLabels),
        ("conflicting-judgments.qrels", NoLabels(&["conflicting-judgments.qrels:6", "--duplicate-labels"])),
        ("subtopics.qrels", NoLabels(&["subtopics.qrels:2", "subtopic"])),
        ("negative-grades.qrels", Other),
        ("fractional-grades.qrels", Other),
        ("all-grades-below-1.qrels", Other),
        ("no-zeros.qrels", Other),
        ("five-columns.qrels", NoLabels(&["five-columns.qrels:2", "5"])),
        ("three-columns.trec", NoRun(&["three-columns.trec:2", "3"])),
        ("grade-is-text.qrels", NoLabels(&["grade-is-text.qrels:2", "yes"])),
        ("empty.qrels", NoLabels(&["empty.qrels", "empty"])),
        ("empty.trec", NoRun(&["empty.trec", "empty"])),
        ("only-comments.trec", NoRun(&["only-comments.trec", "empty"])),
        ("not-utf-8.trec", Other),
        ("not-utf-8.csv", NoRun(&["not-utf-8.csv:3", "UTF-8"])),
        ("control-characters.trec", NoRun(&["control-characters.trec:2"])),
        ("query-ids-are-numbers.csv", Other),
        ("query-ids-became-floats.csv", NoRun(&["q1", "1.0"])),
        ("leading-zeros.jsonl", Other),
        ("number-ids.jsonl", Other),
        ("id-is-a-fraction.jsonl", NoRun(&["id-is-a-fraction.jsonl:1", "7.5"])),
        ("id-is-null.jsonl", NoRun(&["id-is-null.jsonl:2", "null"])),
        ("ids-that-look-missing.qrels", Other),
        ("numbers-as-text.jsonl", Other),
        ("some-scores-missing.jsonl", NoRun(&["some-scores-missing.jsonl:1", "score"])),
        ("query-in-two-lines.jsonl", NoRun(&["query-in-two-lines.jsonl:2", "line 1"])),
        ("broken-json.jsonl", NoRun(&["broken-json.jsonl:2", "JSON"])),
        ("quotes-in-ids.tsv", Other),
        ("quoted.csv", Other),
        ("queries-only.jsonl", NoLabels(&["queries-only.jsonl", "queries"])),
        ("texts-without-ids.json", NoLabels(&["texts-without-ids.json", "id"])),
        ("retrieves-itself.trec", Other),
        ("no-query-in-common.trec", NoRun(&["q1", "topic-1", "--"])),
        ("no-document-in-common.trec", Other),
        ("query-missing.trec", Other),
        ("query-without-labels.trec", SameRun),
        ("unanswerable.jsonl", Other),
        ("nothing-judged.json", Other),
    ]
};

#[test]
fn every_odd_file_stands_in_the_table_and_on_the_page() {
    let listed: BTreeSet<String> = ODD.iter().map(|(file, _)| (*file).to_owned()).collect();
    assert_eq!(listed, files_in("odd"));
    let page = std::fs::read_to_string(format!("{FIXTURES}/README.md")).unwrap();
    for file in &listed {
        assert!(page.contains(&format!("`{file}`")), "fixtures/README.md does not describe {file}");
    }
}

#[test]
fn odd_files_that_mean_the_same_give_the_same_numbers() {
    let plain = means(&labels("odd/plain.qrels"), &run("odd/plain.trec"));
    for (file, odd) in ODD {
        let path = format!("odd/{file}");
        match odd {
            Odd::SameLabels => assert_eq!(means(&labels(&path), &run("odd/plain.trec")), plain, "{file}"),
            Odd::SameRun => assert_eq!(means(&labels("odd/plain.qrels"), &run(&path)), plain, "{file}"),
            _ => {}
        }
    }
    assert_eq!(means(&labels("odd/ids-with-hash.qrels"), &run("odd/ids-with-hash.trec")), plain);
}

#[test]
fn odd_files_that_cannot_be_read_are_refused_in_one_message() {
    for (file, odd) in ODD {
        let path = format!("odd/{file}");
        let (arguments, words) = match odd {
            Odd::NoLabels(words) => (["eval", &path, "odd/plain.trec"], words),
            Odd::NoRun(words) => (["eval", "odd/plain.qrels", &path], words),
            _ => continue,
        };
        let output = raglens(&arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{file}: {message}");
        assert!(output.stdout.is_empty(), "{file}: half a result");
        assert!(message.starts_with("error"), "{file}: {message}");
        assert!(!message.contains('\u{1b}'), "{file}: {message:?}");
        // Long messages are wrapped.
        let unwrapped = message.split_whitespace().collect::<Vec<_>>().join(" ");
        for word in *words {
            assert!(unwrapped.contains(word), "{file}: `{word}` is not in\n{message}");
        }
    }
}

#[test]
fn odd_files_that_can_be_read_are_answered() {
    for (file, odd) in ODD {
        let path = format!("odd/{file}");
        let arguments = match odd {
            Odd::SameLabels => ["eval", &path, "odd/plain.trec"],
            Odd::SameRun => ["eval", "odd/plain.qrels", &path],
            _ => continue,
        };
        let output = raglens(&arguments);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{file}: {message}");
    }
}

fn value(labels: &Labels, run: &Run, measure: &str) -> f64 {
    let bound = [Measure::parse(measure).unwrap().bind(&labels.facts()).unwrap()];
    evaluate(labels, run, &bound, &Rules::default()).unwrap().summary(0).mean.unwrap()
}

#[test]
fn odd_grades_keep_their_meaning() {
    let plain = run("odd/plain.trec");
    // d3 was judged 0; with a negative grade it is not judged.
    assert_eq!(value(&labels("odd/plain.qrels"), &plain, "judged@3"), 1.0);
    assert_abs_diff_eq!(value(&labels("odd/negative-grades.qrels"), &plain, "judged@3"), (2.0 / 3.0 + 1.0) / 2.0);
    // 0.9 and 0.5 do not reach 1, so that q1 has no relevant document.
    assert_eq!(value(&labels("odd/fractional-grades.qrels"), &plain, "recall@3"), 1.0);
    assert!(labels("odd/no-zeros.qrels").positive_only());
    assert_eq!(labels("odd/all-grades-below-1.qrels").relevant(1.0), 0);
    assert_eq!(labels("odd/ids-that-look-missing.qrels").queries().len(), 2);
}

#[test]
fn odd_ids_stay_what_they_are() {
    assert_eq!(value(&labels("odd/leading-zeros.jsonl"), &run("odd/number-ids.jsonl"), "mrr"), 1.0);
    let quoted = labels("odd/quoted.csv");
    assert_eq!(quoted.query(&"q1".into()).unwrap().grade(b"say \"hi\""), Some(1.0));
    assert_eq!(quoted.query(&"q2".into()).unwrap().grade(b"two\nlines"), Some(1.0));
    let bytes = run("odd/not-utf-8.trec");
    assert_eq!(bytes.ranking(&"q1".into()).unwrap().document(1), b"caf\xe9");
    let bare = labels("odd/quotes-in-ids.tsv");
    assert_eq!(bare.query(&"q1".into()).unwrap().grade(b"\"A\"_Team"), Some(1.0));
    assert_eq!(bare.query(&"q2".into()).unwrap().grade(b"5\" disk"), Some(2.0));
    let as_text = run("odd/numbers-as-text.jsonl");
    assert_eq!(value(&labels("odd/plain.qrels"), &as_text, "hit@1"), 0.5);
    let floats = labels("odd/query-ids-are-numbers.csv");
    assert!(floats.query(&"1".into()).is_some());
}

#[test]
fn odd_sets_of_queries_are_counted_as_the_rules_say() {
    let plain = labels("odd/plain.qrels");
    assert_abs_diff_eq!(value(&plain, &run("odd/query-missing.trec"), "hit@3"), 0.5);
    assert_abs_diff_eq!(value(&plain, &run("odd/no-document-in-common.trec"), "hit@3"), 0.0);
    assert_abs_diff_eq!(value(&plain, &run("odd/retrieves-itself.trec"), "mrr"), 0.75);
    assert_abs_diff_eq!(value(&plain, &run("odd/minus-zero-score.trec"), "mrr"), 0.75);
    assert_abs_diff_eq!(value(&plain, &run("odd/tied-scores.trec"), "mrr"), 0.5);
    assert_eq!(value(&labels("odd/unanswerable.jsonl"), &run("odd/plain.trec"), "mrr"), 1.0);
    assert_eq!(labels("odd/nothing-judged.json").queries().len(), 3);
}
