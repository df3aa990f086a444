//! Compares everything the statistics compute with checked reference values.
//!
//! The values lie beside the package, in `../shared/reference/statistics.json`; where that folder
//! is missing the comparison is left out with a word. Every number in the file is either compared
//! or named in [`ledger::NOT_OURS`] with the reason: a new entry makes the test fail until it is.
#![allow(clippy::print_stderr)] // a comparison that was left out must be seen

mod cases;
mod families;
mod ledger;
mod planning;

use ledger::Ledger;

const REFERENCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/reference/statistics.json");

/// Fewer comparisons than this mean that the test has lost its way through the file.
const AT_LEAST: usize = 2500;

#[test]
fn every_reference_value_holds() {
    let Ok(text) = std::fs::read_to_string(REFERENCE) else {
        eprintln!("left out: ../shared is not here");
        return;
    };
    let mut ledger = Ledger::new(&text);
    cases::compare(&mut ledger);
    families::compare(&mut ledger);
    planning::compare(&mut ledger);
    let compared = ledger.close();
    eprintln!("{compared} reference values compared");
    assert!(compared >= AT_LEAST, "only {compared} values were compared");
}
