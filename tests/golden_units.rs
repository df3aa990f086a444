//! Passages, documents, evidence and budgets against values that were worked out by hand. The file
//! with them stands beside the checkout and not in it; without it there is nothing to compare.
#![allow(clippy::print_stderr, reason = "a test that was left out says so")]

use raglens::evaluate::{Rules, evaluate_through};
use raglens::input::{ReadOptions, Source, read_labels, read_run};
use raglens::judged::JudgedRanking;
use raglens::labels::GoldSpan;
use raglens::measure::Measure;
use raglens::notes::Notes;
use raglens::rag::{Both, Lens, Place, Unit, cover, credit, fit, inflation, passage_labels, verdict};
use serde_json::{Value, json};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/reference/golden_cases.json");

/// The cases of a kind; none, with a line that says so, when the file is not there.
fn cases(kind: &str, expected: usize) -> Vec<Value> {
    let Ok(text) = std::fs::read_to_string(GOLDEN) else {
        eprintln!("left out: {GOLDEN} is not here");
        return Vec::new();
    };
    let golden: Value = serde_json::from_str(&text).unwrap();
    let cases: Vec<Value> =
        golden["cases"].as_array().unwrap().iter().filter(|case| case["kind"] == kind).cloned().collect();
    assert_eq!(cases.len(), expected, "{kind}");
    cases
}

#[track_caller]
fn close(case: &Value, key: &str, found: f64) {
    let expected = case["exact"][key].as_f64().unwrap_or_else(|| panic!("{} has no {key}", case["name"]));
    assert!((found - expected).abs() <= 1e-9, "{}, {key}: {found}, expected {expected}", case["name"]);
}

fn spans(list: &Value) -> Vec<GoldSpan> {
    let span = |item: &Value| GoldSpan {
        document: item["doc_id"].as_str().unwrap().into(),
        start: item["start"].as_u64().unwrap(),
        end: item["end"].as_u64().unwrap(),
        grade: 1.0,
        hop: None,
    };
    list.as_array().unwrap().iter().map(span).collect()
}

/// The value of a measure when each gold passage is judged and the chunks are the ranking.
fn by_passage(case: &Value, spec: &str) -> Option<f64> {
    let inputs = &case["inputs"];
    let labels = json!({"query_id": "q", "spans": inputs["gold"]}).to_string();
    let chunks = inputs["chunks"].as_array().unwrap().iter().enumerate();
    let results: Vec<Value> = chunks
        .map(|(index, chunk)| {
            let mut chunk = chunk.clone();
            chunk["id"] = json!(format!("c{index}"));
            chunk
        })
        .collect();
    let run = json!({"query_id": "q", "results": results}).to_string();
    let (options, mut notes) = (ReadOptions::default(), Notes::default());
    let (labels, _) = read_labels(Source::from_bytes("labels", labels.into()), &options, &mut notes).unwrap();
    let (run, _) = read_run(Source::from_bytes("run", run.into()), &options, &mut notes).unwrap();
    let min_overlap = inputs["min_overlap"].as_f64().unwrap();
    let lens = Lens { unit: Unit::Passage { min_overlap }, ..Lens::default() };
    let measures = [Measure::parse(spec).unwrap()];
    let (labels, _) = passage_labels(&labels);
    let table = evaluate_through(&lens, &labels, &run, &measures, &Rules::default());
    table.ok()?.rows.cell(0, 0).value()
}

#[test]
fn chunks_against_gold_passages() {
    for case in cases("span", 8) {
        let (gold, chunks) = (spans(&case["inputs"]["gold"]), spans(&case["inputs"]["chunks"]));
        let min_overlap = case["inputs"]["min_overlap"].as_f64().unwrap();
        let places: Vec<Option<Place<'_>>> = chunks.iter().map(|chunk| Some(Place::of(chunk))).collect();
        let is_relevant =
            |chunk: &GoldSpan| gold.iter().any(|gold| Place::of(chunk).is_relevant_to(&Place::of(gold), min_overlap));
        let expected = &case["exact"];
        if let Some(relevant) = expected["relevant"].as_array() {
            let found: Vec<Value> = chunks.iter().map(|chunk| json!(is_relevant(chunk))).collect();
            assert_eq!(&found, relevant, "{}", case["name"]);
        }
        for key in expected.as_object().unwrap().keys().map(String::as_str) {
            let first = |count: usize| {
                let found = cover(&gold, &places[..count]);
                found.at(None).covered as f64 / found.gold() as f64
            };
            match key {
                "relevant" => {}
                "span_coverage" if expected[key].is_null() => {
                    assert_eq!(by_passage(&case, "span_coverage"), None);
                    assert_eq!(cover(&gold, &places).gold(), 0);
                }
                "span_coverage" => close(&case, key, by_passage(&case, "span_coverage").unwrap()),
                "span_coverage first 2" | "span_coverage both" => close(&case, key, first(2)),
                "span_coverage first only" => close(&case, key, first(1)),
                "span_coverage all 3" => close(&case, key, first(3)),
                "span_coverage all 3 twice" => {
                    let found = cover(&gold, &places.repeat(2));
                    close(&case, key, found.at(None).covered as f64 / found.gold() as f64);
                }
                "span_coverage (gold merged first)" => close(&case, key, first(chunks.len())),
                "span_precision both" | "span_precision (chars with multiplicity)" => {
                    close(&case, key, by_passage(&case, "span_precision@2").unwrap());
                }
                "span_iou both" | "span_iou" => close(&case, key, by_passage(&case, "span_iou@2").unwrap()),
                "ndcg@2 crediting each gold span once" => close(&case, key, by_passage(&case, "ndcg@2").unwrap()),
                "overlap_chars" => close(&case, key, Place::of(&chunks[0]).overlap(&Place::of(&gold[0])) as f64),
                "ratio" => close(&case, key, Place::of(&chunks[0]).overlap(&Place::of(&gold[0])) as f64 / 1000.0),
                // What the rules that were not chosen would give.
                _ => {
                    assert!(key.contains("wrong") || key.contains("counted twice") || key.contains("distinct"), "{key}")
                }
            }
        }
    }
}

#[test]
fn offsets_of_one_text_differ_by_what_they_count() {
    for case in cases("offsets", 1) {
        let (text, wanted) = (case["inputs"]["text"].as_str().unwrap(), case["inputs"]["char"].as_str().unwrap());
        let bytes = text.find(wanted).unwrap();
        close(&case, "byte_start", bytes as f64);
        close(&case, "char_start", text[..bytes].chars().count() as f64);
        close(&case, "utf16_start", text[..bytes].encode_utf16().count() as f64);
        // Numbers that count different things meet nowhere, silently: that is why units must agree.
        let span = |unit: &str| {
            let at = |end: &str| case["exact"][format!("{unit}_{end}")].as_u64().unwrap();
            GoldSpan { document: "d".into(), start: at("start"), end: at("end"), grade: 1.0, hop: None }
        };
        let (gold, chunk) = (span("char"), span("byte"));
        assert!(credit(&[gold], &[Some(Place::of(&chunk))], 0.5).hits.is_empty());
    }
}

#[test]
fn labels_of_documents_against_labels_of_chunks() {
    for case in cases("optimism", 1) {
        let queries = case["inputs"]["per_query"].as_array().unwrap();
        let both = |name: &str| -> Vec<Both> {
            let value = |query: &Value, level: &str| query[format!("{level}_{name}")].as_f64().unwrap();
            queries.iter().map(|query| Both { document: value(query, "doc"), chunk: value(query, "chunk") }).collect()
        };
        let (hit, recall) = (inflation(&both("hit")).unwrap(), inflation(&both("recall")).unwrap());
        close(&case, "doc_hit", hit.mean.document);
        close(&case, "chunk_hit", hit.mean.chunk);
        close(&case, "hit_inflation", hit.difference());
        close(&case, "doc_recall", recall.mean.document);
        close(&case, "chunk_recall", recall.mean.chunk);
        close(&case, "recall_inflation", recall.difference());
        close(&case, "gross_optimistic", recall.optimistic);
        close(&case, "gross_pessimistic", recall.pessimistic);
    }
    for case in cases("optimism_verdict", 1) {
        for query in case["inputs"]["per_query"].as_array().unwrap() {
            let both = |name: &str| {
                let value = |level: &str| query[format!("{level}_{name}")].as_f64().unwrap();
                Both { document: value("doc"), chunk: value("chunk") }
            };
            let id = query["query_id"].as_str().unwrap();
            assert_eq!(verdict(both("hit"), both("recall")).words(), case["exact"][id].as_str().unwrap(), "{id}");
        }
    }
}

#[test]
fn a_chain_of_evidence_over_two_searches() {
    for case in cases("evidence", 1) {
        let labels = json!({"query_id": "q", "evidence": case["inputs"]["evidence"]}).to_string();
        let steps = case["inputs"]["searches"].as_array().unwrap().iter().zip(1..);
        let lines = steps.map(|(results, step)| json!({"query_id": "q", "step": step, "results": results}).to_string());
        let run = lines.collect::<Vec<_>>().join("\n");
        let (options, mut notes) = (ReadOptions::default(), Notes::default());
        let (labels, _) = read_labels(Source::from_bytes("labels", labels.into()), &options, &mut notes).unwrap();
        let (run, _) = read_run(Source::from_bytes("run", run.into()), &options, &mut notes).unwrap();
        let value = |spec: &str| {
            let measures = [Measure::parse(spec).unwrap()];
            let table = evaluate_through(&Lens::default(), &labels, &run, &measures, &Rules::default()).unwrap();
            table.rows.cell(0, 0).value().unwrap()
        };
        close(&case, "chain_complete", value("chain@5"));
        close(&case, "hops_found", value("hops_found@5"));
        close(&case, "prefix_depth", value("chain_depth@5"));
        for (hop, expected) in case["exact"]["hop_recall"].as_object().unwrap() {
            assert_eq!(Some(value(&format!("hop_recall:h={hop}@5"))), expected.as_f64(), "hop {hop}");
        }
    }
}

#[test]
fn results_within_a_budget() {
    for case in cases("budget", 1) {
        let inputs = &case["inputs"];
        let tokens: Vec<u64> = inputs["tokens"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
        let relevant: Vec<bool> = inputs["relevant"].as_array().unwrap().iter().map(|r| r.as_bool().unwrap()).collect();
        let budget = inputs["budget"].as_u64().unwrap();
        let (items, used) = fit(tokens.iter().copied().map(Some), budget).unwrap();
        close(&case, "items_in_budget", items as f64);
        close(&case, "tokens_used", used as f64);
        let grades = relevant.iter().enumerate().map(|(index, &is)| (format!("c{index}"), json!(u8::from(is))));
        let labels = json!({"query_id": "q", "relevant": grades.collect::<serde_json::Map<_, _>>()}).to_string();
        let results =
            tokens.iter().enumerate().map(|(index, tokens)| json!({"id": format!("c{index}"), "tokens": tokens}));
        let run = json!({"query_id": "q", "results": results.collect::<Vec<_>>()}).to_string();
        let (options, mut notes) = (ReadOptions::default(), Notes::default());
        let (labels, _) = read_labels(Source::from_bytes("labels", labels.into()), &options, &mut notes).unwrap();
        let (run, _) = read_run(Source::from_bytes("run", run.into()), &options, &mut notes).unwrap();
        let measures = [Measure::parse("recall").unwrap(), Measure::parse("recall@1").unwrap()];
        let lens = Lens { budget: Some(budget), ..Lens::default() };
        let table = evaluate_through(&lens, &labels, &run, &measures, &Rules::default()).unwrap();
        close(&case, "recall", table.rows.cell(0, 0).value().unwrap());
        assert_eq!(table.rows.cell(0, 1).value(), Some(1.0 / 3.0));
        assert_eq!(table.rows.row(0).retrieved, items as u64);
    }
}

/// The value of a measure for a list of ids under their grades.
fn value(ranking: &Value, grades: impl Fn(&str) -> Option<f64>, all: &[f64], spec: &str) -> f64 {
    let ids = ranking.as_array().unwrap().iter().map(|id| id.as_str().unwrap());
    let ranked: Vec<Option<f64>> = ids.map(grades).collect();
    let mut missing = all.to_vec();
    for grade in ranked.iter().flatten() {
        missing.remove(missing.iter().position(|other| other == grade).unwrap());
    }
    Measure::parse(spec).unwrap().score(&JudgedRanking::from_grades(&ranked, &missing).view()).unwrap()
}

#[test]
fn grades_tell_apart_what_binary_labels_cannot() {
    for case in cases("graded_vs_binary", 1) {
        let inputs = &case["inputs"];
        let graded = |id: &str| inputs["grades"][id].as_f64();
        let binary = |id: &str| graded(id).map(|_| 1.0);
        for order in ["answer_first", "related_first"] {
            close(&case, &format!("binary {order}"), value(&inputs[order], binary, &[1.0, 1.0], "ndcg@5"));
            close(&case, &format!("graded {order}"), value(&inputs[order], graded, &[2.0, 1.0], "ndcg@5"));
        }
        let exponential = value(&inputs["related_first"], graded, &[2.0, 1.0], "ndcg_exp@5");
        close(&case, "graded related_first exponential gain", exponential);
    }
}

#[test]
fn measures_spread_by_what_they_see() {
    let lists = cases("ranking", 29);
    let list = |name: &str| {
        let name = format!("004_illusion_{name}");
        lists.iter().find(|case| case["name"] == name.as_str()).unwrap()
    };
    for case in cases("spread", 1) {
        for spec in case["exact"].as_object().unwrap().keys() {
            let systems = case["inputs"]["systems"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
            let values = systems.map(|name| {
                let inputs = &list(name)["inputs"];
                let grades: Vec<f64> =
                    inputs["grades"].as_object().unwrap().values().filter_map(Value::as_f64).collect();
                value(&inputs["ranking"], |id| inputs["grades"][id].as_f64(), &grades, spec)
            });
            let values: Vec<f64> = values.collect();
            let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(low, high), &v| (low.min(v), high.max(v)));
            close(&case, spec, high - low);
        }
    }
    for case in cases("identity", 1) {
        let inputs = &case["inputs"];
        let grades: Vec<f64> = inputs["grades"].as_object().unwrap().values().filter_map(Value::as_f64).collect();
        for spec in case["exact"].as_object().unwrap().keys() {
            close(&case, spec, value(&inputs["ranking"], |id| inputs["grades"][id].as_f64(), &grades, spec));
        }
    }
}
