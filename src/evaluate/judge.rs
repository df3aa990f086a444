//! One query: its ranking seen through its labels, and the value of every measure. Which queries
//! count is decided here and only here.

use super::groups::{self, Ranks};
use super::sheet::{Marks, Tally};
use super::{Average, NoRelevant, Rules};
use crate::error::Fault;
use crate::id::Id;
use crate::judged::{Grade, Hit, JudgedRanking, condense};
use crate::labels::{Labels, QueryLabels};
use crate::measure::{Measure, Needs, Ratio, Reads};
use crate::rag::{Lens, Wanted};
use crate::run::{Order, Results, Sightings};
use crate::scores::{Cell, Shape};

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
    sightings: Sightings,
    /// The judged results: position in the file, number of the judgment, grade.
    judged: Vec<(u32, u32, Grade)>,
    places: Vec<u32>,
    hits: Vec<Hit>,
    /// The same for the judged documents alone.
    condensed: Vec<Hit>,
    /// Where the ranking has the documents of the labels, where judgment groups need it.
    ranks: Ranks,
    scored: Scored,
}

/// The scores of one query of the labels, and what was odd about its ranking.
#[derive(Debug, Default)]
pub(crate) struct Scored {
    /// A value per measure, as a number that stands for its cell.
    pub values: Vec<f64>,
    /// The texts of the measures that are texts, in their order.
    pub texts: Vec<String>,
    /// A fraction per measure for micro averages; empty for macro averages.
    pub ratios: Vec<Option<Ratio>>,
    pub marks: Marks,
    pub tally: Tally,
    /// Results whose place in a document is needed and not known.
    pub unplaced: Vec<Id>,
}

impl Scored {
    /// Forgets everything and keeps the memory.
    fn clear(&mut self) {
        self.values.clear();
        self.texts.clear();
        self.ratios.clear();
        self.unplaced.clear();
        (self.marks, self.tally) = Default::default();
    }
}

/// Puts a ranking in the order in which it is scored, and says whether the query stands among its
/// own results.
///
/// # Errors
/// When a document is there twice and the rules do not say what to do.
pub fn ranked<R: Results>(results: &R, rules: &Rules, order: &mut Order) -> Result<bool, Fault> {
    order.rank_results(results, rules.ties, rules.duplicates, rules.depth.unwrap_or(usize::MAX))?;
    let is_self = |index: u32| results.document(index as usize) == results.query();
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

    /// Whether more is looked at than documents and their order, so that rankings must be in memory.
    pub fn needs_rankings(&self) -> bool {
        self.lens.is_some()
    }

    /// How much the scores of a query are.
    pub fn shape(&self) -> Shape {
        let empty = JudgedRanking::new(&[], 0, &[]);
        Shape {
            values: self.measures.len(),
            ratios: if self.rules.average == Average::Micro { self.measures.len() } else { 0 },
            texts: self.measures.iter().filter(|measure| measure.text(&empty).is_some()).count(),
        }
    }

    /// Gets ready for about as many results of a query as are `expected`: the documents are looked
    /// for that can make a difference, which are the judged ones and the query itself.
    pub fn look(&self, position: usize, expected: usize, sightings: &mut Sightings) {
        let query = &self.labels.queries()[position];
        sightings.clear(expected + query.judgments().len() + 1);
        query.judgments().for_each(|(document, _)| sightings.look_for(document));
        sightings.look_for(query.id().as_bytes());
    }

    /// Scores the query at a position of the labels; no results are an empty list. Sightings that
    /// come with them began with [`look`](Self::look).
    pub fn score<'s, R: Results>(
        &self,
        position: usize,
        results: Option<&R>,
        scratch: &'s mut Scratch,
    ) -> Result<&'s Scored, Fault> {
        let query = &self.labels.queries()[position];
        scratch.scored.clear();
        scratch.scored.marks.answered = results.is_some();
        scratch.hits.clear();
        scratch.ranks.clear();
        if let Some(results) = results {
            self.find(position, results, scratch);
            self.rank(query, results, scratch)?;
        }
        let Scratch { order, hits, condensed, ranks, scored, .. } = scratch;
        if let Some(lens) = &self.lens {
            let ranking = results.and_then(Results::ranking);
            let seen = lens.look(query, ranking.map(|ranking| (ranking, &*order)), self.wanted)?;
            (scored.tally.retrieved, scored.tally.labelled) = (seen.retrieved, seen.hits.len() as u64);
            scored.unplaced.clone_from(&seen.unplaced);
            self.fill(query, &seen.view(query.ideal()), condensed, ranks, scored);
        } else {
            let view = JudgedRanking::new(hits, scored.tally.retrieved, query.ideal());
            self.fill(query, &view, condensed, ranks, scored);
        }
        Ok(scored)
    }

    /// The value of every measure, with the forms of the ranking that measures share.
    fn fill(
        &self,
        query: &QueryLabels,
        view: &JudgedRanking<'_>,
        condensed: &mut Vec<Hit>,
        ranks: &Ranks,
        scored: &mut Scored,
    ) {
        condensed.clear();
        if self.is_condensed {
            condensed.extend_from_slice(view.hits());
            condense(condensed);
        }
        let view = if self.is_condensed { view.with_condensed(condensed) } else { *view };
        match self.labels.grouping() {
            None => self.measure(query, &view, scored),
            Some(grouping) => {
                let measure = |view: &JudgedRanking<'_>| self.measure(query, view, scored);
                groups::with_groups(view, query, grouping, ranks, self.rules.judged_only, measure);
            }
        }
    }

    fn measure(&self, query: &QueryLabels, view: &JudgedRanking<'_>, scored: &mut Scored) {
        scored.marks.left_out = true;
        for measure in self.measures {
            let cell = cell(query, view, measure, self.rules);
            scored.marks.left_out &= cell == Cell::LeftOut;
            scored.values.push(cell.number());
            if self.rules.average == Average::Micro {
                scored.ratios.push(cell.value().and_then(|_| measure.ratio(view)));
            }
        }
        let texts = self.measures.iter().filter(|measure| measure.is_text());
        scored.texts.extend(texts.filter_map(|measure| measure.text(view)));
    }

    /// Looks at results that nobody has looked at while they were read.
    fn find<R: Results>(&self, position: usize, results: &R, scratch: &mut Scratch) {
        if results.sightings().is_none() {
            self.look(position, results.len(), &mut scratch.sightings);
            (0..results.len()).for_each(|index| scratch.sightings.see(results.document(index), index as u32));
        }
    }

    /// Finds the documents that stand in the labels, with their ranks.
    fn rank<R: Results>(&self, query: &QueryLabels, results: &R, scratch: &mut Scratch) -> Result<(), Fault> {
        let Scratch { order, sightings, judged, places, hits, ranks, scored, .. } = scratch;
        let Scored { marks, tally, .. } = scored;
        let found = results.sightings().unwrap_or(sightings).found();
        let seen = judged_among(query, results, found, judged, places);
        marks.self_retrieved = seen.itself;
        tally.retrieved = results.len() as u64;
        marks.contradicts = results.course().contradicts;
        let is_cut = self.rules.depth.is_some() || (seen.itself && self.rules.drop_self);
        let is_needed = self.lens.is_some() || self.labels.grouping().is_some();
        if seen.twice || is_cut || is_needed || results.is_trajectory() {
            marks.self_retrieved = ranked(results, self.rules, order)?;
            hits.extend(self::judged(query, results, order));
            if self.labels.grouping().is_some() {
                let ids = order.indices().iter().map(|&index| results.document(index as usize).into());
                ranks.extend(ids.zip(1..));
            }
            tally.retrieved = order.indices().len() as u64;
            tally.dropped = order.dropped();
            self.find_ties(results, order.indices(), marks, tally);
        } else if Order::is_given(results, self.rules.ties) {
            hits.extend(judged.iter().map(|&(index, _, grade)| Hit { rank: u64::from(index) + 1, grade }));
        } else {
            order.rank_distinct(results, self.rules.ties);
            places.resize(results.len(), 0);
            (0..).zip(order.indices()).for_each(|(place, &index)| places[index as usize] = place);
            let rank = |index: u32| u64::from(places[index as usize]) + 1;
            hits.extend(judged.iter().map(|&(index, _, grade)| Hit { rank: rank(index), grade }));
            hits.sort_unstable_by_key(|hit| hit.rank);
            self.find_ties(results, order.indices(), marks, tally);
        }
        tally.labelled = hits.len() as u64;
        if self.rules.judged_only {
            condense(hits);
            tally.retrieved = hits.len() as u64;
        }
        Ok(())
    }

    fn find_ties<R: Results>(&self, results: &R, indices: &[u32], marks: &mut Marks, tally: &mut Tally) {
        let tied = |place: usize| results.tied(indices[place - 1], indices[place]);
        tally.tied_pairs = (1..indices.len()).filter(|&place| tied(place)).count() as u64;
        let cutoffs = self.cutoffs.iter().take_while(|&&cutoff| cutoff < indices.len());
        marks.tied_at_cutoff = tally.tied_pairs > 0 && cutoffs.clone().any(|&cutoff| tied(cutoff));
    }
}

/// The documents of an ordered ranking that stand in the labels.
pub fn judged<'a, R: Results>(
    query: &'a QueryLabels,
    results: &'a R,
    order: &'a Order,
) -> impl Iterator<Item = Hit> + 'a {
    let grade = |&index: &u32| query.grade(results.document(index as usize));
    (1..).zip(order.indices()).filter_map(move |(rank, index)| Some(Hit { rank, grade: grade(index)? }))
}

/// WHICH QUERIES COUNT: an unanswerable query never does; one in which a measure has nothing
/// to find does not, unless it is to count as 0.
pub fn cell(query: &QueryLabels, view: &JudgedRanking<'_>, measure: &Measure, rules: &Rules) -> Cell {
    if query.is_unanswerable() {
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

/// What was seen of a ranking beside its judged documents.
struct Seen {
    /// Whether a document is there twice, or could be.
    twice: bool,
    /// Whether the query stands among its own results.
    itself: bool,
}

/// Finds the judged documents among the results that were found.
fn judged_among<R: Results>(
    query: &QueryLabels,
    results: &R,
    found: &[u32],
    judged: &mut Vec<(u32, u32, Grade)>,
    places: &mut Vec<u32>,
) -> Seen {
    judged.clear();
    let (mut twice, mut itself) = (false, false);
    for &index in found {
        let document = results.document(index as usize);
        let is_self = document == results.query();
        match query.judgment(document) {
            Some((place, grade)) => judged.push((index, place, grade)),
            None => twice |= !is_self || itself,
        }
        itself |= is_self;
    }
    places.clear();
    places.extend(judged.iter().map(|&(_, place, _)| place));
    places.sort_unstable();
    twice |= places.windows(2).any(|pair| pair[0] == pair[1]);
    Seen { twice, itself }
}
