//! Standard input, standard output and colour.

use std::io::Read;
use std::process::Stdio;

use crate::world::{GOOD, LABELS, World};

#[test]
fn a_reader_that_goes_away_ends_the_command_silently() {
    let world = World::new();
    let mut command = world.command("eval labels.txt good.trec -q -m all --format json");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(!stderr.contains("error") && !stderr.contains("panic"), "{stderr}");
}

#[test]
fn labels_or_a_run_come_from_standard_input() {
    let world = World::new();
    let expected = world.run("eval labels.txt good.trec -m map --format csv").stdout;
    let run = world.run_with_stdin("eval labels.txt good=- -m map --format csv", GOOD);
    let labels = world.run_with_stdin("eval - good.trec -m map --format csv", LABELS);
    assert_eq!([run.stdout, labels.stdout], [expected.clone(), expected]);
    let twice = world.run_with_stdin("eval - -", LABELS);
    assert_eq!(twice.stderr, "error: standard input (`-`) can be read only once\n");
}

#[test]
fn colour_is_for_those_who_want_it() {
    let world = World::new();
    let arguments = "eval labels.txt good.trec poor.trec -q";
    let coloured = |variable: &str, value: &str, arguments: &str| {
        let output = world.command(arguments).env(variable, value).output().unwrap();
        (output.stdout.contains(&0x1b), output.stderr.contains(&0x1b))
    };
    assert_eq!(coloured("A", "1", arguments), (false, false));
    assert_eq!(coloured("CLICOLOR_FORCE", "1", arguments), (true, true));
    assert_eq!(coloured("A", "1", &format!("{arguments} --color always")), (true, true));
    assert_eq!(coloured("NO_COLOR", "1", &format!("{arguments} --color always")), (true, true));
    assert_eq!(coloured("CLICOLOR_FORCE", "1", &format!("{arguments} --color never")), (false, false));
}

#[test]
fn colour_changes_nothing_else() {
    let world = World::new();
    let plain = world.run("eval labels.txt good.trec poor.trec -q --dist");
    let coloured = world.run("eval labels.txt good.trec poor.trec -q --dist --color always");
    let stripped = anstream::adapter::strip_str(&coloured.stdout).to_string();
    assert_eq!(stripped, plain.stdout);
}

#[test]
fn results_and_messages_go_to_different_streams() {
    let ran = World::new().run("eval labels.txt good.trec --format json");
    assert!(ran.stderr.starts_with("note["), "{ran}");
    assert!(serde_json::from_str::<serde_json::Value>(&ran.stdout).is_ok(), "{ran}");
    assert_eq!(World::new().run("eval labels.txt good.trec --quiet").stderr, "");
}

#[test]
fn verbose_says_what_files_were_read_as() {
    let ran = World::new().run("eval labels.txt good.trec -v");
    assert!(ran.stderr.starts_with("file: labels.txt is read as TREC qrels"), "{ran}");
    assert!(ran.stderr.contains("\nfile: good.trec is read as TREC run"), "{ran}");
    assert!(ran.stderr.lines().last().unwrap().starts_with("time: 0."), "{ran}");
}

#[test]
fn a_run_from_a_pipe_that_shares_no_document_is_warned_of_as_a_file_is() {
    let world = World::new().with("chunks.trec", "q1 Q0 d1#1 1 9.0 t\nq2 Q0 d4#2 1 9.0 t\n");
    let file = world.run("eval labels.txt x=chunks.trec -m recall@5");
    assert!(file.stderr.contains("W006"), "{file}");
    let piped = world.run_with_stdin("eval labels.txt x=- -m recall@5", &world.read("chunks.trec"));
    assert_eq!(piped.to_string(), file.to_string());
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_opened_once() {
    let world = World::new().with("chunks.trec", "q1 Q0 d1#1 1 9.0 t\nq2 Q0 d4#2 1 9.0 t\n");
    let shell = |run: &str| {
        let script = format!("mkfifo pipe; {run}; rm pipe");
        let raglens = env!("CARGO_BIN_EXE_raglens");
        let mut command = std::process::Command::new("sh");
        command.current_dir(world.path(".")).args(["-c", &script]).env("RAGLENS", raglens);
        String::from_utf8(command.output().unwrap().stderr).unwrap()
    };
    let streamed = shell("cat chunks.trec > pipe & $RAGLENS eval labels.txt pipe -m recall@5");
    assert!(streamed.contains("W006"), "{streamed}");
    let swapped = shell("cat labels.txt > pipe & $RAGLENS eval good.trec pipe --save s.json");
    assert!(swapped.contains("E007"), "{swapped}");
}

#[test]
fn a_number_of_threads_that_makes_no_sense_is_refused() {
    let world = World::new();
    assert_eq!(world.run("eval labels.txt good.trec --threads 256").status, Some(0));
    let ran = world.run("eval labels.txt good.trec --threads 4000");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("1..=256"), "{ran}");
}

#[test]
fn verbose_names_standard_input_and_the_packing_and_no_file_twice() {
    let rows = "{\"query\":\"how?\",\"expected_ids\":[\"n1\"],\"retrieved_ids\":[\"n7\",\"n1\"]}\n";
    let world = World::new().with("rows.jsonl", rows);
    let both = world.run("eval rows.jsonl -m mrr -v").stderr;
    assert_eq!(both.matches("file: ").count(), 1, "{both}");
    let piped = world.run_with_stdin("eval labels.txt - -m mrr -v", GOOD).stderr;
    assert!(piped.contains("file: standard input is read as TREC run"), "{piped}");
}

#[test]
fn json_holds_no_character_that_a_terminal_acts_on() {
    let world = World::new().with("odd.txt", "q\u{9b}1 0 d\u{202e}1 1\n").with("odd.trec", "q\u{9b}1 Q0 d 1 1 t\n");
    for format in ["json", "jsonl"] {
        let ran = world.run(&format!("eval odd.txt odd.trec -m mrr -q --format {format}"));
        assert!(ran.stdout.contains("q\\u009b1") && !ran.stdout.contains(['\u{9b}', '\u{202e}']), "{ran}");
    }
}
