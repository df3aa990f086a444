//! Files that hold labels and results side by side, as the only argument.

use super::{FileFacts, Format, Position, ReadOptions, Role, Source, detect, read_labels, read_run};
use crate::error::{Fault, InputError, InputErrorKind};
use crate::labels::Labels;
use crate::notes::Notes;
use crate::run::Run;

/// Reads labels and run from one file, which is read once.
///
/// # Errors
/// The first fault of the file, unless faults are skipped; a file that is labels or a run alone.
pub fn read_both(
    mut source: Source,
    options: &ReadOptions,
    notes: &mut Notes,
) -> Result<(Labels, Run, FileFacts), InputError> {
    let path = source.path().to_owned();
    let sample = source.sample(Position::Labels);
    let found = sample.and_then(|sample| detect::format(&sample, options)).and_then(require_both);
    let format = found.map_err(|fault| fault.in_file(&path, None))?;
    let (bytes, container) = (source.bytes(), source.container());
    let text = source.text().map_err(|fault| fault.in_file(&path, Some(format.about)))?;
    let options = ReadOptions { format: Some(format.name.to_owned()), ..options.clone() };
    let copy = Source::from_bytes(&path, text.clone().into_bytes());
    let (labels, facts) = read_labels(copy, &options, notes)?;
    let (run, run_facts) = read_run(Source::from_bytes(&path, text.into_bytes()), &options, notes)?;
    let skipped = facts.skipped.max(run_facts.skipped);
    Ok((labels, run, FileFacts { bytes, container, skipped, ..facts }))
}

fn require_both(format: &'static Format) -> Result<&'static Format, Fault> {
    let missing = match format.role {
        Role::Both => return Ok(format),
        Role::Labels | Role::ByPosition => "a run",
        Role::Run => "labels",
        Role::Neither(_) | Role::Saved => return Err(detect::refusal(format, "labels and a run")),
    };
    Err(Fault::of_file(InputErrorKind::OneOfTwo { found: format.about, missing }))
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    fn both(text: &str, options: &ReadOptions) -> Result<(Labels, Run, FileFacts, Notes), InputError> {
        let mut notes = Notes::default();
        let read = read_both(Source::from_bytes("file", text.into()), options, &mut notes);
        read.map(|(labels, run, facts)| (labels, run, facts, notes))
    }

    #[test]
    fn one_file_gives_labels_and_run() {
        let text = "{\"query\":\"how?\",\"expected_ids\":[\"n1\"],\"retrieved_ids\":[\"n7\",\"n1\"]}\n";
        let (labels, run, facts, _) = both(text, &ReadOptions::default()).unwrap();
        assert_eq!((show_labels(&labels), show_run(&run)), ("how?: n1=1".into(), "how?: n7 n1".into()));
        assert_eq!((facts.format.role, facts.path.as_str()), (Role::Both, "file"));
    }

    #[test]
    fn a_row_that_is_skipped_twice_is_noted_once() {
        let row = "{\"query\":\"how?\",\"expected_ids\":[],\"retrieved_ids\":[]}\n";
        let (_, _, facts, notes) = both(&format!("{row}{{}}\n"), &skipping()).unwrap();
        assert_eq!((facts.skipped, notes.iter().count()), (1, 1));
    }

    #[test]
    fn half_of_it_is_not_enough() {
        let error = |text: &str| both(text, &ReadOptions::default()).unwrap_err().to_string();
        assert_eq!(
            error(r#"{"query_id":"q","relevant":["d"]}"#),
            "file: is the only file and holds raglens labels: query_id, relevant; expected a run beside it"
        );
        assert!(error(r#"{"query_id":"q","results":["d"]}"#).ends_with("expected labels beside it"));
        assert!(error(r#"{"_id":"q","text":"t"}"#).contains("this is a queries file"));
    }
}
