//! Slices: the queries that share the value of a tag. [`slices`] says which they are; a
//! [`ScoreTable`](super::ScoreTable) can be had [`of_rows`](super::ScoreTable::of_rows) of one.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

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
    /// The value, values of crossed tags as `how-to*de`; a star in one of these as `\*`.
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

/// The slices of `queries` by each of `tags`, each tag once; `a*b` crosses two tags. Larger slices
/// come first, queries without the tag last.
///
/// # Errors
/// When no query has a tag.
pub fn slices(labels: &Labels, queries: &[Id], tags: &[String]) -> Result<Vec<Slice>, UnknownTag> {
    let (mut all, mut seen) = (Vec::new(), Vec::new());
    for tag in tags {
        let crossed = crossed(tag);
        if !seen.contains(&crossed) {
            all.extend(by_tag(labels, queries, &crossed)?);
            seen.push(crossed);
        }
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

/// The tags of which `a*b` speaks, each once: crossed with itself a tag says nothing new.
fn crossed(text: &str) -> Vec<&str> {
    let mut tags = Vec::new();
    for tag in text.split('*').map(str::trim) {
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    tags
}

fn by_tag(labels: &Labels, queries: &[Id], crossed: &[&str]) -> Result<Vec<Slice>, UnknownTag> {
    let known = tag_names(labels);
    if let Some(unknown) = crossed.iter().find(|name| !known.iter().any(|known| known == *name)) {
        return Err(UnknownTag { tag: (*unknown).to_owned(), known });
    }
    let (mut slices, mut index): (Vec<Slice>, HashMap<String, usize>) = Default::default();
    for (position, query) in queries.iter().enumerate() {
        for value in values(labels, query, crossed) {
            match index.entry(value.clone()) {
                Entry::Occupied(entry) => slices[*entry.get()].members.push(position),
                Entry::Vacant(entry) => {
                    entry.insert(slices.len());
                    slices.push(Slice { tag: crossed.join("*"), value, members: vec![position] });
                }
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
    let named =
        |value: &String| if crossed.len() > 1 { value.replace('\\', r"\\").replace('*', r"\*") } else { value.clone() };
    let mut combined: Vec<String> = Vec::new();
    for (place, tag) in crossed.iter().enumerate() {
        let tagged = labels.query(query).and_then(|found| found.about.tags.iter().find(|(name, _)| name == tag));
        let mut values: Vec<String> = Vec::new();
        for value in tagged.map_or(&[][..], |(_, values)| values).iter().map(named) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        if values.is_empty() {
            values.push(NONE.to_owned());
        }
        let with = |before: &String| values.iter().map(move |value| format!("{before}*{value}")).collect::<Vec<_>>();
        combined = if place == 0 { values } else { combined.iter().flat_map(with).collect() };
    }
    combined
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

    fn shown(tags: &str) -> Vec<String> {
        let queries = ["q1", "q2", "q3"].map(Id::from);
        let tags: Vec<String> = tags.split(',').map(str::to_owned).collect();
        let slices = slices(&labels(), &queries, &tags).unwrap();
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
    fn a_tag_counts_once_however_often_it_is_named() {
        assert_eq!(shown("lang, lang"), shown("lang"));
        assert_eq!(shown("topic*topic"), shown("topic"));
    }

    #[test]
    fn values_with_a_star_stay_apart() {
        let mut builder = LabelsBuilder::new(DuplicateLabels::Error);
        for (query, a, b) in [("q1", "x*y", "z"), ("q2", "x", "y*z"), ("q3", "", "x"), ("q4", "x", "")] {
            let tags = [("a", a), ("b", b)].map(|(name, value)| (name.into(), vec![value.into()]));
            builder.about(query.as_bytes()).tags = tags.into();
        }
        let queries = ["q1", "q2", "q3", "q4"].map(Id::from);
        let slices = slices(&builder.finish(), &queries, &["a*b".to_owned()]).unwrap();
        let shown: Vec<&str> = slices.iter().map(|slice| slice.value.as_str()).collect();
        assert_eq!(shown, ["*x", "x*", r"x*y\*z", r"x\*y*z"]);
    }

    #[test]
    fn an_unknown_tag_names_the_known_ones() {
        let error = slices(&labels(), &[Id::from("q1")], &["intent".to_owned()]).unwrap_err();
        assert_eq!(error.known, ["lang", "topic"]);
    }
}
