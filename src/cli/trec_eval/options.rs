//! What the arguments ask for.

use raglens::id::escaped;

use super::getopt::{Argument, Opt};
use super::request::Request;
use super::status::{self, Stop};

/// What is asked for.
#[derive(Debug)]
pub enum Wish {
    /// The version.
    Version,
    /// Help, with what is said about some measures.
    Help(Vec<Request>),
    /// An evaluation.
    Evaluate(Box<Options>),
}

/// An evaluation and how it is done.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The path of the labels.
    pub labels: String,
    /// The path of the run; `-` is standard input.
    pub run: String,
    /// The measures.
    pub requests: Vec<Request>,
    /// The format of the labels.
    pub format: LabelsFormat,
    /// Whether there are lines for every query.
    pub per_query: bool,
    /// Whether there are lines for all queries together.
    pub summary: bool,
    /// Whether means are over all queries of the labels.
    pub complete: bool,
    /// Grade from which a document is relevant.
    pub level: i64,
    /// Whether results that nobody judged are removed.
    pub judged_only: bool,
    /// How many results of a query are looked at.
    pub depth: Option<usize>,
    /// Number of documents in the collection.
    pub collection: u64,
    /// The only query that is evaluated.
    pub only: Option<String>,
    /// The path of the means and standard deviations for Z scores.
    pub zscores: Option<String>,
    /// Whether what trec_eval 10 stops at is an error.
    pub strict: bool,
    /// Whether numbers are read as C reads them.
    pub lenient: bool,
    /// The version whose output is wanted.
    pub version: Version,
}

/// How the file of labels is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LabelsFormat {
    /// A grade a document.
    #[default]
    Qrels,
    /// The same for several judgment groups, named by the second column.
    Groups,
    /// Levels within the parts of judgment groups, in five columns.
    Preferences,
    /// Levels within judgment groups, in four columns.
    QrelsAsPreferences,
}

/// The version of trec_eval whose output is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Version {
    /// 9.0: before scores had 64 bits and recall points were rounded otherwise.
    Nine,
    /// 10.0.
    #[default]
    Ten,
}

/// The values of `-R`.
const FORMATS: [(&str, LabelsFormat); 4] = [
    ("qrels", LabelsFormat::Qrels),
    ("qrels_jg", LabelsFormat::Groups),
    ("prefs", LabelsFormat::Preferences),
    ("qrels_prefs", LabelsFormat::QrelsAsPreferences),
];

/// The only value of `-T`.
const RUN_FORMAT: &str = "trec_results";

impl LabelsFormat {
    /// Its name.
    pub fn name(self) -> &'static str {
        FORMATS.iter().find(|(_, format)| *format == self).map_or("", |(name, _)| name)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            labels: String::new(),
            run: String::new(),
            requests: Vec::new(),
            format: LabelsFormat::default(),
            per_query: false,
            summary: true,
            complete: false,
            level: 1,
            judged_only: false,
            depth: None,
            collection: 0,
            only: None,
            zscores: None,
            strict: false,
            lenient: false,
            version: Version::default(),
        }
    }
}

/// Reads the arguments, as far as `end` says that they are in order.
///
/// # Errors
/// The first thing that is wrong with them.
pub fn read(arguments: Vec<Argument>, end: Result<(), String>) -> Result<Wish, Stop> {
    let (mut options, mut operands, mut wants_help) = (Options::default(), Vec::new(), false);
    for argument in arguments {
        match argument {
            Argument::Operand(path) => operands.push(path),
            Argument::Option(Opt::Help, _) => wants_help = true,
            Argument::Option(Opt::Version, _) => return Ok(Wish::Version),
            Argument::Option(opt, value) => options.take(opt, value)?,
        }
    }
    end.map_err(|sentence| usage(&sentence))?;
    if wants_help {
        return Ok(Wish::Help(options.requests));
    }
    let [labels, run] = <[String; 2]>::try_from(operands).map_err(|operands| wrong_number(&operands))?;
    if labels == "-" && run == "-" {
        return Err(usage("standard input (`-`) can be read only once"));
    }
    if options.requests.is_empty() {
        options.requests = vec![Request { name: "official".to_owned(), parameters: None }];
    }
    Ok(Wish::Evaluate(Box::new(Options { labels, run, ..options })))
}

impl Options {
    fn take(&mut self, opt: Opt, value: String) -> Result<(), Stop> {
        match opt {
            Opt::PerQuery => self.per_query = true,
            Opt::Measure => self.requests.push(Request::read(&value)?),
            Opt::Complete => self.complete = true,
            Opt::Level => self.level = level(&value)?,
            Opt::NoSummary => self.summary = false,
            Opt::Debug => self.only = value.split_once('.').map(|(_, query)| query.to_owned()),
            Opt::JudgedOnly => self.judged_only = true,
            Opt::Collection => self.collection = amount("-N", &value)?,
            Opt::Depth => self.depth = Some(amount("-M", &value)?),
            Opt::LabelsFormat => self.format = labels_format(&value)?,
            Opt::RunFormat if value == RUN_FORMAT => {}
            Opt::RunFormat => return Err(unknown_format("-T", &value, RUN_FORMAT)),
            Opt::Zscores => self.zscores = Some(value),
            Opt::Strict => self.strict = true,
            Opt::Lenient => self.lenient = true,
            Opt::Like => self.version = version(&value)?,
            Opt::OldOutput | Opt::Help | Opt::Version => {}
        }
        Ok(())
    }
}

fn whole(option: &str, value: &str) -> Result<i64, Stop> {
    value.trim().parse().map_err(|_| usage(&format!("{option} takes a whole number, not `{}`", shown(value))))
}

fn level(value: &str) -> Result<i64, Stop> {
    let level = whole("-l", value)?;
    let refused = || usage(&format!("-l takes a grade from 0 on, not {level}: a negative grade says \"not judged\""));
    if level < 0 { Err(refused()) } else { Ok(level) }
}

/// A number of documents.
fn amount<T: TryFrom<i64>>(option: &str, value: &str) -> Result<T, Stop> {
    let wrong = |_| usage(&format!("{option} takes a number from 0 on, not {value}"));
    whole(option, value)?.try_into().map_err(wrong)
}

fn labels_format(value: &str) -> Result<LabelsFormat, Stop> {
    let known = FORMATS.map(|(name, _)| name).join(", ");
    let found = FORMATS.iter().find(|(name, _)| *name == value);
    found.map(|(_, format)| *format).ok_or_else(|| unknown_format("-R", value, &known))
}

fn unknown_format(option: &str, value: &str, known: &str) -> Stop {
    Stop::new(status::INPUT, format!("{option} knows no format `{}`", shown(value)))
        .with_help(format!("it takes {known}"))
}

/// `9`, `9.0.4`, `10`, `10.0-rc3`.
fn version(value: &str) -> Result<Version, Stop> {
    match value.split('.').next() {
        Some("9") => Ok(Version::Nine),
        Some("10") => Ok(Version::Ten),
        _ => Err(usage(&format!("--like takes 9 or 10, not `{}`", shown(value)))),
    }
}

fn wrong_number(operands: &[String]) -> Stop {
    let found = match operands {
        [] => "no file".to_owned(),
        [one] => format!("only `{}`", shown(one)),
        many => format!("{} files", many.len()),
    };
    usage(&format!("expected labels and a run, found {found}"))
}

/// Wrong usage, with how it is done.
fn usage(sentence: &str) -> Stop {
    let help = "raglens trec_eval [-q] [-c] [-l GRADE] [-m MEASURE]... LABELS RUN";
    Stop::new(status::USAGE, sentence).with_help(format!("`raglens trec_eval -h` shows every option\n{help}"))
}

fn shown(text: &str) -> String {
    escaped(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::super::getopt;
    use super::*;

    fn read_line(line: &str) -> Result<Wish, Stop> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let (arguments, end) = getopt::parse(&words);
        read(arguments, end)
    }

    fn options(line: &str) -> Options {
        match read_line(line) {
            Ok(Wish::Evaluate(options)) => *options,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn without_measures_the_official_ones_are_meant() {
        let options = options("-q -l2 -M100 qrels run");
        assert_eq!(options.requests, [Request { name: "official".to_owned(), parameters: None }]);
        assert_eq!((options.level, options.depth, options.per_query), (2, Some(100), true));
        assert_eq!((options.labels.as_str(), options.run.as_str()), ("qrels", "run"));
    }

    #[test]
    fn one_query_is_chosen_behind_the_level_of_debugging() {
        assert_eq!(options("-D 3.q.1 a b").only.as_deref(), Some("q.1"));
        assert_eq!(options("-D 3 a b").only, None);
    }

    #[test]
    fn the_first_thing_that_is_wrong_decides() {
        let status = |line: &str| read_line(line).unwrap_err().status;
        assert_eq!([status("-m nothing -h"), status("a"), status("-l -1 a b"), status("-x")], [1, 1, 1, 1]);
        assert_eq!([status("-R other a b"), status("-T other a b")], [2, 2]);
        assert!(matches!(read_line("-v -x"), Ok(Wish::Version)));
        assert!(matches!(read_line("-h"), Ok(Wish::Help(_))));
    }
}
