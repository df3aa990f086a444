//! Reading labels and a run, scoring them, and putting together what is printed.

use std::collections::HashSet;

use raglens::evaluate::{EvaluateError, NoRelevant, Over, Rules};
use raglens::id::{Id, escaped};
use raglens::input::{ReadOptions, Source, TrecEvalReading, read_labels};
use raglens::judged::JudgedRanking;
use raglens::labels::{DuplicateLabels, Labels};
use raglens::measure::{Measure, Reads, Shown};
use raglens::notes::{NoteKind, Notes, Severity};
use raglens::run::Ties;
use raglens::scores::QueryScores;
use raglens::stream::{FileError, FileScores, evaluate_file};

use super::columns::{self, Column, Kind};
use super::options::{LabelsFormat, Options, Version};
use super::status::{self, Stop};
use super::zscores::Zscores;
use crate::cli::console::Console;
use crate::cli::join;
use crate::cli::output::Output;
use crate::cli::progress;
use crate::render::trec_eval::{self as view, Printed, Report};

/// The smallest value that takes part in a geometric mean.
const FLOOR: f64 = 1e-5;

/// Evaluates a run.
///
/// # Errors
/// When a file cannot be read, or what trec_eval stops at.
pub fn run(options: &Options, console: &Console) -> Result<Output, Stop> {
    let columns = columns::choose(options)?;
    let zscores = options.zscores.as_ref().map(|path| Zscores::read(path, options.lenient)).transpose()?;
    let mut notes = Notes::default();
    let labels = labels(options, &mut notes)?;
    let measures = measures(&columns, &labels)?;
    let scores = score(options, &labels, &measures, &mut notes)?;
    let evaluation = Evaluation { options, columns: &columns, measures: &measures, labels: &labels, zscores };
    let report = evaluation.report(scores, &mut notes)?;
    let messages = console.messages(&[], &notes.only(is_shown));
    Ok(Output { result: view::render(&report), messages, ..Output::default() })
}

/// Whether a note is worth a line on standard error, where trec_eval prints nothing.
fn is_shown(kind: NoteKind) -> bool {
    kind.severity() == Severity::Warning || matches!(kind, NoteKind::NotInCommon | NoteKind::SkippedHeader)
}

fn reading(options: &Options, format: &str) -> ReadOptions {
    let duplicate_labels = match options.format {
        LabelsFormat::Qrels => DuplicateLabels::Error,
        // Several groups judge a document.
        _ => DuplicateLabels::Max,
    };
    let trec_eval = Some(TrecEvalReading { lenient: options.lenient });
    ReadOptions {
        format: Some(format.to_owned()),
        progress: Some(progress::shared()),
        trec_eval,
        duplicate_labels,
        ..ReadOptions::default()
    }
}

fn labels(options: &Options, notes: &mut Notes) -> Result<Labels, Stop> {
    let source = Source::open(&options.labels).map_err(Stop::input)?;
    let (labels, _) = read_labels(source, &reading(options, options.format.name()), notes).map_err(Stop::input)?;
    match labels.copies() {
        0 => Ok(labels),
        _ if options.format != LabelsFormat::Qrels => Ok(labels),
        copies => Err(Stop::copies(&options.labels, copies)),
    }
}

/// What is computed: the measures of the columns, behind one that every query counts in.
fn measures(columns: &[Column], labels: &Labels) -> Result<Vec<Measure>, Stop> {
    let computed = columns.iter().filter(|column| column.kind != Kind::RunName);
    let labels_of = std::iter::once("num_q").chain(computed.map(|column| column.measure.label()));
    let facts = labels.facts();
    let bound = labels_of.map(|label| Measure::parse(label).and_then(|measure| measure.bind(&facts)));
    bound.collect::<Result<_, _>>().map_err(|error| Stop::new(status::INPUT, error.to_string()))
}

fn score<'m>(
    options: &Options,
    labels: &'m Labels,
    measures: &'m [Measure],
    notes: &mut Notes,
) -> Result<FileScores<'m>, Stop> {
    let counts_missing = options.complete && options.version == Version::Ten;
    let rules = Rules {
        rel: options.level as f64,
        over: if counts_missing { Over::All } else { Over::Common },
        no_relevant: NoRelevant::Score,
        ties: ties(options),
        depth: options.depth,
        judged_only: options.judged_only,
        texts: true,
        ..Rules::default()
    };
    let source = Source::open(&options.run).map_err(Stop::input)?;
    evaluate_file(source, &reading(options, "trec"), labels, measures, &rules, notes).map_err(|error| match error {
        FileError::Input(error) => Stop::input(error),
        FileError::Evaluate(EvaluateError::Ranking(fault)) => Stop::input(fault.in_file(&options.run, None)),
        other => Stop::new(status::INPUT, other.to_string()),
    })
}

/// trec_eval orders equal scores the other way round where it counts preferences.
fn ties(options: &Options) -> Ties {
    match (options.format, options.version) {
        (LabelsFormat::Preferences | LabelsFormat::QrelsAsPreferences, _) => Ties::IdAscending,
        (_, Version::Nine) => Ties::TrecSingle,
        (_, Version::Ten) => Ties::Trec,
    }
}

/// Everything that is printed comes from here.
struct Evaluation<'a> {
    options: &'a Options,
    columns: &'a [Column],
    measures: &'a [Measure],
    labels: &'a Labels,
    zscores: Option<Zscores>,
}

/// The number or the text of one column for one query.
#[derive(Debug, Clone)]
enum Value {
    Number(f64),
    Text(String),
}

fn is_per_query(column: &&Column) -> bool {
    column.shown != Shown::Summary
}

fn cell(row: &QueryScores, index: usize) -> Value {
    Value::Number(row.cell(index).value().unwrap_or(0.0))
}

impl Evaluation<'_> {
    fn report(&self, scores: FileScores<'_>, notes: &mut Notes) -> Result<Report, Stop> {
        let FileScores { table, tag, documents, .. } = scores;
        if let Some(documents) = &documents {
            notes.add(NoteKind::NoDocumentInCommon, &self.options.run, || join::ids_of_both(documents));
        }
        let missing: HashSet<&Id> = table.join.missing.iter().copied().filter(|query| self.is_wanted(query)).collect();
        self.check_missing(&table.join.missing, notes)?;
        let mut rows: Vec<QueryScores> = table.rows.iter().filter(|row| self.is_wanted(row.query)).collect();
        rows.sort_by_key(|row| row.query);
        if rows.is_empty() {
            let paths = [self.options.labels.as_str(), self.options.run.as_str()];
            return Err(match &self.options.only {
                Some(only) => Stop::new(
                    status::NO_QUERY,
                    format!("no query `{}` has labels and results", escaped(only.as_bytes())),
                ),
                None => Stop::nothing_in_common(self.labels, &table.join.ignored, paths),
            });
        }
        let values: Vec<Vec<Value>> = rows.iter().map(|row| self.values(row, missing.contains(row.query))).collect();
        let mut report = Report::default();
        if self.options.per_query {
            report.names = self.columns.iter().filter(is_per_query).map(|column| self.name(column)).collect();
            report.queries = rows.iter().zip(&values).map(|(row, values)| self.query(row, values)).collect();
        }
        if self.options.summary {
            report.summary = self.summary(&values, tag.as_deref().unwrap_or_default());
        }
        Ok(report)
    }

    /// Whether a query is evaluated: all are, unless one is chosen.
    fn is_wanted(&self, query: &Id) -> bool {
        self.options.only.as_ref().is_none_or(|only| only.as_bytes() == query.as_bytes())
    }

    /// Names the queries without results that are left out, or stops at them.
    fn check_missing(&self, missing: &[&Id], notes: &mut Notes) -> Result<(), Stop> {
        let mut missing = missing.iter().copied().filter(|query| self.is_wanted(query)).peekable();
        if self.options.complete || missing.peek().is_none() {
            return Ok(());
        }
        notes.add_all(NoteKind::NotInCommon, &self.options.run, missing.clone());
        match self.options.strict {
            true => Err(Stop::missing(&self.options.run, missing)),
            false => Ok(()),
        }
    }

    /// The name as it is printed.
    fn name(&self, column: &Column) -> String {
        let is_converted = self.zscores.is_some() && !matches!(column.kind, Kind::Text | Kind::RunName);
        // The letter stands in front of the padded name.
        if is_converted { format!("Z{:<22}", column.name) } else { column.name.clone() }
    }

    /// The values of all columns for one query.
    fn values(&self, row: &QueryScores, is_missing: bool) -> Vec<Value> {
        let (mut index, mut texts) = (0, row.texts.iter());
        let values = self.columns.iter().map(|column| {
            if column.kind == Kind::RunName {
                return Value::Number(0.0);
            }
            index += 1;
            let text = if self.measures[index].is_text() { texts.next() } else { None };
            let value = match (is_missing, text) {
                (true, _) => self.missing(column, index, row),
                (false, Some(text)) => Value::Text(text.clone()),
                (false, None) => cell(row, index),
            };
            match (value, &self.zscores) {
                (Value::Number(number), Some(zscores)) => Value::Number(zscores.of(row.query, &column.name, number)),
                (value, _) => value,
            }
        });
        values.collect()
    }

    /// What trec_eval 10 gives a query without results: the value of a ranking that holds one
    /// document which nobody judged, and nothing for some measures if they have their defaults.
    fn missing(&self, column: &Column, index: usize, row: &QueryScores) -> Value {
        let measure = &self.measures[index];
        let name = column.name.as_str();
        if ["num_ret", "utility", "rbp_resid"].contains(&name) || name.starts_with("unj") {
            return Value::Number(0.0);
        }
        if measure.reads() != Reads::Grades {
            return cell(row, index);
        }
        let retrieved = u64::from(!self.options.judged_only && self.options.depth != Some(0));
        let ranking = JudgedRanking::new(&[], retrieved, self.labels.queries()[row.position].ideal());
        match measure.text(&ranking) {
            Some(_) if name == "relstring" => Value::Text(String::new()),
            Some(text) => Value::Text(text),
            None => Value::Number(measure.score(&ranking).unwrap_or(0.0)),
        }
    }

    fn query(&self, row: &QueryScores, values: &[Value]) -> (String, Vec<Printed>) {
        let printed = self.columns.iter().zip(values).filter(|(column, _)| is_per_query(column));
        let printed = printed.map(|(column, value)| match value {
            Value::Text(text) => Printed::Text(format!("'{text}'")),
            Value::Number(number) => self.number(column, *number),
        });
        (row.query.to_string(), printed.collect())
    }

    fn number(&self, column: &Column, number: f64) -> Printed {
        let is_count = matches!(column.kind, Kind::Count | Kind::Queries);
        if is_count && self.zscores.is_none() { Printed::Count(number) } else { Printed::Number(number) }
    }

    /// The lines of all queries together.
    fn summary(&self, values: &[Vec<Value>], tag: &str) -> Vec<(String, Printed)> {
        let lines = self.columns.iter().enumerate().filter_map(|(index, column)| {
            let of_query = values.iter().map(|values| match values[index] {
                Value::Number(number) => number,
                Value::Text(_) => 0.0,
            });
            // In the order of the queries, which decides about the last digit.
            let sum = of_query.fold(0.0, |sum, value| sum + value);
            let printed = match column.kind {
                Kind::Text => return None,
                Kind::RunName => Printed::Text(tag.to_owned()),
                _ => self.number(column, self.mean(column, sum, values.len() as f64)),
            };
            Some((self.name(column), printed))
        });
        lines.collect()
    }

    /// The value of all queries together from their sum.
    fn mean(&self, column: &Column, sum: f64, evaluated: f64) -> f64 {
        let queries = if self.options.complete { self.labels.queries().len() as f64 } else { evaluated };
        match column.kind {
            Kind::Queries => queries,
            Kind::Count if column.name == "num_rel" && self.options.complete => self.relevant(),
            Kind::Count => sum,
            // A query that is not evaluated counts as one at the floor.
            Kind::GeometricMean => libm::exp((sum + (queries - evaluated) * libm::log(FLOOR)) / queries),
            _ => sum / queries,
        }
    }

    /// Number of relevant documents of all queries of the labels; 9.0 looks for grades above 0
    /// there, whatever `-l` says.
    fn relevant(&self) -> f64 {
        let level = if self.options.version == Version::Nine { 1 } else { self.options.level };
        self.labels.relevant(level as f64) as f64
    }
}
