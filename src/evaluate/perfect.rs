//! What the best of all rankings score, for measures in which that can be less than 1.

use super::{Average, Rules};
use crate::judged::{Grade, Hit, JudgedRanking};
use crate::labels::Labels;
use crate::measure::{Measure, Ratio};
use crate::scores::{Rows, mean_of};

/// For each measure in which a perfect ranking can score below 1, the mean (or pooled fraction)
/// of perfect rankings over the queries that have a value in it.
pub(super) fn attainable(labels: &Labels, measures: &[Measure], rules: &Rules, rows: &Rows<'_>) -> Vec<Option<f64>> {
    let scores = if rules.average == Average::Macro { rows.len() } else { 0 };
    let column = |(index, measure)| Column::of_capped(index, measure, scores);
    let mut columns: Vec<Column<'_>> = measures.iter().enumerate().filter_map(column).collect();
    let (mut hits, mut known): (Vec<Hit>, &[Grade]) = (Vec::new(), &[]);
    for (row, position) in rows.positions().enumerate() {
        let ideal = labels.queries()[position].ideal();
        // One query after the other has a single relevant document in many collections.
        if row == 0 || ideal != known {
            hits.clear();
            hits.extend((1..).zip(ideal).map(|(rank, &grade)| Hit { rank, grade }));
            columns.iter_mut().for_each(|column| column.look(&hits, ideal, rules.average));
            known = ideal;
        }
        for column in &mut columns {
            if rows.cell(row, column.index).value().is_some() {
                column.count();
            }
        }
    }
    let mut best = vec![None; measures.len()];
    for column in columns {
        best[column.index] = column.pooled.map(Ratio::value).or_else(|| mean_of(column.scores));
    }
    best
}

/// The perfect scores of one measure.
struct Column<'a> {
    index: usize,
    measure: &'a Measure,
    /// That of the last query, and as a fraction for micro averages.
    score: Option<f64>,
    ratio: Option<Ratio>,
    scores: Vec<f64>,
    pooled: Option<Ratio>,
}

impl<'a> Column<'a> {
    /// A column with room for so many scores; `None` for a measure that a perfect ranking scores 1 in.
    fn of_capped(index: usize, measure: &'a Measure, scores: usize) -> Option<Self> {
        let column =
            || Self { index, measure, score: None, ratio: None, scores: Vec::with_capacity(scores), pooled: None };
        measure.definition().capped.then(column)
    }

    /// Scores the ranking that holds every document worth finding, best first, and nothing else;
    /// `hits` are all judged documents, best first.
    fn look(&mut self, hits: &[Hit], ideal: &[Grade], average: Average) {
        let is_worth = |grade: &Grade| self.measure.threshold().map_or(*grade > 0.0, |rel| *grade >= rel);
        let worth = ideal.partition_point(is_worth);
        let ranking = JudgedRanking::new(&hits[..worth], worth as u64, &ideal[..worth]);
        match average {
            Average::Macro => self.score = self.measure.score(&ranking),
            Average::Micro => self.ratio = self.measure.ratio(&ranking),
        }
    }

    /// Counts the last query.
    fn count(&mut self) {
        self.scores.extend(self.score);
        self.pooled = match (self.pooled, self.ratio) {
            (Some(pooled), Some(ratio)) => Some(pooled.pooled(ratio)),
            (pooled, ratio) => pooled.or(ratio),
        };
    }
}
