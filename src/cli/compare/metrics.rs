//! Which measures are compared: those asked for, else a few that runs or saved scores have.

use raglens::compare::Metric;
use raglens::input::SavedRun;
use raglens::measure::{self, Better, Measure, SpecError};
use raglens::stats::summary::Range;

use super::args::CompareArgs;
use super::inputs::{Content, Input};
use crate::cli::config::Config;
use crate::cli::failure::Failure;
use crate::render::errors::Message;

/// The cutoff when none is given.
const CUTOFF: u64 = 5;
/// What is compared when runs are scored and nobody asked.
const DEFAULT: [&str; 3] = ["recall", "ndcg", "mrr"];
/// As many measures of saved scores are compared without being asked for.
const MOST_UNASKED: usize = 5;

/// The measures of a comparison.
#[derive(Debug)]
pub struct Chosen {
    /// Their names, each once.
    pub labels: Vec<String>,
    /// What runs are scored with; empty when everything is saved.
    pub measures: Vec<Measure>,
}

/// The measures that were asked for, else the primary one of the configuration, else the usual
/// ones; of saved scores alone those that all have.
///
/// # Errors
/// When one is unknown, or nobody can tell which are meant.
pub fn choose(args: &CompareArgs, inputs: &[Input], config: Option<&Config>) -> Result<Chosen, Failure> {
    let saved: Vec<&SavedRun> = inputs.iter().filter_map(Input::saved).collect();
    if saved.len() == inputs.len() {
        return Ok(Chosen { labels: of_saved(args, &saved)?, measures: Vec::new() });
    }
    let primary = config.and_then(|config| config.primary.as_deref());
    let measures = of_runs(args, primary)?;
    Ok(Chosen { labels: measures.iter().map(|measure| measure.label().to_owned()).collect(), measures })
}

fn of_runs(args: &CompareArgs, primary: Option<&str>) -> Result<Vec<Measure>, Failure> {
    let rel = args.conventions.rel;
    let first = [args.cutoffs.first().copied().unwrap_or(CUTOFF)];
    if asks_for_all(args) {
        let cutoffs = if args.cutoffs.is_empty() { &first[..] } else { &args.cutoffs[..] };
        return Ok(measure::all_set(cutoffs, rel)?);
    }
    let (text, cutoffs) = match (args.metric.is_empty(), primary) {
        (false, _) => (args.metric.join(","), &args.cutoffs[..]),
        (true, Some(primary)) => (primary.to_owned(), &args.cutoffs[..]),
        (true, None) => (DEFAULT.join(","), &first[..]),
    };
    Ok(measure::expand(&measure::parse_specs(&text)?, cutoffs, rel)?)
}

fn asks_for_all(args: &CompareArgs) -> bool {
    args.metric.iter().any(|text| text.trim().eq_ignore_ascii_case("all"))
}

fn of_saved(args: &CompareArgs, saved: &[&SavedRun]) -> Result<Vec<String>, Failure> {
    if args.metric.is_empty() || asks_for_all(args) {
        let common = in_all(saved);
        return match common.len() {
            0 => Err(nothing_in_common(saved)),
            count if count > MOST_UNASKED && args.metric.is_empty() => Err(too_many(&common)),
            _ => Ok(common),
        };
    }
    let mut labels: Vec<String> = Vec::new();
    for text in &args.metric {
        for label in expanded(text, args, saved)? {
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
    }
    Ok(labels)
}

/// The columns that all have, in the order of the first.
fn in_all(saved: &[&SavedRun]) -> Vec<String> {
    let Some((first, others)) = saved.split_first() else { return Vec::new() };
    let is_common = |metric: &&String| others.iter().all(|run| run.metric(metric).is_some());
    first.metrics.iter().filter(is_common).cloned().collect()
}

/// The columns that are meant by a comma list, cutoffs filled in where the columns have them.
fn expanded(text: &str, args: &CompareArgs, saved: &[&SavedRun]) -> Result<Vec<String>, Failure> {
    let own = |name: &str| saved.iter().find_map(|run| Some(run.metrics[run.metric(name)?].clone()));
    if let Some(name) = own(text) {
        return Ok(vec![name]);
    }
    let labels = |text: &str| -> Result<Vec<String>, SpecError> {
        let measures = measure::expand(&measure::parse_specs(text)?, &args.cutoffs, args.conventions.rel)?;
        Ok(measures.iter().map(|measure| measure.label().to_owned()).collect())
    };
    let as_in_file = |label: String| own(&label).unwrap_or(label);
    if text.contains('(') {
        return Ok(labels(text)?.into_iter().map(as_in_file).collect());
    }
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    let columns = names.flat_map(|name| match own(name) {
        Some(own) => vec![own],
        None => labels(name).unwrap_or_else(|_| vec![name.to_owned()]).into_iter().map(as_in_file).collect(),
    });
    Ok(columns.collect())
}

fn nothing_in_common(saved: &[&SavedRun]) -> Failure {
    let message = Message::new("the saved scores have no measure in common");
    let shown = saved.iter().map(|run| run.metrics.join(", "));
    shown.fold(message, Message::with_detail).into()
}

fn too_many(common: &[String]) -> Failure {
    let message = Message::new(format!("which of {} measures? -m chooses", common.len()));
    let example = common.iter().find(|label| label.starts_with("recall@")).unwrap_or(&common[0]);
    message.with_detail(common.join(", ")).with_help(format!("-m {example}; every measure is one more test")).into()
}

/// The column of a measure in saved scores.
///
/// # Errors
/// When they lack it, naming those they have.
pub fn column(run: &SavedRun, label: &str, shown: &str) -> Result<Vec<Option<f64>>, Failure> {
    let canonical = |name: &str| Measure::parse(name).ok().map(|measure| measure.label().to_owned());
    let same =
        || run.metrics.iter().position(|metric| canonical(label).is_some() && canonical(metric) == canonical(label));
    match run.metric(label).or_else(same) {
        Some(position) => Ok(run.column(position).collect()),
        None => {
            let message = Message::new(format!("{shown} has no `{label}`"));
            Err(message.with_detail(format!("it has: {}", run.metrics.join(", "))).into())
        }
    }
}

/// The metrics with their directions and ranges, as far as they are known or were given.
///
/// # Errors
/// When an option names a measure that is not compared, or a range is none.
pub fn metrics(labels: &[String], args: &CompareArgs) -> Result<Vec<Metric>, Failure> {
    let mut metrics: Vec<Metric> = labels.iter().map(|label| Metric::named(label)).collect();
    for name in &args.lower_better {
        let position = position(labels, name)?;
        metrics[position].better = Better::Lower;
    }
    for text in &args.range {
        let (name, range) = range(text)?;
        let position = position(labels, name)?;
        metrics[position].range = Some(range);
    }
    Ok(metrics)
}

/// The position of a measure among those compared.
///
/// # Errors
/// When it is not compared.
pub fn position(labels: &[String], name: &str) -> Result<usize, Failure> {
    let plain = |text: &str| text.trim().replace('@', "_");
    let canonical = |name: &str| Measure::parse(name).ok().map(|measure| measure.label().to_owned());
    let exact = labels.iter().position(|label| plain(label) == plain(name));
    let same = || labels.iter().position(|label| canonical(name).is_some() && canonical(label) == canonical(name));
    exact.or_else(same).ok_or_else(|| {
        let title = format!("`{name}` is not among the measures");
        Message::new(title).with_detail(format!("measures: {}", labels.join(", "))).with_help(instead(name)).into()
    })
}

/// What to write in place of a name that is not compared.
fn instead(name: &str) -> String {
    match Measure::parse(name) {
        Ok(measure) => format!("`-m {}` adds it", measure.label()),
        Err(SpecError::Unknown { nearest: Some(nearest), .. }) => format!("did you mean `{nearest}`?"),
        Err(_) => "-m adds measures".to_owned(),
    }
}

/// `name=low..high`
fn range(text: &str) -> Result<(&str, Range), Failure> {
    let parsed = text.rsplit_once('=').and_then(|(name, range)| {
        let (low, high) = range.split_once("..")?;
        let (low, high) = (low.trim().parse::<f64>().ok()?, high.trim().parse::<f64>().ok()?);
        let range = Range { low, high };
        (range.width().is_finite() && range.width() > 0.0).then_some((name, range))
    });
    parsed.ok_or_else(|| Message::new(format!("expected a range such as faithfulness=0..1, not `{text}`")).into())
}

impl Input {
    /// The scores, where they were saved.
    pub fn saved(&self) -> Option<&SavedRun> {
        match &self.content {
            Content::Saved(run, _) => Some(run),
            Content::Run(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_two_ends() {
        let (name, found) = range("faithfulness=0..5").unwrap();
        assert_eq!((name, found), ("faithfulness", Range { low: 0.0, high: 5.0 }));
        for text in ["x", "x=1", "x=1..0", "x=a..b", "x=0..inf"] {
            assert!(range(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_measure_is_found_under_its_other_names() {
        let labels = ["recall@5".to_owned(), "faithfulness".to_owned()];
        assert_eq!(position(&labels, "recall_5").ok(), Some(0));
        assert_eq!(position(&labels, "Recall@5").ok(), Some(0));
        assert!(position(&labels, "recall@10").is_err());
    }
}
