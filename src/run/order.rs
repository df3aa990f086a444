//! The order of a ranking. It is decided here and only here, and never looks at the labels.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::{Keyed, Ranking, Results};
use crate::error::{Fault, FirstPlace, InputErrorKind};
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
    /// What results are sorted by: call, key and position as one number.
    keys: Vec<u128>,
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
        self.rank_results(ranking, ties, duplicates, usize::MAX)
    }

    /// The same for results of every kind and the first `depth` of them; what comes behind them is
    /// not looked at.
    pub(crate) fn rank_results<R: Results>(
        &mut self,
        results: &R,
        ties: Ties,
        duplicates: Duplicates,
        depth: usize,
    ) -> Result<(), Fault> {
        self.rank_distinct(results, ties);
        self.indices.truncate(depth);
        let copies = self.copies(results, |a, b| results.call_of(a as usize) == results.call_of(b as usize));
        self.dropped = copies.len() as u64;
        match (copies.first(), duplicates) {
            (None, _) => {}
            (Some(&(first, copy)), Duplicates::Error) => {
                return Err(duplicate(results, self.indices[first], self.indices[copy]));
            }
            (Some(_), Duplicates::First) => self.leave_out(&copies),
        }
        if results.is_trajectory() {
            self.appearances.clone_from(&self.indices);
            let again = self.copies(results, |_, _| true);
            self.leave_out(&again);
        }
        Ok(())
    }

    /// The same for results that are known to hold no document twice.
    pub(crate) fn rank_distinct<R: Results>(&mut self, results: &R, ties: Ties) {
        self.dropped = 0;
        self.appearances.clear();
        self.indices.clear();
        self.indices.extend(0..results.len() as u32);
        if Self::is_given(results, ties) {
            return;
        }
        if results.course().rises || results.is_trajectory() {
            self.sort(results, ties);
        }
        if ties != Ties::Input && results.keyed() != Keyed::Position {
            let call = |index: u32| results.call_of(index as usize);
            let is_tied = |&a: &u32, &b: &u32| key(results, a, ties) == key(results, b, ties) && call(a) == call(b);
            for tied in self.indices.chunk_by_mut(is_tied).filter(|tied| tied.len() > 1) {
                tied.sort_unstable_by(|&a, &b| compare_tied(results, a, b, ties));
            }
        }
    }

    /// Whether the results stand in the only order that they can have.
    pub(crate) fn is_given<R: Results>(results: &R, ties: Ties) -> bool {
        let course = results.course();
        let falls = !course.rises && !course.ties && ties != Ties::TrecSingle;
        !results.is_trajectory() && (results.keyed() == Keyed::Position || falls)
    }

    /// Sorts call by call, by key descending, then by the position in the file.
    fn sort<R: Results>(&mut self, results: &R, ties: Ties) {
        let place = |&index: &u32| {
            let (call, key) = (results.call_of(index as usize) as u128, !ordered_bits(key(results, index, ties)));
            call << 96 | u128::from(key) << 32 | u128::from(index)
        };
        self.keys.clear();
        self.keys.extend(self.indices.iter().map(place));
        self.keys.sort_unstable();
        self.indices.clear();
        self.indices.extend(self.keys.iter().map(|&key| key as u32));
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
    }

    /// The places (best-ranked, copy) of results that are the same document, in rank order, among
    /// pairs of positions in the file that can be copies of each other.
    ///
    /// An open hash table of places: equal hashes are compared byte by byte.
    fn copies<R: Results>(&mut self, results: &R, related: impl Fn(u32, u32) -> bool) -> Vec<(usize, usize)> {
        self.hashes.clear();
        self.hashes.extend(self.indices.iter().map(|&index| id::hash(results.document(index as usize))));
        let capacity = (self.indices.len() * 2).next_power_of_two();
        self.slots.clear();
        self.slots.resize(capacity, 0);
        let document = |place: usize| results.document(self.indices[place] as usize);
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

/// THE order of results with equal keys: the tie rule, then the position in the file.
fn compare_tied<R: Results>(results: &R, a: u32, b: u32, ties: Ties) -> Ordering {
    let document = |index: u32| results.document(index as usize);
    let by_tie = match ties {
        Ties::Input => Ordering::Equal,
        Ties::Trec | Ties::TrecSingle => document(b).cmp(document(a)),
        Ties::IdAscending => document(a).cmp(document(b)),
    };
    by_tie.then_with(|| a.cmp(&b))
}

/// What the result at a position is ordered by: the highest comes first.
fn key<R: Results>(results: &R, index: u32, ties: Ties) -> f64 {
    let key = results.key(index as usize);
    match (results.keyed(), ties) {
        // Adding 0.0 turns what is too small below 0 into the same 0.
        (Keyed::Score, Ties::TrecSingle) => f64::from(key as f32 + 0.0),
        _ => key,
    }
}

/// A number as bits that are in the order of the numbers.
fn ordered_bits(number: f64) -> u64 {
    let bits = number.to_bits();
    if number.is_sign_negative() { !bits } else { bits | 1 << 63 }
}

fn duplicate<R: Results>(results: &R, first: u32, copy: u32) -> Fault {
    let (earlier, later) = (first.min(copy), first.max(copy));
    let (line, first_line) = (results.line(later as usize), results.line(earlier as usize));
    let first = match first_line == line {
        true => FirstPlace::Position(u64::from(earlier) + 1),
        false => FirstPlace::Line(first_line),
    };
    let (query, document) = (results.query().into(), results.document(copy as usize).into());
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
