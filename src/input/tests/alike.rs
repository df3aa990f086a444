//! Rows of tables that are alike are taken without a closer look: whatever they hold and however
//! they are damaged, a look at each row gives the same results and the same faults.

use proptest::prelude::*;
use proptest::sample::select;

use super::super::rows::Rows;
use super::super::table::{self, Columns};
use super::*;

fn reader(text: &str, on_error: OnError) -> Reader {
    let mut source = Source::from_bytes("rows", text.into());
    let sample = source.sample(Position::Run).unwrap();
    Reader { source, sample, log: FaultLog::new("rows", on_error), options: ReadOptions::default() }
}

/// All that becomes known of a run.
fn run(text: &str, on_error: OnError, read: impl Fn(&mut Reader, &mut RunBuilder) -> Result<(), Fault>) -> String {
    let (mut reader, mut run) = (reader(text, on_error), RunBuilder::new());
    let read = read(&mut reader, &mut run);
    format!("{read:?} {:?} {:?}", run.finish().rankings(), reader.log)
}

fn in_blocks(reader: &mut Reader, run: &mut RunBuilder) -> Result<(), Fault> {
    let columns = Columns::of(&reader.sample).unwrap();
    table::read_rows(reader, run, columns, None)
}

fn row_by_row(reader: &mut Reader, run: &mut RunBuilder) -> Result<(), Fault> {
    let columns = Columns::of(&reader.sample).unwrap();
    let mut rows = Rows::new(&mut reader.source, &reader.sample);
    while let Some(row) = rows.next_row(&mut reader.log)? {
        table::retrieve(&row, &columns, run).or_else(|fault| reader.log.skip(row.around(fault)))?;
    }
    Ok(())
}

const HEADERS: &[&str] = &[
    "query_id,doc_id,score",
    "doc_id,query_id,rank,score,tag",
    "query_id;doc_id;distance",
    "query_id,doc_id,rank",
    "x,query_id,doc_id",
    "query_id\tdoc_id\tscore",
    "\"query_id\"\t\"doc_id\"\t\"score\"",
    "query_id doc_id x score",
    "query_id,chunk_id,doc_id,score,start,end",
];

const CELLS: &[&str] = &[
    "q 1",
    "#q",
    "é",
    "\u{feff}q",
    "a-long-id-of-a-document",
    "12345678",
    "",
    " ",
    "\"",
    "\"\"",
    "a\"b",
    "\"a\"x",
    "\"a,b\"",
    "\"a\"\"b\"",
    "\"a\nb\"",
    " \"a\" ",
    "a\tb",
    "a;b",
    "a,b",
    "nan",
    "1e3",
    "-0",
    ".5",
    "5.",
    "007",
    "-1",
    "1.5",
    "a!",
    "\r",
];

/// Rows of one table, most of them usual.
fn table() -> impl Strategy<Value = String> {
    let usual = (0..4_u8, 0..20_u8, 0..30_u8, 0..999_u16);
    let odd = prop_oneof![12 => Just(None), 1 => (0..6_usize, select(CELLS)).prop_map(Some)];
    let end = prop_oneof![10 => Just("\n"), 1 => select(vec!["\r\n", "\n\n", " \n", "\n# a \"note\n"])];
    let rows = proptest::collection::vec((usual, odd, any::<bool>(), end), 1..40);
    (select(HEADERS), rows, 0..3_u8).prop_map(|(header, rows, quoting)| {
        let separator = header.find(['\t', ',', ';', ' ']).map_or(",", |at| &header[at..=at]);
        let mut text = format!("{header}\n");
        for (usual, odd, is_quoted, end) in rows {
            let mut cells: Vec<String> =
                header.split(separator).map(|name| cell(name.trim_matches('"'), usual)).collect();
            if quoting == 2 || (quoting == 1 && is_quoted) {
                cells.iter_mut().for_each(|cell| *cell = format!("\"{cell}\""));
            }
            if let Some((place, odd)) = odd {
                let place = place % cells.len();
                cells[place] = odd.into();
            }
            text += &(cells.join(separator) + end);
        }
        text
    })
}

fn cell(name: &str, (query, document, rank, score): (u8, u8, u8, u16)) -> String {
    match name {
        "query_id" => format!("q{query}"),
        "doc_id" | "chunk_id" => format!("document{document}"),
        "score" | "distance" => format!("{}.{:03}", score / 100, score),
        "tag" => "run".into(),
        "start" => rank.to_string(),
        "end" => (u16::from(rank) + score).to_string(),
        _ => rank.to_string(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn rows_that_are_alike_say_what_a_look_at_each_says(text in table()) {
        for on_error in [OnError::Stop, OnError::Skip] {
            prop_assert_eq!(run(&text, on_error, in_blocks), run(&text, on_error, row_by_row), "{}", text);
        }
    }
}
