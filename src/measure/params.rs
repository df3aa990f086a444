//! The checked parameters of a measure, and the canonical label that they make.

use std::fmt::Write as _;

use super::{MeasureDef, ParamDef, ParamValues, TrecName};
use crate::judged::Grade;

/// A number with more characters than this is written with a power of ten.
const WIDEST: usize = 24;

/// The checked parameters of one measure, those with their defaults included.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Params {
    at: At,
    /// Sorted by name.
    values: Vec<Param>,
}

#[derive(Debug, Clone, PartialEq)]
struct Param {
    name: &'static str,
    value: Value,
    is_default: bool,
}

/// What stands behind the `@`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) enum At {
    #[default]
    Whole,
    Cutoff(u64),
    Level(f64),
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Number(f64),
    Numbers(Vec<f64>),
    Word(&'static str),
    Flag(bool),
    /// A grade and its gain.
    Gain(Grade, f64),
}

/// A parameter that was written: its name and its value.
pub(super) type Written = (&'static str, Value);

/// A number as short as it can be written without losing anything.
pub fn shortest(number: f64) -> String {
    let mut text = String::new();
    push_shortest(&mut text, number);
    text
}

/// Adds [`shortest`] to a text.
pub fn push_shortest(text: &mut String, number: f64) {
    let start = text.len();
    // Memory takes every number.
    let _ = write!(text, "{}", number + 0.0);
    if text.len() - start > WIDEST {
        text.truncate(start);
        let _ = write!(text, "{number:e}");
    }
}

/// The largest cutoff, which no list reaches and every format holds in full.
pub const MAX_CUTOFF: u64 = 1_000_000_000_000_000;

impl Params {
    /// Fills in the default of every parameter that was not written and has a meaning.
    pub(super) fn new(def: &MeasureDef, at: At, written: &[Written]) -> Self {
        let mut values: Vec<Param> = def.params.iter().flat_map(|param| param.values(written)).collect();
        values.sort_by(|a, b| a.name.cmp(b.name).then(a.value.grade().total_cmp(&b.value.grade())));
        Self { at, values }
    }

    /// The cutoff k; `None` for the whole list.
    pub fn cutoff(&self) -> Option<u64> {
        match self.at {
            At::Cutoff(k) => Some(k),
            At::Whole | At::Level(_) => None,
        }
    }

    /// The recall level of an interpolated precision.
    pub fn level(&self) -> Option<f64> {
        match self.at {
            At::Level(level) => Some(level),
            At::Whole | At::Cutoff(_) => None,
        }
    }

    /// The threshold of relevance; 1 unless it was given.
    pub fn threshold(&self) -> Grade {
        self.number("rel").unwrap_or(1.0)
    }

    /// The number given for a parameter, or its default.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.value(name)? {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The numbers given for a parameter that takes several; empty where the default holds.
    pub fn numbers(&self, name: &str) -> &[f64] {
        match self.value(name) {
            Some(Value::Numbers(numbers)) => numbers,
            _ => &[],
        }
    }

    /// The gains given for grades, by grade.
    pub fn gains(&self) -> impl Iterator<Item = (Grade, f64)> {
        self.values.iter().filter_map(|param| match param.value {
            Value::Gain(grade, gain) => Some((grade, gain)),
            _ => None,
        })
    }

    /// The word given for a parameter, or its default.
    pub fn word(&self, name: &str) -> Option<&'static str> {
        match self.value(name)? {
            Value::Word(word) => Some(word),
            _ => None,
        }
    }

    /// Whether a flag is set.
    pub fn flag(&self, name: &str) -> bool {
        self.value(name) == Some(&Value::Flag(true))
    }

    /// The canonical label of a measure with these parameters.
    pub fn label(&self, def: &MeasureDef) -> String {
        let mut label = def.name.to_owned();
        for Param { name, value, .. } in self.values.iter().filter(|param| !param.is_default) {
            _ = match value {
                Value::Number(number) => write!(label, ":{name}={}", shortest(*number)),
                Value::Numbers(numbers) => write!(label, ":{name}={}", joined(numbers)),
                Value::Gain(grade, gain) => write!(label, ":{}={}", shortest(*grade), shortest(*gain)),
                Value::Word(word) => write!(label, ":{name}={word}"),
                Value::Flag(_) => write!(label, ":{name}"),
            };
        }
        _ = match self.at {
            At::Whole => Ok(()),
            At::Cutoff(k) => write!(label, "@{k}"),
            At::Level(level) => write!(label, "@{}", shortest(level)),
        };
        label
    }

    pub(super) fn at(&self) -> At {
        self.at
    }

    pub(super) fn are_default(&self) -> bool {
        self.values.iter().all(|param| param.is_default)
    }

    fn value(&self, name: &str) -> Option<&Value> {
        self.values.iter().find(|param| param.name == name).map(|param| &param.value)
    }
}

fn joined(numbers: &[f64]) -> String {
    numbers.iter().map(|&number| shortest(number)).collect::<Vec<_>>().join("+")
}

impl Value {
    /// The grade that a gain is for; 0 for any other value.
    fn grade(&self) -> Grade {
        match self {
            Self::Gain(grade, _) => *grade,
            _ => 0.0,
        }
    }

    /// Whether the two cannot stand side by side for one parameter.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        self.grade() == other.grade()
    }
}

impl At {
    /// The name with a cutoff or level as trec_eval prints it; `None` where it would not come
    /// out as the same number.
    pub(super) fn trec_label(self, names: TrecName) -> Option<String> {
        match self {
            Self::Whole => names.whole.map(str::to_owned),
            Self::Cutoff(k) => names.at.map(|name| format!("{name}_{k}")),
            Self::Level(level) => {
                let printed = format!("{level:.2}");
                let name = names.at.filter(|_| printed.parse() == Ok(level))?;
                Some(format!("{name}_{printed}"))
            }
        }
    }
}

impl ParamDef {
    fn default_value(&self) -> Option<Value> {
        match (self.values, self.default) {
            (ParamValues::Flag, _) => Some(Value::Flag(false)),
            (_, default) => self.read(self.name, default?),
        }
    }

    /// What was written for the parameter, or its default, where it has one and a meaning.
    fn values(&self, written: &[Written]) -> Vec<Param> {
        let default = self.default_value().filter(|_| !self.is_void(written));
        let given = written.iter().filter(|(name, _)| *name == self.name).map(|(_, value)| value);
        let param = |value: &Value| {
            let is_default = match value {
                Value::Gain(grade, gain) => grade.max(0.0) == *gain,
                value => Some(value) == default.as_ref(),
            };
            Param { name: self.name, value: value.clone(), is_default }
        };
        let given: Vec<Param> = given.map(param).collect();
        if given.is_empty() { default.iter().map(param).collect() } else { given }
    }

    pub(super) fn answers_to(&self, name: &str) -> bool {
        match self.values {
            ParamValues::Gains => number(name).is_some(),
            _ => self.aliases.iter().chain([&self.name]).any(|known| known.eq_ignore_ascii_case(name)),
        }
    }

    /// The other parameter and its word that take the meaning of this one away.
    pub(super) fn voided_by(&self, written: &[Written]) -> Option<(&'static str, &'static str)> {
        let (with, words) = self.not_with?;
        let word = words.iter().find(|word| written.contains(&(with, Value::Word(word))))?;
        Some((with, word))
    }

    pub(super) fn is_void(&self, written: &[Written]) -> bool {
        self.voided_by(written).is_some()
    }

    /// Reads a value that was written behind a name; `None` where it is not allowed.
    pub(super) fn read(&self, name: &str, text: &str) -> Option<Value> {
        let within = |text, from, below| number(text).filter(|number| (from..below).contains(number));
        match self.values {
            ParamValues::Number(from, below) => within(text, from, below).map(Value::Number),
            ParamValues::Numbers(from, below) => {
                let numbers = text.split('+').map(|text| within(text, from, below));
                numbers.collect::<Option<_>>().map(Value::Numbers)
            }
            ParamValues::Whole => {
                let number: u32 = text.parse().ok()?;
                (number > 0).then_some(Value::Number(f64::from(number)))
            }
            ParamValues::Gains => Some(Value::Gain(number(name)?, number(text)?)),
            ParamValues::Words(words) => {
                words.iter().find(|word| word.eq_ignore_ascii_case(text)).map(|word| Value::Word(word))
            }
            ParamValues::Flag => match text.to_ascii_lowercase().as_str() {
                "" | "true" => Some(Value::Flag(true)),
                "false" => Some(Value::Flag(false)),
                _ => None,
            },
        }
    }

    /// The values that are allowed, in words.
    pub fn expected(&self) -> String {
        match self.values {
            ParamValues::Number(f64::NEG_INFINITY, _) | ParamValues::Gains => "a number".to_owned(),
            ParamValues::Number(from, f64::INFINITY) => format!("a number from {from}"),
            ParamValues::Numbers(..) => "numbers joined by +".to_owned(),
            ParamValues::Number(from, below) => format!("a number from {from} to below {below}"),
            ParamValues::Whole => "a whole number from 1".to_owned(),
            ParamValues::Words(words) => words.join(" or "),
            ParamValues::Flag => "a flag without a value".to_owned(),
        }
    }
}

/// A finite number; minus zero is zero.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite()).map(|number| number + 0.0)
}
