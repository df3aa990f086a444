//! raglens labels and raglens runs: a JSON object a query, which holds everything.

use std::borrow::Cow;
use std::io::{self, Write};

use super::ids::IdRule;
use super::{Format, Head, Layout, Part, Ranked, Step};
use crate::labels::{EvidenceGroup, GoldSpan, QueryAbout, QueryLabels};
use crate::measure::shortest;
use crate::run::{Call, Key, Row, RunMeta};

pub(super) static JSONL: Format = Format {
    name: "jsonl",
    aliases: &["raglens"],
    about: "raglens labels and runs: a JSON object a query, which holds everything",
    labels: &["raglens-labels"],
    run: &["raglens-run"],
    holds: &[
        Part::Texts,
        Part::Tags,
        Part::Answerable,
        Part::Passages,
        Part::Evidence,
        Part::EmptyQueries,
        Part::RunName,
        Part::Settings,
        Part::Calls,
        Part::Searches,
        Part::Chunks,
        Part::Unscored,
    ],
    columns: &[],
    ids: IdRule::Text,
    layout: || Box::new(Jsonl),
};

struct Jsonl;

impl Layout for Jsonl {
    fn begin(&mut self, head: &Head, out: &mut dyn Write) -> io::Result<()> {
        let RunMeta { stage, offset_unit, config } = &head.meta;
        let mut meta = Object::new();
        meta.text("run", head.tag.as_deref());
        meta.text("stage", stage.as_deref());
        meta.text("offset_unit", offset_unit.as_deref());
        if !config.is_empty() {
            let mut settings = Object::new();
            config.iter().for_each(|(name, value)| settings.raw(name, value));
            meta.raw("config", &settings.end());
        }
        match meta.is_empty() {
            true => Ok(()),
            false => writeln!(out, "{{\"meta\": {}}}", meta.end()),
        }
    }

    fn labels(&mut self, query: &QueryLabels, out: &mut dyn Write) -> io::Result<()> {
        let QueryAbout { text: query_text, tags, answerable, needs_retrieval, spans, evidence, groups: _ } =
            &*query.about;
        let mut row = Object::new();
        row.text("query_id", Some(&text(query.id().as_bytes())));
        row.text("query", query_text.as_deref());
        let mut relevant = Object::new();
        query.judgments().for_each(|(document, grade)| relevant.raw(&text(document), &shortest(grade)));
        row.raw("relevant", &relevant.end());
        if !tags.is_empty() {
            let mut named = Object::new();
            tags.iter().for_each(|(name, values)| named.raw(name, &tag(values)));
            row.raw("tags", &named.end());
        }
        row.number("answerable", answerable.as_ref());
        row.number("needs_retrieval", needs_retrieval.as_ref());
        row.list("spans", spans.iter().map(span));
        row.list("evidence", evidence.iter().map(group));
        writeln!(out, "{}", row.end())
    }

    fn ranking(&mut self, ranked: &Ranked<'_>, out: &mut dyn Write) -> io::Result<()> {
        for Step { call, results } in &ranked.calls {
            let Call { latency_ms, cost_usd, role, step, hop, search_query } = call;
            let mut row = Object::new();
            row.text("query_id", Some(&text(ranked.query)));
            row.raw("results", &list(results.iter().map(|(row, _)| result(row))));
            row.number("latency_ms", latency_ms.map(shortest).as_ref());
            row.number("cost_usd", cost_usd.map(shortest).as_ref());
            row.text("role", role.as_deref());
            row.number("step", step.as_ref());
            row.number("hop", hop.as_ref());
            row.text("search_query", search_query.as_deref());
            writeln!(out, "{}", row.end())?;
        }
        Ok(())
    }
}

/// The values of a tag; one alone stands for itself.
fn tag(values: &[String]) -> String {
    match values {
        [value] => quoted(value),
        values => list(values.iter().map(|value| quoted(value))),
    }
}

fn span(span: &GoldSpan) -> String {
    let mut row = Object::new();
    row.text("doc_id", Some(&text(span.document.as_bytes())));
    row.number("start", Some(&span.start));
    row.number("end", Some(&span.end));
    row.number("grade", Some(&shortest(span.grade)));
    row.number("hop", span.hop.as_ref());
    row.end()
}

fn group(group: &EvidenceGroup) -> String {
    let mut row = Object::new();
    row.number("hop", Some(&group.hop));
    row.raw("any_of", &list(group.any_of.iter().map(|id| quoted(&text(id.as_bytes())))));
    row.end()
}

/// A result: its id alone where nothing else is known of it.
fn result(row: &Row<'_>) -> String {
    let id = text(row.document);
    if row.key == Key::Position && row.chunk.is_none_or(|chunk| *chunk == Default::default()) {
        return quoted(&id);
    }
    let mut object = Object::new();
    object.text("id", Some(&id));
    match row.key {
        Key::Score(score) => object.raw("score", &shortest(score)),
        Key::Rank(rank) => object.raw("rank", &shortest(rank)),
        Key::Position => {}
    }
    if let Some(chunk) = row.chunk {
        object.text("doc_id", chunk.document.as_ref().map(|id| text(id.as_bytes())).as_deref());
        object.number("start", chunk.start.as_ref());
        object.number("end", chunk.end.as_ref());
        object.number("tokens", chunk.tokens.as_ref());
    }
    object.end()
}

/// A JSON object that keeps the order of its keys.
struct Object(String);

impl Object {
    fn new() -> Self {
        Self("{".to_owned())
    }

    fn is_empty(&self) -> bool {
        self.0.len() == 1
    }

    /// Adds a value that is JSON.
    fn raw(&mut self, name: &str, value: &str) {
        if !self.is_empty() {
            self.0.push_str(", ");
        }
        self.0.push_str(&quoted(name));
        self.0.push_str(": ");
        self.0.push_str(value);
    }

    fn text(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.raw(name, &quoted(value));
        }
    }

    fn number(&mut self, name: &str, value: Option<&impl ToString>) {
        if let Some(value) = value {
            self.raw(name, &value.to_string());
        }
    }

    fn list(&mut self, name: &str, items: impl ExactSizeIterator<Item = String>) {
        if items.len() > 0 {
            self.raw(name, &list(items));
        }
    }

    fn end(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// Text as a JSON string.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Writes text as a JSON string.
pub(super) fn string(out: &mut dyn Write, text: &str) -> io::Result<()> {
    Ok(serde_json::to_writer(out, text)?)
}

/// An id as text; it was checked before that it is.
pub(super) fn text(id: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(id)
}
