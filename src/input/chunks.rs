//! Chunk maps: where each chunk of a collection stands, and who may read it. They stand beside
//! labels and runs that name chunks by their ids alone.
//!
//! ```json
//! {"meta": {"offset_unit": "char"}}
//! {"id": "c7", "doc_id": "handbook", "start": 0, "end": 900, "tokens": 180, "allowed_roles": ["hr"]}
//! ```
//!
//! The same columns make a CSV or TSV file; its roles are a list (`["hr","eng"]`) or names with
//! `;` between them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde_json::Value;

use super::header::Holds;
use super::json::{self, DOCUMENT, Kind, Node, QUERY, QUERY_TEXT, Sketch, UNIT};
use super::rows::{self, Rows};
use super::{FileFacts, Format, Header, Position, ReadOptions, Reader, Refusal, Role, Sample, Source, empty, python};
use crate::error::{Fault, InputError, InputErrorKind};
use crate::id::Id;
use crate::notes::Notes;
use crate::run::Chunk;

/// In the place of labels or of a run.
const REFUSAL: Refusal = Refusal {
    sentence: "this is a chunk map: it says where chunks stand, and holds no judgments and no results",
    help: "it goes beside labels and runs",
};

pub(super) static JSON: Format = Format {
    name: "chunks",
    about: "chunks: id, doc_id, start, end, tokens, allowed_roles",
    role: Role::Neither(REFUSAL),
    detect: |sample| sample.json().is_some_and(|sketch| sketch.rows().any(is_row)),
    labels: None,
    run: None,
};

pub(super) static TABLE: Format = Format {
    name: "chunk-table",
    about: "chunks in a table with named columns: id, doc_id, start, end, tokens, allowed_roles",
    role: Role::Neither(REFUSAL),
    detect: |sample| sample.header().is_some_and(|header| Columns::of(header).is_some_and(|columns| columns.is_map())),
    labels: None,
    run: None,
};

/// The key that only a chunk map has.
const ROLES: &str = "allowed_roles";

fn is_row(row: &Sketch) -> bool {
    let names_query = row.has(QUERY) || row.has(QUERY_TEXT);
    (row.has(UNIT) || row.has(DOCUMENT)) && (row.has(&[ROLES, "start", "tokens"])) && !names_query
}

/// The chunks of a collection, by id.
#[derive(Debug, Clone, Default)]
pub struct Chunks {
    /// What the offsets count: `char`, `byte` …
    pub offset_unit: Option<String>,
    chunks: Vec<MappedChunk>,
    index: HashMap<Id, usize>,
}

/// A chunk of a collection.
#[derive(Debug, Clone, PartialEq)]
pub struct MappedChunk {
    /// Its id.
    pub id: Id,
    /// Its document, its place there and its length; [`start`](Chunk::start) is never above
    /// [`end`](Chunk::end).
    pub place: Chunk,
    /// The roles that may read it; `None` where the file does not say, and nobody where the list
    /// is empty.
    pub allowed_roles: Option<Vec<String>>,
    /// Physical line, from 1.
    pub line: u64,
}

impl Chunks {
    /// The chunk of an id.
    pub fn chunk(&self, id: &Id) -> Option<&MappedChunk> {
        self.find(id.as_bytes())
    }

    /// The same for the bytes of an id.
    pub fn find(&self, id: &[u8]) -> Option<&MappedChunk> {
        Some(&self.chunks[*self.index.get(id)?])
    }

    /// Every chunk, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = &MappedChunk> {
        self.chunks.iter()
    }

    /// Number of chunks.
    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    /// Whether there is no chunk at all.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Takes a chunk; an id stands once.
    fn take(&mut self, chunk: MappedChunk) -> Result<(), Fault> {
        chunk.place.check(chunk.line)?;
        match self.index.entry(chunk.id.clone()) {
            Entry::Occupied(first) => {
                let first_line = self.chunks[*first.get()].line;
                Err(Fault::at_line(chunk.line, InputErrorKind::RepeatedChunk { id: chunk.id, first_line }))
            }
            Entry::Vacant(place) => {
                place.insert(self.chunks.len());
                self.chunks.push(chunk);
                Ok(())
            }
        }
    }
}

/// Reads a chunk map.
///
/// # Errors
/// The first fault of the file, unless faults are skipped; a file that is no chunk map, or that
/// holds no chunk.
pub fn read_chunks(
    source: Source,
    options: &ReadOptions,
    notes: &mut Notes,
) -> Result<(Chunks, FileFacts), InputError> {
    let mut chunks = Chunks::default();
    let facts = super::read_as(source, Position::Labels, options, notes, format, |format, reader| {
        if std::ptr::eq(format, &JSON) { read_rows(reader, &mut chunks) } else { read_table(reader, &mut chunks) }
    })?;
    match chunks.is_empty() {
        true => Err(empty(&facts, "chunks")),
        false => Ok((chunks, facts)),
    }
}

/// What a chunk map is read as, which its content alone decides.
fn format(sample: &Sample, _: &ReadOptions) -> Result<&'static Format, Fault> {
    if sample.data_lines().next().is_none() {
        return Err(Fault::of_file(InputErrorKind::Empty { expected: "chunks" }));
    }
    match sample.is_json() {
        true => Ok(&JSON),
        false if sample.header().is_some_and(|header| Columns::of(header).is_some()) => Ok(&TABLE),
        false => {
            let expected = "a chunk map: JSON rows or a table with the columns id, doc_id, start and end";
            Err(Fault::of_file(InputErrorKind::WrongRole { found: format!("`{}`", sample.first_line()), expected }))
        }
    }
}

fn read_rows(reader: &mut Reader, chunks: &mut Chunks) -> Result<(), Fault> {
    json::each_row(reader, |row, _| {
        if let Some(meta) = json::meta(row) {
            if let Some(unit) = meta.record()?.optional(&["offset_unit"]) {
                chunks.offset_unit = Some(unit.text("offset_unit")?.into_owned());
            }
            return Ok(());
        }
        let id = row.get(UNIT).or_else(|| row.get(DOCUMENT));
        let id = id.map_or_else(|| row.need(UNIT, "`id`"), Ok)?.id("chunk id")?;
        let allowed_roles = row.optional(&[ROLES]).map(roles_of_node).transpose()?;
        let place = json::chunk(row)?.unwrap_or_default();
        let chunk = MappedChunk { id: Id::from(&*id), place, allowed_roles, line: row.node.line() };
        chunks.take(chunk).map_err(|fault| row.node.locate(fault))
    })
}

fn roles_of_node(node: Node<'_>) -> Result<Vec<String>, Fault> {
    let roles = if node.kind() == Kind::Array { node.items()? } else { vec![node] };
    roles.iter().map(|role| Ok(role.label(ROLES)?.into_owned())).collect()
}

/// What the columns of a table hold.
struct Columns {
    id: usize,
    document: Option<usize>,
    start: Option<usize>,
    end: Option<usize>,
    tokens: Option<usize>,
    roles: Option<usize>,
    has_query: bool,
}

impl Columns {
    fn of(header: &Header) -> Option<Self> {
        let find = |holds| header.find(holds);
        let (chunk, document) = (find(Holds::Chunk).or(find(Holds::RowId)), find(Holds::Document));
        Some(Self {
            id: chunk.or(document)?,
            document,
            start: find(Holds::Start),
            end: find(Holds::End),
            tokens: find(Holds::Tokens),
            roles: header.position(ROLES),
            has_query: find(Holds::Query).or(find(Holds::QueryText)).is_some(),
        })
    }

    /// Whether the table can be nothing but a chunk map.
    fn is_map(&self) -> bool {
        !self.has_query && (self.start.is_some() || self.tokens.is_some() || self.roles.is_some())
    }
}

fn read_table(reader: &mut Reader, chunks: &mut Chunks) -> Result<(), Fault> {
    let columns = reader.sample.header().and_then(Columns::of).ok_or_else(|| {
        let expected = "column names for the chunk (id) and its document (doc_id)".to_owned();
        Fault::of_file(InputErrorKind::MissingKey { expected })
    })?;
    let mut rows = Rows::new(&mut reader.source, &reader.sample);
    while let Some(row) = rows.next_row(&mut reader.log)? {
        let taken = mapped(&row, &columns).and_then(|chunk| chunks.take(chunk));
        taken.or_else(|fault| reader.log.skip(row.around(fault)))?;
    }
    Ok(())
}

fn mapped(row: &rows::Record<'_>, columns: &Columns) -> Result<MappedChunk, Fault> {
    let whole = |column: Option<usize>, field| column.map_or(Ok(None), |index| row.whole(index, field));
    let id = row.id(columns.id, "chunk id")?;
    let document = columns.document.map(|index| row.field(index)).filter(|id| !id.is_empty());
    let place = Chunk {
        document: document.map(Id::from),
        start: whole(columns.start, "start")?,
        end: whole(columns.end, "end")?,
        tokens: whole(columns.tokens, "tokens")?,
    };
    let allowed_roles = columns.roles.map_or(Ok(None), |index| roles_of_cell(row, index))?;
    Ok(MappedChunk { id: id.into(), place, allowed_roles, line: row.line })
}

/// A list as JSON or Python writes it, or names with `;` between them; an empty cell says nothing.
fn roles_of_cell(row: &rows::Record<'_>, index: usize) -> Result<Option<Vec<String>>, Fault> {
    let wrong = || {
        let (field, text) = (ROLES.to_owned(), row.shown(index));
        row.fault(index, InputErrorKind::WrongType { field, expected: "names with `;` between them, or a list", text })
    };
    let cell = std::str::from_utf8(row.field(index)).map_err(|_| wrong())?;
    if cell.is_empty() {
        return Ok(None);
    }
    if !cell.starts_with(['[', '(']) {
        let names = cell.split(';').map(str::trim).filter(|name| !name.is_empty());
        return Ok(Some(names.map(str::to_owned).collect()));
    }
    let Some(Value::Array(items)) = python::parse(cell) else { return Err(wrong()) };
    let names = items.iter().map(|item| item.as_str().map(str::to_owned));
    names.collect::<Option<_>>().ok_or_else(wrong).map(Some)
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    fn try_chunks(text: &str, options: &ReadOptions) -> Result<Chunks, InputError> {
        read_chunks(Source::from_bytes("chunks", text.into()), options, &mut Notes::default()).map(|(chunks, _)| chunks)
    }

    fn chunks(text: &str) -> Chunks {
        try_chunks(text, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
    }

    fn error(text: &str) -> String {
        try_chunks(text, &ReadOptions::default()).unwrap_err().to_string()
    }

    fn shown(chunks: &Chunks) -> Vec<String> {
        let show = |chunk: &MappedChunk| {
            let Chunk { document, start, end, tokens } = &chunk.place;
            let document = document.as_ref().map_or("-".to_owned(), ToString::to_string);
            let number = |value: &Option<u64>| value.map_or("-".to_owned(), |value| value.to_string());
            let roles = chunk.allowed_roles.as_ref().map_or("?".to_owned(), |roles| roles.join("+"));
            format!("{} {document} {}..{} {} {roles}", chunk.id, number(start), number(end), number(tokens))
        };
        chunks.iter().map(show).collect()
    }

    #[test]
    fn rows_and_tables_say_the_same() {
        let rows = chunks(concat!(
            "{\"meta\":{\"offset_unit\":\"char\"}}\n",
            "{\"id\":\"c1\",\"doc_id\":\"h\",\"start\":0,\"end\":9,\"tokens\":3,\"allowed_roles\":[\"hr\",\"it staff\"],\"text\":\"…\"}\n",
            "{\"id\":7,\"doc_id\":\"h\",\"start\":9,\"end\":12,\"allowed_roles\":[]}\n",
            "{\"id\":\"c3\",\"doc_id\":\"g\"}\n",
        ));
        assert_eq!(rows.offset_unit.as_deref(), Some("char"));
        let expected = ["c1 h 0..9 3 hr+it staff", "7 h 9..12 - ", "c3 g -..- - ?"];
        assert_eq!(shown(&rows), expected);
        let table = chunks(concat!(
            "chunk_id,doc_id,start,end,tokens,allowed_roles\n",
            "c1,h,0,9,3,\"['hr', 'it staff']\"\n7,h,9,12,,[]\nc3,g,,,,\n",
        ));
        assert_eq!(shown(&table), expected);
        assert_eq!(shown(&chunks("id\tdoc_id\tallowed_roles\nc1\th\thr; it staff\n")), ["c1 h -..- - hr+it staff"]);
        assert_eq!(rows.chunk(&"7".into()).unwrap().line, 3);
        assert_eq!((rows.len(), rows.chunk(&"x".into())), (3, None));
    }

    #[test]
    fn a_document_alone_is_the_unit() {
        assert_eq!(shown(&chunks("[{\"doc_id\":\"d1\",\"allowed_roles\":\"hr\"}]")), ["d1 d1 -..- - hr"]);
        assert_eq!(shown(&chunks("doc_id,allowed_roles\nd1,hr\n")), ["d1 d1 -..- - hr"]);
    }

    #[test]
    fn faults_have_their_place_and_can_be_skipped() {
        let text = "{\"id\":\"c1\",\"start\":9,\"end\":3}\n{\"id\":\"c2\"}\n{\"id\":\"c2\"}\n{\"start\":1}\n";
        assert_eq!(error(text), "chunks:1:1: end must be at least the start: `3`");
        assert_eq!(shown(&try_chunks(text, &skipping()).unwrap()), ["c2 - -..- - ?"]);
        assert_eq!(error("id,doc_id,start\nc1,h,0\nc1,h,5\n"), "chunks:3:1: chunk `c1` stands twice (first at line 2)");
        assert_eq!(error("{\"start\":1}"), "chunks:1:1: has no `id`");
        assert!(error("id,doc_id,allowed_roles\nc1,h,[1]\n").contains("allowed_roles must be names"));
        assert_eq!(error("# nothing\n"), "chunks: is empty: expected chunks");
        assert!(error("c1 h 0 9\n").starts_with("chunks: looks like `c1 h 0 9`, expected a chunk map"));
    }

    #[test]
    fn in_another_place_a_chunk_map_is_refused_by_what_it_is() {
        for text in ["{\"id\":\"c1\",\"doc_id\":\"h\",\"start\":0,\"end\":4}", "id,doc_id,start,end\nc1,h,0,4\n"] {
            assert!(labels_error(text).contains("this is a chunk map"), "{text}");
            assert!(run_error(text).contains("this is a chunk map"), "{text}");
        }
    }
}
