//! The drop-in for trec_eval as a person meets it. What it computes is tested in
//! `tests/trec_eval`.

use snapbox::str;

use crate::world::World;

#[test]
fn an_ordinary_run_prints_what_trec_eval_prints() {
    World::new().shows("trec_eval labels.txt good.trec", str![]);
}

#[test]
fn queries_without_results_are_named() {
    World::new().shows("trec_eval -q -m map -m P.1 labels.txt poor.trec", str![]);
    World::new().shows("trec_eval -c -m map -m P.1 labels.txt poor.trec", str![]);
    World::new().shows("trec_eval --strict -m map labels.txt poor.trec", str![]);
    World::new().shows("--quiet trec_eval -m map labels.txt poor.trec", str![]);
}

#[test]
fn help_lists_every_option_measure_and_departure() {
    World::new().shows("trec_eval -h", str![]);
}

#[test]
fn help_about_measures_is_that_of_the_table() {
    World::new().shows("trec_eval -h -m map -m P -m runid", str![]);
}

#[test]
fn clap_has_a_word_about_the_command_too() {
    World::new().shows("trec_eval --version", str![]);
}

#[test]
fn wrong_usage_is_explained() {
    World::new().shows("trec_eval labels.txt", str![]);
    World::new().shows("trec_eval -x labels.txt good.trec", str![]);
    World::new().shows("trec_eval -m P_10 labels.txt good.trec", str![]);
    World::new().shows("trec_eval -m P.5,0 labels.txt good.trec", str![]);
    World::new().shows("trec_eval -m prefs labels.txt good.trec", str![]);
    World::new().shows("trec_eval -R xml labels.txt good.trec", str![]);
    World::new().shows("trec_eval -l -2 labels.txt good.trec", str![]);
    World::new().shows("trec_eval labels.txt nowhere.trec", str![]);
}

#[test]
fn faults_of_files_name_the_line_and_the_way_on() {
    let world = World::new().with("fraction.qrels", "q1 0 d1 0.5\n").with("five.trec", "q1 Q0 d1 1 9.0\n");
    world.shows("trec_eval fraction.qrels good.trec", str![]);
    world.shows("trec_eval labels.txt five.trec", str![]);
    let twice = World::new().with("twice.trec", "q1 Q0 d1 1 9 t\nq1 Q0 d1 2 8 t\n");
    twice.shows("trec_eval labels.txt twice.trec", str![]);
    let copies = World::new().with("copies.qrels", "q1 0 d1 1\nq1 0 d1 1\n");
    copies.shows("trec_eval copies.qrels good.trec", str![]);
    let other = World::new().with("other.trec", "7 Q0 d1 1 9 t\n");
    other.shows("trec_eval labels.txt other.trec", str![]);
}
