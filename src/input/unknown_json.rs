//! JSON in no layout that is known: what is wrong with it as JSON, or what it holds.

use super::json;
use super::{Format, Position, Reader, Role, Sample};
use crate::error::{Fault, InputErrorKind};
use crate::id::escaped;

pub(super) static UNKNOWN: Format = Format {
    name: "json",
    about: "JSON",
    role: Role::ByPosition,
    detect: |sample| sample.json().is_some(),
    labels: Some(|reader, _| refuse(reader)),
    run: Some(|reader, _| refuse(reader)),
};

/// How many keys are named.
const NAMED: usize = 5;

fn refuse(reader: &mut Reader) -> Result<(), Fault> {
    let (expected, help) = match reader.sample.position() {
        Position::Labels => ("labels", "rows of labels look like {\"query_id\": \"q1\", \"relevant\": {\"d1\": 1}}"),
        Position::Run => ("a run", "rows of a run look like {\"query_id\": \"q1\", \"results\": [\"d1\", \"d2\"]}"),
    };
    let mut first = None;
    let empty_dict = is_empty_dict(&reader.sample);
    json::each_row(reader, |row, _| {
        if row.fields().is_empty() && !empty_dict {
            return Err(row.node.fault(InputErrorKind::MissingKey { expected: "`query_id`".to_owned() }));
        }
        let keys = row.fields().iter().map(|(key, _)| format!("`{}`", escaped(key.as_bytes())));
        first.get_or_insert_with(|| keys.take(NAMED).collect::<Vec<_>>());
        Ok(())
    })?;
    let keys = first.unwrap_or_default();
    match keys.is_empty() {
        true if reader.log.skipped() > 0 => Ok(()),
        true if expected == "a run" && reader.options.allow_empty => Ok(()),
        true => Err(Fault::of_file(InputErrorKind::Empty { expected })),
        false => Err(Fault::of_file(InputErrorKind::Refused {
            format: None,
            sentence: format!("is JSON in no layout that is known, with the keys {}", keys.join(", ")),
            help: help.to_owned(),
        })),
    }
}

/// Whether an object without keys is all there is: queries by their ids, and none of them.
fn is_empty_dict(sample: &Sample) -> bool {
    let mut lines = sample.data_lines();
    lines.next().is_some_and(|line| line.trim_ascii_start().starts_with(b"{"))
        && lines.all(|line| line.trim_ascii() == b"}")
}

#[cfg(test)]
mod tests {
    use super::super::ReadOptions;
    use super::super::testing::*;

    #[test]
    fn what_fits_no_layout_is_named_by_its_keys() {
        assert_eq!(
            labels_error(r#"{"name": "x", "items": 3}"#),
            "labels: is JSON in no layout that is known, with the keys `name`, `items`"
        );
    }

    #[test]
    fn what_is_no_json_is_told_as_such() {
        assert_eq!(run_error("{\"name\": \n nope}"), "run:2:3: is not valid JSON: expected ident");
        assert_eq!(labels_error("[\"a\"]"), "labels:1:2: the row must be an object: `\"a\"`");
    }

    #[test]
    fn a_row_without_keys_is_faulty_and_not_nothing() {
        assert_eq!(run_error("[{}]"), "run:1:2: has no `query_id`");
        assert_eq!(labels_error("{}\n{}"), "labels:1:1: has no `query_id`");
        let options = ReadOptions { allow_empty: true, ..skipping() };
        let (run, notes) = try_run("[{}]", &options).unwrap();
        assert_eq!((show_run(&run), notes.iter().next().unwrap().count), (String::new(), 1));
        let left = try_run("[{}, {}]", &skipping()).unwrap_err();
        assert_eq!(left.to_string(), "run: has no row that can be read: 2 are faulty");
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(labels_error("{}"), "labels: is empty: expected labels");
        assert_eq!(run_error("[]\n"), "run: is empty: expected a run");
    }
}
