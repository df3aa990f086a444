//! The queries of a report in detail: their texts, and what every run returned for them.

use std::collections::{HashMap, HashSet};

use raglens::id::Id;
use raglens::run::Run;

use super::Material;
use crate::cli::failure::{Failure, in_run};
use crate::cli::inputs;
use crate::cli::queries::detail::{RankedList, shown};
use crate::render::html::report::{QueryRow, Report};
use crate::render::queries::report::Shown;

impl Material<'_> {
    /// Adds texts, tags and ranked lists to the queries of a report.
    ///
    /// # Errors
    /// When texts cannot be read, or a ranking cannot be ordered.
    pub(super) fn fill(&self, report: &mut Report<'_>) -> Result<(), Failure> {
        for table in &mut report.tables {
            for row in &mut table.rows {
                self.fill_row(&table.runs, row)?;
            }
        }
        self.add_query_texts(report)?;
        self.add_document_texts(report)
    }

    fn fill_row(&self, runs: &[usize], row: &mut QueryRow) -> Result<(), Failure> {
        let Some(labels) = self.labels.and_then(|labels| labels.query(&row.query)) else { return Ok(()) };
        row.text = row.text.take().or_else(|| labels.about.text.clone());
        row.tags = labels.about.tags.iter().map(|(tag, values)| format!("{tag}={}", values.join("+"))).collect();
        let known: Option<Vec<&Run>> = runs.iter().map(|&run| self.runs.get(run)?.as_ref()).collect();
        let Some(known) = known.filter(|_| self.is_by_id) else { return Ok(()) };
        let list = |run: &&Run| RankedList::of(run, &row.query, &self.rules);
        let lists = known.iter().map(list).collect::<Result<Vec<RankedList>, _>>();
        let lists = lists.map_err(|fault| in_run(fault, "the run", None))?;
        let lists: Vec<&RankedList> = lists.iter().collect();
        row.lists = Some(shown(labels, &lists, self.rules.rel, self.depth() as usize));
        Ok(())
    }

    fn add_query_texts(&self, report: &mut Report<'_>) -> Result<(), Failure> {
        let Some(path) = &self.args.query_text else { return Ok(()) };
        let rows = || report.tables.iter().flat_map(|table| &table.rows);
        let texts = inputs::texts(path, &rows().map(|row| row.query.clone()).collect(), self.reading)?;
        for row in report.tables.iter_mut().flat_map(|table| &mut table.rows) {
            row.text = texts.get(&row.query).cloned().or(row.text.take());
        }
        Ok(())
    }

    fn add_document_texts(&self, report: &mut Report<'_>) -> Result<(), Failure> {
        let Some(path) = &self.args.corpus else { return Ok(()) };
        let lists = report.tables.iter().flat_map(|table| &table.rows).filter_map(|row| row.lists.as_ref());
        let wanted: HashSet<Id> = lists.flat_map(documents).cloned().collect();
        let texts = inputs::texts(path, &wanted, self.reading)?;
        if let (true, Some(first)) = (texts.is_empty(), wanted.iter().min()) {
            let title = format!("{path} has no text for any of the {} documents shown", wanted.len());
            return Err(Failure::new(title, format!("its rows take the ids of the run, such as `{first}`")));
        }
        let lists = report.tables.iter_mut().flat_map(|table| &mut table.rows).filter_map(|row| row.lists.as_mut());
        lists.for_each(|shown| shown.texts = texts_of(shown, &texts));
        Ok(())
    }
}

/// The documents that are shown of a query.
fn documents(shown: &Shown) -> impl Iterator<Item = &Id> {
    let listed = shown.lists.iter().flat_map(|list| &list.results).map(|result| &result.document);
    listed.chain(shown.relevant.iter().map(|relevant| &relevant.document))
}

fn texts_of(shown: &Shown, texts: &HashMap<Id, String>) -> Vec<(Id, String)> {
    let mut seen = HashSet::new();
    let new = documents(shown).filter(|id| seen.insert(*id));
    new.filter_map(|id| Some((id.clone(), texts.get(id)?.clone()))).collect()
}
