//! Options that choose measures.

use clap::Args;
use raglens::evaluate::Average;
use raglens::judged::LabelFacts;
use raglens::measure::{self, MAX_CUTOFF, Measure, SpecError};
use raglens::notes::NoteKind;

use super::failure::Failure;
use super::like::Like;

/// The cutoffs when none are given.
pub const CUTOFFS: [u64; 2] = [5, 10];

/// What is measured when nobody asks.
#[derive(Debug, Clone, Copy)]
pub struct DefaultSet<'a> {
    /// The cutoffs when none are given.
    pub cutoffs: &'a [u64],
    /// Whether gold passages are judged.
    pub is_of_passages: bool,
}

impl Default for DefaultSet<'_> {
    fn default() -> Self {
        Self { cutoffs: &CUTOFFS, is_of_passages: false }
    }
}

impl DefaultSet<'_> {
    fn measures(self, cutoffs: &[u64], rel: f64) -> Result<Vec<Measure>, SpecError> {
        if self.is_of_passages { measure::passage_set(cutoffs, rel) } else { measure::default_set(cutoffs, rel) }
    }
}

/// Options that choose measures.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Measures")]
pub struct MeasureArgs {
    /// Measures such as recall@5,ndcg@10; `all` for every one
    #[arg(short, long = "metric", value_name = "M", aliases = ["measure", "metrics", "measures"])]
    pub metric: Vec<String>,

    /// Cutoffs for measures without an @ [default: 5,10]
    #[arg(short = 'k', long, value_name = "K", value_delimiter = ',', value_parser = cutoff)]
    pub cutoffs: Vec<u64>,
}

/// What was chosen.
#[derive(Debug, Default)]
pub struct Chosen {
    /// The measures, in the order asked for, each once.
    pub measures: Vec<Measure>,
    /// The labels of those that were asked for by name, not as part of a set.
    pub named: Vec<String>,
    /// The labels of those of a set that have no micro average, or that the labels do not fit.
    pub left_out: Vec<(NoteKind, String)>,
}

impl MeasureArgs {
    /// The same with the measures and cutoffs of a tool where none are named.
    pub fn like(&self, tool: Option<&Like>) -> Self {
        let mut found = self.clone();
        if let Some((tool, measures)) =
            tool.and_then(|tool| Some((tool, tool.measures?))).filter(|_| self.metric.is_empty())
        {
            found.metric.push(measures.to_owned());
            if self.cutoffs.is_empty() {
                found.cutoffs.extend(tool.cutoffs);
            }
        }
        found
    }

    /// Whether nobody asked for certain measures.
    pub fn is_default(&self) -> bool {
        let mut items = self.items();
        self.metric.is_empty() || items.next().is_some_and(is_default) && items.next().is_none()
    }

    /// The cutoffs that are given, or those of the set.
    pub fn cutoffs<'a>(&'a self, set: DefaultSet<'a>) -> &'a [u64] {
        if self.cutoffs.is_empty() { set.cutoffs } else { &self.cutoffs }
    }

    /// What was asked for, item by item.
    fn items(&self) -> impl Iterator<Item = &str> {
        self.metric.iter().flat_map(|text| measure::split_list(text)).map(str::trim).filter(|item| !item.is_empty())
    }

    /// The measures that were asked for; `all` and `default` stand for sets.
    ///
    /// # Errors
    /// When one is unknown or its parameters are not allowed.
    pub fn choose(&self, set: DefaultSet<'_>, rel: f64, average: Average) -> Result<Chosen, Failure> {
        let cutoffs = self.cutoffs(set);
        let mut chosen = Chosen::default();
        if self.metric.is_empty() {
            chosen.add_set(set.measures(cutoffs, rel)?, average);
        } else if self.items().next().is_none() {
            measure::parse_specs(&self.metric.join(","))?;
        }
        for item in self.items() {
            match item {
                _ if item.eq_ignore_ascii_case("all") => chosen.add_set(measure::all_set(cutoffs, rel)?, average),
                _ if is_default(item) => chosen.add_set(set.measures(cutoffs, rel)?, average),
                _ => chosen.add_named(measure::expand(&measure::parse_specs(item)?, &self.cutoffs, rel)?),
            }
        }
        Ok(chosen)
    }
}

fn is_default(item: &str) -> bool {
    item.eq_ignore_ascii_case("default")
}

impl Chosen {
    /// The labels of the measures.
    pub fn labels(&self) -> Vec<String> {
        self.measures.iter().map(|measure| measure.label().to_owned()).collect()
    }

    /// Adds a set, without what cannot be averaged as asked.
    fn add_set(&mut self, measures: Vec<Measure>, average: Average) {
        let fits = |measure: &Measure| average == Average::Macro || measure.can_be_pooled();
        let (fitting, others): (Vec<Measure>, Vec<Measure>) = measures.into_iter().partition(fits);
        self.leave_out(NoteKind::NoMicroAverage, &others);
        self.add(fitting);
    }

    fn add_named(&mut self, measures: Vec<Measure>) {
        self.named.extend(measures.iter().map(|measure| measure.label().to_owned()));
        self.add(measures);
    }

    fn add(&mut self, measures: Vec<Measure>) {
        for measure in measures {
            if self.measures.iter().all(|earlier| earlier.label() != measure.label()) {
                self.measures.push(measure);
            }
        }
    }

    fn leave_out(&mut self, why: NoteKind, measures: &[Measure]) {
        self.left_out.extend(measures.iter().map(|measure| (why, measure.label().to_owned())));
    }

    /// The same once the labels are known. What nobody asked for by name is left out where the
    /// grades are too large for it.
    ///
    /// # Errors
    /// When the labels do not fit a measure that was asked for.
    pub fn bind(mut self, facts: &LabelFacts) -> Result<Self, SpecError> {
        let named = &self.named;
        let is_too_large = |measure: &Measure| {
            !named.iter().any(|label| label == measure.label())
                && matches!(measure.check(facts), Err(SpecError::GradeTooLarge { .. }))
        };
        let (others, fitting): (Vec<Measure>, Vec<Measure>) = self.measures.into_iter().partition(is_too_large);
        self.measures = bind(fitting, facts)?;
        self.left_out.extend(others.iter().map(|measure| (NoteKind::GradesTooLarge, measure.label().to_owned())));
        Ok(self)
    }
}

pub(super) fn cutoff(text: &str) -> Result<u64, String> {
    let number = text.trim().parse::<u64>().ok().filter(|number| (1..=MAX_CUTOFF).contains(number));
    number.ok_or_else(|| format!("a cutoff is a whole number from 1 to {MAX_CUTOFF}"))
}

/// The measures once the labels are known.
///
/// # Errors
/// When the labels do not fit one of them.
pub fn bind(measures: Vec<Measure>, facts: &LabelFacts) -> Result<Vec<Measure>, SpecError> {
    measures.into_iter().map(|measure| measure.bind(facts)).collect()
}
