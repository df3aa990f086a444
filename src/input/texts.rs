//! Texts by id: the queries and the documents of a collection, to be shown beside their ids. Only
//! the texts that are wanted are kept, so a collection may be of any size.
//!
//! ```json
//! {"_id": "d1", "title": "VPN", "text": "Open the portal …"}
//! ```
//!
//! A table with an id column and a text column says the same, as do lines of an id, a tab and a
//! text, and one object with a text for each id.

use std::collections::{HashMap, HashSet};

use super::header::Holds;
use super::json::{self, DOCUMENT, QUERY, Sketch};
use super::rows::{self, Rows};
use super::{FileFacts, Format, Header, Position, ReadOptions, Reader, Refusal, Role, Sample, Separator, Source};
use crate::error::{Fault, InputError, InputErrorKind};
use crate::id::{Id, escaped};
use crate::notes::Notes;

/// Names of a text.
const TEXT: &[&str] =
    &["text", "contents", "content", "body", "passage", "chunk_text", "query_text", "query", "question", "user_input"];
/// Names of a title, which stands in front of the text.
const TITLE: &[&str] = &["title"];
/// Names of an id that are not those of a document or a query.
const ROW_ID: &[&str] = &["_id", "id"];

/// In the place of labels or of a run.
const REFUSAL: Refusal =
    Refusal { sentence: "this file holds texts, no judgments and no results", help: "it goes beside labels and runs" };

static ROWS: Format = format("texts", "texts: id, text");
static DICT: Format = format("text-dict", "texts in one object: an id, its text");
static TABLE: Format = format("text-table", "texts in a table: id, text");

const fn format(name: &'static str, about: &'static str) -> Format {
    Format { name, about, role: Role::Neither(REFUSAL), detect: |_| false, labels: None, run: None }
}

/// Reads the texts of the ids that are wanted.
///
/// # Errors
/// The first fault of the file, unless faults are skipped; a file that holds no texts by id.
pub fn read_texts(
    source: Source,
    wanted: &HashSet<Id>,
    options: &ReadOptions,
    notes: &mut Notes,
) -> Result<(HashMap<Id, String>, FileFacts), InputError> {
    let mut texts = Texts { wanted, found: HashMap::new() };
    let facts = super::read_as(source, Position::Labels, options, notes, kind, |format, reader| match format.name {
        "texts" => read_rows(reader, &mut texts),
        "text-dict" => read_dict(reader, &mut texts),
        _ => read_table(reader, &mut texts),
    })?;
    Ok((texts.found, facts))
}

/// What the file is read as, which its content alone decides.
fn kind(sample: &Sample, _: &ReadOptions) -> Result<&'static Format, Fault> {
    if sample.data_lines().next().is_none() {
        return Err(Fault::of_file(InputErrorKind::Empty { expected: "texts" }));
    }
    if let Some(sketch) = sample.json() {
        let entries = sketch.document().entries();
        let is_dict = !entries.is_empty()
            && !entries.iter().any(|(key, value)| {
                TEXT.contains(&key.as_ref()) || ROW_ID.contains(&key.as_ref()) || value.is_nested()
            });
        let is_row = |row: &Sketch| (row.has(ROW_ID) || row.has(DOCUMENT) || row.has(QUERY)) && row.has(TEXT);
        return match sketch.rows().any(is_row) {
            true => Ok(&ROWS),
            false if is_dict => Ok(&DICT),
            false => Err(no_texts(sample)),
        };
    }
    let is_pair = sample.separator() == Separator::Tab && sample.most_rows(|row| row.len() == 2);
    match sample.header() {
        Some(header) if Columns::of(header).is_some() => Ok(&TABLE),
        None if is_pair => Ok(&TABLE),
        _ => Err(no_texts(sample)),
    }
}

fn no_texts(sample: &Sample) -> Fault {
    let expected = "texts by id: JSON rows or a table with the columns id and text, or id, tab, text";
    Fault::of_file(InputErrorKind::WrongRole { found: format!("`{}`", sample.first_line()), expected })
}

struct Texts<'a> {
    wanted: &'a HashSet<Id>,
    found: HashMap<Id, String>,
}

impl Texts<'_> {
    /// Keeps the first text of an id that is wanted.
    fn take(&mut self, id: &[u8], title: Option<&str>, text: &str) {
        let id = Id::from(id);
        if self.wanted.contains(&id) && !self.found.contains_key(&id) {
            let title = title.map(str::trim).filter(|title| !title.is_empty());
            let text = match (title, text.trim()) {
                (Some(title), "") => title.to_owned(),
                (Some(title), text) => format!("{title}: {text}"),
                (None, text) => text.to_owned(),
            };
            self.found.insert(id, text);
        }
    }
}

fn read_rows(reader: &mut Reader, texts: &mut Texts) -> Result<(), Fault> {
    json::each_row(reader, |row, _| {
        let id = row.get(ROW_ID).or_else(|| row.get(DOCUMENT)).or_else(|| row.get(QUERY));
        let id = id.map_or_else(|| row.need(ROW_ID, "`id`"), Ok)?.id("id")?;
        let title = row.optional(TITLE).map(|node| node.text("title")).transpose()?;
        let text = row.optional(TEXT).map(|node| node.text("text")).transpose()?.unwrap_or_default();
        texts.take(id.as_bytes(), title.as_deref(), &text);
        Ok(())
    })
}

fn read_dict(reader: &mut Reader, texts: &mut Texts) -> Result<(), Fault> {
    json::whole(reader, |root, log| {
        for (id, node) in root.record()?.fields() {
            match node.text("text") {
                Ok(text) => texts.take(id.as_bytes(), None, &text),
                Err(fault) => log.skip(fault)?,
            }
        }
        Ok(())
    })
}

/// What the columns of a table hold.
struct Columns {
    id: usize,
    title: Option<usize>,
    text: usize,
}

impl Columns {
    /// Lines of an id and a text.
    const PAIR: Self = Self { id: 0, title: None, text: 1 };

    fn of(header: &Header) -> Option<Self> {
        let find = |names: &[&str]| names.iter().find_map(|name| header.position(name));
        let of_document = [Holds::RowId, Holds::Chunk, Holds::Document, Holds::Query];
        let id = find(ROW_ID).or_else(|| of_document.into_iter().find_map(|holds| header.find(holds)))?;
        let text = find(TEXT).filter(|&text| text != id).or_else(|| header.find(Holds::QueryText))?;
        Some(Self { id, title: find(TITLE), text })
    }
}

fn read_table(reader: &mut Reader, texts: &mut Texts) -> Result<(), Fault> {
    let columns = reader.sample.header().and_then(Columns::of).unwrap_or(Columns::PAIR);
    let mut rows = Rows::new(&mut reader.source, &reader.sample);
    while let Some(row) = rows.next_row(&mut reader.log)? {
        if let Err(fault) = take(&row, &columns, texts) {
            reader.log.skip(row.around(fault))?;
        }
    }
    Ok(())
}

fn take(row: &rows::Record<'_>, columns: &Columns, texts: &mut Texts) -> Result<(), Fault> {
    let id = row.id(columns.id, "id")?;
    let field = |index: usize| if index < row.len() { escaped(row.field(index)) } else { String::new() };
    let title = columns.title.map(field);
    texts.take(id, title.as_deref(), &field(columns.text));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(content: &str) -> String {
        let wanted = ["d1", "2"].into_iter().map(Id::from).collect();
        let source = Source::from_bytes("texts", content.into());
        match read_texts(source, &wanted, &ReadOptions::default(), &mut Notes::default()) {
            Ok((found, _)) => {
                let mut shown: Vec<String> = found.iter().map(|(id, text)| format!("{id}={text}")).collect();
                shown.sort();
                shown.join("; ")
            }
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn rows_objects_tables_and_pairs_say_the_same() {
        let expected = "2=two; d1=one";
        assert_eq!(
            texts("{\"_id\":\"d1\",\"text\":\"one\"}\n{\"_id\":\"d9\",\"text\":\"x\"}\n{\"id\":2,\"text\":\"two\"}\n"),
            expected
        );
        assert_eq!(texts("{\"d1\": \"one\", \"2\": \"two\", \"3\": \"x\"}"), expected);
        assert_eq!(texts("doc_id,text\nd1,one\n2,two\n"), expected);
        assert_eq!(texts("d1\tone\n2\ttwo\n"), expected);
        assert_eq!(texts("query_id\tquery\nd1\tone\n2\ttwo\n"), expected);
    }

    #[test]
    fn a_title_stands_in_front() {
        assert_eq!(texts("{\"_id\":\"d1\",\"title\":\"VPN\",\"text\":\"Open it\"}"), "d1=VPN: Open it");
        assert_eq!(texts("{\"_id\":\"d1\",\"title\":\"\",\"text\":\"Open it\"}"), "d1=Open it");
        assert_eq!(texts("id,title,text\nd1,VPN,\n"), "d1=VPN");
    }

    #[test]
    fn what_holds_no_texts_is_refused() {
        assert!(texts("q1 0 d1 1\n").contains("expected texts by id"));
        assert!(texts("{\"query_id\":\"q\",\"relevant\":{\"a\":1}}").contains("expected texts by id"));
        assert_eq!(texts(""), "texts: is empty: expected texts");
        assert!(texts("{\"_id\":\"d1\",\"text\":7}").contains("text"));
    }
}
