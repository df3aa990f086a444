//! Options that choose measures.

use clap::Args;
use raglens::evaluate::Average;
use raglens::judged::LabelFacts;
use raglens::measure::{self, Measure, SpecError};

use super::failure::Failure;

/// The cutoffs when none are given.
const CUTOFFS: [u64; 2] = [5, 10];

/// Options that choose measures.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Measures")]
pub struct MeasureArgs {
    /// Measures such as recall@5,ndcg@10; `all` for every one
    #[arg(short, long = "metric", value_name = "M", alias = "measure")]
    pub metric: Vec<String>,

    /// Cutoffs for measures without an @ [default: 5,10]
    #[arg(short = 'k', long, value_name = "K", value_delimiter = ',', value_parser = cutoff)]
    pub cutoffs: Vec<u64>,
}

impl MeasureArgs {
    /// Whether nobody asked for certain measures.
    pub fn is_default(&self) -> bool {
        self.metric.is_empty()
    }

    /// The measures, in the order asked for, each once.
    ///
    /// # Errors
    /// When one is unknown or its parameters are not allowed.
    pub fn measures(&self, rel: f64, average: Average) -> Result<Vec<Measure>, Failure> {
        let cutoffs = if self.cutoffs.is_empty() { &CUTOFFS[..] } else { &self.cutoffs[..] };
        if self.is_default() {
            let mut measures = measure::default_set(cutoffs, rel)?;
            measures.retain(|measure| average == Average::Macro || measure.can_be_pooled());
            return Ok(measures);
        }
        if self.metric.iter().any(|text| text.trim().eq_ignore_ascii_case("all")) {
            return Ok(measure::all_set(cutoffs, rel)?);
        }
        let specs = measure::parse_specs(&self.metric.join(","))?;
        Ok(measure::expand(&specs, &self.cutoffs, rel)?)
    }
}

pub(super) fn cutoff(text: &str) -> Result<u64, String> {
    let number = text.trim().parse::<u64>().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "a cutoff is a whole number from 1".to_owned())
}

/// The measures once the labels are known.
///
/// # Errors
/// When the labels do not fit one of them.
pub fn bind(measures: Vec<Measure>, facts: &LabelFacts) -> Result<Vec<Measure>, SpecError> {
    measures.into_iter().map(|measure| measure.bind(facts)).collect()
}
