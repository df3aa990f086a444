//! judged@k and unjudged@k: how much of what was returned anybody looked at.

use super::{
    Better, Computation, CutoffRule, MeasureDef, Needs, Params, Purpose, Ratio, Scorer, SpecError, Terms, TrecName,
};
use crate::judged::{Hit, JudgedRanking};

pub(super) static JUDGED: MeasureDef = MeasureDef {
    name: "judged",
    aliases: &["judged_at"],
    about: "the share of the first k that somebody judged",
    formula: "(judged documents at rank 1 … k) / min(k, number returned)",
    reading: "How far the other numbers can be trusted: at 0.5 half of the results were never looked at and count as \
              not relevant.",
    blind_to: "Whether what was judged is relevant.",
    edge_cases: "Undefined for an empty list. A negative grade means pooled, not judged.",
    peers: "Judged@k of ir_measures has the same divisor, but orders equal scores by ascending ids.",
    purpose: Purpose::Incomplete,
    source: "ir_measures, Judged",
    params: &[],
    better: Better::Neither,
    needs: Needs::Query,
    needs_zeros: true,
    ..MeasureDef::built_by(|params| Ok(Computation::ranking(Judged { cutoff: params.cutoff() })))
};

pub(super) static UNJUDGED: MeasureDef = MeasureDef {
    name: "unjudged",
    aliases: &["unj", "hole", "holes"],
    about: "the share of the first k places with a document that nobody judged",
    formula: "(min(k, number returned) - judged documents at rank 1 … k) / k",
    reading: "How many of k places are a guess.",
    edge_cases: "Needs @k. Places below the end of a short list are not counted, but the divisor stays k: an empty \
                 list scores 0.",
    peers: "unj_k of trec_eval is the same. Hole@k of BEIR and MTEB asks whether a document is judged for any query.",
    source: "trec_eval, unj",
    cutoff: CutoffRule::Required,
    trec_name: TrecName::at("unj"),
    build,
    ..JUDGED
};

fn build(params: &Params) -> Result<Computation, SpecError> {
    let cutoff = params.cutoff().ok_or_else(|| UNJUDGED.lacks_cutoff())?;
    Ok(Computation::ranking(Unjudged { cutoff }))
}

fn judged(ranking: &JudgedRanking<'_>, cutoff: Option<u64>) -> u64 {
    ranking.top(cutoff).iter().filter(|hit| Hit::is_judged(hit)).count() as u64
}

/// The number of judged documents so far at each of the first places.
fn judged_terms(ranking: &JudgedRanking<'_>, cutoff: Option<u64>) -> Terms {
    let mut judged = 0.0;
    let terms = Terms::over(ranking, cutoff, ["judged"], |place| {
        place.is_judged().then(|| {
            judged += 1.0;
            [judged]
        })
    });
    terms.step("judged", "documents with a grade of 0 or more", judged)
}

struct Judged {
    cutoff: Option<u64>,
}

impl Scorer for Judged {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        self.ratio(ranking).filter(|ratio| ratio.denominator > 0.0).map(Ratio::value)
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let returned = ranking.returned(self.cutoff);
        let terms = judged_terms(ranking, self.cutoff).step("returned", "documents in these places", returned as f64);
        let judged = terms.number("judged");
        match returned {
            0 => terms,
            _ => terms.divided(judged, "judged / returned"),
        }
    }

    fn ratio(&self, ranking: &JudgedRanking<'_>) -> Option<Ratio> {
        Some(Ratio::of(judged(ranking, self.cutoff), ranking.returned(self.cutoff)))
    }
}

struct Unjudged {
    cutoff: u64,
}

impl Scorer for Unjudged {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let cutoff = Some(self.cutoff);
        Some(Ratio::of(ranking.returned(cutoff) - judged(ranking, cutoff), self.cutoff).value())
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let cutoff = Some(self.cutoff);
        let returned = ranking.returned(cutoff) as f64;
        let terms = judged_terms(ranking, cutoff).step("returned", "documents in these places", returned);
        let unjudged = returned - terms.number("judged");
        let terms = terms.step("k", "places, whether filled or not", self.cutoff as f64);
        terms.divided(unjudged, "(returned - judged) / k")
    }
}

#[cfg(test)]
mod tests {
    use crate::judged::JudgedRanking;
    use crate::measure::Measure;

    #[test]
    fn the_divisors_differ_on_a_short_list() {
        let l = [None, Some(0.0), Some(2.0), None, Some(3.0), Some(0.0), Some(1.0), Some(0.0), Some(-1.0)];
        let list = JudgedRanking::from_grades(&l, &[]);
        let value = |spec| Measure::parse(spec).unwrap().score(&list.view());
        assert_eq!(value("judged@5"), Some(0.6));
        assert_eq!(value("judged@10"), Some(6.0 / 9.0));
        assert_eq!(value("judged"), Some(6.0 / 9.0));
        assert_eq!(value("unjudged@5"), Some(0.4));
        assert_eq!(value("unjudged@10"), Some(0.3));
    }

    #[test]
    fn nothing_returned_is_undefined_or_no_hole() {
        let list = JudgedRanking::from_grades(&[], &[1.0]);
        let value = |spec| Measure::parse(spec).unwrap().score(&list.view());
        assert_eq!(value("judged@5"), None);
        assert_eq!(value("unjudged@5"), Some(0.0));
    }
}
