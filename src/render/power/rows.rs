//! A plan as rows: one a spread and number of queries.

use super::report::{Needed, Point, Report, Scenario};
use crate::render::number::exact;

const HEADER: [&str; 11] = [
    "metric",
    "disagreement",
    "sd",
    "n",
    "detectable",
    "delta",
    "power",
    "half_width",
    "queries_needed",
    "margin",
    "queries_needed_for_margin",
];

/// Rows separated by a byte, under a header.
pub fn separated(report: &Report, delimiter: u8) -> String {
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
    writer.write_record(HEADER).expect("memory takes every record");
    for scenario in &report.scenarios {
        for point in &scenario.points {
            writer.write_record(row(report, scenario, point)).expect("memory takes every record");
        }
    }
    let bytes = writer.into_inner().expect("memory takes every record");
    String::from_utf8(bytes).expect("records are made of text")
}

fn row(report: &Report, scenario: &Scenario, point: &Point) -> [String; 11] {
    let number = |value: Option<f64>| value.map_or_else(String::new, exact);
    let needed = |needed: Option<Needed>| {
        needed.and_then(Needed::queries).map_or_else(String::new, |queries| queries.to_string())
    };
    [
        scenario.metric().unwrap_or_default().to_owned(),
        number(scenario.disagreement()),
        number(scenario.sd()),
        point.n.to_string(),
        number(point.detectable),
        number(report.question.delta),
        number(point.power),
        number(point.half_width),
        needed(scenario.for_delta),
        number(report.question.margin),
        needed(scenario.for_margin),
    ]
}
