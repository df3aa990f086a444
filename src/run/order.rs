//! The order of a ranking. It is decided here and only here, and never looks at the labels.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::ranking::{Keyed, Ranking};
use crate::error::{Fault, InputErrorKind};
use crate::id;

/// How equal scores are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ties {
    /// Document ids by bytes, descending: trec_eval's rule.
    #[default]
    Trec,
    /// The same, of scores as 32-bit numbers: the rule of trec_eval before version 10, under which
    /// scores are equal that differ by less.
    TrecSingle,
    /// The order of the file.
    Input,
    /// Document ids by bytes, ascending.
    IdAscending,
}

/// What to do with a document that is twice in one ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Duplicates {
    /// Stop with both lines.
    #[default]
    Error,
    /// Keep the best-ranked one, close the gap, count the rest.
    First,
}

/// A ranking in order: positions in the file, best first, no document twice. Its memory can be
/// used again for the next ranking.
#[derive(Debug, Clone, Default)]
pub struct Order {
    indices: Vec<u32>,
    hashes: Vec<u64>,
    slots: Vec<u32>,
    dropped: u64,
    /// The results of all calls of a trajectory, in order; empty for a single call.
    appearances: Vec<u32>,
}

impl Order {
    /// Positions of the results in the file, from 0, best first.
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// The [`hash`](id::hash) of each document, in the same order.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// Positions in the file of everything that was returned, call by call, best first: the same
    /// as [`indices`](Self::indices) but for trajectories, in which a document can appear in
    /// several calls.
    pub fn appearances(&self) -> &[u32] {
        if self.appearances.is_empty() { &self.indices } else { &self.appearances }
    }

    /// How many copies of a document were dropped.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Ranks the results: by score descending or rank ascending, ties by `ties`; a list without
    /// either keeps its order. The calls of a trajectory stand one behind the other, each in its
    /// own order, and a document stands where it appears first.
    ///
    /// # Errors
    /// [`InputErrorKind::DuplicateDocument`] when a document is there twice and `duplicates` does
    /// not say what to do.
    pub fn rank(&mut self, ranking: &Ranking, ties: Ties, duplicates: Duplicates) -> Result<(), Fault> {
        self.rank_top(ranking, ties, duplicates, usize::MAX)
    }

    /// The same for the first `depth` results; what comes behind them is not looked at.
    ///
    /// # Errors
    /// As [`rank`](Self::rank).
    pub fn rank_top(
        &mut self,
        ranking: &Ranking,
        ties: Ties,
        duplicates: Duplicates,
        depth: usize,
    ) -> Result<(), Fault> {
        self.indices.clear();
        self.indices.extend(0..ranking.len() as u32);
        let is_in_order = ranking.is_strictly_in_order() && ties != Ties::TrecSingle;
        if !is_in_order && !self.indices.is_sorted_by(|&a, &b| compare(ranking, a, b, ties).is_le()) {
            self.indices.sort_unstable_by(|&a, &b| compare(ranking, a, b, ties));
        }
        self.indices.truncate(depth);
        self.hashes.clear();
        self.hashes.extend(self.indices.iter().map(|&index| id::hash(ranking.document(index as usize))));
        let copies = self.copies(ranking, |a, b| ranking.call_of(a as usize) == ranking.call_of(b as usize));
        self.dropped = copies.len() as u64;
        match (copies.first(), duplicates) {
            (None, _) => {}
            (Some(&(first, copy)), Duplicates::Error) => {
                return Err(duplicate(ranking, self.indices[first], self.indices[copy]));
            }
            (Some(_), Duplicates::First) => {
                self.leave_out(&copies);
            }
        }
        self.appearances.clear();
        if ranking.is_trajectory() {
            self.appearances.clone_from(&self.indices);
            let again = self.copies(ranking, |_, _| true);
            self.leave_out(&again);
        }
        Ok(())
    }

    /// Keeps the results for whose position in the file `keep` holds.
    pub fn retain(&mut self, keep: impl Fn(u32) -> bool) {
        self.retain_places(|_, index| keep(index));
        self.appearances.retain(|&index| keep(index));
    }

    fn leave_out(&mut self, copies: &[(usize, usize)]) {
        let copies: HashSet<usize> = copies.iter().map(|&(_, copy)| copy).collect();
        self.retain_places(|place, _| !copies.contains(&place));
    }

    fn retain_places(&mut self, keep: impl Fn(usize, u32) -> bool) {
        let kept: Vec<bool> = self.indices.iter().enumerate().map(|(place, &index)| keep(place, index)).collect();
        let mut flags = kept.iter();
        self.indices.retain(|_| flags.next() == Some(&true));
        let mut flags = kept.iter();
        self.hashes.retain(|_| flags.next() == Some(&true));
    }

    /// The places (best-ranked, copy) of results that are the same document, in rank order, among
    /// pairs of positions in the file that can be copies of each other.
    ///
    /// An open hash table of places: equal hashes are compared byte by byte.
    fn copies(&mut self, ranking: &Ranking, related: impl Fn(u32, u32) -> bool) -> Vec<(usize, usize)> {
        let capacity = (self.indices.len() * 2).next_power_of_two();
        self.slots.clear();
        self.slots.resize(capacity, 0);
        let document = |place: usize| ranking.document(self.indices[place] as usize);
        let mut copies = Vec::new();
        for (place, &hash) in self.hashes.iter().enumerate() {
            let mut slot = hash as usize & (capacity - 1);
            loop {
                let Some(other) = self.slots[slot].checked_sub(1).map(|other| other as usize) else {
                    self.slots[slot] = place as u32 + 1;
                    break;
                };
                let is_same = self.hashes[other] == hash && document(other) == document(place);
                if is_same && related(self.indices[other], self.indices[place]) {
                    copies.push((other, place));
                    break;
                }
                slot = (slot + 1) & (capacity - 1);
            }
        }
        copies
    }
}

/// THE order: call by call, key descending, then the tie rule, then the position in the file.
fn compare(ranking: &Ranking, a: u32, b: u32, ties: Ties) -> Ordering {
    let document = |index: u32| ranking.document(index as usize);
    let by_tie = || match (ranking.keyed(), ties) {
        (Keyed::Position, _) | (_, Ties::Input) => Ordering::Equal,
        (_, Ties::Trec | Ties::TrecSingle) => document(b).cmp(document(a)),
        (_, Ties::IdAscending) => document(a).cmp(document(b)),
    };
    let key = |index: u32| match (ranking.keyed(), ties) {
        // Adding 0.0 turns what is too small below 0 into the same 0.
        (Keyed::Score, Ties::TrecSingle) => f64::from(ranking.key(index) as f32 + 0.0),
        _ => ranking.key(index),
    };
    let by_key = key(b).total_cmp(&key(a)).then_with(by_tie).then_with(|| a.cmp(&b));
    match ranking.is_trajectory() {
        true => ranking.call_of(a as usize).cmp(&ranking.call_of(b as usize)).then(by_key),
        false => by_key,
    }
}

fn duplicate(ranking: &Ranking, first: u32, copy: u32) -> Fault {
    let (earlier, later) = (first.min(copy), first.max(copy));
    let (line, first_line) = (ranking.line(later), ranking.line(earlier));
    let first = match first_line == line {
        true => format!("position {} of the list", earlier + 1),
        false => format!("line {first_line}"),
    };
    let (query, document) = (ranking.query().clone(), ranking.document(copy as usize).into());
    Fault::at_line(line, InputErrorKind::DuplicateDocument { query, document, first })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Key, Row};

    fn ranking(rows: &[(&str, f64)]) -> Ranking {
        let mut ranking = Ranking::new("q".into());
        for (line, &(document, score)) in (1..).zip(rows) {
            let (document, key) = (document.as_bytes(), Key::Score(score));
            ranking.push(&Row { query: b"q", document, key, rank: None, line, chunk: None }).unwrap();
        }
        ranking
    }

    fn order(rows: &[(&str, f64)], ties: Ties) -> String {
        let ranking = ranking(rows);
        let order = ranking.order(ties, Duplicates::First).unwrap();
        let ids = order.indices().iter().map(|&index| std::str::from_utf8(ranking.document(index as usize)).unwrap());
        ids.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn equal_scores_go_by_id_or_by_place() {
        let rows = [("9", 1.0), ("10", 1.0), ("é", 2.0), ("z", 2.0)];
        assert_eq!(order(&rows, Ties::Trec), "é z 9 10");
        assert_eq!(order(&rows, Ties::IdAscending), "z é 10 9");
        assert_eq!(order(&rows, Ties::Input), "é z 9 10");
    }

    #[test]
    fn scores_that_differ_by_less_than_32_bits_hold_can_be_equal() {
        let rows = [("a", 1.000_000_01), ("b", 1.0), ("c", 0.0), ("d", -1e-50)];
        assert_eq!(order(&rows, Ties::Trec), "a b c d");
        assert_eq!(order(&rows, Ties::TrecSingle), "b a d c");
    }

    #[test]
    fn minus_zero_is_the_same_score_as_zero() {
        assert_eq!(order(&[("a", 0.0), ("b", -0.0)], Ties::Trec), "b a");
    }

    #[test]
    fn the_calls_of_a_trajectory_are_united_in_order_of_first_appearance() {
        let mut ranking = Ranking::new("q".into());
        let push = |ranking: &mut Ranking, step: Option<u32>, rows: &[(&str, f64)]| {
            ranking.begin_call(&crate::run::Call { step, ..Default::default() }, 1).unwrap();
            for &(document, score) in rows {
                let (document, key) = (document.as_bytes(), Key::Score(score));
                ranking.push(&Row { query: b"q", document, key, rank: None, line: 1, chunk: None }).unwrap();
            }
        };
        push(&mut ranking, Some(1), &[("b", 0.1), ("a", 0.2)]);
        push(&mut ranking, Some(2), &[("c", 0.3), ("a", 0.9), ("d", 0.5)]);
        ranking.resume_call(1);
        let (document, key) = (&b"e"[..], Key::Score(0.15));
        ranking.push(&Row { query: b"q", document, key, rank: None, line: 1, chunk: None }).unwrap();
        let order = ranking.order(Ties::Trec, Duplicates::Error).unwrap();
        let ids = |indices: &[u32]| -> Vec<String> {
            indices
                .iter()
                .map(|&index| String::from_utf8_lossy(ranking.document(index as usize)).into_owned())
                .collect()
        };
        assert_eq!(ids(order.indices()), ["a", "e", "b", "d", "c"]);
        assert_eq!(ids(order.appearances()), ["a", "e", "b", "a", "d", "c"]);
        assert_eq!(order.dropped(), 0);
    }

    #[test]
    fn the_best_copy_stays_and_the_gap_is_closed() {
        let rows = [("a", 1.0), ("b", 2.0), ("a", 3.0), ("c", 0.5), ("a", 0.1)];
        assert_eq!(order(&rows, Ties::Trec), "a b c");
        let fault = ranking(&rows).order(Ties::Trec, Duplicates::Error).unwrap_err();
        assert_eq!(fault.line, Some(3));
    }
}
