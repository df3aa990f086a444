//! Ids of runs that are edited or collapsed, ties, and which queries count.

use crate::world::World;

fn value(world: &World, arguments: &str) -> String {
    let ran = world.run(&format!("eval {arguments} --format csv"));
    let line = ran.stdout.lines().nth(1).unwrap_or_else(|| panic!("{ran}"));
    line.split(',').nth(4).unwrap().to_owned()
}

#[test]
fn chunks_collapse_before_the_cut() {
    let chunks = "q1 Q0 d1#1 1 9 t\nq1 Q0 d1#2 2 8 t\nq1 Q0 d9#1 3 7 t\nq1 Q0 d2#1 4 6 t\n";
    let world = World::new().with("two.txt", "q1 0 d1 1\nq1 0 d2 1\n").with("chunks.trec", chunks);
    assert_eq!(value(&world, "two.txt chunks.trec -m recall@3"), "0");
    assert_eq!(value(&world, "two.txt chunks.trec -m recall@3 --collapse '#'"), "1");
    assert_eq!(value(&world, "two.txt chunks.trec -m precision@4 --collapse '#'"), "0.5");
}

#[test]
fn a_chunk_twice_is_still_an_error() {
    let world = World::new().with("twice.trec", "q1 Q0 d1#1 1 9 t\nq1 Q0 d1#1 2 8 t\n");
    let ran = world.run("eval labels.txt twice.trec --collapse '#'");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("document `d1#1` is twice"), "{ran}");
}

#[test]
fn ids_are_edited_as_in_sed() {
    let world = World::new().with("odd.trec", "Q-1.0 Q0 DOC_d1 1 9 t\nQ-2.0 Q0 DOC_d4 1 9 t\n");
    let edits = r"--edit-query-ids 's/^Q-(\d)\.0$/q\1/' --edit-doc-ids 's|^DOC_||'";
    assert_eq!(value(&world, &format!("labels.txt odd.trec -m hit@1 {edits}")), "1");
}

#[test]
fn equal_scores_are_ordered_as_asked() {
    let world = World::new().with("one.txt", "q1 0 a 1\n").with("ties.trec", "q1 Q0 a 1 1 t\nq1 Q0 b 2 1 t\n");
    assert_eq!(value(&world, "one.txt ties.trec -m mrr"), "0.5");
    assert_eq!(value(&world, "one.txt ties.trec -m mrr --ties input"), "1");
    assert_eq!(value(&world, "one.txt ties.trec -m mrr --ties id-asc"), "1");
}

#[test]
fn the_query_itself_is_dropped_when_asked() {
    let world = World::new().with("self.txt", "q1 0 d7 1\n").with("self.trec", "q1 Q0 q1 1 2 t\nq1 Q0 d7 2 1 t\n");
    assert_eq!(value(&world, "self.txt self.trec -m mrr"), "0.5");
    assert_eq!(value(&world, "self.txt self.trec -m mrr --drop-self"), "1");
}

#[test]
fn missing_and_empty_queries_count_as_asked() {
    let world = World::new();
    assert_eq!(value(&world, "labels.txt poor.trec -m hit@5"), "0.5");
    assert_eq!(value(&world, "labels.txt poor.trec -m hit@5 --over common"), "1");
    assert_eq!(value(&world, "labels.txt good.trec -m hit@5"), "1");
    assert_eq!(value(&world, "labels.txt good.trec -m hit@5 --no-relevant zero"), "0.6666666666666666");
}

#[test]
fn pooled_counts_weigh_documents() {
    let world = World::new();
    assert_eq!(value(&world, "labels.txt good.trec -m recall@2"), "0.75");
    assert_eq!(value(&world, "labels.txt good.trec -m recall@2 --average micro"), "0.6666666666666666");
    assert_eq!(world.run("eval labels.txt good.trec --average micro").status, Some(0));
}

#[test]
fn a_pair_judged_twice_is_decided_as_asked() {
    let world = World::new().with("twice.txt", "q1 0 d1 1\nq1 0 d1 0\n");
    assert_eq!(world.run("eval twice.txt good.trec").status, Some(2));
    assert_eq!(value(&world, "twice.txt good.trec -m hit@1 --duplicate-labels max"), "1");
    assert_eq!(world.run("eval twice.txt good.trec --duplicate-labels last").status, Some(2));
}
