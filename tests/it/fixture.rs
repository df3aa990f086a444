//! What the tests of the commands around retrieval share.

use std::fs;
use std::path::Path;

use super::world::World;

/// A folder with the files of a folder of the fixtures.
pub fn fixture(folder: &str) -> World {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(folder);
    let mut paths: Vec<_> = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().fold(World::new(), |world, path| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        world.with(&name, fs::read(path).unwrap())
    })
}

/// The result of a command in JSON.
#[track_caller]
pub fn json(world: &World, arguments: &str) -> serde_json::Value {
    let ran = world.run(&format!("{arguments} --format json"));
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran}"))
}

/// What a command that is refused says, in one line.
#[track_caller]
pub fn refused(world: &World, arguments: &str) -> String {
    let ran = world.run(arguments);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{ran}");
    ran.stderr.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// That nothing is wider than a terminal, and that no number is none.
#[track_caller]
pub fn reads_well(world: &World, arguments: &str) {
    let ran = world.run(arguments);
    assert!(ran.stdout.lines().all(|line| line.chars().count() <= 80), "{ran}");
    for word in ["NaN", "inf", "-0.0"] {
        assert!(!ran.stdout.split_whitespace().any(|found| found == word), "{ran}");
    }
}
