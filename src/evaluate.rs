//! Scoring a run against labels. Which queries count is decided here and only here.

use rayon::prelude::*;

use crate::error::Fault;
use crate::id::Id;
use crate::judged::{Grade, Hit, JudgedRanking};
use crate::labels::{Labels, QueryLabels};
use crate::measure::{Measure, Needs, Ratio};
use crate::run::{Duplicates, Order, Ranking, Run, Ties};
use crate::scores::{Cell, Join, QueryScores, ScoreTable};

/// Which queries a mean is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Over {
    /// All queries of the labels; one that the run does not answer counts as an empty list.
    #[default]
    All,
    /// The queries that labels and run have in common.
    Common,
    /// All queries of the labels, and a missing one is an error.
    Strict,
}

/// What happens to a query without a relevant document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NoRelevant {
    /// It is left out of every mean and counted.
    #[default]
    Skip,
    /// It counts as 0, as in trec_eval.
    Zero,
}

/// How the values of the queries become one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Average {
    /// Each query weighs the same.
    #[default]
    Macro,
    /// Each relevant document (or result) weighs the same: numerators and denominators are pooled.
    Micro,
}

/// The conventions of an evaluation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// Grade from which a document counts as relevant.
    pub rel: Grade,
    /// Which queries a mean is over.
    pub over: Over,
    /// What happens to a query without a relevant document.
    pub no_relevant: NoRelevant,
    /// How the values of the queries become one number.
    pub average: Average,
    /// How equal scores are ordered.
    pub ties: Ties,
    /// What happens to a document that is twice in one ranking.
    pub duplicates: Duplicates,
    /// Whether a result whose id is the id of its query is removed.
    pub drop_self: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            rel: 1.0,
            over: Over::default(),
            no_relevant: NoRelevant::default(),
            average: Average::default(),
            ties: Ties::default(),
            duplicates: Duplicates::default(),
            drop_self: false,
        }
    }
}

/// Why a run cannot be scored.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluateError {
    /// A ranking that cannot be ordered.
    #[error("{}", .0.kind)]
    Ranking(Fault),
    /// Queries are missing from the run and every query must be there.
    #[error("the run does not answer {} of the queries, the first is `{}`", missing.len(), missing[0])]
    MissingQueries {
        /// The queries, in the order of the labels.
        missing: Vec<Id>,
    },
    /// A measure that cannot be pooled.
    #[error("`{label}` has no micro average: only hit, precision, recall, f1 and judged can be pooled")]
    NoMicroAverage {
        /// The measure.
        label: String,
    },
    /// Every measure leaves every query out.
    #[error("no query has a relevant document: no grade reaches {rel}, the largest is {max_grade}")]
    NothingToScore {
        /// Grade from which a document counts as relevant.
        rel: Grade,
        /// The largest grade of the labels.
        max_grade: Grade,
    },
}

/// Scores a run against labels: a row per query that counts, a cell per measure.
///
/// The measures must have been [bound](Measure::bind) to the facts of these labels.
///
/// # Errors
/// When a ranking holds a document twice, a rule forbids what the files hold, or no query can be
/// scored at all.
pub fn evaluate<'m>(
    labels: &Labels,
    run: &Run,
    measures: &'m [Measure],
    rules: &Rules,
) -> Result<ScoreTable<'m>, EvaluateError> {
    check_pooling(measures, rules)?;
    let scored = score_queries(labels, run, measures, rules)?;
    let mut join = Join { ignored: ignored(labels, run), ..Join::default() };
    for row in &scored {
        row.report(measures, &mut join);
    }
    if join.left_out.len() == scored.len() {
        return Err(EvaluateError::NothingToScore { rel: rules.rel, max_grade: labels.facts().max_grade });
    }
    if rules.over == Over::Strict && !join.missing.is_empty() {
        return Err(EvaluateError::MissingQueries { missing: join.missing });
    }
    let counts = |row: &Row| !row.is_left_out() && (row.ranking.is_some() || rules.over != Over::Common);
    let rows: Vec<Row> = scored.into_iter().filter(counts).collect();
    let columns = measures.iter().enumerate();
    let pooled = match rules.average {
        Average::Macro => Vec::new(),
        Average::Micro => columns.clone().map(|(column, measure)| pool(&rows, measure, column)).collect(),
    };
    let attainable = columns.map(|(column, measure)| attainable(&rows, measure, column)).collect();
    let rows = rows.into_iter().map(Row::into_scores).collect();
    Ok(ScoreTable { measures, rows, pooled, attainable, join })
}

/// Brings every query of the labels together with its ranking and scores it, in parallel.
fn score_queries<'a>(
    labels: &'a Labels,
    run: &'a Run,
    measures: &[Measure],
    rules: &Rules,
) -> Result<Vec<Row<'a>>, EvaluateError> {
    let queries = labels.queries().par_iter().enumerate();
    let score = |(position, query)| -> Result<Row<'a>, EvaluateError> {
        let mut row = Row::judge(position, query, run, rules)?;
        row.cells = measures.iter().map(|measure| row.cell(measure, rules)).collect();
        Ok(row)
    };
    let rows: Vec<Result<Row, EvaluateError>> = queries.map(score).collect();
    rows.into_iter().collect()
}

fn check_pooling(measures: &[Measure], rules: &Rules) -> Result<(), EvaluateError> {
    if rules.average == Average::Macro {
        return Ok(());
    }
    let one = JudgedRanking::from_grades(&[Some(1.0)], &[]);
    match measures.iter().find(|measure| measure.ratio(&one.view()).is_none()) {
        Some(measure) => Err(EvaluateError::NoMicroAverage { label: measure.label().to_owned() }),
        None => Ok(()),
    }
}

fn ignored(labels: &Labels, run: &Run) -> Vec<Id> {
    let unlabelled = run.rankings().iter().filter(|ranking| labels.position(ranking.query()).is_none());
    unlabelled.map(|ranking| ranking.query().clone()).collect()
}

/// One query of the labels beside its ranking.
struct Row<'a> {
    position: usize,
    query: &'a QueryLabels,
    ranking: Option<&'a Ranking>,
    order: Order,
    hits: Vec<Hit>,
    self_retrieved: bool,
    cells: Vec<Cell>,
}

impl<'a> Row<'a> {
    fn judge(position: usize, query: &'a QueryLabels, run: &'a Run, rules: &Rules) -> Result<Self, EvaluateError> {
        let ranking = run.ranking(query.id());
        let mut order = match ranking {
            Some(ranking) => ranking.order(rules.ties, rules.duplicates).map_err(EvaluateError::Ranking)?,
            None => Order::default(),
        };
        let document = |index: u32| ranking.map_or(&b""[..], |ranking| ranking.document(index as usize));
        let is_self = |index: u32| document(index) == query.id().as_bytes();
        let self_retrieved = order.indices.iter().any(|&index| is_self(index));
        if self_retrieved && rules.drop_self {
            order.indices.retain(|&index| !is_self(index));
        }
        let ranked = (1..).zip(&order.indices);
        let hits =
            ranked.filter_map(|(rank, &index)| Some(Hit { rank, grade: query.grade(document(index))? })).collect();
        Ok(Self { position, query, ranking, order, hits, self_retrieved, cells: Vec::new() })
    }

    fn view(&self) -> JudgedRanking<'_> {
        JudgedRanking::new(&self.hits, self.retrieved(), self.query.ideal())
    }

    fn retrieved(&self) -> u64 {
        self.order.indices.len() as u64
    }

    fn is_left_out(&self) -> bool {
        self.cells.iter().all(|&cell| cell == Cell::LeftOut)
    }

    /// WHICH QUERIES COUNT: an unanswerable query never does; one in which a measure has nothing
    /// to find does not, unless it is to count as 0.
    fn cell(&self, measure: &Measure, rules: &Rules) -> Cell {
        if self.query.about.answerable == Some(false) {
            return Cell::LeftOut;
        }
        let needs = measure.definition().needs;
        let has_something = match needs {
            Needs::Relevant => self.view().relevant(measure.threshold().unwrap_or(rules.rel)) > 0,
            Needs::Gain => self.query.ideal().first().is_some_and(|&best| best > 0.0),
            Needs::Query => self.view().relevant(rules.rel) > 0,
        };
        match (has_something, rules.no_relevant) {
            (false, NoRelevant::Skip) => Cell::LeftOut,
            (false, NoRelevant::Zero) if needs != Needs::Query => Cell::Value(0.0),
            _ => measure.score(&self.view()).map_or(Cell::Undefined, Cell::Value),
        }
    }

    /// Adds what happened to the query to the report.
    fn report(&self, measures: &[Measure], join: &mut Join) {
        let id = || self.query.id().clone();
        if self.is_left_out() {
            join.left_out.push(id());
            return;
        }
        let Some(ranking) = self.ranking else {
            join.missing.push(id());
            return;
        };
        join.dropped_copies += self.order.dropped;
        join.labelled_results += self.hits.len() as u64;
        if ranking.ranks_contradict_scores() {
            join.contradictions.push(id());
        }
        if self.self_retrieved {
            join.self_retrieved.push(id());
        }
        let tied = self.order.indices.windows(2).filter(|pair| ranking.tied(pair[0], pair[1])).count();
        join.tied_pairs += tied as u64;
        if tied > 0 && measures.iter().any(|measure| self.is_tied_at(ranking, measure.params().cutoff())) {
            join.tied_at_cutoff.push(id());
        }
    }

    fn is_tied_at(&self, ranking: &Ranking, cutoff: Option<u64>) -> bool {
        let Some(k) = cutoff.and_then(|k| usize::try_from(k).ok()) else { return false };
        k < self.order.indices.len() && ranking.tied(self.order.indices[k - 1], self.order.indices[k])
    }

    fn into_scores(self) -> QueryScores {
        let retrieved = self.retrieved();
        QueryScores { query: self.query.id().clone(), position: self.position, retrieved, cells: self.cells }
    }
}

/// Numerators and denominators of a column over all queries that have a value in it.
fn pool(rows: &[Row], measure: &Measure, column: usize) -> Option<Ratio> {
    let scored = rows.iter().filter(|row| row.cells[column].value().is_some());
    let ratios: Vec<Ratio> = scored.filter_map(|row| measure.ratio(&row.view())).collect();
    let start = Ratio { numerator: 0.0, denominator: 0.0 };
    (!ratios.is_empty()).then(|| {
        ratios.iter().fold(start, |sum, ratio| Ratio {
            numerator: sum.numerator + ratio.numerator,
            denominator: sum.denominator + ratio.denominator,
        })
    })
}

/// The mean that perfect rankings would have, for measures in which it can be below 1.
fn attainable(rows: &[Row], measure: &Measure, column: usize) -> Option<f64> {
    if !measure.definition().capped {
        return None;
    }
    let scored = rows.iter().filter(|row| row.cells[column].value().is_some());
    let best = scored.filter_map(|row| {
        let ideal: Vec<Option<Grade>> = row.query.ideal().iter().copied().map(Some).collect();
        measure.score(&JudgedRanking::from_grades(&ideal, &[]).view())
    });
    let best: Vec<f64> = best.collect();
    (!best.is_empty()).then(|| best.iter().fold(0.0, |sum, value| sum + value) / best.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::{DuplicateLabels, LabelsBuilder};
    use crate::run::{self, Key, RunBuilder, RunSink};

    /// Labels from `query document grade` triples separated by semicolons; a query alone has no judgment.
    fn labels(text: &str) -> Labels {
        let mut builder = LabelsBuilder::new(DuplicateLabels::Error);
        for row in text.split(';') {
            match row.split_whitespace().collect::<Vec<_>>()[..] {
                [query, document, grade] => {
                    builder.judge(query.as_bytes(), document.as_bytes(), grade.parse().unwrap(), 1).unwrap();
                }
                [query] => _ = builder.about(query.as_bytes()),
                _ => panic!("not a row: {row}"),
            }
        }
        builder.finish()
    }

    /// A run from `query document score` triples separated by semicolons.
    fn run_of(text: &str) -> Run {
        let mut builder = RunBuilder::new();
        for (line, row) in (1..).zip(text.split(';')) {
            let [query, document, score] = row.split_whitespace().collect::<Vec<_>>()[..] else { panic!("{row}") };
            let (query, document, key) = (query.as_bytes(), document.as_bytes(), Key::Score(score.parse().unwrap()));
            builder.row(&run::Row { query, document, key, rank: None, line, chunk: None }).unwrap();
        }
        builder.finish()
    }

    fn measures(labels: &Labels, specs: &[&str]) -> Vec<Measure> {
        specs.iter().map(|spec| Measure::parse(spec).unwrap().bind(&labels.facts()).unwrap()).collect()
    }

    #[test]
    fn a_missing_query_counts_as_an_empty_list() {
        let labels = labels("q1 a 1; q2 b 1; q3 c 0");
        let run = run_of("q1 a 2; q9 x 1");
        let measures = measures(&labels, &["hit@5", "judged@5", "rbp_residual"]);
        let table = evaluate(&labels, &run, &measures, &Rules::default()).unwrap();
        assert_eq!(table.summary(0).mean, Some(0.5));
        assert_eq!(table.rows[1].cells, [Cell::Value(0.0), Cell::Undefined, Cell::Value(1.0)]);
        assert_eq!(table.summary(1).n, 1);
        assert_eq!(table.join.missing, ["q2".into()]);
        assert_eq!(table.join.left_out, ["q3".into()]);
        assert_eq!(table.join.ignored, ["q9".into()]);
    }

    #[test]
    fn means_are_over_the_queries_that_the_rule_names() {
        let labels = labels("q1 a 1; q2 b 1; q3 c 0");
        let run = run_of("q1 a 2; q3 c 1");
        let measures = measures(&labels, &["hit@5"]);
        let mean = |rules: Rules| evaluate(&labels, &run, &measures, &rules).map(|table| table.summary(0));
        let common = mean(Rules { over: Over::Common, ..Rules::default() }).unwrap();
        assert_eq!((common.n, common.mean), (1, Some(1.0)));
        let zero = mean(Rules { no_relevant: NoRelevant::Zero, ..Rules::default() }).unwrap();
        assert_eq!((zero.n, zero.mean), (3, Some(1.0 / 3.0)));
        let strict = mean(Rules { over: Over::Strict, ..Rules::default() }).unwrap_err();
        assert_eq!(strict, EvaluateError::MissingQueries { missing: vec!["q2".into()] });
    }

    #[test]
    fn an_unanswerable_query_is_left_out_even_when_empty_ones_count() {
        let mut builder = LabelsBuilder::new(DuplicateLabels::Error);
        builder.judge(b"q1", b"a", 1.0, 1).unwrap();
        builder.judge(b"q2", b"b", 1.0, 2).unwrap();
        builder.about(b"q2").answerable = Some(false);
        let labels = builder.finish();
        let measures = measures(&labels, &["hit@5"]);
        let rules = Rules { no_relevant: NoRelevant::Zero, ..Rules::default() };
        let table = evaluate(&labels, &run_of("q1 a 1; q2 b 1"), &measures, &rules).unwrap();
        assert_eq!(table.summary(0).n, 1);
        assert_eq!(table.join.left_out, ["q2".into()]);
    }

    #[test]
    fn the_threshold_decides_query_by_query_and_measure_by_measure() {
        let labels = labels("q1 a 1; q2 b 2");
        let measures = measures(&labels, &["recall@5", "recall:rel=2@5", "ndcg@5"]);
        let table = evaluate(&labels, &run_of("q1 a 1; q2 b 1"), &measures, &Rules::default()).unwrap();
        let n: Vec<u64> = (0..3).map(|column| table.summary(column).n).collect();
        assert_eq!(n, [2, 1, 2]);
        assert_eq!(table.rows[0].cells[1], Cell::LeftOut);
    }

    #[test]
    fn nothing_relevant_anywhere_is_an_error() {
        let labels = labels("q1 a 0.5");
        let measures = measures(&labels, &["recall@5"]);
        let error = evaluate(&labels, &run_of("q1 a 1"), &measures, &Rules::default()).unwrap_err();
        assert_eq!(error, EvaluateError::NothingToScore { rel: 1.0, max_grade: 0.5 });
    }

    #[test]
    fn micro_averages_pool_and_refuse_what_cannot_be_pooled() {
        let labels = labels("q1 a 1; q1 b 1; q1 c 1; q2 d 1");
        let run = run_of("q1 a 1; q2 d 1");
        let rules = Rules { average: Average::Micro, ..Rules::default() };
        let pooled = measures(&labels, &["recall@5", "precision@5"]);
        let table = evaluate(&labels, &run, &pooled, &rules).unwrap();
        assert_eq!(table.summary(0).mean, Some(0.5));
        assert_eq!(table.summary(1).mean, Some(0.2));
        let ranked = measures(&labels, &["ndcg@5"]);
        let error = evaluate(&labels, &run, &ranked, &rules).unwrap_err();
        assert_eq!(error, EvaluateError::NoMicroAverage { label: "ndcg@5".to_owned() });
    }

    #[test]
    fn ties_are_broken_by_descending_ids_and_reported_at_the_cutoff() {
        let labels = labels("q1 10 1");
        let run = run_of("q1 10 1.0; q1 9 1.0");
        let measures = measures(&labels, &["mrr", "hit@1"]);
        let mrr = |ties| {
            let rules = Rules { ties, ..Rules::default() };
            let table = evaluate(&labels, &run, &measures, &rules).unwrap();
            assert_eq!(table.join.tied_at_cutoff, ["q1".into()]);
            assert_eq!(table.join.tied_pairs, 1);
            table.summary(0).mean
        };
        assert_eq!(mrr(Ties::Trec), Some(0.5));
        assert_eq!(mrr(Ties::IdAscending), Some(1.0));
        assert_eq!(mrr(Ties::Input), Some(1.0));
    }

    #[test]
    fn a_copy_is_refused_or_dropped_and_never_credited() {
        let labels = labels("q1 a 1; q1 b 1");
        let run = run_of("q1 a 3; q1 a 2; q1 b 1");
        let measures = measures(&labels, &["recall@2"]);
        assert!(matches!(
            evaluate(&labels, &run, &measures, &Rules::default()),
            Err(EvaluateError::Ranking(fault)) if fault.line == Some(2)
        ));
        let rules = Rules { duplicates: Duplicates::First, ..Rules::default() };
        let table = evaluate(&labels, &run, &measures, &rules).unwrap();
        assert_eq!((table.summary(0).mean, table.join.dropped_copies), (Some(1.0), 1));
    }

    #[test]
    fn a_result_that_is_the_query_itself_is_reported_or_removed() {
        let labels = labels("q1 d7 1");
        let run = run_of("q1 q1 2; q1 d7 1");
        let measures = measures(&labels, &["mrr"]);
        let kept = evaluate(&labels, &run, &measures, &Rules::default()).unwrap();
        assert_eq!((kept.summary(0).mean, kept.join.self_retrieved.len()), (Some(0.5), 1));
        let dropped = evaluate(&labels, &run, &measures, &Rules { drop_self: true, ..Rules::default() }).unwrap();
        assert_eq!((dropped.summary(0).mean, dropped.rows[0].retrieved), (Some(1.0), 1));
    }

    #[test]
    fn the_attainable_mean_is_that_of_perfect_rankings() {
        let labels = labels("q1 a 1; q2 b 1; q2 c 1");
        let measures = measures(&labels, &["precision@5", "recall@5"]);
        let table = evaluate(&labels, &run_of("q1 a 1"), &measures, &Rules::default()).unwrap();
        assert!((table.summary(0).attainable.unwrap() - 0.3).abs() < 1e-12);
        assert_eq!(table.summary(1).attainable, None);
    }
}
