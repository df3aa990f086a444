//! Plain rows are taken the short way: whatever they hold and however they are damaged, the long
//! way gives the same judgments, the same results and the same faults.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::super::flat_rows::{self, Judgments, Results};
use super::super::json::{self, Document, Record, SearchLayout, Searches, TakeRow};
use super::super::raglens_run;
use super::super::testing::show_labels;
use super::*;

/// Takes each row the long way.
struct TheLongWay<T>(T);

impl<T: TakeRow> TakeRow for TheLongWay<T> {
    fn plain(&mut self, _: &[u8], _: u64) -> Option<Result<(), Fault>> {
        None
    }

    fn row(&mut self, row: &Record<'_>, log: &mut FaultLog) -> Result<(), Fault> {
        self.0.row(row, log)
    }
}

/// Takes rows as something else does.
struct Lent<'a>(&'a mut dyn TakeRow);

impl TakeRow for Lent<'_> {
    fn plain(&mut self, line: &[u8], number: u64) -> Option<Result<(), Fault>> {
        self.0.plain(line, number)
    }

    fn row(&mut self, row: &Record<'_>, log: &mut FaultLog) -> Result<(), Fault> {
        self.0.row(row, log)
    }
}

fn reader(text: &[u8], on_error: OnError) -> Reader {
    let mut source = Source::from_bytes("rows", text.to_vec());
    let sample = source.sample(Position::Run).unwrap();
    Reader { source, sample, log: FaultLog::new("rows", on_error), options: ReadOptions::default() }
}

/// All that becomes known of the rows of a run.
fn run(text: &[u8], on_error: OnError, is_long: bool) -> String {
    let (mut reader, mut run) = (reader(text, on_error), RunBuilder::new());
    let results = Results::new(&mut run);
    let read = match is_long {
        true => json::each_row_of(&mut reader, &mut TheLongWay(results)),
        false => json::each_row_of(&mut reader, &mut { results }),
    };
    format!("{read:?} {:?} {:?}", run.finish().rankings(), reader.log)
}

/// The same of rows that are read in blocks, those that are alike without a closer look.
fn run_in_blocks(text: &[u8], on_error: OnError) -> String {
    let (mut reader, mut run) = (reader(text, on_error), RunBuilder::new());
    let read = (flat_rows::RUN.run.unwrap())(&mut reader, &mut run);
    format!("{read:?} {:?} {:?}", run.finish().rankings(), reader.log)
}

/// All that becomes known of rows of queries and their results.
fn searches(text: &[u8], on_error: OnError, names: Option<&'static [&'static str]>, is_long: bool) -> String {
    let (mut reader, mut run) = (reader(text, on_error), RunBuilder::new());
    let mut read = |rows: &mut dyn TakeRow| match is_long {
        true => json::each_row_of(&mut reader, &mut TheLongWay(Lent(rows))),
        false => json::each_row_of(&mut reader, rows),
    };
    let read = match names {
        Some(names) => read(&mut Searches::new(&mut run, SearchLayout { results: names, is_own: false })),
        None => read(&mut Searches::new(&mut run, raglens_run::LAYOUT)),
    };
    format!("{read:?} {:?} {:?}", run.finish().rankings(), reader.log)
}

/// All that becomes known of the rows of labels.
fn labels(text: &[u8], on_error: OnError, is_long: bool) -> String {
    let (mut reader, mut labels) = (reader(text, on_error), LabelsBuilder::new(DuplicateLabels::Error));
    let judgments = Judgments::new(&mut labels);
    let read = match is_long {
        true => json::each_row_of(&mut reader, &mut TheLongWay(judgments)),
        false => json::each_row_of(&mut reader, &mut { judgments }),
    };
    let labels = labels.finish();
    format!("{read:?} {} {} {:?}", show_labels(&labels), labels.copies(), reader.log)
}

/// All that becomes known of a list of results.
fn results(text: &str, on_error: OnError, is_long: bool) -> String {
    let (mut run, mut log) = (RunBuilder::new(), FaultLog::new("rows", on_error));
    let document = Document::new(text, 1);
    let rank = if is_long { json::rank_one_by_one } else { json::rank };
    let read = document.root().and_then(|list| rank(list, "q", &mut run, &mut log));
    format!("{read:?} {:?} {log:?}", run.finish().rankings())
}

const KEYS: &[&str] = &[
    "query_id",
    "doc_id",
    "score",
    "rank",
    "grade",
    "id",
    "query",
    "start",
    "distance",
    "text",
    "tags",
    "é",
    "a\\\"b",
    "sc\\u006fre",
    "x",
];

const VALUES: &[&str] = &[
    "\"q1\"",
    "\"q2\"",
    "7",
    "-7",
    "7.0",
    "0.25",
    "1e3",
    "1E+2",
    "01",
    "-",
    "1.",
    ".5",
    "-0",
    "1e999",
    "\"1.5\"",
    "\" 1\"",
    "\"\"",
    "\"é\"",
    "\"\u{feff}a\"",
    "\"\\u0041\"",
    "\"\\ud800\"",
    "\"a\tb\"",
    "null",
    "true",
    "false",
    "nul",
    "NaN",
    "[1, {\"a\": \"]\"}]",
    "{}",
    "123456789012345678901234567890",
    "\"a\\\\\"",
];

/// Rows of the same keys, most of them plain, with damaged bytes here and there.
fn rows() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let usual = select(vec![
        vec!["query_id", "doc_id", "score"],
        vec!["doc_id", "query_id", "score", "rank"],
        vec!["id", "score"],
    ]);
    let keys = prop_oneof![3 => usual, 1 => proptest::collection::vec(select(KEYS), 1..5)];
    let blanks = select(vec!["", "", " ", "\t", "\r"]);
    let row = (proptest::collection::vec(prop_oneof![3 => select(&VALUES[..6]), 1 => select(VALUES)], 5), blanks);
    let one = (any::<Index>(), select(b"{}[]\":,\\ 019.-+eEnt\xC3\xA9\xff\x00\x1f#".to_vec()), 0..3_u8);
    let damages = proptest::collection::vec((any::<Index>(), one), 0..4);
    (keys, proptest::collection::vec(row, 1..12), damages).prop_map(|(keys, rows, damages)| {
        let mut lines: Vec<Vec<u8>> = rows.iter().map(|(values, blank)| line(&keys, values, blank)).collect();
        for (line, (place, byte, what)) in damages {
            damage(&mut lines[line.index(rows.len())], place, byte, what);
        }
        lines
    })
}

fn line(keys: &[&str], values: &[&str], blank: &str) -> Vec<u8> {
    let field = |(key, value): (&&str, &&str)| format!("{blank}\"{key}\":{blank}{value}{blank}");
    let fields: Vec<String> = keys.iter().zip(values).map(field).collect();
    format!("{{{}}}{blank}", fields.join(",")).into_bytes()
}

/// Rows of searches: mostly a query and plain results, with damaged bytes here and there.
fn search_rows() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let queries = select(vec!["\"q1\"", "\"q2\"", "\"q3\"", "4", "5", "\"\\u0041\"", "7.0", "\"\"", "[]"]);
    let value = || prop_oneof![30 => select(&VALUES[..6]), 1 => select(VALUES)];
    let results = proptest::collection::vec((value(), value()), 0..6);
    let others = prop_oneof![
        8 => Just(""),
        4 => Just(",\"query\":\"why?\""),
        1 => select(vec![",\"step\":1", ",\"role\":\"r\"", ",\"scores\":[1]", ",\"latency_ms\":-1", ",\"meta\":{}", ",\"x\":[1]"]),
    ];
    let row = (queries, 0..4_u8, results, others, select(vec!["", "", " ", "\t"]), select(vec![0, 300]));
    let byte = select(b"{}[]\":,\\ 019.-eEnt\xC3\xA9\xff\x00#".to_vec());
    let damages = proptest::collection::vec((any::<Index>(), any::<Index>(), byte, 0..3_u8), 0..2);
    (any::<bool>(), proptest::collection::vec(row, 1..7), damages).prop_map(|(last, rows, damages)| {
        let mut lines: Vec<Vec<u8>> = Vec::new();
        for (query, layout, results, others, blank, behind) in &rows {
            let result = |(id, score): &(&str, &str)| match layout {
                0 => format!("{{\"id\":{id},{blank}\"score\":{score}}}"),
                1 => format!("{{\"text\":{blank}null,\"doc_id\":{id},\"similarity\":{score}{blank}}}{blank}"),
                2 => format!("{blank}{id}{blank}"),
                _ => format!("[{id},{score}]"),
            };
            let results: Vec<String> = results.iter().map(result).collect();
            let (query, results) =
                (format!("\"query_id\":{query}{others}"), format!("\"results\":{blank}[{}]", results.join(",")));
            let row =
                if last { format!("{{{query},{results}}}") } else { format!("{{{results},{blank}{query}}}{blank}") };
            lines.push((row + &" ".repeat(*behind)).into_bytes());
        }
        damages
            .into_iter()
            .for_each(|(line, place, byte, what)| damage(&mut lines[line.index(rows.len())], place, byte, what));
        lines
    })
}

fn damage(line: &mut Vec<u8>, place: Index, byte: u8, what: u8) {
    let place = place.index(line.len() + 1);
    match what {
        0 => line.insert(place, byte),
        1 if place < line.len() => line[place] = byte,
        _ => line.truncate(place),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn plain_rows_say_what_the_long_way_says(rows in rows()) {
        let text = rows.join(&b'\n');
        for on_error in [OnError::Stop, OnError::Skip] {
            let long = run(&text, on_error, true);
            prop_assert_eq!(&run(&text, on_error, false), &long);
            prop_assert_eq!(&run_in_blocks(&text, on_error), &long);
            prop_assert_eq!(labels(&text, on_error, false), labels(&text, on_error, true));
        }
    }

    #[test]
    fn plain_searches_say_what_the_long_way_says(rows in search_rows()) {
        let text = rows.join(&b'\n');
        for on_error in [OnError::Stop, OnError::Skip] {
            for names in [None, Some(&["results"][..])] {
                prop_assert_eq!(searches(&text, on_error, names, false), searches(&text, on_error, names, true));
            }
        }
    }

    #[test]
    fn plain_results_say_what_the_long_way_says(rows in rows()) {
        let text = format!("[{}]", String::from_utf8_lossy(&rows.join(&b','))).replace('\n', " ");
        for on_error in [OnError::Stop, OnError::Skip] {
            // Far from the end of the text, numbers are read many digits at a time.
            for text in [&text, &format!("{text}{}", " ".repeat(300))] {
                prop_assert_eq!(results(text, on_error, false), results(text, on_error, true));
            }
        }
    }
}

#[test]
fn the_short_way_is_taken_at_all() {
    struct Short<'a>(Results<'a>, usize);
    impl TakeRow for Short<'_> {
        fn plain(&mut self, line: &[u8], number: u64) -> Option<Result<(), Fault>> {
            self.0.plain(line, number).inspect(|_| self.1 += 1)
        }
        fn row(&mut self, row: &Record<'_>, log: &mut FaultLog) -> Result<(), Fault> {
            self.0.row(row, log)
        }
    }
    let text = "{\"query_id\":\"q\",\"doc_id\":1,\"score\":0.5,\"é\":null}\n".repeat(3);
    let mut run = RunBuilder::new();
    let mut short = Short(Results::new(&mut run), 0);
    json::each_row_of(&mut reader(text.as_bytes(), OnError::Stop), &mut short).unwrap();
    assert_eq!(short.1, 2);
}
