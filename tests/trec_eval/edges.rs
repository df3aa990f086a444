//! What trec_eval stops or stumbles at: files, missing queries, Z scores.

use std::fmt::Write as _;
use std::fs;
use std::time::Instant;

use crate::{Files, shared, shown, trec_eval};

const RUN: &str = "q1 Q0 a 1 2.0 r\nq1 Q0 b 2 1.0 r\nq2 Q0 c 1 1.0 r\n";

#[test]
fn comments_and_blank_lines_may_stand_anywhere() {
    let plain = Files::new("q1 0 a 1\nq1 0 b 0\nq2 0 c 1\n", RUN).run("-q -m all_trec");
    assert!(plain.status.success());
    for labels in [
        "# one\n# two\nq1 0 a 1\nq1 0 b 0\nq2 0 c 1\n",
        "q1 0 a 1\n# one\n# two\n\n# three\nq1 0 b 0\nq2 0 c 1\n",
        "q1 0 a 1\nq1 0 b 0\n   \nq2 0 c 1\n# the end\n",
        "q1 0 a 1\nq1 0 b 0\nq2 0 c 1\n\n# the end",
        "\u{feff}q1 0 a 1\r\nq1 0 b 0\r\nq2 0 c 1\r\n",
    ] {
        let output = Files::new(labels, RUN).run("-q -m all_trec");
        assert_eq!(output.stdout, plain.stdout, "{labels}: {}", shown(&output));
    }
    let run = format!("# top\n\n{RUN}# end");
    assert_eq!(Files::new("q1 0 a 1\nq1 0 b 0\nq2 0 c 1\n", &run).run("-q -m all_trec").stdout, plain.stdout);
}

#[test]
fn no_grade_makes_it_crash() {
    for labels in [
        "q1 0 a 1000000000\nq2 0 c 1\n",
        "q1 0 a 9223372036854775807\nq2 0 c 1\n",
        "q1 0 a -1\nq2 0 c -2\n",
        "q1 0 a -2\nq1 0 b -2\nq2 0 c -1000000000\n",
        "q1 0 a 0\nq2 0 c 0\n",
        "q1 0 a 1\nq2 0 c 1\n",
    ] {
        for options in
            ["-q -m all_trec", "-q -c -m all_trec -l 5", "-J -q -m all_trec -m yaap -m dcg", "-l 0 -m all_trec"]
        {
            let output = Files::new(labels, RUN).run(options);
            assert_eq!(output.status.code(), Some(0), "{labels}{options}: {}", shown(&output));
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(
                !text.contains("nan") && !text.contains("inf\n") && !text.contains("NaN"),
                "{labels}{options}\n{text}"
            );
        }
    }
}

#[test]
fn malformed_numbers_are_errors_with_their_line_unless_they_are_to_be_read_as_c_does() {
    let cases = [
        ("q1 0 a 1.9\nq1 0 b 0\n", RUN, "1.9"),
        ("q1 0 b 0\nq1 0 a 1x\n", RUN, "1x"),
        ("q1 0 a 1\n", "q1 Q0 a 1 1,9 r\nq1 Q0 b 2 1,5 r\n", "1,9"),
        ("q1 0 a 1\n", "q1 Q0 a 1 3 r\nq1 Q0 b 2 abc r\n", "abc"),
        ("q1 0 a 1\n", "q1 Q0 a 1 nan r\n", "nan"),
    ];
    for (labels, run, fault) in cases {
        let files = Files::new(labels, run);
        let output = files.run("");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(fault) && text.contains("--lenient"), "{text}");
        assert_eq!(files.status("--lenient"), Some(0), "{labels}{run}");
    }
    // As C reads them, both scores are 1: the tie is broken by ids, and b comes first.
    let files = Files::new("q1 0 a 1\n", "q1 Q0 a 1 1,9 r\nq1 Q0 b 2 1,5 r\n");
    assert_eq!(files.lines("--lenient -m recip_rank"), ["recip_rank all 0.5000"]);
    let files = Files::new("q1 0 a 1.9\nq1 0 b abc\n", "q1 Q0 a 1 0x10 r\nq1 Q0 b 2 inf r\nq1 Q0 c 1 nan r\n");
    assert_eq!(files.lines("--lenient -m recip_rank -m num_rel"), ["num_rel all 1", "recip_rank all 0.5000"]);
}

#[test]
fn malformed_lines_end_with_2() {
    for (labels, run) in [
        ("q1 0 a\n", RUN),
        ("q1 0 a 1 5\n", RUN),
        ("", RUN),
        ("# nothing\n", RUN),
        ("q1 0 a 1\n", "q1 Q0 a 1 2.0\n"),
        ("q1 0 a 1\n", ""),
        ("q1 0 a 1\n", "# nothing\n"),
    ] {
        let output = Files::new(labels, run).run("");
        assert_eq!(output.status.code(), Some(2), "{labels}|{run}: {}", shown(&output));
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.starts_with("error") && !text.contains("--on-error") && !text.contains("--allow-empty"), "{text}");
    }
}

#[test]
fn documents_that_stand_twice_end_with_4() {
    let twice = "q1 Q0 a 1 3.0 r\nq1 Q0 b 2 2.0 r\nq1 Q0 a 3 1.0 r\n";
    let files = Files::new("q1 0 a 1\n", twice);
    assert_eq!(files.status(""), Some(4), "{}", shown(&files.run("")));
    assert_eq!(files.status("-M2"), Some(0), "what stands below the depth is not looked at");
    assert_eq!(
        Files::new(
            "q1 0 a 1\n",
            &format!("q9{}q1 Q0 a 1 1 r\n", twice.replace("\nq1", "\nq9").strip_prefix("q1").unwrap())
        )
        .status(""),
        Some(0),
        "nor what has no labels"
    );
    assert_eq!(Files::new("q1 0 a 1\nq1 0 a 0\n", RUN).status(""), Some(4));
    assert_eq!(Files::new("q1 0 a 1\nq1 0 a 1\n", RUN).status(""), Some(4));
}

#[test]
fn a_judged_query_without_results_is_left_out_and_named_or_counts_as_0() {
    let files = Files::new("q1 0 a 1\nq3 0 a 1\nq3 0 b 2\n", "q1 Q0 a 1 1 r\n");
    let output = files.run("-m map -m num_q -m num_rel");
    assert_eq!(String::from_utf8_lossy(&output.stdout).matches("1.0000").count(), 1);
    assert!(String::from_utf8_lossy(&output.stderr).contains("q3"), "{}", shown(&output));
    assert_eq!(files.lines("-m map -m num_q -m num_rel"), ["num_q all 1", "num_rel all 1", "map all 1.0000"]);
    let strict = files.run("--strict -m map");
    assert_eq!(strict.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&strict.stderr).contains("q3"), "{}", shown(&strict));
    assert_eq!(files.lines("-c -m map -m num_q -m num_rel"), ["num_q all 2", "num_rel all 3", "map all 0.5000"]);
    assert_eq!(files.lines("-c -l2 -m num_rel"), ["num_rel all 1"]);
    assert_eq!(files.lines("-c -l2 -m num_rel --like 9"), ["num_rel all 3"]);
    assert_eq!(files.status("-c --strict"), Some(0));
}

#[test]
fn with_c_a_query_without_results_has_the_values_of_one_document_that_nobody_judged() {
    let files = Files::new("q1 0 a 1\nq3 0 a 1\n", "q1 Q0 a 1 1 r\n");
    let lines =
        files.lines("-c -q -n -m relstring -m utility -m unj -m num_ret -m rbp_resid -m gm_map -m yaap -m map -D 0.q3");
    let expected = [
        "num_ret q3 0",
        "map q3 0.0000",
        "relstring q3 ''",
        "utility q3 0.0000",
        "yaap q3 -0.6931", // log(1 / 2)
        "rbp_resid q3 0.0000",
        "unj_5 q3 0.0000",
        "unj_10 q3 0.0000",
        "unj_20 q3 0.0000",
    ];
    assert_eq!(lines, expected);
    let lines = files.lines("-c -q -n -m relstring.5 -m utility.1,-1,0,0 -m rbp_resid.p=0.8 -D 0.q3");
    assert_eq!(lines, ["relstring_5 q3 '-'", "utility_1,-1,0,0 q3 -1.0000", "rbp_resid_p=0.8 q3 1.0000"]);
    // The geometric mean of 1 and the floor.
    assert_eq!(files.lines("-c -m gm_map"), ["gm_map all 0.0032"]);
    assert_eq!(files.lines("-c -q -m map --like 9"), ["map q1 1.0000", "map all 0.5000"]);
}

#[test]
fn nothing_in_common_ends_with_7_or_counts_as_nothing() {
    let files = Files::new("q1 0 a 1\n", "1 Q0 a 1 1 r\n");
    assert_eq!(files.status(""), Some(7), "{}", shown(&files.run("")));
    assert_eq!(files.lines("-c -m map -m num_q"), ["num_q all 1", "map all 0.0000"]);
}

#[test]
fn z_scores_of_unknown_names_are_missing_and_no_crash() {
    let scores = "q1 map 0.25 0.5\nq1 num_rel 1 0\nq1 P_5 0.1 0\n";
    let files = Files::new("q1 0 a 1\nzz 0 a 1\n", "q1 Q0 a 1 1 r\nzz Q0 a 1 1 r\n").with("z", scores);
    let lines = files.lines("-Z @z -q -m map -m num_rel -m P.5 -m unj.20 -m runid -m relstring");
    let expected = [
        "Znum_rel q1 0.0000",
        "Zmap q1 1.5000",
        "ZP_5 q1 -1000000.0000",
        "relstring q1 '1'",
        "Zunj_20 q1 -1000000.0000",
        "Znum_rel zz -1000000.0000",
        "Zmap zz -1000000.0000",
        "ZP_5 zz -1000000.0000",
        "relstring zz '1'",
        "Zunj_20 zz -1000000.0000",
        "runid all r",
        "Znum_rel all -1000000.0000",
        "Zmap all -499999.2500",
        "ZP_5 all -1000000.0000",
        "Zunj_20 all -1000000.0000",
    ];
    assert_eq!(lines, expected);
    assert_eq!(Files::new("q1 0 a 1\n", RUN).with("z", "q1 map 1\n").status("-Z @z"), Some(255));
    assert_eq!(Files::new("q1 0 a 1\n", RUN).with("z", "q1 map x 1\n").status("-Z @z"), Some(255));
    assert_eq!(Files::new("q1 0 a 1\n", RUN).with("z", "q1 map x 1\n").status("-Z @z --lenient"), Some(0));
}

#[test]
fn scores_that_differ_in_late_digits_are_ties_in_version_9() {
    let files = Files::new("q1 0 a 1\n", "q1 Q0 a 1 1.00000002 r\nq1 Q0 b 2 1.00000001 r\n");
    assert_eq!(files.lines("-m recip_rank"), ["recip_rank all 1.0000"]);
    assert_eq!(files.lines("-m recip_rank --like 9"), ["recip_rank all 0.5000"]);
}

#[test]
fn recall_points_are_rounded_as_the_version_does() {
    // R = 2: level 0.6 asks for round(1.2) = 1 document, in version 9 for 1.2 + 0.9 = 2.
    let files = Files::new("q1 0 a 1\nq1 0 b 1\n", "q1 Q0 a 1 3 r\nq1 Q0 x 2 2 r\nq1 Q0 b 3 1 r\n");
    assert_eq!(files.lines("-m iprec_at_recall.0.6"), ["iprec_at_recall_0.60 all 1.0000"]);
    assert_eq!(files.lines("-m iprec_at_recall.0.6 --like 9"), ["iprec_at_recall_0.60 all 0.6667"]);
}

#[test]
fn gains_that_differ_by_less_than_1_are_sorted() {
    let files = Files::new("q1 0 a 2\nq1 0 b 3\nq1 0 c 1\n", "q1 Q0 a 1 3 r\nq1 Q0 b 2 2 r\nq1 Q0 c 3 1 r\n");
    assert_eq!(files.lines("-m ndcg.1=0.5,2=0.9,3=0.7"), ["ndcg_1=0.5,2=0.9,3=0.7 all 1.0000"]);
    let both = files.lines("-m dcg.1=2 -m ideal_dcg.1=2");
    assert_eq!(both.len(), 2);
}

#[test]
fn no_labels_make_it_crash() {
    let Some(folder) = shared("data/labels_only") else { return };
    let run = Files::new("", "1 Q0 a 1 2.0 r\nq1 Q0 b 2 1.0 r\n");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let labels = entry.unwrap().path();
        for options in [
            &["-c", "-m", "all_trec"][..],
            &["-c", "--lenient", "-m", "all_trec", "-J"],
            &["-R", "qrels_jg", "-c", "-m", "qrels_jg"],
        ] {
            let output = trec_eval(
                options
                    .iter()
                    .map(|word| (*word).to_owned())
                    .chain([labels.to_str().unwrap().to_owned(), run.path("run")]),
            );
            let text = shown(&output);
            assert!(matches!(output.status.code(), Some(0 | 2 | 4)), "{}: {text}", labels.display());
            assert!(!text.contains("panicked"), "{}: {text}", labels.display());
        }
        count += 1;
    }
    assert!(count > 20, "only {count} files");
}

#[test]
fn many_queries_of_one_document_take_linear_time() {
    let text = |count: usize| {
        let (mut labels, mut run) = (String::new(), String::new());
        for query in 0..count {
            writeln!(labels, "q{query} 0 d{query} 1").unwrap();
            writeln!(run, "q{query} Q0 d{query} 1 1.0 r").unwrap();
        }
        Files::new(&labels, &run)
    };
    let time = |files: &Files| {
        let start = Instant::now();
        assert_eq!(files.status("-m map -m P.5"), Some(0));
        start.elapsed().as_secs_f64()
    };
    let (small, large) = (text(10_000), text(40_000));
    // The machine may be busy: the best of three, and far below the factor 16 of a search.
    let best = |files: &Files| (0..3).map(|_| time(files)).fold(f64::INFINITY, f64::min);
    let (small, large) = (best(&small), best(&large));
    assert!(large < 10.0 * small.max(0.02), "{small} s for 10,000 and {large} s for 40,000");
}
