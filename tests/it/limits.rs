//! What cannot be, cannot hold or would say nothing is refused or told; what means the same is taken.

use super::fixture::refused;
use super::world::World;

/// Two runs on queries of two kinds; the second lacks the only query of kind `b`.
fn kinds() -> World {
    let label = |query: &str, kind: &str| {
        format!("{{\"query_id\":\"{query}\",\"relevant\":{{\"d\":1,\"e\":0}},\"tags\":{{\"kind\":\"{kind}\"}}}}\n")
    };
    let labels = [label("q1", "a"), label("q2", "a"), label("q3", "b")].concat();
    let line = |query: &str, run: &str| format!("{query} Q0 d 1 2 {run}\n{query} Q0 e 2 1 {run}\n");
    let full = ["q1", "q2", "q3"].map(|query| line(query, "full")).concat();
    World::new().with("l.jsonl", labels).with("full.trec", full).with("part.trec", line("q2", "part"))
}

#[test]
fn slices_of_runs_that_answer_different_queries_show_how_many_each_has() {
    let expected = ["a   1-2*", "b   0-1*"];
    for order in ["full.trec part.trec", "part.trec full.trec"] {
        let ran = kinds().run(&format!("eval l.jsonl {order} -m recall@2 --over common --by kind"));
        let has = |start: &&str| ran.stdout.lines().any(|line| line.starts_with(*start));
        assert!(expected.iter().all(has), "{ran}");
        assert!(ran.stdout.contains("n: queries of the run with the fewest and of the one with the most"), "{ran}");
    }
    let ran = kinds().run("eval l.jsonl full.trec part.trec -m recall@2 --by kind");
    assert!(ran.stdout.lines().any(|line| line.starts_with("a   2*")), "{ran}");
}

#[test]
fn a_mean_that_misses_its_limit_ends_with_exit_1() {
    let world = World::new();
    let eval = |rest: &str| world.run(&format!("eval labels.txt good.trec poor.trec -m recall@2 {rest}"));
    let ran = eval("--min 'recall@2>=0.5'");
    assert_eq!(ran.status, Some(1), "{ran}");
    let lines: Vec<&str> = ran.stdout.lines().filter(|line| line.contains("recall@2>=0.5")).collect();
    assert_eq!(lines, ["recall@2>=0.5  good  pass  is 0.750", "recall@2>=0.5  poor  fail  is 0.250"]);
    assert!(ran.stdout.contains("no confidence: a gate on the number alone"), "{ran}");
    assert_eq!(eval("--min 'recall@2>=0.2' --min 'recall@2<=0.75'").status, Some(0));
    let json: serde_json::Value = serde_json::from_str(&eval("--min 'recall@2>=0.5' --format json").stdout).unwrap();
    assert_eq!(json["gates"][1]["outcome"], "fail");
    assert_eq!(json["gates"][1]["run"], "poor");
    assert_eq!(json["gates"][1]["point"]["value"], 0.25);
    assert!(eval("--format json").stdout.lines().all(|line| !line.contains("\"gates\"")));
}

#[test]
fn no_tag_reaches_a_terminal_as_it_stands_in_a_table_for_programs() {
    let label = r#"{"query_id":"q1","relevant":{"d1":1},"tags":{"kind":"\u001b[31mred"}}"#;
    let world = World::new().with("tagged.jsonl", label);
    for command in ["eval tagged.jsonl good.trec poor.trec", "compare good.trec poor.trec --qrels tagged.jsonl"] {
        let ran = world.run(&format!("{command} -m recall@2 --by kind --format csv --color always --quiet"));
        assert!(ran.stdout.contains(r"kind=\u{1b}[31mred") && !ran.stdout.contains('\u{1b}'), "{ran}");
    }
}

#[test]
fn a_limit_of_a_count_is_held_against_the_sum_that_is_shown() {
    let ran = World::new().run("eval labels.txt good.trec -m num_rel_ret --min 'num_rel_ret>=3'");
    assert!(ran.stdout.lines().any(|line| line == "num_rel_ret>=3  good  pass  is 3.000"), "{ran}");
    assert_eq!(ran.status, Some(0));
}

#[test]
fn a_judgment_that_is_left_out_as_faulty_is_told_once() {
    let world = World::new().with("twice.qrels", "q1 0 d1 1\nq1 0 d1 2\nq2 0 d1 1\n");
    let ran = world.run("eval twice.qrels good.trec -m recall@2 --on-error skip");
    assert!(ran.stderr.contains("W001") && !ran.stderr.contains("W013"), "{ran}");
}

#[test]
fn a_limit_that_no_mean_can_reach_or_miss_is_refused() {
    let world = World::new();
    let min = |limit: &str| refused(&world, &format!("eval labels.txt good.trec -m recall@2 --min '{limit}'"));
    assert!(min("recall@2>=2").contains("`recall@2>=2` can never hold: recall@2 is from 0 to 1"));
    assert!(min("recall@2<1.5").contains("always holds"));
    assert!(min("delta(recall@2)>=0").contains("a difference is one of two runs"));
    assert!(min("mrr>=0.5").contains("`mrr` is not among the measures"));
    assert!(min("mrr>=0.5").contains("`-m mrr` adds it"));
    assert!(min("recal@2>=0.5").contains("did you mean `recall@2`?"));
    let compare = "compare good.trec poor.trec --qrels labels.txt -m recall@2";
    assert!(refused(&world, &format!("{compare} --min 'delta(recall@2)>=2'")).contains("is from -1 to 1"));
    assert!(
        refused(&world, "compare good.trec --qrels labels.txt -m recall@2").contains("raglens eval LABELS RUN --min")
    );
}

#[test]
fn numbers_that_do_not_fit_an_option_are_told_in_plain_words() {
    let world = World::new();
    let told = |rest: &str| refused(&world, &format!("eval labels.txt good.trec {rest}"));
    assert!(told("--budget 1.5").contains("expected a whole number"));
    assert!(told("--seed 99999999999999999999999").contains("the number is too large"));
    assert!(told("-m recall@18446744073709551615").contains("no list is that long"));
    assert!(told("-k 9999999999999999").contains("a cutoff is a whole number from 1 to 1000000000000000"));
    assert!(told("-m relstring").contains("`relstring` is a text"));
}

#[test]
fn words_that_mean_the_same_are_taken() {
    let world = World::new();
    let printed = |rest: &str| world.run(&format!("eval labels.txt good.trec -m recall@2 {rest}")).stdout;
    assert_eq!(printed("--format markdown"), printed("--format md"));
    assert_eq!(printed("--format ndjson"), printed("--format jsonl"));
    let chunks = r#"{"query_id":"q1","results":[{"id":"d1-1","doc_id":"d1"}]}"#;
    let world = world.with("chunks.jsonl", chunks);
    let by = |unit: &str| world.run(&format!("eval labels.txt chunks.jsonl -m recall@2 --unit {unit}"));
    assert_eq!(by("document").stdout, by("doc").stdout);
    assert_eq!(by("document").status, Some(0));
    let help = world.run("eval --help").stdout;
    assert!(help.contains("- doc:") && !help.contains("- document:"), "{help}");
}

#[test]
fn check_says_what_a_file_is_taken_as_where_its_place_decides() {
    let world = World::new().with("d.json", r#"{"q1":{"d1":0.5}}"#).with("e.json", r#"{"q1":{"d1":0.5}}"#);
    let ran = world.run("check d.json e.json");
    let text = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("taken as labels, for it comes first (--runs takes it as a run)"), "{ran}");
    assert!(text.contains("taken as a run, for it does not come first"), "{ran}");
    let ran = world.run("check --runs d.json");
    assert!(ran.stdout.contains("taken as a run, 1 query, 1 result"), "{ran}");
}

#[test]
fn a_copy_in_a_query_without_labels_is_no_error_of_check_as_it_is_none_of_eval() {
    let copy = "q1 Q0 d1 1 9 t\nq9 Q0 a 1 9 t\nq9 Q0 a 2 8 t\n";
    let world = World::new().with("copy.trec", copy);
    assert_eq!(world.run("eval labels.txt copy.trec").status, Some(0));
    let ran = world.run("check labels.txt copy.trec");
    assert_eq!(ran.status, Some(0), "{ran}");
    assert!(ran.stdout.contains("N003") && !ran.stdout.contains("E014"), "{ran}");
    assert_eq!(world.run("check copy.trec").status, Some(2));
}

#[test]
fn a_negative_time_or_cost_is_refused_wherever_it_stands() {
    let world = World::new()
        .with("a.csv", "query_id,recall@2,latency_ms\nq1,1,-5\nq2,0.5,7\n")
        .with("b.csv", "query_id,recall@2,latency_ms\nq1,1,5\nq2,0.5,7\n");
    assert!(refused(&world, "compare a.csv b.csv -m latency_ms").contains("latency_ms must be a number from 0: `-5`"));
}

#[test]
fn the_line_of_a_fault_fits_into_a_terminal() {
    let long = "x".repeat(200);
    let rows = [
        format!(r#"{{"query_id":"{long}","results":["{long}"],"step":"{long}","role":"{long}"}}"#),
        format!(r#"{{"query_id":"q1","results":["d1"],"step":1.5,"role":"{long}"}}"#),
        format!(r#"{{"query_id":"{long}","results":["d1"],"latency_ms":true,"search_query":"{long}"}}"#),
        format!(
            r#"{{"query_id":"日本語日本語日本語日本語日本語日本語日本語","results":[{{"id":"日本語日本語日本語日本語日本語","score":"日本語日本語日本語日本語日本語日本語"}}],"role":"{long}"}}"#
        ),
    ];
    for row in rows {
        let line = |number| format!("{{\"query_id\":\"n{number}\",\"results\":[]}}\n");
        let before: String = (0..12_345).map(line).collect();
        let ran = World::new().with("r.jsonl", before + &row + "\n").run("eval labels.txt r.jsonl");
        assert_eq!(ran.status, Some(2), "{ran}");
        for line in ran.stderr.lines() {
            assert!(unicode_width::UnicodeWidthStr::width(line) <= 80, "{ran}");
        }
    }
}

#[test]
fn a_difference_wider_than_its_measure_is_not_named_as_one_that_could_be_missed() {
    let labels = "q1 0 a 1\nq2 0 a 1\nq3 0 a 1\n";
    let at = |query: &str, rank: usize| {
        let document = |place: usize| if place == rank { "a".to_owned() } else { format!("x{place}") };
        (1..=3).map(|place| format!("{query} Q0 {} {place} {} run\n", document(place), 9 - place)).collect::<String>()
    };
    let (one, two) =
        ([at("q1", 1), at("q2", 2), at("q3", 1)].concat(), [at("q1", 3), at("q2", 1), at("q3", 2)].concat());
    let world = World::new().with("l.txt", labels).with("one.trec", one).with("two.trec", two);
    let limits = world.run("compare one.trec two.trec --qrels l.txt -m mrr").stdout.replace("\n  ", " ");
    assert!(limits.contains("so much on mrr that no difference there can be is found 80% of the time"), "{limits}");
    assert!(!limits.contains("Could be missed"), "{limits}");
}
