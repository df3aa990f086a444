//! Results in files, and runs by name.

use std::fs;

use raglens::input::{ReadOptions, Source, read_saved};
use raglens::notes::Notes;

use crate::world::{GOOD, LABELS, POOR, World};

#[test]
fn results_go_to_a_file_without_colour() {
    let world = World::new();
    let printed = world.run("eval labels.txt good.trec");
    let ran = world.run("eval labels.txt good.trec -o out.txt --color always");
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(0), ""));
    assert_eq!(world.read("out.txt"), printed.stdout);
}

#[test]
fn a_failed_command_leaves_the_file_as_it_was() {
    let world = World::new().with("out.txt", "before");
    assert_eq!(world.run("eval labels.txt missing -o out.txt --save saved.json").status, Some(2));
    assert_eq!(world.read("out.txt"), "before");
    let left: Vec<_> = fs::read_dir(world.path(".")).unwrap().collect();
    assert_eq!(left.len(), 4, "{left:?}");
}

#[test]
fn a_file_that_cannot_be_written_is_an_error() {
    let ran = World::new().run("eval labels.txt good.trec -o no/such/folder.txt");
    assert_eq!(ran.status, Some(2));
    assert_eq!(
        ran.stderr.lines().last().unwrap(),
        "error: no/such/folder.txt cannot be written: No such file or directory"
    );
}

#[test]
fn saved_scores_hold_every_query_and_the_start_of_every_ranking() {
    let world = World::new();
    let ran = world.run("eval labels.txt good.trec poor.trec -m recall@5 --save scores.json --quiet");
    assert_eq!((ran.status, ran.stdout.is_empty()), (Some(0), false));
    let saved: serde_json::Value = serde_json::from_str(&world.read("scores.json")).unwrap();
    assert_eq!(saved["schema"], "raglens/1");
    let run = &saved["runs"][0];
    assert_eq!(run["per_query"]["q2"]["recall@5"], 1.0);
    assert_eq!(run["rankings"]["q1"], serde_json::json!({"ids": ["d1", "d2", "d9", "d3"], "retrieved": 4}));
    assert_eq!(saved["runs"][1]["missing"], serde_json::json!(["q2"]));
}

#[cfg(unix)]
#[test]
fn a_new_file_can_be_read_by_others() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new().with("plain", "");
    world.run("eval labels.txt good.trec -o out.txt");
    let mode = |name: &str| fs::metadata(world.path(name)).unwrap().permissions().mode();
    assert_eq!(mode("out.txt"), mode("plain"));
}

#[test]
fn runs_are_named_by_file_then_tag_then_path() {
    let world = World::new().with("a/run.trec", GOOD).with("b/run.trec", POOR).with("c/run.trec", POOR);
    let names = |arguments: &str| {
        let csv = world.run(&format!("eval labels.txt {arguments} -m map --format csv")).stdout;
        csv.lines().skip(1).map(|line| line.split(',').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names("good.trec new=poor.trec"), ["good", "new"]);
    assert_eq!(names("a/run.trec b/run.trec"), ["good", "poor"]);
    assert_eq!(names("b/run.trec c/run.trec"), ["b/run.trec", "c/run.trec"]);
}

#[test]
fn a_path_that_exists_is_no_name() {
    let world = World::new().with("k=5.trec", GOOD);
    assert!(world.run("eval labels.txt k=5.trec -m map --format csv").stdout.contains("\nk=5,map,"));
}

#[test]
fn one_file_can_hold_labels_and_results() {
    let rows = "{\"query\":\"how?\",\"expected_ids\":[\"n1\"],\"retrieved_ids\":[\"n7\",\"n1\"]}\n";
    let world = World::new().with("rows.jsonl", rows);
    let ran = world.run("eval rows.jsonl -m mrr --format csv");
    assert_eq!(ran.stdout, "run,metric,slice,n,value,low,high\nrows,mrr,,1,0.5,,\n");
}

#[test]
fn what_is_written_can_be_read_as_saved_scores() {
    let world = World::new();
    world.run("eval labels.txt good.trec poor.trec -m recall@5,judged@5 --save saved.json");
    for format in ["json", "jsonl", "csv", "tsv"] {
        world.run(&format!(
            "eval labels.txt good.trec poor.trec -m recall@5,judged@5 -q --format {format} -o saved.{format}x"
        ));
    }
    for file in ["saved.json", "saved.jsonx", "saved.jsonlx", "saved.csvx", "saved.tsvx"] {
        let source = Source::open(world.path(file).to_str().unwrap()).unwrap();
        let read = read_saved(source, &ReadOptions::default(), &mut Notes::default());
        let (scores, _) = read.unwrap_or_else(|error| panic!("{error}"));
        let run = &scores.runs[1];
        assert_eq!(run.name.as_deref(), Some("poor"), "{file}");
        assert_eq!(run.metrics, ["recall@5", "judged@5"], "{file}");
        assert_eq!(run.column(1).collect::<Vec<_>>(), [Some(0.5), None], "{file}");
    }
}

#[test]
fn no_output_is_an_input_or_another_output() {
    let world = World::new();
    #[cfg(unix)]
    std::os::unix::fs::symlink("good.trec", world.path("link")).unwrap();
    for outputs in ["-o good.trec", "-o ./labels.txt", "--save good.trec", "-o new --save ./new", "-o link", "--save -"]
    {
        let ran = world.run(&format!("eval labels.txt good.trec {outputs}"));
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{outputs}: {ran}");
        assert!(ran.stderr.contains("would write"), "{ran}");
    }
    assert_eq!((world.read("good.trec").as_str(), world.read("labels.txt").as_str()), (GOOD, LABELS));
    assert!(!world.path("new").exists());
    let same = world.run("eval labels.txt good.trec -m map -o labels.txt");
    assert_eq!(
        same.stderr,
        "error: `-o` would write over labels.txt, which is read\n  help: `-o` takes another path\n"
    );
}

#[test]
fn every_file_is_complete_before_one_takes_its_place() {
    let world = World::new().with("out.txt", "before");
    let ran = world.run("eval labels.txt good.trec -o no/such/folder.txt --save out.txt");
    assert_eq!((ran.status, world.read("out.txt").as_str()), (Some(2), "before"));
    let left: Vec<_> = fs::read_dir(world.path(".")).unwrap().collect();
    assert_eq!(left.len(), 4, "{left:?}");
}

#[cfg(unix)]
#[test]
fn what_is_open_is_written_into_and_never_replaced() {
    let world = World::new().with("all.txt", "first\n");
    let expected = world.run("eval labels.txt good.trec -m map").stdout;
    for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let printed = world.run(&format!("eval labels.txt good.trec -m map -o {path}"));
        assert_eq!(printed.stdout, expected, "{path}");
    }
    let open = fs::File::options().append(true).open(world.path("all.txt")).unwrap();
    let before = open.metadata().unwrap();
    let mut command = world.command("eval labels.txt good.trec -m map -o /dev/stdout");
    assert!(command.stdout(open).status().unwrap().success());
    assert_eq!(world.read("all.txt"), format!("first\n{expected}"));
    let inode = |metadata: &fs::Metadata| std::os::unix::fs::MetadataExt::ino(metadata);
    assert_eq!(inode(&fs::metadata(world.path("all.txt")).unwrap()), inode(&before));
    assert_eq!(world.run("eval labels.txt good.trec -o /dev/null").status, Some(0));
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_that_does_not_exist_makes_that_file() {
    let world = World::new();
    std::os::unix::fs::symlink("later.txt", world.path("link")).unwrap();
    assert_eq!(world.run("eval labels.txt good.trec -o link").status, Some(0));
    assert!(world.path("link").is_symlink() && world.read("later.txt").starts_with("good "));
}
