//! The JSON of `compare`: the schema `raglens/1`, a contract that scripts read. Keys are never
//! renamed within a schema; new ones may come.

use std::borrow::Cow;

use raglens::compare::{Adjust, Binary, BoundKind, Demand, Family, Found, GateResult, Ground, Row, changes};
use raglens::measure::Better;
use raglens::stats::equivalence::Equivalence;
use raglens::stats::randomization::{RandomizationMethod, RandomizationTest};
use raglens::stats::summary::Interval;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::report::Report;
use super::{gates, words};
use crate::render::eval::{SCHEMA, id_text};
use crate::render::indent::to_json;

/// The report as JSON.
pub fn render(report: &Report) -> String {
    to_json(&Document {
        schema: SCHEMA,
        command: "compare",
        version: env!("CARGO_PKG_VERSION"),
        conventions: conventions(report),
        labels: labels(report),
        runs: runs(report),
        queries: report.joined.queries.len(),
        not_in_all: report.joined.dropped.iter().map(id_text).collect(),
        family: family(&report.comparison.family),
        slice_family: (!report.plan.slices.is_empty()).then(|| family(&report.comparison.slice_family)),
        rows: rows(report).map(|row| self::row(report, row)).collect(),
        gates: report.comparison.gates.iter().map(|found| gate(report, found)).collect(),
        outcome: (!report.comparison.gates.is_empty()).then(|| gates::word(report.comparison.outcome())),
        notes: report.notes.iter().map(|note| json!({"code": note.kind.code(), "text": note.to_string(), "count": note.count, "examples": note.examples})).collect(),
    })
}

/// The rows of all queries, then those of slices.
pub fn rows(report: &Report) -> impl Iterator<Item = &Row> {
    report.comparison.rows.iter().chain(&report.comparison.slices)
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    command: &'static str,
    version: &'static str,
    conventions: Map<String, Value>,
    labels: Option<Value>,
    runs: Vec<Value>,
    queries: usize,
    not_in_all: Vec<Cow<'a, str>>,
    family: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    slice_family: Option<Value>,
    rows: Vec<JsonRow<'a>>,
    gates: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    notes: Vec<Value>,
}

/// One row; the order of the keys is that of a reader.
#[derive(Serialize)]
pub struct JsonRow<'a> {
    metric: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    slice: Option<Value>,
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
    ci: Option<Value>,
    p: Option<Value>,
    p_adjusted: Option<Value>,
    t: Option<Value>,
    effect: Option<Value>,
    mcnemar: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wilcoxon: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sign: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    equivalence: Option<Value>,
    detectable: Option<f64>,
    verdict: Option<&'static str>,
    reason: Option<String>,
    changed: Vec<Value>,
}

/// A row as JSON.
pub fn row<'a>(report: &'a Report, row: &'a Row) -> JsonRow<'a> {
    let metric = &report.plan.metrics[row.metric];
    let found = row.found.as_ref();
    let paired = found.map(|found| &found.paired);
    let slice = row.slice.map(|slice| &report.plan.slices[slice]);
    let method = match row.slice {
        None => report.comparison.family.method,
        Some(_) => report.comparison.slice_family.method,
    };
    JsonRow {
        metric: &metric.label,
        slice: slice.map(|slice| json!({"tag": slice.tag, "value": slice.value})),
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
        p_adjusted: found.and_then(|found| Some(json!({"method": method.name(), "value": found.adjusted_p?}))),
        t: found.and_then(t),
        effect: found.map(effect),
        mcnemar: found.and_then(|found| Some(mcnemar(report, found, found.binary.as_ref()?))),
        wilcoxon: found.and_then(|found| found.wilcoxon.map(|test| test_of(&test))),
        sign: found.and_then(|found| found.sign.map(|test| test_of(&test))),
        equivalence: found.and_then(|found| found.equivalence.map(|shown| equivalence(&shown))),
        detectable: found.and_then(|found| found.detectable),
        verdict: found.and_then(|found| found.verdict).map(|verdict| verdict.word()),
        reason: match found {
            Some(found) => words::reason(found, &report.plan),
            None => Some("no query has a value on both sides".to_owned()),
        },
        changed: changed(report, row),
    }
}

fn direction(better: Better) -> &'static str {
    match better {
        Better::Higher => "higher",
        Better::Lower => "lower",
        Better::Neither => "neither",
    }
}

fn ci(report: &Report, found: &Found) -> Option<Value> {
    let Interval { low, high } = found.interval?;
    let level = round(1.0 - report.plan.alpha);
    Some(json!({"method": found.interval_method.name(), "level": level, "low": low, "high": high}))
}

/// A level without the rounding of 1 - 0.05.
fn round(level: f64) -> f64 {
    (level * 1e12).round() / 1e12
}

fn p(found: &Found) -> Value {
    if found.is_mid_p {
        return json!({"method": "mid-p", "value": found.p, "smallest_possible": found.smallest_p});
    }
    test_of(&found.test)
}

fn test_of(test: &RandomizationTest) -> Value {
    let method = test.method.name();
    match test.method {
        RandomizationMethod::MonteCarlo(draws) => json!({
            "method": method, "value": test.p, "count": draws.count, "resamples": draws.resamples,
            "seed": draws.seed, "se": draws.standard_error, "smallest_possible": test.smallest_possible,
        }),
        _ => json!({"method": method, "value": test.p, "smallest_possible": test.smallest_possible}),
    }
}

fn t(found: &Found) -> Option<Value> {
    let test = found.t?;
    let Interval { low, high } = test.interval;
    Some(json!({"t": test.t, "df": test.df, "p": test.p, "sd": test.sd, "low": low, "high": high}))
}

fn effect(found: &Found) -> Value {
    let effect = &found.effect;
    json!({"dz": effect.cohen_dz, "gz": effect.hedges_gz, "p_superior": effect.superiority})
}

fn mcnemar(report: &Report, found: &Found, binary: &Binary) -> Value {
    let ids = |indices: &[usize]| {
        let id = |&index: &usize| id_text(&report.joined.queries[found.queries[index]]).into_owned();
        indices.iter().map(id).collect::<Vec<String>>()
    };
    let table = &binary.table;
    json!({
        "both": table.both, "only_a": table.a_only, "only_b": table.b_only, "neither": table.neither,
        "exact_p": binary.mcnemar.exact_p, "mid_p": binary.mcnemar.mid_p,
        "probability_b_higher": binary.mcnemar.probability_b_better,
        "low": binary.interval.map(|found| found.low), "high": binary.interval.map(|found| found.high),
        "ids_a": ids(&binary.discordant.a_only), "ids_b": ids(&binary.discordant.b_only),
    })
}

fn equivalence(shown: &Equivalence) -> Value {
    let Interval { low, high } = shown.interval;
    json!({"shown": shown.is_shown, "margin": shown.margin, "method": shown.method.name(), "low": low, "high": high})
}

fn changed(report: &Report, row: &Row) -> Vec<Value> {
    if row.slice.is_some() {
        return Vec::new();
    }
    let change = |change: raglens::compare::Change| {
        let query = id_text(&report.joined.queries[change.query]).into_owned();
        let mut value = json!({"query": query, "a": change.a, "b": change.b, "diff": change.difference});
        if let (Some(a), Some(b), Some(fields)) = (change.rank_a, change.rank_b, value.as_object_mut()) {
            fields.insert("first_relevant_a".to_owned(), json!(a));
            fields.insert("first_relevant_b".to_owned(), json!(b));
        }
        value
    };
    changes(&report.joined, row).into_iter().map(change).collect()
}

fn family(family: &Family) -> Value {
    let random = matches!(family.method, Adjust::MaxT | Adjust::Tukey).then_some(family.is_random);
    match random {
        Some(is_random) => json!({"method": family.method.name(), "size": family.size, "exact": !is_random}),
        None => json!({"method": family.method.name(), "size": family.size}),
    }
}

fn gate(report: &Report, gate: &GateResult) -> Value {
    let slice = gate.place.slice.map(|slice| &report.plan.slices[slice]);
    let mut value = json!({
        "expression": gate.expression, "metric": report.label(gate.place.metric),
        "slice": slice.map(|slice| json!({"tag": slice.tag, "value": slice.value})),
        "a": report.name(gate.place.a), "b": report.name(gate.place.b), "outcome": gates::word(gate.outcome),
        "bound": null, "margin": null,
    });
    match &gate.ground {
        Ground::Bounds { gate: bounds, needed } => {
            let decides = if is_regression(report, gate) { bounds.upper } else { bounds.lower };
            value["bound"] = json!(decides);
            value["margin"] = json!(bounds.margin);
            value["lower"] = json!(bounds.lower);
            value["upper"] = json!(bounds.upper);
            value["level"] = json!(report.plan.gate_level);
            value["method"] = json!(bounds.method.name());
            value["smallest_margin"] = json!(bounds.smallest_margin);
            value["queries_needed"] = json!(needed);
        }
        Ground::SameRankings { margin } => {
            value["margin"] = json!(margin);
            value["reason"] = json!("both runs returned the same lists");
        }
        Ground::Point { value: number, requirement } => {
            value["value"] = json!(number);
            value["limit"] = json!(requirement.limit);
            value["reason"] = json!("a number alone: no confidence");
        }
        Ground::NoValues => value["reason"] = json!("no query has a value on both sides"),
    }
    value
}

/// Whether the upper bound decides.
fn is_regression(report: &Report, gate: &GateResult) -> bool {
    report.plan.gates.iter().any(|rule| {
        let is_kind = matches!(rule.demand, Demand::Bound { kind: BoundKind::NoRegression, .. });
        is_kind && rule.expression == gate.expression
    })
}

/// The conventions of the scores, and those of the comparison.
fn conventions(report: &Report) -> Map<String, Value> {
    let plan = &report.plan;
    let value = |text: &String| serde_json::from_str(text).unwrap_or(Value::Null);
    let mut all: Map<String, Value> =
        report.conventions.iter().map(|(name, text)| (name.clone(), value(text))).collect();
    let of_plan = json!({
        "alternative": super::words::alternative(plan), "alpha": plan.alpha, "resamples": plan.resamples,
        "bootstrap": plan.bootstrap, "ci": words::interval_name(plan), "binary_p": words::binary_p(plan),
        "pairs": words::pairs(plan), "seed": plan.seed,
    });
    all.extend(of_plan.as_object().cloned().unwrap_or_default());
    all
}

fn labels(report: &Report) -> Option<Value> {
    let labels = report.labels.as_ref()?;
    let left_out: Vec<Cow<'_, str>> = report.left_out.iter().map(id_text).collect();
    Some(json!({
        "path": labels.file.path, "bytes": labels.file.bytes, "hash": labels.hash,
        "read_as": labels.file.read_as_name(), "named_by": labels.named_by, "queries": labels.queries,
        "relevant": labels.relevant, "left_out": left_out,
    }))
}

fn runs(report: &Report) -> Vec<Value> {
    let run = |(index, run): (usize, &super::report::RunFile)| {
        json!({
            "name": report.name(index), "path": run.file.path, "bytes": run.file.bytes,
            "modified": run.modified, "read_as": run.file.read_as_name(),
        })
    };
    report.files.iter().enumerate().map(run).collect()
}
