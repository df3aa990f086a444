//! Text ⇄ measure: the grammar `name[:param[=value]]…[@k]`, also written `Name(param=value, …)@k`.

use super::error::SpecError;
use super::names::{self, Arg};
use super::params::{At, Params, Value};
use super::{CutoffRule, Measure, MeasureDef, ParamDef};
use crate::judged::Grade;

/// A measure as it was asked for: what was written, and what was left open.
#[derive(Debug, Clone)]
pub struct Spec {
    def: &'static MeasureDef,
    written: Vec<(&'static str, Value)>,
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
            (CutoffRule::Required, At::Whole) => Err(SpecError::CutoffRequired { measure, example: "10" }),
            (CutoffRule::RecallLevel, At::Whole) => Err(SpecError::CutoffRequired { measure, example: "0.2" }),
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

fn read_args(def: &'static MeasureDef, text: &str, args: &[Arg<'_>]) -> Result<Vec<(&'static str, Value)>, SpecError> {
    let mut written: Vec<(&'static str, Value)> = Vec::new();
    for (name, value) in args {
        let (param, value) = read_arg(def, text, name, value)?;
        if written.iter().any(|(earlier, _)| *earlier == param) {
            return Err(SpecError::ParamTwice { text: text.to_owned(), param });
        }
        written.push((param, value));
    }
    refuse_void(def, text, &written)?;
    Ok(written)
}

fn read_arg(def: &MeasureDef, text: &str, name: &str, value: &str) -> Result<(&'static str, Value), SpecError> {
    let text = text.to_owned();
    let Some(param) = def.params.iter().find(|param| param.answers_to(name)) else {
        let known: Vec<&str> = def.params.iter().map(|param| param.name).collect();
        let expected = if known.is_empty() { "none".to_owned() } else { known.join(" or ") };
        return Err(SpecError::UnknownParam { text, measure: def.name, param: name.to_owned(), expected });
    };
    match param.read(value) {
        Some(value) => Ok((param.name, value)),
        None => {
            let (value, expected) = (value.to_owned(), param.expected());
            Err(SpecError::Value { text, measure: def.name, param: param.name, value, expected })
        }
    }
}

/// Refuses a parameter whose meaning another one takes away.
fn refuse_void(def: &MeasureDef, text: &str, written: &[(&'static str, Value)]) -> Result<(), SpecError> {
    let is_written = |param: &&ParamDef| written.iter().any(|(name, _)| *name == param.name);
    let void = def.params.iter().filter(is_written).find(|param| param.is_void(written));
    match void.and_then(|param| Some((param.name, param.not_with?))) {
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
            let is_digits = value.bytes().all(|byte| byte.is_ascii_digit());
            let cutoff = value.parse().ok().filter(|&k: &u64| k > 0 && is_digits);
            cutoff.map(At::Cutoff).ok_or(SpecError::Cutoff { text, measure, value: wrong })
        }
        CutoffRule::RecallLevel => {
            let level = value.parse().ok().filter(|level: &f64| (0.0..=1.0).contains(level));
            level.map(|level| At::Level(level + 0.0)).ok_or(SpecError::Level { text, measure, value: wrong })
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
mod tests {
    use super::*;

    fn label(text: &str) -> String {
        Measure::parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).label().to_owned()
    }

    fn error(text: &str) -> String {
        Measure::parse(text).expect_err(text).to_string()
    }

    #[test]
    fn canonical_labels_leave_defaults_out_and_sort_parameters() {
        let cases = [
            ("NDCG@10", "ndcg@10"),
            (" map:rel=1:norm=r ", "map"),
            ("map:rel=2:norm=min@10", "map:norm=min:rel=2@10"),
            ("rbp:p=0.80", "rbp"),
            ("rbp:P=.95", "rbp:p=0.95"),
            ("hit:rel=-0@1", "hit:rel=0@1"),
            ("recall@all", "recall"),
            ("rprec@ALL", "rprec"),
            ("ndcg'@10", "ndcg:condensed@10"),
            ("ndcg:condensed=false@10", "ndcg@10"),
            ("iprec@0.20", "iprec@0.2"),
            ("err:max=4.0@20", "err:max=4@20"),
        ];
        for (written, expected) in cases {
            assert_eq!(label(written), expected, "{written}");
            assert_eq!(label(expected), expected);
        }
    }

    #[test]
    fn names_of_trec_eval() {
        let cases = [
            ("ndcg_cut_10", "ndcg@10"),
            ("recall_at_5", "recall@5"),
            ("precision_at_10", "precision@10"),
            ("NDCG_AT_3", "ndcg@3"),
            ("ndcg_cut.10", "ndcg@10"),
            ("P_5", "precision@5"),
            ("P.5", "precision@5"),
            ("recall_1000", "recall@1000"),
            ("success_1", "hit@1"),
            ("map_cut_10", "map@10"),
            ("recip_rank", "mrr"),
            ("Rprec", "rprec"),
            ("relative_P_5", "capped_recall@5"),
            ("unj_5", "unjudged@5"),
            ("set_P", "precision"),
            ("set_recall", "recall"),
            ("set_F", "f1"),
            ("infAP", "infap"),
            ("num_rel_ret", "num_rel_ret"),
            ("iprec_at_recall_0.20", "iprec@0.2"),
            ("iprec_at_recall.0.2", "iprec@0.2"),
            ("rbp_p=0.9", "rbp:p=0.9"),
            ("rbp.p=0.9", "rbp:p=0.9"),
        ];
        for (written, expected) in cases {
            assert_eq!(label(written), expected, "{written}");
        }
    }

    #[test]
    fn names_of_other_tools_and_of_people() {
        let cases = [
            ("nDCG@10", "ndcg@10"),
            ("nDCG(dcg='exp-log2')@10", "ndcg_exp@10"),
            ("nDCG(dcg=\"log2\", judged_only=True)@10", "ndcg:condensed@10"),
            ("P(rel=2)@5", "precision:rel=2@5"),
            ("AP(rel=2)", "map:rel=2"),
            ("RR@10", "mrr@10"),
            ("RBP(p=0.8)", "rbp"),
            ("SetP", "precision"),
            ("hit_rate@5", "hit@5"),
            ("hit-rate@5", "hit@5"),
            ("ndcg_burges@10", "ndcg_exp@10"),
            ("rbp.80", "rbp"),
            ("rbp.95", "rbp:p=0.95"),
            ("r-precision", "rprec"),
            ("precision@5", "precision@5"),
            ("hits@5", "hit@5"),
            ("success@5", "hit@5"),
            ("accuracy@5", "hit@5"),
            ("p@5", "precision@5"),
            ("r@5", "recall@5"),
            ("prec", "precision"),
            ("ap", "map"),
            ("rr", "mrr"),
        ];
        for (written, expected) in cases {
            assert_eq!(label(written), expected, "{written}");
        }
    }

    #[test]
    fn a_bad_cutoff_is_named_with_its_measure() {
        for written in ["recall@0", "recall@-1", "recall@2.5", "recall@", "recall@+5", "recall@ten"] {
            let value = written.split_once('@').unwrap().1;
            let expected =
                format!("`{written}`: the cutoff of recall is a whole number from 1, or `all`, not `{value}`");
            assert_eq!(error(written), expected);
        }
        assert_eq!(error("P_0"), "`P_0`: the cutoff of precision is a whole number from 1, or `all`, not `0`");
        assert_eq!(error("rprec@5"), "`rprec@5`: rprec is over the whole list and takes no cutoff");
        assert_eq!(error("bpref@10"), "`bpref@10`: bpref is over the whole list and takes no cutoff");
        assert_eq!(error("P_5@10"), "`P_5@10`: expected one cutoff, not two");
        assert_eq!(error("unjudged"), "unjudged is incomplete, expected an @ such as unjudged@10");
        assert_eq!(error("capped_recall@all"), "capped_recall is incomplete, expected an @ such as capped_recall@10");
        assert_eq!(error("iprec@1.5"), "`iprec@1.5`: the recall level of iprec is a number from 0 to 1, not `1.5`");
    }

    #[test]
    fn a_bad_parameter_is_named_with_what_is_allowed() {
        let cases = [
            ("ndcg:rel=2@10", "`ndcg:rel=2@10`: ndcg has no parameter `rel`, expected condensed"),
            ("judged:condensed@5", "`judged:condensed@5`: judged has no parameter `condensed`, expected none"),
            ("hit:rel=2:rel=3@5", "`hit:rel=2:rel=3@5`: expected `rel` once, not twice"),
            ("hit:rel=-1@5", "`hit:rel=-1@5`: `rel` of hit is a number from 0, not `-1`"),
            ("hit:rel=nan@5", "`hit:rel=nan@5`: `rel` of hit is a number from 0, not `nan`"),
            ("hit:rel=inf@5", "`hit:rel=inf@5`: `rel` of hit is a number from 0, not `inf`"),
            ("rbp:p=1", "`rbp:p=1`: `p` of rbp is a number from 0 to below 1, not `1`"),
            ("map:norm=k", "`map:norm=k`: `norm` of map is r or min, not `k`"),
            ("rbp:gain=graded:rel=2", "`rbp:gain=graded:rel=2`: `rel` has no meaning with gain=graded"),
            ("P(rel=2@5", "`P(rel=2@5`: expected a metric such as P(rel=2)@5, with one pair of parentheses"),
            ("P(rel=2)5", "`P(rel=2)5`: expected a metric such as P(rel=2)@5, with one pair of parentheses"),
        ];
        for (written, expected) in cases {
            assert_eq!(error(written), expected);
        }
    }

    #[test]
    fn many_marks_of_condensing_are_an_unknown_name() {
        assert!(Measure::parse("ndcg'@10").is_ok());
        assert!(Measure::parse(&format!("ndcg{}@10", "'".repeat(60_000))).is_err());
    }

    #[test]
    fn an_unknown_name_gets_the_nearest_one() {
        let help = |text| Measure::parse(text).unwrap_err().help();
        assert_eq!(error("ndgc@10"), "unknown metric `ndgc@10`");
        assert_eq!(help("ndgc@10").as_deref(), Some("did you mean `ndcg@10`?"));
        assert_eq!(help("ndgc@0").as_deref(), Some("did you mean `ndcg`?"));
        assert_eq!(help("ndgc_cut_10").as_deref(), Some("did you mean `ndcg_cut`?"));
        assert_eq!(help("recal@5").as_deref(), Some("did you mean `recall@5`?"));
        assert_eq!(help("percision").as_deref(), Some("did you mean `precision`?"));
        assert_eq!(help("mpa").as_deref(), Some("did you mean `map`?"));
        assert_eq!(help("faithfulness").as_deref(), Some("`-m all` shows every measure"));
    }

    #[test]
    fn commas_separate_measures_outside_parentheses() {
        let list = |text| -> Vec<String> {
            parse_list(text).unwrap().iter().map(|measure| measure.label().to_owned()).collect()
        };
        assert_eq!(list("P(rel=2, judged_only=True)@5, ndcg@10,"), ["precision:condensed:rel=2@5", "ndcg@10"]);
        assert_eq!(error("@5"), "expected a metric such as ndcg@10, not `@5`");
        assert_eq!(parse_list(" , ").unwrap_err().to_string(), "expected a metric such as ndcg@10, not ` , `");
        assert!(parse_list("ndcg@10,P(rel=2@5,map").is_err());
    }

    #[test]
    fn open_measures_take_the_cutoffs_and_the_threshold() {
        let specs = parse_specs("recall,recall@5,hit:rel=1@3,set_P,rprec,ndcg,rbp:gain=graded").unwrap();
        let labels = |measures: &[Measure]| -> Vec<String> {
            measures.iter().map(|measure| measure.label().to_owned()).collect()
        };
        assert_eq!(
            labels(&expand(&specs, &[5, 10, 5], 2.0).unwrap()),
            [
                "recall:rel=2@5",
                "recall:rel=2@10",
                "hit@3",
                "precision:rel=2",
                "rprec:rel=2",
                "ndcg@5",
                "ndcg@10",
                "rbp:gain=graded"
            ]
        );
        assert_eq!(labels(&expand(&specs[..2], &[], 1.0).unwrap()), ["recall", "recall@5"]);
        let error = expand(&specs, &[0], 1.0).unwrap_err().to_string();
        assert_eq!(error, "`recall@0`: the cutoff of recall is a whole number from 1, or `all`, not `0`");
    }
}
