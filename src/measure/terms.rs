//! How a value comes about, row by row, so that a person can check it by hand.

use std::borrow::Cow;

use crate::judged::{Grade, JudgedRanking};

/// Up to this rank each place has a row of its own; further down, places in a row that nobody
/// judged share one.
const SINGLE_ROWS: u64 = 20;

/// How the value of a measure for one query comes about: a row for each place of the list that
/// the measure looks at, and the steps that lead from there to the value.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// What the columns hold beside place and grade.
    pub columns: Vec<&'static str>,
    /// The places of the list, in order.
    pub rows: Vec<Row>,
    /// The places of the best possible list, with the same columns; empty for measures that are
    /// not relative to one.
    pub ideal: Vec<Row>,
    /// What is made of the rows, in order.
    pub steps: Vec<Step>,
    /// How the value comes from the steps, in words; empty where the formula has to do.
    pub rule: &'static str,
    /// The value; `None` where it is undefined.
    pub value: Option<f64>,
}

/// A place of a list and its part in the value.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The place.
    pub place: Place,
    /// A number a column; empty for a place that has no part in the value.
    pub cells: Vec<f64>,
}

/// A place of a list, or several in a row that nobody judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// The rank, from 1.
    pub rank: u64,
    /// The last rank; the same as `rank` for a single place.
    pub last: u64,
    /// The grade; negative for a document that was pooled and not judged, `None` for one that is
    /// not in the labels.
    pub grade: Option<Grade>,
}

impl Place {
    /// Whether somebody judged the document.
    pub fn is_judged(&self) -> bool {
        self.grade.is_some_and(|grade| grade >= 0.0)
    }

    /// Whether the document was judged and has a grade of at least `threshold`.
    pub fn is_relevant(&self, threshold: Grade) -> bool {
        self.is_judged() && self.grade.is_some_and(|grade| grade >= threshold)
    }
}

/// A number on the way to the value.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What it is called in the rule.
    pub name: Cow<'static, str>,
    /// What it is, in words.
    pub about: Cow<'static, str>,
    /// The number.
    pub value: f64,
}

impl Terms {
    /// What a measure sees and nothing of what it makes of it: places and grades.
    pub(super) fn seen(ranking: &JudgedRanking<'_>, cutoff: Option<u64>) -> Self {
        Self::over(ranking, cutoff, [], |_| None)
    }

    /// A row for each of the first `cutoff` places, with the numbers that `cells` says of it.
    pub(super) fn over<const N: usize>(
        ranking: &JudgedRanking<'_>,
        cutoff: Option<u64>,
        columns: [&'static str; N],
        mut cells: impl FnMut(&Place) -> Option<[f64; N]>,
    ) -> Self {
        Self::of(places(ranking, cutoff, &[]), columns, |place| cells(place))
    }

    /// A row for each of the first `cutoff` places, with the numbers that stand beside a rank.
    pub(super) fn at<const N: usize>(
        ranking: &JudgedRanking<'_>,
        cutoff: Option<u64>,
        columns: [&'static str; N],
        cells: &[(u64, [f64; N])],
    ) -> Self {
        let ranks: Vec<u64> = cells.iter().map(|(rank, _)| *rank).collect();
        let cells_of = |place: &Place| cells.iter().find(|(rank, _)| *rank == place.rank).map(|(_, cells)| *cells);
        Self::of(places(ranking, cutoff, &ranks), columns, cells_of)
    }

    fn of<const N: usize>(
        places: Vec<Place>,
        columns: [&'static str; N],
        mut cells: impl FnMut(&Place) -> Option<[f64; N]>,
    ) -> Self {
        let mut row = |place: Place| Row { place, cells: cells(&place).map(Vec::from).unwrap_or_default() };
        let rows = places.into_iter().map(&mut row).collect();
        let (columns, ideal) = (columns.to_vec(), Vec::new());
        Self { columns, rows, ideal, steps: Vec::new(), rule: "", value: None }
    }

    /// A row for each of the first `cutoff` places, with the number of relevant documents so far
    /// at each of them, and their number as the step `found`.
    pub(super) fn counting(ranking: &JudgedRanking<'_>, cutoff: Option<u64>, rel: Grade) -> Self {
        let mut found = 0.0;
        let terms = Self::over(ranking, cutoff, ["found"], |place| {
            place.is_relevant(rel).then(|| {
                found += 1.0;
                [found]
            })
        });
        terms.step("found", "relevant documents in these places", found)
    }

    /// A column with the sum so far of the last column, and the whole sum as a step.
    pub(super) fn summed(mut self, name: &'static str, about: &'static str) -> Self {
        let sum = sum_up(&mut self.rows);
        self.columns.push("sum");
        self.step(name, about, sum)
    }

    /// The best possible list: its grades in order, with the same columns, the sum included.
    pub(super) fn with_ideal<const N: usize>(
        mut self,
        grades: impl Iterator<Item = (u64, Grade)>,
        mut cells: impl FnMut(&Place) -> Option<[f64; N]>,
        (name, about): (&'static str, &'static str),
    ) -> Self {
        let places = grades.map(|(rank, grade)| Place { rank, last: rank, grade: Some(grade) });
        let rows = places.map(|place| Row { place, cells: cells(&place).map(Vec::from).unwrap_or_default() });
        self.ideal = rows.collect();
        let sum = sum_up(&mut self.ideal);
        self.step(name, about, sum)
    }

    /// One more number on the way.
    pub(super) fn step(
        mut self,
        name: impl Into<Cow<'static, str>>,
        about: impl Into<Cow<'static, str>>,
        value: f64,
    ) -> Self {
        self.steps.push(Step { name: name.into(), about: about.into(), value });
        self
    }

    /// R as a step.
    pub(super) fn with_relevant(self, relevant: u64) -> Self {
        self.step("R", "relevant documents in the labels", relevant as f64)
    }

    /// A number divided by the last step; 0 where that is 0.
    pub(super) fn divided(self, number: f64, rule: &'static str) -> Self {
        let divisor = self.steps.last().map_or(0.0, |step| step.value);
        self.result(rule, if divisor == 0.0 { 0.0 } else { number / divisor })
    }

    /// How the value comes from the steps, and the value.
    pub(super) fn result(self, rule: &'static str, value: f64) -> Self {
        Self { rule, value: Some(value), ..self }
    }

    /// How the value comes from the steps.
    pub(super) fn ruled(self, rule: &'static str) -> Self {
        Self { rule, ..self }
    }

    /// The number of a step.
    pub(super) fn number(&self, name: &str) -> f64 {
        self.steps.iter().find(|step| step.name == name).map_or(0.0, |step| step.value)
    }
}

/// Adds the sum so far of their last number to rows that have one; gives back the whole sum.
fn sum_up(rows: &mut [Row]) -> f64 {
    let mut sum = 0.0;
    for row in rows {
        if let Some(term) = row.cells.last() {
            sum += term;
            row.cells.push(sum);
        }
    }
    sum
}

/// The first `cutoff` places: one for each document that stands in the labels and each of
/// `ranks`, and those between them.
fn places(ranking: &JudgedRanking<'_>, cutoff: Option<u64>, ranks: &[u64]) -> Vec<Place> {
    let place = |rank, grade| Place { rank, last: rank, grade };
    let mut own: Vec<Place> = ranking.top(cutoff).iter().map(|hit| place(hit.rank, Some(hit.grade))).collect();
    let judged: Vec<u64> = own.iter().map(|place| place.rank).collect();
    own.extend(ranks.iter().filter(|rank| judged.binary_search(rank).is_err()).map(|&rank| place(rank, None)));
    own.sort_by_key(|place| place.rank);
    let mut places = Vec::new();
    let mut next = 1;
    for place in own {
        push_unjudged(&mut places, next, place.rank - 1);
        places.push(place);
        next = place.rank + 1;
    }
    push_unjudged(&mut places, next, ranking.returned(cutoff));
    places
}

fn push_unjudged(places: &mut Vec<Place>, first: u64, last: u64) {
    let single = |rank| Place { rank, last: rank, grade: None };
    places.extend((first..=last.min(SINGLE_ROWS)).map(single));
    let rank = first.max(SINGLE_ROWS + 1);
    if rank <= last {
        places.push(Place { rank, last, grade: None });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_nobody_judged_share_a_row_far_down() {
        let mut grades = vec![None; 40];
        (grades[1], grades[29]) = (Some(2.0), Some(1.0));
        let list = JudgedRanking::from_grades(&grades, &[]);
        let terms = Terms::counting(&list.view(), None, 1.0);
        let ranks: Vec<(u64, u64)> = terms.rows.iter().map(|row| (row.place.rank, row.place.last)).collect();
        assert_eq!(ranks[..3], [(1, 1), (2, 2), (3, 3)]);
        assert_eq!(ranks[19..], [(20, 20), (21, 29), (30, 30), (31, 40)]);
        assert_eq!(terms.rows[1].cells, [1.0]);
        assert_eq!(terms.number("found"), 2.0);
        assert_eq!(Terms::seen(&list.view(), Some(5)).rows.len(), 5);
    }
}
