//! trec_eval's own names: what each of its measures is here, with which parameters it comes, and
//! in which order it prints them.

use super::params::{At, Params, Value};
use super::{Measure, Spec};
use crate::judged::Grade;

/// A measure of trec_eval.
#[derive(Debug)]
pub struct TrecMeasure {
    /// The name that follows `-m`.
    pub name: &'static str,
    /// The same measure in our grammar.
    spec: &'static str,
    takes: Takes,
    /// In which of its lines trec_eval shows it.
    pub shown: Shown,
}

/// In which lines a measure is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// For every query and for all of them.
    Always,
    /// For all queries only.
    Summary,
    /// For every query only.
    PerQuery,
}

/// What stands behind the dot.
#[derive(Debug, Clone, Copy)]
enum Takes {
    /// Nothing; what stands there is ignored.
    Nothing,
    /// Cutoffs, with the default ones.
    Cutoffs(&'static [u64]),
    /// Levels of recall, or multiples of R, with the default ones.
    Levels(&'static [f64]),
    /// The number of results that a text covers, with the default one.
    Length(u64),
    /// A value for each of these parameters.
    Values(&'static [&'static str]),
    /// The values of one parameter that takes several.
    List(&'static str),
    /// `name=value` pairs: gains of grades, and parameters.
    Pairs,
}

/// What decides a measure beside its name and its parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Asked {
    /// Grade from which a document counts as relevant (`-l`).
    pub rel: Grade,
    /// Number of documents there are (`-N`), which `utility` knows.
    pub documents: u64,
}

/// Why parameters do not fit a measure of trec_eval.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrecError {
    /// A cutoff that is not a whole number from 1.
    #[error("{measure}: a cutoff is a whole number from 1, not `{value}`")]
    Cutoff {
        /// The measure.
        measure: &'static str,
        /// What was written.
        value: String,
    },
    /// The same cutoff twice.
    #[error("{measure}: expected cutoff {value} once, not twice")]
    Twice {
        /// The measure.
        measure: &'static str,
        /// The cutoff.
        value: String,
    },
    /// Something else than a number.
    #[error("{measure}: expected a number, not `{value}`")]
    Number {
        /// The measure.
        measure: &'static str,
        /// What was written.
        value: String,
    },
    /// Too few or too many values.
    #[error("{measure}: expected {expected} numbers, not {found}")]
    Count {
        /// The measure.
        measure: &'static str,
        /// How many it takes.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A parameter that is no `name=value`, or one that the measure does not have.
    #[error("{measure}: expected pairs such as {example}, not `{value}`")]
    Pair {
        /// The measure.
        measure: &'static str,
        /// Pairs that it takes.
        example: &'static str,
        /// What was written.
        value: String,
    },
    /// A value that a parameter does not take.
    #[error("{measure}: {param} is {expected}, not `{value}`")]
    Value {
        /// The measure.
        measure: &'static str,
        /// The parameter.
        param: &'static str,
        /// What it takes.
        expected: String,
        /// What was written.
        value: String,
    },
}

const CUTOFFS: Takes = Takes::Cutoffs(&[5, 10, 15, 20, 30, 100, 200, 500, 1000]);
const RECALL_LEVELS: Takes = Takes::Levels(&[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]);
const MULTIPLES: Takes = Takes::Levels(&[0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0]);

const fn plain(name: &'static str, spec: &'static str) -> TrecMeasure {
    TrecMeasure { name, spec, takes: Takes::Nothing, shown: Shown::Always }
}

const fn with(name: &'static str, spec: &'static str, takes: Takes) -> TrecMeasure {
    TrecMeasure { name, spec, takes, shown: Shown::Always }
}

const fn only(shown: Shown, name: &'static str, spec: &'static str) -> TrecMeasure {
    TrecMeasure { name, spec, takes: Takes::Nothing, shown }
}

/// Every measure of trec_eval 10, in the order in which it prints them.
pub static TREC_EVAL: &[TrecMeasure] = &[
    only(Shown::Summary, "runid", "runid"),
    only(Shown::Summary, "num_q", "num_q"),
    plain("num_ret", "num_ret"),
    plain("num_rel", "num_rel"),
    plain("num_rel_ret", "num_rel_ret"),
    plain("map", "map"),
    only(Shown::Summary, "gm_map", "gm_map"),
    plain("Rprec", "rprec"),
    plain("bpref", "bpref"),
    plain("recip_rank", "mrr"),
    with("iprec_at_recall", "iprec", RECALL_LEVELS),
    with("P", "precision", CUTOFFS),
    TrecMeasure { name: "relstring", spec: "relstring", takes: Takes::Length(10), shown: Shown::PerQuery },
    with("recall", "recall", CUTOFFS),
    plain("infAP", "infap"),
    only(Shown::Summary, "gm_bpref", "gm_bpref"),
    with("Rprec_mult", "rprec_mult", MULTIPLES),
    with("utility", "utility", Takes::Values(&["a", "b", "c", "d"])),
    with("11pt_avg", "11pt_avg", Takes::List("levels")),
    plain("binG", "bing"),
    with("G", "g", Takes::Pairs),
    with("dcg", "dcg", Takes::Pairs),
    with("ideal_dcg", "ideal_dcg", Takes::Pairs),
    with("ndcg", "ndcg", Takes::Pairs),
    with("ndcg_rel", "ndcg_rel", Takes::Pairs),
    with("Rndcg", "rndcg", Takes::Pairs),
    with("ndcg_cut", "ndcg", CUTOFFS),
    with("map_cut", "map", CUTOFFS),
    with("relative_P", "capped_recall", CUTOFFS),
    with("success", "hit", Takes::Cutoffs(&[1, 5, 10])),
    plain("set_P", "precision"),
    plain("set_relative_P", "set_relative_p"),
    plain("set_recall", "recall"),
    plain("set_map", "set_map"),
    with("set_F", "f1", Takes::Values(&["x"])),
    plain("num_nonrel_judged_ret", "num_nonrel_judged_ret"),
    plain("prefs_num_prefs_poss", "prefs_num_prefs_poss"),
    plain("prefs_num_prefs_ful", "prefs_num_prefs_ful"),
    plain("prefs_num_prefs_ful_ret", "prefs_num_prefs_ful_ret"),
    plain("prefs_simp", "prefs_simp"),
    plain("prefs_pair", "prefs_pair"),
    plain("prefs_avgjg", "prefs_avgjg"),
    plain("prefs_avgjg_Rnonrel", "prefs_avgjg_rnonrel"),
    plain("prefs_simp_ret", "prefs_simp_ret"),
    plain("prefs_pair_ret", "prefs_pair_ret"),
    plain("prefs_avgjg_ret", "prefs_avgjg_ret"),
    plain("prefs_avgjg_Rnonrel_ret", "prefs_avgjg_rnonrel_ret"),
    plain("prefs_simp_imp", "prefs_simp_imp"),
    plain("prefs_pair_imp", "prefs_pair_imp"),
    plain("prefs_avgjg_imp", "prefs_avgjg_imp"),
    plain("map_avgjg", "map_avgjg"),
    with("P_avgjg", "p_avgjg", CUTOFFS),
    with("Rprec_mult_avgjg", "rprec_mult_avgjg", MULTIPLES),
    plain("yaap", "yaap"),
    with("rbp", "rbp:gain=query:p=0.9", Takes::Pairs),
    with("rbp_resid", "rbp_residual:p=0.9", Takes::Pairs),
    with("unj", "unjudged", Takes::Cutoffs(&[5, 10, 20])),
];

impl TrecMeasure {
    /// The measure with a name, which is written exactly as trec_eval writes it.
    pub fn find(name: &str) -> Option<&'static Self> {
        TREC_EVAL.iter().find(|measure| measure.name == name)
    }

    /// What `-m name` or `-m name.parameters` computes: each measure under the name that is
    /// printed, in the order in which it is printed.
    ///
    /// How values of queries become one is the [`aggregate`](super::MeasureDef::aggregate) of the
    /// definition of each: sum, mean, or geometric mean. trec_eval adds them in the byte order of
    /// query ids; another order can move the fourth decimal.
    ///
    /// ```
    /// use raglens::measure::{Asked, TrecMeasure};
    /// let asked = Asked { rel: 1.0, documents: 0 };
    /// let found = TrecMeasure::find("P").unwrap().measures(Some("10,5"), asked)?;
    /// let names: Vec<(&str, &str)> = found.iter().map(|(name, measure)| (&**name, measure.label())).collect();
    /// assert_eq!(names, [("P_5", "precision@5"), ("P_10", "precision@10")]);
    /// # Ok::<(), raglens::measure::TrecError>(())
    /// ```
    ///
    /// # Errors
    /// When the parameters do not fit.
    pub fn measures(&self, parameters: Option<&str>, asked: Asked) -> Result<Vec<(String, Measure)>, TrecError> {
        let at = |name: String, at: At| (name, self.build(at, &[], asked));
        let whole = |written: &[(&'static str, Value)]| {
            let name = parameters.map_or_else(|| self.name.to_owned(), |text| format!("{}_{text}", self.name));
            Ok(vec![(name, self.build(At::Whole, written, asked))])
        };
        match (self.takes, parameters) {
            (Takes::Nothing, _) => Ok(vec![(self.name.to_owned(), self.build(At::Whole, &[], asked))]),
            (Takes::Cutoffs(defaults), _) => {
                let cutoffs = parameters.map_or_else(|| Ok(defaults.to_vec()), |text| self.cutoffs(text))?;
                Ok(cutoffs.into_iter().map(|k| at(format!("{}_{k}", self.name), At::Cutoff(k))).collect())
            }
            (Takes::Levels(defaults), _) => {
                let levels = parameters.map_or_else(|| Ok(defaults.to_vec()), |text| self.levels(text))?;
                Ok(levels.into_iter().map(|x| at(format!("{}_{x:.2}", self.name), At::Level(x))).collect())
            }
            (Takes::Length(default), None) => Ok(vec![at(self.name.to_owned(), At::Cutoff(default))]),
            (Takes::Length(_), Some(text)) => {
                let length = self.number(text)?;
                Ok(vec![at(format!("{}_{text}", self.name), At::Cutoff(length as u64))])
            }
            (_, None) => whole(&[]),
            (Takes::Values(names), Some(text)) => {
                let numbers = self.numbers(text)?;
                if numbers.len() != names.len() {
                    return Err(TrecError::Count { measure: self.name, expected: names.len(), found: numbers.len() });
                }
                whole(&names.iter().copied().zip(numbers.into_iter().map(Value::Number)).collect::<Vec<_>>())
            }
            (Takes::List(name), Some(text)) => whole(&[(name, Value::Numbers(self.numbers(text)?))]),
            (Takes::Pairs, Some(text)) => whole(&self.pairs(text)?),
        }
    }

    /// The measure of the row at `at`, with parameters beside those of the row.
    fn build(&self, at: At, written: &[(&'static str, Value)], asked: Asked) -> Measure {
        let spec = Spec::parse(self.spec).expect("the table is right").with_rel(asked.rel);
        let own = spec.written().iter().filter(|(name, _)| written.iter().all(|(other, _)| other != name)).cloned();
        let documents = spec.definition().params.iter().find(|param| self.name == "utility" && param.name == "n");
        let documents = documents.map(|param| (param.name, Value::Number(asked.documents as f64)));
        let written: Vec<_> = own.chain(written.iter().cloned()).chain(documents).collect();
        let params = Params::new(spec.definition(), at, &written);
        Measure::new(spec.definition(), params).expect("the table is right")
    }

    /// Cutoffs in ascending order. Like C's atol, this takes the whole part of a number.
    fn cutoffs(&self, text: &str) -> Result<Vec<u64>, TrecError> {
        let cutoff = |text: &str| {
            let whole = text.split_once('.').map_or(text, |(whole, _)| whole);
            let wrong = || TrecError::Cutoff { measure: self.name, value: text.to_owned() };
            whole.parse().ok().filter(|&k| k > 0).ok_or_else(wrong)
        };
        let mut cutoffs: Vec<u64> = text.split(',').map(cutoff).collect::<Result<_, _>>()?;
        cutoffs.sort_unstable();
        self.each_once(&cutoffs)?;
        Ok(cutoffs)
    }

    fn levels(&self, text: &str) -> Result<Vec<f64>, TrecError> {
        let mut levels = self.numbers(text)?;
        levels.sort_by(f64::total_cmp);
        self.each_once(&levels)?;
        Ok(levels)
    }

    fn each_once<T: PartialEq + ToString>(&self, sorted: &[T]) -> Result<(), TrecError> {
        let twice = sorted.windows(2).find(|pair| pair[0] == pair[1]);
        twice.map_or(Ok(()), |pair| Err(TrecError::Twice { measure: self.name, value: pair[0].to_string() }))
    }

    fn numbers(&self, text: &str) -> Result<Vec<f64>, TrecError> {
        text.split(',').map(|text| self.number(text)).collect()
    }

    fn number(&self, text: &str) -> Result<f64, TrecError> {
        let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
        number
            .map(|number| number + 0.0)
            .ok_or_else(|| TrecError::Number { measure: self.name, value: text.to_owned() })
    }

    fn pairs(&self, text: &str) -> Result<Vec<(&'static str, Value)>, TrecError> {
        let params = Spec::parse(self.spec).expect("the table is right").definition().params;
        let pair = |pair: &str| {
            let measure = self.name;
            let example = if params.iter().any(|param| param.name == "p") { "p=0.8" } else { "1=3,2=9" };
            let wrong = || TrecError::Pair { measure, example, value: pair.to_owned() };
            let (name, value) = pair.split_once('=').ok_or_else(wrong)?;
            self.number(value)?;
            let param = params.iter().find(|param| param.answers_to(name)).ok_or_else(wrong)?;
            let read = param.read(name, value.trim());
            let refusal =
                || TrecError::Value { measure, param: param.name, expected: param.expected(), value: value.to_owned() };
            Ok((param.name, read.ok_or_else(refusal)?))
        };
        text.split(',').map(pair).collect()
    }
}

#[cfg(test)]
mod tests;
