//! The columns that are asked for: one a line of output, each a measure of raglens.

use std::fmt::Write as _;

use raglens::input::{c_float, c_integer};
use raglens::measure::{Measure, Reads, Spec, SpecError};

use super::options::{LabelsFormat, Options, Version};
use super::status::{self, Stop};
use super::table::{self, ROWS, Row, Shows, Takes};

/// One line of output, for every query, for all of them, or both.
#[derive(Debug)]
pub struct Column {
    /// The measure of trec_eval.
    pub row: &'static Row,
    /// The name that is printed.
    pub name: String,
    /// What it is computed with; `None` for the name of the run.
    pub measure: Option<Measure>,
}

/// The parameters of one column.
#[derive(Debug, Clone, PartialEq)]
enum Parameters {
    /// None: the defaults.
    Default,
    /// A rank.
    Cutoff(u64),
    /// A share of the relevant documents.
    Level(f64),
    /// Numbers, as they were written too.
    Numbers(String, Vec<f64>),
    /// Names with numbers, as they were written too.
    Pairs(String, Vec<(String, f64)>),
}

/// The columns in the order in which they are printed.
///
/// # Errors
/// When parameters do not fit their measure, or a measure needs another format of labels.
pub fn choose(options: &Options) -> Result<Vec<Column>, Stop> {
    let mut columns = Vec::new();
    for row in ROWS {
        let is_of = |name: &str| table::members(name).contains(&row);
        let requests: Vec<_> = options.requests.iter().filter(|request| is_of(&request.name)).collect();
        if requests.is_empty() || row.is_new && options.version == Version::Nine {
            continue;
        }
        // Parameters of a nickname mean nothing, as those of a measure that takes none.
        let own = requests.iter().filter(|request| request.name == row.name);
        let texts: Vec<&str> = own.filter_map(|request| request.parameters.as_deref()).collect();
        for parameters in parameters(row, &texts)? {
            columns.push(column(row, &parameters, options)?);
        }
    }
    Ok(columns)
}

/// The parameters of each column of a measure: what repeated requests ask for adds up.
fn parameters(row: &Row, texts: &[&str]) -> Result<Vec<Parameters>, Stop> {
    let mut all = Vec::new();
    match row.takes {
        Takes::Nothing => all.push(Parameters::Default),
        Takes::Cutoffs(defaults) => {
            let mut cutoffs = if texts.is_empty() { defaults.to_vec() } else { Vec::new() };
            for text in texts {
                cutoffs.extend(each_once(row, text, self::cutoffs(row, text)?)?);
            }
            cutoffs.sort_unstable();
            cutoffs.dedup();
            all.extend(cutoffs.into_iter().map(Parameters::Cutoff));
        }
        Takes::Levels(defaults) => {
            let mut levels = if texts.is_empty() { defaults.to_vec() } else { Vec::new() };
            for text in texts {
                levels.extend(each_once(row, text, numbers(text))?);
            }
            levels.sort_by(f64::total_cmp);
            levels.dedup();
            all.extend(levels.into_iter().map(Parameters::Level));
        }
        Takes::Numbers(_) | Takes::Pairs if texts.is_empty() => all.push(Parameters::Default),
        Takes::Numbers(defaults) => {
            for text in texts {
                let numbers = numbers(text);
                if row.name == "utility" && numbers.len() != defaults.len() {
                    return Err(wrong(status::QUERY, row, text, "four coefficients: utility.1,-1,0,0"));
                }
                all.push(Parameters::Numbers((*text).to_owned(), numbers));
            }
        }
        Takes::Pairs => {
            for text in texts {
                all.push(Parameters::Pairs((*text).to_owned(), pairs(row, text)?));
            }
        }
    }
    let mut seen: Vec<Parameters> = Vec::new();
    all.retain(|parameters| {
        let is_first = !seen.contains(parameters);
        seen.push(parameters.clone());
        is_first
    });
    Ok(all)
}

fn numbers(text: &str) -> Vec<f64> {
    text.split(',').map(|number| c_float(number.as_bytes())).collect()
}

/// Ranks as C reads them: of `23.4` remains 23.
fn cutoffs(row: &Row, text: &str) -> Result<Vec<u64>, Stop> {
    let rank = |text: &str| u64::try_from(c_integer(text.as_bytes())).ok().filter(|&rank| rank > 0);
    let ranks: Option<Vec<u64>> = text.split(',').map(rank).collect();
    ranks.ok_or_else(|| wrong(status::INPUT, row, text, "whole numbers from 1 as cutoffs"))
}

fn each_once<T: PartialEq>(row: &Row, text: &str, values: Vec<T>) -> Result<Vec<T>, Stop> {
    let is_repeated = |(index, value): (usize, &T)| values[..index].contains(value);
    match values.iter().enumerate().any(is_repeated) {
        true => Err(wrong(status::INPUT, row, text, "every cutoff once")),
        false => Ok(values),
    }
}

fn pairs(row: &Row, text: &str) -> Result<Vec<(String, f64)>, Stop> {
    let pair = |text: &str| {
        let (name, value) = text.split_once('=')?;
        (!value.contains('=')).then(|| (name.to_owned(), c_float(value.as_bytes())))
    };
    let pairs: Option<Vec<_>> = text.split(',').map(pair).collect();
    pairs.ok_or_else(|| wrong(status::INPUT, row, text, "pairs such as 1=3,2=9"))
}

fn wrong(status: u8, row: &Row, text: &str, expected: &str) -> Stop {
    let text = raglens::id::escaped(text.as_bytes());
    Stop::new(status, format!("{} takes {expected}, not `{text}`", row.name))
}

fn column(row: &'static Row, parameters: &Parameters, options: &Options) -> Result<Column, Stop> {
    let name = match parameters {
        Parameters::Default => row.name.to_owned(),
        Parameters::Cutoff(rank) => format!("{}_{rank}", row.name),
        Parameters::Level(level) => format!("{}_{level:.2}", row.name),
        Parameters::Numbers(text, _) | Parameters::Pairs(text, _) => format!("{}_{text}", row.name),
    };
    if row.shows == Shows::RunName {
        return Ok(Column { row, name, measure: None });
    }
    let measure = measure(row, parameters, options).map_err(|error| {
        let stop = Stop::new(status::INPUT, error.to_string());
        error.help().into_iter().fold(stop, Stop::with_help)
    })?;
    match fits(&measure, options.format) || row.shows == Shows::Queries {
        true => Ok(Column { row, name, measure: Some(measure) }),
        false => Err(other_format(row, measure.reads(), options.format)),
    }
}

/// The measure of raglens.
fn measure(row: &Row, parameters: &Parameters, options: &Options) -> Result<Measure, SpecError> {
    let mut text = name(row, options);
    // Memory takes every parameter.
    let _ = match (row.name, parameters) {
        (_, Parameters::Cutoff(rank)) => write!(text, "@{rank}"),
        (_, Parameters::Level(level)) => write!(text, "@{level}"),
        ("rbp", Parameters::Pairs(_, pairs)) if pairs.iter().all(|(name, _)| name != "p") => {
            write!(text, ":p=0.9{}", written(pairs))
        }
        ("rbp" | "rbp_resid", Parameters::Default) => write!(text, ":p=0.9"),
        (_, Parameters::Pairs(_, pairs)) => write!(text, "{}", written(pairs)),
        ("relstring", Parameters::Default) => write!(text, "@10"),
        ("relstring", Parameters::Numbers(_, numbers)) => write!(text, "@{}", numbers[0].trunc()),
        ("utility", Parameters::Numbers(_, prices)) => {
            let [a, b, c, d] = prices[..] else { unreachable!("four coefficients were asked for") };
            write!(text, ":a={a}:b={b}:c={c}:d={d}")
        }
        ("set_F", Parameters::Numbers(_, numbers)) => write!(text, ":x={}", numbers[0]),
        (_, Parameters::Numbers(_, levels)) => write!(text, ":levels={}", joined(levels)),
        (_, Parameters::Default) => Ok(()),
    };
    Spec::parse(&text)?.with_rel(options.level as f64).measure()
}

/// The name of the measure, with what belongs to every evaluation by trec_eval.
fn name(row: &Row, options: &Options) -> String {
    match row.name {
        "rbp" => "rbp:gain=query".to_owned(),
        "utility" => format!("utility:n={}", options.collection),
        "iprec_at_recall" | "11pt_avg" if options.version == Version::Nine => format!("{}:rounding=v9", row.name),
        name => name.to_owned(),
    }
}

fn written(pairs: &[(String, f64)]) -> String {
    pairs.iter().map(|(name, value)| format!(":{name}={value}")).collect()
}

fn joined(numbers: &[f64]) -> String {
    numbers.iter().map(f64::to_string).collect::<Vec<String>>().join("+")
}

/// Whether the labels hold what a measure reads.
fn fits(measure: &Measure, format: LabelsFormat) -> bool {
    match measure.reads() {
        Reads::Grades => format == LabelsFormat::Qrels,
        Reads::Groups => format == LabelsFormat::Groups,
        Reads::Preferences => matches!(format, LabelsFormat::Preferences | LabelsFormat::QrelsAsPreferences),
    }
}

fn other_format(row: &Row, reads: Reads, format: LabelsFormat) -> Stop {
    let (what, needed) = match reads {
        Reads::Grades => ("a grade a document", "-R qrels"),
        Reads::Groups => ("judgment groups", "-R qrels_jg"),
        Reads::Preferences => ("preferences", "-R prefs or -R qrels_prefs"),
    };
    Stop::new(status::QUERY, format!("{} needs {what}, which -R {} has not", row.name, format.name()))
        .with_help(format!("{needed} reads them"))
}
