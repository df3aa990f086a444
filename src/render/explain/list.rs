//! Every measure by the question that it answers: in a line each, or with its page.

use raglens::measure::{CutoffRule, DEFINITIONS, MeasureDef, Purpose};

use super::topics::TOPICS;
use super::{entry, measure};
use crate::render::page::Block;

/// A line a measure, and where to go on.
pub fn page() -> Vec<Block> {
    let facts = format!("{}, by the question that they answer", DEFINITIONS.len());
    let mut blocks = vec![Block::Title { name: "measures".to_owned(), facts }];
    for (purpose, measures) in by_purpose() {
        blocks.push(Block::Heading(purpose.question().to_owned()));
        blocks.push(match purpose {
            Purpose::TrecEval => Block::Indented(measures.iter().map(|def| form(def)).collect::<Vec<_>>().join(", ")),
            _ => Block::Entries(measures.iter().map(|def| entry(&form(def), def.about)).collect()),
        });
    }
    blocks.push(Block::Heading("Where to go on".to_owned()));
    let mut ways = vec![
        entry("explain ndcg@5", "formula, reading, blind spots, parameters, other tools"),
        entry("explain ndcg@5 LABELS RUN --query ID", "how the value of one query comes about"),
        entry("explain W003", "a code; `explain codes` lists all"),
    ];
    ways.extend(TOPICS.iter().map(|topic| entry(&format!("explain {}", topic.name), topic.about)));
    blocks.push(Block::Entries(ways));
    blocks
}

/// Every measure with its page.
pub fn pages() -> Vec<Block> {
    let mut blocks = Vec::new();
    for (purpose, measures) in by_purpose() {
        blocks.push(Block::Section(purpose.question().to_owned()));
        blocks.extend(measures.into_iter().flat_map(|def| measure::page(def, &form(def), None)));
    }
    blocks
}

/// How a measure is written: with what stands behind its `@`.
pub fn form(def: &MeasureDef) -> String {
    let at = match def.cutoff {
        CutoffRule::Never => "",
        CutoffRule::Optional | CutoffRule::Required => "@k",
        CutoffRule::RecallLevel | CutoffRule::Multiple => "@0.2",
    };
    format!("{}{at}", def.name)
}

/// The purposes with their measures, in the order of the table.
fn by_purpose() -> impl Iterator<Item = (Purpose, Vec<&'static MeasureDef>)> {
    Purpose::ALL.into_iter().map(|purpose| {
        let measures = DEFINITIONS.iter().copied().filter(|def| def.purpose == purpose);
        (purpose, measures.collect())
    })
}
