//! F1@k: the harmonic mean of precision and recall (van Rijsbergen 1979).

use super::{
    CONDENSED, Computation, MeasureDef, ParamDef, ParamValues, Params, Purpose, REL, Ratio, Scorer, SpecError, Terms,
    TrecName, shortest,
};
use crate::judged::{Grade, JudgedRanking};

const X: ParamDef = ParamDef {
    name: "x",
    aliases: &[],
    values: ParamValues::Number(0.0, f64::INFINITY),
    default: Some("1"),
    not_with: None,
    about: "importance of recall relative to precision; the square of the beta of F-beta",
};

pub(super) static F1: MeasureDef = MeasureDef {
    name: "f1",
    aliases: &["f", "f_1", "f1_score", "set_f@all", "setf@all"],
    about: "precision@k and recall@k in one number",
    formula: "2 · precision · recall / (precision + recall) = 2 · found / (k + R); with x, (x + 1) · found / (k + x · \
              R)",
    reading: "High only when both are: little noise and little missing.",
    blind_to: "The order within the first k, and which of the two is low.",
    edge_cases: "0 when nothing is found. Per query, then averaged: that is not the F1 of the averages. With R \
                 relevant documents nobody can pass 2 · min(R, k) / (R + k). Without @k it is over the whole list.",
    peers: "set_F of trec_eval is the form without @k, and set_F.2 is x=2. Tools that combine the mean precision and \
            the mean recall show another number.",
    purpose: Purpose::Clean,
    source: "van Rijsbergen 1979, Information Retrieval, chapter 7",
    params: &[REL, CONDENSED, X],
    capped: true,
    trec_name: TrecName::whole("set_F"),
    ..MeasureDef::built_by(build)
};

fn build(params: &Params) -> Result<Computation, SpecError> {
    Ok(Computation::ranking(F1 {
        rel: params.threshold(),
        cutoff: params.cutoff(),
        x: params.number("x").unwrap_or(1.0),
    }))
}

struct F1 {
    rel: Grade,
    cutoff: Option<u64>,
    x: f64,
}

impl Scorer for F1 {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        self.ratio(ranking).map(Ratio::value)
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let (name, about, places) = match self.cutoff {
            Some(k) => ("k", "places, whether filled or not", k),
            None => ("n", "documents returned", ranking.retrieved()),
        };
        let (places, relevant) = (places as f64, ranking.relevant(self.rel));
        let terms = Terms::counting(ranking, self.cutoff, self.rel).step(name, about, places).with_relevant(relevant);
        let found = terms.number("found");
        let (terms, rule) = match (self.x == 1.0, self.cutoff) {
            (true, Some(_)) => (terms, "2 · found / (k + R)"),
            (true, None) => (terms, "2 · found / (n + R)"),
            (false, Some(_)) => (terms.step("x", X.about, self.x), "(x + 1) · found / (k + x · R)"),
            (false, None) => (terms.step("x", X.about, self.x), "(x + 1) · found / (n + x · R)"),
        };
        let ratio = Ratio { numerator: (self.x + 1.0) * found, denominator: places + self.x * relevant as f64 };
        terms.result(rule, ratio.value())
    }

    fn ratio(&self, ranking: &JudgedRanking<'_>) -> Option<Ratio> {
        let (found, recovered) = (ranking.found(self.rel, self.cutoff), ranking.recovered(self.rel, self.cutoff));
        let places = self.cutoff.unwrap_or(ranking.retrieved()) as f64;
        let (found, share) = (found as f64, if found == 0 { 1.0 } else { recovered as f64 / found as f64 });
        // One result can bring several passages; `share` is 1 where each brings one document.
        let denominator = places * share + self.x * ranking.relevant(self.rel) as f64;
        Some(Ratio { numerator: (self.x + 1.0) * found * share, denominator })
    }

    fn trec_name(&self) -> Option<String> {
        (self.cutoff.is_none() && self.rel == 1.0).then(|| format!("set_F_{}", shortest(self.x)))
    }
}

#[cfg(test)]
mod tests {
    use crate::judged::JudgedRanking;
    use crate::measure::Measure;

    #[test]
    fn harmonic_mean_of_three_fifths_and_three_quarters() {
        let list = JudgedRanking::from_grades(&[None, Some(2.0), Some(3.0), None, Some(1.0)], &[2.0]);
        let f1 = |spec| Measure::parse(spec).unwrap().score(&list.view());
        assert_eq!(f1("f1@5"), Some(2.0 / 3.0));
        assert_eq!(f1("f1@3"), Some(4.0 / 7.0));
        assert_eq!(f1("f1@1"), Some(0.0));
        assert_eq!(f1("f1:x=2@5"), Some(9.0 / 13.0));
        assert_eq!(f1("set_F_2"), f1("f1:x=2"));
    }

    #[test]
    fn the_largest_cutoff_does_not_overflow() {
        let list = JudgedRanking::from_grades(&[Some(1.0)], &[]);
        let f1 = Measure::parse("f1@1000000000000000").unwrap().score(&list.view()).unwrap();
        assert!(f1 > 0.0 && f1 < 1e-14);
    }
}
