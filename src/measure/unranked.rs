//! Measures of what was returned as a set, whatever its order.

use super::{
    Computation, CutoffRule, MeasureDef, Needs, ParamDef, ParamValues, Params, Purpose, REL, Ratio, Scorer, Terms,
    TrecName, shortest,
};
use crate::judged::{Grade, JudgedRanking};

pub(super) static SET_MAP: MeasureDef = MeasureDef {
    name: "set_map",
    aliases: &["setmap"],
    about: "precision times recall of all that was returned",
    formula: "found^2 / (n · R)",
    reading: "High only when the set holds most of what is relevant and little else.",
    blind_to: "The order of the results.",
    edge_cases: "0 for an empty list.",
    peers: "set_map of trec_eval.",
    source: "trec_eval, set_map",
    cutoff: CutoffRule::Never,
    purpose: Purpose::TrecEval,
    by_name_only: true,
    trec_name: TrecName::whole("set_map"),
    ..MeasureDef::built_by(|params| {
        let share =
            |set: &Contingency| Ratio { numerator: set.found * set.found, denominator: set.retrieved * set.relevant };
        Ok(Share::build(params, SET_MAP.formula, share))
    })
};

pub(super) static SET_RELATIVE_P: MeasureDef = MeasureDef {
    name: "set_relative_p",
    aliases: &[],
    about: "the share of what could have been found in a set of this size",
    formula: "found / min(n, R)",
    reading: "1 when the set is all relevant, or holds all that is relevant.",
    peers: "set_relative_P of trec_eval; capped_recall@k is the form with a cutoff.",
    source: "trec_eval, set_relative_P",
    trec_name: TrecName::whole("set_relative_P"),
    build: |params| {
        let share = |set: &Contingency| Ratio { numerator: set.found, denominator: set.retrieved.min(set.relevant) };
        Ok(Share::build(params, SET_RELATIVE_P.formula, share))
    },
    ..SET_MAP
};

pub(super) static UTILITY: MeasureDef = MeasureDef {
    name: "utility",
    aliases: &[],
    about: "what the set is worth, at a price for each kind of document",
    formula: "a · found + b · (n - found) + c · (R - found) + d · (N + found - n - R)",
    reading: "The balance of a reader who takes every result: by default 1 for a relevant one, -1 for any other.",
    edge_cases: "An empty list is worth c · R + d · (N - R). N, the number of documents there are, is 0 unless it is \
                 given.",
    peers: "utility of trec_eval, where the four prices follow the name (utility.1,-1,0,0) and N is the option -N.",
    source: "trec_eval, utility",
    params: &[
        REL,
        ParamDef { name: "a", default: Some("1"), about: "worth of a relevant document retrieved", ..PRICE },
        ParamDef { name: "b", default: Some("-1"), about: "worth of any other document retrieved", ..PRICE },
        ParamDef { name: "c", about: "worth of a relevant document that is not retrieved", ..PRICE },
        ParamDef { name: "d", about: "worth of any other document that is not retrieved", ..PRICE },
        ParamDef { name: "n", about: "number of documents there are", ..PRICE },
    ],
    range: (f64::NEG_INFINITY, f64::INFINITY),
    needs: Needs::Query,
    trec_name: TrecName::whole("utility"),
    build: |params| Ok(Computation::ranking(Utility::new(params))),
    ..SET_MAP
};

const PRICE: ParamDef = ParamDef {
    name: "",
    aliases: &[],
    values: ParamValues::Number(f64::NEG_INFINITY, f64::INFINITY),
    default: Some("0"),
    not_with: None,
    about: "",
};

/// How many documents were retrieved, are relevant, and are both.
struct Contingency {
    retrieved: f64,
    relevant: f64,
    found: f64,
}

impl Contingency {
    fn of(ranking: &JudgedRanking<'_>, rel: Grade) -> Self {
        let [retrieved, relevant, found] =
            [ranking.retrieved(), ranking.relevant(rel), ranking.found(rel, None)].map(|count| count as f64);
        Self { retrieved, relevant, found }
    }

    fn terms(&self, ranking: &JudgedRanking<'_>, rel: Grade) -> Terms {
        let terms = Terms::counting(ranking, None, rel).with_relevant(self.relevant as u64);
        terms.step("n", "documents returned", self.retrieved)
    }
}

struct Share {
    rel: Grade,
    rule: &'static str,
    share: fn(&Contingency) -> Ratio,
}

impl Share {
    fn build(params: &Params, rule: &'static str, share: fn(&Contingency) -> Ratio) -> Computation {
        Computation::ranking(Self { rel: params.threshold(), rule, share })
    }
}

impl Scorer for Share {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        Some((self.share)(&Contingency::of(ranking, self.rel)).value())
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let set = Contingency::of(ranking, self.rel);
        set.terms(ranking, self.rel).result(self.rule, (self.share)(&set).value())
    }
}

struct Utility {
    rel: Grade,
    prices: [f64; 4],
    documents: f64,
}

impl Utility {
    fn new(params: &Params) -> Self {
        let number = |name| params.number(name).unwrap_or(0.0);
        Self { rel: params.threshold(), prices: ["a", "b", "c", "d"].map(number), documents: number("n") }
    }
}

impl Scorer for Utility {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let Contingency { retrieved, relevant, found } = Contingency::of(ranking, self.rel);
        let rest = self.documents + found - retrieved - relevant;
        let numbers = [found, retrieved - found, relevant - found, rest];
        let worth = self.prices.iter().zip(numbers).fold(0.0, |sum, (price, number)| sum + price * number);
        Some(worth + 0.0).filter(|worth| worth.is_finite())
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let terms = Contingency::of(ranking, self.rel).terms(ranking, self.rel);
        let terms = terms.step("N", "number of documents there are", self.documents);
        let worth = self.score(ranking).unwrap_or(0.0);
        let names = ["a", "b", "c", "d"].into_iter().zip(self.prices);
        let terms = names.fold(terms, |terms, (name, price)| terms.step(name, "a price", price));
        terms.result("a · found + b · (n - found) + c · (R - found) + d · (N + found - n - R)", worth)
    }

    fn trec_name(&self) -> Option<String> {
        let prices: Vec<String> = self.prices.iter().map(|&price| shortest(price)).collect();
        (self.rel == 1.0 && self.documents == 0.0).then(|| format!("utility_{}", prices.join(",")))
    }
}

#[cfg(test)]
mod tests {
    use crate::judged::JudgedRanking;
    use crate::measure::Measure;

    #[test]
    fn two_of_three_found_in_five() {
        let list = JudgedRanking::from_grades(&[Some(1.0), None, Some(0.0), Some(2.0), None], &[1.0]);
        let value = |spec| Measure::parse(spec).unwrap().score(&list.view());
        assert_eq!(value("set_map"), Some(4.0 / 15.0));
        assert_eq!(value("set_relative_P"), Some(2.0 / 3.0));
        assert_eq!(value("utility"), Some(-1.0));
        assert_eq!(value("utility:a=2:b=-0.5:c=-3"), Some(4.0 - 1.5 - 3.0));
        assert_eq!(value("utility:d=1:n=100"), Some(-1.0 + 100.0 + 2.0 - 5.0 - 3.0));
        assert_eq!(value("set_map:rel=2"), Some(1.0 / 5.0));
    }
}
