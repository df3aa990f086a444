//! Tidy rows of single queries: run, query_id, metric, value.

use raglens::id::shown;

use super::report::Report;
use crate::render::number::exact;

/// Rows separated by a byte, under a header: those that `eval --per-query` writes too.
pub fn separated(report: &Report, delimiter: u8) -> String {
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
    let mut write = |record: [&str; 4]| writer.write_record(record).expect("memory takes every record");
    write(["run", "query_id", "metric", "value"]);
    for (position, run) in report.runs.iter().enumerate() {
        for row in &report.rows {
            for (metric, value) in report.metrics.iter().zip(&row.values[position]) {
                let value = value.map_or_else(String::new, exact);
                write([run, &shown(row.query.as_bytes()), metric, &value]);
            }
        }
    }
    let bytes = writer.into_inner().expect("memory takes every record");
    String::from_utf8(bytes).expect("records are made of text")
}
