//! The columns that are asked for: one a line of output, each a measure of raglens.

use raglens::measure::{Aggregate, Asked, Measure, Reads, Shown, SpecError, TREC_EVAL, TrecError, TrecMeasure};

use super::options::{LabelsFormat, Options, Version};
use super::status::{self, Stop};

/// One line of output, for every query, for all of them, or both.
#[derive(Debug)]
pub struct Column {
    /// The name that is printed.
    pub name: String,
    /// What it is computed with.
    pub measure: Measure,
    /// What is printed.
    pub kind: Kind,
    /// In which lines it is printed.
    pub shown: Shown,
}

/// What is printed of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number with four decimals, and the mean.
    Mean,
    /// The geometric mean.
    GeometricMean,
    /// A whole number, and the sum.
    Count,
    /// The number of queries.
    Queries,
    /// The name of the run.
    RunName,
    /// A text for every query.
    Text,
}

/// What version 9 lacks.
const NEW_IN_TEN: [&str; 3] = ["rbp", "rbp_resid", "unj"];

/// What version 9 rounds in another way.
const ROUNDED: [&str; 2] = ["iprec_at_recall", "11pt_avg"];

/// The columns in the order in which they are printed.
///
/// # Errors
/// When parameters do not fit their measure, or a measure needs another format of labels.
pub fn choose(options: &Options) -> Result<Vec<Column>, Stop> {
    let is_there = |row: &&TrecMeasure| options.version == Version::Ten || !NEW_IN_TEN.contains(&row.name);
    let mut columns = Vec::new();
    for row in TREC_EVAL.iter().filter(is_there) {
        for (name, measure) in measures(row, options)? {
            let kind = kind(row, &measure);
            if !fits(&measure, kind, options.format) {
                return Err(other_format(row, measure.reads(), options.format));
            }
            columns.push(Column { name, measure, kind, shown: row.shown });
        }
    }
    Ok(columns)
}

/// What is asked for of a measure of trec_eval; repeated requests add up.
fn measures(row: &TrecMeasure, options: &Options) -> Result<Vec<(String, Measure)>, Stop> {
    let requests: Vec<_> = options.requests.iter().filter(|request| request.means(row)).collect();
    // Parameters of a nickname mean nothing.
    let own = requests.iter().filter(|request| request.name == row.name);
    let mut parameters: Vec<Option<&str>> = own.map(|request| request.parameters.as_deref()).collect();
    parameters.retain(Option::is_some);
    if parameters.is_empty() && !requests.is_empty() {
        parameters.push(None);
    }
    let asked = Asked { rel: options.level as f64, documents: options.collection };
    let mut found: Vec<(String, Measure)> = Vec::new();
    for parameters in parameters {
        let measures = row.measures(parameters, asked).map_err(|error| unfit(&error))?;
        let is_new = |(name, _): &(String, Measure)| found.iter().all(|(earlier, _)| earlier != name);
        let new: Vec<_> = measures.into_iter().filter(is_new).collect();
        found.extend(new);
    }
    let place = |measure: &Measure| {
        let params = measure.params();
        params.cutoff().map(|rank| rank as f64).or(params.level()).unwrap_or(0.0)
    };
    found.sort_by(|(_, a), (_, b)| place(a).total_cmp(&place(b)));
    if options.version == Version::Nine && ROUNDED.contains(&row.name) {
        let rounded = found.into_iter().map(|(name, measure)| Ok((name, rounded_as_in_nine(&measure)?)));
        return rounded.collect::<Result<_, SpecError>>().map_err(|error| Stop::new(status::INPUT, error.to_string()));
    }
    Ok(found)
}

/// The measure with recall points as version 9 rounds them.
fn rounded_as_in_nine(measure: &Measure) -> Result<Measure, SpecError> {
    let label = measure.label();
    let (front, at) = label.find('@').map_or((label, ""), |place| label.split_at(place));
    Measure::parse(&format!("{front}:rounding=v9{at}"))
}

fn kind(row: &TrecMeasure, measure: &Measure) -> Kind {
    match (row.name, measure.definition().aggregate) {
        ("runid", _) => Kind::RunName,
        ("num_q", _) => Kind::Queries,
        _ if measure.is_text() => Kind::Text,
        (_, Aggregate::Sum) => Kind::Count,
        (_, Aggregate::GeometricMean) => Kind::GeometricMean,
        (_, Aggregate::Mean) => Kind::Mean,
    }
}

/// Whether the labels hold what a measure reads.
fn fits(measure: &Measure, kind: Kind, format: LabelsFormat) -> bool {
    match measure.reads() {
        _ if matches!(kind, Kind::RunName | Kind::Queries) => true,
        // trec_eval knows no measure of passages or evidence.
        Reads::Grades | Reads::Passages | Reads::Evidence => format == LabelsFormat::Qrels,
        Reads::Groups => format == LabelsFormat::Groups,
        Reads::Preferences => matches!(format, LabelsFormat::Preferences | LabelsFormat::QrelsAsPreferences),
    }
}

fn other_format(row: &TrecMeasure, reads: Reads, format: LabelsFormat) -> Stop {
    let (what, needed) = match reads {
        Reads::Grades | Reads::Passages | Reads::Evidence => ("a grade a document", "-R qrels"),
        Reads::Groups => ("judgment groups", "-R qrels_jg"),
        Reads::Preferences => ("preferences", "-R prefs or -R qrels_prefs"),
    };
    Stop::new(status::QUERY, format!("{} needs {what}, which -R {} has not", row.name, format.name()))
        .with_help(format!("{needed} reads them"))
}

fn unfit(error: &TrecError) -> Stop {
    let status = match error {
        TrecError::Count { .. } => status::QUERY,
        _ => status::INPUT,
    };
    Stop::new(status, raglens::id::escaped(error.to_string().as_bytes()))
}
