//! The JSON of `explain`: the schema `raglens/1`. Keys are never renamed within a schema.

use raglens::measure::{Aggregate, CutoffRule, DEFINITIONS, MeasureDef, Place, Row, Spec};
use serde::Serialize;

use super::report::{Judgment, Subject, Worked};
use super::topics::Topic;
use crate::render::codes::{self, Explanation};
use crate::render::indent::to_json;
use crate::render::json::{Map, SCHEMA, direction, id_text};

/// The explanation as JSON.
pub fn render(subject: &Subject) -> String {
    match subject {
        Subject::List | Subject::All => {
            document(Measures { label: None, measures: DEFINITIONS.iter().map(|def| measure(def)).collect() })
        }
        Subject::Measure(spec) => document(Measures { label: label(spec), measures: vec![measure(spec.definition())] }),
        Subject::Codes => document(Map(vec![("codes", codes::all().map(code).collect::<Vec<_>>())])),
        Subject::Code(found) => document(Map(vec![("codes", vec![code(found)])])),
        Subject::Topic(topic) => document(topic_part(topic)),
        Subject::Value(worked) => document(value(worked)),
    }
}

fn document(content: impl Serialize) -> String {
    to_json(&Document { schema: SCHEMA, command: "explain", version: env!("CARGO_PKG_VERSION"), content })
}

#[derive(Serialize)]
struct Document<T> {
    schema: &'static str,
    command: &'static str,
    version: &'static str,
    #[serde(flatten)]
    content: T,
}

#[derive(Serialize)]
struct Measures {
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    measures: Vec<JsonMeasure>,
}

fn label(spec: &Spec) -> Option<String> {
    spec.measure().ok().map(|measure| measure.label().to_owned())
}

#[derive(Serialize)]
struct JsonMeasure {
    name: &'static str,
    about: &'static str,
    question: &'static str,
    formula: &'static str,
    reading: &'static str,
    blind_to: &'static str,
    edge_cases: &'static str,
    peers: &'static str,
    source: &'static str,
    cutoff: &'static str,
    params: Vec<JsonParam>,
    aggregate: &'static str,
    better: &'static str,
    range: [Option<f64>; 2],
    aliases: &'static [&'static str],
    trec_eval: [Option<&'static str>; 2],
}

#[derive(Serialize)]
struct JsonParam {
    name: &'static str,
    about: &'static str,
    values: String,
    default: Option<&'static str>,
}

fn measure(def: &MeasureDef) -> JsonMeasure {
    let params = def.params.iter().map(|param| JsonParam {
        name: param.name,
        about: param.about,
        values: param.expected(),
        default: param.default,
    });
    JsonMeasure {
        name: def.name,
        about: def.about,
        question: def.purpose.question(),
        formula: def.formula,
        reading: def.reading,
        blind_to: def.blind_to,
        edge_cases: def.edge_cases,
        peers: def.peers,
        source: def.source,
        cutoff: cutoff(def.cutoff),
        params: params.collect(),
        aggregate: aggregate(def.aggregate),
        better: direction(def.better),
        range: [bound(def.range.0), bound(def.range.1)],
        aliases: def.aliases,
        trec_eval: [def.trec_name.whole, def.trec_name.at],
    }
}

fn cutoff(rule: CutoffRule) -> &'static str {
    match rule {
        CutoffRule::Never => "never",
        CutoffRule::Optional => "optional",
        CutoffRule::Required => "required",
        CutoffRule::RecallLevel => "recall level",
        CutoffRule::Multiple => "multiple of R",
    }
}

fn aggregate(aggregate: Aggregate) -> &'static str {
    match aggregate {
        Aggregate::Mean => "mean",
        Aggregate::GeometricMean => "geometric mean",
        Aggregate::Sum => "sum",
    }
}

/// A bound of a range; `None` where there is none.
fn bound(bound: f64) -> Option<f64> {
    Some(bound).filter(|bound| bound.is_finite())
}

#[derive(Serialize)]
struct JsonCode {
    code: &'static str,
    title: &'static str,
    appears: &'static str,
    means: &'static str,
    remedy: &'static str,
}

fn code(found: &Explanation) -> JsonCode {
    let &Explanation { code, title, appears, means, remedy } = found;
    JsonCode { code, title, appears, means, remedy }
}

#[derive(Serialize)]
struct JsonTopic {
    topic: &'static str,
    about: &'static str,
    parts: Map<&'static str, &'static str>,
    end: &'static str,
}

fn topic_part(topic: &Topic) -> JsonTopic {
    JsonTopic { topic: topic.name, about: topic.about, parts: Map(topic.parts.to_vec()), end: topic.end }
}

#[derive(Serialize)]
struct JsonWorked<'a> {
    measure: &'a str,
    query: String,
    run: &'a str,
    paths: Vec<&'a str>,
    conventions: &'a str,
    formula: &'static str,
    rows: Vec<JsonRow<'a>>,
    ideal: Vec<JsonRow<'a>>,
    ties: &'a [(u64, u64)],
    missed: Vec<JsonJudgment>,
    steps: Vec<JsonStep<'a>>,
    rule: &'static str,
    value: Option<f64>,
    reason: Option<&'a str>,
}

/// A place of a list: the rank that the measure sees, the rank in the run, and a number a column.
#[derive(Serialize)]
struct JsonRow<'a> {
    rank: u64,
    last_rank: u64,
    rank_in_run: Option<u64>,
    id: Option<String>,
    grade: Option<f64>,
    terms: Map<&'a str, f64>,
}

#[derive(Serialize)]
struct JsonJudgment {
    id: String,
    grade: f64,
    rank: Option<u64>,
}

#[derive(Serialize)]
struct JsonStep<'a> {
    name: &'a str,
    about: &'a str,
    value: f64,
}

fn value(worked: &Worked) -> JsonWorked<'_> {
    let terms = &worked.terms;
    let rows = terms.rows.iter().map(|row| {
        let document = worked.documents.get(row.place.rank as usize - 1);
        let is_single = row.place.rank == row.place.last;
        let id = document.filter(|_| is_single).map(|(id, _)| id_text(id).into_owned());
        place(&terms.columns, row, id, document.map(|(_, rank)| *rank))
    });
    let ideal = terms.ideal.iter().map(|row| {
        let document = worked.best.get(row.place.rank as usize - 1);
        let id = document.map(|found| id_text(&found.document).into_owned());
        place(&terms.columns, row, id, document.and_then(|found| found.rank))
    });
    let steps = terms.steps.iter().map(|step| JsonStep { name: &step.name, about: &step.about, value: step.value });
    JsonWorked {
        measure: worked.measure.label(),
        query: id_text(&worked.query).into_owned(),
        run: &worked.run,
        paths: worked.files.iter().map(|file| file.path.as_str()).collect(),
        conventions: &worked.conventions,
        formula: worked.measure.definition().formula,
        rows: rows.collect(),
        ideal: ideal.collect(),
        ties: &worked.ties,
        missed: worked.missed.iter().map(judgment).collect(),
        steps: steps.collect(),
        rule: terms.rule,
        value: worked.value,
        reason: worked.reason.as_deref(),
    }
}

fn judgment(found: &Judgment) -> JsonJudgment {
    JsonJudgment { id: id_text(&found.document).into_owned(), grade: found.grade, rank: found.rank }
}

fn place<'a>(columns: &[&'a str], row: &Row, id: Option<String>, rank_in_run: Option<u64>) -> JsonRow<'a> {
    let terms = Map(columns.iter().copied().zip(row.cells.iter().copied()).collect());
    let Place { rank, last, grade } = row.place;
    JsonRow { rank, last_rank: last, rank_in_run, id, grade, terms }
}
