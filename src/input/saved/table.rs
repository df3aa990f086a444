//! Saved scores in tables with a header, separated by commas or tabs.

use csv::{Reader as CsvReader, ReaderBuilder, StringRecord};

use super::super::json::{Document, NAMED_DOCUMENT, QUERY, QUERY_TEXT};
use super::super::table::Columns;
use super::collect::{Cell, Collector};
use super::{METRIC, RUN, SavedScores, VALUE, is_name};
use crate::error::{Fault, InputErrorKind};
use crate::input::{Reader, Sample};

/// Rows that are looked at.
const LOOKED_AT: usize = 8;

/// Whether there is a header with a query and no document, and numbers below it.
pub(super) fn is_saved(sample: &Sample) -> bool {
    let names_documents = sample.header().is_some() && Columns::of(sample).is_some();
    let header = sample.data_lines().next().filter(|_| !sample.is_json() && !names_documents);
    let Some(header) = header.filter(|header| header.contains(&b'"') || delimiter(header).is_some()) else {
        return false;
    };
    let mut table = open(sample.head(), header);
    let Ok(header) = table.headers().cloned() else { return false };
    let has_document = header.iter().any(|column| NAMED_DOCUMENT.contains(&column));
    if header.len() < 2 || has_document || position(&header, &[QUERY, QUERY_TEXT]).is_none() {
        return false;
    }
    let rows = table.records().take(LOOKED_AT).map_while(Result::ok);
    let is_score = |(column, text): (&str, &str)| !is_name(column) && matches!(Cell::parse(text), Cell::Number(_));
    rows.into_iter().any(|row| header.iter().zip(row.iter()).any(is_score))
}

fn open<'a>(text: &'a [u8], header: &[u8]) -> CsvReader<&'a [u8]> {
    let delimiter = delimiter(header).unwrap_or(b',');
    ReaderBuilder::new().delimiter(delimiter).comment(Some(b'#')).trim(csv::Trim::All).from_reader(text)
}

/// What stands between the columns of a header; `None` where there is but one.
fn delimiter(header: &[u8]) -> Option<u8> {
    [b'\t', b',', b';'].into_iter().find(|delimiter| header.contains(delimiter))
}

/// The first column that has one of some names, in the order of the names' groups.
fn position(header: &StringRecord, names: &[&[&str]]) -> Option<usize> {
    names.iter().find_map(|names| header.iter().position(|column| names.contains(&column)))
}

/// Reads a table, wide (a column a measure) or tidy (`metric`, `value`).
pub(super) fn read(reader: &mut Reader) -> Result<SavedScores, Fault> {
    let header = reader.sample.data_lines().next().unwrap_or_default();
    let text = reader.source.text()?;
    let document = Document::new(&text, 1);
    let mut table = open(text.as_bytes(), header);
    let layout = Layout::new(table.headers().map_err(|error| csv_fault(&error))?)?;
    let mut collector = Collector::default();
    for row in table.records() {
        let taken = row.map_err(|error| csv_fault(&error)).and_then(|row| layout.take(&row, &document, &mut collector));
        taken.or_else(|fault| reader.log.skip(fault))?;
    }
    collector.finish().map_err(Fault::of_file)
}

fn csv_fault(error: &csv::Error) -> Fault {
    let line = error.position().map(csv::Position::line);
    let kind = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            InputErrorKind::Csv { reason: format!("expected {expected_len} columns as in the header, found {len}") }
        }
        _ => InputErrorKind::Csv { reason: error.to_string() },
    };
    Fault { line, ..Fault::of_file(kind) }
}

/// Which column holds what.
struct Layout {
    names: StringRecord,
    query: usize,
    run: Option<usize>,
    tidy: Option<(usize, usize)>,
}

impl Layout {
    fn new(header: &StringRecord) -> Result<Self, Fault> {
        let missing = InputErrorKind::MissingKey { expected: "column `query_id`".to_owned() };
        let query = position(header, &[QUERY, &["id"], QUERY_TEXT]).ok_or_else(|| Fault::at_line(1, missing))?;
        let tidy = position(header, &[&[METRIC]]).zip(position(header, &[&[VALUE]]));
        Ok(Self { names: header.clone(), query, run: position(header, &[RUN]), tidy })
    }

    fn take(&self, row: &StringRecord, document: &Document<'_>, collector: &mut Collector) -> Result<(), Fault> {
        let at = |column: usize, kind| cell_fault(row, column, document, kind);
        let line = row.position().map_or(0, csv::Position::line);
        if row[self.query].is_empty() {
            return Err(at(self.query, InputErrorKind::EmptyField { field: "query id" }));
        }
        let run = collector.run(self.run.map(|run| &row[run]));
        if let Some((metric, value)) = self.tidy {
            let place = collector.row(run, &row[self.query], line);
            let scored = collector.score(place, &row[metric], Cell::parse(&row[value]));
            return scored.map_err(|kind| at(value, kind));
        }
        let place = collector.new_row(run, &row[self.query], line).map_err(|kind| at(self.query, kind))?;
        for (column, name) in self.names.iter().enumerate().filter(|(_, name)| !is_name(name)) {
            collector.cell(place, name, Cell::parse(&row[column])).map_err(|kind| at(column, kind))?;
        }
        Ok(())
    }
}

/// A fault of a cell, which is looked for in the text of its row.
fn cell_fault(row: &StringRecord, column: usize, document: &Document<'_>, kind: InputErrorKind) -> Fault {
    let start = row.position().map_or(0, |position| position.byte() as usize);
    let text = document.text().get(start..).unwrap_or_default();
    let before: usize = row.iter().take(column).map(|cell| cell.len() + 1).sum();
    let found = text.get(before..).and_then(|rest| rest.find(&row[column]));
    let cell = start + before + found.unwrap_or_default();
    match found {
        Some(_) => document.fault(cell..cell + row[column].len(), kind),
        None => Fault { line: row.position().map(csv::Position::line), ..Fault::of_file(kind) },
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{error, show};

    #[test]
    fn wide_tables_have_a_column_a_measure() {
        let text = "metric_val,query_id,model,comment\n0.27,q0,t5,good\ntrue,q1,t5,4\nnan,q2,t5,\n";
        assert_eq!(show(text), "t5: q0 metric_val=0.27, q1 metric_val=1, q2 metric_val=-");
        assert_eq!(show("qid\t\"a, b\"\n1\t.5\n"), "-: 1 a, b=0.5");
    }

    #[test]
    fn tidy_tables_have_a_row_a_value() {
        let text = "# by hand\r\nrun,query_id,metric,value\r\nbm25,q1,recall@5,1\r\nbm25,q1,judged@5,\r\ndense,q1,recall@5,0.5\r\n";
        assert_eq!(show(text), "bm25: q1 recall@5=1 judged@5=-; dense: q1 recall@5=0.5");
    }

    #[test]
    fn a_faulty_cell_has_its_place() {
        assert_eq!(error("query_id,map\nq1,1\nq2,0.5x\n"), "saved:3:4: value is not a number: `0.5x`");
        assert_eq!(error("query_id,map\nq1,1\nq1,2\n"), "saved:3:1: query `q1` stands twice (first at line 2)");
        assert_eq!(error("query_id,map\nq1,1\n,2\n"), "saved:3:1: query id is empty");
        assert_eq!(
            error("query_id,map\nq1,1\nq2,1,2\n"),
            "saved:3: is not valid CSV: expected 2 columns as in the header, found 3"
        );
    }
}
