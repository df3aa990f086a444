//! `raglens check --acl`: who was shown what they may not see.

use raglens::input::{Chunks, FileFacts, Source, read_chunks, read_run_into};
use raglens::labels::Labels;
use raglens::notes::{NoteKind, Notes};
use raglens::rag::access::{AccessMap, AccessReport, Question, RoleLists, check};

use super::CheckArgs;
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::inputs;
use crate::cli::names::{self, RunArgument};
use crate::cli::output::Output;
use crate::render::check::access as view;
use crate::render::check::access::{Report, RunAccess};
use crate::render::eval::report::FilePart;

/// Checks runs against a chunk map.
pub fn run(args: &CheckArgs, chunks: &str, console: &Console) -> Result<Output, Failure> {
    let report = report(args, chunks)?;
    let result = view::render(&report, args.page.format);
    let messages = console.messages(&report.files(), &report.notes);
    let exit = if report.fails() { Exit::Failed } else { Exit::Success };
    Ok(args.page.deliver(result, messages, exit))
}

fn report(args: &CheckArgs, chunks: &str) -> Result<Report, Failure> {
    let (labels, arguments) = arguments(args, chunks)?;
    let mut notes = Notes::default();
    let (map, map_file) = args.chunks(chunks, &mut notes)?;
    let read = args.runs.labels(labels, &arguments)?;
    notes.extend(read.notes);
    let unfiltered = args.unfiltered.as_ref().map(|path| args.lists(path, &mut notes)).transpose()?;
    let access = AccessMap::new(&map);
    let question = Question {
        labels: &read.labels,
        rel: args.runs.conventions.rel,
        access: &access,
        unfiltered: unfiltered.as_ref().map(|(lists, _)| lists),
    };
    let names = names::assign(&arguments.iter().map(|run| (run.clone(), None)).collect::<Vec<_>>())?;
    let mut runs = Vec::with_capacity(arguments.len());
    for (argument, name) in arguments.iter().zip(names) {
        runs.push(args.run_access(&argument.path, name, &question, &mut notes)?);
    }
    notes.add_count(NoteKind::ChunksWithoutRoles, &map_file.path, access.without_roles());
    Ok(Report {
        labels: read.file,
        chunks: map_file,
        chunk_count: map.len() as u64,
        runs,
        allows_unknown: args.allow_unknown,
        notes,
    })
}

/// The labels and the runs, where nothing that was given says otherwise.
fn arguments<'a>(args: &'a CheckArgs, chunks: &str) -> Result<(&'a str, Vec<RunArgument>), Failure> {
    let [labels, runs @ ..] = &args.files[..] else { return Err(too_few(args, chunks)) };
    if runs.is_empty() {
        return Err(too_few(args, chunks));
    }
    if args.runs.ids.change_anything() {
        let title = "`--acl` looks at ids as they are: no option can change them";
        return Err(Failure::new(title, "leave out --collapse, --edit-query-ids and --edit-doc-ids"));
    }
    Ok((labels, runs.iter().map(|text| RunArgument::parse(text)).collect()))
}

fn too_few(args: &CheckArgs, chunks: &str) -> Failure {
    let title = format!("`--acl` takes labels and a run, got {} alone", args.files.join(", "));
    Failure::new(title, format!("raglens check --acl {chunks} LABELS RUN"))
}

impl CheckArgs {
    fn chunks(&self, path: &str, notes: &mut Notes) -> Result<(Chunks, FilePart), Failure> {
        let (chunks, facts) = read_chunks(Source::open(path)?, &self.runs.reading.labels_options(), notes)?;
        let says_nothing = chunks.iter().all(|chunk| chunk.allowed_roles.is_none());
        match says_nothing {
            true => {
                let title = format!("no chunk of {path} has `allowed_roles`: nobody knows who may see what");
                Err(Failure::new(
                    title,
                    "{\"id\": \"c7\", \"allowed_roles\": [\"hr\"]}; an empty list is open to nobody",
                ))
            }
            false => Ok((chunks, inputs::file(facts))),
        }
    }

    fn lists(&self, path: &str, notes: &mut Notes) -> Result<(RoleLists, FilePart), Failure> {
        let mut lists = RoleLists::default();
        let facts: FileFacts = read_run_into(Source::open(path)?, &self.runs.reading.run_options(), notes, &mut lists)?;
        Ok((lists, inputs::file(facts)))
    }

    /// What a run shows to whom.
    fn run_access(
        &self,
        path: &str,
        name: String,
        question: &Question<'_>,
        notes: &mut Notes,
    ) -> Result<RunAccess, Failure> {
        let (lists, file) = self.lists(path, notes)?;
        let found = check(&lists, question);
        refuse_unchecked(&found, question.labels, &lists, &file)?;
        let strangers = found.roles.iter().filter(|role| !role.is_known).map(|role| &role.role);
        notes.add_all(NoteKind::UnknownRole, &name, strangers);
        notes.add_all(NoteKind::WithoutRole, &name, &found.without_role);
        Ok(RunAccess { name, file, found })
    }
}

/// A run in which nothing can be checked.
fn refuse_unchecked(found: &AccessReport, labels: &Labels, lists: &RoleLists, file: &FilePart) -> Result<(), Failure> {
    if found.roles.is_empty() {
        let title = format!("no row of {} says for which role it searched, so there is nothing to check", file.path);
        let help = "each search names its role: {\"query_id\": \"q1\", \"role\": \"eng\", \"results\": [...]}";
        return Err(Failure::new(title, help));
    }
    if lists.lists().iter().all(|list| labels.query(&list.query).is_none()) {
        let title = format!("no query of {} is in the labels", file.path);
        return Err(Failure::new(
            title,
            "leaks do not need labels, but what a role should see does: name those of these queries",
        ));
    }
    Ok(())
}
