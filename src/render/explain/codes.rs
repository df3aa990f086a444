//! Codes of errors, warnings and notes.

use super::entry;
use crate::render::codes::{self, Explanation};
use crate::render::page::Block;

/// Every code in a line.
pub fn list() -> Vec<Block> {
    let kinds = [
        ("E", "Errors: nothing is measured (exit status 2)"),
        ("W", "Warnings: they change what the numbers mean"),
        ("N", "Notes: worth knowing"),
    ];
    let facts = format!("{} of errors, warnings and notes", codes::all().count());
    let mut blocks = vec![Block::Title { name: "codes".to_owned(), facts }];
    for (letter, heading) in kinds {
        blocks.push(Block::Heading(heading.to_owned()));
        let lines = codes::all().filter(|found| found.code.starts_with(letter));
        blocks.push(Block::Entries(lines.map(|found| entry(found.code, found.title)).collect()));
    }
    blocks
        .push(Block::Answer("`raglens explain CODE` says when one appears, what it means and what to do.".to_owned()));
    blocks
}

/// The page of a code.
pub fn page(code: &Explanation) -> Vec<Block> {
    vec![
        Block::Title { name: code.code.to_owned(), facts: code.title.to_owned() },
        Block::Entries(vec![
            entry("appears", code.appears),
            entry("means", code.means),
            entry("what to do", code.remedy),
        ]),
    ]
}
