//! How the value of one query comes about: its labels and its ranking, as `eval` reads them.

use raglens::error::Fault;
use raglens::evaluate::{Average, Over, Rules, cell, check_measures};
use raglens::id::{Id, escaped};
use raglens::labels::{Labels, QueryLabels};
use raglens::measure::{Measure, Needs, Reads, Spec};
use raglens::notes::Notes;
use raglens::run::Run;
use raglens::scores::Cell;

use super::ExplainArgs;
use super::list::List;
use crate::cli::conventions::TIES;
use crate::cli::failure::{Failure, in_run};
use crate::cli::inputs::{self, ReadLabels, ReadRun};
use crate::cli::join;
use crate::cli::names::{self, RunArgument};
use crate::render::errors::Message;
use crate::render::exact;
use crate::render::explain::report::Worked;

/// Works out the value of a measure for one query.
///
/// # Errors
/// When a file cannot be read, the query is not in the labels, or its ranking cannot be ordered.
pub fn work(args: &ExplainArgs, spec: Spec, labels: &str, query: &str) -> Result<(Worked, Notes), Failure> {
    if args.conventions.average == Average::Micro {
        return Err(Failure::new("one query has no average", "leave `--average` out"));
    }
    let measure = spec.with_rel(args.conventions.rel).measure()?;
    let argument = args.run.as_deref().map(RunArgument::parse);
    let (ReadLabels { labels, file: labels_file, mut notes }, read) = read(args, labels, argument.as_ref())?;
    notes.extend(read.notes);
    let query = Id::from(query);
    let query = labels.query(&query).ok_or_else(|| unknown_query(&labels, &labels_file.path, &query))?;
    let measure = bound(args, measure, &labels)?;
    notes.extend(join::unlike(args.conventions.like, std::slice::from_ref(&measure), &labels));

    let (file, tag, rules) = (read.file, read.run.tag.clone(), args.conventions.rules());
    let list = list(args, query, read.run, &rules).map_err(|fault| in_run(fault, &file.path, Some(file.read_as)))?;
    if !list.is_answered && rules.over == Over::Strict {
        let title = format!("{} lacks the query `{}` of the labels", file.path, query.id());
        return Err(Failure::new(title, "`--over all` counts it as an empty list"));
    }
    let terms = measure.terms(&list.view());
    let (value, reason) = value(&list, &measure, &rules);
    let argument = argument.unwrap_or_else(|| RunArgument::of_path(&file.path));
    let worked = Worked {
        query: query.id().clone(),
        text: query.about.text.clone(),
        run: names::assign(&[(argument, tag)])?.remove(0),
        conventions: conventions(args, &measure),
        documents: list.seen_by(&measure),
        missed: list.missed(&measure, &terms),
        best: list.best(),
        ties: list.ties(&measure, &terms),
        files: vec![labels_file, file],
        terms,
        value,
        reason,
        measure,
    };
    Ok((worked, notes))
}

/// The measure once the labels are known, if they and the conventions fit it.
fn bound(args: &ExplainArgs, measure: Measure, labels: &Labels) -> Result<Measure, Failure> {
    let measure = measure.bind(&labels.facts())?;
    check_measures(labels, std::slice::from_ref(&measure), &args.conventions.rules())
        .map_err(|error| Message::new(error.to_string()))?;
    check_terms(&measure)?;
    Ok(measure)
}

/// Checks that a value is made of grades and ranks, which can be shown one by one.
fn check_terms(measure: &Measure) -> Result<(), Failure> {
    let what = match measure.reads() {
        Reads::Passages => "passages",
        Reads::Evidence => "evidence",
        _ => return Ok(()),
    };
    let label = measure.label();
    let title = format!("`{label}` is made of {what} and not of grades, so that it has no terms to show");
    Err(Failure::new(title, format!("`raglens eval LABELS RUN -m {label} -q` shows its value for every query")))
}

/// The labels and the run, from two files or from one.
fn read(args: &ExplainArgs, labels: &str, run: Option<&RunArgument>) -> Result<(ReadLabels, ReadRun), Failure> {
    let Some(run) = run else { return inputs::both(labels, &args.reading) };
    let runs = std::slice::from_ref(run);
    inputs::check_standard_input(labels, runs)?;
    Ok((inputs::labels(labels, runs, &args.reading)?, inputs::run(&run.path, &args.reading)?))
}

/// The ranking of the query, once ids are changed as asked.
fn list<'q>(args: &ExplainArgs, query: &'q QueryLabels, run: Run, rules: &Rules) -> Result<List<'q>, Fault> {
    let run = args.ids.apply(run, rules.ties, rules.duplicates)?;
    List::of(query, run.ranking(query.id()), &args.ids.collapsed(*rules))
}

/// The value as `eval` prints it, and why there is none or what is odd about it.
fn value(list: &List, measure: &Measure, rules: &Rules) -> (Option<f64>, Option<String>) {
    if !rules.over.counts(list.is_answered) {
        let reason = "the run does not answer this query (`--over common`), so it is in no mean";
        return (None, Some(reason.to_owned()));
    }
    let missing = (!list.is_answered).then_some("the run does not answer this query, which counts as an empty list");
    match cell(list.query, &list.view(), measure, rules) {
        Cell::Value(value) => (Some(value), missing.map(str::to_owned)),
        Cell::LeftOut => (None, Some(left_out(list.query, measure, rules))),
        Cell::Undefined => {
            let undefined = format!("{} has no value for this list", measure.label());
            (None, Some(missing.map_or_else(|| undefined.clone(), |missing| format!("{missing}; {undefined}"))))
        }
    }
}

/// The query is not in the labels: which are.
fn unknown_query(labels: &Labels, path: &str, query: &Id) -> Failure {
    let near = |other: &&QueryLabels| {
        let text = |id: &Id| String::from_utf8_lossy(id.as_bytes()).to_lowercase();
        strsim::osa_distance(&text(other.id()), &text(query)) <= 1
    };
    let message = Message::new(format!("{path} has no query `{query}`"));
    let quoted = |queries: Vec<&QueryLabels>| {
        queries.iter().map(|query| format!("`{}`", query.id())).collect::<Vec<String>>().join(", ")
    };
    let nearest: Vec<&QueryLabels> = labels.queries().iter().filter(near).take(3).collect();
    let help = match nearest.is_empty() {
        true => format!("its queries are {}, ...", quoted(labels.queries().iter().take(3).collect())),
        false => format!("did you mean {}?", quoted(nearest)),
    };
    message.with_help(help).into()
}

/// The conventions on which the value depends, in the words of the options.
fn conventions(args: &ExplainArgs, measure: &Measure) -> String {
    let mut parts = vec![format!("ties {}", TIES.word(&args.conventions.ties))];
    parts.extend(measure.threshold().map(|rel| format!("rel {}", exact(rel))));
    parts.extend(measure.max_grade().map(|max| format!("g_max {}", exact(max))));
    if let Some(separator) = &args.ids.collapse {
        parts.push(format!("ids cut at {}", escaped(separator.as_bytes())));
    }
    if args.conventions.drop_self {
        parts.push("drop-self".to_owned());
    }
    parts.join(", ")
}

/// Why the query does not count in the measure.
fn left_out(query: &QueryLabels, measure: &Measure, rules: &Rules) -> String {
    let largest = exact(query.ideal().first().copied().unwrap_or(0.0));
    let why = match measure.needs() {
        _ if query.is_unanswerable() => "the labels mark the query `answerable: false`".to_owned(),
        _ if query.ideal().is_empty() => "no document of the query is judged".to_owned(),
        Needs::Gain => "no document of the query has a grade above 0".to_owned(),
        Needs::Passages => "the query has no gold passage".to_owned(),
        Needs::Evidence => "the query has no evidence".to_owned(),
        Needs::Relevant | Needs::Query => {
            let rel = exact(measure.threshold().unwrap_or(rules.rel));
            format!("the query has no relevant document (the largest grade is {largest}, rel is {rel})")
        }
    };
    format!("{why}, so it is in no mean")
}
