//! Changing the ids of runs: edits, and chunk ids that become document ids.

use std::cell::Cell;

use clap::Args;
use raglens::error::{Fault, InputErrorKind};
use raglens::evaluate::Rules;
use raglens::id::Id;
use raglens::run::{Duplicates, Run, Ties};

use super::edit::Edit;

/// Options that change the ids of runs before anything is measured.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Ids of runs")]
pub struct IdArgs {
    /// Cut ids at the last SEP (doc#3 to doc), best chunk kept
    #[arg(long, value_name = "SEP", help_heading = "Conventions", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub collapse: Option<String>,

    /// Edit query ids as sed does, such as 's/\.0$//' (repeatable)
    #[arg(long, value_name = "S/A/B/", hide_short_help = true)]
    pub edit_query_ids: Vec<Edit>,

    /// Edit document ids as sed does (repeatable)
    #[arg(long, value_name = "S/A/B/", hide_short_help = true)]
    pub edit_doc_ids: Vec<Edit>,
}

impl IdArgs {
    /// Whether any id can change.
    pub fn change_anything(&self) -> bool {
        self.collapse.is_some() || !self.edit_query_ids.is_empty() || !self.edit_doc_ids.is_empty()
    }

    /// The run under its new ids.
    ///
    /// # Errors
    /// When a ranking holds a document twice before chunks are collapsed, or two queries that
    /// become one do not fit together.
    pub fn apply(&self, run: Run, ties: Ties, duplicates: Duplicates) -> Result<Run, Fault> {
        let (queries, documents) = (&self.edit_query_ids, &self.edit_doc_ids);
        let run = match queries.is_empty() && documents.is_empty() {
            true => run,
            false => edited_run(run, queries, documents)?,
        };
        let Some(separator) = &self.collapse else { return Ok(run) };
        for ranking in run.rankings() {
            ranking.order(ties, duplicates)?;
        }
        run.with_ids(Clone::clone, |document| Id::from(document_of(document, separator.as_bytes())))
    }

    /// The rules once the ids are changed: copies that come from collapsing go.
    pub fn collapsed(&self, rules: Rules) -> Rules {
        let duplicates = if self.collapse.is_some() { Duplicates::First } else { rules.duplicates };
        Rules { duplicates, ..rules }
    }
}

/// The run with both kinds of ids edited.
fn edited_run(run: Run, queries: &[Edit], documents: &[Edit]) -> Result<Run, Fault> {
    let emptied = Cell::new(None);
    let edit = |edits: &[Edit], id: &[u8], option: &'static str| {
        let new = edited(edits, id);
        if new.as_bytes().is_empty() {
            emptied.set(Some((option, Id::from(id))));
        }
        new
    };
    let edited =
        run.with_ids(|id| edit(queries, id.as_bytes(), "--edit-query-ids"), |id| edit(documents, id, "--edit-doc-ids"));
    match emptied.take() {
        Some((option, id)) => {
            let sentence = format!("nothing is left of the id `{id}` after `{option}`");
            let help = "an edit must leave a part of every id".to_owned();
            Err(Fault::of_file(InputErrorKind::Refused { format: None, sentence, help }))
        }
        None => edited,
    }
}

fn edited(edits: &[Edit], id: &[u8]) -> Id {
    edits.iter().fold(Id::from(id), |id, edit| edit.apply(id.as_bytes()))
}

/// The part of an id before the last separator; the whole id where there is none.
fn document_of<'a>(id: &'a [u8], separator: &[u8]) -> &'a [u8] {
    match memchr::memmem::rfind(id, separator) {
        Some(end) if end > 0 => &id[..end],
        _ => id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_ends_at_the_last_separator() {
        assert_eq!(document_of(b"guide#3", b"#"), b"guide");
        assert_eq!(document_of(b"my_guide_3", b"_"), b"my_guide");
        assert_eq!(document_of(b"guide::3", b"::"), b"guide");
        assert_eq!(document_of(b"guide", b"#"), b"guide");
        assert_eq!(document_of(b"#3", b"#"), b"#3");
    }
}
