//! Tables with a query a row and its ids in a cell, as a data frame with lists is saved:
//! `q1,"['d2', 'd1']"`.

use super::header::Holds;
use super::query_lists::{RELEVANT, RETRIEVED};
use super::{Format, Header, Reader, Role, Sample, columns, mlflow};
use crate::error::{Fault, InputErrorKind};

pub(super) static BOTH: Format = Format {
    name: "list-table",
    about: "table with lists of ids: query_id, relevant_ids, retrieved_ids",
    role: Role::Both,
    detect: |sample| has(sample, RELEVANT) && has(sample, RETRIEVED),
    labels: LABELS.labels,
    run: RUN.run,
};

pub(super) static LABELS: Format = Format {
    name: "list-table-labels",
    about: "table with lists of ids: query_id, relevant_ids",
    role: Role::Labels,
    detect: |sample| has(sample, RELEVANT),
    labels: Some(|reader, labels| {
        let (query, list) = columns_of(reader, RELEVANT)?;
        mlflow::read_labels(reader, labels, query, list)
    }),
    run: None,
};

pub(super) static RUN: Format = Format {
    name: "list-table-run",
    about: "table with lists of ids: query_id, retrieved_ids",
    role: Role::Run,
    detect: |sample| has(sample, RETRIEVED),
    labels: None,
    run: Some(|reader, run| {
        let (query, list) = columns_of(reader, RETRIEVED)?;
        mlflow::read_run(reader, run, query, list)
    }),
};

/// Whether there is a query and lists under one of some names.
fn has(sample: &Sample, names: &[&str]) -> bool {
    let Some((_, list)) = sample.header().and_then(|header| find(header, names)) else { return false };
    sample.rows().any(|row| row.get(list).is_some_and(|cell| columns::trim(cell).starts_with(b"[")))
}

fn find(header: &Header, names: &[&str]) -> Option<(usize, usize)> {
    let query = header.find(Holds::Query).or(header.find(Holds::QueryText)).or(header.position("question"))?;
    Some((query, names.iter().find_map(|name| header.position(name))?))
}

fn columns_of(reader: &Reader, names: &[&str]) -> Result<(usize, usize), Fault> {
    reader.sample.header().and_then(|header| find(header, names)).ok_or_else(|| {
        let expected = format!("columns `query_id` and `{}`", names.first().copied().unwrap_or_default());
        Fault::of_file(InputErrorKind::MissingKey { expected })
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;

    #[test]
    fn lists_in_cells_are_labels_and_runs() {
        let run_alone = "query_id,retrieved_ids\nq1,\"['d2', 'd1']\"\nq2,[]\n";
        assert_eq!(show_run(&run(run_alone)), "q1: d2 d1; q2:");
        let labels_alone = "query_id;relevant_ids\nq1;\"[\"\"d1\"\", \"\"d3\"\"]\"\n";
        assert_eq!(show_labels(&labels(labels_alone)), "q1: d1=1 d3=1");
        let both = "question,expected_ids,retrieved_ids\nwhy?,['d1'],\"['d2', 'd1']\"\n";
        assert_eq!((show_labels(&labels(both)), show_run(&run(both))), ("why?: d1=1".into(), "why?: d2 d1".into()));
    }

    #[test]
    fn a_cell_that_is_no_list_is_named() {
        let error = run_error("query_id,retrieved_ids\nq1,['d1']\nq2,d3\n");
        assert!(error.starts_with("run:3:4: the list of ids must be a list like"), "{error}");
    }
}
