//! `raglens.toml`, looked for in the working folder and upward. Commands other than `gate` take
//! the path of the labels and the primary measure from it, and say so.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::failure::Failure;
use crate::render::errors::Message;

/// The name of the file.
const NAME: &str = "raglens.toml";

/// What is taken from the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The file.
    pub path: PathBuf,
    /// The labels, seen from the working folder.
    pub labels: Option<PathBuf>,
    /// The measure that matters most.
    pub primary: Option<String>,
}

#[derive(Deserialize)]
struct Document {
    labels: Option<PathBuf>,
    primary: Option<String>,
}

impl Config {
    /// The nearest file from a folder upward; `None` when there is none.
    ///
    /// # Errors
    /// When it cannot be read or is not TOML.
    pub fn find(folder: &Path) -> Result<Option<Self>, Failure> {
        let candidates = folder.ancestors().map(|folder| folder.join(NAME));
        candidates.into_iter().find(|path| path.is_file()).map(|path| Self::read(&path, folder)).transpose()
    }

    fn read(path: &Path, folder: &Path) -> Result<Self, Failure> {
        let shown = near(path, folder);
        let fault = |reason: String| Message::new(format!("{} {reason}", shown.display()));
        let text = std::fs::read_to_string(path)
            .map_err(|error| fault(format!("cannot be read: {}", crate::render::errors::reason(&error))))?;
        let document: Document =
            toml::from_str(&text).map_err(|error| fault(format!("is not valid: {}", error.message())))?;
        let beside = |labels: PathBuf| near(&path.with_file_name("").join(labels), folder);
        Ok(Self { path: shown, labels: document.labels.map(beside), primary: document.primary })
    }
}

/// The path without the folder in front, where it lies in it.
fn near(path: &Path, folder: &Path) -> PathBuf {
    path.strip_prefix(folder).unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_file_counts_and_its_paths_start_where_it_lies() {
        let top = tempfile::tempdir().unwrap();
        let inner = top.path().join("a/b");
        std::fs::create_dir_all(&inner).unwrap();
        let text = "labels = \"eval/qrels.jsonl\"\nprimary = \"recall@5\"\nk = [5, 10]\n[gate]\nseed = 0\n";
        std::fs::write(top.path().join(NAME), text).unwrap();
        let config = Config::find(&inner).unwrap().unwrap();
        assert_eq!(config.labels, Some(top.path().join("eval/qrels.jsonl")));
        assert_eq!(config.primary.as_deref(), Some("recall@5"));
        let here = Config::find(top.path()).unwrap().unwrap();
        assert_eq!((here.path.as_path(), here.labels), (Path::new(NAME), Some(PathBuf::from("eval/qrels.jsonl"))));
    }

    #[test]
    fn what_is_no_toml_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(NAME), "labels = \n").unwrap();
        assert!(Config::find(folder.path()).is_err());
    }
}
