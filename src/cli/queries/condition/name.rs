//! The parts of a query's row that have a name: measures, ranks, the change, tags.

use raglens::measure::Measure;

use crate::cli::failure::Failure;
use crate::render::errors::Message;
use crate::render::queries::report::Row;

/// A part of a query's row, as it is written: `recall@5`, `first[dense]`, `intent`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    pub(super) text: String,
    run: Option<String>,
}

impl Name {
    /// Reads a name, with a run in brackets behind it.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        match text.strip_suffix(']').and_then(|text| text.rsplit_once('[')) {
            Some((name, run)) => Self { text: name.trim().to_owned(), run: Some(run.trim().to_owned()) },
            None => Self { text: text.to_owned(), run: None },
        }
    }

    /// The measure that it names, if it names one and no tag is called so.
    pub fn measure(&self, tags: &[String]) -> Option<Measure> {
        let is_other = ["delta", "first"].contains(&self.text.as_str()) || tags.contains(&self.text);
        Measure::parse(&self.text).ok().filter(|_| !is_other)
    }

    /// The part that it names.
    ///
    /// # Errors
    /// When there is no such part or run.
    pub fn resolve(&self, known: &Known) -> Result<Part, Failure> {
        let run = self.run.as_ref().map(|run| known.run(run)).transpose()?;
        let label = Measure::parse(&self.text).map_or_else(|_| self.text.clone(), |measure| measure.label().to_owned());
        let field = match known.metrics.iter().position(|metric| *metric == label || *metric == self.text) {
            _ if self.text == "delta" => Field::Delta,
            _ if self.text == "first" => Field::First,
            _ if known.tags.contains(&self.text) => Field::Tag(self.text.clone()),
            Some(metric) => Field::Value(metric),
            None => return Err(known.lacks(&self.text)),
        };
        match field {
            Field::First if !known.has_rankings => {
                Err(Message::new("saved scores have no rankings: `first` takes runs").into())
            }
            Field::Delta if known.runs.len() < 2 => {
                Err(Failure::new("`delta` is the change from the first run to the last", "name a second run"))
            }
            Field::Delta | Field::Tag(_) if run.is_some() => {
                Err(Message::new(format!("`{}` does not belong to one run", self.text)).into())
            }
            field => Ok(Part { field, run }),
        }
    }
}

/// What can be named.
pub struct Known {
    /// The names of the runs.
    pub runs: Vec<String>,
    /// The labels of the measures.
    pub metrics: Vec<String>,
    /// The names of the tags.
    pub tags: Vec<String>,
    /// Whether the rankings of every run are known, not its scores alone.
    pub has_rankings: bool,
}

impl Known {
    fn run(&self, name: &str) -> Result<usize, Failure> {
        let found = self.runs.iter().position(|run| run == name);
        found.ok_or_else(|| {
            let message = Message::new(format!("no run is called `{name}`"));
            message.with_detail(format!("there are: {}", self.runs.join(", "))).into()
        })
    }

    /// A tag that some query has.
    ///
    /// # Errors
    /// When none has it.
    pub fn tag<'t>(&self, name: &'t str) -> Result<&'t str, Failure> {
        match self.tags.iter().any(|tag| tag == name) {
            true => Ok(name),
            false => Err(self.lacks(name)),
        }
    }

    fn lacks(&self, name: &str) -> Failure {
        let tags = if self.tags.is_empty() { "none".to_owned() } else { self.tags.join(", ") };
        let message = Message::new(format!("`{name}` is no measure, no tag, and neither `first` nor `delta`"));
        let message = message.with_detail(format!("measures: {}", self.metrics.join(", ")));
        let message = message.with_detail(format!("tags: {tags}"));
        match Measure::parse(name).err().and_then(|error| error.help()) {
            Some(help) => message.with_help(help).into(),
            None => message.into(),
        }
    }
}

/// Which part it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Field {
    Delta,
    First,
    Value(usize),
    Tag(String),
}

/// A part of a query's row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub(super) field: Field,
    run: Option<usize>,
}

impl Part {
    /// Its numbers: one a run, unless it belongs to one run or to none.
    pub(super) fn numbers(&self, row: &Row) -> Vec<Option<f64>> {
        let of = |run: usize| match self.field {
            Field::First => row.first.get(run).copied().flatten().map(|rank| rank as f64),
            Field::Value(metric) => row.values[run][metric],
            Field::Delta | Field::Tag(_) => None,
        };
        match (&self.field, self.run) {
            (Field::Delta, _) => vec![row.delta()],
            (_, Some(run)) => vec![of(run)],
            (_, None) => (0..row.values.len()).map(of).collect(),
        }
    }

    /// What rows are sorted by: the number of the last run, or the values of a tag.
    pub(super) fn key(&self, row: &Row) -> (Option<f64>, String) {
        match &self.field {
            Field::Tag(tag) => (None, row.tag(tag).join(", ")),
            _ => (self.numbers(row).pop().flatten(), String::new()),
        }
    }
}
