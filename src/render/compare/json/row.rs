//! One row of a comparison as JSON; the order of the keys is that of a reader.

use std::borrow::Cow;

use raglens::compare::{Binary, Change, Found, Row, changes};
use raglens::stats::equivalence::Equivalence;
use raglens::stats::randomization::{MonteCarlo, RandomizationMethod, RandomizationTest};
use raglens::stats::t_test::TTest;
use serde::Serialize;

use super::super::report::Report;
use super::super::words;
use crate::render::json::{direction, id_text};
use crate::render::number::level_of;

/// A row.
#[derive(Serialize)]
pub struct JsonRow<'a> {
    metric: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    slice: Option<JsonSlice<'a>>,
    a: &'a str,
    b: &'a str,
    better: &'static str,
    n: usize,
    without_value: usize,
    n_differ: Option<usize>,
    wins: Option<usize>,
    ties: Option<usize>,
    losses: Option<usize>,
    mean_a: Option<f64>,
    mean_b: Option<f64>,
    diff: Option<f64>,
    ci: Option<Ci>,
    p: Option<P>,
    p_adjusted: Option<Adjusted>,
    t: Option<T>,
    effect: Option<Effect>,
    mcnemar: Option<Discordance<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wilcoxon: Option<P>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sign: Option<P>,
    #[serde(skip_serializing_if = "Option::is_none")]
    equivalence: Option<Equal>,
    detectable: Option<f64>,
    verdict: Option<&'static str>,
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<Vec<Changed<'a>>>,
}

/// The slice of a row.
#[derive(Serialize)]
pub struct JsonSlice<'a> {
    pub tag: &'a str,
    pub value: &'a str,
}

#[derive(Serialize)]
struct Ci {
    method: &'static str,
    level: f64,
    low: f64,
    high: f64,
}

#[derive(Serialize)]
struct P {
    method: &'static str,
    value: f64,
    #[serde(flatten)]
    draws: Option<Draws>,
    smallest_possible: f64,
}

#[derive(Serialize)]
struct Draws {
    count: u64,
    resamples: u64,
    seed: u64,
    se: f64,
}

#[derive(Serialize)]
struct Adjusted {
    method: &'static str,
    value: f64,
}

#[derive(Serialize)]
struct T {
    t: f64,
    df: u64,
    p: f64,
    sd: f64,
    se: f64,
    low: f64,
    high: f64,
}

#[derive(Serialize)]
struct Effect {
    dz: Option<f64>,
    gz: Option<f64>,
    p_superior: f64,
}

#[derive(Serialize)]
struct Discordance<'a> {
    both: u64,
    only_a: u64,
    only_b: u64,
    neither: u64,
    exact_p: f64,
    mid_p: f64,
    low: Option<f64>,
    high: Option<f64>,
    probability_b_higher: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    ids_a: Option<Vec<Cow<'a, str>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ids_b: Option<Vec<Cow<'a, str>>>,
}

#[derive(Serialize)]
struct Equal {
    shown: bool,
    margin: f64,
    method: &'static str,
    low: f64,
    high: f64,
}

#[derive(Serialize)]
struct Changed<'a> {
    query: Cow<'a, str>,
    a: f64,
    b: f64,
    diff: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_relevant_a: Option<Option<u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_relevant_b: Option<Option<u64>>,
}

/// A row as JSON; `lists` are those of single queries.
pub fn row<'a>(report: &'a Report, row: &'a Row, lists: bool) -> JsonRow<'a> {
    let metric = &report.plan.metrics[row.metric];
    let found = row.found.as_ref();
    let paired = found.map(|found| &found.paired);
    JsonRow {
        metric: &metric.label,
        slice: slice(report, row.slice),
        a: report.name(row.a),
        b: report.name(row.b),
        better: direction(metric.better),
        n: paired.map_or(0, |paired| paired.n),
        without_value: row.without_value,
        n_differ: paired.map(|paired| paired.differing()),
        wins: found.map(|found| found.better),
        ties: paired.map(|paired| paired.ties),
        losses: found.map(|found| found.worse),
        mean_a: paired.map(|paired| paired.mean_a),
        mean_b: paired.map(|paired| paired.mean_b),
        diff: paired.map(|paired| paired.mean_difference),
        ci: found.and_then(|found| ci(report, found)),
        p: found.map(p),
        p_adjusted: found.and_then(|found| Some(Adjusted { method: method(report, row), value: found.adjusted_p? })),
        t: found.and_then(|found| found.t.as_ref().map(t)),
        effect: found.map(effect),
        mcnemar: found.and_then(|found| Some(discordance(report, found, found.binary.as_ref()?, lists))),
        wilcoxon: found.and_then(|found| found.wilcoxon.as_ref().map(of_test)),
        sign: found.and_then(|found| found.sign.as_ref().map(of_test)),
        equivalence: found.and_then(|found| found.equivalence.as_ref().map(equal)),
        detectable: found.and_then(|found| found.detectable),
        verdict: found.and_then(|found| found.verdict).map(|verdict| verdict.word()),
        reason: words::row_reason(found, &report.plan),
        changed: lists.then(|| changed(report, row)),
    }
}

/// The slice at a position.
pub fn slice(report: &Report, position: Option<usize>) -> Option<JsonSlice<'_>> {
    let slice = &report.plan.slices[position?];
    Some(JsonSlice { tag: &slice.tag, value: &slice.value })
}

fn method(report: &Report, row: &Row) -> &'static str {
    match row.slice {
        None => report.comparison.family.method.name(),
        Some(_) => report.comparison.slice_family.method.name(),
    }
}

fn ci(report: &Report, found: &Found) -> Option<Ci> {
    let interval = found.interval?;
    let level = level_of(report.plan.alpha);
    Some(Ci { method: found.interval_method.name(), level, low: interval.low, high: interval.high })
}

fn p(found: &Found) -> P {
    match found.is_mid_p {
        true => P { method: "mid-p", value: found.p, draws: None, smallest_possible: found.smallest_p },
        false => of_test(&found.test),
    }
}

fn of_test(test: &RandomizationTest) -> P {
    let draws = match test.method {
        RandomizationMethod::MonteCarlo(draws) => Some(draws),
        _ => None,
    };
    let draws =
        draws.map(|MonteCarlo { count, resamples, seed, standard_error: se }| Draws { count, resamples, seed, se });
    P { method: test.method.name(), value: test.p, draws, smallest_possible: test.smallest_possible }
}

fn t(test: &TTest) -> T {
    let TTest { sd, standard_error: se, t, df, p, interval } = *test;
    T { t, df, p, sd, se, low: interval.low, high: interval.high }
}

fn effect(found: &Found) -> Effect {
    let effect = &found.effect;
    Effect { dz: effect.cohen_dz, gz: effect.hedges_gz, p_superior: effect.superiority }
}

fn discordance<'a>(report: &'a Report, found: &Found, binary: &Binary, lists: bool) -> Discordance<'a> {
    let ids = |indices: &[usize]| {
        let id = |&index: &usize| id_text(&report.joined.queries[found.queries[index]]);
        lists.then(|| indices.iter().map(id).collect())
    };
    Discordance {
        both: binary.table.both,
        only_a: binary.table.a_only,
        only_b: binary.table.b_only,
        neither: binary.table.neither,
        exact_p: binary.mcnemar.exact_p,
        mid_p: binary.mcnemar.mid_p,
        low: binary.interval.map(|found| found.low),
        high: binary.interval.map(|found| found.high),
        probability_b_higher: binary.mcnemar.probability_b_better,
        ids_a: ids(&binary.discordant.a_only),
        ids_b: ids(&binary.discordant.b_only),
    }
}

fn equal(found: &Equivalence) -> Equal {
    let Equivalence { is_shown: shown, margin, interval, method } = *found;
    Equal { shown, margin, method: method.name(), low: interval.low, high: interval.high }
}

/// The queries that changed; those of slices stand in the row of all queries.
fn changed<'a>(report: &'a Report, row: &Row) -> Vec<Changed<'a>> {
    if row.slice.is_some() {
        return Vec::new();
    }
    let changed = |change: Change| Changed {
        query: id_text(&report.joined.queries[change.query]),
        a: change.a,
        b: change.b,
        diff: change.difference,
        first_relevant_a: change.rank_a,
        first_relevant_b: change.rank_b,
    };
    changes(&report.joined, row).into_iter().map(changed).collect()
}
