//! The measures of trec_eval in the order in which it prints them, its nicknames for sets of them,
//! and how they are asked for.

use raglens::id::escaped;

use super::status::{self, Stop};

/// One measure.
#[derive(Debug, PartialEq)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub takes: Takes,
    /// What is printed.
    pub shows: Shows,
    /// Whether 9.0 lacks it.
    pub is_new: bool,
}

/// The parameters of a measure, with their defaults.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Takes {
    /// None.
    Nothing,
    /// Ranks; a line for each.
    Cutoffs(&'static [u64]),
    /// Shares of the relevant documents; a line for each.
    Levels(&'static [f64]),
    /// A list of numbers; one line.
    Numbers(&'static [f64]),
    /// A list of `name=value`; one line.
    Pairs,
}

/// What is printed of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shows {
    /// A number with four decimals, for every query and for all.
    Number,
    /// A whole number, for every query and, summed, for all.
    Count,
    /// A number with four decimals for all queries together.
    Mean,
    /// The number of queries, for all queries together.
    Queries,
    /// The name of the run, for all queries together.
    RunName,
    /// A text for every query.
    Text,
}

impl Shows {
    /// Whether there is a line for every query.
    pub fn is_per_query(self) -> bool {
        matches!(self, Self::Number | Self::Count | Self::Text)
    }
}

const RANKS: &[u64] = &[5, 10, 15, 20, 30, 100, 200, 500, 1000];
const TENTHS: &[f64] = &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
const FIFTHS: &[f64] = &[0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0];

const fn row(name: &'static str, takes: Takes, shows: Shows) -> Row {
    Row { name, takes, shows, is_new: false }
}

const fn number(name: &'static str, takes: Takes) -> Row {
    row(name, takes, Shows::Number)
}

const fn new(name: &'static str, takes: Takes) -> Row {
    Row { name, takes, shows: Shows::Number, is_new: true }
}

const fn count(name: &'static str) -> Row {
    row(name, Takes::Nothing, Shows::Count)
}

/// Every measure, in the order in which they are printed.
pub static ROWS: &[Row] = &[
    row("runid", Takes::Nothing, Shows::RunName),
    row("num_q", Takes::Nothing, Shows::Queries),
    count("num_ret"),
    count("num_rel"),
    count("num_rel_ret"),
    number("map", Takes::Nothing),
    row("gm_map", Takes::Nothing, Shows::Mean),
    number("Rprec", Takes::Nothing),
    number("bpref", Takes::Nothing),
    number("recip_rank", Takes::Nothing),
    number("iprec_at_recall", Takes::Levels(TENTHS)),
    number("P", Takes::Cutoffs(RANKS)),
    row("relstring", Takes::Numbers(&[10.0]), Shows::Text),
    number("recall", Takes::Cutoffs(RANKS)),
    number("infAP", Takes::Nothing),
    row("gm_bpref", Takes::Nothing, Shows::Mean),
    number("Rprec_mult", Takes::Levels(FIFTHS)),
    number("utility", Takes::Numbers(&[1.0, -1.0, 0.0, 0.0])),
    number("11pt_avg", Takes::Numbers(TENTHS)),
    number("binG", Takes::Nothing),
    number("G", Takes::Pairs),
    number("dcg", Takes::Pairs),
    number("ideal_dcg", Takes::Pairs),
    number("ndcg", Takes::Pairs),
    number("ndcg_rel", Takes::Pairs),
    number("Rndcg", Takes::Pairs),
    number("ndcg_cut", Takes::Cutoffs(RANKS)),
    number("map_cut", Takes::Cutoffs(RANKS)),
    number("relative_P", Takes::Cutoffs(RANKS)),
    number("success", Takes::Cutoffs(&[1, 5, 10])),
    number("set_P", Takes::Nothing),
    number("set_relative_P", Takes::Nothing),
    number("set_recall", Takes::Nothing),
    number("set_map", Takes::Nothing),
    number("set_F", Takes::Numbers(&[1.0])),
    count("num_nonrel_judged_ret"),
    count("prefs_num_prefs_poss"),
    count("prefs_num_prefs_ful"),
    count("prefs_num_prefs_ful_ret"),
    number("prefs_simp", Takes::Nothing),
    number("prefs_pair", Takes::Nothing),
    number("prefs_avgjg", Takes::Nothing),
    number("prefs_avgjg_Rnonrel", Takes::Nothing),
    number("prefs_simp_ret", Takes::Nothing),
    number("prefs_pair_ret", Takes::Nothing),
    number("prefs_avgjg_ret", Takes::Nothing),
    number("prefs_avgjg_Rnonrel_ret", Takes::Nothing),
    number("prefs_simp_imp", Takes::Nothing),
    number("prefs_pair_imp", Takes::Nothing),
    number("prefs_avgjg_imp", Takes::Nothing),
    number("map_avgjg", Takes::Nothing),
    number("P_avgjg", Takes::Cutoffs(RANKS)),
    number("Rprec_mult_avgjg", Takes::Levels(FIFTHS)),
    number("yaap", Takes::Nothing),
    new("rbp", Takes::Pairs),
    new("rbp_resid", Takes::Pairs),
    new("unj", Takes::Cutoffs(&[5, 10, 20])),
];

/// Names for sets of measures.
#[rustfmt::skip]
pub static NICKNAMES: &[(&str, &[&str])] = &[
    ("official", &[
        "runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
        "iprec_at_recall", "P",
    ]),
    ("set", &[
        "runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", "set_P", "set_recall", "set_relative_P",
        "set_map", "set_F",
    ]),
    ("all_trec", &[
        "runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
        "iprec_at_recall", "P", "relstring", "recall", "unj", "rbp", "rbp_resid", "infAP", "gm_bpref", "utility",
        "11pt_avg", "ndcg", "relative_P", "Rprec_mult", "success", "map_cut", "ndcg_cut", "ndcg_rel", "Rndcg", "binG",
        "G", "set_P", "set_recall", "set_relative_P", "set_map", "set_F", "num_nonrel_judged_ret",
    ]),
    ("all_prefs", &[
        "runid", "num_q", "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret", "prefs_simp",
        "prefs_pair", "prefs_avgjg", "prefs_avgjg_Rnonrel", "prefs_simp_ret", "prefs_pair_ret", "prefs_avgjg_ret",
        "prefs_avgjg_Rnonrel_ret", "prefs_simp_imp", "prefs_pair_imp", "prefs_avgjg_imp",
    ]),
    ("prefs", &[
        "runid", "num_q", "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret", "prefs_simp",
        "prefs_pair", "prefs_avgjg",
    ]),
    ("qrels_jg", &["runid", "num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"]),
];

/// What stood behind a `-m`: a measure or a nickname, and parameters behind a point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The name.
    pub name: String,
    /// The parameters, never empty.
    pub parameters: Option<String>,
}

/// Reads what stood behind a `-m`.
///
/// # Errors
/// When no measure has the name, or nothing stands behind the point.
pub fn request(text: &str) -> Result<Request, Stop> {
    let (name, parameters) = text.split_once('.').map_or((text, None), |(name, rest)| (name, Some(rest)));
    if members(name).is_empty() {
        return Err(unknown(text, name));
    }
    if parameters == Some("") {
        let stop = Stop::new(status::USAGE, format!("`{}` ends in a point", escaped(text.as_bytes())));
        return Err(stop.with_help("parameters stand behind it: -m P.5,10"));
    }
    Ok(Request { name: name.to_owned(), parameters: parameters.map(str::to_owned) })
}

/// The measures that a name means; none where it is not known.
pub fn members(name: &str) -> Vec<&'static Row> {
    let nickname = NICKNAMES.iter().find(|(nickname, _)| *nickname == name);
    let is_meant = |row: &&Row| nickname.map_or(row.name == name, |(_, names)| names.contains(&row.name));
    ROWS.iter().filter(is_meant).collect()
}

fn unknown(text: &str, name: &str) -> Stop {
    let stop = Stop::new(status::USAGE, format!("trec_eval has no measure `{}`", escaped(text.as_bytes())));
    let known = ROWS.iter().map(|row| row.name).chain(NICKNAMES.iter().map(|(name, _)| *name));
    // `P_10` is how a line is printed and not how it is asked for.
    if let Some((front, cutoff)) = name.rsplit_once('_').filter(|(front, _)| !members(front).is_empty()) {
        return stop.with_help(format!("did you mean `{front}.{}`?", escaped(cutoff.as_bytes())));
    }
    let nearest = known.map(|known| (strsim::osa_distance(&name.to_lowercase(), &known.to_lowercase()), known)).min();
    match nearest.filter(|(distance, _)| name.len() < 40 && *distance <= 1 + name.len() / 3) {
        Some((_, nearest)) => stop.with_help(format!("did you mean `{nearest}`?")),
        None => stop.with_help("`raglens trec_eval -h` lists them; `raglens eval` has more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_57_measures_and_every_nickname_names_some_of_them() {
        assert_eq!(ROWS.len(), 57);
        for (nickname, names) in NICKNAMES {
            assert_eq!(members(nickname).len(), names.len(), "{nickname}");
        }
    }

    #[test]
    fn parameters_stand_behind_the_first_point() {
        let read = |text: &str| request(text).map(|request| (request.name, request.parameters));
        assert_eq!(read("map").unwrap(), ("map".to_owned(), None));
        assert_eq!(read("iprec_at_recall..10,.20").unwrap().1.as_deref(), Some(".10,.20"));
        for wrong in ["P_10", "P.", "all_qrels", "", ".5", "MAP"] {
            assert_eq!(read(wrong).unwrap_err().status, status::USAGE, "{wrong}");
        }
    }
}
