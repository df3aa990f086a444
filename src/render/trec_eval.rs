//! What the drop-in for trec_eval prints.

pub mod departures;

use super::trec::{Value, line};

/// The lines of an evaluation: for each query those of all measures, then those of all queries
/// together.
#[derive(Debug, Default)]
pub struct Report {
    /// The names of the lines of a query.
    pub names: Vec<String>,
    /// The queries, with a value a name.
    pub queries: Vec<(String, Vec<Printed>)>,
    /// The lines of all queries together: name and value.
    pub summary: Vec<(String, Printed)>,
}

/// A value that is printed.
#[derive(Debug, Clone, PartialEq)]
pub enum Printed {
    /// A number with four decimals.
    Number(f64),
    /// A whole number.
    Count(f64),
    /// A text.
    Text(String),
}

/// The report as text.
pub fn render(report: &Report) -> String {
    let mut text = String::new();
    for (query, values) in &report.queries {
        for (name, value) in report.names.iter().zip(values) {
            line(&mut text, name, query, value.shown());
        }
    }
    for (name, value) in &report.summary {
        line(&mut text, name, "all", value.shown());
    }
    text
}

impl Printed {
    fn shown(&self) -> Value<'_> {
        match self {
            Self::Number(number) => Value::Number(*number),
            Self::Count(count) => Value::Count(*count),
            Self::Text(words) => Value::Text(words),
        }
    }
}
