//! Labels and runs brought into the unit in which they are measured.

use raglens::id::Id;
use raglens::input::{Chunks, IdKind, Mismatch, mismatch};
use raglens::labels::{Labels, QueryLabels};
use raglens::measure::{Measure, Reads};
use raglens::notes::{NoteKind, Notes};
use raglens::rag::{Cut, Documents, Lens, MovedChunk, Unit, described_by, document_labels, passage_labels};
use raglens::run::{Ranking, Run};
use rayon::prelude::*;

use super::{EVIDENCE, PASSAGES, UnitArgs, UnitChoice, UnitFiles};
use crate::cli::conventions::ConventionArgs;
use crate::cli::failure::{Failure, in_run};
use crate::cli::ids::IdArgs;
use crate::cli::inputs::{ReadLabels, ReadRun};
use crate::cli::join;
use crate::render::errors::Message;
use crate::render::eval::report::FilePart;

/// In what unit labels and runs meet.
#[derive(Debug)]
pub struct Units {
    pub(super) choice: UnitChoice,
    by_passage: bool,
    pub(super) min_overlaps: Vec<f64>,
    cut: Cut,
    budget: Option<u64>,
    pub(super) per_step: bool,
    documents: Documents,
    chunks: Option<Chunks>,
    /// Labels of documents, where they are measured beside those of chunks.
    pub(super) coarse: Option<Labels>,
    /// The files that were read for it.
    pub files: Vec<FilePart>,
    /// What a reader must know of it.
    pub notes: Notes,
}

impl Units {
    /// Brings labels and runs into the unit: passages and documents become what is judged, and
    /// results without a name of their own are named by their places.
    ///
    /// # Errors
    /// When labels or runs lack what the unit needs, or contradict each other.
    pub fn prepare(
        args: &UnitArgs,
        files: UnitFiles,
        (ids, conventions): (&IdArgs, &ConventionArgs),
        measures: &[Measure],
        labels: &mut ReadLabels,
        runs: &mut [ReadRun],
    ) -> Result<Self, Failure> {
        name_results(args.unit, ids, conventions, runs)?;
        check_steps(args, labels)?;
        let documents = match args.unit {
            UnitChoice::Id => Ok(Documents::default()),
            _ => Documents::new(files.chunks.as_ref(), runs.iter().map(|read| &read.run)),
        };
        let mut units = Self {
            choice: args.unit,
            by_passage: false,
            min_overlaps: if args.min_overlap.is_empty() { vec![args.min_overlap()] } else { args.min_overlap.clone() },
            cut: args.cut,
            budget: args.budget,
            per_step: args.per_step,
            documents: documents.map_err(|moved| contradiction(&moved))?,
            chunks: files.chunks,
            coarse: None,
            files: files.files,
            notes: files.notes,
        };
        units.check_documents(runs)?;
        units.bring_in(labels, files.doc_labels)?;
        let reads_places = units.by_passage || measures.iter().any(|measure| measure.reads() == Reads::Passages);
        if reads_places {
            units.check_offsets(labels, runs)?;
        }
        Ok(units)
    }

    /// Checks that some document is known where documents are measured, and says whose is not.
    fn check_documents(&mut self, runs: &[ReadRun]) -> Result<(), Failure> {
        if !matches!(self.choice, UnitChoice::Document | UnitChoice::Both) {
            return Ok(());
        }
        if self.documents.is_empty() {
            let title = "no result says which document it is a chunk of";
            let help = "results take `doc_id`, or `--chunks FILE` a file with `id` and `doc_id`; `--collapse '#'` makes \
                        the document `guide` of `guide#3`";
            return Err(Failure::new(title, help));
        }
        for read in runs {
            let results = read.run.rankings().iter().flat_map(|ranking| {
                (0..ranking.len()).map(move |index| ranking.document(index)).filter(|id| !self.documents.knows(id))
            });
            self.notes.add_all(NoteKind::OwnDocument, &read.file.path, results.map(Id::from));
        }
        Ok(())
    }

    /// Makes what is judged of the labels: documents, passages, or what they hold.
    fn bring_in(&mut self, labels: &mut ReadLabels, doc_labels: Option<Labels>) -> Result<(), Failure> {
        let has_documents = matches!(self.choice, UnitChoice::Document | UnitChoice::Both);
        let of_documents = match (has_documents, doc_labels) {
            (false, _) => None,
            (true, Some(given)) => Some(described_by(&given, &labels.labels)),
            (true, None) => {
                let unknown = self.without_document(&labels.labels);
                self.notes.add_all(NoteKind::OwnDocument, &labels.file.path, unknown);
                Some(document_labels(&labels.labels, &self.documents))
            }
        };
        let judges_ids = labels.labels.queries().iter().any(|query| query.judgments().next().is_some());
        self.by_passage = self.choice == UnitChoice::Span || self.choice == UnitChoice::Both && !judges_ids;
        match of_documents {
            Some(of_documents) if self.choice == UnitChoice::Document => labels.labels = of_documents,
            of_documents => self.coarse = of_documents,
        }
        if self.by_passage {
            let (passages, facts) = passage_labels(&labels.labels);
            if facts.passages == 0 {
                return Err(without_passages(&labels.file.path, self.choice));
            }
            self.notes.add_all(NoteKind::EmptyPassages, &labels.file.path, &facts.empty);
            self.notes.add_all(NoteKind::OverlappingPassages, &labels.file.path, &facts.overlapping);
            self.notes.add_all(NoteKind::RegradedPassages, &labels.file.path, &facts.regraded);
            labels.labels = passages;
        }
        Ok(())
    }

    /// The judged ids whose document is not known, where labels judge chunks; labels of documents
    /// name documents that no run returns.
    fn without_document(&self, labels: &Labels) -> Vec<Id> {
        let judged = || labels.queries().iter().flat_map(|query| query.judgments()).map(|(id, _)| id);
        match judged().any(|id| self.documents.of(id) != id) {
            true => judged().filter(|id| !self.documents.knows(id)).map(Id::from).collect(),
            false => Vec::new(),
        }
    }

    /// Checks that the offsets of labels and chunks count the same.
    fn check_offsets(&mut self, labels: &ReadLabels, runs: &[ReadRun]) -> Result<(), Failure> {
        let of_labels = (labels.file.path.as_str(), labels.labels.offset_unit.as_deref());
        let of_chunks = self.chunks.as_ref().map(|chunks| ("the chunk map", chunks.offset_unit.as_deref()));
        let placed = runs.iter().filter(|read| has_places(&read.run));
        let of_runs = placed.map(|read| (read.file.path.as_str(), read.run.meta.offset_unit.as_deref()));
        let mut silent = Vec::new();
        for (path, unit) in of_runs.chain(of_chunks) {
            match (of_labels.1, unit) {
                (Some(one), Some(other)) if !one.eq_ignore_ascii_case(other) => {
                    let title = format!("offsets count `{one}` in {} and `{other}` in {path}", of_labels.0);
                    let help = "both must count the same: Python counts characters, Rust and Go bytes, JavaScript \
                                UTF-16 units";
                    return Err(Failure::new(title, help));
                }
                (Some(_), None) => silent.push(path.to_owned()),
                (None, Some(_)) => silent.push(of_labels.0.to_owned()),
                _ => {}
            }
        }
        silent.dedup();
        self.notes.add_all(NoteKind::OffsetsUnknown, of_labels.0, silent);
        Ok(())
    }

    /// Whether results are measured by their ids, in full.
    pub(super) fn is_ordinary(&self) -> bool {
        self.budget.is_none() && !self.by_passage && self.choice != UnitChoice::Document
    }

    /// Whether gold passages are judged.
    pub fn is_by_passage(&self) -> bool {
        self.by_passage
    }

    /// Why no result of a run stands in the labels, where none does: the ids of both sides.
    pub fn mismatch(&self, labels: &Labels, run: &Run) -> Option<Mismatch> {
        if self.choice == UnitChoice::Id || self.choice == UnitChoice::Both && !self.by_passage {
            return join::documents(labels, run);
        }
        let queries = labels.queries().iter();
        let judged: Vec<&[u8]> = match self.by_passage {
            true => queries.flat_map(|query| &query.about.spans).map(|span| span.document.as_bytes()).collect(),
            false => queries.flat_map(|query| query.judgments()).map(|(document, _)| document).collect(),
        };
        let results = run.rankings().iter().flat_map(|ranking| (0..ranking.len()).map(move |index| (ranking, index)));
        let found = results.map(|(ranking, index)| self.documents.of(ranking.document(index)));
        mismatch(IdKind::Document, judged.into_iter(), found)
    }

    /// How results and labels meet in the tables.
    pub fn lens(&self) -> Lens<'_> {
        self.lens_at(self.min_overlaps[0])
    }

    /// The same with another share for passages.
    pub(super) fn lens_at(&self, min_overlap: f64) -> Lens<'_> {
        match self.choice {
            UnitChoice::Document => self.document_lens(),
            _ if self.by_passage => self.lens_of(Unit::Passage { min_overlap }),
            _ => self.lens_of(Unit::Id),
        }
    }

    /// How results and labels of documents meet.
    pub(super) fn document_lens(&self) -> Lens<'_> {
        self.lens_of(Unit::Document { documents: &self.documents, cut: self.cut })
    }

    fn lens_of<'a>(&'a self, unit: Unit<'a>) -> Lens<'a> {
        Lens { unit, chunks: self.chunks.as_ref(), budget: self.budget }
    }
}

/// Brings ids into the form in which they are compared; but for ids themselves, results without a
/// name are named by their places.
fn name_results(
    unit: UnitChoice,
    ids: &IdArgs,
    conventions: &ConventionArgs,
    runs: &mut [ReadRun],
) -> Result<(), Failure> {
    let name = |read: &mut ReadRun| -> Result<(), Failure> {
        let run = ids.apply(std::mem::take(&mut read.run), conventions.ties, conventions.duplicates);
        let run = run.and_then(|run| if unit == UnitChoice::Id { Ok(run) } else { run.named_by_place() });
        read.run = run.map_err(|fault| in_run(fault, &read.file.path, Some(read.file.read_as)))?;
        Ok(())
    };
    let named: Vec<Result<(), Failure>> = runs.par_iter_mut().map(name).collect();
    named.into_iter().collect()
}

/// Checks that there is evidence to be found where the steps towards it are shown.
fn check_steps(args: &UnitArgs, labels: &ReadLabels) -> Result<(), Failure> {
    let has_evidence = |query: &QueryLabels| {
        !query.about.evidence.is_empty() || query.about.spans.iter().any(|span| span.hop.is_some())
    };
    match args.per_step && !labels.labels.queries().iter().any(has_evidence) {
        true => {
            let title = format!("`--per-step` needs `evidence`, and {} has none", labels.file.path);
            Err(Failure::new(title, EVIDENCE))
        }
        false => Ok(()),
    }
}

fn has_places(run: &Run) -> bool {
    let is_placed = |ranking: &Ranking, index| ranking.chunk(index).is_some_and(|chunk| chunk.start.is_some());
    run.rankings().iter().any(|ranking| (0..ranking.len()).any(|index| is_placed(ranking, index)))
}

fn contradiction(moved: &MovedChunk) -> Failure {
    let MovedChunk { chunk, first, second } = moved;
    let title = format!("chunk `{chunk}` belongs to document `{first}` in one place and to `{second}` in another");
    Failure::new(title, "a chunk id stands for one chunk in all files: give chunks ids of their own")
}

fn without_passages(path: &str, choice: UnitChoice) -> Failure {
    match choice {
        UnitChoice::Both => Message::new(format!("{path} judges neither chunks nor passages")).into(),
        _ => Failure::new(format!("{path} holds no gold passage of any length, which `--unit span` needs"), PASSAGES),
    }
}
