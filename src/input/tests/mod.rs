//! Every text format against small files.

mod alike;
mod beside;
mod damaged;
mod hostile;
mod long;
mod names;
mod plain;

use super::*;
use crate::notes::NoteKind;
use crate::run::{Duplicates, Ties};

fn labels_of(text: &str) -> Result<(Labels, FileFacts), InputError> {
    read_labels(Source::from_bytes("qrels", text.into()), &ReadOptions::default(), &mut Notes::default())
}

fn run_of(text: &str) -> Result<(Run, FileFacts), InputError> {
    read_run(Source::from_bytes("run", text.into()), &ReadOptions::default(), &mut Notes::default())
}

/// The judgments of a file as `query document grade`, with the name of its format in front.
fn judged(text: &str) -> String {
    let (labels, facts) = labels_of(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let of_query = |query: &crate::labels::QueryLabels| {
        let id = query.id().clone();
        let judgments = query.judgments().map(|(document, grade)| (document.to_vec(), grade)).collect::<Vec<_>>();
        judgments.into_iter().map(move |(document, grade)| format!("{id} {} {grade}", crate::id::escaped(&document)))
    };
    let rows: Vec<String> = labels.queries().iter().flat_map(of_query).collect();
    format!("{}: {}", facts.format.name, rows.join(", "))
}

/// The rankings of a file as `query document document …`, with the name of its format in front.
fn ranked(text: &str) -> String {
    let (run, facts) = run_of(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let rankings = run.rankings().iter().map(|ranking| {
        let order = ranking.order(Ties::Trec, Duplicates::Error).unwrap();
        let documents = order.indices().iter().map(|&index| crate::id::escaped(ranking.document(index as usize)));
        let ids: Vec<String> = std::iter::once(ranking.query().to_string()).chain(documents).collect();
        ids.join(" ")
    });
    format!("{}: {}", facts.format.name, rankings.collect::<Vec<_>>().join(", "))
}

fn labels_error(text: &str) -> String {
    sentence(labels_of(text).err(), text)
}

fn run_error(text: &str) -> String {
    sentence(run_of(text).err(), text)
}

fn sentence(error: Option<InputError>, text: &str) -> String {
    let error = error.unwrap_or_else(|| panic!("`{text}` was read"));
    format!("{error}{}", error.kind().help().map_or(String::new(), |help| format!(" ({help})")))
}

#[test]
fn trec_qrels_are_read_as_they_come() {
    assert_eq!(judged("q1 0 a 1\nq1 0 b -1\nq2 0 c 0.5\n"), "qrels: q1 a 1, q1 b -1, q2 c 0.5");
    assert_eq!(judged("q1\t0\ta b\t1 \r\n\r\nq2 \t0\tc\t2\r\n"), "qrels: q1 a b 1, q2 c 2");
    assert_eq!(judged("# note\nq1 0 msm#2_77 1\nq1 0 #a 1\n"), "qrels: q1 msm#2_77 1, q1 #a 1");
    assert_eq!(judged("q1 0 Report,_1992 1\nq1 0 \"A\"_Team 2"), "qrels: q1 Report,_1992 1, q1 \"A\"_Team 2");
    assert_eq!(judged("1 0.5  010vptx3 2\n1 1  02f0opkr 1"), "qrels: 1 010vptx3 2, 1 02f0opkr 1");
    assert_eq!(judged("\u{feff}NA 0 null 1\nnan 0 None 1"), "qrels: NA null 1, nan None 1");
}

#[test]
fn trec_runs_are_read_as_they_come() {
    assert_eq!(ranked("q1 Q0 a 1 1.0 r\nq1 Q0 b 2 2.0 r"), "trec: q1 b a");
    assert_eq!(
        ranked("q1 Q0 a 1 1e1\nq1 Q0 b 2 +1 r more text\nq1 Q0 c 3 -1.2E-3 r\nq1 Q0 d x .5 r"),
        "trec: q1 a b d c"
    );
    assert_eq!(ranked("q1\tQ0\ta b\t1\t  2.5\tt"), "trec: q1 a b");
    assert_eq!(ranked("q1\tQ0\ta\t1\t2.5\tt\nq1\tQ0\tb\t\t885\t116\tt\n"), "trec: q1 b a");
    assert_eq!(ranked("10 Q0 10 1 1.0 t\n10 Q0 9 2 1.0 t"), "trec: 10 9 10");
    assert_eq!(ranked("q1 Q0 caf\u{e9} 1 1 t"), "trec: q1 caf\u{e9}");
}

#[test]
fn the_tag_is_the_first_word_of_the_sixth_column() {
    assert_eq!(run_of("q1\tQ0\ta\t1\t2.5\tSTANDARD more junk").unwrap().0.tag.as_deref(), Some("STANDARD"));
    assert_eq!(run_of("q1 Q0 a 1 2.5\nq1 Q0 b 1 2 late").unwrap().0.tag.as_deref(), Some("late"));
    assert_eq!(run_of("q1 Q0 a 1 2.5").unwrap().0.tag, None);
    assert_eq!(run_of("q1,Q0,a,1,2.5\nq1,Q0,b,1,2").unwrap().0.tag, None);
    let late = |row: u8| format!("q1,Q0,d{row},{row},0.5,{}\n", if row < 20 { "" } else { "late" });
    assert_eq!(run_of(&(10..40).map(late).collect::<String>()).unwrap().0.tag.as_deref(), Some("late"));
}

#[test]
fn bytes_that_are_no_text_are_ids_in_trec_files() {
    let source = Source::from_bytes("qrels", b"q1 0 caf\xE9 1\nq1 0 caf\xE8 2\n".to_vec());
    let (labels, _) = read_labels(source, &ReadOptions::default(), &mut Notes::default()).unwrap();
    assert_eq!(labels.queries()[0].grade(b"caf\xE8"), Some(2.0));
}

#[test]
fn bytes_that_are_no_text_are_errors_in_csv_files() {
    let source = Source::from_bytes("run", b"query_id,doc_id,rank\nq1,a,1\nq1,caf\xE9,2\n".to_vec());
    let error = read_run(source, &ReadOptions::default(), &mut Notes::default()).err().unwrap();
    assert_eq!((error.line(), error.kind()), (Some(3), &InputErrorKind::NotUtf8));
}

#[test]
fn text_in_utf16_is_read_with_a_note() {
    let text: Vec<u8> = "\u{feff}q1 0 é 1\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (source, mut notes) = (Source::from_bytes("qrels", text), Notes::default());
    let (labels, _) = read_labels(source, &ReadOptions::default(), &mut notes).unwrap();
    assert_eq!(labels.queries()[0].grade("é".as_bytes()), Some(1.0));
    assert_eq!(notes.iter().map(|note| note.kind).collect::<Vec<_>>(), [NoteKind::ConvertedFromUtf16]);
}

#[test]
fn header_lines_and_comments_are_noted_and_never_a_query() {
    let mut notes = Notes::default();
    let text = "# a\nqid Q0 docid rel\nq1 0 a 1\n#q1 0 b 1\n";
    let (labels, _) =
        read_labels(Source::from_bytes("qrels", text.into()), &ReadOptions::default(), &mut notes).unwrap();
    assert_eq!(labels.queries().len(), 1);
    let notes: Vec<_> =
        notes.iter().map(|note| (note.kind, note.count, note.examples.last().unwrap().as_str())).collect();
    let comments = (NoteKind::Comments, 2, "line 4: #q1 0 b 1");
    assert_eq!(notes, [comments, (NoteKind::SkippedHeader, 1, "line 2: qid Q0 docid rel")]);
    assert_eq!(judged("query_id iter doc_id grade\nq1 0 a 1"), "qrels: q1 a 1");
    assert_eq!(judged("TOPIC ITERATION DOCUMENT# RELEVANCY\nq1 0 a 1\nq2 0 b 1"), "qrels: q1 a 1, q2 b 1");
    assert_eq!(ranked("qid Q0 docid rank score tag\nq1 Q0 a 1 2.0 r"), "trec: q1 a");
}

#[test]
fn a_query_that_is_called_like_a_column_makes_no_header() {
    assert_eq!(ranked("id Q0 a 1 2.0 r\nq1 Q0 a 1 2.0 r"), "trec: id a, q1 a");
    assert_eq!(run_error("id Q0 a 1 n/a r\nq1 Q0 a 1 2.0 r"), "run:1:11: score is not a number: `n/a`");
    assert_eq!(labels_error("topic 0 a yes\nq1 0 a 1"), "qrels:1:11: grade is not a number: `yes`");
}

#[test]
fn scores_that_are_no_numbers_are_errors_with_their_place() {
    assert_eq!(
        run_error("q1 Q0 a 1 1,9 t\nq1 Q0 b 2 1,5 t"),
        "run:1:11: score is not a number: `1,9` (numbers take a decimal point: `1.9`)"
    );
    assert_eq!(run_error("q1 Q0 a 1 2 run\n\nq1 Q0 b 2 abc run"), "run:3:11: score is not a number: `abc`");
    assert_eq!(run_error("q1 Q0 a 1 abc run"), "run:1:11: score is not a number: `abc`");
    assert_eq!(run_error("q1 Q0 é 1 NaN t"), "run:1:11: score must be a finite number: `NaN`");
    assert_eq!(run_error("q1 Q0 a 1 0x10 t"), "run:1:11: score is not a number: `0x10`");
    assert_eq!(labels_error("q1 0 a x\x1b[m"), "qrels:1:8: grade is not a number: `x\\u{1b}[m`");
}

#[test]
fn rows_of_the_wrong_width_are_counted_out() {
    assert_eq!(
        run_error("q1 Q0 a 1 2 r\nq1 Q0 b"),
        "run:2:1: expected 5 or 6 columns (qid iter docid rank score tag), found 3"
    );
    let expected = "expected 4 columns (qid iter docid grade), found 5";
    assert_eq!(labels_error("q1 0 a 1\nq1 0 b 1 x"), format!("qrels:2:1: {expected}"));
    assert_eq!(labels_error("q1 0 a 1 x\nq1 0 b 1 x"), format!("qrels:1:1: {expected}"));
    let empty = "q1\tQ0\ta\t1\t2\tt\nq1\tQ0\t \t1\t2\tt";
    assert_eq!(run_error(empty), "run:2:1: document id is empty");
}

#[test]
fn skipped_rows_are_counted_and_reading_goes_on() {
    let options = ReadOptions { on_error: OnError::Skip, ..ReadOptions::default() };
    let text = "q1 Q0 a 1 2 r\nq1 Q0 b 2 abc r\nq1 Q0\nq1 Q0 c 3 1 r";
    let (run, facts) = read_run(Source::from_bytes("run", text.into()), &options, &mut Notes::default()).unwrap();
    assert_eq!((run.rows(), facts.skipped), (2, 2));
    let none = read_run(Source::from_bytes("run", "q1 Q0 a 1 x r".into()), &options, &mut Notes::default()).err();
    assert_eq!(none.unwrap().to_string(), "run: has no row that can be read: 1 are faulty");
}

#[test]
fn a_pair_with_two_grades_shows_both_lines_and_speaks_of_subtopics() {
    let error = labels_error("q1 0 a 1\nq1 0 a 1\nq1 0 a 0\n");
    assert!(
        error.starts_with("qrels:3:1: query `q1`, document `a` is judged 0 here and 1 at line 1 (the largest"),
        "{error}"
    );
    let error = labels_error("q1 1 a 1\nq1 2 b 1\nq1 2 a 0\n");
    assert!(error.contains("(the second column differs, so these may be subtopics"), "{error}");
}

#[test]
fn empty_files_say_what_was_expected() {
    assert_eq!(labels_error("# only a comment\n\n"), "qrels: is empty: expected labels");
    assert_eq!(run_error(""), "run: is empty: expected a run");
    let options = ReadOptions { allow_empty: true, ..ReadOptions::default() };
    let empty = read_run(Source::from_bytes("run", Vec::new()), &options, &mut Notes::default()).unwrap();
    assert_eq!(empty.0.rows(), 0);
    assert_eq!(run_error("query_id,doc_id,rank\n"), run_error(""));
    assert_eq!(labels_error("qid Q0 docid rel\n"), "qrels: is empty: expected labels");
}

#[test]
fn tables_are_read_by_the_names_of_their_columns() {
    assert_eq!(judged("query-id\tcorpus-id\tscore\r\nq1\td12\t1\r\n"), "beir: q1 d12 1");
    assert_eq!(judged("query,docid,rating\n\"rotate, key\",n1,3"), "quepid: rotate, key n1 3");
    assert_eq!(judged("qid docno rel\nq1 a 1"), "label-table: q1 a 1");
    assert_eq!(judged("qid,docid,score\nq1,a,1.0"), "table: q1 a 1");
    assert_eq!(judged("qid,pid\nq1,a"), "table: q1 a 1");
    assert_eq!(ranked("rank,pid,qid\n2,a,q1\n1,b,q1"), "run-table: q1 b a");
    assert_eq!(ranked("qid,docno,score,rank\nq1,a,0.1,1\nq1,b,0.2,2"), "run-table: q1 b a");
    assert_eq!(ranked("query-id\tcorpus-id\tscore\nq1\ta\t0.5"), "table: q1 a");
    assert_eq!(ranked("qid,docid,score,relevance\nq1,a,1,0\nq1,b,2,1"), "judged-run-table: q1 b a");
    assert_eq!(judged("qid,docid,score,relevance\nq1,a,1,0\nq1,b,2,1"), "judged-run-table: q1 a 0, q1 b 1");
    assert_eq!(judged("q1,0,a,1\nq1,0,\"b,c\",0"), "label-table: q1 a 1, q1 b,c 0");
}

#[test]
fn tables_fill_in_what_is_known_of_chunks_passages_and_calls() {
    let text =
        "query_id,chunk_id,doc_id,start,end,tokens,rank,latency_ms\nq1,c1,d1,0,9,3,1,41.5\nq1,c2,d1,9,12,,2,41.5";
    let (run, _) = run_of(text).unwrap();
    let ranking = &run.rankings()[0];
    let chunk = ranking.chunk(1).unwrap();
    assert_eq!((ranking.document(0), chunk.start, chunk.tokens), (&b"c1"[..], Some(9), None));
    assert_eq!(chunk.document.as_ref().unwrap().as_bytes(), b"d1");
    assert_eq!(ranking.calls().iter().map(|call| call.latency_ms).collect::<Vec<_>>(), [Some(41.5)]);
    let (labels, _) = labels_of("query_id,doc_id,start,end,grade\nq1,d1,5,9,2").unwrap();
    let span = &labels.queries()[0].about.spans[0];
    assert_eq!((span.document.as_bytes(), span.start, span.end, span.grade), (&b"d1"[..], 5, 9, 2.0));
    assert!(
        labels_error("query_id,doc_id,start,end,hop\nq1,d1,5,9,0").contains("hop must be a whole number from 1: `0`")
    );
    assert!(
        labels_error("query_id,doc_id,start,end,grade\nq1,d1,9,5,2").contains("end must be at least the start: `5`")
    );
}

#[test]
fn columns_without_names_are_told_by_number_type_and_place() {
    assert_eq!(judged("q1\td12\t1.0\nq2\td7\t2"), "grades: q1 d12 1, q2 d7 2");
    assert_eq!(judged("q1\td12\nq2\td7"), "pairs: q1 d12 1, q2 d7 1");
    assert_eq!(ranked("q1\ta\t14.8\nq1\tb\t13"), "scores: q1 a b");
    assert_eq!(ranked("q1,a,0.1\nq1,b,0.2"), "scores: q1 b a");
    assert_eq!(ranked("q1 d1 0\nq1 d2 1"), "ranks: q1 d1 d2");
    assert_eq!(ranked("q1 b\nq1 a"), "pairs: q1 b a");
    for undecided in ["q1 a 1\nq2 b 1", "q1 a 2\nq1 b 1", "q1 a 1"] {
        let error = run_error(undecided);
        assert!(error.contains("`ranks` takes the lowest first"), "{error}");
    }
    let options = ReadOptions { format: Some("scores".into()), ..ReadOptions::default() };
    let (run, _) =
        read_run(Source::from_bytes("run", "q1 a 1\nq1 b 2".into()), &options, &mut Notes::default()).unwrap();
    assert_eq!(run.rankings()[0].order(Ties::Trec, Duplicates::Error).unwrap().indices(), [1, 0]);
}

#[test]
fn layouts_of_single_tools_are_read() {
    assert_eq!(
        judged("2 qid:10 1:0.03 2:0.6 # docid = GX-35\n0 qid:10 1:0.01 #docid = GX-77 inc = 1"),
        "letor: 10 GX-35 2, 10 GX-77 0"
    );
    assert!(labels_error("2 qid:10 1:0.03").contains("has no `# docid = …` behind the features"));
    let mlflow = "questions,source,retrieved_context\nWhat?,\"['doc1']\",\"['doc5', 'doc1']\"\nHow?,['doc2'],[]";
    assert_eq!(judged(mlflow), "mlflow: What? doc1 1, How? doc2 1");
    assert_eq!(ranked(mlflow), "mlflow: What? doc5 doc1, How?");
    let phoenix = "context.span_id,document_position,input,document_score,document_metadata\n\
        1,0,key?,0.61,\"{\"\"id\"\":\"\"n1\"\"}\"\n1,1,key?,0.83,{'id': 'n2'}\n";
    assert_eq!(ranked(phoenix), "phoenix: key? n2 n1");
    let chroma = "question,references,corpus_id\nWhy?,\"[{\"\"content\"\": \"\"x\"\", \"\"start_index\"\": 3, \"\"end_index\"\": 9}]\",speech";
    let (labels, _) = labels_of(chroma).unwrap();
    assert_eq!((labels.queries()[0].about.spans[0].start, labels.queries()[0].about.spans[0].end), (3, 9));
}

#[test]
fn files_in_the_wrong_place_and_of_no_format_say_what_was_seen() {
    assert_eq!(run_error("q1 0 a 1"), "run: looks like TREC qrels: qid iter docid grade, expected a run");
    assert!(labels_error("q1 Q0 a 1 2.0 t").contains("looks like TREC run"));
    assert!(
        run_error("q1;a;1").contains("it seems to be separated by `;`, `q1;a;1`; runs are TREC runs (`q1 Q0 d12 1")
    );
    assert!(run_error("foo,bar,baz\n1,2,x").contains("separated by `,`"));
    assert!(labels_error("1\thow do I rotate a key?").contains("holds an id and a text a line"));
    assert!(labels_error("user,item,rating\nu1,i1,3").contains("separated by `,`, `user,item,rating`"));
    assert!(labels_error("q\x001\x00 \x000\x00 \x00a\x00 \x001\x00").contains("zero bytes"));
    assert!(run_error("q1 Q0 a 1 2 t\rq1 Q0 b 2 1 t\r").contains("CR alone"));
    let mut source = Source::from_bytes("run", "q1 0 a 1".into());
    assert_eq!(looks_like(&mut source, Position::Run).unwrap().role, Role::Labels);
    let options = ReadOptions { format: Some("trek".into()), ..ReadOptions::default() };
    let error = read_run(source, &options, &mut Notes::default()).err();
    let sentence = sentence(error, "");
    assert!(sentence.starts_with("run: `trek` is no format of a run (the formats are "), "{sentence}");
    assert!(sentence.contains(" trec, ") && !sentence.contains("qrels"), "{sentence}");
}

#[test]
fn names_of_formats_are_unique() {
    let mut names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
}
