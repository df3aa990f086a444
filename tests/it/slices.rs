//! Slices of `eval`: what the mean over all queries hides.

use snapbox::str;

use crate::world::World;

/// Forty questions of two kinds and two runs: `new` is better on lookups and worse on how-tos.
fn world() -> World {
    let (mut labels, mut old, mut new) = (String::new(), String::new(), String::new());
    for number in 0..40 {
        let kind = if number % 8 < 5 { "lookup" } else { "how-to" };
        let lang = match number % 10 {
            0 => r#"["de", "fr"]"#,
            1 => r#""de""#,
            _ => r#""en""#,
        };
        labels.push_str(&format!(
            "{{\"query_id\":\"q{number}\",\"relevant\":{{\"a\":1,\"b\":0,\"c\":1}},\"tags\":{{\"kind\":\"{kind}\",\"lang\":{lang}}}}}\n"
        ));
        let lines = |run: &str, ids: &[&str]| {
            let line = |(rank, id): (usize, &&str)| format!("q{number} Q0 {id} {rank} {} {run}\n", 9 - rank);
            ids.iter().enumerate().map(line).collect::<String>()
        };
        old.push_str(&lines("old", if kind == "lookup" { &["b", "a"] } else { &["a", "c"] }));
        new.push_str(&lines("new", if kind == "lookup" { &["c", "a"] } else { &["b", "a"] }));
    }
    World::new().with("tagged.jsonl", labels).with("old.trec", old).with("new.trec", new)
}

#[test]
fn a_table_for_each_tag_of_one_run() {
    world().shows(
        "eval tagged.jsonl new.trec -m recall@2,mrr@2,judged@2 --by kind,lang",
        str![[r#"

exit status 0
--- stdout
new   40 queries, 80 relevant documents
rel 1, gain linear, ties trec, over all, average macro, level id

            mean [95% interval]   median   at 0
recall@2   0.812 [0.734, 0.891]    1.000     0%
mrr@2      0.812 [0.734, 0.891]    1.000     0%
judged@2   1.000                   1.000     0%

by kind

           n   recall@2   mrr@2   judged@2   recall@2
lookup    25      1.000   1.000      1.000   ██████████
how-to   15*      0.500   0.500      1.000   █████

by lang

      n   recall@2   mrr@2   judged@2   recall@2
en   32      0.812   0.812      1.000   ████████▏
de   8*      0.812   0.812      1.000   ████████▏
fr   4*      0.875   0.875      1.000   ████████▊

* thin: fewer than 20 queries, where a mean says little

The first 2 results hold 81% of a query's relevant documents on average (95%
interval 73% to 89%).

"#]],
    );
}

#[test]
fn what_the_averages_of_several_runs_hide_is_said() {
    world().shows(
        "eval tagged.jsonl old.trec new.trec -m recall@2 --by kind --quiet",
        str![[r#"

exit status 0
--- stdout
2 runs   40 queries, 80 relevant documents
rel 1, gain linear, ties trec, over all, average macro, level id

run   recall@2
old      0.688
new      0.812
±        0.078

±: half of the widest 95% interval of the column

recall@2 by kind

           n     old     new
lookup    25   0.500   1.000
how-to   15*   1.000   0.500

hidden by the averages: new, better than old on recall@2, is 0.500 worse on
  kind=how-to (n = 15, 1.000 → 0.500)
* thin: fewer than 20 queries, where a mean says little

Highest: new on recall@2; `raglens compare` tests whether that is more than
chance.

"#]],
    );
}

#[test]
fn crossed_tags_stand_in_tidy_rows() {
    world().shows(
        "eval tagged.jsonl new.trec -m mrr --by kind*lang --format csv",
        str![[r#"

exit status 0
--- stdout
run,metric,slice,n,value,low,high
new,mrr,,40,0.8125,0.7340987714303893,0.8909012285696107
new,mrr,kind*lang=lookup*en,20,1,,
new,mrr,kind*lang=how-to*en,12,0.5,,
new,mrr,kind*lang=lookup*de,5,1,,
new,mrr,kind*lang=how-to*de,3,0.5,,
new,mrr,kind*lang=lookup*fr,3,1,,
new,mrr,kind*lang=how-to*fr,1,0.5,,

"#]],
    );
}

#[test]
fn micro_averages_of_slices_pool_within_the_slice() {
    world().shows(
        "eval tagged.jsonl old.trec -m recall@1 --by kind --average micro --format csv",
        str![[r#"

exit status 0
--- stdout
run,metric,slice,n,value,low,high
old,recall@1,,40,0.1875,,
old,recall@1,kind=lookup,25,0,,
old,recall@1,kind=how-to,15,0.5,,

"#]],
    );
}

#[test]
fn slices_stand_in_json_with_every_measure() {
    let ran = world().run("eval tagged.jsonl new.trec -m recall@2,mrr --by kind --format json");
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let slices = json["runs"][0]["slices"].as_array().unwrap();
    assert_eq!((slices[0]["tag"].as_str(), slices[0]["value"].as_str()), (Some("kind"), Some("lookup")));
    assert_eq!((slices[0]["n"].as_u64(), slices[0]["measures"]["mrr"]["mean"].as_f64()), (Some(25), Some(1.0)));
    assert_eq!(slices[1]["measures"]["recall@2"]["mean"].as_f64(), Some(0.5));
}

#[test]
fn an_unknown_tag_names_the_known_ones() {
    world().shows(
        "eval tagged.jsonl new.trec --by team",
        str![[r#"

exit status 2
--- stderr
error: no query has a tag `team`
  there are: kind, lang

"#]],
    );
}

#[test]
fn labels_without_tags_say_so() {
    World::new().shows(
        "eval labels.txt good.trec --by team --quiet",
        str![[r#"

exit status 2
--- stderr
error: no query has a tag `team`
  help: the labels have no tags at all; rows of JSON labels take "tags":
        {"type": "how-to"}

"#]],
    );
}

#[test]
fn letters_mark_what_is_better_beyond_chance() {
    let best: String = (0..40).map(|number| format!("q{number} Q0 a 1 9 t\nq{number} Q0 c 2 8 t\n")).collect();
    let world = world().with("best.trec", best);
    world.shows(
        "eval tagged.jsonl old.trec new.trec best.trec -m recall@2,judged@2 --letters --quiet",
        str![[r#"

exit status 0
--- stdout
3 runs   40 queries, 80 relevant documents
rel 1, gain linear, ties trec, over all, average macro, level id

run      recall@2      judged@2
a old       0.688         1.000
b new       0.812         1.000
c best      1.000 ab      1.000
±           0.078

±: half of the widest 95% interval of the column
letters: better than that run, paired randomization test, two-sided, Holm over
  all pairs of a column, p < 0.05

limits: A mean can hide slices: --by kind,lang shows them.

Highest: best on recall@2; `raglens compare` tests whether that is more than
chance.

"#]],
    );
    let ran = world.run("eval tagged.jsonl old.trec best.trec -m recall@2 --letters --format json");
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let beaten = |run: usize| json["runs"][run]["better_than"]["recall@2"].clone();
    assert_eq!((beaten(0), beaten(1)), (serde_json::json!([]), serde_json::json!(["old"])));
}

#[test]
fn of_ten_thousand_tags_an_error_names_the_first() {
    let labels: String = (0..10_000)
        .map(|n| {
            format!(
                "{{\"query_id\":\"q{n}\",\"relevant\":{{\"a\":1}},\"tags\":{{\"tag{n}\":\"x\",\"all\":\"{n}\"}}}}\n"
            )
        })
        .collect();
    let world =
        World::new().with("l.jsonl", &labels).with("a.trec", "q1 Q0 a 1 2 t\n").with("b.trec", "q1 Q0 b 1 2 t\n");
    let unknown = world.run("eval l.jsonl a.trec --by nope --quiet");
    let message = unknown.stderr;
    assert!(message.contains("there are: tag0, all, tag1, tag2") && message.lines().count() < 14, "{message}");
    // As many slices as queries, side by side.
    let many = world.run("eval l.jsonl a.trec b.trec --by all -m recall --quiet");
    assert!(many.stdout.contains("the largest 40 of 10000"), "{many}");
    let whole = world.run("eval l.jsonl a.trec -m recall --quiet").stdout;
    assert!(whole.contains("tag0,all,tag1,tag2,tag3,... shows them"), "{whole}");
}
