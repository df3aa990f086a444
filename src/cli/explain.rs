//! `raglens explain`: what a measure or a code means, and how a value comes about.

use std::path::PathBuf;

use clap::Args;
use raglens::measure::{Spec, SpecError};
use raglens::notes::Notes;

use super::CommandDef;
use super::console::Console;
use super::conventions::ConventionArgs;
use super::failure::Failure;
use super::files;
use super::ids::IdArgs;
use super::inputs::ReadingArgs;
use super::output::Output;
use crate::render::explain::report::Subject;
use crate::render::explain::topics;
use crate::render::explain::{Format, render};
use crate::render::{Look, codes};

mod list;
mod worked;

/// The row of the table of commands.
pub static COMMAND: CommandDef = CommandDef {
    name: "explain",
    group: "Measure",
    arguments: ExplainArgs::augment_args,
    run: |matches, console| run(&super::parsed::<ExplainArgs>(matches), console),
};

const EXAMPLES: &str = "\
Examples:
  raglens explain                          every measure, by the question it answers
  raglens explain ndcg@5                   its formula, and what it cannot see
  raglens explain W003                     a code of an error, a warning or a note
  raglens explain trec_eval                a topic
  raglens explain ndcg@5 labels.jsonl run.trec --query q17
                                           how the value of one query comes about
";

/// Decimals of the numbers on the way to a value.
const DIGITS: u8 = 4;

/// Say what a measure or a code means, and how a value comes about
#[derive(Debug, Clone, Args)]
#[command(before_long_help = EXAMPLES)]
struct ExplainArgs {
    /// A measure, a code, a topic, `codes` or `all`
    #[arg(value_name = "WHAT")]
    what: Option<String>,

    /// Labels (qrels), or one file with labels and results
    #[arg(requires = "query")]
    labels: Option<String>,

    /// A run
    run: Option<String>,

    /// The query whose value is explained
    #[arg(long, value_name = "ID", requires = "labels")]
    query: Option<String>,

    #[command(flatten)]
    conventions: ConventionArgs,

    #[command(flatten)]
    ids: IdArgs,

    #[command(flatten)]
    reading: ReadingArgs,

    /// text, json or md
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        default_value = "text",
        help_heading = "Output",
        hide_possible_values = true
    )]
    format: Format,

    /// Write the result to a file
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Decimals of the numbers on the way to a value
    #[arg(long, value_name = "N", default_value_t = DIGITS, help_heading = "Output", hide_short_help = true,
          value_parser = clap::value_parser!(u8).range(0..=15))]
    digits: u8,
}

fn run(args: &ExplainArgs, console: &Console) -> Result<Output, Failure> {
    let (subject, notes) = args.subject()?;
    let read = match &subject {
        Subject::Value(worked) => worked.files.iter().collect(),
        _ => Vec::new(),
    };
    let look = Look { signs: console.signs(), digits: args.digits.into() };
    let result = render(&subject, args.format, &look);
    let messages = console.messages(&read, &notes);
    Ok(Output { result, messages, ..Output::default() }.redirected(args.output.as_deref()))
}

impl ExplainArgs {
    /// What is to be explained.
    fn subject(&self) -> Result<(Subject, Notes), Failure> {
        let paths: Vec<&str> = [&self.labels, &self.run].into_iter().flatten().map(String::as_str).collect();
        files::check(&[("-o", self.output.as_deref())], &paths)?;
        let Some(what) = &self.what else { return Ok((Subject::List, Notes::default())) };
        let subject = named(what)?;
        match (subject, &self.labels, &self.query) {
            (Subject::Measure(spec), Some(labels), Some(query)) => {
                let (worked, notes) = worked::work(self, *spec, labels, query)?;
                Ok((Subject::Value(Box::new(worked)), notes))
            }
            (_, Some(_), _) => {
                let title = format!("`{what}` has no value that could be worked out");
                Err(Failure::new(
                    title,
                    "with labels and a run comes a measure:\nraglens explain ndcg@5 LABELS RUN --query ID",
                ))
            }
            (subject, None, _) => Ok((subject, Notes::default())),
        }
    }
}

/// What goes by a name: a topic, a code or a measure.
fn named(what: &str) -> Result<Subject, Failure> {
    let what = what.trim();
    if what.eq_ignore_ascii_case("all") {
        return Ok(Subject::All);
    }
    if what.eq_ignore_ascii_case("codes") {
        return Ok(Subject::Codes);
    }
    if let Some(topic) = topics::find(what) {
        return Ok(Subject::Topic(topic));
    }
    match codes::find(&in_full(what)) {
        Some(code) => Ok(Subject::Code(code)),
        None if codes::is_code(what) => Err(unknown_code(what)),
        None => Spec::parse(what).map(|spec| Subject::Measure(Box::new(spec))).map_err(|error| unknown(what, error)),
    }
}

/// A code whose number may lack its zeros, in full: `w3` is W003.
fn in_full(what: &str) -> String {
    let is_short = |number: &str| matches!(number.len(), 1 | 2) && number.bytes().all(|byte| byte.is_ascii_digit());
    match what.strip_prefix(['E', 'W', 'N', 'e', 'w', 'n']).filter(|number| is_short(number)) {
        Some(number) => format!("{}{number:0>3}", &what[..1]),
        None => what.to_owned(),
    }
}

/// No code is called so: those that differ in one digit, if there are any.
fn unknown_code(what: &str) -> Failure {
    let upper = what.to_ascii_uppercase();
    let differing = |code: &str| code.bytes().zip(upper.bytes()).filter(|(a, b)| a != b).count();
    let near = codes::all().map(|found| found.code).filter(|code| differing(code) == 1 && code[..1] == upper[..1]);
    let near: Vec<&str> = near.take(3).collect();
    let list = "`raglens explain codes` lists all";
    let help = if near.is_empty() { list.to_owned() } else { format!("near are {}; {list}", near.join(", ")) };
    Failure::new(format!("unknown code `{what}`"), help)
}

/// Nothing is called so: the nearest topic where one is as near as it can be, else the nearest
/// measure.
fn unknown(what: &str, error: SpecError) -> Failure {
    let SpecError::Unknown { nearest, .. } = &error else { return error.into() };
    let topic = topics::nearest(what).map(|topic| topic.name);
    let help = match (topic, nearest) {
        (Some(name), _) => format!("did you mean `{name}`?"),
        (None, Some(name)) => format!("did you mean `{name}`? `raglens explain` lists all"),
        (None, None) => "`raglens explain` lists all measures and topics, `raglens explain codes` all codes".to_owned(),
    };
    Failure::new(format!("nothing is called `{what}`"), help)
}
