//! Help, and the way in.

use snapbox::str;
use unicode_width::UnicodeWidthStr;

use crate::world::World;

#[test]
fn the_bare_command_shows_the_way() {
    World::new().shows(
        "",
        str![[r#"

exit status 0
--- stdout
raglens measures retrieval: labels and runs in, every measure out.

  raglens eval qrels.txt run.txt                  every measure of a run
  raglens eval labels.jsonl bm25.trec new.trec    several runs side by side
  raglens queries labels.jsonl run.csv --worst 5  which queries fail?
  raglens compare a.trec b.trec --qrels q.txt     is the difference real?
  raglens explain ndcg@5                          what does a number mean?

`raglens eval -h` shows the most used options, `raglens eval --help` all.

"#]],
    );
}

#[test]
fn short_help_fits_one_screen() {
    World::new().shows(
        "eval -h",
        str![[r#"

exit status 0
--- stdout
Measure one or several runs against labels

Usage: raglens eval [OPTIONS] <LABELS> [RUN]...

Arguments:
  <LABELS>  Labels (qrels), or one file with labels and results side by side
  [RUN]...  Runs; name=path gives one a name, - is standard input

Measures:
  -m, --metric <M>   Measures such as recall@5,ndcg@10; `all` for every one
  -k, --cutoffs <K>  Cutoffs for measures without an @ [default: 5,10]
  -q, --per-query    Show a row per query
      --by <TAG>     Look at slices by tag too; a*b crosses two tags

Gates:
      --min <EXPR>  Exit 1 where a run's mean misses a limit: 'recall@5>=0.6'

Conventions:
      --rel <GRADE>     Grade from which a document is relevant [default: 1]
      --collapse <SEP>  Cut ids at the last SEP (doc#3 to doc), best chunk kept

Output:
      --format <FORMAT>  text, json, jsonl, csv, tsv, md or trec [default: text]
  -o, --output <FILE>    Write the results to a file
      --save <FILE>      Save every query's values, to compare or rescore

Report:
      --report <KIND[=PATH]>  Write a report, too: html[=PATH]

General:
  -v, --verbose  Say what each file was read as, and how long it took
  -h, --help     Show the most used options; --help shows all

"#]],
    );
}

#[test]
fn long_help_begins_with_examples_and_groups_options() {
    let help = World::new().run("eval --help").stdout;
    assert!(help.starts_with("Examples:\n  raglens eval "), "{help}");
    for heading in ["Measures:", "Intervals:", "Conventions:", "Ids of runs:", "Reading:", "Output:", "General:"] {
        assert!(help.contains(&format!("\n{heading}\n")), "{heading}");
    }
}

#[test]
fn every_command_that_is_shown_exists() {
    let world = World::new();
    let help = world.run("--help").stdout;
    let commands = help.split("\nOptions:").next().unwrap().lines().filter(|line| line.starts_with("  "));
    let commands = commands.filter(|line| !line.trim_start().starts_with("raglens"));
    let names: Vec<&str> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains(&"eval"), "{help}");
    for name in names {
        assert_eq!(world.run(&format!("{name} -h")).status, Some(0), "{name}");
    }
}

#[test]
fn the_version_is_one_line() {
    World::new().shows(
        "--version",
        str![[r#"

exit status 0
--- stdout
raglens 0.1.0

"#]],
    );
}

#[test]
fn a_command_that_does_not_exist() {
    World::new().shows(
        "evaluate labels.txt good.trec",
        str![[r#"

exit status 2
--- stderr
error: unrecognized subcommand 'evaluate'

  tip: a similar subcommand exists: 'eval'

Usage: raglens <COMMAND> [OPTIONS]

For more information, try '--help'.

"#]],
    );
}

#[test]
fn help_fits_into_eighty_columns() {
    let world = World::new();
    for arguments in ["-h", "--help", "eval -h", "eval --help"] {
        for line in world.run(arguments).stdout.lines() {
            assert!(line.width() <= 80, "{arguments}: {line}");
        }
    }
}

#[test]
fn help_is_a_command_too() {
    let world = World::new();
    assert_eq!(world.run("help").status, Some(0));
    assert!(world.run("help eval").stdout.contains("Usage: raglens eval"));
}
