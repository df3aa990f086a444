//! The page of a measure.

use raglens::measure::{
    Aggregate, Better, CutoffRule, Measure, MeasureDef, Needs, ParamDef, ParamValues, Reads, Spec, TrecName,
};

use super::{entry, list};
use crate::render::number::{exact, rounded};
use crate::render::page::Block;

/// The page of a measure as it was written.
pub fn page_of(spec: &Spec) -> Vec<Block> {
    let def = spec.definition();
    let measure = spec.measure().ok();
    let name = measure.as_ref().map_or_else(|| list::form(def), |measure| measure.label().to_owned());
    let mut blocks = page(def, &name, measure.as_ref());
    let example = example(def, measure.as_ref());
    blocks.push(Block::Answer(format!(
        "`raglens explain {example} LABELS RUN --query ID` shows how a value comes about."
    )));
    blocks
}

/// A measure that can be scored: what was written, or the definition with a cutoff that it needs.
fn example(def: &MeasureDef, measure: Option<&Measure>) -> String {
    let written = measure.map(|measure| measure.label().to_owned());
    written.unwrap_or_else(|| match def.cutoff {
        CutoffRule::Never | CutoffRule::Optional => def.name.to_owned(),
        CutoffRule::Required => format!("{}@5", def.name),
        CutoffRule::RecallLevel | CutoffRule::Multiple => format!("{}@0.2", def.name),
    })
}

/// The page of a definition; `measure` has the parameters that were written.
pub fn page(def: &MeasureDef, name: &str, measure: Option<&Measure>) -> Vec<Block> {
    let mut entries = vec![
        entry("formula", def.formula),
        entry("how to read it", def.reading),
        entry("blind to", def.blind_to),
        entry("edge cases", def.edge_cases),
        entry("values", values(def)),
        entry("queries", queries(def, measure)),
        entry("cutoff", cutoff(def, measure)),
    ];
    entries.extend(def.params.iter().map(|param| parameter(param, measure)));
    entries.push(entry("other tools", def.peers));
    entries.push(entry("trec_eval", trec_name(def, measure)));
    if !def.aliases.is_empty() {
        let aliases = def.aliases.iter().map(|alias| alias.split_once('@').map_or(*alias, |(name, _)| name));
        entries.push(entry("also written", aliases.collect::<Vec<_>>().join(", ")));
    }
    entries.push(entry("source", def.source));
    vec![Block::Title { name: name.to_owned(), facts: def.about.to_owned() }, Block::Entries(entries)]
}

/// Range, direction, and how the values of the queries become one.
fn values(def: &MeasureDef) -> String {
    if Measure::parse(&example(def, None)).is_ok_and(|measure| measure.is_text()) {
        return "A text.".to_owned();
    }
    let (low, high) = def.range;
    let range = match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("{} to {}", rounded(low), rounded(high)),
        (true, false) => format!("{} and up", rounded(low)),
        (false, true) => format!("{} and down", rounded(high)),
        (false, false) => "any number".to_owned(),
    };
    let better = match def.better {
        Better::Higher => "higher is better",
        Better::Lower => "lower is better",
        Better::Neither => "neither direction is better",
    };
    let aggregate = match def.aggregate {
        Aggregate::Mean => "the mean over the queries is shown",
        Aggregate::GeometricMean => "the geometric mean over the queries is shown",
        Aggregate::Sum => "the sum over the queries is shown",
    };
    let capped = if def.capped { "; a perfect list can score below that (`eval` says what is attainable)" } else { "" };
    format!("{range}; {better}; {aggregate}{capped}.")
}

/// Which queries count, and what the labels must hold.
fn queries(def: &MeasureDef, measure: Option<&Measure>) -> String {
    let example = Measure::parse(&example(def, measure)).ok();
    let counting = match measure.map_or(def.needs, Measure::needs) {
        Needs::Relevant => "Those with a relevant document.",
        Needs::Gain => "Those with a grade above 0.",
        Needs::Query => "Those that count in the evaluation: with a relevant document at the grade of `--rel`.",
        Needs::Passages => "Those with a gold passage of some length.",
        Needs::Evidence => "Those with evidence in the labels.",
    };
    let reads = match example.as_ref().map(Measure::reads) {
        Some(Reads::Groups) => {
            " The labels must hold several judgment groups, as `-R qrels_jg` of trec_eval reads them."
        }
        Some(Reads::Preferences) => " The labels must hold preferences, as `-R prefs` of trec_eval reads them.",
        Some(Reads::Grades | Reads::Passages | Reads::Evidence) | None => "",
    };
    let is_pooled = example.as_ref().is_some_and(Measure::can_be_pooled);
    let pooled = if is_pooled { " `--average micro` can pool them." } else { "" };
    let zeros = if def.needs_zeros { " It says little where no document is judged not relevant." } else { "" };
    format!("{counting}{reads}{pooled}{zeros}")
}

fn cutoff(def: &MeasureDef, measure: Option<&Measure>) -> String {
    let name = def.name;
    match (def.cutoff, measure.and_then(|measure| measure.params().cutoff())) {
        (CutoffRule::Never, _) => "None: it is over the whole list.".to_owned(),
        (CutoffRule::Optional, Some(k)) => format!("The first {k} places count; {name} alone is over the whole list."),
        (CutoffRule::Optional, None) => format!("{name}@5 looks at the first 5 places, {name}@all at the whole list."),
        (CutoffRule::Required, _) => format!("It needs one: {name}@5."),
        (CutoffRule::RecallLevel, _) => format!("It needs a recall level from 0 to 1: {name}@0.2."),
        (CutoffRule::Multiple, _) => format!("It needs a multiple of R: {name}@0.2 looks at the first R / 5 places."),
    }
}

/// A parameter with its value in force; what it means, takes, and is unless it is written.
fn parameter(param: &ParamDef, measure: Option<&Measure>) -> (String, String) {
    let value = measure.and_then(|measure| written(param, measure)).or(param.default.map(str::to_owned));
    let value = if matches!(param.values, ParamValues::Gains) { Some("GAIN".to_owned()) } else { value };
    let name = value.map_or_else(|| format!(":{}", param.name), |value| format!(":{}={value}", param.name));
    let mut facts = match param.values {
        ParamValues::Flag | ParamValues::Gains => Vec::new(),
        _ => vec![param.expected()],
    };
    facts.extend(param.default.map(|default| format!("default {default}")));
    facts.extend(param.not_with.map(|(other, words)| format!("not with {other}={}", words.join(" or "))));
    let facts = if facts.is_empty() { String::new() } else { format!(" ({})", facts.join("; ")) };
    (name, format!("{}{facts}.", capital(param.about)))
}

/// The value of a parameter in force.
fn written(param: &ParamDef, measure: &Measure) -> Option<String> {
    let params = measure.params();
    params.number(param.name).map(exact).or_else(|| params.word(param.name).map(str::to_owned))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What trec_eval calls it.
fn trec_name(def: &MeasureDef, measure: Option<&Measure>) -> String {
    let cutoff = measure.and_then(|measure| measure.params().cutoff());
    let at = |name: &str| match def.cutoff {
        CutoffRule::RecallLevel | CutoffRule::Multiple => format!("{name}_0.20"),
        _ => format!("{name}_{}", cutoff.map_or_else(|| "5".to_owned(), |k| k.to_string())),
    };
    match def.trec_name {
        TrecName { whole: Some(whole), at: Some(name) } => {
            format!("{whole} over the whole list, {} at a cutoff", at(name))
        }
        TrecName { whole: Some(whole), at: None } => whole.to_owned(),
        TrecName { whole: None, at: Some(name) } => at(name),
        TrecName { whole: None, at: None } => "None of its measures is the same.".to_owned(),
    }
}
