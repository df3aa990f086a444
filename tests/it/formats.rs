//! Every format of results.

use snapbox::str;

use crate::world::World;

#[test]
fn json_holds_everything() {
    World::new().shows("eval labels.txt good.trec -m recall@5,judged@5,num_ret --per-query --format json", str![[r#"

exit status 0
--- stdout
{
  "schema": "raglens/1",
  "command": "eval",
  "version": "0.1.0",
  "conventions": {
    "rel": 1.0,
    "gain": "linear",
    "err_max": 3.0,
    "ties": "trec",
    "over": "all",
    "no_relevant": "skip",
    "average": "macro",
    "level": "id",
    "unit": "id",
    "min_overlap": null,
    "cut": null,
    "budget": null,
    "collapse": null,
    "duplicates": "error",
    "drop_self": false,
    "edit_query_ids": [],
    "edit_doc_ids": [],
    "ci": "auto",
    "bootstrap": 10000,
    "seed": 0
  },
  "labels": {
    "path": "labels.txt",
    "bytes": 60,
    "hash": "sha256:d6c8ef271def53c072ae19bf63087bfb0b025119d3faa1ef6dae9345cbf18246",
    "read_as": "TREC qrels",
    "queries": 3,
    "relevant": 3,
    "left_out": ["q3"],
    "positive_only": false,
    "skipped_lines": 0
  },
  "runs": [
    {
      "name": "good",
      "path": "good.trec",
      "bytes": 160,
      "modified": "[..]",
      "read_as": "TREC run",
      "queries": 4,
      "missing": [],
      "ignored": 1,
      "skipped_lines": 0,
      "dropped_copies": 0,
      "measures": {
        "recall@5": {"n": 2, "mean": 1.0, "low": null, "high": null, "level": 0.95, "interval": null, "zero_share": 0.0, "median": 1.0, "attainable": 1.0, "reason": "all values are equal: no interval"},
        "judged@5": {"n": 2, "mean": 0.625, "low": 0.0, "high": 1.0, "level": 0.95, "interval": "t", "zero_share": 0.0, "median": 0.625, "attainable": null},
        "num_ret": {"n": 2, "mean": 3.0, "sum": 6.0, "low": null, "high": null, "level": 0.95, "interval": null, "zero_share": 0.0, "median": 3.0, "attainable": null}
      },
      "slices": [],
      "per_query": {
        "q1": {"recall@5": 1.0, "judged@5": 0.75, "num_ret": 4.0},
        "q2": {"recall@5": 1.0, "judged@5": 0.5, "num_ret": 2.0}
      }
    }
  ],
  "notes": [
    {
      "code": "N001",
      "text": "labels.txt: 1 query has no relevant document and is left out: q3",
      "count": 1,
      "examples": ["q3"]
    },
    {
      "code": "N003",
      "text": "good: 1 query has no labels and is ignored: q9",
      "count": 1,
      "examples": ["q9"]
    }
  ]
}
--- stderr
note[N001]: labels.txt: 1 query has no relevant document and is left out: q3
note[N003]: good: 1 query has no labels and is ignored: q9

"#]]);
}

#[test]
fn jsonl_is_one_object_a_row() {
    World::new().shows(
        "eval labels.txt good.trec -m recall@5,num_ret --format jsonl --quiet",
        str![[r#"

exit status 0
--- stdout
{"schema":"raglens/1","run":"good","metric":"recall@5","slice":null,"n":2,"value":1.0,"low":null,"high":null}
{"schema":"raglens/1","run":"good","metric":"num_ret","slice":null,"n":2,"value":6.0,"low":null,"high":null}

"#]],
    );
}

#[test]
fn csv_is_tidy() {
    World::new().shows(
        "eval labels.txt good.trec poor.trec -m recall@5,judged@1 --format csv --quiet",
        str![[r#"

exit status 0
--- stdout
run,metric,slice,n,value,low,high
good,recall@5,,2,1,,
good,judged@1,,2,0.5,0.09453120573423081,0.9054687942657693
poor,recall@5,,2,0.25,0,1
poor,judged@1,,1,0,,

"#]],
    );
}

#[test]
fn csv_of_queries_has_a_row_a_value() {
    World::new().shows(
        "eval labels.txt good.trec -m recall@5,judged@1 --format csv -q --quiet",
        str![[r#"

exit status 0
--- stdout
run,query_id,metric,value
good,q1,recall@5,1
good,q1,judged@1,1
good,q2,recall@5,1
good,q2,judged@1,0

"#]],
    );
}

#[test]
fn tsv_is_the_same_with_tabs() {
    let world = World::new();
    let csv = world.run("eval labels.txt good.trec --format csv").stdout;
    let tsv = world.run("eval labels.txt good.trec --format tsv").stdout;
    assert_eq!(csv.replace(',', "\t"), tsv);
}

#[test]
fn markdown_holds_the_same_tables() {
    World::new().shows(
        "eval labels.txt good.trec -k 5 -m recall,map@all --format md --quiet",
        str![[r#"

exit status 0
--- stdout
### good

2 queries (1 left out), 3 relevant documents

rel 1, gain linear, ties trec, over all, average macro, level id

|  | mean [95% interval] | median | at 0 |
| :-- | --: | --: | --: |
| recall@5 | 1.000 (all 2 equal) | 1.000 | 0% |
| map | 0.625 [0.000, 1.000] | 0.625 | 0% |

**limits:** 2 queries are few: the intervals are wide and only rough.

The first 5 results hold 100% of a query's relevant documents on average.

"#]],
    );
}

#[test]
fn trec_has_the_layout_and_names_of_trec_eval() {
    World::new().shows(
        "eval labels.txt good.trec -m recall@5,ndcg@10,map,num_ret,mrr@5 -q --format trec --quiet",
        str![[r#"

exit status 0
--- stdout
recall_5              	q1	1.0000
ndcg_cut_10           	q1	0.9448
map                   	q1	0.7500
num_ret               	q1	4
mrr@5                 	q1	1.0000
recall_5              	q2	1.0000
ndcg_cut_10           	q2	0.6309
map                   	q2	0.5000
num_ret               	q2	2
mrr@5                 	q2	0.5000
recall_5              	all	1.0000
ndcg_cut_10           	all	0.7879
map                   	all	0.6250
num_ret               	all	6
mrr@5                 	all	0.7500

"#]],
    );
}

#[test]
fn trec_tells_several_runs_apart() {
    World::new().shows(
        "eval labels.txt good.trec poor.trec -m map --format trec --quiet",
        str![[r#"

exit status 0
--- stdout
runid                 	all	good
map                   	all	0.6250
runid                 	all	poor
map                   	all	0.1250

"#]],
    );
}

#[test]
fn digits_are_for_people_and_not_for_scripts() {
    let world = World::new();
    assert!(world.run("eval labels.txt good.trec -m map --digits 6").stdout.contains(" 0.625000 "));
    assert!(world.run("eval labels.txt good.trec -m map --digits 1 --format csv").stdout.contains(",0.625,"));
}
