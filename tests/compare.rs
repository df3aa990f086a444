//! `raglens compare` as a person meets it: what is typed, what is printed, how it ends.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures");

/// How a command ended.
struct Ended {
    code: i32,
    out: String,
    err: String,
}

fn raglens_in(folder: &Path, line: &str, variables: &[(&str, &str)]) -> Ended {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raglens"));
    command.current_dir(folder).args(line.split_whitespace());
    command.env_remove("RAGLENS_QRELS").envs(variables.iter().copied());
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ended { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

fn raglens(line: &str) -> Ended {
    raglens_in(Path::new(FIXTURES), line, &[])
}

fn json(line: &str) -> Value {
    let ended = raglens(&format!("{line} --format json"));
    serde_json::from_str(&ended.out).unwrap_or_else(|error| panic!("{line}: {error}: {}{}", ended.out, ended.err))
}

/// A folder with files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("expected a number, got {value}"))
}

fn assert_close(value: &Value, expected: f64) {
    assert!((number(value) - expected).abs() < 1e-12, "{value} is not {expected}");
}

#[test]
fn ten_queries_of_which_eight_rise_by_a_quarter() {
    let ended = raglens("compare scores/base.csv scores/new.csv");
    assert_eq!((ended.code, ended.err.as_str()), (0, ""));
    assert!(ended.out.contains("+0.200 [+0.125, +0.250]  0.0078"), "{}", ended.out);
    let last = ended.out.trim_end().rsplit("\n\n").next().unwrap();
    assert!(last.starts_with("new is better than base on recall@5: +0.200"), "{last}");
    let row = &json("compare scores/base.csv scores/new.csv")["rows"][0];
    assert_eq!((number(&row["p"]["value"]), row["p"]["method"].as_str()), (1.0 / 128.0, Some("exact-lattice")));
    assert_eq!((number(&row["ci"]["low"]), number(&row["ci"]["high"])), (0.125, 0.25));
    assert_close(&row["diff"], 0.2);
    assert_eq!(row["verdict"], "better");
}

#[test]
fn the_rows_of_a_small_golden_set_have_their_published_intervals() {
    let ended = raglens("compare scores/k3.csv scores/k6.csv -m all");
    let expected = [
        "recall@k      42  0.940  0.976  +0.036 [+0.000, +0.083]  0.25",
        "ndcg@k        42  0.954  0.975  +0.021 [+0.000, +0.048]  0.25",
        "keyword_hit   42  0.952  0.940  -0.012 [-0.071, +0.036]   1.0",
        "faithfulness  42  0.976  0.968  -0.008 [-0.056, +0.040]   1.0",
        "correct       42  0.857  0.857  +0.000 [-0.071, +0.071]   1.0",
        "citation_acc  38  1.000  0.974  -0.026 [-0.079, +0.000]   1.0",
    ];
    for row in expected {
        assert!(ended.out.contains(row), "{row} is not in\n{}", ended.out);
    }
    assert!(ended.out.contains("no evidence  only 3 queries differ: p >= 0.25"));
    let rows = json("compare scores/k3.csv scores/k6.csv -m recall@k,correct");
    assert_eq!(rows["rows"][0]["reason"], "only 3 queries differ: p cannot be below 0.25");
    let correct = &rows["rows"][1]["mcnemar"];
    assert_eq!(
        (&correct["both"], &correct["only_a"], &correct["only_b"], &correct["neither"]),
        (&Value::from(35), &Value::from(1), &Value::from(1), &Value::from(5))
    );
    assert_eq!((&correct["ids_a"][0], &correct["ids_b"][0]), (&Value::from("q04"), &Value::from("q37")));
    assert_eq!((number(&correct["exact_p"]), number(&correct["mid_p"])), (1.0, 0.75));
}

#[test]
fn too_many_saved_measures_are_listed_instead_of_tested() {
    let ended = raglens("compare scores/k3.csv scores/k6.csv");
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("which of 6 measures?") && ended.err.contains("keyword_hit"), "{}", ended.err);
}

#[test]
fn runs_take_labels_from_the_option_the_environment_or_the_configuration() {
    let by_option = raglens("compare bm25.trec hybrid.trec -m recall@5 --qrels labels.jsonl --format csv");
    let same = raglens("compare bm25.trec hybrid.trec -m recall@5 --labels labels.jsonl --format csv");
    let variables = [("RAGLENS_QRELS", "labels.jsonl")];
    let line = "compare bm25.trec hybrid.trec --metric recall@5 --format csv";
    let by_variable = raglens_in(Path::new(FIXTURES), line, &variables);
    assert!(by_option.out.contains("bm25,hybrid,recall@5,,38,"), "{}{}", by_option.out, by_option.err);
    assert_eq!((by_variable.out, same.out), (by_option.out.clone(), by_option.out.clone()));

    let labels = format!("{FIXTURES}/labels.jsonl").replace('\\', "/");
    let folder = folder(&[("raglens.toml", &format!("labels = \"{labels}\"\nprimary = \"recall@5\"\n"))]);
    let line = format!("compare {FIXTURES}/bm25.trec {FIXTURES}/hybrid.trec --format csv");
    let by_config = raglens_in(folder.path(), &line, &[]);
    assert_eq!(by_config.out, by_option.out, "{}", by_config.err);
    let text = raglens_in(folder.path(), line.trim_end_matches(" --format csv"), &[]);
    assert!(text.out.replace('\n', " ").contains("(raglens.toml)"), "{}", text.out);
}

#[test]
fn runs_without_labels_say_what_to_add() {
    let ended = raglens("compare bm25.trec hybrid.trec --metric recall@5");
    assert_eq!((ended.code, ended.out.as_str()), (2, ""));
    assert!(ended.err.contains("RAGLENS_QRELS") && ended.err.contains("raglens.toml"), "{}", ended.err);
    let command = "raglens compare bm25.trec hybrid.trec --metric recall@5 --qrels FILE\n";
    assert!(ended.err.contains(command), "{}", ended.err);
    let swapped = raglens("compare labels.qrels bm25.trec hybrid.trec");
    assert!(swapped.err.contains("raglens compare bm25.trec hybrid.trec --qrels labels.qrels\n"), "{}", swapped.err);
}

#[test]
fn saved_scores_and_the_runs_they_came_from_say_the_same() {
    let folder = folder(&[]);
    let saved = folder.path().join("saved.json");
    let saved = saved.to_str().unwrap();
    let eval = format!("eval labels.jsonl bm25.trec dense.trec hybrid.trec -m recall@5,ndcg@10 --save {saved}");
    assert_eq!(raglens(&eval).code, 0);
    let of_saved = raglens(&format!("compare {saved} --format csv"));
    let of_runs = "compare bm25.trec dense.trec hybrid.trec --qrels labels.jsonl -m recall@5,ndcg@10 --format csv";
    assert_eq!(of_saved.out, raglens(of_runs).out, "{}", of_saved.err);
    let picked = raglens(&format!("compare {saved}:bm25 {saved}:hybrid -m recall_5 --format csv"));
    assert!(picked.out.contains("\nbm25,hybrid,recall@5,,38,"), "{}{}", picked.out, picked.err);
    let mixed = raglens(&format!("compare {saved}:bm25 hybrid.trec --qrels labels.jsonl -m recall@5 --format csv"));
    assert!(mixed.out.contains("hybrid,recall@5,,38,"), "{}{}", mixed.out, mixed.err);
    let other = raglens(&format!("compare {saved}:bm25 hybrid.trec --qrels labels.jsonl --rel 2 -m recall@5"));
    assert_eq!(other.code, 2, "{}", other.out);
}

#[test]
fn scores_made_with_other_labels_are_refused() {
    let score = |hash: &str| {
        format!(
            r#"{{"schema":"raglens/1","labels":{{"hash":"{hash}"}},"runs":[{{"name":"x","per_query":{{"q":{{"map":1}}}}}}]}}"#
        )
    };
    let folder = folder(&[("a.json", &score("one")), ("b.json", &score("two"))]);
    let ended = raglens_in(folder.path(), "compare a.json b.json", &[]);
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("different labels") && ended.err.contains("a.json   one"), "{}", ended.err);
}

#[test]
fn queries_in_one_file_only_are_named_and_never_dropped_in_silence() {
    let a = "query_id,map\nq1,0.1\nq2,0.2\nq3,0.3\n";
    let folder = folder(&[("a.csv", a), ("b.csv", "query_id,map\nq3,0.4\nq2,0.3\nq9,1\n")]);
    let ended = raglens_in(folder.path(), "compare a.csv b.csv", &[]);
    assert_eq!(ended.code, 2);
    assert!(ended.err.contains("a lacks 1 query: q9") && ended.err.contains("b lacks 1 query: q1"), "{}", ended.err);
    let common = raglens_in(folder.path(), "compare a.csv b.csv --over common", &[]);
    assert_eq!(common.code, 0);
    assert!(common.out.contains("2 queries (2 not in all runs)"), "{}", common.out);
    assert!(
        common.err.replace("\n  ", " ").contains("compare: 2 queries are not in all runs and are left"),
        "{}",
        common.err
    );
}

#[test]
fn nulls_are_left_out_of_their_measure_alone_and_counted() {
    let a = "{\"query_id\":\"1\",\"x\":0.5,\"y\":true}\n{\"query_id\":\"2\",\"x\":null,\"y\":false}\n";
    let b = "{\"query_id\":\"2\",\"x\":0.5,\"y\":true}\n{\"query_id\":\"1\",\"x\":1,\"y\":true}\n";
    let folder = folder(&[("a.jsonl", a), ("b.jsonl", b)]);
    let ended = raglens_in(folder.path(), "compare a.jsonl b.jsonl --format json", &[]);
    let document: Value = serde_json::from_str(&ended.out).unwrap();
    let n = |row: usize| (document["rows"][row]["n"].as_u64(), document["rows"][row]["without_value"].as_u64());
    assert_eq!((n(0), n(1)), ((Some(1), Some(1)), (Some(2), Some(0))));
    let none = raglens_in(folder.path(), "compare a.jsonl b.jsonl -m z", &[]);
    assert!(none.err.contains("has no `z`") && none.err.contains("it has: x, y"), "{}", none.err);
}

#[test]
fn swapping_the_runs_mirrors_every_number() {
    let line = |a: &str, b: &str| json(&format!("compare {a} {b} --qrels labels.jsonl -m recall@5,ndcg@10,hit@5"));
    let (there, back) = (line("bm25.trec", "dense.trec"), line("dense.trec", "bm25.trec"));
    for row in 0..3 {
        let (there, back) = (&there["rows"][row], &back["rows"][row]);
        assert_eq!(number(&there["diff"]), -number(&back["diff"]));
        assert_eq!(number(&there["ci"]["low"]), -number(&back["ci"]["high"]));
        assert_eq!((&there["p"], &there["p_adjusted"]), (&back["p"], &back["p_adjusted"]));
        assert_eq!((&there["wins"], &there["mean_a"]), (&back["losses"], &back["mean_b"]));
        assert_eq!(number(&there["t"]["t"]), -number(&back["t"]["t"]));
        assert_eq!(there["detectable"], back["detectable"]);
    }
}

#[test]
fn neither_the_order_of_lines_nor_threads_change_a_byte() {
    let line = "compare a.csv b.csv -m map --by t --labels labels.jsonl --resamples 3000 --format json";
    let rows: Vec<String> = (1..60).map(|i| format!("q{i},{}\n", f64::from(i * 37 % 59).sqrt())).collect();
    let other: Vec<String> = (1..60).map(|i| format!("q{i},{}\n", f64::from(i * 41 % 61).sqrt())).collect();
    let labels: String = (1..60)
        .map(|i| format!("{{\"query_id\":\"q{i}\",\"relevant\":{{\"d\":1}},\"tags\":{{\"t\":\"{}\"}}}}\n", i % 3))
        .collect();
    let file = |rows: &[String]| format!("query_id,map\n{}", rows.concat());
    let reversed = |rows: &[String]| rows.iter().rev().cloned().collect::<Vec<String>>();
    let first = folder(&[("a.csv", &file(&rows)), ("b.csv", &file(&other)), ("labels.jsonl", &labels)]);
    let second = folder(&[("a.csv", &file(&reversed(&rows))), ("b.csv", &file(&other)), ("labels.jsonl", &labels)]);
    let without_times = |ended: Ended| {
        assert_eq!(ended.code, 0, "{}", ended.err);
        ended.out.lines().filter(|line| !line.contains("\"modified\"")).collect::<Vec<&str>>().join("\n")
    };
    let expected = without_times(raglens_in(first.path(), &format!("{line} --threads 1"), &[]));
    assert!(expected.contains("monte-carlo"), "{expected}");
    assert_eq!(expected, without_times(raglens_in(first.path(), &format!("{line} --threads 3"), &[])));
    assert_eq!(expected, without_times(raglens_in(second.path(), line, &[])));
}

#[test]
fn gates_decide_the_exit_code() {
    let code = |options: &str| {
        raglens(&format!("compare bm25.trec hybrid.trec --qrels labels.jsonl -m recall@5 {options}")).code
    };
    assert_eq!(code("--noninferior 0.02"), 0);
    let back = |options: &str| {
        raglens(&format!("compare hybrid.trec bm25.trec --qrels labels.jsonl -m recall@5 {options}")).code
    };
    assert_eq!(back("--noninferior 0.02"), 1);
    assert_eq!(back("--no-regression recall@5=0.02"), 1);
    assert_eq!(back("--noninferior 0.02 --exit-zero"), 0);
    assert_eq!(back("--min delta(recall@5)>=-0.2 --min recall@5>=0.6"), 0);
    assert_eq!(back("--min recall@5>=0.9"), 1);
    let few = |options: &str| raglens(&format!("compare scores/k3.csv scores/k6.csv -m correct {options}"));
    let undecided = few("--noninferior 0.01");
    assert_eq!(undecided.code, 3);
    assert!(undecided.out.contains("undecided  bound -0.080"), "{}", undecided.out);
    assert_eq!(few("--no-regression 0.01").code, 0);
    for (word, code) in [("pass", 0), ("warn", 0), ("fail", 1)] {
        assert_eq!(few(&format!("--noninferior 0.01 --on-undecided {word}")).code, code);
    }
    assert_eq!(few("--noninferior recall@k=0.01").code, 2, "the gate names a measure that is not compared");
}

#[test]
fn a_gate_on_a_column_of_unknown_range_asks_for_it() {
    let folder = folder(&[("a.csv", "query_id,x\nq1,3\nq2,4\n"), ("b.csv", "query_id,x\nq1,4\nq2,4.5\n")]);
    let run = |options: &str| raglens_in(folder.path(), &format!("compare a.csv b.csv {options}"), &[]);
    let ended = run("--noninferior 0.1");
    assert!(ended.code == 2 && ended.err.contains("--range x=0..1"), "{}", ended.err);
    assert_eq!(run("--noninferior 0.1 --range x=0..5").code, 3);
    assert!(run("--noninferior 0.1 --range x=0..1").err.contains("outside of 0 to 1"));
}

#[test]
fn identical_rankings_pass_and_identical_scores_alone_do_not() {
    let runs = raglens("compare hybrid.trec again=hybrid.trec --qrels labels.jsonl -m recall@5 --noninferior 0.01");
    assert_eq!(runs.code, 0);
    assert!(runs.out.contains("both returned the same lists") && runs.out.contains("identical"), "{}", runs.out);
    let scores = raglens("compare scores/base.csv again=scores/base.csv --noninferior 0.01");
    assert_eq!(scores.code, 3);
    assert!(scores.out.contains("no query differs; with n = 10 at most 26% of all"), "{}", scores.out);
}

#[test]
fn less_is_better_where_a_column_is_a_time_or_is_said_to_be() {
    let file = |x: f64| {
        let rows: String = (0..8).map(|i| format!("q{i},{},{}\n", x + f64::from(i), x)).collect();
        format!("query_id,latency_ms,errors\n{rows}")
    };
    let folder = folder(&[("a.csv", &file(100.0)), ("b.csv", &file(90.0))]);
    let line = "compare a.csv b.csv --lower-better errors --format json";
    let document: Value = serde_json::from_str(&raglens_in(folder.path(), line, &[]).out).unwrap();
    for row in document["rows"].as_array().unwrap() {
        assert_eq!(
            (&row["verdict"], &row["wins"], number(&row["diff"])),
            (&Value::from("better"), &Value::from(8), -10.0)
        );
    }
}

#[test]
fn slices_are_adjusted_among_themselves_and_thin_ones_are_marked() {
    let line = "compare bm25.trec hybrid.trec --qrels labels.jsonl -m recall@5 --by lang,intent*lang";
    let ended = raglens(line);
    assert!(
        ended.out.contains("recall@5 by lang\n") && ended.out.contains("recall@5 by intent*lang\n"),
        "{}",
        ended.out
    );
    assert!(ended.out.contains("* thin: fewer than 20 queries"), "{}", ended.out);
    let document = json(line);
    assert_eq!(document["slice_family"]["method"], "bh");
    assert_eq!(document["rows"][1]["slice"]["value"], "en");
    let unknown = raglens("compare bm25.trec hybrid.trec --qrels labels.jsonl --by language");
    assert!(unknown.code == 2 && unknown.err.contains("there are: intent, lang"), "{}", unknown.err);
    let without = raglens("compare bm25.trec hybrid.trec --qrels labels.jsonl");
    assert!(without.out.contains("--by intent,lang"), "{}", without.out);
}

#[test]
fn several_runs_are_compared_with_the_first_or_all_with_all() {
    let line = "compare bm25.trec dense.trec hybrid.trec --qrels labels.jsonl -m recall@5";
    assert_eq!(json(line)["rows"].as_array().unwrap().len(), 2);
    let all = json(&format!("{line} --pairs all --adjust tukey"));
    let pairs: Vec<(&str, &str)> = all["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["a"].as_str().unwrap(), row["b"].as_str().unwrap()))
        .collect();
    assert_eq!(pairs, [("bm25", "dense"), ("bm25", "hybrid"), ("dense", "hybrid")]);
    let tukey = raglens(&format!("{line} --pairs all --adjust tukey"));
    assert!(tukey.out.contains("one bad run hides"), "{}", tukey.out);
    let latex = raglens(&format!("{line},mrr@5 --format latex"));
    assert!(latex.out.contains("c & hybrid & 0.798$^{\\mathrm{a}}$ & "), "{}", latex.out);
}

#[test]
fn every_format_holds_the_comparison() {
    let line = "compare bm25.trec hybrid.trec --qrels labels.jsonl -m recall@5";
    for (format, expected) in [
        ("csv", "bm25,hybrid,recall@5,,38,0.6491"),
        ("tsv", "bm25\thybrid\trecall@5\t\t38\t0.6491"),
        ("jsonl", "{\"schema\":\"raglens/1\",\"metric\":\"recall@5\",\"a\":\"bm25\""),
        ("md", "| recall@5 | 0.649 | 0.798 | +0.149 [+0.075, +0.237] | 9.8e-4 |"),
        ("latex", "recall@5 & 0.649 & 0.798 & $+0.149$ & $[+0.075, +0.237]$ & $9.8 \\times 10^{-4}$ \\\\"),
    ] {
        let ended = raglens(&format!("{line} --format {format}"));
        assert!(ended.out.contains(expected), "{format}: {}", ended.out);
    }
    let changed = raglens(&format!("{line} --list --format csv"));
    assert!(changed.out.contains("bm25,hybrid,recall@5,q20,0,1,1,9,3\n"), "{}", changed.out);
}

#[test]
fn changed_queries_show_where_the_first_relevant_document_went() {
    let ended = raglens("compare bm25.trec hybrid.trec --qrels labels.jsonl -m recall@5 --plain");
    assert!(ended.out.contains("q26    0.000  0.500  +0.500  none -> 1"), "{}", ended.out);
    assert!(ended.out.contains("largest changes on recall@5 (10 of 11"), "{}", ended.out);
}

#[test]
fn no_line_is_wider_than_a_terminal() {
    for line in [
        "compare bm25.trec hybrid.trec --qrels labels.jsonl --by intent,lang --noninferior 0.02 --details",
        "compare bm25.trec dense.trec hybrid.trec --qrels labels.jsonl --pairs all -m hit@5,context_precision@5,judged@5",
        "compare scores/k3.csv scores/k6.csv -m all --list --also wilcoxon,sign --margin 0.1 --range keyword_hit=0..1 --range faithfulness=0..1",
    ] {
        let ended = raglens(line);
        let wide: Vec<&str> = ended.out.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(wide.is_empty() && !ended.out.is_empty(), "{line}: {wide:?} {}", ended.err);
    }
}
