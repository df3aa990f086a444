//! How measures are asked for: by name, by a nickname for several, and with parameters.

use raglens::id::escaped;
use raglens::measure::{TREC_EVAL, TrecMeasure};

use super::status::{self, Stop};

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

impl Request {
    /// Reads what stood behind a `-m`.
    ///
    /// # Errors
    /// When no measure has the name, or nothing stands behind the point.
    pub fn read(text: &str) -> Result<Self, Stop> {
        let (name, parameters) = text.split_once('.').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let request = Self { name: name.to_owned(), parameters: parameters.map(str::to_owned) };
        if !TREC_EVAL.iter().any(|measure| request.means(measure)) {
            return Err(unknown(text, name));
        }
        if parameters == Some("") {
            let stop = Stop::new(status::USAGE, format!("`{}` ends in a point", escaped(text.as_bytes())));
            return Err(stop.with_help("parameters stand behind it: -m P.5,10"));
        }
        Ok(request)
    }

    /// Whether it asks for a measure.
    pub fn means(&self, measure: &TrecMeasure) -> bool {
        match NICKNAMES.iter().find(|(nickname, _)| *nickname == self.name) {
            Some((_, names)) => names.contains(&measure.name),
            None => self.name == measure.name,
        }
    }
}

fn unknown(text: &str, name: &str) -> Stop {
    let stop = Stop::new(status::USAGE, format!("trec_eval has no measure `{}`", escaped(text.as_bytes())));
    // `P_10` is how a line is printed and not how it is asked for.
    if let Some((front, cutoff)) = name.rsplit_once('_').filter(|(front, _)| TrecMeasure::find(front).is_some()) {
        return stop.with_help(format!("did you mean `{front}.{}`?", escaped(cutoff.as_bytes())));
    }
    let known = TREC_EVAL.iter().map(|measure| measure.name).chain(NICKNAMES.iter().map(|(name, _)| *name));
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
    fn every_nickname_names_measures() {
        for (nickname, names) in NICKNAMES {
            let request = Request { name: (*nickname).to_owned(), parameters: None };
            let meant = TREC_EVAL.iter().filter(|measure| request.means(measure)).count();
            assert_eq!(meant, names.len(), "{nickname}");
        }
    }

    #[test]
    fn parameters_stand_behind_the_first_point() {
        let read = |text: &str| Request::read(text).map(|request| (request.name, request.parameters));
        assert_eq!(read("map").unwrap(), ("map".to_owned(), None));
        assert_eq!(read("iprec_at_recall..10,.20").unwrap().1.as_deref(), Some(".10,.20"));
        for wrong in ["P_10", "P.", "all_qrels", "", ".5", "MAP"] {
            assert_eq!(read(wrong).unwrap_err().status, status::USAGE, "{wrong}");
        }
    }
}
