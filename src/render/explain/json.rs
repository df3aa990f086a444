//! The JSON of `explain`: the schema `raglens/1`. Keys are never renamed within a schema.

use raglens::codes::{self, Explanation};
use raglens::measure::{Aggregate, Better, CutoffRule, DEFINITIONS, MeasureDef, Row, Spec};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::report::{Judgment, Subject, Worked};
use super::topics::{TOPICS, Topic};
use crate::render::eval::SCHEMA;
use crate::render::indent::to_json;

/// The explanation as JSON.
pub fn render(subject: &Subject) -> String {
    let content = match subject {
        Subject::List | Subject::All => json!({
            "measures": DEFINITIONS.iter().map(|def| measure(def)).collect::<Vec<_>>(),
            "topics": TOPICS.iter().map(|topic| topic.name).collect::<Vec<_>>(),
        }),
        Subject::Measure(spec) => json!({"label": label(spec), "measures": [measure(spec.definition())]}),
        Subject::Codes => json!({"codes": codes::all().map(code).collect::<Vec<_>>()}),
        Subject::Code(found) => json!({"codes": [code(found)]}),
        Subject::Topic(topic) => json!({"topics": [topic_part(topic)]}),
        Subject::Value(worked) => value(worked),
    };
    to_json(&Document { schema: SCHEMA, command: "explain", version: env!("CARGO_PKG_VERSION"), content })
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    command: &'static str,
    version: &'static str,
    #[serde(flatten)]
    content: Value,
}

fn label(spec: &Spec) -> Option<String> {
    spec.measure().ok().map(|measure| measure.label().to_owned())
}

fn measure(def: &MeasureDef) -> Value {
    let params = def.params.iter().map(
        |param| json!({"name": param.name, "about": param.about, "values": param.expected(), "default": param.default}),
    );
    json!({
        "name": def.name,
        "about": def.about,
        "question": def.purpose.question(),
        "formula": def.formula,
        "reading": def.reading,
        "blind_to": def.blind_to,
        "edge_cases": def.edge_cases,
        "peers": def.peers,
        "source": def.source,
        "cutoff": match def.cutoff {
            CutoffRule::Never => "never",
            CutoffRule::Optional => "optional",
            CutoffRule::Required => "required",
            CutoffRule::RecallLevel => "recall level",
        },
        "params": params.collect::<Vec<_>>(),
        "aggregate": match def.aggregate {
            Aggregate::Mean => "mean",
            Aggregate::GeometricMean => "geometric mean",
            Aggregate::Sum => "sum",
        },
        "better": match def.better {
            Better::Higher => "higher",
            Better::Lower => "lower",
            Better::Neither => "neither",
        },
        "range": [bound(def.range.0), bound(def.range.1)],
        "aliases": def.aliases,
        "trec_eval": {"whole": def.trec_name.whole, "at": def.trec_name.at},
    })
}

/// A bound of a range; `None` where there is none.
fn bound(bound: f64) -> Option<f64> {
    Some(bound).filter(|bound| bound.is_finite())
}

fn code(found: &Explanation) -> Value {
    let Explanation { code, title, appears, means, remedy } = found;
    json!({"code": code, "title": title, "appears": appears, "means": means, "remedy": remedy})
}

fn topic_part(topic: &Topic) -> Value {
    let parts = topic.parts.iter().map(|(word, text)| json!({"about": word, "text": text}));
    json!({"name": topic.name, "about": topic.about, "parts": parts.collect::<Vec<_>>(), "end": topic.end})
}

fn value(worked: &Worked) -> Value {
    let terms = &worked.terms;
    let rows = terms.rows.iter().map(|row| {
        let document = worked.documents.get(row.place.rank as usize - 1);
        let is_single = row.place.rank == row.place.last;
        let id = document.filter(|_| is_single).map(|(id, _)| id.to_string());
        place(&terms.columns, row, id, document.map(|(_, rank)| *rank))
    });
    let ideal = terms.ideal.iter().map(|row| {
        let document = worked.best.get(row.place.rank as usize - 1);
        let id = document.map(|found| found.document.to_string());
        place(&terms.columns, row, id, document.and_then(|found| found.rank))
    });
    let steps = terms.steps.iter().map(|step| json!({"name": step.name, "about": step.about, "value": step.value}));
    let judgment =
        |found: &Judgment| json!({"id": found.document.to_string(), "grade": found.grade, "rank": found.rank});
    json!({
        "measure": worked.measure.label(),
        "query": worked.query.to_string(),
        "run": worked.run,
        "paths": worked.files.iter().map(|file| &file.path).collect::<Vec<_>>(),
        "conventions": worked.conventions,
        "formula": worked.measure.definition().formula,
        "rows": rows.collect::<Vec<_>>(),
        "ideal": ideal.collect::<Vec<_>>(),
        "missed": worked.missed.iter().map(judgment).collect::<Vec<_>>(),
        "steps": steps.collect::<Vec<_>>(),
        "rule": terms.rule,
        "value": worked.value,
        "reason": worked.reason,
    })
}

/// A place of a list: the rank that the measure sees, the rank in the run, and a number a column.
fn place(columns: &[&str], row: &Row, id: Option<String>, in_run: Option<u64>) -> Value {
    let cells: Map<String, Value> =
        columns.iter().map(|name| (*name).to_owned()).zip(row.cells.iter().map(|cell| json!(cell))).collect();
    let place = row.place;
    json!({"rank": place.rank, "last_rank": place.last, "rank_in_run": in_run, "id": id, "grade": place.grade, "terms": cells})
}
