//! The names that columns have, in the spellings of the tools that write them.

use std::collections::HashMap;

use super::columns::{self, Separator};
use super::{json, order};
use crate::error::InputErrorKind;
use crate::id::escaped;

/// What a column of a table holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    Query,
    QueryText,
    Document,
    Chunk,
    RowId,
    Grade,
    Rank,
    Start,
    End,
    Tokens,
    Latency,
    Cost,
    Role,
    Step,
    Hop,
    Tag,
}

/// The spellings, in lower case with `_` for `-`, blanks and dots.
static ALIASES: &[(Holds, &[&str])] = &[
    (Holds::Query, json::QUERY),
    (Holds::QueryText, &["query", "query_text"]),
    (Holds::Document, &["doc_id", "corpus_id", "docid", "docno", "doc_uri", "document_id", "document", "doc"]),
    (Holds::Chunk, &["chunk_id", "passage_id", "pid"]),
    (Holds::RowId, &["id"]),
    (Holds::Grade, json::GRADE),
    (Holds::Rank, order::RANK),
    (Holds::Start, &["start"]),
    (Holds::End, &["end"]),
    (Holds::Tokens, &["tokens"]),
    (Holds::Latency, &["latency_ms"]),
    (Holds::Cost, &["cost_usd"]),
    (Holds::Role, &["role"]),
    (Holds::Step, &["step"]),
    (Holds::Hop, &["hop"]),
    (Holds::Tag, &["tag", "run", "run_id", "runid"]),
];

/// Names that only stand in the tables of one format, which knows what they mean.
static OF_ONE_FORMAT: &[&str] = &[
    "question",
    "questions",
    "source",
    "references",
    "retrieved_context",
    "document_metadata",
    "document_position",
    "allowed_roles",
    "input",
    "_id",
    "title",
    "text",
    "contents",
    "content",
    "body",
    "passage",
];

/// The column names of the first line of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    names: Vec<String>,
    quoted: bool,
}

impl Header {
    /// Reads a line as column names: at least two of them must be known, and the last must not be
    /// a number.
    pub(super) fn parse(line: &[u8], separator: Separator) -> Option<Self> {
        if separator.byte().is_some_and(|byte| !line.contains(&byte)) {
            return None;
        }
        let quoted = separator.is_quoted() || line.starts_with(b"\"");
        let names = match separator.byte().filter(|_| quoted) {
            Some(delimiter) => quoted_names(line, delimiter)?,
            None => columns::split(line, separator).into_iter().map(normal).collect(),
        };
        let header = Self { names, quoted };
        header.is_one().then_some(header)
    }

    fn is_one(&self) -> bool {
        let known = self.names.iter().filter(|name| may_be_known(name)).count();
        let numbered = self.names.last().is_some_and(|name| super::number::parse(name.as_bytes()).is_some());
        known >= 2 && !numbered
    }

    /// The names in lower case, with `_` for `-`, blanks and dots.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The column of the score.
    pub(super) fn score(&self) -> Option<order::Score> {
        order::score(self.names.iter().map(String::as_str))
    }

    /// The columns whose names say nothing.
    pub(super) fn unknown(&self) -> impl Iterator<Item = (usize, &str)> {
        let has_meaning = |name: &str| order::is_beside(name) || ALIASES.iter().any(|(_, names)| names.contains(&name));
        self.names.iter().map(String::as_str).enumerate().filter(move |(_, name)| !has_meaning(name))
    }

    /// Two columns of which nobody can tell which one is meant: one name twice, or two names for
    /// the query, the document or the grade neither of which is the usual one.
    pub(super) fn ambiguity(&self) -> Option<InputErrorKind> {
        let named = |index: usize| self.names[index].as_str();
        let mut seen = HashMap::new();
        let mut columns = self.names.iter().enumerate().filter(|(_, name)| !name.is_empty());
        let twice = columns.find_map(|(second, name)| Some((seen.insert(name, second)?, second)));
        let aliases = || [Holds::Query, Holds::Document, Holds::Grade].into_iter().find_map(|holds| self.rivals(holds));
        twice.or_else(aliases).map(|(first, second)| InputErrorKind::RivalColumns {
            first: escaped(named(first).as_bytes()),
            second: escaped(named(second).as_bytes()),
            places: (first + 1, second + 1),
        })
    }

    /// The first two columns that hold the same, unless the usual name is among them.
    fn rivals(&self, holds: Holds) -> Option<(usize, usize)> {
        let mut columns = self.all(holds);
        let (first, second) = (columns.next()?, columns.next()?);
        self.position(aliases(holds)[0]).is_none().then_some((first, second))
    }

    /// The columns whose names say that they hold something.
    fn all(&self, holds: Holds) -> impl Iterator<Item = usize> {
        (0..self.names.len()).filter(move |&index| aliases(holds).contains(&self.names[index].as_str()))
    }

    /// Each column that is named like a grade beside the one that is taken, with both in words.
    pub(super) fn other_grades(&self) -> impl Iterator<Item = String> {
        let shown = |index: usize| format!("`{}` ({})", escaped(self.names[index].as_bytes()), index + 1);
        let taken = self.find(Holds::Grade);
        let others =
            self.all(Holds::Grade).filter_map(move |other| taken.filter(|&taken| taken != other).zip(Some(other)));
        others.map(move |(taken, other)| format!("{} is not read beside {}", shown(other), shown(taken)))
    }

    /// Whether quotes have a meaning in the rows below.
    pub(super) fn quoted(&self) -> bool {
        self.quoted
    }

    /// The column of a name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| other == name)
    }

    /// The first column that holds something.
    pub(super) fn find(&self, holds: Holds) -> Option<usize> {
        aliases(holds).iter().find_map(|alias| self.position(alias))
    }
}

/// The spellings of what a column holds, the usual one first.
fn aliases(holds: Holds) -> &'static [&'static str] {
    ALIASES.iter().find(|(other, _)| *other == holds).map_or(&[], |(_, aliases)| aliases)
}

/// Whether a field is the name of a column rather than an id or a number.
pub(super) fn is_name(field: &[u8]) -> bool {
    is_known(&normal(field))
}

fn is_known(name: &str) -> bool {
    let mut names = ALIASES.iter().flat_map(|(_, names)| names.iter()).chain(OF_ONE_FORMAT);
    names.any(|known| *known == name) || order::is_score(name)
}

/// Whether a name is that of a column, as long as others beside it are.
fn may_be_known(name: &str) -> bool {
    is_known(name) || order::may_be_score(name) || name.ends_with("_ids")
}

fn normal(name: &[u8]) -> String {
    let plain = |c: char| if matches!(c, '-' | ' ' | '.') { '_' } else { c.to_ascii_lowercase() };
    String::from_utf8_lossy(columns::trim(name)).chars().map(plain).collect()
}

fn quoted_names(line: &[u8], delimiter: u8) -> Option<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).delimiter(delimiter).from_reader(line);
    let record = reader.byte_records().next()?.ok()?;
    Some(record.iter().map(normal).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_several_tools_are_one_name() {
        for line in
            ["query-id\tcorpus-id\tscore", "Query_ID\tCORPUS ID\tScore", "\"query-id\"\t\"corpus-id\"\t\"score\""]
        {
            let header = Header::parse(line.as_bytes(), Separator::Tab).unwrap();
            assert_eq!(header.names(), ["query_id", "corpus_id", "score"], "{line}");
            assert_eq!(header.find(Holds::Document), Some(1));
        }
    }

    #[test]
    fn two_columns_for_one_thing_are_told_with_their_places() {
        let told = |line: &str| {
            Header::parse(line.as_bytes(), Separator::Comma).unwrap().ambiguity().map(|kind| kind.to_string())
        };
        assert_eq!(told("query_id,doc_id,score,Doc-ID").unwrap(), "has the column `doc_id` twice: columns 2 and 4");
        assert_eq!(told("qid,topic,docid").unwrap(), "has the columns `qid` (1) and `topic` (2), which mean the same");
        assert_eq!(
            told("qid,docid,rating,label").unwrap(),
            "has the columns `rating` (3) and `label` (4), which mean the same"
        );
        assert_eq!(told("qid,query_id,doc_id,score,,"), None);
    }

    #[test]
    fn a_numeric_last_column_means_that_there_is_no_header() {
        assert_eq!(Header::parse(b"query_id,doc_id,1", Separator::Comma), None);
        assert_eq!(Header::parse(b"q1,d1,1", Separator::Comma), None);
        assert_eq!(Header::parse(b"", Separator::Comma), None);
    }
}
