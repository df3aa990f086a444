//! `raglens trec_eval` against what trec_eval printed, letter by letter, and on inputs at which
//! trec_eval stops.
#![allow(clippy::print_stderr, reason = "a test that was left out says so")]

mod arguments;
mod edges;
mod groups;
mod pairs;
mod published;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs the command in the folder of the project.
fn trec_eval<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raglens"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).arg("trec_eval").args(arguments).output().unwrap()
}

/// What it prints; it must end well.
fn printed<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> String {
    let output = trec_eval(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A folder of the data beside the crate, which belong to others; `None`, with a line that says
/// so, when it is not there.
fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(folder);
    if !path.is_dir() {
        eprintln!("left out: there is no {}", path.display());
        return None;
    }
    Some(path)
}

/// The status and both outputs, for messages.
fn shown(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{:?}\n{}{}", output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// A folder with the labels and the run that a test is about.
struct Files(tempfile::TempDir);

impl Files {
    fn new(labels: &str, run: &str) -> Self {
        let files = Self(tempfile::tempdir().unwrap());
        files.with("labels", labels).with("run", run)
    }

    fn with(self, name: &str, text: &str) -> Self {
        std::fs::write(self.path(name), text).unwrap();
        self
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Runs the command on labels and run, with options in front.
    fn run(&self, options: &str) -> Output {
        let words = options.split_whitespace().map(|word| match word.strip_prefix('@') {
            Some(name) => self.path(name),
            None => word.to_owned(),
        });
        trec_eval(words.chain([self.path("labels"), self.path("run")]))
    }

    /// The lines `name query value` that it prints, with one blank between.
    fn lines(&self, options: &str) -> Vec<String> {
        let output = self.run(options);
        assert!(output.status.success(), "{options}: {}", shown(&output));
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }

    fn status(&self, options: &str) -> Option<i32> {
        self.run(options).status.code()
    }
}
