//! What must hold for passages, documents and evidence whatever they are.

use proptest::prelude::*;
use raglens::evaluate::{Rules, evaluate, evaluate_through};
use raglens::input::{ReadOptions, Source, read_labels, read_run};
use raglens::labels::Labels;
use raglens::measure::{Measure, default_set, passage_set};
use raglens::notes::Notes;
use raglens::rag::{Cut, Documents, Lens, Unit, document_labels, passage_labels};
use raglens::run::Run;
use raglens::scores::Cell;
use serde_json::{Value, json};

/// A passage or a chunk: the number of its document, its start and its length.
type Place = (u8, u64, u64);

fn places(most: usize) -> impl Strategy<Value = Vec<Place>> {
    prop::collection::vec((0_u8..2, 0_u64..60, 0_u64..40), 1..most)
}

fn labels(value: &Value) -> Labels {
    let source = Source::from_bytes("labels", value.to_string().into());
    read_labels(source, &ReadOptions::default(), &mut Notes::default()).unwrap().0
}

fn run(value: &Value) -> Run {
    let source = Source::from_bytes("run", value.to_string().into());
    read_run(source, &ReadOptions::default(), &mut Notes::default()).unwrap().0
}

fn gold(spans: &[Place]) -> Labels {
    let span = |&(document, start, length): &Place| json!({"doc_id": format!("d{document}"), "start": start, "end": start + length, "grade": 1 + length % 3});
    passage_labels(&labels(&json!({"query_id": "q", "spans": spans.iter().map(span).collect::<Vec<_>>()}))).0
}

fn chunks(places: &[Place]) -> Run {
    let chunk = |(index, &(document, start, length)): (usize, &Place)| json!({"id": format!("c{index}"), "doc_id": format!("d{document}"), "start": start, "end": start + length});
    run(&json!({"query_id": "q", "results": places.iter().enumerate().map(chunk).collect::<Vec<_>>()}))
}

/// The values of measures; none where every query is left out.
fn by_passage(labels: &Labels, run: &Run, measures: &[Measure], min_overlap: f64) -> Vec<Cell> {
    let lens = Lens { unit: Unit::Passage { min_overlap }, ..Lens::default() };
    let table = evaluate_through(&lens, labels, run, measures, &Rules::default());
    table.map_or_else(|_| Vec::new(), |table| table.rows.row(0).cells().collect())
}

fn bound(measures: Vec<Measure>, labels: &Labels) -> Vec<Measure> {
    measures.into_iter().map(|measure| measure.bind(&labels.facts()).unwrap()).collect()
}

proptest! {
    #[test]
    fn every_value_of_passages_is_within_its_range(
        spans in places(6), retrieved in places(8), min_overlap in 0.01_f64..=1.0,
    ) {
        let (labels, run) = (gold(&spans), chunks(&retrieved));
        let mut measures = passage_set(&[1, 3, 5], 1.0).unwrap();
        measures.extend(bound(default_set(&[1, 3, 5], 1.0).unwrap(), &labels));
        for (measure, cell) in measures.iter().zip(by_passage(&labels, &run, &measures, min_overlap)) {
            let (low, high) = measure.definition().range;
            let value = cell.value().unwrap_or(0.0);
            prop_assert!((low..=high).contains(&value), "{measure:?}: {value}");
        }
    }

    #[test]
    fn a_deeper_cutoff_never_lowers_recall_or_coverage(spans in places(6), retrieved in places(8)) {
        let (labels, run) = (gold(&spans), chunks(&retrieved));
        for name in ["hit", "recall", "span_coverage", "map"] {
            let specs = (1..10).map(|k| Measure::parse(&format!("{name}@{k}")).unwrap());
            let values = by_passage(&labels, &run, &specs.collect::<Vec<_>>(), 0.5);
            let values: Vec<f64> = values.iter().filter_map(|cell| cell.value()).collect();
            prop_assert!(values.is_sorted(), "{name}: {values:?}");
        }
    }

    #[test]
    fn the_order_in_which_gold_stands_does_not_matter(spans in places(6), retrieved in places(8)) {
        let run = chunks(&retrieved);
        let back: Vec<Place> = spans.iter().rev().copied().collect();
        let measures = passage_set(&[1, 3], 1.0).unwrap();
        let of = |spans: &[Place]| by_passage(&gold(spans), &run, &measures, 0.5);
        prop_assert_eq!(of(&spans), of(&back));
    }

    #[test]
    fn where_every_chunk_is_a_document_both_are_one(
        grades in prop::collection::vec(0_u8..3, 1..8), cut in prop_oneof![Just(Cut::Before), Just(Cut::After)],
    ) {
        let judged: serde_json::Map<String, Value> =
            grades.iter().enumerate().map(|(index, grade)| (format!("c{index}"), json!(grade))).collect();
        let labels = labels(&json!({"query_id": "q", "relevant": judged}));
        let result = |index: usize| json!({"id": format!("c{index}"), "doc_id": format!("d{index}")});
        let run = run(&json!({"query_id": "q", "results": (0..grades.len() + 2).rev().map(result).collect::<Vec<_>>()}));
        let documents = Documents::new(None, [&run]).unwrap();
        let measures = bound(default_set(&[1, 3, 5], 1.0).unwrap(), &labels);
        let lens = Lens { unit: Unit::Document { documents: &documents, cut }, ..Lens::default() };
        let of_documents = document_labels(&labels, &documents);
        let chunk = evaluate(&labels, &run, &measures, &Rules::default());
        let document = evaluate_through(&lens, &of_documents, &run, &measures, &Rules::default());
        match (chunk, document) {
            (Ok(chunk), Ok(document)) => prop_assert_eq!(format!("{:?}", chunk.rows), format!("{:?}", document.rows)),
            (chunk, document) => prop_assert!(chunk.is_err() && document.is_err()),
        }
    }

    #[test]
    fn more_calls_never_find_less(lists in prop::collection::vec(prop::collection::vec(0_u8..6, 0..4), 1..5)) {
        let hops: Vec<Value> = (0_u8..3).map(|hop| json!({"hop": hop + 1, "any_of": [hop.to_string()]})).collect();
        let labels = labels(&json!({"query_id": "q", "evidence": hops}));
        let steps = lists.iter().zip(1..).map(|(list, step)| {
            let mut ids: Vec<String> = list.iter().map(u8::to_string).collect();
            ids.sort();
            ids.dedup();
            json!({"query_id": "q", "step": step, "results": ids})
        });
        let run = run(&json!(steps.collect::<Vec<_>>()));
        for name in ["hops_found", "chain", "chain_depth"] {
            let specs = (1..6).map(|calls| Measure::parse(&format!("{name}:calls={calls}@3")).unwrap());
            let measures: Vec<Measure> = specs.collect();
            let table = evaluate(&labels, &run, &measures, &Rules::default()).unwrap();
            let values: Vec<f64> = table.rows.row(0).cells().filter_map(|cell| cell.value()).collect();
            prop_assert!(values.len() == 5 && values.is_sorted(), "{name}: {values:?}");
        }
    }
}
