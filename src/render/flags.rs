//! The options of the command line that help with a fault or a note: a row a kind, where there is
//! one. The library says what is wrong and what can be done; it knows no options.

use raglens::error::InputErrorKind;
use raglens::input::{Mend, Remedy};
use raglens::notes::{Note, NoteKind};

const SKIP: &str = "`--on-error skip` leaves such rows out and counts them";

/// How to go on after a fault: the option that helps, else what the library says.
pub fn help(kind: &InputErrorKind) -> Option<String> {
    use InputErrorKind as Kind;
    let option = match kind {
        Kind::Empty { expected: "a run" } => "`--allow-empty` scores it as empty rankings",
        Kind::DuplicateDocument { .. } => "`--duplicates first` keeps the best-ranked one and counts the rest",
        Kind::ConflictingLabels { subtopics: true, .. } => {
            "the second column differs, so these may be subtopics: `--duplicate-labels max` keeps the largest grade"
        }
        Kind::ConflictingLabels { .. } => {
            "`--duplicate-labels max` keeps the largest grade, `--duplicate-labels last` the last one"
        }
        Kind::Refused { format: Some("chunks" | "chunk-table"), .. } => {
            "it goes beside labels and runs: `--chunks FILE`"
        }
        Kind::Refused { format: Some("whole-numbers"), .. } => {
            "`--run-format ranks` takes the lowest first, `--run-format scores` the highest"
        }
        Kind::NoScores => "`raglens eval --save FILE` and `--per-query` write them",
        Kind::WithoutLength { .. } => "results take `tokens`, or `--chunks FILE` a file that has them",
        Kind::Subset { wanted: None, .. } => "`--subset NAME` chooses one",
        Kind::StrayQuote { .. } => return kind.help().map(|help| format!("{help}; {SKIP}")),
        _ if kind.help().is_some() => return kind.help(),
        Kind::Json { .. } => "in a file of one object a line, `--on-error skip` leaves such lines out and counts them",
        _ if kind.is_of_one_row() => SKIP,
        _ => return None,
    };
    Some(option.to_owned())
}

/// What an option does about a kind of note.
fn remark(kind: NoteKind) -> Option<&'static str> {
    Some(match kind {
        NoteKind::NothingReachesThreshold => "`--rel` and `rel=` set the threshold",
        NoteKind::OverruledJudgments => "`--duplicate-labels` decides",
        NoteKind::OwnDocument => "`--chunks` names documents",
        NoteKind::WithoutPlace => "`--chunks` gives places",
        NoteKind::SelfRetrieved => "`--drop-self` removes it",
        _ => return None,
    })
}

/// What happened, with its count and the option that helps.
pub fn sentence(note: &Note) -> String {
    note.sentence() + &remark(note.kind).map_or_else(String::new, |remark| format!(" ({remark})"))
}

/// A note in one sentence without a full stop, with the first examples behind it.
pub fn note(note: &Note) -> String {
    format!("{}: {}{}", note.subject, sentence(note), note.cases())
}

/// Why ids do not meet, and what to add to the command.
pub fn remedy(remedy: &Remedy) -> String {
    let Remedy { cause, matches, of, .. } = remedy;
    match remedy.mend.as_ref().map(mend) {
        Some(flag) => format!("{cause}: {flag} makes {matches} of {of} match"),
        None => remedy.to_string(),
    }
}

/// What to add to a command so that ids meet.
pub fn mend(mend: &Mend) -> String {
    match mend {
        Mend::EditQueries(edit) => format!("--edit-query-ids '{edit}'"),
        Mend::EditDocuments(edit) => format!("--edit-doc-ids '{edit}'"),
        Mend::CutDocuments(separator) => format!("--collapse '{separator}'"),
        Mend::ByDocument => "--unit doc".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The parts of the source that are the command line.
    const COMMAND_LINE: [&str; 3] = ["src/cli", "src/render", "src/main.rs"];

    /// Whether code holds two dashes and a letter in its texts.
    fn names_option(line: &str) -> bool {
        let code = !line.trim_start().starts_with("//") && line.contains('"');
        code && line.split("--").skip(1).any(|rest| rest.starts_with(|first: char| first.is_ascii_lowercase()))
    }

    /// The lines of the library below a folder that name an option; those of other programs that
    /// unpack a file are no options of ours.
    fn naming_options(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if COMMAND_LINE.iter().any(|part| path.ends_with(part)) || path.ends_with("container.rs") {
                continue;
            }
            if path.is_dir() {
                naming_options(&path, found);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let lines = text.lines().filter(|line| names_option(line));
            found.extend(lines.map(|line| format!("{}: {line}", path.display())));
        }
    }

    #[test]
    fn no_text_of_the_library_names_an_option() {
        let mut found = Vec::new();
        naming_options(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
        assert_eq!(found, Vec::<String>::new());
        assert!(names_option(r#"help: "`--rel` sets it","#) && names_option(r#"means: "see (--unit doc)""#));
    }

    #[test]
    fn a_fault_of_one_row_can_be_left_out_unless_there_is_better_to_say() {
        let number = |text: &str| InputErrorKind::NotANumber { field: "score", text: text.to_owned() };
        assert_eq!(help(&number("abc")).as_deref(), Some(SKIP));
        assert_eq!(help(&number("1,9")).as_deref(), Some("numbers take a decimal point: `1.9`"));
        assert_eq!(help(&InputErrorKind::Empty { expected: "labels" }), None);
    }
}
