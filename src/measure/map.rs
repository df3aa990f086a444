//! Average precision, its mean MAP and its geometric mean GMAP (Robertson 2006).

use super::{
    Aggregate, CONDENSED, Computation, CutoffRule, MeasureDef, Needs, ParamDef, ParamValues, Params, Purpose, REL,
    Scorer, SpecError, Terms, TrecName,
};
use crate::judged::{Grade, JudgedRanking};

const NORM: ParamDef = ParamDef {
    name: "norm",
    aliases: &[],
    values: ParamValues::Words(&["r", "min"]),
    default: Some("r"),
    not_with: None,
    about: "divide by all relevant documents (r), or by no more than the cutoff (min)",
};

pub(super) static MAP: MeasureDef = MeasureDef {
    name: "map",
    aliases: &["ap", "map_cut", "average_precision", "mean_average_precision"],
    about: "precision at the rank of each relevant document, averaged over all of them",
    formula: "(1 / R) · Σ precision@i over the ranks i <= k with grade >= rel",
    reading: "Near 1 when the relevant documents stand together at the top, and all of them are there.",
    blind_to: "How relevant a document is, and whether a low value comes from what is missing or from what stands too \
               low.",
    edge_cases: "A relevant document that is not retrieved adds 0 to the sum and 1 to R. R is the divisor also under a \
                 cutoff, so map@k cannot reach 1 when R > k; norm=min divides by min(R, k) there.",
    peers: "map and map_cut_k of trec_eval and AP@k of ir_measures are the same. Kaggle's MAP@k is norm=min. RAGAS \
            divides by the relevant documents found: that is context_precision.",
    purpose: Purpose::High,
    source: "Buckley and Voorhees 2005, in TREC: Experiment and Evaluation in Information Retrieval; trec_eval, map",
    params: &[REL, CONDENSED, NORM],
    capped: true,
    trec_name: TrecName::both("map", "map_cut"),
    ..MeasureDef::built_by(build)
};

/// The smallest value that takes part in a geometric mean, as in trec_eval.
const FLOOR: f64 = 1e-5;
/// Its logarithm.
pub(super) const LOG_FLOOR: f64 = -11.512925464970229;

pub(super) static GM_MAP: MeasureDef = MeasureDef {
    name: "gm_map",
    aliases: &["gmap", "gm_ap"],
    about: "the geometric mean of average precision",
    formula: "exp of the mean over queries of ln(max(AP, 0.00001)); the value of a query is that logarithm",
    reading: "Moves most when the worst queries do: doubling the AP of any query counts the same.",
    blind_to: "What map is blind to. The floor decides how much a query at zero weighs.",
    edge_cases: "AP below 0.00001 counts as 0.00001. A query without relevant documents counts so too, if it counts.",
    peers: "gm_map of trec_eval is the same; it prints it for all queries together only.",
    source: "Robertson 2006, On GMAP and other transformations (CIKM)",
    cutoff: CutoffRule::Never,
    params: &[REL, CONDENSED],
    aggregate: Aggregate::GeometricMean,
    range: (LOG_FLOOR, 0.0),
    needs: Needs::Query,
    capped: false,
    purpose: Purpose::TrecEval,
    by_name_only: true,
    trec_name: TrecName::whole("gm_map"),
    build: |params| {
        Ok(Computation::ranking(LogAveragePrecision(AveragePrecision {
            rel: params.threshold(),
            cutoff: None,
            norm_min: false,
        })))
    },
    ..MAP
};

pub(super) static YAAP: MeasureDef = MeasureDef {
    name: "yaap",
    aliases: &[],
    about: "yet another average precision: how many times more of it was found than missed, as a logarithm",
    formula: "ln((1 + s) / (1 + R - s)), s = Σ precision@i over the ranks i with grade >= rel",
    reading: "As map for one query, on a scale whose ends are as far apart as its middle: 0 is an even chance.",
    blind_to: "What map is blind to.",
    edge_cases: "An empty list scores -ln(1 + R). A query without relevant documents scores 0, if it counts.",
    peers: "yaap of trec_eval.",
    source: "Robertson 2012, On smoothing average precision (ECIR)",
    cutoff: CutoffRule::Never,
    params: &[REL, CONDENSED],
    range: (f64::NEG_INFINITY, f64::INFINITY),
    needs: Needs::Query,
    capped: false,
    purpose: Purpose::TrecEval,
    by_name_only: true,
    trec_name: TrecName::whole("yaap"),
    build: |params| Ok(Computation::ranking(Yaap { rel: params.threshold() })),
    ..MAP
};

fn build(params: &Params) -> Result<Computation, SpecError> {
    let norm_min = params.word("norm") == Some("min");
    Ok(Computation::ranking(AveragePrecision { rel: params.threshold(), cutoff: params.cutoff(), norm_min }))
}

pub(super) struct AveragePrecision {
    rel: Grade,
    cutoff: Option<u64>,
    norm_min: bool,
}

impl AveragePrecision {
    /// Over the whole list.
    pub(super) fn whole(rel: Grade) -> Self {
        Self { rel, cutoff: None, norm_min: false }
    }

    fn value(&self, ranking: &JudgedRanking<'_>) -> f64 {
        let relevant = ranking.relevant(self.rel);
        let divisor = match self.cutoff {
            Some(k) if self.norm_min => relevant.min(k),
            _ => relevant,
        };
        let (sum, _) = precisions(ranking, self.cutoff, self.rel);
        if divisor == 0 { 0.0 } else { sum / divisor as f64 }
    }

    fn worked(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let relevant = ranking.relevant(self.rel);
        let terms = precision_terms(ranking, self.cutoff, self.rel).with_relevant(relevant);
        let sum = terms.number("sum");
        match self.cutoff {
            Some(k) if self.norm_min => {
                terms.step("most", "the smaller of R and k", relevant.min(k) as f64).divided(sum, "sum / most")
            }
            _ => terms.divided(sum, "sum / R"),
        }
    }
}

impl Scorer for AveragePrecision {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        Some(self.value(ranking))
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        self.worked(ranking)
    }
}

struct LogAveragePrecision(AveragePrecision);

impl Scorer for LogAveragePrecision {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        Some(log_above_floor(self.0.value(ranking)))
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        log_terms(self.0.worked(ranking), "AP")
    }
}

/// The way to a logarithm from the way to the value.
pub(super) fn log_terms(terms: Terms, name: &'static str) -> Terms {
    let (rule, value) = (terms.rule, terms.value.unwrap_or(0.0));
    terms.step(name, rule, value).result("its logarithm, of 0.00001 at least", log_above_floor(value))
}

/// What one query adds to a geometric mean.
pub(super) fn log_above_floor(value: f64) -> f64 {
    libm::log(value.max(FLOOR))
}

struct Yaap {
    rel: Grade,
}

impl Scorer for Yaap {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let (sum, _) = precisions(ranking, None, self.rel);
        let missed = ranking.relevant(self.rel) as f64 - sum;
        Some(libm::log((1.0 + sum) / (1.0 + missed)))
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let relevant = ranking.relevant(self.rel);
        let terms = precision_terms(ranking, None, self.rel).with_relevant(relevant);
        let sum = terms.number("sum");
        terms.result("ln((1 + sum) / (1 + R - sum))", libm::log((1.0 + sum) / (1.0 + relevant as f64 - sum)))
    }
}

/// Precision at the rank of each relevant document, with their sum.
pub(super) fn precision_terms(ranking: &JudgedRanking<'_>, cutoff: Option<u64>, rel: Grade) -> Terms {
    let mut found = 0.0;
    let terms = Terms::over(ranking, cutoff, ["found", "precision"], |place| {
        place.is_relevant(rel).then(|| {
            found += 1.0;
            [found, found / place.rank as f64]
        })
    });
    terms.summed("sum", "of the precisions, found / rank")
}

/// The sum of precision at the rank of each relevant document, and their number.
pub(super) fn precisions(ranking: &JudgedRanking<'_>, cutoff: Option<u64>, rel: Grade) -> (f64, u64) {
    let relevant = (1_u64..).zip(ranking.top(cutoff).iter().filter(|hit| hit.is_relevant(rel)));
    relevant.fold((0.0, 0), |(sum, recovered), (places, hit)| {
        let here = ranking.recovered_at(hit, rel);
        (sum + here as f64 * (places as f64 / hit.rank as f64), recovered + here)
    })
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;

    use crate::judged::JudgedRanking;
    use crate::measure::Measure;

    #[test]
    fn a_cutoff_leaves_the_divisor_unless_told() {
        let list = JudgedRanking::from_grades(&[Some(1.0), None, Some(1.0), None], &[1.0, 1.0]);
        let map = |spec| Measure::parse(spec).unwrap().score(&list.view()).unwrap();
        assert_abs_diff_eq!(map("map"), (1.0 + 2.0 / 3.0) / 4.0);
        assert_abs_diff_eq!(map("map@2"), 0.25);
        assert_abs_diff_eq!(map("map:norm=min@2"), 0.5);
        assert_abs_diff_eq!(map("map:norm=min"), map("map"));
    }

    #[test]
    fn condensing_lifts_average_precision() {
        let l = [None, Some(0.0), Some(2.0), None, Some(3.0), Some(0.0), Some(1.0), Some(0.0), None];
        let list = JudgedRanking::from_grades(&l, &[2.0, 0.0]);
        let map = |spec| Measure::parse(spec).unwrap().score(&list.view()).unwrap();
        assert_abs_diff_eq!(map("map"), 0.290_476_190_476_190, epsilon = 1e-12);
        assert_abs_diff_eq!(map("map:condensed"), 0.441_666_666_666_667, epsilon = 1e-12);
    }

    #[test]
    fn yaap_is_the_logarithm_of_found_over_missed() {
        // Precision 1 and 2/3 at the two found of three: (1 + 5/3) / (1 + 4/3).
        let list = JudgedRanking::from_grades(&[Some(1.0), None, Some(1.0)], &[1.0]);
        let yaap = Measure::parse("yaap").unwrap();
        assert_abs_diff_eq!(yaap.score(&list.view()).unwrap(), (8.0_f64 / 7.0).ln(), epsilon = 1e-12);
        let empty = JudgedRanking::from_grades(&[], &[1.0; 3]);
        assert_abs_diff_eq!(yaap.score(&empty.view()).unwrap(), 0.25_f64.ln(), epsilon = 1e-12);
    }

    #[test]
    fn the_geometric_mean_takes_logarithms_above_a_floor() {
        let gm_map = Measure::parse("gm_map").unwrap();
        let none = JudgedRanking::from_grades(&[None], &[1.0]);
        assert_eq!(gm_map.score(&none.view()), Some(gm_map.definition().range.0));
        let all = JudgedRanking::from_grades(&[Some(1.0)], &[]);
        assert_eq!(gm_map.score(&all.view()), Some(0.0));
    }
}
