//! One query: its ranking seen through its labels, and the value of every measure. Which queries
//! count is decided here and only here.

use super::groups::{self, Ranks};
use super::{Average, NoRelevant, Rules};
use crate::error::Fault;
use crate::id::Id;
use crate::judged::{Hit, JudgedRanking, condense};
use crate::labels::{Labels, QueryLabels};
use crate::measure::{Measure, Needs, Ratio, Reads};
use crate::rag::{Lens, Wanted};
use crate::run::{Order, Ranking};
use crate::scores::Cell;

/// Scores single queries under fixed labels, measures and rules.
pub(crate) struct Judge<'a> {
    labels: &'a Labels,
    measures: &'a [Measure],
    rules: &'a Rules,
    cutoffs: Vec<usize>,
    /// Whether any measure wants the condensed list.
    is_condensed: bool,
    /// What is asked for beside grades and ranks by id; `None` for ordinary evaluations.
    lens: Option<Lens<'a>>,
    wanted: Wanted,
}

/// Memory that is used again for every query.
#[derive(Default)]
pub(crate) struct Scratch {
    order: Order,
    hits: Vec<Hit>,
    /// Where the ranking has the documents of the labels, where judgment groups need it.
    ranks: Ranks,
}

/// The scores of one query of the labels, and what was odd about its ranking.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scored {
    /// A value per measure.
    pub cells: Vec<Cell>,
    /// The texts of the measures that are texts, in their order.
    pub texts: Vec<String>,
    /// A fraction per measure for micro averages; empty for macro averages.
    pub ratios: Vec<Option<Ratio>>,
    /// Whether the run answers the query.
    pub answered: bool,
    /// Number of documents in the ranking.
    pub retrieved: u64,
    /// How many of them stand in the labels.
    pub labelled: u64,
    /// How many copies were dropped.
    pub dropped: u64,
    /// Number of documents whose score equals that of the document before them.
    pub tied_pairs: u64,
    /// Whether equal scores stand on both sides of a cutoff.
    pub tied_at_cutoff: bool,
    /// Whether the rank column contradicts the scores.
    pub contradicts: bool,
    /// Whether the query stands among its own results.
    pub self_retrieved: bool,
    /// Results whose place in a document is needed and not known.
    pub unplaced: Vec<Id>,
}

impl Scored {
    /// Whether every measure leaves the query out.
    pub fn is_left_out(&self) -> bool {
        self.cells.iter().all(|&cell| cell == Cell::LeftOut)
    }
}

/// Puts a ranking in the order in which it is scored, and says whether the query stands among its
/// own results.
///
/// # Errors
/// When a document is there twice and the rules do not say what to do.
pub fn ranked(ranking: &Ranking, rules: &Rules, order: &mut Order) -> Result<bool, Fault> {
    order.rank_top(ranking, rules.ties, rules.duplicates, rules.depth.unwrap_or(usize::MAX))?;
    let is_self = |index: u32| ranking.document(index as usize) == ranking.query().as_bytes();
    let self_retrieved = order.indices().iter().any(|&index| is_self(index));
    if self_retrieved && rules.drop_self {
        order.retain(|index| !is_self(index));
    }
    Ok(self_retrieved)
}

impl<'a> Judge<'a> {
    pub fn new(labels: &'a Labels, measures: &'a [Measure], rules: &'a Rules) -> Self {
        let cutoffs = measures.iter().filter_map(|measure| usize::try_from(measure.params().cutoff()?).ok());
        let mut cutoffs: Vec<usize> = cutoffs.collect();
        cutoffs.sort_unstable();
        cutoffs.dedup();
        let is_condensed = measures.iter().any(Measure::is_condensed);
        let reads = |what: Reads| measures.iter().any(|measure| measure.reads() == what);
        let wanted = Wanted { passages: reads(Reads::Passages), evidence: reads(Reads::Evidence) };
        let lens = (wanted != Wanted::default()).then(Lens::default);
        Self { labels, measures, rules, cutoffs, is_condensed, lens, wanted }
    }

    /// The same through a lens.
    pub fn through(self, lens: Lens<'a>) -> Self {
        Self { lens: Some(lens), ..self }
    }

    /// Scores the query at a position of the labels; no ranking is an empty list.
    pub fn score(&self, position: usize, ranking: Option<&Ranking>, scratch: &mut Scratch) -> Result<Scored, Fault> {
        let query = &self.labels.queries()[position];
        let mut scored = Scored { answered: ranking.is_some(), ..Scored::default() };
        scratch.hits.clear();
        scratch.ranks.clear();
        if let Some(ranking) = ranking {
            self.rank(query, ranking, scratch, &mut scored)?;
        }
        if let Some(lens) = &self.lens {
            let seen = lens.look(query, ranking.map(|ranking| (ranking, &scratch.order)), self.wanted)?;
            (scored.retrieved, scored.labelled) = (seen.retrieved, seen.hits.len() as u64);
            scored.unplaced.clone_from(&seen.unplaced);
            self.fill(query, &seen.view(query.ideal()), &scratch.ranks, &mut scored);
        } else {
            let view = JudgedRanking::new(&scratch.hits, scored.retrieved, query.ideal());
            self.fill(query, &view, &scratch.ranks, &mut scored);
        }
        Ok(scored)
    }

    /// The value of every measure, with the forms of the ranking that measures share.
    fn fill(&self, query: &QueryLabels, view: &JudgedRanking<'_>, ranks: &Ranks, scored: &mut Scored) {
        let condensed = if self.is_condensed { view.condensed_hits() } else { Vec::new() };
        let view = if self.is_condensed { view.with_condensed(&condensed) } else { *view };
        match self.labels.grouping() {
            None => self.measure(query, &view, scored),
            Some(grouping) => {
                let measure = |view: &JudgedRanking<'_>| self.measure(query, view, scored);
                groups::with_groups(view, query, grouping, ranks, self.rules.judged_only, measure);
            }
        }
    }

    fn measure(&self, query: &QueryLabels, view: &JudgedRanking<'_>, scored: &mut Scored) {
        scored.cells = self.measures.iter().map(|measure| cell(query, view, measure, self.rules)).collect();
        let texts = self.measures.iter().filter(|measure| measure.is_text());
        scored.texts = texts.filter_map(|measure| measure.text(view)).collect();
        if self.rules.average == Average::Micro {
            let cells = self.measures.iter().zip(&scored.cells);
            scored.ratios = cells.map(|(measure, cell)| cell.value().and_then(|_| measure.ratio(view))).collect();
        }
    }

    /// Orders a ranking and finds the documents that stand in the labels.
    fn rank(
        &self,
        query: &QueryLabels,
        ranking: &Ranking,
        scratch: &mut Scratch,
        scored: &mut Scored,
    ) -> Result<(), Fault> {
        let Scratch { order, hits, ranks } = scratch;
        scored.self_retrieved = ranked(ranking, self.rules, order)?;
        hits.extend(judged(query, ranking, order));
        if self.labels.grouping().is_some() {
            let ids = order.indices().iter().map(|&index| ranking.document(index as usize).into());
            ranks.extend(ids.zip(1..));
        }
        scored.retrieved = order.indices().len() as u64;
        scored.labelled = hits.len() as u64;
        if self.rules.judged_only {
            condense(hits);
            scored.retrieved = hits.len() as u64;
        }
        scored.dropped = order.dropped();
        scored.contradicts = ranking.ranks_contradict_scores();
        self.find_ties(ranking, order.indices(), scored);
        Ok(())
    }

    fn find_ties(&self, ranking: &Ranking, indices: &[u32], scored: &mut Scored) {
        let tied = |place: usize| ranking.tied(indices[place - 1], indices[place]);
        scored.tied_pairs = (1..indices.len()).filter(|&place| tied(place)).count() as u64;
        let cutoffs = self.cutoffs.iter().take_while(|&&cutoff| cutoff < indices.len());
        scored.tied_at_cutoff = scored.tied_pairs > 0 && cutoffs.clone().any(|&cutoff| tied(cutoff));
    }
}

/// The documents of an ordered ranking that stand in the labels.
pub fn judged<'a>(query: &'a QueryLabels, ranking: &'a Ranking, order: &'a Order) -> impl Iterator<Item = Hit> + 'a {
    let places = (1..).zip(order.indices().iter().zip(order.hashes()));
    places.filter_map(|(rank, (&index, &hash))| {
        Some(Hit { rank, grade: query.grade_hashed(hash, ranking.document(index as usize))? })
    })
}

/// WHICH QUERIES COUNT: an unanswerable query never does; one in which a measure has nothing
/// to find does not, unless it is to count as 0.
pub fn cell(query: &QueryLabels, view: &JudgedRanking<'_>, measure: &Measure, rules: &Rules) -> Cell {
    if query.about.answerable == Some(false) {
        return Cell::LeftOut;
    }
    let needs = measure.needs();
    let has_something = match needs {
        Needs::Relevant | Needs::Query => view.relevant(measure.threshold().unwrap_or(rules.rel)) > 0,
        Needs::Gain => query.ideal().first().is_some_and(|&best| best > 0.0),
        Needs::Passages => view.passages().is_some_and(|passages| passages.gold() > 0),
        Needs::Evidence => view.evidence().is_some(),
    };
    match (has_something, rules.no_relevant) {
        (false, NoRelevant::Skip) => Cell::LeftOut,
        (false, NoRelevant::Zero) if matches!(needs, Needs::Passages | Needs::Evidence) => Cell::LeftOut,
        (false, NoRelevant::Zero) if needs != Needs::Query => Cell::Value(0.0),
        _ => measure.score(view).filter(|value| value.is_finite()).map_or(Cell::Undefined, Cell::Value),
    }
}
