//! Reading each file to its end, whatever is wrong with it, and holding runs against labels.

use raglens::check::{DEPTH, RunCheck, of_labels, of_run};
use raglens::error::{Fault, InputError, InputErrorKind};
use raglens::input::{
    FileFacts, OnError, Position, ReadOptions, Role, Source, looks_like, looks_like_answers, read_answers, read_both,
    read_chunks, read_labels, read_run, read_saved,
};
use raglens::labels::{Labels, QueryLabels};
use raglens::notes::{Note, NoteKind, Notes, Severity};
use raglens::run::Run;
use raglens::scores::slices::tag_names;

use super::CheckArgs;
use crate::cli::failure::Failure;
use crate::cli::inputs;
use crate::render::check::report::{FileReport, Finding, Report, Weight};
use crate::render::errors::reason_of;
use crate::render::{counted, flags, queries, share_in_tenths};

/// What a file turned out to hold.
#[derive(Default)]
struct Content {
    labels: Option<Labels>,
    run: Option<Run>,
}

/// By which reader a file is read.
enum FileKind {
    Both,
    Answers,
    Saved,
    Chunks,
    Labels,
    Run,
}

impl FileKind {
    /// What a file is read as, and whether only its place says so.
    fn of(source: &mut Source, position: Position) -> Result<(Self, bool), Fault> {
        let format = looks_like(source, position)?;
        let holds_answers = looks_like_answers(&source.sample(position)?);
        let kind = match format.role {
            Role::Both => Self::Both,
            Role::Saved if holds_answers => Self::Answers,
            Role::Saved => Self::Saved,
            Role::Neither(_) if format.name.starts_with("chunk") => Self::Chunks,
            Role::Labels => Self::Labels,
            Role::ByPosition if position == Position::Labels => Self::Labels,
            _ => Self::Run,
        };
        Ok((kind, format.role == Role::ByPosition))
    }
}

/// Reads every file and looks at all of them together.
pub fn report(args: &CheckArgs) -> Result<Report, Failure> {
    let read: Vec<(FileReport, Content)> =
        args.files.iter().enumerate().map(|(place, path)| args.read(path, place)).collect();
    let (mut files, contents): (Vec<FileReport>, Vec<Content>) = read.into_iter().unzip();
    let labels = contents.iter().find_map(|content| content.labels.as_ref());
    for (file, content) in files.iter_mut().zip(&contents) {
        if let Some(labels) = &content.labels {
            let notes = of_labels(labels, args.runs.conventions.rel, &file.path);
            file.findings.extend(notes.iter().filter_map(of_note));
            if nothing_is_relevant(labels) {
                let text = "no document is relevant: no grade is above 0".to_owned();
                file.findings.push(Finding { text, ..Finding::error("E032") });
            }
        }
        if let Some(run) = &content.run {
            args.hold(run.clone(), labels, file);
        }
        file.findings.sort_by_key(|finding| finding.weight);
    }
    Ok(Report { files })
}

impl CheckArgs {
    /// What is said about reading, but that no fault ends it.
    fn options(&self, position: Position) -> ReadOptions {
        let reading = &self.runs.reading;
        let options = match position {
            Position::Labels => reading.labels_options(),
            Position::Run => reading.run_options(),
        };
        ReadOptions { on_error: OnError::Skip, ..options }
    }

    /// Reads a file as what its content is; its place decides only where that does not.
    fn read(&self, path: &str, place: usize) -> (FileReport, Content) {
        let mut file = FileReport { path: path.to_owned(), read_as: None, facts: Vec::new(), findings: Vec::new() };
        let mut notes = Notes::default();
        let content = self.read_into(path, place, &mut file, &mut notes).unwrap_or_else(|error| {
            file.findings.push(of_error(&error));
            Content::default()
        });
        file.findings.extend(notes.iter().filter(|note| note.kind != NoteKind::SkippedFaults).filter_map(of_note));
        (file, content)
    }

    fn read_into(
        &self,
        path: &str,
        place: usize,
        file: &mut FileReport,
        notes: &mut Notes,
    ) -> Result<Content, InputError> {
        let mut source = Source::open(path)?;
        let position = if place == 0 && !self.runs_only { Position::Labels } else { Position::Run };
        let (kind, by_place) = FileKind::of(&mut source, position).map_err(|fault| fault.in_file(path, None))?;
        let taken = by_place.then(|| self.taken_as(&kind).to_owned());
        let (content, words, facts) = self.content(source, kind, notes)?;
        file.facts = taken.into_iter().chain(words).collect();
        file.findings.extend(of_faults(&facts));
        file.read_as = Some(inputs::file(facts));
        Ok(content)
    }

    /// How a file was taken that could be labels as well as a run.
    fn taken_as(&self, kind: &FileKind) -> &'static str {
        match (kind, self.runs_only) {
            (FileKind::Labels, _) => "taken as labels, for it comes first (--runs takes it as a run)",
            (_, true) => "taken as a run",
            (_, false) => "taken as a run, for it does not come first",
        }
    }

    /// What a file holds, in values and in words.
    fn content(
        &self,
        source: Source,
        kind: FileKind,
        notes: &mut Notes,
    ) -> Result<(Content, Vec<String>, FileFacts), InputError> {
        let (as_labels, as_run) = (self.options(Position::Labels), self.options(Position::Run));
        let nothing = Content::default();
        Ok(match kind {
            FileKind::Both => {
                let (labels, run, facts) = read_both(source, &as_labels, notes)?;
                let words = [self.labels_facts(&labels), of_run_facts(&run)].concat();
                (Content { labels: Some(labels), run: Some(run) }, words, facts)
            }
            FileKind::Answers => {
                let (answers, facts) = read_answers(source, &as_run, notes)?;
                (nothing, vec![counted(answers.len() as u64, "question", "questions")], facts)
            }
            FileKind::Saved => {
                let (saved, facts) = read_saved(source, &as_run, notes)?;
                (nothing, vec![counted(saved.runs.len() as u64, "run", "runs")], facts)
            }
            FileKind::Chunks => {
                let (chunks, facts) = read_chunks(source, &as_labels, notes)?;
                (nothing, vec![counted(chunks.len() as u64, "chunk", "chunks")], facts)
            }
            FileKind::Labels => {
                let (labels, facts) = read_labels(source, &as_labels, notes)?;
                let words = self.labels_facts(&labels);
                (Content { labels: Some(labels), run: None }, words, facts)
            }
            FileKind::Run => {
                let (run, facts) = read_run(source, &as_run, notes)?;
                let words = of_run_facts(&run);
                (Content { labels: None, run: Some(run) }, words, facts)
            }
        })
    }

    fn labels_facts(&self, labels: &Labels) -> Vec<String> {
        let relevant = labels.relevant(self.runs.conventions.rel);
        let mut facts = vec![queries(labels.queries().len() as u64), format!("{relevant} relevant")];
        let tags = tag_names(labels);
        if !tags.is_empty() {
            facts.push(format!("tags {}", tags.join(" ")));
        }
        facts
    }

    /// Holds a run against the labels.
    fn hold(&self, run: Run, labels: Option<&Labels>, file: &mut FileReport) {
        let rules = self.runs.conventions.rules();
        let run = match self.runs.ids.apply(run, rules.ties, raglens::run::Duplicates::First) {
            Ok(run) => run,
            Err(fault) => {
                file.findings.push(of_kind(&fault.kind));
                return;
            }
        };
        let found = of_run(labels, &run, &self.runs.ids.collapsed(rules), &file.path);
        file.findings.extend(of_check(&found));
    }
}

/// Whether no measure counts a query of the labels, which hold nothing but grades.
fn nothing_is_relevant(labels: &Labels) -> bool {
    let mut queries = labels.queries().iter();
    let best = |query: &QueryLabels| query.ideal().first().copied().unwrap_or(0.0);
    queries.all(|query| best(query) <= 0.0 && query.about.spans.is_empty() && query.about.evidence.is_empty())
}

fn of_run_facts(run: &Run) -> Vec<String> {
    let mut facts = vec![queries(run.rankings().len() as u64), counted(run.rows(), "result", "results")];
    facts.extend(run.tag.as_ref().map(|tag| format!("tag {tag}")));
    facts
}

/// A note; `None` for one that only counts skipped rows.
fn of_note(note: &Note) -> Option<Finding> {
    let weight = match note.kind.severity() {
        Severity::Warning => Weight::Warning,
        Severity::Note => Weight::Note,
    };
    (note.count > 0).then(|| Finding {
        weight,
        code: note.kind.code(),
        count: note.count,
        text: flags::sentence(note),
        lines: Vec::new(),
        examples: note.examples.clone(),
    })
}

/// The rows that cannot be read, by what is wrong with them.
fn of_faults(facts: &FileFacts) -> Vec<Finding> {
    let finding = |found: &raglens::input::FaultCount| Finding {
        weight: Weight::Error,
        code: found.code,
        count: found.count,
        text: counted(found.count, "row", "rows") + ": " + &found.sentence,
        lines: found.lines.clone(),
        examples: Vec::new(),
    };
    facts.faults.iter().map(finding).collect()
}

/// A file that cannot be read to its end.
fn of_error(error: &InputError) -> Finding {
    let mut finding = Finding { lines: error.line().into_iter().collect(), ..of_kind(error.kind()) };
    if let Some(help) = flags::help(error.kind()).filter(|_| !error.kind().is_of_one_row()) {
        finding.text = format!("{} ({})", finding.text, help.replace('\n', " "));
    }
    finding
}

fn of_kind(kind: &InputErrorKind) -> Finding {
    Finding { text: reason_of(&kind.to_string()), ..Finding::error(kind.code()) }
}

/// What came up when a run was held against labels.
fn of_check(found: &RunCheck) -> Vec<Finding> {
    let mut findings = Vec::new();
    let error = |code: &'static str, text: String| Finding { text, ..Finding::error(code) };
    if let Some(first) = found.duplicates.first() {
        let count = found.duplicates.len() as u64;
        let text = counted(count, "query holds a document twice", "queries hold a document twice");
        let examples = found.duplicates.iter().take(3).map(place).collect();
        findings.push(Finding { count, text, examples, ..of_kind(&first.kind) });
    }
    let help = |mismatch: &raglens::input::Mismatch| {
        let help = mismatch.remedy.as_ref().map_or_else(String::new, |remedy| format!("; {}", flags::remedy(remedy)));
        mismatch.to_string() + &help
    };
    findings.extend(found.mismatch.as_ref().map(|mismatch| error("E030", help(mismatch))));
    if let Some(mismatch) = &found.documents {
        findings.push(Finding { weight: Weight::Warning, ..error("W006", help(mismatch)) });
    }
    if let Some((labels, run)) = &found.units {
        findings.push(error("E031", format!("offsets are in `{labels}` in the labels and in `{run}` in the run")));
    }
    let is_error = |note: &&Note| note.kind == NoteKind::DroppedCopies && !found.duplicates.is_empty();
    findings.extend(found.notes.iter().filter(|note| !is_error(note)).filter_map(of_note));
    if let Some(unjudged) = found.unjudged.filter(|&unjudged| unjudged > 0.0) {
        let share = share_in_tenths(unjudged);
        let text = format!("{share} of the first {DEPTH} places hold results that nobody judged");
        findings.push(Finding { weight: Weight::Note, ..error("N009", text) });
    }
    findings
}

/// Where a document stands a second time: query and document.
fn place(fault: &Fault) -> String {
    match &*fault.kind {
        InputErrorKind::DuplicateDocument { query, document, .. } => format!("{query} {document}"),
        kind => kind.to_string(),
    }
}
