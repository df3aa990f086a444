//! What one run shows beside its measures: inflation by document labels, what depends on the
//! overlap, the steps of trajectories, needless searches.

use std::collections::HashMap;

use raglens::evaluate::{EvaluateError, Rules, evaluate, evaluate_through};
use raglens::id::Id;
use raglens::judged::Grade;
use raglens::labels::Labels;
use raglens::measure::{Aggregate, Measure, Needs, Reads, expand, parse_specs};
use raglens::rag::{Both, Searches, Verdict, inflation, steps, verdict};
use raglens::run::Run;
use raglens::scores::{Cell, QueryScores, ScoreTable};

use super::{UnitChoice, Units};
use crate::render::eval::extras::{Extras, Optimism, Steps, SweepRow};

/// What is compared between chunks and documents when nobody asked for measures.
const COMPARED: &str = "hit,recall,precision,mrr,ndcg";
/// What a verdict is about.
const JUDGED: &str = "hit,recall";

/// What a run is measured with.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    /// The labels in the unit of the tables.
    pub labels: &'a Labels,
    /// The measures of the tables.
    pub measures: &'a [Measure],
    /// Whether nobody asked for certain measures.
    pub is_default_set: bool,
    /// The cutoffs; none where the whole list is measured.
    pub cutoffs: &'a [u64],
    /// The conventions.
    pub rules: &'a Rules,
}

impl Units {
    /// Scores a run in its unit.
    ///
    /// # Errors
    /// When it cannot be scored.
    pub fn evaluate<'m>(
        &self,
        labels: &'m Labels,
        run: &Run,
        measures: &'m [Measure],
        rules: &Rules,
    ) -> Result<ScoreTable<'m>, EvaluateError> {
        match self.is_ordinary() && measures.iter().all(|measure| measure.reads() == Reads::Grades) {
            true => evaluate(labels, run, measures, rules),
            false => evaluate_through(&self.lens(), labels, run, measures, rules),
        }
    }

    /// What a run shows beside its measures.
    ///
    /// # Errors
    /// When it cannot be scored.
    pub fn extras(&self, run: &Run, setting: Setting<'_>) -> Result<Extras, EvaluateError> {
        let optimism = match &self.coarse {
            Some(coarse) if self.choice == UnitChoice::Both => Some(self.optimism(run, coarse, setting)?),
            _ => None,
        };
        let searches = Searches::count(setting.labels, run);
        let steps = if self.per_step { Some(self.steps(run, setting)?) } else { None };
        let searches = (searches != Searches::default()).then_some(searches);
        Ok(Extras { optimism, sweep: self.sweep(run, setting)?, steps, searches })
    }

    /// The means with every value of `--min-overlap`, where there are several.
    fn sweep(&self, run: &Run, setting: Setting<'_>) -> Result<Vec<SweepRow>, EvaluateError> {
        if self.min_overlaps.len() < 2 || !self.is_by_passage() {
            return Ok(Vec::new());
        }
        let row = |&min_overlap: &f64| {
            let lens = self.lens_at(min_overlap);
            let table = evaluate_through(&lens, setting.labels, run, setting.measures, setting.rules)?;
            let means = (0..setting.measures.len()).map(|index| table.summary(index).mean);
            Ok(SweepRow { min_overlap, means: means.collect() })
        };
        self.min_overlaps.iter().map(row).collect()
    }

    fn steps(&self, run: &Run, setting: Setting<'_>) -> Result<Steps, EvaluateError> {
        let cutoff = setting.cutoffs.first().copied();
        let steps = steps(setting.labels, run, setting.rules, &self.lens(), cutoff);
        Ok(Steps { cutoff, steps: steps.map_err(EvaluateError::Ranking)? })
    }

    /// The measures by labels of documents against those by labels of chunks.
    fn optimism(&self, run: &Run, coarse: &Labels, setting: Setting<'_>) -> Result<Optimism, EvaluateError> {
        let measures = compared(setting);
        let judged = of_names(JUDGED, &setting.cutoffs[..setting.cutoffs.len().min(1)], setting.rules.rel);
        let pairs = |measures: &[Measure]| self.pairs(run, coarse, measures, setting);
        let found = pairs(&measures)?;
        let rows = (0..measures.len()).filter_map(|index| {
            let values: Vec<Both> = found.iter().filter_map(|pairs| pairs.values[index]).collect();
            Some((measures[index].label().to_owned(), inflation(&values)?))
        });
        let verdicts = pairs(&judged)?;
        let verdicts =
            verdicts.into_iter().filter_map(|Pairs { query, values }| Some((verdict(values[0]?, values[1]?), query)));
        let mut of_verdict: Vec<(Verdict, Vec<Id>)> = Verdict::ALL.map(|verdict| (verdict, Vec::new())).to_vec();
        for (verdict, id) in verdicts {
            let place = of_verdict.iter_mut().find(|(other, _)| *other == verdict);
            place.expect("every verdict has a place").1.push(id);
        }
        let cutoff = setting.cutoffs.first().copied();
        Ok(Optimism { cutoff, rows: rows.collect(), verdicts: of_verdict })
    }

    /// The values of each query by both kinds of labels; a query that has none by one of them is
    /// not in it.
    fn pairs(
        &self,
        run: &Run,
        coarse: &Labels,
        measures: &[Measure],
        setting: Setting<'_>,
    ) -> Result<Vec<Pairs>, EvaluateError> {
        let fine = self.evaluate(setting.labels, run, measures, setting.rules)?;
        let whole = evaluate_through(&self.document_lens(), coarse, run, measures, setting.rules)?;
        let by_query: HashMap<&Id, QueryScores> = whole.rows.iter().map(|row| (row.query, row)).collect();
        let rows = fine.rows.iter().filter_map(|row| {
            let cells = by_query.get(row.query)?.cells().zip(row.cells());
            let both =
                |(document, chunk): (Cell, Cell)| Some(Both { document: document.value()?, chunk: chunk.value()? });
            Some(Pairs { query: row.query.clone(), values: cells.map(both).collect() })
        });
        Ok(rows.collect())
    }
}

/// The values of one query by both kinds of labels, a pair a measure.
struct Pairs {
    query: Id,
    values: Vec<Option<Both>>,
}

/// The measures that are compared between chunks and documents: those asked for that have a
/// meaning for both.
fn compared(setting: Setting<'_>) -> Vec<Measure> {
    if setting.is_default_set {
        return of_names(COMPARED, setting.cutoffs, setting.rules.rel);
    }
    let is_compared = |measure: &&Measure| {
        let definition = measure.definition();
        measure.reads() == Reads::Grades
            && definition.aggregate == Aggregate::Mean
            && matches!(measure.needs(), Needs::Relevant | Needs::Gain)
            && measure.max_grade().is_none()
    };
    let asked = setting.measures.iter().filter(is_compared);
    asked.filter_map(|measure| Measure::parse(measure.label()).ok()).collect()
}

/// Measures that are known to be there.
fn of_names(names: &str, cutoffs: &[u64], rel: Grade) -> Vec<Measure> {
    let specs = parse_specs(names).expect("these names are in the table");
    expand(&specs, cutoffs, rel).expect("cutoffs and threshold were checked")
}
