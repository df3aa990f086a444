//! What stands beside the measures of a run, as JSON; each part only where there is one.

use std::borrow::Cow;

use raglens::measure::Measure;
use raglens::rag::{Searches, Step};
use serde::Serialize;

use super::extras::{Extras, Optimism, Steps, SweepRow};
use crate::render::json::{Map, ids};

/// What stands beside the measures of a run.
#[derive(Serialize)]
pub struct JsonExtras<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    optimism: Option<JsonOptimism<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sweep: Vec<JsonSweep<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<JsonSteps>,
    #[serde(skip_serializing_if = "Option::is_none")]
    searches: Option<JsonSearches>,
}

#[derive(Serialize)]
struct JsonOptimism<'a> {
    k: Option<u64>,
    measures: Map<&'a str, JsonInflation>,
    verdicts: Map<&'static str, Vec<Cow<'a, str>>>,
}

#[derive(Serialize)]
struct JsonInflation {
    n: u64,
    document: f64,
    chunk: f64,
    inflation: f64,
    optimistic: f64,
    pessimistic: f64,
}

#[derive(Serialize)]
struct JsonSweep<'a> {
    min_overlap: f64,
    means: Map<&'a str, Option<f64>>,
}

#[derive(Serialize)]
struct JsonSteps {
    k: Option<u64>,
    calls: Vec<JsonStep>,
}

#[derive(Serialize)]
struct JsonStep {
    call: usize,
    queries: u64,
    own_hops: f64,
    own_goal: Option<f64>,
    own_goal_n: u64,
    redundant: u64,
    hops_found: f64,
    chain: f64,
}

#[derive(Serialize)]
struct JsonSearches {
    needed_made: u64,
    needed_missed: u64,
    needless_made: u64,
    needless_spared: u64,
    missed_rate: Option<f64>,
    needless_rate: Option<f64>,
}

/// The parts that a run has.
pub fn extras<'a>(measures: &'a [Measure], extras: &'a Extras) -> JsonExtras<'a> {
    JsonExtras {
        optimism: extras.optimism.as_ref().map(optimism),
        sweep: extras.sweep.iter().map(|row| sweep(measures, row)).collect(),
        steps: extras.steps.as_ref().map(steps),
        searches: extras.searches.as_ref().map(searches),
    }
}

fn optimism(found: &Optimism) -> JsonOptimism<'_> {
    let rows = found.rows.iter().map(|(label, found)| {
        let inflation = JsonInflation {
            n: found.n,
            document: found.mean.document,
            chunk: found.mean.chunk,
            inflation: found.difference(),
            optimistic: found.optimistic,
            pessimistic: found.pessimistic,
        };
        (label.as_str(), inflation)
    });
    let verdicts = found.verdicts.iter().map(|(verdict, queries)| (verdict.words(), ids(queries)));
    JsonOptimism { k: found.cutoff, measures: Map(rows.collect()), verdicts: Map(verdicts.collect()) }
}

fn sweep<'a>(measures: &'a [Measure], row: &SweepRow) -> JsonSweep<'a> {
    let means = measures.iter().map(Measure::label).zip(row.means.iter().copied());
    JsonSweep { min_overlap: row.min_overlap, means: Map(means.collect()) }
}

fn steps(found: &Steps) -> JsonSteps {
    let step = |step: &Step| JsonStep {
        call: step.number,
        queries: step.queries,
        own_hops: step.alone,
        own_goal: step.meant.map(|(share, _)| share),
        own_goal_n: step.meant.map_or(0, |(_, n)| n),
        redundant: step.redundant,
        hops_found: step.hops_found,
        chain: step.chain,
    };
    JsonSteps { k: found.cutoff, calls: found.steps.iter().map(step).collect() }
}

fn searches(found: &Searches) -> JsonSearches {
    JsonSearches {
        needed_made: found.needed_made,
        needed_missed: found.needed_missed,
        needless_made: found.needless_made,
        needless_spared: found.needless_spared,
        missed_rate: found.missed_rate(),
        needless_rate: found.needless_rate(),
    }
}
