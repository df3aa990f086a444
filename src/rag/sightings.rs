//! Looking for evidence: in which search calls, and how far down, the documents of each group
//! stand.

use std::collections::{HashMap, HashSet};

use super::lens::{Cut, Lens, Unit};
use super::spans::credit;
use crate::error::Fault;
use crate::judged::{Evidence, Sighting};
use crate::labels::{GoldSpan, QueryLabels};
use crate::run::{Order, Ranking};

/// Where the evidence of a query stands; `None` where its labels ask for none.
///
/// A group is seen where a result is one of its documents, by its own id or by that of its
/// document. Where passages are judged and the labels have no groups, each hop of the passages is
/// one: any one of them will do.
///
/// # Errors
/// When there is a budget and a result has no number of tokens.
pub(super) fn evidence(
    lens: &Lens<'_>,
    query: &QueryLabels,
    ranking: Option<(&Ranking, &Order)>,
) -> Result<Option<Evidence>, Fault> {
    let lists = ranking.map_or(Ok(Vec::new()), |(ranking, order)| lists(lens, ranking, order))?;
    let calls = ranking.map_or(0, |(ranking, _)| ranking.calls().len().max(1));
    let groups = &query.about.evidence;
    if let (true, Unit::Passage { min_overlap }) = (groups.is_empty(), lens.unit) {
        return Ok(of_passages(lens, query, &lists, min_overlap, calls));
    }
    let mut groups_of: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (number, group) in groups.iter().enumerate() {
        for id in &group.any_of {
            groups_of.entry(id.as_bytes()).or_default().push(number);
        }
    }
    let mut sightings: Vec<Vec<Sighting>> = vec![Vec::new(); groups.len()];
    for list in &lists {
        for (rank, index) in list.ranks(lens) {
            let own = list.ranking.document(index as usize);
            let document = lens.document(list.ranking, index).filter(|document| *document != own);
            let seen = [Some(own), document].into_iter().flatten().filter_map(|id| groups_of.get(id)).flatten();
            for &group in seen {
                see(&mut sightings[group], Sighting { call: list.call, rank });
            }
        }
    }
    let found = groups.iter().map(|group| group.hop).zip(sightings);
    Ok((!groups.is_empty()).then(|| Evidence::new(found, calls)))
}

/// Keeps the first, which is the best, of a call.
fn see(group: &mut Vec<Sighting>, sighting: Sighting) {
    if group.last().is_none_or(|last| last.call != sighting.call) {
        group.push(sighting);
    }
}

/// The results of one call, as many from the top as fit into the budget.
struct List<'a> {
    ranking: &'a Ranking,
    call: usize,
    /// Positions in the file, best first.
    indices: &'a [u32],
}

impl List<'_> {
    /// The rank of each result: its position, or the number of documents down to it where cutoffs
    /// count documents.
    fn ranks(&self, lens: &Lens<'_>) -> Vec<(u64, u32)> {
        let Unit::Document { documents, cut: Cut::After } = lens.unit else {
            return (1..).zip(self.indices.iter().copied()).collect();
        };
        let mut known = HashSet::new();
        let rank = |&index: &u32| {
            known.insert(documents.of_result(self.ranking, index));
            (known.len() as u64, index)
        };
        self.indices.iter().map(rank).collect()
    }
}

fn lists<'a>(lens: &Lens<'_>, ranking: &'a Ranking, order: &'a Order) -> Result<Vec<List<'a>>, Fault> {
    let call = |index: &u32| ranking.call_of(*index as usize);
    let of_calls = order.appearances().chunk_by(|a, b| call(a) == call(b));
    of_calls
        .map(|list| Ok(List { ranking, call: call(&list[0]), indices: lens.within_budget(ranking, list)? }))
        .collect()
}

/// The hops of gold passages, each seen where the first of its passages is credited.
fn of_passages(
    lens: &Lens<'_>,
    query: &QueryLabels,
    lists: &[List<'_>],
    min_overlap: f64,
    calls: usize,
) -> Option<Evidence> {
    let mut hops: Vec<u32> = query.about.spans.iter().filter_map(|span| span.hop).collect();
    hops.sort_unstable();
    hops.dedup();
    let found = hops.iter().map(|&hop| {
        let of_hop = |span: &&GoldSpan| span.hop == Some(hop) && span.grade > 0.0;
        let gold: Vec<GoldSpan> = query.about.spans.iter().filter(of_hop).cloned().collect();
        let mut sightings = Vec::new();
        for list in lists {
            let places: Vec<_> = list.indices.iter().map(|&index| lens.place(list.ranking, index)).collect();
            let first = credit(&gold, &places, min_overlap).hits.first().map(|hit| hit.rank);
            sightings.extend(first.map(|rank| Sighting { call: list.call, rank }));
        }
        (hop, sightings)
    });
    (!hops.is_empty()).then(|| Evidence::new(found.collect::<Vec<_>>(), calls))
}
