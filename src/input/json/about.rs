//! What a row of labels says of its query beside the judgments: its text, tags, whether it can be
//! answered, the evidence it needs and its gold passages.

use super::relevant::judge_passage;
use super::{Kind, Node, QUERY_TEXT, Record};
use crate::error::Fault;
use crate::id::Id;
use crate::input::FaultLog;
use crate::labels::{EvidenceGroup, LabelsBuilder, QueryAbout};

/// Fields that are tags under their own name.
const TAGS: &[&str] = &["category", "stratum"];

/// Fields that say something of a query, beside its text and its tags.
const FACTS: &[&str] = &["answerable", "should_abstain", "needs_retrieval", "spans", "evidence", "tags"];

/// Takes what a row says of its query. A faulty entry costs only itself when faults are skipped.
///
/// # Errors
/// The first fault, unless faults are skipped.
pub(in crate::input) fn describe(
    row: &Record<'_>,
    query: &str,
    labels: &mut LabelsBuilder,
    log: &mut FaultLog,
) -> Result<(), Fault> {
    if [QUERY_TEXT, FACTS, TAGS].iter().all(|names| row.get(names).is_none()) {
        labels.mention(query.as_bytes());
        return Ok(());
    }
    let about = labels.about(query.as_bytes());
    let text = row.optional(QUERY_TEXT).map(|node| node.label("query"));
    about.text = text.transpose()?.map(Into::into);
    about.answerable = flag(row, "answerable")?.or(flag(row, "should_abstain")?.map(|abstain| !abstain));
    about.needs_retrieval = flag(row, "needs_retrieval")?;
    tag(row, about)?;
    for passage in list(row, "spans")? {
        let judged = passage.record().and_then(|passage| judge_passage(&passage, query, labels, log));
        judged.or_else(|fault| log.skip(fault))?;
    }
    let about = labels.about(query.as_bytes());
    for (hop, group) in (1..).zip(list(row, "evidence")?) {
        match group.record().and_then(|group| evidence(&group, hop)) {
            Ok(group) => about.evidence.push(group),
            Err(fault) => log.skip(fault)?,
        }
    }
    Ok(())
}

fn flag(row: &Record<'_>, name: &str) -> Result<Option<bool>, Fault> {
    row.optional(&[name]).map(|node| node.flag(name)).transpose()
}

fn list<'a>(row: &Record<'a>, name: &str) -> Result<Vec<Node<'a>>, Fault> {
    row.optional(&[name]).map_or(Ok(Vec::new()), |node| node.list(name, "a list of objects"))
}

/// Whether a row has tags.
pub(in crate::input) fn is_tagged(row: &Record<'_>) -> bool {
    row.get(&["tags"]).or(row.get(TAGS)).is_some()
}

/// Adds the tags of a row: `tags`, and the fields that are tags themselves.
///
/// # Errors
/// When a tag is neither text, a number, true or false, nor a list of these.
pub(in crate::input) fn tag(row: &Record<'_>, about: &mut QueryAbout) -> Result<(), Fault> {
    if let Some(tags) = row.optional(&["tags"]) {
        read_tags(tags, about)?;
    }
    for name in TAGS {
        if let Some(value) = row.optional(&[name]) {
            add(about, name, value)?;
        }
    }
    Ok(())
}

/// `{name: value}` or `{name: [values]}`; `null` is no value, and a list alone is the tag `tag`.
fn read_tags(tags: Node<'_>, about: &mut QueryAbout) -> Result<(), Fault> {
    match tags.kind() {
        Kind::Array => return add(about, "tag", tags),
        Kind::Object => {}
        _ => return Err(tags.wrong_type("tags", "an object of names and values")),
    }
    for (name, value) in tags.record()?.fields() {
        if value.kind() != Kind::Null {
            add(about, name, *value)?;
        }
    }
    Ok(())
}

fn add(about: &mut QueryAbout, name: &str, value: Node<'_>) -> Result<(), Fault> {
    let items = if value.kind() == Kind::Array { value.items()? } else { vec![value] };
    let position = about.tags.iter().position(|(tag, _)| tag == name).unwrap_or_else(|| {
        about.tags.push((name.to_owned(), Vec::new()));
        about.tags.len() - 1
    });
    let values = &mut about.tags[position].1;
    for item in items {
        let value = item.label(name)?;
        if !values.iter().any(|known| *known == value) {
            values.push(value.into_owned());
        }
    }
    Ok(())
}

fn evidence(group: &Record<'_>, position: u32) -> Result<EvidenceGroup, Fault> {
    let hop = match group.optional(&["hop"]) {
        Some(node) => node.hop()?,
        None => position,
    };
    let node = group.need(&["any_of"], "`any_of`")?;
    let ids = node.list("any_of", "a list of ids")?;
    if ids.is_empty() {
        return Err(node.wrong_type("any_of", "a list of at least one id, or nothing satisfies the hop"));
    }
    let any_of = ids.iter().map(|id| Ok(Id::from(&*id.id("document id")?))).collect::<Result<_, Fault>>()?;
    Ok(EvidenceGroup { hop, any_of })
}
