//! TREC: qrels in 4 columns, runs in 6.

use std::io::{self, Write};

use super::ids::IdRule;
use super::{Format, Layout, Part, Ranked};
use crate::labels::QueryLabels;
use crate::measure::shortest;

pub(super) static TREC: Format = Format {
    name: "trec",
    aliases: &["trec_eval", "qrels"],
    about: "TREC qrels (qid 0 docid grade) and runs (qid Q0 docid rank score tag)",
    labels: &["qrels"],
    run: &["trec"],
    holds: &[Part::RunName],
    columns: &[],
    ids: IdRule::Word,
    layout: || Box::new(Trec),
};

struct Trec;

impl Layout for Trec {
    fn labels(&mut self, query: &QueryLabels, out: &mut dyn Write) -> io::Result<()> {
        for (document, grade) in query.judgments() {
            out.write_all(query.id().as_bytes())?;
            out.write_all(b" 0 ")?;
            out.write_all(document)?;
            writeln!(out, " {}", shortest(grade))?;
        }
        Ok(())
    }

    fn ranking(&mut self, ranked: &Ranked<'_>, out: &mut dyn Write) -> io::Result<()> {
        for (rank, (row, score)) in (1..).zip(ranked.results()) {
            out.write_all(ranked.query)?;
            out.write_all(b" Q0 ")?;
            out.write_all(row.document)?;
            writeln!(out, " {rank} {} {}", shortest(*score), ranked.tag)?;
        }
        Ok(())
    }
}
