//! Every `console` block of README.md, CONTRIBUTING.md and docs/pipeline.md, run with the built
//! binary from the top of the crate: what it prints must be what the page shows.
//!
//! A block holds commands that start with `$ `, each followed by what it prints on stdout. A line
//! that ends in `\` goes on in the next. `$ echo $?` shows the exit code of the command before.
//! Where a command says something on stderr too, the page leaves it out, unless the command ends
//! in `2>&1`. Each block starts at the top again; `cd` holds to its end. To bring the page up to date after a change of output:
//!
//! ```text
//! UPDATE_README=1 cargo test --test readme
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program that the README shows.
mod example {
    #![allow(clippy::print_stdout, reason = "it prints its result")]

    include!("readme/example.rs");

    #[test]
    fn the_program_of_the_readme_runs_as_it_stands_there() {
        let page = std::fs::read_to_string(format!("{}/README.md", super::ROOT)).unwrap();
        let program = include_str!("readme/example.rs");
        assert!(page.contains(&format!("```rust\n{program}```")), "tests/readme/example.rs is another program");
        main().unwrap();
    }
}

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// One command of a page with what should follow it.
struct Step {
    /// The line of the page, from 1.
    line: usize,
    command: String,
    /// The lines of the page that hold the command.
    shown: String,
    printed: String,
}

/// The text of a page, cut into what stands between console blocks and the steps of the blocks.
enum Part {
    Prose(String),
    Block(Vec<Step>),
}

fn parts(page: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut prose = String::new();
    let mut lines = page.lines().zip(1..).peekable();
    while let Some((line, _)) = lines.next() {
        prose += &format!("{line}\n");
        if line != "```console" {
            continue;
        }
        parts.push(Part::Prose(std::mem::take(&mut prose)));
        let mut steps: Vec<Step> = Vec::new();
        for (line, number) in lines.by_ref() {
            let goes_on = steps.last().is_some_and(|step| step.command.ends_with('\\'));
            if line == "```" {
                prose += "```\n";
                break;
            } else if let Some(command) = line.strip_prefix("$ ") {
                let shown = format!("{line}\n");
                steps.push(Step { line: number, command: command.to_owned(), shown, printed: String::new() });
            } else if goes_on {
                let step = steps.last_mut().unwrap();
                step.command.pop();
                step.command += line.trim_start();
                step.shown += &format!("{line}\n");
            } else {
                let step = steps.last_mut().unwrap_or_else(|| panic!("line {number}: output before a command"));
                step.printed += &format!("{line}\n");
            }
        }
        parts.push(Part::Block(steps));
    }
    parts.push(Part::Prose(prose));
    parts
}

/// Words of a command line; quotes keep blanks together.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![];
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), c) if c == open => quote = None,
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Runs one command line: raglens, or cargo run with the arguments of raglens behind `--`.
fn run(step: &Step, folder: &mut PathBuf, last_code: &mut i32) -> Option<String> {
    let mut arguments = words(&step.command);
    if step.command == "echo $?" {
        return Some(format!("{last_code}\n"));
    }
    if let Some(sub) = step.command.strip_prefix("cd ") {
        folder.push(sub);
        return Some(String::new());
    }
    let with_stderr = arguments.last().is_some_and(|word| word == "2>&1");
    if with_stderr {
        arguments.pop();
    }
    let arguments = match arguments.first().map(String::as_str) {
        Some("raglens") => &arguments[1..],
        Some("cargo") => match arguments.iter().position(|word| word == "--") {
            Some(position) if arguments[1] == "run" => &arguments[position + 1..],
            // `cargo test` and `cargo install` are not run from inside a test.
            _ => return None,
        },
        _ => panic!("line {}: the test cannot run `{}`", step.line, step.command),
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_raglens"));
    command
        .current_dir(&*folder)
        .args(arguments)
        .env_remove("RAGLENS_QRELS")
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C.UTF-8");
    let output = command.output().unwrap();
    *last_code = output.status.code().unwrap();
    let mut printed = String::from_utf8(output.stdout).unwrap();
    if with_stderr {
        printed += &String::from_utf8(output.stderr).unwrap();
    }
    Some(printed)
}

/// A copy of what the pages use, so that a command that writes a file writes it elsewhere.
fn working_copy() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let fixtures = folder.path().join("fixtures");
    for sub in ["", "handbook", "odd", "rag", "scores", "worked"] {
        fs::create_dir(fixtures.join(sub)).unwrap();
        for entry in fs::read_dir(Path::new(ROOT).join("fixtures").join(sub)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                fs::copy(&path, fixtures.join(sub).join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    folder
}

/// Runs all steps of a page; gives back the page as it should be, and how many commands were run.
fn replay(page: &str) -> (String, usize) {
    let top = working_copy();
    let (mut fresh, mut commands, mut last_code) = (String::new(), 0, 0);
    for part in parts(page) {
        match part {
            Part::Prose(text) => fresh += &text,
            Part::Block(steps) => {
                let mut folder = top.path().to_owned();
                for step in steps {
                    fresh += &step.shown;
                    fresh += &run(&step, &mut folder, &mut last_code).unwrap_or(step.printed);
                    commands += 1;
                }
            }
        }
    }
    (fresh, commands)
}

fn check(name: &str, at_least: usize) {
    let path = Path::new(ROOT).join(name);
    let page = fs::read_to_string(&path).unwrap();
    let (fresh, commands) = replay(&page);
    assert!(commands >= at_least, "only {commands} commands in {name}");
    if std::env::var_os("UPDATE_README").is_some() {
        fs::write(&path, &fresh).unwrap();
        return;
    }
    for ((shown, printed), number) in page.lines().zip(fresh.lines()).zip(1..) {
        assert_eq!(shown, printed, "{name}:{number} is not what the command prints");
    }
    assert_eq!(page, fresh, "{name} is not what the commands print");
}

#[test]
fn the_page_about_pipelines_shows_what_the_commands_print() {
    check("docs/pipeline.md", 5);
}

#[test]
fn the_readme_shows_what_the_commands_print() {
    check("README.md", 8);
}

#[test]
fn the_readme_shows_no_line_longer_than_a_terminal() {
    let page = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    for part in parts(&page) {
        if let Part::Block(steps) = part {
            for line in steps.iter().flat_map(|step| step.printed.lines()) {
                assert!(line.chars().count() <= 80, "{line}");
            }
        }
    }
}

#[test]
fn the_two_commands_of_the_readme_stand_in_the_checks() {
    let page = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let checks = fs::read_to_string(Path::new(ROOT).join(".ci/run")).unwrap();
    let commands: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("$ cargo ")).collect();
    assert!(commands.len() >= 2);
    for command in commands.iter().filter(|command| !command.starts_with("install")) {
        assert!(checks.contains(command), "`cargo {command}` is not in .ci/run");
    }
}
