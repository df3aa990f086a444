//! `raglens compare` on odd scores: it ends well, in sensible words.

use std::process::{Command, Output};

/// Two files of one measure, compared in every way.
fn compare(a: &str, b: &str, options: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let file = |scores: &str| {
        let rows = scores.split_whitespace().enumerate().map(|(i, score)| format!("q{i},{score},0\n"));
        format!("query_id,x,constant\n{}", rows.collect::<String>())
    };
    std::fs::write(folder.path().join("a.csv"), file(a)).unwrap();
    std::fs::write(folder.path().join("b.csv"), file(b)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_raglens"));
    command.current_dir(folder.path()).args(["compare", "a.csv", "b.csv", "--resamples", "1000"]);
    command.args(options.split_whitespace()).env_remove("RAGLENS_QRELS").output().unwrap()
}

const CORNERS: [(&str, &str, &str); 9] = [
    ("identical", "0.1 0.2 0.3", "0.1 0.2 0.3"),
    ("one query", "0.1", "0.9"),
    ("one query that is the same", "0.5", "0.5"),
    ("two queries", "0.1 0.2", "0.9 0.1"),
    ("the same rise everywhere", "0.1 0.2 0.3 0.4 0.5 0.6 0.7", "0.2 0.3 0.4 0.5 0.6 0.7 0.8"),
    ("missing values", "0.1 nan null 0.4", "0.2 0.3 NaN 0.5"),
    ("zeros and ones", "0 0 0 0 0 0 1", "1 1 1 1 1 1 0"),
    ("signed zeros", "-0.0 0.0 -0.0 1", "0.0 -0.0 -0.0 1"),
    ("far apart", "1e-9 2e-9 3e9 4", "1e9 2e-12 3e-9 5e5"),
];

#[test]
fn every_corner_ends_in_sensible_words() {
    for (name, a, b) in CORNERS {
        for options in [
            "",
            "--details --list --ci bca",
            "--ci t --alternative greater",
            "--p mid --adjust maxt",
            "--adjust tukey --alpha 0.01",
            "--format json",
            "--format csv",
            "--format md",
            "--format latex",
        ] {
            let output = compare(a, b, options);
            let text = String::from_utf8(output.stdout).unwrap();
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(0), "{name} {options}: {error}");
            for word in ["NaN", "inf", "-0.000 ", "-0,", "p 0.0 ", "None", "Some("] {
                assert!(!text.contains(word), "{name} {options}: {word} in\n{text}");
            }
        }
    }
}

#[test]
fn a_column_without_any_pair_is_named() {
    let output = compare("nan 0.5", "0.5 nan", "-m x");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("no query has a value on both sides"));
    let beside = compare("nan 0.5", "0.5 nan", "");
    let text = String::from_utf8(beside.stdout).unwrap();
    assert!(beside.status.code() == Some(0) && text.contains("n/a"), "{text}");
}

#[test]
fn the_words_of_the_corners() {
    let shown = |a: &str, b: &str| String::from_utf8(compare(a, b, "-m x").stdout).unwrap();
    assert!(shown("0.1 0.2", "0.1 0.2").contains("b and a have the same values on x."));
    assert!(shown("0.1", "0.9").contains("+0.800 (one query)"));
    let rise = shown("0.1 0.2 0.3 0.4 0.5 0.6 0.7", "0.2 0.3 0.4 0.5 0.6 0.7 0.8");
    assert!(rise.contains("+0.100 (all 7 equal)") && rise.contains("every query moved by the same"), "{rise}");
}
