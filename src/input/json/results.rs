//! The results of one query: a list of ids or of objects, or `{id: score}`.

use super::plain_results::PlainItem;
use super::{DOCUMENT, Kind, Node, Record, key};
use crate::error::Fault;
use crate::id::Id;
use crate::input::FaultLog;
use crate::run::{Call, Chunk, Key, Row, RunSink};

const EXPECTED: &str = "a list of ids or of objects with `id`";
/// Names of a result's own id; where it has none, its document is the unit.
pub(in crate::input) const UNIT: &[&str] = &["id", "_id", "chunk_id", "node_id", "passage_id"];
/// The name of the document that a result is cut from.
pub(super) const CUT_FROM: &[&str] = &["doc_id"];
/// Where in it, and how long the result is.
pub(super) const PLACE: &[&str] = &["start", "end", "tokens"];
/// Names of the id of a node of LlamaIndex.
const NODE: &[&str] = &["id_", "node_id", "id"];

/// Takes the results of a query in the order of the list. A faulty result costs only itself when
/// faults are skipped.
///
/// # Errors
/// The first fault, unless faults are skipped.
pub(in crate::input) fn rank(
    results: Node<'_>,
    query: &str,
    run: &mut dyn RunSink,
    log: &mut FaultLog,
) -> Result<(), Fault> {
    if let Some(plain) = results.plain() {
        return plain.rank(query, run, |fault| log.skip(fault));
    }
    if results.kind() == Kind::Object {
        for (document, score) in results.entries("results", EXPECTED)? {
            rank_pair(document, score, query, run).or_else(|fault| log.skip(fault))?;
        }
        return Ok(());
    }
    let mut plain: Option<PlainItem> = None;
    for item in results.list("results", EXPECTED)? {
        let taken = match plain.as_ref().and_then(|plain| plain.read(item.raw())) {
            Some(plain) => take(item, query, plain.id, plain.key, plain.chunk().as_ref(), run),
            None => rank_item(item, query, run, &mut plain),
        };
        taken.or_else(|fault| log.skip(fault))?;
    }
    Ok(())
}

/// The same without taking any result for a plain one.
#[cfg(test)]
pub(in crate::input) fn rank_one_by_one(
    results: Node<'_>,
    query: &str,
    run: &mut dyn RunSink,
    log: &mut FaultLog,
) -> Result<(), Fault> {
    if results.kind() == Kind::Object {
        let mut pairs = results.entries("results", EXPECTED)?.into_iter();
        return pairs.try_for_each(|(id, score)| rank_pair(id, score, query, run).or_else(|fault| log.skip(fault)));
    }
    let items = results.list("results", EXPECTED)?;
    items.into_iter().try_for_each(|item| rank_item(item, query, run, &mut None).or_else(|fault| log.skip(fault)))
}

fn rank_pair(document: Node<'_>, score: Node<'_>, query: &str, run: &mut dyn RunSink) -> Result<(), Fault> {
    let id = document.id("document id")?;
    let key = Key::Score(score.number("score")?);
    take(document, query, id.as_bytes(), key, None, run)
}

/// Takes a result of whatever kind, and keeps what it looks like.
fn rank_item(item: Node<'_>, query: &str, run: &mut dyn RunSink, plain: &mut Option<PlainItem>) -> Result<(), Fault> {
    if item.kind() == Kind::Array
        && let [document, score] = item.items()?[..]
    {
        return rank_pair(document, score, query, run);
    }
    if item.kind() != Kind::Object {
        return take(item, query, item.id("document id")?.as_bytes(), Key::Position, None, run);
    }
    let item = item.record()?;
    let id = unit(&item)?.id("document id")?;
    take(item.node, query, id.as_bytes(), key(&item)?, chunk(&item)?.as_ref(), run)?;
    *plain = PlainItem::of(&item);
    Ok(())
}

/// The id of a result; LlamaIndex keeps it in a `node` of the result.
fn unit<'a>(item: &Record<'a>) -> Result<Node<'a>, Fault> {
    match item.get(UNIT).or_else(|| item.get(DOCUMENT)) {
        Some(id) => Ok(id),
        None => match item.optional(&["node"]) {
            Some(node) => node.record()?.need(NODE, "`id_`"),
            None => item.need(UNIT, "`id`"),
        },
    }
}

/// Takes results whose ids and scores stand in two lists.
///
/// # Errors
/// When one is longer than the other; the first fault, unless faults are skipped.
pub(in crate::input) fn rank_beside(
    results: Node<'_>,
    scores: Node<'_>,
    query: &str,
    run: &mut dyn RunSink,
    log: &mut FaultLog,
) -> Result<(), Fault> {
    let (documents, values) = (results.list("results", EXPECTED)?, scores.list("scores", "a list of numbers")?);
    if documents.len() != values.len() {
        return Err(scores.wrong_type("scores", "as long as the list of results"));
    }
    for (document, score) in documents.into_iter().zip(values) {
        rank_pair(document, score, query, run).or_else(|fault| log.skip(fault))?;
    }
    Ok(())
}

/// What an object says of the chunk that it is; `None` when it says nothing.
///
/// # Errors
/// When a part is there and of the wrong type.
pub(in crate::input) fn chunk(item: &Record<'_>) -> Result<Option<Chunk>, Fault> {
    let whole = |name: &'static str| item.optional(&[name]).map(|node| node.whole(name)).transpose();
    let document = item.optional(CUT_FROM).map(|node| node.id("document id")).transpose()?;
    let document = document.map(|id| Id::from(&*id));
    let chunk = Chunk { document, start: whole("start")?, end: whole("end")?, tokens: whole("tokens")? };
    Ok(Some(chunk).filter(|chunk| *chunk != Chunk::default()))
}

fn take(
    node: Node<'_>,
    query: &str,
    document: &[u8],
    key: Key,
    chunk: Option<&Chunk>,
    run: &mut dyn RunSink,
) -> Result<(), Fault> {
    let (query, line) = (query.as_bytes(), node.line());
    run.row(&Row { query, document, key, rank: None, line, chunk }).map_err(|fault| node.locate(fault))
}

/// Names of what a row says of its search call.
pub(super) const CALL: &[&str] = &["latency_ms", "cost_usd", "role", "step", "hop", "search_query"];

/// What a row says of its search call.
///
/// # Errors
/// When a part is there and of the wrong type.
pub(in crate::input) fn call(row: &Record<'_>) -> Result<Call, Fault> {
    let number = |name: &'static str| row.optional(&[name]).map(|node| node.number(name)).transpose();
    let count = |name: &'static str| row.optional(&[name]).map(|node| node.count(name)).transpose();
    let text = |name: &str| row.optional(&[name]).map(|node| Ok(node.label(name)?.into_owned())).transpose();
    Ok(Call {
        latency_ms: number("latency_ms")?,
        cost_usd: number("cost_usd")?,
        role: text("role")?.filter(|role| !role.is_empty()),
        step: count("step")?,
        hop: row.optional(&["hop"]).map(|node| node.hop()).transpose()?,
        search_query: text("search_query")?,
    })
}
