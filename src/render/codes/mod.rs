//! The codes of errors, warnings and notes, and what each of them means.
//!
//! The texts speak of commands and options, which the library does not know: it has the kinds with
//! their codes and sentences alone.

mod faults;
mod notes;

/// What a code means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explanation {
    /// The code: `E` an error, `W` a warning, `N` a note. Codes never change their meaning.
    pub code: &'static str,
    /// What it says, in a few words.
    pub title: &'static str,
    /// When it appears.
    pub appears: &'static str,
    /// What it means for the numbers.
    pub means: &'static str,
    /// What to do.
    pub remedy: &'static str,
}

/// Every code: errors, then warnings, then notes, each in the order of their numbers.
pub fn all() -> impl Iterator<Item = &'static Explanation> {
    faults::EXPLANATIONS.iter().chain(notes::EXPLANATIONS)
}

/// The explanation of a code, whatever its case.
pub fn find(code: &str) -> Option<&'static Explanation> {
    all().find(|explanation| explanation.code.eq_ignore_ascii_case(code))
}

/// Whether text has the form of a code: a letter and three digits.
pub fn is_code(text: &str) -> bool {
    let digits = text.strip_prefix(['E', 'W', 'N', 'e', 'w', 'n']);
    digits.is_some_and(|digits| digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Every text between quotes that has the form of a code, in all sources but the explanations.
    fn written(folder: &Path, codes: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.ends_with("render/codes") {
                continue;
            }
            if path.is_dir() {
                written(&path, codes);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                codes.extend(text.split('"').filter(|part| is_code(part)).map(str::to_ascii_uppercase));
            }
        }
    }

    #[test]
    fn every_code_that_the_sources_name_is_explained_and_no_other() {
        let mut codes = BTreeSet::new();
        written(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut codes);
        let explained: BTreeSet<String> = all().map(|explanation| explanation.code.to_owned()).collect();
        assert!(explained.len() > 40);
        assert_eq!(explained, codes);
    }

    #[test]
    fn a_code_is_found_whatever_its_case() {
        assert_eq!(find("w003").map(|found| found.code), Some("W003"));
        assert_eq!(find("recall"), None);
    }

    #[test]
    fn no_code_is_there_twice_and_each_table_is_in_order() {
        assert!(faults::EXPLANATIONS.is_sorted_by(|a, b| a.code < b.code));
        assert!(notes::EXPLANATIONS.is_sorted_by_key(|found| (found.code.starts_with('N'), found.code)));
    }

    #[test]
    fn every_text_is_whole_sentences() {
        for Explanation { code, title, appears, means, remedy } in all() {
            assert!(!title.ends_with('.') && title.chars().next().is_some_and(|first| !first.is_uppercase()), "{code}");
            for text in [appears, means, remedy] {
                assert!(
                    text.ends_with('.') && text.chars().next().is_some_and(|first| !first.is_lowercase()),
                    "{code}"
                );
            }
        }
    }
}
