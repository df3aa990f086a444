//! `raglens power`, run as a user runs it: the planning table, its numbers in JSON, pilots, and
//! what is refused.
#![allow(clippy::print_stderr)] // a comparison that was left out must be seen

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use approx::assert_abs_diff_eq;
use serde_json::Value;

fn raglens(arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raglens"));
    command.args(arguments.split_whitespace()).env("LC_ALL", "C.UTF-8").output().expect("raglens runs")
}

fn text(arguments: &str) -> String {
    let output = raglens(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text is UTF-8")
}

fn json(arguments: &str) -> Value {
    serde_json::from_str(&text(&format!("{arguments} --format json"))).expect("JSON")
}

/// What is printed on standard error of a command that is refused.
fn refused(arguments: &str) -> String {
    let output = raglens(arguments);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments}");
    let text = String::from_utf8(output.stderr).expect("text is UTF-8");
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// The first point of the first scenario.
fn point(arguments: &str) -> Value {
    json(arguments)["scenarios"][0]["points"][0].clone()
}

/// A file of scores under a name of its own.
fn scores(name: &str, content: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).expect("a file is written");
    path.display().to_string()
}

/// `query_id,NAME` with these scores for the queries q0, q1, …
fn column(file: &str, measure: &str, values: &[f64]) -> String {
    let rows = values.iter().enumerate().map(|(at, value)| format!("q{at},{value}\n"));
    scores(file, &format!("query_id,{measure}\n{}", rows.collect::<String>()))
}

// ------------------------------------------------------------------------------- planning table

#[test]
fn without_arguments_the_planning_table_has_the_exact_values() {
    let printed = text("power");
    let rows = ["     20      -      -      -", "     42      -   0.20   0.24", "    100   0.09   0.13   0.16"];
    for row in rows.iter().chain(&["    300   0.06   0.08   0.10", "   1000   0.03   0.05   0.05"]) {
        assert!(printed.lines().any(|line| line == *row), "{row} is not in\n{printed}");
    }
    let last = printed.trim_end().rsplit("\n\n").next().unwrap();
    assert!(last.starts_with("How to read it: with 42 queries, 20% of which"), "{last}");
}

#[test]
fn every_form_of_the_table_fits_into_80_columns() {
    let pilot =
        column("wide-a.csv", "ndcg@10", &[0.1, 0.5, 0.25]) + " " + &column("wide-b.csv", "ndcg@10", &[0.2, 0.1, 1.0]);
    let forms = [
        "",
        "--delta 0.1 --margin 0.01",
        "--sd 0.1,0.2,0.3,0.4 --delta 0.1",
        &pilot,
        &(pilot.clone() + " --delta 0.1"),
    ];
    for form in forms {
        let printed = text(&format!("power {form}"));
        assert!(printed.lines().all(|line| line.chars().count() <= 80), "{printed}");
        for word in ["NaN", "inf", "-0.0", "observed power"] {
            assert!(!printed.contains(word), "{word} in\n{printed}");
        }
    }
}

#[test]
fn differences_are_rounded_up_and_never_down() {
    // 0.191 at 42 queries and 0.041 at 1000 would be 0.19 and 0.04 otherwise
    let row =
        |arguments: &str| text(arguments).lines().find(|line| line.trim_start().starts_with("42 ")).unwrap().to_owned();
    assert!(row("power --disagreement 0.2 -n 42").ends_with("0.20"));
    assert!(row("power --disagreement 0.2 -n 42 --digits 3").ends_with("0.191"));
}

#[test]
fn a_chance_just_below_the_power_is_not_rounded_up_to_it() {
    let printed = text("power --disagreement 0.3 -n 300 --delta 0.09");
    assert!(printed.contains("With 300 queries a true difference of 0.09 is found with a chance of 79%."), "{printed}");
}

// ------------------------------------------------------------------------------ reference values

const REFERENCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/reference/statistics.json");

fn reference() -> Option<Value> {
    let text = fs::read_to_string(REFERENCE).ok();
    if text.is_none() {
        eprintln!("left out: ../shared is not here");
    }
    text.map(|text| serde_json::from_str(&text).expect("JSON"))
}

fn entries<'a>(reference: &'a Value, name: &str) -> &'a Vec<Value> {
    reference[name].as_array().expect("a list")
}

#[test]
fn detectable_differences_agree_with_the_reference() {
    let Some(reference) = reference() else { return };
    for entry in entries(&reference, "mde_binary") {
        let found = point(&format!("power -n {} --disagreement {}", entry["n"], entry["disagree"]));
        match entry["mde_exact_step_0001"].as_f64() {
            Some(expected) => assert_abs_diff_eq!(found["detectable"].as_f64().unwrap(), expected, epsilon = 1e-9),
            None => assert!(found["detectable"].is_null() && found["reason"].is_string(), "{entry}: {found}"),
        }
    }
}

#[test]
fn powers_agree_with_the_reference() {
    let Some(reference) = reference() else { return };
    for entry in entries(&reference, "power_binary_points").iter().filter(|entry| entry["delta"] != 0.0) {
        for (p, key) in [("exact", "power_exact"), ("mid", "power_mid_p")] {
            let (n, share, delta) = (&entry["n"], &entry["disagree"], &entry["delta"]);
            let found = point(&format!("power -n {n} --disagreement {share} --delta {delta} --p {p}"));
            assert_abs_diff_eq!(found["power"].as_f64().unwrap(), entry[key].as_f64().unwrap(), epsilon = 1e-9);
        }
    }
}

#[test]
fn means_agree_with_the_reference() {
    let Some(reference) = reference() else { return };
    for entry in entries(&reference, "mde_continuous") {
        let found = point(&format!("power -n {} --sd 0.2 --power {}", entry["n"], entry["power"]));
        let expected = 0.2 * entry["approx_t_quantiles"].as_f64().unwrap();
        assert_abs_diff_eq!(found["detectable"].as_f64().unwrap(), expected, epsilon = 1e-9);
    }
    for entry in entries(&reference, "n_needed_continuous") {
        let found = json(&format!("power --sd {} --delta {}", entry["sd"], entry["delta"]));
        assert_eq!(found["scenarios"][0]["queries_needed"], entry["n_exact"], "{entry}");
    }
    for entry in entries(&reference, "n_needed_non_inferiority_alpha05_power80") {
        let found = json(&format!("power --sd {} --margin {}", entry["sd"], entry["margin"]));
        assert_eq!(found["scenarios"][0]["queries_needed_for_margin"], entry["n_normal"], "{entry}");
    }
}

#[test]
fn the_json_says_what_was_asked_and_how() {
    let found = json("power -n 42 --disagreement 20% --delta 0.2 --margin 0.05");
    assert_eq!((&found["schema"], &found["command"]), (&"raglens/1".into(), &"power".into()));
    assert_eq!(found["conventions"]["alpha"], 0.05);
    assert_eq!((&found["delta"], &found["margin"]), (&0.2.into(), &0.05.into()));
    let scenario = &found["scenarios"][0];
    assert_eq!((&scenario["test"], &scenario["disagreement"]), (&"mcnemar-exact".into(), &0.2.into()));
    assert_abs_diff_eq!(scenario["points"][0]["power"].as_f64().unwrap(), 0.871_318_434_649_051_5, epsilon = 1e-9);
}

#[test]
fn the_queries_needed_find_the_difference_and_one_fewer_does_not() {
    let needed = json("power --disagreement 0.2 --delta 0.1")["scenarios"][0]["queries_needed"].as_u64().unwrap();
    let power = |n: u64| point(&format!("power -n {n} --disagreement 0.2 --delta 0.1"))["power"].as_f64().unwrap();
    assert!(power(needed) >= 0.8 && power(needed - 1) < 0.8);
}

#[test]
fn tens_of_thousands_of_queries_find_small_differences() {
    let found = point("power -n 100000 --disagreement 0.2 --delta 0.03");
    assert_abs_diff_eq!(found["detectable"].as_f64().unwrap(), 0.004, epsilon = 1e-9);
    assert_abs_diff_eq!(found["power"].as_f64().unwrap(), 1.0, epsilon = 1e-9);
}

#[test]
fn rows_and_markdown_hold_the_same_numbers() {
    let rows = text("power -n 42 --disagreement 0.2 --delta 0.2 --format csv");
    let row = rows.lines().nth(1).unwrap();
    assert!(
        rows.starts_with("metric,disagreement,sd,n,detectable,delta,power,")
            && row.starts_with(",0.2,,42,0.191,0.2,0.871")
    );
    assert_eq!(rows.replace(',', "\t"), text("power -n 42 --disagreement 0.2 --delta 0.2 --format tsv"));
    assert!(text("power --format md").contains("| 42 | - | 0.20 | 0.24 |"));
}

// ----------------------------------------------------------------------------------------- pilots

#[test]
fn a_pilot_gives_its_spread_for_its_own_twice_and_four_times_its_queries() {
    let a = column("pilot-a.csv", "ndcg@10", &[0.0, 0.25, 0.5, 1.0, 0.75]);
    let b = column("pilot-b.csv", "ndcg@10", &[0.5, 0.25, 0.25, 1.0, 1.0]);
    let found = json(&format!("power {a} {b} --metric ndcg_10 --delta 0.1"));
    let scenario = &found["scenarios"][0];
    assert_eq!((&scenario["metric"], &scenario["n"], &scenario["n_differ"]), (&"ndcg@10".into(), &5.into(), &3.into()));
    // differences 0.5, 0, -0.25, 0, 0.25: mean 0.1, sum of squares 0.375
    assert_abs_diff_eq!(scenario["sd"].as_f64().unwrap(), (0.325f64 / 4.0).sqrt(), epsilon = 1e-12);
    let queries: Vec<u64> = scenario["points"].as_array().unwrap().iter().map(|at| at["n"].as_u64().unwrap()).collect();
    assert_eq!(queries, [5, 10, 20]);
    let widths: Vec<f64> =
        [5, 20].map(|n| point(&format!("power {a} {b} -n {n}"))["half_width"].as_f64().unwrap()).into();
    assert!(widths[0] > 2.0 * widths[1]);
}

#[test]
fn a_pilot_of_a_measure_that_is_0_or_1_gives_its_disagreement() {
    let a = column("hit-a.csv", "hit@5", &[0.0, 1.0, 1.0, 0.0, 0.0]);
    let b = column("hit-b.csv", "hit@5", &[1.0, 1.0, 0.0, 0.0, 0.0]);
    let found = json(&format!("power {a} {b}"));
    let scenario = &found["scenarios"][0];
    assert_eq!((&scenario["test"], &scenario["disagreement"]), (&"mcnemar-exact".into(), &0.4.into()));
    assert!(scenario["points"][0]["half_width"].is_f64());
}

#[test]
fn one_file_with_two_runs_is_a_pilot_and_a_run_of_a_file_can_be_picked() {
    let rows = "run,query_id,recall@5\nold,q1,0.5\nold,q2,0\nnew,q1,1\nnew,q2,0.25\n";
    let both = scores("both.csv", rows);
    let three = scores("three.csv", &format!("{rows}next,q1,0\nnext,q2,0.5\n"));
    let found = json(&format!("power {both}"));
    assert_eq!((&found["pilot"]["a"], &found["pilot"]["b"]), (&"old".into(), &"new".into()));
    let picked = json(&format!("power {three}:old {three}:next"));
    assert_eq!((&picked["pilot"]["a"], &picked["pilot"]["b"]), (&"old".into(), &"next".into()));
    assert!(refused(&format!("power {three}")).contains("holds 3 runs: old, new, next"));
    assert!(refused(&format!("power {three}:old {three}:none")).contains("holds no run `none`"));
}

#[test]
fn the_order_of_lines_of_a_pilot_changes_nothing() {
    let b = scores("order-b.csv", "query_id,map\nq1,0.3\nq2,0.7\nq3,0.1\n");
    let forwards = scores("forwards.csv", "query_id,map\nq1,0.1\nq2,0.9\nq3,0.4\n");
    let backwards = scores("backwards.csv", "query_id,map\nq3,0.4\nq2,0.9\nq1,0.1\n");
    let spread = |a: &str| json(&format!("power {a} {b}"))["scenarios"].clone();
    assert_eq!(spread(&forwards), spread(&backwards));
}

#[test]
fn a_query_without_a_value_is_left_out_aloud() {
    let a = scores(
        "null-a.jsonl",
        "{\"query_id\":\"1\",\"f\":0.5}\n{\"query_id\":\"2\",\"f\":null}\n{\"query_id\":\"3\",\"f\":0}\n",
    );
    let b = scores(
        "null-b.jsonl",
        "{\"query_id\":\"1\",\"f\":0.1}\n{\"query_id\":\"2\",\"f\":0.2}\n{\"query_id\":\"3\",\"f\":0.7}\n",
    );
    assert_eq!(json(&format!("power {a} {b}"))["scenarios"][0]["dropped"], 1);
    let printed = text(&format!("power {a} {b}")).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(printed.contains("1 query is left out for want of a value of f."), "{printed}");
}

#[test]
fn no_difference_above_the_range_of_a_measure_is_promised() {
    let found = point("power -n 2 --sd 0.5");
    assert!(found["detectable"].is_null() && found["reason"] == "no possible difference is large enough", "{found}");
    assert!(point("power -n 2 --sd 50")["detectable"].as_f64().unwrap() > 100.0);
}

// ----------------------------------------------------------------------------------- what is refused

#[test]
fn a_share_above_1_is_refused() {
    for share in ["1.2", "0", "-0.1", "NaN", "120%", "x"] {
        let error = refused(&format!("power --disagreement {share}"));
        assert!(error.contains("expected a share above 0 and at most 1"), "{error}");
    }
}

#[test]
fn a_difference_above_the_share_that_differs_is_refused() {
    let error = refused("power --disagreement 0.1 --delta 0.2");
    assert!(error.contains("a difference of 0.2 is not possible where 10% of the queries differ"), "{error}");
    assert!(refused("power --delta 0.5").contains("--disagreement 0.5 or more"));
}

#[test]
fn no_queries_are_refused() {
    assert!(refused("power -n 0").contains("0 is not in 1..=1000000"));
}

#[test]
fn a_standard_deviation_must_be_a_number_above_0() {
    for sd in ["-1", "NaN", "inf", "0"] {
        assert!(refused(&format!("power --sd {sd}")).contains("expected a number above 0"));
    }
}

#[test]
fn levels_must_be_chances_and_the_power_above_alpha() {
    assert!(refused("power --alpha 0").contains("expected a number between 0 and 1"));
    assert!(refused("power --power 1").contains("expected a number between 0 and 1"));
    assert!(refused("power --alpha 0.5 --power 0.4").contains("a power of 0.4 is no more than alpha (0.5)"));
}

#[test]
fn a_pilot_without_spread_is_refused() {
    let a = column("same.csv", "hit@5", &[0.0, 1.0]);
    let (up, one) = (column("up.csv", "hit@5", &[0.5, 1.5]), column("one.csv", "hit@5", &[1.0]));
    assert!(refused(&format!("power a={a} b={a}")).contains("no query differs between a and b on hit@5"));
    assert!(refused(&format!("power {a} {up}")).contains("every query differs by the same amount"));
    assert!(refused(&format!("power a={one} b={one}")).contains("have one query with hit@5"));
}

#[test]
fn a_pilot_over_other_queries_is_refused_by_name() {
    let a = scores("left.csv", "query_id,map\nq1,0.3\nq2,0.7\n");
    let b = scores("right.csv", "query_id,map\nq1,0.3\nq9,0.7\n");
    assert!(refused(&format!("power {a} {b}")).contains("left has scores of 1 query that right lacks: q2"));
}

#[test]
fn a_pilot_measured_in_another_way_is_refused() {
    let document = |hash: &str, rel: u8, value: f64| {
        format!(
            r#"{{"schema":"raglens/1","conventions":{{"rel":{rel},"seed":{rel}}},"labels":{{"hash":"{hash}"}},
            "runs":[{{"name":"x","per_query":{{"q1":{{"map":{value}}},"q2":{{"map":0}}}}}}]}}"#
        )
    };
    let a = scores("alike-a.json", &document("h1", 1, 0.5));
    let b = scores("alike-b.json", &document("h2", 1, 0.7));
    let c = scores("alike-c.json", &document("h1", 2, 0.7));
    assert!(refused(&format!("power {a} {b}")).contains("alike-a and alike-b were measured with different labels"));
    assert!(refused(&format!("power {a} {c}")).contains("alike-a was measured with rel 1 and alike-c with rel 2"));
}

#[test]
fn a_run_is_no_pilot_and_the_error_says_how_to_make_one() {
    let error = refused("power fixtures/bm25.trec fixtures/dense.trec");
    assert!(error.contains("expected saved scores") && error.contains("--save scores.json"), "{error}");
    assert!(refused("power fixtures/none.json fixtures/none.json").contains("fixtures/none.json"));
}

#[test]
fn a_measure_that_the_pilot_lacks_is_named_with_those_it_has() {
    let a = column("has-a.csv", "map", &[0.1, 0.2]);
    let error = refused(&format!("power {a} {a} -m mrr"));
    assert!(error.contains("has no scores of `mrr`") && error.contains("both have map"), "{error}");
}

#[test]
fn options_that_exclude_each_other_are_refused() {
    for arguments in ["--sd 0.2 --disagreement 0.1", "--sd 0.2 --p mid", "-m map", "a.csv b.csv --sd 0.2"] {
        refused(&format!("power {arguments}"));
    }
}
