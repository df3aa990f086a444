//! `--like TOOL`: what the header names, and what is said of measures that differ.

use snapbox::str;

use crate::world::World;

#[test]
fn the_header_names_the_tool_and_what_is_done_otherwise() {
    let world = World::new();
    world.shows(
        "eval labels.txt poor.trec --like beir -k 1,3",
        str![[r#"

exit status 0
--- stdout
poor   2 queries (1 not answered), 3 relevant documents
like beir: rel 1, gain linear, ties trec-32, over common, average macro, level
id, no-relevant zero, drop-self

                 @1 [95% interval]        @3 [95% interval]
ndcg        0.00000 (all 2 equal)    0.08688 [0.00000, 1.00000]
map         0.00000 (all 2 equal)    0.12500 [0.00000, 1.00000]
recall      0.00000 (all 2 equal)    0.25000 [0.00000, 1.00000]
precision   0.00000 (all 2 equal)    0.16667 [0.00000, 1.00000]

attainable with these labels: map@1 0.25000, map@3 0.50000, recall@1 0.25000,
  recall@3 0.50000, precision@1 0.50000, precision@3 0.33333

limits: 2 queries are few: the intervals are wide and only rough. 1 query has no
  relevant document in the first 3: q3.

The first result holds 0% of a query's relevant documents on average; 100% of
the queries get none.
--- stderr
note[N012]: poor: 1 judged query has no results and is left out: q2

"#]],
    );
    world.shows(
        "eval labels.txt poor.trec --like trec_eval --over all --rel 2 -m mrr",
        str![[r#"

exit status 0
--- stdout
poor   3 queries (1 not answered), 1 relevant document
like trec_eval but over all, rel 2: rel 2, gain linear, ties trec, over all,
average macro, level id, no-relevant zero

              mean [95% interval]   median   at 0
mrr:rel=2   0.0000 (all 3 equal)    0.0000   100%

limits: 3 queries are few: the intervals are wide and only rough.

mrr:rel=2 is 0.0000 over 3 queries; 100% of them score 0.
--- stderr
warning[W003]: poor: 1 judged query has no results and counts as an empty list:
  q2

"#]],
    );
    world.shows(
        "compare good.trec poor.trec --qrels labels.txt --like ranx -m mrr,rbp",
        str![[r#"

exit status 0
--- stdout
poor against good   3 queries
A = good, B = poor; labels labels.txt; like ranx, rel 1, ties input, over all,
seed 0

         A      B   B - A 95% interval         p  p adj
mrr  0.500  0.167  -0.333 [-0.500, +0.000]  0.50    1.0
rbp  0.154  0.053  -0.101 [-0.160, +0.000]  0.50    1.0

     better  same  worse  verdict
mrr       0     1      2  no evidence  only 2 queries differ: p >= 0.50
rbp       0     1      2  no evidence  only 2 queries differ: p >= 0.50

p: paired randomization test, two-sided, exact
p adj: Holm over the 2 rows
interval: paired bootstrap, 10,000 resamples, each row by itself

queries that changed on mrr

query      A      B   B - A  first relevant
q1     1.000  0.500  -0.500  1 → 2
q2     0.500  0.000  -0.500  2 → none

limits: 3 queries are few: only large differences can be found. Could be missed:
  with 3 queries that vary like these, a true difference below 0.894 (mrr),
  0.272 (rbp) is found less than 80% of the time.

No evidence of a difference on mrr and rbp.
--- stderr
warning[W003]: poor: 1 judged query has no results and counts as an empty list:
  q2
warning[W016]: --like ranx: 1 measure is defined in another way there: rbp adds
  up the grades themselves there
note[N003]: good: 1 query has no labels and is ignored: q9

"#]],
    );
}

#[test]
fn measures_that_the_tool_defines_otherwise_are_named() {
    World::new().shows(
        "eval labels.txt poor.trec --like ranx -m rbp,ndcg",
        str![[r#"

exit status 0
--- stdout
poor   3 queries (1 not answered), 3 relevant documents
like ranx: rel 1, gain linear, ties input, over all, average macro, level id,
no-relevant zero

        mean [95% interval]   median   at 0
rbp    0.053 [0.000, 0.283]    0.000    67%
ndcg   0.058 [0.000, 0.307]    0.000    67%

attainable with these labels: rbp 0.187

limits: 3 queries are few: the intervals are wide and only rough.

rbp is 0.053 (95% interval 0.000 to 0.283) over 3 queries; 67% of them score 0.
--- stderr
warning[W003]: poor: 1 judged query has no results and counts as an empty list:
  q2
warning[W016]: --like ranx: 1 measure is defined in another way there: rbp adds
  up the grades themselves there

"#]],
    );
}

#[test]
fn a_tool_that_is_not_known_is_refused() {
    World::new().shows(
        "eval labels.txt poor.trec --like elinor",
        str![[r#"

exit status 2
--- stderr
error: invalid value 'elinor' for '--like <TOOL>'
  [possible values: trec_eval, 9, pytrec_eval, beir, ranx]

  tip: a similar value exists: 'beir'

For more information, try '--help'.

"#]],
    );
}

#[test]
fn recall_levels_are_rounded_as_in_version_9_when_asked_for() {
    let world = World::new();
    let warned = |measures: &str| {
        let ran = world.run(&format!("eval labels.txt good.trec --like pytrec_eval -m {measures}"));
        ran.stderr.lines().filter(|line| line.contains("W016")).count()
    };
    assert_eq!((warned("11pt_avg"), warned("iprec@0.2"), warned("ndcg")), (1, 1, 0));
    assert_eq!(warned("11pt_avg:rounding=v9,iprec:rounding=v9@0.2"), 0);
}
