//! The text that people read.

use snapbox::str;

use crate::world::World;

#[test]
fn one_run_shows_every_measure_with_its_interval() {
    World::new().shows(
        "eval labels.txt good.trec",
        str![[r#"

exit status 0
--- stdout
good   2 queries (1 left out), 3 relevant documents
rel 1, gain linear, g_max 3, ties trec, over all, average macro, level id

               @5 [95% interval]     @10 [95% interval]
hit         1.000 (all 2 equal)    1.000 (all 2 equal)
precision   0.300 [0.000, 1.000]   0.150 [0.000, 0.785]
recall      1.000 (all 2 equal)    1.000 (all 2 equal)
f1          0.452 [0.000, 1.000]   0.258 [0.000, 1.000]
mrr         0.750 [0.000, 1.000]   0.750 [0.000, 1.000]
ndcg        0.788 [0.000, 1.000]   0.788 [0.000, 1.000]
ndcg'       0.982 [0.753, 1.000]   0.982 [0.753, 1.000]
ndcg_exp    0.802 [0.000, 1.000]   0.802 [0.000, 1.000]
err         0.471 [0.000, 1.000]   0.471 [0.000, 1.000]
judged      0.625                  0.625

        whole list [95% interval]   median   at 0
mrr          0.750 [0.000, 1.000]    0.750     0%
map          0.625 [0.000, 1.000]    0.625     0%
map'         0.917 [0.000, 1.000]    0.917     0%
rprec        0.250 [0.000, 1.000]    0.250    50%
rbp          0.231 [0.000, 1.000]    0.231     0%
bpref        0.750 [0.000, 1.000]    0.750     0%

rbp has a residual of 0.689 (tail 0.525): with every label it would be 0.231 to
  0.920
attainable with these labels: precision@5 0.300, precision@10 0.150, f1@5 0.452,
  f1@10 0.258, err@5 0.504, err@10 0.504, rbp 0.280

limits: 2 queries are few: the intervals are wide and only rough. 38% of the
  first 10 results are unjudged and count as not relevant: with more labels hit,
  precision, mrr and rbp can only rise; recall, map and ndcg can move either
  way.

The first 5 results hold 100% of a query's relevant documents on average.
--- stderr
note[N001]: labels.txt: 1 query has no relevant document and is left out: q3
note[N003]: good: 1 query has no labels and is ignored: q9

"#]],
    );
}

#[test]
fn several_runs_stand_side_by_side() {
    World::new().shows(
        "eval labels.txt good.trec poor.trec",
        str![[r#"

exit status 0
--- stdout
2 runs   2 queries (1 left out), 3 relevant documents
rel 1, gain linear, g_max 3, ties trec, over all, average macro, level id

       recall          mrr             ndcg            judged
run       @5    @10       @5    @10       @5    @10       @5    @10
good   1.000  1.000    0.750  0.750    0.788  0.788    0.625  0.625
poor   0.250  0.250    0.250  0.250    0.087  0.087    0.500  0.500
±      0.500  0.500    0.500  0.500    0.500  0.500

±: half of the widest 95% interval of the column
poor does not answer 1 query

limits: 2 queries are few: the intervals are wide and only rough. What is
  unjudged in the first 10 results counts as not relevant, so a run that returns
  more of it looks worse than it may be (judged@10: 0.625, 0.500).

good is highest on every measure shown; `raglens compare` tests whether that is
more than chance.
--- stderr
warning[W003]: poor: 1 judged query has no results and counts as an empty list:
  q2
note[N001]: labels.txt: 1 query has no relevant document and is left out: q3
note[N003]: good: 1 query has no labels and is ignored: q9

"#]],
    );
}

#[test]
fn measures_that_were_asked_for_stand_in_a_list_with_their_spread() {
    World::new().shows(
        "eval labels.txt good.trec -m recall@5,map,num_rel_ret --quiet",
        str![[r#"

exit status 0
--- stdout
good   2 queries (1 left out), 3 relevant documents
rel 1, gain linear, ties trec, over all, average macro, level id

               mean [95% interval]   median   at 0
recall@5      1.000 (all 2 equal)     1.000     0%
map           0.625 [0.000, 1.000]    0.625     0%
num_rel_ret       3

limits: 2 queries are few: the intervals are wide and only rough.

The first 5 results hold 100% of a query's relevant documents on average.

"#]],
    );
}

#[test]
fn queries_and_distributions_follow_on_request() {
    World::new().shows(
        "eval labels.txt good.trec -m ndcg,mrr -k 1,5 --per-query --dist --quiet",
        str![[r#"

exit status 0
--- stdout
good   2 queries (1 left out), 3 relevant documents
rel 1, gain linear, ties trec, over all, average macro, level id

          @1 [95% interval]      @5 [95% interval]
ndcg   0.500 [0.095, 0.905]   0.788 [0.000, 1.000]
mrr    0.500 [0.095, 0.905]   0.750 [0.000, 1.000]

good, spread over the queries

         0  to  1     at 0   median   at 1
ndcg@1   █        █    50%    0.500    50%
ndcg@5         █  █     0%    0.788     0%
mrr@1    █        █    50%    0.500    50%
mrr@5         █   █     0%    0.750    50%

good, query by query

        ndcg            mrr
query      @1     @5       @1     @5
q1      1.000  0.945    1.000  1.000
q2      0.000  0.631    0.000  0.500

limits: 2 queries are few: the intervals are wide and only rough.

ndcg@1 is 0.500 (95% interval 0.095 to 0.905) over 2 queries; 50% of them score
0.

"#]],
    );
}

#[test]
fn plain_output_is_ascii() {
    let world = World::new();
    let ran = world.run("eval labels.txt good.trec poor.trec --dist -q --plain");
    assert!(ran.stdout.is_ascii() && ran.stderr.is_ascii(), "{ran}");
    let locale = world.command("eval labels.txt good.trec --dist").env("LANG", "C").output().unwrap();
    assert!(locale.stdout.is_ascii());
}

#[test]
fn labels_without_zeros_hide_what_they_cannot_tell() {
    let world = World::new().with("positive.txt", "q1 0 d1 1\nq1 0 d3 1\nq2 0 d4 1\n");
    world.shows(
        "eval positive.txt good.trec -k 5",
        str![[r#"

exit status 0
--- stdout
good   2 queries, 3 relevant documents
rel 1, gain linear, g_max 1, ties trec, over all, average macro, level id

               mean [95% interval]   median   at 0
hit@5         1.000 (all 2 equal)     1.000     0%
precision@5   0.300 [0.000, 1.000]    0.300     0%
recall@5      1.000 (all 2 equal)     1.000     0%
f1@5          0.452 [0.000, 1.000]    0.452     0%
mrr@5         0.750 [0.000, 1.000]    0.750     0%
mrr           0.750 [0.000, 1.000]    0.750     0%
map           0.625 [0.000, 1.000]    0.625     0%
map'            n/a
ndcg@5        0.754 [0.000, 1.000]    0.754     0%
ndcg'@5         n/a
ndcg_exp@5    0.754 [0.000, 1.000]    0.754     0%
err@5         0.406 [0.000, 1.000]    0.406     0%
rprec         0.250 [0.000, 1.000]    0.250    50%
rbp           0.231 [0.000, 1.000]    0.231     0%
bpref           n/a
judged@5        n/a

rbp has a residual of 0.769 (tail 0.525): with every label it would be 0.231 to
  1.000
attainable with these labels: precision@5 0.300, f1@5 0.452, err@5 0.562, rbp
  0.280
n/a: map', ndcg', bpref, judged need documents judged not relevant (grade 0),
  and the labels hold none

limits: 2 queries are few: the intervals are wide and only rough. The labels
  name only relevant documents, so what is unjudged cannot be told from what is
  not relevant.

The first 5 results hold 100% of a query's relevant documents on average.
--- stderr
note[N003]: good: 2 queries have no labels and are ignored: q3, q9

"#]],
    );
}

#[test]
fn one_query_has_no_interval() {
    let world = World::new().with("one.txt", "q1 0 d1 1\nq1 0 d2 0\n");
    world.shows(
        "eval one.txt good.trec -m recall@1,ndcg@3 --quiet",
        str![[r#"

exit status 0
--- stdout
good   1 query, 1 relevant document
rel 1, gain linear, ties trec, over all, average macro, level id

            mean
recall@1   1.000
ndcg@3     1.000

limits: One query says nothing about others: there is no interval.

The first result holds 100% of a query's relevant documents on average.

"#]],
    );
}

#[test]
fn a_threshold_that_nothing_reaches_is_said() {
    World::new().shows(
        "eval labels.txt good.trec --rel 4 -m recall@5,ndcg@5",
        str![[r#"

exit status 0
--- stdout
good   2 queries (1 left out), 0 relevant documents
rel 4, gain linear, ties trec, over all, average macro, level id

                  mean [95% interval]   median   at 0
recall:rel=4@5     n/a
ndcg@5           0.788 [0.000, 1.000]    0.788     0%

n/a: no query counts; `--rel` (4 here) and rel= set the grade that is relevant

limits: 2 queries are few: the intervals are wide and only rough.

ndcg@5 is 0.788 (95% interval 0.000 to 1.000) over 2 queries.
--- stderr
warning[W004]: good: no query has a relevant document for these measures
  (`--rel` and `rel=` set the threshold): recall:rel=4@5
note[N001]: labels.txt: 1 query has no relevant document and is left out: q3
note[N003]: good: 1 query has no labels and is ignored: q9

"#]],
    );
}

#[test]
fn a_measure_with_its_own_number_of_queries_says_so() {
    World::new().shows(
        "eval labels.txt poor.trec -m judged@5,recall@5",
        str![[r#"

exit status 0
--- stdout
poor   2 queries (1 left out, 1 not answered), 3 relevant documents
rel 1, gain linear, ties trec, over all, average macro, level id

            mean [95% interval]   median   at 0
judged@5   0.500
recall@5   0.250 [0.000, 1.000]    0.250    50%

n = 1 for judged@5 (1 query has no results)

limits: 2 queries are few: the intervals are wide and only rough. 50% of the
  first 5 results are unjudged and count as not relevant: with more labels hit,
  precision, mrr and rbp can only rise; recall, map and ndcg can move either
  way. 1 query has no relevant document in the first 5: q2.

The first 5 results hold 25% of a query's relevant documents on average (95%
interval 0% to 100%); 50% of the queries get none.
--- stderr
warning[W003]: poor: 1 judged query has no results and counts as an empty list:
  q2
note[N001]: labels.txt: 1 query has no relevant document and is left out: q3

"#]],
    );
}

#[test]
fn many_runs_and_cutoffs_break_into_blocks() {
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    let world = names.iter().fold(World::new(), |world, name| {
        world.with(&format!("{name}-with-a-rather-long-name-of-a-run-{name}.trec"), crate::world::GOOD)
    });
    let runs: Vec<String> =
        names.iter().map(|name| format!("{name}-with-a-rather-long-name-of-a-run-{name}.trec")).collect();
    world.shows(
        &format!("eval labels.txt {} -k 1,5,10 --quiet", runs.join(" ")),
        str![[r#"

exit status 0
--- stdout
7 runs   2 queries (1 left out), 3 relevant documents
rel 1, gain linear, g_max 3, ties trec, over all, average macro, level id

                           recall                 mrr
run                           @1     @5    @10       @1     @5    @10
a-with-a-rat…-of-a-run-a   0.250  1.000  1.000    0.500  0.750  0.750
b-with-a-rat…-of-a-run-b   0.250  1.000  1.000    0.500  0.750  0.750
c-with-a-rat…-of-a-run-c   0.250  1.000  1.000    0.500  0.750  0.750
d-with-a-rat…-of-a-run-d   0.250  1.000  1.000    0.500  0.750  0.750
e-with-a-rat…-of-a-run-e   0.250  1.000  1.000    0.500  0.750  0.750
f-with-a-rat…-of-a-run-f   0.250  1.000  1.000    0.500  0.750  0.750
g-with-a-rat…-of-a-run-g   0.250  1.000  1.000    0.500  0.750  0.750
±                          0.500                  0.405  0.500  0.500

                           ndcg                   judged
run                           @1     @5    @10       @1     @5    @10
a-with-a-rat…-of-a-run-a   0.500  0.788  0.788    0.500  0.625  0.625
b-with-a-rat…-of-a-run-b   0.500  0.788  0.788    0.500  0.625  0.625
c-with-a-rat…-of-a-run-c   0.500  0.788  0.788    0.500  0.625  0.625
d-with-a-rat…-of-a-run-d   0.500  0.788  0.788    0.500  0.625  0.625
e-with-a-rat…-of-a-run-e   0.500  0.788  0.788    0.500  0.625  0.625
f-with-a-rat…-of-a-run-f   0.500  0.788  0.788    0.500  0.625  0.625
g-with-a-rat…-of-a-run-g   0.500  0.788  0.788    0.500  0.625  0.625
±                          0.405  0.500  0.500

±: half of the widest 95% interval of the column

limits: 2 queries are few: the intervals are wide and only rough. What is
  unjudged in the first 10 results counts as not relevant, so a run that returns
  more of it looks worse than it may be (judged@10: see above).

The runs do not differ on any measure shown.

"#]],
    );
}

#[test]
fn unusual_conventions_are_said() {
    let options = "--no-relevant zero --drop-self --duplicates first --ci t --collapse # --edit-query-ids s/x/y/";
    World::new().shows(
        &format!("eval labels.txt good.trec -m recall@5 --quiet {options}"),
        str![[r#"

exit status 0
--- stdout
good   3 queries, 3 relevant documents
rel 1, gain linear, ties trec, over all, average macro, level document (ids cut
at #), no-relevant zero, duplicates first, drop-self, query ids edited, ci t

            mean [95% interval]   median   at 0
recall@5   0.667 [0.000, 1.000]    1.000    33%

attainable with these labels: recall@5 0.667

limits: 3 queries are few: the intervals are wide and only rough. 1 query has no
  relevant document in the first 5: q3.

The first 5 results hold 67% of a query's relevant documents on average (95%
interval 0% to 100%); 33% of the queries get none.

"#]],
    );
}

#[test]
fn runs_that_do_not_differ_are_said_to() {
    let world = World::new().with("same.trec", crate::world::GOOD);
    let ran = world.run("eval labels.txt good.trec same.trec");
    assert!(ran.stdout.ends_with("\nThe runs do not differ on any measure shown.\n"), "{ran}");
    let split = world.run("eval labels.txt good.trec poor.trec -m recall@5,num_ret,hit@1");
    let last = "\nHighest: good on recall@5, num_ret, hit@1";
    assert!(split.stdout.contains(last) || split.stdout.contains("good is highest"), "{split}");
}
