//! What holds for every output: at most 80 columns, the same bytes every time.

use unicode_width::UnicodeWidthStr;

use crate::world::{GOOD, World};

const SHAPES: [&str; 8] = [
    "eval labels.txt good.trec",
    "eval labels.txt good.trec -k 1,2,3,4,5,10,20,50,100 --dist -q",
    "eval labels.txt good.trec -m all -q --dist",
    "eval labels.txt good.trec poor.trec",
    "eval labels.txt good.trec poor.trec -m all -k 1,10,100,1000 -q --dist",
    "eval labels.txt good.trec poor.trec a-run-with-a-name-that-is-far-too-long-for-any-table-of-eighty-columns.trec",
    "eval labels.txt good.trec --rel 4",
    "eval labels.txt good.trec --digits 9 -k 1,5,10 -q",
];

fn world() -> World {
    World::new().with("a-run-with-a-name-that-is-far-too-long-for-any-table-of-eighty-columns.trec", GOOD)
}

#[test]
fn text_fits_into_eighty_columns() {
    let world = world();
    for arguments in SHAPES {
        let ran = world.run(arguments);
        for line in ran.stdout.lines().chain(ran.stderr.lines()) {
            // A name is never broken, so that it can be copied.
            let has_long_name = line.split_whitespace().any(|word| word.width() > 60);
            assert!(line.width() <= 80 || has_long_name, "{arguments}: {} columns: {line}", line.width());
            assert_eq!(line, line.trim_end(), "{arguments}");
        }
    }
}

#[test]
fn no_output_has_two_empty_lines_or_a_nan() {
    let world = world();
    for arguments in SHAPES {
        let ran = world.run(arguments);
        assert!(!ran.stdout.contains("\n\n\n"), "{arguments}\n{ran}");
        assert!(!ran.stdout.to_lowercase().contains("nan"), "{arguments}\n{ran}");
        assert!(!ran.stdout.contains("-0.0"), "{arguments}\n{ran}");
    }
}

#[test]
fn the_same_command_gives_the_same_bytes_with_any_number_of_threads() {
    let world = world();
    let bootstrap = "eval labels.txt good.trec poor.trec -m map --ci bootstrap --bootstrap 500 -q";
    for arguments in SHAPES.into_iter().chain([bootstrap]) {
        for format in ["text", "json"] {
            let arguments = format!("{arguments} --format {format}");
            let first = world.run(&arguments).to_string();
            for threads in [1, 2, 8] {
                let ran = world.run(&format!("{arguments} --threads {threads}"));
                assert_eq!(ran.to_string(), first, "{arguments} --threads {threads}");
            }
        }
    }
}

#[test]
fn the_order_of_lines_moves_no_number() {
    let world = World::new();
    let reversed: String = GOOD.lines().rev().map(|line| format!("{line}\n")).collect();
    let labels: String = crate::world::LABELS.lines().rev().map(|line| format!("{line}\n")).collect();
    let world = world.with("reversed.trec", reversed).with("reversed.txt", labels);
    let first = world.run("eval labels.txt x=good.trec -m all --format csv --quiet").stdout;
    assert_eq!(world.run("eval reversed.txt x=reversed.trec -m all --format csv --quiet").stdout, first);
}
