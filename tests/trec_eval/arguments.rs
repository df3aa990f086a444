//! Arguments: names, parameters, sets, and what is printed in which order.

use crate::{Files, shown, trec_eval};

const LABELS: &str = "10 0 a 1\n10 0 b 0\n10 0 c 2\n2 0 a 0\n2 0 b 1\n9 0 z 0\n";
const RUN: &str = "\
2 Q0 a 1 0.5 first
2 Q0 b 2 0.4 first
10 Q0 c 1 9 first
10 Q0 x 2 8 first
10 Q0 a 3 7 first
9 Q0 a 1 1 first
77 Q0 a 1 1 last and more
";

fn files() -> Files {
    Files::new(LABELS, RUN)
}

/// The names of the lines of all queries together.
fn names(options: &str) -> String {
    let lines = files().lines(options);
    lines.iter().map(|line| line.split(' ').next().unwrap()).collect::<Vec<_>>().join(" ")
}

#[test]
fn topics_come_in_the_order_of_their_bytes_and_measures_in_that_of_the_table() {
    let lines = files().lines("-q -m P.2 -m map -m num_ret -m runid -m num_q");
    let expected = [
        "num_ret 10 3",
        "map 10 0.8333",
        "P_2 10 0.5000", // 1/1, then 2/3
        "num_ret 2 2",
        "map 2 0.5000",
        "P_2 2 0.5000",
        "num_ret 9 1",
        "map 9 0.0000",
        "P_2 9 0.0000", // nothing relevant: it stays in, with 0
        "runid all last",
        "num_q all 3",
        "num_ret all 6",
        "map all 0.4444",
        "P_2 all 0.3333",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn every_bundle_and_long_name_means_the_same() {
    let expected = files().run("-q -c -l 2 -m P.1").stdout;
    for options in [
        "-qcl2 -mP.1",
        "-qc -l2 -m P.1",
        "--query_eval_wanted --complete_rel_info_wanted --level_for_rel=2 --measure P.1",
        "--query --comp --level_for_rel 2 --meas=P.1",
        "-o -q -c -l 2 -m P.1 -T trec_results -R qrels -D 0",
    ] {
        assert_eq!(files().run(options).stdout, expected, "{options}");
    }
    let behind = files();
    let (labels, run) = (behind.path("labels"), behind.path("run"));
    let output = trec_eval([labels.as_str(), "-q", run.as_str(), "-c", "-l2", "-m", "P.1"]);
    assert_eq!(output.stdout, expected, "{}", shown(&output));
}

#[test]
fn the_run_is_read_from_standard_input() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let files = files();
    let mut command = Command::new(env!("CARGO_BIN_EXE_raglens"));
    command.args(["trec_eval", "-q", &files.path("labels"), "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(RUN.as_bytes()).unwrap();
    assert_eq!(child.wait_with_output().unwrap().stdout, files.run("-q").stdout);
}

#[test]
fn cutoffs_are_sorted_and_those_of_repeated_requests_add_up() {
    assert_eq!(names("-m P.10,5"), "P_5 P_10");
    assert_eq!(names("-m P.5 -m P.10 -m P.5"), "P_5 P_10");
    assert_eq!(names("-m P -m P.7"), "P_7");
    assert_eq!(names("-m official -m P.7"), names("-m official").split(" P_").next().unwrap().to_owned() + " P_7");
    assert_eq!(names("-m iprec_at_recall..5,.25"), "iprec_at_recall_0.25 iprec_at_recall_0.50");
    assert_eq!(names("-m ndcg_cut.10,23.4"), "ndcg_cut_10 ndcg_cut_23");
    assert_eq!(names("-m ndcg.1=3,2=9 -m ndcg.1=2"), "ndcg_1=3,2=9 ndcg_1=2");
    assert_eq!(names("-m set_F.0.5 -m rbp.p=0.8 -m utility.2,-1,0,0"), "utility_2,-1,0,0 set_F_0.5 rbp_p=0.8");
}

#[test]
fn parameters_of_what_takes_none_mean_nothing() {
    assert_eq!(names("-m recip_rank.1 -m map.2"), "map recip_rank");
    assert_eq!(names("-m set.5"), names("-m set"));
}

#[test]
fn wrong_requests_end_with_the_statuses_of_trec_eval() {
    let files = files();
    for (options, status) in [
        ("-m nothing", 1),
        ("-m P_10", 1),
        ("-m P.", 1),
        ("-m all_qrels", 1),
        ("-x", 1),
        ("--nothing", 1),
        ("-l", 1),
        ("-l -1", 1),
        ("-l x", 1),
        ("-M -1", 1),
        ("-m P.0", 2),
        ("-m P.abc", 2),
        ("-m P.5,5", 2),
        ("-m P.5,", 2),
        ("-m ndcg.5", 2),
        ("-m utility.1,2", 4),
        ("-R other", 2),
        ("-T other", 2),
        ("-m prefs", 4),
        ("-m map_avgjg", 4),
        ("-R prefs -m map", 4),
        ("--like 8", 1),
        ("-Z nowhere", 255),
    ] {
        let output = files.run(options);
        assert_eq!(output.status.code(), Some(status), "{options}: {}", shown(&output));
        assert!(output.stdout.is_empty(), "{options}: {}", shown(&output));
        assert!(output.stderr.starts_with(b"error"), "{options}: {}", shown(&output));
    }
    assert_eq!(trec_eval(["one"]).status.code(), Some(1));
    assert_eq!(trec_eval(["no", "where"]).status.code(), Some(2));
    assert_eq!(trec_eval(["-", "-"]).status.code(), Some(1));
}

#[test]
fn version_and_help_end_well() {
    let version = trec_eval(["-v", "-x"]);
    assert!(version.status.success() && version.stdout.is_empty());
    assert!(version.stderr.starts_with(b"trec_eval version 10.0"), "{}", shown(&version));
    for arguments in [&["-h"][..], &["--help"], &["-qh", "-m", "map", "one"]] {
        let help = trec_eval(arguments);
        assert!(help.status.success() && help.stderr.is_empty(), "{}", shown(&help));
        assert!(help.stdout.starts_with(b"Usage: raglens trec_eval"), "{}", shown(&help));
    }
}

#[test]
fn no_summary_one_query_and_a_depth() {
    let files = files();
    assert_eq!(files.lines("-q -n -m num_ret -M2"), ["num_ret 10 2", "num_ret 2 2", "num_ret 9 1"]);
    assert_eq!(files.lines("-q -m num_ret -m num_q -D 1.2"), ["num_ret 2 2", "num_q all 1", "num_ret all 2"]);
    assert_eq!(files.status("-D 1.77"), Some(7));
    assert_eq!(files.lines("-m num_ret -M 0 -m map"), ["num_ret all 0", "map all 0.0000"]);
    assert_eq!(files.run("-n").stdout, b"");
}

#[test]
fn judged_only_closes_the_ranks() {
    assert_eq!(
        files().lines("-J -D 0.10 -m num_ret -m map -m unj.5 -q -n"),
        ["num_ret 10 2", "map 10 1.0000", "unj_5 10 0.0000"]
    );
}

#[test]
fn names_that_are_printed_and_not_asked_for_are_explained() {
    let text = String::from_utf8(files().run("-m ndcg_cut_10").stderr).unwrap();
    assert!(text.contains("did you mean `ndcg_cut.10`?"), "{text}");
    let text = String::from_utf8(files().run("-m recip_rnk").stderr).unwrap();
    assert!(text.contains("did you mean `recip_rank`?"), "{text}");
}
