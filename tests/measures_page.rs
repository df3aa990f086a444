//! `docs/measures.md` says what `raglens explain all` says. To bring it up to date:
//!
//! ```text
//! UPDATE_DOCS=1 cargo test --test measures_page
//! ```

#![cfg(feature = "cli")]

use std::fs;
use std::process::Command;

use raglens::measure::{DEFINITIONS, Purpose};

const HEAD: &str = "\
# Measures

Every measure with its formula, how to read it, what it cannot see, and how other tools
differ, by the question that it answers. `raglens explain ndcg@5` prints one of these pages,
`raglens explain ndcg@5 LABELS RUN --query ID` how its value for a query comes about.

A ranking is a list d_1, d_2, … d_n, best first, no document twice. A document is *judged* if it
has a grade of 0 or more, and *relevant* if its grade is at least `rel` (1 unless it is given).
R is the number of relevant documents of the query and N that of judged documents that are not
relevant, retrieved or not. What nobody judged counts as not relevant, unless the page says
otherwise. `@k` looks at the first k places of the returned list; without it a measure is over
the whole list.

This page is written from the table in `src/measure/` by a test: see `tests/measures_page.rs`.
";

/// The names of the measures under their questions.
fn contents() -> String {
    let line = |purpose: Purpose| {
        let names = DEFINITIONS.iter().filter(|def| def.purpose == purpose).map(|def| format!("`{}`", def.name));
        format!("- **{}** {}\n", purpose.question(), names.collect::<Vec<_>>().join(", "))
    };
    Purpose::ALL.map(line).concat()
}

fn page() -> String {
    let explain = Command::new(env!("CARGO_BIN_EXE_raglens")).args(["explain", "all", "--format", "md"]).output();
    let pages = String::from_utf8(explain.unwrap().stdout).unwrap();
    format!("{HEAD}\n{}\n{pages}", contents())
}

#[test]
fn the_page_of_measures_is_up_to_date() {
    let path = format!("{}/docs/measures.md", env!("CARGO_MANIFEST_DIR"));
    let fresh = page();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &fresh).unwrap();
        return;
    }
    let stands = fs::read_to_string(&path).unwrap_or_default();
    for ((stands, fresh), number) in stands.lines().zip(fresh.lines()).zip(1..) {
        assert_eq!(stands, fresh, "docs/measures.md:{number} is not what `raglens explain all` says");
    }
    assert!(stands == fresh, "docs/measures.md is not what `raglens explain all` says: UPDATE_DOCS=1 writes it");
}

#[test]
fn every_measure_has_a_page() {
    let page = page();
    for def in DEFINITIONS {
        assert!(page.contains(&format!("\n### {}", def.name)), "{}", def.name);
    }
}
