//! How much of the gold passages the first k chunks hold, counted in positions: span_coverage,
//! span_precision, span_iou.

use super::{Computation, MeasureDef, Needs, Params, Purpose};
use crate::judged::{Passages, Reach};

pub(super) static SPAN_COVERAGE: MeasureDef = MeasureDef {
    name: "span_coverage",
    aliases: &["span_recall", "coverage"],
    about: "share of the gold text that the first k chunks hold",
    formula: "gold positions in the first k chunks, each once / all gold positions; gold passages that overlap are \
              merged",
    reading: "How much of what should be read is there to be read. Pieces of one passage in several chunks add up.",
    blind_to: "What else is in the chunks, and their order within the first k.",
    edge_cases: "A position that is returned twice counts once. A chunk without a place holds nothing and is counted. \
                 A query whose gold passages are all empty has no value.",
    peers: "Recall of Chroma's chunking evaluation. Dividing each passage by its own length and adding up, without \
            merging, counts what two passages share twice.",
    source: "Smith and Troynikov 2024, Evaluating chunking strategies for retrieval (Chroma)",
    purpose: Purpose::Passages,
    params: &[],
    needs: Needs::Passages,
    by_name_only: true,
    ..MeasureDef::built_by(|params| Ok(share(params, |reach, gold| (reach.covered, gold))))
};

pub(super) static SPAN_PRECISION: MeasureDef = MeasureDef {
    name: "span_precision",
    aliases: &["token_precision"],
    about: "share of the text of the first k chunks that is gold",
    formula: "gold positions in the first k chunks, each once / length of these chunks, each as often as it is returned",
    reading: "How much of what a reader (or a model) is made to read is worth it. Long chunks and overlaps lower it.",
    blind_to: "How much of the gold is missing.",
    edge_cases: "0 for an empty list. A chunk without a place has no length and is counted.",
    peers: "Precision of Chroma's chunking evaluation.",
    build: |params| Ok(share(params, |reach, _| (reach.covered, reach.length))),
    ..SPAN_COVERAGE
};

pub(super) static SPAN_IOU: MeasureDef = MeasureDef {
    name: "span_iou",
    aliases: &["token_iou", "iou"],
    about: "gold text in the first k chunks, as a share of both together",
    formula: "c / (length of the chunks + gold - c), c = gold positions in the first k chunks, each once",
    reading: "Coverage and precision in one number: 1 is the gold text and nothing else.",
    blind_to: "Which of the two is to blame.",
    edge_cases: "0 for an empty list.",
    peers: "IoU of Chroma's chunking evaluation.",
    build: |params| Ok(share(params, |reach, gold| (reach.covered, reach.length.saturating_add(gold - reach.covered)))),
    ..SPAN_COVERAGE
};

/// A fraction of what the first results hold and of the length of the gold; 0 where there is nothing to divide by.
fn share(params: &Params, parts: fn(Reach, u64) -> (u64, u64)) -> Computation {
    let cutoff = params.cutoff();
    Computation::Passages(Box::new(move |passages: &Passages| {
        let (part, whole) = parts(passages.at(cutoff), passages.gold());
        let value = if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
        (passages.gold() > 0).then_some(value)
    }))
}

#[cfg(test)]
mod tests {
    use crate::judged::{JudgedRanking, Passages};
    use crate::measure::Measure;

    /// Values where each result adds some of the gold positions and has a length.
    fn values(gold: u64, results: &[(u64, u64)], specs: &[&str]) -> Vec<Option<f64>> {
        let mut passages = Passages::new(gold);
        results.iter().for_each(|&(covered, length)| passages.push(covered, length));
        let ranking = JudgedRanking::new(&[], 0, &[]).with_passages(&passages);
        specs.iter().map(|spec| Measure::parse(spec).unwrap().score(&ranking)).collect()
    }

    #[test]
    fn a_result_that_adds_no_gold_adds_length() {
        let specs = ["span_coverage@2", "span_precision@2", "span_iou@2", "span_coverage@1"];
        let found = values(100, &[(100, 1000), (0, 1000)], &specs);
        assert_eq!(found, [Some(1.0), Some(0.05), Some(0.05), Some(1.0)]);
    }

    #[test]
    fn a_passage_across_a_border_needs_both_chunks() {
        let specs = ["span_coverage@1", "span_coverage", "span_precision", "span_iou"];
        let found = values(210, &[(110, 1000), (100, 1000)], &specs);
        assert_eq!(found, [Some(110.0 / 210.0), Some(1.0), Some(0.105), Some(0.105)]);
    }

    #[test]
    fn without_gold_there_is_no_value_and_without_results_it_is_0() {
        assert_eq!(values(0, &[(0, 10)], &["span_coverage", "span_iou"]), [None, None]);
        assert_eq!(values(10, &[], &["span_precision@5", "span_iou@5"]), [Some(0.0), Some(0.0)]);
    }
}
