//! Where labels come from: the option, the environment, `raglens.toml`.

use std::fmt;
use std::path::PathBuf;

use crate::cli::config::Config;
use crate::cli::failure::Failure;
use crate::cli::shell::{LABELS, word};

/// A path of labels, and who named it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The path.
    pub path: String,
    /// Who named it.
    pub by: NamedBy,
}

/// Who named the labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NamedBy {
    /// An option of the command line.
    Option,
    /// The environment.
    Environment,
    /// A configuration file.
    Config(PathBuf),
}

impl fmt::Display for NamedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option => f.write_str("--labels"),
            Self::Environment => f.write_str(LABELS),
            Self::Config(path) => write!(f, "{}", path.display()),
        }
    }
}

/// The labels that are named first: by the option, the environment, the configuration.
pub fn named(option: Option<&String>, config: Option<&Config>) -> Option<Named> {
    let of_option = option.map(|path| Named { path: path.clone(), by: NamedBy::Option });
    of_option.or_else(of_environment).or_else(|| config.and_then(of_config))
}

fn of_environment() -> Option<Named> {
    let path = std::env::var_os(LABELS).filter(|path| !path.is_empty())?;
    Some(Named { path: path.to_string_lossy().into_owned(), by: NamedBy::Environment })
}

fn of_config(config: &Config) -> Option<Named> {
    let path = config.labels.as_ref()?.to_string_lossy().into_owned();
    Some(Named { path, by: NamedBy::Config(config.path.clone()) })
}

/// The failure of runs without labels, with the command that was meant.
pub fn missing(run: &str) -> Failure {
    let command = command(|_| true);
    let title = format!("{run} is a run, and scoring it takes labels");
    let ways = format!("name the labels with --qrels, in {LABELS}, or in raglens.toml:");
    Failure::new(title, format!("{ways}\nraglens {command} --qrels FILE"))
}

/// What to do about labels that stand where a run should: the command that was meant.
pub fn in_place_of_run(path: &str) -> String {
    let command = command(|word| word != path);
    format!("`compare` takes labels as an option:\nraglens {command} --qrels {}", word(path))
}

/// The command that was typed, or some of its words.
fn command(keep: impl Fn(&str) -> bool) -> String {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    words.filter(|word| keep(word)).map(|text| word(&text)).collect::<Vec<String>>().join(" ")
}

/// The failure of tags without labels.
pub fn missing_tags() -> Failure {
    Failure::new("`--by` needs the tags of the queries", "tags stand in the labels: add --qrels FILE")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_comes_before_the_configuration() {
        let config = Config { path: "raglens.toml".into(), labels: Some("qrels.txt".into()), primary: None };
        let of_config = of_config(&config).unwrap();
        assert_eq!((of_config.path.as_str(), of_config.by.to_string()), ("qrels.txt", "raglens.toml".to_owned()));
        assert_eq!(named(Some(&"mine".to_owned()), Some(&config)).unwrap().by, NamedBy::Option);
    }
}
