//! The outputs that trec_eval's makers publish with it, and one of a search toolkit.

use std::fs;

use crate::{printed, shared};

/// One published output: the pair of files, the arguments, and the file.
struct Published {
    pair: &'static str,
    arguments: &'static str,
    output: &'static str,
}

const fn published(pair: &'static str, arguments: &'static str, output: &'static str) -> Published {
    Published { pair, arguments, output }
}

#[rustfmt::skip]
const OUTPUTS: &[Published] = &[
    published("te-results-test", "", "out.test"),
    published("te-results-test", "-m all_trec", "out.test.a"),
    published("te-results-test", "-m all_trec -q", "out.test.aq"),
    published("te-results-test", "-q -m all_trec -Z @published/zscores_file", "out.test.aqZ"),
    published(
        "te-results-test",
        "-q -miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 -m Rprec_mult.5.0,0.2,0.35 \
         -mutility.2,-1,0,0 -m 11pt_avg..25,.5,.75 -mndcg.1=3,2=9,4=4.5 -mndcg_cut.10,20,23.4 -msuccess.2,5,20",
        "out.test.meas_params",
    ),
    published("te-qrels-with-comments", "", "out.test"),
    published("te-rel-level", "-m all_trec -mrelstring.20 -q -l2", "out.test.aql"),
    published("te-trunc", "-m all_trec -q -c", "out.test.aqc"),
    published("te-trunc", "-m all_trec -q -c -M100", "out.test.aqcM"),
];

/// Lines that differ on purpose: the tail of the residual, where a query has no unjudged result.
fn differs_on_purpose(line: &str) -> bool {
    line.starts_with("rbp_resid") || line.starts_with("Zrbp_resid")
}

/// The files of a pair: labels and run.
fn files(folder: &std::path::Path) -> [String; 2] {
    let names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path().to_str().unwrap().to_owned()).collect();
    ["/qrels.orig.", "/run.orig."].map(|part| names.iter().find(|name| name.contains(part)).unwrap().clone())
}

fn run(folder: &std::path::Path, arguments: &str) -> String {
    let word = |word: &str| match word.strip_prefix('@') {
        Some(path) => folder.join(path).to_str().unwrap().to_owned(),
        None => word.to_owned(),
    };
    printed(arguments.split_whitespace().map(word).chain(files(folder)))
}

#[test]
fn what_trec_eval_publishes_is_printed_byte_for_byte() {
    let Some(data) = shared("data/pairs") else { return };
    for Published { pair, arguments, output } in OUTPUTS {
        let folder = data.join(pair);
        let expected = fs::read_to_string(folder.join("published").join(output)).unwrap();
        let ours = run(&folder, arguments);
        assert_eq!(ours.lines().count(), expected.lines().count(), "{pair} {output}");
        for (number, (ours, theirs)) in (1..).zip(ours.lines().zip(expected.lines())) {
            if differs_on_purpose(theirs) {
                let until_value = |line: &str| line[..line.rfind('\t').unwrap()].to_owned();
                assert_eq!(until_value(ours), until_value(theirs), "{pair} {output}:{number}");
            } else {
                assert_eq!(ours, theirs, "{pair} {output}:{number}");
            }
        }
    }
}

#[test]
fn the_tail_of_the_residual_is_all_that_differs_in_them() {
    let Some(data) = shared("data/pairs") else { return };
    let folder = data.join("te-results-test");
    let expected = fs::read_to_string(folder.join("published/out.test.aq")).unwrap();
    let ours = run(&folder, "-m all_trec -q");
    let residuals = |text: &str| -> Vec<f64> {
        let lines = text.lines().filter(|line| line.starts_with("rbp_resid") && !line.contains("\tall\t"));
        lines.map(|line| line.rsplit('\t').next().unwrap().trim().parse().unwrap()).collect()
    };
    let (ours, theirs) = (residuals(&ours), residuals(&expected));
    assert!(!ours.is_empty());
    for (ours, theirs) in ours.iter().zip(theirs) {
        // p^500 is below what is printed.
        assert!((ours - theirs).abs() < 1e-9, "{ours} {theirs}");
    }
}

#[test]
fn an_evaluation_by_version_9_is_printed_byte_for_byte_with_like_9() {
    let Some(data) = shared("data/pairs") else { return };
    let folder = data.join("dlhard-passage-bm25rm3");
    let expected = fs::read_to_string(folder.join("published/bm25+rm3.run.eval")).unwrap();
    let ours = run(&folder, "-q -c -l 2 -m all_trec --like 9");
    for (number, (ours, theirs)) in (1..).zip(ours.lines().zip(expected.lines())) {
        assert_eq!(ours, theirs, "line {number}");
    }
    assert_eq!(ours.lines().count(), expected.lines().count());
}
