//! Interpolated precision at a recall level: the points of the classic recall-precision curve.

use super::{
    CONDENSED, Computation, CutoffRule, MeasureDef, ParamDef, ParamValues, Params, Purpose, REL, Scorer, SpecError,
    Terms, TrecName, shortest,
};
use crate::judged::{Grade, JudgedRanking};

const ROUNDING: ParamDef = ParamDef {
    name: "rounding",
    aliases: &[],
    values: ParamValues::Words(&["nearest", "v9"]),
    default: Some("nearest"),
    not_with: None,
    about: "how level · R becomes a number of documents: rounded (nearest), or plus 0.9 without its fraction (v9)",
};

const LEVELS: ParamDef = ParamDef {
    name: "levels",
    aliases: &[],
    values: ParamValues::Numbers(f64::NEG_INFINITY, f64::INFINITY),
    default: Some("0+0.1+0.2+0.3+0.4+0.5+0.6+0.7+0.8+0.9+1"),
    not_with: None,
    about: "the recall levels",
};

pub(super) static IPREC: MeasureDef = MeasureDef {
    name: "iprec",
    aliases: &["iprec_at_recall", "interpolated_precision"],
    about: "the best precision at or below the rank where a share of the relevant documents is found",
    formula: "max precision@i over the ranks i at which at least round(level · R) relevant documents are found",
    reading: "What precision a reader can have who wants this share of everything relevant.",
    blind_to: "How relevant a document is.",
    edge_cases: "Needs a level behind the @, from 0 to 1. 0 when so many are not retrieved. Level 0 is the best \
                 precision anywhere.",
    peers: "iprec_at_recall of trec_eval 10, whose rounding (half away from 0) differs from that of trec_eval 9: \
            that is rounding=v9.",
    purpose: Purpose::TrecEval,
    source: "trec_eval, iprec_at_recall",
    cutoff: CutoffRule::RecallLevel,
    params: &[REL, CONDENSED, ROUNDING],
    by_name_only: true,
    trec_name: TrecName::at("iprec_at_recall"),
    ..MeasureDef::built_by(build)
};

pub(super) static ELEVEN_POINT: MeasureDef = MeasureDef {
    name: "11pt_avg",
    aliases: &["11_pt_avg", "eleven_point"],
    about: "interpolated precision averaged over eleven recall levels",
    formula: "mean of iprec@0, iprec@0.1 … iprec@1",
    reading: "The area under the classic recall-precision curve, as it was given before map.",
    edge_cases: "A level that the list does not reach adds 0. 0 where nothing relevant is found.",
    peers: "11pt_avg of trec_eval 10, whose rounding differs from that of trec_eval 9: that is rounding=v9.",
    source: "trec_eval, 11pt_avg",
    cutoff: CutoffRule::Never,
    params: &[REL, CONDENSED, LEVELS, ROUNDING],
    trec_name: TrecName::whole("11pt_avg"),
    build: |params| Ok(Computation::ranking(InterpolatedPrecision::new(params, params.numbers("levels").to_vec()))),
    ..IPREC
};

fn build(params: &Params) -> Result<Computation, SpecError> {
    let level = params.level().ok_or_else(|| IPREC.lacks_cutoff())?;
    Ok(Computation::ranking(InterpolatedPrecision::new(params, vec![level])))
}

/// The mean of interpolated precision over some recall levels.
struct InterpolatedPrecision {
    rel: Grade,
    levels: Vec<f64>,
    as_in_9: bool,
}

impl InterpolatedPrecision {
    fn new(params: &Params, levels: Vec<f64>) -> Self {
        Self { rel: params.threshold(), levels, as_in_9: params.word("rounding") == Some("v9") }
    }

    /// How many of the relevant documents a level asks for.
    fn wanted(&self, level: f64, relevant: u64) -> u64 {
        let share = level * relevant as f64;
        if self.as_in_9 { (share + 0.9) as u64 } else { share.round() as u64 }
    }
}

impl Scorer for InterpolatedPrecision {
    fn score(&self, ranking: &JudgedRanking<'_>) -> Option<f64> {
        let relevant = ranking.hits().iter().filter(|hit| hit.is_relevant(self.rel));
        let mut best: Vec<f64> = (1_u64..).zip(relevant).map(|(found, hit)| found as f64 / hit.rank as f64).collect();
        // From the end up, the best precision at or below the rank of each relevant document.
        for index in (1..best.len()).rev() {
            best[index - 1] = f64::max(best[index - 1], best[index]);
        }
        let relevant = ranking.relevant(self.rel);
        let at = |&level: &f64| best.get(self.wanted(level, relevant).saturating_sub(1) as usize).copied();
        let sum = self.levels.iter().map(|level| at(level).unwrap_or(0.0)).fold(0.0, |sum, value| sum + value);
        Some(sum / self.levels.len() as f64)
    }

    fn terms(&self, ranking: &JudgedRanking<'_>) -> Terms {
        let mut curve = Vec::new();
        let terms = Terms::over(ranking, None, ["found", "precision"], |place| {
            place.is_relevant(self.rel).then(|| {
                curve.push((curve.len() + 1) as f64 / place.rank as f64);
                [curve.len() as f64, curve[curve.len() - 1]]
            })
        });
        let relevant = ranking.relevant(self.rel);
        let mut terms = terms.with_relevant(relevant);
        let mut sum = 0.0;
        for &level in &self.levels {
            let wanted = self.wanted(level, relevant);
            let best = curve.iter().skip(wanted.saturating_sub(1) as usize).fold(0.0, |best, &at| f64::max(best, at));
            let about = format!("largest precision from the row where found is {} on", wanted.max(1));
            terms = terms.step(format!("at recall {}", shortest(level)), about, best);
            sum += best;
        }
        terms.result("their mean", sum / self.levels.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use crate::judged::JudgedRanking;
    use crate::measure::Measure;

    #[test]
    fn the_best_precision_from_there_on_counts() {
        // Precision 1/2 at rank 2, 2/3 at rank 3, 3/5 at rank 5; one of four is not retrieved.
        let list = JudgedRanking::from_grades(&[None, Some(2.0), Some(3.0), None, Some(1.0)], &[2.0]);
        let iprec = |spec| Measure::parse(spec).unwrap().score(&list.view());
        assert_eq!(iprec("iprec@0"), Some(2.0 / 3.0));
        assert_eq!(iprec("iprec_at_recall_0.25"), Some(2.0 / 3.0));
        assert_eq!(iprec("IPrec@0.6"), Some(2.0 / 3.0));
        assert_eq!(iprec("iprec@0.625"), Some(0.6));
        assert_eq!(iprec("iprec@1"), Some(0.0));
        assert_eq!(iprec("iprec:rounding=v9@0.6"), Some(0.6));
    }

    #[test]
    fn eleven_points_are_averaged() {
        // R = 2: level 0 to 0.7 ask for no more than the first, 0.8 to 1 for both; rounded as in
        // trec_eval 9, 0.6 asks for both.
        let list = JudgedRanking::from_grades(&[Some(1.0), None, None, Some(1.0)], &[]);
        let average = |spec| Measure::parse(spec).unwrap().score(&list.view()).unwrap();
        assert!((average("11pt_avg") - (8.0 + 3.0 * 0.5) / 11.0).abs() < 1e-12);
        assert!((average("11pt_avg:rounding=v9") - (6.0 + 5.0 * 0.5) / 11.0).abs() < 1e-12);
        assert!((average("11pt_avg:levels=0+1") - 0.75).abs() < 1e-12);
        assert_eq!(Measure::parse("11pt_avg:levels=.2+.5+0.80").unwrap().label(), "11pt_avg:levels=0.2+0.5+0.8");
    }
}
