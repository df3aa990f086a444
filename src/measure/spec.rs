//! Text ⇄ measure: the grammar `name[:param[=value]]…[@k]`, also written `Name(param=value, …)@k`.

use super::error::SpecError;
use super::names::{self, Arg};
use super::params::{At, MAX_CUTOFF, Params, Value, Written};
use super::{CutoffRule, Measure, MeasureDef, ParamDef};
use crate::judged::Grade;

/// A measure as it was asked for: what was written, and what was left open.
#[derive(Debug, Clone)]
pub struct Spec {
    def: &'static MeasureDef,
    written: Vec<Written>,
    /// `None` without an `@`.
    at: Option<At>,
}

impl Spec {
    /// Reads one measure.
    ///
    /// ```
    /// use raglens::measure::Spec;
    /// let labels = |text, cutoffs: &[u64]| -> Result<Vec<String>, raglens::measure::SpecError> {
    ///     Ok(Spec::parse(text)?.expand(cutoffs)?.iter().map(|measure| measure.label().to_owned()).collect())
    /// };
    /// assert_eq!(labels("recall", &[5, 10])?, ["recall@5", "recall@10"]);
    /// assert_eq!(labels("recall", &[])?, ["recall"]);
    /// assert_eq!(labels("recall@all", &[5, 10])?, ["recall"]);
    /// assert_eq!(labels("P_20", &[5, 10])?, ["precision@20"]);
    /// # Ok::<(), raglens::measure::SpecError>(())
    /// ```
    ///
    /// # Errors
    /// When the name is unknown, or a parameter or cutoff is not allowed.
    pub fn parse(text: &str) -> Result<Self, SpecError> {
        let text = text.trim();
        let Parts { name, mut args, at } = Parts::of(text)?;
        if name.is_empty() {
            return Err(SpecError::Empty { text: text.to_owned() });
        }
        let unknown = || SpecError::Unknown { name: text.to_owned(), nearest: nearest(text, name) };
        let named = names::find(name).ok_or_else(unknown)?;
        args.extend(named.args);
        let def = names::by_gain(named.def, &mut args);
        let at = match (at, named.at) {
            (Some(_), Some(_)) => return Err(SpecError::CutoffTwice { text: text.to_owned() }),
            (written, of_name) => written.or(of_name),
        };
        let at = at.map(|value| read_at(def, text, value)).transpose()?;
        Ok(Self { def, written: read_args(def, text, &args)?, at })
    }

    /// A measure with nothing but its name: everything is left open.
    pub(super) fn open(def: &'static MeasureDef) -> Self {
        Self { def, written: Vec::new(), at: None }
    }

    /// The parameters that were written.
    pub(super) fn written(&self) -> &[Written] {
        &self.written
    }

    /// The row of the table.
    pub fn definition(&self) -> &'static MeasureDef {
        self.def
    }

    /// The same measure with a threshold of relevance (at least 0), unless one was written or it
    /// has none.
    #[must_use]
    pub fn with_rel(mut self, rel: Grade) -> Self {
        let takes_rel = |param: &ParamDef| param.name == "rel" && !param.is_void(&self.written);
        let is_written = self.written.iter().any(|(name, _)| *name == "rel");
        if self.def.params.iter().any(takes_rel) && !is_written {
            self.written.push(("rel", Value::Number(rel)));
        }
        self
    }

    /// The same measure over the whole list, unless an `@` was written.
    #[must_use]
    pub(super) fn or_whole(mut self) -> Self {
        self.at = self.at.or(Some(At::Whole));
        self
    }

    /// The measure; over the whole list where no `@` was written.
    ///
    /// # Errors
    /// When it needs a cutoff and has none.
    pub fn measure(&self) -> Result<Measure, SpecError> {
        self.at(self.at.unwrap_or_default())
    }

    /// The measure at each of the cutoffs, where it takes one and no `@` was written; else the
    /// one measure that was written.
    ///
    /// # Errors
    /// When a cutoff is 0, or the measure needs a cutoff and there is none.
    pub fn expand(&self, cutoffs: &[u64]) -> Result<Vec<Measure>, SpecError> {
        let takes_cutoff = matches!(self.def.cutoff, CutoffRule::Optional | CutoffRule::Required);
        match self.at {
            None if takes_cutoff && !cutoffs.is_empty() => cutoffs.iter().map(|&k| self.at(At::Cutoff(k))).collect(),
            _ => Ok(vec![self.measure()?]),
        }
    }

    fn at(&self, at: At) -> Result<Measure, SpecError> {
        let measure = self.def.name;
        match (self.def.cutoff, at) {
            (_, At::Cutoff(0)) => {
                let (text, value) = (format!("{measure}@0"), "0".to_owned());
                Err(SpecError::Cutoff { text, measure, value })
            }
            (_, At::Cutoff(k)) if k > MAX_CUTOFF => {
                Err(SpecError::CutoffTooLarge { text: format!("{measure}@{k}"), measure })
            }
            (CutoffRule::Required | CutoffRule::RecallLevel | CutoffRule::Multiple, At::Whole) => {
                Err(self.def.lacks_cutoff())
            }
            _ => Measure::new(self.def, Params::new(self.def, at, &self.written)),
        }
    }
}

/// The nearest known name with what the user wrote behind it, where that makes a measure.
fn nearest(text: &str, name: &str) -> Option<String> {
    let nearest = names::nearest(name)?;
    let whole = format!("{nearest}{}", text.get(name.len()..).unwrap_or_default());
    Some(if Spec::parse(&whole).is_ok() { whole } else { nearest })
}

/// Reads a list of measures, with commas between them.
///
/// # Errors
/// The first that cannot be read, or that there is none.
pub fn parse_specs(text: &str) -> Result<Vec<Spec>, SpecError> {
    let items = split_list(text).into_iter().map(str::trim).filter(|item| !item.is_empty());
    let specs: Vec<Spec> = items.map(Spec::parse).collect::<Result<_, _>>()?;
    if specs.is_empty() { Err(SpecError::Empty { text: text.to_owned() }) } else { Ok(specs) }
}

/// Reads a list of measures, with commas between them; those without an `@` are over the whole
/// list.
///
/// ```
/// use raglens::measure::parse_list;
/// let measures = parse_list("nDCG@10,P(rel=2)@5,ap")?;
/// let labels: Vec<&str> = measures.iter().map(|measure| measure.label()).collect();
/// assert_eq!(labels, ["ndcg@10", "precision:rel=2@5", "map"]);
/// # Ok::<(), raglens::measure::SpecError>(())
/// ```
///
/// # Errors
/// The first that cannot be read, or that there is none.
pub fn parse_list(text: &str) -> Result<Vec<Measure>, SpecError> {
    parse_specs(text)?.iter().map(Spec::measure).collect()
}

/// The measures that were asked for, each once: at every cutoff where an `@` was left open, and
/// with the threshold `rel` (at least 0) where none was written.
///
/// # Errors
/// When a cutoff is 0, or a measure needs a cutoff and there is none.
pub fn expand(specs: &[Spec], cutoffs: &[u64], rel: Grade) -> Result<Vec<Measure>, SpecError> {
    let mut measures: Vec<Measure> = Vec::new();
    for spec in specs {
        for measure in spec.clone().with_rel(rel).expand(cutoffs)? {
            if measures.iter().all(|earlier| earlier.label() != measure.label()) {
                measures.push(measure);
            }
        }
    }
    Ok(measures)
}

/// The text of a measure, taken apart.
struct Parts<'t> {
    name: &'t str,
    args: Vec<Arg<'t>>,
    at: Option<&'t str>,
}

impl<'t> Parts<'t> {
    fn of(text: &'t str) -> Result<Self, SpecError> {
        let Some((name, rest)) = text.split_once('(') else { return Ok(Self::with_colons(text)) };
        let unbalanced = || SpecError::Parentheses { text: text.to_owned() };
        let (inside, behind) = rest.split_once(')').ok_or_else(unbalanced)?;
        let at = behind.strip_prefix('@');
        if name.contains([':', '@', ')']) || inside.contains('(') || at.is_none() && !behind.is_empty() {
            return Err(unbalanced());
        }
        let args = inside.split(',').map(str::trim).filter(|arg| !arg.is_empty());
        Ok(Self { name, args: args.map(arg).collect(), at })
    }

    fn with_colons(text: &'t str) -> Self {
        let (front, at) = text.split_once('@').map_or((text, None), |(front, at)| (front, Some(at)));
        let mut parts = front.split(':');
        let name = parts.next().unwrap_or_default();
        Self { name, args: parts.map(arg).collect(), at }
    }
}

/// `param=value`, or a flag; the value without the quotes that ir_measures writes around words.
fn arg(text: &str) -> Arg<'_> {
    let (param, value) = text.split_once('=').unwrap_or((text, ""));
    (param.trim(), value.trim().trim_matches(['\'', '"']).to_owned())
}

fn read_args(def: &'static MeasureDef, text: &str, args: &[Arg<'_>]) -> Result<Vec<Written>, SpecError> {
    let mut written: Vec<Written> = Vec::new();
    for (name, value) in args {
        let (param, value) = read_arg(def, text, name, value)?;
        if written.iter().any(|(earlier, other)| *earlier == param && value.excludes(other)) {
            return Err(SpecError::ParamTwice { text: text.to_owned(), param });
        }
        written.push((param, value));
    }
    refuse_void(def, text, &written)?;
    Ok(written)
}

fn read_arg(def: &MeasureDef, text: &str, name: &str, value: &str) -> Result<Written, SpecError> {
    let text = text.to_owned();
    let Some(param) = def.params.iter().find(|param| param.answers_to(name)) else {
        let known: Vec<&str> = def.params.iter().map(|param| param.name).collect();
        let expected = if known.is_empty() { "none".to_owned() } else { known.join(" or ") };
        return Err(SpecError::UnknownParam { text, measure: def.name, param: name.to_owned(), expected });
    };
    match param.read(name, value) {
        Some(value) => Ok((param.name, value)),
        None => {
            let (value, expected) = (value.to_owned(), param.expected());
            Err(SpecError::Value { text, measure: def.name, param: param.name, value, expected })
        }
    }
}

/// Refuses a parameter whose meaning another one takes away.
fn refuse_void(def: &MeasureDef, text: &str, written: &[Written]) -> Result<(), SpecError> {
    let is_written = |param: &&ParamDef| written.iter().any(|(name, _)| *name == param.name);
    let void = |param: &ParamDef| Some((param.name, param.voided_by(written)?));
    match def.params.iter().filter(is_written).find_map(void) {
        Some((param, (with, value))) => Err(SpecError::NotWith { text: text.to_owned(), param, with, value }),
        None => Ok(()),
    }
}

fn read_at(def: &'static MeasureDef, text: &str, value: &str) -> Result<At, SpecError> {
    let (text, measure, wrong) = (text.to_owned(), def.name, value.to_owned());
    match def.cutoff {
        _ if value.eq_ignore_ascii_case("all") => Ok(At::Whole),
        CutoffRule::Never => Err(SpecError::NoCutoff { text, measure }),
        CutoffRule::Optional | CutoffRule::Required => {
            let is_digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
            match value.parse() {
                Ok(k @ 1..=MAX_CUTOFF) if is_digits => Ok(At::Cutoff(k)),
                Ok(0) => Err(SpecError::Cutoff { text, measure, value: wrong }),
                _ if is_digits => Err(SpecError::CutoffTooLarge { text, measure }),
                _ => Err(SpecError::Cutoff { text, measure, value: wrong }),
            }
        }
        CutoffRule::RecallLevel | CutoffRule::Multiple => {
            let highest = if def.cutoff == CutoffRule::Multiple { f64::MAX } else { 1.0 };
            let level = value.parse().ok().filter(|level: &f64| (0.0..=highest).contains(level));
            let wrong = |()| match def.cutoff {
                CutoffRule::Multiple => SpecError::Multiple { text, measure, value: wrong },
                _ => SpecError::Level { text, measure, value: wrong },
            };
            level.map(|level| At::Level(level + 0.0)).ok_or(()).map_err(wrong)
        }
    }
}

/// Splits a list at the commas that stand between measures, not at those within parentheses.
pub fn split_list(text: &str) -> Vec<&str> {
    let mut depth = 0_u32;
    let is_border = |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    };
    text.split(is_border).collect()
}

#[cfg(test)]
mod tests;
