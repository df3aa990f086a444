//! What people stumble over in tools of this kind, each as a small input with its right value:
//! reading, the order of a ranking, which queries count, and what a measure means.

use std::io::{BufRead, BufReader, Cursor};
use std::process::{Command, Output, Stdio};

use approx::assert_abs_diff_eq;
use raglens::error::{InputError, InputErrorKind};
use raglens::evaluate::{Average, EvaluateError, NoRelevant, Over, Rules, evaluate};
use raglens::input::{ReadOptions, Source, read_labels, read_run};
use raglens::labels::{DuplicateLabels, Labels};
use raglens::measure::Measure;
use raglens::notes::{NoteKind, Notes};
use raglens::run::{Duplicates, Run, Ties};
use raglens::scores::Join;

// ---------------------------------------------------------------- how the tests read and score

fn try_labels(text: impl AsRef<[u8]>, options: &ReadOptions) -> Result<(Labels, Notes), InputError> {
    let mut notes = Notes::default();
    let source = Source::from_reader("labels", Cursor::new(text.as_ref().to_vec()))?;
    let (labels, _) = read_labels(source, options, &mut notes)?;
    Ok((labels, notes))
}

fn try_run(text: impl AsRef<[u8]>) -> Result<(Run, Notes), InputError> {
    let mut notes = Notes::default();
    let source = Source::from_reader("run", Cursor::new(text.as_ref().to_vec()))?;
    let (run, _) = read_run(source, &ReadOptions::default(), &mut notes)?;
    Ok((run, notes))
}

fn labels(text: impl AsRef<[u8]>) -> Labels {
    try_labels(text, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}")).0
}

fn run(text: impl AsRef<[u8]>) -> Run {
    try_run(text).unwrap_or_else(|error| panic!("{error}")).0
}

fn labels_fault(text: impl AsRef<[u8]>) -> InputError {
    try_labels(text, &ReadOptions::default()).map(|_| ()).expect_err("the labels are refused")
}

fn run_fault(text: impl AsRef<[u8]>) -> InputError {
    try_run(text).map(|_| ()).expect_err("the run is refused")
}

/// TREC labels from `q1 a 1; q1 b 0`.
fn qrels(rows: &str) -> String {
    let lines = rows.split(';').map(|row| {
        let [query, document, grade] = row.split_whitespace().collect::<Vec<_>>()[..] else { panic!("{row}") };
        format!("{query} 0 {document} {grade}\n")
    });
    lines.collect()
}

/// A TREC run of the query q1 from `a 2.5; b 1`.
fn trec(rows: &str) -> String {
    let lines = rows.split(';').zip(1..).map(|(row, rank)| {
        let [document, score] = row.split_whitespace().collect::<Vec<_>>()[..] else { panic!("{row}") };
        format!("q1 Q0 {document} {rank} {score} t\n")
    });
    lines.collect()
}

/// A TREC run of the query q1 that ranks the documents as they stand here.
fn ranked(documents: &str) -> String {
    let lines = documents.split_whitespace().zip(1..);
    lines.map(|(document, rank)| format!("q1 Q0 {document} {rank} {} t\n", 100 - rank)).collect()
}

fn score_with<'l>(
    rules: &Rules,
    labels: &'l Labels,
    run: &Run,
    measure: &str,
) -> Result<(Option<f64>, Join<'l>), EvaluateError> {
    let parsed = Measure::parse(measure).unwrap_or_else(|error| panic!("{error}"));
    // Kept for good: what comes back borrows from labels and measures alike.
    let measures = vec![parsed.bind(&labels.facts()).unwrap_or_else(|error| panic!("{error}"))].leak();
    let table = evaluate(labels, run, measures, rules)?;
    Ok((table.summary(0).mean, table.join))
}

/// The mean of a measure under the default rules.
fn score(labels_text: impl AsRef<[u8]>, run_text: impl AsRef<[u8]>, measure: &str) -> f64 {
    let (mean, _) = score_with(&Rules::default(), &labels(labels_text), &run(run_text), measure).unwrap();
    mean.unwrap_or_else(|| panic!("{measure} has no value"))
}

fn assert_score(labels_text: impl AsRef<[u8]>, run_text: impl AsRef<[u8]>, measure: &str, expected: f64) {
    // The values are stated with four decimals.
    assert_abs_diff_eq!(score(labels_text, run_text, measure), expected, epsilon = 5.1e-5);
}

fn count_of(notes: &Notes, kind: NoteKind) -> u64 {
    notes.iter().filter(|note| note.kind == kind).map(|note| note.count).sum()
}

/// Files for the command, in a folder of their own.
struct Folder(tempfile::TempDir);

impl Folder {
    fn with(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        Self(folder)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_raglens"));
        command.current_dir(self.0.path()).args(arguments);
        command
    }

    fn raglens(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a command that must fail with 2 and print nothing; gives back what it says.
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.raglens(arguments);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}\n{message}");
        assert!(output.stdout.is_empty(), "half a result: {}", text(&output.stdout));
        message
    }

    /// Runs a command that must succeed; gives back its result and what it says beside.
    fn answered(&self, arguments: &[&str]) -> (String, String) {
        let output = self.raglens(arguments);
        let [stdout, stderr] = [text(&output.stdout), text(&output.stderr)];
        assert_eq!(output.status.code(), Some(0), "{arguments:?}\n{stderr}");
        (stdout, stderr)
    }

    fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let (stdout, _) = self.answered(&[arguments, &["--format", "json"]].concat());
        serde_json::from_str(&stdout).unwrap()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn assert_mentions(text: &str, words: &[&str]) {
    // Long messages are wrapped.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for word in words {
        assert!(text.contains(word), "`{word}` is not in:\n{text}");
    }
}

const LABELS: &str = "q1 0 a 1\nq1 0 b 0\nq2 0 c 2\n";
const RUN: &str = "q1 Q0 a 1 2.5 t\nq1 Q0 x 2 1.5 t\nq2 Q0 x 1 2 t\nq2 Q0 c 2 1 t\n";

// ---------------------------------------------------------------- the order of a ranking

#[test]
fn equal_scores_are_ordered_by_id_downwards_unless_told_otherwise() {
    let judged = labels(qrels("q1 b 1; q1 a 0; q1 c 0"));
    let runs = [run(trec("b 1.0; a 1.0")), run(trec("b 1.0; c 1.0"))];
    let expected = [
        (Ties::Trec, [(1.0, 1.0), (0.5, 0.6309)]),
        (Ties::IdAscending, [(0.5, 0.6309), (1.0, 1.0)]),
        (Ties::Input, [(1.0, 1.0), (1.0, 1.0)]),
    ];
    for (ties, values) in expected {
        let rules = Rules { ties, ..Rules::default() };
        for (run, (reciprocal_rank, ndcg)) in runs.iter().zip(values) {
            let value = |measure| score_with(&rules, &judged, run, measure).unwrap().0.unwrap();
            assert_abs_diff_eq!(value("mrr"), reciprocal_rank, epsilon = 1e-9);
            assert_abs_diff_eq!(value("ndcg"), ndcg, epsilon = 5e-5);
        }
    }
}

#[test]
fn a_scorer_that_says_nothing_does_not_look_perfect() {
    let run = trec("a 1.0; b 1.0; c 1.0; d 1.0");
    assert_score(qrels("q1 a 3; q1 b 0; q1 c 0; q1 d 1"), &run, "ndcg", 0.63125);
    // The order does not look at the labels: other labels, the same order d c b a.
    assert_score(qrels("q1 a 0; q1 b 0; q1 c 0; q1 d 1"), &run, "mrr", 1.0);
    assert_score(qrels("q1 a 1; q1 b 0; q1 c 0; q1 d 0"), &run, "mrr", 0.25);
}

#[test]
fn tied_scores_are_counted_where_they_can_change_a_value() {
    let judged = labels(qrels("q1 b 1"));
    let coarse = run(trec("a 0.9844; b 0.9844; c 0.9844; d 0.9805"));
    let (mean, join) = score_with(&Rules::default(), &judged, &coarse, "mrr@2").unwrap();
    assert_eq!(mean, Some(0.5));
    assert_eq!(join.tied_pairs, 2);
    assert_eq!(join.tied_at_cutoff, [&"q1".into()]);
}

#[test]
fn the_same_command_gives_the_same_bytes_with_any_number_of_threads() {
    let folder = Folder::with(&[("labels", LABELS), ("run", &RUN.replace("2.5", "1.5"))]);
    let arguments = ["eval", "labels", "run", "-q", "--format", "json"];
    let (first, _) = folder.answered(&arguments);
    for threads in ["1", "2", "7"] {
        let (again, _) = folder.answered(&[&arguments[..], &["--threads", threads]].concat());
        assert_eq!(again, first);
    }
    assert_eq!(folder.answered(&arguments).0, first);
}

#[test]
fn ranks_order_a_run_without_scores_wherever_they_start() {
    for rows in ["q1\td1\t0\nq1\td2\t1\n", "q1\td1\t1\nq1\td2\t2\n", "query_id,doc_id,rank\nq1,d2,7\nq1,d1,4\n"] {
        assert_score(qrels("q1 d1 1"), rows, "mrr@10", 1.0);
        assert_score(qrels("q1 d2 1"), rows, "mrr@10", 0.5);
    }
}

#[test]
fn three_columns_of_whole_numbers_that_do_not_count_are_read_as_told() {
    let folder = Folder::with(&[("labels", "q1 0 d1 1\n"), ("run", "q1\td2\t2\nq1\td1\t1\n")]);
    assert_mentions(&folder.refused(&["eval", "labels", "run"]), &["--run-format ranks", "--run-format scores"]);
    for (format, mrr) in [("ranks", 1.0), ("scores", 0.5)] {
        let result = folder.json(&["eval", "labels", "run", "-m", "mrr", "--run-format", format]);
        assert_eq!(result["runs"][0]["measures"]["mrr"]["mean"], mrr);
    }
}

#[test]
fn a_score_of_zero_still_means_retrieved() {
    assert_score(qrels("q1 d0 1; q1 d1 1"), trec("d0 0; d1 0"), "recall@2", 1.0);
}

#[test]
fn minus_zero_and_zero_are_the_same_score() {
    assert_score(qrels("q1 a 1"), trec("a 0.0; b -0.0"), "mrr", 0.5);
    assert_score(qrels("q1 a 1"), trec("a -0.0; b 0.0"), "mrr", 0.5);
}

#[test]
fn ids_are_compared_by_bytes_not_as_numbers_or_words() {
    assert_score(qrels("q1 10 1"), trec("10 1.0; 9 1.0"), "mrr", 0.5);
    assert_score(qrels("q1 é 1"), trec("é 1.0; z 1.0"), "mrr", 1.0);
}

#[test]
fn the_rank_column_is_not_used_beside_a_score_and_a_contradiction_is_reported() {
    let text = "q1 Q0 a 2 9 t\nq1 Q0 b 1 5 t\n";
    let judged = labels(qrels("q1 a 1"));
    let (mean, join) = score_with(&Rules::default(), &judged, &run(text), "mrr").unwrap();
    assert_eq!(mean, Some(1.0));
    assert_eq!(join.contradictions, [&"q1".into()]);
    let always_zero = "q1 Q0 a 0 9 t\nq1 Q0 b 0 5 t\n";
    let (_, join) = score_with(&Rules::default(), &judged, &run(always_zero), "mrr").unwrap();
    assert!(join.contradictions.is_empty());
}

#[test]
fn a_document_twice_in_a_ranking_is_an_error_or_counted_once() {
    let judged = labels(qrels("q1 a 1; q1 b 1"));
    let twice = run(trec("x 9; a 8; a 7; b 6"));
    let error = score_with(&Rules::default(), &judged, &twice, "map").unwrap_err();
    let EvaluateError::Ranking(fault) = error else { panic!("{error}") };
    assert_eq!(fault.line, Some(3));
    assert!(
        matches!(*fault.kind, InputErrorKind::DuplicateDocument { ref first, .. } if first.to_string() == "line 2")
    );
    let rules = Rules { duplicates: Duplicates::First, ..Rules::default() };
    let (mean, join) = score_with(&rules, &judged, &twice, "map").unwrap();
    assert_abs_diff_eq!(mean.unwrap(), (1.0 / 2.0 + 2.0 / 3.0) / 2.0, epsilon = 1e-12);
    assert_eq!(join.dropped_copies, 1);
}

#[test]
fn lines_of_a_query_may_stand_anywhere_in_the_file() {
    let sorted = "q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq2 Q0 c 1 3 t\nq2 Q0 d 2 2 t\n";
    let mixed = "q2 Q0 d 2 2 t\nq1 Q0 b 2 2 t\nq2 Q0 c 1 3 t\nq1 Q0 a 1 3 t\n";
    let judged = qrels("q1 b 1; q2 c 2; q2 d 1");
    for measure in ["map", "ndcg", "mrr"] {
        assert_eq!(score(&judged, sorted, measure), score(&judged, mixed, measure));
    }
}

// ---------------------------------------------------------------- reading

#[test]
fn text_that_is_half_a_number_is_an_error_with_its_line() {
    let fault = run_fault(trec("a 1,9; b 1,5"));
    assert_eq!(fault.line(), Some(1));
    assert!(fault.to_string().contains("1,9"), "{fault}");
    for text in ["abc", "1.9x", "0x10", "1e", "", "--1"] {
        let fault = run_fault(format!("q1 Q0 b 1 5 t\nq1 Q0 a 2 {text} t\n"));
        assert_eq!(fault.line(), Some(2), "{text}: {fault}");
    }
    for (text, rank) in [("1e1", 1), (".5", 2), ("-1.2E-3", 2), ("+7.", 1)] {
        let run = format!("q1 Q0 a 1 {text} t\nq1 Q0 b 2 5 t\n");
        assert_score(qrels("q1 a 1"), run, "mrr", 1.0 / f64::from(rank));
    }
}

#[test]
fn a_decimal_comma_is_told_that_numbers_take_a_point() {
    let folder = Folder::with(&[("labels", LABELS), ("run", "q1 Q0 a 1 1,9 t\nq1 Q0 b 2 1,5 t\n")]);
    let message = folder.refused(&["eval", "labels", "run"]);
    assert_mentions(&message, &["run:1", "1,9", "point"]);
}

#[test]
fn scores_that_are_not_finite_are_errors() {
    for text in ["nan", "NaN", "inf", "-inf", "Infinity", "1e999"] {
        let fault = run_fault(trec(&format!("a 2; b {text}")));
        assert_eq!(fault.line(), Some(2), "{text}: {fault}");
    }
}

#[test]
fn a_hash_starts_a_comment_only_at_the_start_of_a_line() {
    let (judged, notes) = try_labels("# note\nq1 0 msm#2_77 1\nq1 0 #a 1\n", &ReadOptions::default()).unwrap();
    assert_eq!(judged.queries().len(), 1);
    assert_eq!(judged.relevant(1.0), 2);
    assert_eq!(count_of(&notes, NoteKind::Comments), 1);
    let run = "# a\n# b\nq1 Q0 msm#2_77 1 2 t\nq1 Q0 #a 2 1 t\n# last";
    let (mean, _) = score_with(&Rules::default(), &judged, &self::run(run), "recall").unwrap();
    assert_eq!(mean, Some(1.0));
}

#[test]
fn empty_files_are_errors_that_say_what_was_expected() {
    assert!(matches!(run_fault("").kind(), InputErrorKind::Empty { .. }));
    assert!(matches!(run_fault("# nothing\n\n").kind(), InputErrorKind::Empty { .. }));
    assert!(matches!(labels_fault("").kind(), InputErrorKind::Empty { .. }));
    assert!(matches!(labels_fault("\n\n").kind(), InputErrorKind::Empty { .. }));
    let folder = Folder::with(&[("labels", LABELS), ("run", "")]);
    let message = folder.refused(&["eval", "labels", "run"]);
    assert_mentions(&message, &["run", "empty", "--allow-empty"]);
    assert_eq!(message.matches("error").count(), 1, "{message}");
}

#[test]
fn an_empty_run_scores_zero_when_it_is_allowed() {
    let folder = Folder::with(&[("labels", LABELS), ("run", "")]);
    let result = folder.json(&["eval", "labels", "run", "--allow-empty"]);
    let measures = &result["runs"][0]["measures"];
    assert_eq!(measures["recall@5"]["mean"], 0.0);
    assert_eq!(measures["recall@5"]["n"], 2);
    assert!(measures["judged@5"]["mean"].is_null());
}

#[test]
fn a_missing_file_and_a_folder_are_one_line_each() {
    let folder = Folder::with(&[("labels", LABELS)]);
    let message = folder.refused(&["eval", "labels", "no-such-run"]);
    assert_mentions(&message, &["no-such-run", "no such file"]);
    let message = folder.refused(&["eval", "labels", "."]);
    assert_mentions(&message, &["directory"]);
}

#[test]
fn a_header_of_trec_columns_is_skipped_and_counted_not_taken_for_a_query() {
    let (judged, notes) = try_labels("qid Q0 docid rel\nq1 0 a 1\nq1 0 b 0\n", &ReadOptions::default()).unwrap();
    assert_eq!(judged.queries().len(), 1);
    assert_eq!(count_of(&notes, NoteKind::SkippedHeader), 1);
    let (run, notes) = try_run("qid Q0 docid rank score tag\nq1 Q0 a 1 2.0 r\n").unwrap();
    assert_eq!(run.rankings().len(), 1);
    assert_eq!(count_of(&notes, NoteKind::SkippedHeader), 1);
    assert_eq!(score_with(&Rules::default(), &judged, &run, "precision@1").unwrap().0, Some(1.0));
}

#[test]
fn fractional_grades_keep_their_fractions() {
    let (judged, run) = (qrels("q1 a 0.9; q1 b 0.5"), ranked("b a"));
    assert_score(&judged, &run, "ndcg", 0.8785);
    assert_score(&judged, &run, "ndcg_exp", 0.8521);
    assert_score(&judged, &run, "mrr:rel=0.5", 1.0);
}

#[test]
fn labels_that_never_reach_the_threshold_are_named_with_the_option_that_lowers_it() {
    let judged = labels(qrels("q1 a 0.9; q1 b 0.5"));
    let error = score_with(&Rules::default(), &judged, &run(ranked("b a")), "mrr").unwrap_err();
    assert!(matches!(error, EvaluateError::NothingToScore { max_grade: 0.9, .. }), "{error}");
    let folder = Folder::with(&[("labels", "q1 0 a 0.9\nq1 0 b 0.5\n"), ("run", &ranked("b a"))]);
    assert_mentions(&folder.refused(&["eval", "labels", "run", "-m", "mrr"]), &["--rel"]);
    let (_, beside) = folder.answered(&["eval", "labels", "run", "-m", "ndcg,mrr"]);
    assert_mentions(&beside, &["--rel"]);
}

#[test]
fn byte_order_marks_and_line_ends_of_windows_belong_to_no_id() {
    let plain = score(LABELS, RUN, "map");
    let windows = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
    assert_eq!(score(windows(LABELS), windows(RUN), "map"), plain);
    let json = "{\"query_id\":\"q1\",\"results\":[\"a\",\"x\"]}\r\n{\"query_id\":\"q2\",\"results\":[\"x\",\"c\"]}\r\n";
    assert_eq!(score(windows(LABELS), format!("\u{feff}{json}"), "map"), plain);
    let table = "query_id,doc_id,grade\r\nq1,a,1\r\nq1,b,0\r\nq2,c,2\r\n";
    assert_eq!(score(format!("\u{feff}{table}"), RUN, "map"), plain);
}

#[test]
fn utf_16_is_converted_and_said() {
    for (mark, encode) in
        [([0xff, 0xfe], u16::to_le_bytes as fn(u16) -> [u8; 2]), ([0xfe, 0xff], u16::to_be_bytes as fn(u16) -> [u8; 2])]
    {
        let bytes: Vec<u8> = mark.into_iter().chain(LABELS.encode_utf16().flat_map(encode)).collect();
        let (judged, notes) = try_labels(bytes, &ReadOptions::default()).unwrap();
        assert_eq!(judged.queries().len(), 2);
        assert_eq!(count_of(&notes, NoteKind::ConvertedFromUtf16), 1);
    }
}

#[test]
fn trec_files_have_no_quotes_and_csv_has() {
    let run = "q1 Q0 Report,_1992 1 9.5 t\nq1 Q0 \"A\"_Team 2 8 t\n";
    assert_score("q1 0 Report,_1992 1\nq1 0 \"A\"_Team 1\n", run, "recall", 1.0);
    let tabs = "query-id\tcorpus-id\tscore\nq1\tReport,_1992\t1\nq1\t\"A\"_Team\t1\n";
    assert_score(tabs, run, "recall", 1.0);
    let csv = "query_id,doc_id,grade\nq1,\"a,b\",1\nq1,\"say \"\"hi\"\"\",1\n";
    let judged = labels(csv);
    let q1 = judged.query(&"q1".into()).unwrap();
    assert_eq!(q1.grade(b"a,b"), Some(1.0));
    assert_eq!(q1.grade(b"say \"hi\""), Some(1.0));
}

#[test]
fn tabs_and_any_number_of_blanks_separate_columns() {
    for separator in ["\t", "  ", " \t "] {
        let run = RUN.replace(' ', separator);
        assert_eq!(score(LABELS.replace(' ', separator), run, "map"), score(LABELS, RUN, "map"));
    }
}

#[test]
fn runs_have_five_or_six_columns_and_text_behind_is_ignored() {
    let without_tag = RUN.replace(" t\n", "\n");
    let with_more = RUN.replace(" t\n", " t and more\n");
    for text in [&without_tag, &with_more] {
        assert_eq!(score(LABELS, text, "map"), score(LABELS, RUN, "map"));
    }
    let fault = run_fault("q1 Q0 a 1 2.5 t\nq1 Q0 b 2\n");
    assert_eq!(fault.line(), Some(2));
    assert!(matches!(fault.kind(), InputErrorKind::Columns { found: 4, .. }), "{fault}");
    assert!(fault.read_as().is_some());
}

#[test]
fn labels_have_four_or_three_columns() {
    assert_score("q1\ta\t1\nq1\tb\t0\nq2\tc\t2\n", RUN, "map", score(LABELS, RUN, "map"));
    let fault = labels_fault("q1 0 a 1\nq1 0 b\n");
    assert_eq!(fault.line(), Some(2));
}

#[test]
fn an_id_that_is_a_number_in_json_is_its_decimal_text() {
    let judged = "{\"query_id\":7,\"doc_id\":\"007\",\"grade\":1}\n{\"query_id\":7,\"doc_id\":\"7\",\"grade\":0}\n";
    let run = "{\"query_id\":\"7\",\"doc_id\":\"007\",\"score\":0.3}\n{\"query_id\":7,\"doc_id\":7,\"score\":0.2}\n";
    assert_score(judged, run, "mrr", 1.0);
    assert_score(judged, run, "judged", 1.0);
    for id in ["7.0", "1e3", "7.5", "true", "null", "[1]"] {
        let fault = labels_fault(format!(
            "{{\"query_id\":\"q\",\"doc_id\":\"d\",\"grade\":1}}\n{{\"query_id\":{id},\"doc_id\":\"d\",\"grade\":1}}\n"
        ));
        assert_eq!(fault.line(), Some(2), "{id}: {fault}");
    }
}

#[test]
fn ids_that_look_like_missing_values_are_ordinary_ids() {
    let judged = labels("q1 0 NA 1\nq1 0 null 1\nq1 0 None 1\nnan 0 nan 1\n");
    assert_eq!(judged.queries().len(), 2);
    assert_eq!(judged.relevant(1.0), 4);
    let table = labels("query_id,doc_id,grade\nq1,NA,1\nq1,null,1\nq1,None,1\nnan,nan,1\n");
    assert_eq!(table.relevant(1.0), 4);
}

#[test]
fn numbers_in_json_strings_are_read_and_other_text_is_not() {
    let judged = "{\"query_id\":\"q1\",\"doc_id\":\"a\",\"grade\":\"2\"}\n";
    let run = "{\"query_id\":\"q1\",\"doc_id\":\"b\",\"score\":\"7.5\"}\n{\"query_id\":\"q1\",\"doc_id\":\"a\",\"score\":\"19\"}\n";
    assert_score(judged, run, "mrr", 1.0);
    let fault = run_fault(run.replace("19", "high"));
    assert_eq!(fault.line(), Some(2));
    assert!(fault.to_string().contains("high"), "{fault}");
}

#[test]
fn equal_judgments_of_a_pair_are_counted_and_different_ones_refused() {
    let judged = labels("q1 0 a 1\nq1 0 a 1\n");
    assert_eq!((judged.copies(), judged.relevant(1.0)), (1, 1));
    let conflicting = "q1 0 a 1\nq1 0 a 0\n";
    let fault = labels_fault(conflicting);
    assert_eq!(fault.line(), Some(2));
    assert!(matches!(fault.kind(), InputErrorKind::ConflictingLabels { first_line: 1, .. }), "{fault}");
    for (rule, relevant) in [(DuplicateLabels::Max, 1), (DuplicateLabels::Last, 0)] {
        let options = ReadOptions { duplicate_labels: rule, ..ReadOptions::default() };
        assert_eq!(try_labels(conflicting, &options).unwrap().0.relevant(1.0), relevant);
    }
    let folder = Folder::with(&[("labels", conflicting), ("run", RUN)]);
    assert_mentions(&folder.refused(&["eval", "labels", "run"]), &["labels:2", "--duplicate-labels"]);
}

#[test]
fn results_with_and_without_a_score_in_one_list_are_refused() {
    let fault = run_fault("{\"query_id\":\"q1\",\"results\":[{\"id\":\"a\",\"score\":1},{\"id\":\"b\"}]}\n");
    assert!(matches!(fault.kind(), InputErrorKind::MixedOrder { .. }), "{fault}");
    let unordered = "{\"query_id\":\"q1\",\"results\":[{\"id\":\"b\",\"score\":1},{\"id\":\"a\",\"score\":2}]}\n";
    assert_score(qrels("q1 a 1"), unordered, "mrr", 1.0);
    assert_score(qrels("q1 a 1"), "{\"query_id\":\"q1\",\"results\":[\"b\",\"a\"]}\n", "mrr", 0.5);
}

#[test]
fn swapped_arguments_are_named_with_the_command_that_is_right() {
    let folder = Folder::with(&[("labels.qrels", LABELS), ("run.trec", RUN)]);
    let message = folder.refused(&["eval", "run.trec", "labels.qrels"]);
    assert_mentions(&message, &["labels come first", "eval labels.qrels run.trec"]);
}

#[test]
fn ids_that_became_floats_are_explained() {
    let labels = "query_id,doc_id,grade\n1,a,1\n2,b,1\n";
    let run = "query_id,doc_id,score\n1.0,a,0.9\n2.0,b,0.8\n";
    let folder = Folder::with(&[("labels.csv", labels), ("run.csv", run)]);
    let message = folder.refused(&["eval", "labels.csv", "run.csv"]);
    assert_mentions(&message, &["\"1\"", "\"1.0\"", "-query-ids"]);
    let flag = if message.contains("--edit-query-ids") { "--edit-query-ids" } else { "--query-ids" };
    let result = folder.json(&["eval", "labels.csv", "run.csv", flag, r"s/\.0$//"]);
    assert_eq!(result["runs"][0]["measures"]["mrr"]["mean"], 1.0);
}

#[test]
fn documents_that_never_match_are_warned_about_aloud() {
    let folder = Folder::with(&[("labels", LABELS), ("run", &RUN.replace("Q0 ", "Q0 chunk_"))]);
    let (_, beside) = folder.answered(&["eval", "labels", "run"]);
    assert_mentions(&beside, &["warning", "chunk_"]);
}

#[test]
fn chunks_become_documents_before_the_list_is_cut() {
    let folder = Folder::with(&[("labels", "q1 0 d1 1\nq1 0 d2 1\n"), ("run", &ranked("d1#1 d1#2 d3#1 d2#1"))]);
    let mean = |arguments: &[&str]| folder.json(arguments)["runs"][0]["measures"]["recall@3"]["mean"].clone();
    assert_eq!(mean(&["eval", "labels", "run", "-m", "recall@3", "--collapse", "#"]), 1.0);
    assert_eq!(mean(&["eval", "labels", "run", "-m", "recall@3"]), 0.0);
}

// ---------------------------------------------------------------- which queries count

#[test]
fn a_query_that_retrieves_itself_stays_unless_asked() {
    let judged = labels("q1 0 d7 1\n");
    let own = run(ranked("q1 d7"));
    let (mean, join) = score_with(&Rules::default(), &judged, &own, "ndcg@10").unwrap();
    assert_abs_diff_eq!(mean.unwrap(), 0.6309, epsilon = 5e-5);
    assert_eq!(join.self_retrieved, [&"q1".into()]);
    let rules = Rules { drop_self: true, ..Rules::default() };
    assert_eq!(score_with(&rules, &judged, &own, "ndcg@10").unwrap().0, Some(1.0));
}

#[test]
fn queries_are_scored_one_by_one_and_never_as_one_list() {
    let run = "q1 Q0 x 1 9 t\nq1 Q0 a 2 8 t\nq2 Q0 b 1 2 t\n";
    assert_score(qrels("q1 a 1; q2 b 1"), run, "ndcg", (0.63093 + 1.0) / 2.0);
}

#[test]
fn a_query_without_labels_is_ignored_and_counted() {
    let judged = labels(qrels("q1 a 1"));
    let two = run("q1 Q0 a 1 2 t\nq9 Q0 x 1 2 t\n");
    let (mean, join) = score_with(&Rules::default(), &judged, &two, "mrr").unwrap();
    assert_eq!(mean, Some(1.0));
    assert_eq!(join.ignored, ["q9".into()]);
}

#[test]
fn an_empty_set_of_judgments_leaves_the_other_queries_alone() {
    let judged = labels("{\"q1\":{\"a\":1},\"q2\":{},\"q3\":{\"b\":1}}");
    let three = run("q1 Q0 a 1 2 t\nq2 Q0 a 1 2 t\nq3 Q0 x 1 2 t\nq3 Q0 b 2 1 t\n");
    let (mean, join) = score_with(&Rules::default(), &judged, &three, "mrr").unwrap();
    assert_eq!(mean, Some(0.75));
    assert_eq!(join.left_out, [&"q2".into()]);
}

#[test]
fn a_query_without_a_relevant_document_is_left_out_or_counts_as_zero_in_every_measure() {
    let judged = labels(qrels("q1 a 1; q2 b 0"));
    let both = run("q1 Q0 a 1 2 t\nq2 Q0 b 1 2 t\n");
    for measure in ["ndcg@10", "mrr@10", "recall@10", "map", "hit@1", "err@10"] {
        let value = |no_relevant| {
            let rules = Rules { no_relevant, ..Rules::default() };
            score_with(&rules, &judged, &both, measure).unwrap().0.unwrap()
        };
        let alone = score(qrels("q1 a 1"), "q1 Q0 a 1 2 t\n", measure);
        assert_abs_diff_eq!(value(NoRelevant::Skip), alone, epsilon = 1e-12);
        assert_abs_diff_eq!(value(NoRelevant::Zero), alone / 2.0, epsilon = 1e-12);
    }
}

#[test]
fn a_query_that_the_run_does_not_answer_counts_as_an_empty_list() {
    let judged = labels(qrels("q1 a 1; q2 b 1"));
    let one = run("q1 Q0 a 1 2 t\n");
    let (mean, join) = score_with(&Rules::default(), &judged, &one, "mrr").unwrap();
    assert_eq!((mean, join.missing), (Some(0.5), vec![&"q2".into()]));
    let rules = |over| Rules { over, ..Rules::default() };
    assert_eq!(score_with(&rules(Over::Common), &judged, &one, "mrr").unwrap().0, Some(1.0));
    let error = score_with(&rules(Over::Strict), &judged, &one, "mrr").unwrap_err();
    assert!(matches!(error, EvaluateError::MissingQueries { .. }), "{error}");
    assert_eq!(
        score_with(&Rules::default(), &judged, &run("q1 Q0 a 1 2 t\n"), "rbp_residual").unwrap().0,
        Some((0.8 + 1.0) / 2.0)
    );
}

#[test]
fn an_unanswerable_query_is_in_no_mean_whatever_the_rules() {
    let judged = labels(
        "{\"query_id\":\"q1\",\"relevant\":{\"a\":1}}\n{\"query_id\":\"q2\",\"relevant\":{\"b\":1},\"answerable\":false}\n",
    );
    let both = run("q1 Q0 a 1 2 t\nq2 Q0 x 1 2 t\n");
    for no_relevant in [NoRelevant::Skip, NoRelevant::Zero] {
        let rules = Rules { no_relevant, ..Rules::default() };
        let (mean, join) = score_with(&rules, &judged, &both, "mrr").unwrap();
        assert_eq!((mean, join.left_out), (Some(1.0), vec![&"q2".into()]));
    }
}

#[test]
fn pooling_is_for_counts_and_gives_the_other_mean_of_f1() {
    let judged = labels(qrels("q1 a 1; q2 b 1; q2 c 1; q2 d 1; q2 e 1"));
    let two = run("q1 Q0 a 1 2 t\nq1 Q0 x 2 1 t\nq2 Q0 b 1 2 t\n");
    let value = |average, measure| {
        let rules = Rules { average, ..Rules::default() };
        score_with(&rules, &judged, &two, measure).map(|(mean, _)| mean.unwrap())
    };
    // Precision 0.5 and 1, recall 1 and 0.25.
    assert_abs_diff_eq!(value(Average::Macro, "f1").unwrap(), 0.5333, epsilon = 5e-5);
    assert_abs_diff_eq!(value(Average::Macro, "recall").unwrap(), 0.625, epsilon = 1e-12);
    assert_abs_diff_eq!(value(Average::Micro, "recall").unwrap(), 2.0 / 5.0, epsilon = 1e-12);
    assert_abs_diff_eq!(value(Average::Micro, "precision").unwrap(), 2.0 / 3.0, epsilon = 1e-12);
    assert!(matches!(value(Average::Micro, "ndcg"), Err(EvaluateError::NoMicroAverage { .. })));
}

#[test]
fn f1_without_a_hit_is_zero() {
    assert_score(qrels("q1 a 1"), ranked("x y"), "f1@2", 0.0);
}

// ---------------------------------------------------------------- what a measure means

#[test]
fn hit_recall_capped_recall_and_precision_are_four_numbers() {
    let (judged, run) = (qrels("q1 a 1; q1 b 1; q1 c 1; q1 d 1"), ranked("a x b y z"));
    for (measure, value) in [("hit@2", 1.0), ("recall@2", 0.25), ("capped_recall@2", 0.5), ("precision@2", 0.5)] {
        assert_score(&judged, &run, measure, value);
    }
    for name in ["success@2", "accuracy@2", "hits@2", "hit_rate@2", "success_2"] {
        assert_eq!(Measure::parse(name).unwrap().label(), "hit@2");
    }
}

#[test]
fn reciprocal_rank_looks_at_the_first_relevant_document_only() {
    assert_score(qrels("q1 a 1; q1 c 1"), ranked("a b c"), "mrr", 1.0);
    assert_score(qrels("q1 b 1; q1 c 1"), ranked("a b c"), "mrr", 0.5);
    assert_score(qrels("q1 c 1"), ranked("a b c"), "mrr@2", 0.0);
}

#[test]
fn average_precision_divides_by_all_relevant_documents() {
    let (judged, run) = (qrels("q1 a 1; q1 b 1; q1 c 1; q1 d 1"), ranked("a x b y"));
    assert_score(&judged, &run, "map", 0.4167);
    assert_score(&judged, &run, "map@2", 0.25);
    assert_score(&judged, &run, "map:norm=min@2", 0.5);
    assert_score(&judged, &run, "context_precision", 0.8333);
}

#[test]
fn the_ideal_ranking_is_not_shortened_with_a_short_list() {
    assert_score(qrels("q1 a 1; q1 b 1; q1 c 1; q1 d 1; q1 e 1"), ranked("a"), "ndcg@5", 0.3392);
}

#[test]
fn gain_is_linear_unless_the_exponential_one_is_asked_for() {
    let (judged, run) = (qrels("q1 a 3; q1 b 1"), ranked("b a"));
    assert_score(&judged, &run, "ndcg", 0.7967);
    assert_score(&judged, &run, "ndcg_exp", 0.7098);
    for name in ["ndcg_burges@10", "nDCG(dcg='exp-log2')@10"] {
        assert_eq!(Measure::parse(name).unwrap().label(), "ndcg_exp@10");
    }
}

#[test]
fn a_negative_grade_has_no_gain_and_is_no_judgment() {
    let (judged, run) = (qrels("q1 j -2; q1 a 1"), ranked("j a"));
    assert_score(&judged, &run, "ndcg", 0.6309);
    assert_score(&judged, &run, "judged", 0.5);
    assert_score(&judged, &run, "mrr:condensed", 1.0);
    assert_eq!(labels(&judged).pooled_only(), 1);
}

#[test]
fn the_threshold_does_not_touch_ndcg() {
    let judged = labels(qrels("q1 a 1; q1 b 2; q1 c 3"));
    let list = run(ranked("a b c"));
    for rel in [1.0, 2.0, 3.0] {
        let rules = Rules { rel, ..Rules::default() };
        assert_abs_diff_eq!(score_with(&rules, &judged, &list, "ndcg@3").unwrap().0.unwrap(), 0.79, epsilon = 5e-5);
    }
    assert_score(qrels("q1 a 1; q1 b 2; q1 c 3"), ranked("a b c"), "mrr:rel=2", 0.5);
}

#[test]
fn one_judged_document_is_enough() {
    assert_score(qrels("q1 a 3"), ranked("a"), "ndcg", 1.0);
    assert_score(qrels("q1 a 3"), ranked("x"), "ndcg", 0.0);
}

#[test]
fn err_is_relative_to_the_largest_grade_of_the_scale() {
    let (judged, run) = (qrels("q1 a 2; q1 b 0; q1 c 1"), ranked("a b c"));
    for (measure, value) in [("err", 0.7708), ("err:max=2", 0.7708), ("err:max=3", 0.4010), ("err:max=4", 0.2044)] {
        assert_score(&judged, &run, measure, value);
    }
    // The largest grade is that of the whole file, never that of one query.
    assert_score(
        qrels("q1 a 2; q1 b 0; q1 c 1; q2 z 3"),
        format!("{run}q2 Q0 z 1 1 t\n"),
        "err",
        (0.4010 + 0.875) / 2.0,
    );
    let facts = labels(qrels("q1 a 3")).facts();
    assert!(Measure::parse("err:max=2").unwrap().bind(&facts).is_err());
}

#[test]
fn the_residual_counts_the_unjudged_ranks_and_the_unseen_tail() {
    let (judged, list) = (qrels("q1 a 1; q1 n 0"), ranked("a u n"));
    assert_score(&judged, &list, "rbp", 0.2);
    assert_score(&judged, &list, "rbp_residual", 0.672);
    assert_score(&judged, &list, "rbp_residual:tail", 0.512);
    assert_score(&judged, ranked("a"), "rbp:p=0.9", 0.1);
    assert_score(&judged, ranked("a"), "rbp_residual:p=0.9", 0.9);
}

#[test]
fn bpref_without_a_judged_document_that_is_not_relevant_is_a_number() {
    assert_score(qrels("q1 a 1; q1 b 2"), ranked("b u a"), "bpref", 1.0);
    assert_score(qrels("q1 a 1; q1 b 2; q1 c 1; q1 d 1"), ranked("b u a"), "bpref", 0.5);
}

#[test]
fn a_condensed_list_drops_unjudged_documents_before_the_cut() {
    let (judged, run) = (qrels("q1 a 1; q1 n 0; q1 b 2"), ranked("u1 a u2 b"));
    for (measure, value) in [("mrr", 0.5), ("precision@2", 0.5), ("ndcg@3", 0.2398), ("judged@2", 0.5)] {
        assert_score(&judged, &run, measure, value);
    }
    for (measure, value) in [("mrr:condensed", 1.0), ("precision:condensed@2", 1.0), ("ndcg:condensed@3", 0.8597)] {
        assert_score(&judged, &run, measure, value);
    }
    assert_eq!(Measure::parse("ndcg'@3").unwrap().label(), "ndcg:condensed@3");
}

#[test]
fn an_unjudged_document_counts_as_not_relevant_unless_it_is_left_out() {
    let (judged, run) = (qrels("q1 a 1; q1 n 0"), ranked("a u1 u2 n"));
    assert_score(&judged, &run, "precision@4", 0.25);
    assert_score(&judged, &run, "precision:condensed", 0.5);
    assert_score(&judged, &run, "judged@4", 0.5);
    assert_score(&judged, &run, "unjudged@4", 0.5);
}

#[test]
fn context_precision_is_not_precision() {
    assert_score(qrels("q1 a 1"), ranked("x a"), "precision@2", 0.5);
    assert_score(qrels("q1 a 1"), ranked("x a"), "context_precision@2", 0.5);
    assert_score(qrels("q1 a 1"), ranked("a x"), "precision@2", 0.5);
    assert_score(qrels("q1 a 1"), ranked("a x"), "context_precision@2", 1.0);
    assert_score(qrels("q1 a 1"), ranked("x y"), "context_precision@2", 0.0);
}

#[test]
fn a_cutoff_may_be_longer_than_any_list() {
    for measure in ["recall@5000000000", "ndcg@5000000000", "map@5000000000", "mrr@5000000000"] {
        assert_score(qrels("q1 a 1"), ranked("a"), measure, 1.0);
    }
    for measure in ["recall@0", "recall@-1", "recall@2.5", "rprec@5", "bpref@10", "capped_recall"] {
        let error = Measure::parse(measure).unwrap_err().to_string();
        let name = measure.split('@').next().unwrap();
        assert!(error.contains(name), "{measure}: {error}");
    }
}

#[test]
fn huge_grades_do_not_overflow() {
    assert_score(qrels("q1 a 2000; q1 b 1999"), ranked("b a"), "ndcg_exp", 0.8597);
    assert_score(qrels("q1 a 2000; q1 b 1999"), ranked("a b"), "err", 1.0);
}

#[test]
fn grades_that_are_all_zero_or_all_equal_are_no_trouble() {
    let zero = labels(qrels("q1 a 0; q1 b 0"));
    let rules = Rules { no_relevant: NoRelevant::Zero, ..Rules::default() };
    for measure in ["map", "ndcg", "err", "bpref", "rprec", "infap", "f1@5", "rbp"] {
        let value = score_with(&rules, &zero, &run(ranked("a b")), measure).unwrap().0.unwrap();
        assert_eq!(value.to_bits(), 0.0_f64.to_bits(), "{measure} is {value}");
    }
    assert_score(qrels("q1 a 2; q1 b 2"), ranked("b a"), "ndcg", 1.0);
}

#[test]
fn more_relevant_documents_than_results_are_no_trouble() {
    let judged = qrels("q1 a 1; q1 b 1; q1 c 1; q1 d 1");
    assert_score(&judged, ranked("a b"), "rprec", 0.5);
    assert_score(&judged, ranked("a b"), "map", 0.5);
    assert_score(&judged, ranked("u v"), "ndcg@10", 0.0);
}

#[test]
fn a_value_does_not_depend_on_which_others_are_asked_for() {
    let folder = Folder::with(&[("labels", LABELS), ("run", RUN)]);
    let all = folder.json(&["eval", "labels", "run", "-m", "all"]);
    for measure in ["rbp", "err@10", "bpref", "ndcg@5", "judged@10"] {
        let alone = folder.json(&["eval", "labels", "run", "-m", measure]);
        let mean = |result: &serde_json::Value| result["runs"][0]["measures"][measure]["mean"].clone();
        assert!(mean(&alone).is_number(), "{measure}");
        assert_eq!(mean(&alone), mean(&all), "{measure}");
    }
}

// ---------------------------------------------------------------- what the command prints where

#[test]
fn results_go_to_stdout_and_everything_else_beside() {
    let run = format!("{RUN}q9 Q0 a 1 1 t\n");
    let folder = Folder::with(&[("labels", LABELS), ("run", &run)]);
    let (result, beside) = folder.answered(&["eval", "labels", "run", "--format", "csv"]);
    assert!(result.lines().all(|line| line.split(',').count() == result.lines().next().unwrap().split(',').count()));
    assert_mentions(&beside, &["q9"]);
    let json = folder.json(&["eval", "labels", "run"]);
    assert_eq!(json["schema"], "raglens/1");
}

#[test]
fn json_holds_the_value_in_full_where_the_table_rounds_it() {
    let folder = Folder::with(&[("labels", "q1 0 a 1\nq1 0 b 1\nq1 0 c 1\n"), ("run", "q1 Q0 a 1 1 t\n")]);
    let json = folder.json(&["eval", "labels", "run", "-m", "recall@5"]);
    assert_eq!(json["runs"][0]["measures"]["recall@5"]["mean"], 1.0 / 3.0);
    let (table, _) = folder.answered(&["eval", "labels", "run", "-m", "recall@5"]);
    assert_mentions(&table, &["0.333"]);
}

#[test]
fn a_reader_that_goes_away_ends_the_command_silently() {
    let labels: String = (0..4000).map(|query| format!("q{query} 0 a 1\n")).collect();
    let run: String = (0..4000).map(|query| format!("q{query} Q0 a 1 1 t\n")).collect();
    let folder = Folder::with(&[("labels", &labels), ("run", &run)]);
    let mut command = folder.command(&["eval", "labels", "run", "-q", "--format", "csv"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(line.starts_with("run,"), "{line}");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn control_characters_of_a_file_never_reach_the_terminal() {
    let folder = Folder::with(&[("labels", LABELS), ("run", "q1 Q0 d\u{1b}[31m3 1 x t\n")]);
    let message = folder.refused(&["eval", "labels", "run"]);
    assert!(!message.contains('\u{1b}'), "{message:?}");
}

#[test]
fn an_unknown_measure_gets_the_nearest_known_one() {
    let folder = Folder::with(&[("labels", LABELS), ("run", RUN)]);
    let message = folder.refused(&["eval", "labels", "run", "-m", "NDGC@10"]);
    assert_mentions(&message, &["NDGC", "did you mean `ndcg@10`"]);
}
