//! Names: ours, those of other tools, and the nearest one to a typing error.

use strsim::osa_distance;

use super::{CutoffRule, DEFINITIONS, MeasureDef, ndcg};

/// A name that was found in the table, and what it says beside.
#[derive(Debug)]
pub(super) struct Named<'t> {
    pub def: &'static MeasureDef,
    /// What a name like `ndcg_cut_10` carries in place of an `@`.
    pub at: Option<&'t str>,
    /// Parameters that the name carries.
    pub args: Vec<Arg<'t>>,
}

/// A parameter as it was written: name and value, which is empty for a flag.
pub(super) type Arg<'t> = (&'t str, String);

/// Looks a name up. Case does not matter; `-` counts as `_`.
pub(super) fn find(name: &str) -> Option<Named<'_>> {
    match name.strip_suffix('\'').or_else(|| name.strip_suffix('′')) {
        Some(plain) => {
            let mut named = find_plain(plain)?;
            named.args.push(("condensed", String::new()));
            Some(named)
        }
        None => find_plain(name),
    }
}

fn find_plain(name: &str) -> Option<Named<'_>> {
    if let Some((def, at)) = known(name) {
        return Some(Named { def, at, args: Vec::new() });
    }
    name.rmatch_indices(['_', '.']).find_map(|(end, _)| {
        let (def, implied) = known(&name[..end])?;
        suffixed(def, implied, &name[end + 1..])
    })
}

/// A name and the number or parameter that other tools hang on it: `P_5`, `ndcg_cut.10`,
/// `rbp_p=0.8`, `set_F_2`, `utility_1,-1,0,0` (trec_eval), `rbp.80` (ranx), `recall_at_5` (MLflow).
fn suffixed<'t>(def: &'static MeasureDef, implied: Option<&'static str>, suffix: &'t str) -> Option<Named<'t>> {
    let named = |at, args| Some(Named { def, at, args });
    if suffix.contains('=') {
        let args = suffix.split(',').map(|arg| arg.split_once('='));
        return named(
            None,
            args.map(|arg| arg.map(|(param, value)| (param, value.to_owned()))).collect::<Option<_>>()?,
        );
    }
    if suffix.contains(',') {
        let positional = def.params.iter().filter(|param| param.name != "rel");
        let is_complete = suffix.split(',').count() <= positional.clone().count();
        let args = positional.zip(suffix.split(',')).map(|(param, value)| (param.name, value.to_owned()));
        return is_complete.then(|| named(None, args.collect()))?;
    }
    if let Some(("at" | "AT" | "At", at)) = suffix.split_once('_') {
        return named(Some(at), Vec::new());
    }
    if !suffix.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return None;
    }
    let takes = |name| def.params.iter().any(|param| param.name == name);
    if implied.is_some() && takes("x") {
        return named(implied, vec![("x", suffix.to_owned())]);
    }
    let takes_p = takes("p");
    match (def.cutoff, takes_p, suffix.contains('.')) {
        (CutoffRule::Never, true, true) => named(None, vec![("p", suffix.to_owned())]),
        (CutoffRule::Never, true, false) => named(None, vec![("p", format!("0.{suffix}"))]),
        _ => named(Some(suffix), Vec::new()),
    }
}

/// A name of the table with the `@all` that some aliases imply.
fn known(name: &str) -> Option<(&'static MeasureDef, Option<&'static str>)> {
    let name = name.to_ascii_lowercase().replace('-', "_");
    every_name()
        .find(|(_, known)| spelling(known) == name)
        .map(|(def, known)| (def, known.split_once('@').map(|(_, at)| at)))
}

/// Every name and alias, in the order of the table, names before aliases.
fn every_name() -> impl Iterator<Item = (&'static MeasureDef, &'static str)> {
    let names = DEFINITIONS.iter().map(|def| (*def, def.name));
    names.chain(DEFINITIONS.iter().flat_map(|def| def.aliases.iter().map(|alias| (*def, *alias))))
}

fn spelling(name: &'static str) -> &'static str {
    name.split_once('@').map_or(name, |(name, _)| name)
}

/// No name is so long that a longer text could be meant for it.
const LONGEST: usize = 60;

/// The known name that is nearest to an unknown one, when it is near enough to be meant.
pub(super) fn nearest(name: &str) -> Option<String> {
    let name = name.to_ascii_lowercase().replace('-', "_");
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || "_.'".contains(c));
    if name.len() > LONGEST {
        return None;
    }
    let far = 1 + name.len().max(2) / 3;
    let near = every_name().map(|(_, known)| (osa_distance(name, spelling(known)), spelling(known)));
    let (distance, nearest) = near.min_by_key(|&(distance, _)| distance)?;
    (distance < far.max(2)).then(|| nearest.to_owned())
}

/// ir_measures names the gain of nDCG by a parameter: `nDCG(dcg='exp-log2')` is our `ndcg_exp`.
pub(super) fn by_gain(def: &'static MeasureDef, args: &mut Vec<Arg<'_>>) -> &'static MeasureDef {
    let gain = args.iter().position(|(param, _)| def.name == ndcg::NDCG.name && *param == "dcg");
    let Some(gain) = gain else { return def };
    let def = match args[gain].1.as_str() {
        "log2" => def,
        "exp-log2" => &ndcg::NDCG_EXP,
        _ => return def,
    };
    args.remove(gain);
    def
}
