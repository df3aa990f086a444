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
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value {
    Number(f64),
    Word(&'static str),
    Flag(bool),
}

/// A number as short as it can be written without losing anything.
pub fn shortest(number: f64) -> String {
    let plain = (number + 0.0).to_string();
    match plain.len() > WIDEST {
        true => format!("{number:e}"),
        false => plain,
    }
}

impl Params {
    /// Fills in the default of every parameter that was not written and has a meaning.
    pub(super) fn new(def: &MeasureDef, at: At, written: &[(&'static str, Value)]) -> Self {
        let values = def.params.iter().filter_map(|param| {
            let given = written.iter().find(|(name, _)| *name == param.name).map(|&(_, value)| value);
            let default = param.default_value().filter(|_| !param.is_void(written));
            let value = given.or(default)?;
            Some(Param { name: param.name, value, is_default: Some(value) == default })
        });
        let mut values: Vec<Param> = values.collect();
        values.sort_by_key(|param| param.name);
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
            Value::Number(number) => Some(number),
            Value::Word(_) | Value::Flag(_) => None,
        }
    }

    /// The word given for a parameter, or its default.
    pub fn word(&self, name: &str) -> Option<&'static str> {
        match self.value(name)? {
            Value::Word(word) => Some(word),
            Value::Number(_) | Value::Flag(_) => None,
        }
    }

    /// Whether a flag is set.
    pub fn flag(&self, name: &str) -> bool {
        self.value(name) == Some(Value::Flag(true))
    }

    /// The canonical label of a measure with these parameters.
    pub fn label(&self, def: &MeasureDef) -> String {
        let mut label = def.name.to_owned();
        for Param { name, value, .. } in self.values.iter().filter(|param| !param.is_default) {
            _ = match value {
                Value::Number(number) => write!(label, ":{name}={}", shortest(*number)),
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

    fn value(&self, name: &str) -> Option<Value> {
        self.values.iter().find(|param| param.name == name).map(|param| param.value)
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
            (_, default) => self.read(default?),
        }
    }

    pub(super) fn answers_to(&self, name: &str) -> bool {
        self.aliases.iter().chain([&self.name]).any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Whether another parameter takes the meaning of this one away.
    pub(super) fn is_void(&self, written: &[(&'static str, Value)]) -> bool {
        self.not_with.is_some_and(|(name, word)| written.contains(&(name, Value::Word(word))))
    }

    /// Reads a value; `None` where it is not allowed.
    pub(super) fn read(&self, text: &str) -> Option<Value> {
        match self.values {
            ParamValues::Number(from, below) => {
                let number: f64 = text.parse().ok()?;
                (from <= number && number < below).then_some(Value::Number(number + 0.0))
            }
            ParamValues::Whole => {
                let number: u32 = text.parse().ok()?;
                (number > 0).then_some(Value::Number(f64::from(number)))
            }
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
            ParamValues::Number(from, f64::INFINITY) => format!("a number from {from}"),
            ParamValues::Number(from, below) => format!("a number from {from} to below {below}"),
            ParamValues::Whole => "a whole number from 1".to_owned(),
            ParamValues::Words(words) => words.join(" or "),
            ParamValues::Flag => "a flag without a value".to_owned(),
        }
    }
}
