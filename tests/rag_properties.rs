//! What holds of every pipeline, funnel and frontier, whatever the files.

use proptest::prelude::*;
use raglens::evaluate::Rules;
use raglens::input::{ReadOptions, Source, read_labels, read_run};
use raglens::labels::Labels;
use raglens::notes::Notes;
use raglens::rag::funnel::{Case, Step, funnel};
use raglens::rag::pareto::{Point, Standing, frontier, next_cheaper};
use raglens::rag::stages::{Fate, Pipeline, Question, trace};
use raglens::run::Run;

const QUERIES: usize = 3;
const DOCUMENTS: u8 = 9;

/// Which documents are relevant, a mask a query; at least the first is.
fn labels(masks: &[u16]) -> Labels {
    let row = |(query, mask): (usize, &u16)| {
        let grades = (0..DOCUMENTS).filter(move |&at| at == 0 || mask & (1 << at) > 0);
        grades.map(move |at| format!("q{query} 0 d{at} 1\n")).collect::<String>()
    };
    let text: String = masks.iter().enumerate().map(row).collect();
    read_labels(Source::from_bytes("labels", text.into()), &ReadOptions::default(), &mut Notes::default()).unwrap().0
}

fn run(lists: &[Vec<u8>]) -> Run {
    let row = |(query, list): (usize, &Vec<u8>)| {
        let ids: Vec<String> = list.iter().map(|at| format!("\"d{at}\"")).collect();
        format!("{{\"query_id\":\"q{query}\",\"results\":[{}]}}\n", ids.join(","))
    };
    let text: String = lists.iter().enumerate().map(row).collect();
    read_run(Source::from_bytes("run", text.into()), &ReadOptions::default(), &mut Notes::default()).unwrap().0
}

/// A list of different documents a query.
fn lists() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let list = Just((0..DOCUMENTS).collect::<Vec<u8>>()).prop_shuffle();
    let cut = (list, 1..=DOCUMENTS as usize).prop_map(|(mut list, length)| {
        list.truncate(length);
        list
    });
    prop::collection::vec(cut, QUERIES)
}

/// Two searches, and what a stage and a last stage make of both.
fn traced(masks: &[u16], searches: [&[Vec<u8>]; 2], k: u64) -> (Pipeline, Labels) {
    let labels = labels(masks);
    let together = |query: usize| -> Vec<u8> {
        let mut both = searches[0][query].clone();
        both.extend(searches[1][query].iter().filter(|at| !searches[0][query].contains(at)));
        both
    };
    let fused: Vec<Vec<u8>> = (0..QUERIES).map(together).collect();
    let turned: Vec<Vec<u8>> = fused.iter().map(|list| list.iter().rev().take(6).copied().collect()).collect();
    let runs = [run(searches[0]), run(searches[1]), run(&fused), run(&turned)];
    let (queries, rules): (Vec<usize>, _) = ((0..QUERIES).collect(), Rules::default());
    let question = Question { labels: &labels, queries: &queries, rules: &rules, k, pool: None, search: Some(&[0, 1]) };
    let pipeline = trace(&runs.iter().collect::<Vec<_>>(), &question).unwrap();
    (pipeline, labels)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_relevant_document_is_found_or_missed_for_one_reason(
        masks in prop::collection::vec(any::<u16>(), QUERIES), one in lists(), two in lists(), k in 1u64..6,
    ) {
        let (pipeline, labels) = traced(&masks, [&one, &two], k);
        let fates = [Fate::NeverRetrieved, Fate::LostAt(2), Fate::LostAt(3), Fate::BelowCutoff(0)];
        let missed: usize = fates.iter().map(|&fate| pipeline.with_fate(fate).count()).sum();
        prop_assert_eq!(missed, pipeline.missed.len());
        prop_assert_eq!(pipeline.relevant, labels.relevant(1.0));
        prop_assert!(pipeline.missed.len() as u64 <= pipeline.relevant);
    }

    #[test]
    fn no_stage_is_above_its_ceilings(
        masks in prop::collection::vec(any::<u16>(), QUERIES), one in lists(), two in lists(), k in 1u64..6,
    ) {
        let (pipeline, _) = traced(&masks, [&one, &two], k);
        for stage in [2, 3] {
            let Some(gap) = pipeline.gap(stage, &[0, 1, 2]) else { continue };
            prop_assert!(gap.before <= gap.attainable + 1e-12 && gap.after <= gap.attainable + 1e-12);
            prop_assert!(gap.attainable <= gap.pool + 1e-12);
            for closed in [gap.closed, gap.closed_attainable].into_iter().flatten() {
                prop_assert!(closed <= 1.0 && closed.is_finite());
            }
            // The attainable ceiling is the lower one, so that more of what is under it is closed.
            if let (Some(pool), Some(attainable)) = (gap.closed, gap.closed_attainable) {
                prop_assert!(pool.abs() <= attainable.abs() + 1e-12);
            }
        }
    }

    #[test]
    fn a_funnel_loses_what_it_does_not_keep(flags in prop::collection::vec(any::<[bool; 4]>(), 0..20)) {
        let case = |&[retrieved, evidence_in_context, answered, correct]: &[bool; 4]| {
            Case { retrieved, evidence_in_context, answered, correct: correct && answered }
        };
        let cases: Vec<Case> = flags.iter().map(case).collect();
        let found = funnel(&cases);
        prop_assert!(found.kept.is_sorted_by(|a, b| a >= b));
        prop_assert_eq!(Step::ALL.map(|step| found.lost(step)).iter().sum::<u64>() + found.kept[4], found.kept[0]);
        for step in Step::ALL {
            prop_assert_eq!(found.lost(step), cases.iter().filter(|case| case.death() == Some(step)).count() as u64);
        }
        prop_assert_eq!(found.correct, found.kept[4] + found.lucky);
        let product: Option<f64> = (1..=4).map(|step| found.conditional(step)).product();
        if let (Some(product), Some(share)) = (product, found.share(4)) {
            prop_assert!((product - share).abs() < 1e-12);
        }
    }

    #[test]
    fn whoever_is_beaten_is_beaten_by_one_of_the_frontier(
        points in prop::collection::vec((0u8..5, 0u8..5, 0u8..3), 1..9),
    ) {
        let point = |&(quality, ms, usd): &(u8, u8, u8)| {
            Point { quality: f64::from(quality), p95_ms: Some(f64::from(ms)), cost_usd: Some(f64::from(usd)) }
        };
        let points: Vec<Point> = points.iter().map(point).collect();
        let standings = frontier(&points);
        prop_assert!(standings.contains(&Standing::Frontier));
        for (index, standing) in standings.iter().enumerate() {
            let beaten = points.iter().any(|other| other.dominates(&points[index]));
            prop_assert_eq!(beaten, *standing != Standing::Frontier);
            if let Standing::Dominated(by) = standing {
                prop_assert!(by.iter().all(|&other| standings[other] == Standing::Frontier && points[other].dominates(&points[index])));
            }
        }
        for (index, next) in next_cheaper(&points, &standings).into_iter().enumerate() {
            if let Some(next) = next {
                prop_assert!(points[next].quality < points[index].quality);
            }
        }
    }
}
