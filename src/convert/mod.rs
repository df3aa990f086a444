//! Writing labels and runs in the layouts of other tools.
//!
//! A layout is a file in this folder and its row in [`FORMATS`]. It writes one query at a time,
//! so that a run is never held as a whole; what it has no place for is counted in [`Losses`], and
//! an id that it could not give back as it was is a fault.

mod dict;
mod ids;
mod jsonl;
mod losses;
mod rows;
mod runs;
mod table;
mod trec;

pub use losses::{Losses, Part};
pub use runs::{Converted, RunOptions, convert_run};

use std::io::{self, Write};

use crate::error::{Fault, InputError};
use crate::id::Id;
use crate::labels::{Labels, QueryLabels};
use crate::run::{Call, Row, RunMeta};
use ids::IdRule;

/// Every layout that can be written.
pub static FORMATS: &[&Format] =
    &[&trec::TREC, &jsonl::JSONL, &rows::ROWS, &table::CSV, &table::TSV, &table::BEIR, &dict::DICT];

/// One row of the table: what a layout is called, what it can hold, and how it is written.
#[derive(Debug)]
pub struct Format {
    /// What is typed.
    pub name: &'static str,
    /// Other names for the same, after the tools that read it.
    pub aliases: &'static [&'static str],
    /// What the layout is, in a line.
    pub about: &'static str,
    /// The formats as which labels in this layout are read; none when it holds runs only.
    pub labels: &'static [&'static str],
    /// The formats as which runs in this layout are read; none when it holds labels only.
    pub run: &'static [&'static str],
    /// What it holds beside ids, grades and scores.
    pub holds: &'static [Part],
    /// What of that needs columns, which a table names before its first row.
    columns: &'static [Part],
    ids: IdRule,
    layout: fn() -> Box<dyn Layout>,
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// Something in the file that is read, or that the layout cannot give back.
    #[error(transparent)]
    Input(#[from] InputError),
    /// What is written cannot be written.
    #[error("the result cannot be written: {0}")]
    Output(#[from] io::Error),
    /// There is nothing in the file that the layout could hold.
    #[error("nothing of {path} can be written as `{format}`")]
    Nothing {
        /// The file.
        path: String,
        /// The layout.
        format: &'static str,
    },
}

/// Writes one query after another.
trait Layout {
    /// Writes what stands before the first query.
    fn begin(&mut self, _head: &Head, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Writes the labels of a query.
    fn labels(&mut self, query: &QueryLabels, out: &mut dyn Write) -> io::Result<()>;

    /// Writes the results of a query.
    fn ranking(&mut self, ranked: &Ranked<'_>, out: &mut dyn Write) -> io::Result<()>;

    /// Writes what stands behind the last query.
    fn end(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// What a file says of itself.
#[derive(Debug, Default)]
struct Head {
    role: Role,
    tag: Option<String>,
    meta: RunMeta,
    /// What needs columns and is there.
    columns: Vec<Part>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Role {
    #[default]
    Labels,
    Run,
}

/// The results of one query on their way out.
struct Ranked<'a> {
    query: &'a [u8],
    /// The name of the run, as one word.
    tag: &'a str,
    /// One search call; several are the steps of a trajectory, where the layout holds them.
    calls: Vec<Step<'a>>,
}

/// A search call with its results, best first.
struct Step<'a> {
    call: Call,
    /// The results as they were read, each with a number that orders all those of a query,
    /// highest first.
    results: Vec<(Row<'a>, f64)>,
}

impl<'a> Ranked<'a> {
    fn results(&self) -> impl Iterator<Item = &(Row<'a>, f64)> {
        self.calls.iter().flat_map(|step| &step.results)
    }
}

/// The layout with a name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.name == name || format.aliases.contains(&name))
}

/// Writes labels.
///
/// # Errors
/// When an id cannot be given back as it was, there is nothing to write, or `out` does not take it.
pub fn convert_labels<W: Write>(
    labels: &Labels,
    path: &str,
    format: &'static Format,
    mut out: W,
) -> Result<(W, Losses), ConvertError> {
    let mut losses = Losses::of_labels(labels);
    losses.keep(format);
    let written =
        |query: &&QueryLabels| format.holds.contains(&Part::EmptyQueries) || query.judgments().next().is_some();
    let queries: Vec<&QueryLabels> = labels.queries().iter().filter(written).collect();
    if queries.is_empty() {
        return Err(ConvertError::Nothing { path: path.to_owned(), format: format.name });
    }
    for query in &queries {
        format.check_labels(query).map_err(|fault| fault.in_file(path, None))?;
    }
    let mut layout = (format.layout)();
    let meta = RunMeta { offset_unit: labels.offset_unit.clone(), ..RunMeta::default() };
    layout.begin(&Head { role: Role::Labels, meta, ..Head::default() }, &mut out)?;
    for query in queries {
        layout.labels(query, &mut out)?;
    }
    layout.end(&mut out)?;
    Ok((out, losses))
}

impl Format {
    fn check_labels(&self, query: &QueryLabels) -> Result<(), Fault> {
        self.ids.check("query id", query.id().as_bytes(), query.lines().next(), self.name)?;
        for ((document, _), line) in query.judgments().zip(query.lines()) {
            self.ids.check("document id", document, Some(line), self.name)?;
        }
        if self.holds.contains(&Part::Passages) {
            let spans = query.about.spans.iter().map(|span| &span.document);
            let mut others = spans.chain(query.about.evidence.iter().flat_map(|group| &group.any_of));
            others.try_for_each(|id: &Id| self.ids.check("document id", id.as_bytes(), None, self.name))?;
        }
        Ok(())
    }
}
