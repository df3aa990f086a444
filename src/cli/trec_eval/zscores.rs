//! Z scores: how many standard deviations a value lies above the mean of other runs.

use std::collections::HashMap;

use raglens::id::Id;
use raglens::input::{Source, c_float};

use super::status::{self, Stop};

/// What stands for a value whose mean is not known.
const MISSING: f64 = -1_000_000.0;

/// Means and standard deviations by query and measure.
#[derive(Debug, Default)]
pub struct Zscores(HashMap<Id, HashMap<String, Reference>>);

#[derive(Debug, Clone, Copy)]
struct Reference {
    mean: f64,
    deviation: f64,
}

impl Zscores {
    /// Reads lines of `qid measure mean deviation`; of two for the same value the last one counts.
    ///
    /// # Errors
    /// When the file cannot be read, or a line has not four columns.
    pub fn read(path: &str, lenient: bool) -> Result<Self, Stop> {
        let mut source = Source::open(path).map_err(|error| Stop::input(error).with_status(status::ZSCORES))?;
        let mut scores = Self::default();
        let mut lines = source.lines();
        let broken = |fault: raglens::error::Fault| Stop::input(fault.in_file(path, None)).with_status(status::ZSCORES);
        while let Some(line) = lines.next_line().map_err(broken)? {
            let columns: Vec<&[u8]> =
                line.bytes.split(u8::is_ascii_whitespace).filter(|column| !column.is_empty()).collect();
            match columns[..] {
                [] => {}
                _ if columns[0].starts_with(b"#") => {}
                [query, measure, mean, deviation] => {
                    let number =
                        |text: &[u8]| number(text, lenient).ok_or_else(|| wrong_number(path, line.number, text));
                    let reference = Reference { mean: number(mean)?, deviation: number(deviation)? };
                    let measure = String::from_utf8_lossy(measure).into_owned();
                    scores.0.entry(query.into()).or_default().insert(measure, reference);
                }
                _ => return Err(wrong_columns(path, line.number, columns.len())),
            }
        }
        Ok(scores)
    }

    /// The Z score of a value; the number for "missing" where no mean is known, or nothing varies
    /// and the value differs.
    pub fn of(&self, query: &Id, measure: &str, value: f64) -> f64 {
        let Some(reference) = self.0.get(query).and_then(|measures| measures.get(measure)) else { return MISSING };
        match reference.deviation == 0.0 {
            true if value == reference.mean => 0.0,
            true => MISSING,
            false => (value - reference.mean) / reference.deviation,
        }
    }
}

fn number(text: &[u8], lenient: bool) -> Option<f64> {
    match lenient {
        true => Some(c_float(text)),
        false => std::str::from_utf8(text).ok()?.parse().ok().filter(|number: &f64| number.is_finite()),
    }
}

fn wrong_number(path: &str, line: u64, text: &[u8]) -> Stop {
    let text = raglens::id::escaped(text);
    Stop::new(status::ZSCORES, format!("{path}:{line}: expected a number, not `{text}`"))
        .with_help("`--lenient` reads it as trec_eval does: up to where it stops being a number")
}

fn wrong_columns(path: &str, line: u64, found: usize) -> Stop {
    Stop::new(status::ZSCORES, format!("{path}:{line}: expected 4 columns (qid measure mean deviation), found {found}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_without_a_mean_is_far_below_everything() {
        let reference = |mean, deviation| Reference { mean, deviation };
        let of_query = [("map".to_owned(), reference(0.25, 0.5)), ("num_rel".to_owned(), reference(7.0, 0.0))];
        let scores = Zscores(HashMap::from([(Id::from("q1"), HashMap::from(of_query))]));
        let of = |query: &str, measure: &str, value: f64| scores.of(&query.into(), measure, value);
        assert_eq!(of("q1", "map", 0.5), 0.5);
        assert_eq!([of("q1", "num_rel", 7.0), of("q1", "num_rel", 8.0)], [0.0, MISSING]);
        assert_eq!([of("q1", "zzz", 1.0), of("zz", "map", 1.0), of("", "", 0.0)], [MISSING; 3]);
    }
}
