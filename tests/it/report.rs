//! `--report html`: one file, well formed whatever the data hold, and the same data inside.

use std::fs::File;
use std::process::Command;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::Value;
use snapbox::file;

use crate::fixture::{fixture, refused};
use crate::world::{Ran, World};

/// The binary at a time that does not change.
fn command(world: &World, arguments: &str) -> Command {
    let mut command = world.command(arguments);
    command.env("SOURCE_DATE_EPOCH", "1767225600");
    command
}

/// The report that a command writes.
#[track_caller]
fn report(world: &World, arguments: &str) -> String {
    let ran = Ran::from(command(world, &format!("{arguments} --report html=out.html")).output().unwrap());
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "{ran}");
    world.read("out.html")
}

/// The data in a report.
fn data(html: &str) -> Value {
    let start = html.find("id=\"raglens-data\">").expect("the report holds its data") + "id=\"raglens-data\">".len();
    let end = start + html[start..].find("</script>").unwrap();
    serde_json::from_str(&html[start..end]).unwrap()
}

/// Checks that every element that is opened is closed, in order, and that nothing else looks like
/// markup; gives back how often each element stands there.
#[track_caller]
fn well_formed(html: &str) -> std::collections::BTreeMap<String, usize> {
    let (mut open, mut counts): (Vec<String>, _) = (Vec::new(), std::collections::BTreeMap::new());
    let mut rest = html.strip_prefix("<!DOCTYPE html>").expect("a page says what it is");
    while let Some(place) = rest.find('<') {
        assert!(!rest[..place].contains('>') || open.last().is_some_and(|tag| ["style", "script"].contains(&&**tag)));
        let end = place + rest[place..].find('>').expect("a tag ends");
        let tag = &rest[place + 1..end];
        rest = &rest[end + 1..];
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop().as_deref(), Some(name), "near {:?}", &rest[..rest.len().min(80)]),
            None => {
                let name = tag.split([' ', '/']).next().unwrap().to_owned();
                assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{tag}");
                assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
                *counts.entry(name.clone()).or_insert(0) += 1;
                open.extend((!tag.ends_with('/')).then_some(name));
            }
        }
    }
    assert_eq!(open, Vec::<String>::new());
    counts
}

/// Labels, runs and texts that try to be markup.
fn hostile() -> World {
    let query = "q<script>alert(1)</script>\\u001b[31m";
    let long = "d".repeat(300);
    let labels = format!(
        "{{\"query_id\":\"{query}\",\"query\":\"</table><img src=x onerror=alert(1)> \\u202e \\\"'&\",\
         \"relevant\":{{\"</td>\":1,\"{long}\":2}},\"tags\":{{\"<b>\":\"</script>\"}}}}\n\
         {{\"query_id\":\"q2\",\"relevant\":{{\"a&b\":1}},\"tags\":{{\"<b>\":\"plain\"}}}}\n"
    );
    let run = |first: &str, second: &str| {
        format!(
            "{{\"query_id\":\"{query}\",\"results\":[\"{first}\",\"{second}\",\"<!--\"]}}\n\
             {{\"query_id\":\"q2\",\"results\":[\"a&b\"]}}\n"
        )
    };
    let corpus = "{\"id\":\"<!--\",\"text\":\"--><script src='http://evil.example/x.js'></script>\"}\n";
    World::new()
        .with("hostile.jsonl", labels)
        .with("one.jsonl", run("</td>", &long))
        .with("two.jsonl", run("<!--x", "x"))
        .with("corpus.jsonl", corpus)
}

#[test]
fn the_report_of_a_comparison_is_one_file() {
    let world = World::new();
    for name in ["labels.txt", "good.trec", "poor.trec"] {
        let file = File::options().write(true).open(world.path(name)).unwrap();
        file.set_modified(UNIX_EPOCH + Duration::from_secs(1_700_000_000)).unwrap();
    }
    let html = report(&world, "compare good.trec poor.trec --qrels labels.txt -m recall@5,mrr --quiet");
    well_formed(&html);
    let assert = snapbox::Assert::new().action_env("SNAPSHOTS").normalize_paths(false);
    assert.eq(html, file!["report.html": Text].raw());
}

#[test]
fn no_data_become_markup() {
    let world = hostile();
    let runs = "one.jsonl '<i>=two.jsonl'";
    for arguments in [
        format!("compare {runs} --qrels hostile.jsonl --by '<b>' --corpus corpus.jsonl --quiet"),
        format!("eval hostile.jsonl {runs} --by '<b>' --corpus corpus.jsonl --quiet"),
        "eval hostile.jsonl two.jsonl --corpus corpus.jsonl --quiet".to_owned(),
    ] {
        let html = report(&world, &arguments);
        let counts = well_formed(&html);
        assert_eq!((counts["script"], counts.get("img"), counts.get("i"), counts.get("b")), (1, None, None, None));
        assert!(html.contains("q&lt;script&gt;alert(1)&lt;/script&gt;"));
        assert!(!html.contains(['\u{1b}', '\u{202e}']));
        assert!(html.contains("src=&#39;http://evil.example/x.js&#39;"));
    }
}

#[test]
fn the_page_needs_no_network_and_no_script() {
    let html = report(&fixture("handbook"), "compare bm25.jsonl rerank.jsonl --qrels labels.jsonl --quiet");
    let text = html.replace("http://www.w3.org/2000/svg", "");
    for reference in ["http:", "https:", "src=", "href=", "@import", "url(", "onclick", "javascript"] {
        assert!(!text.contains(reference), "{reference}");
    }
    let counts = well_formed(&html);
    assert_eq!(html.matches("<svg xmlns").count(), html.matches("aria-label=").count());
    assert!(counts["title"] > 10 && counts["details"] > 0 && counts["table"] > 3);
}

#[test]
fn the_data_inside_are_those_of_json() {
    let world = fixture("handbook");
    for arguments in [
        "compare bm25.jsonl dense.jsonl --qrels labels.jsonl --noninferior 0.1 --exit-zero --quiet",
        "eval labels.jsonl bm25.jsonl dense.jsonl --quiet",
        "eval labels.jsonl bm25.jsonl --per-query --quiet",
    ] {
        let html = report(&world, arguments);
        let json = world.run(&format!("{arguments} --format json")).stdout;
        assert_eq!(data(&html), serde_json::from_str::<Value>(&json).unwrap(), "{arguments}");
    }
}

#[test]
fn any_number_of_threads_writes_the_same() {
    let world = fixture("handbook");
    let of = |threads: &str| {
        let arguments =
            "compare bm25.jsonl dense.jsonl fused.jsonl --qrels labels.jsonl --pairs all --quiet --threads ";
        report(&world, &format!("{arguments}{threads}")).replace(&format!("--threads {threads}"), "--threads N")
    };
    assert_eq!(of("1"), of("7"));
}

#[test]
fn a_hundred_thousand_queries_stay_below_a_megabyte() {
    let (mut labels, mut one, mut two) = (String::new(), String::new(), String::new());
    for query in 0..100_000 {
        labels.push_str(&format!("query-{query:06} 0 d 1\n"));
        one.push_str(&format!("query-{query:06} Q0 d 1 9 one\n"));
        // A third each at rank 1, 2 and 3: differences that have no common step.
        let above = (0..query % 3).map(|rank| format!("query-{query:06} Q0 x{rank} {rank} 10 two\n"));
        two.extend(above.chain([format!("query-{query:06} Q0 d 5 9 two\n")]));
    }
    let world = World::new().with("many.qrels", labels).with("one.trec", one).with("two.trec", two);
    for arguments in [
        "compare one.trec two.trec --qrels many.qrels -m ndcg@3 --resamples 100 --bootstrap 100 --quiet",
        "eval many.qrels one.trec two.trec -m ndcg@3 --quiet",
    ] {
        let html = report(&world, arguments);
        assert!(html.len() < 500_000, "{} bytes: {arguments}", html.len());
        assert!(html.contains("66,666 queries worse"), "{arguments}");
        assert_eq!(data(&html)["command"], arguments[..arguments.find(' ').unwrap()]);
    }
}

#[test]
fn all_equal_runs_saved_scores_and_a_single_query_have_a_report() {
    let world = World::new()
        .with("a.csv", "query_id,correct,latency_ms\nq1,1,10\nq2,0,20\n")
        .with("b.csv", "query_id,correct,latency_ms\nq1,1,12\nq2,1,30\n");
    let world = world.with("one.qrels", "q1 0 d1 1\n");
    for arguments in [
        "compare good.trec same=good.trec --qrels labels.txt --quiet",
        "compare a.csv b.csv --quiet",
        "compare good.trec poor.trec --qrels one.qrels --quiet",
        "eval one.qrels good.trec --quiet",
        "eval labels.txt poor.trec -m num_rel_ret,dcg@5 --quiet",
        "eval labels.txt good.trec poor.trec -m judged@5 --quiet",
    ] {
        let html = report(&world, arguments);
        well_formed(&html);
        assert!(!html.contains("NaN") && !html.contains("\"inf"), "{arguments}");
        assert!(html.contains("What this evaluation cannot tell you"), "{arguments}");
    }
}

#[test]
fn measures_that_stand_as_na_are_not_in_the_report_unless_they_are_asked_for() {
    let world = World::new().with("one.qrels", "q1 0 d1 1\n");
    for runs in ["good.trec", "good.trec poor.trec"] {
        let html = report(&world, &format!("eval one.qrels {runs} --quiet"));
        assert!(html.contains("recall") && !html.contains("\">judged"), "{runs}");
        let html = report(&world, &format!("eval one.qrels {runs} -m judged@5 --quiet"));
        assert!(html.contains("\">judged"), "{runs}");
    }
}

#[test]
fn the_report_comes_beside_the_output_and_goes_where_it_is_told() {
    let world = World::new();
    let plain = world.run("eval labels.txt good.trec");
    let ran = world.run("eval labels.txt good.trec --report html");
    assert_eq!((&ran.stdout, &ran.stderr), (&plain.stdout, &plain.stderr));
    assert!(world.read("raglens.html").contains("raglens eval labels.txt good.trec --report html"));
    let ran = world.run("eval labels.txt good.trec poor.trec --min 'recall@5>=0.6' --report html");
    assert_eq!(ran.status, Some(1));
    assert!(world.read("raglens.html").contains("Gate: FAIL."));
    assert!(refused(&world, "eval labels.txt good.trec --report pdf").contains("there is html"));
    assert!(refused(&world, "eval labels.txt good.trec --report html=").contains("expected html=FILE"));
    assert!(refused(&world, "eval labels.txt good.trec --report html=x -o x").contains("the same place"));
    assert!(refused(&world, "eval labels.txt good.trec --report html=-").contains("where the result goes"));
    assert!(
        refused(&world, "compare good.trec poor.trec --qrels labels.txt --report html=good.trec")
            .contains("write over")
    );
    assert!(refused(&world, "eval labels.txt good.trec --corpus c.jsonl").contains("--report"));
    let mut timeless = world.command("eval labels.txt good.trec --report html");
    let ran = Ran::from(timeless.env("SOURCE_DATE_EPOCH", "yesterday").output().unwrap());
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("SOURCE_DATE_EPOCH"), "{ran}");
}

#[test]
fn as_many_queries_are_shown_in_detail_as_asked_for() {
    let world = fixture("handbook");
    let count = |option: &str| {
        report(&world, &format!("eval labels.jsonl bm25.jsonl --quiet {option}")).matches("<details>").count()
    };
    let all = count("--html-queries all");
    assert!(all > 3);
    assert_eq!([count("--html-queries 3"), count("--html-queries 0"), count("")], [3, 0, all]);
    let none = report(&world, "compare bm25.jsonl dense.jsonl --qrels labels.jsonl --quiet --html-queries 0");
    assert_eq!(none.matches("<details>").count(), 0);
}

#[test]
fn slices_that_only_a_later_run_has_are_shown_with_how_many_queries_each_has() {
    let label = |query: &str, kind: &str| {
        format!("{{\"query_id\":\"{query}\",\"relevant\":{{\"d\":1}},\"tags\":{{\"kind\":\"{kind}\"}}}}\n")
    };
    let run = |queries: &[&str]| -> String { queries.iter().map(|query| format!("{query} Q0 d 1 2 t\n")).collect() };
    let world = World::new()
        .with("l.jsonl", [label("q1", "a"), label("q2", "a"), label("q3", "b")].concat())
        .with("part.trec", run(&["q2"]))
        .with("full.trec", run(&["q1", "q2", "q3"]));
    let html = report(&world, "eval l.jsonl part.trec full.trec -m recall@2 --over common --by kind --quiet");
    let row = |name: &str, queries: &str| format!(">{name}</th><td class=\"n\">{queries} *</td>");
    assert!(html.contains(&row("kind=a", "1-2")) && html.contains(&row("kind=b", "0-1")), "{html}");
}

#[test]
fn the_page_says_what_its_scores_are() {
    let page = |rest: &str| report(&World::new(), &format!("eval labels.txt good.trec --quiet {rest}"));
    assert!(page("-m recall@2 --average micro").contains("Micro average"));
    let counts = page("-m num_rel_ret");
    assert!(counts.contains("Sum over the queries.") && !counts.contains("Lowest queries"), "{counts}");
}

#[test]
fn queries_below_the_mean_of_a_measure_without_a_scale_are_listed_under_it() {
    let html = report(&World::new(), "eval labels.txt good.trec -m dcg@2 --quiet");
    assert!(html.contains("<h3>dcg@2 below 1.815</h3>"), "{html}");
}
