//! What runs are called: the name given as `name=path`, else the shortest that tells them apart.

use std::fmt;
use std::path::{Path, PathBuf};

use raglens::id::escaped;

use super::failure::Failure;
use crate::render::errors::Message;

/// A run as it was asked for on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunArgument {
    /// The name, where one was given.
    pub name: Option<String>,
    /// The path; `-` is standard input.
    pub path: String,
}

impl RunArgument {
    /// A path without a name.
    pub fn of_path(path: &str) -> Self {
        Self { name: None, path: path.to_owned() }
    }

    /// Reads `name=path` or a path. A path that exists is a path, whatever it looks like.
    pub fn parse(text: &str) -> Self {
        match text.split_once('=') {
            Some((name, path)) if !name.is_empty() && !path.is_empty() && !Path::new(text).exists() => {
                Self { name: Some(escaped(name.as_bytes())), path: path.to_owned() }
            }
            _ => Self::of_path(text),
        }
    }
}

impl fmt::Display for RunArgument {
    /// As it is typed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name}={}", self.path),
            None => f.write_str(&self.path),
        }
    }
}

fn given_or_stem(place: usize, run: &RunArgument) -> String {
    let unnamed = || if is_open(&run.path) { format!("run{place}") } else { stem(&run.path) };
    run.name.clone().unwrap_or_else(unnamed)
}

/// Whether a path stands for something that is open, as `<(...)` of a shell does: its number there
/// is no name.
fn is_open(path: &str) -> bool {
    let number = ["/dev/fd/", "/proc/self/fd/"].iter().find_map(|folder| path.strip_prefix(folder));
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A name for each run: the given one, else the stem of its file, else (where two are equal) its
/// tag, else the shortest end of its path that differs.
///
/// # Errors
/// When the same name was given twice.
pub fn assign(runs: &[(RunArgument, Option<String>)]) -> Result<Vec<String>, Failure> {
    check_given(runs)?;
    let stems: Vec<String> = (1..).zip(runs).map(|(place, (run, _))| given_or_stem(place, run)).collect();
    let rivals =
        |index: usize| -> Vec<usize> { (0..runs.len()).filter(|&other| stems[other] == stems[index]).collect() };
    let names = (0..runs.len()).map(|index| match (&runs[index].0.name, &rivals(index)[..]) {
        (Some(name), _) => name.clone(),
        (None, [_]) => stems[index].clone(),
        (None, rivals) => among(runs, rivals, index),
    });
    Ok(numbered(names.collect()))
}

fn check_given(runs: &[(RunArgument, Option<String>)]) -> Result<(), Failure> {
    for (index, (run, _)) in runs.iter().enumerate() {
        let twin = runs[..index].iter().find(|(other, _)| run.name.is_some() && other.name == run.name);
        if let (Some((twin, _)), Some(name)) = (twin, &run.name) {
            let message = Message::new(format!("two runs are named `{name}`"));
            return Err(message.with_detail(&twin.path).with_detail(&run.path).into());
        }
    }
    Ok(())
}

/// A name among runs whose files have the same stem.
fn among(runs: &[(RunArgument, Option<String>)], rivals: &[usize], index: usize) -> String {
    let tags: Vec<Option<&String>> = rivals.iter().map(|&rival| runs[rival].1.as_ref()).collect();
    if let (true, Some(tag)) = (all_differ(&tags) && tags.iter().all(Option::is_some), &runs[index].1) {
        return tag.clone();
    }
    let depth = |path: &str| Path::new(path).components().count();
    let deepest = rivals.iter().map(|&rival| depth(&runs[rival].0.path)).max().unwrap_or(1);
    let ends = |length: usize| rivals.iter().map(|&rival| end(&runs[rival].0.path, length)).collect::<Vec<String>>();
    let length = (1..deepest).find(|&length| all_differ(&ends(length))).unwrap_or(deepest);
    end(&runs[index].0.path, length)
}

/// The last parts of a path.
fn end(path: &str, length: usize) -> String {
    let parts: Vec<_> = Path::new(path).components().collect();
    let last: PathBuf = parts[parts.len().saturating_sub(length)..].iter().collect();
    escaped(last.to_string_lossy().as_bytes())
}

/// The file name without its endings for the packing and the format.
fn stem(path: &str) -> String {
    if path == "-" {
        return "stdin".to_owned();
    }
    let packed = [".gz", ".zst"].iter().find_map(|ending| path.strip_suffix(ending)).unwrap_or(path);
    let stem = Path::new(packed).file_stem().unwrap_or(packed.as_ref());
    escaped(stem.to_string_lossy().as_bytes())
}

fn all_differ<T: PartialEq>(items: &[T]) -> bool {
    (1..items.len()).all(|index| !items[..index].contains(&items[index]))
}

/// Numbers names that are still equal: one file given twice, or a tag that is another's stem.
fn numbered(names: Vec<String>) -> Vec<String> {
    let earlier = |index: usize| names[..index].iter().filter(|name| **name == names[index]).count();
    let number = |index: usize| match earlier(index) {
        0 => names[index].clone(),
        count => format!("{} ({})", names[index], count + 1),
    };
    (0..names.len()).map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(runs: &[(&str, Option<&str>)]) -> Vec<String> {
        let runs: Vec<_> = runs.iter().map(|(text, tag)| (RunArgument::parse(text), tag.map(str::to_owned))).collect();
        assign(&runs).unwrap()
    }

    #[test]
    fn the_stem_comes_before_the_tag_and_the_tag_before_the_path() {
        assert_eq!(names(&[("runs/bm25.trec.gz", Some("tag"))]), ["bm25"]);
        assert_eq!(names(&[("a/run.txt", Some("x")), ("b/run.txt", Some("y"))]), ["x", "y"]);
        assert_eq!(names(&[("a/run.txt", Some("x")), ("b/run.txt", Some("x"))]), ["a/run.txt", "b/run.txt"]);
        assert_eq!(names(&[("run.a.txt", None), ("run.b.txt", None)]), ["run.a", "run.b"]);
        assert_eq!(names(&[("/dev/fd/63", None), ("/dev/fd/62", Some("x"))]), ["run1", "run2"]);
        assert_eq!(names(&[("run.txt", None), ("run.csv", None)]), ["run.txt", "run.csv"]);
    }

    #[test]
    fn a_given_name_wins_and_one_file_can_be_given_twice() {
        assert_eq!(names(&[("base=a.txt", None), ("b.txt", None)]), ["base", "b"]);
        assert_eq!(names(&[("a.txt", None), ("a.txt", None)]), ["a.txt", "a.txt (2)"]);
    }

    #[test]
    fn the_same_given_name_twice_is_refused() {
        let runs = ["x=a", "x=b"].map(|text| (RunArgument::parse(text), None));
        assert!(assign(&runs).is_err());
    }
}
