//! Slices: the queries that share the value of a tag. [`slices`] says which they are; a
//! [`ScoreTable`](super::ScoreTable) can be had [`of_rows`](super::ScoreTable::of_rows) of one.

use crate::id::Id;
use crate::labels::Labels;

/// The value of a query that does not have the tag.
const NONE: &str = "(none)";

/// Slices with fewer queries are thin: little can be found there.
pub const THIN: usize = 20;

/// The queries with one value of a tag, or with one value of each of several crossed tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    /// The tag, crossed tags as `intent*lang`.
    pub tag: String,
    /// The value, values of crossed tags as `how-to*de`.
    pub value: String,
    /// Positions of its queries, ascending.
    pub members: Vec<usize>,
}

impl Slice {
    /// `intent=how-to`.
    pub fn name(&self) -> String {
        format!("{}={}", self.tag, self.value)
    }
}

/// A tag that no query has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no query has a tag `{tag}`")]
pub struct UnknownTag {
    /// The tag.
    pub tag: String,
    /// The tags there are.
    pub known: Vec<String>,
}

/// The slices of `queries` by each of `tags`; `a*b` crosses two tags. Larger slices come first,
/// queries without the tag last.
///
/// # Errors
/// When no query has a tag.
pub fn slices(labels: &Labels, queries: &[Id], tags: &[String]) -> Result<Vec<Slice>, UnknownTag> {
    let mut all = Vec::new();
    for tag in tags {
        all.extend(by_tag(labels, queries, tag)?);
    }
    Ok(all)
}

/// The names of the tags, in the order in which they first stand in the labels.
pub fn tag_names(labels: &Labels) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let tags = labels.queries().iter().flat_map(|query| &query.about.tags);
    for (name, _) in tags {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

fn by_tag(labels: &Labels, queries: &[Id], tag: &str) -> Result<Vec<Slice>, UnknownTag> {
    let crossed: Vec<&str> = tag.split('*').map(str::trim).collect();
    let known = tag_names(labels);
    if let Some(unknown) = crossed.iter().find(|name| !known.iter().any(|known| known == *name)) {
        return Err(UnknownTag { tag: (*unknown).to_owned(), known });
    }
    let mut slices: Vec<Slice> = Vec::new();
    for (position, query) in queries.iter().enumerate() {
        for value in values(labels, query, &crossed) {
            match slices.iter_mut().find(|slice| slice.value == value) {
                Some(slice) => slice.members.push(position),
                None => slices.push(Slice { tag: crossed.join("*"), value, members: vec![position] }),
            }
        }
    }
    slices.sort_by(|a, b| {
        let is_none = |slice: &Slice| slice.value == NONE;
        (is_none(a), b.members.len(), &a.value).cmp(&(is_none(b), a.members.len(), &b.value))
    });
    Ok(slices)
}

/// The slices of a query under crossed tags: every combination of its values, each once.
fn values(labels: &Labels, query: &Id, crossed: &[&str]) -> Vec<String> {
    let mut combined = vec![String::new()];
    for tag in crossed {
        let tagged = labels.query(query).and_then(|found| found.about.tags.iter().find(|(name, _)| name == tag));
        let values = match tagged {
            Some((_, values)) if !values.is_empty() => values.clone(),
            _ => vec![NONE.to_owned()],
        };
        let joined = |before: &String, value: &String| match before.is_empty() {
            true => value.clone(),
            false => format!("{before}*{value}"),
        };
        combined = combined.iter().flat_map(|before| values.iter().map(move |value| joined(before, value))).collect();
    }
    let mut once: Vec<String> = Vec::new();
    combined.into_iter().for_each(|value| {
        if !once.contains(&value) {
            once.push(value);
        }
    });
    once
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::{DuplicateLabels, LabelsBuilder};

    fn labels() -> Labels {
        let mut builder = LabelsBuilder::new(DuplicateLabels::Error);
        let mut tag = |query: &str, tags: &[(&str, &[&str])]| {
            let tags = tags.iter().map(|(name, values)| ((*name).into(), values.iter().map(|v| (*v).into()).collect()));
            builder.about(query.as_bytes()).tags = tags.collect();
        };
        tag("q1", &[("lang", &["de"]), ("topic", &["a", "b"])]);
        tag("q2", &[("lang", &["en"])]);
        tag("q3", &[("lang", &["en"]), ("topic", &["b"])]);
        builder.finish()
    }

    fn shown(tag: &str) -> Vec<String> {
        let queries = ["q1", "q2", "q3"].map(Id::from);
        let slices = slices(&labels(), &queries, &[tag.to_owned()]).unwrap();
        slices.iter().map(|slice| format!("{} {:?}", slice.name(), slice.members)).collect()
    }

    #[test]
    fn larger_slices_come_first_and_queries_without_the_tag_last() {
        assert_eq!(shown("lang"), ["lang=en [1, 2]", "lang=de [0]"]);
        assert_eq!(shown("topic"), ["topic=b [0, 2]", "topic=a [0]", "topic=(none) [1]"]);
    }

    #[test]
    fn crossed_tags_have_a_slice_per_combination() {
        let expected =
            ["lang*topic=de*a [0]", "lang*topic=de*b [0]", "lang*topic=en*(none) [1]", "lang*topic=en*b [2]"];
        assert_eq!(shown("lang*topic"), expected);
    }

    #[test]
    fn an_unknown_tag_names_the_known_ones() {
        let error = slices(&labels(), &[Id::from("q1")], &["intent".to_owned()]).unwrap_err();
        assert_eq!(error.known, ["lang", "topic"]);
    }
}
