//! A folder with small files, and the binary run in it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use snapbox::IntoData;
use tempfile::TempDir;

/// Labels of three queries; `q3` has no relevant document.
pub const LABELS: &str = "\
q1 0 d1 3
q1 0 d2 0
q1 0 d3 1
q2 0 d1 0
q2 0 d4 1
q3 0 d5 0
";

/// A run that answers the queries, and one that has no labels.
pub const GOOD: &str = "\
q1 Q0 d1 1 9.0 good
q1 Q0 d2 2 8.0 good
q1 Q0 d9 3 7.0 good
q1 Q0 d3 4 6.0 good
q2 Q0 d9 1 9.0 good
q2 Q0 d4 2 8.0 good
q3 Q0 d5 1 9.0 good
q9 Q0 d1 1 9.0 good
";

/// A run that does not answer `q2`.
pub const POOR: &str = "\
q1 Q0 d8 1 9.0 poor
q1 Q0 d3 2 8.0 poor
q3 Q0 d5 1 9.0 poor
";

/// A folder of its own.
pub struct World {
    folder: TempDir,
}

impl World {
    /// A folder with `labels.txt`, `good.trec` and `poor.trec`.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        Self { folder }.with("labels.txt", LABELS).with("good.trec", GOOD).with("poor.trec", POOR)
    }

    /// The folder with one more file.
    pub fn with(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The binary in the folder, in an environment that says nothing but that text is UTF-8.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_raglens"));
        command.args(words(arguments)).current_dir(self.folder.path());
        command.env_clear().env("LANG", "C.UTF-8").stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &str) -> Ran {
        Ran::from(self.command(arguments).output().unwrap())
    }

    pub fn run_with_stdin(&self, arguments: &str, text: &str) -> Ran {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        Ran::from(child.wait_with_output().unwrap())
    }

    /// Compares exit status, standard output and standard error with a snapshot.
    #[track_caller]
    pub fn shows(&self, arguments: &str, expected: impl IntoData) {
        let assert = snapbox::Assert::new().action_env("SNAPSHOTS").normalize_paths(false);
        assert.eq(self.run(arguments).to_string(), expected);
    }
}

/// What a command left behind.
pub struct Ran {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
        Self { status: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let status = self.status.map_or_else(|| "none".to_owned(), |status| status.to_string());
        write!(f, "\nexit status {status}\n")?;
        for (name, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !text.is_empty() {
                write!(f, "--- {name}\n{text}")?;
            }
        }
        Ok(())
    }
}

/// Words as a shell would split them; single quotes keep words together.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in text.split('\'').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}
