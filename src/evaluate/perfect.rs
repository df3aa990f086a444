//! What the best of all rankings score, for measures in which that can be less than 1.

use super::{Average, Rules};
use crate::judged::{Grade, Hit, JudgedRanking};
use crate::labels::Labels;
use crate::measure::{Measure, Ratio};
use crate::scores::{Rows, mean_of_counted};

/// For each measure in which a perfect ranking can score below 1, the mean (or pooled fraction)
/// of perfect rankings over the queries that have a value in it.
pub(super) fn attainable(labels: &Labels, measures: &[Measure], rules: &Rules, rows: &Rows<'_>) -> Vec<Option<f64>> {
    let mut columns: Vec<Column<'_>> = measures.iter().enumerate().filter_map(Column::of_capped).collect();
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
        best[column.index] = column.pooled.map(Ratio::value).or_else(|| mean_of_counted(column.scores));
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
    /// Each score with how many queries have it in a row.
    scores: Vec<(f64, usize)>,
    pooled: Option<Ratio>,
}

impl<'a> Column<'a> {
    /// A column for a measure; `None` for one that a perfect ranking scores 1 in.
    fn of_capped((index, measure): (usize, &'a Measure)) -> Option<Self> {
        let column = Self { index, measure, score: None, ratio: None, scores: Vec::new(), pooled: None };
        Some(column).filter(|_| measure.definition().capped)
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
        match (self.score, self.scores.last_mut()) {
            (Some(score), Some((last, count))) if *last == score => *count += 1,
            (score, _) => self.scores.extend(score.map(|score| (score, 1))),
        }
        self.pooled = match (self.pooled, self.ratio) {
            (Some(pooled), Some(ratio)) => Some(pooled.pooled(ratio)),
            (pooled, ratio) => pooled.or(ratio),
        };
    }
}
